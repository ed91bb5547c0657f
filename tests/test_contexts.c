/* test_contexts.c: device names, the list of devices, contexts, queues and buffers as objects. */
#define _POSIX_C_SOURCE 200809L
#include "support/arrays.h"

#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 1000 };

static int32_t sum_of_ones(mcl_context *context)
{
    const int32_t one = 1;
    int32_t sum = 0;
    mcl_queue *queue = NULL;

    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_reduce(queue, mcl_from_constant(MCL_INT32, &one, COUNT), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
    mcl_queue_release(queue);
    return sum;
}

static void opens(const char *name, const mcl_device_info *expected)
{
    mcl_context *context = NULL;
    mcl_device_info info;

    test_ok(mcl_context_create(name, &context));
    test_ok(mcl_context_info(context, &info));
    if (expected) ck_assert_str_eq(info.id, expected->id);
    mcl_context_release(context);
}

START_TEST(a_device_has_every_name_that_the_header_promises)
{
    const mcl_device_info *info = &test_device_at(_i)->info;
    char name[320];

    opens(info->id, info);
    opens(info->backend, NULL);
    if (strcmp(info->backend, "opencl") != 0) return;
    snprintf(name, sizeof name, "opencl:%s:%s", info->platform, info->name);
    if (!strchr(info->platform, ':') && !strchr(info->name, ':')) opens(name, NULL);
    snprintf(name, sizeof name, "opencl:%.8s", info->platform);
    for (char *c = name + 7; *c; c++) *c = (char)toupper((unsigned char)*c);
    opens(name, NULL);
}
END_TEST

/* Makes a locale in folder, and sets it. Returns 0 where localedef is missing or does not know the locale. */
static int take_locale(const char *folder, const char *language)
{
    char text[256];
    snprintf(text, sizeof text, "localedef -i %s -f UTF-8 '%s/%s.UTF-8' >/dev/null 2>&1", language, folder, language);
    if (system(text) != 0) return 0;
    snprintf(text, sizeof text, "%s.UTF-8", language);
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_ALL, text) != NULL;
}

