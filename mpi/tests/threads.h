/* threads.h: ranks that are threads of one process, and the functions of mcl_mpi_messages for them. */
#ifndef THREADS_H
#define THREADS_H

#include "moderncl/ranks.h"

#include <pthread.h>

enum { THREADS_MOST = 16, POSTED_MOST = 64 };

/* A posted message of a rank. */
typedef struct posted {
    struct posted *next; /* next message of the same rank to the same rank */
    mcl_mpi_memory memory;
    unsigned char *bytes; /* host memory that is copied */
    int rank, is_send, is_done;
} posted;

typedef struct team team;

/* A rank of a team, which is the state of its functions. */
typedef struct member {
    team *of;
    int rank;
    mcl_queue *queue; /* queue for operands; NULL: all messages are in host memory */
    posted messages[POSTED_MOST];
    int count;
    int fails_at, calls; /* call at which the team dies, counted from 1 (0: none); number of calls so far */
    int64_t bytes;       /* bytes that this rank has sent; for all_gather only its own bytes */
} member;

struct team {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int size;
    posted *first[THREADS_MOST][THREADS_MOST]; /* [from][to] first message that was sent and is not received yet */
    const void *gathered[THREADS_MOST];
    int waiting, round; /* number of ranks in the barrier; number of barriers so far */
    int is_dead;        /* 1 if a rank has failed, so that all other calls fail too */
    member members[THREADS_MOST];
};

void team_make(team *of, int size);
void team_free(team *of);

/* Returns the functions for a rank of a team. If queue is not NULL, operands go from buffer to buffer. */
mcl_mpi_messages team_messages(team *of, int rank, mcl_queue *queue);

#endif
