/* numbers.c: makes lists of values for small parameters. */
#include "numbers.h"

#include "facts/top_k.h"
#include "tuning/rows.h"

static void add(numbers *out, int64_t number, int64_t most)
{
    for (int k = 0; k < out->count; ++k)
        if (out->list[k] == number) return;
    if (number >= 1 && number <= most && out->count < NUMBERS_MAX) out->list[out->count++] = number;
}

static void add_about(numbers *out, int64_t border, int64_t most)
{
    for (int by = -1; by <= 1; ++by) add(out, border + by, most);
}

void numbers_all(numbers *out, int64_t most)
{
    for (int64_t number = 1; number <= most; ++number) add(out, number, most);
}

void numbers_powers(numbers *out, int64_t most)
{
    for (int64_t border = 1; border <= most; border *= 2) add_about(out, border, most);
}

/* Adds the borders of histograms. A table in work-group memory, and a range of one, has a power of two of bins, so
 * borders are multiples of these. */
void numbers_of_bins(numbers *out, int64_t most)
{
    enum { RANGE = 1 << 14 };
    numbers_powers(out, most);
    for (int64_t border = RANGE; border <= 20 * RANGE; border += RANGE) add_about(out, border, most);
}

/* Adds the borders of top-k, which are parameters of tuning, facts and powers of two. */
void numbers_of_amounts(const mcl_context *context, numbers *out, int64_t most)
{
    static const int64_t facts[] = { TOP_K_RANKED_MOST, TOP_K_UNSAMPLED_MOST, TOP_K_SAMPLE_LEAST, TOP_K_COUNTERS };
    numbers_powers(out, most);
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; ++k) add_about(out, facts[k], most);
    for (int k = 0; k < MCL__PARAMETER_COUNT; ++k) {
        const int operation = mcl__parameter_ranges[k].operation;
        const int is_of_top_k = operation == MCL__OPERATION_top_k || operation == MCL__OPERATION_segmented_top_k;
        if (is_of_top_k) add_about(out, context->tuning->parameters[k], most);
    }
}
