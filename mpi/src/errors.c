/* errors.c: stores the sentence of a failure on one rank. */
#include "ranks.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_sentence[SENTENCE_BYTES];

const char *mcl_mpi_last_error(void)
{
    return last_sentence;
}

mcl_status mcl__fail_alone(mcl_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_sentence, sizeof last_sentence, format, arguments);
    va_end(arguments);
    return status;
}

mcl_status mcl__refuse(mcl_mpi *mpi, mcl_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(mpi->sentence, sizeof mpi->sentence, format, arguments);
    va_end(arguments);
    return status;
}
