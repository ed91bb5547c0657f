/* environment.c: the only reader of environment variables. */
#include "base/platform.h"

#include <stdlib.h>
#include <string.h>

const char *mcl__environment(const char *name)
{
    const char *const value = mcl__platform_variable(name);
    if (!value) return NULL;
    if (!value[0] && strcmp(name, "MCL_CACHE_DIR") != 0) return NULL;
    return value;
}

int mcl__environment_has(const char *name)
{
    const char *const value = getenv(name);
    return value && value[0];
}

int mcl__feature(const char *name, char *out, size_t capacity)
{
    const char *next = mcl__environment("MCL_FEATURES");
    const size_t name_length = strlen(name);
    while (next && *next) {
        const size_t length = strcspn(next, ",");
        if (length > name_length && next[name_length] == '=' && memcmp(next, name, name_length) == 0) {
            const size_t value_length = length - name_length - 1;
            if (value_length >= capacity) return 0;
            memcpy(out, next + name_length + 1, value_length);
            out[value_length] = 0;
            return 1;
        }
        next += length + (next[length] == ',');
    }
    return 0;
}

int64_t mcl__feature_number(const char *name, int64_t value)
{
    char text[24];
    return mcl__feature(name, text, sizeof text) ? strtoll(text, NULL, 10) : value;
}
