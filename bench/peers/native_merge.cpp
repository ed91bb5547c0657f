// native_merge.cpp: merges of keys and of pairs.
#include "native.hpp"

#include <execution>
#include <memory>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

// Calls piece(a's range, b's range, first index of the output) for equal shares of the output.
template <class T, class F> void for_each_piece(const T *a, int64_t a_count, const T *b, int64_t b_count, F piece)
{
    const int all = native_threads;
    const int64_t n = a_count + b_count;
    for_each_share(all, [=](int k) {
        const int64_t first = share(n, k, all);
        const int64_t last = share(n, k + 1, all);
        const int64_t a_first = merge_path(a, a_count, b, b_count, first);
        const int64_t a_last = merge_path(a, a_count, b, b_count, last);
        piece(a_first, a_last, first - a_first, last - a_last, first);
    });
}

template <class T> void offer_keys(const bench_problem &p, candidates &list)
{
    const T *a = input<T>(p, 0);
    const T *b = input<T>(p, 1);
    T *out = result<T>(p, 0);
    const int64_t a_count = p.in[0].count;
    const int64_t b_count = p.in[1].count;
    add(list, "std", [=] { std::merge(a, a + a_count, b, b + b_count, out); });
    add(list, "std::par", [=] { std::merge(std::execution::par_unseq, a, a + a_count, b, b + b_count, out); });
    add(list, "openmp", [=] {
        for_each_piece(a, a_count, b, b_count, [=](int64_t i, int64_t i_end, int64_t j, int64_t j_end, int64_t k) {
            std::merge(a + i, a + i_end, b + j, b + j_end, out + k);
        });
    });
}

// Pairs as two arrays for each input, which a loop merges.
template <class T> struct pair_arrays {
    const T *a;
    const value_of<T> *a_values;
    const T *b;
    const value_of<T> *b_values;
    T *out;
    value_of<T> *values;

    void merge(int64_t i, int64_t i_end, int64_t j, int64_t j_end, int64_t k) const
    {
        while (i < i_end && j < j_end) {
            if (b[j] < a[i]) {
                out[k] = b[j];
                values[k++] = b_values[j++];
            } else {
                out[k] = a[i];
                values[k++] = a_values[i++];
            }
        }
        std::copy(a + i, a + i_end, out + k);
        std::copy(a_values + i, a_values + i_end, values + k);
        k += i_end - i;
        std::copy(b + j, b + j_end, out + k);
        std::copy(b_values + j, b_values + j_end, values + k);
    }
};

// Pairs as one array of structs for each input, the form that std:: takes.
template <class T> struct pair_structs {
    struct pair {
        T key;
        value_of<T> value;
    };
    std::vector<pair> a, b, out;

    explicit pair_structs(const bench_problem &p) : out(static_cast<size_t>(p.n))
    {
        const auto zip = [](std::vector<pair> &to, const T *keys, const value_of<T> *values, int64_t count) {
            to.resize(static_cast<size_t>(count));
            for (size_t k = 0; k < to.size(); k++) to[k] = { keys[k], values[k] };
        };
        zip(a, input<T>(p, 0), input<value_of<T>>(p, 2), p.in[0].count);
        zip(b, input<T>(p, 1), input<value_of<T>>(p, 3), p.in[1].count);
    }
    void unzip(T *keys, value_of<T> *values) const
    {
        for (size_t k = 0; k < out.size(); k++) {
            keys[k] = out[k].key;
            values[k] = out[k].value;
        }
    }
};

template <class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    const pair_arrays<T> arrays = { input<T>(p, 0),           input<value_of<T>>(p, 2), input<T>(p, 1),
                                    input<value_of<T>>(p, 3), result<T>(p, 0),          result<value_of<T>>(p, 1) };
    const int64_t a_count = p.in[0].count;
    const int64_t b_count = p.in[1].count;
    add(list, "loop", [=] { arrays.merge(0, a_count, 0, b_count, 0); });
    add(list, "openmp", [=] {
        for_each_piece(arrays.a, a_count, arrays.b, b_count,
                       [=](int64_t i, int64_t i_end, int64_t j, int64_t j_end, int64_t k) {
                           arrays.merge(i, i_end, j, j_end, k);
                       });
    });
    const auto structs = std::make_shared<pair_structs<T>>(p);
    const auto less = [](const auto &x, const auto &y) { return x.key < y.key; };
    const auto fetch = [=] { structs->unzip(arrays.out, arrays.values); };
    add(
        list, "std",
        [=] {
            std::merge(structs->a.begin(), structs->a.end(), structs->b.begin(), structs->b.end(), structs->out.begin(),
                       less);
        },
        fetch);
    add(
        list, "std::par",
        [=] {
            std::merge(std::execution::par_unseq, structs->a.begin(), structs->a.end(), structs->b.begin(),
                       structs->b.end(), structs->out.begin(), less);
        },
        fetch);
}

static const register_op keys("merge_keys", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_keys<decltype(zero)>(p, list); });
});
static const register_op pairs("merge_pairs", [](const bench_problem &p, candidates &list) {
    with_number(p, [&](auto zero) { offer_pairs<decltype(zero)>(p, list); });
});

} // namespace
} // namespace peers
