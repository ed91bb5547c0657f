/* probe.c: runs litmus kernels (probe.cl) that answer three questions for this device and driver. Which 64-bit atomics
 * work? May running groups wait for words of other groups? How do values pass within a sub-group? The kernels decide,
 * whatever the driver reports. The disk cache keeps the verdict. For some drivers the verdict is known without a
 * run. */
#include "context/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The size and the number of polls of a litmus kernel. MCL_FEATURES does not change the polls: with poll_limit=0 no
 * litmus kernel would pass. */
enum { PROBE_THREADS = 64, PROBE_POLLS_GPU = 1 << 16, PROBE_POLLS_CPU = 1 << 12 };

/* ---- one litmus kernel -------------------------------------------------------------------------------------- */

typedef struct litmus {
    const char *kernel;
    mcl__limits limits; /* the context's limits, but with the paths to try */
    int threads;
    int64_t groups;
    void *data; /* content of the kernel's buffer, before and after the run */
    size_t bytes;
    const mcl__arg *second; /* the argument after the buffer, or NULL */
    void **program;         /* a program to keep for other litmus kernels of the same text, or NULL */
} litmus;

static mcl_status litmus_launch(mcl_queue *queue, const litmus *test, void *kernel)
{
    mcl_buffer *buffer = NULL;
    MCL__TRY(mcl_buffer_create(queue->context, test->bytes, test->data, &buffer));
    mcl__arg args[2] = { { .buffer = buffer } };
    if (test->second) args[1] = *test->second;
    const mcl__launch launch = { .kernel = kernel,
                                 .groups = test->groups,
                                 .threads = test->threads,
                                 .args = args,
                                 .arg_count = test->second ? 2 : 1 };
    mcl_status status = queue->context->backend->call_begin(queue, 0);
    if (status == MCL_OK) status = queue->context->backend->launch(queue, &launch);
    if (status == MCL_OK) status = mcl_buffer_read(queue, buffer, 0, test->bytes, test->data);
    mcl_buffer_release(buffer);
    return status;
}

static mcl_status litmus_build(mcl_context *context, const litmus *test, void **program)
{
    const mcl__spec spec = {
        .file = "kernels/device/probe.cl", .kernels = { test->kernel }, .tile = { test->threads, 1 }, .index_bits = 32
    };
    mcl__text source = { 0 };
    mcl_status status = mcl__source_assemble(&test->limits, context->dialect, &spec, &source);
    if (status == MCL_OK) status = mcl__program_build(context, &spec, source.data, spec.file, program);
    mcl__text_free(&source);
    return status;
}

/* Returns 1 where the compiled kernel allows groups as large as the test needs. */
static int litmus_fits(mcl_context *context, const litmus *test, void *kernel)
{
    int allowed = test->threads;
    return context->backend->kernel_max_threads(context, kernel, &allowed) != MCL_OK || allowed >= test->threads;
}

/* Builds and runs a litmus kernel. *ran receives 0 where the program does not build, or where the kernel does not allow
 * groups of this size. The probe then continues without this test. */
static mcl_status litmus_run(mcl_context *context, const litmus *test, int *ran)
{
    const mcl__backend *const backend = context->backend;
    void *program = NULL;
    void *kernel = NULL;
    mcl_queue *queue = NULL;
    *ran = 0;
    (void)mcl__fail_quietly(1);
    if (test->program) program = *test->program;
    mcl_status status = program ? MCL_OK : litmus_build(context, test, &program);
    if (test->program) *test->program = program;
    if (status == MCL_OK) status = backend->kernel_create(context, program, test->kernel, &kernel);
    (void)mcl__fail_quietly(0);
    const int rejected = status == MCL_ERROR_BUILD || status == MCL_ERROR_UNSUPPORTED;
    if (status == MCL_ERROR_BUILD && !mcl__failed_with_log()) context->probe_unsure = 1;
    const int fits = status == MCL_OK && litmus_fits(context, test, kernel);
    if (fits) status = mcl_queue_create(context, 0, &queue);
    if (fits && status == MCL_OK) status = litmus_launch(queue, test, kernel);
    *ran = fits && status == MCL_OK;
    mcl_queue_release(queue);
    if (kernel) backend->kernel_release(context, kernel);
    if (program && !test->program) backend->program_release(context, program);
    return rejected ? MCL_OK : status;
}

