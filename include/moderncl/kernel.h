/* kernel.h: kernels of your own, which may use the library's pieces.
 *
 * A text in the dialect of docs/kernel_dialect.md, which may #include "pieces/...", becomes a call like the library's
 * own calls. The call takes types, operators and inputs as other calls do, and gets its tile from rows of tuning. The
 * text is built once per device, for OpenCL or for CUDA, and uses the library's caches. A call launches one or several
 * passes. The pieces are installed for reading in share/moderncl/cl.
 *
 *   static const mcl_kernel twice = {
 *       .name = "twice.cl",
 *       .text = twice_text,
 *       .passes = { { "twice", "in out" } },
 *       .inputs = { { "in", MCL_INT32 } },
 *       .outputs = { { "out", MCL_INT32 } },
 *   };
 *   mcl_tile tile;
 *   mcl_kernel_tile(queue, &twice, NULL, &tile);
 *   const mcl_launch launch = { .groups = mcl_tile_groups(&tile, n),
 *                               .arguments = { mcl_argument_input(&in), mcl_argument_output(&out) } };
 *   mcl_kernel_launch(queue, &twice, &launch, 1, NULL, 0, NULL);
 *
 * The structs are plain values: there is nothing to create or free. What they point to needs to live only during the
 * call. */
#ifndef MODERNCL_KERNEL_H
#define MODERNCL_KERNEL_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MCL_PASSES_MAX = 8,
    MCL_ROLES_MAX = 4,      /* the most types, and the most operators, of a kernel */
    MCL_OPERANDS_MAX = 8,   /* the most inputs, and the most outputs */
    MCL_PARAMETERS_MAX = 8, /* the most defines, and the most parameters of tuning */
    MCL_ARGUMENTS_MAX = 24, /* the most arguments of a launch */
    MCL_SCRATCH_PIECES_MAX = 8
};

/* ---- tiles ---------------------------------------------------------------------------------------------- */

/* A number with a name. */
typedef struct mcl_parameter {
    const char *name; /* a C identifier */
    int value;
} mcl_parameter;

/* A row of tuning of your own: a tile, and other numbers that your kernel needs, for some devices. A row leaves a value
 * out by threads or items of 0, or by not naming a parameter. The value then comes from the next row that fits. So put
 * specific rows first, and a row that fits every device last.
 *
 * A row fits devices whose vendor and architecture, as moderncl-info prints them, begin with the text of device. If the
 * text ends in a number, devices with a larger number fit too: "NVIDIA sm_80" fits sm_80 and later architectures. "cpu"
 * and "gpu" fit all devices of that kind, "" and NULL all devices. Rows of one mapping are not mixed with rows of the
 * other mapping (in the serial mapping threads is 1). The device's usual mapping is used if a row has it, else the
 * mapping of the rows. */
typedef struct mcl_tile_row {
    const char *device;
    int element_bytes; /* the largest elements that the row is for, in bytes; 0: any size */
    int threads;       /* work-items of a group, at most 1024; with 1 it is the serial mapping */
    int items;         /* elements per work-item, at most 31, or 16777216 where threads is 1 */
    mcl_parameter parameters[MCL_PARAMETERS_MAX];
} mcl_tile_row;

/* The tile and parameters with which a kernel is built for a device. In the text they are TILE_THREADS, TILE_ITEMS and
 * the parameters' names. */
typedef struct mcl_tile {
    int threads;
    int items;
    int parameter_count;
    mcl_parameter parameters[MCL_PARAMETERS_MAX]; /* parameters; each name points to the kernel's own string */
} mcl_tile;

/* Returns the value of the tile's parameter with this name, or otherwise if there is none. */
MCL_API int mcl_tile_parameter(const mcl_tile *tile, const char *name, int otherwise);

/* Returns the number of groups that count elements need, with one tile each. */
MCL_API int64_t mcl_tile_groups(const mcl_tile *tile, int64_t count);

/* ---- kernels -------------------------------------------------------------------------------------------- */

