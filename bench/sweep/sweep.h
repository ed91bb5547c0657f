/* sweep.h: the sweep of moderncl-bench: each operation's time over each of its parameters.
 *
 * An operation of the sweep is one declaration, a sweep_op: its parameters, and functions that set up and make a call.
 * The files of ops/ have them. points.c chooses the points, trial.c checks and times one, rule.c judges them. report.c
 * prints the results, and picture.c draws them. */
#ifndef BENCH_SWEEP_H
#define BENCH_SWEEP_H

#include "bench.h"

enum {
    SWEEP_PARAMETERS = 6, /* largest number of parameters of an operation */
    SWEEP_LIMITS = 7,
    SWEEP_ARRAYS = 8,
    SWEEP_OPS_MOST = 64
};

/* ---- what an operation is declared by --------------------------------------------------------------------------- */

/* Conversions of a number by which the library decides into the parameter's value at which it decides. */
typedef enum sweep_scale {
    SWEEP_AS_IS,        /* the number itself */
    SWEEP_A_UNIT,       /* the number times the compute units */
    SWEEP_EXPONENT,     /* 2 to the power of the number */
    SWEEP_BYTES,        /* a number of bytes, divided by an element's bytes */
    SWEEP_A_BYTE,       /* the number times an element's bytes */
    SWEEP_TILES,        /* a number of the operation's tiles */
    SWEEP_TILES_A_UNIT, /* a number of tiles for each compute unit */
    SWEEP_PERCENT       /* a percentage of n */
} sweep_scale;

/* A threshold of the library. All members are zero where there is none. */
typedef struct sweep_limit {
    const char *tuning; /* name for mcl_context_tuning_parameter; NULL: number is used */
    int64_t number;     /* number of a header or of cl/facts; 0 with a tuning parameter */
    sweep_scale scale;
} sweep_limit;

typedef struct sweep_parameter {
    const char *name;
    int64_t base;  /* value at the base point; the first parameter is n, and the device decides its base */
    int64_t least; /* least and greatest value that are tried */
    int64_t most;
    const char *const *names; /* names of the values 0, 1 and so on; NULL where the value is a number */
    const int64_t *values;    /* all possible values, ended by 0; NULL: every value from least to most */
    int above_n;              /* 1 where the value may be above n */
    sweep_limit limits[SWEEP_LIMITS];
} sweep_parameter;

typedef struct sweep sweep;
typedef struct sweep_op sweep_op;

struct sweep_op {
    const char *name;
    const char *tile;  /* the operation's name in rows of tuning, for SWEEP_TILES; NULL: none */
    int element_bytes; /* element size at the base point, for SWEEP_BYTES and SWEEP_A_BYTE */
    sweep_parameter parameters[SWEEP_PARAMETERS];
    int any_order;       /* 1 where rows of the outputs may come in any order */
    int other_differs;   /* 1 where the other way arranges its outputs differently, so they cannot be compared */
    int64_t most;        /* largest n; 0: the device decides */
    double plain_most;   /* largest allowed ratio to plain C; 0: the usual ratio */
    int plain_parameter; /* parameter up to whose value plain_up_to plain_most holds; above it the usual ratio holds */
    int64_t plain_up_to; /* 0 where plain_most holds everywhere */
    mcl_status (*prepare)(sweep *s); /* function that sets inputs, outputs, bytes and units */
    mcl_status (*restore)(sweep *s); /* untimed step before each call; NULL: none */
    mcl_status (*call)(sweep *s);
    mcl_status (*finish)(sweep *s); /* untimed step after a call that is checked, which makes outputs; NULL: none */
    mcl_status (*other)(sweep *s);  /* the simplest other way in the library; NULL: none */
    void (*plain)(sweep *s);        /* plain C on one thread, also the reference */
};