/* ---- words between groups ----------------------------------------------------------------------------------- */

static int words_are_right(const uint64_t *words, int groups, int64_t *given_up)
{
    uint32_t sum = 0;
    *given_up = 0;
    for (int i = 0; i < groups; ++i) {
        sum += (uint32_t)i;
        const uint32_t status = (uint32_t)(words[i] >> 32);
        if ((uint32_t)words[i] != sum || status < 1 || status > 2) return 0;
        *given_up += status == 2;
    }
    return 1;
}

/* Checks the words that kernel probe_atomics has stored. The comment of that kernel says what each word must be. */
static int atomics_are_right(const uint64_t *words, int groups, int64_t *given_up)
{
    const uint64_t count = (uint64_t)groups;
    const uint64_t in = words[2] < count ? count - words[2] : 0;
    *given_up = groups - (int64_t)in;
    return words[0] == (count << 32) + count * (count - 1) / 2 && in > 0 && words[1] == (in << 32 | in) &&
           words[3] == count && words[4] == 1;
}

/* The tests of words. Each kernel takes the words and the number of groups. are_right checks the words that the kernel
 * has stored, and sets *given_up to the number of groups that stopped waiting. */
static const struct {
    const char *kernel;
    int (*are_right)(const uint64_t *words, int groups, int64_t *given_up);
} word_kernels[] = { [MCL__TRIAL_ATOMICS] = { "probe_atomics", atomics_are_right },
                     [MCL__TRIAL_WORDS] = { "probe_words", words_are_right } };

static mcl_status try_words(mcl_context *context, mcl__trial *trial)
{
    /* The launch has more groups than run at once, so that a core runs late groups after early ones. */
    enum { WORDS_BESIDES = 5 };
    const int wanted = context->limits.compute_units * 32;
    const int32_t groups = wanted < 256 ? 256 : wanted > 8192 ? 8192 : wanted;
    const size_t count = (size_t)groups + WORDS_BESIDES;
    uint64_t *const words = calloc(count, sizeof *words);
    if (!words) return mcl__fail(MCL_ERROR_MEMORY, "host memory to probe the device is exhausted");
    const mcl__arg second = { .value = &groups, .size = sizeof groups };
    litmus test = { .kernel = word_kernels[trial->kind].kernel,
                    .limits = context->limits,
                    .threads = context->limits.mapping == MCL_MAPPING_SERIAL ? 1 : PROBE_THREADS,
                    .groups = groups,
                    .data = words,
                    .bytes = count * sizeof *words,
                    .second = &second,
                    .program = &trial->program };
    test.limits.word_path = trial->words;
    test.limits.sub_group_path = MCL__SUB_GROUP_NONE;
    test.limits.poll_limit = test.limits.is_gpu ? PROBE_POLLS_GPU : PROBE_POLLS_CPU;
    if (test.threads > test.limits.max_threads) test.threads = 1;
    int ran = 0;
    mcl_status status = litmus_run(context, &test, &ran);
    if (status == MCL_OK && !ran && test.threads > 1) { /* retry, since smaller groups may be allowed */
        test.threads = 1;
        test.program = NULL; /* smaller groups need another text, so the program is not shared */
        status = litmus_run(context, &test, &ran);
    }
    int64_t given_up = 0;
    const int right = ran && word_kernels[trial->kind].are_right(words, groups, &given_up);
    trial->runs += ran;
    trial->failed += ran && !right;
    trial->stalled += given_up > groups / 4; /* a CPU may be busy with other programs, so a quarter may give up */
    trial->members += ran * groups;
    trial->given_up += given_up;
    free(words);
    return status;
}

static int has_passed_trial(const mcl__trial *trial)
{
    return trial->runs > 0 && trial->failed == 0 && trial->stalled == 0;
}

/* Chooses the backend's first word path whose atomics work. If waits is 1, words must also pass between running groups
 * by this path, and *pass says whether they do. If no path does both, it chooses the first path whose atomics work. */
