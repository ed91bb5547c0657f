/* platform.h: functions that need other code on each system, for the other files of base. platform_posix.c and
 * platform_windows.c define all of them, and those functions of base.h that stand under these two names. Only these two
 * files include the system's headers. */
#ifndef MODERNCL_PLATFORM_H
#define MODERNCL_PLATFORM_H

#include "base/base.h"

/* Returns the value of an environment variable. Returns NULL where it is unset, or where the program has more rights
 * than its caller. */
const char *mcl__platform_variable(const char *name);

/* Calls see for each NAME=VALUE of the environment. Calls it for none where the program has more rights than its
 * caller. */
typedef void mcl__platform_see_variable(const char *entry);
void mcl__platform_variables(mcl__platform_see_variable *see);

/* ---- for files.c --------------------------------------------------------------------------------------------- */

/* The system's own separator of names in a path, in addition to '/'. */
extern const char mcl__platform_separator;

/* Makes one folder that its owner alone can use. The folder may exist already. */
void mcl__platform_folder_make(const char *path);
/* Opens a folder. Returns 1 where it belongs to this user alone, can be written and is no link. */
int mcl__platform_folder_open(mcl__folder *folder, const char *path);

/* Writes count bytes to the new file temporary, and renames it to name. The file is locked as long as its writer lives.
 * Both names are in the folder; if folder is NULL they are paths. Returns 1 on success, 0 where it failed and the new
 * file is removed, and -1 where temporary exists already. */
int mcl__platform_replace(const mcl__folder *folder, const char *temporary, const char *name, const void *bytes,
                          size_t count);

/* Calls see for each name in the folder. see may remove the file. */
typedef void mcl__platform_see(const mcl__folder *folder, const char *name, void *user);
void mcl__platform_list(const mcl__folder *folder, mcl__platform_see *see, void *user);

typedef struct mcl__file_facts {
    int64_t bytes;
    int64_t used; /* time of the last use: a later time is larger */
} mcl__file_facts;

/* Reads a file's size and time of last use. Returns 1 for a regular file. */
int mcl__platform_facts(const mcl__folder *folder, const char *name, mcl__file_facts *facts);
void mcl__platform_remove(const mcl__folder *folder, const char *name);
/* Removes a temporary file, unless its writer still lives. */
void mcl__platform_remove_left(const mcl__folder *folder, const char *name);

#endif
