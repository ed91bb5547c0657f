/* test_base.c: text, hashes, files, environment and errors of the library's lowest part. */
#define _POSIX_C_SOURCE 200809L
#include "support/devices.h"
#include "support/folder.h"

#include "base/base.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(text_grows_and_always_ends_in_0)
{
    mcl__text text = { 0 };
    char expected[3001];

    for (int k = 0; k < 1000; k++) mcl__text_format(&text, "%03d", k);
    for (int k = 0; k < 1000; k++) snprintf(expected + 3 * k, 4, "%03u", (unsigned)k % 1000u);
    ck_assert_uint_eq(text.length, 3000);
    ck_assert_str_eq(text.data, expected);
    mcl__text_clear(&text);
    ck_assert_uint_eq(text.length, 0);
    mcl__text_bytes(&text, "a\0b", 3);
    mcl__text_append(&text, "");
    mcl__text_append(&text, "cd");
    ck_assert_uint_eq(text.length, 5);
    ck_assert_mem_eq(text.data, "a\0bcd", 6);
    ck_assert_int_eq(text.failed, 0);
    mcl__text_free(&text);
    ck_assert_ptr_null(text.data);
}
END_TEST

START_TEST(a_text_names_a_letter_where_it_is_a_whole_name)
{
    ck_assert_int_eq(mcl__text_names("x + i", 'i'), 1);
    ck_assert_int_eq(mcl__text_names("table[i]", 'i'), 1);
    ck_assert_int_eq(mcl__text_names("i", 'i'), 1);
    ck_assert_int_eq(mcl__text_names("pair . i + index + ii + _i", 'i'), 0);
    for (int c = 1; c < 128; c++) {
        const char before[] = { (char)c, 'i', 0 }, after[] = { 'i', (char)c, 0 };
        const int is_letter = c == '_' || isalnum(c);
        if (c == 'i') continue;
        ck_assert_msg(mcl__text_names(before, 'i') == (!is_letter && c != '.'), "letter %d before i", c);
        ck_assert_msg(mcl__text_names(after, 'i') == !is_letter, "letter %d after i", c);
    }
    ck_assert_int_eq(mcl__text_names("", 'i'), 0);
    ck_assert_int_eq(mcl__text_names(NULL, 'i'), 0);
}
END_TEST

START_TEST(text_remembers_a_failed_allocation)
{
    mcl__text text = { 0 };
    const char byte = 'x';

    mcl__text_append(&text, "kept");
    mcl__text_bytes(&text, &byte, SIZE_MAX / 2);
    ck_assert_int_ne(text.failed, 0);
    mcl__text_append(&text, "not appended");
    ck_assert_int_ne(text.failed, 0);
    ck_assert_str_eq(text.data, "kept");
    mcl__text_free(&text);
}
END_TEST

START_TEST(hashes_differ_where_bytes_or_lengths_do)
{
    unsigned char bytes[64] = { 0 };
    uint64_t seen[64 * 8 + 64];
    int count = 0;

    for (size_t length = 0; length < 64; length++) seen[count++] = mcl__hash(bytes, length);
    for (int bit = 0; bit < 64 * 8; bit++) {
        bytes[bit / 8] = (unsigned char)(1 << bit % 8);
        seen[count++] = mcl__hash(bytes, sizeof bytes);
        bytes[bit / 8] = 0;
    }
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) ck_assert_msg(seen[a] != seen[b], "%d and %d have one hash", a, b);
}
END_TEST

START_TEST(a_file_is_replaced_as_a_whole_and_read_as_a_whole)
{
    static char data[50000];
    folder f;
    char path[FOLDER_PATH_BYTES + 16];
    mcl__text read = { 0 };

    folder_make(&f);
    folder_file(&f, "file", path, sizeof path);
    ck_assert_int_eq(mcl__file_read(path, &read), 0);
    memset(data, 'q', sizeof data);
    const size_t sizes[] = { 0, 1, 16384, 32768, sizeof data };
    for (int k = 0; k < 5; k++) {
        ck_assert_int_eq(mcl__file_replace(path, data, sizes[k]), 1);
        ck_assert_int_eq(mcl__file_read(path, &read), 1);
        ck_assert_uint_eq(read.length, sizes[k]);
        if (sizes[k]) ck_assert_mem_eq(read.data, data, sizes[k]);
    }
    ck_assert_int_eq(folder_list(&f, NULL, 0), 1);
    ck_assert_int_eq(mcl__file_replace("/proc/no/such/place", data, 1), 0);
    mcl__text_free(&read);
    folder_remove(&f);
}
END_TEST

