/* fuzz.h: a random caller of the public API. A seed makes one process of some calls. A call has drawn operands, each in
 * memory of its own between guard zones, and an image of what every byte of them must be afterwards. With --threads the
 * process deals a seed's calls to threads, which share one context; what is static here is a thread's own. */
#ifndef FUZZ_H
#define FUZZ_H

#include <moderncl/moderncl.h>

#include <stdio.h>

/* ---- numbers drawn -------------------------------------------------------------------------------------- */

typedef struct stream {
    uint64_t state;
} stream;
/* From now on small numbers of this thread are the bytes of an input, as long as there are any: libFuzzer's. NULL: no
 * more. */
void draw_from_input(const uint8_t *bytes, size_t count);
stream stream_of(uint64_t seed, uint64_t first, uint64_t second);
uint64_t draw(stream *from);
int64_t draw_below(stream *from, int64_t limit); /* 0 to limit - 1 */
int64_t draw_between(stream *from, int64_t low, int64_t high);
int draw_chance(stream *from, int percent);

/* ---- kinds of elements ---------------------------------------------------------------------------------- */

enum { KIND_INTEGER = 1, KIND_UNSIGNED = 2, KIND_FLOAT = 4, KIND_STRUCT = 8, KIND_HALF = 16 };
typedef struct kind {
    const char *name;
    const mcl_type *type;
    unsigned traits;
    size_t key_bytes; /* structs: of the member key, which comes first */
} kind;
enum { KINDS_ANY = 0, KINDS_NUMBER, KINDS_INTEGER, KINDS_INDEX, KINDS_CARRIED };
const kind *draw_kind(stream *from, int which);
extern const kind kind_int8, kind_int16, kind_int32, kind_int64, kind_uint8, kind_uint16, kind_uint32, kind_uint64,
    kind_half, kind_float, kind_double, kind_affine, kind_indexed;

/* Elements of MCL_LESS, or of p.key < q.key, in the order of these numbers. */
int64_t order_key(const kind *of, const void *element);
int64_t integer_of(const kind *of, const void *element); /* integers alone */
void integer_to(const kind *of, int64_t number, void *element);

/* Large: sums are exact in double, and not in float. The ends: NaN of one
 * kind of bits, zeros of one sign, the least infinity, numbers; what they fold to has one way to be written. */
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
    size_t start; /* of the operand, whose guard zones are the rest */
    unsigned char *before;
    unsigned char *expected;
    unsigned char *any; /* nonzero: the byte may be anything after a call that was not refused */
    unsigned char *seen;
    int host_slot; /* of guarded host memory that the buffer wraps; -1: none */
} memory;

/* The operand's bytes are at before + start. Nothing is on the device before memories_upload. */
memory *memory_new(call *c, size_t bytes, size_t alignment);
mcl_buffer *memory_buffer(call *c, memory *of);
void memory_expect(memory *of, size_t at, const void *data, size_t bytes);
void memory_any(memory *of, size_t at, size_t bytes);
int memories_upload(call *c);
void memories_free(call *c);
/* NULL, or what is wrong. unchanged: the call was refused. */
const char *memories_check(call *c, int unchanged);

mcl_buffer *guarded_buffer(world *w, size_t bytes, int *host_slot);
int guarded_release(world *w, int host_slot); /* 0: bytes past its end were written */
void guarded_close(world *w);
/* Releases what a world has, its guarded memory too. */
void world_close(world *w);

/* ---- operands ------------------------------------------------------------------------------------------- */

typedef struct sequence {
    const kind *of;
    unsigned char *data; /* bound elements */
    int64_t bound;
    int64_t count; /* what the call takes */
    int has_slot;
    int64_t slot_value;
    int is_hot; /* most elements are one */
    const mcl_type *slot_type;
    memory *place; /* of an array */
    memory *slot;
} sequence;

enum { FORM_ARRAY = 0, FORM_EXPRESSION, FORM_CONSTANT, FORM_COUNTING, FORM_STEP };

