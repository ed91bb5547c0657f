"""DLPack: arrays that other libraries take from here, or give, where they lie on the device."""

from __future__ import annotations

import ctypes
import sys
import weakref
from typing import Any

import numpy

from ._library import check, ffi, lib
from ._objects import Array, Buffer, Queue, one_dimension

HOST, CUDA, CUDA_HOST, OPENCL, CUDA_MANAGED = 1, 2, 3, 4, 13  # DLPack's numbers of kinds of devices
_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}  # of types
_READ_ONLY = 1
_delete_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32), ("kind", ctypes.c_uint8),
        ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    """The form before version 1."""

    name = b"dltensor"
    _fields_ = [("tensor", _Tensor), ("owner", ctypes.c_void_p), ("delete", _delete_type)]


class _Versioned(ctypes.Structure):
    name = b"dltensor_versioned"
    _fields_ = [
        ("version", ctypes.c_uint32 * 2), ("owner", ctypes.c_void_p), ("delete", _delete_type),
        ("flags", ctypes.c_uint64), ("tensor", _Tensor),
    ]


def _python(name, result, *parameters):
    function = getattr(ctypes.pythonapi, name)
    function.restype, function.argtypes = result, parameters
    return function


_new = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_rename = _python("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_is_named = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_used = {form: ctypes.c_char_p(b"used_" + form.name) for form in (_Managed, _Versioned)}
_given = {}  # what others hold, by the address of its struct
# Capsules that nobody may have taken yet, after an object that nothing else refers to. They have no destructor: one in
# Python cannot run where NumPy refuses a capsule, since it goes while NumPy's error is on its way.
_lent = [object()]


# ---- to others ----------------------------------------------------------------------------------------------------


def _is_opencl(queue):
    return lib.mcl_opencl_context(queue.context.pointer) != ffi.NULL


def device_of(array: Array) -> tuple[int, int]:
    if _is_opencl(array.queue):
        return OPENCL, 0
    number = array.queue.context.info()["id"].rpartition(":")[2]
    return CUDA, int(number) if number.isdigit() else 0


def exported(array: Array, stream: Any, max_version: Any, device: Any, copy: Any) -> Any:
    """The capsule of DLPack's protocol. What the queue has to do is done first, so that no stream need wait."""
    here = device_of(array)
    if device is not None and tuple(device) != here:
        if tuple(device) != (HOST, 0) or copy is False:
            raise BufferError(
                f"the array is on DLPack's device {here}; expected this one, or (1, 0) for a copy on the host"
            )
        data = array.get()
        return data.__dlpack__() if max_version is None else data.__dlpack__(max_version=max_version)
    if copy:
        source = array
        array = array.queue.empty(source.count, source.dtype)
        size = source.dtype.itemsize
        check(lib.mcl_buffer_copy(array.queue.pointer, source.buffer.pointer, source.offset * size,
                                  array.buffer.pointer, 0, source.nbytes))
    if stream != -1:
        array.queue.finish()
    return _capsule(array, here, _Versioned if max_version and max_version[0] >= 1 else _Managed)


def _capsule(array, device, form):
    kind = _KINDS.get(array.dtype.kind)
    if kind is None:
        raise BufferError(f"DLPack has no elements of type {array.dtype}")
    made = form()
    tensor = made.tensor
    tensor.byte_offset = array.offset * array.dtype.itemsize
    if device[0] == CUDA:
        tensor.data = int(lib.mcl_cuda_buffer(array.buffer.pointer))
    else:
        tensor.data = int(ffi.cast("uintptr_t", lib.mcl_opencl_buffer(array.buffer.pointer)))
    if not tensor.data:
        raise BufferError("the buffer has no handle of its driver, which DLPack needs")
    shape, strides = (ctypes.c_int64 * 1)(array.count), (ctypes.c_int64 * 1)(1)
    tensor.device[:] = device
    tensor.ndim, tensor.kind, tensor.bits, tensor.lanes = 1, kind, 8 * array.dtype.itemsize, 1
    tensor.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
    tensor.strides = ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64))
    made.delete = _forget
    if form is _Versioned:
        made.version[:] = (1, 0)
        made.flags = 0 if array.writable else _READ_ONLY
    _given[ctypes.addressof(made)] = (made, shape, strides, array)
    _give_back_untaken()
    capsule = _new(ctypes.addressof(made), form.name, None)
    _lent.append(capsule)
    return capsule


