// moderncl.hpp: the C API for C++17. Each function mcl_NAME is mcl::NAME here, with the same parameters in the same
// order. It only calls the C function.
//
// 1. A status other than MCL_OK becomes the exception mcl::error, which has status and sentence. With -fno-exceptions
// mcl::error_handler gets both, and then the program is aborted. mcl::attempt(mcl_NAME, ...) returns them instead.
// 2. If the last parameter in C is a pointer for a result, the result is returned: mcl::queue_create(context, 0) gives
// a queue, mcl::context_info(context) an mcl_device_info.
// 3. Options, a result, a report, initial data and a name may be left out at the end.
// 4. A list, which C takes as a pointer and a count, is one argument: a std::array, std::vector or mcl::list.
// 5. Handles release the objects that they own. Handles, spans, operators and options convert to C's types, so the
// functions of C take them too.
//
// Only values that have a type in C++ differ: mcl::to_host(&sum) is mcl_to_host(MCL_INT32, &sum), and a mcl::span or
// mcl::array stands where C has mcl_from_buffer or mcl_to_buffer. A whole number is an amount, or a count of work. The
// functions of opencl.h, cuda.h, ranks.h and mpi.h are here too, for files that include these headers before this one.
#ifndef MODERNCL_MODERNCL_HPP
#define MODERNCL_MODERNCL_HPP