static void remove_folder(const char *folder)
{
    char command[128];

    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

/* In Turkish and Azeri the lower-case letter of I is not i. */
START_TEST(device_names_are_the_same_in_every_locale)
{
    static const char *const languages[] = { "tr_TR", "az_AZ", "de_DE" };
    char folder[64] = "/tmp/moderncl_locale_XXXXXX";
    char name[320];

    if (strcmp(test_device_at(_i)->info.backend, "opencl") != 0) return;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (size_t k = 0; k < sizeof languages / sizeof languages[0]; k++) {
        if (!take_locale(folder, languages[k])) continue;
        for (int small = 0; small < 2; small++) {
            snprintf(name, sizeof name, "opencl:%.200s", test_device_at(_i)->info.platform);
            for (char *c = name + 7; *c; c++) {
                if (small && *c >= 'A' && *c <= 'Z') *c = (char)(*c + 32);
                if (!small && *c >= 'a' && *c <= 'z') *c = (char)(*c - 32);
            }
            opens(name, NULL);
        }
        setlocale(LC_ALL, "C");
    }
    unsetenv("LOCPATH");
    remove_folder(folder);
}
END_TEST

static char told[2][512];
static int told_count;

static void keep_told(mcl_status status, const char *sentence, void *user)
{
    (void)user;
    if (status == MCL_OK && told_count < 2) snprintf(told[told_count], sizeof told[0], "%s", sentence);
    told_count += status == MCL_OK;
}

/* The library reports an unknown word of the environment, and a folder that it cannot use. */
START_TEST(what_the_environment_has_wrong_is_told)
{
    const char *const id = test_device_at(_i)->info.id;
    mcl_context *context = NULL;
    char features[256];
    char folder[256];

    snprintf(features, sizeof features, "%s", getenv("MCL_FEATURES") ? getenv("MCL_FEATURES") : "");
    snprintf(folder, sizeof folder, "%s", getenv("MCL_CACHE_DIR") ? getenv("MCL_CACHE_DIR") : "");
    setenv("MCL_FEATURES", "maping=group", 1);
    test_fails(mcl_context_create(id, &context), MCL_ERROR_ARGUMENT, "mcl_context_create|maping=group|mapping");
    ck_assert_ptr_null(context);
    setenv("MCL_FEATURES", features, 1);
    setenv("MCL_CACHE_DIR", "/dev/null/cache", 1);
    told_count = 0;
    mcl_log_set(keep_told, NULL);
    test_ok(mcl_context_create(id, &context));
    ck_assert_int_eq(sum_of_ones(context), COUNT);
    mcl_log_set(NULL, NULL);
    ck_assert_int_eq(told_count, 1);
    ck_assert_ptr_nonnull(strstr(told[0], "mcl_context_create: the folder /dev/null/cache"));
    const int is_pocl = strcmp(test_device_at(_i)->info.vendor, "POCL") == 0; /* which has a cache of its own */
    ck_assert_ptr_nonnull(strstr(told[0], is_pocl ? "driver keeps programs itself" : "compiled anew in each process"));
    mcl_context_release(context);
    setenv("MCL_CACHE_DIR", folder, 1);
}
END_TEST

/* A misspelt variable is reported, but not every name with the library's prefix. */
START_TEST(a_variable_that_is_nearly_the_librarys_is_told)
{
    mcl_context *context = NULL;
    char folder[] = "/tmp/moderncl_cache_XXXXXX"; /* the library reports a folder that others may open */
    char before[256];

    snprintf(before, sizeof before, "%s", getenv("MCL_CACHE_DIR") ? getenv("MCL_CACHE_DIR") : "");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("MCL_CACHE_DIR", folder, 1);
    setenv("MCL_FEATURE", "mapping=group", 1);
    setenv("MCL_GALLERY", "1", 1);
    setenv("MCL_THE_LONGEST_NAME_THAT_ANYBODY_HAS_EVER_GIVEN", "1", 1);
    told_count = 0;
    mcl_log_set(keep_told, NULL);
    test_ok(mcl_context_create(test_device_at(_i)->info.id, &context));
    mcl_log_set(NULL, NULL);
    ck_assert_int_eq(told_count, 1);
    ck_assert_str_eq(told[0],
                     "mcl_context_create: the environment has MCL_FEATURE, which the library does not read; it "
                     "reads MCL_FEATURES");
    mcl_context_release(context);
    unsetenv("MCL_FEATURE");
    unsetenv("MCL_GALLERY");
    unsetenv("MCL_THE_LONGEST_NAME_THAT_ANYBODY_HAS_EVER_GIVEN");
    setenv("MCL_CACHE_DIR", before, 1);
    remove_folder(folder);
}
END_TEST

START_TEST(folders_that_are_not_there_are_named_at_once)
{
    static const char *const variables[] = { "MCL_KERNEL_DIR", "MCL_DUMP_SOURCE", "MCL_LOG" };
    mcl_context *context = NULL;

    for (size_t k = 0; k < sizeof variables / sizeof variables[0]; k++) {
        setenv(variables[k], "/no/such/folder", 1);
        test_fails(mcl_context_create(test_device_at(_i)->info.id, &context), MCL_ERROR_ARGUMENT,
                   "mcl_context_create: |/no/such/folder|; expected ");
        ck_assert_ptr_nonnull(strstr(mcl_last_error(), variables[k]));
        unsetenv(variables[k]);
    }
}
END_TEST

START_TEST(an_unknown_device_lists_those_there_are)
{
    mcl_context *context = (mcl_context *)&context;

    test_fails(mcl_context_create("opencl:no such platform", &context), MCL_ERROR_ARGUMENT,
               test_device_at(_i)->info.id);
    test_fails(mcl_context_create("abacus:0", &context), MCL_ERROR_ARGUMENT, "mcl_context_create|abacus:0");
    test_fails(mcl_context_create("opencl:0:99", &context), MCL_ERROR_ARGUMENT, "mcl_context_create|opencl:0:99");
    test_fails(mcl_context_create(test_device_at(_i)->info.id, NULL), MCL_ERROR_ARGUMENT, "mcl_context_create|out");
}
END_TEST

/* A request for a backend without devices gets a sentence about its driver; other requests do not. */
START_TEST(an_unknown_device_of_a_backend_without_a_driver_says_so)
{
    static mcl_device_info infos[16];
    mcl_context *context = NULL;
    int count = 0, has_cuda = 0;

    test_ok(mcl_device_list(infos, 16, &count));
    for (int k = 0; k < count && k < 16; k++) has_cuda += strcmp(infos[k].backend, "cuda") == 0;
    test_fails(mcl_context_create("cuda:99", &context), MCL_ERROR_ARGUMENT,
               has_cuda ? "cuda:99|expected one of: |, or a part of a name"
                        : "cuda:99|as in opencl:portable; CUDA's driver ");
    test_fails(mcl_context_create("opencl:0:99", &context), MCL_ERROR_ARGUMENT,
               "expected one of: |, or a part of a name");
    ck_assert_ptr_null(strstr(mcl_last_error(), "CUDA's driver was not found"));
}
END_TEST

START_TEST(the_list_has_the_device_with_the_facts_of_its_context)
{
    static mcl_device_info infos[16];
    const mcl_device_info *mine = &test_device_at(_i)->info;
    int count = 0;
    int found = 0;

    test_ok(mcl_device_list(NULL, 0, &count));
    ck_assert_int_ge(count, 1);
    test_ok(mcl_device_list(infos, 16, &count));
    for (int i = 0; i < count && i < 16; i++) {
        if (strcmp(infos[i].id, mine->id) != 0) continue;
        found++;
        ck_assert_str_eq(infos[i].name, mine->name);
        ck_assert_int_eq(infos[i].compute_units, mine->compute_units);
        ck_assert_int_eq(infos[i].look_back, -1);
    }
    ck_assert_int_eq(found, 1);
    ck_assert(mine->look_back == 0 || mine->look_back == 1);
    ck_assert_str_ne(mine->look_back_reason, "");
    ck_assert_int_gt(mine->max_threads, 0);
    ck_assert_int_ge(mine->local_memory, 16384);
    test_fails(mcl_device_list(NULL, 3, &count), MCL_ERROR_ARGUMENT, "mcl_device_list|infos");
    test_fails(mcl_device_list(infos, -1, &count), MCL_ERROR_ARGUMENT, "mcl_device_list|capacity|-1");
    test_fails(mcl_device_list(infos, 16, NULL), MCL_ERROR_ARGUMENT, "mcl_device_list|count");
}
END_TEST

START_TEST(mcl_device_in_the_environment_is_the_default)
{
    const char *earlier = getenv("MCL_DEVICE");
    char *kept = earlier ? strdup(earlier) : NULL;

    setenv("MCL_DEVICE", test_device_at(_i)->info.id, 1);
    opens(NULL, &test_device_at(_i)->info);
    setenv("MCL_DEVICE", "opencl:nonsense", 1);
    mcl_context *context = NULL;
    test_fails(mcl_context_create(NULL, &context), MCL_ERROR_ARGUMENT, "nonsense");
    if (kept)
        setenv("MCL_DEVICE", kept, 1);
    else
        unsetenv("MCL_DEVICE");
    free(kept);
}
END_TEST

START_TEST(two_contexts_work_side_by_side)
{
    mcl_context *a = test_context(_i);
    mcl_context *b = test_context(_i);

    ck_assert_int_eq(sum_of_ones(a), COUNT);
    ck_assert_int_eq(sum_of_ones(b), COUNT);
    mcl_context_release(a);
    ck_assert_int_eq(sum_of_ones(b), COUNT);
    mcl_context_release(b);
}
END_TEST

START_TEST(a_queue_and_a_buffer_keep_their_context_alive)
{
    mcl_context *context = test_context(_i);
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    int32_t data[4] = { 1, 2, 3, 4 };
    int32_t sum = 0;

    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, sizeof data, data, &buffer));
    ck_assert_ptr_eq(mcl_queue_context(queue), context);
    ck_assert_uint_eq(mcl_buffer_bytes(buffer), sizeof data);
    mcl_context_release(context);
    test_ok(mcl_reduce(queue, ints(buffer, 4), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL));
    ck_assert_int_eq(sum, 10);
    mcl_queue_release(queue);
    mcl_buffer_release(buffer);
}
END_TEST

