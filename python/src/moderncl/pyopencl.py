"""The algorithms, scans and reductions of PyOpenCL, by the same names and with the same arguments, made by moderncl.

    from moderncl.pyopencl import GenericScanKernel, RadixSort, copy_if

They work on PyOpenCL's own contexts, queues and arrays, and copy nothing. install() puts them instead of PyOpenCL's, for
a program that stays as it is. What the library cannot serve raises NotImplementedError, whose sentence says why:
PyOpenCL's own class of the same name serves that. See docs/pyopencl.md."""

from __future__ import annotations

import builtins
import re
from typing import Any

import numpy
import pyopencl as cl
import pyopencl.algorithm
import pyopencl.array as cl_array
import pyopencl.reduction
import pyopencl.scan
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.tools import DeferredAllocator, ScalarArg, VectorArg, dtype_to_ctype, parse_arg_list

import moderncl

from ._library import lib
from ._pyopencl_own import class_or_own, function_or_own, not_served
from ._pyopencl_texts import Texts, array_as, element_named, queue_of, unserved, words_of

__all__ = [
    "ExclusiveScanKernel", "GenericScanKernel", "InclusiveScanKernel", "KeyValueSorter", "ListOfListsBuilder",
    "RadixSort", "ReductionKernel", "ReductionTemplate", "ScanTemplate", "copy_if", "install", "not_served", "partition",
    "remove_if", "unique",
]


# ---- calls --------------------------------------------------------------------------------------------------------


def _wait(queue: Any, wait_for: Any, arrays: Any = ()) -> None:
    """Makes later commands of the queue wait for these events, and for those of the arrays."""
    events = [*(wait_for or ()), *(event for array in arrays for event in array.events)]
    if events or queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE:
        cl.enqueue_barrier(queue, wait_for=events or None)


def _called(function: Any, *arguments: Any, **options: Any) -> None:
    """Makes a call of the library's. A text or a type that it does not take is PyOpenCL's own to serve."""
    try:
        function(*arguments, **options)
    except moderncl.Error as failure:
        if failure.name in ("MCL_ERROR_BUILD", "MCL_ERROR_TYPE", "MCL_ERROR_UNSUPPORTED"):
            raise unserved(f"the library says: {failure}") from failure
        raise


def _values(arguments: Any, given: Any) -> dict[str, Any]:
    if len(arguments) != len(given):
        raise TypeError(f"expected {len(arguments)} arguments, got {len(given)}")
    return {one.name: value for one, value in zip(arguments, given)}


def _arrays(arguments: Any, values: dict[str, Any]) -> list[Any]:
    return [values[one.name] for one in arguments if isinstance(one, VectorArg)]


# ---- scans --------------------------------------------------------------------------------------------------------


