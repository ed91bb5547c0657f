/* host_keys.c: makes keys in host memory, finds their order on the host, and makes rooms for calls. */
#include "host_keys.h"

#include "cases/case.h"

#include <stdlib.h>
#include <string.h>

int64_t host_keys_number(host_keys_distribution distribution, int64_t k, int64_t count)
{
    const uint64_t random = test_random(71, (uint64_t)k);
    switch (distribution) {
    case KEYS_ONE:
        return 7;
    case KEYS_TWO:
        return (int64_t)(random % 2);
    case KEYS_FEW:
        return (int64_t)(random % 16) - 8;
    case KEYS_SORTED:
        return k - count / 2;
    case KEYS_REVERSED:
        return count / 2 - k;
    case KEYS_ZIPF:
        return (int64_t)(1000000 / (random % 1000000 + 1));
    case KEYS_ONE_HOT:
        return random % 64 == 0 ? (int64_t)(random >> 40) - (1 << 23) : 5;
    case KEYS_UNIFORM:
    case KEYS_DISTRIBUTIONS:
        break;
    }
    return (int64_t)(random >> 34) - (1 << 29);
}

/* ---- types --------------------------------------------------------------------------------------------------- */

/* A struct whose order does not look at its tag. */
MCL_SOURCE(tagged_source, typedef struct host_keys_tagged { int32_t tag; int32_t key; float weight; } host_keys_tagged;)
static const mcl_type tagged = MCL_TYPE(host_keys_tagged, tagged_source);
static const mcl_op by_key = { .role = MCL_ROLE_ORDER, .expression = "p.key < q.key" };

static void make_int32(int64_t number, int64_t index, void *key)
{
    const int32_t made = (int32_t)number;
    (void)index;
    memcpy(key, &made, sizeof made);
}

static int64_t number_int32(const void *key)
{
    int32_t made;
    memcpy(&made, key, sizeof made);
    return made;
}

static void make_int64(int64_t number, int64_t index, void *key)
{
    const int64_t made = number * (INT64_C(1) << 32);
    (void)index;
    memcpy(key, &made, sizeof made);
}

static int64_t number_int64(const void *key)
{
    int64_t made;
    memcpy(&made, key, sizeof made);
    return made / (INT64_C(1) << 32);
}

static void make_double(int64_t number, int64_t index, void *key)
{
    const double made = (double)number * 0.25;
    (void)index;
    memcpy(key, &made, sizeof made);
}

static int64_t number_double(const void *key)
{
    double made;
    memcpy(&made, key, sizeof made);
    return (int64_t)(made * 4.0);
}

static void make_tagged(int64_t number, int64_t index, void *key)
{
    const host_keys_tagged made = { (int32_t)index, (int32_t)number, 0.5f };
    memcpy(key, &made, sizeof made);
}

static int64_t number_tagged(const void *key)
{
    host_keys_tagged made;
    memcpy(&made, key, sizeof made);
    return made.key;
}

const host_keys_type *host_keys_type_at(int k)
{
    static const host_keys_type types[HOST_KEYS_TYPES] = {
        { &mcl_type_int32, &mcl_op_less, 0, make_int32, number_int32 },
        { &mcl_type_int64, &mcl_op_greater, 1, make_int64, number_int64 },
        { &mcl_type_double, &mcl_op_less, 0, make_double, number_double },
        { &tagged, &by_key, 0, make_tagged, number_tagged },
        { &mcl_type_int32, &mcl_op_greater, 1, make_int32, number_int32 },
    };
    return &types[k];
}

/* ---- arrays -------------------------------------------------------------------------------------------------- */

void *host_keys_make(const host_keys_type *type, host_keys_distribution distribution, int64_t count)
{
    const size_t size = type->type->size;
    unsigned char *const keys = malloc((size_t)count * size + 1);
    if (!keys) abort();
    for (int64_t k = 0; k < count; k++)
        type->make(host_keys_number(distribution, k, count), k, keys + (size_t)k * size);
    return keys;
}

typedef struct place {
    int64_t number, index;
} place;

static int compare(const void *a, const void *b)
{
    const place *const p = a, *const q = b;
    if (p->number != q->number) return p->number < q->number ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

int64_t *host_keys_order(const host_keys_type *type, const void *keys, int64_t count)
{
    place *const all = malloc((size_t)count * sizeof *all + 1);
    int64_t *const order = malloc((size_t)count * sizeof *order + 1);
    if (!all || !order) abort();
    for (int64_t k = 0; k < count; k++) {
        const int64_t number = type->number((const unsigned char *)keys + (size_t)k * type->type->size);
        all[k] = (place){ type->descends ? -number : number, k };
    }
    qsort(all, (size_t)count, sizeof *all, compare);
    for (int64_t k = 0; k < count; k++) order[k] = all[k].index;
    free(all);
    return order;
}

void host_keys_room_make(host_keys_room *out, mcl_context *context, int devices, int64_t bytes)
{
    memset(out, 0, sizeof *out);
    for (int d = 0; d < devices; d++) out->devices[d] = (mcl_host_device){ context, bytes };
    out->room.devices = out->devices;
    out->room.device_count = devices;
}
