/* main_threads.c: runs the suites on ranks that are threads, without MPI. usage: test_ranks RANKS host|device [SUITE]
 * or: test_ranks RANKS host|device fuzz SEED SECONDS. RANKS is a number, or a range such as 1-4. With "device" operands
 * go from buffer to buffer, as with NCCL. The suite "messages" tests mcl_mpi_create_with and its functions. */
#include "test_messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct command {
    const char *suite; /* name of the suite; NULL: all suites */
    uint64_t seed;
    double seconds;
} command;

static command asked;
static team teams[TEAMS_MOST];
static seat seats[THREADS_MOST];

/* ---- between ranks ----------------------------------------------------------------------------------------- */

/* Ends the program if condition is 0, since other ranks would wait for this one. */
static void must(int condition, const char *sentence)
{
    if (condition) return;
    fprintf(stderr, "test_ranks: %s\n", sentence);
    exit(1);
}

static mcl_status create(void *state, mcl_queue *queue, mcl_mpi_transport transport, mcl_mpi **out)
{
    seat *const own = state;
    mcl_queue *carrier = NULL;
    if (own->on_device && transport == MCL_MPI_AUTO)
        must(mcl_queue_create(own->test.context, 0, &carrier) == MCL_OK, mcl_last_error());
    const mcl_mpi_messages messages = next_messages(own, carrier);
    const mcl_status status = mcl_mpi_create_with(&messages, queue, transport, out);
    mcl_queue_release(carrier); /* the mcl_mpi has retained it */
    return status;
}

static void gather(void *state, const void *mine, void *all, size_t bytes)
{
    const mcl_mpi_messages *const talk = &((seat *)state)->talk;
    must(!talk->all_gather(talk->state, mine, all, bytes), "the ranks of the test cannot talk");
}

static void tell(void *state, void *bytes, size_t count)
{
    const seat *const own = state;
    unsigned char *const all = malloc((size_t)own->test.size * count + 1);
    must(all != NULL, "no memory");
    gather(state, bytes, all, count);
    memcpy(bytes, all, count);
    free(all);
}

static const launch by_threads = { .create = create, .tell = tell, .gather = gather, .is_one_process = 1 };

/* ---- the program ------------------------------------------------------------------------------------------- */

static void *run(void *of)
{
    seat *const own = of;
    ranks_test *const test = &own->test;
    const int is_fuzz = asked.suite && strcmp(asked.suite, "fuzz") == 0;
    must(mcl_queue_create(test->context, 0, &test->queue) == MCL_OK, mcl_last_error());
    must(create(own, test->queue, MCL_MPI_AUTO, &test->mpi) == MCL_OK, mcl_mpi_last_error());
    if (is_fuzz)
        fuzz(test, asked.seed, asked.seconds);
    else
        run_suites(test, asked.suite);
    if (!asked.suite || strcmp(asked.suite, "messages") == 0) test_messages(own);
    mcl_mpi_release(test->mpi);
    mcl_queue_release(test->queue);
    return NULL;
}

/* Runs the suites on ranks of one context, which compiles each program once. Returns the number of failed checks. */
static int run_ranks(mcl_context *context, int size, int on_device)
{
    int passed = 0, failed = 0;
    for (int k = 0; k < TEAMS_MOST; ++k) team_make(&teams[k], size);
    for (int r = 0; r < size; ++r) {
        seats[r] = (seat){ .teams = teams, .talk = team_messages(&teams[0], r, NULL), .on_device = on_device };
        seats[r].test =
            (ranks_test){ .by = &by_threads, .state = &seats[r], .context = context, .rank = r, .size = size };
        must(pthread_create(&seats[r].thread, NULL, run, &seats[r]) == 0, "no thread");
    }
    for (int r = 0; r < size; ++r) {
        pthread_join(seats[r].thread, NULL);
        passed += seats[r].test.passed;
        failed += seats[r].test.failed;
    }
    for (int k = 0; k < TEAMS_MOST; ++k) team_free(&teams[k]);
    printf("test_ranks: %d ranks: %d passed, %d failed\n", size, passed, failed);
    return failed;
}

int main(int argc, char **argv)
{
    int first = 0, last = 0, failed = 0;
    const int on_device = argc > 2 && strcmp(argv[2], "device") == 0;
    const int bounds = argc > 2 ? sscanf(argv[1], "%d-%d", &first, &last) : 0;
    if (bounds == 1) last = first;
    if (first < 1 || last > THREADS_MOST || first > last || (!on_device && strcmp(argv[2], "host") != 0)) {
        fprintf(stderr, "usage: test_ranks RANKS host|device [SUITE]\n"
                        "   or: test_ranks RANKS host|device fuzz SEED SECONDS\n"
                        "RANKS is a number, or two such as 1-4\n");
        return 2;
    }
    asked.suite = argc > 3 ? argv[3] : NULL;
    asked.seed = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
    asked.seconds = argc > 5 ? atof(argv[5]) : 0;
    mcl_context *context = NULL;
    must(mcl_context_create(device_of_tests(), &context) == MCL_OK, mcl_last_error());
    for (int size = first; size <= last; ++size) failed += run_ranks(context, size, on_device);
    mcl_context_release(context);
    return failed > 0;
}
