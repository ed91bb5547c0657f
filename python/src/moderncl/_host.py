"""Calls on NumPy's arrays that may be larger than a device (host_data.h): they go to the devices in chunks, and back."""

from __future__ import annotations

from typing import Any, Iterable

import numpy
from numpy.typing import ArrayLike, NDArray

from ._library import Error, check, ffi, lib, type_of
from ._objects import Context, Queue, one_dimension
from ._operands import Call, KnownOp, accumulator, op_of, wide

__all__ = ["host_sort", "host_sort_pairs", "host_group_by", "host_join"]

_LESS = KnownOp("less")


def _room(devices, scratch, call):
    """The mcl_host_room of devices. One stands for a list of one."""
    is_one = isinstance(devices, (Context, Queue)) or (isinstance(devices, tuple) and isinstance(devices[-1], int))
    listed = [devices] if is_one else list(devices)
    entries = call.keep(ffi.new("mcl_host_device[]", len(listed)))
    for entry, device in zip(entries, listed):
        owner, entry.bytes = device if isinstance(device, tuple) else (device, 0)
        if not isinstance(owner, (Context, Queue)):
            raise TypeError(f"a device is of type {type(owner).__name__}; expected a Context, or a pair of one and how "
                            "many bytes of its memory to use")
        call.keep(owner)
        entry.context = owner.pointer if isinstance(owner, Context) else lib.mcl_queue_context(owner.pointer)
    room = call.keep(ffi.new("mcl_host_room *", {"devices": entries, "device_count": len(listed)}))
    if scratch is not None:
        room.scratch, room.scratch_bytes = _address(_output("scratch", scratch, None, None), call), scratch.nbytes
    return room


def _input(name, value, call, count=None):
    """An array as it is where its elements lie side by side, else a copy."""
    array = numpy.asarray(value)
    one_dimension(name, array.shape)
    array = numpy.ascontiguousarray(array)
    if count is not None and array.size != count:
        raise ValueError(f"{name} has {array.size} elements; expected {count}, as many as keys")
    type_of(array.dtype)
    call.seen(array.dtype)
    return array


def _output(name, array, count, dtype):
    """An array to write to: the caller's, or a new one."""
    if array is None:
        return numpy.empty(count, dtype)
    if not isinstance(array, numpy.ndarray) or not array.flags.c_contiguous or not array.flags.writeable:
        raise TypeError(f"{name} is no array of NumPy's that may be written, and whose elements lie side by side")
    if dtype is not None and (array.dtype != dtype or array.shape != (count,)):
        raise ValueError(f"{name} is of {array.dtype}, of shape {array.shape}; expected {dtype} and ({count},)")
    return array


def _address(array, call):
    return ffi.cast("void *", call.keep(array).ctypes.data)


