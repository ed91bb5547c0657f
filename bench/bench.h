/* bench.h: the parts of moderncl-bench and what they share.
 *
 * A row is a bench_op, and rows.c lists all. Most rows name an operation that the tests know too (tests/cases) and give
 * the distribution of its inputs (inputs.c). The files of ops/ have rows that only the bench has. main.c goes through
 * rows, types and sizes; measure.c checks and times one of them against its peers; report.c prints the results. */
#ifndef BENCH_H
#define BENCH_H

#include "cases/case.h"
#include "peers/peer.h"

#include <moderncl/moderncl.h>

#include <stdio.h>

enum { BENCH_LIST_MAX = 256, BENCH_REPS_MAX = 1000, BENCH_CANDIDATES_MAX = 24, BENCH_PEERS_MAX = 3 };

/* The end of a row's name where the counts of its inputs are in device slots. */
#define BENCH_COUNTED "_device_count"

/* ---- types.c ---------------------------------------------------------------------------- */

typedef struct bench_type {
    const char *name;
    const element *element;
    const element *value;   /* type of the values in pairs */
    const case_test *lower; /* test that half of the uniform elements pass */
    const fold *sum;        /* sum of elements; NULL: only rows that name the type take it */
    const fold *max_index;  /* NULL: none */
    const fold *max_pair;   /* fold of elements with their indices; NULL: none */
    unsigned char low[8];   /* lower bound of uniform data; high is the upper bound */
    unsigned char high[8];
    double tolerance; /* relative tolerance of sums; 0: exact */
    const char *key;  /* device text that makes an element of sum, 63 bits with which the element grows */
    const char *key_source;
} bench_type;

extern const bench_type bench_types[];
extern const int bench_type_count;
const bench_type *bench_type_find(const char *name);

/* ---- operations ---------------------------------------------------------------------------- */

typedef struct bench bench;
typedef struct bench_op bench_op;

/* A row on one type and size, with its data. */
typedef struct bench_case {
    bench *bench;
    const bench_op *op;
    const bench_type *type;
    int64_t n;
    bench_problem problem;
    case_variant variant;    /* variant of an operation of tests/cases */
    case_problem expected;   /* problem of the operation, with the arrays of the problem above */
    int arrays[CASE_INPUTS]; /* index of each input in problem.in; -1 for an input that only counts work units */
    mcl_buffer *counts;      /* device memory of an int64 for each input, its count */
    int device_counts;       /* 1 where inputs take their counts from counts */
    int in_place;            /* 1 where an operation's outputs are its inputs' arrays, one after the other */
    mcl_map *map;            /* NULL: none */
    mcl_multimap *multimap;  /* NULL: none */
} bench_case;

struct bench_op {
    const char *name;
    const char *types;    /* names of the types that the row has, separated by spaces; NULL: all types */
    const char *recorded; /* rows of the recorded file to compare with; NULL: rows of its own name; "": none */
    const char *tuning;   /* the operation's name in the tuning table; NULL: unknown */
    /* function for the size by which tiles are chosen; NULL: an element's size */
    size_t (*tile_bytes)(const bench_type *type);
    /* operation of tests/cases; NULL for an operation that only the bench has */
    const mcl_case *operation;
    case_variant variant;                        /* variant of the operation; its element is the element of type */
    const fold *(*fold)(const bench_type *type); /* fold of the variant */
    int has_values;                              /* 1 where the variant's value is the type's value */
    /* 1 where the result is the last output; 0 where the result goes nowhere */
    int takes_result;
    /* 1 where a run makes several calls, since an event has the last call's time alone */
    int by_clock;
    int has_half;                         /* 1 where one object has half of all work units */
    uint64_t seed;                        /* seed of inputs that are made for several rows */
    int64_t share;                        /* first input's share of n elements, in percent; 0: half */
    mcl_status (*prepare)(bench_case *c); /* makes problem.in, and problem.out without an operation */
    void (*reference)(bench_case *c);     /* fills out[].host, and out[].count where it varies */
    /* function for the least number of bytes moved; called after reference */
    double (*bytes)(const bench_case *c);
    mcl_status (*restore)(bench_case *c); /* untimed step before each run; NULL: none */
    mcl_status (*run)(const bench_case *c, const mcl_options *options);
    /* untimed step after a run that is checked, which makes outputs; NULL: none */
    mcl_status (*finish)(bench_case *c);
    int (*measure)(bench *b, const bench_op *op); /* function that replaces all above; called once a device */
};

