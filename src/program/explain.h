/* explain.h: explains what is wrong in a user's text, from the log of the compiler that rejected a program. */
#ifndef MODERNCL_EXPLAIN_H
#define MODERNCL_EXPLAIN_H

#include "program/program.h"

/* The text that mcl_count_if writes around a test to make it an extract. Error sentences show the test alone. */
#define MCL__COUNTED_TEST_OPENING "/* test */ ("
#define MCL__COUNTED_TEST_CLOSING ") != 0"

/* Appends a sentence on the first error that lies in a user's text, then the text's own line with a caret under the
 * column. Appends nothing where no error lies in a user's text. source: the whole text that was
 * compiled. */
void mcl__explain(const mcl__spec *spec, const char *source, const char *log, mcl__text *out);

#endif
