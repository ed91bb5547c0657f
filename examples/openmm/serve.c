/* serve.c: the calls of moderncl. It knows OpenCL's handles and the texts of a trait, and nothing else of OpenMM. */
#include "serve.h"
#include <moderncl/moderncl.h>
#include <moderncl/opencl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A context of OpenMM's. All its sorters share the wrapper, and so the programs that it has compiled. */
typedef struct known_context {
    cl_context own;
    cl_device_id device;
    mcl_context *context;
    int users;
    struct known_context *next;
} known_context;

struct served_sorter {
    known_context *known;
    const mcl_type *data;
    const mcl_type *key;
    char *text;       /* an order of two elements, or a function that gives an element's key */
    mcl_op order;     /* the order; without one it is MCL_LESS */
    mcl_buffer *keys; /* keys of a function; NULL: elements are in order by themselves */
    size_t count;     /* the most elements */
    cl_command_queue own_queue;
    mcl_queue *queue;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static known_context *known_contexts;
static int64_t calls;

int64_t moderncl_openmm_calls(void)
{
    pthread_mutex_lock(&turn);
    const int64_t count = calls;
    pthread_mutex_unlock(&turn);
    return count;
}

/* ---- types of OpenMM's texts ------------------------------------------------------------------------------ */

/* OpenMM's text real is float or double, as its precision says; the size tells which. */
static const mcl_type double2 = { .name = "openmm_double2",
                                  .size = 16,
                                  .source = "typedef struct openmm_double2 { double x, y; } openmm_double2;" };
static const struct {
    const char *text;
    const mcl_type *type;
} TYPES[] = {
    { "unsigned int", MCL_UINT32 }, { "int", MCL_INT32 },     { "uint", MCL_UINT32 },   { "long", MCL_INT64 },
    { "ulong", MCL_UINT64 },        { "float", MCL_FLOAT },   { "double", MCL_DOUBLE }, { "real", MCL_FLOAT },
    { "real", MCL_DOUBLE },         { "int2", MCL_INT2 },     { "uint2", MCL_UINT2 },   { "float2", MCL_FLOAT2 },
    { "double2", &double2 },        { "real2", MCL_FLOAT2 },  { "real2", &double2 },    { "int4", MCL_INT4 },
    { "uint4", MCL_UINT4 },         { "float4", MCL_FLOAT4 },
};

/* NULL: none of these. */
static const mcl_type *find_type(const char *text, size_t bytes)
{
    for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; ++k)
        if (strcmp(TYPES[k].text, text) == 0 && TYPES[k].type->size == bytes) return TYPES[k].type;
    return NULL;
}

/* ---- contexts and queues ---------------------------------------------------------------------------------- */

static const char NO_ROOM[] = "out of memory";

static const char *said(mcl_status status)
{
    return status == MCL_OK ? NULL : mcl_last_error();
}

static const char *know(cl_context own, cl_device_id device, known_context **out)
{
    known_context *known = known_contexts;
    while (known && (known->own != own || known->device != device)) known = known->next;
    if (!known) {
        known = calloc(1, sizeof *known);
        if (!known) return NO_ROOM;
        const char *sentence = said(mcl_opencl_context_wrap(own, device, &known->context));
        if (sentence) {
            free(known);
            return sentence;
        }
        clRetainContext(own);
        known->own = own;
        known->device = device;
        known->next = known_contexts;
        known_contexts = known;
    }
    ++known->users;
    *out = known;
    return NULL;
}

static void forget(known_context *known)
{
    if (!known || --known->users > 0) return;
    known_context **link = &known_contexts;
    while (*link != known) link = &(*link)->next;
    *link = known->next;
    mcl_context_release(known->context);
    clReleaseContext(known->own);
    free(known);
}

/* OpenMM gives some of its work a queue of its own, but a sorter seldom another one than before. */
static const char *use_queue(served_sorter *sorter, cl_command_queue own)
{
    if (sorter->own_queue == own) return NULL;
    mcl_queue *queue = NULL;
    const char *sentence = said(mcl_opencl_queue_wrap(sorter->known->context, own, &queue));
    if (sentence) return sentence;
    clRetainCommandQueue(own);
    mcl_queue_release(sorter->queue);
    if (sorter->own_queue) clReleaseCommandQueue(sorter->own_queue);
    sorter->queue = queue;
    sorter->own_queue = own;
    return NULL;
}

/* ---- sorts ------------------------------------------------------------------------------------------------ */

/* Numbers, and vectors by one of their members, are sorted as they are. Others are sorted beside their keys, which are
 * made first: so all of them take radix sort where they are many. */
