// difference_rows.hpp: the differences between Thrust and the library that docs/coming_from.md names, each with the
// results of both.
#ifndef TEST_DIFFERENCE_ROWS_HPP
#define TEST_DIFFERENCE_ROWS_HPP

#include "side_by_side.hpp"

#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <cmath>

// A call that differs, with its own input.
struct difference {
    const char *what;
    ints (*run_theirs)();
    ints theirs;
    ints (*run_ours)(const device &d);
    ints ours;
};

const std::vector<float> floats = { 0.0F,  -0.0F, std::nanf(""), 1.0F,
                                    -1.0F, -0.0F, 0.0F,          std::copysign(std::nanf(""), -1.0F) };
const std::vector<std::int8_t> bytes = { 100, 100, 100 };
const std::vector<std::int32_t> one_run = { 1, 1, 1 };

inline ints indices_of(std::size_t n)
{
    ints all(n);
    for (std::size_t k = 0; k < n; ++k) all[k] = static_cast<std::int32_t>(k);
    return all;
}

template <class Order> ints their_order(Order order)
{
    std::vector<float> keys = floats;
    ints places = indices_of(keys.size());
    thrust::stable_sort_by_key(keys.begin(), keys.end(), places.begin(), order);
    return places;
}

inline ints our_order(const device &d, const mcl_op *order)
{
    const auto out = d.room(floats.size());
    mcl::sort_indices(d.queue, mcl::array<float>(d.context, floats), out, order);
    return d.read(out);
}

const difference differences[] = {
    { "the greatest of nothing",
      [] { return number(thrust::max_element(one_run.begin(), one_run.begin()) - one_run.begin()); },
      { 0 },
      [](const device &d) {
          std::int32_t index = untouched;
          mcl::reduce(d.queue, d.up(one_run).first(0), MCL_MAX_INDEX, mcl::to_host(&index));
          return number(index);
      },
      { -1 } },
    { "the greatest beside NaN",
      [] { return number(thrust::max_element(floats.begin(), floats.end()) - floats.begin()); },
      { 3 },
      [](const device &d) {
          std::int32_t index = untouched;
          mcl::reduce(d.queue, mcl::array<float>(d.context, floats), MCL_MAX_INDEX, mcl::to_host(&index));
          return number(index);
      },
      { 2 } },
    { "floats in rising order",
      [] { return their_order(thrust::less<float>()); },
      { 7, 4, 1, 5, 0, 6, 3, 2 },
      [](const device &d) { return our_order(d, MCL_LESS); },
      { 4, 0, 1, 5, 6, 3, 2, 7 } },
    { "floats in falling order",
      [] { return their_order(thrust::greater<float>()); },
      { 2, 3, 0, 6, 1, 5, 4, 7 },
      [](const device &d) { return our_order(d, MCL_GREATER); },
      { 2, 7, 3, 0, 1, 5, 6, 4 } },
    { "a scan of bytes into numbers",
      [] {
          ints out(3);
          thrust::inclusive_scan(bytes.begin(), bytes.end(), out.begin());
          return out;
      },
      { 100, -56, 44 },
      [](const device &d) {
          const auto out = d.room(3);
          mcl::scan(d.queue, mcl::array<std::int8_t>(d.context, bytes), out, MCL_ADD, MCL_INCLUSIVE);
          return d.read(out);
      },
      { 100, 200, 300 } },
    { "a sum of bytes without an initial value",
      [] { return number(thrust::reduce(bytes.begin(), bytes.end())); },
      { 44 },
      [](const device &d) {
          std::int32_t sum = untouched;
          mcl::reduce(d.queue, mcl::array<std::int8_t>(d.context, bytes), MCL_ADD, mcl::to_host(&sum));
          return number(sum);
      },
      { 300 } },
    { "the sum of a run of bytes",
      [] {
          ints keys(1), sums(1);
          thrust::reduce_by_key(one_run.begin(), one_run.end(), bytes.begin(), keys.begin(), sums.begin());
          return sums;
      },
      { 44 },
      [](const device &d) {
          const auto sums = d.room(1);
          mcl::reduce_by_key(d.queue, d.up(one_run), mcl::array<std::int8_t>(d.context, bytes), mcl::no_output(), sums,
                             MCL_ADD, MCL_EQUAL);
          return d.read(sums);
      },
      { 300 } },
};

#endif
