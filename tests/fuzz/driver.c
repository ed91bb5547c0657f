/* driver.c: watches a process for each seed, and prints findings and the table at the end.
 *
 *   fuzz --seconds N --mapping serial|group [--device D] [--seed S] [--seeds COUNT] [--processes P] [--threads T]
 *        [--calls C] [--only CALL] [--operation PART] [--skip CLASS]... [--seeds-file FILE]
 *        [--hang SECONDS] [--findings COUNT] */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, strtok_r */
#include "fuzz.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PROCESSES_MAX = 256,
    PAST_MAX = 256,
    EXIT_FINDING = 1,
    EXIT_USAGE = 2,
    EXIT_NO_DEVICE = 3,
    POLL_NANOSECONDS = 3000000
};

typedef struct runner {
    pid_t process; /* 0: none */
    uint64_t seed;
    const char *operation;
    journal *journal;
} runner;

static runner runners[PROCESSES_MAX];
static journal totals;
typedef struct past {
    uint64_t seed;
    char operation[64]; /* "": any */
} past;
static past past_seeds[PAST_MAX];
static int past_count;
static int past_next;
static uint64_t next_seed;
static int64_t seeds_begun;
static int64_t seeds_done;
static int64_t end; /* time when --seconds are over */
static int findings;

/* ---- command line --------------------------------------------------------------------------------------- */

static int usage(const char *word)
{
    fprintf(stderr,
            "fuzz: unknown or incomplete argument %s\nusage: fuzz --seconds N --mapping serial|group [--device D] "
            "[--seed S] [--seeds COUNT]\n  [--processes P] [--threads T] [--calls C] [--only CALL] [--operation PART]\n"
            "  [--skip CLASS] [--seeds-file FILE] [--hang SECONDS] [--findings COUNT] [--list]\n",
            word);
    return EXIT_USAGE;
}

static int take(const char *name, const char *value)
{
    const long long number = strtoll(value, NULL, 10);

    if (strcmp(name, "--seconds") == 0)
        the_settings.seconds = (int)number;
    else if (strcmp(name, "--mapping") == 0 && (strcmp(value, "serial") == 0 || strcmp(value, "group") == 0))
        the_settings.serial = strcmp(value, "serial") == 0;
    else if (strcmp(name, "--device") == 0)
        the_settings.device = value;
    else if (strcmp(name, "--seed") == 0)
        the_settings.seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seeds") == 0)
        the_settings.seeds = number;
    else if (strcmp(name, "--processes") == 0)
        the_settings.processes = (int)number;
    else if (strcmp(name, "--threads") == 0)
        the_settings.threads = (int)number;
    else if (strcmp(name, "--calls") == 0)
        the_settings.calls = (int)number;
    else if (strcmp(name, "--only") == 0)
        the_settings.only = (int)number;
    else if (strcmp(name, "--operation") == 0)
        the_settings.operation = value;
    else if (strcmp(name, "--seeds-file") == 0)
        the_settings.seeds_file = value;
    else if (strcmp(name, "--hang") == 0)
        the_settings.hang_seconds = (int)number;
    else if (strcmp(name, "--findings") == 0)
        the_settings.findings_max = (int)number;
    else if (strcmp(name, "--skip") == 0 && the_settings.skip_count < 16)
        the_settings.skips[the_settings.skip_count++] = value;
    else
        return 0;
    return 1;
}

