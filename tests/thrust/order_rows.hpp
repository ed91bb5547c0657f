// order_rows.hpp: selections, sorts, merges, searches and set operations. Orders here treat several numbers as equal,
// so results show which of them was taken and where it went.
#ifndef TEST_ORDER_ROWS_HPP
#define TEST_ORDER_ROWS_HPP

#include "side_by_side.hpp"

#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

inline bool is_low(int x)
{
    return x < 2;
}
// The order by halves, and its equality.
inline bool before(int p, int q)
{
    return p >> 1 < q >> 1;
}
inline bool same(int p, int q)
{
    return p >> 1 == q >> 1;
}
inline mcl::op before_of_device()
{
    return mcl::order("(p >> 1) < (q >> 1)");
}
inline mcl::op same_of_device()
{
    return mcl::equality("(p >> 1) == (q >> 1)");
}

// The k-th copy of a key in a is paired, by halves, with the k-th copy in b. So before() must sort both.
using set_function = int *(*)(const int *, const int *, const int *, const int *, int *);
using our_set_function = mcl_status (*)(mcl_queue *, mcl_input, mcl_input, mcl_output, const mcl_op *, mcl_result,
                                        const mcl_options *);
using our_pairs_function = mcl_status (*)(mcl_queue *, mcl_input, mcl_input, mcl_input, mcl_input, mcl_output,
                                          mcl_output, const mcl_op *, mcl_result, const mcl_options *);

template <class Function> found their_set(const problem &p, Function function)
{
    ints out = room(p.a.size() + p.b.size());
    const auto end = function(p.a.begin(), p.a.end(), p.b.begin(), p.b.end(), out.begin(), before);
    return { out, number(end - out.begin()) };
}

inline found our_set(const problem &p, const device &d, our_set_function function)
{
    const auto out = d.room(p.a.size() + p.b.size());
    std::int64_t count = -1;
    mcl::call(function, d.queue, d.up(p.a), d.up(p.b), out, before_of_device(), mcl::to_host(&count));
    return { d.read(out), number(count) };
}

inline found our_pairs(const problem &p, const device &d, our_pairs_function function)
{
    const auto keys = d.room(p.a.size() + p.b.size()), values = d.room(p.a.size() + p.b.size());
    std::int64_t count = -1;
    mcl::call(function, d.queue, d.up(p.a), d.up(p.places), d.up(p.b), d.up(p.places_b), keys, values,
              before_of_device(), mcl::to_host(&count));
    return { d.read(keys), d.read(values), number(count) };
}

