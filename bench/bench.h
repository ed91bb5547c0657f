/* bench.h: the parts of moderncl-bench and what they share.
 *
 * A row is a bench_op, and rows.c lists all. Most are an operation that the tests know too (tests/cases), and how its
 * inputs are spread (inputs.c). A file of ops/ has what only the bench does. main.c goes through
 * rows, types and sizes; measure.c checks and times one of them against its peers; report.c prints the results. */
#ifndef BENCH_H
#define BENCH_H

#include "cases/case.h"
#include "peers/peer.h"

#include <moderncl/moderncl.h>

#include <stdio.h>

enum { BENCH_LIST_MAX = 256, BENCH_REPS_MAX = 1000, BENCH_CANDIDATES_MAX = 24, BENCH_PEERS_MAX = 3 };

/* The end of a row's name where its inputs' counts are in device slots. */
#define BENCH_COUNTED "_device_count"

/* ---- types.c ---------------------------------------------------------------------------- */

typedef struct bench_type {
    const char *name;
    const element *element;
    const element *value;   /* value of pairs */
    const case_test *lower; /* half of the uniform elements */
    const fold *sum;        /* NULL: only rows that name the type take it */
    const fold *max_index;  /* NULL: none */
    const fold *max_pair;   /* fold of elements with their indices; NULL: none */
    unsigned char low[8];   /* uniform data lies in [low, high] */
    unsigned char high[8];
    double tolerance; /* tolerance of sums, relative; 0: exact */
    const char *key;  /* device text of an element made of sum, 63 bits that grow with the element */
    const char *key_source;
} bench_type;

extern const bench_type bench_types[];
extern const int bench_type_count;
const bench_type *bench_type_find(const char *name);

/* ---- operations ---------------------------------------------------------------------------- */

typedef struct bench bench;
typedef struct bench_op bench_op;

/* One row on one type and size, with its data. */
typedef struct bench_case {
    bench *bench;
    const bench_op *op;
    const bench_type *type;
    int64_t n;
    bench_problem problem;
    case_variant variant;    /* variant of an operation of tests/cases */
    case_problem expected;   /* its problem, with the arrays of the problem above */
    int arrays[CASE_INPUTS]; /* index of each input in problem.in; -1: it only counts work units */
    mcl_buffer *counts;      /* an int64 for each input: its count */
    int device_counts;       /* whether inputs take their counts from counts */
    int in_place;            /* whether an operation's outputs are its inputs' arrays, one after the other */
    mcl_map *map;            /* NULL: none */
    mcl_multimap *multimap;  /* NULL: none */
} bench_case;

struct bench_op {
    const char *name;
    const char *types;    /* names of types that the row makes sense for, separated by spaces; NULL: all */
    const char *recorded; /* rows of the recorded file to compare with; NULL: those of its own name, "": none */
    const char *tuning;   /* the operation's name in the tuning table; NULL: unknown */
    size_t (*tile_bytes)(const bench_type *type); /* size that tiles are chosen by; NULL: an element's */
    const mcl_case *operation;                    /* NULL: it is the bench's own */
    case_variant variant;                         /* the operation's variant, but for the element, the type's */
    const fold *(*fold)(const bench_type *type);  /* fold of the variant */
    int has_values;                               /* whether the variant's value is the type's too */
    int takes_result;                             /* whether the result is the last output; else it goes nowhere */
    int by_clock;                                 /* whether a run makes several calls; an event has the last's */
    int has_half;                                 /* whether one object has a half of all work units */
    uint64_t seed;                                /* seed of inputs that are made for several rows */
    int64_t share;                                /* first input's share of n elements, in percent; 0: half */
    mcl_status (*prepare)(bench_case *c);         /* makes problem.in, and problem.out without an operation */
    void (*reference)(bench_case *c);             /* fills out[].host, and out[].count where it varies */
    double (*bytes)(const bench_case *c);         /* bytes moved at least; after reference */
    mcl_status (*restore)(bench_case *c);         /* untimed, before each run; NULL: none needed */
    mcl_status (*run)(const bench_case *c, const mcl_options *options);
    mcl_status (*finish)(bench_case *c);          /* untimed, makes outputs of a run that is checked; NULL: no need */
    int (*measure)(bench *b, const bench_op *op); /* instead of all of the above: once a device */
};

/* Operations that only the bench does, in ops/. */
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
const bench_op *bench_op_find(const char *name); /* NULL: no such row */
const char *bench_op_name(int index);            /* NULL past the last */

/* ---- operation.c: a row's functions where it has an operation ------------------------------------------------- */

