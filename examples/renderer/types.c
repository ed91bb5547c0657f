/* types.c: the types of geometry.cl as the library is told of them. */
#include "types.h"

#include "geometry.cl.h"
#include "shared.h"

const mcl_type vec_type = MCL_TYPE(vec, geometry_cl);
const mcl_type box_type = MCL_TYPE(box, geometry_cl);
const mcl_type triangle_type = MCL_TYPE(triangle, geometry_cl);
