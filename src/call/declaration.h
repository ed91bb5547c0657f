/* declaration.h: the table that declares an operation: its operands, its options, and the passes of its program with
 * their arguments. call.h describes how a call uses the table. */
#ifndef MODERNCL_DECLARATION_H
#define MODERNCL_DECLARATION_H

#include "call/check/check.h"

#include "moderncl/kernel.h"

/* Operands and groups of types are numbered from 1; element 0 of their arrays is unused. A user's kernel has at most 2
 * * MCL_OPERANDS_MAX + MCL_ROLES_MAX - 1 operands, and compaction has two more. */
enum {
    MCL__DECLARED_MAX = 1 + 2 * MCL_OPERANDS_MAX + MCL_ROLES_MAX - 1 + 2,
    MCL__GROUPS_OF_TYPES_MAX = 2 + MCL_ROLES_MAX, /* compaction with columns has the most groups */
    MCL__SCRATCH_MAX = 13,
    MCL__SCALARS_MAX = 14,
    MCL__BY_VALUE_MAX = 4
};
enum { MCL__PASS_ARGUMENTS_MAX = 4 + MCL_ARGUMENTS_MAX }; /* compaction has three arguments more than a user's kernel */

/* The kinds of operands. MCL__ARRAY is an array of scratch that kernels access like an output; the call's room has its
 * number of elements. */
typedef enum mcl__kind { MCL__INPUT = 1, MCL__OUTPUT, MCL__RESULT, MCL__OPERATOR, MCL__ARRAY } mcl__kind;

#define MCL__BIT(k) (1u << (k))

/* An operand of an operation. In its members, 0 as the number of an operand or of a group of types means none. */
typedef struct mcl__operand {
    const char *name;       /* name in the kernels' text */
    const char *pairs_name; /* name in error sentences of a call with values; NULL: the same name as in other calls */
    mcl__kind kind;
    const char *label;       /* name in error sentences of other calls; NULL: the member name */
    mcl__types types;        /* types that the operand may have */
    int group;               /* group of operands that must have the same type */
    int as_many;             /* operand: an input must have at least as many elements as it, if both are present */
    int sorted_by;           /* operator: MCL_VALIDATE checks that the input is sorted by it */
    int offsets_of;          /* input: MCL_VALIDATE checks that this operand increases in [0, count of that input] */
    int indexes;             /* input: an output or result holds its indices, so the type must hold all of them */
    int indices_of;          /* input: MCL_VALIDATE checks that this operand is in [0, count of that input] */
    unsigned in_place;       /* MCL__BITs of the inputs that an output may replace in place: arrays, or bound arrays
                              * that an expression reads only as name[i] (in_place.c) */
    int arrays_only;         /* 1 if an output may replace arrays only, never what an expression reads */
    int optional;            /* 1 if a call may leave the operand out: an output all zero, or an operator NULL */
    int unused;              /* 1 if the kernels do not use the operand */
    int placed;              /* 1 if an input's expression also gets its segment (or object) and the rank there */
    int count_alone;         /* 1 if the kernels use only the input's count, and none of its elements */
    mcl_role use;            /* required role of an operator */
    int of;                  /* number of the input whose elements an operator takes */
    int fold;                /* number of the operator whose folds an output or result holds */
    int combined;            /* 1 if an output holds folds after the operator's combine */
    const mcl_type *element; /* type of the elements that an operator takes, where of is 0 */
    const mcl_type *stored;  /* type in which an operator's folds are stored; NULL: that of the first operand with this
                              * fold */
} mcl__operand;

/* Codes for a pass's arguments, in the order of its kernel's parameters. A code is a kind plus a number below 32. An
 * argument is left out where its operand or array is absent. */
enum {
    MCL__ENVIRONMENT = 32, /* the operators' bindings */
    MCL__OPERAND = 64,     /* plus the number of an operand */
    MCL__SCRATCH = 96,     /* plus the number of an array of scratch */
    MCL__INDEX = 128,      /* plus the number of a scalar, which is passed as index_type */
    MCL__INT = 160,        /* plus the number of a scalar, which is passed as int */
    MCL__LONG = 192,       /* plus the number of a scalar, which is passed as int64_t */
    MCL__BY_VALUE = 224,   /* plus an index in by_value, which is passed by its bytes; left out where its pointer is
                            * NULL */
    MCL__HAS_RESULT = 256, /* plus the number of a result: int has_NAME, 1 where the result has memory */
    MCL__STATES = 288,     /* states and counters of a look-back; left out where the call has none */
    MCL__LIMIT = 320,      /* plus the number of an output: index_type NAME_limit, its room; left out with the output */
    MCL__ARGUMENT = 352,   /* plus the index of an argument of a user's launch that is no operand */
    MCL__POINTER = 384     /* plus the index of a buffer argument that is no operand, passed without its offset */
};

/* Make codes of arguments, for the tables of declarations. */
#define OPERAND(operand) (MCL__OPERAND + (operand))
#define SCRATCH(array) (MCL__SCRATCH + (array))
#define AS_INDEX(scalar) (MCL__INDEX + (scalar))
#define AS_INT(scalar) (MCL__INT + (scalar))
#define AS_LONG(scalar) (MCL__LONG + (scalar))
#define BY_VALUE(value) (MCL__BY_VALUE + (value))
#define HAS_RESULT(result) (MCL__HAS_RESULT + (result))
#define LIMIT(output) (MCL__LIMIT + (output))

/* A pass: a kernel of the program with its arguments. Two passes may be the same kernel with other arguments. */
typedef struct mcl__pass {
    const char *name;          /* name of the kernel */
    int threads;               /* work-items of a work-group; 0: as many as the tile has */
    const char *threads_named; /* name of a define for the number of work-items, which may be less than the tile's: the
                                * device may allow the kernel fewer */
    uint16_t arguments[MCL__PASS_ARGUMENTS_MAX]; /* codes of the kernel's arguments: MCL__ENVIRONMENT and so on */
} mcl__pass;

/* The name and type of an argument that is no operand. */
typedef struct mcl__parameter_text {
    const char *name, *type;
} mcl__parameter_text;

/* A bit for the member without of a call: no kernel of the program takes the states of a look-back. */
#define MCL__NO_STATES MCL__BIT(MCL__SCRATCH_MAX)

/* The lists that a declaration points to. Several declarations may share one named list. */
typedef const mcl__operand mcl__operands[MCL__DECLARED_MAX];
typedef const mcl__pass mcl__passes[MCL__KERNELS_MAX];

typedef struct mcl__declaration {
    const char *file; /* file of the kernels: "kernels/merge/merge.cl" */
    const char *text; /* text of a user's kernel; NULL: the library's own file. The declaration adds nothing to a user's
                       * text */
    unsigned takes;   /* MCL__TAKES_... bits of the options that a call takes */
    int of_steps;     /* 1 if a call may consist of other calls (mcl__steps_run) */
    int aliased;      /* 1 if the program must always allow that an output is an input */
    int uncontracted; /* 1 if products and sums are never contracted, so that all devices give the same results */
    const mcl__operand *operands;                  /* mcl__operands; the first operand without a name ends the list */
    const char *types[MCL__GROUPS_OF_TYPES_MAX];   /* names that the text gives the groups' types, or NULL */
    mcl__parameter_text scratch[MCL__SCRATCH_MAX]; /* name and element type of each array of scratch */
    const char *scalars[MCL__SCALARS_MAX];         /* names of scalars in the text */
    mcl__parameter_text by_value[MCL__BY_VALUE_MAX];
    const mcl__pass *passes; /* mcl__passes, or NULL */
} mcl__declaration;

#endif
