/* select_reference.h: one half of the elements on the host, for one type (for_each_type.h). */

static void NAME(select_if_reference)(bench_case *c)
{
    const T *in = c->problem.in[0].host;
    const T middle = *(const T *)lower_half[c->type->index].middle;
    T *out = c->problem.out[0].host;
    int64_t kept = 0;
    for (int64_t k = 0; k < c->n; k++)
        if (LESS(in[k], middle)) out[kept++] = in[k];
    c->problem.out[0].count = *(int64_t *)c->problem.out[1].host = kept;
}

static void NAME(select_flagged_reference)(bench_case *c)
{
    const T *in = c->problem.in[0].host;
    const uint8_t *flags = c->problem.in[1].host;
    T *out = c->problem.out[0].host;
    int64_t kept = 0;
    for (int64_t k = 0; k < c->n; k++)
        if (flags[k]) out[kept++] = in[k];
    c->problem.out[0].count = *(int64_t *)c->problem.out[1].host = kept;
}

static void NAME(partition_if_reference)(bench_case *c)
{
    const T *in = c->problem.in[0].host;
    const T middle = *(const T *)lower_half[c->type->index].middle;
    T *out = c->problem.out[0].host;
    T *rejected = c->problem.out[1].host;
    int64_t *counts = c->problem.out[2].host;
    counts[0] = counts[1] = 0;
    for (int64_t k = 0; k < c->n; k++) {
        if (LESS(in[k], middle))
            out[counts[0]++] = in[k];
        else
            rejected[counts[1]++] = in[k];
    }
    c->problem.out[0].count = counts[0];
    c->problem.out[1].count = counts[1];
}
