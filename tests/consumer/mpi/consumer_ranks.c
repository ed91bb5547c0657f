/* consumer_ranks.c: a user's program whose ranks exchange data by its own functions. It gives none, so its call is
 * refused. */
#include <moderncl/moderncl.h>
#include <moderncl/ranks.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    const mcl_mpi_messages none = { 0 };
    mcl_mpi *mpi = NULL;
    if (mcl_mpi_create_with(&none, NULL, MCL_MPI_AUTO, &mpi) != MCL_ERROR_ARGUMENT) return 1;
    puts(mcl_mpi_last_error());
    return strstr(mcl_mpi_last_error(), "messages->send is NULL") ? 0 : 1;
}
