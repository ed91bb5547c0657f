/* case.h: what a primitive is tested and timed with. A variant is about one device program: types, operator, kind of
 * input, tile. A problem is a variant at one size with its data and the result of the obvious loop. Knows nothing of
 * the test framework: moderncl-bench takes what an operation gives, how it is called and what it moves from here, for
 * inputs of its own. */
#ifndef TEST_CASE_H
#define TEST_CASE_H

#include "case_list.h"
#include "folds.h"

#include <string.h>

typedef enum case_source { FROM_BUFFER, FROM_COUNTING, FROM_STEP, FROM_CONSTANT, FROM_EXPRESSION } case_source;
typedef enum case_order { ORDER_RANDOM, ORDER_ASCENDING, ORDER_DESCENDING } case_order;
enum { SET_INTERSECTION, SET_UNION, SET_DIFFERENCE, SET_SYMMETRIC_DIFFERENCE }; /* kinds of sets */
enum {
    COMPACT,
    COMPACT_FLAGGED,
    COMPACT_STENCIL,
    COMPACT_COLUMNS, /* columns: as many as length says; 0: one */
    PARTITION,
    PARTITION_FLAGGED,
    PARTITION_STENCIL,
    PARTITION_COLUMNS, /* the same */
    PARTITION_THREE,
    UNIQUE,
    UNIQUE_BY_KEY,
    RUN_LENGTH_ENCODE
}; /* kinds of compact */
enum { BALANCE_OBJECTS, BALANCE_RANKS, BALANCE_BOTH, BALANCE_EXPRESSION };  /* forms: what is stored */
enum { INTERVAL_EXPAND, INTERVAL_MOVE, INTERVAL_GATHER, INTERVAL_SCATTER }; /* forms */
enum { BULK_REMOVE, BULK_INSERT };
enum { SPLIT_BY_REMAINDER, SPLIT_BY_INDEX, SPLIT_BY_LOW_BITS, SPLIT_BY_HIGH_BITS }; /* forms of multisplit */
enum { SPLITTERS_ALONE, SPLITTERS_AT_POSITIONS };                                   /* forms of splitters */
enum { SEARCH_BOTH, SEARCH_NEEDLES, SEARCH_EQUALITY };                              /* forms of sorted search */
enum { HISTOGRAM_EVEN, HISTOGRAM_RANGE, HISTOGRAM_NUMBER };                         /* kinds */
enum { HISTOGRAM_PART, HISTOGRAM_WHOLE }; /* forms: what even bins have of an integer's range */
enum { TOP_K, TOP_K_INDICES, NTH_ELEMENT, NTH_ELEMENTS, QUANTILE }; /* kinds of top-k; the fourth of no segments */
/* Forms of top-k; segments are rows of the variant's length. Of quantiles: an mcl_interpolation. */
enum { WITHOUT_COUNTS = 1, AMOUNT_ON_DEVICE = 2, TOP_K_ROWS = 4 };
enum { JOIN_COLUMNS, JOIN_ROWS_GATHER }; /* forms of joined columns: from the call; by row numbers */
enum { FIND_IF, COUNT_IF };              /* kinds of find */
enum {
    SORT_COLUMNS_TWO,
    SORT_COLUMNS_LONE,
    SORT_COLUMNS_WORDS,     /* several words */
    SORT_COLUMNS_OWN_FIRST, /* a column with an order of its own, before a word; after one */
    SORT_COLUMNS_OWN_LAST,
    SORT_COLUMNS_BYTES, /* a word of eight columns, and one more */
    SORT_COLUMNS_DOUBLES
}; /* kinds of sort by columns */
enum {
    SEGMENTED_INDICES = 1,
    SEGMENTED_DROPS_KEYS = 2,
    SEGMENTED_IN_SEGMENTS = 4,
    SEGMENTED_ROWS = 8 /* segments are rows of the variant's length */
}; /* forms of segmented sort */
enum { SORT_INDICES = 1, RADIX_WINDOWS = 1 };  /* kinds of sort; of radix sort of floats: by parts of the bits too */
enum { GROUP_BY, GROUP_BY_COUNTED, DISTINCT }; /* kinds of grouping; the second has counts too */

