#pragma once
/* top_k.h: sizes of a selection that the host and the kernels know. */
#define TOP_K_STATE_BYTES 256
#define TOP_K_MARKS 5
#define TOP_K_SHRINK 8          /* each level has room for one candidate of this many of the level before */
#define TOP_K_ROOM_MOST (1 << 30) /* of a level */
