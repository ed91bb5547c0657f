/* test_platform.c: functions that each system implements in its own way, through base.h alone, so that the test is the
 * same on all systems. */
#include "base/platform.h"
#include "support/devices.h"
#include "support/folder.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>

#include <sddl.h>
#endif

enum { PATH_BYTES = FOLDER_PATH_BYTES + 64 };

static mcl__folder opened(const char *path)
{
    mcl__folder made;

    ck_assert_msg(mcl__folder_open(&made, path), "%s is not opened", path);
    return made;
}

static void holds(const mcl__folder *in, const char *name, const char *text)
{
    mcl__text read = { 0 };

    ck_assert_msg(mcl__folder_read(in, name, 1000, &read), "%s is not read", name);
    ck_assert_uint_eq(read.length, strlen(text));
    ck_assert_mem_eq(read.data, text, read.length);
    mcl__text_free(&read);
}

/* ---- folders --------------------------------------------------------------------------------------------------- */

START_TEST(a_folder_is_made_with_those_above_it_and_its_files_are_replaced)
{
    folder f;
    char path[PATH_BYTES];
    mcl__text read = { 0 };

    folder_make(&f);
    snprintf(path, sizeof path, "%s/one/two/three", f.path);
    mcl__folder in = opened(path);
    ck_assert(mcl__file_is_folder(path));
    ck_assert_int_eq(mcl__folder_read(&in, "file", 1000, &read), 0);
    ck_assert_int_eq(mcl__folder_replace(&in, "file", "first", 5), 1);
    holds(&in, "file", "first");
    ck_assert_int_eq(mcl__folder_replace(&in, "file", "the second", 10), 1);
    holds(&in, "file", "the second");
    ck_assert_int_eq(mcl__folder_read(&in, "file", 9, &read), 0);
    mcl__folder_close(&in);
    in = opened(path);
    holds(&in, "file", "the second");
    mcl__folder_close(&in);
    mcl__text_free(&read);
    folder_remove(&f);
}
END_TEST

START_TEST(neither_a_file_nor_what_is_in_no_folder_is_opened)
{
    folder f;
    char path[PATH_BYTES];
    mcl__folder in;

    folder_make(&f);
    folder_file(&f, "file", path, sizeof path);
    file_write(path, "text", 4);
    ck_assert(!mcl__file_is_folder(path));
    ck_assert_int_eq(mcl__folder_open(&in, path), 0);
    folder_file(&f, "file/below", path, sizeof path);
    ck_assert_int_eq(mcl__folder_open(&in, path), 0);
    ck_assert_int_eq(mcl__folder_open(&in, ""), 0);
    ck_assert_int_eq(mcl__file_replace(path, "text", 4), 0);
    folder_remove(&f);
}
END_TEST

#ifdef _WIN32
/* test_base tests the same with modes. */
START_TEST(a_folder_that_others_may_write_is_not_opened)
{
    folder f;
    char path[PATH_BYTES];
    mcl__folder in;
    PSECURITY_DESCRIPTOR everybody;

    folder_make(&f);
    snprintf(path, sizeof path, "%s/open", f.path);
    ck_assert(
        ConvertStringSecurityDescriptorToSecurityDescriptorA("D:P(A;OICI;FA;;;WD)", SDDL_REVISION_1, &everybody, NULL));
    mcl__platform_folder_make(path);
    ck_assert(SetFileSecurityA(path, DACL_SECURITY_INFORMATION, everybody));
    ck_assert_int_eq(mcl__folder_open(&in, path), 0);
    LocalFree(everybody);
    folder_remove(&f);
}
END_TEST
#endif

static size_t own_name(const char *name)
{
    return strncmp(name, "own_", 4) == 0 && strlen(name) >= 5 ? 5 : 0;
}

static int64_t use_of(const mcl__folder *in, const char *name)
{
    mcl__file_facts facts;

    ck_assert_int_eq(mcl__platform_facts(in, name, &facts), 1);
    ck_assert_int_eq(facts.bytes, 100);
    return facts.used;
}

/* Uses a file after an earlier one. Clocks of files may tick only a hundred times a second. */
static void use_after(const mcl__folder *in, const char *name, const char *earlier)
{
    mcl__text read = { 0 };

    for (int k = 0; k < 10000000 && use_of(in, name) <= use_of(in, earlier); k++)
        ck_assert_int_eq(mcl__folder_read(in, name, 1000, &read), 1);
    ck_assert_int_gt(use_of(in, name), use_of(in, earlier));
    mcl__text_free(&read);
}

static int exists(const folder *f, const char *name)
{
    char path[PATH_BYTES];
    mcl__text read = { 0 };

    folder_file(f, name, path, sizeof path);
    const int found = mcl__file_read(path, &read);
    mcl__text_free(&read);
    return found;
}