static mcl_status sort(const served_sorter *sorter, mcl_buffer *data, int64_t count)
{
    const mcl_input in = mcl_from_buffer(sorter->data, data, 0, count);
    const mcl_output out = mcl_to_buffer(sorter->data, data, 0, count);
    if (!sorter->keys)
        return mcl_sort(sorter->queue, in, out, sorter->order.expression ? &sorter->order : MCL_LESS, NULL);

    const mcl_binding element = mcl_binding_buffer("element", sorter->data, data, 0);
    const mcl_output keys = mcl_to_buffer(sorter->key, sorter->keys, 0, count);
    const mcl_status status = mcl_transform(
        sorter->queue, mcl_from_expression(sorter->key, "openmm_key(element[i])", sorter->text, &element, 1, count),
        keys, NULL);
    if (status != MCL_OK) return status;
    return mcl_sort_pairs(sorter->queue, mcl_from_buffer(sorter->key, sorter->keys, 0, count), in, keys, out, MCL_LESS,
                          NULL);
}

/* Returns the member that a trait's key is, or NULL where the key is another expression. */
static const char *member_of(const char *expression)
{
    static const char value[] = "value.", members[] = "xyzw";
    const char *const member = expression + sizeof value - 1;
    if (strncmp(expression, value, sizeof value - 1) != 0 || !*member || !strchr(members, *member)) return NULL;
    return member[1] == 0 ? member : NULL;
}

/* A trait's key is an expression of value. One member becomes an order, which moderncl sorts by the member's digits.
 * Any other expression becomes a function of value. */
static const char *set_key(served_sorter *sorter, const char *expression)
{
    static const char order[] = "p.%s < q.%s", form[] = "static %s openmm_key(%s value) { return %s; }";
    const char *const member = member_of(expression);
    if (strcmp(expression, "value") == 0 && sorter->data == sorter->key) return NULL;
    const size_t room =
        sizeof order + sizeof form + strlen(sorter->key->name) + strlen(sorter->data->name) + 2 * strlen(expression);
    sorter->text = malloc(room);
    if (!sorter->text) return NO_ROOM;
    if (member && sorter->data->kind == MCL_KIND_STRUCT) {
        snprintf(sorter->text, room, order, member, member);
        sorter->order = (mcl_op){ .role = MCL_ROLE_ORDER, .expression = sorter->text };
        return NULL;
    }
    snprintf(sorter->text, room, form, sorter->key->name, sorter->data->name, expression);
    return said(mcl_buffer_create(sorter->known->context, sorter->count * sorter->key->size, NULL, &sorter->keys));
}

static const char *unknown_types(const sort_trait *trait)
{
    static _Thread_local char text[200];
    snprintf(text, sizeof text, "elements %.40s of %zu bytes with keys %.40s of %zu are not served: TYPES of serve.c",
             trait->data_type, trait->data_bytes, trait->key_type, trait->key_bytes);
    return text;
}

static void release(served_sorter *sorter)
{
    mcl_queue_release(sorter->queue);
    if (sorter->own_queue) clReleaseCommandQueue(sorter->own_queue);
    mcl_buffer_release(sorter->keys);
    forget(sorter->known);
    free(sorter->text);
    free(sorter);
}

const char *serve_create(cl_context context, cl_device_id device, const sort_trait *trait, size_t count,
                         served_sorter **out)
{
    served_sorter *sorter = calloc(1, sizeof *sorter);
    if (!sorter) return NO_ROOM;
    sorter->count = count;
    sorter->data = find_type(trait->data_type, trait->data_bytes);
    sorter->key = find_type(trait->key_type, trait->key_bytes);
    const char *sentence = sorter->data && sorter->key ? NULL : unknown_types(trait);
    pthread_mutex_lock(&turn);
    if (!sentence) sentence = know(context, device, &sorter->known);
    if (!sentence) sentence = set_key(sorter, trait->key);
    if (sentence) release(sorter);
    pthread_mutex_unlock(&turn);
    if (!sentence) *out = sorter;
    return sentence;
}

void serve_release(served_sorter *sorter)
{
    pthread_mutex_lock(&turn);
    if (sorter) release(sorter);
    pthread_mutex_unlock(&turn);
}

const char *serve_sort(served_sorter *sorter, cl_command_queue queue, cl_mem data, size_t count)
{
    mcl_buffer *buffer = NULL;
    if (count > sorter->count) return "the array is longer than its sorter";
    pthread_mutex_lock(&turn);
    ++calls;
    const char *sentence = use_queue(sorter, queue);
    if (!sentence) sentence = said(mcl_opencl_buffer_wrap(sorter->known->context, data, &buffer));
    if (!sentence) sentence = said(sort(sorter, buffer, (int64_t)count));
    mcl_buffer_release(buffer);
    pthread_mutex_unlock(&turn);
    return sentence;
}
