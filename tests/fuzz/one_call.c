/* one_call.c: the table of operations, the draw of a call, and the statuses that it may have. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const operation *const families[] = {
    transform_operations, fold_operations,           merge_operations,        sort_operations,     search_operations,
    sets_operations,      join_operations,           split_operations,        compact_operations,  segment_operations,
    balance_operations,   segmented_sort_operations, map_operations,          memory_operations,   histogram_operations,
    top_k_operations,     find_operations,           sort_columns_operations, group_by_operations, multimap_operations,
    host_sort_operations, host_group_by_operations,  host_join_operations,
};

int operation_count(void)
{
    int count = 0;

    for (size_t family = 0; family < sizeof families / sizeof families[0]; family++)
        for (const operation *at = families[family]; at->name; at++) count++;
    return count;
}

const operation *operation_at(int k)
{
    for (size_t family = 0; family < sizeof families / sizeof families[0]; family++)
        for (const operation *at = families[family]; at->name; at++)
            if (k-- == 0) return at;
    return NULL;
}

/* ---- one call ------------------------------------------------------------------------------------------- */

static void leave_open(call *c)
{
    for (int k = 0; k < c->out_count; k++)
        if (c->out_memory[k] && !c->left_out[k])
            memory_any(c->out_memory[k], c->out_memory[k]->start, (size_t)c->out_room[k] * c->out_kind[k]->type->size);
    for (int k = 0; k < c->result_count; k++) {
        c->host_any[k] = c->result[k].host != NULL;
        if (c->result_memory[k])
            memory_any(c->result_memory[k], c->result_memory[k]->start,
                       (size_t)c->result_numbers[k] * c->result_kind[k]->type->size);
    }
}

void call_draw(call *c)
{
    c->bent = draw_chance(&c->data, 8) && !is_skipped_for(c, "unsorted");
    c->op->draw(c);
    options_draw(c);
    if (c->op->takes & MAY_LACK_OUTPUTS) outputs_leave_out(c);
    if (!c->broken && c->op->reference) c->op->reference(c);
    outputs_take_away(c);
    if (!(c->op->takes & NO_SPOILING) && draw_chance(&c->data, 18)) spoil(c);
    if (c->broken) leave_open(c);
    if (c->broken && c->expect == EXPECT_OK) c->expect = EXPECT_EITHER;
    scratch_draw(c);
}

/* Returns 1 where the last error names the function: an operation's name up to a comma. A call on a map that could not
 * be made fails in another function. */
int sentence_names(const call *c)
{
    const int lacks_map = strstr(c->op->name, "map") && !c->map && !c->multimap;
    char function[64];
    (void)snprintf(function, sizeof function, "%.*s", (int)strcspn(c->op->name, ","), c->op->name);
    return strstr(mcl_last_error(), lacks_map ? "mcl_m" : function) != NULL;
}

const char *status_check(const call *c, mcl_status status)
{
    static _Thread_local char text[900];
    const char *sentence = mcl_last_error();

    if (status == MCL_OK && c->expect == EXPECT_REFUSED) return "MCL_OK; expected a refusal";
    if (status == MCL_OK && c->expect == EXPECT_CAPACITY) return "MCL_OK; expected MCL_ERROR_CAPACITY";
    if (status == MCL_OK) return NULL;
    const char *wrong = NULL;
    if (c->expect == EXPECT_OK) wrong = "expected MCL_OK";
    if (c->expect == EXPECT_CAPACITY && status != MCL_ERROR_CAPACITY) wrong = "expected MCL_ERROR_CAPACITY";
    if (status == MCL_ERROR_DEVICE) wrong = "expected no failure of the device";
    if (!wrong && c->statuses && !(c->statuses & (1u << -(int)status))) wrong = "expected another status";
    if (!wrong && !sentence_names(c) && !is_skipped_for(c, "sentences"))
        wrong = "expected a sentence that names the function";
    if (!wrong) return NULL;
    snprintf(text, sizeof text, "%s, \"%.600s\"; %s", mcl_status_name(status), sentence, wrong);
    return text;
}

void call_end(call *c)
{
    mcl_event_release(c->done);
    mcl_event_release(c->wait[0]);
    mcl_event_release(c->wait[1]);
    memories_free(c);
    for (int k = 0; k < INPUTS_MAX; k++) free(c->sequences[k].data);
    mcl_map_release(c->map);
    mcl_multimap_release(c->multimap);
}

int is_late(mcl_status status)
{
    return status == MCL_OK || status == MCL_ERROR_CAPACITY;
}
