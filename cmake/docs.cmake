# Tests of README.md and docs: every code block is compiled and run, every command is looked at, every name and link is
# there.

include(cmake/docs_blocks.cmake)
list(FILTER made INCLUDE REGEX "\\.c$")
list(FILTER made EXCLUDE REGEX "^mpi/")
if(MCL_TEST_OPENCL) # which some of the programs need
    list(TRANSFORM made PREPEND "${blocks}/")
    set(functions ${made})
    list(FILTER functions INCLUDE REGEX "/functions/[^/]*$")
    list(REMOVE_ITEM made ${functions})
    add_executable(test_docs tests/docs/test_docs.c ${made})
    target_include_directories(test_docs PRIVATE tests/docs "${blocks}")
    target_link_libraries(test_docs PRIVATE test_support "${MCL_TEST_OPENCL}")
    # What is only compiled needs more than the library to be linked with.
    find_path(MCL_TEST_GL GL/glext.h)
    if(NOT MCL_TEST_GL)
        list(FILTER functions EXCLUDE REGEX "docs_opengl")
    endif()
    add_library(docs_functions OBJECT ${functions})
    target_link_libraries(docs_functions PRIVATE moderncl_static)
    add_dependencies(test_docs docs_functions)
    foreach(file IN LISTS made functions)
        # A block may show a variable that it does not use, and programs are not declared before.
        set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_OPTIONS -Wno-unused -Wno-missing-prototypes)
        if(file MATCHES "/programs/([A-Za-z0-9_]+)\\.c$")
            set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_DEFINITIONS
                main=program_${CMAKE_MATCH_1} mcl_context_create=doc_context_create)
        endif()
    endforeach()
    add_test(NAME docs COMMAND test_docs)
    set_tests_properties(docs PROPERTIES LABELS project TIMEOUT 300
                         ENVIRONMENT "MCL_CACHE_DIR=${PROJECT_BINARY_DIR}/tests/cache")
else()
    message(STATUS "No OpenCL loader: the code blocks of docs are not tested")
endif()
# The program of docs/mpi.md, with the first MPI that the library is built for.
foreach(mpi IN ITEMS openmpi mpich)
    if(TARGET moderncl_mpi_${mpi} AND MCL_MPIRUN_${mpi} AND NOT TARGET test_docs_mpi)
        file(GLOB program "${blocks}/mpi/*.c")
        string(REGEX REPLACE "\\.c$" ".txt" printed "${program}")
        add_executable(test_docs_mpi ${program})
        target_link_libraries(test_docs_mpi PRIVATE moderncl_mpi_${mpi})
        add_test(NAME docs_mpi COMMAND "${PROJECT_SOURCE_DIR}/tests/docs/mpi_page.sh" "${MCL_MPIRUN_${mpi}}"
                 $<TARGET_FILE:test_docs_mpi> "${printed}")
        set_tests_properties(docs_mpi PROPERTIES LABELS project TIMEOUT 300 PROCESSORS 2 ENVIRONMENT
            "MCL_CACHE_DIR=${PROJECT_BINARY_DIR}/tests/cache;MCL_DEVICE=opencl:portable;MCL_BUILD_OPTIONS=-cl-opt-disable")
    endif()
endforeach()
add_test(NAME docs_shell COMMAND "${PROJECT_SOURCE_DIR}/tests/docs/check_shell.sh" "${blocks}/shell.txt"
         "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
set_tests_properties(docs_shell PROPERTIES LABELS project TIMEOUT 300
                     ENVIRONMENT "MCL_CACHE_DIR=${PROJECT_BINARY_DIR}/tests/cache")
add_test(NAME docs_names COMMAND "${PROJECT_SOURCE_DIR}/tools/check_docs.sh")
add_test(NAME docs_faults COMMAND "${PROJECT_SOURCE_DIR}/tests/docs/test_extract.sh")
set_tests_properties(docs_names docs_faults PROPERTIES LABELS project)