def host_sort(
    devices: Any, keys: ArrayLike, out: NDArray[Any] | None = None, before: Any = _LESS, *,
    scratch: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Sorts an array of NumPy's that may be larger than a device, and returns out. Stable.

    devices: a Context or Queue, or a list of them; a pair (context, bytes) says how much of a device's memory the call may
    use. out may be keys; None: a new array. before: an order or its text. scratch: an array with as many bytes as keys,
    which is used where the keys do not fit a device. Shapes: keys (n,), out (n,)."""
    call = Call(None)
    keys = _input("keys", keys, call)
    out = _output("out", out, keys.size, keys.dtype)
    check(lib.mcl_host_sort(_room(devices, scratch, call), type_of(keys.dtype), _address(keys, call),
                            _address(out, call), keys.size, op_of(before, call, "before")))
    return out


def host_sort_pairs(
    devices: Any, keys: ArrayLike, values: ArrayLike, out_keys: NDArray[Any] | None = None,
    out_values: NDArray[Any] | None = None, before: Any = _LESS, *, scratch: NDArray[Any] | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Does the same as host_sort with keys that take their values with them. Returns (out_keys, out_values).

    Shapes: keys (n,), values (n,), out_keys (n,), out_values (n,)."""
    call = Call(None)
    keys = _input("keys", keys, call)
    order = op_of(before, call, "before")
    values = _input("values", values, call, keys.size)
    out_keys = _output("out_keys", out_keys, keys.size, keys.dtype)
    out_values = _output("out_values", out_values, keys.size, values.dtype)
    check(lib.mcl_host_sort_pairs(_room(devices, scratch, call), type_of(keys.dtype), _address(keys, call),
                                  type_of(values.dtype), _address(values, call), _address(out_keys, call),
                                  _address(out_values, call), keys.size, order))
    return out_keys, out_values


def _aggregate(entry, aggregate, count, capacity, call):
    """Fills a mcl_host_aggregate by (values, op) or (values, op, dtype), and returns its array of results."""
    values, op, *rest = aggregate
    folded = Call(None)
    if values is None:
        folded.seen(numpy.dtype("int64"))
    else:
        values = _input("values", values, folded, count)
        entry.value_type, entry.values = type_of(values.dtype), _address(values, call)
    entry.op = op_of(op, folded)
    dtype = numpy.dtype(rest[0] if rest else wide(accumulator(folded), folded))
    out = numpy.empty(capacity, dtype)
    entry.out_type, entry.out = type_of(dtype), _address(out, call)
    call.keep(folded)
    return out


def host_group_by(
    devices: Any, keys: ArrayLike, aggregates: Iterable[Any] = (), *, capacity: int | None = None,
    scratch: NDArray[Any] | None = None,
) -> tuple[NDArray[Any], ...]:
    """Folds the values of each group of equal keys. Returns the groups' keys, in order, and an array for each aggregate.

    An aggregate is (values, op) or (values, op, dtype of the result). values of None count as 1 each, so that "p + q"
    counts. capacity: how many groups there may be; None: any number. Shapes: keys (n,), values (n,)."""
    call = Call(None)
    keys = _input("keys", keys, call)
    capacity = keys.size if capacity is None else capacity
    listed = list(aggregates)
    entries = call.keep(ffi.new("mcl_host_aggregate[]", len(listed)))
    results = [numpy.empty(capacity, keys.dtype)]
    results += [_aggregate(entry, one, keys.size, capacity, call) for entry, one in zip(entries, listed)]
    groups = ffi.new("int64_t *")
    try:
        check(lib.mcl_host_group_by(_room(devices, scratch, call), type_of(keys.dtype), _address(keys, call), keys.size,
                                    entries, len(listed), _address(results[0], call), capacity, groups))
    except Error as failure:
        failure.results = [groups[0]]
        raise
    return tuple(result[: groups[0]].copy() for result in results)


def host_join(
    devices: Any, kind: int, a: ArrayLike, b: ArrayLike, before: Any = _LESS, *, capacity: int | None = None,
    scratch: NDArray[Any] | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Joins two arrays of keys. Returns the row numbers in a and in b of each pair; -1: no partner.

    kind: JOIN_INNER and so on; JOIN_SEMI and JOIN_ANTI give no rows of b. capacity: how many rows there may be; None: any
    number, and the call is made again where the rows are more than the longer side. Shapes: a (n,), b (m,)."""
    call = Call(None)
    a, b = _input("a", a, call), _input("b", b, call)
    if a.dtype != b.dtype:
        raise TypeError(f"a is of {a.dtype} and b of {b.dtype}; expected keys of one dtype")
    has_b = kind not in (lib.MCL_JOIN_SEMI, lib.MCL_JOIN_ANTI)
    order, room, rows = op_of(before, call, "before"), _room(devices, scratch, call), ffi.new("int64_t *")
    known = max(a.size, b.size, 1) if capacity is None else capacity
    while True:
        out_a, out_b = numpy.empty(known, numpy.int64), numpy.empty(known if has_b else 0, numpy.int64)
        try:
            check(lib.mcl_host_join(room, kind, type_of(a.dtype), _address(a, call), a.size, _address(b, call), b.size,
                                    order, _address(out_a, call), _address(out_b, call) if has_b else ffi.NULL, known,
                                    rows))
            return out_a[: rows[0]].copy(), out_b[: rows[0]].copy()
        except Error as failure:
            failure.results = [rows[0]]
            if capacity is not None or failure.status != lib.MCL_ERROR_CAPACITY or rows[0] <= known:
                raise
            known = rows[0]
