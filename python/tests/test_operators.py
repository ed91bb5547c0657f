"""Operators that are given as their text, and what a fold's result is."""

import inspect

import numpy
import pytest

import moderncl
from moderncl import _functions, _names, _operands
from moderncl._api import FUNCTIONS


def same(found, expected):
    numpy.testing.assert_array_equal(found, expected)


def test_a_text_has_the_role_of_its_parameter(queue):
    x = queue.array(numpy.int32([5, 1, 7, 1]))
    out, rows = queue.empty(4, numpy.int32), queue.empty(4, numpy.int32)
    moderncl.sort(queue, x, out, "p < q")
    same(out, [1, 1, 5, 7])
    moderncl.sort(queue, x, out, "p % 5 < q % 5")
    same(out, [5, 1, 1, 7])
    assert moderncl.reduce(queue, x, "p + q") == 14
    assert moderncl.reduce(queue, x, "p > q ? p : q") == 7
    assert moderncl.compact(queue, x, out, "x > 3") == 2
    same(out[:2], [5, 7])
    assert moderncl.count_if(queue, x, "x == 1") == 2
    assert moderncl.unique(queue, numpy.int32([1, 1, 2]), out, "p == q") == 2
    bins = queue.empty(3, numpy.int32)
    moderncl.histogram(queue, x, "x / 3", None, bins)
    same(bins, [2, 1, 1])
    needles, lower, found = numpy.int32([1, 2]), numpy.int32([0, 2]), queue.empty(2, numpy.int32)
    moderncl.equality_count(queue, needles, numpy.int32([1, 1, 5]), lower, found, "p < q", "q - p")
    same(found, [2, 0])
    moderncl.scan(queue, x, out, "p + q", moderncl.EXCLUSIVE)
    same(out, [0, 5, 6, 13])


def test_texts_in_lists(queue):
    keys, values = numpy.int32([2, 1, 2]), queue.array(numpy.float32([1, 2, 4]))
    groups, sums, least = (queue.empty(3, kind) for kind in (numpy.int32, numpy.float32, numpy.float32))
    count = moderncl.group_by(queue, keys, groups, [(values, "p + q", sums), (values, "p < q ? p : q", least)])
    assert (groups[:count].get().tolist(), sums[:count].get().tolist()) == ([1, 2], [2, 5])
    assert least[:count].get().tolist() == [2, 1]
    means = queue.empty(3, numpy.float64)
    moderncl.group_by(queue, keys, groups, [(values, moderncl.MEAN, means)])
    assert means[:2].get().tolist() == [2, 2.5]
    rows = queue.empty(3, numpy.int32)
    moderncl.sort_columns_indices(queue, [(keys, "p > q"), (values, "p > q")], rows)
    same(rows, [2, 0, 1])


def test_operators_made_by_hand_still_work(queue):
    x, out = queue.array(numpy.int32([5, 1, 7])), queue.empty(3, numpy.int32)
    assert moderncl.compact(queue, x, out, moderncl.test("x > limit", {"limit": numpy.int32(3)})) == 2
    moderncl.sort(queue, x, out, moderncl.order("p > q"))
    same(out, [7, 5, 1])
    assert repr(moderncl.test("x > 3")) == "moderncl.test('x > 3')" and repr(moderncl.ADD) == "moderncl.ADD"


def test_texts_of_the_librarys_operators(queue):
    """They know the identity, NaN, and radix sort."""
    assert moderncl.reduce(queue, numpy.int32([]), "p+q") == 0
    x, out = numpy.float32([numpy.nan, 1, -1]), queue.empty(3, numpy.float32)
    moderncl.sort(queue, x, out, "p < q", sort_method=moderncl.SORT_RADIX)
    same(out, [-1, 1, numpy.nan])
    for text, known in (("p < q", "LESS"), ("p>q", "GREATER"), ("p * q", "MULTIPLY"), (" p ^ q", "XOR")):
        role = moderncl.ROLE_ORDER if "<" in text or ">" in text else moderncl.ROLE_FOLD
        assert repr(_operands._of_text(role, text, True)) == "moderncl." + known
        assert repr(_operands._of_text(role, text, False)).endswith(f"({text!r})")


def test_what_is_no_operator(queue):
    x, out = queue.array(numpy.int32([5, 1, 7])), queue.empty(3, numpy.int32)
    with pytest.raises(TypeError, match='keep is of type function; expected a test of x, such as "x > 3"'):
        moderncl.compact(queue, x, out, lambda x: x > 3)
    with pytest.raises(TypeError, match='before is of type int; expected an order of p and q, such as "p < q"'):
        moderncl.sort(queue, x, out, 3)
    with pytest.raises(moderncl.Error, match="mcl_compact"):
        moderncl.compact(queue, x, out, moderncl.order("p < q"))


def test_every_operator_has_a_role():
    names = {word for name in _functions.names() for word, kind, _ in FUNCTIONS["mcl_" + name][1]
             if kind == "const mcl_op *" and name != "op_accumulator"}
    assert names == set(_operands._ROLE_OF)