static mcl_status choose_words(mcl_context *context, int waits, mcl__word_path *chosen, int *pass)
{
    const mcl__word_path candidates[] = { context->limits.word_path, context->other_word_path };
    *chosen = MCL__WORDS_NONE;
    *pass = 0;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates && !*pass; ++i) {
        if (candidates[i] == MCL__WORDS_NONE) continue;
        mcl__trial atomics = { .kind = MCL__TRIAL_ATOMICS, .words = candidates[i] };
        mcl_status status = mcl__trial_run(context, &atomics);
        if (status == MCL_OK && has_passed_trial(&atomics) && waits) {
            mcl__trial words = { .kind = MCL__TRIAL_WORDS, .words = candidates[i], .program = atomics.program };
            status = mcl__trial_run(context, &words);
            atomics.program = words.program;
            *pass = status == MCL_OK && has_passed_trial(&words);
        }
        mcl__trial_end(context, &atomics);
        MCL__TRY(status);
        if (has_passed_trial(&atomics) && (*pass || *chosen == MCL__WORDS_NONE)) *chosen = candidates[i];
    }
    return MCL_OK;
}

/* ---- sub-groups --------------------------------------------------------------------------------------------- */

/* Returns 1 where the litmus kernel of sub-groups can run with the backend's sub-group path. */
static int may_try_sub_groups(const mcl__limits *limits)
{
    return limits->sub_group_path != MCL__SUB_GROUP_NONE && limits->max_threads >= PROBE_THREADS &&
           limits->sub_group_size >= 2 && PROBE_THREADS % limits->sub_group_size == 0;
}

static mcl_status try_sub_groups(mcl_context *context, mcl__trial *trial)
{
    int32_t passed[PROBE_THREADS] = { 0 };
    litmus test = { .kernel = "probe_sub_groups",
                    .limits = context->limits,
                    .threads = PROBE_THREADS,
                    .groups = 1,
                    .data = passed,
                    .bytes = sizeof passed,
                    .program = &trial->program };
    test.limits.word_path = MCL__WORDS_NONE;
    int ran = 0;
    MCL__TRY(litmus_run(context, &test, &ran));
    int right = 0;
    for (int i = 0; i < PROBE_THREADS; ++i) right += passed[i] == 1;
    trial->runs += ran;
    trial->failed += ran && right < PROBE_THREADS;
    trial->members += ran * PROBE_THREADS;
    return MCL_OK;
}

static mcl_status choose_sub_groups(mcl_context *context, mcl__sub_group_path *chosen)
{
    mcl__trial trial = { .kind = MCL__TRIAL_SUB_GROUPS };
    *chosen = MCL__SUB_GROUP_NONE;
    if (!may_try_sub_groups(&context->limits)) return MCL_OK;
    const mcl_status status = mcl__trial_run(context, &trial);
    mcl__trial_end(context, &trial);
    if (has_passed_trial(&trial)) *chosen = context->limits.sub_group_path;
    return status;
}

/* ---- trials ------------------------------------------------------------------------------------------------- */

int mcl__trial_list(const mcl_context *context, mcl__trial trials[MCL__TRIALS_MAX])
{
    const mcl__word_path candidates[] = { context->limits.word_path, context->other_word_path };
    int count = 0;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; ++i) {
        if (candidates[i] == MCL__WORDS_NONE) continue;
        trials[count++] = (mcl__trial){ .kind = MCL__TRIAL_ATOMICS, .words = candidates[i] };
        trials[count++] = (mcl__trial){ .kind = MCL__TRIAL_WORDS, .words = candidates[i] };
    }
    if (may_try_sub_groups(&context->limits)) trials[count++] = (mcl__trial){ .kind = MCL__TRIAL_SUB_GROUPS };
    return count;
}

mcl_status mcl__trial_run(mcl_context *context, mcl__trial *trial)
{
    return trial->kind == MCL__TRIAL_SUB_GROUPS ? try_sub_groups(context, trial) : try_words(context, trial);
}

void mcl__trial_end(mcl_context *context, mcl__trial *trial)
{
    if (trial->program) context->backend->program_release(context, trial->program);
    trial->program = NULL;
}

