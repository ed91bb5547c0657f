/* peers.c: opens scratch buffers of other processes on the same host, by handles of the CUDA driver. Kernels of one
 * device then read the memory of another device over NVLink.
 *
 * A scratch buffer must not be freed while other ranks have it open, and must not change while they read it. All ranks
 * know its size, since they all know the counts of a call. So all ranks close a buffer together before it grows. */
#define _POSIX_C_SOURCE 200809L /* needed for gethostname */

#include "peers.h"

#include "cuda_driver.h"
#include "messages.h"
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PART_ROOMS = ROOM_SECOND_PART_VALUES + 1,
    /* The driver shares memory in blocks of BLOCK_BYTES. A scratch buffer takes whole blocks, so that no other data are
     * shared. */
    BLOCK_BYTES = 2 << 20,
    LAZY_PEER_ACCESS = 1, /* value of CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS */
    NATIVE_ATOMICS = 3,   /* CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED: 1 over NVLink, not over PCIe */
    WHY_BYTES = 56        /* largest length of a rank's reason, in bytes */
};

/* A scratch buffer of one rank, which other ranks may read. */
typedef struct part_room {
    int64_t bytes;      /* smallest size that the buffer has; the same on all ranks */
    mcl_buffer *buffer; /* the buffer as this rank uses it; NULL on all ranks if it is not open */
    CUdeviceptr opened; /* address that the driver has opened for the buffer; 0 for this rank's own buffer */
} part_room;

/* A scratch buffer that a rank offers to other ranks. */
typedef struct offer {
    mcl__cuda_handle handle;
    int64_t offset; /* offset of the buffer in the memory that the handle opens */
    int is_there;
} offer;

struct mcl__peers {
    mcl__cuda_driver driver;
    part_room *rooms[PART_ROOMS]; /* [rank] scratch buffers of each rank */
    offer *offers;                /* [rank] offers that all ranks have gathered */
    char (*why_not)[WHY_BYTES];   /* [rank] reasons why a rank cannot read other ranks' memory */
    int64_t *needs;               /* [rank] bytes that each rank's buffer needs in this call */
    int is_reading;
};

/* ---- open and close ---------------------------------------------------------------------------------------- */

/* Closes a rank's buffer on this rank. When all ranks have done this, its memory may be freed. */
static void close_room(mcl_mpi *mpi, part_room *of)
{
    if (of->opened) {
        mcl_buffer_release(of->buffer);
        if (mcl__cuda_enter(&mpi->peers->driver, mpi) == MCL_OK) {
            mpi->peers->driver.handle_close(of->opened);
            mcl__cuda_leave(&mpi->peers->driver);
        }
    }
    of->buffer = NULL;
    of->opened = 0;
}

static void free_peers(mcl_mpi *mpi)
{
    struct mcl__peers *const peers = mpi->peers;
    if (!peers) return;
    for (int room = 0; room < PART_ROOMS; ++room) free(peers->rooms[room]);
    free(peers->offers);
    free(peers->why_not);
    free(peers->needs);
    free(peers);
    mpi->peers = NULL;
}

void mcl__peers_close(mcl_mpi *mpi)
{
    if (!mpi->peers) return;
    mcl_queue_finish(mpi->queue);
    for (int room = 0; room < PART_ROOMS; ++room)
        for (int r = 0; r < mpi->size; ++r) close_room(mpi, &mpi->peers->rooms[room][r]);
    if (!mpi->lost) mcl__barrier(mpi); /* after this, no rank has this rank's buffers open */
    free_peers(mpi);
}

/* Gathers each rank's reason why it cannot read other ranks' memory. Returns 1 if there is none. Otherwise stores the
 * lowest rank's reason in peers_reason. Collective. */