/* Operations that only the bench has, in ops/. */
extern const bench_op bench_op_spmv_rmat;
extern const bench_op bench_op_map_insert;
extern const bench_op bench_op_map_find;
extern const bench_op bench_op_map_find_half;
extern const bench_op bench_op_map_insert_grow;
extern const bench_op bench_op_map_insert_load_80;
extern const bench_op bench_op_map_insert_load_90;
extern const bench_op bench_op_map_insert_load_95;
extern const bench_op bench_op_map_find_load_80;
extern const bench_op bench_op_map_find_load_90;
extern const bench_op bench_op_map_find_load_95;
extern const bench_op bench_op_map_find_half_load_95;
extern const bench_op bench_op_map_upsert;
extern const bench_op bench_op_map_find_grown;
extern const bench_op bench_op_map_retrieve_all;
extern const bench_op bench_op_multimap_insert;
extern const bench_op bench_op_multimap_insert_one_key;
extern const bench_op bench_op_multimap_retrieve;
extern const bench_op bench_op_multimap_retrieve_one_key;
extern const bench_op bench_op_min_max;
extern const bench_op bench_op_quartiles;
extern const bench_op bench_op_shuffled;
extern const bench_op bench_op_host_overhead;
extern const bench_op bench_op_replay;
extern const bench_op bench_op_bfs_rmat;
extern const bench_op bench_op_first_result;
mcl_status bench_expand_by_scan_prepare(bench_case *c);
mcl_status bench_expand_by_scan(const bench_case *c, const mcl_options *options);

/* All rows, in rows.c. */
extern const bench_op *const bench_ops[];
extern const int bench_op_count;
const bench_op *bench_op_find(const char *name); /* returns NULL where there is no such row */
const char *bench_op_name(int index);            /* returns NULL past the last row */

/* ---- operation.c: a row's functions where it has an operation ------------------------------------------------- */

/* Opens the operation of a row. It comes before prepare. */
void bench_operation_open(bench_case *c);
/* Adds an input with elements of a kind that the operation knows. */
mcl_status bench_add_elements(bench_case *c, const element *kind, int64_t count);
void bench_add_work(bench_case *c); /* adds an input that only counts the n work units */
void bench_operation_expect(bench_case *c);
/* Adds the outputs, which have room for the expected results. It comes after bench_operation_expect. */
mcl_status bench_operation_outputs(bench_case *c);
double bench_operation_bytes(const bench_case *c);
mcl_status bench_operation_run(const bench_case *c, const mcl_options *options);

/* ---- inputs.c: how a row's inputs are spread -------------------------------------------------------------------- */

mcl_status bench_add_uniform(bench_case *c, const element *kind, int64_t count, uint64_t seed);

/* Make two sorted inputs of n elements together, with values 0, 1, 2 and so on. In the second function keys are whole
 * numbers of [0, n / 2). The third makes n elements for each input. */
mcl_status bench_sorted_parts(bench_case *c);
mcl_status bench_sorted_parts_half(bench_case *c);
mcl_status bench_sorted_wholes(bench_case *c);
mcl_status bench_with_splitters(bench_case *c); /* makes uniform elements, and the variant's length - 1 splitters */

/* Make uniform elements, with values 0, 1, 2 and so on. bench_uniform_segments puts them into random segments of the
 * variant's mean length. An element of bench_nearly_sorted is its index plus a random number below a thousandth of
 * n. */
mcl_status bench_uniform(bench_case *c);
mcl_status bench_uniform_columns(bench_case *c); /* adds length columns of values */
mcl_status bench_uniform_keys(bench_case *c);    /* makes two inputs: whole numbers below 10000, and floats */
/* Makes two tables with n rows together. First come the keys of both, then two columns of each. The second table has as
 * many rows as the variant's length, and keys below that length. Without a length both have n / 2 rows. */
mcl_status bench_tables(bench_case *c);
mcl_status bench_grouped(bench_case *c);       /* makes random keys below length, and values of the fold */
mcl_status bench_skewed(bench_case *c);        /* makes seven of eight elements, at random, the same number */
mcl_status bench_uniform_flags(bench_case *c); /* adds flags; half of them are set */
mcl_status bench_uniform_pairs(bench_case *c); /* makes each element a pair of a number and its index */
mcl_status bench_uniform_segments(bench_case *c);
mcl_status bench_nearly_sorted(bench_case *c);

