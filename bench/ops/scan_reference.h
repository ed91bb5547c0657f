/* scan_reference.h: the scans on the host, for one type (for_each_type.h). */

static void NAME(scan_sum_reference)(const bench_case *c)
{
    const T *in = c->problem.in[0].host;
    T *out = c->problem.out[0].host;
    SUM sum = ZERO;
    for (int64_t k = 0; k < c->n; k++) {
        out[k] = TO_T(sum);
        sum = ADD(sum, in[k]);
    }
}

static void NAME(scan_maxindex_reference)(const bench_case *c)
{
    const T *in = c->problem.in[0].host;
    int32_t *out = c->problem.out[0].host;
    int64_t best = 0;
    for (int64_t k = 0; k < c->n; k++) {
        if (LESS(in[best], in[k])) best = k;
        out[k] = (int32_t)best;
    }
}

static void NAME(scan_maxpair_reference)(const bench_case *c)
{
    const AT *in = c->problem.in[0].host;
    AT *out = c->problem.out[0].host;
    int64_t best = 0;
    for (int64_t k = 0; k < c->n; k++) {
        if (LESS(in[best].value, in[k].value)) best = k;
        out[k] = in[best];
    }
}
