/* test_counting_sort.c: keys of 8 and 16 bits without values, which are sorted by counting. */
#include "support/devices.h"
#include "cases/elements.h"

#include "operations/sort/sort_operands.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 70000, TYPES = 4, SPREADS = 5 };

/* With these rows few keys are counted, too. */
static const char rows[] = "sort.counted_keys_8 \"\" 0\nsort.counted_keys_16 \"\" 0\n";

static const mcl_type *type_of(int turn)
{
    const mcl_type *const types[TYPES] = { MCL_UINT8, MCL_INT8, MCL_UINT16, MCL_INT16 };
    return types[turn % TYPES];
}

/* Returns the bits of a key: random, always one value, two values with one of them frequent, the least and the largest,
 * or ascending. */
static uint16_t key_of(int spread, uint64_t seed, int64_t k)
{
    const uint64_t r = test_random(seed, (uint64_t)k);
    const uint16_t bits[SPREADS] = { (uint16_t)r, 0x8081, (uint16_t)(r % 9 ? 77 : r >> 8), r % 2 ? 0x7f7f : 0x8080,
                                     (uint16_t)(k / 3) };
    return bits[spread];
}

static int64_t number_of(const mcl_type *type, const unsigned char *keys, int64_t k)
{
    if (mcl__same_type(type, MCL_UINT8)) return keys[k];
    if (mcl__same_type(type, MCL_INT8)) return ((const int8_t *)keys)[k];
    return mcl__same_type(type, MCL_UINT16) ? ((const uint16_t *)keys)[k] : ((const int16_t *)keys)[k];
}

static int compare(const void *p, const void *q)
{
    const int64_t a = *(const int64_t *)p, b = *(const int64_t *)q;
    return (a > b) - (a < b);
}

/* The inputs and outputs of the keys. */
enum { APART, IN_PLACE, COUNTED_ON_THE_DEVICE, BY_EXPRESSION, WAYS };

typedef struct problem {
    const mcl_type *type;
    int spread, falls, way;
    int64_t count, given; /* number of keys that are sorted, and of keys in the buffer */
} problem;

/* Checks the sorted keys. The output after them must be unchanged. */
static void compare_sorted(const problem *p, const unsigned char *keys, const unsigned char *before,
                           const unsigned char *got)
{
    int64_t *const expected = calloc((size_t)p->given + 1, sizeof *expected);
    if (!expected) abort();
    for (int64_t k = 0; k < p->count; k++) expected[k] = number_of(p->type, keys, k);
    qsort(expected, (size_t)p->count, sizeof *expected, compare);
    for (int64_t k = 0; k < p->count; k++) {
        const int64_t wanted = expected[p->falls ? p->count - 1 - k : k];
        ck_assert_msg(number_of(p->type, got, k) == wanted,
                      "%s, spread %d, falls %d, way %d, %ld of %ld: key %ld is %ld, "
                      "expected %ld",
                      p->type->name, p->spread, p->falls, p->way, (long)p->count, (long)p->given, (long)k,
                      (long)number_of(p->type, got, k), (long)wanted);
    }
    const size_t sorted = (size_t)p->count * p->type->size, all = (size_t)p->given * p->type->size;
    ck_assert(memcmp(got + sorted, before + sorted, all - sorted) == 0);
    free(expected);
}

static mcl_input keys_of(const problem *p, mcl_buffer *keys, mcl_buffer *count)
{
    static mcl_binding bound;
    const mcl_input whole = mcl_from_buffer(p->type, keys, 0, p->given);
    bound = mcl_binding_buffer("keys", p->type, keys, 0);
    if (p->way == COUNTED_ON_THE_DEVICE) return mcl_with_count(whole, count, 0);
    return p->way == BY_EXPRESSION ? mcl_from_expression(p->type, "keys[i]", NULL, &bound, 1, p->given) : whole;
}

