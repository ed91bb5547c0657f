#pragma once
/* histogram.h: the values of BIN_BY, how an element's bin is found, and of SUM, what bins hold; and what tables of bins
 * take. */
#define BIN_BY_NUMBER 0  /* by the operator bin */
#define BIN_BY_LEVELS 1  /* by a search in levels */
#define BIN_BY_EVEN_32 2 /* even bins of integers of up to 32 bits */
#define BIN_BY_EVEN_64 3
#define BIN_BY_EVEN_REAL 4

#define SUM_32 0
#define SUM_64 1
#define SUM_FLOAT 2
#define SUM_DOUBLE 3

/* Copies of a table lie in one array. Elements without a bin are counted in a cell of their own. */
#define HISTOGRAM_CELLS(bins, copies) (((bins) + 1) * (copies))

/* Ranges of bins that are counted in 16 bits each. A counter holds less than twice the half, and a tile has fewer
 * elements than the half. */
#define RANGES_MOST 12
#define RANGE_BINS_MOST (1 << 16)
#define RANGE_HALF (1 << 15)

/* Bins that fit work-group memory, and bins up to which the serial mapping has several copies of a table. */
#define HISTOGRAM_LOCAL_BINS (1 << 13)
#define HISTOGRAM_FEW_BINS (1 << 12)
