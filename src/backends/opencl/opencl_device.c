/* opencl_device.c: the devices of all platforms, and the properties that their drivers report. */
#include "opencl_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A listed device: the index of its platform, and its index in the platform. Platforms of OpenCL 1.0 or 1.1 have an
 * index, but their devices are not listed. */
typedef struct table_entry {
    cl_device_id device;
    int platform_index;
    int device_index;
} table_entry;

enum { PLATFORMS_MAX = 64, PLATFORM_DEVICES_MAX = 64 };

/* The list of devices, guarded by the process lock. It is never freed, since a driver's devices do not change within a
 * process. If a driver failed to report its devices, it is asked again next time, and they are added at the end. */
static struct {
    table_entry *entries;
    int count;
    int known[PLATFORMS_MAX]; /* 1 if all devices of the platform are known */
    int made;                 /* 1 if the devices of all platforms are known */
    mcl__text missing;        /* text that mcl__opencl_device_missing appends */
} table;

/* ---- asking ------------------------------------------------------------------------------------------------- */

/* Returns a property of type cl_uint, cl_bool, size_t or cl_ulong, or -1 where the driver does not know the query. */
static int64_t device_number(cl_device_id device, cl_device_info what)
{
    unsigned char bytes[8];
    size_t size = 0;
    if (mcl__cl.GetDeviceInfo(device, what, sizeof bytes, bytes, &size) != CL_SUCCESS) return -1;
    cl_uint narrow;
    cl_ulong wide;
    if (size == sizeof narrow) {
        memcpy(&narrow, bytes, sizeof narrow);
        return (int64_t)narrow;
    }
    if (size != sizeof wide) return -1;
    memcpy(&wide, bytes, sizeof wide);
    return wide > INT64_MAX ? INT64_MAX : (int64_t)wide;
}

static int device_int(cl_device_id device, cl_device_info what)
{
    const int64_t number = device_number(device, what);
    return number > INT32_MAX ? INT32_MAX : (int)number;
}

/* Writes the driver's whole answer, a text, to out. Writes "" where there is no answer. */
static void device_text(cl_device_id device, cl_device_info what, mcl__text *out)
{
    size_t size = 0;
    mcl__text_clear(out);
    mcl__text_append(out, "");
    if (mcl__cl.GetDeviceInfo(device, what, 0, NULL, &size) != CL_SUCCESS || size == 0) return;
    char *const answer = calloc(1, size + 1);
    if (answer && mcl__cl.GetDeviceInfo(device, what, size, answer, NULL) == CL_SUCCESS) mcl__text_append(out, answer);
    free(answer);
}

/* Copies a text without the blanks that some drivers put around names, and cuts it to capacity. */
static void text_trim(const char *text, char *out, size_t capacity)
{
    text += strspn(text, " ");
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') --length;
    if (length >= capacity) length = capacity - 1;
    memcpy(out, text, length);
    out[length] = 0;
}

static void device_name(cl_device_id device, cl_device_info what, char *out, size_t capacity)
{
    mcl__text text = { 0 };
    device_text(device, what, &text);
    text_trim(text.data ? text.data : "", out, capacity);
    mcl__text_free(&text);
}

static void platform_name(cl_device_id device, cl_platform_info what, char *out, size_t capacity)
{
    cl_platform_id platform = NULL;
    char answer[512] = "";
    out[0] = 0;
    if (mcl__cl.GetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS) return;
    if (mcl__cl.GetPlatformInfo(platform, what, sizeof answer, answer, NULL) == CL_SUCCESS)
        text_trim(answer, out, capacity);
}

static int words_contain(const mcl__text *words, const char *word)
{
    const size_t length = strlen(word);
    const char *next = words->data;
    while (next && (next = strstr(next, word)) != NULL) {
        const int starts = next == words->data || next[-1] == ' ';
        next += length;
        if (starts && (*next == ' ' || *next == 0)) return 1;
    }
    return 0;
}

/* ---- the table of devices ----------------------------------------------------------------------------------- */

