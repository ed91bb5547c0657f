/* litmus.c: runs the litmus tests of moderncl-info on one device. */
#include "litmus.h"

#include "context/probe.h"
#include "litmus.cl.h"

#include <stdlib.h>
#include <string.h>

const char *litmus_verdict_name(litmus_verdict verdict)
{
    static const char *const names[] = { "passed", "failed", "allowed", "not seen", "not tried" };
    return names[verdict];
}

/* The names that MCL_FEATURES and mcl_device_info have for the ways. */
static const char *const way_names[] = { "", "cuda", "c11", "ptx", "legacy" };

static const char *find_way(const char *name)
{
    for (size_t k = 0; k < sizeof way_names / sizeof *way_names; ++k)
        if (strcmp(way_names[k], name) == 0) return way_names[k];
    return "";
}

static void add_count(litmus_result *result, const char *what, int64_t count)
{
    for (int k = 0; k < LITMUS_COUNTS_MAX; ++k) {
        if (result->counts[k].what) continue;
        result->counts[k].what = what;
        result->counts[k].count = count;
        return;
    }
}

/* ---- the library's own ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *members, *passed, *failed;
} trials_told[] = {
    [MCL__TRIAL_ATOMICS] = { "atomics of 64 bits", "groups", "maps may take keys of 8 bytes",
                             "maps take no keys of 8 bytes by this way" },
    [MCL__TRIAL_WORDS] = { "a group waits for the one before it", "groups",
                           "scans may read their input once, and look back",
                           "no group waits for another by this way: scans reduce first, then scan" },
    [MCL__TRIAL_SUB_GROUPS] = { "shuffles and ballots of sub-groups", "work-items",
                                "values are exchanged in sub-groups",
                                "values are exchanged through work-group memory, not in sub-groups" },
};

/* Makes a result of a trial. A trial without a run is one that the device or its compiler cannot do. Some runs may
 * stall, since other programs need the processor too. */
static void tell_trial(const mcl__trial *trial, litmus_result *result)
{
    *result = (litmus_result){ .name = trials_told[trial->kind].name, .way = way_names[trial->words] };
    const int failed = trial->failed > 0 || trial->stalled > trial->runs / 2;
    result->verdict = trial->runs == 0 ? LITMUS_NOT_TRIED : failed ? LITMUS_FAILED : LITMUS_PASSED;
    result->meaning =
        result->verdict == LITMUS_PASSED ? trials_told[trial->kind].passed : trials_told[trial->kind].failed;
    if (trial->runs == 0) return;
    add_count(result, "runs", trial->runs);
    add_count(result, trials_told[trial->kind].members, trial->members);
    add_count(result, "runs that were wrong", trial->failed);
    if (trial->kind != MCL__TRIAL_SUB_GROUPS) add_count(result, "waits that were given up", trial->given_up);
}

/* Runs the library's own litmus tests. The context must not have been probed before. */
static mcl_status run_trials(mcl_context *context, double seconds, litmus_result *results, int *count)
{
    mcl__trial trials[MCL__TRIALS_MAX];
    const int trial_count = mcl__trial_list(context, trials);
    int has_words = 0, has_sub_groups = 0;
    mcl_status status = MCL_OK;

    for (int k = 0; k < trial_count && status == MCL_OK; ++k) {
        const double end = mcl__milliseconds() + 1e3 * seconds;
        do {
            status = mcl__trial_run(context, &trials[k]);
        } while (status == MCL_OK && trials[k].runs > 0 && mcl__milliseconds() < end);
        mcl__trial_end(context, &trials[k]);
        tell_trial(&trials[k], &results[(*count)++]);
        has_words |= trials[k].kind == MCL__TRIAL_WORDS;
        has_sub_groups |= trials[k].kind == MCL__TRIAL_SUB_GROUPS;
    }
    if (!has_words) {
        tell_trial(&(mcl__trial){ .kind = MCL__TRIAL_ATOMICS }, &results[(*count)++]);
        tell_trial(&(mcl__trial){ .kind = MCL__TRIAL_WORDS }, &results[(*count)++]);
    }
    if (!has_sub_groups) tell_trial(&(mcl__trial){ .kind = MCL__TRIAL_SUB_GROUPS }, &results[(*count)++]);
    return status;
}

