/* test_docs.c: runs the code blocks of README.md and docs, a test for each page. extract.awk makes the pages' files. */
#define _POSIX_C_SOURCE 200809L
#include "blocks.h"

#include "support/devices.h"

#include <unistd.h>

enum { BUFFERS_MAX = 64, TEXT_BYTES = 4096 };

#define PAGE(id, path) void page_##id(mcl_context *context, mcl_queue *queue);
#include "pages.inc"
#undef PAGE
#define PAGE(id, path) { page_##id, path },
static const struct {
    void (*run)(mcl_context *context, mcl_queue *queue);
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
    int screen; /* stdout while a block has a file in its place */
    FILE *printed;
    char failure[TEXT_BYTES]; /* the first that was told */
    mcl_buffer *buffers[BUFFERS_MAX];
    int buffer_count;
} now;

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

/* What is wrong with a block, NULL: nothing. */
static const char *fault(const char *printed, const char *expected, const char *failure, int fails)
{
    if (fails && failure[0] == '\0') return "no call fails";
    if (!fails && failure[0] != '\0') return "a call fails";
    if (expected && strcmp(printed, expected) != 0) return "prints something else than the page says";
    return NULL;
}

void doc_end(const char *expected, int fails)
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
    if (fails) snprintf(printed + length, sizeof printed - length, "%s\n", now.failure);
    const char *const wrong = fault(printed, expected, now.failure, fails);
    ck_assert_msg(!wrong, "%s:%d: %s; it prints\n%sand the page says\n%sFailure: %s", now.page, now.line, wrong,
                  printed, expected ? expected : "nothing\n", now.failure);
}

void doc_returned(int status)
{
    if (status != 0 && now.failure[0] == '\0')
        snprintf(now.failure, sizeof now.failure, "the program returns %d", status);
}

/* ---- buffers ------------------------------------------------------------------------------------------------ */

static mcl_buffer *keep(mcl_context *context, const void *data, size_t bytes)
{
    ck_assert_int_lt(now.buffer_count, BUFFERS_MAX);
    mcl_buffer **buffer = &now.buffers[now.buffer_count++];
    test_ok(mcl_buffer_create(context, bytes, data, buffer));
    return *buffer;
}

/* Either list may be NULL. */
static size_t read_numbers(const char *text, int32_t *ints, float *floats, size_t capacity)
{
    size_t count = 0;
    for (char *end = NULL; count < capacity; count++, text = end) {
        const double number = strtod(text, &end);
        if (end == text) break;
        if (ints) ints[count] = (int32_t)number;
        if (floats) floats[count] = (float)number;
    }
    return count;
}

mcl_buffer *doc_ints(mcl_context *context, const char *numbers)
{
    int32_t list[256];
    const size_t count = read_numbers(numbers, list, NULL, sizeof list / sizeof list[0]);
    return keep(context, list, count * sizeof list[0]);
}

mcl_buffer *doc_floats(mcl_context *context, const char *numbers)
{
    float list[256];
    const size_t count = read_numbers(numbers, NULL, list, sizeof list / sizeof list[0]);
    return keep(context, list, count * sizeof list[0]);
}

mcl_buffer *doc_bytes(mcl_context *context, size_t bytes)
{
    unsigned char *const content = malloc(bytes);
    ck_assert_ptr_nonnull(content);
    memset(content, 0xff, bytes);
    mcl_buffer *const buffer = keep(context, content, bytes);
    free(content);
    return buffer;
}

void doc_print(mcl_queue *queue, mcl_buffer *buffer, int count)
{
    int32_t list[256];
    test_ok(mcl_buffer_read(queue, buffer, 0, (size_t)count * sizeof list[0], list));
    for (int k = 0; k < count; k++) printf("%d%c", (int)list[k], k + 1 < count ? ' ' : '\n');
}

void doc_print_floats(mcl_queue *queue, mcl_buffer *buffer, int count)
{
    float list[256];
    test_ok(mcl_buffer_read(queue, buffer, 0, (size_t)count * sizeof list[0], list));
    for (int k = 0; k < count; k++) printf("%g%c", (double)list[k], k + 1 < count ? ' ' : '\n');
}

/* ---- pages -------------------------------------------------------------------------------------------------- */

START_TEST(blocks_do_what_the_page_says)
{
    test_device *device = test_device_at(_i / PAGE_COUNT);

    pages[_i % PAGE_COUNT].run(device->context, device->queue);
    for (int k = 0; k < now.buffer_count; k++) mcl_buffer_release(now.buffers[k]);
    now.buffer_count = 0;
}
END_TEST

START_TEST(faults_of_blocks_are_found)
{
    ck_assert_ptr_null(fault("3\n", "3\n", "", 0));
    ck_assert_ptr_null(fault("3\n", NULL, "", 0));
    ck_assert_ptr_null(fault("MCL_ERROR_TYPE\n", "MCL_ERROR_TYPE\n", "MCL_ERROR_TYPE", 1));
    ck_assert_ptr_nonnull(fault("3\n", "4\n", "", 0));
    ck_assert_ptr_nonnull(fault("", "4\n", "", 0));
    ck_assert_ptr_nonnull(fault("3\n", "3\n", "MCL_ERROR_TYPE", 0));
    ck_assert_ptr_nonnull(fault("", NULL, "", 1));
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
