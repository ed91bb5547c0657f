// native_balance.cpp: peers that loop over objects: they find the object of each work unit, repeat an object's value,
// or move its interval.
#include "native.hpp"

#include <execution>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// Objects with their work units. The first input has their offsets.
struct objects {
    const int32_t *offsets;
    int64_t count, items;

    explicit objects(const bench_problem &p) : offsets(input<int32_t>(p, 0)), count(p.in[0].count), items(p.n) {}
    int64_t end(int64_t k) const { return k + 1 < count ? offsets[k + 1] : items; }
};

// Offers body(object, first item, last item) for each object in three forms: by one thread, by equal shares of objects,
// and by small shares that free threads take.
template <class F> void offer_loops(candidates &list, const objects o, F body)
{
    add(list, "loop", [=] {
        for (int64_t k = 0; k < o.count; k++) body(k, o.offsets[k], o.end(k));
    });
    add(list, "openmp static", [=] {
#pragma omp parallel for schedule(static) num_threads(native_threads)
        for (int64_t k = 0; k < o.count; k++) body(k, o.offsets[k], o.end(k));
    });
    add(list, "openmp dynamic", [=] {
#pragma omp parallel for schedule(dynamic, 64) num_threads(native_threads)
        for (int64_t k = 0; k < o.count; k++) body(k, o.offsets[k], o.end(k));
    });
}

void offer_search(const bench_problem &p, candidates &list)
{
    int32_t *out = result<int32_t>(p, 0);
    offer_loops(list, objects(p), [=](int64_t k, int64_t first, int64_t last) {
        std::fill(out + first, out + last, static_cast<int32_t>(k));
    });
}

template <class T> void offer_expand(const bench_problem &p, candidates &list)
{
    const T *values = input<T>(p, 1);
    T *out = result<T>(p, 0);
    const objects o(p);
    offer_loops(list, o, [=](int64_t k, int64_t first, int64_t last) {
        std::fill(out + first, out + last, values[k]);
    });
    // Scatters objects to their first items, takes the largest so far, and gathers their values. It needs no loop over
    // objects, but three passes over the items.
    const auto places = std::make_shared<std::vector<int32_t>>(static_cast<size_t>(p.n));
    const auto numbers = std::make_shared<std::vector<int32_t>>(static_cast<size_t>(o.count));
    std::iota(numbers->begin(), numbers->end(), 0);
    add(list, "std::par scatter scan gather", [=] {
        int32_t *place = places->data();
        std::fill(std::execution::par_unseq, places->begin(), places->end(), 0);
        std::for_each(std::execution::par_unseq, numbers->begin(), numbers->end(), [=](int32_t k) {
            if (o.offsets[k] < o.end(k)) place[o.offsets[k]] = k;
        });
        std::inclusive_scan(std::execution::par_unseq, places->begin(), places->end(), places->begin(),
                            [](int32_t a, int32_t b) { return std::max(a, b); });
        std::transform(std::execution::par_unseq, places->begin(), places->end(), out,
                       [=](int32_t k) { return values[k]; });
    });
}

// Offers moves of intervals. gather and scatter are the numbers of the inputs with the starts of sources and targets.
// Where an input is missing the offsets are the starts.
template <class T> void offer_move(const bench_problem &p, candidates &list, int gather, int scatter)
{
    const T *in = input<T>(p, 1);
    T *out = result<T>(p, 0);
    const int32_t *from = input<int32_t>(p, gather);
    const int32_t *to = input<int32_t>(p, scatter);
    offer_loops(list, objects(p), [=](int64_t k, int64_t first, int64_t last) {
        std::copy(in + from[k], in + from[k] + (last - first), out + to[k]);
    });
}

void offer_expands(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_expand<decltype(zero)>(p, list); });
}
void offer_moves(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_move<decltype(zero)>(p, list, 2, 3); });
}
void offer_gathers(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_move<decltype(zero)>(p, list, 2, 0); });
}
void offer_scatters(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) { offer_move<decltype(zero)>(p, list, 0, 2); });
}

static const register_op registered_ops[] = {
    { "load_balance_search_avg10", offer_search },   { "load_balance_search_avg25", offer_search },
    { "load_balance_search_avg100", offer_search },  { "load_balance_search_avg1000", offer_search },
    { "load_balance_search_half", offer_search },    { "interval_expand_avg25", offer_expands },
    { "interval_expand_avg100", offer_expands },     { "interval_expand_avg1000", offer_expands },
    { "interval_expand_half", offer_expands },       { "interval_move_avg25", offer_moves },
    { "interval_move_avg100", offer_moves },         { "interval_move_avg1000", offer_moves },
    { "interval_move_half", offer_moves },           { "interval_gather_avg25", offer_gathers },
    { "interval_gather_avg100", offer_gathers },     { "interval_gather_avg1000", offer_gathers },
    { "interval_scatter_avg25", offer_scatters },    { "interval_scatter_avg100", offer_scatters },
    { "interval_scatter_avg1000", offer_scatters },
};

} // namespace
} // namespace peers
