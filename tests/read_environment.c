/* read_environment.c: says what the library reads of the variables that are its arguments, a line each. Status 3 where
 * it runs with its caller's own rights. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <stdio.h>
#include <unistd.h>

/* In a setuid program leaks cannot be looked for, and AddressSanitizer does not read the variable that says so. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

int main(int count, char **names)
{
    for (int k = 1; k < count; k++) {
        const char *value = mcl__environment(names[k]);
        printf("%s %s\n", names[k], value ? value : "(not read)");
    }
    return geteuid() == getuid() ? 3 : 0;
}
