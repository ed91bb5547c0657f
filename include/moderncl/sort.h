/* sort.h: sorts a sequence, and the rows of a table. */
#ifndef MODERNCL_SORT_H
#define MODERNCL_SORT_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts keys.
 *
 * out[0 .. keys.count) gets the keys in the order of before. Stable: equal keys (neither sorts before the other) keep
 * their order (std::stable_sort), with MCL_GREATER as well.
 *
 * keys      any input
 * out       output of the keys' type, at least keys.count elements. May be exactly the buffer range that keys are (in
 *           place); may not overlap anything else that is read. What lies past a count from the device stays as it is.
 * before    strict weak order: nonzero when p sorts before q; MCL_LESS, MCL_GREATER or your own. With an order that is
 *           true for equal keys too ("p <= q"), each key comes out once and in order, equal keys in any order. With an
 *           order that contradicts itself ("p != q", "p < q" of floats with NaN) every index gets one key and one value
 *           of the inputs. Some may come more than once and others not at all. The call ends, and writes nothing else.
 *
 * options->sort_method chooses the method, and MCL_SORT_AUTO takes the faster one. Mergesort (MCL_SORT_MERGE) serves
 * every type and order. Radix sort (MCL_SORT_RADIX) is for built-in types with MCL_LESS, MCL_GREATER or a copy of
 * these. With options->first_bit and end_bit it orders by these bits of the keys alone. For other types or orders
 * MCL_SORT_RADIX is MCL_ERROR_UNSUPPORTED. On processors MCL_SORT_AUTO counts integers of 8 or 16 bits with MCL_LESS or
 * MCL_GREATER, where they are many: it reads each once, and writes each value as often as it occurs.
 *
 * Cost: mergesort reads and writes each key once for the blocks, and once for every doubling from the length of a
 * block to that of keys; on a GPU once for every fourfold length, where keys are many. Blocks have some 40 KiB on a
 * GPU and 64 KiB on a CPU. Keys of more than 16 bytes stay where they are while their 32- or 64-bit indices are
 * sorted, and are fetched once at the end. Scratch: one array of the size of out, and up to three indices for each
 * tile. Keys of more than 16 bytes take two arrays of indices instead, and in place also an array of the size of out.
 * Integers that are counted take tables of 256 or 65536 counts instead: several tables for each core.
 * Returns once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, out is too short or overlaps, sort_method is unknown).
 * MCL_ERROR_ARGUMENT also for bits that are out of range or given to mergesort. MCL_ERROR_TYPE (keys and out are not of
 * one type). MCL_ERROR_UNSUPPORTED, MCL_ERROR_BUILD, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * S. Baxter, Modern GPU (2013), "Mergesort"; O. Green, R. McColl, D. Bader, "GPU Merge Path" (2012). */
MCL_API mcl_status mcl_sort(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                            const mcl_options *options);

/* Does the same as mcl_sort with keys that take their values with them. values are of any type, as many as keys at
 * least. keys gives the count: a count slot of values is not looked at. out_keys may be exactly keys' range and
 * out_values exactly values'; nothing else may overlap. Neither output can be left out: mcl_sort sorts keys without
 * values. Values of more than 16 bytes are fetched once at the end, like keys of more than 16 bytes. Scratch: as much
 * for the keys as mcl_sort takes, and as much again for the values. */
MCL_API mcl_status mcl_sort_pairs(mcl_queue *queue, mcl_input keys, mcl_input values, mcl_output out_keys,
                                  mcl_output out_values, const mcl_op *before, const mcl_options *options);

/* Gives the order of keys as indices: out[k] = the index in keys of the key that mcl_sort puts at index k. The keys
 * stay as they are. out is MCL_INT32 (MCL_ERROR_TYPE where keys.count is above 2147483647) or MCL_INT64, and may not
 * overlap what is read. Scratch: two arrays of keys and one of indices; keys of more than 16 bytes: one of indices. */
MCL_API mcl_status mcl_sort_indices(mcl_queue *queue, mcl_input keys, mcl_output out, const mcl_op *before,
                                    const mcl_options *options);

/* A column of keys, and its order. */
typedef struct mcl_key_column {
    mcl_input keys;       /* any input */
    const mcl_op *before; /* strict weak order: MCL_LESS, MCL_GREATER or your own */
} mcl_key_column;

/* Finds the order of a table's rows by several key columns. out[i] = the index of the row that belongs at i.
 *
 * A row comes before another one where its key in the first column does. Rows with equal keys in the first column are
 * ordered by the next column, and so on. Stable: rows that are equal in all columns keep their order.
 *
 * keys      key_count columns, the most significant first, each of any type and in an order of its own. The number of
 *           rows is the count of keys[0].keys, which may live on the device. The other columns have as many elements or
 *           more, and their count slots are not looked at. The columns stay as they are.
 * key_count 1 or more
 * out       MCL_INT32 (MCL_ERROR_TYPE for more than 2147483647 rows) or MCL_INT64, at least as many elements as rows;
 *           may not overlap what is read. What lies past a count from the device stays as it is.
 *
 * Floats are ordered as in mcl_sort: NaN after every number (with MCL_GREATER before), all NaN equal, -0 equal to +0.
 * What mcl_sort says of other orders holds here too: every element of out gets the index of one of the rows.
 *
 * Cost: neighbouring columns of built-in types in built-in orders share words of up to 64 bits. Each word takes one
 * stable radix sort with indices, by the bits that the word has. The sorts begin with the last word. Each earlier word
 * is first gathered through the order so far. A column with an order of its own is gathered and takes a mergesort.
 * Columns that are expressions are stored once.
 * Scratch: that of mcl_sort_pairs on a word or a column, a word of each row, and the columns of a word that are stored
 * or gathered. Returns once the work is enqueued.
 * Errors: MCL_ERROR_ARGUMENT (no column, a column is too short, a range does not fit its buffer, out is too short or
 * overlaps). MCL_ERROR_TYPE, MCL_ERROR_UNSUPPORTED, MCL_ERROR_BUILD, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * LSD radix sort with words for digits: D. Knuth, The Art of Computer Programming, volume 3, 5.2.5. */
MCL_API mcl_status mcl_sort_columns_indices(mcl_queue *queue, const mcl_key_column *keys, int key_count, mcl_output out,
                                            const mcl_options *options);

/* Moves columns of values into the order that mcl_sort_columns_indices gives. columns[c].out[i] = the value of the row
 * that belongs at i.
 *
 * columns      column_count columns of any types. An out may be exactly its in (in place). An out may also be what a
 *              key column reads: all keys are read before the first value is stored. No out may overlap another in or
 *              out. What lies past a count from the device stays as it is.
 * column_count 0 or more; with 0 columns may be NULL
 *
 * keys, order and errors as in mcl_sort_columns_indices. Cost: also a gather for each column, and a copy for each one
 * in place. Scratch: an index of each row and one such column besides. */
MCL_API mcl_status mcl_sort_columns(mcl_queue *queue, const mcl_key_column *keys, int key_count,
                                    const mcl_column *columns, int column_count, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
