/* memory.c: the device memory of a call's operands, with guard zones of random bytes, and its expected content. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

memory *memory_new(call *c, size_t bytes, size_t alignment)
{
    memory *made = &c->memories[c->memory_count];
    const size_t step = alignment ? alignment : 1;
    size_t before = GUARD_BYTES + (size_t)draw_below(&c->data, 80);
    const size_t after = draw_chance(&c->data, 30) ? 0 : GUARD_BYTES;

    if (c->memory_count == MEMORIES_MAX) abort();
    c->memory_count++;
    memset(made, 0, sizeof *made);
    before = (before + step - 1) / step * step;
    made->start = before;
    made->bytes = before + bytes + after;
    made->before = malloc(made->bytes);
    made->expected = malloc(made->bytes);
    made->any = calloc(made->bytes, 1);
    made->seen = malloc(made->bytes);
    made->host_slot = -1;
    if (!made->before || !made->expected || !made->any || !made->seen) abort();
    for (size_t k = 0; k < made->bytes; k += 8) {
        const uint64_t bits = draw(&c->data);
        memcpy(made->before + k, &bits, made->bytes - k < 8 ? made->bytes - k : 8);
    }
    return made;
}

/* Makes the buffer first, since operands name it. Its content is written when the draw is done. */
static int memory_make(call *c, memory *of, int number)
{
    if (draw_chance(&c->data, 75)) {
        of->host_slot = number;
        of->buffer = guarded_buffer(c->w, of->bytes, &of->host_slot);
        if (of->buffer) return 1;
        of->host_slot = -1;
    }
    return mcl_buffer_create(c->w->context, of->bytes, NULL, &of->buffer) == MCL_OK;
}

mcl_buffer *memory_buffer(call *c, memory *of)
{
    if (!of->buffer && !memory_make(c, of, (int)(of - c->memories))) {
        fprintf(stderr, "no memory for an operand: %s\n", mcl_last_error());
        exit(3);
    }
    return of->buffer;
}

int memories_upload(call *c)
{
    for (int k = 0; k < c->memory_count; k++) {
        memory *of = &c->memories[k];
        for (size_t byte = 0; byte < of->bytes; byte++)
            if (of->any[byte] != 2) of->expected[byte] = of->before[byte];
        if (mcl_buffer_write(c->w->queue, memory_buffer(c, of), 0, of->bytes, of->before) != MCL_OK) return 0;
    }
    return 1;
}

void memory_expect(memory *of, size_t at, const void *data, size_t bytes)
{
    if (bytes) memcpy(of->expected + at, data, bytes);
    if (bytes) memset(of->any + at, 2, bytes);
}

void memory_any(memory *of, size_t at, size_t bytes)
{
    memset(of->any + at, 1, bytes);
}

void memories_free(call *c)
{
    for (int k = 0; k < c->memory_count; k++) {
        memory *of = &c->memories[k];
        mcl_buffer_release(of->buffer);
        if (of->host_slot >= 0) guarded_release(c->w, of->host_slot);
        free(of->before);
        free(of->expected);
        free(of->any);
        free(of->seen);
    }
    c->memory_count = 0;
}

/* Writes which operand the memory is, for the sentence. */
static void name_memory(const call *c, const memory *of, char *text, size_t capacity)
{
    snprintf(text, capacity, "other memory");
    for (int k = 0; k < INPUTS_MAX; k++) {
        if (c->sequences[k].place == of) snprintf(text, capacity, "input %d", k);
        if (c->sequences[k].slot == of) snprintf(text, capacity, "the count slot of input %d", k);
    }
    for (int k = 0; k < OUTPUTS_MAX; k++)
        if (c->out_memory[k] == of) snprintf(text, capacity, "output %d", k);
    for (int k = 0; k < RESULTS_MAX; k++)
        if (c->result_memory[k] == of) snprintf(text, capacity, "the slot of result %d", k);
    if (c->scratch == of) snprintf(text, capacity, "the caller's scratch");
}

static const char *memory_check(const call *c, const memory *of, int unchanged)
{
    static _Thread_local char text[400];
    char name[64];

    for (size_t k = 0; k < of->bytes; k++) {
        const unsigned char expected = unchanged ? of->before[k] : of->expected[k];
        if (of->seen[k] == expected || (!unchanged && of->any[k] == 1)) continue;
        const int outside = of->any[k] == 0;
        name_memory(c, of, name, sizeof name);
        snprintf(text, sizeof text,
                 "%s of %s: byte %lld from where it begins (of %zu in all, from %zu) is %02x; expected %02x, was %02x",
                 unchanged ? "a refused call wrote"
                 : outside ? "a write outside the results"
                           : "a wrong result",
                 name, (long long)k - (long long)of->start, of->bytes, of->start, of->seen[k], expected, of->before[k]);
        return text;
    }
    return NULL;
}

static const char *host_check(const call *c, int unchanged)
{
    static _Thread_local char text[200];

    for (int k = 0; k < RESULTS_MAX; k++) {
        const unsigned char *expected = unchanged ? c->host_before[k] : c->host_expected[k];
        const size_t bytes = c->host_any[k] && !unchanged && c->result[k].type
                                 ? c->result[k].type->size * (size_t)c->result_numbers[k]
                                 : 0;
        size_t at = 0;
        while (at < sizeof c->host[k] && (c->host[k][at] == expected[at] || (at >= 16 && at < 16 + bytes))) at++;
        if (at == sizeof c->host[k]) continue;
        snprintf(text, sizeof text, "%s: host result %d, byte %d is %02x; expected %02x",
                 unchanged ? "a refused call wrote" : "a wrong result", k, (int)at - 16, c->host[k][at], expected[at]);
        return text;
    }
    return NULL;
}

const char *memories_check(call *c, int unchanged)
{
    const char *wrong = host_check(c, unchanged);

    if (mcl_queue_finish(c->w->queue) != MCL_OK) return "the queue cannot be finished";
    for (int k = 0; !wrong && k < c->memory_count; k++) {
        memory *of = &c->memories[k];
        if (mcl_buffer_read(c->w->queue, of->buffer, 0, of->bytes, of->seen) != MCL_OK) return "memory cannot be read";
        wrong = memory_check(c, of, unchanged);
    }
    for (int k = 0; !wrong && k < c->memory_count; k++) {
        memory *of = &c->memories[k];
        if (of->host_slot < 0) continue;
        mcl_buffer_release(of->buffer);
        of->buffer = NULL;
        if (!guarded_release(c->w, of->host_slot)) wrong = "bytes past the end of a buffer were written";
        of->host_slot = -1;
    }
    return wrong;
}

void world_close(world *w)
{
    mcl_buffer_release(w->foreign);
    mcl_context_release(w->other);
    mcl_queue_release(w->prepared);
    mcl_queue_release(w->queue);
    mcl_context_release(w->context);
    guarded_close(w);
}
