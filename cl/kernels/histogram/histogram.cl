/* histogram.cl: counts elements, or adds up their weights, in bins. Passes:
 *   histogram_clear   group mapping: sets every bin to 0
 *   histogram_count   a work-group counts a part of the input. Group mapping: in work-group memory, then adds to bins.
 *                     Serial mapping: in tables of scratch
 *   histogram_fold    serial mapping: adds up the tables of all parts
 * Needs: index_type TILE_THREADS TILE_ITEMS; input in; maybe inputs weights, levels, operator bin; output bins; BIN_BY,
 * SUM (facts/histogram.h); COPIES; LOCAL_BINS, RANGES, EVEN_WHOLE, EVEN_SHIFTS, RESIDENT.
 *
 * Measured reasons: times of 1e8 elements of 32 bits on an H200, which loads them in 0.095 ms. Atomics of work-group
 * memory are the likely limit. At 0.15 ms a compute unit does 2.9 elements a clock, so one atomic of a whole sub-group
 * every 11 clocks.
 *   256 bins      32 copies: each lane of an atomic has its own bank, whether elements are spread or equal. About 16
 *                 instructions an element, 0.055 ms, overlap the loads.
 *   4096 bins     2 copies, 33 KiB: three or four lanes share a bank, about 7 to 14 clocks for a sub-group.
 *   65536 bins    One range of counters of 16 bits in 128 KiB (histogram_ranges.clh): 0.16 ms, 0.19 where half of the
 *                 elements are equal. OpenCL's 48 KiB need three ranges, 0.43 ms: the input is read three times, but
 *                 from memory once. An atomic of the second-level cache for each element takes 1.0 ms, and 19 ms where
 *                 half of the elements are equal. With more than 12 ranges, weights or levels these atomics are still
 *                 used, but a work-item first adds up its equal neighbours: one atomic for a run of these.
 *
 * Bounds: bin_of gives a bin below bin_count, or none. bins have bin_count elements. */
#include "facts/histogram.h"
#define TILE_SIZE ((index_type)TILE_THREADS * TILE_ITEMS)
#include "pieces/tile/part_range.clh"
/* More work-items hide more of the loads' latency, as far as registers and work-group memory allow. */
#undef KERNEL_GROUPS
#define KERNEL_GROUPS RESIDENT_GROUPS(RESIDENT)
#include "kernels/histogram/histogram_bin.clh"

#if SUM == SUM_DOUBLE
typedef double sum_type;
#elif SUM == SUM_FLOAT
typedef float sum_type;
#elif SUM == SUM_64
typedef uint64_t sum_type;
#else
typedef uint32_t sum_type;
#endif

/* Returns the amount that element k adds to its bin. An integer weight is first converted to the type of the bins,
 * which keeps its sign. */
static inline sum_type weight_at(const operands_type o, const index_type k)
{
#if HAS_weights
    return (sum_type)(bins_type)load_weights(o.weights, k);
#else
    (void)o;
    (void)k;
    return 1;
#endif
}

#if TILE_THREADS == 1
#include "kernels/histogram/histogram_serial.clh"
#else
#include "kernels/histogram/histogram_group.clh"
#endif