/* Returns 120 for "OpenCL 1.2 ..." or "OpenCL C 1.2 ...", and 0 for other texts. */
static int version_number(const char *text)
{
    int major = 0, minor = 0;
    if (sscanf(text, "OpenCL C %d.%d", &major, &minor) != 2 && sscanf(text, "OpenCL %d.%d", &major, &minor) != 2)
        return 0;
    return major * 100 + minor * 10;
}

/* Returns 1 where the device is available and has a compiler for OpenCL 1.2, else 0. Returns -1 where the driver does
 * not answer. */
static int device_usable(cl_device_id device)
{
    char version[128];
    const int64_t available = device_number(device, CL_DEVICE_AVAILABLE);
    const int64_t compiles = device_number(device, CL_DEVICE_COMPILER_AVAILABLE);
    device_name(device, CL_DEVICE_VERSION, version, sizeof version);
    if (available < 0 || compiles < 0 || !version[0]) return -1;
    return version_number(version) >= 120 && available == 1 && compiles == 1;
}

/* The most frequent reasons why a platform has no devices. */
static const struct {
    const char *platform;
    const char *hint;
} hints[] = {
    { "Portable Computing Language",
      "its cache needs a folder that this user can write: set POCL_CACHE_DIR or HOME, or "
      "look who owns /tmp/pocl" },
    { "rusticl", "set RUSTICL_ENABLE, to llvmpipe for example" },
};

static void missing_add(cl_platform_id platform, cl_int error, cl_uint count)
{
    char answer[512] = "";
    char name[128];
    (void)mcl__cl.GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof answer - 1, answer, NULL);
    text_trim(answer, name, sizeof name);
    const char *const told = name[0] ? name : "one without a name";
    if (table.missing.length > 0 && strstr(table.missing.data, told)) return; /* the text names this platform already */
    mcl__text_format(&table.missing, "%s%s (",
                     table.missing.length ? ", " : "OpenCL's platforms without a device: ", told);
    if (error != CL_SUCCESS)
        mcl__text_format(&table.missing, "clGetDeviceIDs gave %s", mcl__opencl_error_name(error));
    else
        mcl__text_format(&table.missing, "%u devices, none available with a compiler of OpenCL 1.2", (unsigned)count);
    for (size_t k = 0; k < sizeof hints / sizeof *hints; ++k)
        if (strcmp(hints[k].platform, name) == 0) mcl__text_format(&table.missing, "; %s", hints[k].hint);
    mcl__text_append(&table.missing, ")");
}

void mcl__opencl_device_missing(mcl__text *out, int is_wanted)
{
    if (!mcl__opencl_load()) {
        if (is_wanted) mcl__opencl_missing(out);
        return;
    }
    mcl__process_lock();
    if (table.missing.data && !table.missing.failed)
        mcl__text_format(out, "%s%s", out->length ? "; " : "", table.missing.data);
    mcl__process_unlock();
}

static int table_has(cl_device_id device)
{
    for (int i = 0; i < table.count; ++i)
        if (table.entries[i].device == device) return 1;
    return 0;
}

/* Adds a platform's devices to the table. A platform that fails adds none for now. Returns 0 where host memory is
 * exhausted. */
static int table_add_platform(cl_platform_id platform, int platform_index)
{
    cl_device_id devices[PLATFORM_DEVICES_MAX];
    cl_uint count = 0;
    const cl_int error = mcl__cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, PLATFORM_DEVICES_MAX, devices, &count);
    table.known[platform_index] = error == CL_SUCCESS || error == CL_DEVICE_NOT_FOUND;
    if (error != CL_SUCCESS) {
        missing_add(platform, error, 0);
        return 1;
    }
    const int before = table.count;
    if (count > PLATFORM_DEVICES_MAX) count = PLATFORM_DEVICES_MAX;
    table_entry *const grown = realloc(table.entries, ((size_t)table.count + count + 1) * sizeof *grown);
    if (!grown) return 0;
    table.entries = grown;
    for (cl_uint i = 0; i < count; ++i) {
        const int usable = table_has(devices[i]) ? 0 : device_usable(devices[i]);
        if (usable < 0) table.known[platform_index] = 0;
        if (usable != 1) continue;
        grown[table.count++] =
            (table_entry){ .device = devices[i], .platform_index = platform_index, .device_index = (int)i };
    }
    if (table.count == before) missing_add(platform, CL_SUCCESS, count);
    return 1;
}

