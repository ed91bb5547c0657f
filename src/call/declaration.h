/* declaration.h: the table that declares an operation: its operands, the passes of its program with their arguments,
 * and the options that it takes. call.h says what is made of it. */
#ifndef MODERNCL_DECLARATION_H
#define MODERNCL_DECLARATION_H

#include "call/check/check.h"

#include "moderncl/kernel.h"

/* A user's kernel has 1 + 2 * MCL_OPERANDS_MAX + MCL_ROLES_MAX - 1 operands, and the most types; compaction has two
 * operands more. Operand and group 0 are none. */
enum {
    MCL__DECLARED_MAX = 1 + 2 * MCL_OPERANDS_MAX + MCL_ROLES_MAX - 1 + 2,
    MCL__GROUPS_OF_TYPES_MAX = 2 + MCL_ROLES_MAX, /* compaction with columns has the most */
    MCL__SCRATCH_MAX = 13,
    MCL__SCALARS_MAX = 14,
    MCL__BY_VALUE_MAX = 4
};
enum { MCL__PASS_ARGUMENTS_MAX = 4 + MCL_ARGUMENTS_MAX }; /* compaction has three more than a user's kernel */

/* MCL__ARRAY: an array of scratch that the kernels know as an output. Its room says how many elements it has. */
typedef enum mcl__kind { MCL__INPUT = 1, MCL__OUTPUT, MCL__RESULT, MCL__OPERATOR, MCL__ARRAY } mcl__kind;

#define MCL__BIT(k) (1u << (k))

/* An operand of an operation. Operands and groups of types are numbered from 1: 0 is none. */
typedef struct mcl__operand {
    const char *name;       /* in the kernels' text */
    const char *pairs_name; /* in sentences about a call with values; NULL: as in others */
    mcl__kind kind;
    const char *label;       /* in sentences; NULL: name */
    mcl__types types;        /* that it may have */
    int group;               /* operands of one group have one type */
    int as_many;             /* an input has at least as many elements as this operand, if that is given */
    int sorted_by;           /* MCL_VALIDATE checks an input's order by this operator */
    int offsets_of;          /* MCL_VALIDATE checks that an input is in order and in [0, count of this input] */
    int indexes;             /* an output or a result holds indices of this input, as many as it has must fit */
    int indices_of;          /* MCL_VALIDATE checks that an input is in [0, count of this input] */
    unsigned in_place;       /* MCL__BITs of the inputs that an output may replace, element for element: an array, or
                                what an expression reads as name[i] alone (in_place.c) */
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
 * operand or array is absent is left out. */
enum {
    MCL__ENVIRONMENT = 32, /* the operators' bindings */
    MCL__OPERAND = 64,     /* + operand */
    MCL__SCRATCH = 96,     /* + array of scratch */
    MCL__INDEX = 128,      /* + scalar: an index_type */
    MCL__INT = 160,        /* + scalar: an int */
    MCL__LONG = 192,       /* + scalar: an int64_t */
    MCL__BY_VALUE = 224,   /* + value: by the bytes that it points to; none where it points to nothing */
    MCL__HAS_RESULT = 256, /* + result: has_NAME, an int, 1 where the result has memory */
    MCL__STATES = 288,     /* the states and counters of a look-back; none where the call has no look-back */
    MCL__LIMIT = 320,      /* + output: NAME_limit, an index_type: its room; none where there is no such output */
    MCL__ARGUMENT = 352,   /* + index: what a user's launch gives there, no operand */
    MCL__POINTER = 384     /* + index: the same, a buffer without its offset */
};

/* The same with their numbers, as declarations write them. */
#define OPERAND(operand) (MCL__OPERAND + (operand))
#define SCRATCH(array) (MCL__SCRATCH + (array))
#define AS_INDEX(scalar) (MCL__INDEX + (scalar))
#define AS_INT(scalar) (MCL__INT + (scalar))
#define AS_LONG(scalar) (MCL__LONG + (scalar))
#define BY_VALUE(value) (MCL__BY_VALUE + (value))
#define HAS_RESULT(result) (MCL__HAS_RESULT + (result))
#define LIMIT(output) (MCL__LIMIT + (output))

/* A pass is a kernel of the program and its arguments. Two passes may be one kernel with other arguments. */
typedef struct mcl__pass {
    const char *name;          /* the kernel's */
    int threads;               /* work-items of a work-group; 0: the tile's */
    const char *threads_named; /* define that tells the text their number: at most the tile's, fewer where the device
                                  allows the kernel no more */
    uint16_t arguments[MCL__PASS_ARGUMENTS_MAX]; /* its arguments: MCL__ENVIRONMENT and so on */
} mcl__pass;

/* The name and the type of a pass's argument that is no operand. */
typedef struct mcl__parameter_text {
    const char *name, *type;
} mcl__parameter_text;

/* A bit of without: no kernel of the program takes the states of a look-back. */
#define MCL__NO_STATES MCL__BIT(MCL__SCRATCH_MAX)

/* The lists that a declaration points to. Declarations may share one by its name. */
typedef const mcl__operand mcl__operands[MCL__DECLARED_MAX];
typedef const mcl__pass mcl__passes[MCL__KERNELS_MAX];

typedef struct mcl__declaration {
    const char *file; /* "kernels/merge/merge.cl" */
    const char *text; /* of a user's kernel, to which the declaration adds nothing; NULL: the library's own file */
    unsigned takes;   /* MCL__TAKES_... */
    int of_steps;     /* calls may be made of others (mcl__steps_run) */
    int aliased;      /* one program, whether an output is an input or not */
    int uncontracted; /* results are the same on every device: no product is contracted with a sum */
    const mcl__operand *operands;                  /* mcl__operands; the first without a name ends them */
    const char *types[MCL__GROUPS_OF_TYPES_MAX];   /* by groups: the type's name in the text, or NULL */
    mcl__parameter_text scratch[MCL__SCRATCH_MAX]; /* arrays of scratch; an element's type */
    const char *scalars[MCL__SCALARS_MAX];         /* their names in the text */
    mcl__parameter_text by_value[MCL__BY_VALUE_MAX];
    const mcl__pass *passes; /* mcl__passes; NULL: none */
} mcl__declaration;

#endif