static int all_can(mcl_mpi *mpi, const char *why_not)
{
    char mine[WHY_BYTES];
    char(*const all)[WHY_BYTES] = mpi->peers->why_not;
    snprintf(mine, sizeof mine, "%s", why_not);
    if (mcl__gather_all(mpi, mine, all, sizeof mine) != MCL_OK) return 0;
    for (int r = 0; r < mpi->size; ++r) {
        if (!all[r][0]) continue;
        snprintf(mpi->peers_reason, sizeof mpi->peers_reason, "; ranks cannot read each other's memory: rank %d: %s", r,
                 all[r]);
        return 0;
    }
    snprintf(mpi->peers_reason, sizeof mpi->peers_reason, "; sorts and joins read each other's memory");
    return 1;
}

/* Makes the offer of a scratch buffer. A handle opens a whole allocation, and the buffer may be only a part of it. */
static int make_offer(mcl_mpi *mpi, mcl__room room, offer *out)
{
    const mcl__cuda_driver *const driver = &mpi->peers->driver;
    const CUdeviceptr address = mcl_cuda_buffer(mpi->rooms[room]);
    CUdeviceptr base = 0;
    size_t bytes = 0;
    *out = (offer){ .is_there = 0 };
    if (mcl__cuda_enter(driver, mpi) != MCL_OK) return -1;
    int result = driver->address_range(&base, &bytes, address);
    if (result == 0) result = driver->handle_get(&out->handle, base);
    mcl__cuda_leave(driver);
    out->offset = (int64_t)(address - base);
    out->is_there = result == 0;
    return result;
}

static int open_room(mcl_mpi *mpi, const offer *from, part_room *to)
{
    const mcl__cuda_driver *const driver = &mpi->peers->driver;
    if (mcl__cuda_enter(driver, mpi) != MCL_OK) return -1;
    const int result = driver->handle_open(&to->opened, from->handle, LAZY_PEER_ACCESS);
    mcl__cuda_leave(driver);
    if (result != 0) {
        to->opened = 0;
        return result;
    }
    const mcl_status status =
        mcl_cuda_peer_buffer_wrap(mpi->context, to->opened + (CUdeviceptr)from->offset, (size_t)to->bytes, &to->buffer);
    return status == MCL_OK ? 0 : -1;
}

/* Opens the scratch buffers of all ranks that are not open yet. If one rank cannot, all ranks send from now on.
 * Collective: the caller must call mcl__agree before and after it. */
static mcl_status open_rooms(mcl_mpi *mpi, mcl__room room)
{
    struct mcl__peers *const peers = mpi->peers;
    part_room *const all = peers->rooms[room];
    char why_not[WHY_BYTES] = "";
    offer mine;
    int result = make_offer(mpi, room, &mine);
    if (result != 0) snprintf(why_not, sizeof why_not, "cuIpcGetMemHandle failed (%d)", result);
    mcl_status status = mcl__gather_all(mpi, &mine, peers->offers, sizeof mine);
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r) {
        if (r == mpi->rank || all[r].buffer || !peers->offers[r].is_there) continue;
        result = open_room(mpi, &peers->offers[r], &all[r]);
        if (result != 0) snprintf(why_not, sizeof why_not, "cuIpcOpenMemHandle failed (%d)", result);
    }
    all[mpi->rank].buffer = mpi->rooms[room];
    const int is_open = status == MCL_OK && all_can(mpi, why_not);
    if (!is_open) mcl__peers_close(mpi);
    return mpi->lost ? MCL_ERROR_DEVICE : MCL_OK;
}

/* ---- checks of hosts and links ----------------------------------------------------------------------------- */

/* Returns the number of a device in this process. Returns -1 if the process does not see the device. */
static int device_with(const mcl__cuda_driver *driver, const mcl__cuda_uuid *uuid)
{
    int count = 0;
    if (driver->device_count(&count) != 0) return -1;
    for (int k = 0; k < count; ++k) {
        mcl__cuda_uuid other;
        int device = 0;
        const int is_told = driver->device_get(&device, k) == 0 && driver->uuid(&other, device) == 0;
        if (is_told && memcmp(&other, uuid, sizeof other) == 0) return device;
    }
    return -1;
}

/* Checks that NVLink connects this device with all others. Over a slower link a kernel would read for longer than
 * messages take. */
