/* ranks_test.c: sequences on ranks, and checks of results. */
#define _GNU_SOURCE
#include "ranks_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 8, PATTERN = 0xa5 };

uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int is_sampled(ranks_test *test)
{
    const char *const asked = getenv("MCL_TEST_SAMPLE");
    const int step = (asked && atoi(asked) > 1 ? atoi(asked) : 1) * (test->size > 8 ? 48 : test->size > 2 ? 8 : 1);
    return test->rounds++ % step == 0;
}

int takes_turn(const ranks_test *test, int suite)
{
    const int is_first = test->by->is_first;
    if (test->by->is_one_process) return 1;
    return test->size <= 2 ? is_first : (test->size / 3 + suite) % 2 == is_first;
}

void expect_true(ranks_test *test, int condition, const char *what)
{
    if (condition) {
        ++test->passed;
        return;
    }
    ++test->failed;
    fprintf(stderr, "rank %d of %d: %s\n", test->rank, test->size, what);
}

void expect_ok(ranks_test *test, mcl_status status, const char *what)
{
    expect_true(test, status == MCL_OK, what);
    if (status != MCL_OK) fprintf(stderr, "  %s: %s\n", mcl_status_name(status), mcl_mpi_last_error());
}

void expect_core(ranks_test *test, mcl_status status, const char *what)
{
    expect_true(test, status == MCL_OK, what);
    if (status != MCL_OK) fprintf(stderr, "  %s: %s\n", mcl_status_name(status), mcl_last_error());
}

void expect_failure(ranks_test *test, mcl_status status, mcl_status expected, const char *words, const char *what)
{
    char list[512], *rest = NULL; /* strtok would not be safe, since ranks may be threads */
    snprintf(list, sizeof list, "%s", words);
    expect_true(test, status == expected, what);
    if (status != expected) fprintf(stderr, "  %s: %s\n", mcl_status_name(status), mcl_mpi_last_error());
    for (char *word = strtok_r(list, "|", &rest); word; word = strtok_r(NULL, "|", &rest)) {
        const int is_there = strstr(mcl_mpi_last_error(), word) != NULL;
        expect_true(test, is_there, what);
        if (!is_there) fprintf(stderr, "  no \"%s\" in: %s\n", word, mcl_mpi_last_error());
    }
}

/* ---- sequences --------------------------------------------------------------------------------------------- */

int64_t even_share(const ranks_test *test, int64_t count, int64_t *first)
{
    const int64_t share = count / test->size, rest = count % test->size;
    *first = test->rank * share + (test->rank < rest ? test->rank : rest);
    return share + (test->rank < rest);
}

/* Returns the index at which a rank's part begins. */
static int64_t cut_of(const ranks_test *test, int rank, int64_t count, cut_kind kind)
{
    if (rank == 0) return 0;
    if (rank == test->size) return count;
    if (kind == CUT_FIRST) return count;
    if (kind == CUT_LAST) return rank < test->size - 1 ? 0 : (test->size > 1 ? 0 : count);
    if (kind == CUT_ODD_RANKS) return test->size > 1 ? count * (rank / 2) / (test->size / 2) : 0;
    if (kind == CUT_EVEN) return count * rank / test->size;
    int64_t cut = 0;
    for (int r = 0; r < test->size; ++r) {
        uint64_t seed = (uint64_t)r * 77 + (uint64_t)count;
        const int64_t at = count ? (int64_t)(random_next(&seed) % (uint64_t)(count + 1)) : 0;
        int64_t lower = 0; /* number of lower cuts: the part begins at the rank-th of size - 1 sorted random cuts */
        for (int other = 0; other < test->size - 1; ++other) {
            uint64_t other_seed = (uint64_t)other * 77 + (uint64_t)count;
            const int64_t other_at = count ? (int64_t)(random_next(&other_seed) % (uint64_t)(count + 1)) : 0;
            lower += other_at < at || (other_at == at && other < r);
        }
        if (r < test->size - 1 && lower == rank - 1) cut = at;
    }
    return cut;
}

spread spread_part(ranks_test *test, const mcl_type *type, const void *whole, int64_t count, int64_t first, int64_t own)
{
    spread of = { .type = type, .count = count, .first = first, .own = own, .offset = 3 };
    of.whole = malloc((size_t)(count + 1) * type->size);
    if (count > 0) memcpy(of.whole, whole, (size_t)count * type->size);
    const size_t bytes = (size_t)(of.own + of.offset) * type->size;
    expect_core(test, mcl_buffer_create(test->context, bytes, NULL, &of.buffer), "a buffer");
    if (of.own > 0)
        expect_core(test,
                    mcl_buffer_write(test->queue, of.buffer, (size_t)of.offset * type->size,
                                     (size_t)of.own * type->size, of.whole + (size_t)of.first * type->size),
                    "a part is written");
    return of;
}

