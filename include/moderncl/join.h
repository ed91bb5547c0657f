/* join.h: relational joins: the pairs of equal keys of two sequences, and rows for keys without a partner. */
#ifndef MODERNCL_JOIN_H
#define MODERNCL_JOIN_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mcl_join_kind {
    MCL_JOIN_INNER = 0, /* a row for each pair of equal keys */
    MCL_JOIN_LEFT,      /* the inner rows, and a row for each key of a without an equal key in b */
    MCL_JOIN_RIGHT,     /* the inner rows, then a row for each key of b without an equal key in a */
    MCL_JOIN_OUTER,     /* the left rows, then a row for each key of b without an equal key in a */
    MCL_JOIN_SEMI,      /* a row for each key of a with an equal key in b */
    MCL_JOIN_ANTI       /* a row for each key of a without an equal key in b */
} mcl_join_kind;

/* Joins two sorted sequences, in which keys may repeat. Keys are equal where neither sorts before the other.
 *
 * A row is a pair of indices: (out_a[k], out_b[k]) = (i, j) for equal a[i] and b[j]; -1 stands for no partner. Rows are
 * in the order of a, and rows of one key of a are in the order of b. If a[i] has no partner, MCL_JOIN_LEFT and
 * MCL_JOIN_OUTER have the row (i, -1). The rows (-1, j) of MCL_JOIN_RIGHT and MCL_JOIN_OUTER come last, in the order of
 * b. A key that a has m times and b n times makes m * n rows. Rows of MCL_JOIN_SEMI and MCL_JOIN_ANTI are only indices
 * of a.
 *
 *   a = 100 101 103 103, b = 100 100 102 103
 *   MCL_JOIN_OUTER: (0,0) (0,1) (1,-1) (2,3) (3,3) (-1,2)
 *
 * a, b          sorted inputs of one type
 * out_a, out_b  MCL_INT32 or MCL_INT64 each; 4 bytes are enough where the output's sequence has fewer than 2^31 keys.
 *               These outputs may not overlap what is read, nor each other. They receive the first rows, as many as the
 *               shorter output has room for; with capacity 0 rows are only counted. Either may be (mcl_output){0} if
 *               not wanted, which does not change the other output. Both may be left out if only the count is wanted.
 *               With MCL_JOIN_SEMI and MCL_JOIN_ANTI out_b is ignored
 * before        strict weak order: nonzero when p sorts before q; MCL_LESS, MCL_GREATER or your own
 * count         MCL_INT32, MCL_UINT32 or MCL_INT64: the number of rows, which may be more than were stored, and is
 *               below 2^63
 *
 * If there are more rows than a capacity other than 0, and the count goes to the host, the call is MCL_ERROR_CAPACITY.
 * It has then stored the first rows, and the count is the number of all rows. A count in a device slot is this number
 * too. A later call that takes its count from this slot limits it to its own bound.
 *
 * options->passes  1, 2 or 0, as in set operations. 1: each tile of keys finds its offset among the rows by look-back,
 *                  if the device allows it. 2: the keys are read once more, to count. 0: the library chooses.
 *
 * Inputs that are not sorted give an unspecified count and unspecified rows. So does a before that is no strict weak
 * order (p <= q is none). Some of these rows may not be stored, and others may have numbers that are no indices of a
 * and b. The call still ends, and never touches memory outside the operands. mcl_join_gather reads such rows safely.
 * With MCL_VALIDATE inputs that are not sorted are MCL_ERROR_PRECONDITION and nothing is written.
 * Cost: reads each key once or twice (passes) and writes each row once. Where a tile of keys has more rows than keys,
 * many groups make the rows, and each reads the tile again. Scratch: at most 36 bytes a tile; for MCL_JOIN_RIGHT and
 * MCL_JOIN_OUTER also an index for each key of b. Waits only for a count on the host.
 * Errors: MCL_ERROR_ARGUMENT (a range does not fit its buffer, operands overlap, kind or passes is none of its values).
 * MCL_ERROR_TYPE (a and b are not of one type, an output is too narrow or of no index type, count is of no count type).
 * MCL_ERROR_CAPACITY, MCL_ERROR_BUILD, MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE.
 *
 * S. Baxter, Modern GPU (2013), "Relational Joins"; merge path as mcl_merge, look-back as in mcl_scan. */
