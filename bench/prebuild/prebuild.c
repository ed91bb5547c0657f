/* prebuild.c: moderncl-prebuild fills the caches of a device with the programs of an application. The programs come
 * from a list of its calls, or from the texts that a run of it has written. */
#define _POSIX_C_SOURCE 200809L
#include "calls.h"

#include "command_line.h"

#include "context/context.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

typedef struct options {
    char *device, *cache, *calls, *texts;
    int large;
    int list;
} options;

typedef struct counts {
    int texts, built, found, failed;
} counts;

static int options_read(options *read, int count, const char **words)
{
    const struct poptOption table[] = {
        OPTION("device", POPT_ARG_STRING, &read->device, "the device, as moderncl-info names it", "NAME"),
        OPTION("cache", POPT_ARG_STRING, &read->cache, "the folder to fill, in place of the user's own", "FOLDER"),
        OPTION("calls", POPT_ARG_STRING, &read->calls, "a list of calls, one a line, as the manual describes it",
               "FILE"),
        OPTION("large", POPT_ARG_NONE, &read->large, "POCL: code for launches of 65535 work-items or more, too", NULL),
        OPTION("list", POPT_ARG_NONE, &read->list, "list the rows and types of calls", NULL),
        OPTIONS_END
    };
    if (command_line_read("moderncl-prebuild", table, count, words, "[OPTION...] [TEXTS]", &read->texts) != 0)
        return -1;
    if (read->calls || read->texts || read->list) return 0;
    fputs("moderncl-prebuild: expected --calls FILE, or the folder TEXTS, which an application fills where "
          "MCL_DUMP_SOURCE names it\n",
          stderr);
    return -1;
}

/* Chooses the folders where the library and POCL look. Both folders must belong to this user alone. */
static int cache_choose(const char *cache)
{
    char pocl[PATH_BYTES];
    if (!cache) return 0;
    const int length = snprintf(pocl, sizeof pocl, "%s/pocl", cache);
    const int made = length < PATH_BYTES && (mkdir(cache, 0700) == 0 || errno == EEXIST) &&
                     (mkdir(pocl, 0700) == 0 || errno == EEXIST);
    if (!made) {
        fprintf(stderr, "moderncl-prebuild: --cache %s: %s\n", cache, strerror(errno));
        return -1;
    }
    return setenv("MCL_CACHE_DIR", cache, 1) == 0 && setenv("POCL_CACHE_DIR", pocl, 1) == 0 ? 0 : -1;
}

/* Opens a queue. A device is refused where no cache would keep its programs. */
static mcl_queue *queue_open(const char *device, mcl_device_info *info)
{
    mcl_context *context = NULL;
    mcl_queue *queue = NULL;
    mcl_status status = mcl_context_create(device, &context);
    if (status == MCL_OK) status = mcl_context_info(context, info);
    if (status == MCL_OK) status = mcl_queue_create_preparing(context, &queue);
    const int keeps = status == MCL_OK && (!context->keeps_binaries || info->cache_directory[0]);
    if (status != MCL_OK) fprintf(stderr, "moderncl-prebuild: %s\n", mcl_last_error());
    if (status == MCL_OK && !keeps)
        fprintf(
            stderr,
            "moderncl-prebuild: the programs of %s have no cache: expected a folder of mode 0700 in MCL_CACHE_DIR or "
            "--cache, and MCL_CACHE_BYTES above 0\n",
            info->name);
    mcl_context_release(context); /* the queue keeps the context */
    if (keeps) return queue;
    mcl_queue_release(queue);
    return NULL;
}

/* ---- texts ---------------------------------------------------------------------------------------------------- */

static int is_text(const struct dirent *entry)
{
    const char *const ending = strrchr(entry->d_name, '.');
    return ending && strcmp(ending, ".cl") == 0;
}

static void show_progress(const char *name, int done, int total)
{
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K%s", done == total ? "" : name);
    if (isatty(STDERR_FILENO) && done < total) fprintf(stderr, " (%d of %d)", done + 1, total);
}

static void build(mcl_queue *queue, const options *given, const char *name, counts *counted)
{
    char path[PATH_BYTES];
    mcl__text source = { 0 };
    int was_there = 0;
    const int length = snprintf(path, sizeof path, "%s/%s", given->texts, name);
    ++counted->texts;
    if (length >= PATH_BYTES || !mcl__file_read(path, &source) || !source.data) {
        ++counted->failed;
        fprintf(stderr, "moderncl-prebuild: %s cannot be read\n", path);
    } else if (mcl__prebuild(queue, name, source.data, given->large, &was_there) != MCL_OK) {
        ++counted->failed;
        fprintf(stderr, "moderncl-prebuild: %s\n", mcl_last_error());
    } else if (was_there) {
        ++counted->found;
    } else {
        ++counted->built;
    }
    mcl__text_free(&source);
}

/* Builds the programs of all texts and returns the exit status. */
static int build_all(mcl_queue *queue, const options *given, const mcl_device_info *info)
{
    struct dirent **listed = NULL;
    counts counted = { 0 };
    const int count = scandir(given->texts, &listed, is_text, alphasort);
    for (int k = 0; k < count; k++) {
        show_progress(listed[k]->d_name, k, count);
        build(queue, given, listed[k]->d_name, &counted);
        free(listed[k]);
    }
    free(listed);
    if (count > 0) show_progress(NULL, count, count);
    if (count <= 0) {
        fprintf(stderr, "moderncl-prebuild: %s: %s\n", given->texts, count < 0 ? strerror(errno) : "no text is there");
        return COMMAND_LINE_WRONG;
    }
    printf("%s: %d programs: %d built, %d were there, %d failed\n", info->name, counted.texts, counted.built,
           counted.found, counted.failed);
    return counted.failed ? 1 : 0;
}

/* Makes the calls of a list and returns the exit status. */
static int make_all(mcl_queue *queue, const prebuild_calls *calls, const mcl_device_info *info)
{
    /* number of programs before the calls, with the programs of the probe and of texts */
    const int before = mcl__program_count(queue->context);
    const int failed = prebuild_calls_make(queue, info, calls);
    printf("%s: %d calls: %d programs, %d calls failed\n", info->name, calls->count,
           mcl__program_count(queue->context) - before, failed);
    return failed ? 1 : 0;
}

static int run(const options *given, const prebuild_calls *calls)
{
    mcl_device_info info;
    if (given->list) return bench_list_print(bench_ops, bench_op_count), 0;
    mcl_queue *const queue = queue_open(given->device, &info);
    if (!queue) return COMMAND_LINE_WRONG;
    int status = given->texts ? build_all(queue, given, &info) : 0;
    if (given->calls && status != COMMAND_LINE_WRONG) status |= make_all(queue, calls, &info);
    mcl_queue_release(queue);
    return status;
}

int main(int argument_count, const char **arguments)
{
    options given = { 0 };
    prebuild_calls calls = { 0 };
    int status = COMMAND_LINE_WRONG;
    bench_call_itself("moderncl-prebuild");
    command_line_tell_passed_over("moderncl-prebuild");
    if (options_read(&given, argument_count, arguments) == 0 &&
        (!given.calls || prebuild_calls_read(given.calls, &calls) == 0) && cache_choose(given.cache) == 0)
        status = run(&given, &calls);
    prebuild_calls_free(&calls);
    free(given.device);
    free(given.cache);
    free(given.calls);
    free(given.texts);
    return command_line_end("moderncl-prebuild", status);
}
