#pragma once
/* histogram.h: the values of BIN_BY (how an element's bin is found) and of SUM (the type of a bin), and the sizes of
 * tables of bins. */
#define BIN_BY_NUMBER 0  /* the operator bin returns the bin's number */
#define BIN_BY_LEVELS 1  /* a search in the input levels finds the bin */
#define BIN_BY_EVEN_32 2 /* the bins are even, and elements are integers of up to 32 bits */
#define BIN_BY_EVEN_64 3
#define BIN_BY_EVEN_REAL 4

#define SUM_32 0
#define SUM_64 1
#define SUM_FLOAT 2
#define SUM_DOUBLE 3

/* Number of cells of a table's copies, which lie in one array. Each copy has one cell more than bins, which counts the
 * elements without a bin. */
#define HISTOGRAM_CELLS(bins, copies) (((bins) + 1) * (copies))

/* The limits of counting in ranges: the largest number of ranges, the largest number of bins in a range, and 2^15. A
 * 16-bit counter that reaches RANGE_HALF gives RANGE_HALF to its bin, at the latest at the end of the tile. A tile has
 * fewer than RANGE_HALF elements. So a counter stays below 2^16 (histogram_ranges.clh). */
#define RANGES_MOST 12
#define RANGE_BINS_MOST (1 << 16)
#define RANGE_HALF (1 << 15)

/* Largest number of bins that fit work-group memory, and largest number of bins of a table that the serial mapping
 * makes several copies of. */
#define HISTOGRAM_LOCAL_BINS (1 << 13)
#define HISTOGRAM_FEW_BINS (1 << 12)
