#pragma once
/* segmented.h: words that the groups of a segmented reduction hand to each other. */

/* Words of a tile (segmented.cl) or of a piece (segment_direct.clh): one word of flags or a count, and two folds of
 * value_words words each. */
#define PART_WORDS(value_words) (1 + 2 * (value_words))
