/* test_disk_cache.c: the disk cache's folder after changes by others: planted files, dead writers, and more files than
 * it may hold. Contexts are fake, with only the facts of a cache key. */
#define _POSIX_C_SOURCE 200809L
#include "support/devices.h"
#include "support/folder.h"
#include "support/fake_memory.h"

#include "context/context.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = FOLDER_PATH_BYTES + 128, BINARY_BYTES = 10000, NOBODY = 65534 };

static const char text[] = "kernel text";

typedef struct planted {
    folder f;
    mcl_context *context;
    char path[PATH_BYTES]; /* path of the file that the cache makes for text */
} planted;

static void write_text(mcl_context *context, const char *source, char fill)
{
    char binary[BINARY_BYTES];

    memset(binary, fill, sizeof binary);
    mcl__disk_cache_write(context, source, binary, sizeof binary);
}

/* Returns 1 where the cache has the whole binary of source. */
static int hits(const mcl_context *context, const char *source, char fill)
{
    mcl__text read = { 0 };
    const int hit = mcl__disk_cache_read(context, source, &read);

    for (size_t k = 0; hit && k < read.length; k++) ck_assert_int_eq(read.data[k], fill);
    if (hit) ck_assert_uint_eq(read.length, BINARY_BYTES);
    mcl__text_free(&read);
    return hit;
}

/* Makes the context's next write like its first one, which sweeps the folder. */
static void begin_again(mcl_context *context)
{
    test_ok(mcl_context_set_disk_cache(context, (int64_t)1 << 30));
}

/* Makes a folder with the file of text. An alarm ends a test that hangs. */
static void begin(planted *p)
{
    char name[64];

    alarm(60);
    folder_make(&p->f);
    setenv("MCL_CACHE_DIR", p->f.path, 1);
    p->context = fake_context_open(1 << 30);
    write_text(p->context, text, 'a');
    ck_assert_int_eq(folder_list(&p->f, name, sizeof name), 1);
    folder_file(&p->f, name, p->path, sizeof p->path);
    ck_assert_int_eq(hits(p->context, text, 'a'), 1);
}

static void end(planted *p)
{
    mcl_context_release(p->context);
    folder_remove(&p->f);
}

/* Checks that the cache does not take the present file at the path, and keeps the new binary. */
static void is_built_anew(planted *p)
{
    ck_assert_int_eq(hits(p->context, text, 'a'), 0);
    write_text(p->context, text, 'b');
    ck_assert_int_eq(hits(p->context, text, 'b'), 1);
}

START_TEST(a_pipe_is_not_waited_for)
{
    planted p;

    begin(&p);
    ck_assert_int_eq(remove(p.path), 0);
    ck_assert_int_eq(mkfifo(p.path, 0600), 0);
    is_built_anew(&p);
    end(&p);
}
END_TEST

START_TEST(links_are_not_followed)
{
    static const char *const targets[] = { "/dev/zero", "/dev/tty", "good", "itself" };
    planted p;
    char good[PATH_BYTES];

    begin(&p);
    folder_file(&p.f, "good", good, sizeof good);
    for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++) {
        const char *target = strcmp(targets[k], "itself") == 0 ? p.path : targets[k];
        write_text(p.context, text, 'a');
        ck_assert_int_eq(rename(p.path, good), 0);
        ck_assert_int_eq(symlink(target, p.path), 0);
        is_built_anew(&p);
    }
    end(&p);
}
END_TEST

START_TEST(a_folder_in_the_place_of_a_file_is_left_alone)
{
    planted p;

    begin(&p);
    ck_assert_int_eq(remove(p.path), 0);
    ck_assert_int_eq(mkdir(p.path, 0700), 0);
    ck_assert_int_eq(hits(p.context, text, 'a'), 0);
    write_text(p.context, text, 'a');
    ck_assert_int_eq(hits(p.context, text, 'a'), 0);
    ck_assert_int_eq(folder_list(&p.f, NULL, 0), 1);
    write_text(p.context, "another text", 'c');
    ck_assert_int_eq(hits(p.context, "another text", 'c'), 1);
    end(&p);
}
END_TEST

