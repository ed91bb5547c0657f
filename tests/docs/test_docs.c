/* test_docs.c: runs the programs of README.md and docs, one test a page. extract.awk makes the pages' files. */
#define _POSIX_C_SOURCE 200809L
#include "blocks.h"

#include "support/devices.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096 };

#define PAGE(id, path) void page_##id(void);
#include "pages.inc"
#undef PAGE
#define PAGE(id, path) { page_##id, path },
static const struct {
    void (*run)(void);
    const char *path;
} pages[] = {
#include "pages.inc"
};
#undef PAGE
enum { PAGE_COUNT = sizeof pages / sizeof pages[0] };

/* ---- one block at a time ------------------------------------------------------------------------------------ */

static struct {
    const char *page;
    int line;
    int screen; /* stdout, while a file replaces it for a block */
    FILE *printed;
    char failure[TEXT_BYTES]; /* first failure that the program does not print */
    mcl_context *context;
} now;

mcl_status doc_context_create(const char *device, mcl_context **out)
{
    ck_assert_ptr_null(device);
    *out = now.context;
    return mcl_context_retain(now.context);
}

static void note_failure(mcl_status status, const char *sentence, void *user)
{
    (void)user;
    if (now.failure[0] == '\0') snprintf(now.failure, sizeof now.failure, "%s: %s", mcl_status_name(status), sentence);
}

void doc_begin(const char *page, int line)
{
    now.page = page;
    now.line = line;
    now.failure[0] = '\0';
    now.printed = tmpfile();
    ck_assert_ptr_nonnull(now.printed);
    (void)fflush(stdout);
    now.screen = dup(STDOUT_FILENO);
    ck_assert_int_ge(now.screen, 0);
    ck_assert_int_ge(dup2(fileno(now.printed), STDOUT_FILENO), 0);
    mcl_log_set(note_failure, NULL);
}

/* Returns a text about what is wrong with a program, or NULL. */
static const char *fault(const char *printed, const char *expected, int status, const char *failure, int fails)
{
    if (fails && status == 0) return "no call fails";
    if (!fails && (status != 0 || failure[0] != '\0')) return "a call fails";
    if (expected && strcmp(printed, expected) != 0) return "prints something else than the page says";
    return NULL;
}

void doc_end(int status, const char *expected, int fails)
{
    char printed[TEXT_BYTES];

    mcl_log_set(NULL, NULL);
    (void)fflush(stdout);
    (void)dup2(now.screen, STDOUT_FILENO);
    (void)close(now.screen);
    rewind(now.printed);
    const size_t length = fread(printed, 1, sizeof printed - 1, now.printed);
    printed[length] = '\0';
    (void)fclose(now.printed);
    const char *const wrong = fault(printed, expected, status, now.failure, fails);
    ck_assert_msg(!wrong, "%s:%d: %s; it returns %d and prints\n%sand the page says\n%sFailure: %s", now.page, now.line,
                  wrong, status, printed, expected ? expected : "nothing\n", now.failure);
}

/* ---- pages -------------------------------------------------------------------------------------------------- */

START_TEST(blocks_do_what_the_page_says)
{
    now.context = test_device_at(_i / PAGE_COUNT)->context;
    pages[_i % PAGE_COUNT].run();
}
END_TEST

START_TEST(faults_of_blocks_are_found)
{
    ck_assert_ptr_null(fault("3\n", "3\n", 0, "", 0));
    ck_assert_ptr_null(fault("3\n", NULL, 0, "", 0));
    ck_assert_ptr_null(fault("MCL_ERROR_TYPE\n", "MCL_ERROR_TYPE\n", 1, "", 1));
    ck_assert_ptr_nonnull(fault("3\n", "4\n", 0, "", 0));
    ck_assert_ptr_nonnull(fault("", "4\n", 0, "", 0));
    ck_assert_ptr_nonnull(fault("3\n", "3\n", 1, "", 0));
    ck_assert_ptr_nonnull(fault("3\n", "3\n", 0, "MCL_ERROR_TYPE", 0));
    ck_assert_ptr_nonnull(fault("", NULL, 0, "", 1));
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add(tcase, faults_of_blocks_are_found, device);
    test_add_loop(tcase, blocks_do_what_the_page_says, device, PAGE_COUNT);
}

int main(void)
{
    return test_main("docs", add);
}
