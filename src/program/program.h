/* program.h: the description of a program, and the steps from there to its compiled kernels. */
#ifndef MODERNCL_PROGRAM_H
#define MODERNCL_PROGRAM_H

#include "tuning/tuning.h"

enum { MCL__KERNELS_MAX = 10, MCL__OPERANDS_MAX = 8, MCL__TYPES_MAX = 4, MCL__OPS_MAX = 3, MCL__DEFINES_MAX = 16 };

/* Everything that a program's text depends on, and nothing else: no buffers, values or counts. A call describes its
 * program anew each time; program/cache.c compares descriptions as bytes. Unused members are zero. */
typedef struct mcl__spec {
    const char *file;                            /* name of the kernel file: "merge.cl" */
    const char *text;                            /* the text of a user's file; NULL: the library has the file */
    const char *kernels[MCL__KERNELS_MAX];       /* names, in launch order */
    int threads[MCL__KERNELS_MAX];               /* work-items of each kernel's work-groups; 0: tiles decides */
    int tiles[MCL__KERNELS_MAX];                 /* number of tiles whose work-items form a group; 0: one */
    const char *threads_named[MCL__KERNELS_MAX]; /* macro that gives threads to the text; NULL: none does */
    mcl__tile tile;
    int64_t local_bytes; /* work-group memory by which the tile was chosen; 0: the text asserts no limit */
    int index_bits;      /* 32 or 64 */
    int aliased;         /* 1: an output may be an input, so no parameter is restrict */
    int uncontracted;    /* 1: the compiler may not contract products and sums (fma) */
    struct {
        const char *name; /* "key" for a typedef key_type */
        const mcl_type *type;
    } types[MCL__TYPES_MAX];
    struct {
        const char *name;  /* "before", "fold" */
        const char *label; /* name of its parameter in error sentences; NULL: name */
        const mcl_op *op;
        mcl_role role; /* an order or equality: int NAME(env, p, q) on elements. A test: int NAME(env, x, i), 0 or 1, of
                          an element and its index. An index: int64_t NAME(env, x, i). A fold or function: value_type
                          NAME(env, p, q) with NAME_extract, NAME_identity, NAME_combine */
        const mcl_type *element; /* type of the elements that the operator takes */
        const mcl_type *value;   /* type of the accumulator, of folds and functions */
        const mcl_type *stored;  /* type in which the results of a fold are stored */
    } ops[MCL__OPS_MAX];
    struct {
        const char *name;  /* "a" */
        const char *label; /* name of the input in error sentences; NULL: name */
        const mcl_input *input;
        int placed;      /* 1: the expression may use segment (or object) and rank besides i */
        int count_alone; /* 1: kernels use the input's count and no element */
    } inputs[MCL__OPERANDS_MAX];
    struct {
        const char *name; /* "out" */
        const mcl_type *type;
        int is_left_out; /* 1: stores do nothing, since the caller does not want this output */
        int is_count;    /* 1: stores take int64_t; for a number above the type's highest they store the highest */
    } outputs[MCL__OPERANDS_MAX];
    struct {
        const char *name; /* "HAS_VALUES" */
        int value;
    } defines[MCL__DEFINES_MAX];
    struct {
        void (*write)(const void *call, mcl__text *out); /* appends a declaration's text; NULL: no declaration */
        const void *call;                                /* argument of write; valid until the program is found */
        const void *tables[2];                           /* constant tables, compared by address: the declaration,
                                                            and operands that replace those of the declaration */
        unsigned operands, passes, without, values;
    } declared; /* the text of write, and all names except those of defines, follow from the tables and bits */
} mcl__spec;

/* The kernels of one program for one queue. tile is the tile that the program was built with. It is smaller than the
 * spec's tile where a compiled kernel does not allow that number of work-items. */
typedef struct mcl__kernels {
    mcl__tile tile;
    int threads[MCL__KERNELS_MAX]; /* work-items of each kernel's work-groups in the built program */
    int index_bits;
    void *kernel[MCL__KERNELS_MAX];
    unsigned enters; /* bit k: kernel k begins with MCL_ENTER of the dialect */
} mcl__kernels;

