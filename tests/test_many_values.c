/* test_many_values.c: calls of 1 to 16 values: aggregates of a group-by, columns of a compaction and of a join. They
 * run as in applications: in the default tiles of both mappings, and optimised. */
#include "support/arrays.h"

enum { COUNT = 20000, GROUPS = 37, VALUES_MOST = 16, JOINED = 3000, MAPPINGS = 2, KINDS = 2 };

/* The device's own mapping and the group mapping, each with its own context. */
typedef struct mapped {
    mcl_context *context;
    mcl_queue *queue;
} mapped;

static mapped mapped_begin(int device, int mapping)
{
    mapped made = { NULL, NULL };

    made.context = mapping == 1 ? test_context_with(device, "mapping=group") : test_context(device);
    test_ok(mcl_queue_create(made.context, 0, &made.queue));
    return made;
}

static void mapped_end(const mapped *m)
{
    mcl_queue_release(m->queue);
    mcl_context_release(m->context);
}

static mcl_buffer *buffer_of(const mapped *m, const void *data, size_t bytes)
{
    mcl_buffer *buffer = NULL;

    test_ok(mcl_buffer_create(m->context, bytes, data, &buffer));
    return buffer;
}

/* Returns the value of element k. Values are int32_t, or doubles with the same numbers, so that sums are exact. List c
 * of them begins at element c of one array. */
static int32_t value_of(int64_t k)
{
    return (int32_t)(k * 7919 % 2003) - 1000;
}

/* Returns the key of element k. All keys occur, and some neighbours are equal. */
static int32_t key_of(int64_t k)
{
    return (int32_t)(k * 7 / 3 % GROUPS) - GROUPS / 2;
}

static const mcl_type *kind_type(int kind)
{
    return kind ? MCL_DOUBLE : MCL_INT32;
}

static mcl_buffer *values_of(const mapped *m, int kind)
{
    static int32_t whole[COUNT + VALUES_MOST];
    static double real[COUNT + VALUES_MOST];

    for (int k = 0; k < COUNT + VALUES_MOST; k++) whole[k] = value_of(k);
    for (int k = 0; k < COUNT + VALUES_MOST; k++) real[k] = whole[k];
    return kind ? buffer_of(m, real, sizeof real) : buffer_of(m, whole, sizeof whole);
}

static double number_at(const void *list, int kind, int64_t k)
{
    return kind ? ((const double *)list)[k] : ((const int32_t *)list)[k];
}

/* ---- aggregates ------------------------------------------------------------------------------------------------- */

static const mcl_op *op_of(int c)
{
    static const mcl_op *const ops[] = { MCL_ADD, MCL_MIN, MCL_MAX };

    return ops[c % 3];
}

/* Computes the aggregates of each group. */
static void fold_all(double all[VALUES_MOST][GROUPS])
{
    int is_there[GROUPS] = { 0 };

    for (int64_t k = 0; k < COUNT; k++) {
        const int group = key_of(k) + GROUPS / 2;
        for (int c = 0; c < VALUES_MOST; c++) {
            const double value = value_of(k + c);
            double *const one = &all[c][group];
            if (!is_there[group])
                *one = value;
            else if (op_of(c) == MCL_ADD)
                *one += value;
            else if (op_of(c) == MCL_MIN ? value < *one : value > *one)
                *one = value;
        }
        is_there[group] = 1;
    }
}

static void aggregates_are_right(const mapped *m, int kind, mcl_buffer *keys, mcl_buffer *values, int count)
{
    static double expected[VALUES_MOST][GROUPS];
    mcl_aggregate aggregates[VALUES_MOST];
    mcl_buffer *out[VALUES_MOST];
    double found[GROUPS];
    int32_t number = 0;

    fold_all(expected);
    for (int c = 0; c < count; c++) {
        out[c] = buffer_of(m, NULL, sizeof found);
        aggregates[c] = (mcl_aggregate){ mcl_from_buffer(kind_type(kind), values, c, COUNT), op_of(c),
                                         mcl_to_buffer(kind_type(kind), out[c], 0, GROUPS) };
    }
    test_ok(mcl_group_by(m->queue, ints(keys, COUNT), (mcl_output){ 0 }, aggregates, count,
                         mcl_to_host(MCL_INT32, &number), NULL));
    ck_assert_int_eq(number, GROUPS);
    for (int c = 0; c < count; c++) {
        test_ok(mcl_buffer_read(m->queue, out[c], 0, sizeof found, found));
        for (int g = 0; g < GROUPS; g++)
            ck_assert_msg(number_at(found, kind, g) == expected[c][g],
                          "%d aggregates of type %d: group %d of aggregate %d is %g instead of %g", count, kind, g, c,
                          number_at(found, kind, g), expected[c][g]);
        mcl_buffer_release(out[c]);
    }
}

