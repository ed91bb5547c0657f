/* read_device.c: reads names of devices, and MCL_FEATURES, one a line. */
#define _XOPEN_SOURCE 700
#include "reader.h"

#include "moderncl/moderncl.h"
#include "program/program.h"
#include "quiet_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES_BYTES = 4096 };

/* Sets MCL_FEATURES in place, since setenv would keep memory for each new value. */
static void features_set(const char *text)
{
    static char variable[FEATURES_BYTES] = "MCL_FEATURES=";
    static int is_there;
    if (!is_there) REQUIRE(putenv(variable) == 0 && setenv("MCL_CACHE_DIR", "", 1) == 0);
    is_there = 1;
    (void)snprintf(variable, sizeof variable, "MCL_FEATURES=%s", text);
}

static void check_tiles(const mcl__limits *limits)
{
    const mcl__tile_need need = { .element_bytes = 8, .local_bytes_per_item = 16, .local_bytes_per_thread = 4 };
    for (int k = 0; k < MCL__OPERATION_COUNT; ++k) {
        const mcl__tile tile = mcl__tile_for((mcl__operation)k, limits, NULL, need, NULL);
        REQUIRE(tile.threads >= 1 && tile.threads <= 1024 && tile.items >= 1 && tile.items <= 1 << 24);
        REQUIRE(tile.threads == 1 || (int64_t)tile.threads * (16 * tile.items + 4) <= limits->local_memory);
    }
}

static void check_limits(const mcl__limits *limits)
{
    REQUIRE(limits->max_threads >= 1 && limits->local_memory >= 0 && limits->poll_limit >= 0);
    REQUIRE(limits->loop_budget >= 0 && limits->cache_bytes >= 0);
    REQUIRE(memchr(limits->tuning_key, 0, sizeof limits->tuning_key));
    check_tiles(limits);
}

/* Checks refusals. A device that exists is refused only where MCL_FEATURES has an unknown word. */
static void check_refusal(const char *name)
{
    const char *const sentence = mcl_last_error();
    REQUIRE(strncmp(sentence, "mcl_context_create: ", 20) == 0);
    for (int k = 0; k < QUIET_DEVICES; ++k)
        REQUIRE(strcmp(name, quiet_ids[k]) != 0 || strstr(sentence, "MCL_FEATURES has "));
}

static void check_name(const char *name)
{
    mcl_context *context = NULL;
    const mcl_status status = mcl_context_create(name, &context);
    if (status != MCL_OK) {
        REQUIRE(!context);
        check_refusal(name);
        return;
    }
    mcl_device_info info;
    check_limits(&context->limits);
    REQUIRE(context->memory.cache_capacity >= 0);
    REQUIRE(mcl_context_info(context, &info) == MCL_OK);
    REQUIRE(memchr(info.sub_group_path, 0, sizeof info.sub_group_path));
    REQUIRE(name[0] == info.id[0] || name[0] == info.id[0] - 'a' + 'A');
    for (int k = 0; k < QUIET_DEVICES; ++k)
        if (strcmp(name, quiet_ids[k]) == 0) REQUIRE(strcmp(info.id, name) == 0);
    mcl_context_release(context);
}

/* Opens devices of a driver that gives no facts about them. LeakSanitizer checks what is left. */
static void check_failure(const char *name)
{
    mcl_context *context = NULL;
    quiet_fails = 1;
    REQUIRE(mcl_context_create(name, &context) != MCL_OK && !context);
    quiet_fails = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = reader_text(data, size);
    char *next = text;
    const char *const name = reader_line(&next);
    features_set(reader_line(&next));
    check_name(name);
    check_failure(name);
    free(text);
    return 0;
}
