/* sort_reference.h: the stable sort inside segments on the host, for one type (for_each_type.h). Inputs are the keys,
 * the values of pairs, and where segments begin. */

/* Sorts count positions by their keys; spare has as much room. */
static void NAME(sort_places)(const T *keys, int64_t *places, int64_t *spare, int64_t count)
{
    const int64_t half = count / 2;
    if (count < 2) return;
    NAME(sort_places)(keys, places, spare, half);
    NAME(sort_places)(keys, places + half, spare, count - half);
    memcpy(spare, places, (size_t)half * sizeof *spare);
    int64_t i = 0;
    int64_t j = half;
    for (int64_t k = 0; i < half; k++) {
        const int takes_right = j < count && LESS(keys[places[j]], keys[spare[i]]);
        places[k] = takes_right ? places[j++] : spare[i++];
    }
}

/* Of the segments, counted from 0 on, those of [first, last). places: room for twice as many as there are keys. */
static void NAME(sort_reference)(const bench_case *c, int64_t *places, int64_t first, int64_t last)
{
    const bench_problem *problem = &c->problem;
    const int pairs = problem->out_count == 2;
    const bench_array *starts = &problem->in[1 + pairs];
    const T *keys = problem->in[0].host;
    const VALUE *values = pairs ? problem->in[1].host : NULL;
    T *out = problem->out[0].host;
    VALUE *out_values = pairs ? problem->out[1].host : NULL;
    int64_t begin = first > 0 ? ((const int32_t *)starts->host)[first - 1] : 0;
    for (int64_t k = first; k < last; k++) {
        const int64_t end = k < starts->count ? ((const int32_t *)starts->host)[k] : c->n;
        for (int64_t place = begin; place < end; place++) places[place] = place;
        NAME(sort_places)(keys, places + begin, places + c->n + begin, end - begin);
        for (int64_t place = begin; place < end; place++) {
            out[place] = keys[places[place]];
            if (pairs) out_values[place] = values[places[place]];
        }
        begin = end;
    }
}
