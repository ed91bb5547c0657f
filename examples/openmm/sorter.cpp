// sorter.cpp: the functions of OpenMM's sorter that the library takes over. OpenMM's platform is a plugin, whose names
// other libraries do not see. So these functions have the names of OpenMM's members, but need none of OpenMM's library.
#include "serve.h"
#include "version.hpp"
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <openmm/OpenMMException.h>
#include <unordered_map>

using OpenMM::OpenCLArray;
using OpenMM::OpenCLContext;
using OpenMM::OpenCLSort;
using OpenMM::OpenMMException;

// What OpenMM calls: a constructor, destructors and sort. OpenMM allocates the object. Nobody here uses its memory, but
// for the table of functions that a class with virtual ones has.
extern "C" {
#if OPENMM_HAS_INTERFACE
void create_sorter(OpenCLSort *own, OpenCLContext &context, SortTrait *trait, unsigned length, bool uniform) __asm__(
    "_ZN6OpenMM10OpenCLSortC1ERNS_13OpenCLContextEPNS_15ComputeSortImpl9SortTraitEjb");
void delete_sorter(OpenCLSort *own) __asm__("_ZN6OpenMM10OpenCLSortD0Ev");
void sort(OpenCLSort *own, SortedArray &array) __asm__("_ZN6OpenMM10OpenCLSort4sortERNS_14ArrayInterfaceE");
#else
void create_sorter(OpenCLSort *own, OpenCLContext &context, SortTrait *trait,
                   unsigned length) __asm__("_ZN6OpenMM10OpenCLSortC1ERNS_13OpenCLContextEPNS0_9SortTraitEj");
void sort(OpenCLSort *own, SortedArray &array) __asm__("_ZN6OpenMM10OpenCLSort4sortERNS_11OpenCLArrayE");
#endif
void destroy_sorter(OpenCLSort *own) __asm__("_ZN6OpenMM10OpenCLSortD1Ev");
}

namespace
{
// What no header of OpenMM's has; the context's library has it.
struct Platform {
    decltype(std::declval<OpenCLContext>().getQueue()) (*get_queue)(OpenCLContext *);
#if OPENMM_HAS_INTERFACE
    OpenCLArray &(*unwrap)(const OpenCLContext *, SortedArray &);
    char *functions; // of the class
#endif
};

struct Sorter {
    OpenCLContext &context;
    std::unique_ptr<SortTrait> trait;
    int length;
    Platform platform;
    std::unique_ptr<served_sorter, void (*)(served_sorter *)> served;
};

// The map is never destroyed: programs may end while sorters live, and OpenCL's drivers may be gone before that.
std::mutex turn;
auto &sorters = *new std::unordered_map<const OpenCLSort *, Sorter>;

void must(const char *sentence)
{
    if (sentence) throw OpenMMException(std::string("moderncl_openmm: ") + sentence);
}

template <typename T> void find(void *library, const char *name, T &address)
{
    address = reinterpret_cast<T>(dlsym(library, name));
    if (!address) must("OpenMM's platform lacks a function of the version that this library was built for");
}

// The context's table of functions says which library that is. The context keeps it loaded.
Platform find_platform(OpenCLContext &context)
{
    Dl_info where{};
    if (!dladdr(*reinterpret_cast<void **>(&context), &where)) must("the context is of no library");
    const std::unique_ptr<void, int (*)(void *)> library(dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD), dlclose);
    if (!library) must("the library of the context cannot be opened");
    Platform platform{};
    find(library.get(), "_ZN6OpenMM13OpenCLContext8getQueueEv", platform.get_queue);
#if OPENMM_HAS_INTERFACE
    find(library.get(), "_ZNK6OpenMM13OpenCLContext6unwrapERNS_14ArrayInterfaceE", platform.unwrap);
    find(library.get(), "_ZTVN6OpenMM10OpenCLSortE", platform.functions);
#endif
    return platform;
}

// Elements of the map stay where they are, and OpenMM uses a sorter in one thread at a time.
Sorter &sorter_of(const OpenCLSort *own)
{
    const std::lock_guard<std::mutex> lock(turn);
    return sorters.at(own);
}

void keep(OpenCLSort *own, OpenCLContext &context, SortTrait *trait, unsigned length)
{
    Sorter sorter{ context,
                   std::unique_ptr<SortTrait>(trait),
                   static_cast<int>(length),
                   find_platform(context),
                   { nullptr, serve_release } };
    const sort_trait what = { trait->getDataType(), static_cast<size_t>(trait->getDataSize()), trait->getKeyType(),
                              static_cast<size_t>(trait->getKeySize()), trait->getSortKey() };
    served_sorter *served = nullptr;
    must(serve_create(context.getContext()(), context.getDevice()(), &what, length, &served));
    sorter.served.reset(served);
    const std::lock_guard<std::mutex> lock(turn);
    sorters.emplace(own, std::move(sorter));
}

OpenCLArray &array_of(const Sorter &sorter, SortedArray &array)
{
#if OPENMM_HAS_INTERFACE
    return sorter.platform.unwrap(&sorter.context, array);
#else
    (void)sorter;
    return array;
#endif
}
} // namespace

// OpenMM's own constructor compiles seven kernels and makes five arrays. Nobody needs them here.
#if OPENMM_HAS_INTERFACE
void create_sorter(OpenCLSort *own, OpenCLContext &context, SortTrait *trait, unsigned length, bool uniform)
{
    (void)uniform; // any keys take as long
    keep(own, context, trait, length);
    // The table's functions come after two entries of another kind. The linker has put ours there.
    *reinterpret_cast<char **>(own) = sorter_of(own).platform.functions + 2 * sizeof(void *);
}

void delete_sorter(OpenCLSort *own)
{
    destroy_sorter(own);
    ::operator delete(own);
}
#else
void create_sorter(OpenCLSort *own, OpenCLContext &context, SortTrait *trait, unsigned length)
{
    keep(own, context, trait, length);
}
#endif

void destroy_sorter(OpenCLSort *own)
{
    const std::lock_guard<std::mutex> lock(turn);
    sorters.erase(own);
}

void sort(OpenCLSort *own, SortedArray &array)
{
    const Sorter &sorter = sorter_of(own);
    OpenCLArray &data = array_of(sorter, array);
    if (static_cast<int>(data.getSize()) != sorter.length || data.getElementSize() != sorter.trait->getDataSize())
        must("a sorter is for arrays of one length and type, and this array has another");
    must(serve_sort(sorter.served.get(), sorter.platform.get_queue(&sorter.context)(), data.getDeviceBuffer()(),
                    static_cast<size_t>(sorter.length)));
}