class GenericScanKernel(pyopencl.scan.GenericScanKernelBase):
    """pyopencl.scan.GenericScanKernel, with the same arguments. The scan is one mcl_scan. An output statement
    NAME[i] = item or NAME[i] = prev_item is where it stores. Any other one runs as a kernel of PyOpenCL's after it."""

    def __init__(
        self, ctx: Any, dtype: Any, arguments: Any, input_expr: str, scan_expr: str, neutral: str | None,
        output_statement: str, is_segment_start_expr: str | None = None, input_fetch_exprs: Any = None,
        index_dtype: Any = None, name_prefix: str = "scan", options: Any = None, preamble: str = "", devices: Any = None
    ) -> None:
        self._scan_expr, self._neutral, self._preamble = scan_expr, neutral, preamble
        super().__init__(
            ctx, dtype, arguments, input_expr, scan_expr, neutral, output_statement, is_segment_start_expr,
            input_fetch_exprs, index_dtype, name_prefix, options, preamble, devices)

    def finish_setup(self) -> None:
        neutral = str(self._neutral)
        texts = self._texts = Texts(self.dtype, self.parsed_args, self._preamble, dtype_to_ctype(self.index_dtype),
                                    self.is_segmented, self.options)
        self._sum = texts.sum(self._scan_expr, neutral)
        self._input = texts.add_input(self.input_expr, self.input_fetch_exprs, self.is_segment_start_expr, True)
        if not self._sum:
            texts.add_fold(self._scan_expr, neutral)
        self._target, self._kind = self._stored()
        self._statement: Any = None

    def _has_array(self, name: str | None) -> bool:
        """Whether an argument of this name is an array of the scan's type."""
        return any(isinstance(one, VectorArg) and one.name == name and one.dtype == self.dtype for one in self.parsed_args)

    def _stored(self) -> tuple[str | None, int]:
        """The array that the scan itself can store to, and as what kind of scan."""
        found = re.fullmatch(r"\s*(\w+)\s*\[\s*i\s*\]\s*=\s*(item|prev_item)\s*;?\s*", self.output_statement)
        if not found:
            return None, lib.MCL_INCLUSIVE
        name, what = found.groups()
        if not self._has_array(name):
            return None, lib.MCL_INCLUSIVE
        if what == "item":
            return name, lib.MCL_INCLUSIVE
        # An exclusive scan stores the neutral element and never folds it, so it need not be one of every element.
        return (None, lib.MCL_INCLUSIVE) if self.is_segmented else (name, lib.MCL_EXCLUSIVE)

    def __call__(
        self, *args: Any, queue: Any = None, allocator: Any = None, size: int | None = None, wait_for: Any = None,
        **kwargs: Any
    ) -> Any:
        """Does what PyOpenCL's does: enqueues the scan, and returns an event."""
        if kwargs:
            raise TypeError(f"unexpected keyword arguments: {', '.join(kwargs)}")
        values = _values(self.parsed_args, args)
        arrays = _arrays(self.parsed_args, values)
        first = args[self.first_array_idx]
        queue = queue or first.queue
        if size is None:
            (size,) = first.shape
        _wait(queue, wait_for, [array for array in arrays if array is not None])
        if size == 0:
            return cl.enqueue_marker(queue)
        ours = queue_of(queue)
        source, target, op = self._operands(ours, values, size)
        if target is not None:
            _called(moderncl.scan, ours, source, target, op, self._kind, None)
            return cl.enqueue_marker(queue)
        allocator = allocator or first.allocator
        items = cl_array.empty(queue, size * self._texts.item.itemsize, numpy.uint8, allocator=allocator)
        _called(moderncl.scan, ours, source, array_as(ours, items, self._texts.item), op, lib.MCL_INCLUSIVE, None)
        return self._store(items, args, queue, size)

    def _operands(self, ours: Any, values: dict[str, Any], size: int) -> tuple[Any, Any, Any]:
        """The scan's input, its output or None, and its operator."""
        texts = self._texts
        element = element_named(self.input_expr) if not self.is_segmented and not self.input_fetch_exprs else None
        source = target = None
        if element and self._has_array(element):
            source = array_as(ours, values[element], texts.item, size)
        if self._target:
            target = self._target_of(ours, values, size, element if source is not None else None)
        members: dict[str, Any] = {"value": texts.item, "more": ""}
        if self._kind == lib.MCL_EXCLUSIVE and target is not None:
            members["identity"] = "pcl_neutral()"
        if self.is_segmented:
            direct = target is not None
            members["result"] = texts.stored_dtype if direct else texts.item
            members["combine"], members["more"] = texts.stored() if direct else texts.marked()
        if source is None:
            source = texts.input(ours, self._input, size, values, more=members["more"])
        if self._sum:
            return source, target, self._sum
        op = texts.operator(lib.MCL_ROLE_FOLD, "pcl_fold(p, q)", ours, values, **members)
        return source, target, op

    def _target_of(self, ours: Any, values: dict[str, Any], size: int, element: str | None) -> Any:
        """The scan's output, where nothing that it stores is read again."""
        theirs = values[self._target]
        place = (theirs.base_data.int_ptr, theirs.offset)
        for name in {element} if element else self._texts.read:
            read = values[name]
            if read.base_data is None or read.base_data.int_ptr != place[0]:
                continue
            if not element or read.offset != place[1]:
                return None
        if size * self.dtype.itemsize > theirs.nbytes:
            return None
        return array_as(ours, theirs, self._texts.stored_dtype, size)

    def _store(self, items: Any, args: Any, queue: Any, size: int) -> Any:
        """Runs the output statement for each item."""
        if self._statement is None:
            item = "((__global const pcl_item *)pcl_items)"
            uses = {word: re.search(rf"\b{word}\b", self.output_statement) for word in ("prev_item", "last_item")}
            lines = [f"const scan_type item = pcl_value({item}[i]); (void)item;"]
            if uses["prev_item"]:
                starts = f"i == 0 || pcl_flag({item}[i])"
                lines.append(f"scan_type prev_item = {self._neutral};")
                lines.append(f"if (!({starts})) prev_item = pcl_value({item}[i - 1]);")
            if uses["last_item"]:
                lines.append(f"const scan_type last_item = pcl_value({item}[N - 1]);")
            body = "\n".join(lines)
            arguments = [VectorArg(numpy.uint8, "pcl_items", with_offset=True), ScalarArg(numpy.int64, "pcl_count"), *(
                VectorArg(one.dtype, one.name, with_offset=True) if isinstance(one, VectorArg) else one
                for one in self.parsed_args)]
            self._statement = ElementwiseKernel(
                self.context, arguments,
                "const pcl_index pcl_i = i; { const index_type i = pcl_i, N = pcl_count; (void)N;\n"
                f"{body}\n{self.output_statement}\n; }}",
                name=f"{self.name_prefix}_store", preamble=self._texts.definitions)
        return self._statement(items, size, *args, queue=queue, range=slice(0, size))


