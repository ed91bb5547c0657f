/* test_cache.c: the disk cache alone, with fake contexts that have only the facts of a cache key. */
#define _POSIX_C_SOURCE 200809L
#include "support/devices.h"
#include "support/folder.h"

#include "program/program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] = "kernel text, long enough to be found in a file";
static const char binary[] = "binary \0 with a zero byte in it, and some more after";

static mcl_context *fake_context_for(const char *identity, const char *options)
{
    mcl_context *context = calloc(1, sizeof *context);

    ck_assert_ptr_nonnull(context);
    snprintf(context->cache_identity, sizeof context->cache_identity, "%s", identity);
    snprintf(context->build_options, sizeof context->build_options, "%s", options);
    context->disk_cache_limit = 1 << 30;
    return context;
}

/* Makes a folder that the cache uses, with one program in it. */
static mcl_context *begin(folder *f)
{
    mcl_context *context = fake_context_for("device, driver 1.0", "-cl-std=CL1.2");

    folder_make(f);
    setenv("MCL_CACHE_DIR", f->path, 1);
    mcl__disk_cache_write(context, source, binary, sizeof binary);
    ck_assert_int_eq(folder_list(f, NULL, 0), 1);
    return context;
}

static int hits(const mcl_context *context, const char *text)
{
    mcl__text read = { 0 };
    const int hit = mcl__disk_cache_read(context, text, &read);

    if (hit) {
        ck_assert_uint_eq(read.length, sizeof binary);
        ck_assert_mem_eq(read.data, binary, sizeof binary);
    }
    mcl__text_free(&read);
    return hit;
}

START_TEST(what_was_written_is_read_by_another_context_of_the_same_device)
{
    folder f;
    mcl_context *context = begin(&f);
    mcl_context *same = fake_context_for("device, driver 1.0", "-cl-std=CL1.2");

    ck_assert_int_eq(hits(context, source), 1);
    ck_assert_int_eq(hits(same, source), 1);
    free(context);
    free(same);
    folder_remove(&f);
}
END_TEST

START_TEST(another_driver_other_options_or_another_text_is_a_miss)
{
    folder f;
    mcl_context *context = begin(&f);
    mcl_context *driver = fake_context_for("device, driver 1.1", "-cl-std=CL1.2");
    mcl_context *options = fake_context_for("device, driver 1.0", "-cl-std=CL2.0");
    mcl_context *shifted = fake_context_for("device, driver 1.0-cl", "-std=CL1.2");

    ck_assert_int_eq(hits(driver, source), 0);
    ck_assert_int_eq(hits(options, source), 0);
    ck_assert_int_eq(hits(shifted, source), 0);
    ck_assert_int_eq(hits(context, "another text"), 0);
    ck_assert_int_eq(hits(context, source), 1);
    free(context);
    free(driver);
    free(options);
    free(shifted);
    folder_remove(&f);
}
END_TEST

/* The file's name belongs to this key and its content to another. Only the comparison notices that. */
START_TEST(a_file_of_another_key_under_this_name_is_a_miss)
{
    folder f;
    mcl_context *context = begin(&f);
    char name[128];
    char mine[FOLDER_PATH_BYTES + 128];
    char theirs[FOLDER_PATH_BYTES + 128];
    mcl_context *other = fake_context_for("device, driver 9.9", "-cl-std=CL1.2");

    folder_list(&f, name, sizeof name);
    folder_file(&f, name, mine, sizeof mine);
    remove(mine);
    mcl__disk_cache_write(other, source, "what another driver made", 24);
    folder_list(&f, name, sizeof name);
    folder_file(&f, name, theirs, sizeof theirs);
    ck_assert_int_eq(rename(theirs, mine), 0);
    ck_assert_int_eq(hits(context, source), 0);
    mcl__disk_cache_write(context, source, binary, sizeof binary);
    ck_assert_int_eq(hits(context, source), 1);
    free(context);
    free(other);
    folder_remove(&f);
}
END_TEST

START_TEST(a_file_damaged_at_any_byte_or_cut_anywhere_is_a_miss)
{
    folder f;
    mcl_context *context = begin(&f);
    char name[128];
    char path[FOLDER_PATH_BYTES + 128];
    static char good[8192];
    static char bad[8192];

    folder_list(&f, name, sizeof name);
    folder_file(&f, name, path, sizeof path);
    const size_t count = file_read(path, good, sizeof good);
    ck_assert_uint_lt(count, sizeof good);
    for (size_t k = 0; k < count; k++) {
        memcpy(bad, good, count);
        bad[k] = (char)(bad[k] ^ 0x20);
        file_write(path, bad, count);
        ck_assert_msg(!hits(context, source), "byte %zu of %zu is changed and nobody noticed", k, count);
        file_write(path, good, k);
        ck_assert_msg(!hits(context, source), "cut to %zu of %zu bytes and nobody noticed", k, count);
    }
    memcpy(bad, good, count);
    bad[count] = 'x';
    file_write(path, bad, count + 1);
    ck_assert_int_eq(hits(context, source), 0);
    file_write(path, good, count);
    ck_assert_int_eq(hits(context, source), 1);
    free(context);
    folder_remove(&f);
}
END_TEST

