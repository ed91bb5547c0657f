/* device.c: opens the device that is tuned. */
#include "tune.h"

int tune_device_open(tuner *t)
{
    bench *const b = &t->bench;
    if (mcl_context_create(t->options->device, &b->context) != MCL_OK) return bench_failed("opening the device");
    if (mcl_context_info(b->context, &b->info) != MCL_OK) return bench_failed("asking the device");
    if (mcl_queue_create(b->context, b->info.is_gpu ? MCL_QUEUE_PROFILING : 0, &b->queue) != MCL_OK)
        return bench_failed("making a queue");
    t->bench_options.queued = b->info.is_gpu;
    (void)snprintf(t->device, sizeof t->device, "%.30s %.31s", b->info.vendor, b->info.architecture);
    return 0;
}

void tune_device_close(tuner *t)
{
    bench *const b = &t->bench;
    mcl_buffer_release(b->spin_out);
    mcl_queue_release(b->queue);
    mcl_context_release(b->context);
    b->spin_out = NULL;
    b->spin_rounds = 0;
    b->queue = NULL;
    b->context = NULL;
}