/* ---- pairs of groups ------------------------------------------------------------------------------------------ */

enum pair_test {
    ONE_WORD,
    MESSAGE_RELAXED,
    MESSAGE_FENCES,
    MESSAGE_RELEASE,
    STORES_RELAXED,
    STORES_FENCES,
    PAIR_TESTS
};

static const struct {
    const char *name, *weak, *as_expected, *failed;
} pairs_told[PAIR_TESTS] = {
    [ONE_WORD] = { "flag and value in one word", "torn, or older than before",
                   "this is how the library passes sums between groups",
                   "sums that pass between groups in one word may be wrong: single passes cannot be trusted" },
    [MESSAGE_RELAXED] = { "data, then flag, relaxed", "flag before its data",
                          "the library relies on no order of two words", "" },
    [MESSAGE_FENCES] = { "data, then flag, with fences", "flag before its data",
                         "kernels of your own may rely on fences between groups; the library uses none",
                         "fences do not order words between groups; the library uses none" },
    [MESSAGE_RELEASE] = { "data, then flag, release and acquire", "flag before its data",
                          "kernels of your own may rely on it; the library does not",
                          "release and acquire do not order words between groups; the library uses neither" },
    [STORES_RELAXED] = { "two groups store, then load, relaxed", "neither saw the other's store",
                         "the library relies on no order of two words", "" },
    [STORES_FENCES] = { "two groups store, then load, with fences", "neither saw the other's store",
                        "kernels of your own may rely on fences between groups; the library uses none",
                        "fences do not order a store before a load; the library uses none" },
};

/* Words of a pair lie in separate lines. The test of one word comes first: it looks at both halves of words to which
 * the other tests have not stored yet. */
enum {
    LINE_WORDS = 16,
    PAIR_WORDS = 4 * LINE_WORDS,
    LOG_NUMBERS_MAX = 1 << 21,
    ROUNDS_MAX = 1 << 15,
    POLLS_PER_ROUND = 8
};
/* Indices of the counts; litmus.cl declares equal ones. */
enum { SEEN_TRIED, SEEN_MEANWHILE, SEEN_WEAK, PAIRS_MET, TESTS_SAID, TESTS_FORBIDDEN, COUNTS };

static const mcl_kernel pairs_kernel = {
    .name = "litmus.cl",
    .text = litmus_cl,
    .passes = { { "litmus_pairs", "words:pointer counts:pointer log:pointer test:int32_t distance:int32_t "
                                  "rounds:int32_t polls:int32_t both:int32_t base:int64_t" } },
    .defines = { { "LINE", LINE_WORDS },
                 { "PAIR", PAIR_WORDS },
                 { "ONE_WORD", ONE_WORD },
                 { "MESSAGE_RELAXED", MESSAGE_RELAXED },
                 { "MESSAGE_FENCES", MESSAGE_FENCES },
                 { "MESSAGE_RELEASE", MESSAGE_RELEASE },
                 { "STORES_RELAXED", STORES_RELAXED },
                 { "STORES_FENCES", STORES_FENCES } },
};

typedef struct pairs {
    mcl_queue *queue;
    mcl_options options;        /* options of the launches, with the tile */
    int groups, count;          /* groups, and pairs of work-items */
    int rounds_max, logged_max; /* rounds of a launch at most, and rounds for which the log has room */
    int rounds_wanted, rounds;
    int distance; /* groups between two partners */
    int launches;
    int64_t base; /* highest number in words */
    mcl_buffer *words, *counts, *log;
    uint32_t *logged;
    uint32_t said, forbidden;
    int64_t seen[PAIRS_MET + 1];
} pairs;

