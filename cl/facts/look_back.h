#pragma once
/* look_back.h: the words that a look-back publishes, and its counters. The host or an earlier launch sets both the
 * words and the counters to zero before the look-back. */
/* Number of 64-bit words of a value. Each word holds 32 bits of the value below a tag. */
#define VALUE_WORDS(bytes) (((bytes) + 3) / 4)

/* Indices of the counters, words of 32 bits. */
#define LOOK_BACK_TICKETS 0 /* tiles that groups have taken */
#define LOOK_BACK_DONE 1    /* groups that have ended; counted for few tiles alone */
#define LOOK_BACK_COUNTERS 2
