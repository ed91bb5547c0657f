/* case.h: the description with which a primitive is tested and timed. A variant describes about one device program:
 * types, operator, kind of input, tile. A problem is a variant at one size, with its data and the result of the obvious
 * loop. The header does not depend on the test framework. moderncl-bench also takes an operation's outputs, call and
 * bytes moved from a case, and makes its own inputs. */
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
    COMPACT_COLUMNS, /* columns; their number is the variant's length; 0: one */
    PARTITION,
    PARTITION_FLAGGED,
    PARTITION_STENCIL,
    PARTITION_COLUMNS, /* the same */
    PARTITION_THREE,
    UNIQUE,
    UNIQUE_BY_KEY,
    RUN_LENGTH_ENCODE
}; /* kinds of compact */
enum { BALANCE_OBJECTS, BALANCE_RANKS, BALANCE_BOTH, BALANCE_EXPRESSION };  /* forms: the outputs that are stored */
enum { INTERVAL_EXPAND, INTERVAL_MOVE, INTERVAL_GATHER, INTERVAL_SCATTER }; /* forms */
enum { BULK_REMOVE, BULK_INSERT };
enum { SPLIT_BY_REMAINDER, SPLIT_BY_INDEX, SPLIT_BY_LOW_BITS, SPLIT_BY_HIGH_BITS }; /* forms of multisplit */
enum { SPLITTERS_ALONE, SPLITTERS_AT_POSITIONS };                                   /* forms of splitters */
enum { SEARCH_BOTH, SEARCH_NEEDLES, SEARCH_EQUALITY };                              /* forms of sorted search */
enum { HISTOGRAM_EVEN, HISTOGRAM_RANGE, HISTOGRAM_NUMBER };                         /* kinds */
enum { HISTOGRAM_PART, HISTOGRAM_WHOLE }; /* forms: even bins over a part of an integer's range, or over all of it */
/* kinds of top-k; segmented top-k has no NTH_ELEMENTS */
enum { TOP_K, TOP_K_INDICES, NTH_ELEMENT, NTH_ELEMENTS, QUANTILE };
/* Forms of top-k. With TOP_K_ROWS segments are rows of the variant's length. The form of quantiles is an
 * mcl_interpolation. */
enum { WITHOUT_COUNTS = 1, AMOUNT_ON_DEVICE = 2, TOP_K_ROWS = 4 };
enum { JOIN_COLUMNS, JOIN_ROWS_GATHER }; /* forms of joined columns: by the call, or fetched by row numbers */
enum { FIND_IF, COUNT_IF };              /* kinds of find */
enum {
    SORT_COLUMNS_TWO,
    SORT_COLUMNS_LONE,
    SORT_COLUMNS_WORDS,     /* several words */
    SORT_COLUMNS_OWN_FIRST, /* a column with its own order comes before a word; the next kind has it after a word */
    SORT_COLUMNS_OWN_LAST,
    SORT_COLUMNS_BYTES, /* a word of eight columns, then one more column */
    SORT_COLUMNS_DOUBLES
}; /* kinds of sort by columns */
enum {
    SEGMENTED_INDICES = 1,
    SEGMENTED_DROPS_KEYS = 2,
    SEGMENTED_IN_SEGMENTS = 4,
    SEGMENTED_ROWS = 8 /* segments are rows of the variant's length */
}; /* forms of segmented sort */
/* kinds of sort; kind of radix sort of floats: also by parts of the bits */
enum { SORT_INDICES = 1, RADIX_WINDOWS = 1 };
enum { GROUP_BY, GROUP_BY_COUNTED, DISTINCT }; /* kinds of grouping; the second has counts too */

enum { CASE_INPUTS = 9, CASE_OUTPUTS = 10 };

/* A test of elements, with the same test in C. */
typedef struct case_test {
    mcl_op op;
    int (*holds)(const void *x);
} case_test;

typedef struct case_variant {
    const char *name;       /* "", or a name that distinguishes the variant from others that are equal otherwise */
    const element *element; /* type of the main input; NULL: the type of the fold's elements */
    const element *value;   /* merge, sort, sets: type of the values; transform, cuts: of the output; compact: of flags,
                             * stencil, values or lengths; bulk: of the indices */
    const fold *fold;       /* reduce, scan */
    case_source source;     /* source of the main input */
    int threads;            /* threads of the tile; with 0 for both numbers the library chooses */
    int items;
    unsigned flags; /* of mcl_options */
    mcl_sort_method sort_method;
    int kind; /* kind of scan, or operation of sets; cuts: bounds; sort: 0 or SORT_INDICES; compact, bulk: the
               * function */
    int in_place;
    int coop;                     /* cuts: -1 for a binary search, otherwise coop of mcl_cut_merge_path */
    int descending;               /* merge, sort, sets: 1 where the order is MCL_GREATER */
    const element *index_element; /* type of indices in the output */
    int a_find;                   /* sorted search: an mcl_find, for the output of a and of b */
    int b_find;
    int form;                  /* sorted search, load balance, interval: the function */
    const case_test *test;     /* test of compact; NULL: the element is above the middle of its range */
    int passes;                /* sets, joins: passes of mcl_options */
    int length;                /* segments, runs: mean length; 0: 10; multisplit: buckets; compact: columns; top-k: the
                                * number wanted in all problems; for NTH_ELEMENT any number asks for the median;
                                * grouping: groups */
    int wanted;                /* segmented top-k: k in all problems; 0: k varies */
    mcl_segment_kind segments; /* kind of segments, for segmented_reduce and segmented_scan */
    int no_initial;            /* segments, runs: 1 where options->initial is never tried */
} case_variant;