static int opens(const char *path)
{
    mcl__folder opened;

    if (!mcl__folder_open(&opened, path)) return 0;
    mcl__folder_close(&opened);
    return 1;
}

START_TEST(a_private_folder_is_made_and_one_that_others_may_enter_is_refused)
{
    folder f;
    char path[FOLDER_PATH_BYTES + 16];
    char link[FOLDER_PATH_BYTES + 16];
    struct stat facts;

    folder_make(&f);
    folder_file(&f, "a/b/c", path, sizeof path);
    ck_assert_int_eq(opens(path), 1);
    ck_assert_int_eq(stat(path, &facts), 0);
    ck_assert_uint_eq(facts.st_mode & 0777, 0700);
    ck_assert_int_eq(opens(path), 1);
    folder_file(&f, "link", link, sizeof link);
    ck_assert_int_eq(symlink(path, link), 0);
    ck_assert_int_eq(opens(link), 0);
    chmod(path, 0755);
    ck_assert_int_eq(opens(path), 0);
    chmod(path, 0770);
    ck_assert_int_eq(opens(path), 0);
    remove(path);
    file_write(path, "", 0);
    ck_assert_int_eq(opens(path), 0);
    remove(path);
    ck_assert_int_eq(opens(""), 0);
    ck_assert_int_eq(opens("/proc/moderncl"), 0);
    folder_file(&f, "a/b", path, sizeof path);
    remove(path);
    folder_remove(&f);
}
END_TEST

START_TEST(features_are_found_by_their_whole_name)
{
    char value[8];

    setenv("MCL_FEATURES", "look_back=0,poll_limit=17,empty=,long=123456789", 1);
    ck_assert_int_eq(mcl__feature("poll_limit", value, sizeof value), 1);
    ck_assert_str_eq(value, "17");
    ck_assert_int_eq(mcl__feature("look_back", value, sizeof value), 1);
    ck_assert_str_eq(value, "0");
    ck_assert_int_eq(mcl__feature("look", value, sizeof value), 0);
    ck_assert_int_eq(mcl__feature("limit", value, sizeof value), 0);
    ck_assert_int_eq(mcl__feature("long", value, sizeof value), 0);
    unsetenv("MCL_FEATURES");
    ck_assert_int_eq(mcl__feature("look_back", value, sizeof value), 0);
}
END_TEST

START_TEST(unknown_features_and_values_are_named)
{
    static const struct {
        const char *features, *expected;
    } wrong[] = {
        { "maping=group", "\"maping=group\"|mapping, look_back" },
        { "mapping=grup", "mapping=grup|group, serial" },
        { "mapping", "\"mapping\"|name=value" },
        { "double=1,look_back=2", "look_back=2|0, 1" },
        { "poll_limit=many", "poll_limit=many|a whole number" },
        { "poll_limit=", "poll_limit=|a whole number" },
        { "poll_limit=7x", "poll_limit=7x" },
        { "words=c1", "words=c1|none, cuda, c11" },
        { "opencl=1.3", "opencl=1.3" },
    };
    static const char *const right[] = { "", ",", "mapping=serial,look_back=0,poll_limit=-1,memory_cache=99999999999",
                                         "words=none,sub_group=khr,opencl=1.2,progress=1", "tuning_key=NVIDIA sm_90" };

    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        setenv("MCL_FEATURES", wrong[k].features, 1);
        test_fails(mcl__environment_check(), MCL_ERROR_ARGUMENT, wrong[k].expected);
    }
    for (size_t k = 0; k < sizeof right / sizeof right[0]; k++) {
        setenv("MCL_FEATURES", right[k], 1);
        test_ok(mcl__environment_check());
    }
    unsetenv("MCL_FEATURES");
    setenv("MCL_VALIDATE", "yes", 1);
    test_fails(mcl__environment_check(), MCL_ERROR_ARGUMENT, "MCL_VALIDATE is \"yes\"|0 or 1");
    unsetenv("MCL_VALIDATE");
    test_ok(mcl__environment_check());
}
END_TEST

