// cub_sets.cu: Thrust's multiset operations; CUB has none.
#include "cub.cuh"

#include <thrust/execution_policy.h>
#include <thrust/set_operations.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

enum operation { INTERSECTION, UNION, DIFFERENCE, SYMMETRIC_DIFFERENCE };

static auto thrust_policy(kept_memory &memory)
{
    return thrust::cuda::par_nosync(memory).on(cub_stream);
}

template <operation op, class T> void offer_keys(const bench_problem &p, candidates &list)
{
    const device_arrays &arrays = arrays_of(p);
    const T *a = arrays.input<T>(0);
    const T *b = arrays.input<T>(1);
    T *out = arrays.result<T>(0);
    const T *a_end = a + p.in[0].count;
    const T *b_end = b + p.in[1].count;
    add(list, "thrust", [=] {
        kept_memory memory;
        const auto policy = thrust_policy(memory);
        if constexpr (op == INTERSECTION)
            thrust::set_intersection(policy, a, a_end, b, b_end, out);
        else if constexpr (op == UNION)
            thrust::set_union(policy, a, a_end, b, b_end, out);
        else if constexpr (op == DIFFERENCE)
            thrust::set_difference(policy, a, a_end, b, b_end, out);
        else
            thrust::set_symmetric_difference(policy, a, a_end, b, b_end, out);
    });
}

template <operation op, class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const device_arrays &arrays = arrays_of(p);
    const T *a = arrays.input<T>(0);
    const V *av = arrays.input<V>(2);
    const T *b = arrays.input<T>(1);
    const V *bv = arrays.input<V>(3);
    T *out = arrays.result<T>(0);
    V *values = arrays.result<V>(1);
    const T *a_end = a + p.in[0].count;
    const T *b_end = b + p.in[1].count;
    add(list, "thrust", [=] {
        kept_memory memory;
        const auto policy = thrust_policy(memory);
        if constexpr (op == INTERSECTION)
            thrust::set_intersection_by_key(policy, a, a_end, b, b_end, av, out, values);
        else if constexpr (op == UNION)
            thrust::set_union_by_key(policy, a, a_end, b, b_end, av, bv, out, values);
        else if constexpr (op == DIFFERENCE)
            thrust::set_difference_by_key(policy, a, a_end, b, b_end, av, bv, out, values);
        else
            thrust::set_symmetric_difference_by_key(policy, a, a_end, b, b_end, av, bv, out, values);
    });
}

// Integers only: each type and operation costs the build half a minute.
template <operation op> void offer_each(const bench_problem &p, candidates &list)
{
    with_type<int32_t, int64_t>(p, [&](auto zero) {
        if (p.in_count == 4)
            offer_pairs<op, decltype(zero)>(p, list);
        else
            offer_keys<op, decltype(zero)>(p, list);
    });
}

static const register_op registered_ops[] = {
    { "set_intersection", offer_each<INTERSECTION> },
    { "set_intersection_pairs", offer_each<INTERSECTION> },
    { "set_union", offer_each<UNION> },
    { "set_union_pairs", offer_each<UNION> },
    { "set_difference", offer_each<DIFFERENCE> },
    { "set_difference_pairs", offer_each<DIFFERENCE> },
    { "set_symmetric_difference", offer_each<SYMMETRIC_DIFFERENCE> },
    { "set_symmetric_difference_pairs", offer_each<SYMMETRIC_DIFFERENCE> },
};

} // namespace
} // namespace peers