enum { CASE_INPUTS = 9, CASE_OUTPUTS = 10 };

/* A test of elements beside the same in C. */
typedef struct case_test {
    mcl_op op;
    int (*holds)(const void *x);
} case_test;

typedef struct case_variant {
    const char *name;       /* "" to be told apart by the rest */
    const element *element; /* of the main input; NULL: the fold's */
    const element *value;   /* merge, sort, sets of pairs: the values'; transform, cuts: the output's; compact: of
                             flags, stencil, values or lengths; bulk: the indices' */
    const fold *fold;       /* reduce, scan */
    case_source source;     /* of the main input */
    int threads;            /* options; 0, 0: what the library chooses */
    int items;
    unsigned flags; /* of mcl_options */
    mcl_sort_method sort_method;
    int kind; /* of scan; bounds of cuts; operation of sets; sort: 0 or SORT_INDICES; compact, bulk:
                             which function */
    int in_place;
    int coop;                     /* cuts: -1 binary search, otherwise mcl_cut_merge_path's */
    int descending;               /* merge, sort, sets: by MCL_GREATER */
    const element *index_element; /* of indices: the output's */
    int a_find;                   /* sorted search: what is stored of a and of b, mcl_find */
    int b_find;
    int form;                  /* sorted search, load balance, interval: which of their functions */
    const case_test *test;     /* compact; NULL: above the middle of the element's range */
    int passes;                /* sets, joins: of mcl_options */
    int length;                /* segments and runs: mean length; 0: 10. multisplit: buckets. compact: columns. top-k:
                                  how many in all problems, of NTH_ELEMENT any number for the median.
                                  grouping: groups */
    int wanted;                /* segmented top-k: k in all problems; 0: one of several */
    mcl_segment_kind segments; /* of segmented_reduce and segmented_scan */
    int no_initial;            /* segments and runs: never tried with options->initial */
} case_variant;

typedef struct case_input {
    const element *element;
    case_source source;
    int64_t count;
    unsigned char *data;  /* every element as the device must see it */
    unsigned char *table; /* FROM_EXPRESSION: what the bound array holds */
    int64_t start;        /* FROM_COUNTING, FROM_STEP, FROM_CONSTANT: as from_integer takes it */
    int64_t step;
} case_input;

typedef struct case_output {
    const element *element;
    int64_t room;           /* elements that data has memory for */
    int64_t count;          /* elements that the call writes */
    unsigned char *data;    /* what they must be */
    unsigned char *earlier; /* content before the call; NULL: any */
} case_output;

typedef struct case_problem {
    const case_variant *variant;
    int64_t n;
    uint64_t seed;
    int input_count;
    int output_count;
    case_input inputs[CASE_INPUTS];
    case_output outputs[CASE_OUTPUTS];
    case_output result; /* element NULL: none */
    int has_initial;
    unsigned char initial[MCL_VALUE_BYTES_MAX];
    int64_t tile; /* cuts */
} case_problem;

/* What the call is told, made from a problem by whoever runs it. */
typedef struct case_operands {
    mcl_input in[CASE_INPUTS];
    mcl_output out[CASE_OUTPUTS];
    mcl_result result;
} case_operands;

typedef struct mcl_case {
    const char *name;
    const char *tiled_as;         /* the operation that its tile is meant for; NULL: name */
    const case_variant *variants; /* the pairwise matrix: about a dozen programs for a device */
    int variant_count;
    const case_variant *all_variants; /* types and operators of the full product; tiles and sources are added */
    int all_count;
    int plain_inputs;                    /* of the main element, 4 at most, in a call by a variant that has no more */
    int plain_outputs;                   /* the same, 2 at most. Both 0: tests of all calls have its calls by hand */
    int sources;                         /* the product takes every case_source of the main input, where it has them */
    void (*make)(case_problem *problem); /* a test's inputs, for variant, n and seed; all where expect is NULL */
    void (*expect)(case_problem *problem); /* outputs and result by the obvious loop, from the inputs */
    mcl_status (*call)(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                       const mcl_options *options);
    int64_t (*bytes_moved)(const case_problem *problem); /* at least; NULL: all inputs and outputs */
} mcl_case;