START_TEST(an_empty_variable_counts_as_none_but_for_the_cache)
{
    setenv("MCL_DEVICE", "", 1);
    ck_assert_ptr_null(mcl__environment("MCL_DEVICE"));
    setenv("MCL_CACHE_DIR", "", 1);
    ck_assert_str_eq(mcl__environment("MCL_CACHE_DIR"), "");
    unsetenv("MCL_CACHE_DIR");
    ck_assert_ptr_null(mcl__environment("MCL_CACHE_DIR"));
}
END_TEST

/* A program with another user's rights reads these two variables itself. */
START_TEST(a_variable_is_there_or_has_a_value)
{
    setenv("MCL_DEVICE", "", 1);
    ck_assert_int_eq(mcl__environment_has("MCL_DEVICE"), 0);
    ck_assert_int_eq(mcl__environment_is("MCL_DEVICE", ""), 1);
    setenv("MCL_DEVICE", "opencl", 1);
    ck_assert_int_eq(mcl__environment_has("MCL_DEVICE"), 1);
    ck_assert_int_eq(mcl__environment_is("MCL_DEVICE", "opencl"), 1);
    ck_assert_int_eq(mcl__environment_is("MCL_DEVICE", "cuda"), 0);
    unsetenv("MCL_DEVICE");
    ck_assert_int_eq(mcl__environment_has("MCL_DEVICE"), 0);
    ck_assert_int_eq(mcl__environment_is("MCL_DEVICE", "opencl"), 0);
}
END_TEST

