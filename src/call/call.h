/* call.h: an operation is declared once, and each call of it follows its declaration.
 *
 * The declaration is a constant table: the operation's operands, the passes of its program with their arguments, and
 * the options that it takes. Checks, overlap, the program's spec, arguments in order and the sentences of errors come
 * from it. The operation's file holds what is special about it: its tile, its scratch, and which passes are launched
 * with how many work-groups. The steps of a call, in this order:
 *
 *   mcl__call_check     every operand by itself, then types and counts that must agree
 *   call->room[OUT] = n, and checks of the operation's own
 *   mcl__call_ready     room and overlap; the device's probes; with MCL_VALIDATE the order of sorted inputs
 *   mcl__call_define    for each define of the program's text
 *   mcl__call_program   the tile and the kernels
 *   mcl__call_scratch   for each array of scratch
 *   mcl__call_begin     nothing is enqueued before it
 *   mcl__call_launch    for each pass
 *   mcl__call_end       the event of completion; numbers for the host are waited for and read
 */
#ifndef MODERNCL_CALL_H
#define MODERNCL_CALL_H

#include "call/declaration.h"
#include "call/fold.h"

/* The states that tiles publish in a look-back (cl/pieces/scan/look_back.clh). States of few tiles lie in the queue's
 * slots, and the kernel itself clears them again. Other states lie in scratch. All members are zero where the call has
 * no look-back. */
typedef struct mcl__look_back {
    int few;
    int64_t tiles; /* at least one, since the first tile also stores the result of no elements */
    int64_t words;
    mcl__span state;
    mcl__span counters;
} mcl__look_back;

enum { MCL__LOOK_BACK_BYTES_MAX = 16 }; /* larger accumulators take too many words to poll */

/* The kernel that clears states (cl/pieces/scan/look_back_states.clh). */
#define MCL__LOOK_BACK_CLEAR "look_back_clear"

/* One call. An operation sets the members before room. The members from room on are zero at first. */
typedef struct mcl__call {
    const mcl__declaration *declaration;
    const char *function;
    mcl_queue *queue;
    const mcl_options *options;
    int has_values;           /* 1: error sentences use each operand's pairs_name */
    const char *const *label; /* other names for error sentences, by operand numbers; NULL or a NULL element: none */
    int never_in_place;       /* no output may replace an input, whatever the declaration says */
    unsigned placed;          /* MCL__BITs of the inputs that are placed in this call, besides the declared ones */
    unsigned takes;           /* options that this call takes (MCL__TAKES_...), besides the declaration's */
    const mcl__operand *own; /* mcl__operands that this call has besides those of the declaration, or instead of them */
    const mcl_type *element; /* element type of operators that declare neither of nor element */
    union {
        mcl_input *input;
        mcl_output *output;
        const mcl_result *result;
        const mcl_op *op;
        const mcl_type *scratch;          /* element type of an MCL__ARRAY */
        const void *pointer;              /* any of these pointers */
    } operands[MCL__DECLARED_MAX];        /* by operand numbers; NULL: the operand is absent */
    const mcl_argument *launch_arguments; /* arguments of a user's launch */

    int64_t room[MCL__DECLARED_MAX]; /* most elements that are stored to an output; slots of a result, 0 means 1 */
    unsigned passes;                 /* MCL__BITs of the passes in the program; 0: all */
    unsigned without; /* MCL__BITs of the arrays of scratch that the program does not use, and MCL__NO_STATES */
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
    mcl__span results[MCL__DECLARED_MAX]; /* memory of results and MCL__ARRAYs, and of operands by mcl__call_put */
} mcl__call;

/* Begins a call before any check. With function NULL it begins a part of the call at work. It writes *call in place,
 * since a returned struct or a compound literal would take stack memory, too. */
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

/* Returns the declaration of operand k: from the call's own list or, where that has none, from the operation's
 * table. */
static inline const mcl__operand *mcl__call_operand(const mcl__call *call, int k)
{
    return call->own && call->own[k].name ? &call->own[k] : &call->declaration->operands[k];
}

/* Returns the number of the operand after this one; 0 where there is none. */
static inline int mcl__call_next(const mcl__call *call, int after)
{
    const int k = after + 1;
    return k < MCL__DECLARED_MAX && mcl__call_operand(call, k)->name ? k : 0;
}

/* Returns 1 where the program has pass k. */
static inline int mcl__call_has_pass(const mcl__call *call, int k)
{
    return call->declaration->passes && call->declaration->passes[k].name &&
           (call->passes == 0 || (call->passes & MCL__BIT(k)));
}

/* declaration_text.c. Appends to out the text that a call's declaration adds to the program's text. described is the
 * call. */
void mcl__call_text(const void *described, mcl__text *out);

