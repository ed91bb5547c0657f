// native_copy.cpp: copies.
#include "native.hpp"

#include <execution>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

static void offer_copy(const bench_problem &p, candidates &list)
{
    const char *from = static_cast<const char *>(p.in[0].host);
    char *to = result<char>(p, 0);
    const int64_t bytes = p.n * static_cast<int64_t>(p.in[0].type->size);
    add(list, "memcpy", [=] { std::memcpy(to, from, static_cast<size_t>(bytes)); });
    add(list, "std::par", [=] { std::copy(std::execution::par_unseq, from, from + bytes, to); });
    add(list, "openmp", [=] {
        const int all = native_threads;
        for_each_share(all, [=](int k) {
            const int64_t begin = share(bytes, k, all);
            std::memcpy(to + begin, from + begin, static_cast<size_t>(share(bytes, k + 1, all) - begin));
        });
    });
}

static const register_op copy("copy", offer_copy);

} // namespace
} // namespace peers
