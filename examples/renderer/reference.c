/* reference.c: traces on the host. */
#include "reference.h"

hit reference_nearest(const scene *of, float time, vec origin, vec direction)
{
    hit best = no_hit(FAR_AWAY);
    for (int32_t k = 0; k < of->count; ++k) {
        const surface *const s = &of->surfaces[k];
        best = triangle_hit(triangle_at(*s, of->motions[s->object], k, time), origin, direction, best);
    }
    return best;
}