typedef struct case_input {
    const element *element;
    case_source source;
    int64_t count;
    unsigned char *data;  /* every element as the device must see it */
    unsigned char *table; /* FROM_EXPRESSION: content of the bound array */
    int64_t start;        /* FROM_COUNTING, FROM_STEP, FROM_CONSTANT: first number, for from_integer */
    int64_t step;
} case_input;

typedef struct case_output {
    const element *element;
    int64_t room;           /* number of elements for which data has memory */
    int64_t count;          /* number of elements that the call writes */
    unsigned char *data;    /* expected elements */
    unsigned char *earlier; /* content before the call; NULL: any content */
} case_output;

typedef struct case_problem {
    const case_variant *variant;
    int64_t n;
    uint64_t seed;
    int input_count;
    int output_count;
    case_input inputs[CASE_INPUTS];
    case_output outputs[CASE_OUTPUTS];
    case_output result; /* result; element is NULL where there is none */
    int has_initial;
    unsigned char initial[MCL_VALUE_BYTES_MAX];
    int64_t tile; /* cuts */
} case_problem;

/* The operands of a call. The program that runs a problem makes them. */
typedef struct case_operands {
    mcl_input in[CASE_INPUTS];
    mcl_output out[CASE_OUTPUTS];
    mcl_result result;
} case_operands;

typedef struct mcl_case {
    const char *name;
    const char *tiled_as;         /* name of the operation for which the tile is chosen; NULL: name */
    const case_variant *variants; /* list of variants that pairs all choices: about a dozen programs for a device */
    int variant_count;
    const case_variant *all_variants; /* types and operators of the full product; it adds tiles and sources */
    int all_count;
    /* number of inputs of the main element, at most 4, in a call by a variant that has no other inputs */
    int plain_inputs;
    /* number of outputs of that kind, at most 2; both are 0 where tests of all calls make its calls by hand */
    int plain_outputs;
    int sources; /* 1 where the product takes every case_source of the main input that exists */
    /* function that makes a test's inputs for variant, n and seed; it makes all where expect is NULL */
    void (*make)(case_problem *problem);
    /* function that makes outputs and result from the inputs, by the obvious loop */
    void (*expect)(case_problem *problem);
    mcl_status (*call)(mcl_queue *queue, const case_problem *problem, const case_operands *operands,
                       const mcl_options *options);
    /* function for the least bytes moved; NULL: all inputs and outputs */
    int64_t (*bytes_moved)(const case_problem *problem);
} mcl_case;

/* Members of a case that follow from a list. */
#define CASE_VARIANTS(list) .variants = (list), .variant_count = sizeof(list) / sizeof((list)[0])
#define CASE_ALL(list) .all_variants = (list), .all_count = sizeof(list) / sizeof((list)[0])

/* The cases. Each is in a file NAME_case.c, or several share one; the build makes the list. */
#define X(name) extern const mcl_case name##_case;
CASE_LIST(X)
#undef X

/* Makes a problem: calls make on an empty problem, then expect. case_free releases its memory. */
void case_make(const mcl_case *c, const case_variant *variant, int64_t n, uint64_t seed, int has_initial,
               case_problem *problem);
void case_free(case_problem *problem);
/* Makes a call with existing operands of the variant's elements. It makes no problem: n takes the place of the
 * problem's size. The variant's member wanted takes the place of the problem's tile. The options get the variant's
 * flags, passes and method. */
mcl_status case_call(const mcl_case *c, const case_variant *variant, int64_t n, const case_operands *operands,
                     mcl_queue *queue, const mcl_options *options);

/* returns 1 where a device without double precision cannot run it */
int case_needs_double(const case_variant *variant);

/* Adds an input of random numbers in [0, span), made by from_integer; span 0 is the element's own span. A case's make
 * calls it. */
void case_add_input(case_problem *problem, const element *kind, case_source source, int64_t count, int64_t span,
                    case_order order);
/* Adds an input of the numbers from first on. Used as values, they show where a pair came from. A case's make calls
 * it. */
