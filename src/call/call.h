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

/* The states that tiles publish in a look-back (cl/pieces/scan/look_back.clh). Those of few tiles lie in the queue's
 * slots, and the kernel itself leaves them zero. Others lie in scratch. All zero: there is no look-back. */
typedef struct mcl__look_back {
    int few;
    int64_t tiles; /* at least one: the first also stores the result of no elements */
    int64_t words;
    mcl__span state;
    mcl__span counters;
} mcl__look_back;

enum { MCL__LOOK_BACK_BYTES_MAX = 16 }; /* larger accumulators take too many words to poll */

/* The kernel that clears states (cl/pieces/scan/look_back_states.clh). */
#define MCL__LOOK_BACK_CLEAR "look_back_clear"

/* One call. A function sets the first part; the rest is zero at first. */
typedef struct mcl__call {
    const mcl__declaration *declaration;
    const char *function;
    mcl_queue *queue;
    const mcl_options *options;
    int has_values;           /* sentences use pairs_name */
    const char *const *label; /* other names for sentences, by operands; NULL, or NULL there: none */
    int never_in_place;       /* no output may replace an input, whatever the declaration says */
    unsigned placed;          /* MCL__BITs of inputs that this call has placed, besides those of the declaration */
    unsigned takes;           /* MCL__TAKES_..., besides those of the declaration */
    const mcl__operand *own; /* mcl__operands that this call has besides those of the declaration, or instead of them */
    const mcl_type *element; /* of operators without of: the type of what they see */
    union {
        mcl_input *input;
        mcl_output *output;
        const mcl_result *result;
        const mcl_op *op;
        const mcl_type *scratch;          /* the type of its elements */
        const void *pointer;              /* any of them */
    } operands[MCL__DECLARED_MAX];        /* by the operands' numbers; NULL: absent */
    const mcl_argument *launch_arguments; /* of a user's launch */

    int64_t room[MCL__DECLARED_MAX]; /* elements that are stored to an output, at most; of a result: slots, 0 is one */
    unsigned passes;                 /* MCL__BITs of the passes in the program; 0: all */
    unsigned without; /* MCL__BITs of the arrays of scratch that the program has no use for; MCL__NO_STATES */
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
    mcl__look_back look_back;             /* all zero: none */
    mcl__span results[MCL__DECLARED_MAX]; /* of scratch, and of operands by mcl__call_put, too */
} mcl__call;

/* Begins a call before any check, or with function NULL a part of the call at work. In place: what is returned or
 * written as a literal would be on the stack, too. */
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

/* Returns what the call's own list says of operand k, else what the declaration says. */
static inline const mcl__operand *mcl__call_operand(const mcl__call *call, int k)
{
    return call->own && call->own[k].name ? &call->own[k] : &call->declaration->operands[k];
}

/* Returns the next operand after this one; 0: none. */
static inline int mcl__call_next(const mcl__call *call, int after)
{
    const int k = after + 1;
    return k < MCL__DECLARED_MAX && mcl__call_operand(call, k)->name ? k : 0;
}

/* 1: the program has pass k. */
static inline int mcl__call_has_pass(const mcl__call *call, int k)
{
    return call->declaration->passes && call->declaration->passes[k].name &&
           (call->passes == 0 || (call->passes & MCL__BIT(k)));
}

/* declaration_text.c: appends what the declaration of a call adds to the program's text. */
void mcl__call_text(const void *described, mcl__text *out);

/* check_call.c, check_memory.c */
mcl_status mcl__call_check(mcl__call *call);
mcl_status mcl__call_ready(mcl__call *call);
/* Check parts of them: one operand by itself; the type of one that is given; room and overlap. */
mcl_status mcl__call_check_operand(const mcl__call *call, int operand);
const mcl_type *mcl__call_type(const mcl__call *call, int operand);
/* Returns the type of the elements that an operator sees. */
const mcl_type *mcl__call_element(const mcl__call *call, int operand);
/* Returns the type that an operator folds in: mcl_op_accumulator of the operands that hold its folds. */
const mcl_type *mcl__call_accumulator(const mcl__call *call, int fold);
/* 1: a tree over indices puts a fold's sums together, since options want the same bits and sums are rounded. */
int mcl__call_by_tree(const mcl__call *call, int fold);
mcl_status mcl__call_check_memory(const mcl__call *call);
/* No output of a call meets what another part of the call reads or stores. Operands that kernels do not know are
 * those of another call and do not count. */
