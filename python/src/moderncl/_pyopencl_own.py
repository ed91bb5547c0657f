"""Classes and functions that are served by moderncl.pyopencl where it can, and by PyOpenCL's own code where it raises
NotImplementedError."""

from __future__ import annotations

import functools
from typing import Any

# What PyOpenCL's own code served: a name, and why.
not_served: list[tuple[str, str]] = []


def _tell(name: str, failure: NotImplementedError) -> None:
    not_served.append((name, str(failure)))


def function_or_own(name: str, ours: Any, own: Any) -> Any:
    """A function that calls own where ours does not serve the call."""

    @functools.wraps(ours)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return ours(*args, **kwargs)
        except NotImplementedError as failure:
            _tell(name, failure)
        return own(*args, **kwargs)

    return call


def class_or_own(name: str, ours: Any, own: Any) -> Any:
    """A class whose objects are of ours. Where ours raises when an object is made or called, an object of own does the
    work. Nothing is enqueued by then."""

    class OrOwn(ours):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            self._own: Any = None
            self._given = args, kwargs
            try:
                super().__init__(*args, **kwargs)
            except NotImplementedError as failure:
                self._take_own(failure)

        def _take_own(self, failure: NotImplementedError) -> None:
            _tell(name, failure)
            args, kwargs = self._given
            self._own = own(*args, **kwargs)

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            if self._own is None:
                try:
                    return super().__call__(*args, **kwargs)
                except NotImplementedError as failure:
                    self._take_own(failure)
            return self._own(*args, **kwargs)

    OrOwn.__name__ = OrOwn.__qualname__ = name
    OrOwn.__doc__ = ours.__doc__
    return OrOwn
