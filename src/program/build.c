/* build.c: gives a text to the backend's compiler, reports the steps of the build, and writes the error sentence where
 * the compiler rejects the text. */
#include "program/explain.h"

static mcl_status reject(const mcl_context *context, const mcl__spec *spec, const char *source, const char *name,
                         const mcl__text *log)
{
    mcl__text explained = { 0 };
    if (spec) mcl__explain(spec, source, log->data, &explained);
    const char *const words = explained.data && !explained.failed ? explained.data : "";
    const mcl_status status =
        mcl__fail(MCL_ERROR_BUILD, "%s%s%s: program %s does not compile for %s, %s:\n%s", words, words[0] ? "\n" : "",
                  context->backend->name, name, context->info.name, context->info.language, log->data);
    mcl__text_free(&explained);
    return status;
}

void mcl__program_tell(mcl_context *context, mcl_build_step step, mcl_status status, double began, const char *name)
{
    const mcl_build build = { .step = step,
                              .status = status,
                              .milliseconds = step == MCL_BUILD_BEGINS ? 0 : mcl__milliseconds() - began,
                              .function = mcl__function_name(),
                              .program = name };
    mcl__mutex_lock(&context->lock);
    const mcl_build_function function = context->build_function;
    void *const user = context->build_user;
    mcl__mutex_unlock(&context->lock);
    if (function) function(&build, user);
    if (!context->tells_builds) return;
    if (step == MCL_BUILD_BEGINS)
        mcl__tell_or_print("compiles %s", name);
    else
        mcl__tell_or_print("%s %s in %.0f ms%s",
                           step == MCL_BUILD_LOADED ? "has loaded"
                           : status == MCL_OK       ? "has compiled"
                                                    : "has not compiled",
                           name, build.milliseconds,
                           step == MCL_BUILD_ENDS && status == MCL_OK && !context->keeps_binaries
                               ? ", or the driver had kept it"
                               : "");
}

mcl_status mcl__program_build(mcl_context *context, const mcl__spec *spec, const char *source, const char *name,
                              void **program)
{
    mcl__text log = { 0 };
    const double began = mcl__milliseconds();
    mcl__program_tell(context, MCL_BUILD_BEGINS, MCL_OK, began, name);
    mcl_status status = context->backend->program_build(context, source, name, &log, program);
    if (status == MCL_ERROR_BUILD && log.data && log.data[0]) status = reject(context, spec, source, name, &log);
    mcl__program_tell(context, MCL_BUILD_ENDS, status, began, name);
    mcl__text_free(&log);
    return status;
}