START_TEST(retained_objects_need_as_many_releases)
{
    mcl_context *context = test_context(_i);
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    int32_t number = 5;

    test_ok(mcl_queue_create(context, 0, &queue));
    test_ok(mcl_buffer_create(context, sizeof number, &number, &buffer));
    test_ok(mcl_context_retain(context));
    test_ok(mcl_queue_retain(queue));
    test_ok(mcl_buffer_retain(buffer));
    mcl_buffer_release(buffer);
    mcl_queue_release(queue);
    mcl_context_release(context);
    number = 0;
    test_ok(mcl_buffer_read(queue, buffer, 0, sizeof number, &number));
    ck_assert_int_eq(number, 5);
    mcl_buffer_release(buffer);
    mcl_queue_release(queue);
    ck_assert_int_eq(sum_of_ones(context), COUNT);
    mcl_context_release(context);
    mcl_context_release(NULL);
    mcl_queue_release(NULL);
    mcl_buffer_release(NULL);
    mcl_event_release(NULL);
    test_fails(mcl_context_retain(NULL), MCL_ERROR_ARGUMENT, "mcl_context_retain|context is NULL");
    test_fails(mcl_queue_retain(NULL), MCL_ERROR_ARGUMENT, "mcl_queue_retain|queue is NULL");
    test_fails(mcl_buffer_retain(NULL), MCL_ERROR_ARGUMENT, "mcl_buffer_retain|buffer is NULL");
}
END_TEST

