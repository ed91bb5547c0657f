"""moderncl: data-parallel primitives for OpenCL and CUDA devices.

Each function mcl_NAME of the C library is moderncl.NAME, with the same parameters in the same order. Inputs are NumPy's
arrays (copied to the device), arrays of moderncl.Queue, of PyOpenCL, or with the CUDA array interface (none of these is
copied). See docs/bindings.md.

    queue = moderncl.Queue()
    numbers = queue.array([3, 1, 4, 1, 5])
    moderncl.sort(queue, numbers, numbers, moderncl.LESS)
    print(numbers.get(), moderncl.reduce(queue, numbers, moderncl.ADD))
"""

import numpy as _numpy

from . import _functions, _objects, _operands
from ._cdef import ffi as _ffi
from ._library import Error, lib as _lib, struct, type_of
from ._objects import Array, Context, Event, Input, Map, Multimap, Queue, Recording, Slot
from ._operands import KnownOp as _KnownOp, Op

for _name in _functions.names():
    globals()[_name] = _functions.make(_name)

# MCL_LESS is LESS, and so on: operators and the values of enumerations.
for _name in ("add", "multiply", "min", "max", "and", "or", "xor", "max_index", "min_index", "less", "greater", "equal",
              "equality", "left_join"):
    globals()[_name.upper()] = _KnownOp(_name)
for _name in dir(_lib):
    if _name.startswith("MCL_"):
        globals()[_name[4:]] = getattr(_lib, _name)


def version():
    """The version of the library that runs."""
    return _ffi.string(_lib.mcl_version()).decode()


def devices():
    """mcl_device_list: a dictionary of what is known of each device."""
    count = _ffi.new("int *")
    infos = _ffi.new("mcl_device_info[]", 64)
    _objects.check(_lib.mcl_device_list(infos, 64, count))
    return [_objects._dictionary(infos[k]) for k in range(min(count[0], 64))]


def _maker(role):
    def op(expression, bindings=None, **members):
        return Op(role, expression, bindings, **members)

    op.__doc__ = Op.__doc__
    return op


fold, order, equality, test, function, index = (
    _maker(role)
    for role in (_lib.MCL_ROLE_FOLD, _lib.MCL_ROLE_ORDER, _lib.MCL_ROLE_EQUALITY, _lib.MCL_ROLE_TEST,
                 _lib.MCL_ROLE_FUNCTION, _lib.MCL_ROLE_INDEX)
)


# ---- inputs -------------------------------------------------------------------------------------------------------


def from_expression(dtype, expression, count, bindings=None, source=None):
    """count values of a C expression in i, the index, and the names of bindings: a dictionary of arrays on the device
    and of NumPy's numbers."""
    call = _operands.Call(None)
    made = list(_operands.bindings_of(bindings, call))
    array = call.keep(_ffi.new("mcl_binding[]", made))
    struct = _lib.mcl_from_expression(type_of(dtype), call.text(expression), call.text(source), array, len(made), count)
    return Input(struct, dtype, call.kept)


def _from_numbers(function, dtype, values, count):
    data = [_numpy.array([value], dtype) for value in values]
    return Input(function(type_of(dtype), *[_ffi.from_buffer(one) for one in data], count), dtype, data)


def from_counting(dtype, start, count):
    """start, start + 1 and so on."""
    return _from_numbers(_lib.mcl_from_counting, dtype, [start], count)


def from_step(dtype, start, step, count):
    """start, start + step and so on."""
    return _from_numbers(_lib.mcl_from_step, dtype, [start, step], count)


def from_constant(dtype, value, count):
    """count times the same value."""
    return _from_numbers(_lib.mcl_from_constant, dtype, [value], count)


def _view(function, array, *rest):
    struct = function(array.type, array.buffer.pointer, array.offset, array.count, *rest)
    return Input(struct, array.dtype, [array])


def from_reversed(array):
    """The last element first."""
    return _view(_lib.mcl_from_reversed, array)


def from_rotated(array, by):
    """Element k is array[(k + by) mod count]."""
    return _view(_lib.mcl_from_rotated, array, by)


def from_shuffled(array, seed):
    """The elements in an order that seed decides."""
    return _view(_lib.mcl_from_shuffled, array, seed)


def from_differences(array):
    """Each element less the one before it."""
    return _view(_lib.mcl_from_differences, array)


def from_neighbours(dtype, expression, array, source=None):
    """A C expression of neighbours: p[i] is element i, q[i] the next one."""
    call = _operands.Call(None)
    call.keep(array)
    struct = _lib.mcl_from_neighbours(type_of(dtype), call.text(expression), call.text(source), array.type,
                                      array.buffer.pointer, array.offset, array.count)
    return Input(struct, dtype, call.kept)


def with_count(sequence, slot):
    """The same input, whose count is in a slot on the device; its own count is the bound."""
    struct = sequence.input if isinstance(sequence, Array) else sequence.struct
    struct = _lib.mcl_with_count_of(struct, slot.array.type, slot.array.buffer.pointer, slot.offset)
    return Input(struct, sequence.dtype, [sequence, slot])


def amount_in_slot(bound, slot):
    """A number that the device knows, such as k of top_k; bound is its highest value."""
    struct = _lib.mcl_amount_in_slot(bound, slot.array.type, slot.array.buffer.pointer, slot.offset)
    return _objects.Struct(struct, [slot])


def work_in_slot(bound, slot):
    """A number of work units that the device knows."""
    struct = _lib.mcl_work_in_slot_of(bound, slot.array.type, slot.array.buffer.pointer, slot.offset)
    return _objects.Struct(struct, [slot])
