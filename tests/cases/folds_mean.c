/* folds_mean.c: the folds of means, which mcl_group_by makes of sums and counts. */
#include "folds.h"

#include <string.h>

/* The accumulator of a mean on the host. Sums in the cases are exact. */
typedef struct mean {
    double sum, count;
} mean;
static const mcl_type type_mean = { .name = "mean", .size = sizeof(mean), .alignment = sizeof(double) };
static const element element_mean = { .name = "mean", .type = &type_mean };

static void mean_plus(const void *p, const void *q, void *out)
{
    mean a;
    mean b;

    memcpy(&a, p, sizeof a);
    memcpy(&b, q, sizeof b);
    a.sum += b.sum;
    a.count += b.count;
    memcpy(out, &a, sizeof a);
}

static void mean_store(const void *v, void *out)
{
    mean all;

    memcpy(&all, v, sizeof all);
    const double quotient = all.sum / all.count;
    memcpy(out, &quotient, sizeof quotient);
}

#define MEAN(from, c_type)                                                                                             \
    static void mean_of_##from(const void *x, int64_t i, void *v)                                                      \
    {                                                                                                                  \
        c_type number;                                                                                                 \
        memcpy(&number, x, sizeof number);                                                                             \
        const mean one = { (double)number, 1 };                                                                        \
        (void)i;                                                                                                       \
        memcpy(v, &one, sizeof one);                                                                                   \
    }                                                                                                                  \
    const fold fold_mean_##from = { .name = "means of " #from,                                                         \
                                    .op = MCL_MEAN,                                                                    \
                                    .in = &element_##from,                                                             \
                                    .value = &element_mean,                                                            \
                                    .stored = &element_double,                                                         \
                                    .extract = mean_of_##from,                                                         \
                                    .plus = mean_plus,                                                                 \
                                    .store = mean_store };
MEAN(int32, int32_t)
MEAN(uint64, uint64_t)
MEAN(double, double)
