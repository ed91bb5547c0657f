# The module of native peers, twice: for every processor, and for those with AVX2.

set(native_sources
    native.cpp
    native_balance.cpp
    native_bulk.cpp
    native_copy.cpp
    native_find.cpp
    native_group_by.cpp
    native_histogram.cpp
    native_join.cpp
    native_map.cpp
    native_merge.cpp
    native_multimap.cpp
    native_reduce.cpp
    native_scan.cpp
    native_search.cpp
    native_segmented.cpp
    native_segsort.cpp
    native_select.cpp
    native_sets.cpp
    native_sort.cpp
    native_split.cpp
    native_statistics.cpp
    native_top_k.cpp)
set(native_libraries TBB::tbb OpenMP::OpenMP_CXX Threads::Threads)

# Sorts and a hash map of other libraries, each where it is there.
find_path(BENCH_HWY_INCLUDE_DIR hwy/contrib/sort/vqsort.h)
find_library(BENCH_HWY_LIBRARY hwy_contrib)
find_path(BENCH_IPS4O_INCLUDE_DIR ips4o.hpp)
find_path(BENCH_BOOST_SORT_INCLUDE_DIR boost/sort/sort.hpp)
mark_as_advanced(BENCH_HWY_INCLUDE_DIR BENCH_HWY_LIBRARY BENCH_IPS4O_INCLUDE_DIR BENCH_BOOST_SORT_INCLUDE_DIR)
set(native_sorts "")
set(missing "")
if(BENCH_HWY_INCLUDE_DIR AND BENCH_HWY_LIBRARY)
    list(APPEND native_sorts vqsort)
    list(APPEND native_sources native_vqsort.cpp)
    list(APPEND native_libraries "${BENCH_HWY_LIBRARY}")
else()
    list(APPEND missing libhwy-dev)
endif()
if(BENCH_IPS4O_INCLUDE_DIR)
    list(APPEND native_sorts ips4o)
    list(APPEND native_sources native_ips4o.cpp)
    list(APPEND native_libraries atomic) # of GCC: two 64-bit numbers are changed at once
else()
    list(APPEND missing libips4o-dev)
endif()
if(BENCH_BOOST_SORT_INCLUDE_DIR)
    list(APPEND native_sorts boost)
    list(APPEND native_sources native_boost_sort.cpp)
else()
    list(APPEND missing libboost-dev)
endif()
find_package(absl CONFIG QUIET)
if(TARGET absl::flat_hash_map)
    list(APPEND native_sources native_hash_join.cpp)
    list(APPEND native_libraries absl::flat_hash_map)
else()
    list(APPEND missing libabsl-dev)
endif()
if(missing)
    list(JOIN missing " " missing)
    message(STATUS "moderncl-bench: some libraries are not among the native peers (Debian: ${missing})")
endif()

set(native_modules bench_native)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND native_modules bench_native_avx2) # what the program takes where the processor has AVX2
endif()
foreach(native IN LISTS native_modules)
    bench_module(${native} ${native_sources})
    target_link_libraries(${native} PRIVATE ${native_libraries})
endforeach()
set_target_properties(bench_native PROPERTIES MCL_SORTS "${native_sorts}") # tests look for their names
if(TARGET bench_native_avx2)
    target_compile_options(bench_native_avx2 PRIVATE -march=x86-64-v3)
endif()