static int settings_read(int count, char **words)
{
    const char *seconds = getenv("MCL_FUZZ_SECONDS");

    the_settings.seconds = seconds && atoi(seconds) > 0 ? atoi(seconds) : 20;
    for (int k = 1; k < count; k += 2) {
        if (strcmp(words[k], "--list") == 0) {
            for (int row = 0; row < operation_count(); row++) printf("%s\n", operation_at(row)->name);
            exit(EXIT_SUCCESS);
        }
        if (k + 1 == count || !take(words[k], words[k + 1])) return 0;
    }
    if (the_settings.processes < 1) the_settings.processes = 1;
    if (the_settings.processes > PROCESSES_MAX) the_settings.processes = PROCESSES_MAX;
    if (the_settings.threads < 1) the_settings.threads = 1;
    if (the_settings.threads > THREADS_MAX) the_settings.threads = THREADS_MAX;
    if (!the_settings.device) the_settings.device = getenv("MCL_TEST_DEVICE");
    if (!the_settings.device || !the_settings.device[0]) the_settings.device = "opencl:portable";
    return 1;
}

/* Reads the file of past seeds. A line has a seed, a mapping, an operation or -, and a text about the finding. */
static void past_read(void)
{
    const char *mapping = the_settings.serial ? "serial" : "group";
    FILE *file = the_settings.seeds_file ? fopen(the_settings.seeds_file, "r") : NULL;
    char line[300];

    while (file && fgets(line, sizeof line, file)) {
        char of[16] = "";
        char part[64] = "";
        unsigned long long seed = 0;
        if (line[0] == '#' || sscanf(line, "%llu %15s %63s", &seed, of, part) != 3) continue;
        if (strcmp(of, mapping) != 0 || past_count == PAST_MAX) continue;
        past_seeds[past_count].seed = seed;
        if (strcmp(part, "-") != 0) memcpy(past_seeds[past_count].operation, part, sizeof part);
        past_count++;
    }
    if (file) fclose(file);
}

/* ---- findings ------------------------------------------------------------------------------------------- */

static void report(const runner *of, const char *what)
{
    const journal *from = of->journal;
    const int has_call = from->number >= 0 && from->number < the_settings.calls;

    findings++;
    printf("\nFINDING %d: %s\n", findings, what);
    if (has_call) printf("%s", from->current);
    printf("  again: fuzz --mapping %s --device %s --calls %d --seed %llu --seeds 1",
           the_settings.serial ? "serial" : "group", the_settings.device, the_settings.calls,
           (unsigned long long)of->seed);
    if (the_settings.threads > 1) printf(" --threads %d", the_settings.threads);
    if (has_call) printf(" --only %d", from->number);
    if (of->operation) printf(" --operation %s", of->operation);
    for (int k = 0; k < the_settings.skip_count; k++) printf(" --skip %s", the_settings.skips[k]);
    printf("\n");
    fflush(stdout);
}

static void ended(runner *of, int status, int hung)
{
    char what[200];

    journal_absorb(&totals, of->journal);
    seeds_done++;
    if (of->journal->failure[0]) {
        fprintf(stderr, "fuzz: %s\n", of->journal->failure);
        exit(EXIT_NO_DEVICE);
    }
    if (of->journal->finding[0]) {
        report(of, of->journal->finding);
    } else if (hung) {
        snprintf(what, sizeof what, "seed %llu hangs in call %d", (unsigned long long)of->seed, of->journal->number);
        report(of, what);
    } else if (WIFSIGNALED(status)) {
        snprintf(what, sizeof what, "seed %llu is killed by signal %d (%s) in call %d", (unsigned long long)of->seed,
                 WTERMSIG(status), strsignal(WTERMSIG(status)), of->journal->number);
        report(of, what);
    } else if (WEXITSTATUS(status)) {
        snprintf(what, sizeof what, "seed %llu exits with %d in call %d", (unsigned long long)of->seed,
                 WEXITSTATUS(status), of->journal->number);
        report(of, what);
    }
    of->process = 0;
}

/* ---- processes ------------------------------------------------------------------------------------------ */