/* ---- the verdict -------------------------------------------------------------------------------------------- */

typedef struct verdict {
    mcl__word_path words;
    int pass; /* 1 if words pass between running groups, so that one may wait for another */
    mcl__sub_group_path sub_groups;
} verdict;

/* Appends to key everything that the verdict depends on, except what the disk cache adds itself. */
static void verdict_key(const mcl_context *context, int waits, mcl__text *key)
{
    const char *const litmus_text = mcl__embedded_file("kernels/device/probe.cl");
    const char *const dialect_text = mcl__embedded_file(context->dialect);
    mcl__text_format(key, "probe verdict %d %d %d %d %d %d\n", (int)context->limits.word_path,
                     (int)context->other_word_path, (int)context->limits.sub_group_path, context->limits.sub_group_size,
                     (int)context->limits.mapping, waits + 2 * context->limits.sub_group_required);
    mcl__text_append(key, litmus_text ? litmus_text : "");
    mcl__text_append(key, dialect_text ? dialect_text : "");
}

static int verdict_read(const mcl_context *context, const char *key, verdict *out)
{
    mcl__text stored = { 0 };
    int words = -1, pass = -1, sub_groups = -1;
    const int found = mcl__disk_cache_read(context, key, &stored) && stored.data &&
                      sscanf(stored.data, "words %d pass %d sub-groups %d", &words, &pass, &sub_groups) == 3;
    mcl__text_free(&stored);
    if (!found || words < 0 || words > MCL__WORDS_LEGACY || sub_groups < 0 || sub_groups > MCL__SUB_GROUP_KHR) return 0;
    *out = (verdict){ (mcl__word_path)words, pass == 1, (mcl__sub_group_path)sub_groups };
    return 1;
}

static void verdict_write(mcl_context *context, const char *key, const verdict *made)
{
    char text[64];
    const int length = snprintf(text, sizeof text, "words %d pass %d sub-groups %d\n", (int)made->words, made->pass,
                                (int)made->sub_groups);
    mcl__disk_cache_write(context, key, text, (size_t)length);
}

/* Returns 1 where groups that have begun are known to continue, so that one may wait for another. Intel's runtime for
 * processors does not promise this. There a group that waits in vain folds the missing tile itself. This still takes
 * less time than a separate pass (docs/vendors.md). */
static int makes_progress(const mcl_device_info *info)
{
    static const char *const vendors[] = { "NVIDIA", "AMD", "Intel", "POCL" };
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors; ++i)
        if (strcmp(info->vendor, vendors[i]) == 0) return 1;
    return 0;
}

/* Returns the index in names of the value that MCL_FEATURES gives to name, or -1 where it is none of them. */
static int feature_place(const char *name, const char *const *names, int count)
{
    char text[16];
    if (!mcl__feature(name, text, sizeof text)) return -1;
    for (int i = 0; i < count; ++i) {
        if (strcmp(text, names[i]) == 0) return i;
    }
    return -1;
}

/* Makes the verdict. words and sub_groups are the paths that MCL_FEATURES gives, or -1. waits is 1 if groups may wait
 * for each other. */
static mcl_status verdict_make(mcl_context *context, int words, int sub_groups, int waits, verdict *out)
{
    *out = (verdict){ .words = MCL__WORDS_NONE, .sub_groups = MCL__SUB_GROUP_NONE };
    if (words >= 0) {
        out->words = (mcl__word_path)words;
        out->pass = out->words != MCL__WORDS_NONE;
    } else {
        MCL__TRY(choose_words(context, waits, &out->words, &out->pass));
    }
    if (sub_groups < 0) return choose_sub_groups(context, &out->sub_groups);
    out->sub_groups = (mcl__sub_group_path)sub_groups;
    return MCL_OK;
}

/* Returns 1 where the litmus kernels are known to pass with this driver. They then do not run, since compiling them
 * takes a large part of a first call's time. MCL_FEATURES=probe=1 makes them run, for example in a test. */
