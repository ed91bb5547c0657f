// native_split.cpp: peers that split elements, alone or with values, into a few buckets, stable, with the buckets'
// offsets and counts.
#include "native.hpp"

#include <array>
#include <vector>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

enum { BUCKETS_MAX = 256 };

// Bucket numbers: the lowest three bits, or the highest eight of 32.
struct low_bits {
    enum { count = 8 };
    template <class T> unsigned operator()(T x) const
    {
        return static_cast<uint32_t>(x) % 8;
    }
};
struct high_bits {
    enum { count = 256 };
    template <class T> unsigned operator()(T x) const
    {
        return static_cast<uint32_t>(x) >> 24;
    }
};

// The arrays of a split. Values are moved where there are any.
template <class T> struct arrays {
    const T *keys, *values;
    T *out, *out_values;
    int32_t *offsets, *counts;
    int64_t n;
};

template <class Bucket, class T> void count_share(const arrays<T> &of, int64_t begin, int64_t end, int64_t *counts)
{
    std::array<int64_t, BUCKETS_MAX> own{};
    for (int64_t k = begin; k < end; k++) own[Bucket()(of.keys[k])]++;
    std::copy(own.begin(), own.end(), counts);
}

template <class Bucket, class T> void move_share(const arrays<T> &of, int64_t begin, int64_t end, const int64_t *starts)
{
    std::array<int64_t, BUCKETS_MAX> next;
    std::copy(starts, starts + BUCKETS_MAX, next.begin());
    for (int64_t k = begin; k < end; k++) {
        const int64_t to = next[Bucket()(of.keys[k])]++;
        of.out[to] = of.keys[k];
        if (of.values) of.out_values[to] = of.values[k];
    }
}

// Turns counts into the indices where each share's elements of a bucket begin.
template <class Bucket, class T> void start_shares(const arrays<T> &of, int all, int64_t *counts)
{
    int64_t sum = 0;
    for (int b = 0; b < Bucket::count; b++) {
        of.offsets[b] = static_cast<int32_t>(sum);
        for (int s = 0; s < all; s++) {
            const int64_t own = counts[s * BUCKETS_MAX + b];
            counts[s * BUCKETS_MAX + b] = sum;
            sum += own;
        }
        of.counts[b] = static_cast<int32_t>(sum) - of.offsets[b];
    }
    of.offsets[Bucket::count] = static_cast<int32_t>(sum);
}

template <class Bucket, class T> void split_by_shares(const arrays<T> &of, int all)
{
    std::vector<int64_t> counts(static_cast<size_t>(all) * BUCKETS_MAX);
    const auto at = [&](int s) { return counts.data() + static_cast<ptrdiff_t>(s) * BUCKETS_MAX; };
    for_each_share(
        all, [&](int s) { count_share<Bucket>(of, share(of.n, s, all), share(of.n, s + 1, all), at(s)); });
    start_shares<Bucket>(of, all, counts.data());
    for_each_share(all, [&](int s) { move_share<Bucket>(of, share(of.n, s, all), share(of.n, s + 1, all), at(s)); });
}

template <class Bucket> void offer_split(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) {
        using T = decltype(zero);
        const bool has_values = p.in_count > 1;
        const int moved = has_values ? 2 : 1;
        if (has_values && p.in[1].type->size != sizeof(T)) return;
        if constexpr (std::is_integral_v<T>) {
            const arrays<T> of = { input<T>(p, 0),
                                   has_values ? input<T>(p, 1) : nullptr,
                                   result<T>(p, 0),
                                   has_values ? result<T>(p, 1) : nullptr,
                                   result<int32_t>(p, moved),
                                   result<int32_t>(p, moved + 1),
                                   p.n };
            add(list, "loop", [=] { split_by_shares<Bucket>(of, 1); });
            add(list, "openmp", [=] { split_by_shares<Bucket>(of, native_threads); });
        }
    });
}

static const register_op keys_8("multisplit_keys_8", offer_split<low_bits>);
static const register_op keys_256("multisplit_keys_256", offer_split<high_bits>);
static const register_op pairs_8("multisplit_pairs_8", offer_split<low_bits>);
static const register_op pairs_256("multisplit_pairs_256", offer_split<high_bits>);

} // namespace
} // namespace peers