/* Opens the operation, before prepare. */
void bench_operation_open(bench_case *c);
/* Adds an input that the operation knows. */
mcl_status bench_add_elements(bench_case *c, const element *kind, int64_t count);
void bench_add_work(bench_case *c); /* an input that only counts the n work units */
void bench_operation_expect(bench_case *c);
/* Adds the outputs after that, as large as what belongs in them. */
mcl_status bench_operation_outputs(bench_case *c);
double bench_operation_bytes(const bench_case *c);
mcl_status bench_operation_run(const bench_case *c, const mcl_options *options);

/* ---- inputs.c: how a row's inputs are spread -------------------------------------------------------------------- */

mcl_status bench_add_uniform(bench_case *c, const element *kind, int64_t count, uint64_t seed);

/* Make two sorted inputs of n elements together, with values that count. The second takes the whole numbers of [0, n /
 * 2), the third makes n elements each. */
mcl_status bench_sorted_parts(bench_case *c);
mcl_status bench_sorted_parts_half(bench_case *c);
mcl_status bench_sorted_wholes(bench_case *c);
mcl_status
bench_with_splitters(bench_case *c); /* uniform elements, and splitters: one less than the variant's length */

/* Make uniform elements, with values that count. In segments: the same in random segments of the variant's mean length.
 * Nearly sorted: an element's index plus a random number below a thousandth of n. */
mcl_status bench_uniform(bench_case *c);
mcl_status bench_uniform_columns(bench_case *c); /* and length columns of values */
mcl_status bench_uniform_keys(bench_case *c);    /* whole numbers below 10000, and floats */
/* Two tables of n rows together: keys of both, then two columns of each. The second has as many rows as the variant's
 * length says, and keys below that; without a length both have n / 2. */
mcl_status bench_tables(bench_case *c);
mcl_status bench_grouped(bench_case *c);       /* keys below length at random, and values of the fold */
mcl_status bench_skewed(bench_case *c);        /* seven of eight at random are one number */
mcl_status bench_uniform_flags(bench_case *c); /* and flags, half of them set */
mcl_status bench_uniform_pairs(bench_case *c); /* each with its index, as one element */
mcl_status bench_uniform_segments(bench_case *c);
mcl_status bench_nearly_sorted(bench_case *c);

/* Make objects with the variant's mean length of work units each, as uniform cuts leave them, with elements
 * (objects.c). Variants that take starts of intervals get the starts too. The intervals lie one after the other in a
 * random order. */
mcl_status bench_objects(bench_case *c);
mcl_status bench_intervals(bench_case *c);

/* Make uniform elements in random segments, given by offsets, and in runs of equal keys, of the variant's mean length
 * (segments.c). seed is the row's. */
mcl_status bench_uniform_in_offsets(bench_case *c);
mcl_status bench_runs(bench_case *c); /* int32 or int64 keys alone */
mcl_status bench_uniform_in_runs(bench_case *c);
/* Make uniform elements in rows of the variant's length, given by their offsets. */
mcl_status bench_uniform_rows(bench_case *c);
mcl_status bench_sorted_runs(bench_case *c); /* as many sorted runs as the variant's length, with values that count */
mcl_status bench_rows_with_half(bench_case *c); /* and a fraction, of the median */
/* Make uniform elements, and random indices of the row's share of them. */
mcl_status bench_removed(bench_case *c);
mcl_status bench_inserted(bench_case *c);
double bench_uniform_at(uint64_t seed, uint64_t k); /* in (0, 1): number k of a seed's sequence */

/* ---- options.c ---------------------------------------------------------------------------- */

typedef enum bench_format { BENCH_TABLE, BENCH_CSV, BENCH_JSON } bench_format;

typedef struct bench_options {
    const char *program; /* argv[0] */
    const char *device;  /* NULL: the default device */
    const char *recorded;
    const char *child;  /* the work of a child process (child.h); NULL in every other process */
    double child_start; /* time of its start, in milliseconds of bench_now */
    const bench_op *ops[BENCH_LIST_MAX];
    int op_count;
    const bench_type *types[BENCH_LIST_MAX];
    int type_count;
    int64_t sizes[BENCH_LIST_MAX];
    int size_count; /* 0: chosen by the device */
    int threads[BENCH_LIST_MAX];
    int thread_count; /* at least 1; 0 stands for the tuning table's choice */
    int items[BENCH_LIST_MAX];
    int item_count;
    const char *peers[BENCH_PEERS_MAX];
    int peer_count;
    int queued;
    const char *turns; /* a file that processes lock in turn; NULL: none */
    const char *keys;  /* how keys are spread (spread.c); NULL: uniform */
    int device_counts;
    int reps;
    bench_format format;
    int cold;
    const char *sweep; /* operations of the sweep; NULL: rows are timed */
    const char *picture;
    double seconds; /* of the sweep; 0: as many as all points take */
    int random;     /* sets of random values; 0: one parameter at a time */
    int seed;
    int rule; /* whether the sweep is judged */
    int list;
} bench_options;

