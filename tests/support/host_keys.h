/* host_keys.h: keys in host memory, for calls on data larger than a device's memory. Some distributions are hard to cut
 * into buckets, and some types have equal keys that can be told apart. */
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
    KEYS_ONE_HOT, /* nearly all elements have one key */
    KEYS_DISTRIBUTIONS
} host_keys_distribution;

/* Returns the number of the key at index k of count, from -2^30 to 2^30. */
int64_t host_keys_number(host_keys_distribution distribution, int64_t k, int64_t count);

/* A type of keys. make stores the key that has a number, and number returns a key's number. */
typedef struct host_keys_type {
    const mcl_type *type;
    const mcl_op *before;
    int descends;
    void (*make)(int64_t number, int64_t index, void *key);
    int64_t (*number)(const void *key);
} host_keys_type;

enum { HOST_KEYS_TYPES = 5 };
const host_keys_type *host_keys_type_at(int k);

/* Return the keys of count numbers, and the indices 0 to count - 1 in the stable order of their keys. The caller frees
 * both. */
void *host_keys_make(const host_keys_type *type, host_keys_distribution distribution, int64_t count);
int64_t *host_keys_order(const host_keys_type *type, const void *keys, int64_t count);

/* The room of one context in one or two entries. Each has bytes of memory. */
typedef struct host_keys_room {
    mcl_host_device devices[2];
    mcl_host_room room;
} host_keys_room;
void host_keys_room_make(host_keys_room *out, mcl_context *context, int devices, int64_t bytes);

#endif
