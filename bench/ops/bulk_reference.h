/* bulk_reference.h: bulk remove and bulk insert on the host, for one type (for_each_type.h). */

static void NAME(bulk_remove_reference)(const bench_case *c)
{
    const T *in = c->problem.in[0].host;
    const int32_t *indices = c->problem.in[1].host;
    T *out = c->problem.out[0].host;
    int64_t next = 0;
    int64_t kept = 0;
    for (int64_t k = 0; k < c->n; k++) {
        if (next < c->problem.in[1].count && indices[next] == k)
            next++;
        else
            out[kept++] = in[k];
    }
}

static void NAME(bulk_insert_reference)(const bench_case *c)
{
    const T *a = c->problem.in[0].host;
    const int32_t *indices = c->problem.in[1].host;
    const T *b = c->problem.in[2].host;
    T *out = c->problem.out[0].host;
    int64_t i = 0;
    int64_t j = 0;
    for (int64_t k = 0; k < c->n; k++) {
        const int from_a = i < c->problem.in[0].count && indices[i] == j;
        out[k] = from_a ? a[i] : b[j];
        i += from_a;
        j += !from_a;
    }
}
