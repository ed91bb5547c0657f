/* call.h: an operation is declared once, and each call of it follows its declaration.
 *
 * The declaration is a constant table: the operation's operands, the passes of its program with their arguments, and
 * the options that it takes. Checks, overlap, the program's spec, arguments in order and the sentences of errors come
 * from it. The operation's file has the rest: its tile, its scratch, its launches and their numbers of work-groups. The
 * steps of a call, in this order:
 *
 *   mcl__call_check     checks every operand alone, then that types and counts agree
 *   call->room[OUT] = n, and the operation's own checks
 *   mcl__call_ready     checks room and overlap, probes the device; with MCL_VALIDATE checks that inputs are sorted
 *   mcl__call_define    for each define of the program's text
 *   mcl__call_program   finds or builds the kernels for a tile
 *   mcl__call_scratch   for each array of scratch
 *   mcl__call_begin     reserves the scratch; nothing is enqueued before
 *   mcl__call_launch    for each pass
 *   mcl__call_end       makes the event of completion; waits for results on the host and copies them
 */
#ifndef MODERNCL_CALL_H
#define MODERNCL_CALL_H

#include "call/declaration.h"
#include "call/fold.h"

/* The memory of the states that tiles publish in a look-back (cl/pieces/scan/look_back.clh). If tiles are few, their
 * states are in the queue's slots, and the kernel itself clears them again. Otherwise they are in scratch. All members
 * are zero where the call has no look-back. */
typedef struct mcl__look_back {
    int few;
    int64_t tiles; /* at least one: the first tile also stores the result where there are no elements */
    int64_t words;
    mcl__span state;
    mcl__span counters;
} mcl__look_back;

enum { MCL__LOOK_BACK_BYTES_MAX = 16 }; /* states of larger accumulators have too many words to poll */

/* The name of the kernel that clears states (cl/pieces/scan/look_back_states.clh). */
#define MCL__LOOK_BACK_CLEAR "look_back_clear"

/* One call of an operation. The operation sets the members above room. The members from room on begin as zero. */
typedef struct mcl__call {
    const mcl__declaration *declaration;
    const char *function;
    mcl_queue *queue;
    const mcl_options *options;
    int has_values;           /* 1 if error sentences name operands by pairs_name */
    const char *const *label; /* names for error sentences, by operand number; NULL (list or element): the declared
                               * name */
    int never_in_place;       /* 1 if no output may replace an input, whatever the declaration says */
    unsigned placed;          /* MCL__BITs of inputs that are placed in addition to the declared ones */
    unsigned takes;           /* options that this call takes (MCL__TAKES_...), in addition to the declared ones */
    const mcl__operand *own;  /* this call's own operands: a named element k replaces operand k of the declaration */
    const mcl_type *element;  /* element type of those operators whose declaration has neither of nor element */
    union {
        mcl_input *input;
        mcl_output *output;
        const mcl_result *result;
        const mcl_op *op;
        const mcl_type *scratch;          /* element type of an MCL__ARRAY */
        const void *pointer;              /* any of the pointers above */
    } operands[MCL__DECLARED_MAX];        /* the operands by number; NULL: the operand is absent */
    const mcl_argument *launch_arguments; /* arguments of a launch of a user's kernel */

    int64_t room[MCL__DECLARED_MAX]; /* the most elements stored to an output; slots of a result, where 0 means 1 */
    unsigned passes;                 /* MCL__BITs of the passes in the program; 0: all passes */
    unsigned without;                /* MCL__BITs of scratch arrays that the program does not use, and MCL__NO_STATES */
    int64_t scalars[MCL__SCALARS_MAX];
    struct {
        const void *bytes;
        size_t size;
    } by_value[MCL__BY_VALUE_MAX];
    mcl__initial initial;
    const mcl_type *types[MCL__GROUPS_OF_TYPES_MAX];
    mcl__spec spec;
    int define_count;
    const mcl__kernels *kernels;
    size_t scratch_bytes;
    struct {
        size_t bytes;
        int is_needed, is_given;
        mcl__span span;
    } scratch[MCL__SCRATCH_MAX];
    mcl__look_back look_back;             /* all zero where the call has no look-back */
    mcl__span results[MCL__DECLARED_MAX]; /* memory of results, MCL__ARRAYs, and operands moved by mcl__call_put */
} mcl__call;