START_TEST(a_file_that_others_may_write_is_not_taken)
{
    static const mode_t modes[] = { 0666, 0620, 0602, 0777 };
    planted p;

    begin(&p);
    for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++) {
        write_text(p.context, text, 'a');
        ck_assert_int_eq(chmod(p.path, modes[k]), 0);
        is_built_anew(&p);
    }
    end(&p);
}
END_TEST

START_TEST(a_file_of_another_user_is_not_taken)
{
    planted p;

    begin(&p);
    if (chown(p.path, NOBODY, NOBODY) != 0)
        fprintf(stderr, "skipped: a_file_of_another_user_is_not_taken (only root can give a file away)\n");
    else
        is_built_anew(&p);
    end(&p);
}
END_TEST

START_TEST(a_file_with_a_second_name_is_not_taken)
{
    planted p;
    char second[PATH_BYTES];

    begin(&p);
    folder_file(&p.f, "second", second, sizeof second);
    ck_assert_int_eq(link(p.path, second), 0);
    is_built_anew(&p);
    end(&p);
}
END_TEST

START_TEST(a_file_that_is_too_large_is_not_read)
{
    planted p;

    begin(&p);
    ck_assert_int_eq(truncate(p.path, (off_t)1 << 40), 0); /* it takes no room on the disk, but would in memory */
    is_built_anew(&p);
    end(&p);
}
END_TEST

START_TEST(a_folder_that_is_a_link_or_another_users_is_not_used)
{
    planted p;
    char link[PATH_BYTES];
    char out[1024];

    begin(&p);
    folder_file(&p.f, "link", link, sizeof link);
    ck_assert_int_eq(symlink(p.f.path, link), 0);
    setenv("MCL_CACHE_DIR", link, 1);
    ck_assert_int_eq(mcl__disk_cache_directory(out, sizeof out), 0);
    ck_assert_int_eq(hits(p.context, text, 'a'), 0);
    setenv("MCL_CACHE_DIR", p.f.path, 1);
    ck_assert_int_eq(hits(p.context, text, 'a'), 1);
    if (chown(p.f.path, NOBODY, NOBODY) != 0)
        fprintf(stderr, "skipped: a folder of another user (only root can give a folder away)\n");
    else
        ck_assert_int_eq(hits(p.context, text, 'a'), 0);
    ck_assert_int_eq(chown(p.f.path, geteuid(), getegid()), 0);
    end(&p);
}
END_TEST

/* ---- dead writers ---------------------------------------------------------------------------------------------- */

static int exists(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0;
}

START_TEST(temporary_files_go_unless_their_writer_lives)
{
    planted p;
    char dead[PATH_BYTES + 16];
    char older[PATH_BYTES + 16];
    char living[PATH_BYTES + 16];
    char strange[PATH_BYTES];

    begin(&p);
    snprintf(dead, sizeof dead, "%s.4000000-0", p.path);
    snprintf(older, sizeof older, "%s.Ab3dEf", p.path);
    snprintf(living, sizeof living, "%s.1-0", p.path);
    folder_file(&p.f, "notes.bin.txt", strange, sizeof strange);
    file_write(dead, "half", 4);
    file_write(older, "half", 4);
    file_write(living, "half", 4);
    file_write(strange, "mine", 4);
    const int descriptor = open(living, O_WRONLY | O_CLOEXEC);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(flock(descriptor, LOCK_EX), 0);
    begin_again(p.context);
    write_text(p.context, "another text", 'b');
    ck_assert_int_eq(exists(dead), 0);
    ck_assert_int_eq(exists(older), 0);
    ck_assert_int_eq(exists(living), 1);
    ck_assert_int_eq(exists(strange), 1);
    close(descriptor);
    begin_again(p.context);
    write_text(p.context, "another text", 'b');
    ck_assert_int_eq(exists(living), 0);
    ck_assert_int_eq(hits(p.context, text, 'a'), 1);
    end(&p);
}
END_TEST

static void write_for_ever(mcl_context *context)
{
    static char large[300000];

    for (;;) mcl__disk_cache_write(context, "a text of many writers", large, sizeof large);
}

