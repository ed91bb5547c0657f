"""Contexts, queues, arrays and what else holds something of the library's."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Iterator, NoReturn, overload

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _names
from ._library import Error, check, encoded, ffi, lib, numbers_of, one_number, type_of


class Helpful:
    """Says where a function is that is taken for a method."""

    if not TYPE_CHECKING:  # a checker would take every name then

        def __getattr__(self, name: str) -> NoReturn:
            what = type(self).__name__
            raise AttributeError(f"'{what}' object has no attribute '{name}'{_names.instead(name)}")


class Handle:
    """Owns one reference to an object of the library, and gives it back when it goes."""

    kind = ""
    wrapped: Any = None  # a driver's object. It is set after pointer, so that it goes after it

    def __init__(self, pointer: Any) -> None:
        self.pointer = ffi.gc(pointer, getattr(lib, f"mcl_{self.kind}_release"))

    @classmethod
    def made(cls, function: Any, *arguments: Any) -> Any:
        """What a function of C stores where its last parameter points to."""
        out = ffi.new(f"mcl_{cls.kind} **")
        check(function(*arguments, out))
        return cls(out[0])


def _handle(value: Any) -> Any:
    """A driver's handle: a number, or an object of PyOpenCL's."""
    return ffi.cast("void *", getattr(value, "int_ptr", value))


def one_dimension(what: str, shape: Any) -> None:
    """Refuses what has more dimensions than a sequence: nothing is flattened without a word."""
    if len(shape) > 1:
        raise ValueError(
            f"{what} has {len(shape)} dimensions, of shape {tuple(shape)}; expected 1: ravel() makes a sequence of its "
            "rows, and segments_from_rows() tells a call their length"
        )


class Context(Handle):
    """A device. device is a name as mcl_context_create takes it; None: the best there is."""

    kind = "context"

    def __init__(self, device: str | None = None, pointer: Any = None) -> None:
        self.device = device
        if pointer is None:
            out = ffi.new("mcl_context **")
            check(lib.mcl_context_create(ffi.NULL if device is None else encoded(device, "device"), out))
            pointer = out[0]
        super().__init__(pointer)

    def __repr__(self) -> str:
        name = self.info()["name"]
        return f"moderncl.Context({'of a driver' if self.wrapped else repr(self.device)}) on {name}"

    @classmethod
    def from_opencl(cls, context: Any, device: Any = None) -> Context:
        """A context of PyOpenCL's, or a cl_context as a number. It must live as long as this one."""
        out = ffi.new("mcl_context **")
        check(lib.mcl_opencl_context_wrap(_handle(context), _handle(device) if device else ffi.NULL, out))
        made = cls(pointer=out[0])
        made.wrapped = (context, device)
        return made

    @classmethod
    def from_cuda(cls, context: Any) -> Context:
        """A CUcontext as a number."""
        out = ffi.new("mcl_context **")
        check(lib.mcl_cuda_context_wrap(_handle(context), out))
        made = cls(pointer=out[0])
        made.wrapped = context
        return made

    def info(self) -> dict[str, Any]:
        """What is known of the device: mcl_device_info as a dictionary."""
        info = ffi.new("mcl_device_info *")
        check(lib.mcl_context_info(self.pointer, info))
        return _dictionary(info[0])

    def memory(self) -> dict[str, Any]:
        """mcl_memory_statistics as a dictionary."""
        statistics = ffi.new("mcl_memory_statistics *")
        check(lib.mcl_context_memory(self.pointer, statistics))
        return _dictionary(statistics[0])


def _pointer_of(context: Any) -> Any:
    """A context's pointer. The name of a device is taken for one."""
    if not isinstance(context, Context):
        instead = f"moderncl.Context({context!r})" if isinstance(context, str) else "a moderncl.Context"
        raise TypeError(f"context is of type {type(context).__name__}; expected {instead}")
    return context.pointer


def _dictionary(struct: Any) -> dict[str, Any]:
    found = {}
    for name, field in ffi.typeof(struct).fields:
        value = getattr(struct, name)
        found[name] = ffi.string(value).decode() if field.type.kind == "array" else value
    return found


