// fold_rows.hpp: reductions, searches of one element, scans, and folds of runs.
#ifndef TEST_FOLD_ROWS_HPP
#define TEST_FOLD_ROWS_HPP

#include "side_by_side.hpp"

#include <thrust/adjacent_difference.h>
#include <thrust/count.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/mismatch.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

inline found reduced(const device &d, const mcl_input &in, const mcl_op *op, const std::int32_t *initial = nullptr)
{
    mcl::options options;
    options.initial = initial;
    std::int32_t result = untouched;
    mcl::reduce(d.queue, in, op, mcl::to_host(&result), options);
    return { number(result) };
}

inline std::int64_t find(const device &d, const mcl_input &in, const char *test)
{
    std::int64_t result = untouched;
    mcl::find_if(d.queue, in, mcl::test(test), mcl::to_host(&result));
    return result;
}

// Returns whether a test holds for any element. Rows use one test that some elements pass, and one that none pass.
inline bool any(const device &d, const ints &x, const char *test)
{
    return find(d, d.up(x), test) < static_cast<std::int64_t>(x.size());
}

inline bool is_three(int x)
{
    return x == 3;
}
inline bool is_far(int x)
{
    return x > 1000;
}
inline bool is_even(int x)
{
    return x % 2 == 0;
}

// Returns a copy that differs from the middle on.
inline ints changed(const ints &y)
{
    ints other = y;
    for (std::size_t k = y.size() / 2; k < y.size(); k += 3) ++other[k];
    return other;
}

inline std::int64_t first_difference(const device &d, const ints &x, const ints &y)
{
    const auto p = d.up(x), q = d.up(y);
    return find(d,
                mcl::from_expression<std::int32_t>("u[i] != v[i]", p.count,
                                                   { mcl::binding_buffer("u", p), mcl::binding_buffer("v", q) }),
                "x");
}

inline found scanned(const device &d, const mcl_input &in, const mcl_op *op, mcl_scan_kind kind,
                     const std::int32_t *initial = nullptr)
{
    mcl::options options;
    options.initial = initial;
    const auto out = d.room(static_cast<std::size_t>(in.count) + 2);
    mcl::scan(d.queue, in, out, op, kind, mcl::to_nowhere(), options);
    return { d.read(out) };
}

inline found scanned_runs(const problem &p, const device &d, mcl_scan_kind kind, const std::int32_t *initial = nullptr)
{
    mcl::options options;
    options.initial = initial;
    const auto out = d.room(p.x.size() + 2);
    mcl::scan_by_key(d.queue, d.up(p.runs), d.up(p.x), out, MCL_ADD, MCL_EQUAL, kind, options);
    return { d.read(out) };
}

const std::int32_t five = 5;

