// native_ips4o.cpp: the in-place super scalar samplesort, by one thread and by all threads.
#include "native_sort.hpp"

#include <ips4o.hpp>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

template <class X, class Less> void offer_sorts(candidates &list, const sorting<X, Less> &of)
{
    offer_sort(list, "ips4o", of, [](X *begin, X *end) { ips4o::sort(begin, end, Less()); });
    offer_sort(list, "ips4o parallel", of,
               [](X *begin, X *end) { ips4o::parallel::sort(begin, end, Less(), native_threads); });
}

static void keys(const bench_problem &p, candidates &list)
{
    with_keys(p, most_numbers(), [&](auto of) { offer_sorts(list, of); });
}

static void pairs(const bench_problem &p, candidates &list)
{
    with_pairs(p, most_numbers(), [&](auto of) { offer_sorts(list, of); });
}

static const register_sorts sorts(sort_kind::BY_COMPARISON, keys, pairs);

} // namespace
} // namespace peers
