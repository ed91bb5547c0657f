/* fold.c: copies, reductions and scans, also by key and by segment. */
#include "../sweep.h"

#include <string.h>

/* ---- copies, reductions and scans of elements of all sizes ------------------------------------------------------ */

static mcl_status copy_prepare(sweep *s)
{
    const mcl_type *const type = sweep_bytes_type(s->v[1]);
    s->bytes = 2.0 * (double)s->v[0] * (double)s->v[1];
    SWEEP_TRY(sweep_random(s, 0, type, s->v[0], 1));
    return sweep_output(s, 0, type, s->v[0]);
}

static mcl_status copy_call(sweep *s)
{
    return mcl_transform(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), NULL);
}

static void copy_plain(sweep *s)
{
    memcpy(s->out[0].host, s->in[0].host, (size_t)(s->v[0] * s->v[1]));
}

const sweep_op sweep_op_copy = {
    .name = "copy",
    .tile = "transform",
    .parameters = { SWEEP_N(SWEEP_TUNED("any.group_tiles_serial", SWEEP_TILES)),
                    { .name = "bytes", .base = 4, .values = sweep_element_bytes } },
    .prepare = copy_prepare,
    .call = copy_call,
    .plain = copy_plain,
};

/* The sum of elements. Structs are added word by word. */
#define X(bytes)                                                                                                       \
    { .role = MCL_ROLE_FOLD,                                                                                           \
      .expression = "sweep_plus_" #bytes "(p, q)",                                                                     \
      .source = "static inline sweep_words_" #bytes " sweep_plus_" #bytes "(sweep_words_" #bytes                       \
                " p, const sweep_words_" #bytes " q)\n"                                                                \
                "{\n#pragma unroll\nfor (int k = 0; k < " #bytes " / 4; k++) p.w[k] += q.w[k];\nreturn p; }\n" },
static const mcl_op wide_sums[] = { SWEEP_WIDE_LIST(X) };
#undef X
#define X(bytes) (bytes),
static const int wide_bytes[] = { SWEEP_WIDE_LIST(X) };
#undef X

static const mcl_op *sum_of(int64_t bytes)
{
    for (size_t k = 0; k < sizeof wide_bytes / sizeof *wide_bytes; k++)
        if (wide_bytes[k] == bytes) return &wide_sums[k];
    return MCL_ADD;
}

static mcl_status reduce_prepare(sweep *s)
{
    const mcl_type *const type = sweep_bytes_type(s->v[1]);
    s->bytes = (double)s->v[0] * (double)s->v[1];
    SWEEP_TRY(sweep_random(s, 0, type, s->v[0], 1));
    return sweep_output(s, 0, type, 1);
}

static mcl_status reduce_call(sweep *s)
{
    return mcl_reduce(s->bench->queue, sweep_in(s, 0), sum_of(s->v[1]), sweep_count(s, 0), NULL);
}

#define SUM_NUMBER(sum, x) ((sum) += (x))
#define SUM_WORDS(sum, x)                                                                                              \
    do {                                                                                                               \
        for (size_t j = 0; j < sizeof(sum) / 4; j++) (sum).w[j] += (x).w[j];                                           \
    } while (0)
/* Runs a loop, with or without storing the running sums. */
#define PLAIN_SUMS(type, plus)                                                                                         \
    {                                                                                                                  \
        const type *const in = s->in[0].host;                                                                          \
        type *const out = s->out[0].host;                                                                              \
        type sum;                                                                                                      \
        memset(&sum, 0, sizeof sum);                                                                                   \
        for (int64_t k = 0; k < s->v[0] && !scans; k++) plus(sum, in[k]);                                              \
        if (!scans) out[0] = sum;                                                                                      \
        for (int64_t k = 0; k < s->v[0] && scans; k++) {                                                               \
            plus(sum, in[k]);                                                                                          \
            out[k] = sum;                                                                                              \
        }                                                                                                              \
        return;                                                                                                        \
    }

static void plain_sums(sweep *s, int scans)
{
    if (s->v[1] == 1) PLAIN_SUMS(uint8_t, SUM_NUMBER)
    if (s->v[1] == 2) PLAIN_SUMS(uint16_t, SUM_NUMBER)
    if (s->v[1] == 4) PLAIN_SUMS(uint32_t, SUM_NUMBER)
    if (s->v[1] == 8) PLAIN_SUMS(uint64_t, SUM_NUMBER)
#define X(bytes)                                                                                                       \
    if (s->v[1] == (bytes)) PLAIN_SUMS(sweep_words_##bytes, SUM_WORDS)
    SWEEP_WIDE_LIST(X)
#undef X
}

static void reduce_plain(sweep *s)
{
    plain_sums(s, 0);
}

const sweep_op sweep_op_reduce = {
    .name = "reduce",
    .tile = "reduce",
    .parameters = { SWEEP_N(SWEEP_TUNED("reduce.single_tiles", SWEEP_TILES),
                            SWEEP_TUNED("reduce.parts", SWEEP_TILES_A_UNIT)),
                    { .name = "bytes", .base = 4, .values = sweep_element_bytes } },
    .prepare = reduce_prepare,
    .call = reduce_call,
    .plain = reduce_plain,
};

static mcl_status scan_call(sweep *s)
{
    return mcl_scan(s->bench->queue, sweep_in(s, 0), sweep_out(s, 0), sum_of(s->v[1]), MCL_INCLUSIVE, mcl_to_nowhere(),
                    NULL);
}

static void scan_plain(sweep *s)
{
    plain_sums(s, 1);
}

const sweep_op sweep_op_scan = {
    .name = "scan",
    .tile = "scan",
    .parameters = { SWEEP_N(SWEEP_TUNED("any.few_words", SWEEP_TILES), SWEEP_TUNED("any.parts", SWEEP_TILES_A_UNIT),
                            SWEEP_TUNED("any.group_tiles_serial", SWEEP_TILES_A_UNIT),
                            SWEEP_TUNED("any.block_tiles", SWEEP_TILES_A_UNIT)),
                    { .name = "bytes", .base = 4, .values = sweep_element_bytes } },
    .prepare = copy_prepare,
    .call = scan_call,
    .plain = scan_plain,
};

/* ---- in segments ------------------------------------------------------------------------------------------------ */

static mcl_status segments_prepare(sweep *s)
{
    int64_t segments = 0;
    s->bytes = 4.0 * (double)s->v[0];
    SWEEP_TRY(sweep_random(s, 0, MCL_UINT32, s->v[0], 1));
    SWEEP_TRY(sweep_offsets(s, 1, s->v[0], s->v[1], s->v[2], &segments));
    s->bytes += 8.0 * (double)segments;
    return sweep_output(s, 0, MCL_UINT32, segments);
}

static mcl_status segmented_reduce_call(sweep *s)
{
    return mcl_segmented_reduce(s->bench->queue, sweep_in(s, 0), mcl_segments_from_offsets(sweep_in(s, 1)),
                                sweep_out(s, 0), MCL_ADD, mcl_to_nowhere(), NULL);
}

static void segmented_reduce_plain(sweep *s)
{
    const uint32_t *const in = s->in[0].host;
    const int32_t *const offsets = s->in[1].host;
    uint32_t *const out = s->out[0].host;
    for (int64_t k = 0; k + 1 < s->in[1].count; k++) {
        uint32_t sum = 0;
        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++) sum += in[i];
        out[k] = sum;
    }
}

#define LENGTH(...)                                                                                                    \
    {                                                                                                                  \
        .name = "length", .base = 100, .least = 1, .most = 10000000, .limits = { __VA_ARGS__ }                         \
    }
#define MIX { .name = "mix", .names = sweep_mix_names }

const sweep_op sweep_op_segmented_reduce = {
    .name = "segmented_reduce",
    .tile = "segmented_reduce",
    .parameters = { SWEEP_N(SWEEP_TUNED("segmented_reduce.once_tiles", SWEEP_TILES_A_UNIT),
                            SWEEP_TUNED("segmented_reduce.lanes_tiles", SWEEP_TILES_A_UNIT)),
                    LENGTH(SWEEP_TUNED("segmented_reduce.direct_length", SWEEP_AS_IS),
                           SWEEP_TUNED("segmented_reduce.direct_length_of_few", SWEEP_AS_IS),
                           SWEEP_TUNED("segmented_reduce.group_length", SWEEP_AS_IS),
                           SWEEP_TUNED("segmented_reduce.piece_bits", SWEEP_EXPONENT)),
                    MIX },
    .prepare = segments_prepare,
    .call = segmented_reduce_call,
    .plain = segmented_reduce_plain,
};

static mcl_status segmented_scan_prepare(sweep *s)
{
    SWEEP_TRY(segments_prepare(s));
    s->bytes += 4.0 * (double)s->v[0];
    return sweep_output(s, 0, MCL_UINT32, s->v[0]);
}

static mcl_status segmented_scan_call(sweep *s)
{
    return mcl_segmented_scan(s->bench->queue, sweep_in(s, 0), mcl_segments_from_offsets(sweep_in(s, 1)),
                              sweep_out(s, 0), MCL_ADD, MCL_INCLUSIVE, NULL);
}

static void segmented_scan_plain(sweep *s)
{
    const uint32_t *const in = s->in[0].host;
    const int32_t *const offsets = s->in[1].host;
    uint32_t *const out = s->out[0].host;
    for (int64_t k = 0; k + 1 < s->in[1].count; k++) {
        uint32_t sum = 0;
        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++) out[i] = sum += in[i];
    }
}