/* A kernel of the text, which is one step of the call. */
typedef struct mcl_pass {
    const char *name;
    /* Arguments of the kernel: one word each, separated by spaces. A word is the name of an input (PARAMS_a) or output
     * (PARAMS_out), or array, pointer, index_type or a type. The word array means ARRAY_PARAM: a pointer and its
     * offset. The word pointer means one __global pointer. A type is the name of one of the kernel's types, or a
     * built-in type, such as int32_t. If the text has PARAMS_env (the operators' bindings) before its other parameters,
     * the first word is env, and the library passes the bindings. Each input or output is named once. A word may have a
     * label for readers, such as split:array. */
    const char *arguments;
    int threads; /* work-items of a group, for MCL_KERNEL(threads) in the text; 0: MCL_KERNEL(TILE_THREADS) */
} mcl_pass;

/* A kernel of your own. The lists below end at their first element without a name. */
typedef struct mcl_kernel {
    const char *name; /* name of the text in compilers' messages, such as "twice.cl" */
    const char *text;
    const char *operation; /* name of the kernel's rows in tuning files (there in quotes), or an operation of the
                            * library with suitable tiles; NULL: neither */
    mcl_pass passes[MCL_PASSES_MAX];
    struct {
        const char *name; /* name; with "key" the text has key_type */
        const mcl_type *type;
    } types[MCL_ROLES_MAX];
    struct {
        const char *name; /* name, such as "before" */
        mcl_role role;    /* kind of the function that the text calls. Order or equality: int NAME(env, p, q), 0 or 1.
                           * Test: int NAME(env, x, i), 0 or 1. Bucket: int64_t NAME(env, x, i). Fold or function:
                           * NAME_type NAME(env, p, q), with NAME_extract, NAME_identity and NAME_result */
        const mcl_op *op;
        const mcl_type *element; /* type of the elements that the operator sees */
        const mcl_type *stored;  /* type of stored results of a fold; NULL: the accumulator's type */
    } operators[MCL_ROLES_MAX - 1];
    struct {
        const char *name;      /* name; with "a" the text has a_type, input_a, PARAMS_a, MAKE_a, load_a, shift_a */
        const mcl_type *type;  /* element type of an array, where form is NULL */
        const mcl_input *form; /* an input of the same form as the call's: an array of this type, or the same expression
                                * with bindings of the same names and types. Its buffers, values, count and slot do not
                                * matter */
        int placed;            /* 1 if the input's expression may also use segment (or object) and rank */
    } inputs[MCL_OPERANDS_MAX];
    struct {
        const char *name; /* name; with "out" the text has out_type, output_out, PARAMS_out, MAKE_out, store_out,
                           * shift_out */
        const mcl_type *type;
    } outputs[MCL_OPERANDS_MAX];
    mcl_parameter defines[MCL_PARAMETERS_MAX];
    const mcl_tile_row *rows; /* rows of tuning; NULL: rows of operation, else the library's rows for any operation */
    int row_count;
    size_t element_bytes; /* size of elements that selects a row; 0: the largest of types, inputs and outputs */
    size_t local_bytes;   /* fixed bytes of work-group memory; items, then threads are reduced until all three fit */
    size_t local_bytes_per_thread; /* bytes of work-group memory for each work-item */
    size_t local_bytes_per_item;
    int index_bits;  /* 32: index_type has 32 bits, and operands fewer than 2^31 - 2^24 elements; 0 or 64: 64 bits */
    int overlapping; /* 1 if an output may overlap inputs or other outputs; the compiler is told so */
} mcl_kernel;

/* ---- launches ------------------------------------------------------------------------------------------- */

typedef enum mcl_argument_kind {
    MCL_ARGUMENT_NONE = 0,
    MCL_ARGUMENT_INPUT,
    MCL_ARGUMENT_OUTPUT,
    MCL_ARGUMENT_INDEX,
    MCL_ARGUMENT_VALUE,
    MCL_ARGUMENT_INT32,
    MCL_ARGUMENT_INT64,
    MCL_ARGUMENT_BUFFER,
    MCL_ARGUMENT_SCRATCH
} mcl_argument_kind;