/* Make objects with the variant's mean length of work units, and elements (objects.c). The objects' bounds are cut
 * uniformly. Variants that take starts of intervals get the starts too. The intervals lie one after the other in a
 * random order. */
mcl_status bench_objects(bench_case *c);
mcl_status bench_intervals(bench_case *c);

/* Make uniform elements in random segments, given by offsets, or in runs of equal keys (segments.c). Both have the
 * variant's mean length. The row has the seed. */
mcl_status bench_uniform_in_offsets(bench_case *c);
mcl_status bench_runs(bench_case *c); /* takes only int32 and int64 keys */
mcl_status bench_uniform_in_runs(bench_case *c);
/* Make uniform elements in rows of the variant's length, given by their offsets. */
mcl_status bench_uniform_rows(bench_case *c);
/* makes sorted runs, their number is the variant's length, with values 0, 1, 2 and so on */
mcl_status bench_sorted_runs(bench_case *c);
mcl_status bench_rows_with_half(bench_case *c); /* adds a fraction, which asks for the median */
/* Make uniform elements, and random indices, whose number is the row's share of n. */
mcl_status bench_removed(bench_case *c);
mcl_status bench_inserted(bench_case *c);
double bench_uniform_at(uint64_t seed, uint64_t k); /* returns number k of a seed's sequence, in (0, 1) */

/* ---- options.c ---------------------------------------------------------------------------- */

typedef enum bench_format { BENCH_TABLE, BENCH_CSV, BENCH_JSON } bench_format;

typedef struct bench_options {
    const char *program; /* argv[0] */
    const char *device;  /* NULL: the default device */
    const char *recorded;
    const char *child;  /* the work of a child process (child.h); NULL in every other process */
    double child_start; /* the child's start, in milliseconds of bench_now */
    const bench_op *ops[BENCH_LIST_MAX];
    int op_count;
    const bench_type *types[BENCH_LIST_MAX];
    int type_count;
    int64_t sizes[BENCH_LIST_MAX];
    int size_count; /* number of sizes; 0: the device decides */
    int threads[BENCH_LIST_MAX];
    int thread_count; /* number of thread counts, at least 1; an entry of 0 stands for the tuning table's choice */
    int items[BENCH_LIST_MAX];
    int item_count;
    const char *peers[BENCH_PEERS_MAX];
    int peer_count;
    int queued;
    const char *turns; /* name of a file that processes lock in turn; NULL: none */
    const char *keys;  /* name of the spread of keys (spread.c); NULL: uniform */
    int device_counts;
    int reps;
    bench_format format;
    int cold;
    const char *sweep; /* names of the sweep's operations; NULL: rows are timed */
    const char *picture;
    double seconds; /* time limit of the sweep; 0: none */
    int random;     /* number of random sets of values; 0: one parameter at a time */
    int seed;
    int rule; /* 1 where the sweep is judged */
    int list;
} bench_options;

/* Reads the command line. Returns 0 where the program goes on. Returns 1 where it is done; *status is then its exit
 * status, and the sentence has been printed. */
int bench_options_parse(int argc, const char **argv, bench_options *options, int *status);

/* ---- lists.c ---------------------------------------------------------------------------- */

/* Read the parts of options. Each returns 0, or -1 after a sentence. */
/* splits text at commas, and calls add for each part */
int bench_list_read(char *text, void *to, int (*add)(void *to, const char *item));
int bench_list_add_op(const bench_op **ops, int *count, const char *item);
int bench_list_add_type(const bench_type **types, int *count, const char *item);
void bench_list_print(const bench_op *const *ops, int count); /* prints the rows with their types, then all types */
/* checks that a file can be written; path NULL: no file is wanted */
int bench_file_check(const char *option, const char *path);
int bench_size_read(const char *text, int64_t *n); /* reads a whole number, also one like 1e7 */
/* Returns 1, after a sentence, where option has as many entries as it may have. */
int bench_list_is_full(int count, const char *option);

/* ---- the program's state ---------------------------------------------------------------------------- */

