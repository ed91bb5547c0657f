"""What callers make operands of: operators of their own, and inputs that are computed."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import DTypeLike

from ._library import ffi, lib, one_number, type_of
from ._objects import Array, Input, Slot, Struct
from ._operands import Call, Op, bindings_of

__all__ = [
    "fold", "order", "equality", "test", "function", "index", "from_expression", "from_counting", "from_step",
    "from_constant", "from_reversed", "from_rotated", "from_shuffled", "from_differences", "from_neighbours",
    "with_count", "amount_in_slot", "work_in_slot",
]

# ---- operators ----------------------------------------------------------------------------------------------------


def fold(expression: str, bindings: dict[str, Any] | None = None, **members: Any) -> Op:
    """A fold of p and q, two accumulators, p of earlier elements. bindings: the names that the text uses, to arrays on
    the device or to NumPy's numbers. members: those of mcl_op."""
    return Op(lib.MCL_ROLE_FOLD, expression, bindings, **members)


def order(expression: str, bindings: dict[str, Any] | None = None, **members: Any) -> Op:
    """An order: nonzero where p sorts before q. bindings: the names that the text uses, to arrays on the device or to
    NumPy's numbers. members: those of mcl_op."""
    return Op(lib.MCL_ROLE_ORDER, expression, bindings, **members)


def equality(expression: str, bindings: dict[str, Any] | None = None, **members: Any) -> Op:
    """An equality of neighbours: nonzero where p, the earlier one, equals q. bindings: the names that the text uses, to
    arrays on the device or to NumPy's numbers. members: those of mcl_op."""
    return Op(lib.MCL_ROLE_EQUALITY, expression, bindings, **members)


def test(expression: str, bindings: dict[str, Any] | None = None, **members: Any) -> Op:
    """A test: nonzero where x, the element at index i, passes. bindings: the names that the text uses, to arrays on the
    device or to NumPy's numbers. members: those of mcl_op."""
    return Op(lib.MCL_ROLE_TEST, expression, bindings, **members)


def function(expression: str, bindings: dict[str, Any] | None = None, **members: Any) -> Op:
    """Any function of two numbers p and q. bindings: the names that the text uses, to arrays on the device or to
    NumPy's numbers. members: those of mcl_op."""
    return Op(lib.MCL_ROLE_FUNCTION, expression, bindings, **members)


def index(expression: str, bindings: dict[str, Any] | None = None, **members: Any) -> Op:
    """A whole number made of x, the element at index i. bindings: the names that the text uses, to arrays on the device
    or to NumPy's numbers. members: those of mcl_op."""
    return Op(lib.MCL_ROLE_INDEX, expression, bindings, **members)


# ---- inputs -------------------------------------------------------------------------------------------------------


def from_expression(
    dtype: DTypeLike, expression: str, count: int, bindings: dict[str, Any] | None = None, source: str | None = None
) -> Input:
    """count values of a C expression in i, the index, and the names of bindings: a dictionary of arrays on the device
    and of NumPy's numbers. source: C text of what the expression calls."""
    call = Call(None)
    if not isinstance(count, (int, numpy.integer)):
        raise TypeError(f"count is of type {type(count).__name__}; expected how many elements there are: "
                        "from_expression(dtype, expression, count, bindings)")
    made = list(bindings_of(bindings, call))
    array = call.keep(ffi.new("mcl_binding[]", made))
    text = call.expression(expression, "expression")
    struct = lib.mcl_from_expression(type_of(dtype), text, call.text(source), array, len(made), count)
    return Input(struct, dtype, call.kept)


def _from_numbers(function: Any, dtype: DTypeLike, values: list[Any], count: int) -> Input:
    data = [one_number(value, dtype) for value in values]
    return Input(function(type_of(dtype), *[ffi.from_buffer(one) for one in data], count), dtype, data)


def from_counting(dtype: DTypeLike, start: Any, count: int) -> Input:
    """start, start + 1 and so on."""
    return _from_numbers(lib.mcl_from_counting, dtype, [start], count)


def from_step(dtype: DTypeLike, start: Any, step: Any, count: int) -> Input:
    """start, start + step and so on."""
    return _from_numbers(lib.mcl_from_step, dtype, [start, step], count)


def from_constant(dtype: DTypeLike, value: Any, count: int) -> Input:
    """count times the same value."""
    return _from_numbers(lib.mcl_from_constant, dtype, [value], count)


def _on_device(array: Any) -> Array:
    """An Array. Anything else is refused: without a queue nothing can be copied to the device."""
    if not isinstance(array, Array):
        raise TypeError(f"array is of type {type(array).__name__}; expected one on the device, which queue.array() makes")
    return array


def _view(function: Any, array: Array, *rest: Any) -> Input:
    _on_device(array)
    struct = function(array.type, array.buffer.pointer, array.offset, array.count, *rest)
    return Input(struct, array.dtype, [array])


def from_reversed(array: Array) -> Input:
    """The last element first."""
    return _view(lib.mcl_from_reversed, array)


def from_rotated(array: Array, by: int) -> Input:
    """Element k is array[(k + by) mod count]."""
    return _view(lib.mcl_from_rotated, array, by)


def from_shuffled(array: Array, seed: int) -> Input:
    """The elements in an order that seed decides."""
    return _view(lib.mcl_from_shuffled, array, seed)


def from_differences(array: Array) -> Input:
    """Each element less the one before it."""
    return _view(lib.mcl_from_differences, array)


def from_neighbours(dtype: DTypeLike, expression: str, array: Array, source: str | None = None) -> Input:
    """A C expression of neighbours: p[i] is element i, q[i] the next one."""
    call = Call(None)
    call.keep(_on_device(array))
    struct = lib.mcl_from_neighbours(type_of(dtype), call.expression(expression), call.text(source), array.type,
                                      array.buffer.pointer, array.offset, array.count)
    return Input(struct, dtype, call.kept)


def _slot(slot: Any) -> Slot:
    if not isinstance(slot, Slot):
        raise TypeError(f"slot is of type {type(slot).__name__}; expected an element of an array, array.slot(k)")
    return slot


def with_count(sequence: Array | Input, slot: Slot) -> Input:
    """The same input, whose count is in a slot on the device; its own count is the bound."""
    _slot(slot)
    struct = sequence.struct if isinstance(sequence, Input) else _on_device(sequence).input
    struct = lib.mcl_with_count_of(struct, slot.array.type, slot.array.buffer.pointer, slot.offset)
    return Input(struct, sequence.dtype, [sequence, slot])


def amount_in_slot(bound: int, slot: Slot) -> Struct:
    """A number that the device knows, such as k of top_k; bound is its highest value."""
    _slot(slot)
    struct = lib.mcl_amount_in_slot(bound, slot.array.type, slot.array.buffer.pointer, slot.offset)
    return Struct(struct, [slot])


def work_in_slot(bound: int, slot: Slot) -> Struct:
    """A number of work units that the device knows."""
    _slot(slot)
    struct = lib.mcl_work_in_slot_of(bound, slot.array.type, slot.array.buffer.pointer, slot.offset)
    return Struct(struct, [slot])
