/* test_golden.c: known results of reduce, scan and transform, on every device with every kind of tile. */
#include "golden_run.h"

/* ---- reduce and scan ------------------------------------------------------------------------------------ */

static void expect_scan(run *at, const char *label, mcl_input in, const mcl_op *op, mcl_scan_kind kind)
{
    const mcl_output out = run_output(at, (int)in.count);

    test_ok(mcl_scan(at->queue, in, out, op, kind, mcl_to_nowhere(), &at->options));
    run_expect(at, label, out);
}

static void expect_sum(run *at, const char *label, mcl_input in)
{
    int32_t total = 0;

    test_ok(mcl_reduce(at->queue, in, MCL_ADD, mcl_to_host(MCL_INT32, &total), &at->options));
    golden_same(&at->file, label, &total, 1);
}

START_TEST(sums_of_the_scan_demonstration)
{
    run at = run_begin(_i, "demo-scan");
    const mcl_input in = run_input(&at, "data");
    const mcl_output in_place = mcl_to_buffer(MCL_INT32, in.buffer, 0, in.count);
    int32_t total = 0;

    expect_sum(&at, "reduction", in);
    expect_scan(&at, "inclusive_scan", in, MCL_ADD, MCL_INCLUSIVE);
    test_ok(mcl_scan(at.queue, in, in_place, MCL_ADD, MCL_EXCLUSIVE, mcl_to_host(MCL_INT32, &total), &at.options));
    golden_same(&at.file, "scan_total", &total, 1);
    run_expect(&at, "exclusive_scan", in_place);
    run_end(&at);
}
END_TEST

START_TEST(sums_that_other_examples_print)
{
    static const char *const scans[][5] = {
        { "scan-kogge-stone-20", "data", "exclusive", "inclusive", "reduction" },
        { "scan-upsweep-spine-downsweep-100", "data", "exclusive_scan", NULL, NULL },
        { "load-balance-walk-40", "counts", "exclusive_scan", "inclusive_scan", "total" },
        { "intro-expand", "counts", "exclusive_scan", NULL, "total" },
        { "bulk-insert-walk-100", "counters", "counter_scan", NULL, NULL },
        { "demo-load-balance", "counts", "scan", NULL, "total" },
    };

    for (size_t k = 0; k < sizeof scans / sizeof scans[0]; k++) {
        run at = run_begin(_i, scans[k][0]);
        const mcl_input in = run_input(&at, scans[k][1]);
        expect_scan(&at, scans[k][2], in, MCL_ADD, MCL_EXCLUSIVE);
        if (scans[k][3]) expect_scan(&at, scans[k][3], in, MCL_ADD, MCL_INCLUSIVE);
        if (scans[k][4]) expect_sum(&at, scans[k][4], in);
        run_end(&at);
    }
}
END_TEST

/* Expects the position of the largest or smallest number, from a reduction and from scans that store positions. */
static void expect_extreme(run *at, mcl_input in, const mcl_op *op, const char *const labels[3])
{
    mcl_int32_at found = { 0, 0 };

    test_ok(mcl_reduce(at->queue, in, op, mcl_to_host(MCL_INT32_AT, &found), &at->options));
    const int32_t pair[2] = { found.value, found.index };
    golden_same(&at->file, labels[0], pair, 2);
    expect_scan(at, labels[1], in, op, MCL_EXCLUSIVE);
    if (labels[2]) expect_scan(at, labels[2], in, op, MCL_INCLUSIVE);
}