/* All operations of the sweep, in ops/. */
/* clang-format off */
#define SWEEP_OP_LIST(X)                                                                                               \
    X(copy) X(gather) X(scatter) X(reduce) X(scan) X(segmented_reduce) X(segmented_scan) X(reduce_by_key)              \
    X(scan_by_key) X(compact) X(partition) X(unique) X(find) X(multisplit) X(sort) X(sort_pairs) X(sort_structs)       \
    X(segmented_sort) X(segmented_sort_rows) X(top_k) X(nth_element) X(quantiles) X(segmented_top_k)                   \
    X(segmented_nth_element) X(histogram) X(group_by) X(distinct) X(map_insert) X(map_find) X(map_change)              \
    X(multimap_insert) X(multimap_retrieve) X(join_unsorted) X(join_columns) X(merge) X(set_intersection)              \
    X(set_union) X(sorted_search) X(bulk_remove) X(bulk_insert) X(load_balance_search) X(interval_expand)              \
    X(interval_gather)
/* clang-format on */
#define X(name) extern const sweep_op sweep_op_##name;
SWEEP_OP_LIST(X)
#undef X

/* ---- data.c: arrays, which are kept from point to point --------------------------------------------------------- */

typedef enum sweep_spread {
    SWEEP_UNIFORM,
    SWEEP_SORTED,
    SWEEP_EQUAL,
    SWEEP_HOT,  /* half of the keys are equal */
    SWEEP_ZIPF, /* exponents of the keys are uniform */
    SWEEP_NEARLY_SORTED,
    SWEEP_REVERSED,
    SWEEP_HIGH_BITS,   /* only the upper quarter of the bits differs */
    SWEEP_LOW_BITS,    /* only the lower quarter of the bits differs */
    SWEEP_MOSTLY_ZERO, /* all but 1 % of the keys are zero */
    SWEEP_SPREADS
} sweep_spread;
extern const char *const sweep_spread_names[]; /* names of all spreads, then NULL */

/* The description of an array's contents. */
typedef struct sweep_made {
    const mcl_type *type;
    int64_t count, kind, bound, seed;
} sweep_made;

typedef struct sweep_array {
    const mcl_type *type;
    int64_t count; /* number of elements; for an output, the number that plain C gives */
    int64_t room;
    mcl_buffer *device;
    size_t device_bytes;
    void *host; /* elements of the input, or the output of plain C */
    size_t host_bytes;
    void *result; /* output of the device, fetched to the host */
    sweep_made made;
    int is_fetched;
} sweep_array;

/* One point, set up for its calls. */
struct sweep {
    bench *bench;
    const sweep_op *op;
    int64_t v[SWEEP_PARAMETERS]; /* values of the parameters; v[0] is n */
    sweep_array in[SWEEP_ARRAYS], out[SWEEP_ARRAYS], spare[SWEEP_ARRAYS];
    int in_count, out_count;
    int is_float;       /* 1 where outputs need only be near the reference's outputs */
    double bytes;       /* least bytes that inputs and outputs move */
    double units;       /* number of elements, by which time is judged */
    double plain_start; /* start of plain C; the function plain sets it again after its own preparation */
    double plain_end;   /* end of plain C; 0: the return of the function plain */
    int lacks_other;    /* 1 where the other way does not serve the point */
    mcl_map *map, *other_map;
    mcl_multimap *multimap;
};

/* Set input k: to numbers below bound; to random bytes of elements of any type; to offsets of segments. The last
 * function takes the segments' mean length, and gives their number. */
mcl_status sweep_keys(sweep *s, int k, const mcl_type *type, int64_t count, int64_t spread, int64_t bound,
                      uint64_t seed);
mcl_status sweep_random(sweep *s, int k, const mcl_type *type, int64_t count, uint64_t seed);
mcl_status sweep_offsets(sweep *s, int k, int64_t n, int64_t length, int64_t mix, int64_t *segments);
/* Set input k: to keys in runs, where a run begins with odds of one in length; to any other input. */
mcl_status sweep_runs(sweep *s, int k, const mcl_type *type, int64_t count, int64_t length);
mcl_status sweep_filled(sweep *s, int k, mcl_input from);
extern const char *const sweep_mix_names[]; /* names of the mixes of segments, then NULL */

/* Make room for output k, and for an array that is neither input nor output. */
mcl_status sweep_output(sweep *s, int k, const mcl_type *type, int64_t count);
mcl_status sweep_spare(sweep *s, int k, const mcl_type *type, int64_t count);

