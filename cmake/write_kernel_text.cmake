# Writes a C header with the text of a file; kernel_text.cmake says how it is used. As bytes in hex, so that no quote or
# backslash has a meaning on the way and no string literal is too long.
cmake_minimum_required(VERSION 3.21)

get_filename_component(name "${INPUT}" NAME)
string(MAKE_C_IDENTIFIER "${name}" identifier)
string(REPEAT "0x[0-9a-f][0-9a-f], " 20 line_pattern)
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
string(REGEX REPLACE "(${line_pattern})" "\\1\n    " bytes "${bytes}")
file(WRITE "${OUTPUT}" "/* ${name} as text. Written by write_kernel_text.cmake. */
static const char ${identifier}[] = {\n    ${bytes}0x00\n};\n")
