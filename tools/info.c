/* info.c: moderncl-info, which lists every device of every backend and what the library decides for it: in words, as a
 * table or as JSON. Its litmus tests are in litmus.c. Needs popt and jansson. */
#include "command_line.h"
#include "litmus.h"

#include <moderncl/moderncl.h>

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum field_kind { FIELD_TEXT, FIELD_INT, FIELD_LIMIT, FIELD_BYTES, FIELD_ON_OFF, FIELD_MAPPING } field_kind;

/* A member of mcl_device_info: its JSON key, its label in the table, and its offset. */
typedef struct field {
    const char *key;
    const char *label;
    field_kind kind;
    size_t offset;
    const char *unit;
} field;

#define FIELD(member, label, kind, unit) { #member, label, kind, offsetof(mcl_device_info, member), unit }
static const field fields[] = {
    FIELD(name, "name", FIELD_TEXT, ""),
    FIELD(backend, "backend", FIELD_TEXT, ""),
    FIELD(platform, "platform", FIELD_TEXT, ""),
    FIELD(vendor, "vendor", FIELD_TEXT, ""),
    FIELD(architecture, "architecture", FIELD_TEXT, ""),
    FIELD(driver, "driver", FIELD_TEXT, ""),
    FIELD(language, "language", FIELD_TEXT, ""),
    FIELD(is_gpu, "GPU", FIELD_ON_OFF, ""),
    FIELD(clock_mhz, "clock", FIELD_INT, " MHz"),
    FIELD(compute_units, "compute units", FIELD_INT, ""),
    FIELD(memory_total, "memory, total", FIELD_BYTES, ""),
    FIELD(memory_free, "memory, free", FIELD_BYTES, ""),
    FIELD(memory_max_buffer, "largest buffer", FIELD_BYTES, ""),
    FIELD(memory_clock_mhz, "memory clock", FIELD_INT, " MHz"),
    FIELD(memory_bus_bits, "memory bus", FIELD_INT, " bits"),
    FIELD(ecc, "ECC", FIELD_ON_OFF, ""),
    FIELD(cache_bytes, "last-level cache", FIELD_BYTES, ""),
    FIELD(local_memory, "work-group memory", FIELD_BYTES, ""),
    FIELD(max_threads, "work-group size", FIELD_INT, " at most"),
    FIELD(sub_group_size, "sub-group size", FIELD_INT, ""),
    FIELD(has_double, "64-bit floats", FIELD_ON_OFF, ""),
    FIELD(has_half, "16-bit floats", FIELD_ON_OFF, ""),
    FIELD(loop_budget, "loop budget", FIELD_LIMIT, " iterations"),
    FIELD(mapping, "mapping", FIELD_MAPPING, ""),
    FIELD(sub_group_path, "sub-group path", FIELD_TEXT, ""),
    FIELD(status_word_path, "64-bit status words", FIELD_TEXT, ""),
    FIELD(look_back, "look-back", FIELD_ON_OFF, ""),
    FIELD(look_back_reason, "look-back, because", FIELD_TEXT, ""),
    FIELD(cache_directory, "program cache", FIELD_TEXT, ""),
};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

static const size_t tile_bytes[] = { 1, 4, 8, 16, 64 };
enum { TILE_BYTES_COUNT = sizeof tile_bytes / sizeof tile_bytes[0] };

/* A device with its context, or with the reason why there is no context. */
typedef struct device {
    mcl_device_info info;
    mcl_context *context;
    char error[2048];
    litmus_result litmus[LITMUS_RESULTS_MAX];
    int litmus_count; /* number of results; 0 where no litmus tests were requested, or they failed */
} device;

static const void *field_address(const field *fact, const mcl_device_info *info)
{
    return (const char *)info + fact->offset;
}

/* Returns the number in a field that is no text; -1 where it is not known. */
static long long field_number(const field *fact, const mcl_device_info *info)
{
    const void *address = field_address(fact, info);

    switch (fact->kind) {
    case FIELD_LIMIT:
    case FIELD_BYTES:
        return *(const int64_t *)address;
    case FIELD_MAPPING:
        return (int)*(const mcl_mapping *)address;
    default:
        return *(const int *)address;
    }
}

