/* map.c: groups that enter keys in a hash map (cl/kernels/map/map.cl, map_enter). Two groups enter the same key.
 * Parameters: MODEL, MODEL_GROUPS; MCL_IS_GPU, 0: the search of processors; KEY_BYTES, 4 or 8, and VALUE_BYTES, 0 or as
 * many; MODEL_ERASED, 1: all slots of a bucket but one have been erased; MODEL_KEYS, the groups' keys. */
#define TILE_THREADS 1
#include "dialect.h"

typedef int32_t index_type;
#define INDEX_BITS 32
#define TILE_ITEMS 1
#define LINE_BUCKETS 1
#define MAP_CLAIMS_ENTRY (KEY_BYTES == 4 && VALUE_BYTES == 4)
#define MAP_UNIQUE 0
#define MAP_ASSIGNS 0
#define HAS_fold (VALUE_BYTES > 0)
#define MAP_ADDS 0
#define GROUP_GATHERS 0
#define MAP_FOLDS_AT_ONCE (HAS_fold && !MAP_CLAIMS_ENTRY)

typedef struct {
    int unused;
} env_type;
#define MAKE_env ((env_type){ 0 })

#if KEY_BYTES == 8
typedef uint64_t keys_type, values_type;
#else
typedef uint32_t keys_type, values_type;
#endif
typedef struct {
    index_type first, count;
} input_keys, input_values;
typedef struct {
    input_keys keys;
    input_values values;
} operands_type;

static const keys_type model_keys[MODEL_GROUPS] = { MODEL_KEYS };

static keys_type load_keys(const input_keys keys, const index_type k)
{
    claim(k >= 0 && k < keys.count, "no key is loaded that is not there");
    return model_keys[k];
}

#if VALUE_BYTES > 0
/* Returns the value of element k. Values are powers of two, so that a sum shows its values. */
static values_type load_values(const input_values values, const index_type k)
{
    (void)values;
    return (values_type)1 << k;
}

#define fold_extract(env, x, k) (x)
static values_type fold(const env_type env, const values_type p, const values_type q)
{
    (void)env;
    return p + q;
}
#endif

#define PARAMS_map_enter                                                                                               \
    ARRAY_PARAM(map_slot, slots), int64_t buckets, key_bits empty, key_bits erased, ARRAY_PARAM(uint8_t, done),        \
        ARRAY_PARAM(uint, counters), ARRAY_PARAM(uint, skipped), int has_done, int has_erased, int is_first
#define PARAMS_map_seek PARAMS_map_enter
#define TAKE_map_enter(o) ((o) = (operands_type){ .keys = { 0, MODEL_GROUPS }, .values = { 0, MODEL_GROUPS } })
#define TAKE_map_seek TAKE_map_enter

#include "kernels/map/map.cl"

enum { BUCKETS = 2, SLOTS = BUCKETS * BUCKET_SLOTS, ERASED_KEY = 0x7777 };
static _Alignas(16) map_slot slots[SLOTS];
static uint counters[MAP_COUNTER_WORDS], skipped[2];
static uint8_t done[MODEL_GROUPS];

static void start(void)
{
    for (int k = 0; k < SLOTS; ++k)
        if ((k + 1) % BUCKET_SLOTS) word_begins(&slots[k].key, ERASED_KEY);
}

static void run(void)
{
    map_enter(slots, BUCKETS, 0, ERASED_KEY, done, counters, skipped, 0, MODEL_ERASED, 1);
    (void)map_seek;
}

/* Returns the key that slot k has in the end. */
static uint64_t key_of_slot(int k)
{
    const uint64_t word = word_at_end(&slots[k].key);
    return MAP_CLAIMS_ENTRY ? word & 0xffffffffu : word;
}

static uint64_t value_of_slot(int k)
{
#if MAP_CLAIMS_ENTRY
    return word_at_end(&slots[k].key) >> 32;
#elif VALUE_BYTES > 0
    return word_at_end(&slots[k].value);
#else
    return (uint64_t)k * 0;
#endif
}

static void check(void)
{
    uint32_t keys = 0;
    for (int g = 0; g < MODEL_GROUPS; ++g) {
        int places = 0, is_first = 1;
        uint64_t value = 0, expected = 0;
        for (int other = 0; other < MODEL_GROUPS; ++other) {
            if (model_keys[other] != model_keys[g]) continue;
            is_first &= other >= g;
            expected += VALUE_BYTES > 0 ? (uint64_t)1 << other : 0;
        }
        for (int k = 0; k < SLOTS; ++k) {
            if (key_of_slot(k) != model_keys[g]) continue;
            ++places;
            value = value_of_slot(k);
        }
        keys += (uint32_t)is_first;
        claim(places == 1, "each key has one slot");
        claim(value == expected, "each key has the fold of all its values");
    }
    claim(word_at_end(&counters[2 * MAP_ENTERED]) == keys, "as many keys are counted as were entered");
    claim(word_at_end(&counters[2 * MAP_FILLED]) + (MODEL_ERASED ? keys : 0) >= keys, "filled slots are counted");
    claim(word_at_end(&skipped[0]) == 0, "no key is skipped");
}

const model MODEL = { .name = MODEL_NAME,
                      .claims = "each key has one slot and the fold of its values, and each group ends",
                      .groups = MODEL_GROUPS,
                      .lanes = 1,
                      .sharers = 1,
                      .has_cells = MAP_CLAIMS_ENTRY,
                      .start = MODEL_ERASED ? start : NULL,
                      .run = run,
                      .check = check };
