/* peers.c: opens the modules that hold the peers, from the program's folder. */
#define _GNU_SOURCE
#include "bench.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static const char *const peer_names[] = { "native", "cub", "boost" };

int bench_peer_known(const char *name)
{
    for (size_t k = 0; k < sizeof peer_names / sizeof *peer_names; k++)
        if (strcmp(name, peer_names[k]) == 0) return 1;
    return 0;
}

void bench_program_folder(const char *program, char *folder, size_t bytes)
{
    const ssize_t length = readlink("/proc/self/exe", folder, bytes - 1);
    if (length > 0)
        folder[length] = '\0';
    else
        (void)snprintf(folder, bytes, "%s", program);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    else
        (void)snprintf(folder, bytes, ".");
}

/* Returns the ending of a module's file name. The native peers are built twice, for any processor and with AVX2, since
 * POCL compiles for the present processor. */
static const char *variant(const char *name)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (strcmp(name, "native") == 0 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return "_avx2";
#endif
    (void)name;
    return "";
}

static void *module_open(const char *folder, const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/bench_%s%s.so", folder, name, variant(name));
    if (access(path, F_OK) != 0) (void)snprintf(path, sizeof path, "%s/bench_%s.so", folder, name);
    if (access(path, F_OK) != 0) {
        bench_note("--compare %s: %s was not built; cmake -DMCL_BENCH_PEERS=%s asks for it, and says what it needs",
                   name, path, name);
        return NULL;
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module) bench_note("--compare %s: %s", name, dlerror());
    return module;
}

const bench_peer *bench_peer_open(const bench *b, const char *name)
{
    char folder[3072];
    bench_program_folder(b->options->program, folder, sizeof folder);
    void *module = module_open(folder, name);
    if (!module) return NULL;
    bench_peer_entry entry;
    *(void **)&entry = dlsym(module, BENCH_PEER_ENTRY); /* the way to a function pointer that POSIX gives */
    const bench_peer *peer = entry ? entry() : NULL;
    if (!peer || peer->version != BENCH_PEER_VERSION) {
        bench_note("--compare %s: the module belongs to another version of this program", name);
        return NULL;
    }
    if (peer->open(b->queue, &b->info) == 0) return peer;
    bench_note("--compare %s: %s", name, peer->error());
    return NULL;
}
