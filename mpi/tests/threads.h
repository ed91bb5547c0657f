/* threads.h: ranks that are threads of one process, and the functions of mcl_mpi_messages for them. */
#ifndef THREADS_H
#define THREADS_H

#include "moderncl/ranks.h"

#include <pthread.h>

enum { THREADS_MOST = 16, POSTED_MOST = 64 };

/* A message on its way: what one rank has posted. */
typedef struct posted {
    struct posted *next; /* the one that the same rank has posted after it, to the same rank */
    mcl_mpi_memory memory;
    unsigned char *bytes; /* the host memory that is copied */
    int rank, is_send, is_done;
} posted;

typedef struct team team;

/* A rank of a team: the state of its functions. */
typedef struct member {
    team *of;
    int rank;
    mcl_queue *queue; /* NULL: messages lie on the host alone */
    posted messages[POSTED_MOST];
    int count;
    int fails_at, calls; /* the call at which the team dies, counted from 1; 0: none */
    int64_t bytes;       /* bytes that it has sent, each once; of all_gather those that it brings */
} member;

struct team {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int size;
    posted *first[THREADS_MOST][THREADS_MOST]; /* [from][to] sends that are not received yet */
    const void *gathered[THREADS_MOST];
    int waiting, round; /* of the barrier */
    int is_dead;        /* whether a rank has failed, so that no other one gets an answer */
    member members[THREADS_MOST];
};

void team_make(team *of, int size);
void team_free(team *of);

/* The functions for a rank of a team. With a queue they move operands from buffer to buffer. */
mcl_mpi_messages team_messages(team *of, int rank, mcl_queue *queue);

#endif