START_TEST(extremes_of_the_max_index_demonstration)
{
    static const char *const largest[3] = { "reduction_value_index", "exclusive_scan_index", "inclusive_scan_index" };
    static const char *const smallest[3] = { "min_index_reduction_value_index", "min_index_exclusive_scan_index",
                                             NULL };
    run at = run_begin(_i, "demo-max-index");
    const mcl_input in = run_input(&at, "data");
    const mcl_output in_place = mcl_to_buffer(MCL_INT32, in.buffer, 0, in.count);
    mcl_int32_at total = { 0, 0 };

    expect_extreme(&at, in, MCL_MAX_INDEX, largest);
    expect_extreme(&at, in, MCL_MIN_INDEX, smallest);
    test_ok(
        mcl_scan(at.queue, in, in_place, MCL_MAX_INDEX, MCL_EXCLUSIVE, mcl_to_host(MCL_INT32_AT, &total), &at.options));
    const int32_t pair[2] = { total.value, total.index };
    golden_same(&at.file, "scan_total_value_index", pair, 2);
    run_expect(&at, "exclusive_scan_index", in_place);
    run_end(&at);
}
END_TEST

/* Makes the passes of a scan. Each pass adds to every number the number `reach` places before it. */
static mcl_output expect_passes(run *at, mcl_output from, const char *prefix)
{
    char label[64];

    for (int32_t reach = 1; reach < from.capacity; reach *= 2) {
        const mcl_output to = run_output(at, (int)from.capacity);
        const mcl_binding bindings[] = {
            mcl_binding_buffer("x", MCL_INT32, from.buffer, 0),
            mcl_binding_value("reach", MCL_INT32, &reach),
        };
        const mcl_input sums = mcl_from_expression(MCL_INT32, "(int)i >= reach ? x[i] + x[i - reach] : x[i]", NULL,
                                                   bindings, 2, from.capacity);
        test_ok(mcl_transform(at->queue, sums, to, &at->options));
        snprintf(label, sizeof label, "%s%d", prefix, reach);
        run_expect(at, label, to);
        from = to;
    }
    return from;
}

START_TEST(passes_of_the_kogge_stone_scan)
{
    run at = run_begin(_i, "scan-kogge-stone-20");
    const mcl_input in = run_input(&at, "data");

    const mcl_output last = expect_passes(&at, mcl_to_buffer(MCL_INT32, in.buffer, 0, in.count), "pass_offset_");
    run_expect(&at, "inclusive", last);
    run_end(&at);
}
END_TEST

/* Each of 20 parts is reduced into its slot, and then the sums are scanned. */
START_TEST(partial_sums_of_the_three_phase_scan)
{
    run at = run_begin(_i, "scan-upsweep-spine-downsweep-100");
    const mcl_input in = run_input(&at, "data");
    const int parts = golden_need(&at.file, "partials")->count;
    const int64_t length = in.count / parts;
    const mcl_output partials = run_output(&at, parts);

    for (int k = 0; k < parts; k++)
        test_ok(mcl_reduce(at.queue, mcl_from_buffer(MCL_INT32, in.buffer, k * length, length), MCL_ADD,
                           mcl_to_slot(MCL_INT32, partials.buffer, k), &at.options));
    run_expect(&at, "partials", partials);
    expect_passes(&at, partials, "spine_pass_offset_");
    expect_scan(&at, "exclusive_partials", mcl_from_buffer(MCL_INT32, partials.buffer, 0, parts), MCL_ADD,
                MCL_EXCLUSIVE);
    run_end(&at);
}
END_TEST

/* ---- order of folding ------------------------------------------------------------------------------------ */

MCL_SOURCE(digits_source,
    typedef struct digits { uint64_t written; uint64_t count; } digits;
    static inline digits digits_of(int32_t x)
    {
        digits one;
        one.written = (uint64_t)x;
        one.count = 1;
        return one;
    }
    static inline digits digits_append(digits p, digits q)
    {
        p.written = (p.written << (4 * q.count)) | q.written;
        p.count += q.count;
        return p;
    }
)

