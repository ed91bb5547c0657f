/* piece_kernels.h: the kernels of tests/kernels, each with several pieces of the device library. */
#ifndef TEST_PIECE_KERNELS_H
#define TEST_PIECE_KERNELS_H

#include <moderncl/moderncl.h>

typedef enum piece_text {
    PIECES_TILES,
    PIECES_SEARCHES,
    PIECES_SORTS,
    PIECES_SEGMENTS,
    PIECES_SETS,
    PIECE_TEXTS
} piece_text;

/* The fold of PIECES_TILES, which does not commute. It composes the functions (p >> 16) x + (p & 65535). */
MCL_SOURCE(
    piece_fold_source,
    static inline uint32_t piece_join(const uint32_t p, const uint32_t q) {
        const uint32_t factor = (p >> 16) * (q >> 16), addend = (q >> 16) * (p & 65535u) + (q & 65535u);
        return factor << 16 | (addend & 65535u);
    } static inline uint32_t piece_of(const int32_t x) { return (uint32_t)x | 65536u; })

/* The passes of the texts. In PIECES_TILES the passes from TILES_CHOOSE on are for the group mapping alone. */
enum { TILES_MOVE, TILES_GATHER, TILES_FOLD, TILES_WORDS, TILES_NUMBERS, TILES_CHOOSE, TILES_SHUFFLE };
enum {
    SEARCHES_BOUNDS,
    SEARCHES_PATHS,
    SEARCHES_CUT,
    SEARCHES_MERGE,
    SEARCHES_FIND,
    SEARCHES_CUT_WORK,
    SEARCHES_BALANCE
};
enum { SORTS_NETWORKS, SORTS_FRAMES, SORTS_TILES, SORTS_CUT, SORTS_MERGE };
enum { SEGMENTS_TILES, SEGMENTS_PLAN, SEGMENTS_WORK };
enum { SETS_CUT, SETS_DO, SETS_ADD };

/* Returns a text's kernel, for the group or the serial mapping. Networks with flags are the stable ones in the group
 * mapping only, since both are the same. The text is read from its file once and kept. Where the file is missing its
 * text is NULL. */
mcl_kernel piece_kernel(piece_text text, int serial);

/* Returns the tile that the tests of the text use. */
mcl_options piece_tile(piece_text text, int serial);

#endif
