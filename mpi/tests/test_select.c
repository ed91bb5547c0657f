/* test_select.c: tests selections from more keys than all ranks sort at once, against the core's call on the whole. */
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40000, MANY = 300000 };

/* A key with a tag. Keys are equal if their first members are. The tag tells which of equal keys was chosen. */
static const mcl_type tagged = { .name = "tagged_key",
                                 .size = 8,
                                 .source = "typedef struct { int key; int tag; } tagged_key;",
                                 .kind = MCL_KIND_STRUCT };
/* Returns the order by key. Its text has a source, a literal and a binding, and ends in a comment. */
static mcl_op by_key(void)
{
    const int32_t one = 1;
    return (mcl_op){ .role = MCL_ROLE_ORDER,
                     .expression = "times('a' - 97 + p.key, one) < times(q.key, one) // ascending",
                     .source = "static inline int times(const int p, const int q) { return p * q; }",
                     .binding_count = 1,
                     .bindings = { mcl_binding_value("one", MCL_INT32, &one) } };
}

typedef union key_words {
    uint32_t number;
    float real;
    int32_t words[2];
} key_words;

typedef enum key_kind { KEYS_RANDOM, KEYS_EQUAL, KEYS_FEW, KEYS_DOWN, KEYS_REAL, KEYS_TAGGED, KEY_KINDS } key_kind;

static key_words make_key(key_kind kind, int64_t k, uint64_t *seed)
{
    static const uint32_t odd[] = { 0, 0x80000000u, 0x7fc00000u, 0x7f800000u,
                                    0xff800000u }; /* bits of 0, -0, NaN and infinities */
    const uint32_t number = (uint32_t)(random_next(seed) >> 8);
    key_words key = { .words = { (int32_t)number, (int32_t)k } };
    if (kind == KEYS_EQUAL) key.number = 7;
    if (kind == KEYS_FEW) key.number = number % 50 < 30 ? 9 : number % 5;
    if (kind == KEYS_DOWN) key.number = (uint32_t)(MOST - k);
    if (kind == KEYS_REAL) key.real = (float)(int32_t)number;
    if (kind == KEYS_REAL && number % 3 == 0) key.number = odd[number / 3 % 5];
    if (kind == KEYS_TAGGED) key.words[0] = (int32_t)(number % 4);
    return key;
}

typedef struct choice {
    const spread *data;
    const mcl_op *before;
    const char *name;
} choice;

/* Compares the keys at count indices, step apart, with the core's keys. */
static void keys_from(ranks_test *test, const choice *of, int64_t first, int64_t step, int64_t count)
{
    const mcl_type *const type = of->data->type;
    const size_t bytes = (size_t)count * type->size;
    const mcl_input indices = mcl_from_step(MCL_INT64, &first, &step, count);
    unsigned char *const expected = calloc((size_t)count, type->size);
    room out = room_make(test, type, count);
    expect_ok(test,
              mcl_mpi_nth_elements(test->mpi, spread_input(of->data), indices, room_output(&out), of->before, NULL),
              of->name);
    if (test->rank == 0) {
        mcl_buffer *from = NULL, *to = NULL;
        expect_core(test,
                    mcl_buffer_create(test->context, (size_t)of->data->count * type->size, of->data->whole, &from),
                    "the whole");
        expect_core(test, mcl_buffer_create(test->context, bytes, NULL, &to), "its keys");
        expect_core(test,
                    mcl_nth_elements(test->queue, mcl_from_buffer(type, from, 0, of->data->count), indices,
                                     mcl_to_buffer(type, to, 0, count), of->before, NULL),
                    of->name);
        expect_core(test, mcl_buffer_read(test->queue, to, 0, bytes, expected), "its keys");
        mcl_buffer_release(from);
        mcl_buffer_release(to);
    }
    expect_part(test, &out, expected, count, 0, count, of->name);
    room_free(&out);
    free(expected);
}

/* Selects keys at indices from before the first key to after the last one. */
static void keys_of(ranks_test *test, const choice *of, int64_t count)
{
    keys_from(test, of, -1, of->data->count / (count - 2) + 1, count);
}

/* Selects keys at indices that are near each other: at both ends and in the middle. */
static void near_keys(ranks_test *test, const choice *of)
{
    const int64_t last = of->data->count - 1;
    keys_from(test, of, 0, 1, 1);
    keys_from(test, of, last / 2, 1, 2);
    keys_from(test, of, last / 3, 40, 3);
    keys_from(test, of, last - 1, 1, 2);
}

static void select_case(ranks_test *test, key_kind kind, cut_kind cut, int64_t count)
{
    static const char *const names[KEY_KINDS] = { "random", "equal", "few", "descending", "real", "tagged" };
    const mcl_type *const type = kind == KEYS_REAL ? MCL_FLOAT : kind == KEYS_TAGGED ? &tagged : MCL_UINT32;
    unsigned char *const whole = malloc((size_t)count * type->size);
    uint64_t seed = (uint64_t)kind + 1;
    const mcl_op of_tagged = by_key();
    char name[64];
    snprintf(name, sizeof name, "selection of %s keys, cut %d", names[kind], (int)cut);
    for (int64_t k = 0; k < count; ++k) {
        const key_words key = make_key(kind, k, &seed);
        memcpy(whole + (size_t)k * type->size, &key, type->size);
    }
    spread data = spread_make(test, type, whole, count, cut);
    const choice all = { &data, kind == KEYS_TAGGED ? &of_tagged : MCL_LESS, name };
    near_keys(test, &all);                          /* uses two bounds */
    if (count == MOST) keys_of(test, &all, 5);      /* uses counting */
    if (count == MOST) keys_of(test, &all, 31);     /* uses counting with few pivots for each index */
    if (kind == KEYS_FEW) keys_of(test, &all, 150); /* uses splitters, in more than two batches */
    spread_free(&data);
    free(whole);
}

/* Tests each kind of keys with one cut over the ranks. Random cuts test keys that are equal but differ in their
 * tags. */
void test_select(ranks_test *test)
{
    /* threads compile each program only once, so they run all cases */
    if (!test->by->is_one_process && ((test->size != 3 && test->size != 7) || !takes_turn(test, 1))) return;
    for (int kind = test->size > 4 ? KEYS_TAGGED : 0; kind < KEY_KINDS; ++kind)
        select_case(test, (key_kind)kind,
                    kind == KEYS_TAGGED ? CUT_RANDOM : (cut_kind)((kind + test->size) % CUT_KINDS), MOST);
    /* bounds need a second round; one rank has no keys */
    if (test->size == 3) select_case(test, KEYS_RANDOM, CUT_ODD_RANKS, MANY);
    if (test->size == 2) select_case(test, KEYS_DOWN, CUT_EVEN, MANY);
}