/* Members of a case that lists give. */
#define CASE_VARIANTS(list) .variants = (list), .variant_count = sizeof(list) / sizeof((list)[0])
#define CASE_ALL(list) .all_variants = (list), .all_count = sizeof(list) / sizeof((list)[0])

/* One for each NAME_case.c or more: its build makes the list. */
#define X(name) extern const mcl_case name##_case;
CASE_LIST(X)
#undef X

/* Calls make on an empty problem, then expect; case_free takes its memory back. */
void case_make(const mcl_case *c, const case_variant *variant, int64_t n, uint64_t seed, int has_initial,
               case_problem *problem);
void case_free(case_problem *problem);
/* Calls with operands that are there already, of the variant's elements. No problem is made: n stands for its size, and
 * the variant's wanted for its tile. The options get the variant's flags, passes and method. */
mcl_status case_call(const mcl_case *c, const case_variant *variant, int64_t n, const case_operands *operands,
                     mcl_queue *queue, const mcl_options *options);

int case_needs_double(const case_variant *variant); /* 1: a device without double precision cannot run it */

/* For make: input number input_count, of numbers in [0, span) through from_integer (span 0: the element's own). */
void case_add_input(case_problem *problem, const element *kind, case_source source, int64_t count, int64_t span,
                    case_order order);
/* For make: as the next input the numbers from first on. Values that tell where a pair came from. */
void case_add_counting(case_problem *problem, const element *kind, int64_t first, int64_t count);
/* For expect: the memory of an output. */
unsigned char *case_add_output(case_problem *problem, const element *kind, int64_t count);
unsigned char *case_add_result(case_problem *problem, const element *kind);
/* A result of several numbers, one after the other. */
unsigned char *case_add_results(case_problem *problem, const element *kind, int64_t count);

/* For expect: the elements of the first moved inputs, in the order of their buckets. Then the offsets and the counts of
 * buckets, where the variant has a type for them. The variant's length is the number of buckets, 256 at most. */
void case_expect_buckets(case_problem *problem, int moved,
                         int64_t (*bucket_of)(const case_problem *problem, int64_t k));

/* A test: limit sorts before x; numbers in the built-in order. */
mcl_op case_above(const element *kind, const unsigned char *limit);

/* For expect: number k of an input of indices. */
int64_t case_index(const case_input *input, int64_t k);

/* For make: as the next input the offsets of objects that have n work units together, few or many, most or none, as the
 * seed says; the one after it stands for the work: only its count, n, is of use. offsets gets the same numbers and n
 * after them; the caller frees it. Gives how many objects there are. */
int64_t case_add_offsets(case_problem *problem, const element *kind, int64_t **offsets);

/* ---- segments.c: segments of the variant's kind ---- */

/* Run r of the host is elements [begins[r], begins[r + 1]). Those of offsets and begins may be empty, and leave
 * elements out at both ends. */
typedef struct case_runs {
    int64_t count;
    int64_t *begins; /* count + 1; the caller frees them */
} case_runs;

case_runs case_runs_empty(int64_t room);
/* Lengths in [least, 2 * the variant's length], from first to last. */
case_runs case_runs_make(const case_problem *problem, int64_t first, int64_t last, int64_t least);
/* For make: the elements as input 0, and as input 1 what says their segments. */
void case_add_segmented(case_problem *problem, const element *kind);
/* For expect: the segments by input 1. */
case_runs case_runs_of_segments(const case_problem *problem);
/* For expect: an output that keeps what is not written. */
unsigned char *case_add_kept_output(case_problem *problem, const element *kind, int64_t count);

/* ---- order.c: what sorts give ---- */

/* An unsigned number of the order of a type's keys: NaN last, both zeros equal. */
uint64_t case_rank(const mcl_type *type, const unsigned char *key);

