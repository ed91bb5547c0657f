/* threads.c: locks, and the identity of the process. */
#define _POSIX_C_SOURCE 200809L

#include "base/base.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t process_mutex = PTHREAD_MUTEX_INITIALIZER;

mcl_status mcl__mutex_create(mcl__mutex *mutex)
{
    pthread_mutex_t *const handle = malloc(sizeof *handle);
    if (!handle || pthread_mutex_init(handle, NULL) != 0) {
        free(handle);
        return mcl__fail(MCL_ERROR_MEMORY, "host memory for a lock is exhausted");
    }
    mutex->handle = handle;
    return MCL_OK;
}

void mcl__mutex_destroy(mcl__mutex *mutex)
{
    if (!mutex->handle) return;
    (void)pthread_mutex_destroy(mutex->handle);
    free(mutex->handle);
    mutex->handle = NULL;
}

void mcl__mutex_lock(mcl__mutex *mutex)
{
    (void)pthread_mutex_lock(mutex->handle);
}

void mcl__mutex_unlock(mcl__mutex *mutex)
{
    (void)pthread_mutex_unlock(mutex->handle);
}

void mcl__process_lock(void)
{
    (void)pthread_mutex_lock(&process_mutex);
}

void mcl__process_unlock(void)
{
    (void)pthread_mutex_unlock(&process_mutex);
}

int64_t mcl__process_id(void)
{
    return (int64_t)getpid();
}
