/* declaration.h: the table that declares an operation: its operands, the passes of its program with their arguments,
 * and the options that it takes. call.h says what is made of it. */
#ifndef MODERNCL_DECLARATION_H
#define MODERNCL_DECLARATION_H

#include "call/check/check.h"

#include "moderncl/kernel.h"

/* Operands and groups of types are numbered from 1, and element 0 of their arrays is unused. A user's kernel has at
 * most 2 * MCL_OPERANDS_MAX + MCL_ROLES_MAX - 1 operands; compaction has two operands more. */
enum {
    MCL__DECLARED_MAX = 1 + 2 * MCL_OPERANDS_MAX + MCL_ROLES_MAX - 1 + 2,
    MCL__GROUPS_OF_TYPES_MAX = 2 + MCL_ROLES_MAX, /* compaction with columns has the most */
    MCL__SCRATCH_MAX = 13,
    MCL__SCALARS_MAX = 14,
    MCL__BY_VALUE_MAX = 4
};
enum { MCL__PASS_ARGUMENTS_MAX = 4 + MCL_ARGUMENTS_MAX }; /* compaction has three more arguments than a user's kernel */

/* MCL__ARRAY is an array of scratch that kernels access as an output. The call's room has its number of elements. */
typedef enum mcl__kind { MCL__INPUT = 1, MCL__OUTPUT, MCL__RESULT, MCL__OPERATOR, MCL__ARRAY } mcl__kind;

#define MCL__BIT(k) (1u << (k))

/* An operand of an operation. Operands and groups of types are numbered from 1: 0 is none. */
typedef struct mcl__operand {
    const char *name;       /* name in the kernels' text */
    const char *pairs_name; /* name in error sentences of a call with values; NULL: as in other calls */
    mcl__kind kind;
    const char *label;       /* name in error sentences; NULL: the member name */
    mcl__types types;        /* types that the operand may have */
    int group;               /* operands of one group have one type */
    int as_many;             /* the input must have at least as many elements as this operand, if both are given */
    int sorted_by;           /* MCL_VALIDATE checks an input's order by this operator */
    int offsets_of;          /* MCL_VALIDATE checks that an input is in order and in [0, count of this input] */
    int indexes;             /* input whose indices an output or a result holds; its type must hold all of them */
    int indices_of;          /* MCL_VALIDATE checks that an input is in [0, count of this input] */
    unsigned in_place;       /* MCL__BITs of the inputs that an output may replace, element for element: an array, or a
                                bound array that an expression reads as name[i] alone (in_place.c) */
    int arrays_only;         /* 1: the output may replace an array, but never what an expression reads */
    int optional;            /* 1: a call may leave the operand out: an output all zero, an operator NULL */
    int unused;              /* 1: the kernels do not know the operand */
    int placed;              /* 1: an input's expression knows, besides i, its segment (or object) and its rank there */
    int count_alone;         /* 1: the kernels use an input's count and no element */
    mcl_role use;            /* operators: the role that they must have */
    int of;                  /* operators: the input whose elements they see */
    int fold;                /* outputs and results: the operator whose folds they hold */
    int combined;            /* 1: an output holds what the operator's combine makes of folds */
    const mcl_type *element; /* operators: type of the elements that they see, where of is 0 */
    const mcl_type *stored;  /* operators: type in which folds are stored; NULL: that of the first operand with fold */
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
    MCL__BY_VALUE = 224,   /* + value: the bytes of by_value; no argument where its pointer is NULL */
    MCL__HAS_RESULT = 256, /* + result: has_NAME, an int, 1 where the result has memory */
    MCL__STATES = 288,     /* the states and counters of a look-back; no argument where the call has none */
    MCL__LIMIT = 320,      /* + output: NAME_limit, an index_type: its room; no argument where the output is absent */
    MCL__ARGUMENT = 352,   /* + index: the argument of a user's launch with this index, which is no operand */
    MCL__POINTER = 384     /* + index: the buffer that is such an argument, without its offset */
};

/* The kinds of arguments with a number, as declarations write them. */
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
    const char *name;          /* name of the kernel */
    int threads;               /* work-items of a work-group; 0: the tile's */
    const char *threads_named; /* name of a define that tells the text the number of work-items. It is at most the
                                  tile's, and less where the device allows the kernel no more */
    uint16_t arguments[MCL__PASS_ARGUMENTS_MAX]; /* arguments of the kernel: MCL__ENVIRONMENT and so on */
} mcl__pass;

/* The name and the type of a pass's argument that is no operand. */
typedef struct mcl__parameter_text {
    const char *name, *type;
} mcl__parameter_text;

/* A bit of the call's member without: no kernel of the program takes the states of a look-back. */
#define MCL__NO_STATES MCL__BIT(MCL__SCRATCH_MAX)

/* The lists that a declaration points to. Declarations may share one by its name. */
typedef const mcl__operand mcl__operands[MCL__DECLARED_MAX];
typedef const mcl__pass mcl__passes[MCL__KERNELS_MAX];

typedef struct mcl__declaration {
    const char *file; /* file of the kernels: "kernels/merge/merge.cl" */
    const char *text; /* text of a user's kernel, to which the declaration adds nothing; NULL: file is the library's */
    unsigned takes;   /* options that a call takes, MCL__TAKES_... */
    int of_steps;     /* 1: a call may consist of other calls (mcl__steps_run) */
    int aliased;      /* 1: the program always allows that an output is an input */
    int uncontracted; /* 1: no product is contracted with a sum, so that results are the same on every device */
    const mcl__operand *operands;                  /* mcl__operands; the first without a name ends them */
    const char *types[MCL__GROUPS_OF_TYPES_MAX];   /* names of the groups' types in the text, or NULL */
    mcl__parameter_text scratch[MCL__SCRATCH_MAX]; /* arrays of scratch: name and element type */
    const char *scalars[MCL__SCALARS_MAX];         /* names of scalars in the text */
    mcl__parameter_text by_value[MCL__BY_VALUE_MAX];
    const mcl__pass *passes; /* mcl__passes; NULL: none */
} mcl__declaration;

#endif
