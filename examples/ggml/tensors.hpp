// tensors.hpp: what ggml's OpenCL backend calls in place of its own argsort, top-k and cumulative sums. serve_source
// includes it in the backend's file, whose types it uses.
#include "rows.h"

// ggml's own.
static void ggml_cl_argsort(ggml_backend_t, const ggml_tensor *, const ggml_tensor *, ggml_tensor *);
static void ggml_cl_cumsum(ggml_backend_t, const ggml_tensor *, const ggml_tensor *, ggml_tensor *);

// 1: an operation on rows of floats that lie one after the other, whose indices fit 32 bits.
static bool served_takes(const ggml_tensor *op)
{
    return rows_are_served() && op->src[0]->type == GGML_TYPE_F32 && ggml_is_contiguous(op->src[0]) &&
           ggml_is_contiguous(op) && ggml_nelements(op->src[0]) <= INT32_MAX;
}

static rows_place served_place(const ggml_tensor *tensor)
{
    const auto *extra = static_cast<const ggml_tensor_extra_cl *>(tensor->extra);
    return { extra->data_device, extra->offset + tensor->view_offs };
}

static rows_work served_work(ggml_backend_t backend, const ggml_tensor *in, const ggml_tensor *out)
{
    const auto *own = static_cast<const ggml_backend_opencl_context *>(backend->context);
    return { own->context,      own->device,         own->queue, served_place(in),
             served_place(out), ggml_nrows(in), in->ne[0] };
}

// ggml's operations cannot fail: it ends the process where one of its own does.
static void served_end(const char *sentence)
{
    if (sentence) GGML_ABORT("moderncl: %s", sentence);
}

static void served_argsort(ggml_backend_t backend, const ggml_tensor *in, const ggml_tensor *unused, ggml_tensor *out)
{
    if (!served_takes(out)) return ggml_cl_argsort(backend, in, unused, out);
    const rows_work work = served_work(backend, in, out);
    served_end(rows_argsort(&work, out->op_params[0] == GGML_SORT_ORDER_DESC));
}

static void served_top_k(ggml_backend_t backend, const ggml_tensor *in, const ggml_tensor *, ggml_tensor *out)
{
    const rows_work work = served_work(backend, in, out);
    served_end(rows_top_k(&work, out->ne[0]));
}

static void served_cumsum(ggml_backend_t backend, const ggml_tensor *in, const ggml_tensor *unused, ggml_tensor *out)
{
    if (!served_takes(out)) return ggml_cl_cumsum(backend, in, unused, out);
    const rows_work work = served_work(backend, in, out);
    served_end(rows_cumulative_sum(&work));
}
