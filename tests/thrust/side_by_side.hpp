// side_by_side.hpp: the frame of rows. Each row runs a call of Thrust on the host, and the library's call on a device.
#ifndef TEST_SIDE_BY_SIDE_HPP
#define TEST_SIDE_BY_SIDE_HPP

#include <moderncl/moderncl.hpp>

#include <cstdint>
#include <vector>

using ints = std::vector<std::int32_t>;
using found = std::vector<ints>; // all arrays and numbers that a call gives; a number is an array of one element

// The content of outputs before a call. Elements that the call must leave untouched keep it.
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

// Returns the first elements of an array. Elements after them are unspecified in Thrust.
inline ints first(const ints &x, std::int64_t count)
{
    return ints(x.begin(), x.begin() + count);
}

// Random inputs of one length, except b, which is shorter.
struct problem {
    ints x, y;     // few different numbers
    ints flags;    // numbers 0 and 1
    ints indices;  // a permutation
    ints runs;     // keys in runs of equal ones
    ints a, b;     // sorted numbers with repeats
    ints places;   // numbers 0, 1, 2 ..., which distinguish equal keys
    ints places_b; // as places, for b, from a number on that a does not have
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
