# The kernel of the study as one C string, with the files that it includes, for moderncl-study and its test. The library
# does not have these files. The text is written anew when one of them changes, as bytes read as hex: see
# embed_kernels.cmake.

set(MCL_STUDY_TEXT "${PROJECT_BINARY_DIR}/study_text.c")
file(READ "${PROJECT_SOURCE_DIR}/tools/${MCL_STUDY_KERNEL}" study_text HEX)
foreach(name IN LISTS MCL_STUDY_INCLUDES)
    file(READ "${PROJECT_SOURCE_DIR}/tools/${name}" included HEX)
    string(HEX "#include \"${name}\"\n" mark)
    string(REPLACE "${mark}" "${included}" study_text "${study_text}")
endforeach()
string(HEX "#pragma once\n" mark)
string(REPLACE "${mark}" "" study_text "${study_text}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " study_text "${study_text}")
string(REPEAT "0x[0-9a-f][0-9a-f], " 20 line_pattern)
string(REGEX REPLACE "(${line_pattern})" "\\1\n    " study_text "${study_text}")
file(CONFIGURE OUTPUT "${MCL_STUDY_TEXT}" CONTENT "/* study_text.c: written by study_text.cmake. */
extern const char study_merge_text[];
const char study_merge_text[] = {
    ${study_text}0x00
};
" @ONLY)
list(TRANSFORM MCL_STUDY_INCLUDES PREPEND "${PROJECT_SOURCE_DIR}/tools/" OUTPUT_VARIABLE study_includes)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/tools/${MCL_STUDY_KERNEL}" ${study_includes})
