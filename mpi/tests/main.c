/* main.c: runs the suites on the ranks of MPI_COMM_WORLD. usage: mpirun -n 4 test_mpi [SUITE]
 * or: mpirun -n 4 test_mpi fuzz SEED SECONDS: random calls; with 0 seconds the one call of the seed.
 * With the suite "killed", which never runs by itself, the last rank is killed in the middle of sorts. With "states"
 * MPI is begun and ended, and calls come before and after. */
#define _GNU_SOURCE
#include "ranks_test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static const struct suite {
    const char *name;
    void (*run)(ranks_test *test);
} suites[] = {
    { "folds", test_folds }, { "moves", test_moves },         { "sorts", test_sorts },
    { "lists", test_lists }, { "relations", test_relations }, { "errors", test_errors },
    { "map", test_map },     { "segmented", test_segmented }, { "agree", test_agree },
};

/* Without a device there is nothing to test, and the launcher is to end all ranks. */
static void must(mcl_status status, const char *sentence)
{
    if (status == MCL_OK) return;
    fprintf(stderr, "test_mpi: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void die(int number)
{
    (void)number;
    raise(SIGKILL);
}

/* Sorts until the launcher ends it. */
static void sort_for_ever(ranks_test *test)
{
    enum { KEYS = 200000 };
    const int32_t zero = 0;
    mcl_buffer *out = NULL;
    must(mcl_buffer_create(test->context, KEYS * sizeof(int32_t), NULL, &out), mcl_last_error());
    for (int round = 0;; ++round) {
        /* the first one compiles */
        const struct itimerval soon = { .it_value = { .tv_usec = 200000 } };
        if (round == 1 && test->rank == test->size - 1 && signal(SIGALRM, die) != SIG_ERR)
            setitimer(ITIMER_REAL, &soon, NULL);
        if (round == 1 && test->rank == 0) puts("sorting");
        if (round == 1) fflush(stdout);
        must(mcl_mpi_sort(test->mpi, mcl_from_counting(MCL_INT32, &zero, KEYS), MCL_MPI_EVEN,
                          mcl_to_buffer(MCL_INT32, out, 0, KEYS), MCL_GREATER, mcl_to_nowhere(), NULL),
             mcl_mpi_last_error());
    }
}

int main(int argc, char **argv)
{
    ranks_test test = { 0 };
    const char *const asked = getenv("MCL_TEST_DEVICE");
    if (argc > 1 && strcmp(argv[1], "states") == 0)
        return test_states(&test, asked ? asked : "opencl:portable", &argc, &argv);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &test.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &test.size);
    char device[128];
    snprintf(device, sizeof device, "%s", asked ? asked : "opencl:portable");
    if (strcmp(device, "cuda") == 0) snprintf(device, sizeof device, "cuda:%d", test.rank); /* one for each rank */
    must(mcl_context_create(device, &test.context), mcl_last_error());
    must(mcl_queue_create(test.context, 0, &test.queue), mcl_last_error());
    must(mcl_mpi_create(MPI_COMM_WORLD, test.queue, MCL_MPI_AUTO, &test.mpi), mcl_mpi_last_error());
    if (argc > 1 && strcmp(argv[1], "killed") == 0) sort_for_ever(&test);
    if (argc > 3 && strcmp(argv[1], "fuzz") == 0) fuzz(&test, strtoull(argv[2], NULL, 10), atof(argv[3]));
    for (size_t k = 0; k < sizeof suites / sizeof suites[0]; ++k)
        if (argc < 2 || strcmp(argv[1], suites[k].name) == 0) suites[k].run(&test);
    mcl_mpi_release(test.mpi);
    mcl_queue_release(test.queue);
    mcl_context_release(test.context);
    int counts[] = { test.passed, test.failed };
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (test.rank == 0) printf("test_mpi: %d passed, %d failed\n", counts[0], counts[1]);
    MPI_Finalize();
    return counts[1] > 0;
}
