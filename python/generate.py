"""Writes what Python knows of the C headers: moderncl/_cdef.py (the declarations, for cffi) and moderncl/_api.py (each
function's parameters and its comment). usage: generate.py INCLUDE_FOLDER COMPILER OUTPUT_FOLDER"""

import pathlib
import re
import subprocess
import sys

import cffi

# What the headers of OpenCL and CUDA declare, as far as opencl.h and cuda.h need it.
FOREIGN = """
typedef void *cl_context, *cl_device_id, *cl_command_queue, *cl_mem, *cl_event, *cl_kernel;
typedef void *CUcontext, *CUstream, *CUevent;
typedef unsigned long long CUdeviceptr;
"""


def with_includes(path, seen):
    """The text of a header and of those that it includes, each once, without the headers of other libraries."""
    if path in seen:
        return ""
    seen.add(path)
    lines = []
    for line in path.read_text().splitlines():
        included = re.match(r'#include ([<"])(.*)[>"]', line)
        if not included:
            lines.append(line)
        elif included[1] == '"':
            lines.append(with_includes(path.parent / included[2], seen))
    return "\n".join(lines)


def declarations(text, compiler):
    """The text after the preprocessor, in the C that cffi reads."""
    command = [compiler, "-E", "-P", "-xc", "-DMCL_BUILDING_STATIC", "-DMCL_CUDA_TYPES_DECLARED", "-"]
    text = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    # libffi passes no unions. Words of the same size and alignment take the same bytes.
    text, unions = re.subn(r"union \{[^}]*MCL_VALUE_BYTES_MAX[^}]*\} value;", "uint64_t value[8];", text)
    if unions != 1 or "union {" in text:
        raise SystemExit("generate.py: the union of mcl_binding is not as it was")
    # Only what is no constant has an address in cffi.
    return FOREIGN + text.replace("extern const ", "extern ")


def sentences(comment):
    """The text of a C comment without its stars."""
    lines = [re.sub(r"^ ?\* ?", "", line) for line in comment.strip().splitlines()]
    return "\n".join(lines).strip()


def functions(path):
    """(name, type of the result, parameters as (name, type), comment) of each function of a header."""
    pattern = r"(?:/\*((?:[^*]|\*(?!/))*)\*/\n)?MCL_API ([^;{]*?)(mcl_\w+)\(([^;{]*)\);"
    for comment, result, name, parameters in re.findall(pattern, path.read_text()):
        listed = []
        for parameter in re.sub(r"\s+", " ", parameters).split(","):
            if parameter.strip() != "void":
                kind, word = re.fullmatch(r"\s*(.*?)(\w+)", parameter).groups()
                listed.append((word, kind.strip()))
        yield name, result.strip(), tuple(listed), sentences(comment)


def main():
    include, compiler, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    folder = include / "moderncl"
    heads = [folder / "moderncl.h", folder / "opencl.h", folder / "cuda.h"]
    seen = set()
    text = "\n".join(with_includes(head, seen) for head in heads)

    builder = cffi.FFI()
    builder.cdef(declarations(text, compiler))
    builder.set_source("moderncl._cdef", None)
    builder.emit_python_code(str(output / "_cdef.py"))

    api = {name: rest for path in sorted(seen) for name, *rest in functions(path)}
    with open(output / "_api.py", "w") as file:
        file.write('"""Written by generate.py from the C headers."""\n\nFUNCTIONS = {\n')
        for name, (result, parameters, comment) in sorted(api.items()):
            file.write(f"    {name!r}: ({result!r}, {parameters!r}, {comment!r}),\n")
        file.write("}\n")


main()
