# mcl_kernel_text(TARGET FILE) makes FILE.h for the target to include: the text of a kernel of one's own as an array of
# the file's name, with a low line for each character that no C name has: of bfs.cl bfs_cl in bfs.cl.h. Installed with
# the package.

set(MCL_KERNEL_TEXT_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/write_kernel_text.cmake")

function(mcl_kernel_text target file)
    get_filename_component(path "${file}" ABSOLUTE)
    get_filename_component(name "${file}" NAME)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}_text")
    add_custom_command(
        OUTPUT "${folder}/${name}.h"
        COMMAND ${CMAKE_COMMAND} "-DINPUT=${path}" "-DOUTPUT=${folder}/${name}.h" -P "${MCL_KERNEL_TEXT_SCRIPT}"
        DEPENDS "${path}" "${MCL_KERNEL_TEXT_SCRIPT}"
        COMMENT "Text of ${name}" VERBATIM)
    target_sources(${target} PRIVATE "${folder}/${name}.h")
    target_include_directories(${target} PRIVATE "${folder}")
endfunction()
