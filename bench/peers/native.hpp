// native.hpp: what the native peers share: the number of threads and equal shares.
#pragma once
#include "module.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace peers
{

extern int native_threads; // as many as the device has compute units

// Where share k of all begins.
inline int64_t share(int64_t count, int k, int all)
{
    return count * k / all;
}

// Runs body(k) for every share, each on a thread of its own.
template <class F> void for_each_share(int all, F body)
{
#pragma omp parallel for schedule(static, 1) num_threads(all)
    for (int k = 0; k < all; k++) body(k);
}

// Sums wrap round: integers are added without a sign.
template <class T> struct plus_wrapping {
    T operator()(T p, T q) const
    {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::make_unsigned_t<T>>(p) + static_cast<std::make_unsigned_t<T>>(q));
        else
            return p + q;
    }
};

} // namespace peers
