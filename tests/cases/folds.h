/* folds.h: the operators that reduce and scan are run with, each with what the host does for the same. */
#ifndef TEST_FOLDS_H
#define TEST_FOLDS_H

#include "elements.h"

/* An operator of the library beside the same in C. Functions take values by address; plus may write over p. */
typedef struct fold {
    const char *name;
    const mcl_op *op;
    const element *in;
    const element *value;                               /* accumulator on the host */
    const element *stored;                              /* what a scan stores */
    const element *total;                               /* what a reduction gives; NULL: stored */
    void (*extract)(const void *x, int64_t i, void *v); /* NULL: copies */
    void (*plus)(const void *p, const void *q, void *out);
    void (*identity)(void *v);                                /* NULL: has none */
    void (*combine)(const void *x, const void *v, void *out); /* NULL: store */
    void (*store)(const void *v, void *out);                  /* to stored; NULL: copies */
    void (*store_total)(const void *v, void *out);            /* to total; NULL: store */
    int takes_initial; /* the accumulator has one layout on host and device, so options->initial can be given */
} fold;

/* Sums of each element type, in the order of the elements table; then the others by name. */
extern const fold fold_add_int8;
extern const fold fold_add_int32;
extern const fold fold_add_int64;
extern const fold fold_add_uint32;
extern const fold fold_add_uint64;
extern const fold fold_add_float;
extern const fold fold_add_double;
extern const fold fold_add_point;
extern const fold fold_add_wide;
extern const fold fold_max_int32;
extern const fold fold_min_float;
extern const fold fold_xor_uint64;
extern const fold fold_max_half;
extern const fold fold_add_many_floats; /* of more than a float accumulator is exact for */
extern const fold fold_widened;         /* int8 elements, int64 sums */
extern const fold fold_widened_int32;   /* int32 elements, int64 sums */
extern const fold fold_mean_int32;      /* means as doubles; for mcl_group_by alone */
extern const fold fold_mean_uint64;
extern const fold fold_mean_double;
extern const fold fold_max_index_int8; /* elements, int32 indices */
extern const fold fold_max_index_int32;
extern const fold fold_max_index_int64;
extern const fold fold_max_index_uint32;
extern const fold fold_max_index_uint64;
extern const fold fold_max_index_float;
extern const fold fold_max_index_double;
extern const fold fold_min_index_float;
extern const fold fold_max_at_int32; /* value and index both */
extern const fold fold_max_at_double;
extern const fold fold_max_pair_int32; /* elements are such pairs */
extern const fold fold_max_pair_int64;
extern const fold fold_max_pair_uint32;
extern const fold fold_max_pair_uint64;
extern const fold fold_max_pair_float;
extern const fold fold_max_pair_double;
extern const fold fold_affine;  /* not commutative, 8 bytes, with an identity */
extern const fold fold_matrix;  /* not commutative, 16 bytes, without one */
extern const fold fold_tagged;  /* notices padding and uninitialised values */
extern const fold fold_flagged; /* extract strips a flag, combine puts it back */
extern const fold fold_halved;  /* int32 elements and sums, float results of element and sum */
extern const fold fold_modular; /* uses a bound value */

/* The loops of all operations that fold. sum has MCL_VALUE_BYTES_MAX bytes; *defined: it holds something. */
int fold_start(const fold *by, const unsigned char *initial,
               unsigned char *sum); /* gives defined; initial may be NULL */
void fold_step(const fold *by, const unsigned char *x, int64_t i, unsigned char *sum, int *defined);
void fold_combine(const fold *by, const unsigned char *x, const unsigned char *sum, unsigned char *out);
void fold_total(const fold *by, const unsigned char *sum, unsigned char *out);
const element *fold_total_element(const fold *by);

#endif