START_TEST(killed_writers_leave_nothing_after_the_next_write)
{
    const int rounds = 40;
    const struct timespec moment = { 0, 3000000 };
    planted p;

    begin(&p);
    for (int k = 0; k < rounds; k++) {
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) write_for_ever(p.context);
        nanosleep(&moment, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    begin_again(p.context);
    write_text(p.context, "another text", 'b');
    ck_assert_int_le(folder_list(&p.f, NULL, 0), 3);
    ck_assert_int_eq(hits(p.context, text, 'a'), 1);
    end(&p);
}
END_TEST

/* ---- the limit ------------------------------------------------------------------------------------------------- */

static void source_of(int number, char *source, size_t capacity)
{
    snprintf(source, capacity, "program %d", number);
}

static void set_used(const planted *p, const char *name, time_t used)
{
    char path[PATH_BYTES];
    const struct timespec times[2] = { { used, 0 }, { used, 0 } };

    folder_file(&p->f, name, path, sizeof path);
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static int64_t folder_bytes(const planted *p)
{
    char command[PATH_BYTES + 64];
    long long bytes = -1;

    snprintf(command, sizeof command, "find '%s' -type f -printf '%%s\\n' | awk '{ n += $1 } END { print n + 0 }'",
             p->f.path);
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    ck_assert_int_eq(fscanf(pipe, "%lld", &bytes), 1);
    pclose(pipe);
    return bytes;
}

START_TEST(beyond_the_limit_the_files_not_used_for_longest_go)
{
    enum { FILES = 10 };
    const int64_t limit = 5 * (BINARY_BYTES + 500);
    planted p;
    char source[32];
    char name[64];

    begin(&p);
    ck_assert_int_eq(remove(p.path), 0);
    /* each file is alone in the folder when the test looks for it, so that its name is known */
    char names[FILES][64];
    for (int k = 0; k < FILES; k++) {
        char path[PATH_BYTES];
        source_of(k, source, sizeof source);
        write_text(p.context, source, 'a');
        ck_assert_int_eq(folder_list(&p.f, names[k], sizeof names[k]), 1);
        folder_file(&p.f, names[k], path, sizeof path);
        remove(path);
    }
    for (int k = 0; k < FILES; k++) {
        source_of(k, source, sizeof source);
        write_text(p.context, source, 'a');
        set_used(&p, names[k], 1000000 + k);
    }
    source_of(0, source, sizeof source);
    ck_assert_int_eq(hits(p.context, source, 'a'), 1); /* the oldest file is used */
    test_ok(mcl_context_set_disk_cache(p.context, limit));
    write_text(p.context, text, 'b');
    ck_assert_int_le(folder_bytes(&p), limit);
    ck_assert_int_eq(folder_list(&p.f, name, sizeof name), 5);
    ck_assert_int_eq(hits(p.context, text, 'b'), 1);
    for (int k = 0; k < FILES; k++) {
        source_of(k, source, sizeof source);
        ck_assert_msg(hits(p.context, source, 'a') == (k == 0 || k >= FILES - 3), "program %d", k);
    }
    end(&p);
}
END_TEST

START_TEST(what_is_not_the_caches_own_is_neither_counted_nor_removed)
{
    static const char *const others[] = { "firmware.bin", "0123456789abcdef.bi", "0123456789ABCDEF.bin",
                                          "0123456789abcdef0.bin", "0123456789abcdef.binary" };
    static const char large[50000];
    planted p;
    char path[PATH_BYTES];

    begin(&p);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        folder_file(&p.f, others[k], path, sizeof path);
        file_write(path, large, sizeof large);
    }
    test_ok(mcl_context_set_disk_cache(p.context, 3 * BINARY_BYTES));
    write_text(p.context, "another text", 'b');
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        folder_file(&p.f, others[k], path, sizeof path);
        ck_assert_msg(exists(path), "%s is gone", others[k]);
    }
    ck_assert_int_eq(hits(p.context, text, 'a'), 1);
    ck_assert_int_eq(hits(p.context, "another text", 'b'), 1);
    end(&p);
}
END_TEST

