// composed_rows.hpp: calls of the page for which Thrust has no single call. Thrust makes their results in several
// calls.
#ifndef TEST_COMPOSED_ROWS_HPP
#define TEST_COMPOSED_ROWS_HPP

#include "order_rows.hpp"

#include <thrust/adjacent_difference.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>

#include <algorithm>

inline bool is_set(int flag)
{
    return flag != 0;
}

// Returns the begins of segments, and then the end of the last segment. Each has up to 6 elements, and some have none.
inline ints offsets_of(std::size_t n)
{
    ints offsets{ 0 };
    const int end = static_cast<int>(n);
    for (int k = 1; offsets.back() < end; ++k) offsets.push_back(std::min(offsets.back() + k * 5 % 7, end));
    return offsets;
}

// Returns the begins of segments without the end.
inline ints begins_of(std::size_t n)
{
    ints begins = offsets_of(n);
    begins.pop_back();
    return begins;
}

// Calls body(segment, its begin, its end).
template <class Body> void for_each_segment(std::size_t n, Body body)
{
    const ints offsets = offsets_of(n);
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) body(s, offsets[s], offsets[s + 1]);
}

inline std::size_t segments_of(std::size_t n)
{
    return begins_of(n).size();
}

inline mcl_segments our_segments(const device &d, std::vector<mcl::array<std::int32_t>> &kept, std::size_t n)
{
    kept.push_back(d.up(offsets_of(n)));
    return mcl_segments_from_offsets(kept.back());
}

// Returns the number of elements of x in each bin between two of the levels.
inline ints binned(ints x, const ints &levels)
{
    ints bounds(levels.size()), bins(levels.size());
    std::sort(x.begin(), x.end());
    thrust::lower_bound(x.begin(), x.end(), levels.begin(), levels.end(), bounds.begin());
    thrust::adjacent_difference(bounds.begin(), bounds.end(), bins.begin());
    return ints(bins.begin() + 1, bins.end());
}

// Returns the object of each of n work units.
inline ints objects_of(std::size_t n)
{
    const ints begins = begins_of(n);
    ints objects(n);
    thrust::upper_bound(begins.begin(), begins.end(), thrust::make_counting_iterator(0),
                        thrust::make_counting_iterator(static_cast<int>(n)), objects.begin());
    thrust::for_each(objects.begin(), objects.end(), [](int &object) { --object; });
    return objects;
}

// Returns the rank of each work unit in its object.
inline ints ranks_of(const ints &objects)
{
    ints ranks(objects.size());
    thrust::exclusive_scan_by_key(objects.begin(), objects.end(), thrust::make_constant_iterator(1), ranks.begin());
    return ranks;
}

// Returns the targets of intervals, with the last interval first.
inline ints backwards_of(std::size_t n)
{
    ints starts = begins_of(n);
    for_each_segment(n, [&](std::size_t s, int, int end) { starts[s] = static_cast<int>(n) - end; });
    return starts;
}

inline found moved(const problem &p, const ints &from, const ints &to)
{
    ints out = room(p.x.size() + 1);
    for_each_segment(p.x.size(), [&](std::size_t s, int begin, int end) {
        thrust::copy_n(p.x.begin() + from[s], end - begin, out.begin() + to[s]);
    });
    return { out };
}

// Returns every third position.
inline ints positions_of(std::size_t n)
{
    ints positions((n + 2) / 3);
    thrust::sequence(positions.begin(), positions.end(), 0, 3);
    return positions;
}

inline ints sorted_of(ints x)
{
    thrust::stable_sort(x.begin(), x.end());
    return x;
}

// Returns the rows of the inner join of two sorted sequences, found by their bounds in each other.
inline found joined(const problem &p)
{
    ints first(p.a.size()), end(p.a.size()), rows_a, rows_b;
    thrust::lower_bound(p.b.begin(), p.b.end(), p.a.begin(), p.a.end(), first.begin(), before);
    thrust::upper_bound(p.b.begin(), p.b.end(), p.a.begin(), p.a.end(), end.begin(), before);
    thrust::for_each(p.places.begin(), p.places.end(), [&](int i) {
        const std::size_t at = static_cast<std::size_t>(i);
        rows_a.insert(rows_a.end(), static_cast<std::size_t>(end[at] - first[at]), i);
        rows_b.insert(rows_b.end(), thrust::make_counting_iterator(first[at]), thrust::make_counting_iterator(end[at]));
    });
    return { rows_a, rows_b, number(rows_a.size()) };
}

