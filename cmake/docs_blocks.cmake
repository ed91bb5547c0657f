# The code blocks of README.md and docs as files: programs, which docs.cmake tests and the site shows.
include_guard()

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