/* Uses the device in a child. The exit status tells the child's finding: 0 is right. */
static int use_in_child(test_device *device)
{
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    mcl_device_info info;
    int32_t sum = 0;

    if (mcl_context_info(device->context, &info) != MCL_ERROR_DEVICE) return 1;
    if (!strstr(mcl_last_error(), "forked from")) return 2;
    if (mcl_queue_create(device->context, 0, &queue) != MCL_ERROR_DEVICE) return 3;
    if (mcl_buffer_create(device->context, 4, NULL, &buffer) != MCL_ERROR_DEVICE) return 4;
    if (mcl_queue_finish(device->queue) != MCL_ERROR_DEVICE) return 5;
    if (mcl_reduce(device->queue, ints(NULL, 0), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL) != MCL_ERROR_DEVICE)
        return 6;
    if (mcl_context_load_tuning(device->context, "/nowhere") != MCL_ERROR_DEVICE) return 7;
    (void)context;
    return 0;
}

START_TEST(a_forked_child_gets_an_error_and_its_parent_goes_on)
{
    const pid_t child = fork();
    int status = -1;

    ck_assert_int_ge(child, 0);
    if (child == 0) _exit(use_in_child(test_device_at(_i)));
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %d", status);
    ck_assert_int_eq(sum_of_ones(test_device_at(_i)->context), COUNT);
}
END_TEST

START_TEST(buffers_are_read_written_filled_and_copied)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    const uint64_t pattern[2] = { UINT64_C(0x0102030405060708), UINT64_C(0x1112131415161718) };
    unsigned char got[256];
    unsigned char data[256];

    for (int k = 0; k < 256; k++) data[k] = (unsigned char)k;
    mcl_buffer *a = ARRAY_OF(_i, data);
    mcl_buffer *b = array_empty(_i, sizeof data);
    test_ok(mcl_buffer_copy(queue, a, 16, b, 0, 64));
    for (size_t k = 0; k < 5; k++) test_ok(mcl_buffer_fill(queue, b, 64 + 16 * k, 16, pattern, (size_t)1 << k));
    test_ok(mcl_buffer_write(queue, b, 60, 4, "abcd"));
    test_ok(mcl_buffer_read(queue, b, 0, sizeof got, got));
    ck_assert_mem_eq(got, data + 16, 60);
    ck_assert_mem_eq(got + 60, "abcd", 4);
    for (size_t k = 0; k < 5 * 16; k++) {
        const size_t size = (size_t)1 << k / 16;
        ck_assert_uint_eq(got[64 + k], ((const unsigned char *)pattern)[k % size]);
    }
    mcl_buffer_release(a);
    mcl_buffer_release(b);
}
END_TEST