typedef struct bench_recorded bench_recorded;
typedef struct bench_report bench_report;

struct bench {
    const bench_options *options;
    mcl_context *context;
    mcl_queue *queue; /* queue of the timed calls, with profiling on a GPU */
    mcl_device_info info;
    const bench_peer *peers[BENCH_PEERS_MAX];
    int peer_count;
    bench_recorded *recorded; /* NULL: none */
    bench_report *report;
    double copy_bytes[BENCH_LIST_MAX]; /* bytes of the copies timed so far */
    double copy_ms[BENCH_LIST_MAX];
    int copy_count;
    int64_t spin_rounds; /* rounds of a spin; 0: not calibrated yet */
    mcl_buffer *spin_out;
    int failures;
    int turns;       /* file of --turns, open where the option is given */
    int shapes_only; /* 1 where the queue prepares: operands have kinds and sizes, but no data */
};

/* ---- data.c ---------------------------------------------------------------------------- */

/* Add an array, with device and host memory, to the problem. */
mcl_status bench_add_input(bench_case *c, const mcl_type *type, int64_t count);
mcl_status bench_add_output(bench_case *c, const mcl_type *type, int64_t count);
/* Gives an output its expected content. The output owns the memory from then on. */
void bench_array_expects(bench_array *array, void *host, int64_t count);
void bench_array_free(const bench_array *array);
void bench_case_close(bench_case *c);

mcl_input bench_in(const bench_case *c, int index);
mcl_output bench_out(const bench_case *c, int index);
mcl_output bench_out_in_place(const bench_case *c, int index); /* needs an input for each output */

/* Makes data on the device. It does nothing where shapes are enough. */
mcl_status bench_make(bench_case *c, mcl_input from, mcl_output to);
mcl_status bench_make_random(bench_case *c, mcl_output to, uint64_t seed, const void *low, const void *high);
/* Stores a number as element k of the array's host memory. The elements are integers of 4 or 8 bytes. */
void bench_store_integer(const bench_array *array, int64_t k, int64_t number);
/* Fills an input's host memory where shapes are enough: with [0, bound) in order, so that references end soon. */
void bench_fill_shape(bench_case *c, int index, const element *kind, int64_t bound);

/* Fill input index with uniform elements of the case's type: in any order, or sorted. */
mcl_status bench_fill_uniform(bench_case *c, int index, uint64_t seed);
/* Fills input index as --keys says (spread.c). bench_spread_known returns 1 for a name of a spread; for others it
 * prints the names. */
mcl_status bench_fill_spread(bench_case *c, int index);
int bench_spread_known(const char *name);
mcl_status bench_fill_sorted(bench_case *c, int index, uint64_t seed);
/* Fill an input: with sorted whole numbers, uniform in [0, bound), or with first, first + 1, first + 2 and so on. */
mcl_status bench_fill_sorted_below(bench_case *c, int index, uint64_t seed, int64_t bound);
mcl_status bench_fill_counting(bench_case *c, int index, int64_t first);
/* Fills an input of MCL_INT32 with uniform positions in [0, bound), sorted. */
mcl_status bench_fill_positions(bench_case *c, int index, int64_t bound, uint64_t seed);

/* Copies inputs to the host, and the inputs' counts to the device. */
mcl_status bench_case_fetch(bench_case *c);
/* Overwrites the outputs, so that the check notices a run that writes nothing. */
mcl_status bench_poison(bench_case *c);
mcl_status bench_fetch_results(bench_case *c);
/* Returns 1 where out[].result equals out[].host. Where it differs, message says at which index. tolerance: relative,
 * for floats. */
int bench_same(const bench_case *c, double tolerance, char *message, size_t message_bytes);

/* ---- timing.c ---------------------------------------------------------------------------- */

double bench_now(void); /* returns milliseconds of a clock that never goes back */
/* Returns bench_now on a GPU. Elsewhere it returns the processor time of this process, which other processes change
 * little. */
double bench_cost_now(const bench *b);
/* Gives each of POCL's threads a core. It is called before a driver is loaded, since the system may else put all
 * threads on one core. */
void bench_spread_threads(void);

typedef struct bench_samples {
    double ms[BENCH_REPS_MAX];
    int count;
} bench_samples;
void bench_samples_add(bench_samples *samples, double ms);
double bench_median(bench_samples *samples);
double bench_minimum(const bench_samples *samples);

