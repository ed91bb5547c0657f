"""moderncl: data-parallel primitives for OpenCL and CUDA devices.

Each function mcl_NAME of the C library is moderncl.NAME, with the same parameters in the same order. Inputs are NumPy's
arrays (copied to the device), arrays of moderncl.Queue, of PyOpenCL, with the CUDA array interface, or of DLPack on the
device (none of these is copied). An operator may be its text. See docs/bindings.md.

    queue = moderncl.Queue()
    numbers = queue.array([3, 1, 4, 1, 5])
    moderncl.sort(queue, numbers, numbers, "p < q")
    print(numbers, moderncl.reduce(queue, numbers, "p + q"))
"""

from . import _functions, _objects
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


# What NumPy calls otherwise.
_OF_NUMPY = {
    "argsort": "sort_indices", "lexsort": "sort_columns_indices", "cumsum": "scan", "sum": "reduce",
    "min": "reduce", "max": "reduce", "argmin": "reduce", "argmax": "reduce", "bincount": "histogram",
    "searchsorted": "sorted_search_needles", "argpartition": "top_k_indices", "median": "quantiles",
    "percentile": "quantiles", "quantile": "quantiles", "flatnonzero": "compact_stencil", "where": "transform",
    "take": "transform", "put": "scatter", "repeat": "run_length_decode", "intersect1d": "set_intersection",
    "union1d": "set_union", "setdiff1d": "set_difference", "isin": "map_contains", "diff": "from_differences",
}


def __getattr__(name: str) -> object:
    other = f"; moderncl.{_OF_NUMPY[name]} does what NumPy's {name} does" if name in _OF_NUMPY else ""
    raise AttributeError(f"module 'moderncl' has no attribute '{name}'{other}")


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
