// results.hpp: what one run has computed and how long it took, by name; written to a file and read by another process.
#ifndef RESULTS_HPP
#define RESULTS_HPP

#include <cstdint>
#include <map>
#include <string>
#include <vector>

enum class Kind : char {
    integers = 'i', // must be the same
    floats = 'f',   // their bits; must be the same within rounding
    times = 't',    // nanoseconds
    calls = 'c',    // how many calls of a primitive were served
    failure = 'x'   // of a check; nothing but the name
};

struct Array {
    Kind kind;
    std::vector<uint64_t> words;
};

class Results
{
  public:
    void integers(const std::string &name, const std::vector<uint32_t> &values);
    void floats(const std::string &name, const std::vector<float> &values);
    void add(const std::string &name, Kind kind, uint64_t word);
    void failure(const std::string &name);

    // Without time: 0.
    double median_milliseconds(const std::string &name) const;
    uint64_t calls() const;
    const std::map<std::string, Array> &arrays() const { return m_arrays; }

    bool save(const std::string &path) const;
    bool load(const std::string &path);

  private:
    std::map<std::string, Array> m_arrays;
};

double median(std::vector<double> values);

// How arrays of two runs differ: "" or a sentence. farthest grows to the largest difference of two floats.
std::string difference(const Array &one, const Array &other, float &farthest);

// How the sums of two arrays differ by more than the fraction: "" or a sentence. For runs of a world that Bullet itself
// does not repeat.
std::string sum_difference(const Array &one, const Array &other, double fraction);

#endif