/* Begins a call, before any check. If function is NULL, the call is a part of the call at work. The function writes
 * *call in place: a returned struct or a compound literal would take further stack memory. */
static inline void mcl__call_init(mcl__call *call, const mcl__declaration *declaration, const char *function,
                                  mcl_queue *queue, const mcl_options *options)
{
    static const mcl__call none;
    if (function) mcl__function_is(function);
    *call = none;
    call->declaration = declaration;
    call->function = function;
    call->queue = queue;
    call->options = options;
}

/* Returns the declaration of operand k: from the call's own list or, if that does not have it, from the operation's
 * table. */
static inline const mcl__operand *mcl__call_operand(const mcl__call *call, int k)
{
    return call->own && call->own[k].name ? &call->own[k] : &call->declaration->operands[k];
}

/* Returns the number of the operand after operand after, or 0 at the end. */
static inline int mcl__call_next(const mcl__call *call, int after)
{
    const int k = after + 1;
    return k < MCL__DECLARED_MAX && mcl__call_operand(call, k)->name ? k : 0;
}

/* Returns 1 where the program contains pass k. */
static inline int mcl__call_has_pass(const mcl__call *call, int k)
{
    return call->declaration->passes && call->declaration->passes[k].name &&
           (call->passes == 0 || (call->passes & MCL__BIT(k)));
}

/* declaration_text.c. Appends the text that a call's declaration adds to the program's text. described is the
 * mcl__call. */
void mcl__call_text(const void *described, mcl__text *out);

/* Checks options, then each operand alone, then that types and counts agree (check_call.c). */
mcl_status mcl__call_check(mcl__call *call);
/* Checks room and overlap, and probes the device. With MCL_VALIDATE it also checks that inputs are sorted
 * (check_memory.c). */
mcl_status mcl__call_ready(mcl__call *call);
/* Checks one operand alone. It is a part of mcl__call_check. */
mcl_status mcl__call_check_operand(const mcl__call *call, int operand);
/* Returns the type of an operand, or NULL where the operand is absent or has no type. */
const mcl_type *mcl__call_type(const mcl__call *call, int operand);
/* Returns the type of the elements that an operator sees. */
const mcl_type *mcl__call_element(const mcl__call *call, int operand);
/* Returns the accumulator type of operator fold. mcl_op_accumulator derives it from the types of the operands that
 * store the folds. */
const mcl_type *mcl__call_accumulator(const mcl__call *call, int fold);
/* Returns 1 where the sums of a fold are combined in a fixed tree over indices. That is so where options ask for the
 * same bits on every run and sums are rounded. */
int mcl__call_by_tree(const mcl__call *call, int fold);
/* Checks room and overlap. It is a part of mcl__call_ready. */
mcl_status mcl__call_check_memory(const mcl__call *call);
/* Checks that no output of call overlaps memory that with reads or stores. with is another part of the same public
 * call. Its unused operands do not count, since its kernels do not access them. */
mcl_status mcl__call_check_apart(const mcl__call *call, const mcl__call *with);
/* Returns the name that error sentences give an operand. */
const char *mcl__call_name(const mcl__call *call, int operand);

/* in_place.c. Returns 1 where output begins exactly at byte offset of buffer, and its elements have size bytes. */
int mcl__starts_with(const mcl_output *output, const mcl_buffer *buffer, size_t offset, size_t size);
/* Returns 1 where output begins exactly at the array that input reads, and has elements of the same size. */
int mcl__is_in_place(const mcl_input *input, const mcl_output *output);
/* Returns 1 where an output is also an input, or may be an array that an input's expression reads. */
int mcl__call_aliases(const mcl__call *call);
/* Returns 1 where element i of an input's expression reads no other element of the bound array name than name[i]. */
int mcl__call_reads_own_element(const mcl__call *call, const mcl_input *input, const char *name);

