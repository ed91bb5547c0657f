/* opencl_ptx.c: adds launch bounds to PTX, since NVIDIA's OpenCL C has no attribute for them. */
#include "opencl_internal.h"

#include <stdlib.h>
#include <string.h>

/* The most groups that a compute unit can hold. A remark with a larger number is not one of the dialect. */
enum { GROUPS_MAX = 64 };

int mcl__opencl_ptx_bounds(const mcl__text *ptx, mcl__text *out)
{
    static const char threads[] = ".reqntid";  /* the directive after each kernel's parameters */
    static const char remark[] = "// groups "; /* the remark in a kernel's body, which cl/dialect/opencl.clh writes */
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