class _PlainScanKernel(GenericScanKernel):
    """What the two scans of one array have in common."""

    _statement_text = ""

    def __init__(
        self, ctx: Any, dtype: Any, scan_expr: str, neutral: str | None = None, name_prefix: str = "scan",
        options: Any = None, preamble: str = "", devices: Any = None
    ) -> None:
        arguments = [VectorArg(dtype, "input_ary", with_offset=True), VectorArg(dtype, "output_ary", with_offset=True)]
        super().__init__(ctx, dtype, arguments, "input_ary[i]", scan_expr, neutral, self._statement_text,
                         name_prefix=name_prefix, options=options, preamble=preamble, devices=devices)

    def __call__(  # type: ignore[override]
        self, input_ary: Any, output_ary: Any = None, allocator: Any = None, queue: Any = None
    ) -> Any:
        """Scans input_ary. output_ary: an array, None for in place, or "new". Returns the output."""
        if output_ary is None:
            output_ary = input_ary
        elif isinstance(output_ary, str):
            if output_ary != "new":
                raise ValueError(f'output_ary is {output_ary!r}; expected an array, None or "new"')
            output_ary = cl_array.empty_like(input_ary, allocator=allocator)
        if input_ary.shape != output_ary.shape:
            raise ValueError(f"the input has the shape {input_ary.shape}, the output {output_ary.shape}")
        if not (input_ary.flags.forc and output_ary.flags.forc):
            raise RuntimeError(f"{type(self).__name__} takes contiguous arrays")
        super().__call__(input_ary, output_ary, allocator=allocator, queue=queue or input_ary.queue or output_ary.queue)
        return output_ary


class InclusiveScanKernel(_PlainScanKernel):
    """pyopencl.scan.InclusiveScanKernel, with the same arguments."""

    _statement_text = "output_ary[i] = item;"


class ExclusiveScanKernel(_PlainScanKernel):
    """pyopencl.scan.ExclusiveScanKernel, with the same arguments."""

    _statement_text = "output_ary[i] = prev_item;"


class ScanTemplate(pyopencl.scan.ScanTemplate):
    """pyopencl.scan.ScanTemplate, which builds the scans of this module."""

    _built = GenericScanKernel

    def build_inner(self, context: Any, *args: Any, **kwargs: Any) -> Any:
        kwargs.setdefault("scan_cls", self._built)
        return super().build_inner(context, *args, **kwargs)


# ---- reductions ---------------------------------------------------------------------------------------------------


