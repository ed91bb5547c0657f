/* devices.h: the devices on which a suite runs, each opened once, and the main function of device suites. */
#ifndef TEST_DEVICES_H
#define TEST_DEVICES_H

#include <check.h>
#include <moderncl/moderncl.h>

/* With this an assertion that holds costs only a comparison. Check would write each assertion's line to a file, to
 * report it after a crash. Over millions of elements that took most of the time of some suites. */
#define _mark_point(file, line) ((void)0)

typedef struct test_device {
    mcl_device_info info;
    mcl_context *context;
    mcl_queue *queue;
} test_device;

/* Runs a suite on all devices, or on the one of MCL_TEST_DEVICE. It opens the devices, calls add for each with a
 * separate test case, runs the suite without fork and returns main's result. Tests are loop tests, so _i is the device.
 * add calls test_add, or test_add_loop where each device has several rounds. */
int test_main(const char *suite_name, void (*add)(TCase *tcase, int device));
#define test_add(tcase, function, device)                                                                              \
    tcase_add_loop_test(tcase, function, device, (device) + !test_has_rounds_only())
#define test_add_loop(tcase, function, device, rounds)                                                                 \
    tcase_add_loop_test(tcase, function, (device) * (rounds), ((device) + 1) * (rounds))

/* Runs a suite and returns main's result. CK_NOFORK is for contexts and drivers, which do not survive a fork. */
int test_run(Suite *suite, enum fork_status forks);

/* Runs a suite of tests that need no device, each in a separate process. */
int test_main_host(const char *suite_name, void (*add)(TCase *tcase));

/* Return the device, and the device for rounds of cases (run_case.h). On POCL 3 only the second one's kernels are
 * optimised, since optimising takes most of the time. With a sample it serves few rounds. MCL_TEST_FULL=1 optimises
 * both, MCL_TEST_UNOPTIMISED=1 neither. */
test_device *test_device_at(int device);
test_device *test_round_device(int device);

/* Opens a new context of the device, for tests that count or break things. */
mcl_context *test_context(int device);
mcl_context *test_context_of_rows(int device, const char *rows); /* adds these rows and parameters of tuning */
void test_load_rows(mcl_context *context, const char *rows);     /* adds rows of tuning to an open context */
/* adds features to MCL_FEATURES, such as "mends_seams=0" */
mcl_context *test_context_with(int device, const char *features);

int test_is_small(void); /* 1 with MCL_TEST_SMALL=1: sizes up to 3000 */
/* N, where every Nth round is taken: the larger of MCL_TEST_SAMPLE and MCL_TEST_OWN_SAMPLE */
int test_sample_step(void);
int test_sample_has_groups_alone(void); /* 1 with MCL_TEST_GROUPS_ALONE=1: a sample has no tiles of one work-item */
int test_sample_has_no_groups(void);    /* 1 with MCL_TEST_NO_GROUPS=1: a sample has only tiles of one work-item */
/* Returns 1 where a test of several tiles takes this tile, by the rules of a sample. */
int test_takes_tile(const mcl_options *tile);
int test_sample_phase(void); /* first round of a sample: MCL_TEST_PHASE, or N / 2 where it is not set */
/* Returns 1 where the sample takes round number round of rounds: every Nth round from its phase on. All phases together
 * take all rounds, and each phase takes at least one. */
int test_sample_takes(int round, int rounds);
/* Returns 1 for every number. Where there is a sample, it returns 1 for every second one, by the phase. For walks that
 * compile programs at each step. The parity of number must not decide a step's type, mapping or mode. */
int test_takes_half(int number);
int test_has_rounds_only(void); /* 1 with MCL_TEST_ROUNDS_ONLY=1: no other tests run */
int test_is_full(void);         /* 1 with MCL_TEST_FULL=1: the product of types, tiles and inputs */
int test_is_opencl_1_2(void);   /* 1 with MCL_FEATURES=opencl=1.2: every device counts as one of that version */

/* Returns 1 where the device, or with MCL_TEST_SEES_RACES=1 a tool (compute-sanitizer), reports two writes of one
 * place. Operands that break a call's preconditions may cause such writes, so the call is then tested in a single
 * tile. */
int test_sees_races(int device);

/* Sets a variable of the environment on every system. A NULL value unsets it. */
void test_variable_set(const char *name, const char *value);

/* Prints on stderr that a test does not apply to a device, and why. It always returns 1. */
int test_skip(int device, const char *what, const char *why);

/* Checks that the status is as expected. On failure the message has the library's sentence. */
#define test_ok(call) test_status_is((call), MCL_OK, #call, __FILE__, __LINE__)
void test_status_is(mcl_status status, mcl_status expected, const char *call, const char *file, int line);

/* Checks that the status is as expected, and that the sentence has every one of the words. A '|' separates words. */
#define test_fails(call, status, words) test_failure_is((call), status, words, #call, __FILE__, __LINE__)
void test_failure_is(mcl_status status, mcl_status expected, const char *words, const char *call, const char *file,
                     int line);

#endif
