# Writes a C file that holds the text of the kernel files, found by name with mcl__embedded_file. A header is also found
# by the last part of its name (mcl__embedded_name): pieces/merge_path.clh is pieces/merge/merge_path.clh.
#
#   cmake -DOUTPUT=embedded.c -DROOT=cl "-DFILES=merge.cl|pieces/merge_path.clh" -P embed_kernels.cmake
#
# FILES are relative to ROOT, and their names in the library are the same. Texts become arrays of bytes, read as hex:
# quotes, backslashes, semicolons and brackets never pass through CMake's lists, and no string literal is too long.
cmake_minimum_required(VERSION 3.21)

foreach(variable OUTPUT ROOT FILES)
    if(NOT DEFINED ${variable})
        message(FATAL_ERROR "embed_kernels.cmake: -D${variable}=... is missing")
    endif()
endforeach()

string(REPEAT "0x[0-9a-f][0-9a-f], " 20 line_pattern)
string(REPLACE "|" ";" names "${FILES}")
set(arrays "")
set(rows "")
set(number 0)
foreach(name IN LISTS names)
    file(READ "${ROOT}/${name}" bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
    string(REGEX REPLACE "(${line_pattern})" "\\1\n    " bytes "${bytes}")
    string(APPEND arrays "/* ${name} */\nstatic const unsigned char text_${number}[] = {\n    ${bytes}0x00\n};\n\n")
    string(APPEND rows "    {\"${name}\", text_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()

file(WRITE "${OUTPUT}" "/* embedded.c: the kernel files as text. Written by embed_kernels.cmake. */
#include \"program/program.h\"

#include <string.h>

${arrays}static const struct {
    const char *name;
    const unsigned char *text;
} files[] = {
${rows}};

const char *mcl__embedded_name(const char *name)
{
    const char *const slash = strrchr(name, '/'), *found = NULL;
    const size_t length = slash ? strlen(slash) : 0;
    if (mcl__embedded_file(name) || length < 5 || strcmp(name + strlen(name) - 4, \".clh\") != 0) return name;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; ++k) {
        const size_t whole = strlen(files[k].name);
        if (whole < length || strcmp(files[k].name + whole - length, slash) != 0) continue;
        if (found) return name;
        found = files[k].name;
    }
    return found ? found : name;
}

const char *mcl__embedded_file(const char *name)
{
    for (size_t k = 0; k < sizeof files / sizeof files[0]; ++k)
        if (strcmp(files[k].name, name) == 0) return (const char *)files[k].text;
    return NULL;
}
")
