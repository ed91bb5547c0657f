// native_boost_sort.cpp: the sorts of Boost.Sort: parallel sorts by any order, and spreadsort of numbers.
#include "native_sort.hpp"

#include <boost/sort/block_indirect_sort/block_indirect_sort.hpp>
#include <boost/sort/parallel_stable_sort/parallel_stable_sort.hpp>
#include <boost/sort/spreadsort/spreadsort.hpp>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

template <class X, class Less> void offer_sorts(candidates &list, const sorting<X, Less> &of)
{
    const auto threads = [] { return static_cast<uint32_t>(native_threads); };
    offer_sort(list, "boost block_indirect_sort", of,
               [=](X *begin, X *end) { boost::sort::block_indirect_sort(begin, end, Less(), threads()); });
    offer_sort(list, "boost parallel_stable_sort", of,
               [=](X *begin, X *end) { boost::sort::parallel_stable_sort(begin, end, Less(), threads()); });
}

static void keys(const bench_problem &p, candidates &list)
{
    with_keys(p, most_numbers(), [&](auto of) { offer_sorts(list, of); });
}

static void pairs(const bench_problem &p, candidates &list)
{
    with_pairs(p, most_numbers(), [&](auto of) { offer_sorts(list, of); });
}

// Offers spreadsort for keys alone. It is not stable, and no order of pairs would keep equal keys in place.
static void numbers(const bench_problem &p, candidates &list)
{
    with_keys(p, most_numbers(), [&](auto of) {
        offer_sort(list, "boost spreadsort", of,
                   [](auto *begin, auto *end) { boost::sort::spreadsort::spreadsort(begin, end); });
    });
}

static const register_sorts sorts(sort_kind::BY_COMPARISON, keys, pairs);
static const register_sorts spreadsort(sort_kind::BY_NUMBER, numbers, nullptr);

} // namespace
} // namespace peers
