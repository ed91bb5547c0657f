/* test_platform_faults.c: files, folders and locks of a system whose calls fail, are interrupted, or report another
 * user. The linker uses the functions of this file instead of the system's. */
#define _GNU_SOURCE /* clearenv */
#include "base/platform.h"
#include "support/devices.h"
#include "support/folder.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- which call fails ------------------------------------------------------------------------------------------- */

static struct {
    const char *name; /* NULL: none */
    int error;        /* error number; 0: the function returns 0, and errno stays as it was */
} plan;

/* Returns 1, once, where this function must fail now. */
static int strikes(const char *name)
{
    if (!plan.name || strcmp(plan.name, name) != 0) return 0;
    plan.name = NULL;
    if (plan.error) errno = plan.error;
    return 1;
}

static void fail_next(const char *name, int error)
{
    plan.name = name;
    plan.error = error;
    errno = EINTR; /* what an earlier call has left */
}

/* Checks that the planned failure has come. */
static void has_struck(void)
{
    ck_assert_msg(!plan.name, "%s was not called", plan.name);
}

#define WRAP(type, name, parameters, arguments)                                                                        \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        return strikes(#name) ? (type)(plan.error ? -1 : 0) : __real_##name arguments;                                 \
    }
WRAP(ssize_t, write, (int descriptor, const void *bytes, size_t count), (descriptor, bytes, count))
WRAP(ssize_t, read, (int descriptor, void *bytes, size_t count), (descriptor, bytes, count))
WRAP(int, fstat, (int descriptor, struct stat *facts), (descriptor, facts))
WRAP(int, flock, (int descriptor, int operation), (descriptor, operation))
WRAP(int, renameat, (int from, const char *name, int to, const char *other), (from, name, to, other))
WRAP(int, pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *attributes), (mutex, attributes))

/* Closes a descriptor, also where it reports a failure. */
int __real_close(int descriptor);
int __wrap_close(int descriptor);
int __wrap_close(int descriptor)
{
    const int closed = __real_close(descriptor);
    return strikes("close") ? -1 : closed;
}

DIR *__real_fdopendir(int descriptor);
DIR *__wrap_fdopendir(int descriptor);
DIR *__wrap_fdopendir(int descriptor)
{
    return strikes("fdopendir") ? NULL : __real_fdopendir(descriptor);
}

/* Reports facts of a file. With ENODEV or EAGAIN it reports another device number or another file number, like the ones
 * of a file that replaced the first. */
int __real_fstatat(int at, const char *name, struct stat *facts, int flags);
int __wrap_fstatat(int at, const char *name, struct stat *facts, int flags);
int __wrap_fstatat(int at, const char *name, struct stat *facts, int flags)
{
    const int found = __real_fstatat(at, name, facts, flags);
    if (!strikes("fstatat")) return found;
    facts->st_dev += plan.error == ENODEV;
    facts->st_ino += plan.error == EAGAIN;
    return plan.error == ENODEV || plan.error == EAGAIN ? found : -1;
}