/* One argument of a launch. Make it with the functions below. */
typedef struct mcl_argument {
    mcl_argument_kind kind;
    const void *pointer;  /* the object, which must live until the launch */
    const mcl_type *type; /* type of a value */
    int64_t number;       /* a number, the offset of a buffer, or the index of a scratch array */
} mcl_argument;

MCL_API mcl_argument mcl_argument_input(const mcl_input *input);
MCL_API mcl_argument mcl_argument_output(const mcl_output *output);
MCL_API mcl_argument mcl_argument_index(int64_t value); /* makes an index_type */
MCL_API mcl_argument mcl_argument_int32(int32_t value);
MCL_API mcl_argument mcl_argument_int64(int64_t value);
MCL_API mcl_argument mcl_argument_value(const mcl_type *type, const void *value); /* makes a value of a type */
/* Returns the argument for the words array and pointer: a buffer from byte offset on. For pointer, offset must be 0. If
 * buffer is NULL, the kernel gets a null pointer. The buffer is neither compared with other arguments nor checked at
 * its end. */
MCL_API mcl_argument mcl_argument_buffer(mcl_buffer *buffer, int64_t offset);
/* Makes the argument for the word array: array number piece of the call's scratch. */
MCL_API mcl_argument mcl_argument_scratch(int piece);

/* One pass in a call, with one argument per word. With 0 groups nothing is launched. */
typedef struct mcl_launch {
    int pass; /* index in the kernel's passes */
    int64_t groups;
    mcl_argument arguments[MCL_ARGUMENTS_MAX];
} mcl_launch;

/* Gives the tile with which the kernel runs on the queue's device. The caller computes the launches from the tile. A
 * kernel that has not been built yet is built first: the compiled kernel may allow fewer work-items, and its tile then
 * has fewer.
 *
 * The tile comes from the first of these: options (tile_threads, tile_items), a tuning file's rows of operation, the
 * kernel's own rows, the library's rows of operation or of any operation. Then it is reduced until it fits the device
 * (docs/tuning.md). Only the options tile_threads, tile_items and flags are used. The launch must get the same values
 * of these options.
 *
 * Errors: MCL_ERROR_ARGUMENT (a text, name, word or row of the kernel is invalid: the sentence says which; a parameter
 * that no row has). MCL_ERROR_TYPE. MCL_ERROR_UNSUPPORTED (a type or a pass's work-items that the device lacks).
 * MCL_ERROR_BUILD (the sentence has the compiler's log with file and line of the text). MCL_ERROR_MEMORY. */
MCL_API mcl_status mcl_kernel_tile(mcl_queue *queue, const mcl_kernel *kernel, const mcl_options *options,
                                   mcl_tile *tile);

/* Enqueues the passes of launches in order, as one call. Each pass can read what earlier passes have stored.
 *
 * scratch[k]  bytes of array k of the call's scratch, which has scratch_count arrays. Their content is unspecified.
 *             Each size is rounded up to 256 bytes.
 *
 * Nothing is enqueued before everything has been checked. Every pass must get the arguments with which it is declared,
 * and buffers must have room for their operands. No output may overlap an input of the same launch, an array bound to
 * an operator, or another output, unless the kernel's overlapping is 1. Only the text's author knows whether the words
 * of a pass match the text's parameters. An input's count slot may have any of the three types, but only one type
 * within a call. The call does not wait. It takes scratch, events and other options like every call. Once the kernel is
 * built, the call allocates nothing. On a preparing queue (device.h) the kernel is built, but nothing is launched.
 * Errors: as in mcl_kernel_tile, and MCL_ERROR_ARGUMENT and MCL_ERROR_TYPE for launches and their arguments. */
MCL_API mcl_status mcl_kernel_launch(mcl_queue *queue, const mcl_kernel *kernel, const mcl_launch *launches,
                                     int launch_count, const size_t *scratch, int scratch_count,
                                     const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