const sweep_op sweep_op_segmented_scan = {
    .name = "segmented_scan",
    .tile = "segmented_scan",
    .parameters = { SWEEP_N(SWEEP_TUNED("any.group_tiles_serial", SWEEP_TILES_A_UNIT)), LENGTH({ .number = 0 }), MIX },
    .prepare = segmented_scan_prepare,
    .call = segmented_scan_call,
    .plain = segmented_scan_plain,
};

/* ---- by key ----------------------------------------------------------------------------------------------------- */

static mcl_status by_key_prepare(sweep *s)
{
    const int64_t runs = s->v[0] / s->v[1] > 0 ? s->v[0] / s->v[1] : 1;
    s->bytes = 8.0 * (double)s->v[0] + 8.0 * (double)runs;
    SWEEP_TRY(sweep_runs(s, 0, MCL_INT32, s->v[0], s->v[1]));
    SWEEP_TRY(sweep_random(s, 1, MCL_UINT32, s->v[0], 2));
    SWEEP_TRY(sweep_output(s, 0, MCL_INT32, s->v[0]));
    SWEEP_TRY(sweep_output(s, 1, MCL_UINT32, s->v[0]));
    return sweep_output(s, 2, MCL_INT64, 1);
}

static mcl_status by_key_call(sweep *s)
{
    return mcl_reduce_by_key(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0), sweep_out(s, 1), MCL_ADD,
                             MCL_EQUAL, sweep_count(s, 2), NULL);
}

