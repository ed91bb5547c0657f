// side_by_side.hpp: what a row needs that runs a call of Thrust on the host and the library's on a device.
#ifndef TEST_SIDE_BY_SIDE_HPP
#define TEST_SIDE_BY_SIDE_HPP

#include <moderncl/moderncl.hpp>

#include <cstdint>
#include <vector>

using ints = std::vector<std::int32_t>;
using found = std::vector<ints>; // all arrays and numbers that a call gives, a number being an array of one element

// The content of outputs before a call: what it must leave untouched keeps this.
constexpr std::int32_t untouched = -77;

inline ints room(std::size_t n)
{
    return ints(n, untouched);
}

// Returns a number as an array of one element.
template <class Number> ints number(Number x)
{
    return ints{ static_cast<std::int32_t>(x) };
}

// Returns the first elements of an array: what lies past them is unspecified in Thrust.
inline ints first(const ints &x, std::int64_t count)
{
    return ints(x.begin(), x.begin() + count);
}

// Random inputs of one length, but b, which is shorter.
struct problem {
    ints x, y;     // few different numbers
    ints flags;    // 0 and 1
    ints indices;  // a permutation
    ints runs;     // keys that stay the same for a while
    ints a, b;     // sorted, with repeats
    ints places;   // 0, 1, 2 ... : they tell equal keys apart
    ints places_b; // the same for b, from a number on that a has not
};

// A device, and the arrays of a call on it.
struct device {
    mcl::context context;
    mcl::queue queue;

    mcl::array<std::int32_t> up(const ints &host) const { return mcl::array<std::int32_t>(context, host); }
    mcl::array<std::int32_t> room(std::size_t n) const { return up(::room(n)); }
    ints read(const mcl::array<std::int32_t> &x) const { return mcl::read(queue, x); }
};

// A call of docs/coming_from.md on both sides.
struct row {
    const char *theirs; // name in the page's first column
    const char *ours;   // name in the page's second column
    found (*run_theirs)(const problem &p);
    found (*run_ours)(const problem &p, const device &d);
};

#endif
