/* sort.h: sorts a sequence, or the rows of a table. */
#ifndef MODERNCL_SORT_H
#define MODERNCL_SORT_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts keys.
 *
 * out[0 .. keys.count) receives the keys in the order of before. Stable: equal keys (neither sorts before the other)
 * keep their order (std::stable_sort), with MCL_GREATER as well.
 *
 * keys      any input
 * out       output of the keys' type, at least keys.count elements. May be exactly the buffer range of keys (in place);
 *           may not overlap anything else that is read. Elements past a count from the device keep their content.
 * before    strict weak order: nonzero when p sorts before q; MCL_LESS, MCL_GREATER or your own. With an order that is
 *           true for equal keys too ("p <= q"), out has each key once, in order. Equal keys then have any order. With
 *           an order that contradicts itself ("p != q", or "p < q" of floats with NaN), every index receives some key
 *           and value. Some may occur several times and others not at all. The call still ends, and writes nothing
 *           else.
 *
 * options->sort_method chooses the method, and MCL_SORT_AUTO takes the faster one. Mergesort (MCL_SORT_MERGE) is for
 * every type and order. Radix sort (MCL_SORT_RADIX) is for built-in types with MCL_LESS, MCL_GREATER or a copy of
 * these. With options->first_bit and end_bit it sorts only by these bits of the keys. For other types or orders
 * MCL_SORT_RADIX is MCL_ERROR_UNSUPPORTED. If 8-bit or 16-bit integers are many, MCL_SORT_AUTO sorts them by counting,
 * with MCL_LESS or MCL_GREATER: it reads each once, and writes each value as often as it occurs.
 *
 * Cost: mergesort reads and writes each key once for the blocks, and once for every doubling from the length of a block
 * to the length of keys. On a GPU with many keys it does so once for every fourfold length. Blocks have some 40 KiB on
 * a GPU and 64 KiB on a CPU. Keys of more than 16 bytes stay where they are while their 32- or 64-bit indices are
 * sorted, and are fetched once at the end. Scratch: one array of the size of out, and up to three indices for each
 * tile. Keys of more than 16 bytes need two arrays of indices instead, and in place also an array of the size of out.
 * Integers that are counted need tables of 256 or 65536 counts instead: several tables per core. Returns once the work
 * is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, out is too short or overlaps, sort_method is unknown).
 * MCL_ERROR_ARGUMENT also for bits that are out of range or given to mergesort. MCL_ERROR_TYPE (keys and out are not of
 * one type). MCL_ERROR_UNSUPPORTED, MCL_ERROR_BUILD, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * S. Baxter, Modern GPU (2013), "Mergesort"; O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012). */
MCL_API mcl_status mcl_sort(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                            const mcl_options *options);

/* Does the same as mcl_sort, and moves the value of each key with it. values has any type, and at least as many
 * elements as keys. keys gives the count; a count slot of values is ignored. out_keys may be exactly the range of keys,
 * and out_values exactly the range of values; nothing else may overlap. Neither output can be left out: mcl_sort sorts
 * keys without values. Values of more than 16 bytes are fetched once at the end, like keys of more than 16 bytes.
 * Scratch: as much for the keys as in mcl_sort needs, and as much again for the values. */
MCL_API mcl_status mcl_sort_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                  mcl_output out_values, const mcl_op *before, const mcl_options *options);

/* Gives the order of keys as indices: out[k] = the index in keys of the key that mcl_sort puts at index k. The keys do
 * not change. out is MCL_INT32 (MCL_ERROR_TYPE where keys.count is above 2147483647) or MCL_INT64, and may not overlap
 * what is read. Scratch: two arrays of keys and one of indices; for keys of more than 16 bytes, one array of
 * indices. */
MCL_API mcl_status mcl_sort_indices(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                                    const mcl_options *options);

/* A column of keys, and its order. */
typedef struct mcl_key_column {
    mcl_input keys;       /* any input */
    const mcl_op *before; /* strict weak order: MCL_LESS, MCL_GREATER or your own */
} mcl_key_column;

/* Finds the order of a table's rows by several key columns. out[i] = the index of the row that is i-th in the order.
 *
 * Rows are ordered by their keys in the first column. Rows with equal keys there are ordered by the next column, and so
 * on. Stable: rows that are equal in all columns keep their order.
 *
 * keys      key_count columns, the most significant first, each with any type and its own order. The number of rows is
 *           the count of keys[0].keys, which may be on the device. The other columns have at least as many elements,
 *           and their count slots are ignored. The columns do not change
 * key_count 1 or more
 * out       MCL_INT32 (MCL_ERROR_TYPE for more than 2147483647 rows) or MCL_INT64, at least as many elements as rows;
 *           may not overlap what is read. Elements past a count from the device keep their content.
 *
 * Floats are ordered as in mcl_sort: NaN after every number (with MCL_GREATER before), all NaN equal, -0 equal to +0.
 * The description of other orders in mcl_sort holds here too: every element of out receives the index of some row.
 *
 * Cost: neighbouring columns of built-in types in built-in orders share words of up to 64 bits. Each word needs one
 * stable radix sort with indices, by the bits of the word. The sorts begin with the last word. Each earlier word is
 * first gathered in the order found so far. A column with an order of your own is gathered and needs a mergesort.
 * Columns that are expressions are stored once.
 * Scratch: the scratch of mcl_sort_pairs on a word or a column, a word per row, and the columns of a word that are
 * stored or gathered. Returns once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (no column, a column is too short, a range does not fit its buffer, out is too short or
 * overlaps). MCL_ERROR_TYPE, MCL_ERROR_UNSUPPORTED, MCL_ERROR_BUILD, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * LSD radix sort with words for digits: D. Knuth, The Art of Computer Programming, volume 3, 5.2.5. */
MCL_API mcl_status mcl_sort_columns_indices(mcl_queue *queue, const mcl_key_column *keys, int key_count, mcl_output out,
                                            const mcl_options *options);

/* Moves columns of values into the order that mcl_sort_columns_indices gives. columns[c].out[i] = the value of the row
 * that is i-th in the order.
 *
 * columns      column_count columns of any types. An out may be exactly its in (in place). An out may also be what a
 *              key column reads: all keys are read before the first value is stored. No out may overlap another in or
 *              out. Elements past a count from the device keep their content.
 * column_count 0 or more; with 0 columns may be NULL
 *
 * keys, order and errors as in mcl_sort_columns_indices. Cost: also a gather for each column, and a copy for each one
 * in place. Scratch: also an index per row, and one such column. */
MCL_API mcl_status mcl_sort_columns(mcl_queue *queue, const mcl_key_column *keys, int key_count,
                                    const mcl_column *columns, int column_count, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