MCL_API mcl_status mcl_join(mcl_queue *queue, mcl_join_kind kind, mcl_input a, mcl_input b, mcl_output out_a,
                            mcl_output out_b, const mcl_op *before, mcl_result count, const mcl_options *options);

/* Joins sequences in any order: rows have the indices of keys in the unsorted a and b. First both are copied and sorted
 * with their indices, then mcl_join makes the rows from the copies. So rows are in the order of keys. Rows of equal
 * keys of a are in the order of these keys in a. Rows of one key of a are in the order of its partners in b. The keys
 * of b without a partner come last, sorted.
 *
 * Parameters, options->passes and errors as in mcl_join; options->sort_method as in mcl_sort. A count of 32 bits is
 * MCL_ERROR_TYPE where the outputs have room for more rows than the count's type holds. MCL_VALIDATE checks nothing.
 * Under a before that is no strict weak order the rows and the count are unspecified. Each number that is stored is
 * still -1 or an index.
 * Cost: mcl_sort_pairs of a and of b, a join, and one more access to each row. Scratch: as much as the largest of these
 * takes, and the sorted copies and indices.
 * On processors, under the serial mapping, a small side becomes a hash table, and the large side is not sorted: each of
 * its keys is looked up, and each row is written once. This holds for MCL_JOIN_INNER and MCL_JOIN_SEMI, for
 * MCL_JOIN_LEFT and MCL_JOIN_ANTI where a is the small side, and for MCL_JOIN_RIGHT where b is. Keys are integers,
 * floats or doubles, before is MCL_LESS or MCL_GREATER, passes and sort_method are 0. The parameters
 * join.table_keys_serial, table_ratio_serial and table_least_serial say which sides are small. The rows are the same.
 * Scratch: the table, 4 bytes and an index for each key of the large side, and counts for each key of the small one.
 * From join.bucket_keys_serial keys of the small side on, the large side's bytes and index are there twice. Above 2^20
 * keys of the large side this begins with fewer keys, down to an eighth of them.
 *
 * With MCL_UNORDERED rows may come in any order, and the first rows are any rows. Then one side becomes a hash table,
 * on every device, and the other side is looked up in it. Only the table's side is sorted. The table is made of the
 * smaller side for MCL_JOIN_INNER, of b for MCL_JOIN_LEFT, _SEMI and _ANTI, and of a for MCL_JOIN_RIGHT. This holds for
 * up to join.hash_keys keys in the table, for integers, floats and doubles as keys, and for MCL_LESS or MCL_GREATER as
 * before. Other joins give their usual rows, and so do those with MCL_DETERMINISTIC or MCL_REPRODUCIBLE. Cost:
 * mcl_sort_pairs of the table's side; the other side is read once, and so is a slot of the table for each of its keys.
 * Scratch: the sorted side with its indices, and two to eight slots of 8 bytes (16 for keys of 8 bytes) for each of its
 * keys. */
MCL_API mcl_status mcl_join_unsorted(mcl_queue *queue, mcl_join_kind kind, mcl_input a, mcl_input b, mcl_output out_a,
                                     mcl_output out_b, const mcl_op *before, mcl_result count,
                                     const mcl_options *options);

