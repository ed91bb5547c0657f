/* sets_reference.h: the multiset operations on the host, for one type (for_each_type.h). Inputs are a and b, or a's
 * keys, a's values, b's keys and b's values. kept has a bit for each way a step can go: 1: a's key comes first, 2: b's,
 * 4: they are equal. */

static void NAME(sets_reference)(bench_case *c, int kept)
{
    const int pairs = c->problem.in_count == 4;
    const bench_array *in = c->problem.in;
    const T *a = in[0].host;
    const T *b = in[pairs ? 2 : 1].host;
    const VALUE *a_values = pairs ? in[1].host : NULL;
    const VALUE *b_values = pairs ? in[3].host : NULL;
    const int64_t a_count = in[0].count;
    const int64_t b_count = in[pairs ? 2 : 1].count;
    T *out = c->problem.out[0].host;
    VALUE *values = pairs ? c->problem.out[1].host : NULL;
    int64_t i = 0;
    int64_t j = 0;
    int64_t count = 0;
    while (i < a_count || j < b_count) {
        const int b_first = i == a_count || (j < b_count && LESS(b[j], a[i]));
        const int a_first = j == b_count || (i < a_count && LESS(a[i], b[j]));
        if (kept & (a_first ? 1 : b_first ? 2 : 4)) {
            if (pairs) values[count] = b_first ? b_values[j] : a_values[i];
            out[count++] = b_first ? b[j] : a[i];
        }
        i += !b_first;
        j += !a_first;
    }
    for (int k = 0; k < c->problem.out_count; k++) c->problem.out[k].count = count;
}