/* Fills the table, under the process lock. Returns 0 where host memory is exhausted. */
static int table_make(void)
{
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint count = 0;
    int good = 1;
    const cl_int error = mcl__cl.GetPlatformIDs(PLATFORMS_MAX, platforms, &count);
    if (error != CL_SUCCESS) count = 0;
    if (count == 0 && table.missing.length == 0)
        mcl__text_format(&table.missing,
                         "OpenCL's loader has no platform (clGetPlatformIDs gave %s): expected a "
                         "driver in /etc/OpenCL/vendors or OCL_ICD_VENDORS (Debian: pocl-opencl-icd for a processor)",
                         mcl__opencl_error_name(error));
    if (count > PLATFORMS_MAX) count = PLATFORMS_MAX;
    table.made = error == CL_SUCCESS || error == CL_PLATFORM_NOT_FOUND_KHR;
    for (cl_uint i = 0; i < count && good; ++i) {
        if (!table.known[i]) good = table_add_platform(platforms[i], (int)i);
        table.made = table.made && good && table.known[i];
    }
    return good;
}

mcl_status mcl__opencl_device_count(int *count)
{
    *count = 0;
    if (!mcl__opencl_load()) return MCL_OK;
    mcl__process_lock();
    const int good = table.made || table_make();
    const int found = table.count;
    mcl__process_unlock();
    if (!good) return mcl__fail(MCL_ERROR_MEMORY, "opencl: host memory for the list of devices is exhausted");
    *count = found;
    return MCL_OK;
}

static table_entry table_at(int device)
{
    mcl__process_lock();
    const table_entry entry = table.entries[device];
    mcl__process_unlock();
    return entry;
}

cl_device_id mcl__opencl_device_handle(int device)
{
    return table_at(device).device;
}

mcl_status mcl__opencl_device_info(int device, mcl_device_info *info)
{
    mcl__opencl_facts facts;
    return mcl__opencl_describe(table_at(device).device, info, &facts);
}

/* ---- describing --------------------------------------------------------------------------------------------- */

static void describe_id(cl_device_id device, mcl_device_info *info)
{
    int count;
    (void)mcl__opencl_device_count(&count);
    for (int i = 0; i < count; ++i) {
        const table_entry entry = table_at(i);
        if (entry.device != device) continue;
        (void)snprintf(info->id, sizeof info->id, "opencl:%d:%d", entry.platform_index, entry.device_index);
    }
}

static const char *vendor_word(const mcl_device_info *info, const char *vendor)
{
    if (strcmp(info->platform, "Portable Computing Language") == 0) return "POCL";
    if (strcmp(info->platform, "Oclgrind") == 0) return "Oclgrind";
    if (strstr(info->name, "llvmpipe")) return "Mesa";
    if (strstr(vendor, "NVIDIA")) return "NVIDIA";
    if (strstr(vendor, "Advanced Micro Devices") || strstr(vendor, "AMD")) return "AMD";
    if (strstr(vendor, "Intel")) return "Intel";
    return vendor;
}

