/* fuzz.h: a random caller of the public API. A seed makes one process with some calls. A call has drawn operands, each
 * in separate memory between guard zones, and an image of every byte after the call. With --threads the process deals a
 * seed's calls to threads, which share one context. Static variables here belong to a thread. */
#ifndef FUZZ_H
#define FUZZ_H

#include <moderncl/moderncl.h>

#include <stdio.h>

/* ---- numbers drawn -------------------------------------------------------------------------------------- */

typedef struct stream {
    uint64_t state;
} stream;
/* Lets this thread draw small numbers from the bytes of libFuzzer's input, until all bytes are used. With NULL the
 * thread draws from its seed again. */
void draw_from_input(const uint8_t *bytes, size_t count);
stream stream_of(uint64_t seed, uint64_t first, uint64_t second);
uint64_t draw(stream *from);
int64_t draw_below(stream *from, int64_t limit); /* returns 0 to limit - 1 */
int64_t draw_between(stream *from, int64_t low, int64_t high);
int draw_chance(stream *from, int percent);

/* ---- kinds of elements ---------------------------------------------------------------------------------- */

enum { KIND_INTEGER = 1, KIND_UNSIGNED = 2, KIND_FLOAT = 4, KIND_STRUCT = 8, KIND_HALF = 16 };
typedef struct kind {
    const char *name;
    const mcl_type *type;
    unsigned traits;
    size_t key_bytes; /* for structs: bytes of the member key, which comes first */
} kind;
enum { KINDS_ANY = 0, KINDS_NUMBER, KINDS_INTEGER, KINDS_INDEX, KINDS_CARRIED };
const kind *draw_kind(stream *from, int which);
extern const kind kind_int8, kind_int16, kind_int32, kind_int64, kind_uint8, kind_uint16, kind_uint32, kind_uint64,
    kind_half, kind_float, kind_double, kind_affine, kind_indexed;

/* Returns a number of an element that has the order MCL_LESS, or for structs p.key < q.key. */
int64_t order_key(const kind *of, const void *element);
int64_t integer_of(const kind *of, const void *element); /* integers alone */
void integer_to(const kind *of, int64_t number, void *element);

/* Ways to fill a sequence. FILL_LARGE: sums are exact in double but not in float. FILL_ENDS: NaN of one bit pattern,
 * zeros of one sign, the least infinity, and numbers, so that a fold's result has one bit pattern. */
typedef enum fill {
    FILL_ANY,
    FILL_FEW,
    FILL_EQUAL,
    FILL_SMALL,
    FILL_COUNT,
    FILL_LARGE,
    FILL_ENDS,
    FILL_ENDS_NEGATIVE
} fill;
void fill_elements(stream *from, const kind *of, fill how, unsigned char *out, int64_t count);

/* ---- device memory -------------------------------------------------------------------------------------- */

enum { MEMORIES_MAX = 56, INPUTS_MAX = 8, OUTPUTS_MAX = 12, RESULTS_MAX = 3, OPS_MAX = 3, GUARD_BYTES = 192 };

typedef struct world world;
typedef struct call call;

typedef struct memory {
    mcl_buffer *buffer;
    size_t bytes;
    size_t start; /* first byte of the operand; the other bytes are its guard zones */
    unsigned char *before;
    unsigned char *expected;
    unsigned char *any; /* for each byte, not 0 where it may be anything after a call that was not refused */
    unsigned char *seen;
    int host_slot; /* slot of the guarded host memory that the buffer wraps; -1: none */
} memory;

/* Makes the memory of an operand, whose bytes are at before + start. The device gets them at memories_upload. */
memory *memory_new(call *c, size_t bytes, size_t alignment);
mcl_buffer *memory_buffer(call *c, memory *of);
void memory_expect(memory *of, size_t at, const void *data, size_t bytes);
void memory_any(memory *of, size_t at, size_t bytes);
int memories_upload(call *c);
void memories_free(call *c);
/* Returns NULL, or a text about what is wrong. unchanged: 1 where the call was refused. */
const char *memories_check(call *c, int unchanged);

