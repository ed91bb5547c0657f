#pragma once
/* sets.h: the values of SET_KIND, what follows from it, and the keys of a tile. */
#define SET_INTERSECTION 0
#define SET_UNION 1
#define SET_DIFFERENCE 2
#define SET_SYMMETRIC_DIFFERENCE 3
#define SET_FROM_B(kind) ((kind) == SET_UNION || (kind) == SET_SYMMETRIC_DIFFERENCE) /* results come from b too */

/* Keys of a tile. A group's tiles leave room for one key more, which a tile takes whose end is starred. */
#define SET_TILE_KEYS(threads, items) ((threads) * (items) - ((threads) > 1))
