/* sets.cl: multiset operations on two sorted sequences. Passes: sets_partition cuts tiles that no pair of equal keys
 * crosses; then
 *   SETS_LOOK_BACK  sets_tiles: one pass, which finds the index of each tile's first result by look-back
 *   SETS_KEPT       sets_parts, sets_spine, sets_copy: results are made once, kept in scratch and then moved
 *   otherwise       sets_parts, sets_spine, sets_down: results are counted, then made again and stored
 * Needs: key_type index_type TILE_THREADS TILE_ITEMS PARTITION_THREADS RESIDENT; inputs a, b; outputs out, count;
 * before; fold, the sum of index_type; SET_KIND. SET_UNIQUE: neither input repeats a key. Operands that may be absent:
 * inputs a_values and, where results come from b too, b_values; output out_values. */

/* Bounds: set_tile.clh bounds a tile and its results, and every store to out is below capacity (set_room). An order
 * that contradicts itself can make two passes, or a tile and its refold_tile, count the same keys differently. Indices
 * then repeat or are left out. But each count is at most the number of the tile's keys. So indices are at most the
 * number of keys of both inputs. Loops are over tiles, over the keys of a tile and over partials; none waits for a test
 * to hold. */

#include "facts/sets.h"
#define HAS_VALUES HAS_a_values
#define TILE_SIZE SET_TILE_KEYS((index_type)TILE_THREADS, TILE_ITEMS)
/* Without this bound ptxas spills some registers to fit more groups. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#undef OPENCL_GROUPS
#define OPENCL_GROUPS (sizeof(key_type) > 4 ? KERNEL_GROUPS : 0)

#include "pieces/fold/fold_words.clh"
#include "pieces/sets/set_tile.clh"

/* Sets members of a set_operands for the passes over tiles. With ptxas, a copy of operands_type costs instructions. */
#define SET_INPUTS(o) (o).a = MAKE_a, (o).b = MAKE_b, (o).split = ARRAY(index_type, split), SET_VALUES(o)
#if HAS_b_values
#define SET_VALUES(o) (o).a_values = MAKE_a_values, (o).b_values = MAKE_b_values
#elif HAS_VALUES
#define SET_VALUES(o) (o).a_values = MAKE_a_values
#else
#define SET_VALUES(o) (void)(o)
#endif
#if HAS_VALUES
#define SET_OUTPUTS(o) (o).out = MAKE_out, (o).out_values = MAKE_out_values
#else
#define SET_OUTPUTS(o) (o).out = MAKE_out
#endif

#if SETS_LOOK_BACK
#include "pieces/words/status_words.clh"
#endif

/* Pass 1: one work-item for each tile boundary finds how many keys of a precede the boundary. It also clears the states
 * of look-back. */
MCL_KERNEL(PARTITION_THREADS) sets_partition(PARAMS_sets_partition)
{
    const index_type s = (index_type)get_global_id(0);
    if (s >= splits) return;
#if SETS_LOOK_BACK
    look_back_start(ARRAY(ulong, state), ARRAY(uint, counters), s, splits);
#endif
    ARRAY(index_type, split)[s] = set_crossing(MAKE_env, MAKE_a, MAKE_b, s);
}

#if SETS_LOOK_BACK
#include "kernels/merge/sets_look_back.clh"
#else
#include "kernels/merge/sets_two_pass.clh"
#endif
