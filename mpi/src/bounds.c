/* bounds.c: keys of some indices are sought between two bounds, which are samples. */
#include "bounds.h"

#include "operators.h"
#include "plan.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS_MOST = 64,
    DEVIATIONS = 3, /* deviations of a sample's index between a wanted key and its bound */
    FEW_PARTS = 4,  /* bounds that have more than one of as many parts of the samples between them do not pay */
    TEST_BYTES = 2 * EXPRESSION_BYTES + 128
};

/* The keys that a test is for: those before the first bound, or others that are before the last one. */
typedef enum side { BEFORE_FIRST, BETWEEN, SIDES } side;

/* A test whether a key comes before a bound, in the order of the whole: by key, then by position. */
typedef struct bound_test {
    mcl_op op;
    char text[TEST_BYTES];
} bound_test;

typedef struct search {
    mcl_mpi *mpi;
    mcl__wanted *of;
    int64_t low, high; /* indices of the bounds among the samples; there is no bound below 0 or past the last sample */
    int64_t stride;    /* keys for which a sample stands */
    int64_t room;      /* keys between the bounds on one rank, in all likelihood at most */
    mcl_input samples, positions;
    int64_t (*counts)[SIDES]; /* keys of each rank before the first bound, and between the two; this rank's come last */
    bound_test *tests;        /* [SIDES] */
} search;

/* Returns whether a copy of the text with longer names has room. */
static int has_room(const char *text)
{
    size_t length = 1;
    for (; *text; ++text) length += *text == 'p' || *text == 'q' ? sizeof "(mcl_key)" - 1 : 1;
    return length <= EXPRESSION_BYTES;
}

/* Returns whether the order can be part of a test's text. A source may have other meanings of the test's names, or a
 * macro with those of the order. A literal may have their letters. Halves in memory are no numbers in a text. */
static int makes_tests(const mcl_type *type, const mcl_op *before)
{
    return before && before->expression && !before->source && before->binding_count == 0 &&
           !strpbrk(before->expression, "'\"") && has_room(before->expression) && type->size <= MCL_VALUE_BYTES_MAX &&
           !(type->kind == MCL_KIND_FLOAT && type->size == 2);
}

/* ---- bounds ------------------------------------------------------------------------------------------------ */

/* Returns the square root of the number of samples of a round, which does not grow with the ranks. */
static int64_t root_of(const search *s)
{
    const int64_t root = mcl__sample_root(s->mpi->size, s->of->whole.total);
    const int64_t most = s->mpi->transport->kind == MCL_MPI_NCCL ? MCL__SAMPLE_ROOT : MCL__SELECT_ROOT;
    return root < most ? root : most;
}

/* Chooses the bounds. Returns whether few samples lie between them. */
static int choose_bounds(search *s, int64_t root, int64_t tries)
{
    const mcl__wanted *const of = s->of;
    const int64_t margin = DEVIATIONS * tries * (root / 2) + 1;
    s->low = of->indices[0] / s->stride - margin;
    s->high = of->indices[of->count - 1] / s->stride + 1 + margin;
    const int64_t between = s->high - s->low;
    s->room = between > of->keys.count / s->stride ? of->keys.count : between * s->stride;
    return between <= s->samples.count / FEW_PARTS;
}

/* Reads a sample and its position among this rank's keys. In a test they are values, which kernels need not load. */
static mcl_status read_bound(const search *s, int64_t sample, unsigned char *key, int64_t *at)
{
    mcl_queue *const queue = s->mpi->queue;
    const size_t bytes = s->samples.type->size;
    mcl_status status = mcl_buffer_read(queue, s->samples.buffer, (size_t)sample * bytes, bytes, key);
    MCL__THEN(status, mcl_buffer_read(queue, s->positions.buffer, (size_t)sample * sizeof *at, sizeof *at, at));
    *at -= s->of->whole.first;
    return status;
}

/* Makes the test of a bound. Without a bound no key is before the first one, and every key is before the last one. */
static mcl_status make_test(const search *s, side of, bound_test *out)
{
    static const mcl__renamed key_first[] = { { 'p', "(x)" }, { 'q', "(mcl_key)" } };
    static const mcl__renamed bound_first[] = { { 'p', "(mcl_key)" }, { 'q', "(x)" } };
    static const char *const with_none[SIDES] = { "mcl_given && ", "!mcl_given || " };
    mcl_mpi *const mpi = s->mpi;
    const mcl_op *const before = s->of->before;
    const int64_t wanted = of == BEFORE_FIRST ? s->low : s->high;
    const int32_t given = wanted >= 0 && wanted < s->samples.count;
    int64_t at = 0;
    unsigned char key[MCL_VALUE_BYTES_MAX] = { 0 };
    char key_before[EXPRESSION_BYTES], bound_before[EXPRESSION_BYTES];
    mcl_status status = mcl__rename(mpi, before->expression, key_first, 2, key_before);
    MCL__THEN(status, mcl__rename(mpi, before->expression, bound_first, 2, bound_before));
    if (given) MCL__THEN(status, read_bound(s, wanted, key, &at));
    if (status != MCL_OK) return status;
    snprintf(out->text, sizeof out->text, "%s((%s\n) || (!(%s\n) && i < mcl_at))", with_none[of], key_before,
             bound_before);
    out->op = (mcl_op){ .role = MCL_ROLE_TEST,
                        .expression = out->text,
                        .binding_count = 3,
                        .bindings = { mcl_binding_value("mcl_key", s->samples.type, key),
                                      mcl_binding_value("mcl_at", MCL_INT64, &at),
                                      mcl_binding_value("mcl_given", MCL_INT32, &given) } };
    return MCL_OK;
}