mcl_status mcl__call_check_apart(const mcl__call *call, const mcl__call *with);
/* Returns the name that sentences give an operand. */
const char *mcl__call_name(const mcl__call *call, int operand);

/* in_place.c. 1: buffer from byte offset on, in elements of size bytes, starts exactly where output does. */
int mcl__starts_with(const mcl_output *output, const mcl_buffer *buffer, size_t offset, size_t size);
/* 1: so does the buffer range of input. */
int mcl__is_in_place(const mcl_input *input, const mcl_output *output);
/* 1: an output may be an input, or what an input's expression reads. */
int mcl__call_aliases(const mcl__call *call);
/* 1: element i of an input's expression reads no element of the bound array name but name[i]. */
int mcl__call_reads_own_element(const mcl__call *call, const mcl_input *input, const char *name);

/* 1: the call's options, else its device, ask for the serial mapping. For what is planned before there is a tile. */
static inline int mcl__call_asks_serial(const mcl__call *call)
{
    const int threads = call->options ? call->options->tile_threads : 0;
    return threads == 0 ? call->queue->context->limits.mapping == MCL_MAPPING_SERIAL : threads == 1;
}

/* steps.c */
/* options->initial of a fold, as a value. */
void mcl__call_initial(mcl__call *call, int fold, int value);
void mcl__call_define(mcl__call *call, const char *name, int value);
/* Chooses the tile. The program's text asserts that work-group memory is not more than need says. */
mcl__tile mcl__call_choose_tile(mcl__call *call, mcl__operation operation, mcl__tile_need need);
/* The program's text asserts that accumulators take no more bytes than these: in scratch, and in what running groups
 * give to each other. */
static inline void mcl__call_keeps_folds(mcl__call *call, size_t fold_bytes, size_t state_bytes)
{
    mcl__call_define(call, "FOLD_BYTES_MAX", (int)fold_bytes);
    mcl__call_define(call, "STATE_BYTES_MAX", (int)state_bytes);
}
/* After it: a kernel of the program has work-group memory of its own, which every device has. */
static inline void mcl__call_takes_local(mcl__call *call, int64_t bytes)
{
    if (call->spec.local_bytes > 0 && call->spec.local_bytes < bytes) call->spec.local_bytes = bytes;
}
/* Zeroed memory for what a call is made of, for free(). The structs of calls of several parts take tens of KiB, and
 * threads with stacks of 64 KiB make these calls too. */
mcl_status mcl__plan_new(size_t bytes, void *out);
/* Describes the program's spec, and its kernels. */
void mcl__call_describe(mcl__call *call, mcl__tile tile, int index_bits);
mcl_status mcl__call_program(mcl__call *call, mcl__tile tile, int index_bits);
/* Returns the tile of a program that was found. */
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
/* Returns the number of work-items of a pass's work-groups in it. */
int mcl__call_pass_threads(const mcl__call *call, int pass);
static inline int mcl__call_is_serial(const mcl__call *call)
{
    return call->kernels->tile.threads == 1;
}
static inline size_t mcl__call_index_bytes(const mcl__call *call, int64_t count)
{
    return (size_t)count * (size_t)(call->spec.index_bits / 8);
}
/* Asks for a array of scratch, of 0 bytes too. */
void mcl__call_scratch(mcl__call *call, int array, size_t bytes);
/* The array is memory that exists already. */
void mcl__call_scratch_at(mcl__call *call, int array, mcl__span span);
/* Makes launches find the operand at span from now on. The call knows such an array by its type, and an input by its
 * count too. Passes that read and write two arrays by turns put them anew before each launch. */
