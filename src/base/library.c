/* library.c: opening shared libraries. */
#define _GNU_SOURCE /* RTLD_DEFAULT */

#include "base/base.h"

#include <dlfcn.h>

void *mcl__library_default_symbol(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

void *mcl__library_open(const char *const *names)
{
#ifdef RTLD_NOLOAD
    for (const char *const *name = names; *name; ++name) {
        void *const library = dlopen(*name, RTLD_NOW | RTLD_NOLOAD);
        if (library) return library;
    }
#endif
    for (const char *const *name = names; *name; ++name) {
        void *const library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

void *mcl__library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}