static void check(mcl_queue *queue, const problem *p)
{
    static unsigned char keys[2 * MOST], before[2 * MOST], got[2 * MOST];
    mcl_context *const context = mcl_queue_context(queue);
    const size_t bytes = (size_t)p->given * p->type->size, room = bytes > 0 ? bytes : 1;
    const mcl_op *const order = p->falls ? MCL_GREATER : MCL_LESS;
    mcl_buffer *in = NULL, *out = NULL, *count = NULL;

    for (int64_t k = 0; k < p->given; k++) {
        const uint16_t bits = key_of(p->spread, (uint64_t)p->given, k);
        memcpy(keys + (size_t)k * p->type->size, &bits, p->type->size); /* little-endian, like all hosts of the tests */
    }
    memset(before, 0x5a, sizeof before);
    if (p->way == IN_PLACE) memcpy(before, keys, sizeof before);
    test_ok(mcl_buffer_create(context, room, bytes ? keys : NULL, &in));
    test_ok(mcl_buffer_create(context, room, bytes ? before : NULL, &out));
    test_ok(mcl_buffer_create(context, sizeof p->count, &p->count, &count));
    const mcl_input input = keys_of(p, in, count);
    const mcl_output output = mcl_to_buffer(p->type, p->way == IN_PLACE ? in : out, 0, p->given);
    test_ok(mcl_sort(queue, input, output, order, NULL));
    if (bytes) test_ok(mcl_buffer_read(queue, output.buffer, 0, bytes, got));
    compare_sorted(p, keys, before, got);
    mcl_buffer_release(in);
    mcl_buffer_release(out);
    mcl_buffer_release(count);
}

START_TEST(every_spread_is_sorted)
{
    static const int64_t counts[] = { 0, 1, 2, 255, 256, 257, 4099, MOST };
    const int sizes = sizeof counts / sizeof counts[0] - (test_is_small() ? 2 : 0), rounds = sizes * SPREADS * TYPES;
    mcl_context *const context = test_context_of_rows(_i, rows);
    mcl_queue *queue = NULL;
    int turn = 0;

    test_ok(mcl_queue_create(context, 0, &queue));
    for (int n = 0; n < sizes; n++)
        for (int spread = 0; spread < SPREADS; spread++)
            for (int type = 0; type < TYPES; type++, turn++) {
                problem p = { type_of(type), spread, turn / 3 % 2, turn % WAYS, counts[n], counts[n] };
                if (turn % 7 == 6) p.way = (p.way + 1) % WAYS;
                if (p.way == COUNTED_ON_THE_DEVICE) p.count = counts[n] - counts[n] / 3;
                if (test_sample_takes(turn, rounds)) check(queue, &p);
            }
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

enum { ARRAY = 1 << 26 }; /* bytes of the array of keys */

/* Returns the bytes of scratch of a sort. */
static size_t scratch_of(mcl_context *context, const mcl_type *type, const mcl_options *options)
{
    const int64_t count = ARRAY / (int64_t)type->size;
    mcl_queue *queue = NULL;
    mcl_buffer *keys = NULL;

    test_ok(mcl_queue_create_preparing(context, &queue));
    test_ok(mcl_buffer_create(context, ARRAY, NULL, &keys));
    const mcl_output out = mcl_to_buffer(type, keys, 0, count);
    test_ok(mcl_sort(queue, mcl_from_buffer(type, keys, 0, count), out, MCL_LESS, options));
    const size_t bytes = mcl_queue_scratch_bytes(queue);
    mcl_buffer_release(keys);
    mcl_queue_release(queue);
    return bytes;
}

/* Counts of 65536 values for each part of the keys take less than half of the array that other sorts take. */
START_TEST(counted_keys_take_no_array)
{
    const mcl_options radix = { .sort_method = MCL_SORT_RADIX };
    const mcl_options some_bits = { .first_bit = 2, .end_bit = 7 };
    mcl_context *const context = test_context_of_rows(_i, "sort.counted_keys_8 \"\" 67108864\n"
                                                          "sort.counted_keys_16 \"\" 33554432\n");

    if (test_sees_races(_i)) {
        mcl_context_release(context);
        test_skip(_i, "counted_keys_take_no_array", "oclgrind takes more than 3 GiB for these keys");
        return;
    }
    for (int type = 0; type < TYPES; type++) {
        const size_t counted = scratch_of(context, type_of(type), NULL);
        ck_assert_uint_lt(counted, ARRAY / 2);
        ck_assert_uint_ge(scratch_of(context, type_of(type), &radix), ARRAY);
        ck_assert_uint_ge(scratch_of(context, type_of(type), &some_bits), ARRAY);
    }
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, every_spread_is_sorted, device);
    test_add(tcase, counted_keys_take_no_array, device);
}

int main(void)
{
    return test_main("counting_sort", add);
}
