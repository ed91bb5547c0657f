// map_rows.hpp: element-wise calls, iterators, and calls that store elements elsewhere.
#ifndef TEST_MAP_ROWS_HPP
#define TEST_MAP_ROWS_HPP

#include "side_by_side.hpp"

#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <algorithm>

// Stores an input after an untouched element and before two others.
inline found stored(const device &d, const mcl_input &in)
{
    const mcl::array<std::int32_t> out = d.room(static_cast<std::size_t>(in.count) + 3);
    mcl::transform(d.queue, in, out.from(1));
    return { d.read(out) };
}

// Stores, in place, the results of an expression on x[i].
inline found replaced(const problem &p, const device &d, const char *expression)
{
    const mcl::array<std::int32_t> x = d.up(p.x);
    mcl::transform(d.queue, mcl::from_expression<std::int32_t>(expression, x.count, { mcl::binding_buffer("x", x) }),
                   x);
    return { d.read(x) };
}

// Copies n elements from a Thrust iterator to the indices that stored() uses.
template <class Iterator> found copied(Iterator begin, std::size_t n)
{
    ints out = room(n + 3);
    thrust::copy(begin, begin + static_cast<std::ptrdiff_t>(n), out.begin() + 1);
    return { out };
}

const row map_rows[] = {
    { "transform", "mcl_transform",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 3);
          thrust::transform(p.x.begin(), p.x.end(), p.y.begin(), out.begin() + 1,
                            [](int x, int y) { return x * y + 3; });
          return { out };
      },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x), y = d.up(p.y);
          return stored(
              d, mcl::from_expression<std::int32_t>("x[i] * y[i] + 3", x.count,
                                                    { mcl::binding_buffer("x", x), mcl::binding_buffer("y", y) }));
      } },
    { "copy", "mcl_transform", [](const problem &p) { return copied(p.x.begin(), p.x.size()); },
      [](const problem &p, const device &d) { return stored(d, d.up(p.x)); } },
    { "fill", "mcl_transform",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 3);
          thrust::fill(out.begin() + 1, out.end() - 2, 5);
          return { out };
      },
      [](const problem &p, const device &d) {
          return stored(d, mcl::from_constant(5, static_cast<std::int64_t>(p.x.size())));
      } },
    { "sequence", "mcl_transform",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 3);
          thrust::sequence(out.begin() + 1, out.end() - 2, 7, -3);
          return { out };
      },
      [](const problem &p, const device &d) {
          return stored(d, mcl::from_step(7, -3, static_cast<std::int64_t>(p.x.size())));
      } },
    { "generate", "mcl_transform",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 3);
          int next = 10;
          thrust::generate(out.begin() + 1, out.end() - 2, [&next] { return next++; });
          return { out };
      },
      [](const problem &p, const device &d) {
          return stored(d, mcl::from_counting(10, static_cast<std::int64_t>(p.x.size())));
      } },
    { "tabulate", "mcl_transform",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 3);
          thrust::tabulate(out.begin() + 1, out.end() - 2, [](auto i) { return static_cast<int>(i) * 3 % 7; });
          return { out };
      },
      [](const problem &p, const device &d) {
          return stored(d, mcl::from_expression<std::int32_t>("i * 3 % 7", static_cast<std::int64_t>(p.x.size())));
      } },
    { "gather", "mcl_transform",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 3);
          thrust::gather(p.indices.begin(), p.indices.end(), p.x.begin(), out.begin() + 1);
          return { out };
      },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x), index = d.up(p.indices);
          return stored(d, mcl::from_expression<std::int32_t>(
                               "x[k[i]]", x.count, { mcl::binding_buffer("x", x), mcl::binding_buffer("k", index) }));
      } },
    { "replace", "mcl_transform",
      [](const problem &p) -> found {
          ints x = p.x;
          thrust::replace(x.begin(), x.end(), 3, 99);
          return { x };
      },
      [](const problem &p, const device &d) { return replaced(p, d, "x[i] == 3 ? 99 : x[i]"); } },
    { "for_each", "mcl_transform",
      [](const problem &p) -> found {
          ints x = p.x;
          thrust::for_each(x.begin(), x.end(), [](int &each) { each = each * 2 - 1; });
          return { x };
      },
      [](const problem &p, const device &d) { return replaced(p, d, "x[i] * 2 - 1"); } },
    { "scatter", "mcl_scatter",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 3);
          thrust::scatter(p.x.begin(), p.x.end(), p.indices.begin(), out.begin() + 1);
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size() + 3);
          mcl::scatter(d.queue, d.up(p.x), d.up(p.indices), out.from(1));
          return { d.read(out) };
      } },
    { "scatter_if", "mcl_scatter_flagged",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 3);
          thrust::scatter_if(p.x.begin(), p.x.end(), p.indices.begin(), p.flags.begin(), out.begin() + 1);
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          const auto out = d.room(p.x.size() + 3);
          mcl::scatter_flagged(d.queue, d.up(p.x), d.up(p.indices), d.up(p.flags), out.from(1));
          return { d.read(out) };
      } },
    { "reverse_copy", "mcl_from_reversed",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 3);
          thrust::reverse_copy(p.x.begin(), p.x.end(), out.begin() + 1);
          return { out };
      },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x);
          return stored(d, mcl::from_reversed(x));
      } },
    // The permutations differ, so each is checked to have all elements.
    { "shuffle_copy", "mcl_from_shuffled",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 3);
          thrust::default_random_engine engine(1);
          thrust::shuffle_copy(p.x.begin(), p.x.end(), out.begin() + 1, engine);
          std::sort(out.begin() + 1, out.end() - 2);
          return { out };
      },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x);
          found out = stored(d, mcl::from_shuffled(x, 1));
          std::sort(out[0].begin() + 1, out[0].end() - 2);
          return out;
      } },
    { "counting_iterator", "mcl_from_counting",
      [](const problem &p) { return copied(thrust::make_counting_iterator(-4), p.x.size()); },
      [](const problem &p, const device &d) {
          return stored(d, mcl::from_counting(-4, static_cast<std::int64_t>(p.x.size())));
      } },
    { "constant_iterator", "mcl_from_constant",
      [](const problem &p) { return copied(thrust::make_constant_iterator(8), p.x.size()); },
      [](const problem &p, const device &d) {
          return stored(d, mcl::from_constant(8, static_cast<std::int64_t>(p.x.size())));
      } },
    { "transform_iterator", "mcl_from_expression",
      [](const problem &p) {
          return copied(thrust::make_transform_iterator(p.x.begin(), [](int x) { return 5 - x; }), p.x.size());
      },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x);
          return stored(d, mcl::from_expression<std::int32_t>("5 - x[i]", x.count, { mcl::binding_buffer("x", x) }));
      } },
    { "zip_iterator", "mcl_from_expression",
      [](const problem &p) {
          const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(p.x.begin(), p.y.begin()));
          const auto sum = [](const thrust::tuple<int, int> &t) { return thrust::get<0>(t) + 10 * thrust::get<1>(t); };
          return copied(thrust::make_transform_iterator(zipped, sum), p.x.size());
      },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x), y = d.up(p.y);
          return stored(
              d, mcl::from_expression<std::int32_t>("x[i] + 10 * y[i]", x.count,
                                                    { mcl::binding_buffer("x", x), mcl::binding_buffer("y", y) }));
      } },
    { "permutation_iterator", "mcl_from_expression",
      [](const problem &p) {
          return copied(thrust::make_permutation_iterator(p.x.begin(), p.indices.begin()), p.x.size());
      },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x), index = d.up(p.indices);
          return stored(d, mcl::from_expression<std::int32_t>(
                               "x[k[i]]", x.count, { mcl::binding_buffer("x", x), mcl::binding_buffer("k", index) }));
      } },
    { "reverse_iterator", "mcl_from_reversed",
      [](const problem &p) { return copied(thrust::make_reverse_iterator(p.x.end()), p.x.size()); },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x);
          return stored(d, mcl::from_reversed(x));
      } },
    { "discard_iterator", "mcl_to_nowhere",
      [](const problem &p) -> found {
          ints sums = room(p.x.size());
          const auto ends = thrust::reduce_by_key(p.runs.begin(), p.runs.end(), p.x.begin(),
                                                  thrust::make_discard_iterator(), sums.begin());
          return { sums, number(ends.second - sums.begin()) };
      },
      [](const problem &p, const device &d) -> found {
          const auto sums = d.room(p.x.size());
          std::int64_t count = -1;
          mcl::reduce_by_key(d.queue, d.up(p.runs), d.up(p.x), mcl::no_output(), sums, MCL_ADD, MCL_EQUAL,
                             mcl::to_host(&count));
          return { d.read(sums), number(count) };
      } },
};

#endif