/* Returns the number of work-items of the work-groups of a spec's kernel. */
static inline int mcl__spec_threads(const mcl__spec *spec, int kernel)
{
    const int tiles = spec->tiles[kernel] > 1 ? spec->tiles[kernel] : 1;
    return spec->threads[kernel] > 0 ? spec->threads[kernel] : spec->tile.threads * tiles;
}

/* Returns the type of an input's count slot: MCL_INT64 unless the input has a slot of another type. */
static inline const mcl_type *mcl__slot_type(const mcl_input *input)
{
    return input->count_slot && input->count_slot_type ? input->count_slot_type : MCL_INT64;
}

/* source.c. Writes texts of programs. A whole text (assemble) has the dialect, users' texts, the generated part, and
 * the kernel file with its includes expanded and #line marks. */
mcl_status mcl__source_dialect(const mcl_context *context, int threads, mcl__text *out); /* no kernel */
/* Checks whether an assembled text has this library's dialect, and this device's macros as the probe settles them. */
mcl_status mcl__source_is_for(const mcl_context *context, const char *source, int *is_for);
mcl_status mcl__source_assemble(const mcl__limits *limits, const char *dialect, const mcl__spec *spec, mcl__text *out);

/* build.c. Compiles a text. spec is the spec that the text was made from; NULL: not known. With it the error sentence
 * can show what is wrong in a user's part of the text. */
mcl_status mcl__program_build(mcl_context *context, const mcl__spec *spec, const char *source, const char *name,
                              void **program);

/* Tells a step to the context's build function, and with MCL_LOG=build to the log too. began: mcl__milliseconds when
 * the step began. */
void mcl__program_tell(mcl_context *context, mcl_build_step step, mcl_status status, double began, const char *name);

/* spec.c. Writes the spec as bytes. Two specs have equal bytes exactly where their programs are equal. */
void mcl__spec_key(const mcl__spec *spec, mcl__text *out);
/* Append to such bytes the facts of a type, an operator or an input on which a program depends. */
void mcl__key_type(mcl__text *out, const mcl_type *type);
void mcl__key_op(mcl__text *out, const mcl_op *op);
void mcl__key_input(mcl__text *out, const mcl_input *input);

/* embedded.c (generated). Returns the text of the kernel file or header of this name; NULL where there is none. */
const char *mcl__embedded_file(const char *name);
/* Returns the whole name of a header that is asked for by a short or older name: pieces/merge_path.clh is
 * pieces/merge/merge_path.clh. Returns any other name unchanged. */
const char *mcl__embedded_name(const char *name);

/* cache.c. Finds the spec's kernels for this queue: in the queue's own table, else in the context's programs, else on
 * the disk; else builds them. The result lives as long as the queue. */
mcl_status mcl__program_get(mcl_queue *queue, const mcl__spec *spec, const mcl__kernels **out);
/* Makes the driver generate a kernel's code for launches of work_items. A preparing queue does this in place of the
 * launch. */
void mcl__program_warm(mcl_queue *queue, const mcl__kernels *kernels, int kernel, int64_t work_items);
void mcl__program_cache_free(mcl_context *context);
void mcl__kernel_cache_free(mcl_queue *queue);
/* Returns the number of programs that the context holds (for tests). */
MCL_API int mcl__program_count(mcl_context *context);

/* disk_cache.c. Reads and writes files of programs. Their key is cache identity, build options and source, which are
 * all stored and compared. */
int mcl__disk_cache_directory(char *out, size_t capacity); /* returns 1 where it is private and writable */
void mcl__disk_cache_tell(const mcl_context *context);     /* tells the log of an unusable directory */
int mcl__disk_cache_read(const mcl_context *context, const char *source, mcl__text *binary);
void mcl__disk_cache_write(mcl_context *context, const char *source, const void *binary, size_t bytes);

#endif
