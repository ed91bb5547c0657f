// sorter.cpp: the functions of OpenMM's sorter that the library takes over. OpenMM's platform is a plugin, whose names
// other libraries do not see. So these functions have the names of OpenMM's members, but need none of OpenMM's library.
#include "serve.h"
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <openmm/OpenMMException.h>
#include <openmm/opencl/OpenCLSort.h>
#include <unordered_map>

using OpenMM::OpenCLArray;
using OpenMM::OpenCLContext;
using OpenMM::OpenCLSort;
using OpenMM::OpenMMException;

// What OpenMM calls: a constructor, a destructor and sort. OpenMM allocates the object, whose memory nobody here uses.
extern "C" {
void create_sorter(OpenCLSort *own, OpenCLContext &context, OpenCLSort::SortTrait *trait,
                   unsigned length) __asm__("_ZN6OpenMM10OpenCLSortC1ERNS_13OpenCLContextEPNS0_9SortTraitEj");
void destroy_sorter(OpenCLSort *own) __asm__("_ZN6OpenMM10OpenCLSortD1Ev");
void sort(OpenCLSort *own, OpenCLArray &data) __asm__("_ZN6OpenMM10OpenCLSort4sortERNS_11OpenCLArrayE");
}

namespace
{
using GetQueue = cl::CommandQueue &(*)(OpenCLContext *);

struct Sorter {
    OpenCLContext &context;
    std::unique_ptr<OpenCLSort::SortTrait> trait;
    int length;
    GetQueue get_queue;
    std::unique_ptr<served_sorter, void (*)(served_sorter *)> served;
};

// The map is never destroyed: programs may end while sorters live, and OpenCL's drivers may be gone before that.
std::mutex turn;
auto &sorters = *new std::unordered_map<const OpenCLSort *, Sorter>;

void must(const char *sentence)
{
    if (sentence) throw OpenMMException(std::string("moderncl_openmm: ") + sentence);
}

// The one function of OpenMM's library that no header has. The context's table of functions says which library that is.
GetQueue find_get_queue(OpenCLContext &context)
{
    Dl_info where{};
    if (!dladdr(*reinterpret_cast<void **>(&context), &where)) must("the context is of no library");
    void *const library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    void *const function = library ? dlsym(library, "_ZN6OpenMM13OpenCLContext8getQueueEv") : nullptr;
    if (library) dlclose(library); // one reference less; the context keeps the library
    if (!function) must("OpenCLContext::getQueue is not there: this is not OpenMM 7.7");
    return reinterpret_cast<GetQueue>(function);
}

// Elements of the map stay where they are, and OpenMM uses a sorter in one thread at a time.
Sorter &sorter_of(const OpenCLSort *own)
{
    const std::lock_guard<std::mutex> lock(turn);
    return sorters.at(own);
}
} // namespace

// OpenMM's own constructor compiles seven kernels and makes five arrays. Nobody needs them here.
void create_sorter(OpenCLSort *own, OpenCLContext &context, OpenCLSort::SortTrait *trait, unsigned length)
{
    Sorter sorter{ context, std::unique_ptr<OpenCLSort::SortTrait>(trait), static_cast<int>(length),
                   find_get_queue(context), { nullptr, serve_release } };
    const sort_trait what = { trait->getDataType(), static_cast<size_t>(trait->getDataSize()), trait->getKeyType(),
                              static_cast<size_t>(trait->getKeySize()), trait->getSortKey() };
    served_sorter *served = nullptr;
    must(serve_create(context.getContext()(), context.getDevice()(), &what, length, &served));
    sorter.served.reset(served);
    const std::lock_guard<std::mutex> lock(turn);
    sorters.emplace(own, std::move(sorter));
}

void destroy_sorter(OpenCLSort *own)
{
    const std::lock_guard<std::mutex> lock(turn);
    sorters.erase(own);
}

void sort(OpenCLSort *own, OpenCLArray &data)
{
    Sorter &sorter = sorter_of(own);
    if (data.getSize() != sorter.length || data.getElementSize() != sorter.trait->getDataSize())
        must("a sorter is for arrays of one length and type, and this array has another");
    must(serve_sort(sorter.served.get(), sorter.get_queue(&sorter.context)(), data.getDeviceBuffer()(),
                    static_cast<size_t>(sorter.length)));
}
