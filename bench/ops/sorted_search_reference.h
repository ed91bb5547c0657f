/* sorted_search_reference.h: bounds of sorted keys in each other on the host, for one type (for_each_type.h). Inputs
 * are needles and haystack; a second output, if there is one, is of the haystack, and both then have matches. */

static void NAME(sorted_search_reference)(const bench_case *c)
{
    const T *a = c->problem.in[0].host;
    const T *b = c->problem.in[1].host;
    const int64_t a_count = c->problem.in[0].count;
    const int64_t b_count = c->problem.in[1].count;
    const int complete = c->problem.out_count == 2;
    uint32_t *a_out = c->problem.out[0].host;
    uint32_t *b_out = complete ? c->problem.out[1].host : NULL;
    const uint32_t match = 0x80000000u;
    int64_t j = 0;
    for (int64_t i = 0; i < a_count; i++) {
        while (j < b_count && LESS(b[j], a[i])) j++;
        a_out[i] = (uint32_t)j;
        if (complete && j < b_count && !(LESS(a[i], b[j]))) a_out[i] |= match;
    }
    int64_t i = 0;
    for (int64_t k = 0; complete && k < b_count; k++) {
        while (i < a_count && !(LESS(b[k], a[i]))) i++;
        b_out[k] = (uint32_t)i;
        if (i > 0 && !(LESS(a[i - 1], b[k]))) b_out[k] |= match;
    }
}
