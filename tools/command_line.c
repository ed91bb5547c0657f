/* command_line.c: reads a command line with popt. */
#define _POSIX_C_SOURCE 200809L
#include "command_line.h"

#include <moderncl/moderncl.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int command_line_read(const char *program, const struct poptOption *table, int count, const char **words,
                      const char *usage, char **word)
{
    poptContext context = poptGetContext(program, count, words, table, 0);
    if (usage) poptSetOtherOptionHelp(context, usage);
    const int code = poptGetNextOpt(context);
    if (code == COMMAND_LINE_VERSION) {
        printf("%s %s\n", program, mcl_version());
        exit(EXIT_SUCCESS);
    }
    const char *const taken = code >= -1 && word ? poptGetArg(context) : NULL;
    const char *const stray = code >= -1 ? poptGetArg(context) : NULL;
    if (code < -1)
        fprintf(stderr, "%s: %s: %s\n", program, poptBadOption(context, 0), poptStrerror(code));
    else if (stray)
        fprintf(stderr, "%s: %s: not expected; --help lists what is\n", program, stray);
    if (word) *word = taken && !stray ? strdup(taken) : NULL;
    poptFreeContext(context);
    return code < -1 || stray ? -1 : 0;
}

/* Prints a sentence only once, since a tool makes several contexts and each would print it. */
static void print_passed_over(mcl_status status, const char *sentence, void *user)
{
    static char told[8192];
    const size_t length = strlen(told);

    if (status != MCL_OK || strstr(told, sentence)) return;
    snprintf(told + length, sizeof told - length, "%s\n", sentence);
    fprintf(stderr, "%s: %s\n", (const char *)user, sentence);
}

void command_line_tell_passed_over(const char *program)
{
    mcl_log_set(print_passed_over, (void *)(uintptr_t)program);
}

int command_line_end(const char *program, int status)
{
    const int failed = ferror(stdout), failed_now = fflush(stdout);
    if (!failed && !failed_now) return status;
    fprintf(stderr, "%s: the output cannot be written%s%s\n", program, failed_now ? ": " : "",
            failed_now ? strerror(errno) : "");
    return status ? status : EXIT_FAILURE;
}

int column_width(const char *(*name)(int index))
{
    size_t width = 0;
    for (int k = 0; name(k); k++)
        if (strlen(name(k)) > width) width = strlen(name(k));
    return (int)width;
}
