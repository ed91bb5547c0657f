/* program.h: the description of a program, and the steps from there to its compiled kernels. */
#ifndef MODERNCL_PROGRAM_H
#define MODERNCL_PROGRAM_H

#include "tuning/tuning.h"

enum { MCL__KERNELS_MAX = 10, MCL__OPERANDS_MAX = 8, MCL__TYPES_MAX = 4, MCL__OPS_MAX = 3, MCL__DEFINES_MAX = 16 };

/* Everything that a program's text depends on, and nothing else: no buffers, values or counts. A call describes its
 * program anew each time; program/cache.c compares descriptions as bytes. Unused slots are zero. */
typedef struct mcl__spec {
    const char *file;                            /* "merge.cl" */
    const char *text;                            /* of a user's file; NULL: the library's own of this name */
    const char *kernels[MCL__KERNELS_MAX];       /* names, in launch order */
    int threads[MCL__KERNELS_MAX];               /* work-items of each kernel's work-groups; 0: the tile's */
    int tiles[MCL__KERNELS_MAX];                 /* then of this number of tiles together; 0: one */
    const char *threads_named[MCL__KERNELS_MAX]; /* define that tells the text threads; NULL: the text knows them */
    mcl__tile tile;
    int64_t local_bytes; /* work-group memory that the tile was chosen by; 0: the text asserts nothing of it */
    int index_bits;      /* 32 or 64 */
    int aliased;         /* an output may be an input: no restrict */
    int uncontracted;    /* no product is contracted with a sum */
    struct {
        const char *name; /* "key": typedef ... key_type */
        const mcl_type *type;
    } types[MCL__TYPES_MAX];
    struct {
        const char *name;  /* "before", "fold" */
        const char *label; /* its parameter in sentences, no part of the text; NULL: name */
        const mcl_op *op;
        mcl_role role; /* an order or equality: int NAME(env, p, q) on elements. A test: int NAME(env, x, i), 0 or 1, of
                          an element and its index. An index: int64_t NAME(env, x, i). A fold or function: value_type
                          NAME(env, p, q) with NAME_extract, NAME_identity, NAME_combine */
        const mcl_type *element; /* type of the elements it sees */
        const mcl_type *value;   /* folds and functions: the accumulator's type */
        const mcl_type *stored;  /* folds: the type that results are stored as */
    } ops[MCL__OPS_MAX];
    struct {
        const char *name;  /* "a" */
        const char *label; /* as above */
        const mcl_input *input;
        int placed;      /* its expression is told segment (or object) and rank besides i */
        int count_alone; /* kernels use its count and no element */
    } inputs[MCL__OPERANDS_MAX];
    struct {
        const char *name; /* "out" */
        const mcl_type *type;
        int is_left_out; /* stores do nothing: the caller does not want it */
        int is_count;    /* stores take int64_t, and store the type's highest number for one that is above it */
    } outputs[MCL__OPERANDS_MAX];
    struct {
        const char *name; /* "HAS_VALUES" */
        int value;
    } defines[MCL__DEFINES_MAX];
    struct {
        void (*write)(const void *call, mcl__text *out); /* appends what a declaration adds; NULL: there is none */
        const void *call;                                /* as long as the program is asked for */
        const void *tables[2];                           /* constants, known by their addresses: the declaration, and
                                                            operands in place of its own */
        unsigned operands, passes, without, values;
    } declared; /* what it adds, and all names but those of defines, follow from the tables and these bits */
} mcl__spec;

/* One queue's kernels of one program. tile is the one it was built with: smaller than the spec's where the compiled
 * kernels do not allow as many work-items. */
typedef struct mcl__kernels {
    mcl__tile tile;
    int threads[MCL__KERNELS_MAX]; /* work-items of each kernel's work-groups, as it was built */
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

/* Returns the type of an input's count slot, and of inputs without one. */
static inline const mcl_type *mcl__slot_type(const mcl_input *input)
{
    return input->count_slot && input->count_slot_type ? input->count_slot_type : MCL_INT64;
}

/* source.c: the whole text of a program: dialect, user texts, generated part, kernel file with its includes expanded
 * and #line marks. */
mcl_status mcl__source_dialect(const mcl_context *context, int threads, mcl__text *out); /* the dialect alone */
/* Checks whether an assembled text is of this library, and for this device as its probes have settled it. */
mcl_status mcl__source_is_for(const mcl_context *context, const char *source, int *is_for);
mcl_status mcl__source_assemble(const mcl__limits *limits, const char *dialect, const mcl__spec *spec, mcl__text *out);

/* build.c. Compiles a text. spec: what it was made of, so that the sentence can show what is wrong in a user's part of
 * it; NULL: not known. */
mcl_status mcl__program_build(mcl_context *context, const mcl__spec *spec, const char *source, const char *name,
                              void **program);

/* Tells the context's function of a step, with MCL_LOG=build the log too. began: mcl__milliseconds at its beginning. */
void mcl__program_tell(mcl_context *context, mcl_build_step step, mcl_status status, double began, const char *name);

/* spec.c: the spec as bytes, equal exactly where the programs are. */
void mcl__spec_key(const mcl__spec *spec, mcl__text *out);
/* Append parts of it: what a program knows of a type, of an operator or of an input. */
void mcl__key_type(mcl__text *out, const mcl_type *type);
void mcl__key_op(mcl__text *out, const mcl_op *op);
void mcl__key_input(mcl__text *out, const mcl_input *input);

/* embedded.c (generated): the text of a kernel file or header by name, NULL if there is none. */
const char *mcl__embedded_file(const char *name);
/* Returns the whole name of a header that is asked for by a short one, which leaves out its room or has an older one.
 * Any other name comes back as it is. */
const char *mcl__embedded_name(const char *name);

/* cache.c. Kernels of the spec for this queue: from the queue's own table, else from the context's programs, else from
 * the disk, else built. The result lives as long as the queue. */
mcl_status mcl__program_get(mcl_queue *queue, const mcl__spec *spec, const mcl__kernels **out);
/* On a preparing queue, for a launch of that size which is left out: the driver has the kernel's code. */
void mcl__program_warm(mcl_queue *queue, const mcl__kernels *kernels, int kernel, int64_t work_items);
void mcl__program_cache_free(mcl_context *context);
void mcl__kernel_cache_free(mcl_queue *queue);
/* Returns the number of programs that the context holds (for tests). */
MCL_API int mcl__program_count(mcl_context *context);

/* disk_cache.c. Files are keyed by cache identity, build options and source; all three are stored and compared. */
int mcl__disk_cache_directory(char *out, size_t capacity); /* 1: there is one, private and writable */
void mcl__disk_cache_tell(const mcl_context *context);     /* tells the log function of one that cannot be used */
int mcl__disk_cache_read(const mcl_context *context, const char *source, mcl__text *binary);
void mcl__disk_cache_write(mcl_context *context, const char *source, const void *binary, size_t bytes);

#endif
