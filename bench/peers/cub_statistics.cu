// cub_statistics.cu: the least and the greatest element together, and a shuffled sequence.
#include "cub.cuh"

#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>

namespace peers
{
namespace
{ // other operations have functions of the same names

template <class T> void offer_min_max(const bench_problem &p, candidates &list)
{
    const T *in = arrays_of(p).template input<T>(0);
    const int64_t n = p.n;
    const auto found = std::make_shared<std::pair<const T *, const T *>>();
    add(
        list, "thrust",
        [=] {
            kept_memory memory;
            const auto both = thrust::minmax_element(thrust::cuda::par_nosync(memory).on(cub_stream), in, in + n);
            *found = { both.first, both.second };
        },
        [=, &p] {
            T *out = result<T>(p, 0);
            check(cudaMemcpy(out, found->first, sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
            check(cudaMemcpy(out + 1, found->second, sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        });
}

// Shuffles numbers that count. What is compared has each number at its own index. The first output is not compared and
// counts no elements, so that it has no room here.
void shuffle(const bench_problem &p, candidates &list)
{
    const int32_t *in = arrays_of(p).input<int32_t>(0);
    const int64_t n = p.n;
    const std::shared_ptr<void> memory_of_out = device_memory(static_cast<size_t>(n) * sizeof(int32_t));
    int32_t *out = static_cast<int32_t *>(memory_of_out.get());
    add(
        list, "thrust",
        [=] {
            kept_memory memory;
            thrust::shuffle_copy(thrust::cuda::par_nosync(memory).on(cub_stream), in, in + n, out,
                                 thrust::default_random_engine(7));
        },
        [=, &p] {
            std::vector<int32_t> numbers(static_cast<size_t>(n));
            check(cudaMemcpy(numbers.data(), memory_of_out.get(), numbers.size() * sizeof(int32_t),
                             cudaMemcpyDeviceToHost),
                  "cudaMemcpy");
            for (const int32_t number : numbers) result<int32_t>(p, 1)[number] = number;
        });
}

void min_max(const bench_problem &p, candidates &list)
{
    with_type<int32_t, float>(p, [&](auto zero) { offer_min_max<decltype(zero)>(p, list); });
}

const register_op both("min_max", min_max);
const register_op numbers("shuffled", shuffle);

} // namespace
} // namespace peers