static void describe_names(cl_device_id device, mcl_device_info *info)
{
    char vendor[128];
    device_name(device, CL_DEVICE_NAME, info->name, sizeof info->name);
    device_name(device, CL_DEVICE_VENDOR, vendor, sizeof vendor);
    device_name(device, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    platform_name(device, CL_PLATFORM_NAME, info->platform, sizeof info->platform);
    text_trim(vendor_word(info, vendor), info->vendor, sizeof info->vendor);
    /* Some versions of llvmpipe report that they are a GPU, and Oclgrind reports both CPU and GPU. */
    const int64_t type = device_number(device, CL_DEVICE_TYPE);
    info->is_gpu = type >= 0 && (type & CL_DEVICE_TYPE_GPU) != 0 && (type & CL_DEVICE_TYPE_CPU) == 0 &&
                   strcmp(info->vendor, "Mesa") != 0;
}

static void describe_architecture(cl_device_id device, mcl_device_info *info)
{
    const int major = device_int(device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV);
    const int minor = device_int(device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
    const size_t gfx_length = strncmp(info->name, "gfx", 3) == 0 ? strcspn(info->name, ": ") : 0;
    if (strcmp(info->vendor, "NVIDIA") == 0 && major > 0 && minor >= 0)
        (void)snprintf(info->architecture, sizeof info->architecture, "sm_%d%d", major, minor);
    else if (gfx_length > 0 && gfx_length < sizeof info->architecture)
        (void)snprintf(info->architecture, sizeof info->architecture, "%.*s", (int)gfx_length, info->name);
    else
        (void)snprintf(info->architecture, sizeof info->architecture, "%s", info->is_gpu ? "gpu" : "cpu");
}

static void describe_language(cl_device_id device, mcl_device_info *info, mcl__opencl_facts *facts)
{
    char text[128];
    device_name(device, CL_DEVICE_OPENCL_C_VERSION, text, sizeof text);
    int version = version_number(text);
    /* A driver of OpenCL 3.0 may name 1.2 here, and newer versions only in the query below. Oclgrind, a driver of 1.2,
     * also lists newer versions there, but does not compile them. */
    size_t size = 0;
    char device_version[128];
    device_name(device, CL_DEVICE_VERSION, device_version, sizeof device_version);
    if (version_number(device_version) < 300 ||
        mcl__cl.GetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, NULL, &size) != CL_SUCCESS)
        size = 0;
    cl_name_version *const versions = calloc(1, size + 1);
    if (versions && size > 0 &&
        mcl__cl.GetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, size, versions, NULL) == CL_SUCCESS) {
        for (size_t i = 0; i < size / sizeof *versions; ++i) {
            const cl_version listed = versions[i].version;
            const int number = (int)(CL_VERSION_MAJOR(listed) * 100 + CL_VERSION_MINOR(listed) * 10);
            if (strcmp(versions[i].name, "OpenCL C") == 0 && number > version) version = number;
        }
    }
    free(versions);
    if (facts->is_limited && version > 120) version = 120;
    facts->language_version = version;
    (void)snprintf(info->language, sizeof info->language, "OpenCL C %d.%d", version / 100, version / 10 % 10);
}

/* Returns the size of sub-groups. If a device has several sizes, kernels must ask for one (*required). If they cannot
 * ask, the size is 1. They ask for 32, which suits them best, or for the largest smaller size. On Intel's GPUs they ask
 * for 16, since in larger sub-groups registers spill (docs/vendors.md). MCL_FEATURES may name another size. */
static int sub_group_size(cl_device_id device, const mcl_device_info *info, const mcl__text *extensions, int *required)
{
    const int64_t usual = strcmp(info->vendor, "Intel") == 0 && info->is_gpu ? 16 : 32;
    const int64_t best = mcl__feature_number("sub_group_size", usual);
    size_t sizes[8];
    size_t bytes = 0;
    size_t size = 0;
    *required = 0;
    if (strcmp(info->vendor, "NVIDIA") == 0) return 32;
    if (strcmp(info->vendor, "AMD") == 0) {
        const int width = device_int(device, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
        return width > 1 ? width : 1;
    }
    if (mcl__cl.GetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes) != CL_SUCCESS)
        return 1;
    const size_t count = bytes / sizeof *sizes;
    *required = count > 1;
    if (*required && !words_contain(extensions, "cl_intel_required_subgroup_size")) return 1;
    for (size_t k = 0; k < count; ++k)
        if (count == 1 || (sizes[k] > size && (int64_t)sizes[k] <= best)) size = sizes[k];
    return size > 1 ? (int)size : 1;
}

int mcl__opencl_has_extension(cl_device_id device, const char *name)
{
    mcl__text extensions = { 0 };
    device_text(device, CL_DEVICE_EXTENSIONS, &extensions);
    const int found = words_contain(&extensions, name);
    mcl__text_free(&extensions);
    return found;
}

