// native_histogram.cpp: peers that count in even bins. The number of bins is a power of two.
#include "native.hpp"

#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

using counts = std::vector<uint32_t>;

// The bin of an element: its upper bits, counted from the smallest element.
template <class T> struct upper_bits {
    int shift;
    size_t operator()(T x) const
    {
        const uint32_t low = std::is_signed_v<T> ? 0x80000000u : 0;
        return (static_cast<uint32_t>(x) ^ low) >> shift;
    }
};

template <class T> void count_plainly(const T *first, const T *last, upper_bits<T> bin, uint32_t *bins)
{
    for (; first != last; ++first) ++bins[bin(*first)];
}

// Counts in four copies of the bins, so that equal neighbours need not wait for each other.
template <class T> void count_by_four(const T *first, const T *last, upper_bits<T> bin, size_t all, uint32_t *bins)
{
    counts copies(3 * all);
    uint32_t *b = copies.data();
    for (; last - first >= 4; first += 4) {
        const size_t p = bin(first[0]), q = bin(first[1]), r = bin(first[2]), s = bin(first[3]);
        ++bins[p];
        ++b[q];
        ++b[all + r];
        ++b[2 * all + s];
    }
    count_plainly(first, last, bin, bins);
    for (size_t k = 0; k < all; ++k) bins[k] += b[k] + b[all + k] + b[2 * all + k];
}

// Counts in separate bins of each thread, and then adds these up.
template <class Count> void count_shares(int64_t n, size_t bins, int32_t *out, Count count)
{
    std::vector<counts> own(static_cast<size_t>(native_threads), counts(bins));
    for_each_share(native_threads, [&](int k) {
        count(share(n, k, native_threads), share(n, k + 1, native_threads), own[static_cast<size_t>(k)].data());
    });
    for (size_t k = 0; k < bins; ++k) {
        uint32_t sum = 0;
        for (const counts &c : own) sum += c[k];
        out[k] = static_cast<int32_t>(sum);
    }
}

template <class T> void offer_counts(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    int32_t *out = result<int32_t>(p, 0);
    const int64_t n = p.n;
    const size_t bins = static_cast<size_t>(p.out[0].count);
    upper_bits<T> bin = { 32 };
    for (size_t k = 1; k < bins; k *= 2) --bin.shift;
    add(list, "loop", [=] {
        counts sums(bins);
        count_plainly(in, in + n, bin, sums.data());
        std::copy(sums.begin(), sums.end(), out);
    });
    add(list, "tbb", [=] {
        tbb::combinable<counts> own([=] { return counts(bins); });
        counts sums(bins);
        tbb::parallel_for(tbb::blocked_range<const T *>(in, in + n, 1 << 16), [&](const auto &range) {
            count_plainly(range.begin(), range.end(), bin, own.local().data());
        });
        own.combine_each([&](const counts &c) {
            for (size_t k = 0; k < bins; ++k) sums[k] += c[k];
        });
        std::copy(sums.begin(), sums.end(), out);
    });
    add(list, "openmp", [=] {
        count_shares(n, bins, out,
                     [=](int64_t a, int64_t b, uint32_t *own) { count_plainly(in + a, in + b, bin, own); });
    });
    add(list, "openmp by four", [=] {
        count_shares(n, bins, out,
                     [=](int64_t a, int64_t b, uint32_t *own) { count_by_four(in + a, in + b, bin, bins, own); });
    });
}

static void offer_histogram(const bench_problem &p, candidates &list)
{
    with_type<int32_t, uint32_t>(p, [&](auto zero) { offer_counts<decltype(zero)>(p, list); });
}

static const register_op few("histogram_256", offer_histogram);
static const register_op skewed("histogram_256_skewed", offer_histogram);
static const register_op thousands("histogram_4096", offer_histogram);
static const register_op many("histogram_65536", offer_histogram);

} // namespace
} // namespace peers