class ReductionKernel:
    """pyopencl.reduction.ReductionKernel, with the same arguments, made by mcl_reduce."""

    def __init__(
        self, ctx: Any, dtype_out: Any, neutral: str, reduce_expr: str, map_expr: str | None = None,
        arguments: Any = None, name: str = "reduce_kernel", options: Any = None, preamble: str = ""
    ) -> None:
        if arguments is None:
            raise ValueError("arguments must not be None")
        self.context = ctx
        self.dtype_out = numpy.dtype(dtype_out)
        self.arguments = parse_arg_list(arguments, with_offset=True)
        texts = self._texts = Texts(self.dtype_out, self.arguments, preamble, "long", options=options)
        self._input = texts.add_input(map_expr or "in[i]")
        self._sum = texts.sum(reduce_expr, neutral)
        if not self._sum:
            texts.add_fold(reduce_expr, neutral)

    def __call__(
        self, *args: Any, return_event: bool = False, queue: Any = None, allocator: Any = None, wait_for: Any = None,
        out: Any = None, range: Any = None, slice: Any = None
    ) -> Any:
        """Does what PyOpenCL's does: returns an array of shape () with the result, or out."""
        values = _values(self.arguments, args)
        arrays = _arrays(self.arguments, values)
        first = arrays[0] if arrays else None
        if not all(array.flags.forc for array in arrays):
            raise RuntimeError("ReductionKernel takes contiguous arrays")
        if range is not None and slice is not None:
            raise TypeError("range and slice are given; expected one of them")
        if range is None:
            if first is None:
                raise TypeError("there is no array argument; expected a range")
            range = builtins.slice(*(slice or builtins.slice(None)).indices(first.size))
        start, step = range.start or 0, 1 if range.step is None else range.step
        if step < 1:
            raise unserved(f"the step of the range is {step}, where PyOpenCL's own reads no element")
        queue = queue or (first.queue if first is not None else None)
        if queue is None:
            raise TypeError("there is no array argument; expected a queue")
        if out is None:
            allocator = allocator or (first.allocator if first is not None else DeferredAllocator(queue.context))
            made = type(first) if first is not None else cl_array.Array
            out = made(queue, (), self.dtype_out, allocator=allocator)
        elif out.dtype != self.dtype_out:
            raise TypeError(f"out is of type {out.dtype}; expected {self.dtype_out}")
        _wait(queue, wait_for, arrays)
        ours = queue_of(queue)
        texts = self._texts
        source = texts.input(ours, self._input, len(builtins.range(start, range.stop, step)), values, start, step)
        op: Any = self._sum or texts.operator(lib.MCL_ROLE_FOLD, "pcl_fold(p, q)", ours, values, value=texts.item,
                                              identity="pcl_neutral()", commutative=1)
        _called(moderncl.reduce, ours, source, op, array_as(ours, out, texts.item).slot())
        event = cl.enqueue_marker(queue)
        out.add_event(event)
        return (out, event) if return_event else out


class ReductionTemplate(pyopencl.reduction.ReductionTemplate):
    """pyopencl.reduction.ReductionTemplate, which builds the reductions of this module."""

    _built = ReductionKernel

    def build_inner(
        self, context: Any, type_aliases: Any = (), var_values: Any = (), more_preamble: str = "",
        more_arguments: Any = (), declare_types: Any = (), options: Any = None, devices: Any = None
    ) -> Any:
        render = self.get_renderer(type_aliases, var_values, context, options)
        arguments = render.render_argument_list(self.arguments, more_arguments)
        declared = render.get_type_decl_preamble(context.devices[0], declare_types, arguments)
        preamble = "\n".join([declared, render(self.preamble), render(more_preamble)])
        return self._built(
            context, render.type_aliases["reduction_t"], render(self.neutral), render(self.reduce_expr),
            render(self.map_expr), arguments, render(self.name_prefix), options, preamble)


# ---- what keeps some elements -------------------------------------------------------------------------------------


def _extras(extra_args: Any) -> tuple[list[Any], dict[str, Any]]:
    arguments, values = [], {}
    for name, value in extra_args or ():
        if isinstance(value, cl_array.Array):
            arguments.append(VectorArg(value.dtype, name, with_offset=True))
        elif isinstance(value, numpy.generic):
            arguments.append(ScalarArg(value.dtype, name))
        else:
            kind = type(value).__name__
            raise RuntimeError(f"the argument {name} is of type {kind}; expected an array or a NumPy scalar")
        values[name] = value
    return arguments, values


