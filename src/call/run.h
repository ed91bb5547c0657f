/* run.h: an operation is declared once, and each call of it is a run of its declaration.
 *
 * The declaration is a constant table: the operation's operands, the passes of its program with their arguments, and
 * the options that it takes. Checks, overlap, the program's spec, arguments in order and the sentences of errors come
 * from it. The operation's file holds what is special about it: its tile, its scratch, and which passes run with how
 * many work-groups. The steps of a run, in this order:
 *
 *   mcl__run_check     every operand by itself, then types and counts that must agree
 *   run->room[OUT] = n, and checks of the operation's own
 *   mcl__run_ready     room and overlap; the device's probes; with MCL_VALIDATE the order of sorted inputs
 *   mcl__run_define    for each define of the program's text
 *   mcl__run_program   the tile and the kernels
 *   mcl__run_need      for each piece of scratch
 *   mcl__run_begin     nothing is enqueued before it
 *   mcl__run_launch    for each pass
 *   mcl__run_end       the event of completion; numbers for the host are waited for and read
 */
#ifndef MODERNCL_RUN_H
#define MODERNCL_RUN_H

#include "call/fold.h"
#include "call/check/gate.h"

#include "moderncl/kernel.h"

/* A user's kernel has 1 + 2 * MCL_OPERANDS_MAX + MCL_ROLES_MAX - 1 operands, and the most types; compaction has two
 * operands more. Operand and group 0 are none. */
enum {
    MCL__DECLARED_MAX = 1 + 2 * MCL_OPERANDS_MAX + MCL_ROLES_MAX - 1 + 2,
    MCL__GROUPS_OF_TYPES_MAX = 2 + MCL_ROLES_MAX, /* compaction with columns has the most */
    MCL__PIECES_MAX = 13,
    MCL__NUMBERS_MAX = 14,
    MCL__VALUES_MAX = 4
};
enum { MCL__WORDS_MAX = 4 + MCL_ARGUMENTS_MAX }; /* compaction has three more than a user's kernel */

/* MCL__SCRATCH: an array of scratch that the kernels know as an output. Its room says how many elements it has. */
typedef enum mcl__kind { MCL__INPUT = 1, MCL__OUTPUT, MCL__RESULT, MCL__OPERATOR, MCL__SCRATCH } mcl__kind;

#define MCL__BIT(k) (1u << (k))

/* An operand of an operation. Operands and groups of types are numbered from 1: 0 is none. */
typedef struct mcl__operand {
    const char *name;       /* in the kernels' text */
    const char *pairs_name; /* in sentences about a call with values; NULL: as in others */
    mcl__kind kind;
    const char *said;        /* in sentences; NULL: name */
    mcl__types types;        /* that it may have */
    int group;               /* operands of one group have one type */
    int as_many;             /* an input has at least as many elements as this operand, if that is given */
    int sorted_by;           /* MCL_VALIDATE checks an input's order by this operator */
    int offsets_of;          /* MCL_VALIDATE checks that an input is in order and in [0, count of this input] */
    int indexes;             /* an output or a result holds indices of this input, as many as it has must fit */
    int indices_of;          /* MCL_VALIDATE checks that an input is in [0, count of this input] */
    unsigned in_place;       /* MCL__BITs of the inputs that an output may replace, element for element: an array, or
                                what an expression reads as name[i] alone (own_element.c) */
    int arrays_only;         /* in place of an array, never of what an expression reads */
    int optional;            /* an output that is all zero and an operator that is NULL are left out */
    int unused;              /* an operand that the kernels do not know */
    int placed;              /* an input's expression knows its segment (or object) and its rank there besides i */
    int count_alone;         /* the kernels use an input's count and no element */
    mcl_role use;            /* operators: the role that they must have */
    int of;                  /* operators: the input whose elements they see */
    int fold;                /* outputs and results: the operator whose folds they hold */
    const mcl_type *element; /* operators: what they see, where no operand tells; */
    const mcl_type *stored;  /* and what folds are stored as */
} mcl__operand;

/* Arguments of a pass in the order of its kernel's parameters: the kind, plus a number below 32. An argument whose
 * operand or piece is absent is left out. */
