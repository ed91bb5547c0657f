/* consumer_mpi.c: a user's program over MPI. It is linked, and its call is refused, so that it runs without a
 * launcher. */
#include <moderncl/moderncl.h>
#include <moderncl/mpi.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    mcl_mpi *mpi = NULL;
    if (mcl_mpi_create(MPI_COMM_WORLD, NULL, MCL_MPI_AUTO, &mpi) != MCL_ERROR_PRECONDITION) return 1;
    puts(mcl_mpi_last_error());
    return strstr(mcl_mpi_last_error(), "MPI_Init") ? 0 : 1;
}
