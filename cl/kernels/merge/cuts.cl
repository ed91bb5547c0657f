/* cuts.cl: the searches that cut work into tiles, one work-item for each tile boundary. One pass each:
 *   binary_search   PARTITION_SEARCH: input data, SEARCH_UPPER
 *   merge_path      input a, and input b where PARTITION_PAIR_TILES is 0; before; MERGE_UPPER
 *   balanced_path   PARTITION_BALANCED: inputs a, b; before; PARTITION_UNIQUE: neither repeats a key
 * Needs: index_type TILE_THREADS; output out; the operands of the pass.
 *
 * Bounds: each work-item below splits stores one number, and out has room for splits. Whatever the keys, the order and
 * the positions are, searches read only at indices of the inputs (merge_path.clh, balanced_path.clh). Diagonals are at
 * most the counts, which the device may have made shorter than splits tells. */
enum { SEARCH_LEVELS = 4 }; /* levels of biased_search.clh in whole inputs */

#if PARTITION_SEARCH
/* Returns a position as int64_t. A position that is too large becomes the largest number. */
static inline int64_t position_of(const data_type data)
{
    const int64_t position = (int64_t)data;
    return position < 0 && data > (data_type)0 ? 0x7fffffffffffffff : position;
}

/* Stores the lower bound of min(s * tile, count) in data to out[s]; with SEARCH_UPPER, the upper bound. */
MCL_KERNEL(TILE_THREADS) binary_search(PARAMS_binary_search)
{
    const input_data data = MAKE_data;
    const output_out out = MAKE_out;
    const int64_t s = (int64_t)get_global_id(0);
    if (s >= splits) return;
    const int64_t position = s < splits - 1 ? s * tile : count;
    index_type low = 0, high = data.count;
    while (low < high) {
        const index_type middle = low + (high - low) / 2;
        const int64_t key = position_of(load_data(data, middle));
        const int passes = SEARCH_UPPER ? key <= position : key < position;
        if (passes) low = middle + 1;
        else high = middle;
    }
    store_out(out, (index_type)s, (out_type)low);
}
#else
#if MERGE_UPPER
#define MERGE_PATH_UPPER
#endif

#if PARTITION_PAIR_TILES
/* One of two neighbouring lists in an input. */
typedef struct {
    input_a in;
    index_type begin;
} list_a;
#define MERGE_PATH merge_path_lists
#define A_RUN list_a
#define B_RUN list_a
#define A_AT(a, i) load_a((a).in, (a).begin + (i))
#define B_AT(b, i) load_a((b).in, (b).begin + (i))
#include "pieces/merge/merge_path.clh"

/* Cuts the merges of pairs of lists. A pair has pair_tiles tiles, and each list tile * pair_tiles / 2 elements. */
MCL_KERNEL(TILE_THREADS) merge_path(PARAMS_merge_path)
{
    const env_type env = MAKE_env;
    list_a first, second;
    first.in = second.in = MAKE_a;
    const output_out out = MAKE_out;
    const int64_t s = (int64_t)get_global_id(0);
    if (s >= splits) return;
    const int64_t count = first.in.count, share = pair_tiles / 2; /* number of tiles in a list */
    /* tile may be any number, and 64 bits may not hold its lists' length. No list needs to be longer than the array. */
    const int64_t size = tile < count ? tile : count, length = size > count / share ? count : size * share;
    const int64_t pair = s / pair_tiles * pair_tiles * size; /* where the pair's first list starts */
    const int64_t a_begin = pair < count ? pair : count;
    const int64_t b_begin = pair + length < count ? pair + length : count;
    const int64_t b_end = pair + 2 * length < count ? pair + 2 * length : count;
    const int64_t first_count = b_begin - a_begin, second_count = b_end - b_begin;
    const int64_t in_pair = s * size < count ? s * size - a_begin : count - a_begin;
    first.begin = (index_type)a_begin;
    second.begin = (index_type)b_begin;
    store_out(out, (index_type)s,
              (out_type)merge_path_lists(env, first, second, (index_type)in_pair,
                                         (index_type)(in_pair > second_count ? in_pair - second_count : 0),
                                         (index_type)(in_pair < first_count ? in_pair : first_count)));
}
#elif PARTITION_BALANCED
#define BALANCED_PATH balanced_path_inputs
#define PATH_A input_a
#define PATH_B input_b
#define PATH_A_AT(a, i) load_a(a, i)
#define PATH_B_AT(b, i) load_b(b, i)
#include "pieces/sets/balanced_path.clh"

/* Returns where the path crosses the diagonal. A starred crossing sets the top bit of out's type. */
static inline out_type cut_at(const env_type env, const input_a a, const input_b b, const index_type diagonal)
{
    const index_type crossing =
        balanced_path_inputs(env, a, a.count, b, b.count, diagonal, SEARCH_LEVELS, PARTITION_UNIQUE);
    const out_type star = (out_type)1 << (sizeof(out_type) * 8 - 1);
    return path_star(crossing) ? (out_type)path_a(crossing) | star : (out_type)crossing;
}
#else
#define MERGE_PATH merge_path_inputs
#define A_RUN input_a
#define B_RUN input_b
#define A_AT(a, i) load_a(a, i)
#define B_AT(b, i) load_b(b, i)
#include "pieces/merge/merge_path.clh"

/* Returns where the path crosses the diagonal. */
static inline out_type cut_at(const env_type env, const input_a a, const input_b b, const index_type diagonal)
{
    return (out_type)merge_path_inputs(env, a, b, diagonal, diagonal > b.count ? diagonal - b.count : 0,
                                       diagonal < a.count ? diagonal : a.count);
}
#endif

#if !PARTITION_PAIR_TILES
/* Stores where the path crosses the work-item's boundary. */
static inline void store_cut(const env_type env, const input_a a, const input_b b, const output_out out,
                             const int64_t splits, const int64_t tile)
{
    const int64_t s = (int64_t)get_global_id(0);
    if (s >= splits) return;
    const index_type total = a.count + b.count;
    const index_type diagonal = s < splits - 1 && s * tile < total ? (index_type)(s * tile) : total;
    store_out(out, (index_type)s, cut_at(env, a, b, diagonal));
}

#if PARTITION_BALANCED
MCL_KERNEL(TILE_THREADS) balanced_path(PARAMS_balanced_path)
{
    store_cut(MAKE_env, MAKE_a, MAKE_b, MAKE_out, splits, tile);
}
#else
MCL_KERNEL(TILE_THREADS) merge_path(PARAMS_merge_path)
{
    store_cut(MAKE_env, MAKE_a, MAKE_b, MAKE_out, splits, tile);
}
#endif
#endif
#endif
