/* mpi.h: ranks that communicate through MPI. ranks.h has the operations of ranks. The functions are in the companion
 * library moderncl_mpi. No other public header needs MPI's mpi.h.
 *
 * A rank is an MPI process with one queue. The following holds for all functions of ranks.h on such ranks.
 *
 * Errors: an error of MPI itself goes to the error handler of the communicator, which by default ends the job. With
 * MPI_ERRORS_RETURN such an error is MCL_ERROR_DEVICE in this call and all later calls. MPI: a call before MPI_Init or
 * after MPI_Finalize is MCL_ERROR_PRECONDITION. So is a call in another thread than the one of MPI_Init, if MPI's
 * thread level is below MPI_THREAD_SERIALIZED. Other ranks do not learn of this failure. */
#ifndef MODERNCL_MPI_H
#define MODERNCL_MPI_H

#include "ranks.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the ranks of a communicator work together. The call is collective over comm.
 *
 * comm       an intra-communicator. It is duplicated, so that messages of the library and of other code stay separate
 * queue      this rank's queue, which is retained. No other thread may use it during a call.
 * transport  the same on all ranks. MCL_MPI_AUTO uses the environment variable MCL_MPI_TRANSPORT ("auto", "host" or
 *            "nccl") if it is set. With NCCL, ranks of one host whose devices NVLink joins read each other's memory in
 *            sorts and joins. The environment variable MCL_MPI_PEERS ("auto", "never" or "always") decides whether they
 *            do
 * Errors: MCL_ERROR_ARGUMENT (queue or out is NULL, comm is MPI_COMM_NULL or an inter-communicator, transport is
 * unknown). MCL_ERROR_ARGUMENT also where MCL_MPI_TRANSPORT, MCL_MPI_PEERS, MCL_MPI_SORT or MCL_MPI_PIECES has another
 * word or number than docs/mpi.md lists. MCL_ERROR_PRECONDITION (MPI cannot be called, or transport differs).
 * MCL_ERROR_UNSUPPORTED (NCCL is asked for and cannot be used: the sentence says why). MCL_ERROR_MEMORY,
 * MCL_ERROR_DEVICE. */
MCL_MPI_API mcl_status mcl_mpi_create(MPI_Comm comm, mcl_queue *queue, mcl_mpi_transport transport, mcl_mpi **out);

#ifdef __cplusplus
}
#endif

#endif