/* Returns 1 where the call's options ask for the serial mapping or, without a tile in the options, its device does.
 * Plans that are made before the tile is known use this function. */
static inline int mcl__call_asks_serial(const mcl__call *call)
{
    const int threads = call->options ? call->options->tile_threads : 0;
    return threads == 0 ? call->queue->context->limits.mapping == MCL_MAPPING_SERIAL : threads == 1;
}

/* steps.c */
/* Converts options->initial to the accumulator type of operator fold, and stores it as by_value argument value. Stores
 * nothing where there is no initial value. */
void mcl__call_initial(mcl__call *call, int fold, int value);
void mcl__call_define(mcl__call *call, const char *name, int value);
/* Chooses the tile. The program's text asserts that its work-group memory is not larger than need. */
mcl__tile mcl__call_choose_tile(mcl__call *call, mcl__operation operation, mcl__tile_need need);
/* Makes the program's text assert the size of accumulators: at most fold_bytes in scratch, and state_bytes in the
 * states that groups publish. */
static inline void mcl__call_keeps_folds(mcl__call *call, size_t fold_bytes, size_t state_bytes)
{
    mcl__call_define(call, "FOLD_BYTES_MAX", (int)fold_bytes);
    mcl__call_define(call, "STATE_BYTES_MAX", (int)state_bytes);
}
/* Raises the work-group memory that the text allows to at least bytes, since one kernel of the program needs it. Call
 * this function after mcl__call_choose_tile. Every device has at least bytes. */
static inline void mcl__call_takes_local(mcl__call *call, int64_t bytes)
{
    if (call->spec.local_bytes > 0 && call->spec.local_bytes < bytes) call->spec.local_bytes = bytes;
}
/* Allocates zeroed memory for the structs of a call; free() releases it. A call of several parts has structs of tens of
 * KiB, and threads with stacks of only 64 KiB make such calls too. */
mcl_status mcl__plan_new(size_t bytes, void *out);
/* Fills in the spec of the call's program. mcl__call_program does this too, then finds or builds the program. */
void mcl__call_describe(mcl__call *call, mcl__tile tile, int index_bits);
mcl_status mcl__call_program(mcl__call *call, mcl__tile tile, int index_bits);
/* Returns the tile of the program that mcl__call_program has found. */
static inline mcl__tile mcl__call_tile(const mcl__call *call)
{
    return call->kernels->tile;
}
static inline int64_t mcl__call_tile_size(const mcl__call *call)
{
    return mcl__tile_size(call->kernels->tile);
}
/* Returns the number of tiles for count elements. */
static inline int64_t mcl__call_tiles(const mcl__call *call, int64_t count)
{
    return mcl__divide_up(count, mcl__call_tile_size(call));
}
/* Returns the number of work-items in each work-group of a pass. */
int mcl__call_pass_threads(const mcl__call *call, int pass);
static inline int mcl__call_is_serial(const mcl__call *call)
{
    return call->kernels->tile.threads == 1;
}
static inline size_t mcl__call_index_bytes(const mcl__call *call, int64_t count)
{
    return (size_t)count * (size_t)(call->spec.index_bits / 8);
}
/* Adds bytes for an array of scratch. bytes may be 0. */
void mcl__call_scratch(mcl__call *call, int array, size_t bytes);
/* Sets an array of scratch to memory that exists already. */
void mcl__call_scratch_at(mcl__call *call, int array, mcl__span span);
/* Makes later launches use the memory at span for an operand. The operand itself stays set, since it gives the type
 * and, for an input, the count. Passes that read and write two arrays in turn set both again before each launch. */
static inline void mcl__call_put(mcl__call *call, int operand, mcl__span span)
{
    call->results[operand] = span;
}
/* Sets an array of scratch to memory of the queue's slots. Call it only where mcl__uses_slots returns 1. */
mcl_status mcl__call_scratch_slots(mcl__call *call, int array);
/* Adds the scratch of a part to the call's scratch. A part is an mcl__call of its own, whose program is found and whose
 * scratch is asked for. After mcl__call_begin for the call, mcl__call_take assigns the part's scratch. */