mcl_buffer *guarded_buffer(world *w, size_t bytes, int *host_slot);
int guarded_release(world *w, int host_slot); /* returns 0 where bytes past its end were written */
void guarded_close(world *w);
/* Releases all that a world has, with its guarded memory. */
void world_close(world *w);

/* ---- operands ------------------------------------------------------------------------------------------- */

typedef struct sequence {
    const kind *of;
    unsigned char *data; /* bound elements */
    int64_t bound;
    int64_t count; /* number of elements that the call takes */
    int has_slot;
    int64_t slot_value;
    int is_hot; /* 1 where most elements are equal */
    const mcl_type *slot_type;
    memory *place; /* memory of an array */
    memory *slot;
} sequence;

enum { FORM_ARRAY = 0, FORM_EXPRESSION, FORM_CONSTANT, FORM_COUNTING, FORM_STEP };

int64_t draw_size(call *c);
/* Functions of sequences. A sequence is begun, filled by its owner, and finished, which puts it into c->in. */
sequence *sequence_begin(call *c, int k, const kind *of, int64_t bound, int may_have_slot);
/* begins one with at least the leader's number of elements */
sequence *sequence_follow(call *c, int k, const kind *of, int leader);
/* Gives some sequences one element in most places. It comes before sequence_finish. */
void sequence_heat(call *c, sequence *of);
/* Gives the slot a type, and the value that this type can hold. slot_give then puts the slot into an input. */
void slot_type_draw(call *c, sequence *of);
void slot_give(call *c, sequence *of, mcl_input *input);
void sequence_finish(call *c, int k);
void sequence_finish_array(call *c, int k);
/* Draws sequence k of kind of: offsets of rows of sequence in. Returns the rows' length. */
int64_t rows_draw(call *c, int in, int k, const kind *of);
/* Returns the segments that sequence k gives, or rows where row_length is not 0. */
mcl_segments segments_told(const call *c, int k, mcl_segment_kind by, int64_t row_length);
void input_any(call *c, int k, const kind *of, int64_t bound, fill how); /* draws a whole input, of every form */
void input_carried(call *c, int k, const kind *of, int leader);
const unsigned char *element_at(const sequence *of, int64_t k);

/* Makes output k. in_place_of: the input whose range it has; -1: separate memory. */
void output_new(call *c, int k, const kind *of, int64_t capacity, int in_place_of);
int64_t draw_room(call *c, int64_t needed); /* returns a capacity of at least needed */
void output_expect(call *c, int k, const void *data, int64_t count);
void output_expect_at(call *c, int k, int64_t index, const void *element);
void output_any_at(call *c, int k, int64_t index, int64_t count);
int64_t output_capacity(const call *c, int k);
void outputs_leave_out(call *c); /* decides which outputs are left out, before the reference */
void outputs_take_away(call *c); /* after it */

void result_new(call *c, int k, const kind *of, int64_t numbers);
/* makes a result of a type that counts may have; expected values are int64_t */
void count_new(call *c, int k, int64_t numbers);
void result_expect(call *c, int k, const void *data);
void counts_expect(call *c, int k, const int64_t *counts);
void result_expect_count(call *c, int k, int64_t count);
void result_holds_bound(call *c, int k); /* the result holds an index of the first input; else the call is refused */
int result_on_host(const call *c, int k);
/* Expects MCL_ERROR_CAPACITY where a count goes to the host and is above a capacity other than 0. */
void expect_capacity(call *c, int k, int64_t count, int64_t capacity);

/* ---- operators ------------------------------------------------------------------------------------------ */

