/* child.c: runs this program again, in a process that has compiled nothing. */
#define _GNU_SOURCE
#include "child.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ARGUMENTS_MAX = 16 };

static void program_path(const bench *b, char *path, size_t bytes)
{
    const ssize_t length = readlink("/proc/self/exe", path, bytes - 1);
    if (length > 0)
        path[length] = '\0';
    else
        (void)snprintf(path, bytes, "%s", b->options->program);
}

/* Starts a process and returns its id, or -1. *output receives a stream of what the process prints. */
static pid_t start(char *program, char **arguments, FILE **output)
{
    int ends[2];
    pid_t process = -1;
    if (pipe(ends) != 0) return -1;
    posix_spawn_file_actions_t actions;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    (void)posix_spawn_file_actions_addclose(&actions, ends[0]);
    if (posix_spawn(&process, program, &actions, NULL, arguments, environ) != 0) process = -1;
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[1]);
    *output = process > 0 ? fdopen(ends[0], "r") : NULL;
    if (!*output) (void)close(ends[0]);
    return process;
}

int bench_child_run(const bench *b, const char *const *arguments, double *numbers, int count)
{
    char program[3072];
    char device[sizeof b->info.id];
    char *words[ARGUMENTS_MAX] = { program, "--device", device };
    FILE *output = NULL;
    int read = 0;
    program_path(b, program, sizeof program);
    (void)snprintf(device, sizeof device, "%s", b->info.id);
    for (int k = 3; k < ARGUMENTS_MAX - 1 && *arguments; ++k) words[k] = (char *)*arguments++;
    const pid_t process = start(program, words, &output);
    while (output && read < count && fscanf(output, "%lf", &numbers[read]) == 1) ++read;
    if (output) (void)fclose(output);
    if (process > 0) (void)waitpid(process, NULL, 0);
    return read == count ? 0 : -1;
}