def _kept(
    ary: Any, role: int, text: str, extra_args: Any, preamble: str, queue: Any, wait_for: Any, outputs: int
) -> Any:
    """The outputs, the count of elements in the first, and an event."""
    if ary.ndim != 1:
        raise ValueError(f"the array has {ary.ndim} dimensions; expected 1")
    arguments, values = _extras(extra_args)
    texts = Texts(ary.dtype, [VectorArg(ary.dtype, "ary", with_offset=True), *arguments],
                  f"typedef {dtype_to_ctype(ary.dtype)} item_t;\n{preamble}", "long")
    values |= {"ary": ary, "pcl_count": len(ary)}
    used = texts.used(text)
    queue = queue or ary.queue
    _wait(queue, wait_for, [value for value in values.values() if isinstance(value, cl_array.Array)])
    made = [cl_array.empty_like(ary) for _ in builtins.range(outputs)]
    count_dtype = numpy.dtype(numpy.uint32 if len(ary) < 2**32 else numpy.int64)
    counts = cl_array.zeros(queue, 2, count_dtype, allocator=ary.allocator)
    if len(ary):
        ours = queue_of(queue)
        if role == lib.MCL_ROLE_TEST:
            body = f"return ({text}\n) ? 1 : 0;"
            rest = texts.add("int", "pcl_test", ["pcl_index i", "pcl_index N"], body, used)
            call = f"pcl_test((pcl_index)i, (pcl_index)pcl_count{rest})"
        else:
            body = f"const scan_type a = pcl_value(pcl_p), b = pcl_value(pcl_q);\nreturn ({text}\n) ? 1 : 0;"
            rest = texts.add("int", "pcl_same", ["pcl_item pcl_p", "pcl_item pcl_q"], body, used)
            call = f"pcl_same(p, q{rest})"
        op = texts.operator(role, call, ours, values)
        function = {1: moderncl.compact, 2: moderncl.partition}[outputs] if role == lib.MCL_ROLE_TEST else moderncl.unique
        _called(function, ours, array_as(ours, ary, texts.item), *(array_as(ours, one, texts.item) for one in made), op,
                array_as(ours, counts, count_dtype).slot())
    return (*made, counts[0], cl.enqueue_marker(queue))


def copy_if(
    ary: Any, predicate: str, extra_args: Any = None, preamble: str = "", queue: Any = None, wait_for: Any = None
) -> Any:
    """pyopencl.algorithm.copy_if, made by mcl_compact. Returns (out, count, event)."""
    return _kept(ary, lib.MCL_ROLE_TEST, predicate, extra_args, preamble, queue, wait_for, 1)


def remove_if(
    ary: Any, predicate: str, extra_args: Any = None, preamble: str = "", queue: Any = None, wait_for: Any = None
) -> Any:
    """pyopencl.algorithm.remove_if, made by mcl_compact. Returns (out, count, event)."""
    return copy_if(ary, f"!({predicate}\n)", extra_args, preamble, queue, wait_for)


def partition(
    ary: Any, predicate: str, extra_args: Any = None, preamble: str = "", queue: Any = None, wait_for: Any = None
) -> Any:
    """pyopencl.algorithm.partition, made by mcl_partition. Returns (out_true, out_false, count, event)."""
    return _kept(ary, lib.MCL_ROLE_TEST, predicate, extra_args, preamble, queue, wait_for, 2)


def unique(
    ary: Any, is_equal_expr: str = "a == b", extra_args: Any = None, preamble: str = "", queue: Any = None,
    wait_for: Any = None
) -> Any:
    """pyopencl.algorithm.unique, made by mcl_unique. Returns (out, count, event)."""
    return _kept(ary, lib.MCL_ROLE_EQUALITY, is_equal_expr, extra_args, preamble, queue, wait_for, 1)


# ---- sorts --------------------------------------------------------------------------------------------------------


