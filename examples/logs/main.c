/* main.c: counts the words of text files on several devices, and prints the most frequent ones. Every rank reads its
 * part of each file. usage: mpirun -n 4 logs [--top COUNT] [--device NAME] FILE... */
#include "words.h"
#include "../progress.h"

#include <moderncl/moderncl.h>
#include <moderncl/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOP_MOST = 1000 };

typedef struct job {
    mcl_context *context;
    mcl_queue *queue;
    mcl_mpi *mpi;
    int rank, size;
    words read;
    int64_t words, distinct, top; /* of all ranks; how many are shown */
    int64_t counts[TOP_MOST];
    uint64_t hashes[TOP_MOST];
} job;

/* One rank's failure of anything but a call on ranks ends the job. */
static void stop(const char *what, const char *sentence)
{
    fprintf(stderr, "logs: %s: %s\n", what, sentence);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void open_device(job *j, const char *device)
{
    if (mcl_context_create(device, &j->context)) stop("device", mcl_last_error());
    if (j->rank == 0) progress_show(j->context);
    if (mcl_queue_create(j->context, 0, &j->queue)) stop("device", mcl_last_error());
    if (mcl_mpi_create(MPI_COMM_WORLD, j->queue, MCL_MPI_AUTO, &j->mpi)) stop("ranks", mcl_mpi_last_error());
}

/* Sorts the hashes of all words, counts each run of equal ones, and takes the longest runs. Returns the failed status
 * of the core or of the ranks, which every rank then has. */
static mcl_status count_words(job *j, mcl_buffer **memory)
{
    const int64_t own = (int64_t)j->read.count, one = 1;
    int64_t share = 0, runs = 0;
    mcl_status status = mcl_mpi_reduce(j->mpi, mcl_from_constant(MCL_INT64, &one, own), MCL_ADD,
                                       mcl_to_host(MCL_INT64, &j->words), NULL);
    if (status != MCL_OK || j->words == 0) return status;
    const int64_t room = j->words / j->size + 1;
    if (mcl_buffer_create(j->context, (size_t)own * 8, j->read.hashes, &memory[0]) ||
        mcl_buffer_create(j->context, (size_t)room * 8, NULL, &memory[1]) ||
        mcl_buffer_create(j->context, (size_t)room * 8, NULL, &memory[2]) ||
        mcl_buffer_create(j->context, (size_t)(2 * j->top) * 8, NULL, &memory[3]))
        stop("memory", mcl_last_error());
    status =
        mcl_mpi_sort(j->mpi, mcl_from_buffer(MCL_UINT64, memory[0], 0, own), MCL_MPI_EVEN,
                     mcl_to_buffer(MCL_UINT64, memory[1], 0, room), MCL_LESS, mcl_to_host(MCL_INT64, &share), NULL);
    if (status != MCL_OK) return status;
    status = mcl_mpi_reduce_by_key(
        j->mpi, mcl_from_buffer(MCL_UINT64, memory[1], 0, share), mcl_from_constant(MCL_INT64, &one, share),
        mcl_to_buffer(MCL_UINT64, memory[1], 0, room), mcl_to_buffer(MCL_INT64, memory[2], 0, room), MCL_ADD, NULL,
        mcl_to_host(MCL_INT64, &runs), mcl_to_host(MCL_INT64, &j->distinct), NULL);
    if (status != MCL_OK) return status;
    if (j->top > j->distinct) j->top = j->distinct;
    return mcl_mpi_top_k_pairs(
        j->mpi, mcl_from_buffer(MCL_INT64, memory[2], 0, runs), mcl_from_buffer(MCL_UINT64, memory[1], 0, runs), j->top,
        mcl_to_buffer(MCL_INT64, memory[3], 0, j->top), mcl_to_buffer(MCL_UINT64, memory[3], j->top, j->top),
        MCL_GREATER, mcl_to_nowhere(), NULL);
}

/* The text of a word is on the ranks that have read it. */
static void print_words(const job *j)
{
    if (j->rank == 0) printf("%lld words, %lld distinct\n", (long long)j->words, (long long)j->distinct);
    for (int64_t k = 0; k < j->top; ++k) {
        char text[WORD_BYTES], known[WORD_BYTES];
        words_find(&j->read, j->hashes[k], text);
        MPI_Reduce(text, known, WORD_BYTES, MPI_UNSIGNED_CHAR, MPI_MAX, 0, MPI_COMM_WORLD);
        if (j->rank == 0) printf("%8lld %s\n", (long long)j->counts[k], known);
    }
}

static int run(job *j)
{
    mcl_buffer *memory[4] = { NULL, NULL, NULL, NULL };
    const mcl_status status = count_words(j, memory);
    if (status != MCL_OK && j->rank == 0) fprintf(stderr, "logs: %s\n", mcl_mpi_last_error());
    if (j->words == 0) j->top = 0;
    if (status == MCL_OK && j->top > 0 &&
        (mcl_buffer_read(j->queue, memory[3], 0, (size_t)j->top * 8, j->counts) ||
         mcl_buffer_read(j->queue, memory[3], (size_t)j->top * 8, (size_t)j->top * 8, j->hashes)))
        stop("results", mcl_last_error());
    if (status == MCL_OK) print_words(j);
    for (int k = 0; k < 4; ++k) mcl_buffer_release(memory[k]);
    return status != MCL_OK;
}

int main(int argc, char **argv)
{
    static job j;
    const char *device = NULL;
    int first = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j.size);
    j.top = 10;
    for (; first + 1 < argc && strncmp(argv[first], "--", 2) == 0; first += 2) {
        if (strcmp(argv[first], "--top") == 0) j.top = atoll(argv[first + 1]);
        if (strcmp(argv[first], "--device") == 0) device = argv[first + 1];
    }
    if (first >= argc || strncmp(argv[first], "--", 2) == 0 || j.top < 1 || j.top > TOP_MOST) {
        if (j.rank == 0) fputs("logs: arguments: expected [--top 1 to 1000] [--device NAME] FILE...\n", stderr);
        MPI_Finalize();
        return 2; /* of every rank, since all have the same */
    }
    open_device(&j, device);
    for (int k = first; k < argc; ++k) {
        const char *const problem = words_read(&j.read, argv[k], j.rank, j.size);
        if (problem) stop(argv[k], problem);
    }
    const int failed = run(&j);
    words_free(&j.read);
    mcl_mpi_release(j.mpi);
    mcl_queue_release(j.queue);
    mcl_context_release(j.context);
    MPI_Finalize();
    return failed;
}