/* ---- the table ---------------------------------------------------------------------------------------------- */

static void print_bytes(long long bytes)
{
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
    double value = (double)bytes;
    int unit = 0;

    while (value >= 1024 && unit < 4) {
        value /= 1024;
        unit++;
    }
    printf(unit == 0 ? "%.0f %s\n" : "%.1f %s\n", value, units[unit]);
}

static void print_field(const field *fact, const mcl_device_info *info)
{
    if (fact->kind == FIELD_TEXT) {
        const char *text = field_address(fact, info);
        if (text[0]) printf("  %-20s %s\n", fact->label, text);
        return;
    }
    const long long number = field_number(fact, info);
    if (number == -1) return;
    printf("  %-20s ", fact->label);
    switch (fact->kind) {
    case FIELD_BYTES:
        print_bytes(number);
        break;
    case FIELD_ON_OFF:
        puts(number ? "yes" : "no");
        break;
    case FIELD_LIMIT:
        if (number == 0)
            puts("no limit");
        else
            printf("%lld%s\n", number, fact->unit);
        break;
    case FIELD_MAPPING:
        puts(number == MCL_MAPPING_GROUP ? "group" : "serial");
        break;
    default:
        printf("%lld%s\n", number, fact->unit);
        break;
    }
}

static void print_bandwidth(const mcl_device_info *info)
{
    if (info->memory_clock_mhz <= 0 || info->memory_bus_bits <= 0) return;
    /* The memory makes two transfers a clock. */
    printf("  %-20s %.0f GB/s\n", "memory bandwidth",
           2.0 * info->memory_clock_mhz * 1e6 * info->memory_bus_bits / 8 / 1e9);
}

static void print_tiles(mcl_context *context)
{
    const int width = column_width(mcl_operation_name);

    printf("  tiles, work-items x elements each, by element size in bytes\n    %*s", width, "");
    for (int k = 0; k < TILE_BYTES_COUNT; k++) printf(" %11zu", tile_bytes[k]);
    putchar('\n');
    for (int operation = 0; mcl_operation_name(operation); operation++) {
        printf("    %-*s", width, mcl_operation_name(operation));
        for (int k = 0; k < TILE_BYTES_COUNT; k++) {
            char text[32] = "?";
            int threads;
            int items;
            if (mcl_context_tile(context, mcl_operation_name(operation), tile_bytes[k], &threads, &items) == MCL_OK)
                snprintf(text, sizeof text, "%d x %d", threads, items);
            printf(" %11s", text);
        }
        putchar('\n');
    }
}

static void print_parameters(mcl_context *context)
{
    const int width = column_width(mcl_tuning_parameter_name);

    puts("  parameters");
    for (int k = 0; mcl_tuning_parameter_name(k); k++) {
        int value;
        if (mcl_context_tuning_parameter(context, mcl_tuning_parameter_name(k), &value) == MCL_OK)
            printf("    %-*s %d\n", width, mcl_tuning_parameter_name(k), value);
    }
}

/* ---- in words ------------------------------------------------------------------------------------------------ */

/* Prints the ways that the probe has chosen. */
static void print_probed_ways(const mcl_device_info *info)
{
    printf("             scans %s: %s\n",
           info->look_back == 1 ? "read their input once, and look back" : "reduce first, then scan",
           info->look_back_reason);
    if (strcmp(info->sub_group_path, "none") == 0)
        puts("             no exchange of values in sub-groups");
    else
        printf("             exchange of values in sub-groups of %d work-items\n", info->sub_group_size);
}

/* Prints how the library's calls run on an open device. */
static void print_ways(const mcl_device_info *info)
{
    printf("  calls      %s\n", info->mapping == MCL_MAPPING_GROUP ? "a work-group does a tile (group mapping)"
                                                                   : "one work-item does a tile (serial mapping)");
    print_probed_ways(info);
    printf("             %s, %s\n", info->has_double == 1 ? "double" : "no double",
           info->has_half == 1 ? "half" : "half in memory alone");
    if (info->cache_directory[0])
        printf("  programs   kept in %s\n", info->cache_directory);
    else if (strcmp(info->vendor, "POCL") == 0)
        puts("  programs   kept by POCL itself (POCL_CACHE_DIR, else ~/.cache/pocl)");
    else
        puts("  programs   not kept: each process compiles them anew");
}