/* Reads the command line. Returns 0: go on; 1: done, with *status; the sentence has been printed. */
int bench_options_parse(int argc, const char **argv, bench_options *options, int *status);

/* ---- lists.c ---------------------------------------------------------------------------- */

/* Read the parts of options. Each returns 0, or -1 after a sentence. */
int bench_list_read(char *text, void *to, int (*add)(void *to, const char *item)); /* parts between commas */
int bench_list_add_op(const bench_op **ops, int *count, const char *item);
int bench_list_add_type(const bench_type **types, int *count, const char *item);
void bench_list_print(const bench_op *const *ops, int count); /* rows with their types, then all types */
int bench_file_check(const char *option, const char *path);   /* that it can be written; NULL: it is not wanted */
int bench_size_read(const char *text, int64_t *n);            /* whole numbers, also as 1e7 */
/* Returns whether option has as many entries as it may, after a sentence. */
int bench_list_is_full(int count, const char *option);

/* ---- the program's state ---------------------------------------------------------------------------- */

typedef struct bench_recorded bench_recorded;
typedef struct bench_report bench_report;

struct bench {
    const bench_options *options;
    mcl_context *context;
    mcl_queue *queue; /* a queue with profiling on a GPU */
    mcl_device_info info;
    const bench_peer *peers[BENCH_PEERS_MAX];
    int peer_count;
    bench_recorded *recorded; /* NULL: none */
    bench_report *report;
    double copy_bytes[BENCH_LIST_MAX]; /* copies timed so far */
    double copy_ms[BENCH_LIST_MAX];
    int copy_count;
    int64_t spin_rounds; /* 0: not yet calibrated */
    mcl_buffer *spin_out;
    int failures;
    int turns;       /* the open file of --turns, where it is given */
    int shapes_only; /* whether the queue prepares: operands have kinds and sizes, but no data */
};

/* ---- data.c ---------------------------------------------------------------------------- */

/* Add an array with device and host memory to the problem. */
mcl_status bench_add_input(bench_case *c, const mcl_type *type, int64_t count);
mcl_status bench_add_output(bench_case *c, const mcl_type *type, int64_t count);
/* Gives an output the content that it is to hold, which becomes the output's own. */
void bench_array_expects(bench_array *array, void *host, int64_t count);
void bench_array_free(const bench_array *array);
void bench_case_close(bench_case *c);

mcl_input bench_in(const bench_case *c, int index);
mcl_output bench_out(const bench_case *c, int index);
mcl_output bench_out_in_place(const bench_case *c, int index); /* needs as many inputs */

/* Makes data on the device; does nothing where shapes are enough. */
mcl_status bench_make(bench_case *c, mcl_input from, mcl_output to);
mcl_status bench_make_random(bench_case *c, mcl_output to, uint64_t seed, const void *low, const void *high);
/* Stores element k of the host's numbers of an array of integers of 4 or 8 bytes. */
void bench_store_integer(const bench_array *array, int64_t k, int64_t number);
/* Fills the host's numbers of an input where shapes are enough: [0, bound) in order, so that references end soon. */
void bench_fill_shape(bench_case *c, int index, const element *kind, int64_t bound);

/* Fill input index with uniform elements of the case's type, in any order or sorted. */
mcl_status bench_fill_uniform(bench_case *c, int index, uint64_t seed);
/* spread.c. Fills input index as --keys says. 1: there is such a spread; else a sentence tells the names. */
mcl_status bench_fill_spread(bench_case *c, int index);
int bench_spread_known(const char *name);
mcl_status bench_fill_sorted(bench_case *c, int index, uint64_t seed);
/* Fill an input sorted, uniform in the whole numbers of [0, bound), or with first, first + 1, first + 2 ... */
mcl_status bench_fill_sorted_below(bench_case *c, int index, uint64_t seed, int64_t bound);
mcl_status bench_fill_counting(bench_case *c, int index, int64_t first);
/* Fills an input of MCL_INT32 with uniform positions in [0, bound), sorted. */
mcl_status bench_fill_positions(bench_case *c, int index, int64_t bound, uint64_t seed);

/* Copies inputs to the host, and counts to the device. */
mcl_status bench_case_fetch(bench_case *c);
/* Overwrites the outputs, so that a run that writes nothing is seen. */
mcl_status bench_poison(bench_case *c);
mcl_status bench_fetch_results(bench_case *c);
/* Returns whether out[].result holds what out[].host says; message says where not. tolerance: relative, for floats. */
int bench_same(const bench_case *c, double tolerance, char *message, size_t message_bytes);

