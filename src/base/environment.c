/* environment.c: the only reader of environment variables. */
#include "base/platform.h"

#include <stdio.h>
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

int mcl__environment_is(const char *name, const char *value)
{
    const char *const found = getenv(name);
    return found && strcmp(found, value) == 0;
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

/* ---- words that are unknown ------------------------------------------------------------------------------------ */

/* All names of MCL_FEATURES (docs/debugging.md). */
static const struct {
    const char *name;
    const char *words; /* the allowed values; "" allows any text, NULL a whole number */
} known_features[] = {
    { "mapping", "group, serial" },
    { "look_back", "0, 1" },
    { "progress", "0, 1" },
    { "probe", "0, 1" },
    { "words", "none, cuda, c11, ptx, legacy" },
    { "sub_group", "none, cuda, ptx, khr" },
    { "opencl", "1.2" },
    { "sub_group_size", NULL },
    { "double", "0, 1" },
    { "half", "0, 1" },
    { "poll_limit", NULL },
    { "loop_budget", NULL },
    { "cache_bytes", NULL },
    { "local_memory", NULL },
    { "max_threads", NULL },
    { "memory_cache", NULL },
    { "mends_seams", "0, 1" },
    { "barriers", "0, 1" },
    { "interval_order", NULL },
    { "command_buffer", "0, 1" },
    { "tuning_key", "" },
};
enum { KNOWN_COUNT = sizeof known_features / sizeof *known_features };

/* Returns 1 where the list has the word. Commas and blanks separate the words. */
static int list_has(const char *list, const char *word, size_t length)
{
    while (*list) {
        const size_t listed = strcspn(list, ",");
        if (listed == length && memcmp(list, word, length) == 0) return 1;
        list += listed + strspn(list + listed, ", ");
    }
    return 0;
}

static int is_number(const char *text, size_t length)
{
    const size_t sign = length > 0 && text[0] == '-';
    return length > sign && sign + strspn(text + sign, "0123456789") >= length;
}

static mcl_status check_value(int known, const char *value, size_t length)
{
    const char *const words = known_features[known].words;
    if (words ? !words[0] || list_has(words, value, length) : is_number(value, length)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "MCL_FEATURES has %s=%.*s; expected %s%s", known_features[known].name,
                     (int)length, value, words ? "one of " : "a whole number", words ? words : "");
}

static mcl_status fail_unknown(const char *part, size_t length)
{
    char names[512] = "";
    for (int k = 0; k < KNOWN_COUNT; ++k) {
        const size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "", known_features[k].name);
    }
    return mcl__fail(MCL_ERROR_ARGUMENT, "MCL_FEATURES has \"%.*s\"; expected name=value, the name being one of %s",
                     (int)length, part, names);
}

/* Checks one name=value of MCL_FEATURES. */
static mcl_status check_feature(const char *part, size_t length)
{
    const char *const equals = memchr(part, '=', length);
    const size_t name_length = equals ? (size_t)(equals - part) : 0;
    for (int k = 0; k < KNOWN_COUNT && equals; ++k) {
        const char *const name = known_features[k].name;
        if (strlen(name) == name_length && memcmp(name, part, name_length) == 0)
            return check_value(k, equals + 1, length - name_length - 1);
    }
    return fail_unknown(part, length);
}

mcl_status mcl__environment_folder(const char *variable, const char *expected)
{
    const char *const folder = mcl__environment(variable);
    if (!folder || mcl__file_is_folder(folder)) return MCL_OK;
    return mcl__fail(MCL_ERROR_ARGUMENT, "%s is %s, which is no folder; expected %s", variable, folder, expected);
}

mcl_status mcl__environment_check(void)
{
    const char *const validates = mcl__environment("MCL_VALIDATE");
    if (validates && strcmp(validates, "0") != 0 && strcmp(validates, "1") != 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "MCL_VALIDATE is \"%s\"; expected 0 or 1", validates);
    const char *const told = mcl__environment("MCL_LOG");
    if (told && strcmp(told, "build") != 0)
        return mcl__fail(MCL_ERROR_ARGUMENT, "MCL_LOG is \"%s\"; expected build", told);
    MCL__TRY(mcl__environment_folder("MCL_KERNEL_DIR", "one with kernel files"));
    MCL__TRY(mcl__environment_folder("MCL_DUMP_SOURCE", "one that texts can be written to"));
    for (const char *next = mcl__environment("MCL_FEATURES"); next && *next;) {
        const size_t length = strcspn(next, ",");
        if (length > 0) MCL__TRY(check_feature(next, length));
        next += length + (next[length] == ',');
    }
    return MCL_OK;
}

/* ---- names that are unknown ------------------------------------------------------------------------------------ */

static const char *const variables[] = { "MCL_DEVICE",     "MCL_CACHE_DIR",   "MCL_CACHE_BYTES",   "MCL_TUNING_FILE",
                                         "MCL_KERNEL_DIR", "MCL_DUMP_SOURCE", "MCL_BUILD_OPTIONS", "MCL_VALIDATE",
                                         "MCL_LOG",        "MCL_FEATURES" };

enum { NAME_MAX_LENGTH = 31, NEAR = 2 };

/* Returns the edit distance: how many letters must be inserted, removed or changed to turn one name into the other. */
static int letters_apart(const char *a, size_t a_length, const char *b)
{
    int row[NAME_MAX_LENGTH + 1];
    const size_t b_length = strlen(b);
    for (size_t j = 0; j <= b_length; ++j) row[j] = (int)j;
    for (size_t i = 1; i <= a_length; ++i) {
        int corner = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= b_length; ++j) {
            const int changed = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            int least = row[j - 1] < row[j] ? row[j - 1] + 1 : row[j] + 1;
            if (changed < least) least = changed;
            row[j] = least;
        }
    }
    return row[b_length];
}

static void tell_near(const char *entry)
{
    const size_t length = strcspn(entry, "=");
    if (strncmp(entry, "MCL_", 4) != 0 || length > NAME_MAX_LENGTH) return;
    const char *nearest = NULL;
    int least = NEAR + 1;
    for (size_t k = 0; k < sizeof variables / sizeof *variables; ++k) {
        const int apart = letters_apart(entry, length, variables[k]);
        if (apart < least) nearest = variables[k];
        if (apart < least) least = apart;
    }
    if (nearest && least > 0)
        mcl__tell("the environment has %.*s, which the library does not read; it reads %s", (int)length, entry,
                  nearest);
}

void mcl__environment_tell(void)
{
    mcl__platform_variables(tell_near);
}
