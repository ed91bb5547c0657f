/* platform_windows.c: the code for Windows: environment, locks, shared libraries, files and folders. Paths and
 * variables are in the process's code page, which fopen and getenv use too. */
#define WIN32_LEAN_AND_MEAN

#include "base/platform.h"

#include <windows.h>

#include <aclapi.h>
#include <sddl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- environment --------------------------------------------------------------------------------------------- */

/* Returns the value of an environment variable. On Windows no program runs with another user's rights and its caller's
 * variables, so rights are not checked. */
const char *mcl__platform_variable(const char *name)
{
    return getenv(name);
}

double mcl__milliseconds(void)
{
    LARGE_INTEGER now;
    LARGE_INTEGER rate;
    QueryPerformanceFrequency(&rate);
    QueryPerformanceCounter(&now);
    return 1e3 * (double)now.QuadPart / (double)rate.QuadPart;
}

void mcl__platform_variables(mcl__platform_see_variable *see)
{
    for (char *const *entry = _environ; entry && *entry; ++entry) see(*entry);
}

void mcl__cache_home(mcl__text *text)
{
    const char *const home = mcl__platform_variable("LOCALAPPDATA");
    if (home) mcl__text_append(text, home);
}

/* ---- locks, and the process ---------------------------------------------------------------------------------- */

static SRWLOCK process_mutex = SRWLOCK_INIT;

/* Returns the lock of a mutex. An SRWLOCK has the size of a pointer, so it lies in handle itself. */
static SRWLOCK *lock_of(mcl__mutex *mutex)
{
    return (SRWLOCK *)&mutex->handle;
}

int mcl__mutex_create(mcl__mutex *mutex)
{
    InitializeSRWLock(lock_of(mutex));
    return 1;
}

void mcl__mutex_destroy(mcl__mutex *mutex)
{
    mutex->handle = NULL;
}

void mcl__mutex_lock(mcl__mutex *mutex)
{
    AcquireSRWLockExclusive(lock_of(mutex));
}

void mcl__mutex_unlock(mcl__mutex *mutex)
{
    ReleaseSRWLockExclusive(lock_of(mutex));
}

void mcl__process_lock(void)
{
    AcquireSRWLockExclusive(&process_mutex);
}

void mcl__process_unlock(void)
{
    ReleaseSRWLockExclusive(&process_mutex);
}

int64_t mcl__process_id(void)
{
    return (int64_t)GetCurrentProcessId();
}

/* ---- shared libraries ---------------------------------------------------------------------------------------- */

void *mcl__library_symbol(void *library, const char *name)
{
    /* memcpy copies the address, since ISO C has no cast from a function pointer to void *. */
    const FARPROC address = GetProcAddress(library, name);
    void *symbol;
    memcpy(&symbol, &address, sizeof symbol);
    return symbol;
}

int mcl__program_is_static(void)
{
    return 0;
}

void *mcl__library_default_symbol(const char *name)
{
    return mcl__library_symbol(GetModuleHandleA(NULL), name);
}

/* Opens the library from a folder of PATH. Whole paths are used, so that the current folder is not searched. */
static void *path_open(const char *name)
{
    const char *next = mcl__platform_variable("PATH");
    mcl__text file = { 0 };
    HMODULE library = NULL;
    while (next && *next && !library) {
        const size_t length = strcspn(next, ";");
        mcl__text_clear(&file);
        mcl__text_bytes(&file, next, length);
        mcl__text_format(&file, "\\%s", name);
        const int is_whole = length > 2 && next[1] == ':' && !file.failed;
        if (is_whole) library = LoadLibraryExA(file.data, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
        next += length + (next[length] == ';');
    }
    mcl__text_free(&file);
    return library;
}

void *mcl__library_open(const char *const *names)
{
    for (const char *const *name = names; *name; ++name) {
        HMODULE library;
        if (GetModuleHandleExA(0, *name, &library)) return library;
    }
    for (const char *const *name = names; *name; ++name) {
        HMODULE library = LoadLibraryExA(*name, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
        if (!library) library = path_open(*name);
        if (library) return library;
    }
    return NULL;
}

/* ---- who may write ------------------------------------------------------------------------------------------- */

typedef struct owner_token {
    TOKEN_USER user;
    BYTE sid[SECURITY_MAX_SID_SIZE];
} owner_token;

static int user_read(owner_token *token)
{
    HANDLE process;
    DWORD bytes;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &process)) return 0;
    const int good = GetTokenInformation(process, TokenUser, token, sizeof *token, &bytes) != 0;
    (void)CloseHandle(process);
    return good;
}

/* Returns 1 for this user, and for accounts that may write everywhere. */
static int is_trusted(PSID sid, const owner_token *user)
{
    return EqualSid(sid, user->user.User.Sid) || IsWellKnownSid(sid, WinLocalSystemSid) ||
           IsWellKnownSid(sid, WinBuiltinAdministratorsSid) || IsWellKnownSid(sid, WinCreatorOwnerSid) ||
           IsWellKnownSid(sid, WinCreatorOwnerRightsSid);
}

