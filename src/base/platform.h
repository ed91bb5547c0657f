/* platform.h: functions that each system needs its own code for, for the other files of base. platform_posix.c and
 * platform_windows.c define all of them, and the functions under their names in base.h. These two files alone include
 * the system's headers. */
#ifndef MODERNCL_PLATFORM_H
#define MODERNCL_PLATFORM_H

#include "base/base.h"

/* Returns a variable of the environment; NULL where it is unset, or the program has more rights than its caller. */
const char *mcl__platform_variable(const char *name);

/* Calls see for each NAME=VALUE of the environment, but for none where the program has more rights than its caller. */
typedef void mcl__platform_see_variable(const char *entry);
void mcl__platform_variables(mcl__platform_see_variable *see);

/* ---- for files.c --------------------------------------------------------------------------------------------- */

/* The character that separates the names of a path, besides '/'. */
extern const char mcl__platform_separator;

/* Makes one folder that its owner alone can use. It may be there already. */
void mcl__platform_folder_make(const char *path);
/* Opens a folder. Returns 1 where it is this user's alone, takes files and is no link. */
int mcl__platform_folder_open(mcl__folder *folder, const char *path);

/* Writes count bytes to the new file temporary, which is locked while its writer lives, and renames it to name. Both
 * names are in the folder; where that is NULL they are paths. Returns 1 when done; 0 where it failed and the new file
 * is gone; -1 where temporary exists already. */
int mcl__platform_replace(const mcl__folder *folder, const char *temporary, const char *name, const void *bytes,
                          size_t count);

/* Calls see for each name in the folder. see may remove it. */
typedef void mcl__platform_see(const mcl__folder *folder, const char *name, void *user);
void mcl__platform_list(const mcl__folder *folder, mcl__platform_see *see, void *user);

typedef struct mcl__file_facts {
    int64_t bytes;
    int64_t used; /* time of its last use: larger is later */
} mcl__file_facts;

/* Reads the facts of a file. Returns 1 for a regular file. */
int mcl__platform_facts(const mcl__folder *folder, const char *name, mcl__file_facts *facts);
void mcl__platform_remove(const mcl__folder *folder, const char *name);
/* Removes a temporary file, unless its writer lives. */
void mcl__platform_remove_left(const mcl__folder *folder, const char *name);

#endif