mcl_input sweep_in(const sweep *s, int k);
mcl_output sweep_out(const sweep *s, int k);
mcl_input sweep_from(const sweep_array *array, int64_t count);
mcl_output sweep_to(const sweep_array *array);
mcl_result sweep_count(const sweep *s, int k); /* returns output k as the destination of one number */

/* The structs by their bytes, with the arithmetic of plain C on each type, as X(bytes, type, a 32-bit number of x). */
#define SWEEP_WIDE_LIST(X) X(12) X(16) X(20) X(24) X(28) X(32) X(40) X(48) X(56) X(64)
#define X(bytes)                                                                                                       \
    typedef struct sweep_words_##bytes {                                                                               \
        uint32_t w[(bytes) / 4];                                                                                       \
    } sweep_words_##bytes;
SWEEP_WIDE_LIST(X)
#undef X
#define SWEEP_PLAIN_LIST(X)                                                                                            \
    X(1, uint8_t, (uint32_t)x)                                                                                         \
    X(2, uint16_t, (uint32_t)x)                                                                                        \
    X(4, uint32_t, x)                                                                                                  \
    X(8, uint64_t, (uint32_t)x)                                                                                        \
    X(12, sweep_words_12, x.w[0])                                                                                      \
    X(16, sweep_words_16, x.w[0])                                                                                      \
    X(20, sweep_words_20, x.w[0])                                                                                      \
    X(24, sweep_words_24, x.w[0])                                                                                      \
    X(28, sweep_words_28, x.w[0])                                                                                      \
    X(32, sweep_words_32, x.w[0])                                                                                      \
    X(40, sweep_words_40, x.w[0])                                                                                      \
    X(48, sweep_words_48, x.w[0])                                                                                      \
    X(56, sweep_words_56, x.w[0])                                                                                      \
    X(64, sweep_words_64, x.w[0])

/* returns unsigned numbers, or above 8 bytes a struct of 32-bit words */
const mcl_type *sweep_bytes_type(int64_t bytes);
extern const int64_t sweep_element_bytes[]; /* all sizes of elements, then 0 */

mcl_status sweep_fetch_inputs(sweep *s);
mcl_status sweep_poison(sweep *s);
/* Compares the outputs with the outputs of plain C. Returns 0 after a sentence that says where they differ. */
int sweep_same(sweep *s, mcl_status *status, char *message, size_t bytes);
void sweep_free(sweep *s);

/* ---- plain.c: the plain C that several operations are compared with --------------------------------------------- */

/* Sort unsigned keys of 1, 2, 4 or 8 bytes by bytes, and 4-byte indices with them where order is not NULL. */
void plain_sort(void *keys, uint32_t *order, int64_t n, int key_bytes);

/* A slot of an open-addressing table of 32-bit keys, at most half full. Keys are below 2^32 - 1. */
typedef struct plain_slot {
    uint32_t key;
    int32_t count; /* a number that the table does not use */
    int64_t value; /* a number that the table does not use */
} plain_slot;
typedef struct plain_table {
    plain_slot *slots;
    uint64_t mask;
    int shift;
} plain_table;
plain_table plain_table_open(int64_t keys);
void plain_table_clear(plain_table *table);
void plain_table_close(plain_table *table);
/* Opens a table of keys that come more than once. A slot's count is the first index of the key, and next has the
 * further indices. The last index has -1. */
plain_table plain_table_chained(const uint32_t *keys, int64_t count, int64_t distinct, int32_t *next);
/* Finds the slot of a key, or the empty slot where it belongs, with key PLAIN_NONE. */
#define PLAIN_NONE 0xffffffffu
static inline plain_slot *plain_table_at(const plain_table *table, uint32_t key)
{
    uint64_t at =
        (uint64_t)((key ^ key >> 16) * 0x85EBCA6Bu) >> table->shift; /* not the factor with which sweeps make keys */
    while (table->slots[at].key != key && table->slots[at].key != PLAIN_NONE) at = (at + 1) & table->mask;
    return &table->slots[at];
}