spread spread_make(ranks_test *test, const mcl_type *type, const void *whole, int64_t count, cut_kind kind)
{
    const int64_t first = cut_of(test, test->rank, count, kind);
    return spread_part(test, type, whole, count, first, cut_of(test, test->rank + 1, count, kind) - first);
}

void spread_free(spread *of)
{
    free(of->whole);
    mcl_buffer_release(of->buffer);
}

mcl_input spread_input(const spread *of)
{
    return mcl_from_buffer(of->type, of->buffer, of->offset, of->own);
}

room room_make(ranks_test *test, const mcl_type *type, int64_t count)
{
    room of = { .type = type, .count = count, .offset = GUARD };
    const size_t bytes = (size_t)(count + 2 * GUARD) * type->size;
    const unsigned char pattern = PATTERN;
    expect_core(test, mcl_buffer_create(test->context, bytes, NULL, &of.buffer), "a buffer");
    expect_core(test, mcl_buffer_fill(test->queue, of.buffer, 0, bytes, &pattern, 1), "a buffer is filled");
    return of;
}

void room_free(room *of)
{
    mcl_buffer_release(of->buffer);
}

mcl_output room_output(const room *of)
{
    return mcl_to_buffer(of->type, of->buffer, of->offset, of->count);
}

/* ---- between ranks ----------------------------------------------------------------------------------------- */

void tell_all(ranks_test *test, void *bytes, size_t count)
{
    test->by->tell(test->state, bytes, count);
}

int64_t sum_of_lower(ranks_test *test, int64_t own)
{
    int64_t all[RANKS_MOST], sum = 0;
    test->by->gather(test->state, &own, all, sizeof own);
    for (int r = 0; r < test->rank; ++r) sum += all[r];
    return sum;
}

int64_t sum_of_all(ranks_test *test, int64_t own)
{
    int64_t all[RANKS_MOST], sum = 0;
    test->by->gather(test->state, &own, all, sizeof own);
    for (int r = 0; r < test->size; ++r) sum = (int64_t)((uint64_t)sum + (uint64_t)all[r]);
    return sum;
}

int64_t most_of_all(ranks_test *test, int64_t own)
{
    int64_t all[RANKS_MOST], most = own;
    test->by->gather(test->state, &own, all, sizeof own);
    for (int r = 0; r < test->size; ++r) most = all[r] > most ? all[r] : most;
    return most;
}

mcl_status make_ranks(ranks_test *test, mcl_queue *queue, mcl_mpi_transport transport, mcl_mpi **out)
{
    return test->by->create(test->state, queue, transport, out);
}

void set_variable(ranks_test *test, const char *name, const char *value)
{
    if (test->by->is_one_process) most_of_all(test, 0); /* no other rank reads the environment meanwhile */
    if (!test->by->is_one_process || test->rank == 0) (void)(value ? setenv(name, value, 1) : unsetenv(name));
    if (test->by->is_one_process) most_of_all(test, 0);
}

const char *device_of_tests(void)
{
    const char *const asked = getenv("MCL_TEST_DEVICE");
    return asked ? asked : "opencl:portable";
}

/* ---- comparison -------------------------------------------------------------------------------------------- */

static int is_pattern(const unsigned char *bytes, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        if (bytes[k] != PATTERN) return 0;
    return 1;
}

void expect_part(ranks_test *test, const room *got, const void *expected, int64_t whole_count, int64_t first,
                 int64_t count, const char *what)
{
    const size_t size = got->type->size, bytes = (size_t)(got->count + 2 * GUARD) * size;
    unsigned char *const all = malloc((size_t)(whole_count + 1) * size), *const have = malloc(bytes);
    if (test->rank == 0 && whole_count > 0) memcpy(all, expected, (size_t)whole_count * size);
    tell_all(test, all, (size_t)whole_count * size);
    expect_core(test, mcl_buffer_read(test->queue, got->buffer, 0, bytes, have), "a result is read");
    const int same = memcmp(have + GUARD * size, all + (size_t)first * size, (size_t)count * size) == 0;
    expect_true(test, same, what);
    expect_guards(test, got, count);
    free(all);
    free(have);
}

void expect_guards(ranks_test *test, const room *got, int64_t count)
{
    const size_t size = got->type->size, bytes = (size_t)(got->count + 2 * GUARD) * size;
    const size_t end = (size_t)(GUARD + count) * size;
    unsigned char *const have = malloc(bytes);
    expect_core(test, mcl_buffer_read(test->queue, got->buffer, 0, bytes, have), "a result is read");
    expect_true(test, is_pattern(have, GUARD * size) && is_pattern(have + end, bytes - end), "guard zones are whole");
    free(have);
}

void expect_bytes(ranks_test *test, const void *got, const void *expected, size_t bytes, const char *what)
{
    unsigned char all[256] = { 0 };
    if (test->rank == 0) memcpy(all, expected, bytes);
    tell_all(test, all, bytes);
    expect_true(test, memcmp(got, all, bytes) == 0, what);
}
