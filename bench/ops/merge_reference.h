/* merge_reference.h: the stable merge on the host, for one type (for_each_type.h). Inputs are a and b, or a's keys,
 * a's values, b's keys and b's values. */

static void NAME(merge_reference)(const bench_case *c)
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
    for (int64_t k = 0; k < c->n; k++) {
        const int from_b = i == a_count || (j < b_count && LESS(b[j], a[i]));
        if (pairs) values[k] = from_b ? b_values[j] : a_values[i];
        out[k] = from_b ? b[j] : a[i];
        j += from_b;
        i += !from_b;
    }
}
