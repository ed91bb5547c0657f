/* threads.c: sends messages between threads of one process. The receiver copies the bytes that the sender has
 * posted. */
#include "threads.h"

#include <stdlib.h>
#include <string.h>

static const char another_failed[] = "another rank has failed";

void team_make(team *of, int size)
{
    memset(of, 0, sizeof *of);
    pthread_mutex_init(&of->lock, NULL);
    pthread_cond_init(&of->changed, NULL);
    of->size = size;
}

void team_free(team *of)
{
    pthread_cond_destroy(&of->changed);
    pthread_mutex_destroy(&of->lock);
}

/* Returns a sentence if the team is dead. Lets the team die if the test wants this call to fail. */
static const char *failure_of(member *own)
{
    team *const of = own->of;
    pthread_mutex_lock(&of->lock);
    const int dies = ++own->calls >= own->fails_at && own->fails_at > 0;
    if (dies) of->is_dead = 1;
    if (dies) pthread_cond_broadcast(&of->changed);
    const int is_dead = of->is_dead;
    pthread_mutex_unlock(&of->lock);
    return dies ? "the test wants a failure" : is_dead ? another_failed : NULL;
}

/* ---- messages ---------------------------------------------------------------------------------------------- */

static const char *post(member *own, int rank, mcl_mpi_memory memory, int is_send)
{
    team *const of = own->of;
    const char *const failure = failure_of(own);
    if (failure) return failure;
    if (own->count == POSTED_MOST) return "more messages than the test has room for";
    if (rank == own->rank || rank < 0 || rank >= of->size) return "a message to no other rank";
    if (memory.bytes == 0 || !memory.host == !memory.buffer || (memory.buffer && !own->queue)) return "no memory";
    if (memory.host && memory.bytes > 4 << 20) return "more than 4 MiB in host memory";
    posted *const message = &own->messages[own->count++];
    *message = (posted){ .memory = memory, .bytes = memory.host, .rank = rank, .is_send = is_send };
    if (memory.buffer) message->bytes = malloc(memory.bytes);
    if (!message->bytes) return "no memory of the test's";
    if (!is_send) return NULL;
    own->bytes += (int64_t)memory.bytes;
    if (memory.buffer &&
        mcl_buffer_read(own->queue, memory.buffer, memory.offset, memory.bytes, message->bytes) != MCL_OK)
        return mcl_last_error();
    pthread_mutex_lock(&of->lock);
    posted **at = &of->first[own->rank][rank];
    while (*at) at = &(*at)->next;
    *at = message;
    pthread_cond_broadcast(&of->changed);
    pthread_mutex_unlock(&of->lock);
    return NULL;
}

static const char *thread_send(void *state, int rank, mcl_mpi_memory from)
{
    return post(state, rank, from, 1);
}

static const char *thread_receive(void *state, int rank, mcl_mpi_memory to)
{
    return post(state, rank, to, 0);
}

/* Receives the messages that were sent to this rank so far, in order. Returns whether the rank must wait for others. */
static int receive_some(member *own, const char **failure)
{
    int waits = 0;
    for (int k = 0; k < own->count; ++k) {
        posted *const to = &own->messages[k];
        posted **const from = &own->of->first[to->rank][own->rank];
        if (!to->is_send && !to->is_done && *from) {
            if ((*from)->memory.bytes != to->memory.bytes) *failure = "a message has not the bytes that are expected";
            if ((*from)->memory.bytes == to->memory.bytes) memcpy(to->bytes, (*from)->bytes, to->memory.bytes);
            (*from)->is_done = to->is_done = 1;
            *from = (*from)->next;
            pthread_cond_broadcast(&own->of->changed);
        }
        waits |= !to->is_done;
    }
    return waits;
}

/* Copies received bytes to device memory, and frees the copies. */
static const char *end_posted(member *own, const char *failure)
{
    for (int k = 0; k < own->count; ++k) {
        const posted *const m = &own->messages[k];
        if (!m->memory.buffer) continue;
        if (!failure && !m->is_send &&
            mcl_buffer_write(own->queue, m->memory.buffer, m->memory.offset, m->memory.bytes, m->bytes) != MCL_OK)
            failure = mcl_last_error();
        free(m->bytes);
    }
    own->count = 0;
    return failure;
}

static const char *thread_group(void *state)
{
    member *const own = state;
    team *const of = own->of;
    const char *failure = failure_of(own);
    pthread_mutex_lock(&of->lock);
    /* a rank that has failed leaves its call, and frees what it has sent */
    while (!failure && !of->is_dead && receive_some(own, &failure)) pthread_cond_wait(&of->changed, &of->lock);
    if (of->is_dead && !failure) failure = another_failed;
    pthread_mutex_unlock(&of->lock);
    return end_posted(own, failure);
}

/* ---- functions of all ranks -------------------------------------------------------------------------------- */

static const char *meet(team *of)
{
    pthread_mutex_lock(&of->lock);
    const int round = of->round;
    if (++of->waiting == of->size) {
        of->waiting = 0;
        ++of->round;
        pthread_cond_broadcast(&of->changed);
    }
    while (round == of->round && !of->is_dead) pthread_cond_wait(&of->changed, &of->lock);
    const char *const failure = of->is_dead ? another_failed : NULL;
    pthread_mutex_unlock(&of->lock);
    return failure;
}

static const char *thread_all_gather(void *state, const void *mine, void *all, size_t bytes)
{
    member *const own = state;
    team *const of = own->of;
    const char *const failure = failure_of(own);
    if (failure) return failure;
    if (own->count > 0) return "a gathering with messages posted";
    of->gathered[own->rank] = mine;
    own->bytes += (int64_t)bytes;
    if (meet(of)) return another_failed;
    for (int r = 0; r < of->size; ++r) memcpy((unsigned char *)all + (size_t)r * bytes, of->gathered[r], bytes);
    return meet(of);
}

static const char *thread_barrier(void *state)
{
    member *const own = state;
    const char *const failure = failure_of(own);
    if (failure) return failure;
    if (own->count > 0) return "a barrier with messages posted";
    return meet(own->of);
}

mcl_mpi_messages team_messages(team *of, int rank, mcl_queue *queue)
{
    member *const own = &of->members[rank];
    *own = (member){ .of = of, .rank = rank, .queue = queue };
    return (mcl_mpi_messages){ .state = own,
                               .rank = rank,
                               .rank_count = of->size,
                               .queue = queue,
                               .send = thread_send,
                               .receive = thread_receive,
                               .group = thread_group,
                               .all_gather = thread_all_gather,
                               .barrier = thread_barrier };
}