/* Checks options, then each operand, then types and counts that must agree (check_call.c). */
mcl_status mcl__call_check(mcl__call *call);
/* Checks room and overlap, probes the device, and with MCL_VALIDATE checks sorted inputs (check_memory.c). */
mcl_status mcl__call_ready(mcl__call *call);
/* Checks one operand by itself, a part of mcl__call_check. */
mcl_status mcl__call_check_operand(const mcl__call *call, int operand);
/* Returns the type of an operand; NULL where it is not given or has no type. */
const mcl_type *mcl__call_type(const mcl__call *call, int operand);
/* Returns the type of the elements that an operator sees. */
const mcl_type *mcl__call_element(const mcl__call *call, int operand);
/* Returns the type in which operator fold folds. mcl_op_accumulator finds it from the operands that store the folds. */
const mcl_type *mcl__call_accumulator(const mcl__call *call, int fold);
/* Returns 1 where a tree over indices puts a fold's sums together, since options ask for the same bits and the sums are
 * rounded. */
int mcl__call_by_tree(const mcl__call *call, int fold);
/* Checks room and overlap, a part of mcl__call_ready. */
mcl_status mcl__call_check_memory(const mcl__call *call);
/* Checks that no output of call overlaps what with, another part of the same call, reads or stores. Operands that
 * kernels do not know are those of another call and do not count. */
mcl_status mcl__call_check_apart(const mcl__call *call, const mcl__call *with);
/* Returns the name that sentences give an operand. */
const char *mcl__call_name(const mcl__call *call, int operand);

/* in_place.c. Returns 1 where output begins exactly at byte offset of buffer, and its elements have size bytes. */
int mcl__starts_with(const mcl_output *output, const mcl_buffer *buffer, size_t offset, size_t size);
/* Returns 1 where output begins exactly at the array that input reads, and has elements of the same size. */
int mcl__is_in_place(const mcl_input *input, const mcl_output *output);
/* Returns 1 where an output is an input, or may be an array that an input's expression reads. */
int mcl__call_aliases(const mcl__call *call);
/* Returns 1 where element i of an input's expression reads no other element of the bound array name than name[i]. */
int mcl__call_reads_own_element(const mcl__call *call, const mcl_input *input, const char *name);

/* Returns 1 where the call's options, or else its device, ask for the serial mapping. It serves plans that are made
 * before the tile is known. */
static inline int mcl__call_asks_serial(const mcl__call *call)
{
    const int threads = call->options ? call->options->tile_threads : 0;
    return threads == 0 ? call->queue->context->limits.mapping == MCL_MAPPING_SERIAL : threads == 1;
}

/* steps.c */
/* Stores options->initial of a fold, converted to its accumulator's type, as the by_value argument value. Stores
 * nothing where no initial value is given. */
void mcl__call_initial(mcl__call *call, int fold, int value);
void mcl__call_define(mcl__call *call, const char *name, int value);
/* Chooses the tile. The program's text asserts that work-group memory is not more than need says. */
mcl__tile mcl__call_choose_tile(mcl__call *call, mcl__operation operation, mcl__tile_need need);
/* Makes the program's text assert the most bytes of an accumulator: fold_bytes in scratch, state_bytes in the states
 * that groups publish. */
static inline void mcl__call_keeps_folds(mcl__call *call, size_t fold_bytes, size_t state_bytes)
{
    mcl__call_define(call, "FOLD_BYTES_MAX", (int)fold_bytes);
    mcl__call_define(call, "STATE_BYTES_MAX", (int)state_bytes);
}
/* Raises the work-group memory that the text allows to bytes, which one kernel of the program takes by itself. Call it
 * after mcl__call_choose_tile. Every device has this much. */
static inline void mcl__call_takes_local(mcl__call *call, int64_t bytes)
{
    if (call->spec.local_bytes > 0 && call->spec.local_bytes < bytes) call->spec.local_bytes = bytes;
}
/* Allocates zeroed memory for the structs of a call; free() releases it. The structs of calls of several parts take
 * tens of KiB, and threads with stacks of 64 KiB make these calls too. */
mcl_status mcl__plan_new(size_t bytes, void *out);
/* Fills in the spec of the call's program; mcl__call_program then finds or builds the program, too. */
void mcl__call_describe(mcl__call *call, mcl__tile tile, int index_bits);
mcl_status mcl__call_program(mcl__call *call, mcl__tile tile, int index_bits);
/* Returns the tile of the call's program, which mcl__call_program has found. */
static inline mcl__tile mcl__call_tile(const mcl__call *call)
{
    return call->kernels->tile;
}
static inline int64_t mcl__call_tile_size(const mcl__call *call)
{
    return mcl__tile_size(call->kernels->tile);
}
/* Returns the number of tiles that count elements make. */
static inline int64_t mcl__call_tiles(const mcl__call *call, int64_t count)
{
    return mcl__divide_up(count, mcl__call_tile_size(call));
}
/* Returns the number of work-items in a work-group of a pass, in the call's program. */
int mcl__call_pass_threads(const mcl__call *call, int pass);
static inline int mcl__call_is_serial(const mcl__call *call)
{
    return call->kernels->tile.threads == 1;
}
static inline size_t mcl__call_index_bytes(const mcl__call *call, int64_t count)
{
    return (size_t)count * (size_t)(call->spec.index_bits / 8);
}
/* Asks for an array of scratch. bytes may be 0. */
void mcl__call_scratch(mcl__call *call, int array, size_t bytes);
/* Gives an array of scratch memory that exists already. */
void mcl__call_scratch_at(mcl__call *call, int array, mcl__span span);
/* Makes launches from now on find the operand at span. The operand itself stays set: an array gives its type, an input
 * its type and its count. Passes that read and write two arrays by turns put both again before each launch. */
