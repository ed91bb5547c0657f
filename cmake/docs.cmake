# Tests of README.md and docs: every code block is compiled and run, every command is looked at, every name and link is
# there. The site itself: target docs, where Doxygen and gnuplot are found.

file(GLOB_RECURSE pages RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.md")
list(APPEND pages README.md CONTRIBUTING.md SECURITY.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages} tests/docs/extract.awk
             tests/docs/whole.awk tests/docs/program.c)

# Written anew each time, and put in place where something is different, so that little is compiled again.
set(blocks "${CMAKE_CURRENT_BINARY_DIR}/docs_blocks")
file(REMOVE_RECURSE "${blocks}.new")
foreach(folder IN ITEMS programs functions mpi)
    file(MAKE_DIRECTORY "${blocks}.new/${folder}" "${blocks}/${folder}")
endforeach()
execute_process(COMMAND awk -v "out=${blocks}.new" -v frame=tests/docs/program.c -f tests/docs/whole.awk
        -f tests/docs/extract.awk ${pages}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" RESULT_VARIABLE status ERROR_VARIABLE messages)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "The blocks of docs are not as tests/docs/extract.awk expects them:\n${messages}")
endif()
file(GLOB_RECURSE made RELATIVE "${blocks}.new" "${blocks}.new/*")
file(GLOB_RECURSE old RELATIVE "${blocks}" "${blocks}/*")
list(REMOVE_ITEM old "" ${made})
foreach(name IN LISTS old)
    file(REMOVE "${blocks}/${name}")
endforeach()
foreach(name IN LISTS made)
    file(COPY_FILE "${blocks}.new/${name}" "${blocks}/${name}" ONLY_IF_DIFFERENT)
endforeach()

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

find_program(MCL_DOXYGEN doxygen)
find_program(MCL_GNUPLOT gnuplot)
find_program(MCL_PYTHON NAMES python3 DOC "A Python, which writes the site's page of the Python module")
if(MCL_DOXYGEN AND MCL_GNUPLOT AND MCL_PYTHON)
    set(python_page "${PROJECT_BINARY_DIR}/pages/python_reference.md")
    set(site "${PROJECT_BINARY_DIR}/site")
    set(charts "${PROJECT_BINARY_DIR}/charts")
    set(layout "${CMAKE_CURRENT_BINARY_DIR}/layout.xml")
    configure_file(docs/site/Doxyfile.in Doxyfile @ONLY)
    add_custom_target(docs
        COMMAND ${CMAKE_COMMAND} -E rm -rf "${site}" "${charts}"
        COMMAND ${CMAKE_COMMAND} -E make_directory "${site}"
        COMMAND ${CMAKE_COMMAND} -E env "CHARTS_FOLDER=${charts}" "${PROJECT_SOURCE_DIR}/tools/charts" --site
        COMMAND ${CMAKE_COMMAND} -E copy_directory "${blocks}/programs" "${site}/programs"
        COMMAND ${CMAKE_COMMAND} -E copy_directory "${blocks}/functions" "${site}/programs"
        COMMAND ${CMAKE_COMMAND} -E copy_directory "${blocks}/mpi" "${site}/programs"
        COMMAND "${MCL_PYTHON}" -B python/reference.py include "${python_page}"
        COMMAND "${MCL_DOXYGEN}" -l "${layout}.default"
        COMMAND awk -f docs/site/layout.awk docs/site/order.txt "${layout}.default" > "${layout}"
        COMMAND "${MCL_DOXYGEN}" "${CMAKE_CURRENT_BINARY_DIR}/Doxyfile"
        COMMAND "${PROJECT_SOURCE_DIR}/docs/site/check_site.sh" "${site}"
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" COMMENT "Making the site in ${site}" VERBATIM)
else()
    message(STATUS "The target docs is left out: doxygen, gnuplot or python3 not found (Debian: doxygen gnuplot-nox python3)")
endif()
