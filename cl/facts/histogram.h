#pragma once
/* histogram.h: the values of BIN_BY, how an element's bin is found, and of SUM, what bins hold. */
#define BIN_BY_NUMBER 0  /* by the operator bin */
#define BIN_BY_LEVELS 1  /* by a search in levels */
#define BIN_BY_EVEN_32 2 /* even bins of integers of up to 32 bits */
#define BIN_BY_EVEN_64 3
#define BIN_BY_EVEN_REAL 4

#define SUM_32 0
#define SUM_64 1
#define SUM_FLOAT 2
#define SUM_DOUBLE 3
