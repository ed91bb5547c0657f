/* digits.c: the look-back of a sort's digits (cl/pieces/digits/digit_look_back.clh), as radix_sweep and multisplit call
 * it, on a few tiles by ticket. Tile t has 1 << t elements of digit 0, and twice as many of each next digit. So a sum
 * shows which tiles it has, and a tile that is counted twice or never is found. Parameters: MODEL, MODEL_GROUPS, one
 * for each tile; TILE_THREADS, MODEL_DIGITS, MCL_POLL_LIMIT, STATE_BITS. */
#include "dialect.h"

typedef int32_t index_type;
#define INDEX_BITS 32
#define TILE_ITEMS 16
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#define DIGIT_BITS 1
#define DIGITS MODEL_DIGITS
#define COUNTS_VARY 0
#define MCL_IS_GPU 1

typedef struct {
    int unused;
} env_type;
typedef index_type fold_type;

static fold_type fold(const env_type env, const fold_type p, const fold_type q)
{
    (void)env;
    return p + q;
}

static int digits_of_tile(index_type tile, int d)
{
    claim(tile >= 0 && tile < MODEL_GROUPS, "no tile is counted that is not there");
    return 1 << tile << d;
}

typedef struct {
    int unused;
} digit_source;

static int recount_digit(const env_type env, const digit_source source, const index_type tile, const int d)
{
    (void)env;
    (void)source;
    return digits_of_tile(tile, d);
}

#include "pieces/digits/digit_look_back.clh"

enum { COUNT = 4096, BEGIN = 100 };
static state_word states[MODEL_GROUPS * DIGITS];
static uint tickets;

static index_type begin_after(index_type tile, int d)
{
    index_type sum = BEGIN * (d + 1);
    for (index_type t = 0; t < tile; ++t) sum += digits_of_tile(t, d);
    return sum;
}

static void run(void)
{
    const env_type env = { 0 };
    const digit_source source = { 0 };
    index_type totals[DIGIT_SHARE], begins[DIGIT_SHARE];
    MCL_SHARED(digit_store, store);
    if (get_local_id(0) == 0) store->number = (index_type)atomic_increment_global(&tickets);
    group_barrier();
    const index_type tile = store->number;
    for (int s = 0; s < DIGIT_SHARE; ++s) {
        if (DIGIT(s) >= DIGITS) continue;
        totals[s] = digits_of_tile(tile, DIGIT(s));
        begins[s] = BEGIN * (DIGIT(s) + 1);
        store->base[DIGIT(s)] = 0;
    }
    digit_counts_publish(states, tile, begins, totals, COUNT);
    digit_look_back(env, source, states, tile, begins, totals, COUNT, store);
    for (int s = 0; s < DIGIT_SHARE; ++s)
        if (DIGIT(s) < DIGITS)
            claim(store->base[DIGIT(s)] == begin_after(tile, DIGIT(s)), "each digit begins after all earlier tiles'");
}

static void check(void)
{
    for (index_type tile = 0; tile < MODEL_GROUPS; ++tile) {
        for (int d = 0; d < DIGITS; ++d) {
            const state_word prefix = (state_word)STATE_PREFIX << STATE_SHIFT | (state_word)begin_after(tile + 1, d);
            claim(word_at_end(&states[tile * DIGITS + d]) == prefix, "each tile ends with its PREFIX");
        }
    }
}

const model MODEL = { .name = MODEL_NAME,
                      .claims = "each digit begins after all earlier tiles', and each group ends",
                      .groups = MODEL_GROUPS,
                      .lanes = TILE_THREADS,
                      .sharers = TILE_THREADS,
                      .are_alike = 1,
                      .run = run,
                      .check = check };
