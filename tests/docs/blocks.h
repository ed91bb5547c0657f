/* blocks.h: the functions that run the programs of docs' code blocks. */
#ifndef TEST_DOCS_BLOCKS_H
#define TEST_DOCS_BLOCKS_H

#include <moderncl/moderncl.h>

/* Begin and end each program. The program must print the page's output (NULL: the page has none) and return 0, and no
 * call may fail. With fails a call must fail, and the program says so. */
void doc_begin(const char *page, int line);
void doc_end(int status, const char *expected, int fails);

/* Replaces mcl_context_create in the programs. It gives another reference to the context of the tested device. */
mcl_status doc_context_create(const char *device, mcl_context **out);

#endif