START_TEST(copies_that_do_not_fit_are_named)
{
    mcl_queue *queue = test_device_at(_i)->queue;
    unsigned char data[64] = { 0 };
    mcl_buffer *a = ARRAY_OF(_i, data);
    mcl_buffer *none = NULL;

    test_fails(mcl_buffer_read(queue, a, 60, 5, data), MCL_ERROR_ARGUMENT, "mcl_buffer_read|5|60|64");
    test_fails(mcl_buffer_write(queue, a, SIZE_MAX, 2, data), MCL_ERROR_ARGUMENT, "mcl_buffer_write");
    test_fails(mcl_buffer_read(queue, NULL, 0, 1, data), MCL_ERROR_ARGUMENT, "mcl_buffer_read|from is NULL");
    test_fails(mcl_buffer_read(queue, a, 0, 1, NULL), MCL_ERROR_ARGUMENT, "mcl_buffer_read|data is NULL");
    test_fails(mcl_buffer_fill(queue, a, 0, 12, data, 3), MCL_ERROR_ARGUMENT, "mcl_buffer_fill|pattern_bytes|3");
    test_fails(mcl_buffer_fill(queue, a, 0, 0, data, 0), MCL_ERROR_ARGUMENT, "mcl_buffer_fill|pattern_bytes is 0");
    test_fails(mcl_buffer_fill(queue, a, 0, 32, data, 32), MCL_ERROR_ARGUMENT, "mcl_buffer_fill|pattern_bytes is 32");
    test_fails(mcl_buffer_fill(queue, a, 2, 8, data, 4), MCL_ERROR_ARGUMENT, "mcl_buffer_fill|offset|2");
    test_fails(mcl_buffer_fill(queue, a, 0, 6, data, 4), MCL_ERROR_ARGUMENT, "mcl_buffer_fill|bytes 6");
    test_ok(mcl_buffer_fill(queue, a, 4, 0, data, 4));
    test_ok(mcl_buffer_write(queue, a, 0, 0, NULL));
    test_ok(mcl_buffer_read(queue, a, 0, 0, NULL));
    test_fails(mcl_buffer_copy(queue, a, 0, a, 8, 16), MCL_ERROR_ARGUMENT, "mcl_buffer_copy|overlap");
    test_fails(mcl_buffer_create(NULL, 4, NULL, &none), MCL_ERROR_ARGUMENT, "mcl_buffer_create|context is NULL");
    test_fails(mcl_buffer_create(test_device_at(_i)->context, 4, NULL, NULL), MCL_ERROR_ARGUMENT,
               "mcl_buffer_create|out");
    test_fails(mcl_queue_create(test_device_at(_i)->context, 64, (mcl_queue **)&none), MCL_ERROR_ARGUMENT,
               "mcl_queue_create|flags|64");
    mcl_buffer_release(a);
}
END_TEST

START_TEST(a_buffer_larger_than_the_device_is_out_of_memory)
{
    mcl_buffer *buffer = NULL;
    const mcl_status status = mcl_buffer_create(test_device_at(_i)->context, (size_t)1 << 50, NULL, &buffer);

    ck_assert_msg(status == MCL_ERROR_MEMORY, "%s", mcl_status_name(status));
    ck_assert_ptr_null(buffer);
}
END_TEST

START_TEST(an_empty_buffer_is_a_buffer)
{
    mcl_buffer *buffer = array_empty(_i, 0);

    ck_assert_uint_eq(mcl_buffer_bytes(buffer), 0);
    test_ok(mcl_transform(test_device_at(_i)->queue, ints(buffer, 0), ints_out(buffer, 0), NULL));
    mcl_buffer_release(buffer);
}
END_TEST

START_TEST(the_version_is_the_headers)
{
    char version[32];

    snprintf(version, sizeof version, "%d.%d.%d", MCL_VERSION_MAJOR, MCL_VERSION_MINOR, MCL_VERSION_PATCH);
    ck_assert_str_eq(mcl_version(), version);
    (void)_i;
}
END_TEST

/* Support for 64-bit atomics does not imply that groups may wait for each other. */
START_TEST(atomics_are_used_where_progress_is_not_known)
{
    const mcl_device_info *usual = &test_device_at(_i)->info;
    const mcl_map_config config = { .key = MCL_INT64, .value = MCL_INT64, .capacity = 100 };
    mcl_device_info info;
    mcl_map *map = NULL;

    mcl_context *context = test_context_with(_i, "progress=0");
    test_ok(mcl_context_info(context, &info));
    ck_assert_int_eq(info.look_back, 0);
    ck_assert_str_eq(info.status_word_path, usual->status_word_path);
    ck_assert_str_eq(info.sub_group_path, usual->sub_group_path);
    if (strcmp(info.status_word_path, "none") == 0) {
        test_skip(_i, "atomics_are_used_where_progress_is_not_known", "no 64-bit atomics");
    } else {
        test_ok(mcl_map_create(context, &config, &map));
        mcl_map_release(map);
    }
    mcl_context_release(context);
}
END_TEST

/* The library knows the verdicts of some drivers, and does not run the litmus kernels on them. */
START_TEST(a_verdict_that_is_known_is_that_of_the_probe)
{
    const mcl_device_info *usual = &test_device_at(_i)->info;
    mcl_device_info info;
    mcl_context *context = test_context_with(_i, "probe=1");

    test_ok(mcl_context_info(context, &info));
    ck_assert_int_eq(info.look_back, usual->look_back);
    ck_assert_str_eq(info.status_word_path, usual->status_word_path);
    ck_assert_str_eq(info.sub_group_path, usual->sub_group_path);
    mcl_context_release(context);
}
END_TEST