static mcl_status pairs_open(mcl_context *context, pairs *at)
{
    mcl_device_info info;
    mcl_tile tile;
    mcl_status status = mcl_context_info(context, &info);
    if (status == MCL_OK) status = mcl_queue_create(context, 0, &at->queue);
    at->options = (mcl_options){ .tile_threads = status == MCL_OK && info.mapping == MCL_MAPPING_GROUP ? 64 : 1,
                                 .tile_items = 1 };
    if (status == MCL_OK) status = mcl_kernel_tile(at->queue, &pairs_kernel, &at->options, &tile);
    if (status != MCL_OK) return status;

    at->options.tile_threads = tile.threads;
    for (at->groups = 64; at->groups < 2 * info.compute_units && at->groups < 1024;) at->groups *= 2;
    at->count = at->groups / 2 * tile.threads;
    at->distance = at->groups / 2;
    at->rounds_max = ROUNDS_MAX;
    at->logged_max = LOG_NUMBERS_MAX / (2 * at->count);
    const int64_t budget = info.loop_budget / (2 * POLLS_PER_ROUND);
    if (info.loop_budget > 0 && at->rounds_max > budget) at->rounds_max = (int)budget;
    at->rounds_wanted = at->rounds_max < 64 ? at->rounds_max : 64;
    at->logged = malloc(sizeof(uint32_t[LOG_NUMBERS_MAX]));
    if (!at->logged) return mcl__fail(MCL_ERROR_MEMORY, "host memory for the litmus tests is exhausted");
    const size_t word_bytes = (size_t)at->count * PAIR_WORDS * sizeof(uint64_t);
    status = mcl_buffer_create(context, word_bytes, NULL, &at->words);
    if (status == MCL_OK)
        status = mcl_buffer_fill(at->queue, at->words, 0, word_bytes, &(uint32_t){ 0 }, sizeof(uint32_t));
    if (status == MCL_OK) status = mcl_buffer_create(context, sizeof(uint32_t[COUNTS]), NULL, &at->counts);
    if (status == MCL_OK) status = mcl_buffer_create(context, sizeof(uint32_t[LOG_NUMBERS_MAX]), NULL, &at->log);
    return status;
}

static void pairs_close(pairs *at)
{
    mcl_buffer_release(at->log);
    mcl_buffer_release(at->counts);
    mcl_buffer_release(at->words);
    mcl_queue_release(at->queue);
    free(at->logged);
}

static int is_of_stores(int test)
{
    return test == STORES_RELAXED || test == STORES_FENCES;
}

/* Counts weak outcomes. In round r this work-item has seen its partner's round s at most, so the partner's next store
 * came after this load. If the partner, in that next round, has not seen round r either, both loads came before both
 * stores. */
static void judge_stores(pairs *at)
{
    const size_t rounds = (size_t)at->rounds;
    for (size_t pair = 0; pair < (size_t)at->count; ++pair) {
        const uint32_t *const one = at->logged + pair * rounds;
        const uint32_t *const other = one + (size_t)at->count * rounds;
        at->seen[SEEN_TRIED] += at->rounds;
        for (uint32_t r = 1; r <= rounds; ++r) {
            const uint32_t s = one[r - 1] + 1;
            at->seen[SEEN_MEANWHILE] += s > 1 && s <= rounds;
            at->seen[SEEN_WEAK] += s <= rounds && other[s - 1] < r;
        }
    }
}

static mcl_status pairs_launch(pairs *at, int test)
{
    uint32_t counts[COUNTS] = { 0 };
    const int64_t meanwhile = at->seen[SEEN_MEANWHILE];
    at->rounds = at->rounds_wanted;
    if (is_of_stores(test) && at->rounds > at->logged_max) at->rounds = at->logged_max;
    const mcl_launch launch = { .groups = at->groups,
                                .arguments = { mcl_argument_buffer(at->words, 0), mcl_argument_buffer(at->counts, 0),
                                               mcl_argument_buffer(at->log, 0), mcl_argument_int32(test),
                                               mcl_argument_int32(at->distance), mcl_argument_int32(at->rounds),
                                               mcl_argument_int32(at->rounds * POLLS_PER_ROUND),
                                               mcl_argument_int32(2 * ++at->launches), mcl_argument_int64(at->base) } };
    mcl_status status = mcl_buffer_write(at->queue, at->counts, 0, sizeof counts, counts);
    if (status == MCL_OK) status = mcl_kernel_launch(at->queue, &pairs_kernel, &launch, 1, NULL, 0, &at->options);
    if (status == MCL_OK) status = mcl_buffer_read(at->queue, at->counts, 0, sizeof counts, counts);
    if (status == MCL_OK && is_of_stores(test))
        status = mcl_buffer_read(at->queue, at->log, 0, sizeof(uint32_t) * 2 * (size_t)at->count * (size_t)at->rounds,
                                 at->logged);
    if (status != MCL_OK) return status;
    at->base += at->rounds;
    at->said = counts[TESTS_SAID];
    at->forbidden = counts[TESTS_FORBIDDEN];
    for (int k = 0; k <= PAIRS_MET; ++k) at->seen[k] += counts[k];
    if (is_of_stores(test)) judge_stores(at);
    /* Groups that run at the same time are neighbours on some devices and far apart on others, so the distance
     * changes. */
    if (at->seen[SEEN_MEANWHILE] == meanwhile) at->distance = at->distance > 1 ? at->distance / 2 : at->groups / 2;
    return MCL_OK;
}

