"""What callers give, as the parameters of C: inputs, outputs, results, operators, lists of structs, options."""

from __future__ import annotations

import difflib
import functools
import re
from typing import Any

import numpy

from ._library import at_of, check, encoded, ffi, lib, one_number, range_of, type_of
from ._objects import Array, Buffer, Event, Handle, Input, Slot, Struct, one_dimension


class Call:
    """One call: what it must keep, its queue, and the dtypes that say what a plain number is."""

    def __init__(self, queue):
        self.queue = queue
        self.kept = []
        self.first = None  # dtype of the first operand
        self.nearest = None  # of the last one so far
        self.op = None
        self.results = []  # arrays on the host that the call fills

    def keep(self, value):
        self.kept.append(value)
        return value

    def text(self, value):
        return ffi.NULL if value is None else self.keep(ffi.new("char[]", encoded(value)))

    def expression(self, value, what="the text"):
        """A text of C that a user has written."""
        if not isinstance(value, str):
            raise TypeError(f"{what} is of type {type(value).__name__}; expected a text of C, such as \"x > 3\"")
        refuse_python(value)
        return self.text(value)

    def seen(self, dtype):
        self.nearest = dtype
        if self.first is None:
            self.first = dtype

    def number(self, value, dtype=None):
        """A pointer to one value of dtype, else of the operand's before it. NumPy's numbers are converted too: C reads
        the bytes of the type that it expects."""
        return ffi.from_buffer(self.keep(one_number(value, dtype or self.nearest or self.first)))

    def memory(self, value, name, dtype):
        """A pointer to an array in host memory, which the call reads where it lies. Outputs are stored there."""
        one_dimension(name, value.shape)
        if dtype is not None and value.dtype != dtype:
            raise TypeError(f"{name} has elements of {value.dtype}; expected {numpy.dtype(dtype)}")
        if not value.flags.c_contiguous:
            raise ValueError(f"{name} is not contiguous; expected numpy.ascontiguousarray({name})")
        if name.startswith("out") and not value.flags.writeable:
            raise ValueError(f"{name} is read-only; expected an array that may be written")
        return ffi.from_buffer(self.keep(value)) if value.size else ffi.NULL


_TOKEN = re.compile(r"/\*.*?\*/|<<|>>|->|[<>=!]=|&&|\|\||//|\b(?:and|or|if|else)\b|[<>()\[\]?:,;&|^]", re.DOTALL)


def refuse_python(text):
    """Refuses what Python means otherwise than C: the compiler would take it, and the result would be wrong."""
    compared = [None]  # of each open bracket: whether the last comparison was one of order or of equality
    parts = [[False]]  # of each open bracket: whether each operand of & | ^ has a comparison
    for token in _TOKEN.findall(text) + [";"]:
        if token == "//" and "\n" not in text:
            raise ValueError(f'"{text}": // begins a comment in C; expected /, which rounds integers towards 0')
        kind = {"<": 1, ">": 1, "<=": 1, ">=": 1, "==": 2, "!=": 2}.get(token)
        if kind and kind == compared[-1]:
            raise ValueError(f'"{text}" compares what a comparison gives; expected a < b && b < c for a < b < c')
        if token in ("(", "["):
            compared.append(None)
            parts.append([False])
            continue
        if token in ("<<", ">>", "->") or token.startswith("/"):
            continue
        if kind:
            parts[-1][-1] = True
        elif token in ("&", "|", "^"):
            parts[-1].append(False)
        elif len(set(parts[-1])) == 2:
            raise ValueError(f'"{text}": in C a comparison goes before & | ^; expected brackets, as in (x & 1) == 0')
        else:
            parts[-1] = [False]
        compared[-1] = kind
        if token in (")", "]"):
            compared, parts = compared[:-1] or [None], parts[:-1] or [[False]]


def array_of(value, queue):
    """An Array for an Array, an array of PyOpenCL's, what has the CUDA array interface, or what DLPack has on a device;
    else None."""
    if isinstance(value, Array):
        return value
    if value is None or isinstance(value, (numpy.ndarray, numpy.generic, list, tuple, int, float)):
        return None
    if hasattr(value, "__cuda_array_interface__"):
        return _cuda_array(value, queue)
    if hasattr(value, "base_data") and hasattr(value.base_data, "int_ptr"):
        return _pyopencl_array(value, queue)
    if hasattr(value, "__dlpack_device__"):
        from . import _dlpack

        return _dlpack.imported(value, queue) if _dlpack.is_on_device(value) else None
    return None