// A row of a set operation, and a row of that operation with values. Thrust's intersection takes no values of b.
#define SET_ROWS(name, values_of_b)                                                                                    \
    { "set_" #name, "mcl_set_" #name,                                                                                  \
      [](const problem &p) {                                                                                           \
          return their_set(p, [](auto... arguments) { return thrust::set_##name(arguments...); });                     \
      },                                                                                                               \
      [](const problem &p, const device &d) { return our_set(p, d, mcl_set_##name); } },                               \
    {                                                                                                                  \
        "set_" #name "_by_key", "mcl_set_" #name,                                                                      \
            [](const problem &p) -> found {                                                                            \
                ints keys = room(p.a.size() + p.b.size()), values = keys;                                              \
                const auto ends =                                                                                      \
                    thrust::set_##name##_by_key(p.a.begin(), p.a.end(), p.b.begin(), p.b.end(), p.places.begin(),      \
                                                values_of_b keys.begin(), values.begin(), before);                     \
                return { keys, values, number(ends.first - keys.begin()) };                                            \
            },                                                                                                         \
            [](const problem &p, const device &d) { return our_pairs(p, d, mcl_set_##name##_pairs); }                  \
    }
#define VALUES_OF_B p.places_b.begin(),
#define NO_VALUES_OF_B

template <class Function> found their_bounds(const problem &p, Function function)
{
    ints out = room(p.a.size() + 2);
    function(p.b.begin(), p.b.end(), p.a.begin(), p.a.end(), out.begin(), before);
    return { out };
}

inline found our_bounds(const problem &p, const device &d, mcl_bounds bounds)
{
    const auto out = d.room(p.a.size() + 2);
    mcl::sorted_search_needles(d.queue, d.up(p.a), d.up(p.b), bounds, out, before_of_device());
    return { d.read(out) };
}

inline found sorted(const problem &p, const device &d, const mcl_op *order)
{
    const auto x = d.up(p.x);
    mcl::sort(d.queue, x, x, order);
    return { d.read(x) };
}

inline found sorted_pairs(const problem &p, const device &d, const mcl_op *order)
{
    const auto x = d.up(p.x), places = d.up(p.places);
    mcl::sort_pairs(d.queue, x, places, x, places, order);
    return { d.read(x), d.read(places) };
}

const row order_rows[] = {
    { "copy_if", "mcl_compact",
      [](const problem &p) -> found {
          ints out = room(p.x.size());
          const auto end = thrust::copy_if(p.x.begin(), p.x.end(), out.begin(), is_low);
          return { out, number(end - out.begin()) };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size());
          std::int64_t count = -1;
          mcl::compact(d.queue, d.up(p.x), out, mcl::test("x < 2"), mcl::to_host(&count));
          return { d.read(out), number(count) };
      } },
    { "copy_if", "mcl_compact_stencil",
      [](const problem &p) -> found {
          ints out = room(p.x.size());
          const auto end = thrust::copy_if(p.places.begin(), p.places.end(), p.x.begin(), out.begin(), is_low);
          return { out, number(end - out.begin()) };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size());
          std::int64_t count = -1;
          mcl::compact_stencil(d.queue, d.up(p.places), d.up(p.x), out, mcl::test("x < 2"), mcl::to_host(&count));
          return { d.read(out), number(count) };
      } },
    { "remove_if", "mcl_compact",
      [](const problem &p) -> found {
          ints x = p.x;
          const std::int64_t count = thrust::remove_if(x.begin(), x.end(), is_low) - x.begin();
          return { first(x, count), number(count) };
      },
      [](const problem &p, const device &d) -> found {
          const auto x = d.up(p.x);
          std::int64_t count = -1;
          mcl::compact(d.queue, x, x, mcl::test("!(x < 2)"), mcl::to_host(&count));
          return { first(d.read(x), count), number(count) };
      } },
    { "partition_copy", "mcl_partition",
      [](const problem &p) -> found {
          ints kept = room(p.x.size()), rejected = kept;
          const auto ends = thrust::partition_copy(p.x.begin(), p.x.end(), kept.begin(), rejected.begin(), is_low);
          return { kept, rejected,
                   ints{ static_cast<int>(ends.first - kept.begin()),
                         static_cast<int>(ends.second - rejected.begin()) } };
      },
      [](const problem &p, const device &d) -> found {
          const auto kept = d.room(p.x.size()), rejected = d.room(p.x.size()), counts = d.room(2);
          mcl::partition(d.queue, d.up(p.x), kept, rejected, mcl::test("x < 2"), counts[0]);
          return { d.read(kept), d.read(rejected), d.read(counts) };
      } },
    { "stable_partition", "mcl_partition_stencil",
      [](const problem &p) -> found {
          ints x = p.places;
          const auto middle = thrust::stable_partition(x.begin(), x.end(), p.x.begin(), is_low);
          return { ints(x.begin(), middle), ints(middle, x.end()) };
      },
      [](const problem &p, const device &d) -> found {
          const auto kept = d.room(p.x.size()), rejected = d.room(p.x.size()), counts = d.room(2);
          mcl::partition_stencil(d.queue, d.up(p.places), d.up(p.x), kept, rejected, mcl::test("x < 2"), counts[0]);
          const ints numbers = d.read(counts);
          return { first(d.read(kept), numbers[0]), first(d.read(rejected), numbers[1]) };
      } },
    { "stable_partition", "mcl_multisplit",
      [](const problem &p) -> found {
          ints x = p.x;
          const auto middle = thrust::stable_partition(x.begin(), x.end(), is_low);
          return { x, number(middle - x.begin()) };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size()), offsets = d.room(3);
          mcl::multisplit(d.queue, d.up(p.x), out, mcl::index("!(x < 2)"), 2, offsets, mcl::no_output());
          return { d.read(out), number(d.read(offsets)[1]) };
      } },
    { "unique", "mcl_unique",
      [](const problem &p) -> found {
          ints x = p.runs;
          const std::int64_t count = thrust::unique(x.begin(), x.end(), same) - x.begin();
          return { first(x, count), number(count) };
      },
      [](const problem &p, const device &d) -> found {
          const auto x = d.up(p.runs);
          std::int64_t count = -1;
          mcl::unique(d.queue, x, x, same_of_device(), mcl::to_host(&count));
          return { first(d.read(x), count), number(count) };
      } },
    { "unique_by_key", "mcl_unique_by_key",
      [](const problem &p) -> found {
          ints keys = p.runs, values = p.places;
          const std::int64_t count =
              thrust::unique_by_key(keys.begin(), keys.end(), values.begin(), same).first - keys.begin();
          return { first(keys, count), first(values, count), number(count) };
      },
      [](const problem &p, const device &d) -> found {
          const auto keys = d.up(p.runs), values = d.up(p.places);
          std::int64_t count = -1;
          mcl::unique_by_key(d.queue, keys, values, keys, values, same_of_device(), mcl::to_host(&count));
          return { first(d.read(keys), count), first(d.read(values), count), number(count) };
      } },
    { "sort", "mcl_sort",
      [](const problem &p) -> found {
          ints x = p.x;
          thrust::sort(x.begin(), x.end(), thrust::greater<int>());
          return { x };
      },
      [](const problem &p, const device &d) { return sorted(p, d, MCL_GREATER); } },
    { "stable_sort", "mcl_sort",
      [](const problem &p) -> found {
          ints x = p.x;
          thrust::stable_sort(x.begin(), x.end(), before);
          return { x };
      },
      [](const problem &p, const device &d) { return sorted(p, d, before_of_device()); } },
    { "sort_by_key", "mcl_sort_pairs",
      [](const problem &p) -> found {
          ints x = p.x, places = p.places;
          thrust::sort_by_key(x.begin(), x.end(), places.begin());
          return { x, places };
      },
      [](const problem &p, const device &d) { return sorted_pairs(p, d, MCL_LESS); } },
    { "stable_sort_by_key", "mcl_sort_pairs",
      [](const problem &p) -> found {
          ints x = p.x, places = p.places;
          thrust::stable_sort_by_key(x.begin(), x.end(), places.begin(), thrust::greater<int>());
          return { x, places };
      },
      [](const problem &p, const device &d) { return sorted_pairs(p, d, MCL_GREATER); } },
    { "stable_sort_by_key", "mcl_sort_indices",
      [](const problem &p) -> found {
          ints x = p.x, places = p.places;
          thrust::stable_sort_by_key(x.begin(), x.end(), places.begin(), before);
          return { places };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size());
          mcl::sort_indices(d.queue, d.up(p.x), out, before_of_device());
          return { d.read(out) };
      } },
    { "merge", "mcl_merge",
      [](const problem &p) -> found {
          ints out = room(p.a.size() + p.b.size() + 2);
          thrust::merge(p.a.begin(), p.a.end(), p.b.begin(), p.b.end(), out.begin(), before);
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.a.size() + p.b.size() + 2);
          mcl::merge(d.queue, d.up(p.a), d.up(p.b), out, before_of_device());
          return { d.read(out) };
      } },
    { "merge_by_key", "mcl_merge_pairs",
      [](const problem &p) -> found {
          ints keys = room(p.a.size() + p.b.size() + 2), values = keys;
          thrust::merge_by_key(p.a.begin(), p.a.end(), p.b.begin(), p.b.end(), p.places.begin(), p.places_b.begin(),
                               keys.begin(), values.begin(), before);
          return { keys, values };
      },
      [](const problem &p, const device &d) -> found {
          const std::size_t n = p.a.size() + p.b.size() + 2;
          const auto keys = d.room(n), values = d.room(n);
          mcl::merge_pairs(d.queue, d.up(p.a), d.up(p.places), d.up(p.b), d.up(p.places_b), keys, values,
                           before_of_device());
          return { d.read(keys), d.read(values) };
      } },
    { "lower_bound", "mcl_sorted_search_needles",
      [](const problem &p) { return their_bounds(p, [](auto... arguments) { thrust::lower_bound(arguments...); }); },
      [](const problem &p, const device &d) { return our_bounds(p, d, MCL_LOWER); } },
    { "upper_bound", "mcl_sorted_search_needles",
      [](const problem &p) { return their_bounds(p, [](auto... arguments) { thrust::upper_bound(arguments...); }); },
      [](const problem &p, const device &d) { return our_bounds(p, d, MCL_UPPER); } },
    { "binary_search", "mcl_sorted_search",
      [](const problem &p) { return their_bounds(p, [](auto... arguments) { thrust::binary_search(arguments...); }); },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.a.size() + 2);
          mcl::sorted_search(d.queue, d.up(p.a), d.up(p.b), MCL_LOWER, mcl::found_matches(out, mcl::to_nowhere()),
                             mcl::found_nothing(), before_of_device());
          return { d.read(out) };
      } },
    SET_ROWS(intersection, NO_VALUES_OF_B),
    SET_ROWS(union, VALUES_OF_B),
    SET_ROWS(difference, VALUES_OF_B),
    SET_ROWS(symmetric_difference, VALUES_OF_B),
};

#endif