/* Returns 1 where the device has sub-groups, from the extension or as a part of OpenCL 2.1 and 3.0. */
static int has_sub_groups(cl_device_id device, const mcl__text *extensions)
{
    return words_contain(extensions, "cl_khr_subgroups") || device_number(device, CL_DEVICE_MAX_NUM_SUB_GROUPS) > 0;
}

static void describe_features(cl_device_id device, mcl_device_info *info, mcl__opencl_facts *facts)
{
    mcl__text extensions = { 0 };
    device_text(device, CL_DEVICE_EXTENSIONS, &extensions);
    info->has_double =
        words_contain(&extensions, "cl_khr_fp64") || device_number(device, CL_DEVICE_DOUBLE_FP_CONFIG) > 0;
    info->has_half = words_contain(&extensions, "cl_khr_fp16");
    facts->has_int64_atomics = words_contain(&extensions, "cl_khr_int64_base_atomics");
    facts->has_subgroup_shuffle = has_sub_groups(device, &extensions) &&
                                  words_contain(&extensions, "cl_khr_subgroup_shuffle") &&
                                  words_contain(&extensions, "cl_khr_subgroup_shuffle_relative");
    info->sub_group_size = sub_group_size(device, info, &extensions, &facts->sub_group_required);
    if (facts->is_limited) info->sub_group_size = 1;
    if (strcmp(info->vendor, "NVIDIA") != 0 && strcmp(info->vendor, "AMD") != 0 && !facts->has_subgroup_shuffle)
        info->sub_group_size = 1;
    mcl__text_free(&extensions);
}

/* Returns the most work-items of a one-dimensional group. Some drivers allow fewer in one dimension than in three. */
static int largest_group(cl_device_id device)
{
    enum { DIMENSIONS_MAX = 16 };
    size_t sizes[DIMENSIONS_MAX] = { 0 };
    const int all = device_int(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    const cl_int error = mcl__cl.GetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
    const int knows = error == CL_SUCCESS && sizes[0] > 0 && sizes[0] < INT32_MAX;
    return knows && (int)sizes[0] < all ? (int)sizes[0] : all;
}

static void describe_numbers(cl_device_id device, mcl_device_info *info)
{
    /* llvmpipe silently ends every loop once the loops of a work-item have had 65535 iterations in total. */
    const int64_t llvmpipe_loop_budget = 60000;
    cl_ulong free_kilobytes[2] = { 0 };
    const cl_int asked =
        mcl__cl.GetDeviceInfo(device, CL_DEVICE_GLOBAL_FREE_MEMORY_AMD, sizeof free_kilobytes, free_kilobytes, NULL);
    info->clock_mhz = device_int(device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    info->compute_units = device_int(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    info->memory_total = device_number(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    info->memory_free = asked == CL_SUCCESS && free_kilobytes[0] ? (int64_t)free_kilobytes[0] * 1024 : -1;
    info->memory_max_buffer = device_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    info->memory_clock_mhz = -1;
    info->memory_bus_bits = -1;
    info->ecc = device_int(device, CL_DEVICE_ERROR_CORRECTION_SUPPORT);
    info->cache_bytes = device_number(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    info->local_memory = device_number(device, CL_DEVICE_LOCAL_MEM_SIZE);
    info->max_threads = largest_group(device);
    info->loop_budget = strcmp(info->vendor, "Mesa") == 0 ? llvmpipe_loop_budget : 0;
}

mcl_status mcl__opencl_describe(cl_device_id device, mcl_device_info *info, mcl__opencl_facts *facts)
{
    char version[8];
    *info = (mcl_device_info){ .backend = "opencl", .look_back = -1 };
    *facts = (mcl__opencl_facts){ 0 };
    facts->is_limited = mcl__feature("opencl", version, sizeof version) && strcmp(version, "1.2") == 0;
    describe_id(device, info);
    describe_names(device, info);
    describe_architecture(device, info);
    describe_language(device, info, facts);
    describe_features(device, info, facts);
    describe_numbers(device, info);
    platform_name(device, CL_PLATFORM_VERSION, facts->platform_version, sizeof facts->platform_version);
    return MCL_OK;
}
