/* explain.h: explains an error in a user's text, from the log of the compiler that rejected a program. */
#ifndef MODERNCL_EXPLAIN_H
#define MODERNCL_EXPLAIN_H

#include "program/program.h"

/* The text that mcl_count_if writes around a test, so that the test becomes an extract. Error sentences show only the
 * test. */
#define MCL__COUNTED_TEST_OPENING "/* test */ ("
#define MCL__COUNTED_TEST_CLOSING ") != 0"

/* Appends a sentence on the first error in a user's text, then the text's line with a caret under the column. Appends
 * nothing where no error is in a user's text. source is the whole text that was compiled. */
void mcl__explain(const mcl__spec *spec, const char *source, const char *log, mcl__text *out);

#endif
