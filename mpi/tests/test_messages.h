/* test_messages.h: the suite for the caller's own functions, on ranks that are threads. */
#ifndef TEST_MESSAGES_H
#define TEST_MESSAGES_H

#include "ranks_test.h"
#include "threads.h"

/* A rank of the test program. All ranks share the teams. Each new mcl_mpi takes the next team. */
enum { TEAMS_MOST = 96 };
typedef struct seat {
    pthread_t thread;
    ranks_test test;
    mcl_mpi_messages talk; /* functions by which the test itself communicates, in the first team */
    team *teams;           /* [TEAMS_MOST] teams of the program */
    int made;              /* number of teams taken after the first */
    int on_device;         /* 1 if operands go from buffer to buffer */
} seat;

/* Returns this rank's functions in the next team. */
mcl_mpi_messages next_messages(seat *own, mcl_queue *queue);

void test_messages(seat *own);

#endif
