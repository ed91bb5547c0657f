// program.hpp: what both programs share. Each prints lines of a kind, a name and a value, with tabs between.
// compare_runs reads them.
#ifndef PROGRAM_HPP
#define PROGRAM_HPP

#include <string>

void print(const char *kind, const std::string &name, double value);

// How many sorts moderncl has served in this process, as a line; 0 where its library is not preloaded.
void print_calls();

double now_milliseconds();
// Of the calling process, in all its threads.
double processor_milliseconds();

// Numbers that are the same on each machine.
class Random
{
  public:
    // At least 0 and below 1.
    double next();

  private:
    unsigned long long m_state = 88172645463325252ull;
};

#endif
