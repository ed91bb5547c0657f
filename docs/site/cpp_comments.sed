# cpp_comments.sed: a C++ header with its plain comments as Doxygen wants them. Doxygen's INPUT_FILTER, by sed -E.
# The comment at the top belongs to the file, others to what follows them. Headings and marks for tools are left alone.
1s|^// |/// \\file\n/// |
/^ *\/\/ (-+ |clang-format )/b
s|^( *)//( \|$)|\1///\2|
/^ *\/\/\/ /{
    s/</\\</g
    s/>/\\>/g
    s/#/\\#/g
    s/@/\\@/g
    s/>::/>\\::/g
}