int64_t draw_size(call *c);
/* A sequence is begun, filled by its owner, and finished, which puts it into c->in. */
sequence *sequence_begin(call *c, int k, const kind *of, int64_t bound, int may_have_slot);
sequence *sequence_follow(call *c, int k, const kind *of, int leader); /* as many as the leader or more */
/* Some sequences get one element in most places. Before they are finished. */
void sequence_heat(call *c, sequence *of);
/* Gives the slot a type, and its value what that type makes of it. Then: puts the slot into an input. */
void slot_type_draw(call *c, sequence *of);
void slot_give(call *c, sequence *of, mcl_input *input);
void sequence_finish(call *c, int k);
void sequence_finish_array(call *c, int k);
/* Offsets, as sequence k of that kind, of rows of sequence in. Gives their length. */
int64_t rows_draw(call *c, int in, int k, const kind *of);
/* Segments by sequence k, or of rows where row_length is not 0. */
mcl_segments segments_told(const call *c, int k, mcl_segment_kind by, int64_t row_length);
void input_any(call *c, int k, const kind *of, int64_t bound, fill how); /* all of it, with every form */
void input_carried(call *c, int k, const kind *of, int leader);
const unsigned char *element_at(const sequence *of, int64_t k);

/* in_place_of: the input whose range it is; -1: its own memory. */
void output_new(call *c, int k, const kind *of, int64_t capacity, int in_place_of);
int64_t draw_room(call *c, int64_t needed); /* a capacity of at least needed */
void output_expect(call *c, int k, const void *data, int64_t count);
void output_expect_at(call *c, int k, int64_t index, const void *element);
void output_any_at(call *c, int k, int64_t index, int64_t count);
int64_t output_capacity(const call *c, int k);
void outputs_leave_out(call *c); /* decides which, before the reference */
void outputs_take_away(call *c); /* after it */

void result_new(call *c, int k, const kind *of, int64_t numbers);
void count_new(call *c, int k, int64_t numbers); /* of a type that counts may have; expected as int64_t */
void result_expect(call *c, int k, const void *data);
void counts_expect(call *c, int k, const int64_t *counts);
void result_expect_count(call *c, int k, int64_t count);
void result_holds_bound(call *c, int k); /* an index of the first input: else the call is refused */
int result_on_host(const call *c, int k);
/* The count is known: MCL_ERROR_CAPACITY where it goes to the host and is above a capacity other than 0. */
void expect_capacity(call *c, int k, int64_t count, int64_t capacity);

/* ---- operators ------------------------------------------------------------------------------------------ */

typedef struct order {
    const kind *of;
    int mode;
    int64_t mask;
    int32_t ranks[16];
} order;
/* Puts the operator into c->op[k]. Sets c->broken where it is no order. */
order order_new(call *c, int k, const kind *of);
int order_before(const order *by, const void *p, const void *q);
void order_sort(const order *by, const kind *of, unsigned char *data, int64_t count, int64_t *places);
/* Fills a sequence and sorts it; or not, where the call is to be a broken one. unique: no key twice. */
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
/* options->initial in some calls; begin: the accumulator to start with. 0: nothing to start with. */
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

/* Options that not every operation takes. */
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
    MAY_LACK_OUTPUTS = 512, /* drawn left out by turns; the reference then finds them of endless capacity */
    STORES_WORK = 1024,     /* as many elements as numbers[1], which may be 0 */
    STORES_POINTS = 2048,   /* as many elements as numbers[2], which may be 0 */
    REPLACES_OWN = 4096,    /* in place also of an expression that reads no more than its own element */
    MAY_BE_HUGE = 8192,     /* no operand has room by the bound of its first input */
    ON_HOST = 16384         /* operands are arrays in host memory */
};