static char last_told[512];
static int told_count;

static void keep_told(mcl_status status, const char *sentence, void *user)
{
    (void)user;
    if (status == MCL_OK) snprintf(last_told, sizeof last_told, "%s", sentence);
    told_count += status == MCL_OK;
}

START_TEST(a_limit_of_0_turns_the_cache_off_and_a_file_above_the_limit_is_not_written)
{
    planted p;

    begin(&p);
    test_ok(mcl_context_set_disk_cache(p.context, 0));
    ck_assert_int_eq(hits(p.context, text, 'a'), 0);
    write_text(p.context, "another text", 'b');
    ck_assert_int_eq(folder_list(&p.f, NULL, 0), 1);
    test_ok(mcl_context_set_disk_cache(p.context, BINARY_BYTES));
    told_count = 0;
    mcl_log_set(keep_told, NULL);
    write_text(p.context, "another text", 'b');
    write_text(p.context, "a third text", 'b');
    mcl_log_set(NULL, NULL);
    ck_assert_int_eq(told_count, 1);
    ck_assert_ptr_nonnull(strstr(last_told, p.f.path));
    ck_assert_ptr_nonnull(strstr(last_told, "does not take a file of "));
    ck_assert_ptr_nonnull(strstr(last_told, "MCL_CACHE_BYTES"));
    ck_assert_int_eq(folder_list(&p.f, NULL, 0), 1);
    ck_assert_int_eq(hits(p.context, text, 'a'), 1);
    test_fails(mcl_context_set_disk_cache(p.context, -1), MCL_ERROR_ARGUMENT,
               "mcl_context_set_disk_cache: |bytes is -1|0 or more");
    test_fails(mcl_context_set_disk_cache(NULL, 1), MCL_ERROR_ARGUMENT, "mcl_context_set_disk_cache: context is NULL");
    end(&p);
}
END_TEST

START_TEST(the_environment_gives_the_limit)
{
    static const char *const bad[] = { "1G", "-1", "many", " 5", "0x10" };
    planted p;

    begin(&p);
    ck_assert_int_eq(p.context->disk_cache_limit, (int64_t)1 << 30);
    setenv("MCL_CACHE_BYTES", "12345", 1);
    mcl_context *context = fake_context_open(1 << 30);
    ck_assert_int_eq(context->disk_cache_limit, 12345);
    mcl_context_release(context);
    setenv("MCL_CACHE_BYTES", "99999999999999999999999", 1);
    context = fake_context_open(1 << 30);
    ck_assert_int_eq(context->disk_cache_limit, INT64_MAX);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        mcl_context *opened = calloc(1, sizeof *opened);
        mcl_context *none = NULL;
        ck_assert_ptr_nonnull(opened);
        setenv("MCL_CACHE_BYTES", bad[k], 1);
        test_fails(mcl__context_adopt(context->backend, opened, &none), MCL_ERROR_ARGUMENT,
                   "MCL_CACHE_BYTES|expected a number of bytes");
        ck_assert_ptr_null(none);
    }
    mcl_context_release(context);
    end(&p);
}
END_TEST

static void write_many(mcl_context *context, int seed)
{
    char source[32];

    for (int k = 0; k < 150; k++) {
        const int number = (k * 7 + seed * 13) % 40;
        source_of(number, source, sizeof source);
        if (!hits(context, source, (char)('a' + number % 20))) write_text(context, source, (char)('a' + number % 20));
    }
    _exit(0);
}

START_TEST(processes_that_write_at_once_keep_the_limit_and_read_what_is_right)
{
    enum { WRITERS = 4 };
    const int64_t limit = 12 * (BINARY_BYTES + 500);
    planted p;
    pid_t children[WRITERS];

    begin(&p);
    test_ok(mcl_context_set_disk_cache(p.context, limit));
    for (int k = 0; k < WRITERS; k++) {
        children[k] = fork();
        ck_assert_int_ge(children[k], 0);
        if (children[k] == 0) write_many(p.context, k);
    }
    for (int k = 0; k < WRITERS; k++) {
        int status = -1;
        waitpid(children[k], &status, 0);
        ck_assert_int_eq(status, 0);
    }
    write_text(p.context, text, 'a');
    ck_assert_int_eq(hits(p.context, text, 'a'), 1);
    ck_assert_int_le(folder_bytes(&p), limit);
    ck_assert_int_le(folder_list(&p.f, NULL, 0), 12);
    end(&p);
}
END_TEST

