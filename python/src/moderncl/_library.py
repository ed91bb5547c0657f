"""The shared library beside this file, its failures, and element types by NumPy's dtypes."""

from __future__ import annotations

import os
from typing import Any

import numpy
from numpy.typing import DTypeLike

from ._cdef import ffi

_here = os.path.dirname(os.path.abspath(__file__))
_names = ("libmoderncl.so", "libmoderncl.dylib", "moderncl.dll", "libmoderncl.dll")
_found = [os.path.join(_here, name) for name in _names if os.path.exists(os.path.join(_here, name))]
lib = ffi.dlopen(_found[0] if _found else "libmoderncl.so.0")


class Error(Exception):
    """A call failed. status is the number, name its name ("MCL_ERROR_TYPE"); the text is the library's sentence. results
    has what the call has stored on the host all the same, such as the count with MCL_ERROR_CAPACITY."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.results: list[Any] = []
        self.status = status
        self.name: str = ffi.string(lib.mcl_status_name(status)).decode()


def check(status: int) -> None:
    """Raises Error unless status is MCL_OK."""
    if status:
        raise Error(status, ffi.string(lib.mcl_last_error()).decode())


def encoded(text: str, what: str = "a text") -> bytes:
    """A text for C, which ends at the first zero byte."""
    if not isinstance(text, str):
        raise TypeError(f"{what} is of type {type(text).__name__}; expected a str")
    if "\0" in text:
        raise ValueError(f"{text!r} has a zero byte; expected none, since C's texts end there")
    return text.encode()


def one_number(value: Any, dtype: DTypeLike | None) -> numpy.ndarray[Any, Any]:
    """An array of one element: value in dtype. A value that dtype does not have is refused, but for rounding floats."""
    data = numpy.array(value, dtype).reshape(-1)
    if data.size != 1:
        raise TypeError(f"a number is given as {data.size} elements; expected one")
    if data.dtype.kind in "iub" and numpy.any(data != value):
        raise ValueError(f"{value} is no value of {data.dtype}; expected one that is")
    return data


def numbers_of(data: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]:
    """What a device has stored, as NumPy needs it: a bool has bytes 0 and 1 alone, and the device stores any."""
    return data.view(numpy.uint8) != 0 if data.dtype == bool else data


_BUILT_IN = {
    "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64", "uint8": "uint8", "uint16": "uint16",
    "uint32": "uint32", "uint64": "uint64", "float16": "half", "float32": "float", "float64": "double", "bool": "uint8",
}
_types = {}
_texts = []  # what types point to, which must not go


def _remember_built_in():
    for name, ours in _BUILT_IN.items():
        dtype = numpy.dtype(name)
        _types[dtype] = ffi.addressof(lib, "mcl_type_" + ours)
        if name in ("float16", "bool"):
            continue
        _types[at_of(dtype)] = ffi.addressof(lib, f"mcl_type_{ours}_at")
        _types[range_of(dtype)] = ffi.addressof(lib, f"mcl_type_{ours}_range")
    for ours, number in (("float", "f4"), ("int", "i4"), ("uint", "u4")):
        for count in (2, 3, 4):
            dtype = numpy.dtype([(member, number) for member in "xyzw"[:count]])
            _types[dtype] = ffi.addressof(lib, f"mcl_type_{ours}{count}")


def at_of(dtype: DTypeLike) -> numpy.dtype[Any]:
    """The struct that MAX_INDEX and MIN_INDEX make of elements of dtype."""
    index = "i8" if numpy.dtype(dtype).itemsize == 8 else "i4"
    return numpy.dtype([("value", dtype), ("index", index)], align=True)


def range_of(dtype: DTypeLike) -> numpy.dtype[Any]:
    """The struct that min_max gives for elements of dtype."""
    return numpy.dtype([("least", dtype), ("greatest", dtype)])


# What to do with dtypes that a device does not have, by their kinds.
_INSTEAD = {
    "U": "numpy.unique(names, return_inverse=True) makes codes of texts", "O": "expected numbers, all of one dtype",
    "M": "view(numpy.int64) has the same order",
}
_INSTEAD |= {"S": _INSTEAD["U"], "T": _INSTEAD["U"], "m": _INSTEAD["M"]}


def type_of(dtype: DTypeLike) -> Any:
    """The mcl_type of a dtype. struct() makes those of your own known."""
    try:
        return _types[numpy.dtype(dtype)]
    except KeyError:
        instead = _INSTEAD.get(numpy.dtype(dtype).kind, "moderncl.struct() adds a struct")
        if not numpy.dtype(dtype).isnative:
            instead = "astype(dtype.newbyteorder('=')) has the machine's order of bytes"
        raise TypeError(f"no element type of moderncl: {numpy.dtype(dtype)}; {instead}") from None


def struct(name: str, dtype: DTypeLike) -> numpy.dtype[Any]:
    """Makes a structured dtype an element type, which C texts know as name. Returns the dtype.

    dtype needs the layout of C: numpy.dtype([...], align=True). Its fields are numbers."""
    dtype = numpy.dtype(dtype)
    fields = [(field, dtype.fields[field][0], dtype.fields[field][1]) for field in dtype.names]
    text = "".join(f" {_c_name(kind)} {field};" for field, kind, _ in fields)
    texts = [ffi.new("char[]", encoded(field)) for field, _, _ in fields]
    members = ffi.new("mcl_member[]", [(word, offset) for word, (_, _, offset) in zip(texts, fields)])
    source = ffi.new("char[]", f"typedef struct {name} {{{text} }} {name};".encode())
    word = ffi.new("char[]", encoded(name))
    pointer = ffi.new("mcl_type *", (word, dtype.itemsize, dtype.alignment, source, len(fields), members))
    _texts.append((texts, members, source, word))
    _types[dtype] = pointer
    return dtype


def _c_name(dtype):
    if dtype.names or dtype.kind not in "iuf" or dtype.itemsize > 8 or dtype == numpy.float16:
        raise TypeError(f"a field of a struct is an integer, a float or a double, not {dtype}")
    return {"float32": "float", "float64": "double"}.get(dtype.name, dtype.name + "_t")


_remember_built_in()