class RadixSort:
    """pyopencl.algorithm.RadixSort, with the same arguments, made by mcl_sort, mcl_sort_pairs and, for more than two
    arrays, mcl_sort_indices. scan_kernel and index_dtype choose nothing here."""

    def __init__(
        self, context: Any, arguments: Any, key_expr: str, sort_arg_names: Any, bits_at_a_time: int = 2,
        index_dtype: Any = numpy.int32, key_dtype: Any = numpy.uint32, scan_kernel: Any = None, options: Any = None
    ) -> None:
        self.context = context
        self.arguments = parse_arg_list(arguments)
        self.bits = int(bits_at_a_time)
        self.key_dtype = numpy.dtype(key_dtype)
        self.sorted = [one for one in self.arguments if one.name in sort_arg_names]
        if [one.name for one in self.sorted] != list(sort_arg_names):
            raise unserved("sort_arg_names has another order than the arguments, or names what is none")
        self._first = [k for k, one in enumerate(self.arguments) if isinstance(one, VectorArg)][-1]
        # The bits of the key are its order, with negative keys last.
        self._keys = numpy.dtype(f"u{self.key_dtype.itemsize}")
        self._texts = Texts(self._keys, self.arguments, f"typedef {dtype_to_ctype(self.key_dtype)} key_t;", "int",
                            options=options)
        named = element_named(key_expr)
        self._plain = next((one.name for one in self.sorted if one.name == named and one.dtype.kind in "iu"
                            and one.dtype.itemsize == self._keys.itemsize), None)
        self._input = self._texts.add_input(f"(key_t)({key_expr}\n)", has_count=True)

    def __call__(
        self, *args: Any, queue: Any = None, allocator: Any = None, key_bits: int | None = None, wait_for: Any = None,
        **kwargs: Any
    ) -> Any:
        """Does what PyOpenCL's does: returns (sorted arrays, event)."""
        if kwargs:
            raise TypeError(f"unexpected keyword arguments: {', '.join(kwargs)}")
        values = _values(self.arguments, args)
        first = args[self._first]
        queue, allocator, n = queue or first.queue, allocator or first.allocator, len(first)
        width = 8 * self._keys.itemsize
        if key_bits is None:
            key_bits = width
        if not 0 < key_bits <= width:
            raise ValueError(f"key_bits is {key_bits}; expected 1 to {width}")
        _wait(queue, wait_for, _arrays(self.arguments, values))
        made = {one.name: cl_array.empty(queue, n, one.dtype, allocator=allocator) for one in self.sorted}
        if n:
            # Whole digits of theirs, as they sort them.
            end = min(-(-key_bits // self.bits) * self.bits, width)
            options = {"sort_method": lib.MCL_SORT_RADIX, "end_bit": end}
            self._sort(queue_of(queue), queue, allocator, values, made, n, options)
        return tuple(made.values()), cl.enqueue_marker(queue)

    def _sort(
        self, ours: Any, queue: Any, allocator: Any, values: dict[str, Any], made: dict[str, Any], n: int,
        options: dict[str, Any]
    ) -> None:
        moved = {name: words_of(one.dtype.itemsize) for name, one in made.items()}
        if self._plain:
            keys: Any = array_as(ours, values[self._plain], self._keys, n)
            out_keys = array_as(ours, made[self._plain], self._keys)
        else:
            keys = self._texts.input(ours, self._input, n, values)
            scratch = cl_array.empty(queue, n, self._keys, allocator=allocator)
            out_keys = array_as(ours, scratch, self._keys)
        others = [name for name in made if name != self._plain]
        if not others:
            _called(moderncl.sort, ours, keys, out_keys, moderncl.LESS, **options)
        elif len(others) == 1:
            (name,) = others
            _called(moderncl.sort_pairs, ours, keys, array_as(ours, values[name], moved[name], n), out_keys,
                    array_as(ours, made[name], moved[name]), moderncl.LESS, **options)
        else:
            order = ours.empty(n, numpy.int32 if n < 2**31 else numpy.int64)
            _called(moderncl.sort_indices, ours, keys, order, moderncl.LESS, **options)
            for name in made:
                bound = {"pcl_order": order, "pcl_values": array_as(ours, values[name], moved[name], n)}
                gathered = moderncl.from_expression(moved[name], "pcl_values[pcl_order[i]]", n, bound)
                _called(moderncl.transform, ours, gathered, array_as(ours, made[name], moved[name]))


class KeyValueSorter:
    """pyopencl.algorithm.KeyValueSorter, with the same arguments. The starts are lower bounds of each key
    (mcl_sorted_search_needles)."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self._sorters: dict[Any, RadixSort] = {}

    def __call__(
        self, queue: Any, keys: Any, values: Any, nkeys: int, starts_dtype: Any, allocator: Any = None,
        wait_for: Any = None
    ) -> Any:
        """Does what PyOpenCL's does: returns (starts, lists, event)."""
        kinds = (values.dtype, keys.dtype)
        if kinds not in self._sorters:
            arguments = [VectorArg(one.dtype, name, with_offset=True) for one, name in ((values, "values"), (keys, "keys"))]
            self._sorters[kinds] = RadixSort(self.context, arguments, "keys[i]", ["values", "keys"])
        allocator = allocator or values.allocator
        (lists, found), _ = self._sorters[kinds](values, keys, queue=queue, allocator=allocator, wait_for=wait_for)
        starts = cl_array.zeros(queue, nkeys + 1, starts_dtype, allocator=allocator)
        if len(keys):
            ours = queue_of(queue)
            needles = moderncl.from_counting(found.dtype, 0, nkeys + 1)
            _called(moderncl.sorted_search_needles, ours, needles, array_as(ours, found, found.dtype), moderncl.LOWER,
                    array_as(ours, starts, starts.dtype), moderncl.LESS)
        return starts, lists, cl.enqueue_marker(queue)


class ListOfListsBuilder(pyopencl.algorithm.ListOfListsBuilder):
    """pyopencl.algorithm.ListOfListsBuilder, with the same arguments. The caller's text generate stays a kernel of
    PyOpenCL's. Its scans are those of this module."""

    _made: dict[Any, Any]

    def _kernel(self, what: str, index_dtype: Any, *texts: Any) -> Any:
        made = self.__dict__.setdefault("_made", {})
        key = (what, numpy.dtype(index_dtype))
        if key not in made:
            names, input_expr, statement = texts
            arguments = [VectorArg(index_dtype, name, with_offset=True) for name in names]
            made[key] = GenericScanKernel(self.context, index_dtype, arguments, input_expr, "a + b", "0", statement,
                                          index_dtype=index_dtype, devices=self.devices)
        return made[key]

    def get_scan_kernel(self, index_dtype: Any) -> Any:
        """Counts become the ends of lists, each one after its count."""
        return self._kernel("scan", index_dtype, ["counts"], "counts[i]", "counts[i + 1] = item;")

    def get_compress_kernel(self, index_dtype: Any) -> Any:
        """The lists that are not empty: their counts, their indices, and where each object's list went."""
        names = ["counts", "kept_counts", "kept_indices", "places", "kept_total"]
        statement = """if (item > prev_item) { kept_counts[prev_item] = counts[i]; kept_indices[prev_item] = i; }
                       if (i < N - 1) places[i + 1] = item; else kept_total[0] = item;"""
        return self._kernel("compress", index_dtype, names, "counts[i] != 0", statement)


# ---- programs that stay as they are -------------------------------------------------------------------------------


_own = {**vars(pyopencl.reduction), **vars(pyopencl.scan), **vars(pyopencl.algorithm)}


def _or_own() -> dict[str, Any]:
    """What is in this module, by name, with PyOpenCL's own code for what it cannot serve."""
    made = {name: globals()[name] for name in __all__}
    for name in ("GenericScanKernel", "ReductionKernel", "RadixSort", "KeyValueSorter"):
        made[name] = class_or_own(name, made[name], _own[name])
    for name in ("copy_if", "partition", "remove_if", "unique"):
        made[name] = function_or_own(name, made[name], _own[name])
    # The scan that falls back comes after a plain scan in the order of their bases, and so makes the plain one's.
    for name in ("InclusiveScanKernel", "ExclusiveScanKernel"):
        made[name] = type(name, (made[name], made["GenericScanKernel"]), {})
    for name, built in (("ScanTemplate", "GenericScanKernel"), ("ReductionTemplate", "ReductionKernel")):
        made[name] = type(name, (made[name],), {"_built": made[built]})
    return made


def install(falls_back: bool = False) -> list[str]:
    """Puts what is in this module where PyOpenCL has the same names: in pyopencl.algorithm, pyopencl.scan and
    pyopencl.reduction. Call it before the program imports from these. Returns the names replaced. falls_back: what the
    library cannot serve does not raise NotImplementedError. PyOpenCL's own code serves it, and not_served gets a pair of
    its name and the reason."""
    made = _or_own() if falls_back else {name: globals()[name] for name in __all__}
    replaced = []
    for module in (pyopencl.algorithm, pyopencl.scan, pyopencl.reduction):
        for name in __all__:
            if name not in ("install", "not_served") and hasattr(module, name):
                setattr(module, name, made[name])
                replaced.append(f"{module.__name__}.{name}")
    return replaced
