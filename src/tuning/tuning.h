/* tuning.h: chooses an operation's tile on a device, and has the other tuned numbers. */
#ifndef MODERNCL_TUNING_H
#define MODERNCL_TUNING_H

#include "device/device.h"
#include "moderncl/kernel.h"

/* A tile of threads x items elements: threads work-items with items elements each. With 1 thread it is the serial
 * mapping. */
typedef struct mcl__tile {
    int threads;
    int items;
} mcl__tile;

static inline int64_t mcl__tile_size(mcl__tile tile)
{
    return (int64_t)tile.threads * tile.items;
}

/* Returns the tile rounded down to powers of two, as a tree over its elements requires (cl/pieces/tree/tree.clh). */
static inline mcl__tile mcl__tree_tile(mcl__tile tile)
{
    while (tile.threads & (tile.threads - 1)) tile.threads &= tile.threads - 1;
    while (tile.items & (tile.items - 1)) tile.items &= tile.items - 1;
    return tile;
}

/* The names of operations in rows of tuning. */
/* clang-format off */
#define MCL__OPERATION_LIST(X)                                                                                         \
    X(transform) X(reduce) X(scan) X(scan_two_pass) X(merge) X(merge_pairs) X(cuts) X(sort) X(sort_pairs)         \
    X(sort_block) X(sort_four) X(sort_four_pairs) X(radix_sort) X(radix_sort_pairs)                                  \
    X(bucket_sort) X(bucket_pairs) X(bucket_finish) X(bucket_finish_pairs)                                             \
    X(sorted_search) X(load_balance) X(interval)                                                                     \
    X(compact) X(compact_two_pass) X(bulk_remove) X(bulk_insert) X(sets) X(sets_pairs)                               \
    X(segmented_reduce) X(segmented_scan) X(scan_by_key) X(reduce_by_key) X(segmented_sort) X(segmented_sort_pairs)   \
    X(locality_sort)                                                                                                 \
    X(locality_sort_pairs) X(join) X(map) X(append) X(multisplit) X(multisplit_pairs) X(multisplit_many)              \
    X(multisplit_many_pairs) X(histogram) X(histogram_ranges) X(group_by)                                             \
    X(top_k) X(segmented_top_k) X(find)
/* clang-format on */
typedef enum mcl__operation {
#define X(name) MCL__OPERATION_##name,
    MCL__OPERATION_LIST(X)
#undef X
        MCL__OPERATION_COUNT,
    MCL__OPERATION_any = MCL__OPERATION_COUNT /* name that stands for every operation in a row */
} mcl__operation;

/* The tuned numbers of parameter_table.inc. MCL__PARAMETER_scan_x is "scan.x" in files. */
typedef enum mcl__parameter {
#define PARAMETER(operation, name, least, most) MCL__PARAMETER_##operation##_##name,
#define VALUE(operation, name, device, value)
#include "tuning/parameter_table.inc"
#undef PARAMETER
#undef VALUE
    MCL__PARAMETER_COUNT
} mcl__parameter;

/* The work-group memory that a tile of an operation needs. The serial_ members are for the serial mapping, the other
 * members for the group mapping. */
typedef struct mcl__tile_need {
    size_t element_bytes;          /* the element's size, which selects rows */
    size_t local_bytes_per_item;   /* bytes for each element of the tile */
    size_t local_bytes_per_thread; /* bytes for each work-item */
    size_t local_bytes_fixed;      /* further bytes; the three local_ members have room for sums of 32 sub-groups */
    /* Further bytes where a group does not consist of whole sub-groups that shuffle and vote. Then each work-item needs
     * its own sum. */
    size_t lone_bytes_per_item;
    size_t lone_bytes_per_thread;
    /* Numbers of digits of a digit_store (facts/digits.h), if the operation has one, else 0: digits where sub-groups
     * rank the digits, lone_digits where they do not. */
    size_t digits;
    size_t lone_digits;
    size_t index_bytes;           /* bytes of an index in the digit_store */
    size_t serial_bytes_per_item; /* bytes for each element; 0: the memory does not depend on the tile */
    size_t serial_bytes_fixed;
    int at_launch; /* 1 if the launch provides the work-group memory (MCL_SHARED_AT_LAUNCH in the dialect) */
} mcl__tile_need;

