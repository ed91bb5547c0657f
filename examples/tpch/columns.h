/* columns.h: the columns that the queries read, as files and on the device. */
#ifndef TPCH_COLUMNS_H
#define TPCH_COLUMNS_H

#include <moderncl/moderncl.h>

/* Texts of a fixed width, with zeros at the end. Both are numbers of bytes that structs align well. */
typedef struct text20 {
    uint8_t bytes[20];
} text20;
typedef struct text56 {
    uint8_t bytes[56];
} text56;
extern const mcl_type text20_type, text56_type;

/* Elements of one type on the device. */
typedef struct column {
    const mcl_type *type;
    mcl_buffer *buffer;
    int64_t count;
} column;

mcl_input column_input(const column *of);
mcl_output column_output(const column *of);
mcl_binding column_binding(const char *name, const column *of);

/* Each column's name, type and moderncl's type. Dates are days since 1970, decimals are hundredths. Flags are letters.
 * The file NAME.TYPE has a column's elements, as the export writes them. */
#define COLUMN_LIST(X)                                                                                                 \
    X(l_orderkey, int32, MCL_INT32)                                                                                    \
    X(l_partkey, int32, MCL_INT32)                                                                                     \
    X(l_suppkey, int32, MCL_INT32)                                                                                     \
    X(l_quantity, int64, MCL_INT64)                                                                                    \
    X(l_extendedprice, int64, MCL_INT64)                                                                               \
    X(l_discount, int64, MCL_INT64)                                                                                    \
    X(l_tax, int64, MCL_INT64)                                                                                         \
    X(l_returnflag, uint8, MCL_UINT8)                                                                                  \
    X(l_linestatus, uint8, MCL_UINT8)                                                                                  \
    X(l_shipdate, int32, MCL_INT32)                                                                                    \
    X(o_orderkey, int32, MCL_INT32)                                                                                    \
    X(o_custkey, int32, MCL_INT32)                                                                                     \
    X(o_totalprice, int64, MCL_INT64)                                                                                  \
    X(o_orderdate, int32, MCL_INT32)                                                                                   \
    X(o_shippriority, int32, MCL_INT32)                                                                                \
    X(c_custkey, int32, MCL_INT32)                                                                                     \
    X(c_name, text20, &text20_type)                                                                                    \
    X(c_nationkey, int32, MCL_INT32)                                                                                   \
    X(c_mktsegment, uint8, MCL_UINT8)                                                                                  \
    X(p_partkey, int32, MCL_INT32)                                                                                     \
    X(p_name, text56, &text56_type)                                                                                    \
    X(ps_partkey, int32, MCL_INT32)                                                                                    \
    X(ps_suppkey, int32, MCL_INT32)                                                                                    \
    X(ps_supplycost, int64, MCL_INT64)                                                                                 \
    X(s_suppkey, int32, MCL_INT32)                                                                                     \
    X(s_nationkey, int32, MCL_INT32)

/* Nations and regions are few: the host keeps them, and the words that codes stand for. */
enum { NATIONS = 25, WORDS_MOST = 32, WORD_BYTES = 28 };
typedef struct word_list {
    int count;
    char text[WORDS_MOST][WORD_BYTES];
} word_list;

typedef struct columns {
#define X(name, file_type, type) column name;
    COLUMN_LIST(X)
#undef X
    word_list segments; /* by code of c_mktsegment */
    word_list nations;  /* by n_nationkey */
    word_list regions;  /* by r_regionkey */
    int32_t region_of_nation[NATIONS];
} columns;

/* Reads all files of a folder to the device, with a bar on stderr, and checks them (columns_check). Returns 0, or -1
 * after a sentence on stderr. */
int columns_load(columns *loaded, mcl_context *context, mcl_queue *queue, const char *folder);
void columns_release(columns *released);

/* Checks that the columns of a table have one length, that values are in the ranges that the queries rely on, and that
 * keys ascend and refer to keys that are there. Returns 0, or -1 after a sentence on stderr. */
int columns_check(const columns *loaded, mcl_queue *queue);

/* The index of a word; -1: it is not there. */
int words_find(const word_list *list, const char *word);

#endif
