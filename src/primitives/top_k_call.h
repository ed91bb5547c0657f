/* top_k_call.h: what the functions that select share (top_k.c, top_k_sorted.c). */
#ifndef MODERNCL_TOP_K_CALL_H
#define MODERNCL_TOP_K_CALL_H

#include "call/run.h"

#include "moderncl/top_k.h"

/* Operands. */
enum {
    MCL__TOP_K_IN = 1,
    MCL__TOP_K_IN_VALUES,
    MCL__TOP_K_BEFORE,
    MCL__TOP_K_OUT,
    MCL__TOP_K_OUT_VALUES,
    MCL__TOP_K_OUT_INDICES,
    MCL__TOP_K_RESULT,
    MCL__TOP_K_CHOSEN
};

extern const mcl__declaration mcl__top_k;

/* top_k.c: the selection of a checked call of wanted elements, at most as many as the input has. The outputs are in
 * order where the elements are few (mcl__top_k_sorts), else in any order. */
mcl_status mcl__top_k_select(mcl__run *run, int64_t wanted);
/* 1: the selection itself sorts that number of elements. */
int mcl__top_k_sorts(const mcl__run *run, int64_t wanted);

/* The tile of a selection in the run's input MCL__TOP_K_IN, and the elements that a work-group of it sorts. */
mcl__tile mcl__top_k_tile(mcl__run *run, int index_bits);
int64_t mcl__top_k_block(mcl__tile tile);
/* Bytes of a key with its index, at most. */
size_t mcl__top_k_ranked_bytes(const mcl_type *key, int index_bits);
/* Bytes of the state of a selection, at most. */
size_t mcl__top_k_state_bytes(const mcl_type *key, int index_bits);
/* Elements that all levels of count candidates have room for. */
int64_t mcl__top_k_room(int64_t count, int64_t block);

/* top_k_sorted.c: the same where they are many, in order. */
mcl_status mcl__top_k_sorted(mcl__run *run, int64_t wanted);

#endif