enum {
    MCL__ENV = 32,       /* the operators' bindings */
    MCL__OF = 64,        /* + operand */
    MCL__PIECE = 96,     /* + piece: scratch */
    MCL__INDEX = 128,    /* + number: an index_type */
    MCL__INT = 160,      /* + number: an int */
    MCL__LONG = 192,     /* + number: an int64_t */
    MCL__VALUE = 224,    /* + value: by the bytes that it points to; none where it points to nothing */
    MCL__ASKED = 256,    /* + result: has_NAME, an int, 1 where the result has memory */
    MCL__STATES = 288,   /* the states and counters of a look-back; none where the run has no look-back */
    MCL__LIMIT = 320,    /* + output: NAME_limit, an index_type: its room; none where there is no such output */
    MCL__ARGUMENT = 352, /* + index: what a user's launch gives there, no operand */
    MCL__POINTER = 384   /* + index: the same, a buffer without its offset */
};

/* A pass is a kernel of the program and its arguments. Two passes may be one kernel with other arguments. */
typedef struct mcl__pass {
    const char *name;               /* the kernel's */
    int threads;                    /* work-items of a work-group; 0: the tile's */
    const char *threads_named;      /* define that tells the text how many they are. They are then at most the tile's,
                                       and fewer where the device allows the kernel no more */
    uint16_t words[MCL__WORDS_MAX]; /* its arguments: MCL__ENV and so on */
} mcl__pass;

/* The name and the type of a pass's argument that is no operand. */
typedef struct mcl__parameter_text {
    const char *name, *type;
} mcl__parameter_text;

/* A bit of without: no kernel of the program takes the states of a look-back. */
#define MCL__NO_STATES MCL__BIT(MCL__PIECES_MAX)

typedef struct mcl__declaration {
    const char *file; /* "kernels/merge/merge.cl" */
    const char *text; /* of a user's kernel, to which the declaration adds nothing; NULL: the library's own file */
    unsigned takes;   /* MCL__TAKES_... */
    int aliased;      /* one program, whether an output is an input or not */
    int uncontracted; /* results are the same on every device: no product is contracted with a sum */
    mcl__operand operands[MCL__DECLARED_MAX];
    const char *types[MCL__GROUPS_OF_TYPES_MAX]; /* by groups: the type's name in the text, or NULL */
    mcl__parameter_text pieces[MCL__PIECES_MAX]; /* arrays of scratch; an element's type */
    const char *numbers[MCL__NUMBERS_MAX];       /* their names in the text */
    mcl__parameter_text values[MCL__VALUES_MAX];
    mcl__pass passes[MCL__KERNELS_MAX];
} mcl__declaration;

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
typedef struct mcl__run {
    const mcl__declaration *declaration;
    const char *function;
    mcl_queue *queue;
    const mcl_options *options;
    int has_values;          /* sentences use pairs_name */
    const char *const *said; /* other names for sentences, by operands; NULL, or NULL there: none */
    int never_in_place;      /* no output may replace an input, whatever the declaration says */
    unsigned placed;         /* MCL__BITs of inputs that this call has placed, besides those of the declaration */
    const mcl_type *element; /* of operators without of: the type of what they see */
    union {
        mcl_input *input;
        mcl_output *output;
        const mcl_result *result;
        const mcl_op *op;
        const mcl_type *scratch;   /* the type of its elements */
        const void *pointer;       /* any of them */
    } given[MCL__DECLARED_MAX];    /* by the operands' numbers; NULL: absent */
    const mcl_argument *arguments; /* of a user's launch */

    int64_t room[MCL__DECLARED_MAX]; /* elements that are stored to an output, at most; of a result: slots, 0 is one */
    unsigned passes;                 /* MCL__BITs of the passes in the program; 0: all */
    unsigned without;                /* MCL__BITs of the pieces that the program has no use for; MCL__NO_STATES */
    int64_t numbers[MCL__NUMBERS_MAX];
    struct {
        const void *bytes;
        size_t size;
    } values[MCL__VALUES_MAX];
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
    } pieces[MCL__PIECES_MAX];
    mcl__look_back look_back;             /* all zero: none */
    mcl__span results[MCL__DECLARED_MAX]; /* of scratch, and of operands by mcl__run_put, too */
} mcl__run;

/* Begins a call before any check, or with function NULL a part of the call at work. In place: what is returned or
 * written as a literal would be on the stack, too. */
static inline void mcl__run_init(mcl__run *run, const mcl__declaration *declaration, const char *function,
                                 mcl_queue *queue, const mcl_options *options)
{
    static const mcl__run none;
    if (function) mcl__function_is(function);
    *run = none;
    run->declaration = declaration;
    run->function = function;
    run->queue = queue;
    run->options = options;
}