START_TEST(a_sweep_removes_what_is_unused_for_longest_and_what_the_dead_left)
{
    folder f;
    char path[PATH_BYTES];
    char data[100] = { 0 };

    folder_make(&f);
    mcl__folder in = opened(f.path);
    for (const char *const *name = (const char *const[]){ "own_a", "own_b", "own_c", "other", NULL }; *name; name++)
        ck_assert_int_eq(mcl__folder_replace(&in, *name, data, sizeof data), 1);
    folder_file(&f, "own_d.1-0", path, sizeof path);
    file_write(path, data, sizeof data);
    use_after(&in, "own_c", "own_b");
    use_after(&in, "own_a", "own_c");
    mcl__folder_sweep(&in, own_name, 1000);
    ck_assert(exists(&f, "own_a") && exists(&f, "own_b") && exists(&f, "own_c") && exists(&f, "other"));
    ck_assert(!exists(&f, "own_d.1-0"));
    mcl__folder_sweep(&in, own_name, 250);
    ck_assert(exists(&f, "own_a") && !exists(&f, "own_b") && exists(&f, "own_c") && exists(&f, "other"));
    mcl__folder_sweep(&in, own_name, 150);
    ck_assert(exists(&f, "own_a") && !exists(&f, "own_c") && exists(&f, "other"));
    mcl__folder_close(&in);
    folder_remove(&f);
}
END_TEST

/* ---- the rest -------------------------------------------------------------------------------------------------- */

START_TEST(the_folder_of_caches_is_the_systems)
{
#ifdef _WIN32
    static const char *const variables[] = { "LOCALAPPDATA", "LOCALAPPDATA" };
    static const char *const values[] = { "C:\\caches", "D:\\other" };
    static const char *const folders[] = { "C:\\caches", "D:\\other" };
#else
    static const char *const variables[] = { "HOME", "XDG_CACHE_HOME" };
    static const char *const values[] = { "/home/somebody", "/caches" };
    static const char *const folders[] = { "/home/somebody/.cache", "/caches" };
#endif
    mcl__text text = { 0 };

    for (int k = 0; k < 2; k++) test_variable_set(variables[k], NULL);
    mcl__cache_home(&text);
    ck_assert_uint_eq(text.length, 0);
    for (int k = 0; k < 2; k++) {
        test_variable_set(variables[k], values[k]);
        mcl__text_clear(&text);
        mcl__cache_home(&text);
        ck_assert_str_eq(text.data, folders[k]);
    }
    mcl__text_free(&text);
}
END_TEST

enum { THREADS = 4, TURNS = 20000 };
static mcl__mutex counter_lock;
static int counters[2];

static void *count_up(void *unused)
{
    for (int k = 0; k < TURNS; k++) {
        mcl__mutex_lock(&counter_lock);
        counters[0]++;
        mcl__mutex_unlock(&counter_lock);
        mcl__process_lock();
        counters[1]++;
        mcl__process_unlock();
    }
    return unused;
}

START_TEST(locks_let_one_thread_in)
{
    pthread_t threads[THREADS];

    ck_assert_int_eq(mcl__mutex_create(&counter_lock), 1);
    for (int k = 0; k < THREADS; k++) ck_assert_int_eq(pthread_create(&threads[k], NULL, count_up, NULL), 0);
    for (int k = 0; k < THREADS; k++) ck_assert_int_eq(pthread_join(threads[k], NULL), 0);
    mcl__mutex_destroy(&counter_lock);
    ck_assert_int_eq(counters[0], THREADS * TURNS);
    ck_assert_int_eq(counters[1], THREADS * TURNS);
    ck_assert_int_gt(mcl__process_id(), 0);
}
END_TEST

START_TEST(the_first_library_that_is_there_is_opened)
{
#if defined(_WIN32)
    static const char *const names[] = { "no_such_library.dll", "winmm.dll", NULL };
    const char *const symbol = "timeGetTime";
#elif defined(__APPLE__)
    static const char *const names[] = { "no_such_library.dylib", "/usr/lib/libSystem.B.dylib", NULL };
    const char *const symbol = "malloc";
#else
    static const char *const names[] = { "no_such_library.so", "libm.so.6", NULL };
    const char *const symbol = "cos";
#endif
    void *const library = mcl__library_open(names);

    ck_assert_ptr_nonnull(library);
    ck_assert_ptr_nonnull(mcl__library_symbol(library, symbol));
    ck_assert_ptr_null(mcl__library_symbol(library, "mcl__no_such_symbol"));
    ck_assert_ptr_null(mcl__library_default_symbol("mcl__no_such_symbol"));
    ck_assert_ptr_null(mcl__library_open((const char *const[]){ names[0], NULL }));
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, a_folder_is_made_with_those_above_it_and_its_files_are_replaced);
    tcase_add_test(tcase, neither_a_file_nor_what_is_in_no_folder_is_opened);
#ifdef _WIN32
    tcase_add_test(tcase, a_folder_that_others_may_write_is_not_opened);
#endif
    tcase_add_test(tcase, a_sweep_removes_what_is_unused_for_longest_and_what_the_dead_left);
    tcase_add_test(tcase, the_folder_of_caches_is_the_systems);
    tcase_add_test(tcase, locks_let_one_thread_in);
    tcase_add_test(tcase, the_first_library_that_is_there_is_opened);
}

int main(void)
{
    return test_main_host("platform", add);
}
