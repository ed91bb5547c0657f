/* communicator.c: creates and releases an mcl_mpi, and begins each call on it. */
#include "messages.h"
#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mcl_status mcl__enter(mcl_mpi *mpi, const char *name)
{
    if (!mpi) return mcl__fail_alone(MCL_ERROR_ARGUMENT, "%s: mpi is NULL", name);
    const mcl_status status = mpi->library ? mpi->library->check(name) : MCL_OK;
    if (status != MCL_OK) return status;
    mpi->function = name;
    mcl__phases_begin(mpi);
    mpi->agreed = MCL_OK;
    if (!mpi->lost) mpi->sentence[0] = 0;
    return MCL_OK;
}

mcl_status mcl__begin(mcl_mpi *mpi, const mcl__signature *signature, mcl_status status)
{
    const mcl_status settled = mcl__peers_settle(mpi);
    return mcl__agree_on_call(mpi, status != MCL_OK ? status : settled, signature);
}

/* ---- create and release ------------------------------------------------------------------------------------ */

/* Reads an environment variable that must be one of three words, and stores the word's index. If the variable is not
 * set, or empty, the index is 0, which is "auto". */
static mcl_status read_word(mcl_mpi *mpi, const char *variable, const char *const words[3], int *out)
{
    const char *const text = getenv(variable);
    *out = 0;
    if (!text || !*text) return MCL_OK;
    for (int k = 0; k < 3; ++k) {
        *out = k;
        if (strcmp(text, words[k]) == 0) return MCL_OK;
    }
    *out = 0;
    return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "%s of the environment is \"%.200s\"; expected %s, %s or %s", variable,
                       text, words[0], words[1], words[2]);
}

/* Reads MCL_MPI_PIECES, the number of pieces in which a sort sends a share. 0: chosen by the size. */
static mcl_status read_pieces(mcl_mpi *mpi)
{
    const char *const text = getenv("MCL_MPI_PIECES");
    if (!text || !*text) return MCL_OK;
    char *end = NULL;
    const long pieces = strtol(text, &end, 10);
    if (*end || pieces < 1 || pieces > PIECES_MOST)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "MCL_MPI_PIECES of the environment is \"%.200s\"; expected 1 to %d",
                           text, (int)PIECES_MOST);
    mpi->pieces = (int)pieces;
    return MCL_OK;
}

/* Reads the environment variables. wanted: the caller's transport. If it is MCL_MPI_AUTO, the variable replaces it. */
static mcl_status read_environment(mcl_mpi *mpi, mcl_mpi_transport *wanted)
{
    static const char *const transports[] = { "auto", "host", "nccl" }, *const peers[] = { "auto", "never", "always" },
                             *const sorts[] = { "auto", "merge", "scatter" };
    int transport = 0, peers_wanted = 0, sort_wanted = 0;
    mcl_status status = read_word(mpi, "MCL_MPI_TRANSPORT", transports, &transport);
    MCL__THEN(status, read_word(mpi, "MCL_MPI_PEERS", peers, &peers_wanted));
    MCL__THEN(status, read_word(mpi, "MCL_MPI_SORT", sorts, &sort_wanted));
    MCL__THEN(status, read_pieces(mpi));
    mpi->sort_wanted = (mcl__sort_wish)sort_wanted;
    if (*wanted == MCL_MPI_AUTO) *wanted = (mcl_mpi_transport)transport;
    mpi->peers_wanted = (mcl__peers_wish)peers_wanted;
    return status;
}

static mcl_status transport_open(mcl_mpi *mpi, mcl_mpi_transport wanted)
{
    char reason[sizeof mpi->transport_reason] = "";
    const int is_own = mpi->messages.queue != NULL;
    const int nccl = !is_own && wanted != MCL_MPI_HOST && mcl__nccl_usable(mpi, reason, sizeof reason);
    mcl_status status = MCL_OK;
    if (wanted == MCL_MPI_NCCL && !nccl && !is_own)
        status = mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "NCCL cannot be used: %s", reason);
    MCL__AGREE(mpi, status);
    if (wanted != MCL_MPI_AUTO || is_own) snprintf(reason, sizeof reason, "asked for");
    const mcl__transport *const transport = is_own ? &mcl__transport_own
                                            : nccl ? &mcl__transport_nccl
                                                   : &mcl__transport_host;
    status = transport->open(mpi);
    mpi->transport = transport; /* so that mcl_mpi_release closes it if another rank has failed */
    snprintf(mpi->transport_reason, sizeof mpi->transport_reason, "%s", reason);
    return mcl__agree(mpi, status);
}

static mcl_status check_queue(mcl_mpi *mpi, mcl_queue *queue, mcl_mpi_transport transport)
{
    if (!queue) return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "queue is NULL");
    if ((unsigned)transport > MCL_MPI_NCCL)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "transport is %d; expected a value of mcl_mpi_transport",
                           (int)transport);
    if (mpi->messages.queue && transport != MCL_MPI_AUTO)
        return mcl__refuse(mpi, MCL_ERROR_ARGUMENT, "transport is %d beside messages->queue; expected MCL_MPI_AUTO",
                           (int)transport);
    const mcl_status status = mcl_queue_retain(queue);
    if (status != MCL_OK) return status;
    mpi->queue = queue;
    mpi->context = mcl_queue_context(queue);
    return mpi->context ? MCL_OK : MCL_ERROR_ARGUMENT;
}