typedef struct order {
    const kind *of;
    int mode;
    int64_t mask;
    int32_t ranks[16];
} order;
/* Puts the operator into c->op[k]. Sets c->broken where the operator is no order. */
order order_new(call *c, int k, const kind *of);
int order_before(const order *by, const void *p, const void *q);
void order_sort(const order *by, const kind *of, unsigned char *data, int64_t count, int64_t *places);
/* Fills a sequence and sorts it, unless the call is meant to be broken. unique: no key is repeated. */
void sequence_sorted(call *c, int k, const order *by, int unique);

typedef struct fold {
    const kind *in;
    const kind *value;
    const kind *out;
    int mode;
    int has_identity;
    fill how;
} fold;
fold fold_new(call *c, int k);
void fold_extract(const fold *by, const void *x, int64_t i, void *v);
void fold_plus(const fold *by, const void *p, const void *q, void *out);
void fold_identity(const fold *by, void *v);
void fold_store(const fold *by, const void *v, void *out);
/* Returns 1 and stores to begin the accumulator to start with; 0 where there is none. fold_initial gives some calls an
 * options->initial. */
int fold_begin(const fold *by, const call *c, void *begin);
void fold_initial(call *c, const fold *by);

typedef struct test {
    const kind *of;
    int mode;
} test;
test test_new(call *c, int k, const kind *of);
int test_passes(const test *by, const void *x, int64_t i);
typedef struct equality {
    const kind *of;
    int mode;
} equality;
equality equality_new(call *c, int k, const kind *of, int may_be_null);
int equality_same(const equality *by, const void *p, const void *q);

/* ---- calls ---------------------------------------------------------------------------------------------- */

typedef enum expectation { EXPECT_OK, EXPECT_CAPACITY, EXPECT_REFUSED, EXPECT_EITHER } expectation;

/* Properties of an operation: options that it takes, and others. */
enum {
    TAKES_INITIAL = 1,
    TAKES_SORT = 2,
    TAKES_PASSES = 4,
    TAKES_APPEND = 8,
    TAKES_UNIQUE = 16,
    TAKES_UNORDERED = 32,
    NO_OPTIONS = 64,
    NO_SPOILING = 128,
    NO_SCRATCH = 256,
    MAY_LACK_OUTPUTS = 512, /* outputs that are left out in turn; the reference then gives them endless capacity */
    STORES_WORK = 1024,     /* stores numbers[1] elements, which may be 0 */
    STORES_POINTS = 2048,   /* stores numbers[2] elements, which may be 0 */
    REPLACES_OWN = 4096,    /* also works in place of an expression that reads only its own element */
    MAY_BE_HUGE = 8192,     /* no operand has room by the bound of its first input */
    ON_HOST = 16384         /* operands are arrays in host memory */
};

typedef struct operation {
    const char *name; /* name of the function */
    unsigned takes;
    void (*draw)(call *c);
    mcl_status (*run)(mcl_queue *queue, call *c);
    void (*reference)(call *c); /* function that fills the expected bytes, unless data are broken */
} operation;

extern const operation transform_operations[], fold_operations[], merge_operations[], sort_operations[],
    search_operations[], sets_operations[], join_operations[], compact_operations[], segment_operations[],
    balance_operations[], interval_operations[], map_operations[], memory_operations[], kernel_operations[],
    segmented_sort_operations[], split_operations[], histogram_operations[], top_k_operations[], find_operations[],
    sort_columns_operations[], group_by_operations[], multimap_operations[], host_sort_operations[],
    host_group_by_operations[], host_join_operations[];
int operation_count(void);
const operation *operation_at(int k);

/* The room of a call on arrays in host memory, and the argument that is wrong. */
typedef struct host_drawn {
    int entries;   /* number of entries of one context */
    int has_other; /* 1 where one more entry has another context */
    int64_t bytes; /* bytes of each entry */
    size_t scratch_bytes;
    int wrong; /* number of the wrong argument; 0: all are right */
} host_drawn;