/* 1: the program has pass k. */
static inline int mcl__run_has_pass(const mcl__run *run, int k)
{
    return run->declaration->passes[k].name && (run->passes == 0 || (run->passes & MCL__BIT(k)));
}

/* run_text.c: appends what the declaration of a run adds to the program's text. */
void mcl__run_text(const void *described, mcl__text *out);

/* run_check.c */
mcl_status mcl__run_check(mcl__run *run);
mcl_status mcl__run_ready(mcl__run *run);
/* Check parts of them: one operand by itself; the type of one that is given; room and overlap. */
mcl_status mcl__run_check_operand(const mcl__run *run, int operand);
const mcl_type *mcl__run_type(const mcl__run *run, int operand);
/* Returns the type of the elements that an operator sees. */
const mcl_type *mcl__run_element(const mcl__run *run, int operand);
/* Returns the type that an operator folds in: mcl_op_accumulator of the operands that hold its folds. */
const mcl_type *mcl__run_accumulator(const mcl__run *run, int fold);
mcl_status mcl__run_check_memory(const mcl__run *run);
/* No output of a run meets what another run of the call reads or stores. Operands that kernels do not know are those of
 * another run and do not count. */
mcl_status mcl__run_check_apart(const mcl__run *run, const mcl__run *with);
/* 1: input is a buffer range that starts exactly where output does, with elements of the same size. */
int mcl__is_in_place(const mcl_input *input, const mcl_output *output);
/* 1: an output may be an input, or what an input's expression reads. */
int mcl__run_aliases(const mcl__run *run);
/* own_element.c. 1: element i of an input's expression reads no element of the bound array name but name[i]. */
int mcl__run_reads_own_element(const mcl__run *run, const mcl_input *input, const char *name);
/* Returns the name that sentences give an operand. */
const char *mcl__run_name(const mcl__run *run, int operand);

/* run.c */
/* options->initial of a fold, as a value. */
void mcl__run_initial(mcl__run *run, int fold, int value);
void mcl__run_define(mcl__run *run, const char *name, int value);
/* Chooses the tile. The program's text asserts that work-group memory is not more than need says. */
mcl__tile mcl__run_choose_tile(mcl__run *run, mcl__operation operation, mcl__tile_need need);
/* The program's text asserts that accumulators take no more bytes than these: in scratch, and in what running groups
 * give to each other. */
static inline void mcl__run_keeps_folds(mcl__run *run, size_t fold_bytes, size_t state_bytes)
{
    mcl__run_define(run, "FOLD_BYTES_MAX", (int)fold_bytes);
    mcl__run_define(run, "STATE_BYTES_MAX", (int)state_bytes);
}
/* After it: a kernel of the program has work-group memory of its own, which every device has. */
static inline void mcl__run_takes_local(mcl__run *run, int64_t bytes)
{
    if (run->spec.local_bytes > 0 && run->spec.local_bytes < bytes) run->spec.local_bytes = bytes;
}
/* Zeroed memory for what a call is made of, for free(). The structs of calls of several parts take tens of KiB, and
 * threads with stacks of 64 KiB make these calls too. */
mcl_status mcl__plan_new(size_t bytes, void *out);
/* Describes the program's spec, and its kernels. */
void mcl__run_describe(mcl__run *run, mcl__tile tile, int index_bits);
mcl_status mcl__run_program(mcl__run *run, mcl__tile tile, int index_bits);
/* Returns the tile of a program that was found. */
static inline mcl__tile mcl__run_tile(const mcl__run *run)
{
    return run->kernels->tile;
}
static inline int64_t mcl__run_tile_size(const mcl__run *run)
{
    return mcl__tile_size(run->kernels->tile);
}
/* Returns the number of tiles that count elements make. */
static inline int64_t mcl__run_tiles(const mcl__run *run, int64_t count)
{
    return mcl__divide_up(count, mcl__run_tile_size(run));
}
/* Returns the number of work-items of a pass's work-groups in it. */
int mcl__run_pass_threads(const mcl__run *run, int pass);
static inline int mcl__run_is_serial(const mcl__run *run)
{
    return run->kernels->tile.threads == 1;
}
static inline size_t mcl__run_index_bytes(const mcl__run *run, int64_t count)
{
    return (size_t)count * (size_t)(run->spec.index_bits / 8);
}
/* Asks for a piece of scratch, of 0 bytes too. */
void mcl__run_need(mcl__run *run, int piece, size_t bytes);
/* The piece is memory that exists already. */
void mcl__run_give(mcl__run *run, int piece, mcl__span span);
/* Makes launches find the operand at span from now on. The run knows such an array by its type, and an input by its
 * count too. Passes that read and write two arrays by turns put them anew before each launch. */