/* Fetches a column of one side of a join's rows. out[k] = column[rows[k]]; where rows[k] is -1, or any other number
 * that is no index of column, out[k] is the null value.
 *
 * rows        the rows that mcl_join has stored in out_a or out_b: an array of MCL_INT32 or MCL_INT64. A count on the
 *             device (mcl_with_count) limits the array to the rows that exist
 * column      an array of any type: of a or b, in the order of its keys
 * null_value  one element of column's type, copied; NULL: all bytes 0
 * out         output of column's type, as long as rows; may overlap neither rows nor column
 *
 * Cost: reads each index and fetches and writes one element for it. Scratch: none. The call never waits.
 * Errors: MCL_ERROR_ARGUMENT (rows or column is no array, a range does not fit its buffer, out is too short or
 * overlaps). MCL_ERROR_TYPE (rows is of no index type, out is not of column's type). MCL_ERROR_BUILD,
 * MCL_ERROR_UNSUPPORTED, MCL_ERROR_MEMORY, MCL_ERROR_DEVICE. */
MCL_API mcl_status mcl_join_gather(mcl_queue *queue, mcl_input rows, mcl_input column, const void *null_value,
                                   mcl_output out, const mcl_options *options);

/* A column of one side of a join: a value for each key. Each row of a key receives the key's value. */
typedef struct mcl_join_column {
    mcl_input in;           /* an array of any type, at least as long as the side's keys; its count slot is ignored */
    mcl_output out;         /* a value of in's type for each row; {0} if not wanted */
    const void *null_value; /* one element of in's type, copied, for rows without a key of this side; NULL: all bytes
                             * are 0 */
} mcl_join_column;

/* Joins two tables whose keys are in any order, and gives the joined columns themselves instead of row numbers. For row
 * k of mcl_join_unsorted, (i, j), columns_a[c].out[k] is columns_a[c].in[i], and columns_b[c].out[k] is
 * columns_b[c].in[j]. For an index of -1 the null value is stored. Rows are in the order of mcl_join_unsorted.
 *
 * columns_a, columns_b  column_count_a and column_count_b columns of any types; with a count of 0 either may be NULL.
 *                       With MCL_JOIN_SEMI and MCL_JOIN_ANTI columns_b is ignored
 * out_keys              output of the keys' type: the key of each row: the key of a where the row has one, else the key
 *                       of b. May be (mcl_output){0} if not wanted
 *
 * kind, a, b, before, count, options->passes, options->sort_method and MCL_UNORDERED are as in mcl_join_unsorted. The
 * lowest capacity of the wanted outputs is the limit of all. The first rows are stored, up to this limit. With capacity
 * 0, or without outputs, rows are only counted. If there are more rows than the limit, the call is MCL_ERROR_CAPACITY
 * as in mcl_join. No output may overlap another one, or anything that is read.
 *
 * Columns of numbers with at most 8 bytes per key in total are sorted together with their keys. So is a single column
 * of up to 8 bytes. Other columns are fetched by their row numbers from the caller's arrays. If there is room for far
 * more rows than keys, columns are fetched from copies in the order of the sorted keys. The tuning parameter
 * join.move_percent decides (docs/tuning.md): the sort moves a side's columns if the room for rows, in percent of the
 * side's keys, is at least the parameter. The results are the same. With a before that is no strict weak order, values
 * and count are unspecified; no memory outside the operands is accessed.
 * Cost: a sort of each side, a join, and a launch for every four columns of a side. With MCL_JOIN_INNER the large side
 *   is not sorted where mcl_join_unsorted does not sort it. Scratch: as much as the largest of
 *   these takes, sorted copies, and row numbers of 4 or 8 bytes a side for each row that there is room for. The host
 *   keeps some kilobytes for every four columns during the call. The checks of overlap compare all columns with each
 *   other.
 * Waits only for a count on the host.
 * Errors: as in mcl_join_unsorted. MCL_ERROR_ARGUMENT (a column's in is no array or shorter than its side's keys, a
 * count of columns is negative). MCL_ERROR_TYPE (a column's out is not of its in's type, out_keys not of a's). */
MCL_API mcl_status mcl_join_columns(mcl_queue *queue, mcl_join_kind kind, mcl_input a, mcl_input b,
                                    const mcl_join_column *columns_a, int column_count_a,
                                    const mcl_join_column *columns_b, int column_count_b, mcl_output out_keys,
                                    const mcl_op *before, mcl_result count, const mcl_options *options);

#ifdef __cplusplus
}
#endif
#endif
