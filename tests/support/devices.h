/* devices.h: the devices a suite runs on, each opened once, and the main function of device suites. */
#ifndef TEST_DEVICES_H
#define TEST_DEVICES_H

#include <check.h>
#include <moderncl/moderncl.h>

/* An assertion that holds costs a comparison. Check would write its line to a file, which it tells of a test that
 * crashes: over millions of elements that took most of the time of some suites. */
#define _mark_point(file, line) ((void)0)

typedef struct test_device {
    mcl_device_info info;
    mcl_context *context;
    mcl_queue *queue;
} test_device;

/* Opens the devices (all, or the one of MCL_TEST_DEVICE), calls add for each with a test case of its own, runs the
 * suite without fork, and gives main's result. Tests are added as loop tests, so that _i says which device:
 * test_add, or test_add_loop where each device has rounds of its own. */
int test_main(const char *suite_name, void (*add)(TCase *tcase, int device));
#define test_add(tcase, function, device)                                                                              \
    tcase_add_loop_test(tcase, function, device, (device) + !test_has_rounds_only())
#define test_add_loop(tcase, function, device, rounds)                                                                 \
    tcase_add_loop_test(tcase, function, (device) * (rounds), ((device) + 1) * (rounds))

/* Runs a suite, and gives main's result. CK_NOFORK: for contexts and drivers, which do not survive a fork. */
int test_run(Suite *suite, enum fork_status forks);

/* A suite of host-only tests, each in a process of its own. */
int test_main_host(const char *suite_name, void (*add)(TCase *tcase));

/* The device, and the device for rounds of cases (run_case.h). On POCL 3 only the latter's kernels are optimised,
 * which takes most of the time; with MCL_TEST_FULL=1 both are, with MCL_TEST_UNOPTIMISED=1 neither is. */
test_device *test_device_at(int device);
test_device *test_round_device(int device);

/* A fresh context of the same device, for tests that count or break things. */
mcl_context *test_context(int device);
mcl_context *test_context_of_rows(int device, const char *rows);  /* with these rows and parameters of tuning */
void test_load_rows(mcl_context *context, const char *rows);      /* adds such rows */
mcl_context *test_context_with(int device, const char *features); /* with more of MCL_FEATURES, "mends_seams=0" */

int test_is_small(void);    /* MCL_TEST_SMALL=1: sizes up to 3000 */
int test_sample_step(void); /* every Nth round: the larger of MCL_TEST_SAMPLE and the test's MCL_TEST_OWN_SAMPLE */
int test_sample_has_groups_alone(void); /* MCL_TEST_GROUPS_ALONE=1: a sample has no tiles of one work-item */
int test_sample_has_no_groups(void);    /* MCL_TEST_NO_GROUPS=1: a sample has no others */
/* 1: a test of several tiles takes this one, as a sample does. */
int test_takes_tile(const mcl_options *tile);
int test_sample_phase(void); /* MCL_TEST_PHASE: the first round of a sample; N / 2 where it is not given */
/* 1: the sample takes this round of rounds: every Nth one from its phase on. All phases together take all rounds, and
 * each of them takes at least one. */
int test_sample_takes(int round, int rounds);
int test_has_rounds_only(void); /* MCL_TEST_ROUNDS_ONLY=1: no other tests */
int test_is_full(void);         /* MCL_TEST_FULL=1: the product of types, tiles and inputs */
int test_is_opencl_1_2(void);   /* MCL_FEATURES=opencl=1.2: every device is taken for one of that version */

/* 1: the device reports every two writes of one place. Where operands break a call's preconditions there may be such:
 * the call is then tested in a single tile. MCL_TEST_SEES_RACES=1: a tool does (compute-sanitizer). */
int test_sees_races(int device);

/* Sets a variable of the environment on every system; NULL: unset. */
void test_variable_set(const char *name, const char *value);

/* Says on stderr that a test does not apply to a device, and why; always 1. */
int test_skip(int device, const char *what, const char *why);

/* The status is as expected; the message has the library's sentence. */
#define test_ok(call) test_status_is((call), MCL_OK, #call, __FILE__, __LINE__)
void test_status_is(mcl_status status, mcl_status expected, const char *call, const char *file, int line);

/* The status is as expected, and the sentence has every one of the words, which are separated by '|'. */
#define test_fails(call, status, words) test_failure_is((call), status, words, #call, __FILE__, __LINE__)
void test_failure_is(mcl_status status, mcl_status expected, const char *words, const char *call, const char *file,
                     int line);

#endif