static inline void mcl__call_put(mcl__call *call, int operand, mcl__span span)
{
    call->results[operand] = span;
}
/* The array is the queue's slots, if mcl__uses_slots allows it. */
mcl_status mcl__call_scratch_slots(mcl__call *call, int array);
/* A part of a call is an mcl__call of its own that was planned, with its program and its needs. The call asks for
 * the part's scratch, and after mcl__call_begin the part takes it. */
static inline void mcl__call_scratch_of_part(mcl__call *call, const mcl__call *part)
{
    call->scratch_bytes += part->scratch_bytes;
}
mcl_status mcl__call_begin(mcl__call *call);
void mcl__call_take(mcl__call *call);
/* Returns the number of work-groups for a fold of tiles in order. steps: loop iterations of a work-item for each
 * element of a tile. */
int64_t mcl__call_parts(const mcl__call *call, int64_t tiles, int steps);
/* Returns the number of elements of a block that is read more than once. The block is whole tiles that fit the device's
 * cache, but enough to fill the device. bytes: what the passes read and write of an element. */
int64_t mcl__call_block(const mcl__call *call, size_t bytes);
/* Sizes for sums by a tree (cl/pieces/tree/tree_nodes.clh). The block is the tiles whose nodes one group makes, a power
 * of two; the groups share tiles. steps: loop iterations of a work-item for each element. */
int64_t mcl__call_tree_block(const mcl__call *call, int64_t tiles);
int64_t mcl__call_tree_groups(const mcl__call *call, int64_t tiles, int steps);
mcl_status mcl__call_launch(mcl__call *call, int pass, int64_t groups);
/* Gives each group bytes of work-group memory (MCL_SHARED_AT_LAUNCH in the dialect). */
mcl_status mcl__call_launch_with_memory(mcl__call *call, int pass, int64_t groups, int64_t bytes);
/* Launches a pass with work-groups of another size than the pass has. */
mcl_status mcl__call_launch_wide(mcl__call *call, int pass, int64_t groups, int threads);
/* Launches a work-group for each tile of count elements. */
mcl_status mcl__call_launch_tiles(mcl__call *call, int pass, int64_t count);
/* Launches a work-item for each of items, in as many work-groups as that takes. */
mcl_status mcl__call_launch_items(mcl__call *call, int pass, int64_t items);
mcl_status mcl__call_end(mcl__call *call);
/* A part of it: waits for a result that is asked for on the host, and copies its slots there. */
mcl_status mcl__call_read(const mcl__call *call, int operand, mcl__span from);

/* look_back.c. The call looks back over tiles of its program. accumulator_bytes: of what a tile publishes. The first
 * one puts few states in the queue's slots, and mcl__call_launch_look_back clears states where they must be. The
 * second one puts them in scratch, and a pass of the call clears them. */
mcl_status mcl__call_look_back(mcl__call *call, int64_t count, size_t accumulator_bytes);
void mcl__call_look_back_in_scratch(mcl__call *call, int64_t count, int64_t tile_size, size_t accumulator_bytes);
void mcl__call_look_back_take(mcl__call *call); /* a part of mcl__call_take */
/* steps.c. groups work-groups that look back. clearing: the pass of MCL__LOOK_BACK_CLEAR. few_tiles: the pass for few
 * tiles, which leaves its states cleared. */
mcl_status mcl__call_launch_look_back(mcl__call *call, int clearing, int tiles, int few_tiles, int64_t groups);

/* Counts have one of three types (MCL__COUNTS). A count on the host, read or stored. */
int64_t mcl__count_load(const mcl_type *type, const void *from);
void mcl__count_store(const mcl_type *type, void *to, int64_t count);

/* Called after mcl__call_end. Checks that an output has room for all of its elements, where the host was told their
 * number: slot of a result counts them. An output of capacity 0 was not stored to: its elements were only counted. */
mcl_status mcl__call_check_counted(const mcl__call *call, int output, int result, int slot);

#endif
