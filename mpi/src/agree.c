/* agree.c: errors of one rank become errors of all, and each call is the same one on all ranks. */
#include "peers.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- signatures -------------------------------------------------------------------------------------------- */

/* FNV-1a, of 63 bits so that its negative is a number too. */
static void mix(mcl__signature *signature, const char *text)
{
    for (const char *at = text; *at; ++at) signature->hash = (signature->hash ^ (unsigned char)*at) * 1099511628211u;
    signature->hash = (signature->hash ^ 0xff) * 1099511628211u;
}

static void add(mcl__signature *signature, const char *text)
{
    const size_t used = strlen(signature->text);
    snprintf(signature->text + used, sizeof signature->text - used, "%s%s", used ? " " : "", text);
    mix(signature, text);
}

mcl__signature mcl__sign(const char *function)
{
    mcl__signature signature = { .hash = 14695981039346656037u };
    add(&signature, function);
    return signature;
}

void mcl__sign_type(mcl__signature *signature, const mcl_type *type)
{
    add(signature, type && type->name ? type->name : "NULL");
}

void mcl__sign_op(mcl__signature *signature, const mcl_op *op)
{
    add(signature, op && op->expression ? op->expression : "NULL");
    if (!op) return;
    const char *const rest[] = { op->source, op->identity, op->extract, op->combine };
    for (size_t k = 0; k < sizeof rest / sizeof rest[0]; ++k) mix(signature, rest[k] ? rest[k] : "");
}

void mcl__sign_number(mcl__signature *signature, const char *name, int64_t number)
{
    char text[64];
    snprintf(text, sizeof text, "%s=%lld", name, (long long)number);
    add(signature, text);
}

void mcl__sign_bytes(mcl__signature *signature, const char *name, const void *bytes, size_t count)
{
    const unsigned char *const all = bytes;
    char text[2 * MCL_VALUE_BYTES_MAX + 1] = "NULL";
    for (size_t k = 0; bytes && k < count && k < MCL_VALUE_BYTES_MAX; ++k)
        snprintf(text + 2 * k, sizeof text - 2 * k, "%02x", all[k]);
    add(signature, name);
    add(signature, text);
}

/* The text has the elements' number and the hash of them all. */
void mcl__sign_list(mcl__signature *signature, const char *name, const void *elements, int64_t count, size_t size)
{
    const unsigned char *const all = elements;
    uint64_t hash = signature->hash;
    char text[96];
    for (size_t k = 0; k < (size_t)count * size; ++k) hash = (hash ^ all[k]) * 1099511628211u;
    snprintf(text, sizeof text, "%s=%lld#%016llx", name, (long long)count, (unsigned long long)hash);
    add(signature, text);
}

/* ---- agreement --------------------------------------------------------------------------------------------- */

typedef struct verdict {
    int status;
    char sentence[SENTENCE_BYTES];
} verdict;

/* The sentence of one rank, on all. */
static mcl_status tell(mcl_mpi *mpi, mcl_status status, int rank)
{
    verdict said = { .status = status };
    if (mpi->rank == rank)
        snprintf(said.sentence, sizeof said.sentence, "%s: rank %d: %.3900s", mpi->function, rank,
                 mpi->sentence[0] ? mpi->sentence : mcl_last_error());
    MPI_Request request = MPI_REQUEST_NULL;
    const int result = MPI_Ibcast(&said, (int)sizeof said, MPI_BYTE, rank, mpi->comm, &request);
    if (mcl__mpi_wait(mpi, result, &request, "MPI_Ibcast") != MCL_OK)
        return mcl__fail_alone(MCL_ERROR_DEVICE, "%s: rank %d: %s", mpi->function, mpi->rank, mpi->sentence);
    mpi->agreed = (mcl_status)said.status;
    return mcl__fail_alone(mpi->agreed, "%s", said.sentence);
}

static mcl_status refuse_different_calls(mcl_mpi *mpi, const mcl__signature *signature)
{
    char(*texts)[NAME_BYTES] = NULL;
    /* Where this rank has no memory for it, the others still need its text. */
    const mcl_status status = mcl__array(mpi, mpi->size, NAME_BYTES, &texts);
    char own[NAME_BYTES];
    memcpy(own, signature->text, sizeof own);
    const int result =
        MPI_Gather(own, NAME_BYTES, MPI_CHAR, texts ? texts[0] : own, NAME_BYTES, MPI_CHAR, 0, mpi->comm);
    mcl_status told = mcl__mpi_status(mpi, result, "MPI_Gather");
    if (told == MCL_OK && status == MCL_OK && mpi->rank == 0) {
        int other = 1;
        while (other < mpi->size - 1 && strcmp(texts[0], texts[other]) == 0) ++other;
        told = mcl__refuse(mpi, MCL_ERROR_PRECONDITION, "rank 0 calls \"%s\", rank %d \"%s\"; expected the same call",
                           texts[0], other, texts[other]);
    }
    free(texts);
    return tell(mpi, MCL_ERROR_PRECONDITION, 0);
}

static mcl_status agree(mcl_mpi *mpi, mcl_status status, const mcl__signature *signature)
{
    if (mpi->agreed != MCL_OK) return mpi->agreed;
    if (mpi->lost)
        return mcl__fail_alone(MCL_ERROR_DEVICE, "%s: rank %d: MPI has failed before: %s", mpi->function, mpi->rank,
                               mpi->sentence);
    const int64_t hash = signature ? (int64_t)(signature->hash >> 1) : 0;
    int64_t least[] = { status == MCL_OK ? mpi->size : mpi->rank, hash, -hash };
    MPI_Request request = MPI_REQUEST_NULL;
    const int result = MPI_Iallreduce(MPI_IN_PLACE, least, 3, MPI_INT64_T, MPI_MIN, mpi->comm, &request);
    if (mcl__mpi_wait(mpi, result, &request, "MPI_Iallreduce") != MCL_OK)
        return mcl__fail_alone(MCL_ERROR_DEVICE, "%s: rank %d: %s", mpi->function, mpi->rank, mpi->sentence);
    if (least[0] < mpi->size) return tell(mpi, status, (int)least[0]);
    if (least[1] != -least[2]) return refuse_different_calls(mpi, signature);
    return MCL_OK;
}

mcl_status mcl__agree(mcl_mpi *mpi, mcl_status status)
{
    return agree(mpi, status, NULL);
}

mcl_status mcl__begin(mcl_mpi *mpi, const mcl__signature *signature, mcl_status status)
{
    const mcl_status settled = mcl__peers_settle(mpi);
    return agree(mpi, status != MCL_OK ? status : settled, signature);
}