typedef struct case_ranked {
    uint64_t rank;
    int64_t index;
} case_ranked;

/* Sorts by the low bits of the ranks, stable. Takes the memory and gives the result's, which the caller frees. */
case_ranked *case_sort_ranked(case_ranked *ranked, int64_t n, int bits);

/* For expect: the indices of the first input's elements in the variant's order, stable, inside the segments that begin
 * at 0 and at each start. The caller frees them. */
int64_t *case_sorted_indices(const case_problem *problem, const int64_t *starts, int64_t start_count);
/* For expect: as the next output an input's elements in that order. */
void case_add_ordered(case_problem *problem, const case_input *from, const int64_t *order);

/* Elements of an array of the kind. */
static inline unsigned char *case_at(const element *kind, unsigned char *data, int64_t k)
{
    return data + (size_t)k * kind->type->size;
}

/* ---- loops that are compiled for a type ---- */

/* Where a hundred million elements are expected a comparison must not be a call, nor a copy one of any size. So a loop
 * over elements is a CASE_LOOP that is handed what to do with them, and CASE_TYPED compiles it for each number. */
typedef struct case_type {
    int (*before)(const void *p, const void *q);
    size_t size;
} case_type;

#if defined __GNUC__
#define CASE_LOOP static inline __attribute__((always_inline)) void
#else
#define CASE_LOOP static inline void
#endif

#define CASE_TYPED_AS(lower, bytes, loop, problem, kind)                                                               \
    if ((kind) == &element_##lower)                                                                                    \
        loop(problem, (case_type){ before_##lower, bytes });                                                           \
    else
#define CASE_TYPED(loop, problem, kind)                                                                                \
    CASE_TYPED_AS(int32, 4, loop, problem, kind)                                                                       \
    CASE_TYPED_AS(int64, 8, loop, problem, kind)                                                                       \
    CASE_TYPED_AS(float, 4, loop, problem, kind)                                                                       \
    CASE_TYPED_AS(double, 8, loop, problem, kind)                                                                      \
    CASE_TYPED_AS(uint32, 4, loop, problem, kind)                                                                      \
    CASE_TYPED_AS(uint64, 8, loop, problem, kind)                                                                      \
    CASE_TYPED_AS(int8, 1, loop, problem, kind)                                                                        \
    loop(problem, (case_type){ (kind)->before, (kind)->type->size })

/* 1: p sorts before q in the variant's order. */
static inline int case_before(const case_variant *variant, case_type type, const unsigned char *p,
                              const unsigned char *q)
{
    return variant->descending ? type.before(q, p) : type.before(p, q);
}

/* Copies a value, which may be of any size: those of numbers have branches of their own. */
static inline void case_copy(const case_input *from, int64_t k, unsigned char *out, int64_t to)
{
    const size_t size = from->element->type->size;

    if (size == sizeof(int32_t))
        memcpy(out + (size_t)to * sizeof(int32_t), from->data + (size_t)k * sizeof(int32_t), sizeof(int32_t));
    else if (size == sizeof(int64_t))
        memcpy(out + (size_t)to * sizeof(int64_t), from->data + (size_t)k * sizeof(int64_t), sizeof(int64_t));
    else
        memcpy(out + (size_t)to * size, from->data + (size_t)k * size, size);
}

/* An index as int32 or int64. */
static inline void case_store_index(const element *kind, int64_t index, unsigned char *out)
{
    const int32_t narrow = (int32_t)index;

    memcpy(out, kind->type->size == sizeof index ? (const void *)&index : &narrow, kind->type->size);
}

/* The main input's kind of element. */
static inline const element *case_element(const case_variant *variant)
{
    return variant->element ? variant->element : variant->fold->in;
}

/* The product of the variants' types and operators with every tile and source; the caller frees it. */
case_variant *case_product(const mcl_case *c, int *count);

/* "scan int32 sums of int32 from a buffer, tile 64 x 7, 64-bit" */
void case_describe(const mcl_case *c, const case_variant *variant, char *text, size_t capacity);

#endif