def _pyopencl_array(value, queue):
    """Its buffer, without a copy."""
    one_dimension("an array of PyOpenCL", value.shape)
    if not value.flags.forc:
        raise ValueError("an array of PyOpenCL is contiguous")
    if value.offset % value.dtype.itemsize:
        raise ValueError("the offset of an array of PyOpenCL is a multiple of its elements' size")
    handle = ffi.cast("void *", value.base_data.int_ptr)
    buffer = Buffer.made(lib.mcl_opencl_buffer_wrap, lib.mcl_queue_context(queue.pointer), handle)
    return Array(queue, buffer, value.dtype, value.offset // value.dtype.itemsize, value.size)


def _cuda_array(value, queue):
    """Its memory, without a copy. The queue waits for the stream that the interface names."""
    facts = value.__cuda_array_interface__
    one_dimension("an array with the CUDA array interface", facts["shape"])
    dtype = numpy.dtype(facts["typestr"])
    count = int(numpy.prod(facts["shape"], dtype=numpy.int64))
    if facts.get("strides") is not None:
        packed = numpy.lib.stride_tricks.as_strided(numpy.empty(1, dtype), facts["shape"], facts["strides"])
        if not packed.flags.c_contiguous:
            raise ValueError("an array with the CUDA array interface is contiguous")
    address = facts["data"][0]
    context = lib.mcl_queue_context(queue.pointer)
    buffer = Buffer.made(lib.mcl_cuda_buffer_wrap, context, address, count * dtype.itemsize)
    if facts.get("stream") is not None:
        out = ffi.new("mcl_queue **")
        check(lib.mcl_cuda_queue_wrap(context, ffi.cast("void *", facts["stream"]), out))
        stream = ffi.gc(out[0], lib.mcl_queue_release)
        done = Event.made(lib.mcl_event_record, stream)
        check(lib.mcl_queue_wait(queue.pointer, [done.pointer], 1))
    return Array(queue, buffer, dtype, 0, count, not facts["data"][1])


def input_of(value, call):
    """An Input or Array as it is; NumPy's arrays, and what NumPy makes one of, as a copy on the device."""
    if isinstance(value, Input):
        call.keep(value)
        call.seen(value.dtype)
        return value.struct
    found = array_of(value, call.queue)
    if found is None:
        if value is None:
            return ffi.new("mcl_input *")[0]
        if call.queue is None:
            raise TypeError("without a queue an input is an array on the device: queue.array() makes one")
        found = call.queue.array(value)
    call.keep(found)
    call.seen(found.dtype)
    return found.input


def output_of(value, call):
    """None: not wanted."""
    if value is None:
        return ffi.new("mcl_output *")[0]
    found = array_of(value, call.queue)
    if found is None:
        raise TypeError(f"an output is an array on the device, not {type(value).__name__}: queue.empty() makes one")
    if not found.writable:
        raise TypeError("an output is an array that may be written, not a read-only one")
    call.keep(found)
    call.seen(found.dtype)
    return lib.mcl_to_buffer(found.type, found.buffer.pointer, found.offset, found.count)


def result_of(value, call, numbers=1):
    """None: nowhere. A Slot: on the device. A dtype: the call waits and returns the number, or an array of as many as
    the call stores. A NumPy array is filled."""
    if value is None:
        return lib.mcl_to_nowhere()
    if isinstance(value, Slot):
        call.keep(value)
        return lib.mcl_to_slot(value.array.type, value.array.buffer.pointer, value.offset)
    if not isinstance(value, numpy.ndarray):
        try:
            value = numpy.zeros(numbers, numpy.dtype(value))
        except TypeError:
            raise TypeError(f"a result is of type {type(value).__name__}; expected a dtype, array.slot(k), a NumPy array "
                            "or None") from None
        call.results.append(value)
    if value.size != numbers or not value.flags.writeable:
        what = "is read-only" if value.size == numbers else f"has {value.size} elements"
        raise ValueError(f"the array for a result {what}; expected {numbers} that may be written")
    return lib.mcl_to_host(type_of(value.dtype), ffi.from_buffer(call.keep(value)))


class Op:
    """An operator: the members of mcl_op by their names, with texts for expressions and dtypes for types. bindings is a
    dictionary of the names that the texts use, to arrays on the device or to NumPy's numbers."""

    def __init__(self, role: int, expression: str, bindings: dict[str, Any] | None = None, **members: Any) -> None:
        call = Call(None)
        self.role, self.expression = role, expression
        self.value = members.get("value")
        self.pointer = ffi.new("mcl_op *", {"role": role, "expression": call.expression(expression)})
        fields = dict(ffi.typeof("mcl_op").fields)
        for name, value in members.items():
            if name not in fields:
                maker = _ROLES[role][0]
                raise TypeError(
                    f"{maker}() has no member {name}; names that the text uses go into one dictionary: "
                    f"{maker}({expression!r}, {{{name!r}: ...}})"
                )
            is_text = name in ("extract", "combine", "identity") and value is not None
            setattr(self.pointer, name, call.expression(value) if is_text else converted(fields[name].type, value, call))
        count = len(bindings or {})
        self.pointer.binding_count = count
        for k, binding in enumerate(bindings_of(bindings, call)):
            self.pointer.bindings[k] = binding
        self.kept = call.kept

    def __repr__(self) -> str:
        return f"moderncl.{_ROLES[self.role][0]}({self.expression!r})"


class KnownOp:
    """An operator of the library's."""

    value = None

    def __init__(self, name: str) -> None:
        self.name = name
        self.pointer = ffi.addressof(lib, "mcl_op_" + name)

    def __repr__(self) -> str:
        return f"moderncl.{self.name.upper()}"


# Of each role: the function that makes such an operator, and what a text of it says.
_ROLES = {
    lib.MCL_ROLE_FOLD: ("fold", 'a fold of p and q, such as "p + q" or moderncl.ADD'),
    lib.MCL_ROLE_ORDER: ("order", 'an order of p and q, such as "p < q" or moderncl.LESS'),
    lib.MCL_ROLE_EQUALITY: ("equality", 'an equality of p and q, such as "p == q" or moderncl.EQUAL'),
    lib.MCL_ROLE_TEST: ("test", 'a test of x, such as "x > 3"'),
    lib.MCL_ROLE_FUNCTION: ("function", 'a function of p and q, such as "q - p" or moderncl.EQUALITY'),
    lib.MCL_ROLE_INDEX: ("index", 'an index made of x, such as "x / 10"'),
}
# The role that a parameter or a member of a struct takes. Structs with a member role say it themselves.
_ROLE_OF = {
    "op": lib.MCL_ROLE_FOLD, "before": lib.MCL_ROLE_ORDER,
    "same": lib.MCL_ROLE_EQUALITY, "equal": lib.MCL_ROLE_EQUALITY,
    "keep": lib.MCL_ROLE_TEST, "test": lib.MCL_ROLE_TEST,
    "first_test": lib.MCL_ROLE_TEST, "second_test": lib.MCL_ROLE_TEST,
    "bucket": lib.MCL_ROLE_INDEX, "bin": lib.MCL_ROLE_INDEX, "count": lib.MCL_ROLE_FUNCTION,
}
# Texts that say of numbers what an operator of the library's says, which knows more: its identity, and radix sort.
_SAME = {
    (lib.MCL_ROLE_FOLD, "p+q"): "add", (lib.MCL_ROLE_FOLD, "p*q"): "multiply", (lib.MCL_ROLE_FOLD, "p&q"): "and",
    (lib.MCL_ROLE_FOLD, "p|q"): "or", (lib.MCL_ROLE_FOLD, "p^q"): "xor", (lib.MCL_ROLE_ORDER, "p<q"): "less",
    (lib.MCL_ROLE_ORDER, "p>q"): "greater", (lib.MCL_ROLE_EQUALITY, "p==q"): "equal",
}


@functools.lru_cache(maxsize=1024)
def _of_text(role, text, of_numbers):
    known = _SAME.get((role, "".join(text.split()))) if of_numbers else None
    return KnownOp(known) if known else Op(role, text)


def op_of(value, call, name="op", role=0):
    """An operator, or the text of one, whose role is that of the parameter."""
    if value is None:
        return ffi.NULL
    role = role or _ROLE_OF.get(name, 0)
    if isinstance(value, str) and role:
        of_numbers = call.nearest is not None and numpy.dtype(call.nearest).names is None
        value = _of_text(role, value, of_numbers)
    if not isinstance(value, (Op, KnownOp)):
        expected = _ROLES[role][1] if role else "an operator such as moderncl.test(...)"
        raise TypeError(f"{name} is of type {type(value).__name__}; expected {expected}")
    call.keep(value)
    call.op = call.op or value
    return value.pointer


def bindings_of(bindings, call):
    """A mcl_binding for each name."""
    if not isinstance(bindings or {}, dict):
        raise TypeError(f"bindings is of type {type(bindings).__name__}; expected a dictionary, such as {{\"limit\": 3}}")
    for name, value in (bindings or {}).items():
        word = call.text(name)
        found = array_of(value, call.queue)
        if found is not None:
            call.keep(found)
            yield lib.mcl_binding_buffer(word, found.type, found.buffer.pointer, found.offset)
        else:
            one = numpy.asarray(value)
            if one.ndim > 0:
                raise TypeError(
                    f"the binding {name} has {one.size} elements on the host; expected one number, or an array on the "
                    "device, which queue.array() makes"
                )
            yield lib.mcl_binding_value(word, type_of(one.dtype), call.number(one, one.dtype))


def alike(name, names):
    """The end of a sentence on a name that is not there: which name that is there looks like it."""
    found = difflib.get_close_matches(name, names, 1)
    return f"; {found[0]} is alike" if found else ""


def options_of(members, call):
    """mcl_options with these members."""
    if not members:
        return ffi.NULL
    fields = dict(ffi.typeof("mcl_options").fields)
    options = call.keep(ffi.new("mcl_options *"))
    options.size = ffi.sizeof("mcl_options")
    for name, value in members.items():
        if name == "wait":
            value = list(value) if isinstance(value, (list, tuple)) else [value]
            for event in value:
                if not isinstance(event, Event):
                    raise TypeError(f"wait has a {type(event).__name__}; expected a list of moderncl.Event")
            options.wait = call.keep(ffi.new("mcl_event *[]", [event.pointer for event in value]))
            options.wait_count = len(value)
            call.keep(value)
        elif name == "initial":
            options.initial = call.number(value, accumulator(call))
        elif name in fields:
            setattr(options, name, converted(fields[name].type, value, call, name))
        else:
            raise TypeError(f"there is no option {name}{alike(name, fields)}")
    return options


_OBJECTS = tuple("mcl_" + kind for kind in ("context", "queue", "buffer", "event", "recording", "map", "multimap"))


def _handle(item, value, call, name):
    """The pointer of an object of the library's: of a queue, a map and so on."""
    expected = item.cname.removeprefix("struct ").removeprefix("mcl_")
    if isinstance(value, Array) and expected == "buffer":
        call.seen(value.dtype)
        return call.keep(value).buffer.pointer
    if not isinstance(value, Handle) or value.kind != expected:
        raise TypeError(f"{name} is of type {type(value).__name__}; expected a moderncl.{expected.capitalize()}")
    return call.keep(value).pointer


def _numpy_of(item):
    """The dtype of an integer type of C's."""
    return numpy.dtype(f"{'i' if int(ffi.cast(item, -1)) < 0 else 'u'}{ffi.sizeof(item)}")


def _pointer(kind, value, call, name):
    """NULL, an object's handle, or what stands for an array or struct that C points to."""
    item = kind.item
    if value is None:
        return ffi.NULL
    if isinstance(value, ffi.CData):
        return value
    if item.cname.removeprefix("struct ") in _OBJECTS:
        return _handle(item, value, call, name)
    if isinstance(value, bytearray):
        return ffi.from_buffer(call.keep(value))
    if item.cname == "char":
        return call.text(value)
    if item.kind == "struct":
        many = isinstance(value, list)
        made = [converted(item, one, call) for one in (value if many else [value])]
        return call.keep(ffi.new(f"{item.cname}[]", made))
    if isinstance(value, numpy.ndarray) and (item.kind != "void" or value.size > 1):
        return ffi.cast(kind, call.memory(value, name, None if item.kind == "void" else _numpy_of(item)))
    if name.startswith("out"):
        raise TypeError(f"{name} is of type {type(value).__name__}; expected a NumPy array, which is used where it lies")
    if item.kind == "void":
        return call.number(value)
    return call.keep(ffi.new(f"{item.cname}[]", [converted(item, one, call) for one in value]))


def _struct(kind, value, call):
    """A struct from a tuple of its first members, or a dictionary."""
    if isinstance(value, Struct):
        return call.keep(value).struct
    made = call.keep(ffi.new(f"{kind.cname} *"))
    _fill(made[0], kind, value, call)
    return made[0]


def _fill(struct, kind, value, call):
    fields = dict(kind.fields)
    if not isinstance(value, (dict, tuple, list)):
        what = kind.cname.removeprefix("struct ")
        raise TypeError(f"a {what} is of type {type(value).__name__}; expected what a function of moderncl gives, a tuple "
                        "or a dictionary")
    given = value if isinstance(value, dict) else dict(zip(fields, value))
    for name in given.keys() - fields.keys():
        raise TypeError(f"{kind.cname} has no member {name}")
    for name, one in ((name, given[name]) for name in fields if name in given):
        field = fields[name].type
        if field.cname.endswith("mcl_op *"):
            setattr(struct, name, op_of(one, call, name, getattr(struct, "role", 0)))
            continue
        if field.kind != "array":
            setattr(struct, name, converted(field, one, call, name))
            continue
        elements = getattr(struct, name)
        for k, element in enumerate(one):
            if field.item.kind == "struct" and not isinstance(element, Struct):
                _fill(elements[k], field.item, element, call)
            else:
                elements[k] = converted(field.item, element, call)


def type_for(value, call):
    """The type of a dtype, which numbers after it are of."""
    if value is None or isinstance(value, ffi.CData):
        return ffi.NULL if value is None else value
    call.nearest = numpy.dtype(value)
    return type_of(value)


CONVERTERS = {
    "mcl_input": input_of,
    "mcl_output": output_of,
    "mcl_result": result_of,
}
_OF_NUMBERS = {"mcl_amount": lib.mcl_amount_of, "mcl_work": lib.mcl_work_items}


def _number(kind, value, name):
    """A number of C's. A value of a wrong type is refused by a sentence that names the parameter."""
    is_float = kind.cname in ("float", "double")
    if not isinstance(value, ffi.CData) and not hasattr(value, "__float__" if is_float else "__index__"):
        expected = "a number" if is_float else "a whole number"
        if kind.kind == "enum":
            expected = "one of " + ", ".join(word.replace("MCL_", "moderncl.", 1) for _, word in sorted(kind.elements.items()))
        raise TypeError(f"{name} is of type {type(value).__name__}; expected {expected}")
    return value


def converter(kind, name="op"):
    """A function of (value, call) that makes a parameter of this type and name."""
    if kind.cname.endswith("mcl_op *"):
        return lambda value, call: op_of(value, call, name)
    if kind.cname.endswith("mcl_type *"):
        return type_for
    word = kind.cname.removeprefix("struct ")
    if word in CONVERTERS:
        return CONVERTERS[word]
    if word in _OF_NUMBERS:
        index = ffi.typeof("int64_t")
        return lambda value, call: (call.keep(value).struct if isinstance(value, Struct) else
                                    _OF_NUMBERS[word](_number(index, value, name)))
    if kind.kind == "pointer":
        return lambda value, call: _pointer(kind, value, call, name)
    if kind.kind == "struct":
        return lambda value, call: _struct(kind, value, call)
    return lambda value, call: _number(kind, value, name)


def converted(kind, value, call, name="op"):
    return converter(kind, name)(value, call)


def accumulator(call):
    """The dtype of an initial value: what the call's operator folds in by itself."""
    if call.op is None:
        return call.first
    if call.op.pointer in (ffi.addressof(lib, "mcl_op_max_index"), ffi.addressof(lib, "mcl_op_min_index")):
        return at_of(call.first)
    return call.op.value or call.first


def result_dtype(function, name, call):
    """What a result on the host is, where the caller does not say. None: nowhere."""
    if name == "count" or function in ("find_if", "count_if"):
        return numpy.int64
    if name != "result":
        return None
    if function == "min_max":
        return range_of(call.first)
    return wide(accumulator(call), call) if function == "reduce" else accumulator(call)


# The result of these is an element, or has no more bits than one.
_NARROW = tuple(ffi.addressof(lib, "mcl_op_" + name) for name in ("min", "max", "and", "or", "xor"))


def wide(dtype, call):
    """The dtype of a reduction: of integers 64 bits, as NumPy sums them, unless the operator says what it folds in."""
    if call.op is None or call.op.value is not None or call.op.pointer in _NARROW:
        return dtype
    signed, unsigned = numpy.dtype("int64"), numpy.dtype("uint64")
    return {"i": signed, "b": signed, "u": unsigned}.get(numpy.dtype(dtype).kind, dtype)
