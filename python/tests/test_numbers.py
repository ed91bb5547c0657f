"""What a call reads and stores on the host: numbers, results, slots."""

import numpy
import pytest

import moderncl


def same(found, expected):
    numpy.testing.assert_array_equal(found, expected)


# ---- numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [1.5, numpy.float64(1.5), numpy.float16(1.5), numpy.array(1.5), numpy.array([1.5])])
def test_a_number_gets_the_type_of_the_operand(queue, given):
    x, out = queue.array(numpy.float32([1, 2, 3])), queue.empty(2, numpy.float32)
    assert moderncl.reduce(queue, x, moderncl.ADD, initial=given) == 7.5
    moderncl.join_gather(queue, queue.array(numpy.int32([-1, 0])), x, given, out)
    same(out, [1.5, 1])
    moderncl.transform(queue, moderncl.from_constant(numpy.float32, given, 2), out)
    same(out, [1.5, 1.5])
    moderncl.random(queue, out, 7, 0, given, numpy.float64(1.5000001))
    assert (out.get() >= 1.5).all() and (out.get() < 1.6).all()
    moderncl.buffer_fill(queue, out, 0, 8, given, 4)
    same(out, [1.5, 1.5])


def test_a_number_of_a_narrower_type(queue):
    x = queue.array(numpy.int32([1, 2, 3]))
    for given in (numpy.int8(-1), numpy.uint8(5), numpy.int64(7), numpy.float32(3), True):
        assert moderncl.reduce(queue, x, moderncl.ADD, initial=given) == 6 + int(given)


def test_a_number_that_its_type_has_not_is_refused(queue):
    x, out = queue.array(numpy.int32([1, 2, 3])), queue.empty(3, numpy.int32)
    for call in (
        lambda: moderncl.reduce(queue, x, moderncl.ADD, initial=1.5),
        lambda: moderncl.reduce(queue, x, moderncl.ADD, initial=numpy.int64(2**40)),
        lambda: moderncl.transform(queue, moderncl.from_constant("i4", 0.5, 3), out),
        lambda: moderncl.from_step("u1", 0, 0.5, 3),
        lambda: moderncl.Map(queue.context, "i4", "f4", 16, empty_key=1.5),
    ):
        with pytest.raises(ValueError, match="is no value of"):
            call()
    with pytest.raises(TypeError, match="a number is given as 2 elements"):
        moderncl.reduce(queue, x, moderncl.ADD, initial=[1, 2])


def test_a_zero_byte_ends_no_text(queue):
    for call in (
        lambda: moderncl.count_if(queue, numpy.int32([1, 2]), "x > 1\0 && x > 5"),
        lambda: moderncl.from_expression("f4", "i", 4, source="int a;\0 int b;"),
        lambda: moderncl.Context("opencl\0:nvidia"),
        lambda: moderncl.struct("pair\0s", numpy.dtype([("a", "i4")])),
    ):
        with pytest.raises(ValueError, match="has a zero byte"):
            call()


# ---- results ------------------------------------------------------------------------------------------------------


def test_an_array_for_a_result_has_one_element_to_write(queue):
    x, read_only, bytes_of_text = queue.array(numpy.int32([1, 2])), numpy.zeros(1, numpy.int64), b"abcdefgh"
    read_only.flags.writeable = False
    for array, words in (
        (numpy.empty(0, numpy.int64), "has 0 elements"), (numpy.zeros(2, numpy.int64), "has 2 elements"),
        (read_only, "is read-only"), (numpy.frombuffer(bytes_of_text, numpy.int64), "is read-only"),
    ):
        with pytest.raises(ValueError, match=f"the array for a result {words}; expected 1 that may"):
            moderncl.reduce(queue, x, moderncl.ADD, array)
    assert bytes_of_text == b"abcdefgh" and read_only[0] == 0
    filled = numpy.zeros((), numpy.int64)
    moderncl.reduce(queue, x, moderncl.ADD, filled)
    assert filled == 3


def test_partitions_have_several_counts(queue):
    x, outs = numpy.int32([1, 2, 3, 4, 5]), [queue.empty(5, numpy.int32) for _ in range(3)]
    same(moderncl.partition(queue, x, outs[0], outs[1], "x > 3", numpy.int64), [2, 3])
    same(moderncl.partition_three(queue, x, *outs, "x > 4", "x > 1", numpy.int32), [1, 3, 1])
    counts = numpy.zeros(3, numpy.int64)
    moderncl.partition_three(queue, x, *outs, "x > 4", "x > 1", counts)
    same(counts, [1, 3, 1])
    with pytest.raises(ValueError, match="has 1 elements; expected 2 that may"):
        moderncl.partition(queue, x, outs[0], outs[1], "x > 3", counts[:1])


def test_slots_lie_in_their_array(queue):
    x, out = queue.array(numpy.int32([1, 2])), queue.array(numpy.int64([7, 7, 7, 7]))
    part = out[1:3]
    for index in (-1, 2):
        with pytest.raises(IndexError, match=f"the slot is element {index}; expected 0 to 1"):
            part.slot(index)
    moderncl.reduce(queue, x, moderncl.ADD, part.slot(1))
    same(out, [7, 7, 3, 7])


def test_bools_are_zero_and_one(queue):
    out = queue.empty(5, bool)
    moderncl.transform(queue, moderncl.from_expression(bool, "2 * i", 5), out)
    same(out.get().view(numpy.uint8), [0, 1, 1, 1, 1])
    found = moderncl.reduce(queue, numpy.int32([1, 5]), moderncl.ADD, bool)
    assert found.view(numpy.uint8) == 1


def test_read_only_arrays_are_not_set(queue):
    x = queue.array([1, 2])
    with pytest.raises(TypeError, match="the array is read-only"):
        moderncl.Array(queue, x.buffer, x.dtype, 0, 2, writable=False).set([3, 4])
    same(x, [1, 2])
