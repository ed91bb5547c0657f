# The calls, and what is drawn for them: of the fuzzer, and of tests/guided.
include_guard(GLOBAL)
add_library(fuzz_calls STATIC
    "${CMAKE_CURRENT_LIST_DIR}/balance.c"
    "${CMAKE_CURRENT_LIST_DIR}/compact.c"
    "${CMAKE_CURRENT_LIST_DIR}/device.c"
    "${CMAKE_CURRENT_LIST_DIR}/expected.c"
    "${CMAKE_CURRENT_LIST_DIR}/find.c"
    "${CMAKE_CURRENT_LIST_DIR}/folds.c"
    "${CMAKE_CURRENT_LIST_DIR}/group_by.c"
    "${CMAKE_CURRENT_LIST_DIR}/histogram.c"
    "${CMAKE_CURRENT_LIST_DIR}/host_data.c"
    "${CMAKE_CURRENT_LIST_DIR}/join.c"
    "${CMAKE_CURRENT_LIST_DIR}/map.c"
    "${CMAKE_CURRENT_LIST_DIR}/memory.c"
    "${CMAKE_CURRENT_LIST_DIR}/merge.c"
    "${CMAKE_CURRENT_LIST_DIR}/multimap.c"
    "${CMAKE_CURRENT_LIST_DIR}/numbers.c"
    "${CMAKE_CURRENT_LIST_DIR}/one_call.c"
    "${CMAKE_CURRENT_LIST_DIR}/operands.c"
    "${CMAKE_CURRENT_LIST_DIR}/operators.c"
    "${CMAKE_CURRENT_LIST_DIR}/options.c"
    "${CMAKE_CURRENT_LIST_DIR}/scan.c"
    "${CMAKE_CURRENT_LIST_DIR}/search.c"
    "${CMAKE_CURRENT_LIST_DIR}/segmented_sort.c"
    "${CMAKE_CURRENT_LIST_DIR}/segments.c"
    "${CMAKE_CURRENT_LIST_DIR}/sets.c"
    "${CMAKE_CURRENT_LIST_DIR}/settings.c"
    "${CMAKE_CURRENT_LIST_DIR}/sort_columns.c"
    "${CMAKE_CURRENT_LIST_DIR}/split.c"
    "${CMAKE_CURRENT_LIST_DIR}/spoil.c"
    "${CMAKE_CURRENT_LIST_DIR}/top_k.c"
    "${CMAKE_CURRENT_LIST_DIR}/transform.c")
target_include_directories(fuzz_calls PUBLIC "${CMAKE_CURRENT_LIST_DIR}")
target_include_directories(fuzz_calls SYSTEM PUBLIC "${MCL_OPENCL_HEADERS}")
target_link_libraries(fuzz_calls PUBLIC moderncl_static)
