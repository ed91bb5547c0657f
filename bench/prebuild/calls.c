/* calls.c: reads a list of calls. A line has a row of moderncl-bench and the options --type, --n and perhaps
 * --in-place. */
#define _POSIX_C_SOURCE 200809L
#include "calls.h"

#include "command_line.h"
#include "device/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_BYTES = 4096 };

/* ---- a line ----------------------------------------------------------------------------------------------------- */

static int add_type(void *to, const char *item)
{
    bench_options *const line = to;
    return bench_list_add_type(line->types, &line->type_count, item);
}

static int add_size(void *to, const char *item)
{
    bench_options *const line = to;
    if (bench_list_is_full(line->size_count, "--n")) return -1;
    return bench_size_read(item, &line->sizes[line->size_count++]);
}

static int add_call(prebuild_calls *calls, const prebuild_call *call)
{
    if (calls->count == calls->capacity) {
        const int capacity = 2 * calls->capacity + 16;
        prebuild_call *const list = realloc(calls->list, (size_t)capacity * sizeof *list);
        if (!list) {
            bench_note("host memory for a list of %d calls is exhausted", capacity);
            return -1;
        }
        calls->list = list;
        calls->capacity = capacity;
    }
    calls->list[calls->count++] = *call;
    return 0;
}

/* Adds a row's types in the order of the line. A type that the row does not have is left out, as moderncl-bench
 * does. */
static int add_calls(prebuild_calls *calls, const bench_options *line, int in_place)
{
    const int before = calls->count;
    for (int k = 0; k < line->op_count; k++) {
        const bench_op *const op = line->ops[k];
        for (int t = 0; t < line->type_count && !op->measure; t++)
            for (int s = 0; s < line->size_count && bench_op_takes(op, line->types[t]); s++)
                if (add_call(calls, &(prebuild_call){ op, line->types[t], line->sizes[s], in_place }) != 0) return -1;
    }
    if (calls->count > before) return 0;
    bench_note("the row is no call of such a type; --list names the types of each");
    return -1;
}

/* Reads a line's words. The first word is the row; the others are read like a command line. */
static int words_read(const char *place, int count, const char **words, prebuild_calls *calls)
{
    char *types = NULL, *sizes = NULL;
    int in_place = 0;
    const struct poptOption table[] = { OPTION("type", POPT_ARG_STRING, &types, NULL, NULL),
                                        OPTION("n", POPT_ARG_STRING, &sizes, NULL, NULL),
                                        OPTION("in-place", POPT_ARG_NONE, &in_place, NULL, NULL), POPT_TABLEEND };
    static bench_options line;
    memset(&line, 0, sizeof line);
    int status = command_line_read(place, table, count, words, NULL, NULL);
    if (status == 0 && (!types || !sizes)) {
        bench_note("expected ROW --type TYPE,... --n N,... [--in-place]");
        status = -1;
    }
    if (status == 0) status = bench_list_add_op(line.ops, &line.op_count, words[0]);
    if (status == 0) status = bench_list_read(types, &line, add_type);
    if (status == 0) status = bench_list_read(sizes, &line, add_size);
    if (status == 0) status = add_calls(calls, &line, in_place);
    free(types);
    free(sizes);
    return status;
}

static int line_read(const char *place, char *text, prebuild_calls *calls)
{
    int count = 0;
    const char **words = NULL;
    text[strcspn(text, "#\n")] = 0;
    if (text[strspn(text, " \t\r")] == 0) return 0;
    bench_call_itself(place);
    const int code = poptParseArgvString(text, &count, &words);
    if (code != 0) bench_note("%s", poptStrerror(code));
    const int status = code == 0 ? words_read(place, count, words, calls) : -1;
    free(words);
    bench_call_itself("moderncl-prebuild");
    return status;
}

int prebuild_calls_read(const char *path, prebuild_calls *calls)
{
    char place[PLACE_BYTES];
    char *text = NULL;
    size_t capacity = 0;
    int status = 0;
    FILE *const file = fopen(path, "r");
    if (!file) {
        bench_note("%s: %s", path, strerror(errno));
        return -1;
    }
    for (int number = 1; status == 0 && getline(&text, &capacity, file) >= 0; number++) {
        (void)snprintf(place, sizeof place, "moderncl-prebuild: %s:%d", path, number);
        status = line_read(place, text, calls);
    }
    if (status == 0 && (ferror(file) || calls->count == 0)) {
        bench_note("%s: %s", path, ferror(file) ? strerror(errno) : "no call is there");
        status = -1;
    }
    free(text);
    (void)fclose(file);
    return status;
}

void prebuild_calls_free(prebuild_calls *calls)
{
    free(calls->list);
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

/* Returns 1 where the operands allow a call in place. The call itself may still refuse. */
static int can_be_in_place(const bench_case *c)
{
    const int outputs = c->problem.out_count - c->op->takes_result;
    int can = !c->in_place || (c->op->operation && outputs <= c->problem.in_count);
    for (int k = 0; c->in_place && can && k < outputs; k++) can = c->problem.in[k].type == c->problem.out[k].type;
    return can;
}

static int call_make(bench *b, const prebuild_call *call)
{
    bench_case c = { .bench = b, .op = call->op, .type = call->type, .n = call->n, .in_place = call->in_place };
    int status = bench_case_open(&c);
    if (status == 0 && !can_be_in_place(&c)) {
        bench_note("%s --in-place: the results of this row cannot replace its inputs", call->op->name);
        status = -1;
    } else if (status == 0) {
        mcl_status made = call->op->restore ? call->op->restore(&c) : MCL_OK;
        if (made == MCL_OK) made = call->op->run(&c, &(mcl_options){ 0 });
        if (made != MCL_OK) status = bench_failed(call->op->name);
    }
    bench_case_close(&c);
    return status;
}

int prebuild_calls_make(mcl_queue *queue, const mcl_device_info *info, const prebuild_calls *calls)
{
    bench b = { .context = queue->context, .queue = queue, .info = *info, .shapes_only = 1 };
    int failed = 0;
    for (int k = 0; k < calls->count; k++) failed += call_make(&b, &calls->list[k]) != 0;
    bench_progress(NULL);
    return failed;
}
