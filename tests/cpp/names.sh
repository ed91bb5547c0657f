#!/bin/bash
# Every public function of the C headers is callable as mcl::NAME with the arguments of C, or is a handle's own.
# The list of functions is that of the C headers. usage: names.sh CXX FOLDER of OpenCL's headers
set -euo pipefail
compiler=$1 opencl=$2
cd "$(dirname "$(readlink -f "$0")")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

diff <(tools/list_functions) include/moderncl/functions.hpp ||
    { echo "cpp_names: functions.hpp is old; tools/list_functions > include/moderncl/functions.hpp"; exit 1; }

# What handles do.
owned='^(context|queue|buffer|event|recording)_(retain|release)$|^(map|multimap|mpi|mpi_map)_release$'

headers=(include/moderncl/*.h)
flags=("-I$PWD/include" "-I$opencl")
if mpi=$(pkg-config --cflags ompi-c 2> /dev/null || pkg-config --cflags mpich 2> /dev/null); then
    read -ra words <<< "$mpi"
    flags+=("${words[@]}" -DOMPI_SKIP_MPICXX)
else
    echo "no MPI: the functions of mpi.h are not looked at"
    headers=("${headers[@]//*\/mpi.h/}")
fi
mapfile -t names < <(sed -nE 's/^MCL_(MPI_)?API .*[ *]mcl_([a-z0-9_]*)\(.*/\2/p' "${headers[@]}" 2> /dev/null | sort -u)

{
    echo '#define MCL_CUDA_TYPES_DECLARED'
    echo 'typedef struct CUctx_st *CUcontext;'
    echo 'typedef struct CUstream_st *CUstream;'
    echo 'typedef struct CUevent_st *CUevent;'
    echo 'typedef unsigned long long CUdeviceptr;'
    for header in "${headers[@]}"; do [ -z "$header" ] || echo "#include <${header#include/}>"; done
    cat << 'END'
#include <moderncl/moderncl.hpp>
// Has the compiler make the call of function through wrapper, without running it.
template <class Result, class... Parameters, class Wrapper> void callable(Result (*)(Parameters...), Wrapper &&wrapper)
{
    using returned = decltype(wrapper(std::declval<Parameters>()...));
    (void)static_cast<returned *>(nullptr);
    (void)wrapper;
}
#define CALLABLE(name) \
    callable(mcl_##name, [](auto &&...a) -> decltype(auto) { return mcl::name(std::forward<decltype(a)>(a)...); });
void all();
void all()
{
END
    for name in "${names[@]}"; do
        if [[ $name =~ $owned ]]; then
            continue
        elif grep -qF "X($name)" include/moderncl/*.hpp; then
            echo "    CALLABLE($name)"
        else # it takes a span, slot or value in place of the type and the buffer of C
            echo "    { using mcl::$name; }"
        fi
    done
    echo '}'
} > "$work/names.cpp"

if "$compiler" -std=c++17 -Wall -Wextra -fsyntax-only "${flags[@]}" "$work/names.cpp" 2> "$work/messages"; then
    echo "cpp_names: ${#names[@]} functions, 0 failures"
else
    head -n 40 "$work/messages"
    echo "cpp_names: moderncl.hpp does not have every function of the C headers"
    exit 1
fi
