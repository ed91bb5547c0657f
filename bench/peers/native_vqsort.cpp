// native_vqsort.cpp: Highway's vectorized quicksort, which runs on one thread. A pair is one word of key and value.
#include "native_sort.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <cstring>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

template <class T> using bits_of = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

// Convert keys to unsigned numbers of the same order, and back. Uniform floats are not negative.
template <class T> bits_of<T> ordered(T key)
{
    bits_of<T> bits = 0;
    std::memcpy(&bits, &key, sizeof key);
    return std::is_signed_v<T> && std::is_integral_v<T> ? bits ^ bits_of<T>(1) << (8 * sizeof(T) - 1) : bits;
}
template <class T> T unordered(bits_of<T> bits)
{
    T key;
    if (std::is_signed_v<T> && std::is_integral_v<T>) bits ^= bits_of<T>(1) << (8 * sizeof(T) - 1);
    std::memcpy(&key, &bits, sizeof key);
    return key;
}

template <class X, class Less> void offer_vqsort(candidates &list, const sorting<X, Less> &of)
{
    const auto sorter = std::make_shared<hwy::Sorter>();
    offer_sort(list, "vqsort", of, [sorter](X *begin, X *end) {
        (*sorter)(begin, static_cast<size_t>(end - begin), hwy::SortAscending());
    });
}

static void keys(const bench_problem &p, candidates &list)
{
    with_keys(p, most_numbers(), [&](auto of) { offer_vqsort(list, of); });
}

// Offers pairs. The value is the lower half of a word, so that equal keys keep their order.
template <class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    if constexpr (sizeof(T) == 4) {
        offer_vqsort(list, wrapped_pairs<uint64_t, std::less<uint64_t>, T>(
                               p,
                               [](T key, V value) {
                                   return static_cast<uint64_t>(ordered(key)) << 32 | static_cast<uint32_t>(value);
                               },
                               [](uint64_t word, T &key, V &value) {
                                   key = unordered<T>(static_cast<uint32_t>(word >> 32));
                                   value = static_cast<V>(word);
                               }));
    } else {
        offer_vqsort(list,
                     wrapped_pairs<hwy::uint128_t, void, T>(
                         p, [](T key, V value) { return hwy::uint128_t{ static_cast<uint64_t>(value), ordered(key) }; },
                         [](const hwy::uint128_t &word, T &key, V &value) {
                             key = unordered<T>(word.hi);
                             value = static_cast<V>(word.lo);
                         }));
    }
}

static void pairs(const bench_problem &p, candidates &list)
{
    with_types(p, most_numbers(), [&](auto zero) { offer_pairs<decltype(zero)>(p, list); });
}

static const register_sorts sorts(sort_kind::BY_NUMBER, keys, pairs);

} // namespace
} // namespace peers