START_TEST(a_device_of_opencl_1_2_has_what_that_version_has)
{
    const mcl_device_info *usual = &test_device_at(_i)->info;
    mcl_context *context = test_context_with(_i, "opencl=1.2");
    mcl_device_info info;

    test_ok(mcl_context_info(context, &info));
    if (strcmp(usual->backend, "opencl") == 0) {
        ck_assert_str_eq(info.language, "OpenCL C 1.2");
        ck_assert_str_eq(info.status_word_path, "none");
        ck_assert_str_eq(info.sub_group_path, "none");
        ck_assert_int_eq(info.sub_group_size, 1);
        ck_assert_int_eq(info.look_back, 0);
    } else {
        ck_assert_str_eq(info.status_word_path, usual->status_word_path);
        ck_assert_int_eq(info.look_back, usual->look_back);
    }
    mcl_context_release(context);
}
END_TEST

/* With Intel's runtime for processors kernels may ask for each of these sizes. Other devices keep their own. */
START_TEST(a_size_of_sub_groups_is_taken_where_kernels_may_ask_for_it)
{
    const mcl_device_info *usual = &test_device_at(_i)->info;
    const int may_ask = strcmp(usual->vendor, "Intel") == 0 && usual->is_gpu == 0;
    char feature[32];
    mcl_device_info info;

    for (int size = 8; size <= 64; size *= 2) {
        snprintf(feature, sizeof feature, "sub_group_size=%d", size);
        mcl_context *context = test_context_with(_i, feature);
        test_ok(mcl_context_info(context, &info));
        ck_assert_int_eq(info.sub_group_size, may_ask && !test_is_opencl_1_2() ? size : usual->sub_group_size);
        ck_assert_str_eq(info.sub_group_path, usual->sub_group_path);
        mcl_context_release(context);
    }
}
END_TEST

/* Look-back stays on. Otherwise the tests with poll_limit=0 would have no look-back that gives up. */
START_TEST(fewer_polls_leave_the_look_back)
{
    mcl_context *context = test_context_with(_i, "poll_limit=0");
    mcl_device_info info;

    test_ok(mcl_context_info(context, &info));
    ck_assert_int_eq(info.look_back, test_device_at(_i)->info.look_back);
    mcl_context_release(context);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, fewer_polls_leave_the_look_back, device);
    test_add(tcase, a_size_of_sub_groups_is_taken_where_kernels_may_ask_for_it, device);
    test_add(tcase, a_device_of_opencl_1_2_has_what_that_version_has, device);
    test_add(tcase, atomics_are_used_where_progress_is_not_known, device);
    test_add(tcase, a_verdict_that_is_known_is_that_of_the_probe, device);
    test_add(tcase, a_device_has_every_name_that_the_header_promises, device);
    test_add(tcase, device_names_are_the_same_in_every_locale, device);
    test_add(tcase, what_the_environment_has_wrong_is_told, device);
    test_add(tcase, a_variable_that_is_nearly_the_librarys_is_told, device);
    test_add(tcase, folders_that_are_not_there_are_named_at_once, device);
    test_add(tcase, an_unknown_device_lists_those_there_are, device);
    test_add(tcase, an_unknown_device_of_a_backend_without_a_driver_says_so, device);
    test_add(tcase, the_list_has_the_device_with_the_facts_of_its_context, device);
    test_add(tcase, mcl_device_in_the_environment_is_the_default, device);
    test_add(tcase, two_contexts_work_side_by_side, device);
    test_add(tcase, a_queue_and_a_buffer_keep_their_context_alive, device);
    test_add(tcase, retained_objects_need_as_many_releases, device);
    test_add(tcase, a_forked_child_gets_an_error_and_its_parent_goes_on, device);
    test_add(tcase, buffers_are_read_written_filled_and_copied, device);
    test_add(tcase, copies_that_do_not_fit_are_named, device);
    test_add(tcase, a_buffer_larger_than_the_device_is_out_of_memory, device);
    test_add(tcase, an_empty_buffer_is_a_buffer, device);
    test_add(tcase, the_version_is_the_headers, device);
}

int main(void)
{
    return test_main("contexts", add);
}