static void *write_beside(void *context)
{
    char source[32];

    for (int k = 0; k < 60; k++) {
        const int number = k * 7 % 20;
        source_of(number, source, sizeof source);
        if (!hits(context, source, (char)('a' + number))) write_text(context, source, (char)('a' + number));
    }
    return NULL;
}

START_TEST(threads_that_write_at_once_keep_the_limit_and_read_what_is_right)
{
    enum { THREADS = 8 };
    const int64_t limit = 5 * (BINARY_BYTES + 500);
    planted p;
    pthread_t threads[THREADS];

    begin(&p);
    test_ok(mcl_context_set_disk_cache(p.context, limit));
    for (int k = 0; k < THREADS; k++) ck_assert_int_eq(pthread_create(&threads[k], NULL, write_beside, p.context), 0);
    for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
    write_text(p.context, text, 'a');
    ck_assert_int_eq(hits(p.context, text, 'a'), 1);
    ck_assert_int_le(folder_bytes(&p), limit);
    ck_assert_int_le(folder_list(&p.f, NULL, 0), 5);
    end(&p);
}
END_TEST

/* ---- what a device says of it ---------------------------------------------------------------------------------- */

static const char *told(mcl_context *context, mcl_device_info *info)
{
    test_ok(mcl_context_info(context, info));
    return info->cache_directory;
}

START_TEST(the_facts_name_the_folder_only_where_programs_are_kept)
{
    planted p;
    mcl_device_info info;

    begin(&p);
    ck_assert_int_eq(p.context->keeps_binaries, 0);
    ck_assert_str_eq(told(p.context, &info), "");
    p.context->keeps_binaries = 1;
    ck_assert_str_eq(told(p.context, &info), p.f.path);
    test_ok(mcl_context_set_disk_cache(p.context, 0));
    ck_assert_str_eq(told(p.context, &info), "");
    test_ok(mcl_context_set_disk_cache(p.context, 1000));
    setenv("MCL_CACHE_DIR", "", 1);
    ck_assert_str_eq(told(p.context, &info), "");
    end(&p);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, a_pipe_is_not_waited_for);
    tcase_add_test(tcase, links_are_not_followed);
    tcase_add_test(tcase, a_folder_in_the_place_of_a_file_is_left_alone);
    tcase_add_test(tcase, a_file_that_others_may_write_is_not_taken);
    tcase_add_test(tcase, a_file_of_another_user_is_not_taken);
    tcase_add_test(tcase, a_file_with_a_second_name_is_not_taken);
    tcase_add_test(tcase, a_file_that_is_too_large_is_not_read);
    tcase_add_test(tcase, a_folder_that_is_a_link_or_another_users_is_not_used);
    tcase_add_test(tcase, temporary_files_go_unless_their_writer_lives);
    tcase_add_test(tcase, killed_writers_leave_nothing_after_the_next_write);
    tcase_add_test(tcase, beyond_the_limit_the_files_not_used_for_longest_go);
    tcase_add_test(tcase, what_is_not_the_caches_own_is_neither_counted_nor_removed);
    tcase_add_test(tcase, a_limit_of_0_turns_the_cache_off_and_a_file_above_the_limit_is_not_written);
    tcase_add_test(tcase, the_environment_gives_the_limit);
    tcase_add_test(tcase, processes_that_write_at_once_keep_the_limit_and_read_what_is_right);
    tcase_add_test(tcase, threads_that_write_at_once_keep_the_limit_and_read_what_is_right);
    tcase_add_test(tcase, the_facts_name_the_folder_only_where_programs_are_kept);
}

int main(void)
{
    return test_main_host("disk_cache", add);
}
