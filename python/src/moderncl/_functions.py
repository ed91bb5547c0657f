"""A Python function for each function of C, made of its declaration: the same name without mcl_, the same parameters in
the same order. What differs holds for all of them (docs/bindings.md)."""

import inspect
import keyword
import re

from . import _objects
from ._api import FUNCTIONS
from ._library import Error, check, ffi, lib, numbers_of
from ._operands import Call, alike, converter, options_of, result_dtype, result_of

# What the classes of _objects.py do, what __init__.py has with dtypes in place of mcl_type, and what _host.py does.
_BY_HAND = re.compile(
    "(context|queue|buffer|event|recording|map|multimap)_(create|create_preparing|retain|release|read|write|read_async|"
    "write_async|info|memory|finish)|(opencl|cuda)_(context|queue|buffer)_wrap|version|status_name|last_error|log_set|"
    "device_list|from_.*|with_count.*|binding_.*|to_.*|amount_in_slot|work_in_slot.*|context_set_allocator|"
    "allocator_simple|block_.*|(opencl|cuda)_loader_set|host_.*"
)
_HANDLES = {f"mcl_{made.kind} **": made for made in
            (_objects.Context, _objects.Queue, _objects.Buffer, _objects.Event, _objects.Recording)}
_STORED = ("int *", "double *", "size_t *", "mcl_tile *")  # what a last parameter receives
_OMITTED = ...


def names():
    """The functions that this module makes."""
    return [name[4:] for name in FUNCTIONS if not _BY_HAND.fullmatch(name[4:])]


def by_hand():
    """The others."""
    return [name[4:] for name in FUNCTIONS if _BY_HAND.fullmatch(name[4:])]


class _Parameter:
    """How one argument of Python's becomes one parameter of C, or two: a list is its pointer and its count."""

    def __init__(self, function, name, kind, is_list, is_last):
        self.name = name + "_" if keyword.iskeyword(name) else name
        self.kind = kind
        self.returned = _HANDLES.get(kind)
        self.is_value = is_last and kind in _STORED
        self.is_list = is_list
        self.may_be_left_out = bool(self.returned or self.is_value or kind in ("mcl_result", "mcl_sort_report *"))
        if re.match(r"cl_|CU|struct CU", kind):  # a driver's own, as a number or an object of PyOpenCL's
            self.convert = lambda value, call: ffi.cast(kind, getattr(call.keep(value), "int_ptr", value))
        elif name == "counts" and kind == "mcl_result":  # of a partition: a number for each output
            numbers = sum(other == "mcl_output" for _, other, _ in FUNCTIONS["mcl_" + function][1])
            self.convert = lambda value, call: result_of(value, call, numbers)
        else:
            self.convert = converter(ffi.typeof(kind.replace("*const", "*")), name)


def make(name):
    """The Python function for mcl_NAME."""
    result, declared, comment, shapes = FUNCTIONS["mcl_" + name]
    function = getattr(lib, "mcl_" + name)
    parameters = []
    for k, (word, kind, is_list) in enumerate(declared):
        if k == 0 or not declared[k - 1][2]:  # the count of a list is no parameter
            parameters.append(_Parameter(name, word, kind, is_list, k + 1 == len(declared)))
    known = [parameter.name for parameter in parameters if parameter.name != "options"]
    usage = f"{name}({', '.join(known)})"

    def called(*given, **members):
        call = Call(given[0] if given and isinstance(given[0], _objects.Queue) else None)
        if len(given) > len(known):
            raise TypeError(f"{usage} takes {len(known)} arguments, not {len(given)}; options go by their names")
        arguments = []
        returned = None
        for k, parameter in enumerate(parameters):
            value = given[k] if k < len(given) else members.pop(parameter.name, _OMITTED)
            if parameter.name == "options":
                arguments.append(options_of(members, call))
                members = {}
            elif value is not _OMITTED:
                if value is None and parameter.kind.startswith("mcl_twister"):
                    raise TypeError(f"{parameter.name} is None; expected a twister")
                if parameter.is_list:
                    value = list(value or ())
                arguments.append(parameter.convert(value, call))
                if parameter.is_list:
                    arguments.append(len(value))
            elif parameter.returned or parameter.is_value:
                returned = ffi.new(parameter.kind)
                arguments.append(returned)
            elif parameter.kind == "mcl_result":
                arguments.append(result_of(result_dtype(name, parameter.name, call), call))
            elif parameter.kind == "mcl_sort_report *":
                arguments.append(ffi.NULL)
            else:
                raise TypeError(f"{usage} lacks its argument {parameter.name}")
        if members:
            wrong = next(iter(members))
            raise TypeError(f"{usage} has no parameter {wrong}{alike(wrong, known)}")
        value = function(*arguments)
        if result != "mcl_status":
            return _value(value, call)
        return _returned(value, call, parameters[-1], returned)

    called.__name__ = called.__qualname__ = name
    called.__module__ = "moderncl"
    in_c = f"In C: {result} mcl_{name}({', '.join(f'{kind} {word}' for word, kind, _ in declared)})"
    called.__doc__ = "\n\n".join(filter(None, (comment, shapes and f"Shapes: {shapes}", in_c)))
    called.__signature__ = _signature(parameters)
    return called


def _signature(parameters):
    """What inspect tells: a parameter at the end that may be left out has the default `...`, which says so as well."""
    kind, listed, at_end = inspect.Parameter.POSITIONAL_OR_KEYWORD, [], True
    for parameter in reversed([one for one in parameters if one.name != "options"]):
        at_end = at_end and parameter.may_be_left_out
        default = _OMITTED if at_end else inspect.Parameter.empty
        listed.insert(0, inspect.Parameter(parameter.name, kind, default=default))
    if len(listed) < len(parameters):
        listed.append(inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature(listed)


def _value(value, call):
    """What a function that cannot fail returns."""
    if isinstance(value, ffi.CData) and ffi.typeof(value).kind == "struct":
        return _objects.Struct(value, call.kept)
    if isinstance(value, ffi.CData) and ffi.typeof(value).cname == "char *":
        return ffi.string(value).decode() if value else None
    return value


def _returned(status, call, last, pointer):
    """The results of a call that can fail: a handle, a number, or what it has stored on the host."""
    results = [array[0] if array.size == 1 else array for array in map(numbers_of, call.results)]
    try:
        check(status)
    except Error as failure:
        failure.results = results
        raise
    if pointer is not None:
        if last.returned:
            return last.returned(pointer=pointer[0])
        return pointer if last.kind == "mcl_tile *" else pointer[0]
    if len(results) > 1:
        return tuple(results)
    return results[0] if results else None
