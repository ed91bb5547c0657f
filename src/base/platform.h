/* platform.h: the tasks that each system does its own way, for the other files of base. platform_posix.c and
 * platform_windows.c have all of them, and what base.h says is theirs. They alone include the system's headers. */
#ifndef MODERNCL_PLATFORM_H
#define MODERNCL_PLATFORM_H

#include "base/base.h"

/* Returns a variable of the environment; NULL where it is unset, or the program has more rights than its caller. */
const char *mcl__platform_variable(const char *name);

/* Calls see for each NAME=VALUE of the environment; not where the program has more rights than its caller. */
typedef void mcl__platform_see_variable(const char *entry);
void mcl__platform_variables(mcl__platform_see_variable *see);

/* ---- for files.c --------------------------------------------------------------------------------------------- */

/* The character that separates the names of a path, besides '/'. */
extern const char mcl__platform_separator;

/* Makes one folder that its owner alone can use. It may be there already. */
void mcl__platform_folder_make(const char *path);
/* Opens a folder; 1: it is this user's alone, takes files and is no link. */
int mcl__platform_folder_open(mcl__folder *folder, const char *path);

/* Writes count bytes to a new file, locked while its writer lives, and renames it to name. Both are in the folder;
 * where that is NULL they are paths. 1: done; 0: failed, and the new file is gone; -1: temporary is there already. */
int mcl__platform_replace(const mcl__folder *folder, const char *temporary, const char *name, const void *bytes,
                          size_t count);

/* Calls see for each name in the folder. see may remove it. */
typedef void mcl__platform_see(const mcl__folder *folder, const char *name, void *user);
void mcl__platform_list(const mcl__folder *folder, mcl__platform_see *see, void *user);

typedef struct mcl__file_facts {
    int64_t bytes;
    int64_t used; /* when it was used last: larger is later */
} mcl__file_facts;

int mcl__platform_facts(const mcl__folder *folder, const char *name, mcl__file_facts *facts); /* 1: a regular file */
void mcl__platform_remove(const mcl__folder *folder, const char *name);
void mcl__platform_remove_left(const mcl__folder *folder, const char *name); /* unless its writer lives */

#endif
