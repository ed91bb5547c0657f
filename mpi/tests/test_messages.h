/* test_messages.h: the suite of functions of the caller's own, on ranks that are threads. */
#ifndef TEST_MESSAGES_H
#define TEST_MESSAGES_H

#include "ranks_test.h"
#include "threads.h"

/* A rank of the program: the teams are shared, and each mcl_mpi takes the next one. */
enum { TEAMS_MOST = 96 };
typedef struct seat {
    pthread_t thread;
    ranks_test test;
    mcl_mpi_messages talk; /* of the test itself, by the first team */
    team *teams;           /* [TEAMS_MOST] */
    int made;              /* teams that are taken after the first */
    int on_device;         /* whether operands go from buffer to buffer */
} seat;

/* Takes the next team, for all ranks. */
mcl_mpi_messages next_messages(seat *own, mcl_queue *queue);

void test_messages(seat *own);

#endif
