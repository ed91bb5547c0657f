/* reader.h: the shared parts of the targets of libFuzzer. Each target is one file read_NAME.c, with inputs in
 * corpus/NAME. */
#ifndef TEST_READER_H
#define TEST_READER_H

#include <stddef.h>
#include <stdint.h>

/* Runs the target. libFuzzer calls it with its inputs, replay.c with the files of a folder. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reports a condition that does not hold, and aborts, which is a finding. */
#define REQUIRE(condition) ((condition) ? (void)0 : reader_fail(__FILE__, __LINE__, #condition))
void reader_fail(const char *file, int line, const char *condition);

/* Returns a copy that ends in 0, in a separate block, so that the sanitizer finds each byte read past it. */
char *reader_text(const uint8_t *data, size_t size);
/* Cuts the line at *next off its text, and returns it; "" where no line is left. */
char *reader_line(char **next);
/* Returns 1 where the text is a C identifier. It does not use the library's code, which it checks. */
int reader_is_identifier(const char *text);
/* Writes the bytes to a file and returns its path, which is always the same. The file is removed when the process
 * ends. */
const char *reader_file(const uint8_t *data, size_t size);

#endif
