/* reduce_reference.h: the sum on the host, for one type (for_each_type.h). */

static void NAME(reduce_reference)(const bench_case *c)
{
    const T *in = c->problem.in[0].host;
    SUM sum = ZERO;
    for (int64_t k = 0; k < c->n; k++) sum = ADD(sum, in[k]);
    *(T *)c->problem.out[0].host = TO_T(sum);
}
