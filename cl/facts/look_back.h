#pragma once
/* look_back.h: the words that a look-back publishes, and its counters. The states of tiles and the counters are zero
 * before it. */
/* 64-bit words of a value: each holds 32 bits of it under a tag. */
#define VALUE_WORDS(bytes) (((bytes) + 3) / 4)

/* Counters, words of 32 bits. */
#define LOOK_BACK_TICKETS 0 /* tiles that have been taken */
#define LOOK_BACK_DONE 1    /* groups that are done: of few tiles alone */
#define LOOK_BACK_COUNTERS 2
