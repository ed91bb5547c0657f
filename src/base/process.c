/* process.c: remembers the process that uses drivers. A forked child has no threads of the drivers, and no threads that
 * would release locks. So it neither calls a driver nor takes a lock. */
#include "base/base.h"

#include <stdatomic.h>

/* The id of the process that first asked for a driver; it is written once. 0: no process has asked yet, so that a
 * forked child may still be the first. */
static _Atomic int64_t drivers_process;

int mcl__process_is_forked(void)
{
    const int64_t process = atomic_load(&drivers_process);
    return process != 0 && process != mcl__process_id();
}

mcl_status mcl__process_check(void)
{
    if (!mcl__process_is_forked()) return MCL_OK;
    return mcl__fail(MCL_ERROR_DEVICE,
                     "process %lld, which this one was forked from, has loaded drivers, and they do not work here; "
                     "expected a process that was forked before the first call on devices, or that runs exec",
                     (long long)atomic_load(&drivers_process));
}

mcl_status mcl__process_claim(void)
{
    int64_t none = 0;
    (void)atomic_compare_exchange_strong(&drivers_process, &none, mcl__process_id());
    return mcl__process_check();
}
