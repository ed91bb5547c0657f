#include "checks.hpp"
#include <Bullet3OpenCL/ParallelPrimitives/b3BoundSearchCL.h>
#include <Bullet3OpenCL/ParallelPrimitives/b3FillCL.h>
#include <Bullet3OpenCL/ParallelPrimitives/b3PrefixScanCL.h>
#undef B3_PREFIX_SCAN_CL_H // the guard of the next header too
#include <Bullet3OpenCL/ParallelPrimitives/b3PrefixScanFloat4CL.h>
#include <Bullet3OpenCL/ParallelPrimitives/b3RadixSort32CL.h>
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace
{
using Words = std::vector<uint32_t>;
using Pairs = std::vector<b3SortData>;

// Around the sizes of blocks, and more than a few of them.
constexpr int SIZES[] = { 1, 2, 63, 64, 255, 256, 257, 1000, 4096, 10007, 65537 };

template <typename T> class Buffer : public b3OpenCLArray<T>
{
  public:
    Buffer(const Device &device, const std::vector<T> &values) : b3OpenCLArray<T>(device.context, device.queue)
    {
        this->resize(values.size());
        write(values);
    }
    void write(const std::vector<T> &values) { this->copyFromHostPointer(values.data(), values.size()); }
    std::vector<T> read() const
    {
        std::vector<T> values(this->size());
        this->copyToHostPointer(values.data(), values.size());
        return values;
    }
};

class Checks
{
  public:
    Checks(const Device &device, Results &results)
        : m_device(device), m_results(results), m_sort(device.context, device.id, device.queue),
          m_scan(device.context, device.id, device.queue), m_scan4(device.context, device.id, device.queue),
          m_search(device.context, device.id, device.queue, 1 << 17), m_fill(device.context, device.id, device.queue)
    {
    }

    void sort_keys(int count);
    void sort_pairs(int count, int bits);
    void scan(int count);
    void scan_float4(int count);
    void search(int count);
    template <typename T> void fill(const char *type, int count, T before, T value);
    void time_sort(int count);
    void time_scan(int count);

  private:
    Words random(int count, uint32_t below);
    Pairs random_pairs(int count, uint32_t below);
    void same(const std::string &name, int count, const Words &got, const Words &want);
    template <typename Call> void time(const std::string &name, int count, Call call);

    const Device &m_device;
    Results &m_results;
    std::mt19937 m_random;
    b3RadixSort32CL m_sort;
    b3PrefixScanCL m_scan;
    b3PrefixScanFloat4CL m_scan4;
    b3BoundSearchCL m_search;
    b3FillCL m_fill;
};

std::string title(const std::string &name, int count)
{
    return name + ", " + std::to_string(count);
}

Words words_of(const Pairs &pairs)
{
    Words words;
    for (const b3SortData &pair : pairs) words.insert(words.end(), { pair.m_key, pair.m_value });
    return words;
}

// below 0: any number of 32 bits.
Words Checks::random(int count, uint32_t below)
{
    Words words(static_cast<size_t>(count));
    for (uint32_t &word : words) word = below ? m_random() % below : static_cast<uint32_t>(m_random());
    return words;
}

// Values say where the pairs came from.
Pairs Checks::random_pairs(int count, uint32_t below)
{
    const Words keys = random(count, below);
    Pairs pairs(keys.size());
    for (size_t k = 0; k < keys.size(); ++k) {
        pairs[k].m_key = keys[k];
        pairs[k].m_value = static_cast<uint32_t>(k);
    }
    return pairs;
}

void Checks::same(const std::string &name, int count, const Words &got, const Words &want)
{
    m_results.integers(title(name, count), got);
    if (got != want) m_results.failure(title(name, count) + ": not what a loop gives");
}

void Checks::sort_keys(int count)
{
    Words want = random(count, 0);
    Buffer<uint32_t> keys(m_device, want);
    m_sort.execute(keys);
    std::sort(want.begin(), want.end());
    same("sort of keys", count, keys.read(), want);
}

// Each key comes several times, so that the order of equal ones shows. Bullet takes 4 bits at once.
void Checks::sort_pairs(int count, int bits)
{
    Pairs want = random_pairs(count, bits == 32 ? 0 : 1000);
    for (size_t k = 0; k < want.size(); k += 3) want[k].m_key = want[0].m_key;
    Buffer<b3SortData> pairs(m_device, want);
    m_sort.execute(pairs, bits);
    const uint32_t mask = 0xffffffffu >> (32 - (bits + 3) / 4 * 4);
    std::stable_sort(want.begin(), want.end(),
                     [mask](const b3SortData &a, const b3SortData &b) { return (a.m_key & mask) < (b.m_key & mask); });
    same("sort of pairs by " + std::to_string(bits) + " bits", count, words_of(pairs.read()), words_of(want));
}

// Into another buffer and in place. Bullet's sum is the last element of an exclusive scan.
void Checks::scan(int count)
{
    const Words numbers = random(count, 1000);
    Words want(numbers.size());
    std::exclusive_scan(numbers.begin(), numbers.end(), want.begin(), 0u);
    Buffer<uint32_t> in(m_device, numbers), out(m_device, Words(numbers.size(), 7));
    unsigned int sum = 0;
    m_scan.execute(in, out, count, &sum);
    same("scan", count, out.read(), want);
    same("scan: its sum", count, { sum }, { want.back() });
    m_scan.execute(in, in, count);
    same("scan in place", count, in.read(), want);
}

void Checks::scan_float4(int count)
{
    std::vector<b3Vector3> numbers(static_cast<size_t>(count)), sums(numbers.size());
    for (b3Vector3 &number : numbers)
        for (float &part : number.m_floats) part = static_cast<float>(m_random() % 1000) / 1000;
    Buffer<b3Vector3> in(m_device, numbers), out(m_device, numbers);
    b3Vector3 sum = b3MakeVector3(0, 0, 0);
    m_scan4.execute(in, out, count, &sum);
    sums = out.read();

    double total[4] = { 0, 0, 0, 0 };
    bool near = true;
    std::vector<float> got;
    for (size_t k = 0; k < sums.size(); ++k) {
        for (int part = 0; part < 4; ++part) {
            near = near && std::abs(sums[k].m_floats[part] - total[part]) <= 1e-4 * (1 + total[part]);
            total[part] += numbers[k].m_floats[part];
        }
        got.insert(got.end(), sums[k].m_floats, sums[k].m_floats + 4);
    }
    near = near && std::equal(sum.m_floats, sum.m_floats + 4, got.end() - 4);
    m_results.floats(title("scan of float4", count), got);
    if (!near) m_results.failure(title("scan of float4", count) + ": not what a loop gives");
}

// Some keys do not occur: their bounds stay as they were.
void Checks::search(int count)
{
    const int keys = count / 2 + 2;
    Pairs sorted = random_pairs(count, static_cast<uint32_t>(keys));
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const b3SortData &a, const b3SortData &b) { return a.m_key < b.m_key; });
    Buffer<b3SortData> pairs(m_device, sorted);
    const Words untouched(static_cast<size_t>(keys), 77);
    Words lower = untouched, upper = untouched, counts(untouched.size());
    for (size_t k = 0; k < sorted.size(); ++k) {
        if (!counts[sorted[k].m_key]++) lower[sorted[k].m_key] = static_cast<uint32_t>(k);
        upper[sorted[k].m_key] = static_cast<uint32_t>(k + 1);
    }
    Buffer<uint32_t> out(m_device, untouched);
    m_search.execute(pairs, count, out, keys, b3BoundSearchCL::BOUND_LOWER);
    same("lower bounds", count, out.read(), lower);
    out.write(untouched);
    m_search.execute(pairs, count, out, keys, b3BoundSearchCL::BOUND_UPPER);
    same("upper bounds", count, out.read(), upper);
    m_search.execute(pairs, count, out, keys, b3BoundSearchCL::COUNT);
    same("counts", count, out.read(), counts);
}

