/* blocks.h: what the programs of docs' code blocks are run with. */
#ifndef TEST_DOCS_BLOCKS_H
#define TEST_DOCS_BLOCKS_H

#include <moderncl/moderncl.h>

/* Around each program: it must print what the page says (NULL: nothing is said) and return 0, and no call may fail.
 * With fails a call must, and the program says so. */
void doc_begin(const char *page, int line);
void doc_end(int status, const char *expected, int fails);

/* What the programs call instead of mcl_context_create: it gives another reference to the context of the device that is
 * tested. */
mcl_status doc_context_create(const char *device, mcl_context **out);

#endif