class Queue(Helpful, Handle):
    """Work in order on a context. With preparing=True calls on it build their programs and run nothing."""

    kind = "queue"

    def __init__(
        self, context: Context | None = None, profiling: bool = False, preparing: bool = False, pointer: Any = None
    ) -> None:
        self.context = context or Context()
        owner = _pointer_of(self.context)
        if pointer is None:
            out = ffi.new("mcl_queue **")
            if preparing:
                check(lib.mcl_queue_create_preparing(owner, out))
            else:
                check(lib.mcl_queue_create(owner, int(profiling), out))
            pointer = out[0]
        super().__init__(pointer)

    def __repr__(self) -> str:
        return f"moderncl.Queue({self.context!r})"

    @classmethod
    def from_opencl(cls, context: Context, queue: Any) -> Queue:
        """A queue of PyOpenCL's, or a cl_command_queue as a number. It must live as long as this one."""
        out = ffi.new("mcl_queue **")
        check(lib.mcl_opencl_queue_wrap(_pointer_of(context), _handle(queue), out))
        made = cls(context, pointer=out[0])
        made.wrapped = queue
        return made

    @classmethod
    def from_cuda(cls, context: Context, stream: Any) -> Queue:
        """A CUstream as a number."""
        out = ffi.new("mcl_queue **")
        check(lib.mcl_cuda_queue_wrap(_pointer_of(context), _handle(stream), out))
        return cls(context, pointer=out[0])

    def finish(self) -> None:
        """Waits until all of the queue's work is done."""
        check(lib.mcl_queue_finish(self.pointer))

    def array(self, data: ArrayLike) -> Array:
        """A device array of shape (n,) with a copy of a NumPy array, or of what NumPy makes one of."""
        data = numpy.asarray(data)
        one_dimension("the array", data.shape)
        data = numpy.ascontiguousarray(data)
        made = Buffer.of(self.context, data.nbytes, ffi.from_buffer(data) if data.nbytes else ffi.NULL)
        return Array(self, made, data.dtype, 0, data.size)

    def empty(self, count: int | tuple[int], dtype: DTypeLike) -> Array:
        """A device array of shape (count,), whose content is unspecified."""
        if isinstance(count, tuple):
            one_dimension("the array", count)
            (count,) = count
        dtype = numpy.dtype(dtype)
        return Array(self, Buffer.of(self.context, count * dtype.itemsize, ffi.NULL), dtype, 0, count)

    def from_dlpack(self, data: Any) -> Array:
        """An array of shape (n,) of another library's, by DLPack: used where it lies where that is this queue's device,
        copied from the host otherwise."""
        from . import _dlpack

        return _dlpack.imported(data, self)


class Buffer(Handle):
    kind = "buffer"

    @classmethod
    def of(cls, context: Context, size: int, data: Any) -> Buffer:
        return cls.made(lib.mcl_buffer_create, context.pointer, size, data)


class Event(Handle):
    kind = "event"


class Recording(Handle):
    kind = "recording"


def _entries(what: str, key: Any, value: Any) -> str:
    return f"<moderncl.{what} of {key}{'' if value is None else f' to {value}'}>"


class Map(Handle):
    """A hash map on a context's device. value None: a set. The other arguments are members of mcl_map_config."""

    kind = "map"

    def __init__(
        self, context: Context, key: DTypeLike, value: DTypeLike | None = None, capacity: int = 0,
        max_load: float = 0.0, empty_key: Any = None, erased_key: Any = None
    ) -> None:
        owner = _pointer_of(context)
        self.key = numpy.dtype(key)
        self.value = None if value is None else numpy.dtype(value)
        sentinels = [None if k is None else one_number(k, self.key) for k in (empty_key, erased_key)]
        empty, erased = (ffi.NULL if k is None else ffi.from_buffer(k) for k in sentinels)
        config = ffi.new("mcl_map_config *", (type_of(key), type_of(value) if value is not None else ffi.NULL,
                                              empty, erased, capacity, max_load))
        out = ffi.new("mcl_map **")
        check(lib.mcl_map_create(owner, config, out))
        super().__init__(out[0])

    def __repr__(self) -> str:
        return _entries("Map", self.key, self.value)


class Multimap(Handle):
    """A multimap on a context's device. value None: a multiset. capacity: as in mcl_multimap_config."""

    kind = "multimap"

    def __init__(self, context: Context, key: DTypeLike, value: DTypeLike | None = None, capacity: int = 0) -> None:
        owner = _pointer_of(context)
        self.key = numpy.dtype(key)
        self.value = None if value is None else numpy.dtype(value)
        config = ffi.new("mcl_multimap_config *", (type_of(key), type_of(value) if value is not None else ffi.NULL,
                                                   capacity))
        out = ffi.new("mcl_multimap **")
        check(lib.mcl_multimap_create(owner, config, out))
        super().__init__(out[0])

    def __repr__(self) -> str:
        return _entries("Multimap", self.key, self.value)


class Struct:
    """A struct of C, and what it points to."""

    def __init__(self, struct: Any, kept: Any) -> None:
        self.struct = struct
        self.kept = kept


class Input(Struct):
    """A sequence that is computed, or whose count is on the device."""

    def __init__(self, struct: Any, dtype: DTypeLike, kept: Any) -> None:
        super().__init__(struct, kept)
        self.dtype = numpy.dtype(dtype)
        self.count: int = struct.count

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<moderncl.Input of {self.count} {self.dtype}>"


class Slot:
    """One element of an array: where a number goes, or a count comes from."""

    def __init__(self, array: Array, index: int) -> None:
        if not 0 <= index < array.count:
            raise IndexError(f"the slot is element {index}; expected 0 to {array.count - 1}")
        self.array = array
        self.offset = array.offset + index

    def __repr__(self) -> str:
        return f"<moderncl.Slot {self.offset - self.array.offset} of {self.array.count} {self.array.dtype}>"


