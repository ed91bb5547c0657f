# The site of README.md, docs and the public headers: target docs.

find_program(MCL_DOXYGEN doxygen)
find_program(MCL_GNUPLOT gnuplot)
find_file(MCL_LUNR lunr.min.js PATHS /usr/share/javascript/lunr)
# A Python that has lunr too: that of a virtual environment may come before Debian's.
foreach(python IN ITEMS python3 /usr/bin/python3)
    if(NOT MCL_LUNR_PYTHON)
        execute_process(COMMAND ${python} -c "import lunr" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
        if(status STREQUAL "0")
            set(MCL_LUNR_PYTHON ${python} CACHE STRING "Python that has lunr")
        endif()
    endif()
endforeach()

set(missing "")
set(packages doxygen gnuplot-nox libjs-lunr python3-lunr)
foreach(tool IN ITEMS MCL_DOXYGEN MCL_GNUPLOT MCL_LUNR MCL_LUNR_PYTHON)
    list(POP_FRONT packages package)
    if(NOT ${tool})
        string(APPEND missing " ${package}")
    endif()
endforeach()
if(missing)
    set(message "The site needs what these packages of Debian have:${missing}. Then configure again.")
    add_custom_target(docs COMMAND ${CMAKE_COMMAND} -E echo "${message}" COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
    return()
endif()

include(cmake/docs_blocks.cmake)
set(python_page "${PROJECT_BINARY_DIR}/pages/python_reference.md")
set(site "${PROJECT_BINARY_DIR}/site")
set(charts "${PROJECT_BINARY_DIR}/charts")
set(layout "${CMAKE_CURRENT_BINARY_DIR}/layout.xml")
set(header "${CMAKE_CURRENT_BINARY_DIR}/site_header.html")
configure_file(docs/site/Doxyfile.in Doxyfile @ONLY)
add_custom_target(docs
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${site}" "${charts}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${site}"
    COMMAND ${CMAKE_COMMAND} -E env "CHARTS_FOLDER=${charts}" "${PROJECT_SOURCE_DIR}/tools/charts" --site
    COMMAND ${CMAKE_COMMAND} -E copy_directory "${blocks}/programs" "${site}/programs"
    COMMAND ${CMAKE_COMMAND} -E copy_directory "${blocks}/functions" "${site}/programs"
    COMMAND ${CMAKE_COMMAND} -E copy_directory "${blocks}/mpi" "${site}/programs"
    COMMAND "${MCL_LUNR_PYTHON}" -B python/reference.py include "${python_page}"
    COMMAND "${MCL_DOXYGEN}" -l "${layout}.default"
    COMMAND awk -f docs/site/layout.awk docs/site/order.txt "${layout}.default" > "${layout}"
    COMMAND "${MCL_DOXYGEN}" -w html "${header}.default" "${header}.footer" "${header}.css"
    COMMAND awk -f docs/site/header.awk "${header}.default" > "${header}"
    COMMAND "${MCL_DOXYGEN}" "${CMAKE_CURRENT_BINARY_DIR}/Doxyfile"
    COMMAND sh -c "sed -i -E -f docs/site/code_links.sed '${site}'/*.html"
    COMMAND ${CMAKE_COMMAND} -E copy "${MCL_LUNR}" "${site}/lunr.min.js"
    COMMAND "${MCL_LUNR_PYTHON}" docs/site/search_index.py "${site}"
    COMMAND "${PROJECT_SOURCE_DIR}/docs/site/check_site.sh" "${site}"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" COMMENT "Making the site in ${site}" VERBATIM)
