# The two libraries, shared and static, from MCL_SOURCES and the embedded texts of MCL_KERNELS. moderncl::moderncl is one
# of them: the static one where BUILD_SHARED_LIBS is off. BUILD_SHARED_LIBS not set: both are built and installed.

include(GNUInstallDirs)
find_package(Threads REQUIRED)
set(MCL_SYSTEM_LIBRARIES Threads::Threads ${CMAKE_DL_LIBS} m)
if(WIN32)
    set(MCL_SYSTEM_LIBRARIES advapi32)
endif()
find_path(MCL_OPENCL_HEADERS CL/cl.h DOC "Folder that holds CL/cl.h (Debian: opencl-headers)" REQUIRED)

# The kernels' texts become one C file, so that the library needs no files at run time.
set(embedded "${PROJECT_BINARY_DIR}/embedded.c")
list(TRANSFORM MCL_KERNELS PREPEND "${PROJECT_SOURCE_DIR}/cl/" OUTPUT_VARIABLE kernel_paths)
list(JOIN MCL_KERNELS "|" kernel_names)
add_custom_command(
    OUTPUT "${embedded}"
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${embedded}" "-DROOT=${PROJECT_SOURCE_DIR}/cl" "-DFILES=${kernel_names}"
            -P "${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake"
    DEPENDS ${kernel_paths} "${PROJECT_SOURCE_DIR}/cmake/embed_kernels.cmake"
    COMMENT "Embedding kernels" VERBATIM)
# Both libraries wait for this target, so that the file is written once in a parallel build.
add_custom_target(moderncl_embedded DEPENDS "${embedded}")

include(CheckSymbolExists)
set(CMAKE_REQUIRED_DEFINITIONS -D_GNU_SOURCE)
check_symbol_exists(secure_getenv stdlib.h MCL_HAS_SECURE_GETENV)
unset(CMAKE_REQUIRED_DEFINITIONS)

# The files are compiled once for each: in the static library every symbol is hidden, so that a copy inside a plug-in
# and another in its host do not get mixed up.
function(mcl_add_library target type)
    add_library(${target} ${type} ${MCL_SOURCES} "${embedded}")
    add_dependencies(${target} moderncl_embedded)
    target_include_directories(${target}
        PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
               "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
        PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/cl")
    target_include_directories(${target} SYSTEM PRIVATE "${MCL_OPENCL_HEADERS}")
    target_compile_definitions(${target} PRIVATE $<$<BOOL:${MCL_HAS_SECURE_GETENV}>:MCL_HAS_SECURE_GETENV>)
    # What plans a call returns before the call's launch, where the stack is deepest: its frame must not be part of the
    # caller's. Threads may have 64 KiB.
    target_compile_options(${target} PRIVATE $<$<C_COMPILER_ID:GNU>:-fno-inline-functions-called-once>)
    target_compile_features(${target} INTERFACE c_std_99)
    target_link_libraries(${target} PRIVATE ${MCL_SYSTEM_LIBRARIES})
    set_target_properties(${target} PROPERTIES
        EXPORT_NAME moderncl
        C_VISIBILITY_PRESET hidden
        POSITION_INDEPENDENT_CODE ON)
endfunction()

mcl_add_library(moderncl SHARED)
target_compile_definitions(moderncl PRIVATE MCL_BUILDING_SHARED INTERFACE $<$<PLATFORM_ID:Windows>:MCL_USING_SHARED>)
set_target_properties(moderncl PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${MCL_ABI_VERSION})
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    # Functions of another copy in the process never stand in for ours. Data may, as executables need. zig, which links
    # the wheel for Python, knows the option for both alone.
    include(CheckLinkerFlag)
    check_linker_flag(C LINKER:-Bsymbolic-functions MCL_HAS_SYMBOLIC_FUNCTIONS)
    target_link_options(moderncl PRIVATE LINKER:-Bsymbolic$<$<BOOL:${MCL_HAS_SYMBOLIC_FUNCTIONS}>:-functions>)
endif()

mcl_add_library(moderncl_static STATIC)
target_compile_definitions(moderncl_static PRIVATE MCL_BUILDING_STATIC)
# build/PRESET/compile_commands.json, for tools/check_tidy: each file of the library once.
set_target_properties(moderncl_static PROPERTIES EXPORT_COMPILE_COMMANDS ON)
if(NOT WIN32) # where the shared library's import library has this name
    set_target_properties(moderncl_static PROPERTIES OUTPUT_NAME moderncl)
endif()

set(MCL_KINDS moderncl moderncl_static)
if(DEFINED BUILD_SHARED_LIBS)
    if(BUILD_SHARED_LIBS)
        set(unwanted moderncl_static)
    else()
        set(unwanted moderncl)
    endif()
    list(REMOVE_ITEM MCL_KINDS ${unwanted})
    set_target_properties(${unwanted} PROPERTIES EXCLUDE_FROM_ALL ON) # tools and tests may need it
endif()
list(GET MCL_KINDS 0 kind)
add_library(moderncl::moderncl ALIAS ${kind})
