/* segmented_reference.h: sums and prefix sums of segments and of runs on the host, for one type (for_each_type.h). */

static void NAME(segreduce_reference)(const bench_case *c)
{
    const T *in = c->problem.in[0].host;
    const int32_t *offsets = c->problem.in[1].host;
    T *out = c->problem.out[0].host;
    for (int64_t s = 0; s < c->problem.out[0].count; s++) {
        SUM sum = ZERO;
        for (int32_t k = offsets[s]; k < offsets[s + 1]; k++) sum = ADD(sum, in[k]);
        out[s] = TO_T(sum);
    }
}

static void NAME(segscan_reference)(const bench_case *c)
{
    const T *in = c->problem.in[0].host;
    const int32_t *offsets = c->problem.in[1].host;
    T *out = c->problem.out[0].host;
    for (int64_t s = 0; s + 1 < c->problem.in[1].count; s++) {
        SUM sum = ZERO;
        for (int32_t k = offsets[s]; k < offsets[s + 1]; k++) {
            sum = ADD(sum, in[k]);
            out[k] = TO_T(sum);
        }
    }
}

static void NAME(scan_by_key_reference)(const bench_case *c)
{
    const VALUE *keys = c->problem.in[0].host;
    const T *in = c->problem.in[1].host;
    T *out = c->problem.out[0].host;
    SUM sum = ZERO;
    for (int64_t k = 0; k < c->n; k++) {
        const SUM zero = ZERO;
        if (k > 0 && keys[k] != keys[k - 1]) sum = zero;
        sum = ADD(sum, in[k]);
        out[k] = TO_T(sum);
    }
}

static void NAME(by_key_reference)(const bench_case *c)
{
    const VALUE *keys = c->problem.in[0].host;
    const T *in = c->problem.in[1].host;
    VALUE *out_keys = c->problem.out[0].host;
    T *out = c->problem.out[1].host;
    int64_t run = -1;
    SUM sum = ZERO;
    for (int64_t k = 0; k < c->n; k++) {
        const SUM zero = ZERO;
        if (k == 0 || keys[k] != keys[k - 1]) {
            out_keys[++run] = keys[k];
            sum = zero;
        }
        sum = ADD(sum, in[k]);
        out[run] = TO_T(sum);
    }
    *(int64_t *)c->problem.out[2].host = run + 1;
}
