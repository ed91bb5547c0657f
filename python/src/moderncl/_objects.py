"""Contexts, queues, arrays and what else holds something of the library's."""

import numpy

from ._library import check, ffi, lib, type_of


class Handle:
    """Owns one reference to an object of the library, and gives it back when it goes."""

    kind = ""

    def __init__(self, pointer):
        self.pointer = ffi.gc(pointer, getattr(lib, f"mcl_{self.kind}_release"))

    @classmethod
    def made(cls, function, *arguments):
        """What a function of C stores where its last parameter points to."""
        out = ffi.new(f"mcl_{cls.kind} **")
        check(function(*arguments, out))
        return cls(out[0])


def _handle(value):
    """A driver's handle: a number, or an object of PyOpenCL's."""
    return ffi.cast("void *", getattr(value, "int_ptr", value))


class Context(Handle):
    """A device. device is a name as mcl_context_create takes it; None: the best there is."""

    kind = "context"

    def __init__(self, device=None, pointer=None):
        if pointer is None:
            out = ffi.new("mcl_context **")
            check(lib.mcl_context_create(ffi.NULL if device is None else device.encode(), out))
            pointer = out[0]
        super().__init__(pointer)

    @classmethod
    def from_opencl(cls, context, device=None):
        """A context of PyOpenCL's, or a cl_context as a number. It must live as long as this one."""
        out = ffi.new("mcl_context **")
        check(lib.mcl_opencl_context_wrap(_handle(context), _handle(device) if device else ffi.NULL, out))
        made = cls(pointer=out[0])
        made.wrapped = (context, device)
        return made

    @classmethod
    def from_cuda(cls, context):
        """A CUcontext as a number."""
        out = ffi.new("mcl_context **")
        check(lib.mcl_cuda_context_wrap(_handle(context), out))
        return cls(pointer=out[0])

    def info(self):
        """What is known of the device: mcl_device_info as a dictionary."""
        info = ffi.new("mcl_device_info *")
        check(lib.mcl_context_info(self.pointer, info))
        return _dictionary(info[0])

    def memory(self):
        """mcl_memory_statistics as a dictionary."""
        statistics = ffi.new("mcl_memory_statistics *")
        check(lib.mcl_context_memory(self.pointer, statistics))
        return _dictionary(statistics[0])


def _dictionary(struct):
    found = {}
    for name, field in ffi.typeof(struct).fields:
        value = getattr(struct, name)
        found[name] = ffi.string(value).decode() if field.type.kind == "array" else value
    return found


class Queue(Handle):
    """Work in order on a context. With preparing=True calls on it build their programs and run nothing."""

    kind = "queue"

    def __init__(self, context=None, profiling=False, preparing=False, pointer=None):
        self.context = context or Context()
        if pointer is None:
            out = ffi.new("mcl_queue **")
            if preparing:
                check(lib.mcl_queue_create_preparing(self.context.pointer, out))
            else:
                check(lib.mcl_queue_create(self.context.pointer, int(profiling), out))
            pointer = out[0]
        super().__init__(pointer)

    @classmethod
    def from_opencl(cls, context, queue):
        """A queue of PyOpenCL's, or a cl_command_queue as a number. It must live as long as this one."""
        out = ffi.new("mcl_queue **")
        check(lib.mcl_opencl_queue_wrap(context.pointer, _handle(queue), out))
        made = cls(context, pointer=out[0])
        made.wrapped = queue
        return made

    @classmethod
    def from_cuda(cls, context, stream):
        """A CUstream as a number."""
        out = ffi.new("mcl_queue **")
        check(lib.mcl_cuda_queue_wrap(context.pointer, _handle(stream), out))
        return cls(context, pointer=out[0])

    def finish(self):
        """Waits until all of the queue's work is done."""
        check(lib.mcl_queue_finish(self.pointer))

    def array(self, data):
        """A device array with a copy of a NumPy array, or of what NumPy makes one of."""
        data = numpy.ascontiguousarray(data)
        made = Buffer.of(self.context, data.nbytes, ffi.from_buffer(data) if data.nbytes else ffi.NULL)
        return Array(self, made, data.dtype, 0, data.size)

    def empty(self, count, dtype):
        """A device array whose content is unspecified."""
        dtype = numpy.dtype(dtype)
        return Array(self, Buffer.of(self.context, count * dtype.itemsize, ffi.NULL), dtype, 0, count)