static void begin(runner *of)
{
    const past *before = past_next < past_count ? &past_seeds[past_next++] : NULL;

    memset(of->journal, 0, sizeof *of->journal);
    of->journal->number = -1;
    of->journal->started = (int64_t)time(NULL);
    of->journal->until = before || the_settings.seeds ? 0 : end;
    of->seed = before ? before->seed : next_seed++;
    of->operation = before && before->operation[0] ? before->operation : the_settings.operation;
    seeds_begun++;
    fflush(stdout);
    of->process = fork();
    if (of->process == 0) {
        the_settings.operation = of->operation;
        seed_run(of->seed, of->journal);
        exit(EXIT_SUCCESS); /* runs the sanitizer's search for leaks too */
    }
    if (of->process < 0) {
        perror("fuzz: fork");
        exit(EXIT_NO_DEVICE);
    }
}

static void look_at(runner *of)
{
    int status = 0;
    const pid_t found = waitpid(of->process, &status, WNOHANG);

    if (found == of->process) {
        ended(of, status, 0);
    } else if ((int64_t)time(NULL) - of->journal->started > the_settings.hang_seconds) {
        kill(of->process, SIGKILL);
        waitpid(of->process, &status, 0);
        ended(of, status, 1);
    }
}

static int wants_more(void)
{
    if (findings >= the_settings.findings_max) return 0;
    if (past_next < past_count) return 1;
    if (the_settings.seeds) return seeds_begun < the_settings.seeds + past_count;
    return (int64_t)time(NULL) < end;
}

static void run_all(void)
{
    const struct timespec moment = { 0, POLL_NANOSECONDS };
    int running = 1;

    end = (int64_t)time(NULL) + the_settings.seconds;
    while (running) {
        running = 0;
        for (int k = 0; k < the_settings.processes; k++) {
            runner *of = &runners[k];
            if (of->process) look_at(of);
            if (!of->process && wants_more()) begin(of);
            running |= of->process != 0;
        }
        nanosleep(&moment, NULL);
    }
}

/* ---- the table ------------------------------------------------------------------------------------------ */

static void print_row(const char *name, int64_t calls, int64_t equal, const int64_t *statuses)
{
    printf("%-36s %8lld %8lld %8lld ", name, (long long)calls, (long long)statuses[0], (long long)equal);
    for (int status = 1; status < STATUSES; status++)
        if (statuses[status])
            printf(" %s %lld", mcl_status_name((mcl_status)-status) + strlen("MCL_ERROR_"),
                   (long long)statuses[status]);
    printf("\n");
}

static void print_table(int64_t seconds)
{
    int64_t all[STATUSES] = { 0 };
    int64_t calls = 0;
    int64_t equal = 0;

    printf("\n%-36s %8s %8s %8s  %s\n", "operation", "calls", "MCL_OK", "equal", "refused");
    for (int row = 0; row < operation_count(); row++) {
        if (totals.calls[row])
            print_row(operation_at(row)->name, totals.calls[row], totals.equal[row], totals.statuses[row]);
        calls += totals.calls[row];
        equal += totals.equal[row];
        for (int status = 0; status < STATUSES; status++) all[status] += totals.statuses[row][status];
    }
    print_row("all", calls, equal, all);
    printf("%lld seeds from %llu on (%d of past findings), %lld calls in %lld s, %s mapping on %s: %d findings\n",
           (long long)seeds_done, (unsigned long long)the_settings.seed, past_count, (long long)calls,
           (long long)seconds, the_settings.serial ? "serial" : "group", the_settings.device, findings);
}

int main(int count, char **words)
{
    if (!settings_read(count, words)) return usage(count > 1 ? words[count - 1] : "");
    const int64_t started = (int64_t)time(NULL);
    past_read();
    next_seed = the_settings.seed;
    for (int k = 0; k < the_settings.processes; k++) {
        runners[k].journal = mmap(NULL, sizeof(journal), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (runners[k].journal == MAP_FAILED) {
            perror("fuzz: mmap");
            return EXIT_NO_DEVICE;
        }
    }
    run_all();
    print_table((int64_t)time(NULL) - started);
    return findings ? EXIT_FINDING : EXIT_SUCCESS;
}
