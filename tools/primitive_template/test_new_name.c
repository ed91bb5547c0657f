/* test_new_name.c: mcl_new_name. */
#include "support/arrays.h"
#include "support/run_case.h"

START_TEST(new_name_equals_the_loop)
{
    run_case_round(&new_name_case, _i);
}
END_TEST

/* Expects a failure with a sentence that has the words and the function's name. */
#define EXPECT(queue, in, out, status, words)                                                                          \
    test_fails(mcl_new_name(queue, in, out, NULL), status, "mcl_new_name|" words)

START_TEST(mistakes_are_told)
{
    typedef struct pair {
        int32_t first, second;
    } pair;
    static const mcl_type pairs = MCL_TYPE(pair, "typedef struct pair { int32_t first, second; } pair;");
    mcl_queue *queue = test_device_at(_i)->queue;
    mcl_buffer *in = array_empty(_i, 64);
    mcl_buffer *out = array_empty(_i, 64);

    EXPECT(NULL, ints(in, 8), ints_out(out, 8), MCL_ERROR_ARGUMENT, "queue|NULL");
    EXPECT(queue, mcl_from_buffer(&pairs, in, 0, 8), mcl_to_buffer(&pairs, out, 0, 8), MCL_ERROR_TYPE, "in is pair");
    EXPECT(queue, ints(in, 8), mcl_to_buffer(MCL_FLOAT, out, 0, 8), MCL_ERROR_TYPE, "out is float; expected int32_t");
    EXPECT(queue, ints(in, 8), ints_out(out, 7), MCL_ERROR_ARGUMENT, "out|7|8");
    EXPECT(queue, ints(in, 8), ints_out(in, 8), MCL_ERROR_ARGUMENT, "in|out|overlap");
    mcl_buffer_release(in);
    mcl_buffer_release(out);
}
END_TEST

static void add(TCase *tcase, int device)
{
    test_add_loop(tcase, new_name_equals_the_loop, device, run_case_rounds(&new_name_case));
    test_add(tcase, mistakes_are_told, device);
}

int main(void)
{
    return test_main("new_name", add);
}