typedef union drawn {
    order by;
    fold with;
} drawn;

struct call {
    world *w;
    const operation *op;
    stream shape; /* stream for all that a program's text depends on, which many calls share */
    stream data;
    uint64_t seed;
    int number;

    mcl_input in[INPUTS_MAX];
    sequence sequences[INPUTS_MAX];
    int in_count;
    mcl_output out[OUTPUTS_MAX];
    memory *out_memory[OUTPUTS_MAX];
    const kind *out_kind[OUTPUTS_MAX];
    int64_t out_room[OUTPUTS_MAX]; /* capacities as they were drawn */
    int left_out[OUTPUTS_MAX];     /* 1 where the call gets (mcl_output){0}, and the memory stays as it was */
    int out_count;
    unsigned may_lack; /* a bit for each output that the call can do without */
    mcl_result result[RESULTS_MAX];
    memory *result_memory[RESULTS_MAX];
    const kind *result_kind[RESULTS_MAX];
    int64_t result_numbers[RESULTS_MAX];
    unsigned char host[RESULTS_MAX][128];
    unsigned char host_before[RESULTS_MAX][128];
    unsigned char host_expected[RESULTS_MAX][128];
    int host_any[RESULTS_MAX];
    int result_count;
    mcl_op ops[OPS_MAX];
    const mcl_op *op_given[OPS_MAX]; /* operators that the call gets */
    int op_count;
    mcl_options options;
    const mcl_options *options_given;
    mcl_options steps; /* options with only a tile, for the calls before and after the tested call */
    unsigned char initial[MCL_VALUE_BYTES_MAX];
    memory *scratch;
    mcl_event *done;
    mcl_event *wait[2];
    memory memories[MEMORIES_MAX];
    int memory_count;

    int64_t numbers[8]; /* numbers of the operation */
    host_drawn on_host; /* draw of a call on arrays in host memory */
    unsigned char values[2][MCL_VALUE_BYTES_MAX];
    order by;
    order columns[OPS_MAX]; /* orders of key columns */
    fold with;
    test tests[2];
    equality same;
    mcl_map *map;
    mcl_multimap *multimap;

    int bent;   /* 1 where the draw should break the precondition, if the operation has one */
    int broken; /* 1 where the precondition is broken: values are unspecified, but memory is not */
    int null_queue;
    int is_huge;         /* 1 where the bound of an input is huge, and a slot has a smaller count */
    int is_forked;       /* 1 where a forked child makes the call first, and is refused */
    int has_small_stack; /* 1 where the call is made once more, on a thread with a stack of 64 KiB */
    expectation expect;
    unsigned statuses; /* a bit for each negated status that a refusal may have; 0: any */
    char spoiled[96];  /* text about the argument that was made wrong */
    int compared;
};

struct world {
    mcl_context *context;
    mcl_queue *queue;
    mcl_queue *prepared;
    mcl_context *other; /* another context, made when it is first needed */
    mcl_buffer *foreign;
    mcl_device_info info;
    int serial;
    int wraps; /* 1 where the device is a CPU, whose buffers can be host memory */
    const char *device;
    void *opencl;
};

/* --skip CLASS, or CLASS:PART for operations with PART in their name. Classes: bad-order (operators that are no order),
 * unsorted (inputs, offsets, positions that are not sorted), half-nan, options (those not taken), roles, arguments (all
 * that spoil.c does), builds (operators that do not compile), copies (of built-in operators), sentences, count-only
 * (capacity 0), unsigned-positions (of 2^63 and more), indexed-keys (keys that are structs beside MCL_INDEXED). */
int is_skipped(const char *class_name);
int is_skipped_for(const call *c, const char *class_name);
void options_draw(call *c);
void scratch_draw(call *c); /* draws the scratch, by a call on a preparing queue */
void spoil(call *c);
void refuse(call *c, const char *what); /* notes that the call must be refused */
void doubt(call *c, const char *what);  /* notes that the call may be refused */
void call_print(const call *c, char *text, size_t capacity);

