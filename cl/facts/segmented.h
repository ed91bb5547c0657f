#pragma once
/* segmented.h: words that the groups of a segmented reduction hand to each other. */

/* Words of a tile or a piece: what is known of it, then two folds of value_words words each. */
#define PART_WORDS(value_words) (1 + 2 * (value_words))