/* Returns 1 where the access list gives another user a right to write there, now or later. */
static int others_write(PACL list, const owner_token *user)
{
    const DWORD writing = FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_DELETE_CHILD | DELETE | WRITE_DAC | WRITE_OWNER |
                          GENERIC_WRITE | GENERIC_ALL;
    if (!list) return 1; /* without a list everybody has every right */
    for (DWORD k = 0; k < list->AceCount; ++k) {
        ACCESS_ALLOWED_ACE *entry;
        if (!GetAce(list, k, (void **)&entry)) return 1;
        if (entry->Header.AceType == ACCESS_DENIED_ACE_TYPE) continue;
        if (entry->Header.AceType != ACCESS_ALLOWED_ACE_TYPE) return 1;
        if ((entry->Mask & writing) && !is_trusted((PSID)&entry->SidStart, user)) return 1;
    }
    return 0;
}

/* Returns 1 where the open file belongs to this user, and nobody else may write it. */
static int handle_is_private(HANDLE handle)
{
    owner_token user;
    PSID owner = NULL;
    PACL list = NULL;
    PSECURITY_DESCRIPTOR descriptor = NULL;
    if (!user_read(&user)) return 0;
    if (GetSecurityInfo(handle, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &owner, NULL,
                        &list, NULL, &descriptor) != ERROR_SUCCESS)
        return 0;
    const int good = owner && is_trusted(owner, &user) && !others_write(list, &user);
    (void)LocalFree(descriptor);
    return good;
}

/* ---- files --------------------------------------------------------------------------------------------------- */

int mcl__file_exists(const char *path)
{
    return GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES;
}

int mcl__file_is_folder(const char *path)
{
    const DWORD attributes = GetFileAttributesA(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY);
}

/* The largest number of bytes of one WriteFile, whose count is a DWORD. */
enum { BLOCK_BYTES = 1 << 24 };

static int handle_write(HANDLE handle, const char *next, size_t count)
{
    while (count) {
        DWORD written;
        if (!WriteFile(handle, next, (DWORD)(count < BLOCK_BYTES ? count : BLOCK_BYTES), &written, NULL)) return 0;
        if (!written) return 0;
        next += written;
        count -= written;
    }
    return 1;
}

/* ---- folders of one user ------------------------------------------------------------------------------------- */

typedef struct folder_handle {
    HANDLE handle; /* an open handle, so that nobody can rename or remove the folder meanwhile */
    char path[];
} folder_handle;

static const folder_handle *handle_of(const mcl__folder *folder)
{
    return (const folder_handle *)(intptr_t)folder->handle;
}

/* Returns the path of a name in the folder, or NULL where host memory is exhausted. The caller frees it. */
static char *path_of(const mcl__folder *folder, const char *name)
{
    mcl__text path = { 0 };
    if (folder) mcl__text_format(&path, "%s\\", handle_of(folder)->path);
    mcl__text_append(&path, name);
    if (!path.failed) return path.data;
    mcl__text_free(&path);
    return NULL;
}

const char mcl__platform_separator = '\\';

/* Makes a folder with full access for the owner, the system and administrators, and none for others. Files and folders
 * made in it inherit these rights. */
void mcl__platform_folder_make(const char *path)
{
    SECURITY_ATTRIBUTES attributes = { .nLength = sizeof attributes };
    if (!ConvertStringSecurityDescriptorToSecurityDescriptorA("D:P(A;OICI;FA;;;OW)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)",
                                                              SDDL_REVISION_1, &attributes.lpSecurityDescriptor, NULL))
        return;
    (void)CreateDirectoryA(path, &attributes);
    (void)LocalFree(attributes.lpSecurityDescriptor);
}

/* Returns 1 where the open file is of this kind (file or folder), and is no link or mount point. */
static int handle_is(HANDLE handle, DWORD kind, BY_HANDLE_FILE_INFORMATION *facts)
{
    const DWORD kinds = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DEVICE;
    return GetFileInformationByHandle(handle, facts) && (facts->dwFileAttributes & kinds) == kind;
}