/* Parts of declarations, and of their functions. */
#define SWEEP_N(...)                                                                                                   \
    {                                                                                                                  \
        .name = "n", .least = 100, .most = 100000000, .limits = { __VA_ARGS__ }                                        \
    }
#define SWEEP_TUNED(name_, scale_) { .tuning = (name_), .scale = (scale_) }
#define SWEEP_FACT(number_) { .number = (number_) }
#define SWEEP_TRY(call)                                                                                                \
    do {                                                                                                               \
        const mcl_status sweep_status = (call);                                                                        \
        if (sweep_status != MCL_OK) return sweep_status;                                                               \
    } while (0)
#define SWEEP_ALL_KEYS (INT64_C(1) << 32) /* bound of keys with all 32 bits */

void *sweep_memory(size_t bytes); /* ends the program where there is no memory */

/* ---- points.c, trial.c, rule.c, report.c, picture.c ------------------------------------------------------------- */

/* A measured point. Times are in milliseconds; a negative time was not measured. */
typedef struct sweep_point {
    const sweep_op *op;
    int parameter; /* parameter that changes along the curve; -1 for a random set */
    int curve;     /* number of the curve; points with one number are neighbours in turn */
    int64_t v[SWEEP_PARAMETERS];
    double bytes, units;
    double ours, other, plain, memory;
    double own; /* the call's own cost, which is its time where n is least */
    int failed;
    int settled; /* number of measurements in turn that were no faster */
} sweep_point;

typedef struct sweep_points {
    sweep_point *list;
    int count, room;
    int curves;
} sweep_points;
void sweep_points_add(sweep_points *points, const sweep_point *point);

/* Lists the values of a parameter, from a coarse selection to a fine one. Returns the number of values. */
enum { SWEEP_VALUES_MOST = 256 };
int sweep_values(bench *b, const sweep_op *op, int parameter, int64_t n_most, int64_t *values);
void sweep_base(const bench *b, const sweep_op *op, int64_t *v);
int sweep_parameter_count(const sweep_op *op);
int sweep_fits(const sweep_op *op, const int64_t *v);
int64_t sweep_n_most(const bench *b, const sweep_op *op);
void sweep_point_text(const sweep_point *point, char *text, size_t bytes);
/* Draw the values of a random set, and of its neighbour. The neighbour has one number that is a quarter larger. */
void sweep_draw(const bench *b, const sweep_op *op, uint64_t *state, int64_t *v);
int sweep_draw_neighbour(const sweep_op *op, uint64_t *state, int64_t *v);
uint64_t sweep_random_next(uint64_t *state);

/* Checks a point, and times the library's call, the other way and plain C. Each time is a median of runs. */
int sweep_measure(sweep *s, sweep_point *point, unsigned how, int reps);
enum {
    SWEEP_CHECKED = 1, /* a GPU's point is checked too */
    SWEEP_LEAST = 2    /* the least time of all runs counts, not the median */
};

/* Tell how the rule judges two neighbours: the larger time over the smaller for the same amount of work, and this
 * ratio's limit. */
double sweep_neighbour_ratio(const sweep_point *a, const sweep_point *b);
double sweep_neighbour_most(const sweep_point *a, const sweep_point *b);
int sweep_are_neighbours(const sweep_point *a, const sweep_point *b);
double sweep_plain_most(const sweep_point *point);
/* Returns the library's time, without a call's own cost, over the time of plain C. Returns a negative number where
 * elements are too few, or nothing was measured. */
double sweep_plain_ratio(const sweep_point *point);
/* Measures the points that break the rule again, several times if they still do. It stops when the sweep's time is
 * over. */
void sweep_measure_offenders(sweep *s, sweep_points *points);
/* Lists the points that break the rule, and returns their number. */
int sweep_tell_broken(const sweep_points *points);

void sweep_report_open(const bench *b);
void sweep_report_point(const bench *b, const sweep_point *point);
void sweep_report_worst(const sweep_points *points);
int sweep_picture(const sweep_points *points, const char *path); /* 0, or -1 after a sentence */

#endif