static void print_in_words(const device *shown)
{
    const mcl_device_info *const info = &shown->info;
    printf("  name       %s\n", info->name);
    printf("  driver     %s %s, %s\n", info->platform, info->driver, info->language);
    if (info->compute_units > 0) printf("  device     %d compute units\n", info->compute_units);
    if (info->memory_total > 0) {
        printf("  memory     ");
        print_bytes(info->memory_total);
    }
    if (shown->context) print_ways(info);
}

static void print_litmus(const device *shown)
{
    puts("  litmus");
    for (int k = 0; k < shown->litmus_count; k++) {
        const litmus_result *const result = &shown->litmus[k];
        printf("    %-9s  %s%s%s\n", litmus_verdict_name(result->verdict), result->name, result->way[0] ? ", by " : "",
               result->way);
        for (int c = 0; c < LITMUS_COUNTS_MAX && result->counts[c].what; c++)
            printf("%s%lld %s", c == 0 ? "               " : ", ", (long long)result->counts[c].count,
                   result->counts[c].what);
        if (result->counts[0].what) putchar('\n');
        printf("               %s\n", result->meaning);
    }
    puts("  chosen");
    print_probed_ways(&shown->info);
}

static void print_all(const device *shown)
{
    for (int f = 0; f < FIELD_COUNT; f++) print_field(&fields[f], &shown->info);
    print_bandwidth(&shown->info);
    if (shown->context) print_tiles(shown->context);
    if (shown->context) print_parameters(shown->context);
}

/* Stores the id of the device that a program gets without naming one. Where there is none, it stores "" and prints a
 * sentence on stderr. */
static void default_device(char *id, size_t capacity)
{
    mcl_context *context = NULL;
    mcl_device_info info;

    id[0] = 0;
    if (mcl_context_create(NULL, &context) != MCL_OK || mcl_context_info(context, &info) != MCL_OK)
        fprintf(stderr, "moderncl-info: the default device: %s\n", mcl_last_error());
    else
        snprintf(id, capacity, "%s", info.id);
    mcl_context_release(context);
}

/* Prints the library's own sentence, which says what was looked for and what would help. */
static void print_why_none(void)
{
    mcl_context *context = NULL;

    if (mcl_context_create(NULL, &context) != MCL_OK) puts(mcl_last_error());
    mcl_context_release(context);
}

static void print_table(const device *devices, int count, int with_all, const char *chosen)
{
    printf("moderncl %s, %d device%s\n", mcl_version(), count, count == 1 ? "" : "s");
    if (count == 0) print_why_none();
    for (int k = 0; k < count; k++) {
        const device *shown = &devices[k];
        printf("\n%s%s\n", shown->info.id, strcmp(shown->info.id, chosen) == 0 ? "  (the default)" : "");
        if (with_all)
            print_all(shown);
        else
            print_in_words(shown);
        if (shown->litmus_count > 0) print_litmus(shown);
        if (shown->error[0]) printf("  cannot be opened: %s\n", shown->error);
    }
    if (count > 0 && !with_all) puts("\n--all shows every fact, tile and parameter.");
}

/* ---- JSON: what is not known is null -------------------------------------------------------------------------- */

static json_t *field_json(const field *fact, const mcl_device_info *info)
{
    if (fact->kind == FIELD_TEXT) {
        const char *text = field_address(fact, info);
        return text[0] ? json_string(text) : json_null();
    }
    const long long number = field_number(fact, info);
    if (number == -1) return json_null();
    if (fact->kind == FIELD_ON_OFF) return json_boolean(number != 0);
    if (fact->kind == FIELD_MAPPING) return json_string(number == MCL_MAPPING_GROUP ? "group" : "serial");
    return json_integer(number);
}

