/* segments.c: makes elements in segments of any kind, for cases of segmented operations, and reads the segments
 * again. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

/* Makes runs with uniform lengths in [least, 2 * mean]. With least 0 some runs are empty. */
case_runs case_runs_make(const case_problem *problem, int64_t first, int64_t last, int64_t least)
{
    const int64_t mean = problem->variant->length ? problem->variant->length : 10;
    case_runs made = { 0, malloc((size_t)(last - first + problem->n / 4 + 8) * sizeof *made.begins) };
    int64_t place = first;

    made.begins[0] = first;
    while (place < last) {
        const uint64_t random = test_random(problem->seed + 99, (uint64_t)made.count);
        /* at most two empty runs in a row, so that there is room */
        const int empty = least == 0 && random % 9 == 0 && made.count < problem->n / 8;
        place += empty ? 0 : 1 + (int64_t)(random >> 20) % (2 * mean);
        if (place > last) place = last;
        made.begins[++made.count] = place;
    }
    return made;
}

/* ---- made ------------------------------------------------------------------------------------------------------- */

static const element *index_element(const case_variant *variant)
{
    static const element *const kinds[] = { &element_int32, &element_int64, &element_uint32, &element_uint64 };
    return kinds[variant->items % 4];
}

/* Stores number k of input 1. Narrow types lose the bits that do not fit. */
static void put_index(case_problem *problem, int64_t k, int64_t number)
{
    const element *kind = problem->inputs[1].element;
    const int32_t narrow = (int32_t)number;

    if (kind->type->size == sizeof narrow)
        memcpy(case_at(kind, problem->inputs[1].data, k), &narrow, sizeof narrow);
    else
        memcpy(case_at(kind, problem->inputs[1].data, k), &number, sizeof number);
}

static void add_offsets(case_problem *problem, const case_runs *made)
{
    const int64_t count = made->count + (problem->variant->segments == MCL_SEGMENT_OFFSETS);

    case_add_input(problem, index_element(problem->variant), FROM_BUFFER, count, 1, ORDER_RANDOM);
    for (int64_t r = 0; r < count; r++) put_index(problem, r, made->begins[r]);
}

/* Adds the heads from the last to the first, then again from the first to the last, then some outside the elements. */
static void add_indices(case_problem *problem, const case_runs *made)
{
    const int64_t outside[] = { -1, problem->n, problem->n + 1000 };
    const int64_t count = made->count;

    case_add_input(problem, index_element(problem->variant), FROM_BUFFER, 2 * count + 3, 1, ORDER_RANDOM);
    for (int64_t r = 0; r < 2 * count; r++) put_index(problem, r, made->begins[r < count ? count - 1 - r : r - count]);
    for (int64_t k = 0; k < 3; k++) put_index(problem, 2 * count + k, outside[k]);
}

static void add_flags(case_problem *problem, const case_runs *made)
{
    case_add_input(problem, &element_uint32, FROM_BUFFER, (problem->n + 31) / 32, 1, ORDER_RANDOM);
    uint32_t *words = (uint32_t *)(void *)problem->inputs[1].data;

    memset(words, 0, (size_t)problem->inputs[1].count * sizeof *words);
    /* the first bit and those past the end have no effect */
    for (int64_t r = problem->seed % 2; r < made->count; r++) words[made->begins[r] / 32] |= 1u << made->begins[r] % 32;
    if (problem->n % 32) words[problem->n / 32] |= ~0u << problem->n % 32;
}

/* Adds the elements and their segments. By offsets or begins, some segments may be empty, and some elements left
 * out. */
void case_add_segmented(case_problem *problem, const element *kind)
{
    const case_variant *variant = problem->variant;
    const int has_heads = variant->segments == MCL_SEGMENT_INDICES || variant->segments == MCL_SEGMENT_FLAGS;
    const int64_t left_out = has_heads || problem->seed % 3 ? 0 : problem->n / 7;
    const int64_t end = problem->n - (variant->segments == MCL_SEGMENT_OFFSETS ? left_out / 2 : 0);
    const case_runs made = case_runs_make(problem, left_out, end, has_heads);

    case_add_input(problem, kind, variant->source, problem->n, 0, ORDER_RANDOM);
    (!has_heads ? add_offsets : variant->segments == MCL_SEGMENT_INDICES ? add_indices : add_flags)(problem, &made);
    free(made.begins);
}

/* ---- read ------------------------------------------------------------------------------------------------------- */

case_runs case_runs_empty(int64_t room)
{
    const case_runs none = { 0, malloc(((size_t)room + 1) * sizeof *none.begins) };
    if (!none.begins) abort();
    return none;
}

static case_runs runs_of_begins(const case_problem *problem)
{
    const case_input *given = &problem->inputs[1];
    const int has_end = problem->variant->segments == MCL_SEGMENT_OFFSETS;
    case_runs read = case_runs_empty(given->count);

    for (int64_t r = 0; r < given->count; r++) read.begins[r] = case_index(given, r);
    if (!has_end) read.begins[given->count] = problem->n;
    read.count = given->count - has_end;
    return read;
}

/* Reads heads, which may be in any order and repeated. Heads outside the elements do not count. The first element is
 * always a head. */
static case_runs runs_of_heads(const case_problem *problem)
{
    const case_input *given = &problem->inputs[1];
    const uint32_t *words = (const uint32_t *)(const void *)given->data;
    unsigned char *is_head = calloc((size_t)problem->n + 1, 1);
    case_runs read = case_runs_empty(problem->n);

    if (!is_head) abort();
    for (int64_t k = 0; problem->variant->segments == MCL_SEGMENT_INDICES && k < given->count; k++) {
        const int64_t index = case_index(given, k);
        if (index >= 0 && index < problem->n) is_head[index] = 1;
    }
    for (int64_t k = 0; problem->variant->segments == MCL_SEGMENT_FLAGS && k < problem->n; k++)
        is_head[k] = words[k / 32] >> k % 32 & 1;
    for (int64_t k = 0; k < problem->n; k++)
        if (k == 0 || is_head[k]) read.begins[read.count++] = k;
    read.begins[read.count] = problem->n;
    free(is_head);
    return read;
}

case_runs case_runs_of_segments(const case_problem *problem)
{
    const mcl_segment_kind kind = problem->variant->segments;
    const int has_heads = kind == MCL_SEGMENT_INDICES || kind == MCL_SEGMENT_FLAGS;
    return has_heads ? runs_of_heads(problem) : runs_of_begins(problem);
}

/* ---- outputs ---------------------------------------------------------------------------------------------------- */

unsigned char *case_add_kept_output(case_problem *problem, const element *kind, int64_t count)
{
    const size_t bytes = (size_t)count * kind->type->size;
    unsigned char *data = case_add_output(problem, kind, count);
    unsigned char *earlier = malloc(bytes ? bytes : 1);

    if (!earlier) abort();
    memset(earlier, 0x3C, bytes);
    if (problem->variant->in_place) memcpy(earlier, problem->inputs[0].data, bytes);
    memcpy(data, earlier, bytes);
    problem->outputs[problem->output_count - 1].earlier = earlier;
    return data;
}