@_delete_type
def _forget(address):
    _given.pop(address, None)


def _give_back_untaken():
    """Forgets capsules that others have taken, and arrays whose capsule others have let go of."""
    counts = [sys.getrefcount(each) for each in _lent]
    kept = _lent[:1]
    for capsule, count in zip(_lent[1:], counts[1:]):
        form = next((form for form in (_Managed, _Versioned) if _is_named(id(capsule), form.name)), None)
        if form is not None and count > counts[0]:
            kept.append(capsule)
        elif form is not None:
            _given.pop(_pointer(id(capsule), form.name), None)
    _lent[:] = kept


# ---- from others --------------------------------------------------------------------------------------------------


def is_on_device(value: Any) -> bool:
    """Whether an object has DLPack's protocol and lies on a device."""
    return hasattr(value, "__dlpack_device__") and value.__dlpack_device__()[0] in (CUDA, OPENCL, CUDA_MANAGED)


def imported(value: Any, queue: Queue) -> Array:
    """An Array of what has DLPack's protocol."""
    _give_back_untaken()
    kind = value.__dlpack_device__()[0]
    if kind in (HOST, CUDA_HOST):
        return queue.array(numpy.from_dlpack(value))
    backend = "opencl" if _is_opencl(queue) else "cuda"
    if (kind == OPENCL) != (backend == "opencl") or kind not in (CUDA, OPENCL, CUDA_MANAGED):
        raise BufferError(
            f"the array is on a device of DLPack's kind {kind}; expected the host or a device of {backend}, the queue's"
        )
    stream = None
    if kind != OPENCL:  # 1 is the stream that has no handle
        stream = int(ffi.cast("uintptr_t", lib.mcl_cuda_queue(queue.pointer))) or 1
    try:
        capsule = value.__dlpack__(stream=stream, max_version=(1, 0))
    except TypeError:  # the form before version 1
        capsule = value.__dlpack__(stream=stream)
    return _array_of(capsule, kind, queue)


def _array_of(capsule, kind, queue):
    form = _Versioned if _is_named(id(capsule), _Versioned.name) else _Managed
    address = _pointer(id(capsule), form.name)
    managed = form.from_address(address)
    tensor = managed.tensor
    dtype, shape = _dtype_of(tensor), tensor.shape[: tensor.ndim]
    one_dimension("the array", shape)
    count = shape[0] if shape else 1
    if shape and tensor.strides and tensor.strides[0] != 1 and count > 1:
        raise BufferError("the array of DLPack has gaps between its elements; expected a contiguous one")
    if tensor.byte_offset % dtype.itemsize:
        raise BufferError(
            f"the offset is {tensor.byte_offset} bytes; expected a multiple of {dtype.itemsize}, an element's size"
        )
    context, offset = lib.mcl_queue_context(queue.pointer), 0
    if kind == OPENCL:
        buffer = Buffer.made(lib.mcl_opencl_buffer_wrap, context, ffi.cast("void *", tensor.data))
        offset = tensor.byte_offset // dtype.itemsize
    else:
        buffer = Buffer.made(lib.mcl_cuda_buffer_wrap, context, (tensor.data or 0) + tensor.byte_offset,
                             count * dtype.itemsize)
    _rename(capsule, _used[form])
    weakref.finalize(buffer, _give_back, buffer.pointer, queue, managed, address).atexit = False
    read_only = form is _Versioned and managed.flags & _READ_ONLY
    return Array(queue, buffer, dtype, offset, count, not read_only)


def _dtype_of(tensor):
    for letter, kind in _KINDS.items():
        if kind == tensor.kind and tensor.lanes == 1 and tensor.bits % 8 == 0:
            try:
                return numpy.dtype(f"{letter}{tensor.bits // 8}")
            except TypeError:  # NumPy has none of these bytes
                break
    raise BufferError(
        f"the elements are of DLPack's kind {tensor.kind} with {tensor.bits} bits and {tensor.lanes} lanes; expected "
        "integers, floats or bool"
    )


def _give_back(pointer, queue, managed, address):
    """Ends the use of memory that is another library's: work on it, then the wrapper, then its owner's."""
    try:
        queue.finish()
    finally:
        ffi.release(pointer)
        if managed.delete:
            managed.delete(address)