/* ---- arrays in host memory ------------------------------------------------------------------------------ */

/* The arrays of a call in host memory. Before and after the call the operands are on the device. */
typedef struct host_call {
    mcl_host_device devices[4];
    mcl_host_room room;
    const mcl_host_room *given;
    const mcl_type *type; /* type of the keys */
    const void *keys;
    int64_t count;
    void *out; /* output 0 */
} host_call;

void host_keys_draw(call *c, int k, const order *by, int64_t count);
void host_values_draw(call *c, int k, const kind *of, int64_t count);
/* Makes a result of a count that the host gets by a pointer, or that nobody gets. */
void host_count_new(call *c);
/* Draws the room, after all operands. kept_bytes: bytes of scratch for each element. */
void host_room_draw(call *c, int64_t count, size_t kept_bytes);
int spoil_host(call *c);
/* Fetches the operands. Returns MCL_OK, or the status of the failure. */
mcl_status host_begin(mcl_queue *queue, call *c, host_call *made);
void *host_input(const call *c, int k);
void *host_output(const call *c, int k);
int64_t *host_count(const call *c);
/* Returns 1 where the room was too small, and makes it larger. */
int host_grows(host_call *of, mcl_status status);
mcl_status host_end(mcl_queue *queue, call *c, mcl_status status); /* brings the operands back to the device */

/* Functions of one_call.c: draw all that a call needs; return NULL where the status is right, else the statuses it may
 * have; end the call. */
void call_draw(call *c);
const char *status_check(const call *c, mcl_status status);
int sentence_names(const call *c); /* 1 where the last error names the call's function */
int is_late(mcl_status status);    /* 1 where the call has done its work in spite of the status */
void call_end(call *c);

/* ---- surroundings: calls on small stacks and in forked children, not recorded ------------------------------ */

/* SMALL_STACKS is 0 with sanitizers, whose frames are larger. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SMALL_STACKS = 0 };
#else
enum { SMALL_STACKS = 1 };
#endif
void surroundings_draw(call *c);
/* Make a call in special surroundings. Each returns NULL, or a text about what is wrong. */
const char *small_stack_run(call *c, mcl_status *status);
const char *forked_run(call *c);

/* ---- processes ------------------------------------------------------------------------------------------ */

enum { OPERATIONS_MAX = 128, STATUSES = 9, TEXT_MAX = 6000, THREADS_MAX = 64 };

/* The journal of a seed's process. Its parent can read it also when the process dies. */
typedef struct journal {
    int64_t calls[OPERATIONS_MAX];
    int64_t equal[OPERATIONS_MAX];
    int64_t statuses[OPERATIONS_MAX][STATUSES];
    int64_t started; /* time when the present call began */
    int64_t until;   /* time after which no call begins, except the first; 0: all calls are made */
    int number;      /* number of the present call; -1: none yet */
    int operation;
    char current[TEXT_MAX];
    char finding[TEXT_MAX]; /* "": none */
    char failure[512];      /* text about why the process could not begin */
} journal;

typedef struct settings {
    const char *device;
    int serial;
    int seconds;
    uint64_t seed;
    int64_t seeds; /* number of seeds; 0: as many as the time allows */
    int processes;
    int threads; /* threads of a process; each has its own queue and a share of the calls */
    int calls;
    int only; /* number of the only call to make; -1: all */
    int hang_seconds;
    const char *operation; /* part of the names of operations to call; NULL: all */
    const char *seeds_file;
    const char *skips[16];
    int skip_count;
    int findings_max;
    int64_t size_most; /* largest number of elements of an operand; 0: as drawn */
    int verbose;
} settings;
extern settings the_settings;

void seed_run(uint64_t seed, journal *into);
void journal_absorb(journal *into, const journal *from); /* adds the counts of from */

#endif
