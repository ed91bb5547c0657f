#pragma once
/* sets.h: the values of SET_KIND, a test of them, and the number of keys of a tile. */
#define SET_INTERSECTION 0
#define SET_UNION 1
#define SET_DIFFERENCE 2
#define SET_SYMMETRIC_DIFFERENCE 3
#define SET_FROM_B(kind) ((kind) == SET_UNION || (kind) == SET_SYMMETRIC_DIFFERENCE) /* 1: results come from b too */

/* Number of keys of a tile. A group has room for one key more, which a tile takes where its end is starred
 * (balanced_path.clh). */
#define SET_TILE_KEYS(threads, items) ((threads) * (items) - ((threads) > 1))