static json_t *tiles_json(mcl_context *context)
{
    json_t *list = json_array();

    for (int operation = 0; mcl_operation_name(operation); operation++) {
        const char *name = mcl_operation_name(operation);
        for (int k = 0; k < TILE_BYTES_COUNT; k++) {
            int threads;
            int items;
            if (mcl_context_tile(context, name, tile_bytes[k], &threads, &items) != MCL_OK) continue;
            json_array_append_new(list, json_pack("{s:s, s:I, s:i, s:i}", "operation", name, "element_bytes",
                                                  (json_int_t)tile_bytes[k], "threads", threads, "items", items));
        }
    }
    return list;
}

static json_t *parameters_json(mcl_context *context)
{
    json_t *object = json_object();

    for (int k = 0; mcl_tuning_parameter_name(k); k++) {
        int value;
        if (mcl_context_tuning_parameter(context, mcl_tuning_parameter_name(k), &value) == MCL_OK)
            json_object_set_new(object, mcl_tuning_parameter_name(k), json_integer(value));
    }
    return object;
}

/* Returns the results as JSON; null where no litmus tests were requested. */
static json_t *litmus_json(const device *shown)
{
    if (shown->litmus_count == 0) return json_null();
    json_t *list = json_array();
    for (int k = 0; k < shown->litmus_count; k++) {
        const litmus_result *const result = &shown->litmus[k];
        json_t *counts = json_array();
        for (int c = 0; c < LITMUS_COUNTS_MAX && result->counts[c].what; c++)
            json_array_append_new(counts, json_pack("{s:s, s:I}", "outcome", result->counts[c].what, "count",
                                                    (json_int_t)result->counts[c].count));
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:s}", "test", result->name, "way", result->way,
                                              "verdict", litmus_verdict_name(result->verdict), "counts", counts,
                                              "meaning", result->meaning));
    }
    return list;
}

static int print_json(const device *devices, int count)
{
    json_t *list = json_array();

    for (int k = 0; k < count; k++) {
        json_t *entry = json_object();
        json_object_set_new(entry, "id", json_string(devices[k].info.id));
        for (int f = 0; f < FIELD_COUNT; f++)
            json_object_set_new(entry, fields[f].key, field_json(&fields[f], &devices[k].info));
        json_object_set_new(entry, "tiles", devices[k].context ? tiles_json(devices[k].context) : json_null());
        json_object_set_new(entry, "parameters",
                            devices[k].context ? parameters_json(devices[k].context) : json_null());
        json_object_set_new(entry, "litmus", litmus_json(&devices[k]));
        json_object_set_new(entry, "error", devices[k].error[0] ? json_string(devices[k].error) : json_null());
        json_array_append_new(list, entry);
    }
    json_t *root = json_pack("{s:s, s:o}", "version", mcl_version(), "devices", list);
    const int failed = !root || json_dumpf(root, stdout, JSON_INDENT(2)) != 0;
    json_decref(root);
    putchar('\n');
    return failed;
}

/* ---- collecting ----------------------------------------------------------------------------------------------- */

/* Opens a device and completes its facts. After a failure the device has the sentence. */
static void device_open(device *opened)
{
    mcl_device_info info;

    if (mcl_context_create(opened->info.id, &opened->context) == MCL_OK) {
        if (mcl_context_info(opened->context, &info) == MCL_OK) {
            opened->info = info;
            return;
        }
        snprintf(opened->error, sizeof opened->error, "%s", mcl_last_error());
        mcl_context_release(opened->context);
    } else {
        snprintf(opened->error, sizeof opened->error, "%s", mcl_last_error());
    }
    opened->context = NULL;
}

/* Returns all devices, or the device that name means. Returns NULL after a failure, for which it has printed a
 * sentence. */
