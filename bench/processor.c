/* processor.c: finds the name of the host's processor. Every table has it, since drivers and peers of the host run on
 * this processor. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Reads the first value of a field of /proc/cpuinfo, from a line "name : value". Without such a line it does not change
 * value. */
static void cpuinfo_value(const char *field, char *value, size_t bytes)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    const size_t length = strlen(field);
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        const char *rest = line + length;
        if (strncmp(line, field, length) != 0 || rest[strspn(rest, " \t")] != ':') continue;
        rest += strspn(rest, " \t:");
        (void)snprintf(value, bytes, "%.*s", (int)strcspn(rest, "\n"), rest);
        break;
    }
    if (file) (void)fclose(file);
}

/* Names the processor. Virtual machines may hide its model name, but the numbers of family and model still identify
 * it. */
void bench_processor(char *text, size_t bytes)
{
    struct utsname machine;
    char name[128] = "unknown", family[16] = "", model[16] = "";
    if (uname(&machine) == 0) (void)snprintf(name, sizeof name, "%s", machine.machine);
    cpuinfo_value("model name", name, sizeof name);
    cpuinfo_value("cpu family", family, sizeof family);
    cpuinfo_value("model", model, sizeof model);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (family[0] && model[0])
        (void)snprintf(text, bytes, "%s (family %s model %s, %ld cores)", name, family, model, cores);
    else
        (void)snprintf(text, bytes, "%s (%ld cores)", name, cores);
}
