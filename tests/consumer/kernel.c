/* kernel.c: a user's program with a kernel whose text is in twice.cl. */
#include "twice.cl.h"

#include <moderncl/moderncl.h>

#include <stdio.h>

enum { COUNT = 5 };

int main(void)
{
    const int32_t numbers[COUNT] = { 3, 1, 4, 1, 5 };
    int32_t doubled[COUNT] = { 0 };
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *a = NULL, *b = NULL;
    mcl_tile tile;
    const mcl_kernel twice = { .name = "twice.cl",
                               .text = twice_cl,
                               .passes = { { "twice", "in out", 0 } },
                               .inputs = { { "in", MCL_INT32, NULL, 0 } },
                               .outputs = { { "out", MCL_INT32 } } };
    int failed = mcl_context_create(NULL, &context) || mcl_queue_create(context, 0, &queue) ||
                 mcl_buffer_create(context, sizeof numbers, numbers, &a) ||
                 mcl_buffer_create(context, sizeof doubled, NULL, &b) || mcl_kernel_tile(queue, &twice, NULL, &tile);
    if (!failed) {
        const mcl_input in = mcl_from_buffer(MCL_INT32, a, 0, COUNT);
        const mcl_output out = mcl_to_buffer(MCL_INT32, b, 0, COUNT);
        const mcl_launch launch = { .groups = mcl_tile_groups(&tile, COUNT),
                                    .arguments = { mcl_argument_input(&in), mcl_argument_output(&out) } };
        failed = mcl_kernel_launch(queue, &twice, &launch, 1, NULL, 0, NULL) ||
                 mcl_buffer_read(queue, b, 0, sizeof doubled, doubled);
    }
    if (failed) fprintf(stderr, "%s\n", mcl_last_error());
    for (int i = 0; !failed && i < COUNT; ++i) failed = doubled[i] != 2 * numbers[i];
    mcl_buffer_release(a);
    mcl_buffer_release(b);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return failed;
}