static device *devices_collect(const char *name, int *count)
{
    mcl_status status = MCL_OK;
    mcl_device_info *infos = NULL;
    device *devices = NULL;

    *count = 1;
    if (!name) status = mcl_device_list(NULL, 0, count);
    infos = calloc((size_t)*count + 1, sizeof *infos);
    devices = calloc((size_t)*count + 1, sizeof *devices);
    if (!infos || !devices) {
        fputs("moderncl-info: out of memory\n", stderr);
        goto failed;
    }
    if (name) {
        status = mcl_context_create(name, &devices[0].context);
        if (status == MCL_OK) status = mcl_context_info(devices[0].context, &devices[0].info);
    } else if (status == MCL_OK) {
        const int capacity = *count;
        status = mcl_device_list(infos, capacity, count);
        if (*count > capacity) *count = capacity;
    }
    if (status != MCL_OK) {
        fprintf(stderr, "moderncl-info: %s\n", mcl_last_error());
        goto failed;
    }
    for (int k = 0; !name && k < *count; k++) {
        devices[k].info = infos[k];
        device_open(&devices[k]);
    }
    free(infos);
    return devices;

failed:
    if (devices) mcl_context_release(devices[0].context);
    free(devices);
    free(infos);
    return NULL;
}

/* Runs the litmus tests. Returns 1 where a test failed on a device, or a device could not do all of them. */
static int run_litmus(device *devices, int count, double seconds)
{
    int failed = 0;

    for (int k = 0; k < count; k++) {
        device *const tried = &devices[k];
        if (!tried->context) continue;
        const int results = litmus_run(tried->info.id, seconds, tried->litmus);
        if (results < 0) snprintf(tried->error, sizeof tried->error, "%s", mcl_last_error());
        if (results > 0) tried->litmus_count = results;
        failed |= results < 0;
        for (int r = 0; r < results; r++) failed |= tried->litmus[r].verdict == LITMUS_FAILED;
    }
    return failed;
}

/* A number that no user gives as a time. It means that none was given. */
static const double NOT_GIVEN = -1.5e300;

/* Returns 1 where the time of a litmus test is right. Without a given time it sets the time to 1 second. */
static int seconds_are_right(double *seconds, int is_given, int with_litmus)
{
    enum { SECONDS_MAX = 86400 };
    if (!is_given) *seconds = 1;
    if (is_given && !with_litmus)
        fputs("moderncl-info: --seconds: needs --litmus\n", stderr);
    else if (!(*seconds >= 0 && *seconds <= SECONDS_MAX))
        fprintf(stderr, "moderncl-info: --seconds is %g; expected 0 to %d\n", *seconds, SECONDS_MAX);
    else
        return 1;
    return 0;
}

int main(int argument_count, const char **arguments)
{
    char *name = NULL;
    int as_json = 0;
    int with_all = 0;
    int with_litmus = 0;
    double seconds = NOT_GIVEN;
    char chosen[sizeof(((mcl_device_info *)NULL)->id)] = "";
    const struct poptOption options[] = {
        { "device", 'd', POPT_ARG_STRING, &name, 0, "show this device alone", "NAME" },
        { "all", 'a', POPT_ARG_NONE, &with_all, 0, "show every fact, tile and tuning parameter", NULL },
        { "litmus", 'l', POPT_ARG_NONE, &with_litmus, 0, "test how words pass between groups, and what follows", NULL },
        { "seconds", 's', POPT_ARG_DOUBLE, &seconds, 0, "time for each litmus test (1)", "SECONDS" },
        { "json", 'j', POPT_ARG_NONE, &as_json, 0, "write JSON instead of a table", NULL },
        OPTIONS_END
    };
    int count = 0;
    command_line_tell_passed_over("moderncl-info");
    int is_read = command_line_read("moderncl-info", options, argument_count, arguments, NULL, NULL) == 0;
    if (is_read) is_read = seconds_are_right(&seconds, seconds != NOT_GIVEN, with_litmus);
    device *const devices = is_read ? devices_collect(name, &count) : NULL;
    int status = 0;

    if (devices && !name && !as_json && count > 0) default_device(chosen, sizeof chosen);
    const int failed = devices && with_litmus && run_litmus(devices, count, seconds);
    if (!devices)
        status = COMMAND_LINE_WRONG;
    else if (as_json)
        status = print_json(devices, count);
    else
        print_table(devices, count, with_all, chosen);
    for (int k = 0; devices && k < count; k++) mcl_context_release(devices[k].context);
    free(devices);
    free(name);
    return command_line_end("moderncl-info", status ? status : failed);
}
