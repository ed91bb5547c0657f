/* faults.c: decides which call fails, and counts the handles that drivers give and get back. */
#include "faults.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct {
    int armed;
    int function;
    int at;
    int lasts;
    int code;
    int struck;
} plan;

static int calls[FAULT_FUNCTIONS_MAX];
static long live[FAULT_KIND_COUNT];

void fault_arm(int function, int at, int lasts, int code)
{
    fault_disarm();
    plan.armed = 1;
    plan.function = function;
    plan.at = at;
    plan.lasts = lasts;
    plan.code = code;
}

void fault_disarm(void)
{
    memset(&plan, 0, sizeof plan);
    memset(calls, 0, sizeof calls);
}

int fault_struck(void)
{
    return plan.struck;
}

int fault_calls(int function)
{
    return calls[function];
}

int fault_strikes(int function, int *code)
{
    const int call = ++calls[function];

    if (!plan.armed || function != plan.function) return 0;
    if (plan.lasts ? call < plan.at : call != plan.at) return 0;
    plan.struck++;
    *code = plan.code;
    return 1;
}

int fault_function(const fault_driver *driver, const char *name)
{
    for (int k = 0; k < driver->function_count; k++)
        if (strcmp(driver->names[k], name) == 0) return k;
    ck_abort_msg("the driver has no %s", name);
    return -1;
}

int fault_calls_of(const fault_driver *driver, const char *name)
{
    return fault_calls(fault_function(driver, name));
}

int fault_opencl_gives_handle(const char *name)
{
    return strncmp(name, "clCreate", 8) == 0 || strcmp(name, "clEnqueueMarkerWithWaitList") == 0;
}

int fault_opencl_can_block(const char *name)
{
    return strcmp(name, "clFinish") == 0 || strcmp(name, "clWaitForEvents") == 0 || strcmp(name, "clFlush") == 0 ||
           strncmp(name, "clEnqueue", 9) == 0;
}

void fault_gave(fault_kind kind, const void *handle)
{
    if (handle) live[kind]++;
}

void fault_got_back(fault_kind kind)
{
    live[kind]--;
}

long fault_live(fault_kind kind)
{
    return live[kind];
}

const char *fault_balance(void)
{
    static const char *const names[FAULT_KIND_COUNT] = { "contexts", "queues", "buffers", "programs",
                                                         "kernels",  "events", "graphs" };
    static char text[200];
    size_t length = 0;

    text[0] = 0;
    for (int k = 0; k < FAULT_KIND_COUNT; k++) {
        if (live[k] == 0) continue;
        length += (size_t)snprintf(text + length, sizeof text - length, "%ld %s ", live[k], names[k]);
    }
    return text;
}