def test_sums_are_as_wide_as_numpys(queue):
    for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", "f4", "f8"):
        x = numpy.ones(300, dtype)
        for op, theirs in ((moderncl.ADD, x.sum()), ("p + q", x.sum()), (moderncl.MULTIPLY, x.prod())):
            found = moderncl.reduce(queue, x, op)
            assert (found, found.dtype) == (theirs, theirs.dtype), (dtype, op)


def test_signatures_tell_what_may_be_left_out():
    parameters = inspect.signature(moderncl.group_by).parameters
    assert parameters["count"].default is ... and parameters["keys"].default is inspect.Parameter.empty
    assert str(inspect.signature(moderncl.sort)) == "(queue, keys, out, before, **options)"
    assert inspect.signature(moderncl.event_record).parameters["out"].default is ...


def test_docstrings_have_shapes():
    missing = [
        name for name in _functions.names()
        if any(kind in ("mcl_input", "mcl_output") for _, kind, _ in FUNCTIONS["mcl_" + name][1])
        and "Shapes: " not in getattr(moderncl, name).__doc__
    ]
    assert not missing, "python/shapes.txt lacks " + ", ".join(missing)
    assert "Shapes: in_ (n,), out (r,) with r <= n" in moderncl.compact.__doc__
    for name in _functions.names():
        shapes = FUNCTIONS["mcl_" + name][3]
        for word, kind, _ in FUNCTIONS["mcl_" + name][1]:
            if shapes and kind in ("mcl_input", "mcl_output"):
                named = "in_" if word == "in" else word
                assert f"{named} (" in shapes, f"python/shapes.txt: {name} lacks {word}"


@pytest.mark.parametrize("text, words", [
    ("x // 2 == 1", "// begins a comment"),
    ("0 < x < 5", "a < b && b < c"),
    ("x == i == 1", "compares what a comparison gives"),
    ("(0 <= x + 1 < 5) || x > 7", "a < b && b < c"),
    ("x & 1 == 0", "a comparison goes before & | ^"),
    ("x > 2 && (x ^ 3 != 1)", "a comparison goes before & | ^"),
    ("x == 1 | i ? 1 : 0", "a comparison goes before & | ^"),
])
def test_what_python_means_otherwise_is_refused(queue, text, words):
    x = queue.array(numpy.int32([5, 1, 7, 1]))
    with pytest.raises(ValueError, match=".*") as failure:
        moderncl.count_if(queue, x, text)
    assert words in str(failure.value) and text in str(failure.value)
    with pytest.raises(ValueError):
        moderncl.from_expression(numpy.int32, text.replace("x", "i"), 4)
    with pytest.raises(ValueError):
        moderncl.fold("p + q", extract=text)


@pytest.mark.parametrize("text, count", [
    ("0 < x && x < 6", 3), ("x < 2 ? i < 2 : i > 1", 2), ("(x < 2) == (i < 2)", 2), ("x << 1 > 2", 2),
    ("x > 0 /* x // 2 < 1 < 2 */", 4), ("x // a comment\n > 1", 2), ("x < 2 == i < 2", 2), ("x >= 1 & x <= 5", 3),
    ("(x & 1) == 0", 0), ("x & 4 ? x > 5 : i == 1", 2), ("(x & (1 == 1)) == 1", 4), ("x & 1 && x > 1", 2),
])
def test_what_c_means_by_it_is_not(queue, text, count):
    assert moderncl.count_if(queue, numpy.int32([5, 1, 7, 1]), text) == count


@pytest.mark.parametrize("text, advice", [("x > 1 and x < 5", "write && for and"), ("not x", "write ! for not")])
def test_words_of_pythons_are_left_to_the_compiler(queue, text, advice):
    if queue.context.info()["backend"] != "opencl":
        pytest.skip("C++ has these words too")
    with pytest.raises(moderncl.Error) as failure:
        moderncl.count_if(queue, numpy.int32([5, 1, 7, 1]), text)
    assert "the expression of test" in str(failure.value) and advice in str(failure.value)


