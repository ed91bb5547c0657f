#include "program.hpp"
#include "serve.h"
#include <chrono>
#include <cstdio>
#include <ctime>
#include <dlfcn.h>

void print(const char *kind, const std::string &name, double value)
{
    std::printf("%s\t%s\t%.17g\n", kind, name.c_str(), value);
    std::fflush(stdout);
}

void print_calls()
{
    const auto calls = reinterpret_cast<int64_t (*)()>(dlsym(RTLD_DEFAULT, SERVED_CALLS_NAME));
    print("calls", "sorts served", calls ? static_cast<double>(calls()) : 0);
}

double now_milliseconds()
{
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now().time_since_epoch();
    return time.count();
}

double processor_milliseconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

// G. Marsaglia, "Xorshift RNGs" (2003), 64 bits.
double Random::next()
{
    m_state ^= m_state << 13;
    m_state ^= m_state >> 7;
    m_state ^= m_state << 17;
    return static_cast<double>(m_state >> 11) / 9007199254740992.0;
}
