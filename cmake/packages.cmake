# CPack: cpack -G DEB makes a package of each component, cpack -G TGZ one archive of all. Debian's own way is
# packaging/debian; both give the packages the same names.

set(CPACK_PACKAGE_NAME moderncl)
set(CPACK_PACKAGE_VENDOR "moderncl contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_CONTACT "moderncl contributors <moderncl@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_RESOURCE_FILE_README "${PROJECT_SOURCE_DIR}/README.md")
set(CPACK_GENERATOR TGZ)
if(UNIX AND NOT APPLE)
    list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_STRIP_FILES ON)

get_cmake_property(CPACK_COMPONENTS_ALL COMPONENTS)
list(REMOVE_ITEM CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
find_program(MCL_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(MCL_SHLIBDEPS)
if(MCL_SHLIBDEPS)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
endif()

# mcl_package(COMPONENT NAME SUMMARY [what it needs]...)
function(mcl_package component name summary)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${PROJECT_DESCRIPTION}: ${summary}" PARENT_SCOPE)
    set(CPACK_COMPONENT_${upper}_DEPENDS ${ARGN} PARENT_SCOPE)
endfunction()
mcl_package(runtime libmoderncl${MCL_ABI_VERSION} "the library")
mcl_package(development libmoderncl-dev "headers, static library, CMake package" runtime)
mcl_package(tools moderncl-tools "tools" runtime) # which has the licence
mcl_package(documentation moderncl-doc "documentation" runtime)
mcl_package(mpi libmoderncl-mpi${MCL_ABI_VERSION} "the library over MPI" runtime)
mcl_package(mpi_development libmoderncl-mpi-dev "headers of the library over MPI" mpi development)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_MPI_DEVELOPMENT_PACKAGE_SECTION libdevel)
# Its header includes that of MPI, and its .pc files name MPI's.
get_property(mpi_packages GLOBAL PROPERTY MCL_MPI_FOUND)
list(TRANSFORM mpi_packages REPLACE "^(.+)$" "lib\\1-dev")
list(JOIN mpi_packages ", " CPACK_DEBIAN_MPI_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)

set(CPACK_TOPLEVEL_BUILD "${PROJECT_BINARY_DIR}")
set(CPACK_POST_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/forget_installed.cmake")

set(CPACK_SOURCE_GENERATOR "") # the source archive is tools/release's, of what is committed
include(CPack)