START_TEST(a_folder_that_others_may_enter_is_not_used)
{
    folder f;
    mcl_context *context = begin(&f);
    char out[1024];

    chmod(f.path, 0755);
    ck_assert_int_eq(mcl__disk_cache_directory(out, sizeof out), 0);
    ck_assert_int_eq(hits(context, source), 0);
    mcl__disk_cache_write(context, "another text", binary, sizeof binary);
    ck_assert_int_eq(folder_list(&f, NULL, 0), 1);
    chmod(f.path, 0700);
    ck_assert_int_eq(hits(context, source), 1);
    free(context);
    folder_remove(&f);
}
END_TEST

START_TEST(a_folder_that_cannot_be_made_is_no_error)
{
    mcl_context *context = fake_context_for("device", "");
    char out[1024];

    setenv("MCL_CACHE_DIR", "/proc/moderncl/cache", 1);
    ck_assert_int_eq(mcl__disk_cache_directory(out, sizeof out), 0);
    mcl__disk_cache_write(context, source, binary, sizeof binary);
    ck_assert_int_eq(hits(context, source), 0);
    ck_assert_str_eq(mcl_last_error(), "");
    free(context);
}
END_TEST

START_TEST(an_empty_name_turns_the_cache_off)
{
    mcl_context *context = fake_context_for("device", "");
    char out[1024];

    setenv("MCL_CACHE_DIR", "", 1);
    ck_assert_int_eq(mcl__disk_cache_directory(out, sizeof out), 0);
    mcl__disk_cache_write(context, source, binary, sizeof binary);
    ck_assert_int_eq(hits(context, source), 0);
    free(context);
}
END_TEST

START_TEST(the_folder_is_the_users_where_none_is_named)
{
    folder f;
    char expected[FOLDER_PATH_BYTES + 64];
    char out[1024];

    folder_make(&f);
    unsetenv("MCL_CACHE_DIR");
    setenv("XDG_CACHE_HOME", f.path, 1);
    ck_assert_int_eq(mcl__disk_cache_directory(out, sizeof out), 1);
    folder_file(&f, "moderncl", expected, sizeof expected);
    ck_assert_str_eq(out, expected);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", expected, 1);
    ck_assert_int_eq(mcl__disk_cache_directory(out, sizeof out), 1);
    ck_assert_int_eq(strncmp(out, expected, strlen(expected)), 0);
    remove(out);
    *strrchr(out, '/') = 0;
    remove(out);
    folder_remove(&f);
}
END_TEST

START_TEST(there_is_no_folder_without_a_name_or_room_for_it)
{
    folder f;
    char out[1024];

    folder_make(&f);
    unsetenv("MCL_CACHE_DIR");
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", "", 1);
    ck_assert_int_eq(mcl__disk_cache_directory(out, sizeof out), 0);
    unsetenv("HOME");
    ck_assert_int_eq(mcl__disk_cache_directory(out, sizeof out), 0);
    setenv("HOME", f.path, 1);
    ck_assert_int_eq(mcl__disk_cache_directory(out, strlen(f.path) + strlen("/.cache/moderncl")), 0);
    ck_assert_int_eq(mcl__disk_cache_directory(out, strlen(f.path) + strlen("/.cache/moderncl") + 1), 1);
    remove(out);
    *strrchr(out, '/') = 0;
    remove(out);
    folder_remove(&f);
}
END_TEST

/* Writes one key again and again, with one of two binaries. */
static void write_for_ever(mcl_context *context, char fill)
{
    static char large[100000];

    memset(large, fill, sizeof large);
    for (;;) mcl__disk_cache_write(context, source, large, sizeof large);
}

START_TEST(processes_that_write_at_once_leave_a_whole_file_at_any_time)
{
    folder f;
    mcl_context *context = begin(&f);
    pid_t children[2];
    mcl__text read = { 0 };
    int read_count = 0;

    for (int k = 0; k < 2; k++) {
        children[k] = fork();
        ck_assert_int_ge(children[k], 0);
        if (children[k] == 0) write_for_ever(context, (char)('a' + k));
    }
    /* before the children have begun, the cache has the file that begin wrote */
    for (int tries = 0; tries < 1000000 && read_count < 50; tries++) {
        ck_assert_int_eq(mcl__disk_cache_read(context, source, &read), 1);
        if (read.length != 100000) continue;
        read_count++;
        ck_assert_mem_eq(read.data, read.data + 1, read.length - 1); /* all bytes equal the first byte */
    }
    for (int k = 0; k < 2; k++) {
        kill(children[k], SIGKILL);
        waitpid(children[k], NULL, 0);
    }
    ck_assert_int_eq(read_count, 50);
    mcl__text_free(&read);
    free(context);
    folder_remove(&f);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, what_was_written_is_read_by_another_context_of_the_same_device);
    tcase_add_test(tcase, another_driver_other_options_or_another_text_is_a_miss);
    tcase_add_test(tcase, a_file_of_another_key_under_this_name_is_a_miss);
    tcase_add_test(tcase, a_file_damaged_at_any_byte_or_cut_anywhere_is_a_miss);
    tcase_add_test(tcase, a_folder_that_others_may_enter_is_not_used);
    tcase_add_test(tcase, a_folder_that_cannot_be_made_is_no_error);
    tcase_add_test(tcase, an_empty_name_turns_the_cache_off);
    tcase_add_test(tcase, the_folder_is_the_users_where_none_is_named);
    tcase_add_test(tcase, there_is_no_folder_without_a_name_or_room_for_it);
    tcase_add_test(tcase, processes_that_write_at_once_leave_a_whole_file_at_any_time);
}

int main(void)
{
    return test_main_host("cache", add);
}
