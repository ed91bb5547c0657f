/* lists.c: what the command lines of moderncl-bench and moderncl-tune list: parts between commas, types, sizes. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int bench_list_read(char *text, void *to, int (*add)(void *to, const char *item))
{
    char *rest = NULL;
    for (char *item = text ? strtok_r(text, ",", &rest) : NULL; item; item = strtok_r(NULL, ",", &rest))
        if (add(to, item) != 0) return -1;
    return 0;
}

int bench_list_is_full(int count, const char *option)
{
    if (count < BENCH_LIST_MAX) return 0;
    bench_note("%s: more than %d entries", option, BENCH_LIST_MAX);
    return 1;
}

int bench_list_add_type(const bench_type **types, int *count, const char *item)
{
    const bench_type *const type = bench_type_find(item);
    if (!type) bench_note("--type %s: there is no such type; moderncl-bench --list names them", item);
    if (!type || bench_list_is_full(*count, "--type")) return -1;
    types[(*count)++] = type;
    return 0;
}

int bench_size_read(const char *text, int64_t *n)
{
    char *end = NULL;
    const double number = strtod(text, &end);
    if (*end == '\0' && number == floor(number) && number >= 2 && number <= 9e15) {
        *n = (int64_t)number;
        return 0;
    }
    bench_note("--n %s: must be a whole number from 2 on, as 1000000 or 1e6", text);
    return -1;
}