@pytest.mark.parametrize("call, words", [
    (lambda q, x: moderncl.test("x > limit", limit=3), "test() has no member limit; names that the text uses go into"),
    (lambda q, x: moderncl.test("x > limit", [3]), "bindings is of type list; expected a dictionary"),
    (lambda q, x: moderncl.test("x > limit", {"limit": [3, 4]}), "the binding limit has 2 elements on the host"),
    (lambda q, x: moderncl.test(lambda x: x > 3), "the text is of type function; expected a text of C"),
    (lambda q, x: moderncl.from_expression("f4", "v[i]", {"v": x}, 4), "count is of type dict; expected how many"),
    (lambda q, x: moderncl.from_expression("f4", 4, 4), "expression is of type int; expected a text"),
    (lambda q, x: moderncl.sort(x, x, moderncl.LESS), "queue is of type Array; expected a moderncl.Queue"),
    (lambda q, x: moderncl.sort(q.context, x, x, moderncl.LESS), "queue is of type Context; expected a moderncl.Queue"),
    (lambda q, x: moderncl.sort(q, numpy.array(["a", "b"]), x, moderncl.LESS), "<U1; numpy.unique(names, return_inverse"),
    (lambda q, x: q.array(numpy.array(["2020-01-01"], "datetime64[s]")).type, "view(numpy.int64) has the same order"),
    (lambda q, x: q.array(numpy.array([1, None])).type, "object; expected numbers, all of one dtype"),
    (lambda q, x: q.array(numpy.zeros(2, "f4, i4")).type, "moderncl.struct() adds a struct"),
    (lambda q, x: q.array(numpy.array([1], ">i4")).type, ">i4; astype(dtype.newbyteorder('=')) has the machine's"),
    (lambda q, x: moderncl.from_reversed([1, 2]), "array is of type list; expected one on the device"),
    (lambda q, x: moderncl.from_neighbours("i4", "q[i] - p[i]", x.get()), "array is of type ndarray; expected one on"),
    (lambda q, x: moderncl.with_count([1, 2], x.slot()), "array is of type list; expected one on the device"),
    (lambda q, x: moderncl.with_count(x, x), "slot is of type Array; expected an element of an array, array.slot(k)"),
    (lambda q, x: moderncl.amount_in_slot(3, 1), "slot is of type int; expected an element of an array"),
    (lambda q, x: moderncl.segmented_sort(q, x, None, x, "p < q", 0), "a mcl_segments is of type NoneType; expected what"),
    (lambda q, x: moderncl.twister_next(None), "twister is None"),
    (lambda q, x: moderncl.map_find(q, q, x, x, None), "map is of type Queue; expected a moderncl.Map"),
    (lambda q, x: moderncl.sort(q, x), "sort(queue, keys, out, before) lacks its argument out"),
    (lambda q, x: moderncl.sort(q, x, x, "p < q", 1), "sort(queue, keys, out, before) takes 4 arguments, not 5"),
    (lambda q, x: moderncl.sort(q, x, x, befor="p < q"), "lacks its argument before"),
    (lambda q, x: moderncl.amount_of(1, nmber=1), "amount_of(number) has no parameter nmber; number is alike"),
    (lambda q, x: moderncl.reduce(q, x, "p + q", inital=5), "there is no option inital; initial is alike"),
    (lambda q, x: moderncl.reduce(q, x, "p + q", speed=5), "there is no option speed"),
    (lambda q, x: moderncl.reduce(q, x, "p + q", flags="stable"), "flags is of type str; expected a whole number"),
    (lambda q, x: moderncl.reduce(q, x, "p + q", wait=[3]), "wait has a int; expected a list of moderncl.Event"),
    (lambda q, x: moderncl.reduce(q, x, "p + q", 5), "a result is of type int; expected a dtype, array.slot(k), a NumPy"),
    (lambda q, x: moderncl.top_k(q, x, 2.5, x, "p > q"), "k is of type float; expected a whole number"),
    (lambda q, x: moderncl.scan(q, x, x, "p + q", "inclusive"),
     "kind is of type str; expected one of moderncl.EXCLUSIVE, moderncl.INCLUSIVE, "),
    (lambda q, x: moderncl.quantiles(q, x, [0.5], x, "p < q", "linear"), "interpolation is of type str; expected one of mo"),
    (lambda q, x: moderncl.histogram_even(q, x, "0", 9, None, x), "low is of type str; expected a number"),
    (lambda q, x: moderncl.Context(0), "device is of type int; expected a str"),
    (lambda q, x: moderncl.Queue("opencl"), "context is of type str; expected moderncl.Context('opencl')"),
    (lambda q, x: moderncl.Map("i4", "i4"), "context is of type str; expected moderncl.Context('i4')"),
    (lambda q, x: moderncl.Multimap(q, "i4"), "context is of type Queue; expected a moderncl.Context"),
])
def test_what_is_given_wrongly_is_told(queue, call, words):
    with pytest.raises(TypeError) as failure:
        call(queue, queue.array(numpy.int32([5, 1, 7, 1])))
    assert words in str(failure.value)


def test_names_of_numpys_lead_to_ours():
    for name, ours in _names.OF_NUMPY.items():
        assert hasattr(numpy, name) and callable(getattr(moderncl, ours))
        with pytest.raises(AttributeError, match=f"moderncl.{ours} does what NumPy's {name} does"):
            getattr(moderncl, name)
    with pytest.raises(AttributeError, match="has no attribute 'none_such'$"):
        moderncl.none_such


@pytest.mark.parametrize("of", ["queue", "array"])
def test_methods_lead_to_functions(queue, of):
    tried = queue if of == "queue" else queue.array([1, 2])
    with pytest.raises(AttributeError, match="no attribute 'sum'; moderncl.reduce does what NumPy's sum does"):
        tried.sum()
    with pytest.raises(AttributeError, match="no attribute 'sort'; moderncl.sort is a function, which takes a queue"):
        tried.sort()
    with pytest.raises(AttributeError, match="no attribute 'none_such'$"):
        tried.none_such()