static inline void mcl__run_put(mcl__run *run, int operand, mcl__span span)
{
    run->results[operand] = span;
}
/* The piece is the queue's slots, if mcl__uses_slots allows it. */
mcl_status mcl__run_give_slots(mcl__run *run, int piece);
/* A part of a call is a run of its own that was planned, with its program and its needs. The call asks for the part's
 * scratch, and after mcl__run_begin the part takes it. */
static inline void mcl__run_need_part(mcl__run *run, const mcl__run *part)
{
    run->scratch_bytes += part->scratch_bytes;
}
mcl_status mcl__run_begin(mcl__run *run);
void mcl__run_take(mcl__run *run);
/* Returns the number of work-groups for a fold of tiles in order. steps: loop iterations of a work-item for each
 * element of a tile. */
int64_t mcl__run_parts(const mcl__run *run, int64_t tiles, int steps);
/* Returns the number of elements of a block that is read more than once. The block is whole tiles that fit the device's
 * cache, but enough to fill the device. bytes: what the passes read and write of an element. */
int64_t mcl__run_block(const mcl__run *run, size_t bytes);
/* Sizes for sums by a tree (cl/pieces/tree/tree_nodes.clh). The block is the tiles whose nodes one group makes, a power
 * of two; the groups share tiles. steps: loop iterations of a work-item for each element. */
int64_t mcl__run_tree_block(const mcl__run *run, int64_t tiles);
int64_t mcl__run_tree_groups(const mcl__run *run, int64_t tiles, int steps);
mcl_status mcl__run_launch(mcl__run *run, int pass, int64_t groups);
/* Launches a pass with work-groups of another size than the pass has. */
mcl_status mcl__run_launch_wide(mcl__run *run, int pass, int64_t groups, int threads);
/* Launches a work-group for each tile of count elements. */
mcl_status mcl__run_launch_tiles(mcl__run *run, int pass, int64_t count);
/* Launches a work-item for each of items, in as many work-groups as that takes. */
mcl_status mcl__run_launch_items(mcl__run *run, int pass, int64_t items);
mcl_status mcl__run_end(mcl__run *run);
/* A part of it: waits for a result that is asked for on the host, and copies its slots there. */
mcl_status mcl__run_read(const mcl__run *run, int operand, mcl__span from);

/* look_back.c. The run looks back over tiles of its program. accumulator_bytes: of what a tile publishes. The first one
 * puts few states in the queue's slots, and mcl__run_launch_look_back clears states where they must be. The second one
 * puts them in scratch, and a pass of the call clears them. */
mcl_status mcl__run_look_back(mcl__run *run, int64_t count, size_t accumulator_bytes);
void mcl__run_look_back_in_scratch(mcl__run *run, int64_t count, int64_t tile_size, size_t accumulator_bytes);
void mcl__run_look_back_take(mcl__run *run); /* a part of mcl__run_take */
/* ARRAY_PARAM(ulong, state), ARRAY_PARAM(uint, counters). */
void mcl__run_look_back_args(mcl__args *args, const mcl__run *run);
/* groups work-groups that look back. clearing: the pass of MCL__LOOK_BACK_CLEAR. few_tiles: the pass for few tiles,
 * which leaves its states cleared. */
mcl_status mcl__run_launch_look_back(mcl__run *run, int clearing, int tiles, int few_tiles, int64_t groups);

/* Counts have one of three types (MCL__COUNTS). A count on the host, read or stored. */
int64_t mcl__count_load(const mcl_type *type, const void *from);
void mcl__count_store(const mcl_type *type, void *to, int64_t count);

/* Called after mcl__run_end. Checks that an output has room for all of its elements, where the host was told their
 * number: slot of a result counts them. An output of capacity 0 was not stored to: its elements were only counted. */
mcl_status mcl__run_check_counted(const mcl__run *run, int output, int result, int slot);

#endif
