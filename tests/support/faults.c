/* faults.c: which call fails, and the balance of what drivers gave out. */
#include "faults.h"

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