/* Let processes that name the same file by --turns use the device one at a time, from begin to end. Meanwhile other
 * processes may make data. */
int bench_turns_open(bench *b); /* returns 0, or -1 after a sentence */
void bench_turn_begin(const bench *b);
void bench_turn_end(const bench *b);

/* Times one run of the case on an idle device. The time is device time on a GPU, elsewhere the wall time of call and
 * wait. */
mcl_status bench_run_once(bench_case *c, const mcl_options *options, int queued, double *ms);
/* Times a device copy that reads and writes bytes in all. Stores the median to *ms, and remembers it. */
mcl_status bench_copy_time(bench *b, double bytes, double *ms);

/* ---- measure.c, peers.c, recorded.c, report.c ------------------------------------------------------ */

int bench_measure(bench *b, const bench_op *op, const bench_type *type, int64_t n); /* returns 0, or -1 on failure */
/* Measures a row by one call, in place of bench_measure (cold.c). It compares the cost of a first call, in a new
 * process without a compiled program, with the cost of a later call. Both are read by bench_cost_now. */
int bench_cold(bench *b, const bench_op *op, const bench_type *type, int64_t n);

/* Makes the data and the host's reference. The caller has set bench, op, type and n. Returns 0 or -1; bench_case_close
 * must follow in both cases. */
int bench_case_open(bench_case *c);
/* Runs the case once into overwritten outputs, and compares them with the reference. On -1 message says why, and
 * *status is MCL_OK where the case ran but its result is wrong. */
int bench_run_checked(bench_case *c, const mcl_options *options, int queued, double *ms, char *message,
                      size_t message_bytes, mcl_status *status);
int bench_op_takes(const bench_op *op, const bench_type *type);

/* Opens the module of a peer. Where the module is missing or refuses the device, returns NULL after a sentence on
 * stderr. */
const bench_peer *bench_peer_open(const bench *b, const char *name);
int bench_peer_known(const char *name);
/* Stores to folder the folder of the running program, without a slash at the end. */
void bench_program_folder(const char *program, char *folder, size_t bytes);

typedef struct bench_record {
    const char *peer;
    double ms;
} bench_record;
/* Writes "MODEL (N cores)", with the name that the host's processor gives itself. */
void bench_processor(char *text, size_t bytes);
bench_recorded *bench_recorded_read(const char *path); /* returns NULL after a sentence on stderr */
void bench_recorded_free(bench_recorded *recorded);
/* Finds the fastest of the recorded rows that the operation compares with. Returns 0 where there is none. */
int bench_recorded_find(const bench_recorded *recorded, const bench_op *op, const char *type, int64_t n,
                        bench_record *record);

/* ---- sweep/curves.c --------------------------------------------------------------------------- */

/* Runs the sweep that the options ask for. Returns 0, or -1 where points break the rule or the sweep cannot be done. */
int bench_sweep(bench *b);
int bench_sweep_known(const char *names); /* returns 1, or 0 after a sentence that lists the names */

/* ---- report.c ---------------------------------------------------------------------------- */

/* A row of the report. Unknown values are negative or NULL, and their fields stay empty. peer is the fastest of peers,
 * where peers have run. */
typedef struct bench_row {
    const char *op;
    const char *type;
    int64_t n;
    const char *mapping;
    int threads;
    int items;
    double median_ms;
    double min_ms;
    double gbps;
    double copy_ratio;
    const char *peer;
    double peer_ms;
    const char *peer_source;
    const bench_record *peers; /* times of the peers, the fastest first */
    int peer_count;
} bench_row;
/* Opens a report. name_width: the width of the longest row name in the table. */
bench_report *bench_report_open(const mcl_device_info *info, bench_format format, int name_width);
void bench_report_row(bench_report *report, const bench_row *row);
void bench_report_close(bench_report *report);
/* Prints on stderr a line about the current work, once the program has run for 2 seconds. */
void bench_progress(const char *format, ...);
/* Print on stderr a line that says what went wrong or was left out. It begins with the program's name, which is
 * moderncl-bench unless bench_call_itself sets it. */
void bench_call_itself(const char *name);
void bench_note(const char *format, ...);
/* Prints what as a note, with the library's last sentence. It always returns -1. */
int bench_failed(const char *what);

#endif