typedef struct operation {
    const char *name; /* of the function */
    unsigned takes;
    void (*draw)(call *c);
    mcl_status (*run)(mcl_queue *queue, call *c);
    void (*reference)(call *c); /* not for broken data */
} operation;

extern const operation transform_operations[], fold_operations[], merge_operations[], sort_operations[],
    search_operations[], sets_operations[], join_operations[], compact_operations[], segment_operations[],
    balance_operations[], interval_operations[], map_operations[], memory_operations[], kernel_operations[],
    segmented_sort_operations[], split_operations[], histogram_operations[], top_k_operations[], find_operations[],
    sort_columns_operations[], group_by_operations[], multimap_operations[], host_sort_operations[],
    host_group_by_operations[], host_join_operations[];
int operation_count(void);
const operation *operation_at(int k);

/* The room of a call on arrays in host memory, and which of its arguments is wrong. */
typedef struct host_drawn {
    int entries;   /* of one context */
    int has_other; /* one more entry is of another context */
    int64_t bytes; /* of each entry */
    size_t scratch_bytes;
    int wrong; /* 0: all is right */
} host_drawn;

typedef union drawn {
    order by;
    fold with;
} drawn;

struct call {
    world *w;
    const operation *op;
    stream shape; /* all that a program's text depends on: the same for many calls */
    stream data;
    uint64_t seed;
    int number;

    mcl_input in[INPUTS_MAX];
    sequence sequences[INPUTS_MAX];
    int in_count;
    mcl_output out[OUTPUTS_MAX];
    memory *out_memory[OUTPUTS_MAX];
    const kind *out_kind[OUTPUTS_MAX];
    int64_t out_room[OUTPUTS_MAX]; /* the capacity as it was drawn */
    int left_out[OUTPUTS_MAX];     /* the call gets (mcl_output){0}: its memory stays as it was */
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
    const mcl_op *op_given[OPS_MAX]; /* what the call is given */
    int op_count;
    mcl_options options;
    const mcl_options *options_given;
    mcl_options steps; /* a tile alone, for the calls before and after the one that is looked at */
    unsigned char initial[MCL_VALUE_BYTES_MAX];
    memory *scratch;
    mcl_event *done;
    mcl_event *wait[2];
    memory memories[MEMORIES_MAX];
    int memory_count;

    int64_t numbers[8]; /* of the operation's own */
    host_drawn on_host; /* of calls on arrays in host memory */
    unsigned char values[2][MCL_VALUE_BYTES_MAX];
    order by;
    order columns[OPS_MAX]; /* of key columns */
    fold with;
    test tests[2];
    equality same;
    mcl_map *map;
    mcl_multimap *multimap;

    int bent;   /* the draw is to break the precondition, if the operation has one */
    int broken; /* it did: values are unspecified, memory is not */
    int null_queue;
    int is_huge;         /* the bound of an input is, by a count slot that says less */
    int is_forked;       /* a forked child makes it first, and is refused */
    int has_small_stack; /* it is made once more, on a thread of 64 KiB */
    expectation expect;
    unsigned statuses; /* refusals allowed, a bit for each negated status; 0: any */
    char spoiled[96];  /* what was done to the arguments */
    int compared;
};

struct world {
    mcl_context *context;
    mcl_queue *queue;
    mcl_queue *prepared;
    mcl_context *other; /* made when first wanted */
    mcl_buffer *foreign;
    mcl_device_info info;
    int serial;
    int wraps; /* the device is a CPU whose buffers can be host memory */
    const char *device;
    void *opencl;
};

/* --skip CLASS, or CLASS:PART for operations of whose name that is a part. Classes: bad-order (operators that are no
 * order), unsorted (inputs, offsets, positions that are not sorted), half-nan, options (those not taken), roles,
 * arguments (all that spoil.c does), builds (operators that do not compile), copies (of built-in operators), sentences,
 * count-only (capacity 0), unsigned-positions (of 2^63 and more), indexed-keys (keys that are
 * structs beside MCL_INDEXED). */
