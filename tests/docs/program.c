/* program.c: the functions that a block uses, and main with the block. whole.awk makes programs of them. */
#include <moderncl/moderncl.h>

#include <stdio.h>
#include <string.h>

static int doc_failures;

/* Prints the sentence of a call that fails. */
static void doc_failed(mcl_status status, const char *sentence, void *user)
{
    (void)user;
    printf("%s: %s\n", mcl_status_name(status), sentence);
    doc_failures++;
}

/* Makes a buffer of whole numbers, given as a text. */
static mcl_buffer *doc_ints(mcl_context *context, const char *text)
{
    int32_t list[64];
    size_t count = 0;
    mcl_buffer *buffer = NULL;

    for (int number, length; count < 64 && sscanf(text, "%d%n", &number, &length) == 1; text += length)
        list[count++] = number;
    mcl_buffer_create(context, count * sizeof list[0], list, &buffer);
    return buffer;
}

/* Makes a buffer of floats, given as a text. */
static mcl_buffer *doc_floats(mcl_context *context, const char *text)
{
    float list[64];
    size_t count = 0;
    mcl_buffer *buffer = NULL;

    for (int length; count < 64 && sscanf(text, "%f%n", &list[count], &length) == 1; text += length) count++;
    mcl_buffer_create(context, count * sizeof list[0], list, &buffer);
    return buffer;
}

/* Makes a buffer of up to 4096 bytes, all 0xff. */
static mcl_buffer *doc_bytes(mcl_context *context, size_t bytes)
{
    unsigned char content[4096];
    mcl_buffer *buffer = NULL;

    memset(content, 0xff, sizeof content);
    mcl_buffer_create(context, bytes, bytes <= sizeof content ? content : NULL, &buffer);
    return buffer;
}

/* Prints up to 64 whole numbers of a buffer in a line. */
static void doc_print(mcl_queue *queue, mcl_buffer *buffer, int count)
{
    int32_t list[64] = { 0 };

    mcl_buffer_read(queue, buffer, 0, (size_t)count * sizeof list[0], list);
    for (int k = 0; k < count; k++) printf("%d%c", (int)list[k], k + 1 < count ? ' ' : '\n');
}

/* Prints up to 64 floats of a buffer in a line. */
static void doc_print_floats(mcl_queue *queue, mcl_buffer *buffer, int count)
{
    float list[64] = { 0 };

    mcl_buffer_read(queue, buffer, 0, (size_t)count * sizeof list[0], list);
    for (int k = 0; k < count; k++) printf("%g%c", (double)list[k], k + 1 < count ? ' ' : '\n');
}

int main(void)
{
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;

    mcl_log_set(doc_failed, NULL);
    if (mcl_context_create(NULL, &context) != MCL_OK || mcl_queue_create(context, 0, &queue) != MCL_OK) return 1;

    /* block */
    mcl_queue_release(queue);
    mcl_context_release(context);
    return doc_failures > 0;
}