void case_add_counting(case_problem *problem, const element *kind, int64_t first, int64_t count);
/* Adds an output and returns its memory. A case's expect calls it. */
unsigned char *case_add_output(case_problem *problem, const element *kind, int64_t count);
unsigned char *case_add_result(case_problem *problem, const element *kind);
/* Adds a result of several numbers, one after the other. */
unsigned char *case_add_results(case_problem *problem, const element *kind, int64_t count);

/* Sets the expected outputs of a split: the elements of the first moved inputs in the order of their buckets. Then come
 * the offsets and counts of buckets, where the variant has a type for them. The variant's length is the number of
 * buckets, at most 256. A case's expect calls it. */
void case_expect_buckets(case_problem *problem, int moved,
                         int64_t (*bucket_of)(const case_problem *problem, int64_t k));

/* Returns a test that limit sorts before x, in the built-in order. It is for numbers. */
mcl_op case_above(const element *kind, const unsigned char *limit);

/* Returns number k of an input of indices. A case's expect calls it. */
int64_t case_index(const case_input *input, int64_t k);

/* Adds two inputs and returns the number of objects. A case's make calls it. The first input has the offsets of objects
 * that have n work units together: few or many, most or none, as the seed says. The second one stands for the work;
 * only its count, n, is used. offsets receives the offsets and then n; the caller frees it. */
int64_t case_add_offsets(case_problem *problem, const element *kind, int64_t **offsets);

/* ---- segments.c: segments of the variant's kind ---- */

/* The runs on the host: run r is elements [begins[r], begins[r + 1]). Runs by offsets and begins may be empty, and
 * leave out elements at both ends. */
typedef struct case_runs {
    int64_t count;
    int64_t *begins; /* count + 1 begins, which the caller frees */
} case_runs;

case_runs case_runs_empty(int64_t room);
/* Makes runs from first to last, with lengths in [least, 2 * the variant's length]. */
case_runs case_runs_make(const case_problem *problem, int64_t first, int64_t last, int64_t least);
/* Adds the elements as input 0, and the offsets, begins, flags or indices of their segments as input 1. A case's make
 * calls it. */
void case_add_segmented(case_problem *problem, const element *kind);
/* Returns the segments that input 1 describes. A case's expect calls it. */
case_runs case_runs_of_segments(const case_problem *problem);
/* Adds an output whose unwritten elements keep their content. A case's expect calls it. */
unsigned char *case_add_kept_output(case_problem *problem, const element *kind, int64_t count);

/* ---- order.c: the expected results of sorts ---- */

/* Returns an unsigned number with the order of a type's keys: NaN comes last, and both zeros are equal. */
uint64_t case_rank(const mcl_type *type, const unsigned char *key);

typedef struct case_ranked {
    uint64_t rank;
    int64_t index;
} case_ranked;

/* Sorts by the low bits of the ranks, stable. It takes over the memory, and returns the result's memory, which the
 * caller frees. */
case_ranked *case_sort_ranked(case_ranked *ranked, int64_t n, int bits);

/* Returns the indices of the first input's elements in the variant's order, sorted stably inside the segments that
 * begin at 0 and at each start. The caller frees them. A case's expect calls it. */
int64_t *case_sorted_indices(const case_problem *problem, const int64_t *starts, int64_t start_count);
/* Adds the next output: an input's elements in the order of the indices. A case's expect calls it. */
void case_add_ordered(case_problem *problem, const case_input *from, const int64_t *order);

/* Return element k of an array. */
static inline unsigned char *case_at(const element *kind, unsigned char *data, int64_t k)
{
    return data + (size_t)k * kind->type->size;
}

/* ---- loops that are compiled for a type ---- */

/* Where a hundred million elements are expected, a comparison must not be a call, nor a copy have a variable size. So a
 * loop over elements is a CASE_LOOP, which gets these as arguments, and CASE_TYPED compiles it for each type of
 * numbers. */
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

/* Returns 1 where p sorts before q in the variant's order. */
static inline int case_before(const case_variant *variant, case_type type, const unsigned char *p,
                              const unsigned char *q)
{
    return variant->descending ? type.before(q, p) : type.before(p, q);
}

/* Copies a value of any size. Numbers have their own branches, which are faster. */
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

/* Stores an index as int32 or int64. */
static inline void case_store_index(const element *kind, int64_t index, unsigned char *out)
{
    const int32_t narrow = (int32_t)index;

    memcpy(out, kind->type->size == sizeof index ? (const void *)&index : &narrow, kind->type->size);
}

/* Returns the element of the main input. */
static inline const element *case_element(const case_variant *variant)
{
    return variant->element ? variant->element : variant->fold->in;
}

/* Returns the product of the variants' types and operators with every tile and source. The caller frees it. */
case_variant *case_product(const mcl_case *c, int *count);

/* Writes a text such as "scan int32 sums of int32 from a buffer, tile 64 x 7, 64-bit". */
void case_describe(const mcl_case *c, const case_variant *variant, char *text, size_t capacity);

#endif