// A part of the array: what lies before and after it stays.
template <typename T> void Checks::fill(const char *type, int count, T before, T value)
{
    const int offset = 5;
    std::vector<T> want(static_cast<size_t>(count + 2 * offset), before);
    Buffer<T> array(m_device, want);
    m_fill.execute(array, value, count, offset);
    std::fill_n(want.begin() + offset, count, value);
    const std::vector<T> got = array.read();
    const auto words = [](const std::vector<T> &values) {
        const uint32_t *first = reinterpret_cast<const uint32_t *>(values.data());
        return Words(first, first + values.size() * sizeof(T) / sizeof(uint32_t));
    };
    same(std::string("fill of ") + type, count, words(got), words(want));
}

// The first call compiles, so it is not kept.
template <typename Call> void Checks::time(const std::string &name, int count, Call call)
{
    enum { RUNS = 31 };
    for (int run = -1; run < RUNS; ++run) {
        const auto time = call();
        if (run >= 0) m_results.add(title(name, count), Kind::times, time);
    }
}

void Checks::time_sort(int count)
{
    const Pairs random = random_pairs(count, 0);
    Buffer<b3SortData> pairs(m_device, random);
    time("sort of pairs", count, [&] {
        pairs.write(random);
        const auto start = now();
        m_sort.execute(pairs);
        clFinish(m_device.queue);
        return now() - start;
    });
}

void Checks::time_scan(int count)
{
    Buffer<uint32_t> in(m_device, random(count, 10)), out(m_device, Words(static_cast<size_t>(count)));
    time("scan", count, [&] {
        const auto start = now();
        m_scan.execute(in, out, count);
        clFinish(m_device.queue);
        return now() - start;
    });
}
} // namespace

void check_primitives(const Device &device, Results &results)
{
    Checks checks(device, results);
    for (const int count : SIZES) {
        checks.sort_keys(count);
        for (const int bits : { 32, 8, 6 }) checks.sort_pairs(count, bits);
        checks.scan(count);
        checks.scan_float4(count);
        checks.search(count);
        checks.fill<unsigned int>("unsigned int", count, 1, 0xfedcba98u);
        checks.fill<int>("int", count, 1, -5);
        checks.fill<float>("float", count, 1, 0.25f);
        b3Int2 before, value;
        before.x = before.y = 1;
        value.x = -3;
        value.y = 4;
        checks.fill<b3Int2>("int2", count, before, value);
    }
}

void time_primitives(const Device &device, Results &results)
{
    Checks checks(device, results);
    for (const int count : { 1000, 10000, 100000 }) {
        checks.time_sort(count);
        checks.time_scan(count);
    }
}
