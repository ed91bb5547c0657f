/* main.c: runs the suites on the ranks of MPI_COMM_WORLD. usage: mpirun -n 4 test_mpi [SUITE]
 * or: mpirun -n 4 test_mpi fuzz SEED SECONDS: random calls; with 0 seconds one call, of this seed.
 * The suites "killed" and "states" run only by name. In "killed" the last rank is killed while ranks sort. In "states"
 * calls are made before MPI begins and after it has ended. */
#define _GNU_SOURCE
#include "moderncl/mpi.h"

#include "ranks_test.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* ---- between ranks ----------------------------------------------------------------------------------------- */

static mcl_status create(void *state, mcl_queue *queue, mcl_mpi_transport transport, mcl_mpi **out)
{
    (void)state;
    return mcl_mpi_create(MPI_COMM_WORLD, queue, transport, out);
}

/* Waits for a request. Between tests it gives the processor to other ranks, since there may be more ranks than
 * cores. */
static void wait_for(MPI_Request *request)
{
    int is_done = 0;
    while (!is_done) {
        MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done) sched_yield();
    }
}

static void tell(void *state, void *bytes, size_t count)
{
    MPI_Request request = MPI_REQUEST_NULL;
    (void)state;
    MPI_Ibcast(bytes, (int)count, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(&request);
}

static void gather(void *state, const void *mine, void *all, size_t bytes)
{
    MPI_Request request = MPI_REQUEST_NULL;
    (void)state;
    MPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
    wait_for(&request);
}

/* ---- the program ------------------------------------------------------------------------------------------- */

/* Ends all ranks if status is a failure, since nothing can be tested without a device. */
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

/* Sorts until the launcher ends the program. */
static void sort_for_ever(ranks_test *test)
{
    enum { KEYS = 200000 };
    const int32_t zero = 0;
    mcl_buffer *out = NULL;
    must(mcl_buffer_create(test->context, KEYS * sizeof(int32_t), NULL, &out), mcl_last_error());
    for (int round = 0;; ++round) {
        /* the first sort compiles programs, so it is not interrupted */
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
    launch by = { .create = create, .tell = tell, .gather = gather };
    ranks_test test = { .by = &by };
    if (argc > 1 && strcmp(argv[1], "states") == 0) return test_states(&test, device_of_tests(), &argc, &argv);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &test.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &test.size);
    char device[128], version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(version, &length);
    by.is_first = strstr(version, "Open MPI") != NULL;
    snprintf(device, sizeof device, "%s", device_of_tests());
    if (strcmp(device, "cuda") == 0) snprintf(device, sizeof device, "cuda:%d", test.rank); /* one for each rank */
    must(mcl_context_create(device, &test.context), mcl_last_error());
    must(mcl_queue_create(test.context, 0, &test.queue), mcl_last_error());
    must(mcl_mpi_create(MPI_COMM_WORLD, test.queue, MCL_MPI_AUTO, &test.mpi), mcl_mpi_last_error());
    if (argc > 1 && strcmp(argv[1], "killed") == 0) sort_for_ever(&test);
    if (argc > 3 && strcmp(argv[1], "fuzz") == 0)
        fuzz(&test, strtoull(argv[2], NULL, 10), atof(argv[3]));
    else
        run_suites(&test, argc > 1 ? argv[1] : NULL);
    mcl_mpi_release(test.mpi);
    mcl_queue_release(test.queue);
    mcl_context_release(test.context);
    int counts[] = { test.passed, test.failed };
    MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (test.rank == 0) printf("test_mpi: %d passed, %d failed\n", counts[0], counts[1]);
    MPI_Finalize();
    return counts[1] > 0;
}
