/* reader.h: what the targets of libFuzzer share. Each target is one file read_NAME.c, with inputs in corpus/NAME. */
#ifndef TEST_READER_H
#define TEST_READER_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer calls it with inputs of its own, replay.c with the files of a folder. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Tells what does not hold, and aborts: that is a finding. */
#define REQUIRE(condition) ((condition) ? (void)0 : reader_fail(__FILE__, __LINE__, #condition))
void reader_fail(const char *file, int line, const char *condition);

/* A copy that ends in 0, in a block of its own, so that the sanitizer sees each byte that is read past it. */
char *reader_text(const uint8_t *data, size_t size);
/* Cuts the line at *next off its text; "" where there is none left. */
char *reader_line(char **next);
/* 1: the text is a C identifier. Not the library's own code, which it checks. */
int reader_is_identifier(const char *text);
/* The bytes as a file; its path stays the same, and the file goes with the process. */
const char *reader_file(const uint8_t *data, size_t size);

#endif
