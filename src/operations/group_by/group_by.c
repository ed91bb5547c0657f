/* group_by.c: mcl_group_by and mcl_distinct. */
#include "operations/group_by/group_plan.h"

mcl_status mcl_group_by(mcl_queue *queue, mcl_input keys, mcl_output out_keys, const mcl_aggregate *aggregates,
                        int aggregate_count, mcl_result count, const mcl_options *options)
{
    return mcl__group(queue, keys, out_keys, aggregates, aggregate_count, count, options, mcl__group_averaged);
}

mcl_status mcl_distinct(mcl_queue *queue, mcl_input keys, mcl_output out, mcl_result count, const mcl_options *options)
{
    return mcl__group_keys(queue, keys, out, count, options, mcl__group_tabled);
}