/* Opens the transport and the peers. From here on the ranks agree on failures. */
static mcl_status create(mcl_mpi *mpi, mcl_queue *queue, mcl_mpi_transport transport)
{
    mcl__signature *const signature = mcl__sign(mpi);
    mcl_status status = check_queue(mpi, queue, transport);
    MCL__THEN(status, read_environment(mpi, &transport));
    mcl__sign_number(signature, "transport", mpi->messages.queue ? MCL_MPI_OWN : transport);
    mcl__sign_number(signature, "MCL_MPI_PIECES", mpi->pieces);
    mcl__sign_number(signature, "MCL_MPI_PEERS", mpi->peers_wanted);
    mcl__sign_number(signature, "MCL_MPI_SORT", mpi->sort_wanted);
    MCL__BEGIN(mpi, signature, status);
    status = transport_open(mpi, transport);
    MCL__THEN(status, mcl__peers_open(mpi));
    return status;
}

mcl_mpi *mcl__allocate(const char *function, int size)
{
    mcl_mpi *const mpi = calloc(1, sizeof *mpi);
    if (!mpi) return NULL;
    mpi->function = function;
    mpi->gathered = malloc(mcl__gathered_bytes(size));
    if (mpi->gathered) return mpi;
    free(mpi);
    return NULL;
}

void mcl__free(mcl_mpi *mpi)
{
    if (mpi) free(mpi->gathered);
    free(mpi);
}

mcl_status mcl__open(mcl_mpi *mpi, const mcl_mpi_messages *messages, const mcl__library *library, mcl_queue *queue,
                     mcl_mpi_transport transport, mcl_mpi **out)
{
    mpi->messages = *messages;
    mpi->library = library;
    mpi->rank = messages->rank;
    mpi->size = messages->rank_count;
    const mcl_status status = create(mpi, queue, transport);
    if (status == MCL_OK)
        *out = mpi;
    else
        mcl_mpi_release(mpi);
    return status;
}

/* Checks the caller's own functions. If a rank fails here, the other ranks do not learn of it. */
static mcl_status check_messages(const mcl_mpi_messages *of, const char *name)
{
    if (!of) return mcl__fail_alone(MCL_ERROR_ARGUMENT, "%s: messages is NULL", name);
    const char *const missing = !of->send         ? "send"
                                : !of->receive    ? "receive"
                                : !of->group      ? "group"
                                : !of->all_gather ? "all_gather"
                                : !of->barrier    ? "barrier"
                                                  : NULL;
    if (missing) return mcl__fail_alone(MCL_ERROR_ARGUMENT, "%s: messages->%s is NULL", name, missing);
    if (of->rank < 0 || of->rank >= of->rank_count)
        return mcl__fail_alone(MCL_ERROR_ARGUMENT, "%s: messages->rank is %d of %d; expected 0 to rank_count - 1", name,
                               of->rank, of->rank_count);
    return MCL_OK;
}

mcl_status mcl_mpi_create_with(const mcl_mpi_messages *messages, mcl_queue *queue, mcl_mpi_transport transport,
                               mcl_mpi **out)
{
    static const char name[] = "mcl_mpi_create_with";
    if (!out) return mcl__fail_alone(MCL_ERROR_ARGUMENT, "%s: out is NULL", name);
    *out = NULL;
    const mcl_status status = check_messages(messages, name);
    if (status != MCL_OK) return status;
    mcl_mpi *const mpi = mcl__allocate(name, messages->rank_count);
    if (!mpi) return mcl__fail_alone(MCL_ERROR_MEMORY, "%s: no host memory", name);
    return mcl__open(mpi, messages, NULL, queue, transport, out);
}

void mcl_mpi_release(mcl_mpi *mpi)
{
    if (!mpi) return;
    if (mpi->library && mpi->library->is_over()) mpi->lost = 1; /* no more messages are sent */
    if (mpi->exchange_queue) mcl_queue_finish(mpi->exchange_queue);
    mcl__peers_close(mpi);
    if (mpi->transport) mpi->transport->close(mpi);
    for (int k = 0; k < ROOM_COUNT; ++k) mcl_buffer_release(mpi->rooms[k]);
    mcl_queue_release(mpi->queue);
    if (mpi->library) mpi->library->close(mpi->messages.state, mpi->lost);
    mcl__free(mpi);
}

mcl_status mcl_mpi_get_info(mcl_mpi *mpi, mcl_mpi_info *info)
{
    if (!mpi || !info) return mcl__fail_alone(MCL_ERROR_ARGUMENT, "mcl_mpi_get_info: %s is NULL", mpi ? "info" : "mpi");
    *info = (mcl_mpi_info){
        .rank = mpi->rank, .rank_count = mpi->size, .transport = mpi->transport->kind, .bytes_sent = mpi->bytes_sent
    };
    /* with NCCL transport_reason is short, and peers_reason follows; otherwise peers_reason is "" */
    snprintf(info->transport_reason, sizeof info->transport_reason, mpi->peers_reason[0] ? "%.47s%.111s" : "%s%s",
             mpi->transport_reason, mpi->peers_reason);
    for (int k = 0; k < MCL_MPI_PHASES; ++k) info->milliseconds[k] = mpi->milliseconds[k];
    for (int k = 0; k < ROOM_COUNT; ++k)
        if (mpi->rooms[k]) info->device_bytes += (int64_t)mcl_buffer_bytes(mpi->rooms[k]);
    return MCL_OK;
}
