/* scan.c: the kernels of a scan by look-back (cl/kernels/fold/scan.cl), with one element for each work-item of a tile.
 *
 * The operator joins intervals: [p, q) and [q, r) become [p, r). A fold of two intervals that are not neighbours is
 * TORN, and so is every fold of it. So a result shows whether a fold was in the wrong order, made twice or missing. The
 * words of a value confirm each other: words of two values, or a word that was read before its flag, are no interval.
 * Parameters: MODEL, MODEL_GROUPS, one for each tile; TILE_THREADS; MCL_POLL_LIMIT; MODEL_WORDS, of a value;
 * fold_ROUNDS; HAS_INITIAL; FEW_TILES, 1: scan_few_tiles. */
#include "dialect.h"

typedef int32_t index_type;
#define INDEX_BITS 32
#define TILE_ITEMS 1
#define MODEL_TILES MODEL_GROUPS
#define MCL_IS_GPU (TILE_THREADS > 1)
#define SCAN_LOOK_BACK 1
#define SCAN_INCLUSIVE 1
#define SCAN_SEPARATE 1
#define FOLD_ROLLED 1
#define RESIDENT 1

typedef struct {
    int unused;
} env_type;
#define MAKE_env ((env_type){ 0 })

/* An interval. Each word also has a part that confirms the other words. */
typedef struct {
    uint32_t words[MODEL_WORDS];
} fold_type;
typedef int32_t in_type;
typedef fold_type out_type;
typedef fold_type total_type;
#define fold_HAS_IDENTITY 0
#define fold_HAS_VECTORS 0
#define fold_USES_ELEMENT 0
#define fold_COMMUTATIVE 0
#define ARRAY_in 0
#define out_HAS_VECTORS 0

enum { TORN = 0xffffffff };

static fold_type interval(uint32_t first, uint32_t end)
{
    fold_type v;
    v.words[0] = first << 16 | end;
    for (uint32_t k = 1; k < MODEL_WORDS; ++k) v.words[k] = (first * 77u + end * 13u + 5u) * (k + 1);
    return v;
}

static int is_same(const fold_type p, const fold_type q)
{
    int agrees = 1;
    for (int k = 0; k < MODEL_WORDS; ++k) agrees &= p.words[k] == q.words[k];
    return agrees;
}

static int is_interval(const fold_type v)
{
    const uint32_t first = v.words[0] >> 16, end = v.words[0] & 0xffff;
    return first < end && is_same(v, interval(first, end));
}

/* Folds two intervals. Lanes whose value is not used may fold intervals that are not neighbours. */
static fold_type fold(const env_type env, const fold_type p, const fold_type q)
{
    (void)env;
    const int is_torn = p.words[0] == TORN || q.words[0] == TORN;
    claim(is_torn || (is_interval(p) && is_interval(q)), "each value that is folded is one that a tile has published");
    if (!is_torn && (p.words[0] & 0xffff) == q.words[0] >> 16) return interval(p.words[0] >> 16, q.words[0] & 0xffff);
    fold_type torn = p;
    torn.words[0] = TORN;
    return torn;
}

static fold_type fold_extract(const env_type env, const in_type x, const index_type k)
{
    (void)env;
    (void)k;
    return interval((uint32_t)x, (uint32_t)x + 1);
}

static out_type fold_result(const env_type env, const in_type x, const fold_type v)
{
    (void)env;
    (void)x;
    return v;
}

/* ---- operands, as the host would write them ---------------------------------------------------------------- */

enum { ELEMENTS = MODEL_TILES * TILE_THREADS * TILE_ITEMS };

/* Sequences. Both count from their element number first on. */
typedef struct {
    index_type first, count;
} input_in;
typedef struct {
    index_type first;
} output_out, output_total;
typedef struct {
    input_in in;
    output_out out;
    output_total total;
    int flags;
    index_type block, block_tiles;
} operands_type;

/* Returns element k, the interval [k + 1, k + 2). The initial value is [0, 1). */
static in_type load_in(const input_in in, const index_type k)
{
    claim(in.first + k >= 0 && in.first + k < ELEMENTS, "no element is loaded that is not there");
    return in.first + k + 1;
}

static input_in shift_in(const input_in in, const index_type k)
{
    return (input_in){ in.first + k, in.count };
}

static void store_out(const output_out out, const index_type k, const fold_type v)
{
    const fold_type expected = interval(HAS_INITIAL ? 0 : 1, (uint32_t)(out.first + k) + 2);
    claim(is_same(v, expected), "each result is the fold of all elements up to its own");
}

static inline output_out shift_out(const output_out out, const index_type k)
{
    return (output_out){ out.first + k };
}

#define store_total(total, k, v) store_out(total, ELEMENTS - 1, v)
#define fold_to_total(v) (v)
#define fold_to_out(v) (v)

static ulong state_words[MODEL_TILES * MODEL_WORDS];
static uint counter_words[2];
#define PARAMS_scan_tiles ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, counters) INITIAL_PARAM
#define PARAMS_scan_few_tiles PARAMS_scan_tiles
#define TAKE_scan_tiles(o) ((o) = (scan_operands){ .in = { 0, ELEMENTS }, .flags = TOTAL_TO_SLOT })
#define TAKE_scan_few_tiles TAKE_scan_tiles

#include "kernels/fold/scan.cl"

static void run(void)
{
#if HAS_INITIAL
    const fold_type initial = interval(0, 1);
#endif
#if FEW_TILES
    scan_few_tiles(state_words, counter_words INITIAL);
#else
    scan_tiles(state_words, counter_words INITIAL);
#endif
    (void)scan_few_tiles;
    (void)scan_tiles;
    (void)look_back_clear;
}

static void check(void)
{
#if FEW_TILES
    for (int k = 0; k < MODEL_TILES * MODEL_WORDS; ++k)
        claim(word_at_end(&state_words[k]) == 0, "the last group leaves all states zero");
    for (int k = 0; k < 2; ++k) claim(word_at_end(&counter_words[k]) == 0, "the last group leaves both counters zero");
#else
    for (int k = 0; k < MODEL_TILES; ++k)
        claim(tag_status((uint)(word_at_end(&state_words[k * MODEL_WORDS]) >> 32)) == STATE_PREFIX,
              "each tile ends with its PREFIX");
#endif
}

const model MODEL = { .name = MODEL_NAME,
                      .claims = "each result is right and each group ends",
                      .groups = MODEL_GROUPS,
                      .lanes = TILE_THREADS,
                      .sharers = TILE_THREADS < 4 ? TILE_THREADS : 4,
                      .are_alike = 1,
                      .run = run,
                      .check = check };
