/* read_environment.c: prints what the library reads of the variables that are its arguments, one a line. The status is
 * 3 where it runs without another user's rights. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <stdio.h>
#include <unistd.h>

/* A setuid program cannot search for leaks, and AddressSanitizer does not read the variable that turns the search
 * off. */
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
