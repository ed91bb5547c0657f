/* opencl_ptx.c: launch bounds for NVIDIA's OpenCL C, which has no word for them. */
#include "opencl_internal.h"

#include <stdlib.h>
#include <string.h>

/* More groups than a compute unit of any device holds: the remark is not the dialect's. */
enum { GROUPS_MAX = 64 };

int mcl__opencl_ptx_bounds(const mcl__text *ptx, mcl__text *out)
{
    static const char threads[] = ".reqntid";  /* one in each kernel, after its parameters */
    static const char remark[] = "// groups "; /* in a kernel's body, from cl/dialect/opencl.clh */
    const char *kernel = ptx->data ? strstr(ptx->data, threads) : NULL;
    const char *taken = ptx->data;
    int bounds = 0;
    mcl__text_clear(out);
    while (kernel) {
        const char *const next = strstr(kernel + 1, threads);
        const char *const line_end = strchr(kernel, '\n');
        const char *const label = strstr(kernel, remark);
        const long groups = label && (!next || label < next) ? strtol(label + sizeof remark - 1, NULL, 10) : 0;
        if (line_end && groups > 0 && groups <= GROUPS_MAX) {
            mcl__text_bytes(out, taken, (size_t)(line_end - taken));
            mcl__text_format(out, "\n.minnctapersm %ld", groups);
            taken = line_end;
            ++bounds;
        }
        kernel = next;
    }
    if (bounds > 0) mcl__text_bytes(out, taken, ptx->length - (size_t)(taken - ptx->data));
    return bounds > 0 && !out->failed;
}