static inline void mcl__call_put(mcl__call *call, int operand, mcl__span span)
{
    call->results[operand] = span;
}
/* Gives an array of scratch the memory of the queue's slots. Call it only where mcl__uses_slots allows it. */
mcl_status mcl__call_scratch_slots(mcl__call *call, int array);
/* Adds the scratch of a part to the call's. A part is an mcl__call of its own, with its program found and its scratch
 * asked for. After mcl__call_begin of the call, the part takes its scratch (mcl__call_take). */
static inline void mcl__call_scratch_of_part(mcl__call *call, const mcl__call *part)
{
    call->scratch_bytes += part->scratch_bytes;
}
mcl_status mcl__call_begin(mcl__call *call);
void mcl__call_take(mcl__call *call);
/* Returns the number of work-groups for a fold of tiles in order. steps: loop iterations of a work-item for each
 * element of a tile. */
int64_t mcl__call_parts(const mcl__call *call, int64_t tiles, int steps);
/* Returns the number of elements of a block, which passes read more than once. A block has whole tiles that fit the
 * device's cache, or more tiles where these are too few to fill the device. bytes: bytes of an element that the passes
 * read and write. */
int64_t mcl__call_block(const mcl__call *call, size_t bytes);
/* Return sizes for sums by a tree (cl/pieces/tree/tree_nodes.clh). mcl__call_tree_block returns the number of tiles
 * whose nodes one group makes, a power of two. mcl__call_tree_groups returns the number of groups that share the tiles.
 * steps: loop iterations of a work-item for each element. */
int64_t mcl__call_tree_block(const mcl__call *call, int64_t tiles);
int64_t mcl__call_tree_groups(const mcl__call *call, int64_t tiles, int steps);
mcl_status mcl__call_launch(mcl__call *call, int pass, int64_t groups);
/* Launches a pass, and gives each group bytes of work-group memory (MCL_SHARED_AT_LAUNCH in the dialect). */
mcl_status mcl__call_launch_with_memory(mcl__call *call, int pass, int64_t groups, int64_t bytes);
/* Launches a pass with work-groups of another size than the pass has. */
mcl_status mcl__call_launch_wide(mcl__call *call, int pass, int64_t groups, int threads);
/* Launches a work-group for each tile of count elements. */
mcl_status mcl__call_launch_tiles(mcl__call *call, int pass, int64_t count);
/* Launches at least items work-items, in as few work-groups as that takes. */
mcl_status mcl__call_launch_items(mcl__call *call, int pass, int64_t items);
mcl_status mcl__call_end(mcl__call *call);
/* Waits for a result that the host asks for, and copies its slots from the span from to the host. mcl__call_end calls
 * it for each result. */
mcl_status mcl__call_read(const mcl__call *call, int operand, mcl__span from);

/* look_back.c. Plan the states of a look-back. accumulator_bytes: bytes of the accumulator that a tile publishes.
 * mcl__call_look_back puts states of few tiles in the queue's slots; mcl__call_launch_look_back clears other states.
 * mcl__call_look_back_in_scratch puts all states in scratch, where a pass of the call clears them. */
mcl_status mcl__call_look_back(mcl__call *call, int64_t count, size_t accumulator_bytes);
void mcl__call_look_back_in_scratch(mcl__call *call, int64_t count, int64_t tile_size, size_t accumulator_bytes);
void mcl__call_look_back_take(mcl__call *call); /* takes the planned memory for mcl__call_take */
/* steps.c. Launches groups work-groups of pass tiles, which look back, after pass clearing (MCL__LOOK_BACK_CLEAR) has
 * cleared the states. Where tiles are few it launches pass few_tiles alone, which leaves its states cleared. */
mcl_status mcl__call_launch_look_back(mcl__call *call, int clearing, int tiles, int few_tiles, int64_t groups);

/* Load and store a count on the host, in one of the three types of MCL__COUNTS. A count that is too large is stored as
 * the highest number of its type. */
int64_t mcl__count_load(const mcl_type *type, const void *from);
void mcl__count_store(const mcl_type *type, void *to, int64_t count);

/* Checks after mcl__call_end that an output has room for all of its elements. Slot slot of a result has their number,
 * where the host has asked for it. With capacity 0 there is nothing to check, since elements are only counted. */
mcl_status mcl__call_check_counted(const mcl__call *call, int output, int result, int slot);

#endif
