/* ranks_test.h: helpers for tests of calls on ranks. Every rank makes the whole sequence from a seed, and copies its
 * own part to its device. Rank 0 makes the expected result by the core's call on the whole sequence. */
#ifndef RANKS_TEST_H
#define RANKS_TEST_H

#include "moderncl/moderncl.h"
#include "moderncl/ranks.h"

enum { RANKS_MOST = 64 };

/* The functions by which a test makes ranks, and communicates between them. The ranks are processes of MPI, or
 * threads. */
typedef struct launch {
    mcl_status (*create)(void *state, mcl_queue *queue, mcl_mpi_transport transport, mcl_mpi **out);
    void (*tell)(void *state, void *bytes, size_t count); /* copies bytes of rank 0 to all ranks */
    void (*gather)(void *state, const void *mine, void *all, size_t bytes);
    int is_one_process; /* 1 if all ranks are in one process */
    int is_first;       /* 1 if this is the MPI that has the first turn (takes_turn) */
} launch;

typedef struct ranks_test {
    const launch *by;
    void *state;
    mcl_context *context;
    mcl_queue *queue;
    mcl_mpi *mpi;
    int rank, size;
    int passed, failed; /* numbers of passed and failed checks on this rank */
    int rounds;
} ranks_test;

/* The way to cut a sequence over the ranks. */
typedef enum cut_kind { CUT_EVEN, CUT_RANDOM, CUT_FIRST, CUT_LAST, CUT_ODD_RANKS, CUT_KINDS } cut_kind;

/* A sequence that is cut over all ranks. Each rank also has the whole sequence. */
typedef struct spread {
    const mcl_type *type;
    int64_t count, first, own; /* number of elements of the whole sequence; first index and size of this rank's part */
    unsigned char *whole;
    mcl_buffer *buffer; /* this rank's part; it begins at element offset */
    int64_t offset;
} spread;

spread spread_make(ranks_test *test, const mcl_type *type, const void *whole, int64_t count, cut_kind kind);
/* Makes a spread whose part on this rank is own elements, from index first on. */
spread spread_part(ranks_test *test, const mcl_type *type, const void *whole, int64_t count, int64_t first,
                   int64_t own);
void spread_free(spread *of);
mcl_input spread_input(const spread *of);

/* A buffer for count elements on this rank's device, between guard zones. */
typedef struct room {
    const mcl_type *type;
    mcl_buffer *buffer;
    int64_t count, offset;
} room;
room room_make(ranks_test *test, const mcl_type *type, int64_t count);
void room_free(room *of);
mcl_output room_output(const room *of);

/* Checks that the first count elements of got are elements first to first + count - 1 of expected, which only rank 0
 * has. Also checks the guard zones. Collective. */
void expect_part(ranks_test *test, const room *got, const void *expected, int64_t whole_count, int64_t first,
                 int64_t count, const char *what);

/* Checks that the guard zones around the first count elements have not changed. */
void expect_guards(ranks_test *test, const room *got, int64_t count);

/* Checks that bytes on every rank are those that rank 0 expects. Collective. */
void expect_bytes(ranks_test *test, const void *got, const void *expected, size_t bytes, const char *what);
void expect_ok(ranks_test *test, mcl_status status, const char *what);
void expect_core(ranks_test *test, mcl_status status, const char *what); /* for a call of the core */

/* Checks that the status is the expected one, and that the sentence contains each of the words. '|' separates words. */
void expect_failure(ranks_test *test, mcl_status status, mcl_status expected, const char *words, const char *what);
void expect_true(ranks_test *test, int condition, const char *what);

/* Returns a rank's even share of count elements, and stores the index of its first element. */
int64_t even_share(const ranks_test *test, int64_t count, int64_t *first);

/* Returns whether to run a round: each with one or two ranks, fewer with more ranks. With MCL_TEST_SAMPLE=N only every
 * Nth of these is run. */
int is_sampled(ranks_test *test);

/* Returns whether to run a suite that compiles many programs on each rank. If ranks are threads, it always runs. With
 * one and two ranks, OpenMPI runs it. With more ranks OpenMPI or MPICH runs it, by suite and number of ranks. */
int takes_turn(const ranks_test *test, int suite);

uint64_t random_next(uint64_t *state);

void test_folds(ranks_test *test);
void test_moves(ranks_test *test);
void test_sorts(ranks_test *test);
void test_lists(ranks_test *test);
void test_relations(ranks_test *test);
void test_map(ranks_test *test);
void test_segmented(ranks_test *test);
void test_select(ranks_test *test);
void test_group_by(ranks_test *test);
void test_joins(ranks_test *test);
void test_errors(ranks_test *test);
void test_agree(ranks_test *test);

/* Copies bytes of rank 0 to all ranks; return the sum over all ranks, the sum over lower ranks, and the maximum over
 * all ranks. Collective. */
void tell_all(ranks_test *test, void *bytes, size_t count);
int64_t sum_of_all(ranks_test *test, int64_t own);
int64_t sum_of_lower(ranks_test *test, int64_t own);
int64_t most_of_all(ranks_test *test, int64_t own);

/* Makes another mcl_mpi on the same ranks. */
mcl_status make_ranks(ranks_test *test, mcl_queue *queue, mcl_mpi_transport transport, mcl_mpi **out);

/* Sets an environment variable on all ranks, or unsets it if value is NULL. Collective. */
void set_variable(ranks_test *test, const char *name, const char *value);

/* Returns the device that MCL_TEST_DEVICE names, or otherwise a processor. */
const char *device_of_tests(void);

/* Runs all suites, or the suite of this name. */
void run_suites(ranks_test *test, const char *name);

/* Runs the whole program for the suite "states", which begins and ends MPI itself. Returns the exit status. */
int test_states(ranks_test *test, const char *device, int *argc, char ***argv);

/* Makes random calls for some seconds, from a seed on, and at least one call. */
void fuzz(ranks_test *test, uint64_t seed, double seconds);

#endif
