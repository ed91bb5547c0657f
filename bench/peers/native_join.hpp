// native_join.hpp: the tables that peers of joins read.
#pragma once
#include "native.hpp"

namespace peers
{

struct table {
    const int32_t *keys, *columns[2];
    int64_t count;
};

// Returns the table of a side, 0 or 1. The inputs are the keys of both sides, then two columns of each side.
inline table table_of(const bench_problem &p, int side)
{
    return { input<int32_t>(p, side),
             { input<int32_t>(p, 2 + 2 * side), input<int32_t>(p, 3 + 2 * side) },
             p.in[side].count };
}

} // namespace peers
