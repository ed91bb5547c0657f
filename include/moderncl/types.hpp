// types.hpp: gives the library's element type for each C++ type. moderncl.hpp includes this header.
#ifndef MODERNCL_TYPES_HPP
#define MODERNCL_TYPES_HPP

#include "values.h"

#include <cstdint>
#include <type_traits>

namespace mcl
{

// An MCL_HALF number, given by its bits.
struct half {
    std::uint16_t bits;
};

// The element type of T, as type<T>::get(). MCL_CPP_TYPE(point, text) at file scope adds a struct of your own.
template <class T> struct type {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8,
                  "no element type of moderncl: MCL_CPP_TYPE adds a struct");
    static const mcl_type *get()
    {
        if constexpr (std::is_floating_point_v<T>) {
            return sizeof(T) == 4 ? MCL_FLOAT : MCL_DOUBLE;
        } else if constexpr (std::is_signed_v<T>) {
            return sizeof(T) == 1 ? MCL_INT8 : sizeof(T) == 2 ? MCL_INT16 : sizeof(T) == 4 ? MCL_INT32 : MCL_INT64;
        } else {
            return sizeof(T) == 1 ? MCL_UINT8 : sizeof(T) == 2 ? MCL_UINT16 : sizeof(T) == 4 ? MCL_UINT32 : MCL_UINT64;
        }
    }
};

template <class T> const mcl_type *type_of()
{
    return type<std::remove_cv_t<T>>::get();
}

// clang-format off
#define MCL_CPP_KNOWN(name, known)                                                                                     \
    template <> struct type<name> { static const mcl_type *get() { return known; } };
// clang-format on
MCL_CPP_KNOWN(half, MCL_HALF)
#define X(upper, lower, value_text, index_text)                                                                        \
    MCL_CPP_KNOWN(mcl_##lower##_at, MCL_##upper##_AT) MCL_CPP_KNOWN(mcl_##lower##_range, MCL_##upper##_RANGE)
MCL_AT_LIST(X)
#undef X
#define X(upper, lower, number)                                                                                        \
    MCL_CPP_KNOWN(mcl_##lower##2, MCL_##upper##2)                                                                      \
    MCL_CPP_KNOWN(mcl_##lower##3, MCL_##upper##3) MCL_CPP_KNOWN(mcl_##lower##4, MCL_##upper##4)
MCL_VECTOR_LIST(X)
#undef X

// Makes a struct an element type. text is the string that MCL_SOURCE makes from the struct's definition.
#define MCL_CPP_TYPE(name, text)                                                                                       \
    template <> struct mcl::type<name> {                                                                               \
        static const mcl_type *get()                                                                                   \
        {                                                                                                              \
            static const mcl_type known = MCL_TYPE(name, text);                                                        \
            return &known;                                                                                             \
        }                                                                                                              \
    };

#undef MCL_CPP_KNOWN

} // namespace mcl

#endif
