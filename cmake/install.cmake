# Installation: headers, both libraries, pkg-config file and CMake package.

include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/moderncl")

install(DIRECTORY include/moderncl DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h"
        PATTERN "*.hpp" PATTERN mpi.h EXCLUDE) # mpi/CMakeLists.txt has that one

# The texts that kernels of one's own may include, for reading; programs need no files.
install(DIRECTORY cl/dialect cl/facts cl/pieces cl/kernels DESTINATION "${CMAKE_INSTALL_DATADIR}/moderncl/cl"
        FILES_MATCHING PATTERN "*.clh" PATTERN "*.h")

# Two sets that both define moderncl::moderncl; the package loads the one that was asked for.
install(TARGETS moderncl EXPORT moderncl-shared)
install(TARGETS moderncl_static EXPORT moderncl-static)
foreach(kind IN ITEMS shared static)
    install(EXPORT moderncl-${kind} NAMESPACE moderncl:: DESTINATION "${package_folder}")
endforeach()

configure_package_config_file(cmake/moderncl-config.cmake.in moderncl-config.cmake
    INSTALL_DESTINATION "${package_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(moderncl-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/moderncl-config.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/moderncl-config-version.cmake"
              cmake/kernel_text.cmake cmake/write_kernel_text.cmake
        DESTINATION "${package_folder}")

# Relative to the file itself, so that cmake --install --prefix and a moved tree both work.
file(RELATIVE_PATH pc_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH pc_libdir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH pc_includedir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
configure_file(cmake/moderncl.pc.in moderncl.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/moderncl.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