static void by_key_plain(sweep *s)
{
    const int32_t *const keys = s->in[0].host;
    const uint32_t *const values = s->in[1].host;
    int32_t *const out_keys = s->out[0].host;
    uint32_t *const out = s->out[1].host;
    int64_t runs = 0;
    for (int64_t k = 0; k < s->v[0]; runs++) {
        uint32_t sum = 0;
        const int32_t key = keys[k];
        for (; k < s->v[0] && keys[k] == key; k++) sum += values[k];
        out_keys[runs] = key;
        out[runs] = sum;
    }
    *(int64_t *)s->out[2].host = s->out[0].count = s->out[1].count = runs;
}

const sweep_op sweep_op_reduce_by_key = {
    .name = "reduce_by_key",
    .tile = "reduce_by_key",
    .parameters = { SWEEP_N(SWEEP_TUNED("any.parts", SWEEP_TILES_A_UNIT)), LENGTH({ .number = 0 }) },
    .prepare = by_key_prepare,
    .call = by_key_call,
    .plain = by_key_plain,
};

static mcl_status scan_by_key_prepare(sweep *s)
{
    SWEEP_TRY(by_key_prepare(s));
    s->out_count = 1;
    s->bytes = 12.0 * (double)s->v[0];
    return sweep_output(s, 0, MCL_UINT32, s->v[0]);
}

static mcl_status scan_by_key_call(sweep *s)
{
    return mcl_scan_by_key(s->bench->queue, sweep_in(s, 0), sweep_in(s, 1), sweep_out(s, 0), MCL_ADD, MCL_EQUAL,
                           MCL_INCLUSIVE, NULL);
}

static void scan_by_key_plain(sweep *s)
{
    const int32_t *const keys = s->in[0].host;
    const uint32_t *const values = s->in[1].host;
    uint32_t *const out = s->out[0].host;
    uint32_t sum = 0;
    for (int64_t k = 0; k < s->v[0]; k++) {
        sum = k > 0 && keys[k] == keys[k - 1] ? sum + values[k] : values[k];
        out[k] = sum;
    }
}

const sweep_op sweep_op_scan_by_key = {
    .name = "scan_by_key",
    .tile = "scan_by_key",
    .parameters = { SWEEP_N(SWEEP_TUNED("any.parts", SWEEP_TILES_A_UNIT)), LENGTH({ .number = 0 }) },
    .prepare = scan_by_key_prepare,
    .call = scan_by_key_call,
    .plain = scan_by_key_plain,
};
