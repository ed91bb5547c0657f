/* blocks.h: what the code blocks of docs are run with. */
#ifndef TEST_DOCS_BLOCKS_H
#define TEST_DOCS_BLOCKS_H

#include <moderncl/moderncl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Around each block: what it prints must be as the page says (NULL: nothing is said), and no call may fail; with fails
 * one must, and its sentence counts as printed. */
void doc_begin(const char *page, int line);
void doc_end(const char *expected, int fails);
void doc_returned(int status); /* of a whole program: it must be 0 */

/* Buffers, which are released with the page, of numbers given as text: "3 1 4", or of bytes without content. */
mcl_buffer *doc_ints(mcl_context *context, const char *numbers);   /* int32_t */
mcl_buffer *doc_floats(mcl_context *context, const char *numbers); /* float */
mcl_buffer *doc_bytes(mcl_context *context, size_t bytes);         /* filled with 0xff */

/* Print count numbers of a buffer in a line. */
void doc_print(mcl_queue *queue, mcl_buffer *buffer, int count);        /* int32_t */
void doc_print_floats(mcl_queue *queue, mcl_buffer *buffer, int count); /* float, as %g */

#endif
