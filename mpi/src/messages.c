/* messages.c: messages between ranks, through host memory and the five functions of mcl_mpi_messages alone. */
#include "messages.h"

enum { GATHERED_BYTES = 128 << 10 /* largest bytes that all ranks gather to be added up; more go from rank to rank */ };

mcl_status mcl__heard(mcl_mpi *mpi, const char *failure)
{
    if (!failure) return MCL_OK;
    mpi->lost = 1;
    return mcl__refuse(mpi, MCL_ERROR_DEVICE, "%s", failure);
}

/* ---- the functions ----------------------------------------------------------------------------------------- */

/* Makes a status of a post. After a failure it calls group, so that nothing uses the memory of earlier posts. */
static mcl_status posted(mcl_mpi *mpi, const char *failure)
{
    const mcl_status status = mcl__heard(mpi, failure);
    if (failure) (void)mpi->messages.group(mpi->messages.state);
    return status;
}

mcl_status mcl__send(mcl_mpi *mpi, int rank, const void *bytes, size_t count)
{
    /* mcl_mpi_memory has no const, but a send only reads */
    const mcl_mpi_memory from = { .host = (void *)(uintptr_t)bytes, .bytes = count };
    return posted(mpi, mpi->messages.send(mpi->messages.state, rank, from));
}

mcl_status mcl__receive(mcl_mpi *mpi, int rank, void *bytes, size_t count)
{
    const mcl_mpi_memory to = { .host = bytes, .bytes = count };
    return posted(mpi, mpi->messages.receive(mpi->messages.state, rank, to));
}

mcl_status mcl__group(mcl_mpi *mpi)
{
    return mcl__heard(mpi, mpi->messages.group(mpi->messages.state));
}

mcl_status mcl__gather_all(mcl_mpi *mpi, const void *mine, void *all, size_t bytes)
{
    if (bytes > INT32_MAX / 2)
        return mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "%zu bytes of each rank are too many to gather", bytes);
    return mcl__heard(mpi, mpi->messages.all_gather(mpi->messages.state, mine, all, bytes));
}

mcl_status mcl__barrier(mcl_mpi *mpi)
{
    return mcl__heard(mpi, mpi->messages.barrier(mpi->messages.state));
}

/* ---- from one rank to all ranks ---------------------------------------------------------------------------- */

/* Sends along a binary tree. Ranks are numbered from the sending rank on. A rank receives from the number that is its
 * own without the highest bit, then sends to higher numbers. */
mcl_status mcl__tell_all(mcl_mpi *mpi, int rank, void *bytes, size_t count)
{
    const int own = (mpi->rank - rank + mpi->size) % mpi->size;
    mcl_status status = MCL_OK;
    int step = 1;
    while (step <= own) step *= 2;
    if (own > 0) {
        status = mcl__receive(mpi, (own - step / 2 + rank) % mpi->size, bytes, count);
        MCL__THEN(status, mcl__group(mpi));
    }
    for (; own + step < mpi->size; step *= 2)
        MCL__THEN(status, mcl__send(mpi, (own + step + rank) % mpi->size, bytes, count));
    MCL__THEN(status, mcl__group(mpi));
    return status;
}

/* ---- numbers of all ranks ---------------------------------------------------------------------------------- */

size_t mcl__gathered_bytes(int size)
{
    const size_t least = (size_t)size * LEAST_MOST * sizeof(int64_t);
    return least > GATHERED_BYTES ? least : GATHERED_BYTES;
}

mcl_status mcl__least_of_all(mcl_mpi *mpi, int64_t *numbers, int count)
{
    const int64_t *const all = mpi->gathered;
    const mcl_status status = mcl__gather_all(mpi, numbers, mpi->gathered, (size_t)count * sizeof *numbers);
    for (int k = 0; k < count * mpi->size && status == MCL_OK; ++k)
        if (all[k] < numbers[k % count]) numbers[k % count] = all[k];
    return status;
}

static void add(int64_t *to, const int64_t *from, int count)
{
    for (int k = 0; k < count; ++k) to[k] += from[k];
}

/* Adds numbers along a binary tree: half of the ranks send their sums to the other half, until rank 0 has all. Then
 * rank 0 sends the sums to all ranks. */
static mcl_status add_by_pairs(mcl_mpi *mpi, int64_t *numbers, int count)
{
    const size_t bytes = (size_t)count * sizeof *numbers;
    mcl_status status = MCL_OK;
    for (int step = 1; step < mpi->size && status == MCL_OK; step *= 2) {
        if (mpi->rank & step) {
            status = mcl__send(mpi, mpi->rank - step, numbers, bytes);
            MCL__THEN(status, mcl__group(mpi));
            break;
        }
        if (mpi->rank + step >= mpi->size) continue;
        status = mcl__receive(mpi, mpi->rank + step, mpi->gathered, bytes);
        MCL__THEN(status, mcl__group(mpi));
        if (status == MCL_OK) add(numbers, mpi->gathered, count);
    }
    MCL__THEN(status, mcl__tell_all(mpi, 0, numbers, bytes));
    return status;
}

/* Adds up numbers of all ranks. A few numbers are gathered on all ranks, which is one step. Many are added by pairs of
 * ranks, since gathering all ranks' numbers would take too many bytes. */
static mcl_status add_some(mcl_mpi *mpi, int64_t *numbers, int count)
{
    const size_t bytes = (size_t)count * sizeof *numbers;
    if (bytes * (size_t)mpi->size > GATHERED_BYTES) return add_by_pairs(mpi, numbers, count);
    const mcl_status status = mcl__gather_all(mpi, numbers, mpi->gathered, bytes);
    if (status != MCL_OK) return status;
    for (int k = 0; k < count; ++k) numbers[k] = 0;
    for (int r = 0; r < mpi->size; ++r) add(numbers, mpi->gathered + (size_t)r * (size_t)count, count);
    return MCL_OK;
}

mcl_status mcl__add_all(mcl_mpi *mpi, int64_t *numbers, int count)
{
    const int most = GATHERED_BYTES / (int)sizeof *numbers;
    mcl_status status = MCL_OK;
    for (int first = 0; first < count && status == MCL_OK; first += most)
        status = add_some(mpi, numbers + first, count - first < most ? count - first : most);
    return status;
}
