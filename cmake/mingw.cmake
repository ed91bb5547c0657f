# Toolchain for 64-bit Windows by mingw-w64 (Debian: gcc-mingw-w64-x86-64), with its runtime inside what is linked:
#
#   cmake -B build/windows -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 ${CMAKE_PREFIX_PATH}) # built for it: -DCMAKE_PREFIX_PATH
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(what IN ITEMS LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${what} ONLY)
endforeach()
# POSIX's names for what the tests need of the C library, and its printf, which knows %zu.
set(CMAKE_C_FLAGS_INIT "-D__USE_MINGW_ANSI_STDIO=1 -D_POSIX_C_SOURCE=200809L")
foreach(what IN ITEMS EXE SHARED MODULE)
    set(CMAKE_${what}_LINKER_FLAGS_INIT "-static")
endforeach()
