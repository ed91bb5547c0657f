"""moderncl: data-parallel primitives for OpenCL and CUDA devices.

Each function mcl_NAME of the C library is moderncl.NAME, with the same parameters in the same order. Inputs are NumPy's
arrays (copied to the device), arrays of moderncl.Queue, of PyOpenCL, with the CUDA array interface, or of DLPack on the
device (none of these is copied). An operator may be its text. See docs/bindings.md.

    queue = moderncl.Queue()
    numbers = queue.array([3, 1, 4, 1, 5])
    moderncl.sort(queue, numbers, numbers, "p < q")
    print(numbers, moderncl.reduce(queue, numbers, "p + q"))
"""

from . import _functions, _names, _objects
from ._cdef import ffi as _ffi
from ._host import *
from ._library import Error, lib as _lib, struct, type_of
from ._makers import *
from ._objects import Array, Buffer, Context, Event, Input, Map, Multimap, Queue, Recording, Slot, Struct
from ._operands import KnownOp, Op

for _name in _functions.names():
    globals()[_name] = _functions.make(_name)

# MCL_LESS is LESS, and so on: operators and the values of enumerations.
for _name in ("add", "multiply", "min", "max", "and", "or", "xor", "max_index", "min_index", "less", "greater", "equal",
              "equality", "left_join", "mean"):
    globals()[_name.upper()] = KnownOp(_name)
for _name in dir(_lib):
    if _name.startswith("MCL_"):
        globals()[_name[4:]] = getattr(_lib, _name)


def __getattr__(name: str) -> object:
    raise AttributeError(f"module 'moderncl' has no attribute '{name}'{_names.instead(name)}")


def version() -> str:
    """The version of the library that runs."""
    return str(_ffi.string(_lib.mcl_version()).decode())


__version__ = version()


def devices() -> "list[dict[str, object]]":
    """mcl_device_list: a dictionary of what is known of each device."""
    count = _ffi.new("int *")
    infos = _ffi.new("mcl_device_info[]", 64)
    _objects.check(_lib.mcl_device_list(infos, 64, count))
    return [_objects._dictionary(infos[k]) for k in range(min(count[0], 64))]
