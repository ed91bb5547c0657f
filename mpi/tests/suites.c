/* suites.c: the list of suites that run on any ranks. */
#include "ranks_test.h"

#include <string.h>

static const struct suite {
    const char *name;
    void (*run)(ranks_test *test);
} suites[] = {
    { "folds", test_folds },   { "moves", test_moves },         { "sorts", test_sorts },
    { "lists", test_lists },   { "relations", test_relations }, { "errors", test_errors },
    { "map", test_map },       { "segmented", test_segmented }, { "agree", test_agree },
    { "select", test_select }, { "group_by", test_group_by },   { "joins", test_joins },
};

void run_suites(ranks_test *test, const char *name)
{
    for (size_t k = 0; k < sizeof suites / sizeof suites[0]; ++k)
        if (!name || strcmp(name, suites[k].name) == 0) suites[k].run(test);
}
