"""What a call from Python takes of the calling thread, for bench_call.c's calls. usage: bench.py DEVICE CALLS"""

import sys
import time

import moderncl
from moderncl._library import ffi, lib


def microseconds(call, queue, count):
    """Of one call, the best of five rounds."""
    best = float("inf")
    for _ in range(5):
        start = time.thread_time()
        for _ in range(count):
            call()
        best = min(best, (time.thread_time() - start) / count)
        queue.finish()
    return best * 1e6


def main():
    device, count = sys.argv[1], int(sys.argv[2])
    queue = moderncl.Queue(moderncl.Context(device))
    x, y = queue.empty(16, "float32"), queue.empty(16, "float32")
    output = lib.mcl_to_buffer(y.type, y.buffer.pointer, 0, 16)
    rows = [
        ("lib.mcl_transform, by cffi alone", lambda: lib.mcl_transform(queue.pointer, x.input, output, ffi.NULL)),
        ("moderncl.transform", lambda: moderncl.transform(queue, x, y)),
        ("moderncl.sort", lambda: moderncl.sort(queue, x, y, moderncl.LESS)),
    ]
    for name, call in rows:
        call()
        queue.finish()
        print(f"{microseconds(call, queue, count):8.2f}  {name}")


main()