/* The operator appends numbers and does not commute, so the result shows the order of the folds. */
START_TEST(reduction_keeps_the_order)
{
    run at = run_begin(_i, "ctareduce-order-16");
    const mcl_type type = MCL_TYPE(digits, digits_source);
    const mcl_op append = {
        .role = MCL_ROLE_FOLD,
        .expression = "digits_append(p, q)",
        .source = digits_source,
        .value = &type,
        .extract = "digits_of(x)",
    };
    const int32_t zero = 0;
    const int count = golden_int(&at.file, "n");
    digits all = digits_append(digits_of(0), digits_of(0));
    int32_t order[16];

    ck_assert_int_eq(count, 16);
    test_ok(mcl_reduce(at.queue, mcl_from_counting(MCL_INT32, &zero, count), &append, mcl_to_host(&type, &all),
                       &at.options));
    ck_assert_int_eq((int)all.count, count);
    for (int k = 0; k < count; k++) order[k] = (int32_t)(all.written >> (4 * (count - 1 - k)) & 15);
    golden_same(&at.file, "fold_order_permuted", order, count);
    run_end(&at);
}
END_TEST

/* ---- transform and scatter -------------------------------------------------------------------------------- */

START_TEST(sequence_of_the_library_example)
{
    run at = run_begin(_i, "library-fill-sort");
    const int32_t *told = golden_need(&at.file, "a_count_first_step")->ints;
    const mcl_output out = run_output(&at, told[0]);

    test_ok(mcl_transform(at.queue, mcl_from_step(MCL_INT32, &told[1], &told[2], told[0]), out, &at.options));
    run_expect(&at, "a", out);
    run_end(&at);
}
END_TEST

/* Letters are repeated by counts: a scan, a scatter of the positions with a count above 0, a scan of the largest, and a
 * gather. */
START_TEST(expansion_of_the_introduction)
{
    run at = run_begin(_i, "intro-expand");
    const mcl_input counts = run_input(&at, "counts");
    const mcl_input letters = run_input(&at, "values");
    const int total = golden_int(&at.file, "total");
    const mcl_output starts = run_output(&at, (int)counts.count);
    const mcl_output rows = run_output(&at, total);
    const mcl_output expanded = run_output(&at, total);
    const int32_t zero = 0;
    const mcl_binding bindings[] = {
        mcl_binding_buffer("letters", MCL_INT32, letters.buffer, 0),
        mcl_binding_buffer("rows", MCL_INT32, rows.buffer, 0),
    };

    test_ok(mcl_scan(at.queue, counts, starts, MCL_ADD, MCL_EXCLUSIVE, mcl_to_nowhere(), &at.options));
    test_ok(mcl_transform(at.queue, mcl_from_constant(MCL_INT32, &zero, total), rows, &at.options));
    test_ok(mcl_scatter_flagged(at.queue, mcl_from_counting(MCL_INT32, &zero, counts.count),
                                mcl_from_buffer(MCL_INT32, starts.buffer, 0, counts.count), counts, rows, &at.options));
    run_expect(&at, "scatter_if", rows);
    test_ok(mcl_scan(at.queue, mcl_from_buffer(MCL_INT32, rows.buffer, 0, total), rows, MCL_MAX, MCL_INCLUSIVE,
                     mcl_to_nowhere(), &at.options));
    run_expect(&at, "inclusive_max_scan", rows);
    test_ok(mcl_transform(at.queue, mcl_from_expression(MCL_INT32, "letters[rows[i]]", NULL, bindings, 2, total),
                          expanded, &at.options));
    run_expect(&at, "expanded", expanded);
    run_end(&at);
}
END_TEST

static void add(TCase *tcase, int device)
{
    const TTest *const tests[] = {
        sums_of_the_scan_demonstration,  sums_that_other_examples_print,       extremes_of_the_max_index_demonstration,
        passes_of_the_kogge_stone_scan,  partial_sums_of_the_three_phase_scan, reduction_keeps_the_order,
        sequence_of_the_library_example, expansion_of_the_introduction,
    };

    tcase_set_timeout(tcase, 600);
    for (size_t k = 0; k < sizeof tests / sizeof tests[0]; k++) test_add_loop(tcase, tests[k], device, RUN_TILES);
}

int main(void)
{
    return test_main("golden", add);
}
