/* errors.c: the failures of one rank, its own and those of MPI. */
#include "ranks.h"

#include <sched.h>
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

mcl_status mcl__mpi_status(mcl_mpi *mpi, int result, const char *what)
{
    if (result == MPI_SUCCESS) return MCL_OK;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(result, text, &length);
    mpi->lost = 1;
    return mcl__refuse(mpi, MCL_ERROR_DEVICE, "%s failed: %s", what, text);
}

mcl_status mcl__mpi_wait(mcl_mpi *mpi, int result, MPI_Request *request, const char *what)
{
    int is_done = 0;
    while (result == MPI_SUCCESS && !is_done) {
        result = MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done) sched_yield();
    }
    return mcl__mpi_status(mpi, result, what);
}
