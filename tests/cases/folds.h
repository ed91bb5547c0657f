/* folds.h: the operators with which reduce and scan are tested, each with the same operator on the host. */
#ifndef TEST_FOLDS_H
#define TEST_FOLDS_H

#include "elements.h"

/* An operator of the library, with the same operator in C. Functions take values by address, and plus may write over
 * p. */
typedef struct fold {
    const char *name;
    const mcl_op *op;
    const element *in;
    const element *value;                               /* type of the accumulator on the host */
    const element *stored;                              /* type that a scan stores */
    const element *total;                               /* type that a reduction stores; NULL: stored */
    void (*extract)(const void *x, int64_t i, void *v); /* NULL: copies */
    void (*plus)(const void *p, const void *q, void *out);
    /* function that stores the identity; NULL where there is none */
    void (*identity)(void *v);
    void (*combine)(const void *x, const void *v, void *out); /* NULL: store */
    void (*store)(const void *v, void *out);                  /* function that converts to stored; NULL: a copy */
    void (*store_total)(const void *v, void *out);            /* function that converts to total; NULL: store */
    int takes_initial; /* 1 where host and device have the same accumulator, so options->initial can be given */
} fold;

/* Sums of each element type, in the order of the table of elements, then the other operators by name. */
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
extern const fold fold_add_many_floats; /* sums of more floats than a float accumulator adds exactly */
extern const fold fold_widened;         /* int8 elements with int64 sums */
extern const fold fold_widened_int32;   /* int32 elements with int64 sums */
extern const fold fold_mean_int32;      /* means as doubles, for mcl_group_by alone */
extern const fold fold_mean_uint64;
extern const fold fold_mean_double;
extern const fold fold_max_index_int8; /* int8 elements with int32 indices */
extern const fold fold_max_index_int32;
extern const fold fold_max_index_int64;
extern const fold fold_max_index_uint32;
extern const fold fold_max_index_uint64;
extern const fold fold_max_index_float;
extern const fold fold_max_index_double;
extern const fold fold_min_index_float;
extern const fold fold_max_at_int32; /* result of value and index */
extern const fold fold_max_at_double;
extern const fold fold_max_pair_int32; /* elements that are pairs of value and index */
extern const fold fold_max_pair_int64;
extern const fold fold_max_pair_uint32;
extern const fold fold_max_pair_uint64;
extern const fold fold_max_pair_float;
extern const fold fold_max_pair_double;
extern const fold fold_affine;  /* not commutative; 8 bytes; with an identity */
extern const fold fold_matrix;  /* not commutative; 16 bytes; without an identity */
extern const fold fold_tagged;  /* detects padding and uninitialised values */
extern const fold fold_flagged; /* extract removes a flag, and combine restores it */
extern const fold fold_halved;  /* int32 elements and sums; float results from element and sum */
extern const fold fold_modular; /* with a bound value */

/* The loops of all operations that fold. sum has MCL_VALUE_BYTES_MAX bytes, and *defined is 1 where it has a value. */
int fold_start(const fold *by, const unsigned char *initial,
               unsigned char *sum); /* returns defined; initial may be NULL */
void fold_step(const fold *by, const unsigned char *x, int64_t i, unsigned char *sum, int *defined);
void fold_combine(const fold *by, const unsigned char *x, const unsigned char *sum, unsigned char *out);
void fold_total(const fold *by, const unsigned char *sum, unsigned char *out);
const element *fold_total_element(const fold *by);

#endif