class Array(Helpful):
    """A sequence in a device buffer, of shape (count,). array[a:b] is a part of it, without a copy; array[k] is one
    element, and numpy.asarray(array) all of them, copied to the host. array[a:b] = data copies to the device."""

    ndim = 1

    def __init__(
        self, queue: Queue, buffer: Buffer, dtype: DTypeLike, offset: int, count: int, writable: bool = True
    ) -> None:
        self.queue = queue
        self.buffer = buffer
        self.dtype = numpy.dtype(dtype)
        self.offset = offset
        self.count = count
        self.writable = writable
        self.type = type_of(self.dtype)
        self._input: Any = None

    def __len__(self) -> int:
        return self.count

    @property
    def shape(self) -> tuple[int]:
        """(count,), as NumPy has it."""
        return (self.count,)

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.count

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.count * self.dtype.itemsize

    def __repr__(self) -> str:
        try:
            if self.count > 8:
                ends = (numpy.array2string(part.get(), separator=", ")[1:-1] for part in (self[:3], self[-3:]))
                values = "[" + ", ..., ".join(ends) + "]"
            else:
                values = numpy.array2string(self.get(), separator=", ")
        except Error:  # nothing can be read now, for example while the queue records
            values = "..."
        return f"moderncl.Array({values}, shape={self.shape}, dtype={self.dtype})"

    @overload
    def __getitem__(self, part: slice) -> Array: ...
    @overload
    def __getitem__(self, part: int) -> Any: ...
    def __getitem__(self, part: Any) -> Any:
        """array[a:b]: a part, without a copy. array[k]: the element on the host; waits."""
        if isinstance(part, slice):
            if part.step not in (None, 1):
                raise TypeError(f"the step of a part is {part.step}; expected 1: array.get()[a:b:c] takes a step")
            begin, end, _ = part.indices(self.count)
            return self._part(begin, max(end - begin, 0))
        return self._one(part).get()[0]

    def __setitem__(self, part: slice | int, data: ArrayLike) -> None:
        """array[a:b] = data copies NumPy's numbers to the device, or one number to each element; array[k] = number to
        one element. Waits."""
        target = self[part] if isinstance(part, slice) else self._one(part)
        data = numpy.asarray(data, self.dtype)
        target.set(data if data.ndim else numpy.full(target.count, data))

    def _one(self, index: Any) -> Array:
        """The part that has one element alone."""
        try:
            index = operator.index(index)
        except TypeError:
            raise TypeError(f"an index of an array is an integer or a part a:b, not {type(index).__name__}") from None
        if not -self.count <= index < self.count:
            raise IndexError(f"the index is {index}; expected {-self.count} to {self.count - 1}")
        return self._part(index % self.count, 1)

    def _part(self, begin: int, count: int) -> Array:
        return Array(self.queue, self.buffer, self.dtype, self.offset + begin, count, self.writable)

    def __iter__(self) -> Iterator[Any]:
        """The elements, copied to the host all at once. Waits."""
        return iter(self.get())

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """What numpy.asarray makes of the array: a copy on the host. Waits."""
        if copy is False:
            raise ValueError("the array lies on the device; expected copy=None or True, since NumPy gets a copy")
        data = self.get()
        return data if dtype is None else data.astype(dtype, copy=False)

    def __dlpack__(
        self, *, stream: Any = None, max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None, copy: bool | None = None
    ) -> Any:
        """The array for other libraries (DLPack): where it lies, or with dl_device=(1, 0) a copy on the host."""
        from . import _dlpack

        return _dlpack.exported(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's number of the kind of device (2: CUDA, 4: OpenCL), and which of them it is."""
        from . import _dlpack

        return _dlpack.device_of(self)

    def slot(self, index: int = 0) -> Slot:
        """Element index, as a result or a count of other calls."""
        return Slot(self, index)

    @property
    def input(self) -> Any:
        """The mcl_input of the elements."""
        if self._input is None:
            self._input = lib.mcl_from_buffer(self.type, self.buffer.pointer, self.offset, self.count)
        return self._input

    def get(self) -> NDArray[Any]:
        """The elements as a NumPy array of shape (count,). Waits."""
        data = numpy.empty(self.count, self.dtype)
        if self.count:
            size = self.dtype.itemsize
            check(lib.mcl_buffer_read(self.queue.pointer, self.buffer.pointer, self.offset * size, data.nbytes,
                                      ffi.from_buffer(data)))
        return numbers_of(data)

    def set(self, data: ArrayLike) -> None:
        """Copies a NumPy array of shape (count,) to the device. Waits."""
        if not self.writable:
            raise TypeError("the array is read-only; expected one that may be written")
        data = numpy.asarray(data, self.dtype)
        one_dimension("the array", data.shape)
        data = numpy.ascontiguousarray(data)
        if data.size != self.count:
            raise ValueError(f"{data.size} elements for an array of {self.count}")
        if self.count:
            size = self.dtype.itemsize
            check(lib.mcl_buffer_write(self.queue.pointer, self.buffer.pointer, self.offset * size, data.nbytes,
                                       ffi.from_buffer(data)))
