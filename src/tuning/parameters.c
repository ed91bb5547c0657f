/* parameters.c: names, ranges and built-in values of the numbers in parameter_table.inc. */
#include "tuning/rows.h"

#include <string.h>

const mcl__parameter_range mcl__parameter_ranges[MCL__PARAMETER_COUNT] = {
#define PARAMETER(operation, name, least, most) { MCL__OPERATION_##operation, #name, least, most },
#define VALUE(operation, name, device, value)
#include "tuning/parameter_table.inc"
#undef PARAMETER
#undef VALUE
};

static const char *const parameter_names[MCL__PARAMETER_COUNT] = {
#define PARAMETER(operation, name, least, most) #operation "." #name,
#define VALUE(operation, name, device, value)
#include "tuning/parameter_table.inc"
#undef PARAMETER
#undef VALUE
};

static const struct {
    mcl__parameter parameter;
    const char *device;
    int value;
} built_in[] = {
#define PARAMETER(operation, name, least, most)
#define VALUE(operation, name, device, value) { MCL__PARAMETER_##operation##_##name, device, value },
#include "tuning/parameter_table.inc"
#undef PARAMETER
#undef VALUE
};

const char *mcl__parameter_name(int index)
{
    return index >= 0 && index < MCL__PARAMETER_COUNT ? parameter_names[index] : NULL;
}

int mcl__parameter_find(const char *name)
{
    for (int k = 0; k < MCL__PARAMETER_COUNT; ++k)
        if (strcmp(parameter_names[k], name) == 0) return k;
    return -1;
}

/* Sets the built-in values. The loop goes from the last row to the first, so the first row that fits decides. */
void mcl__parameters_start(const mcl__limits *limits, int *values)
{
    for (size_t k = sizeof built_in / sizeof built_in[0]; k-- > 0;)
        if (mcl__device_fits(built_in[k].device, limits)) values[built_in[k].parameter] = built_in[k].value;
}

int64_t mcl__tuned(const mcl_context *context, mcl__parameter parameter)
{
    const mcl__tuning *const tuning = context->tuning;
    return tuning->parameters[parameter];
}

int64_t mcl__tuned_a_unit(const mcl_context *context, mcl__parameter parameter)
{
    return mcl__tuned(context, parameter) * context->limits.compute_units;
}

int64_t mcl__tuned_groups(const mcl_context *context, mcl__parameter work_items, int threads)
{
    const int64_t a_unit = mcl__tuned(context, work_items) / threads;
    return context->limits.compute_units * (a_unit > 1 ? a_unit : 1);
}

int64_t mcl__resident(const mcl_context *context, mcl__parameter first, size_t bytes, int index_bits)
{
    enum { NARROW, OF_8_BYTES, WIDE, LONG };
    const int shape = bytes > 8 ? WIDE : index_bits == 64 ? LONG : bytes > 4 ? OF_8_BYTES : NARROW;
    return mcl__tuned(context, (mcl__parameter)((int)first + shape));
}