const row fold_rows[] = {
    { "reduce", "mcl_reduce",
      [](const problem &p) -> found { return { number(thrust::reduce(p.x.begin(), p.x.end(), 5)) }; },
      [](const problem &p, const device &d) { return reduced(d, d.up(p.x), MCL_ADD, &five); } },
    { "transform_reduce", "mcl_reduce",
      [](const problem &p) -> found {
          return { number(
              thrust::transform_reduce(p.x.begin(), p.x.end(), [](int x) { return x * x; }, 0, thrust::plus<int>())) };
      },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x);
          return reduced(d, mcl::from_expression<std::int32_t>("x[i] * x[i]", x.count, { mcl::binding_buffer("x", x) }),
                         MCL_ADD);
      } },
    { "inner_product", "mcl_reduce",
      [](const problem &p) -> found {
          return { number(thrust::inner_product(p.x.begin(), p.x.end(), p.y.begin(), 5)) };
      },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x), y = d.up(p.y);
          return reduced(d,
                         mcl::from_expression<std::int32_t>(
                             "x[i] * y[i]", x.count, { mcl::binding_buffer("x", x), mcl::binding_buffer("y", y) }),
                         MCL_ADD, &five);
      } },
    { "max_element", "MCL_MAX_INDEX",
      [](const problem &p) -> found { return { number(thrust::max_element(p.x.begin(), p.x.end()) - p.x.begin()) }; },
      [](const problem &p, const device &d) { return reduced(d, d.up(p.x), MCL_MAX_INDEX); } },
    { "min_element", "MCL_MIN_INDEX",
      [](const problem &p) -> found { return { number(thrust::min_element(p.x.begin(), p.x.end()) - p.x.begin()) }; },
      [](const problem &p, const device &d) { return reduced(d, d.up(p.x), MCL_MIN_INDEX); } },
    // Thrust returns two iterators, and the library two values.
    { "minmax_element", "mcl_min_max",
      [](const problem &p) -> found {
          const auto both = thrust::minmax_element(p.x.begin(), p.x.end());
          return { number(*both.first), number(*both.second) };
      },
      [](const problem &p, const device &d) -> found {
          mcl_int32_range range{};
          mcl::min_max(d.queue, d.up(p.x), mcl::to_host(&range));
          return { number(range.least), number(range.greatest) };
      } },
    { "count_if", "mcl_count_if",
      [](const problem &p) -> found { return { number(thrust::count_if(p.x.begin(), p.x.end(), is_even)) }; },
      [](const problem &p, const device &d) -> found {
          std::int64_t count = -1;
          mcl::count_if(d.queue, d.up(p.x), mcl::test("x % 2 == 0"), mcl::to_host(&count));
          return { number(count) };
      } },
    { "count", "mcl_count_if",
      [](const problem &p) -> found { return { number(thrust::count(p.x.begin(), p.x.end(), 3)) }; },
      [](const problem &p, const device &d) -> found {
          std::int64_t count = -1;
          mcl::count_if(d.queue, d.up(p.x), mcl::test("x == 3"), mcl::to_host(&count));
          return { number(count) };
      } },
    { "find_if", "mcl_find_if",
      [](const problem &p) -> found {
          return { number(thrust::find_if(p.x.begin(), p.x.end(), is_three) - p.x.begin()),
                   number(thrust::find_if(p.x.begin(), p.x.end(), is_far) - p.x.begin()) };
      },
      [](const problem &p, const device &d) -> found {
          return { number(find(d, d.up(p.x), "x == 3")), number(find(d, d.up(p.x), "x > 1000")) };
      } },
    { "find", "mcl_find_if",
      [](const problem &p) -> found { return { number(thrust::find(p.x.begin(), p.x.end(), 4) - p.x.begin()) }; },
      [](const problem &p, const device &d) -> found { return { number(find(d, d.up(p.x), "x == 4")) }; } },
    { "any_of", "mcl_find_if",
      [](const problem &p) -> found {
          return { number(thrust::any_of(p.x.begin(), p.x.end(), is_three)),
                   number(thrust::any_of(p.x.begin(), p.x.end(), is_far)) };
      },
      [](const problem &p, const device &d) -> found {
          return { number(any(d, p.x, "x == 3")), number(any(d, p.x, "x > 1000")) };
      } },
    { "all_of", "mcl_find_if",
      [](const problem &p) -> found {
          return { number(thrust::all_of(p.x.begin(), p.x.end(), is_three)),
                   number(thrust::all_of(p.x.begin(), p.x.end(), [](int x) { return x <= 1000; })) };
      },
      [](const problem &p, const device &d) -> found {
          return { number(!any(d, p.x, "!(x == 3)")), number(!any(d, p.x, "!(x <= 1000)")) };
      } },
    { "none_of", "mcl_find_if",
      [](const problem &p) -> found {
          return { number(thrust::none_of(p.x.begin(), p.x.end(), is_three)),
                   number(thrust::none_of(p.x.begin(), p.x.end(), is_far)) };
      },
      [](const problem &p, const device &d) -> found {
          return { number(!any(d, p.x, "x == 3")), number(!any(d, p.x, "x > 1000")) };
      } },
    { "mismatch", "mcl_find_if",
      [](const problem &p) -> found {
          const ints other = changed(p.x);
          return { number(thrust::mismatch(p.x.begin(), p.x.end(), other.begin()).first - p.x.begin()),
                   number(thrust::mismatch(p.x.begin(), p.x.end(), p.x.begin()).first - p.x.begin()) };
      },
      [](const problem &p, const device &d) -> found {
          return { number(first_difference(d, p.x, changed(p.x))), number(first_difference(d, p.x, p.x)) };
      } },
    { "equal", "mcl_find_if",
      [](const problem &p) -> found {
          const ints other = changed(p.x);
          return { number(thrust::equal(p.x.begin(), p.x.end(), other.begin())),
                   number(thrust::equal(p.x.begin(), p.x.end(), p.x.begin())) };
      },
      [](const problem &p, const device &d) -> found {
          const std::int64_t n = static_cast<std::int64_t>(p.x.size());
          return { number(first_difference(d, p.x, changed(p.x)) == n), number(first_difference(d, p.x, p.x) == n) };
      } },
    { "inclusive_scan", "mcl_scan",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 2);
          thrust::inclusive_scan(p.x.begin(), p.x.end(), out.begin(), thrust::maximum<int>());
          return { out };
      },
      [](const problem &p, const device &d) { return scanned(d, d.up(p.x), MCL_MAX, MCL_INCLUSIVE); } },
    { "exclusive_scan", "mcl_scan",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 2);
          thrust::exclusive_scan(p.x.begin(), p.x.end(), out.begin(), 5);
          return { out };
      },
      [](const problem &p, const device &d) { return scanned(d, d.up(p.x), MCL_ADD, MCL_EXCLUSIVE, &five); } },
    { "transform_inclusive_scan", "mcl_scan",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 2);
          thrust::transform_inclusive_scan(
              p.x.begin(), p.x.end(), out.begin(), [](int x) { return x * 2 + 1; }, thrust::plus<int>());
          return { out };
      },
      [](const problem &p, const device &d) {
          const auto x = d.up(p.x);
          return scanned(d,
                         mcl::from_expression<std::int32_t>("x[i] * 2 + 1", x.count, { mcl::binding_buffer("x", x) }),
                         MCL_ADD, MCL_INCLUSIVE);
      } },
    { "inclusive_scan_by_key", "mcl_scan_by_key",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 2);
          thrust::inclusive_scan_by_key(p.runs.begin(), p.runs.end(), p.x.begin(), out.begin());
          return { out };
      },
      [](const problem &p, const device &d) { return scanned_runs(p, d, MCL_INCLUSIVE); } },
    { "exclusive_scan_by_key", "mcl_scan_by_key",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 2);
          thrust::exclusive_scan_by_key(p.runs.begin(), p.runs.end(), p.x.begin(), out.begin(), 5);
          return { out };
      },
      [](const problem &p, const device &d) { return scanned_runs(p, d, MCL_EXCLUSIVE, &five); } },
    { "reduce_by_key", "mcl_reduce_by_key",
      [](const problem &p) -> found {
          ints keys = room(p.x.size()), values = room(p.x.size());
          const auto ends = thrust::reduce_by_key(p.runs.begin(), p.runs.end(), p.x.begin(), keys.begin(),
                                                  values.begin(), thrust::equal_to<int>(), thrust::minimum<int>());
          return { keys, values, number(ends.first - keys.begin()), number(ends.second - values.begin()) };
      },
      [](const problem &p, const device &d) -> found {
          const auto keys = d.room(p.x.size()), values = d.room(p.x.size());
          std::int64_t count = -1;
          mcl::reduce_by_key(d.queue, d.up(p.runs), d.up(p.x), keys, values, MCL_MIN, MCL_EQUAL, mcl::to_host(&count));
          return { d.read(keys), d.read(values), number(count), number(count) };
      } },
    { "adjacent_difference", "mcl_from_differences",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 2);
          thrust::adjacent_difference(p.x.begin(), p.x.end(), out.begin());
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          const auto x = d.up(p.x), out = d.room(p.x.size() + 2);
          mcl::transform(d.queue, mcl::from_differences(x), out);
          return { d.read(out) };
      } },
    // With a function Thrust copies the first element, while the library's view begins with the second.
    { "adjacent_difference", "mcl_from_neighbours",
      [](const problem &p) -> found {
          ints out = room(p.x.size() + 2);
          thrust::adjacent_difference(p.x.begin(), p.x.end(), out.begin(),
                                      [](int later, int earlier) { return later * 3 + earlier; });
          return { out };
      },
      [](const problem &p, const device &d) -> found {
          const auto x = d.up(p.x), out = d.room(p.x.size() + 2);
          mcl::transform(d.queue, x.first(p.x.empty() ? 0 : 1), out);
          mcl::transform(d.queue, mcl::from_neighbours<std::int32_t>("q[i] * 3 + p[i]", x), out.from(1));
          return { d.read(out) };
      } },
};

#endif
