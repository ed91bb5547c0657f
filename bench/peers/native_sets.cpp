// native_sets.cpp: multiset operations on keys and on pairs.
#include "native.hpp"

#include <execution>
#include <memory>

namespace peers
{
namespace
{ // unnamed, since other operations have functions with these names

enum operation { INTERSECTION, UNION, DIFFERENCE, SYMMETRIC_DIFFERENCE };

// Calls the operation's std::set_* function, on one thread or by a policy.
template <operation op, class A, class Out, class Less, class... Policy>
Out std_set(A a, A a_end, A b, A b_end, Out out, Less less, const Policy &...policy)
{
    if constexpr (op == INTERSECTION)
        return std::set_intersection(policy..., a, a_end, b, b_end, out, less);
    else if constexpr (op == UNION)
        return std::set_union(policy..., a, a_end, b, b_end, out, less);
    else if constexpr (op == DIFFERENCE)
        return std::set_difference(policy..., a, a_end, b, b_end, out, less);
    else
        return std::set_symmetric_difference(policy..., a, a_end, b, b_end, out, less);
}

// Splits the work by key. It calls make(k > 0, piece, to) for each share k. make stores results from index to on and
// returns their number. Share 0 stores to the result, the other shares to scratch. Then move(from, count, to) moves the
// results of the other shares.
template <class T, class Make, class Move>
void for_each_piece(const T *a, int64_t a_count, const T *b, int64_t b_count, Make make, Move move)
{
    const int all = native_threads;
    std::vector<int64_t> first(static_cast<size_t>(all)), counts(static_cast<size_t>(all));
    for_each_share(all, [&](int k) {
        const piece p = piece_by_key(a, a_count, b, b_count, k, all);
        first[static_cast<size_t>(k)] = p.a + p.b;
        counts[static_cast<size_t>(k)] = make(k > 0, p, p.a + p.b);
    });
    for_each_share(all, [&](int k) {
        int64_t to = 0;
        for (int before = 0; before < k; before++) to += counts[static_cast<size_t>(before)];
        if (k > 0) move(first[static_cast<size_t>(k)], counts[static_cast<size_t>(k)], to);
    });
}

template <operation op, class T> void offer_keys(const bench_problem &p, candidates &list)
{
    const T *a = input<T>(p, 0);
    const T *b = input<T>(p, 1);
    T *out = result<T>(p, 0);
    const int64_t a_count = p.in[0].count;
    const int64_t b_count = p.in[1].count;
    const std::less<T> less;
    const std::shared_ptr<std::vector<T>> scratch = std::make_shared<std::vector<T>>(static_cast<size_t>(p.n));
    add(list, "std", [=] { std_set<op>(a, a + a_count, b, b + b_count, out, less); });
    add(list, "std::par", [=] { std_set<op>(a, a + a_count, b, b + b_count, out, less, std::execution::par_unseq); });
    add(list, "openmp", [=] {
        T *kept = scratch->data();
        for_each_piece(
            a, a_count, b, b_count,
            [=](bool keep, const piece &s, int64_t to) -> int64_t {
                T *start = (keep ? kept : out) + to;
                return std_set<op>(a + s.a, a + s.a_end, b + s.b, b + s.b_end, start, less) - start;
            },
            [=](int64_t from, int64_t count, int64_t to) { std::copy_n(kept + from, count, out + to); });
    });
}

// Pairs as two arrays for each input, which a loop works on.
template <operation op, class T> struct pair_arrays {
    using V = value_of<T>;
    const T *a;
    const V *a_values;
    const T *b;
    const V *b_values;

    int64_t run(const piece &s, T *out, V *values) const
    {
        int64_t i = s.a, j = s.b, k = 0;
        while (i < s.a_end && j < s.b_end) {
            if (a[i] < b[j]) {
                if (op != INTERSECTION) put(out, values, k, a[i], a_values[i]);
                i++;
            } else if (b[j] < a[i]) {
                if (op == UNION || op == SYMMETRIC_DIFFERENCE) put(out, values, k, b[j], b_values[j]);
                j++;
            } else {
                if (op == INTERSECTION || op == UNION) put(out, values, k, a[i], a_values[i]);
                i++;
                j++;
            }
        }
        if (op != INTERSECTION) {
            std::copy(a + i, a + s.a_end, out + k);
            std::copy(a_values + i, a_values + s.a_end, values + k);
            k += s.a_end - i;
        }
        if (op == UNION || op == SYMMETRIC_DIFFERENCE) {
            std::copy(b + j, b + s.b_end, out + k);
            std::copy(b_values + j, b_values + s.b_end, values + k);
            k += s.b_end - j;
        }
        return k;
    }
    static void put(T *out, V *values, int64_t &k, T key, V value)
    {
        out[k] = key;
        values[k++] = value;
    }
};

// Pairs as one array of structs for each input, the form that std:: takes.
template <class T> struct pair_structs {
    struct pair {
        T key;
        value_of<T> value;
    };
    std::vector<pair> a, b, out;
    size_t count = 0;

    explicit pair_structs(const bench_problem &p) : out(static_cast<size_t>(p.n))
    {
        const auto zip = [](std::vector<pair> &to, const T *keys, const value_of<T> *values, int64_t size) {
            to.resize(static_cast<size_t>(size));
            for (size_t k = 0; k < to.size(); k++) to[k] = { keys[k], values[k] };
        };
        zip(a, input<T>(p, 0), input<value_of<T>>(p, 2), p.in[0].count);
        zip(b, input<T>(p, 1), input<value_of<T>>(p, 3), p.in[1].count);
    }
    void unzip(T *keys, value_of<T> *values) const
    {
        for (size_t k = 0; k < count; k++) {
            keys[k] = out[k].key;
            values[k] = out[k].value;
        }
    }
};

template <operation op, class T> void offer_pairs(const bench_problem &p, candidates &list)
{
    using V = value_of<T>;
    const pair_arrays<op, T> arrays = { input<T>(p, 0), input<V>(p, 2), input<T>(p, 1), input<V>(p, 3) };
    T *out = result<T>(p, 0);
    V *values = result<V>(p, 1);
    const int64_t a_count = p.in[0].count;
    const int64_t b_count = p.in[1].count;
    const auto kept = std::make_shared<std::vector<T>>(static_cast<size_t>(p.n));
    const auto kept_values = std::make_shared<std::vector<V>>(static_cast<size_t>(p.n));
    add(list, "loop", [=] { arrays.run({ 0, a_count, 0, b_count }, out, values); });
    add(list, "openmp", [=] {
        T *keys = kept->data();
        V *others = kept_values->data();
        for_each_piece(
            arrays.a, a_count, arrays.b, b_count,
            [=](bool keep, const piece &s, int64_t to) {
                return arrays.run(s, (keep ? keys : out) + to, (keep ? others : values) + to);
            },
            [=](int64_t from, int64_t count, int64_t to) {
                std::copy_n(keys + from, count, out + to);
                std::copy_n(others + from, count, values + to);
            });
    });
    const auto structs = std::make_shared<pair_structs<T>>(p);
    const auto less = [](const auto &x, const auto &y) { return x.key < y.key; };
    const auto run = [=](const auto &...policy) {
        const auto end = std_set<op>(structs->a.begin(), structs->a.end(), structs->b.begin(), structs->b.end(),
                                     structs->out.begin(), less, policy...);
        structs->count = static_cast<size_t>(end - structs->out.begin());
    };
    const auto fetch = [=] { structs->unzip(out, values); };
    add(
        list, "std", [=] { run(); }, fetch);
    add(
        list, "std::par", [=] { run(std::execution::par_unseq); }, fetch);
}

template <operation op> void offer_each(const bench_problem &p, candidates &list)
{
    with_number(p, [&](auto zero) {
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
