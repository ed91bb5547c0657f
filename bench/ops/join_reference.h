/* join_reference.h: relational joins on the host, for one type (for_each_type.h). Inputs are a and b, outputs the rows'
 * indices. keeps has a bit for each side whose keys without a partner have rows: 1: a, 2: b. */

static void NAME(join_reference)(bench_case *c, int keeps)
{
    const bench_array *in = c->problem.in;
    const T *a = in[0].host;
    const T *b = in[1].host;
    const int64_t a_count = in[0].count;
    const int64_t b_count = in[1].count;
    int32_t *to_a = c->problem.out[0].host;
    int32_t *to_b = c->problem.out[1].host;
    int64_t count = 0;
    for (int64_t i = 0, first = 0; i < a_count; i++) {
        while (first < b_count && LESS(b[first], a[i])) first++;
        int64_t j = first;
        for (; j < b_count && !LESS(a[i], b[j]); j++) {
            to_a[count] = (int32_t)i;
            to_b[count++] = (int32_t)j;
        }
        if (j > first || !(keeps & 1)) continue;
        to_a[count] = (int32_t)i;
        to_b[count++] = -1;
    }
    for (int64_t j = 0, i = 0; j < b_count && (keeps & 2); j++) {
        while (i < a_count && LESS(a[i], b[j])) i++;
        if (i < a_count && !LESS(b[j], a[i])) continue;
        to_a[count] = -1;
        to_b[count++] = (int32_t)j;
    }
    for (int k = 0; k < 2; k++) c->problem.out[k].count = count;
}
