/* types.h: the types of geometry.cl as the library is told of them. */
#ifndef RENDERER_TYPES_H
#define RENDERER_TYPES_H

#include <moderncl/values.h>

extern const mcl_type vec_type, box_type, triangle_type;

#endif