static inline void mcl__call_scratch_of_part(mcl__call *call, const mcl__call *part)
{
    call->scratch_bytes += part->scratch_bytes;
}
mcl_status mcl__call_begin(mcl__call *call);
void mcl__call_take(mcl__call *call);
/* Returns the number of work-groups that fold tiles in order. steps is the number of loop iterations of a work-item for
 * each element of a tile. */
int64_t mcl__call_parts(const mcl__call *call, int64_t tiles, int steps);
/* Returns the number of elements in a block that passes read more than once. A block consists of whole tiles that fit
 * the device's cache, or of more tiles where the cache's tiles are too few to fill the device. bytes: bytes of an
 * element that the passes read and write. */
int64_t mcl__call_block(const mcl__call *call, size_t bytes);
/* Return sizes for sums by a tree (cl/pieces/tree/tree_nodes.clh). mcl__call_tree_block returns the number of tiles
 * whose tree nodes one group makes: a power of two. mcl__call_tree_groups returns the number of groups that share all
 * tiles. steps: loop iterations of a work-item for each element. */
int64_t mcl__call_tree_block(const mcl__call *call, int64_t tiles);
int64_t mcl__call_tree_groups(const mcl__call *call, int64_t tiles, int steps);
mcl_status mcl__call_launch(mcl__call *call, int pass, int64_t groups);
/* Launches a pass whose groups each get bytes of work-group memory (MCL_SHARED_AT_LAUNCH in the dialect). */
mcl_status mcl__call_launch_with_memory(mcl__call *call, int pass, int64_t groups, int64_t bytes);
/* Launches a pass with work-groups of threads work-items instead of the pass's own size. */
mcl_status mcl__call_launch_wide(mcl__call *call, int pass, int64_t groups, int threads);
/* Launches one work-group for each tile of count elements. */
mcl_status mcl__call_launch_tiles(mcl__call *call, int pass, int64_t count);
/* Launches at least items work-items, in as few work-groups as possible. */
mcl_status mcl__call_launch_items(mcl__call *call, int pass, int64_t items);
mcl_status mcl__call_end(mcl__call *call);
/* Waits for a result that the host asked for, and copies its slots from span from to the host. mcl__call_end calls it
 * for each result. */
mcl_status mcl__call_read(const mcl__call *call, int operand, mcl__span from);

/* look_back.c. Plan the memory for a look-back's states. accumulator_bytes: bytes of the accumulator that a tile
 * publishes. mcl__call_look_back puts the states of few tiles in the queue's slots; mcl__call_launch_look_back clears
 * other states. mcl__call_look_back_in_scratch puts all states in scratch, and the operation's own pass must clear
 * them. */
mcl_status mcl__call_look_back(mcl__call *call, int64_t count, size_t accumulator_bytes);
void mcl__call_look_back_in_scratch(mcl__call *call, int64_t count, int64_t tile_size, size_t accumulator_bytes);
void mcl__call_look_back_take(mcl__call *call); /* assigns the planned memory; mcl__call_take calls it */
/* steps.c. Launches two passes: clearing (MCL__LOOK_BACK_CLEAR), which clears the states, and tiles, whose groups look
 * back. If tiles are few, it launches only pass few_tiles, which clears the states itself. */
mcl_status mcl__call_launch_look_back(mcl__call *call, int clearing, int tiles, int few_tiles, int64_t groups);

/* Load and store a count on the host, in one of the three types of MCL__COUNTS. A count that is too large for the type
 * is stored as the type's highest number. */
int64_t mcl__count_load(const mcl_type *type, const void *from);
void mcl__count_store(const mcl_type *type, void *to, int64_t count);

/* Checks after mcl__call_end that an output had room for all its elements. Their number is in slot slot of a result, if
 * the host asked for that result. With capacity 0 elements are only counted, so the check passes. */
mcl_status mcl__call_check_counted(const mcl__call *call, int output, int result, int slot);

#endif