#include "errors.hpp"
#include "functions.hpp"
#include "moderncl.h"
#include "types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace mcl
{

// ---- handles --------------------------------------------------------------------------------------------------

// The ownership of an object of the library. A map has one owner; references to other objects are counted.
template <class Object> struct ownership;

// Owns one reference. A unique handle cannot be copied.
template <class Object> struct unique_handle {
    unique_handle() = default;
    explicit unique_handle(Object *owned) noexcept : object_(owned) {}
    unique_handle(unique_handle &&other) noexcept : object_(other.detach()) {}
    unique_handle &operator=(unique_handle &&other) noexcept
    {
        reset(other.detach());
        return *this;
    }
    ~unique_handle() { reset(); }

    Object *get() const noexcept { return object_; }
    operator Object *() const noexcept { return object_; }

    // Returns the object and gives up its reference, which then belongs to the caller.
    Object *detach() noexcept { return std::exchange(object_, nullptr); }

    void reset(Object *owned = nullptr) noexcept
    {
        Object *const old = std::exchange(object_, owned);
        if (old) ownership<Object>::release(old);
    }

    // Returns the address where a C function stores a new reference, as in options.done = done.put().
    Object **put() noexcept
    {
        reset();
        return &object_;
    }

  private:
    Object *object_ = nullptr;
};

// Owns one reference. A copy owns another reference.
template <class Object> struct handle : unique_handle<Object> {
    using unique_handle<Object>::unique_handle;
    handle() = default;
    handle(handle &&) noexcept = default;
    handle &operator=(handle &&) noexcept = default;
    handle(const handle &other) : unique_handle<Object>(retained(other.get())) {}
    handle &operator=(const handle &other)
    {
        this->reset(retained(other.get()));
        return *this;
    }

    // Returns a handle of an object that has another owner too.
    static handle share(Object *object) { return handle(retained(object)); }

  private:
    static Object *retained(Object *object)
    {
        if (object) check(ownership<Object>::retain(object));
        return object;
    }
};

// clang-format off
#define MCL_CPP_COUNTED(name)                                                                                          \
    template <> struct ownership<mcl_##name> {                                                                         \
        using owner = handle<mcl_##name>;                                                                              \
        static mcl_status retain(mcl_##name *object) { return mcl_##name##_retain(object); }                           \
        static void release(mcl_##name *object) { mcl_##name##_release(object); }                                      \
    };                                                                                                                 \
    using name = handle<mcl_##name>;
#define MCL_CPP_OWNED(name)                                                                                            \
    template <> struct ownership<mcl_##name> {                                                                         \
        using owner = unique_handle<mcl_##name>;                                                                       \
        static void release(mcl_##name *object) { mcl_##name##_release(object); }                                      \
    };                                                                                                                 \
    using name = unique_handle<mcl_##name>;
// clang-format on

MCL_CPP_COUNTED(context)
MCL_CPP_COUNTED(queue)
MCL_CPP_COUNTED(buffer)
MCL_CPP_COUNTED(event)
MCL_CPP_COUNTED(recording)
MCL_CPP_OWNED(map)
MCL_CPP_OWNED(multimap)

// ---- calls ----------------------------------------------------------------------------------------------------

// Makes a list, which C takes as a pointer and a count.
template <class First, class... More> std::array<First, 1 + sizeof...(More)> list(First first, More... more)
{
    return { { std::move(first), std::move(more)... } };
}

namespace detail
{

template <class T> inline constexpr bool is_list = false;
template <class T> inline constexpr bool is_list<std::vector<T>> = true;
template <class T, std::size_t n> inline constexpr bool is_list<std::array<T, n>> = true;

// Returns an argument in the form of one or two arguments of C.
template <class Argument> auto expanded(Argument &&argument)
{
    if constexpr (is_list<std::decay_t<Argument>>)
        return std::make_tuple(argument.data(), static_cast<int>(argument.size()));
    else
        return std::tuple<Argument &&>(std::forward<Argument>(argument));
}

// Memory for the result of the last parameter. Pointed is the parameter's type without the pointer.
template <class Pointed> struct received {
    Pointed value{};
    Pointed *address() { return &value; }
};
template <class Object> struct received<Object *> {
    typename ownership<Object>::owner value;
    Object **address() { return value.put(); }
};
struct nothing_received {
    std::nullptr_t address() { return nullptr; }
};

// Returns the default for a parameter that the caller leaves out.
template <class Parameter> Parameter omitted()
{
    static_assert(std::is_same_v<Parameter, mcl_result> || std::is_same_v<Parameter, const mcl_options *> ||
                      std::is_same_v<Parameter, mcl_sort_report *> || std::is_same_v<Parameter, const void *> ||
                      std::is_same_v<Parameter, const char *>,
                  "too few arguments: only options, results, reports, initial data and names may be left out");
    return Parameter{};
}

// Tells whether an argument converts. Its assertions explain a wrong argument to a beginner.
template <class Parameter, class Element> constexpr bool is_understood()
{
    constexpr bool fits = std::is_convertible_v<Element, Parameter>;
    constexpr bool is_operator = std::is_same_v<Parameter, const mcl_op *>;
    constexpr bool is_operand = std::is_convertible_v<Element, mcl_input> || std::is_convertible_v<Element, mcl_output>;
    constexpr bool is_no_input = std::is_same_v<Parameter, mcl_input> && !fits;
    constexpr bool is_no_output = std::is_same_v<Parameter, mcl_output> && !fits;
    constexpr bool is_read_only = std::is_convertible_v<Element, mcl_input>;
    static_assert(fits || !is_operator || !is_operand, "no operator: an operand is given for it");
    static_assert(fits || !is_operator || is_operand,
                  "no operator: expected one of the library's, as MCL_LESS, or text for the device, as "
                  "mcl::order(\"p < q\"); a lambda or a function of the host cannot run there");
    constexpr bool is_no_result = std::is_same_v<Parameter, mcl_result> && !fits;
    static_assert(!is_no_input, "no input: expected an array or a span of the device, or what a function makes, as "
                                "mcl::from_expression<float>(\"i * 2\", 8)");
    static_assert(!is_no_output || !is_read_only, "no output: a span of const elements and an input can only be read");
    static_assert(!is_no_output || is_read_only,
                  "no output: expected an array or a span of the device, or mcl::no_output() where none is wanted");
    static_assert(!is_no_result,
                  "no result: expected mcl::to_host(&number), or an element of an array or a span that is "
                  "not const");
    return fits || !(is_operator || is_no_input || is_no_output || is_no_result);
}

template <class Parameter, std::size_t k, std::size_t count, class Given, class Receiver>
decltype(auto) argument([[maybe_unused]] Given &given, [[maybe_unused]] Receiver &receiver)
{
    if constexpr (k < std::tuple_size_v<Given>) {
        using type = std::decay_t<std::tuple_element_t<k, Given>>;
        // The cast lets a caller pass an int literal where C takes a size, without a warning.
        if constexpr (std::is_integral_v<Parameter> && std::is_integral_v<type> && sizeof(type) <= sizeof(Parameter))
            return static_cast<Parameter>(std::get<k>(given));
        else if constexpr (std::is_integral_v<type> && std::is_same_v<Parameter, mcl_amount>)
            return mcl_amount_of(static_cast<std::int64_t>(std::get<k>(given)));
        else if constexpr (std::is_integral_v<type> && std::is_same_v<Parameter, mcl_work>)
            return mcl_work_items(static_cast<std::int64_t>(std::get<k>(given)));
        else if constexpr (is_understood<Parameter, std::tuple_element_t<k, Given>>())
            return std::get<k>(std::move(given));
        else
            return Parameter{};
    } else if constexpr (k + 1 == count && !std::is_same_v<Receiver, nothing_received>) {
        return receiver.address();
    } else {
        return omitted<Parameter>();
    }
}

// Tells whether an operand gets a pointer to host memory: expanded() turns a std::vector into a pointer.
template <class Parameter, std::size_t k, class Given> constexpr bool is_host_memory()
{
    constexpr bool is_operand = std::is_same_v<Parameter, mcl_input> || std::is_same_v<Parameter, mcl_output>;
    if constexpr (is_operand && k < std::tuple_size_v<Given>)
        return std::is_pointer_v<std::decay_t<std::tuple_element_t<k, Given>>>;
    else
        return false;
}

template <class Receiver, class Result, class... Parameters, class Given, std::size_t... k>
Result apply(Result (*function)(Parameters...), Given &given, Receiver &receiver, std::index_sequence<k...>)
{
    constexpr bool is_host = (is_host_memory<Parameters, k, Given>() || ...);
    static_assert(!is_host, "no operand: memory of the host; expected mcl::array, which copies a std::vector to the "
                            "device, or mcl::span, a range of a buffer");
    if constexpr (is_host)
        return Result();
    else
        return function(argument<Parameters, k, sizeof...(k)>(given, receiver)...);
}

// Says whether C stores a result through the last parameter. If the caller leaves it out, the result is returned.
template <class Last>
inline constexpr bool is_returned = std::is_pointer_v<Last> && !std::is_const_v<std::remove_pointer_t<Last>>;

// Calls a C function that returns a status. If it fails, sentence() has the reason.
template <class... Parameters, class... Arguments>
auto attempt(const char *(*sentence)(), mcl_status (*function)(Parameters...), std::tuple<Arguments...> given)
{
    constexpr std::size_t count = sizeof...(Parameters);
    constexpr std::make_index_sequence<count> indices;
    static_assert(sizeof...(Arguments) <= count, "too many arguments");
    using last = std::tuple_element_t<count - 1, std::tuple<Parameters...>>;
    if constexpr (sizeof...(Arguments) < count && is_returned<last>) {
        received<std::remove_pointer_t<last>> result;
        const mcl_status status = apply(function, given, result, indices);
        return outcome<decltype(result.value)>(status, sentence, std::move(result.value));
    } else {
        nothing_received nothing;
        const mcl_status status = apply(function, given, nothing, indices);
        return outcome<>(status, sentence);
    }
}

// Calls a C function. If it fails, this call fails with the text of sentence().
template <class Result, class... Parameters, class... Arguments>
auto call(const char *(*sentence)(), Result (*function)(Parameters...), std::tuple<Arguments...> given)
{
    if constexpr (std::is_same_v<Result, mcl_status>) {
        return attempt(sentence, function, std::move(given)).value();
    } else {
        static_assert(sizeof...(Arguments) == sizeof...(Parameters), "too few or too many arguments");
        nothing_received nothing;
        return apply(function, given, nothing, std::make_index_sequence<sizeof...(Parameters)>());
    }
}

} // namespace detail

// Calls any function of the C API by the rules at the head of this file: mcl::call(mcl_reduce, queue, in, MCL_ADD,
// mcl::to_host(&sum)).
template <class Result, class... Parameters, class... Arguments>
auto call(Result (*function)(Parameters...), Arguments &&...arguments)
{
    return detail::call(mcl_last_error, function,
                        std::tuple_cat(detail::expanded(std::forward<Arguments>(arguments))...));
}

// Does the same as call, but never throws or aborts. The mcl::outcome that it returns has the status.
template <class... Parameters, class... Arguments>
auto attempt(mcl_status (*function)(Parameters...), Arguments &&...arguments)
{
    return detail::attempt(mcl_last_error, function,
                           std::tuple_cat(detail::expanded(std::forward<Arguments>(arguments))...));
}

// Defines mcl::NAME, which calls mcl_NAME through mcl::call.
#define MCL_CPP_FUNCTION(name)                                                                                         \
    template <class... Arguments> auto name(Arguments &&...arguments)                                                  \
    {                                                                                                                  \
        return call(mcl_##name, std::forward<Arguments>(arguments)...);                                                \
    }

MCL_CPP_FUNCTIONS(MCL_CPP_FUNCTION)

// ---- operands -------------------------------------------------------------------------------------------------

// One element of a buffer, for a result or a count. A slot of const T cannot receive a result.
template <class T> struct slot {
    mcl_buffer *buffer;
    std::int64_t offset;
    template <class Result, class = std::enable_if_t<std::is_same_v<Result, mcl_result> && !std::is_const_v<T>>>
    operator Result() const
    {
        return mcl_to_slot(type_of<T>(), buffer, offset);
    }
};

// A span: count elements of a buffer from offset on. A span owns nothing. A span of const T is no output. A span or an
// array of T converts to one.
template <class T> struct span {
    mcl_buffer *buffer;
    std::int64_t offset;
    std::int64_t count;

    operator mcl_input() const { return mcl_from_buffer(type_of<T>(), buffer, offset, count); }
    template <class Output, class = std::enable_if_t<std::is_same_v<Output, mcl_output> && !std::is_const_v<T>>>
    operator Output() const
    {
        return mcl_to_buffer(type_of<T>(), buffer, offset, count);
    }
    template <class Read, std::enable_if_t<std::is_same_v<Read, span<const T>> && !std::is_const_v<T>, int> = 0>
    operator Read() const
    {
        return { buffer, offset, count };
    }

    span first(std::int64_t length) const { return { buffer, offset, length }; }
    span from(std::int64_t index) const { return { buffer, offset + index, count - index }; }
    slot<T> operator[](std::int64_t index) const { return { buffer, offset + index }; }
};

// A buffer of count elements, with its span. Copies share the buffer. As an output, mcl::array<T>{} means not wanted,
// and so does an array after a move from it.
template <class T> struct array : span<T> {
    mcl::buffer owned;

    array() : span<T>{ nullptr, 0, 0 } {}
    array(const array &) = default;
    array &operator=(const array &) = default;
    array(array &&other) noexcept
        : span<T>(std::exchange(static_cast<span<T> &>(other), span<T>{ nullptr, 0, 0 })), owned(std::move(other.owned))
    {
    }
    array &operator=(array &&other) noexcept
    {
        static_cast<span<T> &>(*this) = std::exchange(static_cast<span<T> &>(other), span<T>{ nullptr, 0, 0 });
        owned = std::move(other.owned);
        return *this;
    }
    ~array() = default;
    array(mcl_context *in_context, std::int64_t length, const T *data = nullptr)
        : span<T>{ nullptr, 0, length }, owned(buffer_create(in_context, static_cast<std::size_t>(length) * sizeof(T),
                                                             static_cast<const void *>(data)))
    {
        this->buffer = owned;
    }
    array(mcl_context *in_context, const std::vector<T> &data)
        : array(in_context, static_cast<std::int64_t>(data.size()), data.data())
    {
    }
    array(mcl_context *in_context, std::initializer_list<T> data)
        : array(in_context, static_cast<std::int64_t>(data.size()), data.begin())
    {
    }
};

// Wait, and copy a span to the host or from the host.
template <class T> std::vector<std::remove_const_t<T>> read(mcl_queue *on_queue, const span<T> &from)
{
    std::vector<std::remove_const_t<T>> data(static_cast<std::size_t>(from.count));
    buffer_read(on_queue, from.buffer, static_cast<std::size_t>(from.offset) * sizeof(T), data.size() * sizeof(T),
                static_cast<void *>(data.data()));
    return data;
}
template <class T> void write(mcl_queue *on_queue, const span<T> &to, const std::vector<T> &data)
{
    if (static_cast<std::int64_t>(data.size()) > to.count)
        fail(MCL_ERROR_ARGUMENT, "mcl::write: data are longer than the span");
    buffer_write(on_queue, to.buffer, static_cast<std::size_t>(to.offset) * sizeof(T), data.size() * sizeof(T),
                 static_cast<const void *>(data.data()));
}

// Make an output and an input that mean not wanted.
inline mcl_output no_output()
{
    return mcl_output{};
}
inline mcl_input no_input()
{
    return mcl_input{};
}

// Do the same as the functions of values.h and views.h. Element types come from the arguments.
template <class T> mcl_input from_buffer(const span<T> &elements)
{
    return elements;
}
template <class T> mcl_output to_buffer(const span<T> &elements)
{
    return elements;
}
template <class T> mcl_input from_counting(T start, std::int64_t count)
{
    return mcl_from_counting(type_of<T>(), &start, count);
}
template <class T> mcl_input from_step(T start, T step, std::int64_t count)
{
    return mcl_from_step(type_of<T>(), &start, &step, count);
}
template <class T> mcl_input from_constant(T value, std::int64_t count)
{
    return mcl_from_constant(type_of<T>(), &value, count);
}
template <class T>
mcl_input from_expression(const char *expression, std::int64_t count, std::initializer_list<mcl_binding> bindings = {},
                          const char *source = nullptr)
{
    return mcl_from_expression(type_of<T>(), expression, source, bindings.begin(), static_cast<int>(bindings.size()),
                               count);
}
template <class T> mcl_input from_reversed(const span<T> &x)
{
    return mcl_from_reversed(type_of<T>(), x.buffer, x.offset, x.count);
}
template <class T> mcl_input from_rotated(const span<T> &x, std::int64_t by)
{
    return mcl_from_rotated(type_of<T>(), x.buffer, x.offset, x.count, by);
}
template <class T> mcl_input from_shuffled(const span<T> &x, std::uint64_t seed)
{
    return mcl_from_shuffled(type_of<T>(), x.buffer, x.offset, x.count, seed);
}
template <class T> mcl_input from_differences(const span<T> &x)
{
    return mcl_from_differences(type_of<T>(), x.buffer, x.offset, x.count);
}
template <class T, class Of>
mcl_input from_neighbours(const char *expression, const span<Of> &x, const char *source = nullptr)
{
    return mcl_from_neighbours(type_of<T>(), expression, source, type_of<Of>(), x.buffer, x.offset, x.count);
}
template <class T> mcl_input with_count(const mcl_input &input, const slot<T> &count)
{
    return mcl_with_count_of(input, type_of<T>(), count.buffer, count.offset);
}
template <class T> mcl_amount amount_in_slot(std::int64_t bound, const slot<T> &number)
{
    return mcl_amount_in_slot(bound, type_of<T>(), number.buffer, number.offset);
}
template <class T> mcl_work work_in_slot(std::int64_t bound, const slot<T> &count)
{
    return mcl_work_in_slot_of(bound, type_of<T>(), count.buffer, count.offset);
}
template <class T> mcl_result to_host(T *host)
{
    return mcl_to_host(type_of<T>(), host);
}
template <class T> mcl_result to_slot(const slot<T> &element)
{
    return element;
}
template <class T> mcl_result to_host_and_slot(T *host, const slot<T> &element)
{
    return mcl_to_host_and_slot(type_of<T>(), host, element.buffer, element.offset);
}

// Make a name for expressions: for an array on the device, or for one value.
template <class T> mcl_binding binding_buffer(const char *name, const span<T> &elements)
{
    return mcl_binding_buffer(name, type_of<T>(), elements.buffer, elements.offset);
}
template <class T> mcl_binding binding_value(const char *name, T value)
{
    return mcl_binding_value(name, type_of<T>(), &value);
}

template <class T>
void random(mcl_queue *on_queue, const span<T> &out, std::uint64_t seed, std::int64_t first, T low, T high,
            const mcl_options *with = nullptr)
{
    check(mcl_random(on_queue, out, seed, first, &low, &high, with));
}

// ---- operators and options ------------------------------------------------------------------------------------

// An operator of your own. It has the members of mcl_op, which may be changed.
struct op : mcl_op {
    op(mcl_role of_role, const char *text, std::initializer_list<mcl_binding> bound = {}) : mcl_op{}
    {
        role = of_role;
        expression = text;
        if (bound.size() > MCL_BINDINGS_MAX) fail(MCL_ERROR_ARGUMENT, "mcl::op: too many bindings");
        for (const mcl_binding &binding : bound) bindings[binding_count++] = binding;
    }
    operator const mcl_op *() const { return this; }
};
#define MCL_CPP_ROLE(name, role)                                                                                       \
    inline op name(const char *expression, std::initializer_list<mcl_binding> bindings = {})                           \
    {                                                                                                                  \
        return op(role, expression, bindings);                                                                         \
    }
MCL_CPP_ROLE(fold, MCL_ROLE_FOLD)
MCL_CPP_ROLE(order, MCL_ROLE_ORDER)
MCL_CPP_ROLE(equality, MCL_ROLE_EQUALITY)
MCL_CPP_ROLE(test, MCL_ROLE_TEST)
MCL_CPP_ROLE(function, MCL_ROLE_FUNCTION)
MCL_CPP_ROLE(index, MCL_ROLE_INDEX)

struct options : mcl_options {
    options() : mcl_options{} { size = sizeof(mcl_options); }
    operator const mcl_options *() const { return this; }
};

// ---- other headers --------------------------------------------------------------------------------------------

// clang-format off
#ifdef MODERNCL_OPENCL_H
#define MCL_CPP_OPENCL_FUNCTIONS(X)                                                                                    \
    X(opencl_loader_set) X(opencl_context_wrap) X(opencl_queue_wrap) X(opencl_buffer_wrap) X(opencl_svm_wrap)          \
    X(opencl_usm_wrap) X(opencl_event_wrap) X(opencl_launch) X(opencl_context) X(opencl_device) X(opencl_queue)        \
    X(opencl_buffer) X(opencl_event)
MCL_CPP_OPENCL_FUNCTIONS(MCL_CPP_FUNCTION)
#endif

#ifdef MODERNCL_CUDA_H
#define MCL_CPP_CUDA_FUNCTIONS(X)                                                                                      \
    X(cuda_loader_set) X(cuda_context_wrap) X(cuda_queue_wrap) X(cuda_buffer_wrap) X(cuda_peer_buffer_wrap)            \
    X(cuda_event_wrap) X(cuda_launch) X(cuda_context) X(cuda_queue) X(cuda_buffer) X(cuda_event)
MCL_CPP_CUDA_FUNCTIONS(MCL_CPP_FUNCTION)
#endif

#ifdef MODERNCL_RANKS_H
MCL_CPP_OWNED(mpi) // mcl_mpi_release is collective: all ranks must release their handles
MCL_CPP_OWNED(mpi_map)
MCL_CPP_FUNCTION(mpi_last_error)
#define MCL_CPP_MPI_FUNCTION(name)                                                                                     \
    template <class... Arguments> auto name(Arguments &&...arguments)                                                  \
    {                                                                                                                  \
        return detail::call(mcl_mpi_last_error, mcl_##name,                                                            \
                            std::tuple_cat(detail::expanded(std::forward<Arguments>(arguments))...));                  \
    }
#define MCL_CPP_MPI_FUNCTIONS(X)                                                                                       \
    X(mpi_create_with) X(mpi_time_phases) X(mpi_get_info) X(mpi_redistribute) X(mpi_reduce) X(mpi_scan) X(mpi_sort)    \
    X(mpi_sort_pairs) X(mpi_sort_indices) X(mpi_merge) X(mpi_merge_pairs) X(mpi_set_intersection) X(mpi_set_union)     \
    X(mpi_set_difference) X(mpi_set_symmetric_difference) X(mpi_join_unsorted) X(mpi_top_k) X(mpi_top_k_pairs)         \
    X(mpi_top_k_indices) X(mpi_nth_element) X(mpi_compact) X(mpi_unique) X(mpi_reduce_by_key) X(mpi_histogram)         \
    X(mpi_histogram_even) X(mpi_histogram_range) X(mpi_map_create) X(mpi_map_insert) X(mpi_map_insert_or_assign)       \
    X(mpi_map_insert_or_apply) X(mpi_map_find) X(mpi_map_contains) X(mpi_map_erase) X(mpi_map_retrieve_all)            \
    X(mpi_map_size) X(mpi_map_skipped) X(mpi_map_clear) X(mpi_set_intersection_pairs) X(mpi_set_union_pairs)           \
    X(mpi_set_difference_pairs) X(mpi_set_symmetric_difference_pairs) X(mpi_segmented_reduce) X(mpi_segmented_scan)    \
    X(mpi_scan_by_key) X(mpi_partition) X(mpi_nth_elements) X(mpi_quantiles) X(mpi_multisplit)                         \
    X(mpi_multisplit_pairs) X(mpi_group_by) X(mpi_distinct)
MCL_CPP_MPI_FUNCTIONS(MCL_CPP_MPI_FUNCTION)
#ifdef MODERNCL_MPI_H
#define MCL_CPP_MPI_ALONE(X) X(mpi_create)
MCL_CPP_MPI_ALONE(MCL_CPP_MPI_FUNCTION)
#undef MCL_CPP_MPI_ALONE
#endif
#endif
// clang-format on

#undef MCL_CPP_COUNTED
#undef MCL_CPP_OWNED
#undef MCL_CPP_ROLE
#undef MCL_CPP_FUNCTION
#undef MCL_CPP_FUNCTIONS
#undef MCL_CPP_OPENCL_FUNCTIONS
#undef MCL_CPP_CUDA_FUNCTIONS
#undef MCL_CPP_MPI_FUNCTION
#undef MCL_CPP_MPI_FUNCTIONS

} // namespace mcl

#endif
