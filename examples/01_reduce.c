/* 01_reduce.c: the sum of four numbers, on the best device there is. */
#include <moderncl/moderncl.h>
#include <stdio.h>

int main(void)
{
    const int32_t numbers[] = { 3, 1, 4, 1 };
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_buffer *buffer = NULL;
    int32_t sum = 0;
    const int failed =
        mcl_context_create(NULL, &context) || mcl_queue_create(context, 0, &queue) ||
        mcl_buffer_create(context, sizeof numbers, numbers, &buffer) ||
        mcl_reduce(queue, mcl_from_buffer(MCL_INT32, buffer, 0, 4), MCL_ADD, mcl_to_host(MCL_INT32, &sum), NULL);
    if (failed)
        fprintf(stderr, "%s\n", mcl_last_error());
    else
        printf("sum %d\n", sum);
    mcl_buffer_release(buffer);
    mcl_queue_release(queue);
    mcl_context_release(context);
    return failed;
}
