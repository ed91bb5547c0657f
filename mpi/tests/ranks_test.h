/* ranks_test.h: tests of calls on ranks. Every rank makes the whole sequence from a seed and puts its part on its
 * device. What is expected comes from the core's call on the whole, on rank 0. */
#ifndef RANKS_TEST_H
#define RANKS_TEST_H

#include "moderncl/moderncl.h"
#include "moderncl/ranks.h"

enum { RANKS_MOST = 64 };

/* What the ranks of a test are, and how the test itself talks between them: processes of MPI, or threads. */
typedef struct launch {
    mcl_status (*create)(void *state, mcl_queue *queue, mcl_mpi_transport transport, mcl_mpi **out);
    void (*tell)(void *state, void *bytes, size_t count); /* from rank 0 to all */
    void (*gather)(void *state, const void *mine, void *all, size_t bytes);
    int is_one_process; /* whether all ranks have one environment */
    int is_first;       /* whether it is the MPI of the first turn: takes_turn */
} launch;

typedef struct ranks_test {
    const launch *by;
    void *state;
    mcl_context *context;
    mcl_queue *queue;
    mcl_mpi *mpi;
    int rank, size;
    int passed, failed; /* of this rank */
    int rounds;
} ranks_test;

/* How a sequence is cut over the ranks. */
typedef enum cut_kind { CUT_EVEN, CUT_RANDOM, CUT_FIRST, CUT_LAST, CUT_ODD_RANKS, CUT_KINDS } cut_kind;

/* A sequence on all ranks: the whole is known to each of them. */
typedef struct spread {
    const mcl_type *type;
    int64_t count, first, own; /* of the whole; the rank's part */
    unsigned char *whole;
    mcl_buffer *buffer; /* the rank's part, a few elements from the start */
    int64_t offset;
} spread;

spread spread_make(ranks_test *test, const mcl_type *type, const void *whole, int64_t count, cut_kind kind);
/* The rank's part is own elements from first on. */
spread spread_part(ranks_test *test, const mcl_type *type, const void *whole, int64_t count, int64_t first,
                   int64_t own);
void spread_free(spread *of);
mcl_input spread_input(const spread *of);

/* count elements on this rank's device, between guard zones. */
typedef struct room {
    const mcl_type *type;
    mcl_buffer *buffer;
    int64_t count, offset;
} room;
room room_make(ranks_test *test, const mcl_type *type, int64_t count);
void room_free(room *of);
mcl_output room_output(const room *of);

/* The first count elements of the room are elements [first, first + count) of expected, which rank 0 has; the guard
 * zones are untouched. Collective. */
void expect_part(ranks_test *test, const room *got, const void *expected, int64_t whole_count, int64_t first,
                 int64_t count, const char *what);

/* The guard zones are untouched, around the first count elements. */
void expect_guards(ranks_test *test, const room *got, int64_t count);

/* Bytes that every rank has are those that rank 0 expects. Collective. */
void expect_bytes(ranks_test *test, const void *got, const void *expected, size_t bytes, const char *what);
void expect_ok(ranks_test *test, mcl_status status, const char *what);
void expect_core(ranks_test *test, mcl_status status, const char *what); /* a call of the core's */

/* The status is this, and the sentence has each of the words, which are separated by '|'. */
void expect_failure(ranks_test *test, mcl_status status, mcl_status expected, const char *words, const char *what);
void expect_true(ranks_test *test, int condition, const char *what);

/* The even share of a rank, and where it begins. */
int64_t even_share(const ranks_test *test, int64_t count, int64_t *first);

/* Whether a round is done: all with one or two ranks, fewer with more of them. MCL_TEST_SAMPLE=N: of these
 * every Nth. */
int is_sampled(ranks_test *test);

/* Whether a suite with many programs runs, which each rank loads. Ranks that are threads always run it. With one and
 * two ranks OpenMPI has its turn; with more ranks either MPI, another for each suite and number of ranks. */
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

/* From rank 0 to all; what all ranks have together, what the lower ones have, and the most that one has. Collective. */
void tell_all(ranks_test *test, void *bytes, size_t count);
int64_t sum_of_all(ranks_test *test, int64_t own);
int64_t sum_of_lower(ranks_test *test, int64_t own);
int64_t most_of_all(ranks_test *test, int64_t own);

/* Makes further ranks, as those of the test are. */
mcl_status make_ranks(ranks_test *test, mcl_queue *queue, mcl_mpi_transport transport, mcl_mpi **out);

/* Sets a variable of the environment on all ranks; NULL unsets it. Collective. */
void set_variable(ranks_test *test, const char *name, const char *value);

/* The device that is asked for, or a processor's. */
const char *device_of_tests(void);

/* Runs the suites, or the one of this name. */
void run_suites(ranks_test *test, const char *name);

/* The whole program of the suite "states", which begins and ends MPI by itself. */
int test_states(ranks_test *test, const char *device, int *argc, char ***argv);

/* fuzz.c: random calls from a seed on, for some seconds, one at least. */
void fuzz(ranks_test *test, uint64_t seed, double seconds);

#endif
