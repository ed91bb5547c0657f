/* host_keys.h: keys in host memory for calls on data larger than a device's memory: distributions that are hard to cut
 * into buckets, and types whose equal keys can be told apart. */
#ifndef TEST_HOST_KEYS_H
#define TEST_HOST_KEYS_H

#include "devices.h"

typedef enum host_keys_distribution {
    KEYS_UNIFORM,
    KEYS_ONE,
    KEYS_TWO,
    KEYS_FEW,
    KEYS_SORTED,
    KEYS_REVERSED,
    KEYS_ZIPF,
    KEYS_ONE_HOT, /* one key has nearly all of the elements */
    KEYS_DISTRIBUTIONS
} host_keys_distribution;

/* A number of a key, at most 2^30 apart from 0, for index k of count. */
int64_t host_keys_number(host_keys_distribution distribution, int64_t k, int64_t count);

/* A type of keys. make stores the key of a number; number gives it back. */
typedef struct host_keys_type {
    const mcl_type *type;
    const mcl_op *before;
    int descends;
    void (*make)(int64_t number, int64_t index, void *key);
    int64_t (*number)(const void *key);
} host_keys_type;

enum { HOST_KEYS_TYPES = 5 };
const host_keys_type *host_keys_type_at(int k);

/* Keys of count numbers, to be freed; and indices 0 .. count - 1 in the order of their keys, equal ones as they are. */
void *host_keys_make(const host_keys_type *type, host_keys_distribution distribution, int64_t count);
int64_t *host_keys_order(const host_keys_type *type, const void *keys, int64_t count);

/* The room of one context in one entry or in two, each of bytes. */
typedef struct host_keys_room {
    mcl_host_device devices[2];
    mcl_host_room room;
} host_keys_room;
void host_keys_room_make(host_keys_room *out, mcl_context *context, int devices, int64_t bytes);

#endif
