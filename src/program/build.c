/* build.c: a text given to the backend's compiler, and the sentence where the compiler rejects it. */
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

mcl_status mcl__program_build(mcl_context *context, const mcl__spec *spec, const char *source, const char *name,
                              void **program)
{
    mcl__text log = { 0 };
    mcl_status status = context->backend->program_build(context, source, name, &log, program);
    if (status == MCL_ERROR_BUILD && log.data && log.data[0]) status = reject(context, spec, source, name, &log);
    mcl__text_free(&log);
    return status;
}
