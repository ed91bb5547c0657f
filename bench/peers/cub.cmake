# The module of CUB and Thrust.

# The headers: those that fetch_cccl has put here, else nvcc's own.
find_path(MCL_BENCH_CCCL cub/version.cuh PATHS "${PROJECT_SOURCE_DIR}/build/cccl" NO_DEFAULT_PATH
          DOC "Folder with the headers of CUB and Thrust; by default that of bench/peers/fetch_cccl, else nvcc's own")
if(MCL_BENCH_CCCL AND NOT EXISTS "${MCL_BENCH_CCCL}/cub/version.cuh")
    message(FATAL_ERROR "MCL_BENCH_CCCL is ${MCL_BENCH_CCCL}: there is no cub/version.cuh in it")
endif()

set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "Architectures that the CUB peers are compiled for")
enable_language(CUDA)
bench_module(bench_cub
    cub.cu
    cub_balance.cu
    cub_find.cu
    cub_group_by.cu
    cub_histogram.cu
    cub_join.cu
    cub_merge.cu
    cub_reduce.cu
    cub_scan.cu
    cub_search.cu
    cub_segmented.cu
    cub_segsort.cu
    cub_select.cu
    cub_sets.cu
    cub_sort.cu
    cub_split.cu
    cub_statistics.cu
    cub_top_k.cu)
set_target_properties(bench_cub PROPERTIES
    CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON CUDA_RUNTIME_LIBRARY Static POSITION_INDEPENDENT_CODE ON)
if(MCL_BENCH_CCCL)
    # By -I, which goes before nvcc's own folder in every version of it.
    target_include_directories(bench_cub PRIVATE "${MCL_BENCH_CCCL}")
endif()
# The iterator that 3.6 has in its place is not in older versions.
set_source_files_properties(cub_balance.cu cub_select.cu PROPERTIES
    COMPILE_OPTIONS "-diag-suppress=1444;-Xcompiler=-Wno-deprecated-declarations")
