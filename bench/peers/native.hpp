// native.hpp: shared parts of the native peers: the number of threads, equal shares, and shares of a merge.
#pragma once
#include "module.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace peers
{

extern int native_threads; // number of threads: that of the device's compute units

// Returns the index where share k begins, of all equal shares.
inline int64_t share(int64_t count, int k, int all)
{
    return count * k / all;
}

// Runs body(k) for every share, each in its own thread.
template <class F> void for_each_share(int all, F body)
{
#pragma omp parallel for schedule(static, 1) num_threads(all)
    for (int k = 0; k < all; k++) body(k);
}

// Counts the elements of a among the first diagonal elements of the stable merge of two sorted sequences.
template <class T> int64_t merge_path(const T *a, int64_t a_count, const T *b, int64_t b_count, int64_t diagonal)
{
    int64_t low = std::max<int64_t>(0, diagonal - b_count);
    int64_t high = std::min(diagonal, a_count);
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (b[diagonal - 1 - middle] < a[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

struct piece {
    int64_t a, a_end, b, b_end;
};

// Finds where the merge path of a diagonal reaches the first copies of the path's next key.
template <class T>
void cut_by_key(const T *a, int64_t a_count, const T *b, int64_t b_count, int64_t diagonal, int64_t &i, int64_t &j)
{
    i = merge_path(a, a_count, b, b_count, diagonal);
    j = diagonal - i;
    if (i == a_count && j == b_count) return;
    const T key = j == b_count || (i < a_count && a[i] < b[j]) ? a[i] : b[j];
    i = std::lower_bound(a, a + i, key) - a;
    j = std::lower_bound(b, b + j, key) - b;
}

// Returns share k of the merge of both inputs. A share has whole runs of equal keys.
template <class T>
piece piece_by_key(const T *a, int64_t a_count, const T *b, int64_t b_count, int k, int all)
{
    piece p;
    cut_by_key(a, a_count, b, b_count, share(a_count + b_count, k, all), p.a, p.b);
    cut_by_key(a, a_count, b, b_count, share(a_count + b_count, k + 1, all), p.a_end, p.b_end);
    return p;
}

// A sum that wraps round: integers are added as unsigned numbers.
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
