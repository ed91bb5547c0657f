// native_statistics.cpp: peers for the least and the greatest element together, the quartiles, a shuffled sequence, and
// the n-th element of each row.
#include "native.hpp"

#include <memory>
#include <random>
#include <vector>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

template <class T> void offer_min_max(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    T *out = result<T>(p, 0);
    const int64_t n = p.n;
    add(list, "std::minmax_element", [=] {
        const auto found = std::minmax_element(in, in + n);
        out[0] = *found.first;
        out[1] = *found.second;
    });
    add(list, "loop, openmp simd", [=] {
        T least = in[0], greatest = in[0];
#pragma omp parallel for simd num_threads(native_threads) reduction(min : least) reduction(max : greatest)
        for (int64_t k = 0; k < n; k++) {
            least = in[k] < least ? in[k] : least;
            greatest = in[k] > greatest ? in[k] : greatest;
        }
        out[0] = least;
        out[1] = greatest;
    });
}

template <class T> void offer_quartiles(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    T *out = result<T>(p, 0);
    const int64_t n = p.n;
    const auto work = std::make_shared<std::vector<T>>(static_cast<size_t>(n));
    add(list, "std::nth_element", [=] {
        T *const keys = work->data();
        T *begin = keys;
        std::copy(in, in + n, keys);
        for (int64_t q = 0; q < 3; q++) {
            T *const at = keys + (n - 1) * (q + 1) / 4;
            std::nth_element(begin, at, keys + n);
            out[q] = *at;
            begin = at;
        }
    });
}

template <class T> void offer_nth_rows(const bench_problem &p, candidates &list)
{
    const T *in = input<T>(p, 0);
    const int32_t *offsets = input<int32_t>(p, 1);
    T *out = result<T>(p, 0);
    const int64_t rows = p.in[1].count - 1;
    const auto share_of = [=](int64_t first, int64_t last) {
        std::vector<T> work;
        for (int64_t r = first; r < last; r++) {
            work.assign(in + offsets[r], in + offsets[r + 1]);
            std::nth_element(work.begin(), work.begin() + 500, work.end());
            out[r] = work[500];
        }
    };
    add(list, "std::nth_element", [=] { share_of(0, rows); });
    add(list, "std::nth_element, openmp", [=] {
        const int all = native_threads;
        for_each_share(all, [&](int s) { share_of(share(rows, s, all), share(rows, s + 1, all)); });
    });
}

// Shuffles the numbers 0, 1, 2 and so on. The compared output has each number at its own index.
void shuffle(const bench_problem &p, candidates &list)
{
    const int32_t *in = input<int32_t>(p, 0);
    int32_t *out = result<int32_t>(p, 0), *each = result<int32_t>(p, 1);
    const int64_t n = p.n;
    const auto generator = std::make_shared<std::mt19937_64>(7);
    const auto put = [=] {
        for (int64_t k = 0; k < n; k++) each[out[k]] = out[k];
    };
    add(
        list, "std::shuffle",
        [=] {
            std::copy(in, in + n, out);
            std::shuffle(out, out + n, *generator);
        },
        put);
}

bool has_rank(const bench_problem &p)
{
    const int32_t *offsets = input<int32_t>(p, 1);
    for (int64_t r = 0; r + 1 < p.in[1].count; r++)
        if (offsets[r + 1] - offsets[r] <= 500) return false;
    return true;
}

void min_max(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_min_max<decltype(zero)>(p, list); });
}

void quartiles(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_quartiles<decltype(zero)>(p, list); });
}

// Offers peers that find the n-th element of each row. Where the last row is too short to have such an element, no peer
// is offered.
void nth_rows(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) {
        if (has_rank(p)) offer_nth_rows<decltype(zero)>(p, list);
    });
}

const register_op both("min_max", min_max);
const register_op fourths("quartiles", quartiles);
const register_op numbers("shuffled", shuffle);
const register_op nth("nth_rows_1000", nth_rows);

} // namespace
} // namespace peers