/* ---- timing.c ---------------------------------------------------------------------------- */

double bench_now(void); /* milliseconds of a clock that never goes back */
/* The same on a GPU; elsewhere what this process has taken of processors, which other processes change little. */
double bench_cost_now(const bench *b);
/* Gives each of POCL's threads a core, before a driver is loaded. Else the system may put all threads on one core. */
void bench_spread_threads(void);

typedef struct bench_samples {
    double ms[BENCH_REPS_MAX];
    int count;
} bench_samples;
void bench_samples_add(bench_samples *samples, double ms);
double bench_median(bench_samples *samples);
double bench_minimum(const bench_samples *samples);

/* Give the device to one process at a time between begin and end, of all that name one file by --turns. Others make
 * data meanwhile. */
int bench_turns_open(bench *b); /* 0, or -1 after a sentence */
void bench_turn_begin(const bench *b);
void bench_turn_end(const bench *b);

/* Times one run of the case from idle: device time on a GPU, wall time of call and wait elsewhere. */
mcl_status bench_run_once(bench_case *c, const mcl_options *options, int queued, double *ms);
/* Times a device copy that reads and writes bytes together. Gives the median, which is remembered. */
mcl_status bench_copy_time(bench *b, double bytes, double *ms);

/* ---- measure.c, peers.c, recorded.c, report.c ------------------------------------------------------ */

int bench_measure(bench *b, const bench_op *op, const bench_type *type, int64_t n); /* 0, or -1 on failure */
/* Measures a row with a call instead of bench_measure (cold.c). Gives the cost of a first call in a new process, with
 * no program compiled, beside that of a later call, by bench_cost_now. */
int bench_cold(bench *b, const bench_op *op, const bench_type *type, int64_t n);

/* Makes the data and the host's reference; bench, op, type and n are given. bench_case_close is for a failure (-1) too.
 */
int bench_case_open(bench_case *c);
/* Runs the case once into outputs that hold nothing of it, and compares them with the reference. On -1 message says
 * why, and *status is MCL_OK where the case ran and is wrong. */
int bench_run_checked(bench_case *c, const mcl_options *options, int queued, double *ms, char *message,
                      size_t message_bytes, mcl_status *status);
int bench_op_takes(const bench_op *op, const bench_type *type);

/* Opens the module of a peer. Returns NULL, after a sentence on stderr, where the module is missing or refuses the
 * device. */
const bench_peer *bench_peer_open(const bench *b, const char *name);
int bench_peer_known(const char *name);
/* Gives the folder of the running program, without a slash at the end. */
void bench_program_folder(const char *program, char *folder, size_t bytes);

typedef struct bench_record {
    const char *peer;
    double ms;
} bench_record;
/* Gives "MODEL (N cores)": what the host's processor calls itself. */
void bench_processor(char *text, size_t bytes);
bench_recorded *bench_recorded_read(const char *path); /* NULL and a sentence on stderr */
void bench_recorded_free(bench_recorded *recorded);
/* Returns the fastest of the rows that the operation compares with; 0 when there is none. */
int bench_recorded_find(const bench_recorded *recorded, const bench_op *op, const char *type, int64_t n,
                        bench_record *record);

/* ---- sweep/curves.c --------------------------------------------------------------------------- */

/* Runs the sweep that the options ask for. 0, or -1: points break the rule, or it cannot be done. */
int bench_sweep(bench *b);
int bench_sweep_known(const char *names); /* else a sentence lists the names */

/* ---- report.c ---------------------------------------------------------------------------- */

/* A row of the report. Negative numbers and NULL are unknown and stay empty. peer is the fastest of peers, where these
 * have run. */
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
    const bench_record *peers; /* the fastest first */
    int peer_count;
} bench_row;
/* Opens a report. name_width: the columns that the longest name of a row takes in the table. */
bench_report *bench_report_open(const mcl_device_info *info, bench_format format, int name_width);
void bench_report_row(bench_report *report, const bench_row *row);
void bench_report_close(bench_report *report);
/* Prints a line of what is being done, on stderr, once the program has run for 2 seconds. */
void bench_progress(const char *format, ...);
/* Print a line on stderr for what went wrong or was left out, after the program's name. The name is moderncl-bench
 * unless bench_call_itself sets it. */
void bench_call_itself(const char *name);
void bench_note(const char *format, ...);
/* Prints such a line with the library's last sentence; always returns -1. */
int bench_failed(const char *what);

#endif
