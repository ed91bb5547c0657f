/* map_list.c: folds the elements of few keys in tables before they are inserted, on processors, as mcl_group_by does. A
 * part with its own table needs no atomics, and the map gets each key once per part. The steps are calls of other
 * operations. The first step makes tables. Other steps insert the keys of the tables or, if keys are many, all
 * elements. The device decides which of these two lists is empty. */
#include "operations/group_by/group_list.h"
#include "operations/map/map_table.h"

#include "facts/group_by.h"

#include <stdlib.h>

/* The plan of one call. */
typedef struct list_plan {
    mcl__map_plan *of;
    /* The caller's elements, the elements in no table, and the elements of the tables. */
    mcl__map_elements given, left, listed;
    const mcl_op *op;
    mcl__map_enter_both enter;
    mcl__group_list list;
} list_plan;

enum { LEAST_ELEMENTS = 2 }; /* least average number of elements per key; with fewer, elements are inserted unfolded */

static const mcl_op any_of_two = { .role = MCL_ROLE_FOLD, .expression = "q", .commutative = 1 };

/* Refuses an extract, which may use an element's index. mcl__group_lists_fold refuses halves, which slots store as
 * floats. */
int mcl__map_lists(const mcl__map_plan *plan, const mcl_op *op, const mcl_input *keys, const mcl_input *values)
{
    const mcl__call *const call = &plan->call;
    if (!mcl__call_asks_serial(call) || call->queue->context->limits.is_gpu) return 0;
    if (!values->type || (op && op->extract)) return 0;
    return mcl__group_lists_keys(call, keys) && mcl__group_lists_fold(call, values->type, op ? op : &any_of_two);
}

static mcl_input counted(const list_plan *plan, mcl_input from, int count)
{
    return mcl_with_count(from, plan->list.counts, count);
}

/* Makes and inserts both lists of elements. Tables do not get the caller's tile, which is meant for the map. */
static mcl_status list_steps(void *of, const mcl_options *options)
{
    list_plan *const plan = of;
    mcl__group_list *const list = &plan->list;
    const mcl_options beside = mcl__beside_options(options);
    const mcl__map_elements *const given = &plan->given;
    list->keys = given->keys;
    list->fold_count = 1;
    list->least_elements = LEAST_ELEMENTS;
    list->folds[0] = (mcl__group_fold){ plan->op ? plan->op : &any_of_two, given->values };
    MCL__TRY(mcl__group_list_make(list, plan->of->call.queue, &beside));
    plan->left.keys = counted(plan, given->keys, GROUPS_LEFT);
    plan->left.values = given->values;
    plan->listed.keys = mcl_from_buffer(given->keys.type, list->listed_keys, 0, list->room);
    plan->listed.keys = counted(plan, plan->listed.keys, GROUPS_LISTED);
    plan->listed.values = mcl_from_buffer(given->values.type, list->sums[0], 0, list->room);
    return plan->enter(plan->of, &plan->left, &plan->listed, options);
}

static void release_memory(void *of)
{
    list_plan *const plan = of;
    mcl__group_list_release(&plan->list);
}

mcl_status mcl__map_list_keys(mcl__map_plan *plan, mcl_input keys, mcl_input values, const mcl_op *op,
                              mcl__map_enter_both enter)
{
    const mcl__call *const call = &plan->call;
    list_plan *lists = NULL;
    MCL__TRY(mcl__plan_new(sizeof *lists, &lists));
    lists->of = plan;
    lists->given = (mcl__map_elements){ keys, values };
    lists->op = op;
    lists->enter = enter;
    const mcl_status status = mcl__steps_run(call->queue, call->options, list_steps, release_memory, lists);
    free(lists);
    return status;
}