/* ---- rounds ------------------------------------------------------------------------------------------------ */

/* Counts this rank's keys by the bounds, and keeps the first room of those between them. */
static mcl_status split_keys(const search *s, int64_t room, mcl_buffer **kept)
{
    mcl_mpi *const mpi = s->mpi;
    const mcl_input keys = s->of->keys;
    const mcl_output none = { 0 };
    int64_t numbers[SIDES + 1] = { 0 };
    mcl_buffer *counts = NULL;
    mcl_status status = mcl__room_of(mpi, ROOM_SMALL, sizeof numbers, &counts);
    MCL__THEN(status, mcl__room_of(mpi, mcl__room_to_keep(mpi, &keys), room * (int64_t)keys.type->size, kept));
    MCL__THEN(status, mcl_partition_three(mpi->queue, keys, none, mcl_to_buffer(keys.type, *kept, 0, room), none,
                                          &s->tests[BEFORE_FIRST].op, &s->tests[BETWEEN].op,
                                          mcl_to_slot(MCL_INT64, counts, 0), NULL));
    MCL__THEN(status, mcl_buffer_read(mpi->queue, counts, 0, sizeof numbers, numbers));
    for (side of = BEFORE_FIRST; of < SIDES; ++of) s->counts[mpi->size][of] = numbers[of];
    return status;
}

/* Keeps this rank's keys between the bounds. They rarely are more than there was room for. */
static mcl_status keep_between(const search *s, mcl_buffer **kept)
{
    const int64_t *const between = &s->counts[s->mpi->size][BETWEEN];
    s->counts[s->mpi->size][BEFORE_FIRST] = s->counts[s->mpi->size][BETWEEN] = 0;
    if (s->of->keys.count == 0) return MCL_OK;
    mcl_status status = split_keys(s, s->room, kept);
    if (*between > s->room) MCL__THEN(status, split_keys(s, *between, kept));
    return status;
}

/* Makes what was kept the keys of the search, if the wanted ones are among them. Returns whether they are. */
static int take_kept(const search *s, mcl_buffer *kept)
{
    mcl__wanted *const of = s->of;
    mcl__whole *const whole = &of->whole;
    int64_t before = 0, between = 0;
    for (int r = 0; r < s->mpi->size; ++r) {
        before += s->counts[r][BEFORE_FIRST];
        between += s->counts[r][BETWEEN];
    }
    if (of->indices[0] < before || of->indices[of->count - 1] >= before + between) return 0;
    for (int64_t k = 0; k < of->count; ++k) of->indices[k] -= before;
    whole->first = 0;
    whole->total = between;
    for (int r = 0; r < s->mpi->size; ++r) {
        whole->counts[r] = s->counts[r][BETWEEN];
        if (r < s->mpi->rank) whole->first += whole->counts[r];
    }
    of->keys = mcl_from_buffer(of->keys.type, kept, 0, whole->counts[s->mpi->rank]);
    return 1;
}

/* Makes a round. tries: how often bounds missed the wanted keys, and one more. Gives in goes_on whether another round
 * may gain, and counts tries on. */
static mcl_status narrow_once(search *s, int64_t *tries, int *goes_on)
{
    mcl_mpi *const mpi = s->mpi;
    const mcl__whole *const whole = &s->of->whole;
    const int64_t root = root_of(s);
    mcl_buffer *kept = NULL;
    s->stride = mcl__sample_stride(root, whole->total);
    mcl_status status =
        mcl__gather_samples(mpi, s->of->keys, whole->counts, s->stride, s->of->before, &s->samples, &s->positions);
    MCL__AGREE(mpi, status);
    *goes_on = choose_bounds(s, root, *tries);
    if (!*goes_on) return MCL_OK;
    for (side of = BEFORE_FIRST; of < SIDES; ++of) MCL__THEN(status, make_test(s, of, &s->tests[of]));
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    MCL__THEN(status, keep_between(s, &kept));
    MCL__AGREE(mpi, status);
    mcl__phase_end(mpi, MCL_MPI_LOCAL);
    MCL__AGREE(mpi, mcl__gather_all(mpi, s->counts[mpi->size], s->counts, sizeof *s->counts));
    *tries = take_kept(s, kept) ? 1 : 2 * *tries;
    mcl__phase_end(mpi, MCL_MPI_SPLITTERS);
    return MCL_OK;
}

mcl_status mcl__narrow_between(mcl_mpi *mpi, mcl__wanted *wanted, int64_t small)
{
    search s = { .mpi = mpi, .of = wanted };
    int64_t tries = 1;
    int goes_on = makes_tests(wanted->keys.type, wanted->before);
    if (!goes_on || wanted->whole.total <= small) return MCL_OK;
    mcl_status status = mcl__array(mpi, mpi->size + 1, sizeof *s.counts, &s.counts);
    MCL__THEN(status, mcl__array(mpi, SIDES, sizeof *s.tests, &s.tests));
    MCL__THEN(status, mcl__store_input(mpi, ROOM_UNWANTED, &wanted->keys));
    status = mcl__agree(mpi, status);
    for (int round = 0; round < ROUNDS_MOST && goes_on && wanted->whole.total > small && status == MCL_OK; ++round)
        status = narrow_once(&s, &tries, &goes_on);
    free(s.counts);
    free(s.tests);
    return status;
}
