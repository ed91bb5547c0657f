# Installation, by components: runtime, development, tools, documentation, mpi and mpi_development.

# mcl_install_tool(TARGET): the program and its page of the manual.
function(mcl_install_tool target)
    if(MCL_INSTALL)
        install(TARGETS ${target} COMPONENT tools)
        install(FILES "${PROJECT_SOURCE_DIR}/docs/manual/${target}.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
                COMPONENT tools)
    endif()
endfunction()

if(NOT MCL_INSTALL)
    return()
endif()
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/moderncl")

install(DIRECTORY include/moderncl DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN mpi.h EXCLUDE) # mpi/CMakeLists.txt has that one

# The texts that kernels of one's own may include, for reading; programs need no files.
install(DIRECTORY cl/dialect cl/facts cl/pieces cl/kernels DESTINATION "${CMAKE_INSTALL_DATADIR}/moderncl/cl"
        COMPONENT development FILES_MATCHING PATTERN "*.clh" PATTERN "*.h" PATTERN device EXCLUDE) # it has no headers

# Two sets that both define moderncl::moderncl; the package loads the one that was asked for.
set(package_kinds "")
if("moderncl" IN_LIST MCL_KINDS)
    install(TARGETS moderncl EXPORT moderncl-shared
            RUNTIME COMPONENT runtime
            LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
            ARCHIVE COMPONENT development)
    list(APPEND package_kinds shared)
endif()
if("moderncl_static" IN_LIST MCL_KINDS)
    install(TARGETS moderncl_static EXPORT moderncl-static ARCHIVE COMPONENT development)
    list(APPEND package_kinds static)
endif()
foreach(kind IN LISTS package_kinds)
    install(EXPORT moderncl-${kind} NAMESPACE moderncl:: DESTINATION "${package_folder}" COMPONENT development)
endforeach()

configure_package_config_file(cmake/moderncl-config.cmake.in moderncl-config.cmake
    INSTALL_DESTINATION "${package_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(moderncl-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/moderncl-config.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/moderncl-config-version.cmake"
              cmake/kernel_text.cmake cmake/write_kernel_text.cmake
        DESTINATION "${package_folder}" COMPONENT development)

# Relative to the file itself, so that cmake --install --prefix and a moved tree both work.
file(RELATIVE_PATH pc_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH pc_libdir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH pc_includedir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
# A static library alone has no other users of its own needs.
set(pc_private "-pthread -ldl -lm")
if(WIN32)
    set(pc_private "-ladvapi32")
endif()
set(pc_needed "")
if(NOT "shared" IN_LIST package_kinds)
    set(pc_needed " ${pc_private}")
endif()
configure_file(cmake/moderncl.pc.in moderncl.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/moderncl.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
        COMPONENT development)

# The pages, as they are read in the source tree. A build's site goes with them.
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT runtime)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        COMPONENT documentation)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documentation
        PATTERN site EXCLUDE PATTERN manual EXCLUDE)
install(DIRECTORY "${PROJECT_BINARY_DIR}/site" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT documentation OPTIONAL)

# The target uninstall: removes what the last installation of this build folder has put in place.
if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(uninstall
        COMMAND ${CMAKE_COMMAND} "-DBUILD=${PROJECT_BINARY_DIR}" -P "${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake"
        COMMENT "Removing what was installed" VERBATIM)
endif()
