#include "results.hpp"
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>

static float float_of(uint64_t word)
{
    const uint32_t bits = static_cast<uint32_t>(word);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

void Results::integers(const std::string &name, const std::vector<uint32_t> &values)
{
    m_arrays[name] = { Kind::integers, std::vector<uint64_t>(values.begin(), values.end()) };
}

void Results::floats(const std::string &name, const std::vector<float> &values)
{
    Array &array = m_arrays[name] = { Kind::floats, {} };
    for (const float value : values) {
        uint32_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        array.words.push_back(bits);
    }
}

void Results::add(const std::string &name, Kind kind, uint64_t word)
{
    Array &array = m_arrays[name];
    array.kind = kind;
    array.words.push_back(word);
}

void Results::failure(const std::string &name)
{
    m_arrays[name] = { Kind::failure, {} };
}

double median(std::vector<double> values)
{
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

double Results::median_milliseconds(const std::string &name) const
{
    const auto found = m_arrays.find(name);
    if (found == m_arrays.end()) return 0;
    return median(std::vector<double>(found->second.words.begin(), found->second.words.end())) / 1e6;
}

uint64_t Results::calls() const
{
    uint64_t sum = 0;
    for (const auto &[name, array] : m_arrays)
        if (array.kind == Kind::calls) sum += array.words.at(0);
    return sum;
}

// One line for each array: its kind, how many words it has, its name; then the words.
bool Results::save(const std::string &path) const
{
    std::FILE *file = std::fopen(path.c_str(), "w");
    if (!file) return false;
    for (const auto &[name, array] : m_arrays) {
        std::fprintf(file, "%c %zu %s\n", static_cast<char>(array.kind), array.words.size(), name.c_str());
        for (const uint64_t word : array.words) std::fprintf(file, "%" PRIx64 "\n", word);
    }
    return std::fclose(file) == 0;
}

bool Results::load(const std::string &path)
{
    std::FILE *file = std::fopen(path.c_str(), "r");
    if (!file) return false;
    bool whole = true;
    char kind, name[100];
    size_t count;
    while (whole && std::fscanf(file, " %c %zu %99[^\n]", &kind, &count, name) == 3) {
        Array array{ static_cast<Kind>(kind), std::vector<uint64_t>(count) };
        for (uint64_t &word : array.words) whole = whole && std::fscanf(file, "%" SCNx64, &word) == 1;
        m_arrays[name] = std::move(array);
    }
    whole = whole && std::feof(file);
    std::fclose(file);
    return whole;
}

std::string difference(const Array &one, const Array &other, float &farthest)
{
    if (one.kind != other.kind || one.words.size() != other.words.size())
        return std::to_string(one.words.size()) + " values against " + std::to_string(other.words.size());
    for (size_t k = 0; k < one.words.size(); ++k) {
        const uint64_t a = one.words[k], b = other.words[k];
        if (one.kind == Kind::floats) {
            const float x = float_of(a), y = float_of(b), distance = std::fabs(x - y);
            farthest = std::max(farthest, distance);
            // A bad number is near none. Sums of thousands of terms lose as many units in the last place.
            if (distance <= 1e-4f * std::max(1.0f, std::fabs(y))) continue;
            return "value " + std::to_string(k) + " is " + std::to_string(x) + " and " + std::to_string(y);
        }
        if (a != b) return "value " + std::to_string(k) + " is " + std::to_string(a) + " and " + std::to_string(b);
    }
    return "";
}

std::string sum_difference(const Array &one, const Array &other, double fraction)
{
    double sums[2] = { 0, 0 };
    const Array *const arrays[2] = { &one, &other };
    for (int k = 0; k < 2; ++k)
        for (const uint64_t word : arrays[k]->words)
            sums[k] += one.kind == Kind::floats ? double{ float_of(word) } : static_cast<double>(word);
    if (std::fabs(sums[0] - sums[1]) <= fraction * std::fabs(sums[0])) return "";
    return "the sums are " + std::to_string(sums[0]) + " and " + std::to_string(sums[1]);
}
