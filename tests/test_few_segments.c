/* test_few_segments.c: in which cases groups sort segments that are long and few, and do not select in them. */
#include "operations/top_k/segments_by_sort.h"
#include "support/devices.h"

enum { UNITS = 100, FEW = 39, LONG = 1000 }; /* FEW is below two fifths of the compute units */

static const char parameters[] = "segmented_top_k.few_length \"\" 1000\nsegmented_top_k.rank_sort_length \"\" 0\n"
                                 "segmented_top_k.sort_rounds \"\" 16777216\n";

static int64_t no_rounds(mcl__call *call)
{
    (void)call;
    return 0;
}

static int64_t one_round(mcl__call *call)
{
    (void)call;
    return 1;
}

/* A selection, with the expected choice: sorted segments or not. */
typedef struct choice {
    int64_t segments, length;
    int64_t missing; /* number of elements that the segments together lack */
    int are_rows, takes_rank, selects, sorts;
} choice;

static int is_sorted(mcl_queue *queue, const choice *of)
{
    static const mcl_options groups = { .tile_threads = 32, .tile_items = 4 };
    const mcl__rows rows = { .sort_length = MCL__PARAMETER_segmented_top_k_rank_sort_length,
                             .rounds = of->selects ? one_round : no_rounds,
                             .takes_rank = of->takes_rank };
    const int32_t zero = 0;
    mcl_input keys = mcl_from_constant(MCL_INT32, &zero, of->segments * of->length - of->missing);
    mcl__call call = { .queue = queue, .options = &groups };
    call.operands[IN].input = &keys;
    call.scalars[ROWS] = of->segments;
    call.scalars[LENGTH] = of->are_rows ? of->length : 0;
    return mcl__rows_sort_is_faster(&call, &rows);
}

START_TEST(few_long_segments_are_sorted)
{
    static const choice choices[] = {
        { .segments = FEW, .length = LONG, .takes_rank = 1, .selects = 1, .sorts = 1 },
        { .segments = FEW, .length = LONG, .are_rows = 1, .takes_rank = 1, .selects = 1, .sorts = 1 },
        { .segments = FEW, .length = LONG, .selects = 1, .sorts = 1 },
        /* an average is rounded up */
        { .segments = FEW, .length = LONG, .missing = 1, .selects = 1, .sorts = 1 },
        /* the first k of rows selects in parts of a row */
        { .segments = FEW, .length = LONG, .are_rows = 1, .selects = 1 },
        { .segments = FEW + 1, .length = LONG, .takes_rank = 1, .selects = 1 },
        { .segments = FEW, .length = LONG - 1, .takes_rank = 1, .selects = 1 },
        { .segments = FEW, .length = LONG, .takes_rank = 1 },
    };
    mcl_context *const context = test_context_of_rows(_i, parameters);
    mcl_queue *queue;

    test_ok(mcl_queue_create(context, 0, &queue));
    context->limits.compute_units = UNITS;
    for (size_t k = 0; k < sizeof choices / sizeof *choices && context->limits.loop_budget == 0; k++)
        ck_assert_msg(is_sorted(queue, &choices[k]) == choices[k].sorts, "choice %d", (int)k);
    mcl_queue_release(queue);
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, few_long_segments_are_sorted, device);
}

int main(void)
{
    return test_main("few_segments", add);
}