int is_skipped(const char *class_name);
int is_skipped_for(const call *c, const char *class_name);
void options_draw(call *c);
void scratch_draw(call *c); /* runs the call on a preparing queue */
void spoil(call *c);
void refuse(call *c, const char *what); /* the call must be refused */
void doubt(call *c, const char *what);  /* it may be */
void call_print(const call *c, char *text, size_t capacity);

/* ---- arrays in host memory ------------------------------------------------------------------------------ */

/* The operands lie in host memory while the call runs, as they lie on the device before and after it. */
typedef struct host_call {
    mcl_host_device devices[4];
    mcl_host_room room;
    const mcl_host_room *given;
    const mcl_type *type; /* of the keys */
    const void *keys;
    int64_t count;
    void *out; /* output 0 */
} host_call;

void host_keys_draw(call *c, int k, const order *by, int64_t count);
void host_values_draw(call *c, int k, const kind *of, int64_t count);
/* Of a result that the host gets by a pointer, or that nobody gets. */
void host_count_new(call *c);
/* After all operands. kept_bytes: what the scratch has for each element. */
void host_room_draw(call *c, int64_t count, size_t kept_bytes);
int spoil_host(call *c);
/* Fetches the operands. MCL_OK, or why they cannot be had. */
mcl_status host_begin(mcl_queue *queue, call *c, host_call *made);
void *host_input(const call *c, int k);
void *host_output(const call *c, int k);
int64_t *host_count(const call *c);
/* 1: the room was too small, and is larger now. */
int host_grows(host_call *of, mcl_status status);
mcl_status host_end(mcl_queue *queue, call *c, mcl_status status); /* brings the operands back */

/* one_call.c: everything that is drawn for a call; what its status may be, NULL where it may be that; its end. */
void call_draw(call *c);
const char *status_check(const call *c, mcl_status status);
int sentence_names(const call *c); /* 1: the last error does, the call's function */
int is_late(mcl_status status);    /* 1: the call has done its work */
void call_end(call *c);

/* ---- surroundings: not recorded calls ---------------------------------------------------------------------- */

/* The sanitizers' frames are larger. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SMALL_STACKS = 0 };
#else
enum { SMALL_STACKS = 1 };
#endif
void surroundings_draw(call *c);
/* Each gives NULL, or what is wrong. */
const char *small_stack_run(call *c, mcl_status *status);
const char *forked_run(call *c);

/* ---- processes ------------------------------------------------------------------------------------------ */

enum { OPERATIONS_MAX = 128, STATUSES = 9, TEXT_MAX = 6000, THREADS_MAX = 64 };

/* What a process of a seed leaves for its parent, also when it dies. */
typedef struct journal {
    int64_t calls[OPERATIONS_MAX];
    int64_t equal[OPERATIONS_MAX];
    int64_t statuses[OPERATIONS_MAX][STATUSES];
    int64_t started; /* the call that runs */
    int64_t until;   /* no call begins after that time, the first one apart; 0: all are made */
    int number;      /* of the call that runs; -1: none yet */
    int operation;
    char current[TEXT_MAX];
    char finding[TEXT_MAX]; /* "": none */
    char failure[512];      /* the process could not begin */
} journal;

typedef struct settings {
    const char *device;
    int serial;
    int seconds;
    uint64_t seed;
    int64_t seeds; /* 0: as many as there is time for */
    int processes;
    int threads; /* of a process: each has its own queue and a share of the calls */
    int calls;
    int only; /* call to make alone; -1: all */
    int hang_seconds;
    const char *operation; /* make calls of these alone: a part of the name */
    const char *seeds_file;
    const char *skips[16];
    int skip_count;
    int findings_max;
    int64_t size_most; /* of elements; 0: as they are drawn */
    int verbose;
} settings;
extern settings the_settings;

void seed_run(uint64_t seed, journal *into);
void journal_absorb(journal *into, const journal *from); /* adds the numbers */

#endif
