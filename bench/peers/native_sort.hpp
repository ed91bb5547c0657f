// native_sort.hpp: shared parts of the sorts of keys and of pairs: arrays that are copied and then sorted in place, and
// the registration for the bench's rows.
#pragma once
#include "native.hpp"

#include <memory>

namespace peers
{

template <class T> struct pair {
    T key;
    value_of<T> value;
};

// Compares keys, then values, which grow with the index. So equal keys keep their order.
template <class T> struct pair_less {
    bool operator()(const pair<T> &x, const pair<T> &y) const
    {
        return x.key < y.key || (x.key == y.key && x.value < y.value);
    }
};

// A sort's arrays. The n elements of in are copied to out, and out is sorted. fetch brings out to where the results
// belong.
template <class X, class Order> struct sorting {
    const X *in;
    X *out;
    int64_t n;
    std::function<void()> fetch;
};

// Offers a sort, timed with the copy of its input: sort(begin, end) works in place.
template <class X, class Order, class Sort>
void offer_sort(candidates &list, const char *name, const sorting<X, Order> &of, Sort sort)
{
    add(
        list, name,
        [in = of.in, out = of.out, n = of.n, sort] {
            std::copy(in, in + n, out);
            sort(out, out + n);
        },
        of.fetch);
}

// The list of types that are instantiated. Each type costs the build some seconds for each library.
template <class... Types> struct type_list {
};
using all_numbers = type_list<int8_t, int32_t, int64_t, uint32_t, uint64_t, float, double>;
using most_numbers = type_list<int32_t, int64_t, uint32_t, float, double>;

template <class F, class... Types> void with_types(const bench_problem &p, type_list<Types...>, F body)
{
    with_type<Types...>(p, body);
}

// Calls body(sorting) with the keys of the problem.
template <class List, class F> void with_keys(const bench_problem &p, List types, F body)
{
    with_types(p, types, [&](auto zero) {
        using T = decltype(zero);
        body(sorting<T, std::less<T>>{ input<T>(p, 0), result<T>(p, 0), p.n, {} });
    });
}

// Makes pairs as one array of X, before the timing. wrap(key, value) makes an X, and unwrap(x, key, value) reads it.
template <class X, class Order, class T, class Wrap, class Unwrap>
sorting<X, Order> wrapped_pairs(const bench_problem &p, Wrap wrap, Unwrap unwrap)
{
    using V = value_of<T>;
    const size_t n = static_cast<size_t>(p.n);
    const auto in = std::make_shared<std::vector<X>>(n);
    const auto out = std::make_shared<std::vector<X>>(n);
    for (size_t k = 0; k < n; k++) (*in)[k] = wrap(input<T>(p, 0)[k], input<V>(p, 1)[k]);
    return { in->data(), out->data(), p.n, [=, keys = result<T>(p, 0), values = result<V>(p, 1)] {
                (void)in; // the lambda keeps the array as long as the candidates
                for (size_t k = 0; k < n; k++) unwrap((*out)[k], keys[k], values[k]);
            } };
}

template <class List, class F> void with_pairs(const bench_problem &p, List types, F body)
{
    with_types(p, types, [&](auto zero) {
        using T = decltype(zero);
        body(wrapped_pairs<pair<T>, pair_less<T>, T>(
            p, [](T key, value_of<T> value) { return pair<T>{ key, value }; },
            [](const pair<T> &x, T &key, value_of<T> &value) {
                key = x.key;
                value = x.value;
            }));
    });
}

// Kinds of sorts. Sorts by any order belong to all rows of sorts. Sorts of numbers alone belong to all but the rows of
// mergesort.
enum class sort_kind { BY_COMPARISON, BY_NUMBER };

struct register_sorts {
    register_sorts(sort_kind kind, offer keys, offer pairs)
    {
        if (kind == sort_kind::BY_COMPARISON) add("mergesort_keys", keys, "mergesort_pairs", pairs);
        add("radixsort_keys", keys, "radixsort_pairs", pairs);
        add("sort_keys", keys, "sort_pairs", pairs);
    }

  private:
    static void add(const char *key_row, offer keys, const char *pair_row, offer pairs)
    {
        registry().push_back({ key_row, keys });
        if (pairs) registry().push_back({ pair_row, pairs });
    }
};

} // namespace peers