static mcl_status check_links(mcl_mpi *mpi, char *why_not, size_t capacity)
{
    const mcl__cuda_driver *const driver = &mpi->peers->driver;
    mcl__cuda_uuid own = { { 0 } }, *uuids = NULL;
    int device = 0;
    MCL__AGREE(mpi, mcl__array(mpi, mpi->size, sizeof own, &uuids));
    int is_told = mcl__cuda_enter(driver, mpi) == MCL_OK;
    if (is_told) {
        is_told = driver->device(&device) == 0 && driver->uuid(&own, device) == 0;
        mcl__cuda_leave(driver);
    }
    const mcl_status status = mcl__gather_all(mpi, &own, uuids, sizeof own);
    for (int r = 0; r < mpi->size && status == MCL_OK && is_told; ++r) {
        const int other = device_with(driver, &uuids[r]);
        int has_link = 0;
        if (r == mpi->rank || why_not[0]) continue;
        if (other < 0)
            snprintf(why_not, capacity, "the device of rank %d is not visible", r);
        else if (driver->p2p_attribute(&has_link, NATIVE_ATOMICS, device, other) != 0 || !has_link)
            snprintf(why_not, capacity, "no NVLink to the device of rank %d", r);
    }
    if (!is_told) snprintf(why_not, capacity, "the driver does not tell its device");
    free(uuids);
    return status;
}

/* Makes a name of the host that is the same in its containers: the id of its last start, or else its host name. */
static void name_host(char *name, size_t capacity)
{
    FILE *const file = fopen("/proc/sys/kernel/random/boot_id", "r");
    const int is_read = file && fgets(name, (int)capacity, file);
    if (file) fclose(file);
    if (!is_read && gethostname(name, capacity - 1) != 0) name[0] = 0;
}

static mcl_status check_host(mcl_mpi *mpi, char *why_not, size_t capacity)
{
    char mine[WHY_BYTES] = "";
    char(*const all)[WHY_BYTES] = mpi->peers->why_not;
    name_host(mine, sizeof mine);
    const mcl_status status = mcl__gather_all(mpi, mine, all, sizeof mine);
    for (int r = 0; r < mpi->size && status == MCL_OK; ++r)
        if (memcmp(all[r], mine, sizeof mine) != 0) snprintf(why_not, capacity, "some ranks are on other hosts");
    return status;
}

static mcl_status make_arrays(mcl_mpi *mpi)
{
    mcl_status status = mcl__array(mpi, 1, sizeof *mpi->peers, &mpi->peers);
    if (status != MCL_OK) return status;
    struct mcl__peers *const peers = mpi->peers;
    for (int room = 0; room < PART_ROOMS; ++room)
        MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *peers->rooms[room], &peers->rooms[room]));
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *peers->offers, &peers->offers));
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *peers->why_not, &peers->why_not));
    MCL__THEN(status, mcl__array(mpi, mpi->size, sizeof *peers->needs, &peers->needs));
    if (status != MCL_OK) return status;
    const char *const missing = mcl__cuda_driver_load(&peers->driver);
    return missing ? mcl__refuse(mpi, MCL_ERROR_UNSUPPORTED, "%s is missing", missing) : MCL_OK;
}

/* ---- scratch buffers --------------------------------------------------------------------------------------- */

static int is_too_small(const struct mcl__peers *peers, mcl__room room, int rank)
{
    return peers->needs[rank] > peers->rooms[room][rank].bytes;
}

/* Grows the scratch buffers of all ranks that need more bytes. */
static mcl_status grow_rooms(mcl_mpi *mpi, mcl__room room)
{
    struct mcl__peers *const peers = mpi->peers;
    part_room *const all = peers->rooms[room];
    int was_open = 0;
    for (int r = 0; r < mpi->size; ++r) {
        if (!is_too_small(peers, room, r)) continue;
        was_open |= all[r].buffer != NULL;
        close_room(mpi, &all[r]);
        all[r].bytes = 0; /* until the agreement below, after which the rank has the larger buffer */
    }
    mcl_buffer *own = NULL;
    mcl_status status = was_open ? mcl__barrier(mpi) : MCL_OK;
    MCL__THEN(status, mcl__room_of(mpi, room, peers->needs[mpi->rank], &own));
    MCL__AGREE(mpi, status);
    for (int r = 0; r < mpi->size; ++r)
        if (is_too_small(peers, room, r)) all[r].bytes = peers->needs[r];
    return MCL_OK;
}

