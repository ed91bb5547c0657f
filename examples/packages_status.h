/* packages_status.h: the installed packages of a Debian system, from dpkg's status file. */
#ifndef PACKAGES_STATUS_H
#define PACKAGES_STATUS_H

#include <stdint.h>

typedef struct package {
    char *name;
    char *section;
    int32_t kibibytes; /* installed size */
    char *depends;     /* these three as they stand in the file; NULL: none */
    char *pre_depends;
    char *provides;
} package;

typedef struct package_list {
    package *items;
    int count;
    int capacity;
    int absent;  /* known to dpkg but not installed */
    int skipped; /* malformed records */
} package_list;

/* Reads a status file. Records that are malformed are told on stderr by line and left out. 0: the file cannot be read
 * or memory is exhausted, which has been told; the list can be freed either way. */
int packages_read(const char *path, package_list *list);
void packages_free(package_list *list);

#endif
