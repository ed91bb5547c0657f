/* cost.c: estimates what the algorithms for a call cost. */
#include "tuning/cost.h"

/* The segment length from which segments are sorted by merges. Shorter rows are sorted several at once. */
enum { MERGED = 64 };

static double tuned(const mcl_context *context, mcl__parameter parameter)
{
    return (double)mcl__tuned(context, parameter);
}

/* Returns log2(x) for x >= 1: exact at powers of 2, and interpolated linearly between them. It replaces log2, since the
 * library does not link the mathematical library. */
static double doublings(double x)
{
    int whole = 0;
    while ((int64_t)x >> whole > 1) ++whole;
    return whole + x / (double)((int64_t)1 << whole) - 1;
}

double mcl__cost_sort_segment(const mcl_context *context, int64_t length, int by_rows, int moves_indices)
{
    const double keys = (double)length;
    const double each = length < MERGED
                            ? keys * tuned(context, MCL__PARAMETER_segmented_sort_short_cost)
                            : tuned(context, MCL__PARAMETER_segmented_sort_merged_cost) +
                                  doublings(keys / MERGED) * tuned(context, MCL__PARAMETER_segmented_sort_level_cost);
    const double apart = by_rows ? 0 : tuned(context, MCL__PARAMETER_segmented_sort_apart_cost);
    const double percent = moves_indices ? tuned(context, MCL__PARAMETER_segmented_sort_index_percent) : 100;
    return keys * (each + apart) * percent / 100;
}

/* Adds the cost of reading keys and of entering keys into the heap. In a random order, element k enters the heap with
 * probability wanted / k. This is its chance to be among the first wanted elements of k. */
double mcl__cost_heap(const mcl_context *context, int64_t length, int64_t wanted)
{
    const double keys = (double)length, kept = (double)(wanted < length ? wanted : length);
    if (kept < 1) return 0;
    const double ln_2 = 0.693, entries = kept * (1 + ln_2 * doublings(keys / kept)), levels = doublings(kept);
    const double entry = tuned(context, MCL__PARAMETER_segmented_top_k_entry_cost);
    const double level = tuned(context, MCL__PARAMETER_segmented_top_k_level_cost);
    return keys * tuned(context, MCL__PARAMETER_segmented_top_k_key_cost) + entries * (entry + levels * level) +
           kept * levels * level;
}

double mcl__cost_rank(const mcl_context *context, int64_t length)
{
    return (double)length * tuned(context, MCL__PARAMETER_segmented_top_k_rank_key_cost);
}

double mcl__cost_sort_by_merges(const mcl_context *context, int64_t count, size_t key_bytes, int has_values)
{
    const double key =
        tuned(context, has_values ? MCL__PARAMETER_sort_pairs_merge_key_cost : MCL__PARAMETER_sort_merge_key_cost);
    const double byte = tuned(context, MCL__PARAMETER_sort_merge_byte_cost);
    return tuned(context, MCL__PARAMETER_sort_merge_call_cost) + (double)count * (key + (double)key_bytes * byte);
}

double mcl__cost_sort_by_digits(const mcl_context *context, int64_t count, size_t key_bytes, int has_values)
{
    const double key =
        tuned(context, has_values ? MCL__PARAMETER_sort_pairs_digit_key_cost : MCL__PARAMETER_sort_digit_key_cost);
    return (double)key_bytes * (tuned(context, MCL__PARAMETER_sort_digit_pass_cost) + (double)count * key);
}

double mcl__cost_sort(const mcl_context *context, int64_t count, size_t key_bytes, int by_digits)
{
    const double merges = mcl__cost_sort_by_merges(context, count, key_bytes, 0);
    const double digits = mcl__cost_sort_by_digits(context, count, key_bytes, 0);
    return by_digits && digits < merges ? digits : merges;
}

double mcl__cost_select(const mcl_context *context, int64_t count, size_t key_bytes)
{
    const double word = tuned(context, MCL__PARAMETER_top_k_select_word_cost), words = (double)key_bytes / 4;
    return tuned(context, MCL__PARAMETER_top_k_select_call_cost) + (double)count * words * word;
}
