/* explain.h: what is wrong in a user's text, found in the log of the compiler that rejected a program. */
#ifndef MODERNCL_EXPLAIN_H
#define MODERNCL_EXPLAIN_H

#include "program/program.h"

/* What stands around a test that is an extract: mcl_count_if adds up its answers. Sentences show the test alone. */
#define MCL__COUNTED_TEST_OPENING "/* test */ ("
#define MCL__COUNTED_TEST_CLOSING ") != 0"

/* Appends a sentence on the first error that lies in a user's text, then the text's own line with a caret under the
 * column. Appends nothing where no error does. source: the whole text that was compiled. */
void mcl__explain(const mcl__spec *spec, const char *source, const char *log, mcl__text *out);

#endif
