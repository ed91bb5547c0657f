// cub_search.cu: Thrust's lower bounds of sorted needles.
#include "cub.cuh"

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

template <class T> void offer_lower(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *needles = arrays.input<T>(0);
    const T *haystack = arrays.input<T>(1);
    int32_t *out = arrays.result<int32_t>(0);
    const int64_t needle_count = p.in[0].count;
    const int64_t haystack_count = p.in[1].count;
    add(list, "thrust", [=] {
        kept_memory memory;
        thrust::lower_bound(thrust::cuda::par_nosync(memory).on(cub_stream), haystack, haystack + haystack_count,
                            needles, needles + needle_count, out);
    });
}

void offer(const bench_problem &p, candidates &list)
{
    with_cub_type(p, [&](auto zero) { offer_lower<decltype(zero)>(p, list); });
}

static const register_op quarter("sorted_search_lower_25_75", offer);
static const register_op halves("sorted_search_lower_50_50", offer);
static const register_op equal("sorted_search_lower_n_n", offer);

} // namespace
} // namespace peers
