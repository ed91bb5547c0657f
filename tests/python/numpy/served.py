"""NumPy's functions by the library, for NumPy's own tests: those of Served, each with NumPy's name and arguments.

NumPy checks the arguments, since each call is NumPy's first: what it refuses is not asked of the library. What the
library has no call for raises NotServed, with the reason; NumPy's result then counts."""

import numpy

import moderncl

TYPES = frozenset("?bBhHiIlLqQefd")
SAME = "p == q"
SAME_WITH_NAN = "p == q || (p != p && q != q)"


class NotServed(Exception):
    """The library has no call for this."""


def _known(array):
    if array.dtype.char not in TYPES:
        kinds = {"c": "complex numbers", "S": "texts", "U": "texts", "T": "texts", "M": "dates", "m": "dates",
                 "O": "objects", "f": "long doubles"}
        raise NotServed(f"elements that are {kinds.get(array.dtype.kind, 'structs')}")
    if array.dtype.char == "?":
        return array.view(numpy.uint8)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _element(dtype, index):
    """The text of an element of x. A bound array of halves has their bits."""
    return f"half_to_float(x[{index}])" if dtype == numpy.float16 else f"x[{index}]"


def _rows(array, axis):
    """The array's lines along an axis as rows, and a function that puts rows of results back."""
    if axis is None:
        array, axis = array.ravel(), 0
    if isinstance(axis, tuple):
        raise NotServed("several axes at once")
    if array.ndim == 0:
        raise NotServed("arrays without dimensions")
    moved = numpy.moveaxis(array, axis, -1)
    if array.ndim > 1 and array.size == 0:
        raise NotServed("arrays of several dimensions without elements")
    rows = numpy.ascontiguousarray(_known(moved)).reshape(moved.size // max(moved.shape[-1], 1) or 1, moved.shape[-1])

    def back(results):
        return numpy.moveaxis(results.reshape(moved.shape[:-1] + (-1,)), -1, axis)

    return rows, back


class Served:
    """The functions, on one queue."""

    def __init__(self, device):
        self.queue = moderncl.Queue(moderncl.Context(device))

    def _empty(self, count, dtype):
        return self.queue.empty(count, dtype)

    def _up(self, array):
        return self.queue.array(numpy.ascontiguousarray(array))

    def _order(self, keys):
        order = self._empty(len(keys), numpy.int64)
        moderncl.sort_indices(self.queue, keys, order, moderncl.LESS)
        return order

    def _gathered(self, keys, indices):
        out = self._empty(len(indices), keys.dtype)
        bound = {"x": keys, "k": indices}
        text = _element(keys.dtype, "k[i]")
        moderncl.transform(self.queue, moderncl.from_expression(keys.dtype, text, len(indices), bound), out)
        return out

    def _plain(self, array, order=None, where=True, out=None, initial=None):
        if order is not None:
            raise NotServed("an order of fields")
        if where is not True:
            raise NotServed("where")
        if out is not None:
            raise NotServed("out")
        if array.dtype.char not in TYPES:
            _known(array)

    def sort(self, a, axis=-1, kind=None, order=None, *, stable=None):
        a = numpy.asarray(a)
        self._plain(a, order)
        rows, back = _rows(a, axis)
        keys = self._up(rows.ravel())
        if len(rows) == 1:
            moderncl.sort(self.queue, keys, keys, moderncl.LESS)
        else:
            moderncl.segmented_sort(self.queue, keys, moderncl.segments_from_rows(*rows.shape), keys, moderncl.LESS,
                                    moderncl.STABLE)
        return back(keys.get()).astype(a.dtype)

    def argsort(self, a, axis=-1, kind=None, order=None, *, stable=None):
        a = numpy.asarray(a)
        self._plain(a, order)
        rows, back = _rows(a, axis)
        keys = self._up(rows.ravel())
        if len(rows) == 1:
            return back(self._order(keys).get())
        indices = self._empty(len(keys), numpy.int64)
        moderncl.segmented_sort_indices(self.queue, keys, moderncl.segments_from_rows(*rows.shape), keys, indices,
                                        moderncl.INDEX_IN_SEGMENT, moderncl.LESS, moderncl.STABLE)
        return back(indices.get())

    def _partitioned(self, a, kth, axis, order):
        """The array's rows as keys, the order of each, and a function that puts rows back. Up to the last of the ranks
        keys are in order, so that each rank has its key; the other keys follow as they were."""
        a = numpy.asarray(a)
        self._plain(a, order)
        rows, back = _rows(a, axis)
        count, length = rows.shape
        ranks = numpy.arange(length)[numpy.asarray(kth).ravel()] if length else []
        k = int(ranks.max()) + 1 if len(ranks) else 0
        keys, chosen = self._up(rows.ravel()), self._empty(count * k, numpy.int64)
        if count == 1:
            moderncl.top_k_indices(self.queue, keys, k, chosen, moderncl.LESS)
        else:
            moderncl.segmented_top_k_indices(self.queue, keys, moderncl.segments_from_rows(count, length), k, chosen,
                                             None, moderncl.LESS)
        is_left = self._up(numpy.ones(rows.size, numpy.uint8))
        bound = {"c": chosen, "k": numpy.int64(k), "n": numpy.int64(length)}
        places = moderncl.from_expression(numpy.int64, "c[i] + i / k * n", count * k, bound)
        moderncl.scatter(self.queue, moderncl.from_constant(numpy.uint8, 0, count * k), places, is_left)
        rest = self._empty(count * (length - k), numpy.int64)
        all_places = moderncl.from_expression(numpy.int64, "i % n", rows.size, {"n": numpy.int64(length)})
        moderncl.compact_flagged(self.queue, all_places, is_left, rest)
        return keys, numpy.hstack([chosen.get().reshape(count, k), rest.get().reshape(count, length - k)]), back

    def argpartition(self, a, kth, axis=-1, kind="introselect", order=None):
        _, places, back = self._partitioned(a, kth, axis, order)
        return back(places)

    def partition(self, a, kth, axis=-1, kind="introselect", order=None):
        keys, places, back = self._partitioned(a, kth, axis, order)
        begins = numpy.arange(len(places))[:, None] * places.shape[1]
        return back(self._gathered(keys, self._up((places + begins).ravel())).get()).astype(numpy.asarray(a).dtype)

    def searchsorted(self, a, v, side="left", sorter=None):
        a, v = numpy.asarray(a), numpy.asarray(v)
        common = numpy.result_type(a, v)
        self._plain(a)
        self._plain(v)
        haystack = self._up(_known(a.astype(common)))
        if sorter is not None:
            haystack = self._gathered(haystack, self._up(numpy.asarray(sorter).astype(numpy.int64)))
        needles = self._up(_known(v.astype(common)).ravel())
        order = self._order(needles)  # the library's needles are sorted
        found, out = self._empty(len(needles), numpy.int64), self._empty(len(needles), numpy.int64)
        bound = moderncl.LOWER if str(side).startswith("l") else moderncl.UPPER
        moderncl.sorted_search_needles(self.queue, self._gathered(needles, order), haystack, bound, found,
                                       moderncl.LESS)
        moderncl.scatter(self.queue, found, order, out)
        result = out.get().reshape(v.shape)
        return result if v.ndim else result[()]

    def unique(self, ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True,
               sorted=True):
        a = numpy.asarray(ar)
        self._plain(a)
        if axis is not None and a.ndim > 1:
            raise NotServed("unique along an axis")
        keys = self._up(_known(a).ravel())
        order = self._order(keys)
        sorted_keys = self._gathered(keys, order)
        same = moderncl.equality(SAME_WITH_NAN if equal_nan else SAME)
        n = len(keys)
        kept, lengths, firsts = (self._empty(n, t) for t in (keys.dtype, numpy.int64, numpy.int64))
        count = int(moderncl.run_length_encode(self.queue, sorted_keys, kept, lengths, same))
        results = [kept.get()[:count].astype(a.dtype)]
        if return_index:
            moderncl.unique_by_key(self.queue, sorted_keys, order, None, firsts, same)
            results.append(firsts.get()[:count])
        if return_inverse:
            ranks, inverse = self._empty(n, numpy.int64), self._empty(n, numpy.int64)
            moderncl.run_length_decode(self.queue, moderncl.from_counting(numpy.int64, 0, count), lengths[:count], ranks)
            moderncl.scatter(self.queue, ranks, order, inverse)
            results.append(inverse.get().reshape(a.shape if axis is None else -1))
        if return_counts:
            results.append(lengths.get()[:count])
        return results[0] if len(results) == 1 else tuple(results)

    def cumulative_sum(self, x, *, axis=None, dtype=None, out=None, include_initial=False):
        a = numpy.asarray(x)
        self._plain(a, out=out)
        to = numpy.cumsum(a.ravel()[:1], dtype=dtype).dtype
        _known(numpy.empty(1, to))
        rows, back = _rows(a.astype(to), axis)
        given, sums = self._up(rows.ravel()), self._empty(rows.size, to)
        if len(rows) == 1:
            moderncl.scan(self.queue, given, sums, moderncl.ADD, moderncl.INCLUSIVE)
        else:
            moderncl.segmented_scan(self.queue, given, moderncl.segments_from_rows(*rows.shape), sums, moderncl.ADD,
                                    moderncl.INCLUSIVE)
        sums = sums.get().reshape(rows.shape)
        return back(numpy.insert(sums, 0, 0, axis=1) if include_initial else sums)

    def _folded(self, a, axis, op, keepdims, dtype=None):
        """The fold of each line along an axis, or of all."""
        rows, _ = _rows(a, axis)
        given, out = self._up(rows.ravel()), self._empty(len(rows), dtype or rows.dtype)
        if len(rows) == 1:
            moderncl.reduce(self.queue, given, op, out.slot(0))
        else:
            moderncl.segmented_reduce(self.queue, given, moderncl.segments_from_rows(*rows.shape), out, op, None)
        shape = list(a.shape) if axis is not None else [1] * a.ndim
        if axis is not None:
            shape[axis] = 1
        result = out.get().reshape(shape)
        if keepdims is True:
            return result
        return result.reshape(()) [()] if axis is None else numpy.squeeze(result, axis)[()]

    # NaN wins in NumPy, and is the greatest in MCL_MIN and MCL_MAX: an operator of one's own for the least.
    def min(self, a, axis=None, out=None, keepdims=False, initial=None, where=True):
        a = numpy.asarray(a)
        self._plain(a, where=where, out=out)
        op = moderncl.fold("p != p ? p : q != q ? q : p < q ? p : q") if a.dtype.kind == "f" else moderncl.MIN
        return self._bounded(self._folded(a, axis, op, keepdims), a, initial, numpy.minimum)

    def max(self, a, axis=None, out=None, keepdims=False, initial=None, where=True):
        a = numpy.asarray(a)
        self._plain(a, where=where, out=out)
        return self._bounded(self._folded(a, axis, moderncl.MAX, keepdims), a, initial, numpy.maximum)

    @staticmethod
    def _bounded(result, a, initial, choose):
        if initial is not None and initial is not numpy._NoValue:
            raise NotServed("initial")
        return result.astype(a.dtype)

    amin, amax = min, max

    def any(self, a, axis=None, out=None, keepdims=False, *, where=True):
        return self._passes(a, axis, out, keepdims, where, moderncl.fold("p | q", value=numpy.int32, extract="x != 0", identity="0"))

    def all(self, a, axis=None, out=None, keepdims=False, *, where=True):
        return self._passes(a, axis, out, keepdims, where, moderncl.fold("p & q", value=numpy.int32, extract="x != 0", identity="1"))

    def _passes(self, a, axis, out, keepdims, where, op):
        a = numpy.asarray(a)
        self._plain(a, where=where, out=out)
        return self._folded(a, axis, op, keepdims, numpy.int32).astype(bool)

    def take(self, a, indices, axis=None, out=None, mode="raise"):
        a, k = numpy.asarray(a), numpy.asarray(indices)
        self._plain(a, out=out)
        self._plain(k)
        if axis is None:
            a, axis = a.ravel(), 0
        axis %= a.ndim
        length, inner = a.shape[axis], int(numpy.prod(a.shape[axis + 1:]))
        shape = a.shape[:axis] + k.shape + a.shape[axis + 1:]
        wrap = "(w[k] % n + n) % n" if mode == "wrap" else "w[k] < 0 ? 0 : w[k] < n ? w[k] : n - 1"
        if mode == "raise":
            wrap = "w[k] < 0 ? w[k] + n : w[k]"
        bound = {"x": self._up(_known(a).ravel()), "w": self._up(k.astype(numpy.int64).ravel()),
                 "n": numpy.int64(length), "m": numpy.int64(inner), "c": numpy.int64(k.size)}
        of = wrap.replace("w[k]", "w[i / m % c]")
        count = int(numpy.prod(shape))
        out = self._empty(count, bound["x"].dtype)
        text = _element(out.dtype, f"(i / (m * c) * n + ({of})) * m + i % m")
        moderncl.transform(self.queue, moderncl.from_expression(out.dtype, text, count, bound), out)
        return out.get().astype(a.dtype).reshape(shape)[()]

    def nonzero(self, a):
        a = numpy.asarray(a)
        self._plain(a)
        if a.ndim == 0:
            raise NotServed("arrays without dimensions")
        flat = self._up(_known(a).ravel())
        out = self._empty(len(flat), numpy.int64)
        count = moderncl.compact_stencil(self.queue, moderncl.from_counting(numpy.int64, 0, len(flat)), flat, out,
                                         moderncl.test("x != 0"))
        return tuple(numpy.unravel_index(out.get()[:int(count)], a.shape))
