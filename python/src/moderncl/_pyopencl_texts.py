"""PyOpenCL's texts as the library's operators and inputs.

PyOpenCL's scans and reductions take C texts that name arrays, scalars, i, a and b. The library's operators have names
of their own, and bindings for arrays. So each text becomes the body of a function whose parameters have PyOpenCL's
names. The operator calls it."""

from __future__ import annotations

import functools
import os
import re
from typing import Any

import numpy
import pyopencl as cl
from pyopencl.tools import ScalarArg, VectorArg, dtype_to_ctype

from ._library import ffi, lib, struct
from ._makers import from_expression
from ._objects import Array, Buffer, Context, Input, Queue
from ._operands import KnownOp, Op

_STRUCT_BYTES_MAX = 64


def unserved(what: str) -> NotImplementedError:
    """The error for what PyOpenCL's own has to do."""
    return NotImplementedError(f"moderncl.pyopencl: {what}; PyOpenCL's own class of the same name serves it")


# ---- queues and arrays --------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=16)
def _context_of(context: Any, device: Any) -> Context:
    return Context.from_opencl(context, device)


@functools.lru_cache(maxsize=16)
def queue_of(queue: Any) -> Queue:
    """The library's queue around one of PyOpenCL's. Some are kept, since the first one asks the device what it can."""
    return Queue.from_opencl(_context_of(queue.context, queue.device), queue)


