// module.hpp: the frame of a module of peers (peer.h). Operations register themselves, and each offers candidates for a
// problem. The frame runs, times and names the candidates.
#pragma once
#include "peer.h"

#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

// Marks the one exported symbol. All others are hidden, so that two modules never share an object.
#define BENCH_PEER_EXPORT __attribute__((visibility("default")))

namespace peers
{

struct candidate {
    std::string name;
    std::function<void()> run;
    std::function<void()> fetch; // brings outputs to out[].result; empty: the module's fetch does
};

using candidates = std::vector<candidate>;

inline void add(candidates &list, const char *name, std::function<void()> run, std::function<void()> fetch = {})
{
    list.push_back({ name, std::move(run), std::move(fetch) });
}

using offer = void (*)(const bench_problem &problem, candidates &list);

struct registered {
    const char *op;
    offer function;
};

inline std::vector<registered> &registry()
{
    static std::vector<registered> list;
    return list;
}

// A registration. A module has one static object of this type for each operation that it knows.
struct register_op {
    register_op(const char *op, offer function) { registry().push_back({ op, function }); }
};

// Functions that each module defines for itself. Each throws std::exception with a sentence on failure.
struct module_functions {
    const char *name;
    void (*open)(mcl_queue *queue, const mcl_device_info *info);
    double (*time)(const std::function<void()> &run, bool queued); // milliseconds
    void (*fetch)(const bench_problem &problem);
    void (*end)(); // releases what the candidates have taken
    std::string (*named)(const std::string &name); // gives a candidate's printed name; NULL: its own
};
const module_functions &module(); // each module defines it

struct frame {
    const bench_problem *problem = nullptr;
    candidates list;
    std::string sentence;

    static frame &get()
    {
        static frame instance;
        return instance;
    }

    template <class F> int guarded(F body)
    {
        try {
            return body();
        } catch (const std::exception &failure) {
            sentence = failure.what();
            return -1;
        }
    }
};

inline int frame_open(mcl_queue *queue, const mcl_device_info *info)
{
    return frame::get().guarded([&] {
        module().open(queue, info);
        return 0;
    });
}

inline int frame_begin(const bench_problem *problem)
{
    frame &f = frame::get();
    f.problem = problem;
    f.list.clear();
    return f.guarded([&] {
        for (const registered &entry : registry())
            if (std::strcmp(entry.op, problem->op) == 0) entry.function(*problem, f.list);
        if (module().named)
            for (candidate &c : f.list) c.name = module().named(c.name);
        return static_cast<int>(f.list.size());
    });
}

inline const char *frame_candidate(int index)
{
    return frame::get().list[static_cast<size_t>(index)].name.c_str();
}

inline int frame_run(int index, int queued, double *milliseconds)
{
    frame &f = frame::get();
    return f.guarded([&] {
        *milliseconds = module().time(f.list[static_cast<size_t>(index)].run, queued != 0);
        return 0;
    });
}

inline int frame_fetch(int index)
{
    frame &f = frame::get();
    return f.guarded([&] {
        const candidate &c = f.list[static_cast<size_t>(index)];
        if (c.fetch)
            c.fetch();
        else
            module().fetch(*f.problem);
        return 0;
    });
}

inline void frame_end()
{
    frame::get().list.clear();
    module().end();
}

inline const char *frame_error()
{
    return frame::get().sentence.c_str();
}

inline const bench_peer *frame_peer()
{
    static const bench_peer peer = { BENCH_PEER_VERSION, module().name, frame_open, frame_begin, frame_candidate,
                                     frame_run,          frame_fetch,   frame_end,  frame_error };
    return &peer;
}

// Calls body(T()) with the element type that a name stands for, if the type is in the list.
template <class T> struct type_name;
template <> struct type_name<int8_t> {
    static constexpr const char *value = "int8";
};
template <> struct type_name<int16_t> {
    static constexpr const char *value = "int16";
};
template <> struct type_name<int32_t> {
    static constexpr const char *value = "int32";
};
template <> struct type_name<int64_t> {
    static constexpr const char *value = "int64";
};
template <> struct type_name<uint32_t> {
    static constexpr const char *value = "uint32";
};
template <> struct type_name<uint64_t> {
    static constexpr const char *value = "uint64";
};
template <> struct type_name<float> {
    static constexpr const char *value = "float32";
};
template <> struct type_name<double> {
    static constexpr const char *value = "float64";
};

template <class... Types, class F> void with_type(const bench_problem &problem, F body)
{
    const auto attempt = [&](auto zero) {
        if (std::strcmp(type_name<decltype(zero)>::value, problem.type) == 0) body(zero);
    };
    (attempt(Types()), ...);
}

template <class F> void with_number(const bench_problem &problem, F body)
{
    with_type<int8_t, int32_t, int64_t, uint32_t, uint64_t, float, double>(problem, body);
}

template <class T> const T *input(const bench_problem &problem, int index)
{
    return static_cast<const T *>(problem.in[index].host);
}
template <class T> T *result(const bench_problem &problem, int index)
{
    return static_cast<T *>(problem.out[index].result);
}

// Returns true where the problem's segments are rows of one length, given by their offsets.
inline bool are_rows(const bench_problem &problem)
{
    return std::strstr(problem.op, "_rows_") != nullptr;
}

// Type of the values in pairs. Keys of 8 bytes have values of 8 bytes.
template <class T> using value_of = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;

// An element with its index, in the layout of moderncl's MCL_INT32_AT and its like.
template <class T> struct at {
    T value;
    value_of<T> index;
};

} // namespace peers
