# Toolchain for macOS by zig (PyPI: ziglang), which has the headers of Apple's C library, but no frameworks; tools/check_macos
# calls it. MCL_ZIG is the program, MCL_MACOS_PROCESSOR x86_64 or aarch64.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR ${MCL_MACOS_PROCESSOR})
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MCL_ZIG MCL_MACOS_PROCESSOR)
set(CMAKE_C_COMPILER ${MCL_ZIG} cc -target ${MCL_MACOS_PROCESSOR}-macos.11.0)
set(CMAKE_AR ${MCL_ZIG}-ar)
set(CMAKE_RANLIB ${MCL_ZIG}-ranlib)
set(CMAKE_INSTALL_NAME_TOOL true) # needed to install, which is not done
set(CMAKE_FIND_ROOT_PATH /nowhere)
foreach(what IN ITEMS LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${what} ONLY)
endforeach()
