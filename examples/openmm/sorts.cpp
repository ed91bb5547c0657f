// sorts.cpp: drives OpenMM's sorter by itself. The sorts are checked against the host's and timed; whose sorts they are
// is decided by what is preloaded. PLATFORM and DEVICE are OpenMM's numbers of them; "": OpenMM chooses.
// usage: openmm_sorts PLATFORM DEVICE MOST_CHECKED TIMED RUNS
#include "program.hpp"
#include "version.hpp"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <openmm/System.h>
#include <openmm/opencl/OpenCLPlatform.h>

using namespace OpenMM;

namespace
{
struct Pair {
    int x, y;
};
struct FloatPair {
    float x, y;
};

// What OpenMM asks for in its own code: numbers, atoms by their cell (PME), blocks of atoms by their size.
class Trait : public SortTrait
{
  public:
    Trait(int bytes, const char *data, const char *key, const char *expression)
        : m_bytes(bytes), m_data(data), m_key(key), m_expression(expression)
    {
    }
    int getDataSize() const override { return m_bytes; }
    int getKeySize() const override { return 4; }
    const char *getDataType() const override { return m_data; }
    const char *getKeyType() const override { return m_key; }
    const char *getMinKey() const override { return is_int() ? "INT_MIN" : "-MAXFLOAT"; }
    const char *getMaxKey() const override { return is_int() ? "INT_MAX" : "MAXFLOAT"; }
    const char *getMaxValue() const override
    {
        if (m_bytes == 4) return getMaxKey();
        return is_int() ? "(int2) (INT_MAX, INT_MAX)" : "(float2) (MAXFLOAT, MAXFLOAT)";
    }
    const char *getSortKey() const override { return m_expression; }

  private:
    bool is_int() const { return m_key[0] == 'i'; }
    int m_bytes;
    const char *m_data, *m_key, *m_expression;
};

class Sorts
{
  public:
    explicit Sorts(OpenCLContext &context) : m_context(context) {}

    template <typename T, typename Make, typename Key>
    void run(const std::string &name, const Trait &trait, int count, int runs, Make make, Key key);

  private:
    OpenCLContext &m_context;
};

// Keys must be in order, and the elements those that were there; equal keys may come in any order. runs 0: no times.
template <typename T, typename Make, typename Key>
void Sorts::run(const std::string &name, const Trait &trait, int count, int runs, Make make, Key key)
{
    std::vector<T> before, after;
    for (int k = 0; k < count; ++k) before.push_back(make(k));
    OpenCLSort sorter(m_context, new Trait(trait), static_cast<unsigned>(count));
    OpenCLArray array(m_context, count, sizeof(T), "elements");
    for (int run = -1; run < runs; ++run) { // the first one compiles
        array.upload(before);
        m_context.getQueue().finish();
        const double start = now_milliseconds(), spent = processor_milliseconds();
        sorter.sort(array);
        const double returned = now_milliseconds();
        m_context.getQueue().finish();
        if (run < 0) continue;
        print("time", name, now_milliseconds() - start);
        print("processor", name, processor_milliseconds() - spent);
        print("call", name, returned - start);
    }
    array.download(after);
    const std::string title = name + ", " + std::to_string(count);
    const auto less = [&](const T &a, const T &b) { return key(a) < key(b); };
    if (!std::is_sorted(after.begin(), after.end(), less)) print("failed", title + ": not in order", 1);
    const auto whole = [](const T &a, const T &b) { return std::memcmp(&a, &b, sizeof(T)) < 0; };
    std::sort(before.begin(), before.end(), whole);
    std::sort(after.begin(), after.end(), whole);
    if (std::memcmp(before.data(), after.data(), before.size() * sizeof(T)) != 0)
        print("failed", title + ": not the elements that were there", 1);
    print("checked", title, 1);
}

const Trait FLOATS(4, "float", "float", "value"), INTS(4, "int", "int", "value"), PAIRS(8, "int2", "int", "value.y"),
    BLOCKS(8, "float2", "float", "value.x");

// All but a thousandth of the keys are in a thousandth of their range.
double uneven(Random &random)
{
    const double number = random.next();
    return random.next() < 0.001 ? number : number * 0.001;
}

void sort_all(Sorts &sorts, int count, int runs)
{
    Random random;
    const auto self = [](auto x) { return x; };
    const auto by_y = [](const Pair &x) { return x.y; };
    const auto by_x = [](const FloatPair &x) { return x.x; };
    for (const bool even : { true, false }) {
        const std::string keys = even ? " even" : " uneven";
        const auto next = [&] { return even ? random.next() : uneven(random); };
        const auto number = [&] { return static_cast<int>((next() - 0.5) * 2e6); };
        sorts.run<float>(
            "float," + keys, FLOATS, count, runs, [&](int) { return static_cast<float>(next() * 200 - 100); }, self);
        sorts.run<int>("int," + keys, INTS, count, runs, [&](int) { return number(); }, self);
        sorts.run<Pair>("int2 by y," + keys, PAIRS, count, runs, [&](int k) { return Pair{ k, number() }; }, by_y);
        sorts.run<FloatPair>(
            "float2 by x," + keys, BLOCKS, count, runs,
            [&](int k) { return FloatPair{ static_cast<float>(next()), static_cast<float>(k) }; }, by_x);
    }
}
} // namespace

int main(int argument_count, char **arguments)
{
    if (argument_count != 6) {
        std::fputs("usage: openmm_sorts PLATFORM DEVICE MOST_CHECKED TIMED RUNS\n", stderr);
        return 2;
    }
    try {
        const int most = std::atoi(arguments[3]), timed = std::atoi(arguments[4]), runs = std::atoi(arguments[5]);
        System system;
        system.addParticle(0);
        OpenCLPlatform platform;
#if OPENMM_HAS_INTERFACE
        OpenCLPlatform::PlatformData data(system, nullptr, arguments[1], arguments[2], "single", "false", "false", 1,
                                          nullptr);
#else
        OpenCLPlatform::PlatformData data(system, arguments[1], arguments[2], "single", "false", "false", 1, nullptr);
#endif
        OpenCLContext &context = *data.contexts.at(0);
        context.initialize();
        Sorts sorts(context);
        for (const int count : { 64, 4097, 65537 })
            if (count <= most) sort_all(sorts, count, 0);
        if (runs > 0) sort_all(sorts, timed, runs);
        print_calls();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "openmm_sorts: %s\n", error.what());
        return 1;
    }
}