START_TEST(variables_with_few_values_are_checked)
{
    static const struct {
        const char *name, *value, *words;
    } cases[] = {
        { "MCL_VALIDATE", "0", NULL },
        { "MCL_VALIDATE", "1", NULL },
        { "MCL_VALIDATE", "2", "MCL_VALIDATE is \"2\"; expected 0 or 1" },
        { "MCL_LOG", "build", NULL },
        { "MCL_LOG", "all", "MCL_LOG is \"all\"; expected build" },
        { "MCL_KERNEL_DIR", "/", NULL },
        { "MCL_KERNEL_DIR", "/dev/null", "MCL_KERNEL_DIR is /dev/null, which is no folder" },
        { "MCL_DUMP_SOURCE", "/dev/null", "MCL_DUMP_SOURCE is /dev/null, which is no folder" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        setenv(cases[k].name, cases[k].value, 1);
        if (cases[k].words)
            test_fails(mcl__environment_check(), MCL_ERROR_ARGUMENT, cases[k].words);
        else
            test_ok(mcl__environment_check());
        unsetenv(cases[k].name);
    }
}
END_TEST

static void *fail_elsewhere(void *unused)
{
    (void)unused;
    ck_assert_str_eq(mcl_last_error(), "");
    mcl__fail(MCL_ERROR_TYPE, "elsewhere");
    return NULL;
}

START_TEST(the_last_error_belongs_to_its_thread)
{
    pthread_t thread;

    ck_assert_str_eq(mcl_last_error(), "");
    ck_assert_int_eq(mcl__fail(MCL_ERROR_BUILD, "here, %d %s", 5, "times"), MCL_ERROR_BUILD);
    ck_assert_int_eq(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
    pthread_join(thread, NULL);
    ck_assert_str_eq(mcl_last_error(), "here, 5 times");
}
END_TEST

START_TEST(a_sentence_may_be_as_long_as_a_compiler_log)
{
    static char log[20000];

    memset(log, 'w', sizeof log - 1);
    mcl__fail(MCL_ERROR_BUILD, "rejected: %s", log);
    ck_assert_ptr_nonnull(strstr(mcl_last_error(), "rejected: www"));
    ck_assert_uint_gt(strlen(mcl_last_error()), 1000);
    mcl__fail(MCL_ERROR_BUILD, "%s again", mcl_last_error());
    ck_assert_ptr_nonnull(strstr(mcl_last_error(), "rejected: www"));
}
END_TEST

START_TEST(a_log_is_text_on_further_lines)
{
    static const struct {
        const char *sentence;
        int has_log;
    } cases[] = { { "rejected", 0 }, { "rejected\n", 0 }, { "rejected:\n \t\r\n", 0 }, { "rejected:\n x", 1 } };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mcl__fail(MCL_ERROR_BUILD, "%s", cases[k].sentence);
        ck_assert_int_eq(mcl__failed_with_log(), cases[k].has_log);
    }
}
END_TEST

/* A caller's function that has set a sentence keeps it. A function without a sentence gets one. */
START_TEST(a_status_of_a_callers_function_has_a_sentence)
{
    int64_t before = mcl__failures();
    mcl__fail(MCL_ERROR_TYPE, "its own");
    ck_assert_int_eq(mcl__fail_of_caller(MCL_ERROR_TYPE, before, "f"), MCL_ERROR_TYPE);
    ck_assert_str_eq(mcl_last_error(), "its own");
    ck_assert_int_eq(mcl__fail_of_caller(MCL_ERROR_DEVICE, before, "f"), MCL_ERROR_DEVICE);
    ck_assert_str_eq(mcl_last_error(), "f returned MCL_ERROR_DEVICE");
    before = mcl__failures();
    ck_assert_int_eq(mcl__fail_of_caller(MCL_ERROR_DEVICE, before, "g"), MCL_ERROR_DEVICE);
    ck_assert_str_eq(mcl_last_error(), "g returned MCL_ERROR_DEVICE");
    ck_assert_int_eq(mcl__fail_of_caller((mcl_status)999, mcl__failures(), "g"), MCL_ERROR_MEMORY);
    ck_assert_str_eq(mcl_last_error(), "g returned 999; expected an mcl_status");
}
END_TEST

/* The sentence of a try is dropped, unless no other way can help. */
START_TEST(a_try_keeps_the_sentence_of_a_build_to_itself)
{
    mcl__fail(MCL_ERROR_TYPE, "earlier");
    ck_assert_int_eq(mcl__fail_quietly(1), 0);
    mcl__fail(MCL_ERROR_BUILD, "a build");
    mcl__fail(MCL_ERROR_UNSUPPORTED, "a limit");
    ck_assert_str_eq(mcl_last_error(), "earlier");
    mcl__fail(MCL_ERROR_MEMORY, "memory");
    ck_assert_str_eq(mcl_last_error(), "memory");
    ck_assert_int_eq(mcl__fail_quietly(0), 1);
    mcl__fail(MCL_ERROR_BUILD, "a build");
    ck_assert_str_eq(mcl_last_error(), "a build");
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, text_grows_and_always_ends_in_0);
    tcase_add_test(tcase, a_text_names_a_letter_where_it_is_a_whole_name);
    tcase_add_test(tcase, text_remembers_a_failed_allocation);
    tcase_add_test(tcase, hashes_differ_where_bytes_or_lengths_do);
    tcase_add_test(tcase, a_file_is_replaced_as_a_whole_and_read_as_a_whole);
    tcase_add_test(tcase, a_private_folder_is_made_and_one_that_others_may_enter_is_refused);
    tcase_add_test(tcase, features_are_found_by_their_whole_name);
    tcase_add_test(tcase, unknown_features_and_values_are_named);
    tcase_add_test(tcase, an_empty_variable_counts_as_none_but_for_the_cache);
    tcase_add_test(tcase, a_variable_is_there_or_has_a_value);
    tcase_add_test(tcase, variables_with_few_values_are_checked);
    tcase_add_test(tcase, a_log_is_text_on_further_lines);
    tcase_add_test(tcase, a_status_of_a_callers_function_has_a_sentence);
    tcase_add_test(tcase, a_try_keeps_the_sentence_of_a_build_to_itself);
    tcase_add_test(tcase, the_last_error_belongs_to_its_thread);
    tcase_add_test(tcase, a_sentence_may_be_as_long_as_a_compiler_log);
}

int main(void)
{
    return test_main_host("base", add);
}
