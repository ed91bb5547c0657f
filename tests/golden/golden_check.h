/* golden_check.h: known results inside tests. A missing or malformed file or section fails the test. */
#ifndef TEST_GOLDEN_CHECK_H
#define TEST_GOLDEN_CHECK_H

#include "golden.h"

#include <check.h>
#include <stdio.h>

/* Reads NAME.txt of the folder of known results, MCL_GOLDEN_DIR. */
static inline golden golden_open(const char *name)
{
    golden file;
    char path[1024];
    char error[1200];

    snprintf(path, sizeof path, "%s/%s.txt", MCL_GOLDEN_DIR, name);
    if (!golden_read(path, &file, error, sizeof error)) {
        golden_free(&file);
        ck_abort_msg("%s", error);
    }
    return file;
}

static inline const golden_section *golden_need(const golden *in, const char *label)
{
    const golden_section *section = golden_find(in, label);

    if (!section) ck_abort_msg("there is no section %s", label);
    return section;
}

/* Returns the only number of a section. */
static inline int32_t golden_int(const golden *in, const char *label)
{
    const golden_section *section = golden_need(in, label);

    ck_assert_int_eq(section->count, 1);
    return section->ints[0];
}

/* Checks that the section has exactly these numbers. */
static inline void golden_same(const golden *in, const char *label, const int32_t *numbers, int count)
{
    const golden_section *section = golden_need(in, label);

    ck_assert_int_eq(section->count, count);
    for (int k = 0; k < count; k++)
        ck_assert_msg(section->ints[k] == numbers[k], "%s[%d] is %d instead of %d", label, k, numbers[k],
                      section->ints[k]);
}

#endif