/* Returns 1 where a group of threads work-items consists of whole sub-groups that shuffle. Then FOLD_SUB_GROUPS of
 * fold_words.clh is not 0. */
int mcl__whole_sub_groups(const mcl__limits *limits, int threads);

/* Returns the number of work-items in a sub-group, or 0 where sub-groups do not shuffle. Kernels know it as
 * MCL_SUB_GROUP_SIZE. */
int mcl__sub_group_size(const mcl__limits *limits);

/* Returns the most bytes of work-group memory that a kernel with this tile uses. 0: the number is unknown, but
 * small. */
int64_t mcl__tile_bytes(const mcl__limits *limits, mcl__tile_need need, mcl__tile tile);

/* Takes the tile from the options, else from the tuning file, else from the built-in rows. Then it reduces items,
 * and after that halves threads, until the tile fits the device's work-group memory, group size and loop limit. In
 * tests tuning may be NULL: no tuning file. */
mcl__tile mcl__tile_for(mcl__operation operation, const mcl__limits *limits, const mcl__tuning *tuning,
                        mcl__tile_need need, const mcl_options *options);

/* Returns 1 where a row for this device text fits the device described by limits. */
int mcl__device_fits(const char *device, const mcl__limits *limits);
/* Returns the index of an operation's name in MCL__OPERATION_LIST, or -1. */
int mcl__operation_find(const char *name);

/* Return parts of the tuning file's rows for users' kernels. mcl__tuning_row_count returns their number.
 * mcl__tuning_row returns row number place if it is for operation, else NULL. */
size_t mcl__tuning_row_count(const mcl__tuning *tuning);
const mcl_tile_row *mcl__tuning_row(const mcl__tuning *tuning, size_t place, const char *operation);

/* kernel_tile.c. Finds the tile and parameters of a user's kernel whose rows and names have been checked. */
mcl_status mcl__kernel_tile_for(const mcl_kernel *kernel, const mcl__limits *limits, const mcl__tuning *tuning,
                                size_t element_bytes, const mcl_options *options, mcl_tile *out);

/* parameters.c. Returns a parameter's value on the context's device: from the tuning file, else built-in. */
int64_t mcl__tuned(const mcl_context *context, mcl__parameter parameter);
/* Returns a parameter that is per compute unit, times the device's number of compute units. */
int64_t mcl__tuned_a_unit(const mcl_context *context, mcl__parameter parameter);
/* Returns a number of groups with threads work-items each. Together they give each compute unit the parameter's number
 * of work-items, and each compute unit at least one group. */
int64_t mcl__tuned_groups(const mcl_context *context, mcl__parameter work_items, int threads);
/* Returns one of the four numbers that RESIDENT declares; first is the first of them. The element's size bytes and
 * index_bits decide which one. */
int64_t mcl__resident(const mcl_context *context, mcl__parameter first, size_t bytes, int index_bits);
const char *mcl__parameter_name(int index); /* returns "scan.x", for example; NULL past the last parameter */
int mcl__parameter_find(const char *name);  /* returns -1 where no parameter has this name */

/* Loads the rows of a file for a device, and replaces *tuning. If path is NULL there is no file, and all parameters are
 * built-in. */
mcl_status mcl__tuning_load(const char *path, const mcl__limits *limits, mcl__tuning **tuning);
void mcl__tuning_keep(mcl__tuning *tuning, mcl__tuning *older); /* makes tuning free older together with itself */
void mcl__tuning_free(mcl__tuning *tuning);

#endif
