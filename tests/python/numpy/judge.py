"""A plugin of pytest: NumPy's own tests judge the library. In the modules of the tests the name np stands for NumPy
with the functions of served.py, and arrays that the tests make have methods of these functions.

A test counts where it calls such a function. tests/python/numpy/reasons has the tests that cannot pass, each with its
reason: a test that fails and is not there, or that passes and is there, is a failure. MCL_TEST_SAMPLE=10 takes every
tenth test."""

import collections
import collections.abc
import os
import types

import numpy
import pytest

import served

FUNCTIONS = ("sort", "argsort", "partition", "argpartition", "searchsorted", "unique", "cumulative_sum", "min", "max",
             "amin", "amax", "any", "all", "take", "nonzero")
MOST = 64  # of the parameters of one test are taken, with even steps
MAKERS = ("array", "arange", "zeros", "ones", "empty", "linspace", "full")


class Calls:
    """What the test that runs has called, and how each test ended."""

    def __init__(self):
        self.made = collections.Counter()
        self.reasons = set()
        self.tests = collections.defaultdict(collections.Counter)
        self.why = collections.Counter()
        self.all = collections.Counter()

    def begin(self):
        self.made.clear()
        self.reasons.clear()


CALLS = Calls()
SERVED = served.Served(os.environ.get("MCL_TEST_DEVICE", "opencl:portable"))
REASONS = {}
with open(os.path.join(os.path.dirname(__file__), "reasons"), encoding="utf-8") as lines:
    for line in lines:
        if line.strip() and not line.startswith("#"):
            name, reason = line.split(None, 1)
            REASONS[name] = reason.strip()


def ask(name, own, *arguments, **named):
    """The library's result, once NumPy has taken the arguments."""
    result = own(*arguments, **named)
    CALLS.made[name] += 1
    try:
        if isinstance(arguments[0], numpy.ndarray) and type(arguments[0]) not in (numpy.ndarray, Array):
            raise served.NotServed("arrays of a class of their own")
        return viewed(getattr(SERVED, name)(*arguments, **named))
    except served.NotServed as reason:
        CALLS.reasons.add(str(reason))
        return result


def viewed(made):
    """The same with methods of the library's, where it is an array or has some."""
    if isinstance(made, tuple):
        return tuple(viewed(each) for each in made)
    return made.view(Array) if type(made) is numpy.ndarray and made.dtype.char in served.TYPES else made


class Array(numpy.ndarray):
    """An array whose methods are functions of the library's."""


def in_place(name):
    own_method, own = getattr(numpy.ndarray, name), getattr(numpy, name)

    def method(self, *arguments, **named):
        before = numpy.array(self)
        own_method(self, *arguments, **named)  # NumPy checks that it may be written
        self[...] = ask(name, own, before, *arguments, **named)

    return method


def method(name):
    own = getattr(numpy, name)
    return lambda self, *arguments, **named: ask(name, own, numpy.asarray(self), *arguments, **named)


for each in ("sort", "partition"):
    setattr(Array, each, in_place(each))
for each in ("argsort", "argpartition", "searchsorted", "min", "max", "any", "all", "take", "nonzero"):
    setattr(Array, each, method(each))


def function(name):
    own = getattr(numpy, name)
    return lambda *arguments, **named: ask(name, own, *arguments, **named)


def maker(name):
    own = getattr(numpy, name)
    return lambda *arguments, **named: viewed(own(*arguments, **named))


np = types.ModuleType("numpy")
np.__dict__.update({name: getattr(numpy, name) for name in dir(numpy) if not name.startswith("__")})
np.__dict__.update({name: function(name) for name in FUNCTIONS})
np.__dict__.update({name: maker(name) for name in MAKERS})


@pytest.hookimpl(trylast=True)  # after what -k leaves
def pytest_collection_modifyitems(items):
    step = int(os.environ.get("MCL_TEST_SAMPLE", "1"))
    counts = collections.Counter(item.originalname for item in items)
    seen = collections.Counter()
    kept = []
    for item in items:
        if seen[item.originalname] % -(-counts[item.originalname] // MOST) == 0:
            kept.append(item)
        seen[item.originalname] += 1
    items[:] = kept[step // 2::step]
    ours = {getattr(numpy, name): getattr(np, name) for name in FUNCTIONS}
    for item in items:
        item.module.np = np
        if hasattr(item.module, "unique"):
            item.module.unique = np.unique
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        for name, value in parameters.items():
            if isinstance(value, collections.abc.Hashable):
                parameters[name] = ours.get(value, value)


def pytest_runtest_setup(item):
    CALLS.begin()


def ending(report, reason):
    """How a test ended: its column in the table."""
    if reason:
        return "reason" if report.failed else "failed"
    if report.failed:
        return "failed"
    return "in part" if CALLS.reasons else "served"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.when != "call" or report.skipped:
        return
    if not CALLS.made:
        if report.failed:
            report.outcome, report.longrepr = "skipped", (item.nodeid, 0, "calls nothing of the library's")
        return
    reason = REASONS.get(item.nodeid.split("::", 1)[1].split("[")[0])
    outcome = ending(report, reason)
    CALLS.all[outcome] += 1
    if outcome == "reason":
        report.outcome, report.longrepr = "skipped", (item.nodeid, 0, reason)
    elif outcome == "failed" and report.passed:
        report.outcome, report.longrepr = "failed", "passes, and the file of reasons says that it cannot"
    for name in CALLS.made:
        CALLS.tests[{"amin": "min", "amax": "max"}.get(name, name)][outcome] += 1
    for why in CALLS.reasons if outcome == "in part" else ():
        CALLS.why[why] += 1


def pytest_terminal_summary(terminalreporter):
    put = terminalreporter.write_line
    put("| Function | Passed | Passed, some calls by NumPy | Cannot pass | Failed |")
    put("|---|---|---|---|---|")
    for name in FUNCTIONS:
        if name in CALLS.tests:
            counts = CALLS.tests[name]
            put(f"| `{name}` | {counts['served']} | {counts['in part']} | {counts['reason']} | {counts['failed']} |")
    put("")
    put("| Calls by NumPy, because of | Tests |")
    put("|---|---|")
    for reason, count in CALLS.why.most_common():
        put(f"| {reason} | {count} |")
    put(f"numpy: {CALLS.all['served'] + CALLS.all['in part']} passed, {CALLS.all['failed']} failed")
