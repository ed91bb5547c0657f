# Tests of the project itself: layers, style, exported names, docs, the installed package.

if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize=")
    set(layers_objects "${PROJECT_BINARY_DIR}/CMakeFiles/moderncl_static.dir/src")
endif()
add_test(NAME layers COMMAND "${PROJECT_SOURCE_DIR}/tools/check_layers.sh" ${layers_objects})
add_test(NAME circles COMMAND "${PROJECT_SOURCE_DIR}/tools/check_circles.sh" "${PROJECT_BINARY_DIR}" bench mpi tests tools)
add_test(NAME style COMMAND "${PROJECT_SOURCE_DIR}/tools/check_style.sh")
add_test(NAME format COMMAND "${PROJECT_SOURCE_DIR}/tools/check_format")
add_test(NAME words COMMAND "${PROJECT_SOURCE_DIR}/tools/check_words")
add_test(NAME tidy COMMAND "${PROJECT_SOURCE_DIR}/tools/check_tidy" "${PROJECT_BINARY_DIR}")
set_tests_properties(layers circles PROPERTIES LABELS project SKIP_RETURN_CODE 77)
set_tests_properties(style format words tidy PROPERTIES LABELS "project;style" SKIP_RETURN_CODE 77)
set_tests_properties(tidy PROPERTIES TIMEOUT 600)

# What tools/check_kernels and tools/check_parameters compile.
include(cmake/kernel_text.cmake)
foreach(texts IN ITEMS kernel_texts parameter_texts)
    add_executable(${texts}
        tests/${texts}.c
        tests/fake_backend.c
        tests/fake_cases.c
        tests/fake_elements.c
        tests/fake_examples.c
        tests/fake_digits.c
        tests/fake_sorts.c
        tests/fake_histogram.c
        tests/fake_map.c
        tests/fake_ranks.c
        tests/pieces/piece_kernels.c
        examples/bfs/search.c
        examples/filter_scan/filter_scan.c
        examples/merge_unique/merge_unique.c)
    target_include_directories(${texts} PRIVATE src cl examples mpi/src)
    target_compile_definitions(${texts} PRIVATE "TEST_KERNELS_DIR=\"${PROJECT_SOURCE_DIR}/tests/kernels\""
                               "TEST_GOLDEN_DIR=\"${PROJECT_SOURCE_DIR}/tests/golden\"")
    mcl_kernel_text(${texts} examples/bfs/bfs.cl)
    mcl_kernel_text(${texts} examples/filter_scan/filter_scan.cl)
    mcl_kernel_text(${texts} examples/merge_unique/merge_unique.cl)
    mcl_kernel_text(${texts} mpi/src/bounds.cl)
    mcl_kernel_text(${texts} mpi/src/regions.cl)
    mcl_kernel_text(${texts} mpi/src/splitters.cl)
    target_link_libraries(${texts} PRIVATE operation_cases moderncl_static)
endforeach()
target_sources(parameter_texts PRIVATE tests/fake_parameters.c tests/support/numbers.c)

# Every kernel compiles for a processor without a warning, which POCL would count on stderr.
add_test(NAME warnings COMMAND "${PROJECT_SOURCE_DIR}/tools/check_warnings" $<TARGET_FILE:kernel_texts>)
set_tests_properties(warnings PROPERTIES LABELS "project;robust" SKIP_RETURN_CODE 77 TIMEOUT 600)

include(cmake/docs.cmake)

# A copy of the project with one primitive more.
add_test(NAME new_primitive COMMAND "${PROJECT_SOURCE_DIR}/tests/project/new_primitive.sh"
         "${CMAKE_CURRENT_BINARY_DIR}/new_primitive")
set_tests_properties(new_primitive PROPERTIES LABELS project TIMEOUT 300)

# Sanitized libraries need the sanitizers' own, so that they are not what is installed.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize=")
    add_test(NAME symbols COMMAND "${PROJECT_SOURCE_DIR}/tools/check_symbols.sh"
             $<TARGET_FILE:moderncl> $<TARGET_FILE:moderncl_static>)
    add_test(NAME consumer COMMAND "${PROJECT_SOURCE_DIR}/tests/consumer/run.sh" "${PROJECT_BINARY_DIR}")
    add_test(NAME ci_page COMMAND "${PROJECT_SOURCE_DIR}/tests/project/ci_page.sh" "${PROJECT_BINARY_DIR}")
    # Both install what is built, and CMake notes what it has installed in the one folder.
    set_tests_properties(ci_page consumer PROPERTIES RESOURCE_LOCK installation)
    set_tests_properties(ci_page PROPERTIES LABELS project SKIP_RETURN_CODE 77 TIMEOUT 300
                         ENVIRONMENT MCL_DEVICE=opencl:portable)
    set(manual "")
    foreach(tool IN ITEMS moderncl-info moderncl-demo moderncl-prebuild moderncl-tune)
        if(TARGET ${tool})
            list(APPEND manual $<TARGET_FILE:${tool}>)
        endif()
    endforeach()
    if(TARGET moderncl-info AND TARGET moderncl-bench AND TARGET moderncl-tune)
        add_test(NAME names COMMAND "${PROJECT_SOURCE_DIR}/tests/project/names.sh" $<TARGET_FILE:moderncl-info>
                 $<TARGET_FILE:moderncl-tune> $<TARGET_FILE:moderncl-bench>)
        set_tests_properties(names PROPERTIES LABELS project TIMEOUT 300
                             ENVIRONMENT "MCL_CACHE_DIR=${PROJECT_BINARY_DIR}/tests/cache")
    endif()
    set(programs "")
    foreach(program IN ITEMS moderncl-info moderncl-demo moderncl-prebuild moderncl-study moderncl-bench
            moderncl-bench-host moderncl-tune packages join_csv sales bfs logs renderer tpch)
        if(TARGET ${program})
            list(APPEND programs $<TARGET_FILE:${program}>)
        endif()
    endforeach()
    add_test(NAME exit_codes COMMAND "${PROJECT_SOURCE_DIR}/tests/project/exit_codes.sh" ${programs})
    set_tests_properties(exit_codes PROPERTIES LABELS project TIMEOUT 120)
    add_test(NAME manual COMMAND "${PROJECT_SOURCE_DIR}/tests/project/manual.sh" ${manual})
    set_tests_properties(symbols manual consumer PROPERTIES LABELS project TIMEOUT 300)
endif()

foreach(target IN ITEMS moderncl kernel_texts parameter_texts test_docs test_docs_mpi moderncl-info moderncl-demo moderncl-prebuild moderncl-bench
        moderncl-bench-host
        moderncl-tune moderncl-study packages join_csv sales bfs filter_scan merge_unique 01_reduce 02_expression_input
        03_your_own_queue logs moderncl-mpi-bench moderncl-mpi-predict test_mpi_openmpi test_mpi_mpich
        moderncl_ranks test_ranks)
    if(TARGET ${target})
        add_dependencies(checked ${target})
    endif()
endforeach()
