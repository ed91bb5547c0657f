"""Writes what Python knows of the C headers: moderncl/_cdef.py (the declarations, for cffi), moderncl/_api.py (each
function's parameters and its comment) and moderncl/__init__.pyi (its types). usage: generate.py INCLUDE_FOLDER COMPILER
OUTPUT_FOLDER"""

import pathlib
import re
import subprocess
import sys

import cffi

import headers

# What the headers of OpenCL and CUDA declare, as far as opencl.h and cuda.h need it.
FOREIGN = """
typedef void *cl_context, *cl_device_id, *cl_command_queue, *cl_mem, *cl_event, *cl_kernel;
typedef void *CUcontext, *CUstream, *CUevent;
typedef unsigned long long CUdeviceptr;
"""


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


# ---- types --------------------------------------------------------------------------------------------------------

STUB = '''"""Written by generate.py from the C headers."""

from typing import Any, Iterable, TypeAlias

from numpy.typing import ArrayLike, DTypeLike, NDArray
from typing_extensions import TypedDict, Unpack

from ._library import Error as Error, struct as struct, type_of as type_of
{by_hand}
from ._objects import (
    Array as Array, Buffer as Buffer, Context as Context, Event as Event, Input as Input, Map as Map,
    Multimap as Multimap, Queue as Queue, Recording as Recording, Slot as Slot, Struct as Struct,
)
from ._operands import KnownOp as KnownOp, Op as Op

# An input: an array on the device, a computed one, or what NumPy makes an array of. Any: arrays of other libraries.
_Operand: TypeAlias = Array | Input | ArrayLike | Any
_Output: TypeAlias = Array | Any | None
# An operator, or its text.
_Operator: TypeAlias = str | Op | KnownOp | None
# Where a number goes: to the caller as a dtype, to the device, to a NumPy array, nowhere.
_Result: TypeAlias = DTypeLike | Slot | NDArray[Any] | None

class _Options(TypedDict, total=False):
{options}

__version__: str

def version() -> str: ...
def devices() -> list[dict[str, Any]]: ...

'''
OBJECTS = {"context": "Context", "queue": "Queue", "buffer": "Buffer", "event": "Event", "recording": "Recording",
           "map": "Map", "multimap": "Multimap"}
INTEGERS = {"int", "unsigned", "size_t", "int64_t", "uint64_t", "int32_t", "uint32_t"}


def annotation(parameter):
    kind = re.sub(r"^const ", "", parameter.kind)
    handle = re.fullmatch(r"mcl_(\w+) \*\*?", kind)
    if parameter.is_list:
        return "Iterable[Any]"
    if handle and handle[1] in OBJECTS:
        return "Buffer | Array" if handle[1] == "buffer" else OBJECTS[handle[1]]
    known = {"mcl_input": "_Operand", "mcl_input *": "_Operand", "mcl_output": "_Output", "mcl_op *": "_Operator",
             "mcl_result": "_Result", "mcl_type *": "DTypeLike", "mcl_amount": "int | Struct",
             "mcl_work": "int | Struct", "char *": "str | None", "double": "float"}
    if kind in known:
        return known[kind]
    is_enumeration = re.fullmatch(r"mcl_\w+", kind) and kind not in ("mcl_segments", "mcl_found")
    return "int" if kind in INTEGERS or is_enumeration else "Any"


def returned(function):
    """The annotation of what a call returns."""
    if function.result != "mcl_status":
        if function.result == "void":
            return "None"
        if function.result in INTEGERS:
            return "int"
        return {"const char *": "str | None", "double": "float"}.get(
            function.result, "Any" if "*" in function.result or not function.result.startswith("mcl_") else "Struct")
    last = function.in_python()[-1] if function.parameters else None
    handle = last and re.fullmatch(r"mcl_(\w+) \*\*", last.kind)
    if handle:
        return OBJECTS[handle[1]]
    if last and last.kind in headers.STORED:
        return {"double *": "float", "mcl_tile *": "Any"}.get(last.kind, "int")
    return "Any" if any(one.kind == "mcl_result" for one in function.parameters) else "None"


def signature(function):
    """The parameters in a stub. What follows one that may be left out can go by its name, so it has a default too."""
    listed, has_default = [], False
    parameters = [parameter for parameter in function.in_python() if parameter.name != "options"]
    for parameter in parameters:
        has_default = has_default or function.may_be_left_out(parameter)
        listed.append(f"{parameter.name}: {annotation(parameter)}" + (" = ..." if has_default else ""))
    if len(parameters) < len(function.in_python()):
        listed.append("**options: Unpack[_Options]")
    return ", ".join(listed)


def option_list(builder):
    """The members of mcl_options, which calls take as keywords."""
    listed = []
    for name, field in builder.typeof("mcl_options").fields:
        if name not in ("size", "wait_count", "driver_wait_count"):
            kind = "Iterable[Event]" if name == "wait" else "int" if field.type.kind in ("primitive", "enum") else "Any"
            listed.append(f"    {name}: {kind}")
    return "\n".join(listed)


def stub(made, text, builder):
    """The text of __init__.pyi. text: the headers after the preprocessor."""
    imports = ""
    for module in ("_host", "_makers"):
        source = (headers.HERE / f"src/moderncl/{module}.py").read_text()
        for name in re.findall(r'"(\w+)"', re.search(r"__all__ = \[(.*?)\]", source, re.S)[1]):
            imports += f"from .{module} import {name} as {name}\n"
    lines = [STUB.format(by_hand=imports.strip(), options=option_list(builder))]
    for name in re.findall(r"extern const mcl_op mcl_op_(\w+);", text):
        lines.append(f"{name.upper()}: KnownOp\n")
    for body in re.findall(r"enum\s*\w*\s*\{([^}]*)\}", text):
        for name in re.findall(r"\bMCL_(\w+)\s*(?=[,=]|$|\s*\Z)", body):
            lines.append(f"{name}: int\n")
    for function in made:
        lines.append(f"def {function.name}({signature(function)}) -> {returned(function)}:\n")
        words = function.summary() + (f" Shapes: {function.shapes}." if function.shapes else "")
        lines.append(f"    {words!r}\n")
    return "".join(lines)


def main():
    include, compiler, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    text = declarations(headers.all_headers(include)[0], compiler)
    builder = cffi.FFI()
    builder.cdef(text)
    builder.set_source("moderncl._cdef", None)
    builder.emit_python_code(str(output / "_cdef.py"))

    api = sorted(headers.functions(include), key=lambda function: function.name)
    with open(output / "_api.py", "w") as file:
        file.write('"""Written by generate.py from the C headers."""\n\nFUNCTIONS = {\n')
        for one in api:
            listed = tuple((parameter.word, parameter.kind, parameter.is_list) for parameter in one.parameters)
            file.write(f"    {'mcl_' + one.name!r}: ({one.result!r}, {listed!r}, {one.comment!r}, {one.shapes!r}),\n")
        file.write("}\n")
    by_hand = headers.by_hand()
    made = [one for one in api if not by_hand.fullmatch(one.name)]
    (output / "__init__.pyi").write_text(stub(made, text.replace("extern ", "extern const "), builder))


main()