static void tell_pairs(const pairs *at, int test, const char *way, litmus_result *result)
{
    const int is_forbidden = (at->forbidden >> test & 1) != 0;
    *result = (litmus_result){ .name = pairs_told[test].name, .way = way, .verdict = LITMUS_PASSED };
    result->meaning = pairs_told[test].as_expected;
    if (!(at->said >> test & 1)) {
        result->verdict = LITMUS_NOT_TRIED;
        result->meaning =
            at->launches ? "the language of this device has no word for it" : "groups share no words of 64 bits here";
        return;
    }
    if (!is_forbidden) {
        result->verdict = LITMUS_ALLOWED;
    } else if (at->seen[SEEN_WEAK] > 0) {
        result->verdict = LITMUS_FAILED;
        result->meaning = pairs_told[test].failed;
    } else if (at->seen[SEEN_MEANWHILE] == 0) {
        result->verdict = LITMUS_NOT_SEEN;
        result->meaning = "no two groups were seen at work at the same time, so this shows nothing";
    }
    add_count(result, "rounds", at->seen[SEEN_TRIED]);
    add_count(result, "while both groups were at work", at->seen[SEEN_MEANWHILE]);
    add_count(result, pairs_told[test].weak, at->seen[SEEN_WEAK]);
    add_count(result, "pairs that began together", at->seen[PAIRS_MET]);
}

static mcl_status run_pairs(mcl_context *context, double seconds, litmus_result *results, int *count)
{
    /* Every distance is tried at least once. A launch stays far below the time limit that some drivers have. */
    enum { LAUNCHES_LEAST = 10, LAUNCH_MS = 10 };
    pairs at = { 0 };
    mcl_device_info info;
    mcl_status status = mcl_context_info(context, &info);
    if (status != MCL_OK) return status;
    const char *const way = find_way(info.status_word_path);
    const int has_words = way[0] != 0;
    if (has_words) status = pairs_open(context, &at);
    for (int test = 0; test < PAIR_TESTS && status == MCL_OK; ++test) {
        const double begin = mcl__milliseconds();
        memset(at.seen, 0, sizeof at.seen);
        for (int k = 0; has_words && status == MCL_OK; ++k) {
            const double before = mcl__milliseconds();
            const double passed = (before - begin) / 1e3;
            if (k > 0 && passed > seconds && (k >= LAUNCHES_LEAST || passed > 10 * seconds)) break;
            status = pairs_launch(&at, test);
            if (mcl__milliseconds() - before < LAUNCH_MS && at.rounds_wanted <= at.rounds_max / 2)
                at.rounds_wanted *= 2;
            if (!(at.said >> test & 1)) break;
        }
        if (status == MCL_OK) tell_pairs(&at, test, way, &results[(*count)++]);
    }
    pairs_close(&at);
    return status;
}

int litmus_run(const char *device, double seconds, litmus_result results[LITMUS_RESULTS_MAX])
{
    mcl_context *context = NULL;
    int count = 0;
    mcl_status status = mcl_context_create(device, &context);
    if (status == MCL_OK) status = run_trials(context, seconds, results, &count);
    if (status == MCL_OK) status = run_pairs(context, seconds, results, &count);
    mcl_context_release(context);
    return status == MCL_OK ? count : -1;
}