def array_as(queue: Queue, array: Any, dtype: Any, count: int | None = None) -> Array:
    """The memory of an array of PyOpenCL's, from its offset on, as count elements of dtype."""
    dtype = numpy.dtype(dtype)
    if not array.flags.forc:
        raise RuntimeError("an array of PyOpenCL is not contiguous; expected a contiguous one")
    if array.offset % dtype.itemsize:
        raise unserved(f"an array begins at byte {array.offset} of its buffer; expected a multiple of {dtype.itemsize}")
    handle = ffi.cast("void *", array.base_data.int_ptr)
    buffer = Buffer.made(lib.mcl_opencl_buffer_wrap, queue.context.pointer, handle)
    if count is None:
        count = array.nbytes // dtype.itemsize
    return Array(queue, buffer, dtype, array.offset // dtype.itemsize, count)


# ---- types --------------------------------------------------------------------------------------------------------


def is_number(dtype: numpy.dtype[Any]) -> bool:
    """Whether the library computes with elements of dtype by itself."""
    return dtype.kind in "iufb" and dtype != numpy.float16


@functools.lru_cache(maxsize=None)
def words_of(size: int, is_flagged: bool = False) -> numpy.dtype[Any]:
    """An element type of size bytes, which are only moved. is_flagged: with a member flag after them."""
    word = next(word for word in (8, 4, 2, 1) if size % word == 0)
    if size == word and not is_flagged:
        return numpy.dtype(f"u{word}")
    fields = [(f"w{k}", f"u{word}") for k in range(size // word)] + [("flag", "i4")] * is_flagged
    dtype = numpy.dtype(fields, align=True)
    if dtype.itemsize > _STRUCT_BYTES_MAX:
        raise unserved(f"an element has {dtype.itemsize} bytes, where the library takes {_STRUCT_BYTES_MAX}")
    return struct(f"pcl_words_{size}{'_flagged' * is_flagged}", dtype)


def _ctype_of_words(dtype: numpy.dtype[Any], size: int) -> str:
    if dtype.names is None:
        return str(dtype_to_ctype(dtype))
    return f"pcl_words_{size}{'_flagged' * ('flag' in dtype.names)}"


def _words_of_scalar(dtype: numpy.dtype[Any]) -> numpy.dtype[Any] | None:
    """The words that a scalar is bound as: None where it is a number."""
    return None if is_number(dtype) else words_of(dtype.itemsize)


@functools.lru_cache(maxsize=None)
def _complex_header() -> str:
    """The functions for complex numbers, which PyOpenCL's programs include."""
    with open(os.path.join(os.path.dirname(cl.__file__), "cl", "pyopencl-complex.h"), encoding="utf-8") as file:
        return "#define PYOPENCL_DEFINE_CDOUBLE\n" + file.read()


# ---- texts --------------------------------------------------------------------------------------------------------


def _says(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def element_named(expression: str) -> str | None:
    """NAME where the expression is NAME[i]."""
    found = re.fullmatch(r"[\s(]*(\w+)\s*\[\s*i\s*\][\s)]*", expression)
    return found.group(1) if found else None


class Texts:
    """The functions of one kernel of PyOpenCL's: dtype is what its texts call item, and arguments are what they name."""

    def __init__(
        self, dtype: Any, arguments: Any, preamble: str, index_ctype: str = "int", is_flagged: bool = False,
        options: Any = None
    ) -> None:
        if options:
            raise unserved(f"the options are {options!r}, where the library's programs have options of their own")
        self.dtype = numpy.dtype(dtype)
        if self.dtype == numpy.float16:
            raise unserved("elements are of type float16")
        self.arguments = list(arguments)
        for argument in self.arguments:
            if not isinstance(argument, (VectorArg, ScalarArg)):
                raise unserved(f"the argument {argument.name} is neither an array nor a scalar")
            if isinstance(argument, ScalarArg):
                _words_of_scalar(argument.dtype)
        self.is_flagged = is_flagged
        self.is_number = is_number(self.dtype)
        self.is_plain = self.is_number and not is_flagged
        if self.is_plain:
            self.item = numpy.dtype(numpy.uint8) if self.dtype.kind == "b" else self.dtype
            item_ctype = "uchar" if self.dtype.kind == "b" else dtype_to_ctype(self.dtype)
        else:
            self.item = words_of(self.dtype.itemsize, is_flagged)
            item_ctype = _ctype_of_words(self.item, self.dtype.itemsize)
        ctype = dtype_to_ctype(self.dtype)
        needs_complex = any(
            _says(text, word) for text in [preamble, ctype, *(dtype_to_ctype(one.dtype) for one in self.arguments)]
            for word in ("cfloat_t", "cdouble_t"))
        self._preamble = preamble
        # The library's programs have an index_type of their own.
        self._head = "\n".join([
            f"typedef {index_ctype} pcl_index;", "#define index_type pcl_index",
            _complex_header() if needs_complex else "", preamble,
            f"typedef {ctype} pcl_value_type;", "#define scan_type pcl_value_type", f"typedef {item_ctype} pcl_item;",
            self._conversions(),
        ])
        self._functions: list[str] = []
        self._read: set[str] = set()

    def _conversions(self) -> str:
        """pcl_pack makes an item of a value and its flag, pcl_value a value of an item, pcl_flag its flag."""
        if self.is_plain:
            return ("static inline pcl_item pcl_pack(pcl_value_type value, int flag) { (void)flag; return value; }\n"
                    "static inline pcl_value_type pcl_value(pcl_item item) { return item; }\n"
                    "static inline int pcl_flag(pcl_item item) { (void)item; return 0; }")
        to_flag, flag = ("both.item.flag = flag;", "item.flag") if self.is_flagged else ("(void)flag;", "0")
        return ("typedef union { pcl_item item; pcl_value_type value; } pcl_both;\n"
                "static inline pcl_item pcl_pack(pcl_value_type value, int flag)\n"
                f"{{ pcl_both both; both.value = value; {to_flag} return both.item; }}\n"
                "static inline pcl_value_type pcl_value(pcl_item item)\n"
                "{ pcl_both both; both.item = item; return both.value; }\n"
                f"static inline int pcl_flag(pcl_item item) {{ (void)item; return {flag}; }}")

    def marked(self) -> tuple[str, str]:
        """A call that gives a fold the flag of its last element, and the function's text for this call."""
        return "pcl_marked(x, v)", ("static inline pcl_item pcl_marked(pcl_item x, pcl_item v)\n"
                                    "{ return pcl_pack(pcl_value(v), pcl_flag(x)); }\n")

    def stored(self) -> tuple[str, str]:
        """A call that takes the flag off an item, and the function's text for this call. Its type is in such a program
        alone."""
        stored = _ctype_of_words(self.stored_dtype, self.dtype.itemsize)
        return "pcl_stored(v)", (f"static inline {stored} pcl_stored(pcl_item item)\n"
                                 f"{{ union {{ pcl_value_type value; {stored} stored; }} both;\n"
                                 "both.value = pcl_value(item); return both.stored; }\n")

    @property
    def stored_dtype(self) -> numpy.dtype[Any]:
        """The element type of an array of these items without flags."""
        return self.item if self.is_number and not self.is_flagged else words_of(self.dtype.itemsize)

    def source(self, more: str = "") -> str:
        """All functions, and more. The library puts a text that several operators have into a program once."""
        return "\n".join([self._head, *self._functions, more, "#undef index_type", "#undef scan_type"])

    @property
    def definitions(self) -> str:
        """The types and functions for a program of PyOpenCL's."""
        words = ""
        if self.item.names:
            members = " ".join(f"{dtype_to_ctype(self.item.fields[name][0])} {name};" for name in self.item.names)
            name = _ctype_of_words(self.item, self.dtype.itemsize)
            words = f"typedef struct {name} {{ {members} }} {name};\n"
        return words + self._head

    def used(self, *texts: str) -> list[Any]:
        """The arguments that these texts, or macros of the preamble, name."""
        found = [one for one in self.arguments if any(_says(text, one.name) for text in (*texts, self._preamble))]
        self._read.update(one.name for one in found if isinstance(one, VectorArg))
        return found

    @property
    def read(self) -> set[str]:
        """The names of the arrays that the texts so far read."""
        return self._read

    def add(self, result: str, name: str, parameters: list[str], body: str, used: list[Any]) -> str:
        """Adds a function. Returns the end of a call's list: its bound arguments."""
        declared = list(parameters)
        passed = []
        for one in used:
            ctype = dtype_to_ctype(one.dtype)
            bound = f"pcl_bound_{self.arguments.index(one)}"
            if isinstance(one, VectorArg):
                declared.append(f"__global {ctype} *{one.name}")
                passed.append(f"(__global {ctype} *){bound}")
            elif words := _words_of_scalar(one.dtype):
                declared.append(f"{ctype} {one.name}")
                words_ctype = _ctype_of_words(words, one.dtype.itemsize)
                convert = f"pcl_scalar_{self.arguments.index(one)}"
                if not any(f" {convert}(" in text for text in self._functions):
                    self._functions.append(
                        f"static inline {ctype} {convert}({words_ctype} words)\n"
                        f"{{ union {{ {words_ctype} words; {ctype} value; }} both;\n"
                        "both.words = words; return both.value; }")
                passed.append(f"{convert}({bound})")
            else:
                declared.append(f"{ctype} {one.name}")
                passed.append(bound)
        self._functions.append(f"static inline {result} {name}({', '.join(declared) or 'void'})\n{{\n{body}\n}}")
        return "".join(", " + one for one in passed)

    def add_input(
        self, expression: str, fetches: Any = (), start: str | None = None, has_count: bool = False
    ) -> str:
        """Adds the function that makes item i. Returns the expression of a call."""
        used = self.used(expression, start or "", *(array for _, array, _ in fetches))
        types = {one.name: dtype_to_ctype(one.dtype) for one in self.arguments}
        lines = []
        for name, array, offset in fetches:
            lines.append(f"{types[array]} {name} = {array}[i + {offset} < 0 ? 0 : i + {offset}]; (void){name};")
        lines.append(f"const pcl_value_type pcl_made = ({expression}\n);")
        if start is None:
            lines.append("return pcl_pack(pcl_made, 0);")
        else:
            lines.append("int pcl_starts;")
            lines.append(f"{{ const pcl_value_type a = pcl_made; (void)a; pcl_starts = ({start}\n) ? 1 : 0; }}")
            lines.append("return pcl_pack(pcl_made, pcl_starts);")
        parameters = ["pcl_index i"] + ["pcl_index N"] * has_count
        rest = self.add("pcl_item", "pcl_input", parameters, "\n".join(lines), used)
        first = "(pcl_index)(pcl_first + pcl_step * i)"
        return f"pcl_input({first}{', (pcl_index)pcl_count' * has_count}{rest})"

    def add_fold(self, expression: str, neutral: str) -> None:
        """Adds the functions of a fold of a and b, and its identity."""
        self.add("pcl_value_type", "pcl_fold_values",
                 ["pcl_value_type a", "pcl_value_type b", "bool across_seg_boundary"], f"return ({expression}\n);", [])
        self.add("pcl_item", "pcl_fold", ["pcl_item p", "pcl_item q"],
                 "const int flag = pcl_flag(q);\n"
                 "return pcl_pack(pcl_fold_values(pcl_value(p), pcl_value(q), flag), pcl_flag(p) | flag);", [])
        self.add("pcl_item", "pcl_neutral", [], f"return pcl_pack(({neutral}), 0);", [])

    def sum(self, expression: str, neutral: str) -> KnownOp | None:
        """The library's sum, where these texts say it."""
        plain = re.sub(r"[\s()]", "", expression)
        zero = re.fullmatch(r"0*(\.0*)?f?", neutral.strip()) and "0" in neutral
        return KnownOp("add") if self.is_plain and self.dtype.kind != "b" and plain in ("a+b", "b+a") and zero else None

    def bindings(self, queue: Queue, values: dict[str, Any], used: Any, numbers: dict[str, int]) -> dict[str, Any]:
        """What a call binds to the names of the arguments in used."""
        found: dict[str, Any] = {name: numpy.int64(number) for name, number in numbers.items()}
        for k, one in enumerate(self.arguments):
            if one.name not in used:
                continue
            value = values[one.name]
            if isinstance(one, ScalarArg):
                scalar = numpy.asarray(value, one.dtype)
                words = _words_of_scalar(one.dtype)
                found[f"pcl_bound_{k}"] = numpy.frombuffer(scalar.tobytes(), words)[0] if words else scalar[()]
            elif value.base_data is None:  # of no elements, so that nothing is read there
                found[f"pcl_bound_{k}"] = queue.empty(1, numpy.uint8)
            else:
                found[f"pcl_bound_{k}"] = array_as(queue, value, numpy.uint8)
        return found

    def input(
        self, queue: Queue, expression: str, count: int, values: dict[str, Any], start: int = 0, step: int = 1,
        more: str = ""
    ) -> Input:
        """count items, of the indices start, start + step and so on."""
        numbers = {"pcl_first": start, "pcl_step": step, "pcl_count": count}
        used = [one.name for k, one in enumerate(self.arguments) if _says(expression, f"pcl_bound_{k}")]
        bound = self.bindings(queue, values, used, {name: n for name, n in numbers.items() if _says(expression, name)})
        return from_expression(self.item, expression, count, bound, self.source(more))

    def operator(
        self, role: int, expression: str, queue: Queue, values: dict[str, Any], more: str = "", **members: Any
    ) -> Op:
        """An operator whose expression calls functions of these texts, and of more."""
        used = [one.name for k, one in enumerate(self.arguments) if _says(expression, f"pcl_bound_{k}")]
        count = {"pcl_count": values["pcl_count"]} if _says(expression, "pcl_count") else {}
        return Op(role, expression, self.bindings(queue, values, used, count), source=self.source(more), **members)