int mcl__platform_folder_open(mcl__folder *folder, const char *path)
{
    BY_HANDLE_FILE_INFORMATION facts;
    const size_t length = strlen(path);
    const HANDLE handle =
        CreateFileA(path, FILE_LIST_DIRECTORY | READ_CONTROL, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING,
                    FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (handle == INVALID_HANDLE_VALUE) return 0;
    folder_handle *opened = NULL;
    if (handle_is(handle, FILE_ATTRIBUTE_DIRECTORY, &facts) && handle_is_private(handle))
        opened = malloc(sizeof *opened + length + 1);
    if (!opened) {
        (void)CloseHandle(handle);
        return 0;
    }
    opened->handle = handle;
    memcpy(opened->path, path, length + 1);
    folder->handle = (int64_t)(intptr_t)opened;
    return 1;
}

void mcl__folder_close(mcl__folder *folder)
{
    folder_handle *const opened = (folder_handle *)(intptr_t)folder->handle;
    (void)CloseHandle(opened->handle);
    free(opened);
}

/* Opens a file that has no second name and that only this user can have written. */
static HANDLE file_open(const mcl__folder *folder, const char *name, DWORD access, DWORD sharing,
                        BY_HANDLE_FILE_INFORMATION *facts)
{
    char *const path = path_of(folder, name);
    if (!path) return INVALID_HANDLE_VALUE;
    const HANDLE handle =
        CreateFileA(path, access | READ_CONTROL, sharing, NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    free(path);
    if (handle == INVALID_HANDLE_VALUE) return handle;
    if (handle_is(handle, 0, facts) && facts->nNumberOfLinks <= 1 && handle_is_private(handle)) return handle;
    (void)CloseHandle(handle);
    return INVALID_HANDLE_VALUE;
}

/* Reads count bytes. Returns 1 if the file had all of them. */
static int handle_read(HANDLE handle, uint64_t count, mcl__text *out)
{
    char block[16384];
    while (count && !out->failed) {
        DWORD got;
        if (!ReadFile(handle, block, (DWORD)(count < sizeof block ? count : sizeof block), &got, NULL)) return 0;
        if (!got) return 0;
        mcl__text_bytes(out, block, got);
        count -= got;
    }
    return !out->failed;
}

int mcl__folder_read(const mcl__folder *folder, const char *name, size_t most, mcl__text *out)
{
    BY_HANDLE_FILE_INFORMATION facts;
    mcl__text_clear(out);
    const HANDLE handle = file_open(folder, name, GENERIC_READ | FILE_WRITE_ATTRIBUTES,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &facts);
    if (handle == INVALID_HANDLE_VALUE) return 0;
    const uint64_t bytes = (uint64_t)facts.nFileSizeHigh << 32 | facts.nFileSizeLow;
    const int good = bytes <= most && handle_read(handle, bytes, out);
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    if (good) (void)SetFileTime(handle, NULL, NULL, &now); /* sets the time of last use */
    (void)CloseHandle(handle);
    return good;
}

/* Writes a temporary file, then renames it. The writer opens the file without sharing, so other processes cannot open
 * it while the writer lives. If another process removes the file before the rename, the rename fails. */
int mcl__platform_replace(const mcl__folder *folder, const char *temporary, const char *name, const void *bytes,
                          size_t count)
{
    char *const from = path_of(folder, temporary);
    char *const to = path_of(folder, name);
    int done = 0;
    HANDLE handle = INVALID_HANDLE_VALUE;
    if (from && to) handle = CreateFileA(from, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    if (from && to && handle == INVALID_HANDLE_VALUE) done = GetLastError() == ERROR_FILE_EXISTS ? -1 : 0;
    if (handle != INVALID_HANDLE_VALUE) {
        done = handle_write(handle, bytes, count);
        done = CloseHandle(handle) && done;
        done = done && MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING);
        if (!done) (void)DeleteFileA(from);
    }
    free(from);
    free(to);
    return done;
}

void mcl__platform_list(const mcl__folder *folder, mcl__platform_see *see, void *user)
{
    char *const pattern = path_of(folder, "*");
    WIN32_FIND_DATAA found;
    const HANDLE search = pattern ? FindFirstFileA(pattern, &found) : INVALID_HANDLE_VALUE;
    free(pattern);
    if (search == INVALID_HANDLE_VALUE) return;
    do see(folder, found.cFileName, user);
    while (FindNextFileA(search, &found));
    (void)FindClose(search);
}

int mcl__platform_facts(const mcl__folder *folder, const char *name, mcl__file_facts *facts)
{
    char *const path = path_of(folder, name);
    WIN32_FILE_ATTRIBUTE_DATA found;
    const int good = path && GetFileAttributesExA(path, GetFileExInfoStandard, &found);
    free(path);
    if (!good || (found.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT))) return 0;
    const FILETIME used = found.ftLastWriteTime;
    facts->bytes = (int64_t)((uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow);
    facts->used = (int64_t)((uint64_t)used.dwHighDateTime << 32 | used.dwLowDateTime);
    return 1;
}

void mcl__platform_remove(const mcl__folder *folder, const char *name)
{
    char *const path = path_of(folder, name);
    if (path) (void)DeleteFileA(path);
    free(path);
}

void mcl__platform_remove_left(const mcl__folder *folder, const char *name)
{
    BY_HANDLE_FILE_INFORMATION facts;
    /* This open fails while any process has the file open. */
    const HANDLE handle = file_open(folder, name, GENERIC_READ, 0, &facts);
    if (handle == INVALID_HANDLE_VALUE) return;
    (void)CloseHandle(handle);
    mcl__platform_remove(folder, name);
}