static int has_passed(const mcl_context *context)
{
    static const struct {
        const char *vendor, *driver; /* driver: the first characters of its version */
    } passed[] = { { "POCL", "3.1" }, { "POCL", "6.0" } };
    const mcl__limits *const limits = &context->limits;
    if (limits->is_gpu || sizeof(void *) < 8 || mcl__feature_number("probe", 0) != 0) return 0;
    if (limits->word_path != MCL__WORDS_C11 || limits->sub_group_path != MCL__SUB_GROUP_NONE) return 0;
    for (size_t i = 0; i < sizeof passed / sizeof *passed; ++i)
        if (strcmp(context->info.vendor, passed[i].vendor) == 0 &&
            strncmp(context->info.driver, passed[i].driver, strlen(passed[i].driver)) == 0)
            return 1;
    return 0;
}

static mcl_status verdict_find(mcl_context *context, int words, int sub_groups, int waits, verdict *out)
{
    *out = (verdict){ .words = MCL__WORDS_C11, .pass = waits, .sub_groups = MCL__SUB_GROUP_NONE };
    if (words < 0 && sub_groups < 0 && has_passed(context)) return MCL_OK;
    /* The verdict is kept only where litmus kernels run, MCL_FEATURES gives no path, and no kernel text is edited. */
    const int asks =
        context->limits.word_path != MCL__WORDS_NONE || context->limits.sub_group_path != MCL__SUB_GROUP_NONE;
    const int edited = mcl__environment("MCL_KERNEL_DIR") != NULL;
    if (!asks || edited || words >= 0 || sub_groups >= 0) return verdict_make(context, words, sub_groups, waits, out);
    mcl__text key = { 0 };
    verdict_key(context, waits, &key);
    mcl_status status = MCL_OK;
    if (key.failed) {
        status = mcl__fail(MCL_ERROR_MEMORY, "host memory to probe the device is exhausted");
    } else if (!verdict_read(context, key.data, out)) {
        status = verdict_make(context, words, sub_groups, waits, out);
        if (status == MCL_OK && !context->probe_unsure) verdict_write(context, key.data, out);
    }
    mcl__text_free(&key);
    return status;
}

static mcl_status probe_settle(mcl_context *context)
{
    static const char *const word_names[] = { "none", "cuda", "c11", "ptx", "legacy" };
    static const char *const sub_group_names[] = { "none", "cuda", "ptx", "khr" };
    static const char *const switch_names[] = { "0", "1" };
    const int words = feature_place("words", word_names, sizeof word_names / sizeof *word_names);
    const int sub_groups =
        feature_place("sub_group", sub_group_names, sizeof sub_group_names / sizeof *sub_group_names);
    const int look_back = feature_place("look_back", switch_names, sizeof switch_names / sizeof *switch_names);
    const int known = makes_progress(&context->info);
    const int progress = mcl__feature_number("progress", known) != 0;
    verdict found;
    MCL__TRY(verdict_find(context, words, sub_groups, progress || look_back == 1, &found));

    mcl__limits *const limits = &context->limits;
    const char *reason = found.pass ? "probe passed" : "no way to pass words between groups passed its probe";
    if (!progress) reason = "driver not on the list of those known to make progress";
    if (words >= 0 || look_back >= 0 || progress != known) reason = "MCL_FEATURES";
    limits->word_path = found.words;
    limits->sub_group_path = limits->sub_group_size > 1 ? found.sub_groups : MCL__SUB_GROUP_NONE;
    if (limits->sub_group_path == MCL__SUB_GROUP_NONE) limits->sub_group_size = 1;
    limits->look_back = found.pass && (look_back >= 0 ? look_back : progress);
    (void)snprintf(context->info.look_back_reason, sizeof context->info.look_back_reason, "%s", reason);
    return MCL_OK;
}

mcl_status mcl__context_probe(mcl_context *context)
{
    if (atomic_load(&context->probed)) return MCL_OK;
    mcl__mutex_lock(&context->probing);
    mcl_status status = MCL_OK;
    if (!atomic_load(&context->probed)) {
        mcl__function_hold();
        status = probe_settle(context);
        mcl__function_let_go();
        if (status == MCL_OK) atomic_store(&context->probed, 1);
    }
    mcl__mutex_unlock(&context->probing);
    return status;
}
