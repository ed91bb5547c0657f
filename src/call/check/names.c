/* names.c: lists names that a caller's text may not define. They are words of OpenCL C and of CUDA C++, and names of
 * the dialect. Each name is refused for both languages, so that no call works on one device and fails on another. */
#include "call/enqueue.h"

#include <string.h>

/* The reserved words, grouped by first letter, so that a check searches only one short string. Blanks separate the
 * words, and stand at both ends of a string. */
static const char *const reserved[] = {
    " CHAR_BIT ",
    " DBL_EPSILON DBL_MAX DBL_MIN ",
    " FLT_EPSILON FLT_MAX FLT_MIN ",
    " HIGHEST HUGE_VAL HUGE_VALF ",
    " INDEXED INDEX_BITS INFINITY INLINED INT_MAX INT_MIN ",
    " KERNEL_GROUPS ",
    " LESS LOCAL_BYTES_MAX LONG_MAX LONG_MIN LOWEST ",
    " MAXFLOAT M_E M_E_F M_PI M_PI_F ",
    " NAN NULL ",
    " OPENCL_GROUPS ",
    " ROLLED ",
    " SLOT_LOADS_ARE_WIDE STRUCTS_BY_WORDS ",
    " TILE_ITEMS TILE_THREADS ",
    " UINT_MAX ULONG_MAX UNROLL UNROLL_8 USERS_TEXTS_BEGIN USERS_TEXTS_END ",
    " alignas alignof and and_eq asm atomic_double atomic_flag atomic_float atomic_int atomic_intptr_t ",
    " atomic_long atomic_ptrdiff_t atomic_size_t atomic_uint atomic_uintptr_t atomic_ulong auto ",
    " bitand bitor blockDim blockIdx bool break ",
    " case catch char char16_t char32_t char8_t cl_mem_fence_flags class clk_event_t co_await co_return co_yield ",
    " compl complex concept const const_cast constant consteval constexpr constinit continue cudaError_t ",
    " decltype default delete dim3 do double dynamic_cast ",
    " else enum env_type event_t explicit export extern ",
    " false float for friend ",
    " generic global goto gridDim ",
    " half half_bits ",
    " if image1d_array_t image1d_buffer_t image1d_t image2d_array_depth_t image2d_array_msaa_depth_t ",
    " image2d_array_msaa_t image2d_array_t image2d_depth_t image2d_msaa_depth_t image2d_msaa_t image2d_t ",
    " image3d_t imaginary index_type inline int int16_t int32_t int64_t int8_t intptr_t ",
    " kernel ",
    " local long longlong ",
    " memory_order memory_scope mutable ",
    " namespace ndrange_t new no_store noexcept not not_eq nullptr ",
    " operator or or_eq ",
    " pipe private protected ptrdiff_t public ",
    " quad queue_t ",
    " read_only read_write register reinterpret_cast requires reserve_id_t restrict return ",
    " sampler_t short signed size_t sizeof static static_assert static_cast struct switch ",
    " template this threadIdx thread_local throw true try typedef typeid typename typeof ",
    " uchar uint uint16_t uint32_t uint64_t uint8_t uintptr_t ulong ulonglong uniform union unsigned ushort ",
    " using ",
    " vec_step virtual void volatile ",
    " warpSize wchar_t while wide_word write_only ",
    " xor xor_eq ",
};

/* Returns 1 where the list has the word name of length letters. at[-1] exists: lists begin with a blank, and words do
 * not. */
static int list_has(const char *list, const char *name, size_t length)
{
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if (at[-1] == ' ' && at[length] == ' ') return 1;
    return 0;
}

/* Returns 1 for vector types such as float4, and for matrix types such as float2x2, which OpenCL C reserves. */
static int is_vector(const char *name)
{
    static const char *const elements[] = { "char",  "uchar", "short", "ushort",   "int",
                                            "uint",  "long",  "ulong", "longlong", "ulonglong",
                                            "float", "half",  "bool",  "double",   "quad" };
    static const char counts[] = " 1 2 3 4 8 16 ";
    const size_t length = strcspn(name, "0123456789");
    const char *const digits = name + length;
    const size_t first = strspn(digits, "0123456789");
    const char *const second = digits[first] == 'x' ? digits + first + 1 : "";
    if (first == 0 || second[strspn(second, "0123456789")] || (digits[first] && !second[0])) return 0;
    for (size_t k = 0; k < sizeof elements / sizeof *elements; ++k)
        if (strlen(elements[k]) == length && memcmp(elements[k], name, length) == 0)
            return second[0] || list_has(counts, digits, first);
    return 0;
}

int mcl__is_reserved(const char *name)
{
    const size_t length = strlen(name);
    /* Names that compilers and their headers reserve, and the library's own macros. */
    if (name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'))) return 1;
    if (strncmp(name, "MCL_", 4) == 0 || is_vector(name)) return 1;
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; ++k)
        if (reserved[k][1] == name[0] && list_has(reserved[k], name, length)) return 1;
    return 0;
}