class Buffer(Handle):
    kind = "buffer"

    @classmethod
    def of(cls, context, size, data):
        return cls.made(lib.mcl_buffer_create, context.pointer, size, data)


class Event(Handle):
    kind = "event"


class Recording(Handle):
    kind = "recording"


class Map(Handle):
    """A hash map on a context's device. value None: a set. The other arguments are members of mcl_map_config."""

    kind = "map"

    def __init__(self, context, key, value=None, capacity=0, max_load=0.0, empty_key=None, erased_key=None):
        self.key = numpy.dtype(key)
        self.value = None if value is None else numpy.dtype(value)
        sentinels = [None if k is None else numpy.array([k], self.key) for k in (empty_key, erased_key)]
        empty, erased = (ffi.NULL if k is None else ffi.from_buffer(k) for k in sentinels)
        config = ffi.new("mcl_map_config *", (type_of(key), type_of(value) if value is not None else ffi.NULL,
                                              empty, erased, capacity, max_load))
        out = ffi.new("mcl_map **")
        check(lib.mcl_map_create(context.pointer, config, out))
        super().__init__(out[0])


class Multimap(Handle):
    """A multimap on a context's device. value None: a multiset. capacity: as in mcl_multimap_config."""

    kind = "multimap"

    def __init__(self, context, key, value=None, capacity=0):
        self.key = numpy.dtype(key)
        self.value = None if value is None else numpy.dtype(value)
        config = ffi.new("mcl_multimap_config *", (type_of(key), type_of(value) if value is not None else ffi.NULL,
                                                   capacity))
        out = ffi.new("mcl_multimap **")
        check(lib.mcl_multimap_create(context.pointer, config, out))
        super().__init__(out[0])


class Struct:
    """A struct of C, and what it points to."""

    def __init__(self, struct, kept):
        self.struct = struct
        self.kept = kept


class Input(Struct):
    """A sequence that is computed, or whose count is on the device."""

    def __init__(self, struct, dtype, kept):
        super().__init__(struct, kept)
        self.dtype = numpy.dtype(dtype)
        self.count = struct.count


class Slot:
    """One element of an array: where a number goes, or a count comes from."""

    def __init__(self, array, index):
        self.array = array
        self.offset = array.offset + index


class Array:
    """count elements of a device buffer. array[a:b] is a part of it, without a copy."""

    def __init__(self, queue, buffer, dtype, offset, count):
        self.queue = queue
        self.buffer = buffer
        self.dtype = numpy.dtype(dtype)
        self.offset = offset
        self.count = count
        self.type = type_of(self.dtype)
        self._input = None

    def __len__(self):
        return self.count

    def __getitem__(self, part):
        if not isinstance(part, slice) or part.step not in (None, 1):
            raise TypeError("a part of an array is array[a:b]; array.slot(k) is one element for counts and results")
        begin, end, _ = part.indices(self.count)
        return Array(self.queue, self.buffer, self.dtype, self.offset + begin, max(end - begin, 0))

    def slot(self, index=0):
        """Element index, as a result or a count of other calls."""
        return Slot(self, index)

    @property
    def input(self):
        """The mcl_input of the elements."""
        if self._input is None:
            self._input = lib.mcl_from_buffer(self.type, self.buffer.pointer, self.offset, self.count)
        return self._input

    def get(self):
        """The elements as a NumPy array. Waits."""
        data = numpy.empty(self.count, self.dtype)
        if self.count:
            size = self.dtype.itemsize
            check(lib.mcl_buffer_read(self.queue.pointer, self.buffer.pointer, self.offset * size, data.nbytes,
                                      ffi.from_buffer(data)))
        return data

    def set(self, data):
        """Copies a NumPy array of as many elements to the device. Waits."""
        data = numpy.ascontiguousarray(data, self.dtype)
        if data.size != self.count:
            raise ValueError(f"{data.size} elements for an array of {self.count}")
        if self.count:
            size = self.dtype.itemsize
            check(lib.mcl_buffer_write(self.queue.pointer, self.buffer.pointer, self.offset * size, data.nbytes,
                                       ffi.from_buffer(data)))