/* Makes scratch buffers of peers->needs bytes on all ranks. If is_read is 1, other ranks can read them afterwards, if
 * the devices can. */
static mcl_status ready_rooms(mcl_mpi *mpi, mcl_status status, mcl__room room, int is_read)
{
    int grows = 0, is_closed = 0;
    for (int r = 0; r < mpi->size; ++r) {
        grows |= is_too_small(mpi->peers, room, r);
        is_closed |= mpi->peers->rooms[room][r].buffer == NULL;
    }
    if (!grows && !(is_read && is_closed)) return status;
    MCL__AGREE(mpi, status);
    if (grows) MCL__AGREE(mpi, grow_rooms(mpi, room));
    return is_read ? mcl__agree(mpi, open_rooms(mpi, room)) : MCL_OK;
}

static int64_t whole_blocks(int64_t bytes)
{
    return (bytes / BLOCK_BYTES + 1) * BLOCK_BYTES;
}

mcl_status mcl__part_room(mcl_mpi *mpi, mcl_status status, const mcl__cuts *cuts, int list, const mcl_type *type,
                          mcl__room room, mcl_buffer **out)
{
    const int64_t size = (int64_t)type->size;
    if (mpi->peers) {
        int64_t all = 0;
        for (int r = 0; r < mpi->size; ++r) {
            const int64_t bytes = mcl__count_of(cuts, list, r) * size;
            mpi->peers->needs[r] = whole_blocks(bytes);
            all += bytes;
        }
        const int is_read = mpi->peers_wanted == PEERS_ALWAYS || all / mpi->size >= MCL__PEERS_BYTES;
        status = ready_rooms(mpi, status, room, is_read);
    }
    MCL__THEN(status, mcl__room_of(mpi, room, mcl__count_of(cuts, list, mpi->rank) * size, out));
    return status;
}

mcl_buffer *mcl__peer_part(const mcl_mpi *mpi, mcl__room room, int rank)
{
    if (!mpi->peers) return NULL;
    for (int r = 0; r < mpi->size; ++r)
        if (!mpi->peers->rooms[room][r].buffer) return NULL;
    return mpi->peers->rooms[room][rank].buffer;
}

mcl_status mcl__peers_show(mcl_mpi *mpi)
{
    if (!mpi->peers) return MCL_OK;
    mpi->peers->is_reading = 1;
    return mcl_queue_finish(mpi->queue);
}

mcl_status mcl__peers_settle(mcl_mpi *mpi)
{
    if (!mpi->peers || !mpi->peers->is_reading) return MCL_OK;
    mpi->peers->is_reading = 0;
    return mcl_queue_finish(mpi->queue);
}

/* ---- opening ----------------------------------------------------------------------------------------------- */

mcl_status mcl__peers_open(mcl_mpi *mpi)
{
    if (mpi->size == 1 || mpi->transport->kind != MCL_MPI_NCCL) return MCL_OK;
    if (mpi->peers_wanted == PEERS_NEVER) {
        snprintf(mpi->peers_reason, sizeof mpi->peers_reason, "; asked not to read each other's memory");
        return MCL_OK;
    }
    char why_not[WHY_BYTES] = "";
    mcl_status status = mcl__agree(mpi, make_arrays(mpi));
    MCL__THEN(status, check_host(mpi, why_not, sizeof why_not));
    if (mpi->peers_wanted != PEERS_ALWAYS) MCL__THEN(status, check_links(mpi, why_not, sizeof why_not));
    if (status != MCL_OK || !all_can(mpi, why_not)) {
        free_peers(mpi);
        return mcl__agree(mpi, status);
    }
    /* opens a first scratch buffer, to see whether the driver allows it */
    for (int r = 0; r < mpi->size; ++r) mpi->peers->needs[r] = whole_blocks(0);
    return ready_rooms(mpi, MCL_OK, ROOM_PART, 1);
}
