/* maps.h: maps of int32 to int32 for tests. Each function checks its own status. */
#ifndef TEST_MAPS_H
#define TEST_MAPS_H

#include "arrays.h"

enum { MAP_ENTRIES_MAX = 4096, MAP_TILINGS = 3 };

/* Options with tiles of both mappings. */
extern const mcl_options map_tilings[MAP_TILINGS];

typedef struct map_entry {
    int32_t key;
    int32_t value;
} map_entry;

mcl_map *map_with(int device, int64_t capacity, double max_load);
mcl_input map_counting(int32_t first, int64_t count); /* returns the input first, first + 1 ... */
int64_t map_size_of(int device, mcl_map *map);
void map_insert(int device, mcl_map *map, mcl_input keys, mcl_input values, const mcl_options *options);

/* Stores the map's entries, at most MAP_ENTRIES_MAX, sorted, and returns their number. It checks that nothing is
 * written after them. */
int64_t map_entries_of(int device, mcl_map *map, const mcl_options *options, map_entry *entries);

/* Checks that the map has count entries: keys first, first + step ..., with values from value on. */
void map_expect_steps(int device, mcl_map *map, const mcl_options *options, int64_t count, int32_t first, int32_t step,
                      int32_t value);

#endif
