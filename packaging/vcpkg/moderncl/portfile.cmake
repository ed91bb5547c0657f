# An overlay port of the source tree it lies in: vcpkg install moderncl --overlay-ports=packaging/vcpkg
# vcpkg sets BUILD_SHARED_LIBS by the triplet. Of the port opencl only the headers are used.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DMCL_TESTS=OFF -DMCL_BENCH=OFF -DMCL_TOOLS=OFF -DMCL_EXAMPLES=OFF -DMCL_MPI=off)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME moderncl CONFIG_PATH lib/cmake/moderncl)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