const row composed_rows[] = {
    { "sort", "mcl_nth_element", [](const problem &p) { return found{ number(sorted_of(p.a)[p.a.size() / 3]) }; },
      [](const problem &p, const device &d) -> found {
          std::int32_t key = untouched;
          mcl::nth_element(d.queue, d.up(p.a), mcl_amount_of(static_cast<std::int64_t>(p.a.size() / 3)),
                           mcl::to_host(&key), MCL_LESS);
          return { number(key) };
      } },
    { "stable_sort_by_key", "mcl_top_k",
      [](const problem &p) -> found {
          ints x = p.x, places = p.places;
          thrust::stable_sort_by_key(x.begin(), x.end(), places.begin(), before);
          return { first(x, (x.size() + 1) / 2), first(places, (x.size() + 1) / 2) };
      },
      [](const problem &p, const device &d) -> found {
          const std::size_t k = (p.x.size() + 1) / 2;
          const auto keys = d.room(k), places = d.room(k);
          mcl::top_k_pairs(d.queue, d.up(p.x), d.up(p.places), mcl_amount_of(static_cast<std::int64_t>(k)), keys,
                           places, before_of_device());
          return { d.read(keys), d.read(places) };
      } },
    { "sort", "mcl_quantiles",
      [](const problem &p) -> found {
          const ints x = sorted_of(p.a);
          return { ints{ x.front(), x[(x.size() - 1) / 2], x.back() } };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(3);
          const mcl::array<double> fractions(d.context, { 0, 0.5, 1 });
          mcl::quantiles(d.queue, d.up(p.a), fractions, out, MCL_LESS, MCL_INTERPOLATION_LOWER);
          return { d.read(out) };
      } },
    { "copy", "mcl_from_rotated",
      [](const problem &p) -> found {
          ints out = room(p.x.size());
          const auto middle = p.x.begin() + static_cast<std::ptrdiff_t>(p.x.size() / 3);
          thrust::copy(p.x.begin(), middle, thrust::copy(middle, p.x.end(), out.begin()));
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          const auto x = d.up(p.x), out = d.room(p.x.size());
          mcl::transform(d.queue, mcl::from_rotated(x, static_cast<std::int64_t>(p.x.size() / 3)), out);
          return { d.read(out) };
      } },
    { "sequence", "mcl_from_step",
      [](const problem &p) -> found {
          ints out = room(p.x.size());
          thrust::sequence(out.begin(), out.end(), 7, -3);
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size());
          mcl::transform(d.queue, mcl::from_step<std::int32_t>(7, -3, out.count), out);
          return { d.read(out) };
      } },
    { "copy_if", "mcl_compact_flagged",
      [](const problem &p) -> found {
          ints out = room(p.x.size());
          const auto end = thrust::copy_if(p.x.begin(), p.x.end(), p.flags.begin(), out.begin(), is_set);
          return { out, number(end - out.begin()) };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size());
          std::int64_t count = -1;
          mcl::compact_flagged(d.queue, d.up(p.x), d.up(p.flags), out, mcl::to_host(&count));
          return { d.read(out), number(count) };
      } },
    { "stable_partition_copy", "mcl_partition_flagged",
      [](const problem &p) -> found {
          ints kept = room(p.x.size()), rejected = kept;
          thrust::stable_partition_copy(p.x.begin(), p.x.end(), p.flags.begin(), kept.begin(), rejected.begin(),
                                        is_set);
          return { kept, rejected };
      },
      [](const problem &p, const device &d) -> found {
          const auto kept = d.room(p.x.size()), rejected = d.room(p.x.size());
          mcl::partition_flagged(d.queue, d.up(p.x), d.up(p.flags), kept, rejected);
          return { d.read(kept), d.read(rejected) };
      } },
    { "stable_partition_copy", "mcl_partition_three",
      [](const problem &p) -> found {
          ints low = room(p.x.size()), others = low, even = low, rest = low;
          const auto ends = thrust::stable_partition_copy(p.x.begin(), p.x.end(), low.begin(), others.begin(), is_low);
          thrust::stable_partition_copy(others.begin(), ends.second, even.begin(), rest.begin(),
                                        [](int x) { return x % 2 == 0; });
          return { low, even, rest };
      },
      [](const problem &p, const device &d) -> found {
          const auto low = d.room(p.x.size()), even = d.room(p.x.size()), rest = d.room(p.x.size());
          mcl::partition_three(d.queue, d.up(p.x), low, even, rest, mcl::test("x < 2"), mcl::test("x % 2 == 0"));
          return { d.read(low), d.read(even), d.read(rest) };
      } },
    { "reduce_by_key", "mcl_run_length_encode",
      [](const problem &p) -> found {
          ints keys = room(p.runs.size()), lengths = keys;
          const auto ends = thrust::reduce_by_key(p.runs.begin(), p.runs.end(), thrust::make_constant_iterator(1),
                                                  keys.begin(), lengths.begin());
          return { keys, lengths, number(ends.first - keys.begin()) };
      },
      [](const problem &p, const device &d) -> found {
          const auto keys = d.room(p.runs.size()), lengths = d.room(p.runs.size());
          std::int64_t count = -1;
          mcl::run_length_encode(d.queue, d.up(p.runs), keys, lengths, MCL_EQUAL, mcl::to_host(&count));
          return { d.read(keys), d.read(lengths), number(count) };
      } },
    { "lower_bound", "mcl_histogram_even",
      [](const problem &p) -> found { return { binned(p.x, { -3, 0, 3, 6, 9 }) }; },
      [](const problem &p, const device &d) -> found {
          const auto bins = d.room(4);
          mcl::histogram_even(d.queue, d.up(p.x), -3.0, 9.0, nullptr, bins);
          return { d.read(bins) };
      } },
    { "lower_bound", "mcl_histogram_range", [](const problem &p) -> found { return { binned(p.x, { -4, 1, 2, 7 }) }; },
      [](const problem &p, const device &d) -> found {
          const auto bins = d.room(3);
          mcl::histogram_range(d.queue, d.up(p.x), d.up({ -4, 1, 2, 7 }), nullptr, bins);
          return { d.read(bins) };
      } },
    { "reduce", "mcl_segmented_reduce",
      [](const problem &p) -> found {
          ints sums = room(segments_of(p.x.size()) + 1);
          for_each_segment(p.x.size(), [&](std::size_t s, int begin, int end) {
              sums[s] = thrust::reduce(p.x.begin() + begin, p.x.begin() + end);
          });
          return { sums };
      },
      [](const problem &p, const device &d) -> found {
          std::vector<mcl::array<std::int32_t>> kept;
          const auto sums = d.room(segments_of(p.x.size()) + 1);
          mcl::segmented_reduce(d.queue, d.up(p.x), our_segments(d, kept, p.x.size()), sums, MCL_ADD);
          return { d.read(sums) };
      } },
    { "stable_sort_by_key", "mcl_segmented_sort_pairs",
      [](const problem &p) -> found {
          ints x = p.x, places = p.places;
          for_each_segment(x.size(), [&](std::size_t, int begin, int end) {
              thrust::stable_sort_by_key(x.begin() + begin, x.begin() + end, places.begin() + begin, before);
          });
          return { x, places };
      },
      [](const problem &p, const device &d) -> found {
          std::vector<mcl::array<std::int32_t>> kept;
          const auto x = d.up(p.x), places = d.up(p.places);
          mcl::segmented_sort_pairs(d.queue, x, places, our_segments(d, kept, p.x.size()), x, places,
                                    before_of_device(), MCL_STABLE);
          return { d.read(x), d.read(places) };
      } },
    { "stable_sort", "mcl_segmented_sort",
      [](const problem &p) -> found {
          ints x = p.x;
          for_each_segment(x.size(), [&](std::size_t, int begin, int end) {
              thrust::stable_sort(x.begin() + begin, x.begin() + end, thrust::greater<int>());
          });
          return { x };
      },
      [](const problem &p, const device &d) -> found {
          std::vector<mcl::array<std::int32_t>> kept;
          const auto x = d.up(p.x);
          mcl::segmented_sort(d.queue, x, our_segments(d, kept, p.x.size()), x, MCL_GREATER, MCL_UNSTABLE);
          return { d.read(x) };
      } },
    { "stable_sort", "mcl_segmented_top_k",
      [](const problem &p) -> found {
          ints out = room(2 * segments_of(p.x.size()));
          for_each_segment(p.x.size(), [&](std::size_t s, int begin, int end) {
              ints x(p.x.begin() + begin, p.x.begin() + end);
              thrust::stable_sort(x.begin(), x.end(), before);
              thrust::copy_n(x.begin(), std::min<std::ptrdiff_t>(2, end - begin),
                             out.begin() + 2 * static_cast<std::ptrdiff_t>(s));
          });
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          std::vector<mcl::array<std::int32_t>> kept;
          const auto out = d.room(2 * segments_of(p.x.size()));
          mcl::segmented_top_k(d.queue, d.up(p.x), our_segments(d, kept, p.x.size()), mcl_amount_of(2), out,
                               mcl::no_output(), before_of_device());
          return { d.read(out) };
      } },
    { "sort", "mcl_segmented_quantiles",
      [](const problem &p) -> found {
          ints out = room(segments_of(p.x.size()));
          for_each_segment(p.x.size(), [&](std::size_t s, int begin, int end) {
              ints x(p.x.begin() + begin, p.x.begin() + end);
              thrust::sort(x.begin(), x.end());
              if (end > begin) out[s] = x[(x.size() - 1) / 2];
          });
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          std::vector<mcl::array<std::int32_t>> kept;
          const auto out = d.room(segments_of(p.x.size()));
          const mcl::array<double> fractions(d.context, { 0.5 });
          mcl::segmented_quantiles(d.queue, d.up(p.x), our_segments(d, kept, p.x.size()), fractions, out, MCL_LESS,
                                   MCL_INTERPOLATION_LOWER);
          return { d.read(out) };
      } },
    { "upper_bound", "mcl_load_balance_search",
      [](const problem &p) -> found {
          const ints objects = objects_of(p.x.size());
          return { objects, ranks_of(objects) };
      },
      [](const problem &p, const device &d) -> found {
          const auto objects = d.room(p.x.size()), ranks = d.room(p.x.size());
          mcl::load_balance_search(d.queue, mcl_work_items(static_cast<std::int64_t>(p.x.size())),
                                   d.up(begins_of(p.x.size())), objects, ranks);
          return { d.read(objects), d.read(ranks) };
      } },
    { "upper_bound", "mcl_transform_load_balanced",
      [](const problem &p) -> found {
          const ints objects = objects_of(p.x.size()), ranks = ranks_of(objects);
          ints out(p.x.size());
          thrust::transform(p.x.begin(), p.x.end(), objects.begin(), out.begin(),
                            [](int x, int k) { return x + 10 * k; });
          thrust::transform(out.begin(), out.end(), ranks.begin(), out.begin(), thrust::minus<int>());
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          const auto x = d.up(p.x), out = d.room(p.x.size());
          mcl::transform_load_balanced(
              d.queue,
              mcl::from_expression<std::int32_t>("x[i] + 10 * object - rank", x.count, { mcl::binding_buffer("x", x) }),
              d.up(begins_of(p.x.size())), out);
          return { d.read(out) };
      } },
    { "gather", "mcl_interval_expand",
      [](const problem &p) -> found {
          const ints objects = objects_of(p.x.size());
          ints out = room(p.x.size() + 1);
          thrust::gather(objects.begin(), objects.end(), p.y.begin(), out.begin());
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size() + 1);
          const ints begins = begins_of(p.x.size());
          mcl::interval_expand(d.queue, mcl_work_items(static_cast<std::int64_t>(p.x.size())),
                               d.up(ints(p.y.begin(), p.y.begin() + static_cast<std::ptrdiff_t>(begins.size()))),
                               d.up(begins), out);
          return { d.read(out) };
      } },
    { "copy_n", "mcl_interval_move",
      [](const problem &p) { return moved(p, backwards_of(p.x.size()), begins_of(p.x.size())); },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size() + 1), begins = d.up(begins_of(p.x.size()));
          mcl::interval_move(d.queue, mcl_work_items(static_cast<std::int64_t>(p.x.size())), d.up(p.x),
                             d.up(backwards_of(p.x.size())), begins, begins, out);
          return { d.read(out) };
      } },
    { "copy_n", "mcl_interval_gather",
      [](const problem &p) { return moved(p, backwards_of(p.x.size()), begins_of(p.x.size())); },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size() + 1);
          mcl::interval_gather(d.queue, mcl_work_items(static_cast<std::int64_t>(p.x.size())), d.up(p.x),
                               d.up(backwards_of(p.x.size())), d.up(begins_of(p.x.size())), out);
          return { d.read(out) };
      } },
    { "copy_n", "mcl_interval_scatter",
      [](const problem &p) { return moved(p, begins_of(p.x.size()), backwards_of(p.x.size())); },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size() + 1);
          mcl::interval_scatter(d.queue, mcl_work_items(static_cast<std::int64_t>(p.x.size())), d.up(p.x),
                                d.up(backwards_of(p.x.size())), d.up(begins_of(p.x.size())), out);
          return { d.read(out) };
      } },
    { "remove_if", "mcl_bulk_remove",
      [](const problem &p) -> found {
          ints x = p.x;
          const auto end =
              thrust::remove_if(x.begin(), x.end(), p.places.begin(), [](int place) { return place % 3 == 0; });
          return { ints(x.begin(), end) };
      },
      [](const problem &p, const device &d) -> found {
          const ints positions = positions_of(p.x.size());
          const auto out = d.room(p.x.size() - positions.size());
          mcl::bulk_remove(d.queue, d.up(p.x), d.up(positions), out);
          return { d.read(out) };
      } },
    { "merge_by_key", "mcl_bulk_insert",
      [](const problem &p) -> found {
          const ints positions = positions_of(p.x.size());
          ints keys = room(positions.size() + p.x.size()), out = keys;
          thrust::merge_by_key(positions.begin(), positions.end(), p.places.begin(), p.places.end(), p.y.begin(),
                               p.x.begin(), keys.begin(), out.begin());
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          const ints positions = positions_of(p.x.size());
          const auto out = d.room(positions.size() + p.x.size());
          mcl::bulk_insert(d.queue,
                           d.up(ints(p.y.begin(), p.y.begin() + static_cast<std::ptrdiff_t>(positions.size()))),
                           d.up(positions), d.up(p.x), out);
          return { d.read(out) };
      } },
    { "stable_sort_by_key", "mcl_locality_sort_pairs",
      [](const problem &p) -> found {
          ints x = p.x, places = p.places;
          thrust::stable_sort_by_key(x.begin(), x.end(), places.begin(), before);
          return { x, places };
      },
      [](const problem &p, const device &d) -> found {
          const auto keys = d.room(p.x.size()), places = d.room(p.x.size());
          mcl::locality_sort_pairs(d.queue, d.up(p.x), d.up(p.places), keys, places, before_of_device());
          return { d.read(keys), d.read(places) };
      } },
    { "stable_sort", "mcl_locality_sort", [](const problem &p) { return found{ sorted_of(p.runs) }; },
      [](const problem &p, const device &d) -> found {
          const auto keys = d.room(p.runs.size());
          mcl::locality_sort(d.queue, d.up(p.runs), keys, MCL_LESS);
          return { d.read(keys) };
      } },
    { "upper_bound", "mcl_equality_count",
      [](const problem &p) -> found {
          ints counts(p.a.size()), first(p.a.size());
          thrust::lower_bound(p.b.begin(), p.b.end(), p.a.begin(), p.a.end(), first.begin(), before);
          thrust::upper_bound(p.b.begin(), p.b.end(), p.a.begin(), p.a.end(), counts.begin(), before);
          thrust::transform(counts.begin(), counts.end(), first.begin(), counts.begin(), thrust::minus<int>());
          return { counts };
      },
      [](const problem &p, const device &d) -> found {
          const auto a = d.up(p.a), b = d.up(p.b), bounds = d.room(p.a.size());
          mcl::sorted_search_needles(d.queue, a, b, MCL_LOWER, bounds, before_of_device());
          mcl::equality_count(d.queue, a, b, bounds, bounds, before_of_device(), MCL_EQUALITY);
          return { d.read(bounds) };
      } },
    { "lower_bound", "mcl_join", joined,
      [](const problem &p, const device &d) -> found {
          const auto a = d.up(p.a), b = d.up(p.b);
          std::int64_t count = -1;
          mcl::join(d.queue, MCL_JOIN_INNER, a, b, mcl::no_output(), mcl::no_output(), before_of_device(),
                    mcl::to_host(&count));
          const auto rows_a = d.room(static_cast<std::size_t>(count)), rows_b = d.room(static_cast<std::size_t>(count));
          mcl::join(d.queue, MCL_JOIN_INNER, a, b, rows_a, rows_b, before_of_device());
          return { d.read(rows_a), d.read(rows_b), number(count) };
      } },
};

#endif