static uid_t more_user;
static gid_t more_group;
uid_t __real_geteuid(void);
uid_t __wrap_geteuid(void);
uid_t __wrap_geteuid(void)
{
    return __real_geteuid() + more_user;
}
gid_t __real_getegid(void);
gid_t __wrap_getegid(void);
gid_t __wrap_getegid(void)
{
    return __real_getegid() + more_group;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

typedef struct place {
    folder folder;
    mcl__folder opened;
} place;

static place start(void)
{
    place p;
    char path[FOLDER_PATH_BYTES + 16];
    folder_make(&p.folder);
    (void)snprintf(path, sizeof path, "%s/own", p.folder.path);
    ck_assert(mcl__folder_open(&p.opened, path));
    ck_assert_int_eq(mcl__folder_replace(&p.opened, "file", "old", 3), 1);
    return p;
}

static void stop(place *p)
{
    mcl__folder_close(&p->opened);
    folder_remove(&p->folder);
}

/* Checks a file's text. NULL: the file cannot be read. */
static void holds(const place *p, const char *text)
{
    mcl__text read = { 0 };
    const int is_read = mcl__folder_read(&p->opened, "file", 1000, &read);
    ck_assert_int_eq(is_read, text != NULL);
    if (text) ck_assert_uint_eq(read.length, strlen(text));
    if (text) ck_assert_mem_eq(read.data, text, read.length);
    mcl__text_free(&read);
}

static int files_seen;
static void see(const mcl__folder *in, const char *name, void *user)
{
    (void)in;
    (void)user;
    files_seen += name[0] != '.';
}

static int files_of(const place *p)
{
    files_seen = 0;
    mcl__platform_list(&p->opened, see, NULL);
    return files_seen;
}

START_TEST(interrupted_calls_go_on)
{
    place p = start();
    fail_next("write", EINTR);
    ck_assert_int_eq(mcl__folder_replace(&p.opened, "file", "new", 3), 1);
    has_struck();
    fail_next("read", EINTR);
    holds(&p, "new");
    has_struck();
    stop(&p);
}
END_TEST

/* A file that cannot be written whole does not replace the old one, and leaves no other file. */
START_TEST(a_file_that_cannot_be_written_leaves_the_old_one)
{
    static const struct {
        const char *name;
        int error;
    } faults[] = { { "write", ENOSPC }, { "write", 0 }, { "renameat", EACCES } };
    place p = start();
    fail_next(faults[_i].name, faults[_i].error);
    ck_assert_int_eq(mcl__folder_replace(&p.opened, "file", "new", 3), 0);
    has_struck();
    holds(&p, "old");
    ck_assert_int_eq(files_of(&p), 1);
    stop(&p);
}
END_TEST

START_TEST(a_close_that_fails_is_a_failure)
{
    place p = start();
    fail_next("close", EIO);
    ck_assert_int_eq(mcl__folder_replace(&p.opened, "file", "new", 3), 0);
    has_struck();
    ck_assert_int_eq(files_of(&p), 1);
    stop(&p);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_whole_is_not_read)
{
    static const struct {
        const char *name;
        int error;
    } faults[] = { { "read", EIO }, { "read", 0 }, { "fstat", EIO } };
    place p = start();
    fail_next(faults[_i].name, faults[_i].error);
    holds(&p, NULL);
    has_struck();
    holds(&p, "old");
    stop(&p);
}
END_TEST

/* A writer skips names of temporary files that exist already, up to a thousand. */
START_TEST(names_of_temporary_files_may_be_taken)
{
    enum { NAMES = 1000 };
    char name[64];
    place p = start();
    for (int k = 0; k < NAMES; k++) {
        (void)snprintf(name, sizeof name, "file.%lld-%d", (long long)mcl__process_id(), k);
        if (k == NAMES - 1) ck_assert_int_eq(mcl__folder_replace(&p.opened, "file", "new", 3), 1);
        ck_assert_int_eq(mcl__platform_replace(&p.opened, "temporary", name, "", 0), 1);
    }
    holds(&p, "new");
    ck_assert_int_eq(mcl__folder_replace(&p.opened, "file", "late", 4), 0);
    holds(&p, "new");
    stop(&p);
}
END_TEST

/* ---- folders ---------------------------------------------------------------------------------------------------- */

START_TEST(a_folder_of_unknown_facts_is_not_opened)
{
    mcl__folder again;
    char path[FOLDER_PATH_BYTES + 16];
    place p = start();
    (void)snprintf(path, sizeof path, "%s/own", p.folder.path);
    fail_next("fstat", EIO);
    ck_assert_int_eq(mcl__folder_open(&again, path), 0);
    has_struck();
    more_user = 1;
    ck_assert_int_eq(mcl__folder_open(&again, path), 0);
    more_user = 0;
    ck_assert_int_eq(mcl__folder_open(&again, path), 1);
    mcl__folder_close(&again);
    stop(&p);
}
END_TEST

static size_t any_name(const char *name)
{
    return name[0] == '.' ? 0 : strcspn(name, ".");
}

/* A file that the sweep cannot list, or does not know to be a file, stays. */
START_TEST(a_sweep_removes_what_it_knows)
{
    char name[201];
    place p = start();
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    fail_next("fdopendir", ENOMEM);
    mcl__folder_sweep(&p.opened, any_name, 0);
    has_struck();
    ck_assert_int_eq(files_of(&p), 1);
    fail_next("fstatat", EIO);
    mcl__folder_sweep(&p.opened, any_name, 0);
    has_struck();
    ck_assert_int_eq(files_of(&p), 1);
    ck_assert_int_eq(mkdirat((int)p.opened.handle, "folder", 0700), 0);
    ck_assert_int_eq(mcl__folder_replace(&p.opened, name, "x", 1), 1);
    mcl__folder_sweep(&p.opened, any_name, 0);
    ck_assert_int_eq(files_of(&p), 2); /* the folder, and the file with the too long name */
    stop(&p);
}
END_TEST

/* A temporary file is removed where its writer is dead: nobody holds its lock, and it is the file that was opened. */
START_TEST(a_temporary_file_in_use_stays)
{
    static const struct {
        const char *name;
        int error;
    } faults[] = { { "flock", EWOULDBLOCK }, { "fstatat", ENOENT }, { "fstatat", ENODEV }, { "fstatat", EAGAIN } };
    place p = start();
    ck_assert_int_eq(mcl__platform_replace(&p.opened, "temporary", "file.1-0", "x", 1), 1);
    fail_next(faults[_i].name, faults[_i].error);
    mcl__platform_remove_left(&p.opened, "file.1-0");
    has_struck();
    ck_assert_int_eq(files_of(&p), 2);
    mcl__platform_remove_left(&p.opened, "file.1-0");
    ck_assert_int_eq(files_of(&p), 1);
    stop(&p);
}
END_TEST

/* ---- the process ------------------------------------------------------------------------------------------------ */

static int variables;
static void see_variable(const char *entry)
{
    variables += strncmp(entry, "MCL_TEST_VARIABLE=", 18) == 0;
}

static int variables_seen(void)
{
    variables = 0;
    mcl__platform_variables(see_variable);
    return variables;
}

/* A program that has another user's or group's rights does not read its caller's variables. */
START_TEST(variables_of_another_user_are_not_seen)
{
    ck_assert_int_eq(setenv("MCL_TEST_VARIABLE", "1", 1), 0);
    ck_assert_int_eq(variables_seen(), 1);
    more_user = 1;
    ck_assert_int_eq(variables_seen(), 0);
    more_user = 0;
    more_group = 1;
    ck_assert_int_eq(variables_seen(), 0);
    more_group = 0;
    ck_assert_int_eq(variables_seen(), 1);
    ck_assert_int_eq(clearenv(), 0);
    ck_assert_int_eq(variables_seen(), 0);
}
END_TEST

START_TEST(a_lock_that_cannot_be_made_is_none)
{
    mcl__mutex mutex = { NULL };
    fail_next("pthread_mutex_init", EAGAIN);
    ck_assert_int_eq(mcl__mutex_create(&mutex), 0);
    has_struck();
    ck_assert_int_eq(mcl__mutex_create(&mutex), 1);
    mcl__mutex_destroy(&mutex);
}
END_TEST

static void add(TCase *tcase)
{
    tcase_add_test(tcase, interrupted_calls_go_on);
    tcase_add_loop_test(tcase, a_file_that_cannot_be_written_leaves_the_old_one, 0, 3);
    tcase_add_test(tcase, a_close_that_fails_is_a_failure);
    tcase_add_loop_test(tcase, a_file_that_cannot_be_read_whole_is_not_read, 0, 3);
    tcase_add_test(tcase, names_of_temporary_files_may_be_taken);
    tcase_add_test(tcase, a_folder_of_unknown_facts_is_not_opened);
    tcase_add_test(tcase, a_sweep_removes_what_it_knows);
    tcase_add_loop_test(tcase, a_temporary_file_in_use_stays, 0, 4);
    tcase_add_test(tcase, variables_of_another_user_are_not_seen);
    tcase_add_test(tcase, a_lock_that_cannot_be_made_is_none);
}

int main(void)
{
    return test_main_host("platform_faults", add);
}
