/* test_states.c: tests calls before MPI_Init, after MPI_Finalize, in a thread that MPI does not allow, and on wrong
 * communicators. The suite runs in a process of its own, since a process can end MPI only once. */
#include "moderncl/mpi.h"

#include "ranks_test.h"

#include <pthread.h>
#include <stdio.h>

static const int32_t one = 1;

static mcl_status create(ranks_test *test, MPI_Comm comm)
{
    mcl_mpi *made = (mcl_mpi *)test; /* the call must set this to NULL */
    const mcl_status status = mcl_mpi_create(comm, test->queue, MCL_MPI_AUTO, &made);
    expect_true(test, made == NULL, "nothing was made");
    return status;
}

static mcl_status reduce(ranks_test *test)
{
    int32_t sum = 0;
    return mcl_mpi_reduce(test->mpi, mcl_from_constant(MCL_INT32, &one, 3), MCL_ADD, mcl_to_host(MCL_INT32, &sum),
                          NULL);
}

static void bad_communicators(ranks_test *test)
{
    MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
    expect_failure(test, create(test, MPI_COMM_NULL), MCL_ERROR_ARGUMENT, "mcl_mpi_create: comm is MPI_COMM_NULL",
                   "no communicator");
    if (test->size == 1) return;
    MPI_Comm_split(MPI_COMM_WORLD, test->rank > 0, test->rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, test->rank > 0 ? 0 : 1, 7, &between);
    expect_failure(test, create(test, between), MCL_ERROR_ARGUMENT,
                   "comm is an inter-communicator; expected an intra-communicator", "an inter-communicator");
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

static void *call_elsewhere(void *of)
{
    ranks_test *const test = of;
    const char *const words = "MPI's thread level is MPI_THREAD_|expected that thread, or MPI_THREAD_SERIALIZED";
    expect_failure(test, create(test, MPI_COMM_WORLD), MCL_ERROR_PRECONDITION, words, "made in another thread");
    expect_failure(test, reduce(test), MCL_ERROR_PRECONDITION, words, "a call in another thread");
    return NULL;
}

static void other_thread(ranks_test *test)
{
    pthread_t thread;
    int level = 0;
    MPI_Query_thread(&level);
    expect_true(test, level < MPI_THREAD_SERIALIZED, "MPI_Init gives no more than MPI_THREAD_FUNNELED");
    if (level >= MPI_THREAD_SERIALIZED) return;
    expect_true(test, pthread_create(&thread, NULL, call_elsewhere, test) == 0, "a thread");
    pthread_join(thread, NULL);
}

static void after_the_end(ranks_test *test, mcl_mpi_map *map)
{
    const char *const words = "MPI is finalised; expected a call before MPI_Finalize";
    int64_t size = 0;
    mcl_mpi_map *made = NULL;
    expect_failure(test, create(test, MPI_COMM_WORLD), MCL_ERROR_PRECONDITION, words, "made after the end");
    expect_failure(test, reduce(test), MCL_ERROR_PRECONDITION, words, "a reduction after the end");
    expect_failure(test, mcl_mpi_map_size(test->mpi, map, mcl_to_host(MCL_INT64, &size), mcl_to_nowhere(), NULL),
                   MCL_ERROR_PRECONDITION, words, "the size of a map after the end");
    expect_failure(test, mcl_mpi_map_create(test->mpi, &(mcl_map_config){ .key = MCL_INT32 }, &made),
                   MCL_ERROR_PRECONDITION, words, "a map after the end");
    mcl_mpi_info info;
    expect_ok(test, mcl_mpi_get_info(test->mpi, &info), "what is known without MPI");
    expect_true(test, info.rank == test->rank && info.rank_count == test->size, "the rank after the end");
}

int test_states(ranks_test *test, const char *device, int *argc, char ***argv)
{
    mcl_mpi_map *map = NULL;
    expect_core(test, mcl_context_create(device, &test->context), "a context");
    expect_core(test, mcl_queue_create(test->context, 0, &test->queue), "a queue");
    expect_failure(test, create(test, MPI_COMM_WORLD), MCL_ERROR_PRECONDITION,
                   "mcl_mpi_create: MPI is not initialised; expected MPI_Init before", "made before the start");
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &test->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &test->size);
    bad_communicators(test);
    expect_ok(test, mcl_mpi_create(MPI_COMM_WORLD, test->queue, MCL_MPI_AUTO, &test->mpi), "ranks");
    expect_ok(test, mcl_mpi_map_create(test->mpi, &(mcl_map_config){ .key = MCL_INT32 }, &map), "a map");
    expect_ok(test, reduce(test), "a reduction");
    other_thread(test);
    expect_ok(test, reduce(test), "a reduction after calls in another thread");
    MPI_Finalize();
    after_the_end(test, map);
    mcl_mpi_map_release(map);
    mcl_mpi_release(test->mpi);
    mcl_queue_release(test->queue);
    mcl_context_release(test->context);
    printf("rank %d: %d passed, %d failed\n", test->rank, test->passed, test->failed);
    return test->failed > 0;
}