/* With three aggregates POCL's inliner crashed in the kernel that folds them (3.1, 6.0 and 7.1). */
START_TEST(a_group_has_any_number_of_aggregates)
{
    static int32_t keys[COUNT];
    const int device = _i / (MAPPINGS * KINDS), kind = _i % KINDS;

    if (kind && !test_device_at(device)->info.has_double) return;
    if (!test_takes_half(_i / KINDS + kind)) return;
    const mapped m = mapped_begin(device, _i / KINDS % MAPPINGS);
    for (int k = 0; k < COUNT; k++) keys[k] = key_of(k);
    mcl_buffer *in_keys = buffer_of(&m, keys, sizeof keys);
    mcl_buffer *values = values_of(&m, kind);
    for (int count = 1; count <= VALUES_MOST; count++) aggregates_are_right(&m, kind, in_keys, values, count);
    mcl_buffer_release(values);
    mcl_buffer_release(in_keys);
    mapped_end(&m);
}
END_TEST

/* ---- columns ---------------------------------------------------------------------------------------------------- */

/* Checks that row r of column c is the value of element from[r], or 0 where from[r] is no index. */
static void column_is_right(const mapped *m, int kind, int c, int count, mcl_buffer *out, const int32_t *from, int rows)
{
    double found[JOINED];

    test_ok(mcl_buffer_read(m->queue, out, 0, sizeof found, found));
    for (int r = 0; r < rows; r++) {
        const double expected = from[r] < 0 ? 0 : value_of(from[r] + c);
        ck_assert_msg(number_at(found, kind, r) == expected,
                      "%d columns of type %d: row %d of column %d is %g instead of %g", count, kind, r, c,
                      number_at(found, kind, r), expected);
    }
}

static void compaction_is_right(const mapped *m, int kind, mcl_buffer *values, int count)
{
    static const mcl_op fifths = { .role = MCL_ROLE_TEST, .expression = "x % 5 == 2" };
    mcl_column columns[VALUES_MOST];
    mcl_buffer *out[VALUES_MOST];
    int32_t from[JOINED / 5], number = 0;

    for (int c = 0; c < count; c++) {
        out[c] = buffer_of(m, NULL, JOINED * sizeof(double));
        columns[c] = (mcl_column){ mcl_from_buffer(kind_type(kind), values, c, JOINED),
                                   mcl_to_buffer(kind_type(kind), out[c], 0, JOINED) };
    }
    test_ok(mcl_compact_columns(m->queue, ints_counting(JOINED), (mcl_output){ 0 }, columns, count, &fifths,
                                mcl_to_host(MCL_INT32, &number), NULL));
    ck_assert_int_eq(number, JOINED / 5);
    for (int r = 0; r < JOINED / 5; r++) from[r] = 5 * r + 2;
    for (int c = 0; c < count; c++) {
        column_is_right(m, kind, c, count, out[c], from, number);
        mcl_buffer_release(out[c]);
    }
}

/* Checks a join in which b has every second key of a, once. */
static void join_is_right(const mapped *m, int kind, mcl_buffer *values, int count)
{
    static const int32_t zero = 0, two = 2;
    const mcl_input a = mcl_from_counting(MCL_INT32, &zero, JOINED);
    const mcl_input b = mcl_from_step(MCL_INT32, &zero, &two, JOINED / 2);
    mcl_join_column columns[2][VALUES_MOST];
    mcl_buffer *out[2][VALUES_MOST];
    int32_t from[2][JOINED], number = 0;

    for (int side = 0; side < 2; side++)
        for (int c = 0; c < count; c++) {
            out[side][c] = buffer_of(m, NULL, JOINED * sizeof(double));
            columns[side][c] =
                (mcl_join_column){ mcl_from_buffer(kind_type(kind), values, c, side ? JOINED / 2 : JOINED),
                                   mcl_to_buffer(kind_type(kind), out[side][c], 0, JOINED), NULL };
        }
    test_ok(mcl_join_columns(m->queue, MCL_JOIN_LEFT, a, b, columns[0], count, columns[1], count, (mcl_output){ 0 },
                             MCL_LESS, mcl_to_host(MCL_INT32, &number), NULL));
    ck_assert_int_eq(number, JOINED);
    for (int r = 0; r < JOINED; r++) {
        from[0][r] = r;
        from[1][r] = r % 2 ? -1 : r / 2;
    }
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < count; c++) {
            column_is_right(m, kind, c, count, out[side][c], from[side], number);
            mcl_buffer_release(out[side][c]);
        }
}

/* Four columns share a launch. Above six, every fifth number of columns is tested. */
START_TEST(rows_have_any_number_of_columns)
{
    const int device = _i / (MAPPINGS * KINDS), kind = _i % KINDS;

    if (kind && !test_device_at(device)->info.has_double) return;
    if (!test_takes_half(_i / KINDS + kind + 1)) return;
    const mapped m = mapped_begin(device, _i / KINDS % MAPPINGS);
    mcl_buffer *values = values_of(&m, kind);
    for (int count = 1; count <= VALUES_MOST; count += count < 6 ? 1 : 5) {
        compaction_is_right(&m, kind, values, count);
        join_is_right(&m, kind, values, count);
    }
    mcl_buffer_release(values);
    mapped_end(&m);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, a_group_has_any_number_of_aggregates, device, MAPPINGS * KINDS);
    test_add_loop(tcase, rows_have_any_number_of_columns, device, MAPPINGS * KINDS);
}

int main(void)
{
    return test_main("many_values", add);
}
