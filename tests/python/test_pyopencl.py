"""A Python program on PyOpenCL that has the library work in its own contexts, queues, buffers and events, through the
few functions of totals.c. Usage: test_pyopencl.py LIBRARY, the module that totals.c makes. Every device of every
platform takes part. Exit status 77: PyOpenCL, NumPy or a device is not there, and a line says which."""

import ctypes
import sys
import unittest

try:
    import numpy
    import pyopencl
except ImportError as missing:
    print("skipped: pyopencl:", missing)
    sys.exit(77)


def find_devices():
    try:
        return [device for platform in pyopencl.get_platforms() for device in platform.get_devices()]
    except pyopencl.LogicError:  # what the loader says where it has no platform
        return []


def load(path):
    """The module's functions, which take handles as integers."""
    library = ctypes.CDLL(path)
    handle = ctypes.c_void_p
    for name, result, parameters in (
        ("totals_error", ctypes.c_char_p, []),
        ("totals_open", ctypes.c_int, [handle, handle, handle, ctypes.POINTER(handle)]),
        ("totals_close", None, [handle]),
        ("totals_by_key", ctypes.c_int, [handle, handle * 5, ctypes.c_int64, handle, ctypes.POINTER(handle)]),
        ("totals_event", handle, [handle]),
        ("totals_event_release", None, [handle]),
    ):
        function = getattr(library, name)
        function.restype = result
        function.argtypes = parameters
    return library


def expected_totals(keys, values):
    different, places = numpy.unique(keys, return_inverse=True)
    totals = numpy.zeros(len(different), numpy.int64)
    numpy.add.at(totals, places, values)
    return different, totals


class TotalsTest(unittest.TestCase):
    def check(self, status):
        self.assertEqual(status, 0, library.totals_error().decode())

    def run_on(self, device, properties, n):
        context = pyopencl.Context([device])
        queue = pyopencl.CommandQueue(context, properties=properties)
        totals = ctypes.c_void_p()
        self.check(library.totals_open(context.int_ptr, device.int_ptr, queue.int_ptr, ctypes.byref(totals)))
        try:
            self.totals_are_right(context, queue, totals, n)
        finally:
            library.totals_close(totals)

    def totals_are_right(self, context, queue, totals, n):
        random = numpy.random.default_rng(n)
        keys = random.integers(-50, 50, n, numpy.int32)
        values = random.integers(-(2**40), 2**40, n, numpy.int64)
        words = pyopencl.mem_flags.READ_WRITE
        sizes = [max(n, 1) * size for size in (4, 8, 4, 8)] + [8]
        whole = pyopencl.Buffer(context, words, 4096 + sizes[0])
        # the keys lie in a part of a larger buffer
        buffers = [whole.get_sub_region(4096, sizes[0])] + [pyopencl.Buffer(context, words, s) for s in sizes[1:]]
        keys_there = pyopencl.enqueue_copy(queue, buffers[0], keys, is_blocking=False)
        start = pyopencl.enqueue_copy(queue, buffers[1], values, is_blocking=False, wait_for=[keys_there])

        done = ctypes.c_void_p()
        handles = (ctypes.c_void_p * 5)(*(buffer.int_ptr for buffer in buffers))
        self.check(library.totals_by_key(totals, handles, n, start.int_ptr, ctypes.byref(done)))
        end = pyopencl.Event.from_int_ptr(library.totals_event(done), retain=True)
        library.totals_event_release(done)

        count = numpy.full(1, -1, numpy.int64)
        pyopencl.enqueue_copy(queue, count, buffers[4], wait_for=[end])
        wanted_keys, wanted_totals = expected_totals(keys, values)
        self.assertEqual(count[0], len(wanted_keys))
        found_keys, found_totals = numpy.empty_like(wanted_keys), numpy.empty_like(wanted_totals)
        pyopencl.enqueue_copy(queue, found_keys, buffers[2], wait_for=[end])
        pyopencl.enqueue_copy(queue, found_totals, buffers[3], wait_for=[end])
        numpy.testing.assert_array_equal(found_keys, wanted_keys)
        numpy.testing.assert_array_equal(found_totals, wanted_totals)

    def test_queues_of_every_device(self):
        out_of_order = pyopencl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
        for device in devices:
            for properties in (0, out_of_order & device.queue_properties):
                for n in (1, 1000, 70000):
                    with self.subTest(device=device.name, properties=properties, n=n):
                        self.run_on(device, properties, n)

    def test_a_buffer_too_short_is_a_sentence(self):
        context = pyopencl.Context([devices[0]])
        queue = pyopencl.CommandQueue(context)
        short = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 64)
        event = pyopencl.enqueue_marker(queue)
        totals, done = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(library.totals_open(context.int_ptr, devices[0].int_ptr, queue.int_ptr, ctypes.byref(totals)))
        handles = (ctypes.c_void_p * 5)(*[short.int_ptr] * 5)
        self.assertNotEqual(library.totals_by_key(totals, handles, 1000, event.int_ptr, ctypes.byref(done)), 0)
        self.assertRegex(library.totals_error().decode(), "mcl_sort_pairs: .*1000")
        library.totals_close(totals)


if __name__ == "__main__":
    devices = find_devices()
    if not devices:
        print("skipped: pyopencl: no OpenCL device")
        sys.exit(77)
    library = load(sys.argv.pop(1))
    print("devices:", ", ".join(device.name for device in devices))
    unittest.main()
