"""Names that users of NumPy try, and where what they mean is."""

from __future__ import annotations

OF_NUMPY = {
    "argsort": "sort_indices", "lexsort": "sort_columns_indices", "cumsum": "scan", "sum": "reduce",
    "min": "reduce", "max": "reduce", "argmin": "reduce", "argmax": "reduce", "bincount": "histogram",
    "searchsorted": "sorted_search_needles", "argpartition": "top_k_indices", "median": "quantiles",
    "percentile": "quantiles", "quantile": "quantiles", "flatnonzero": "compact_stencil", "where": "transform",
    "take": "transform", "put": "scatter", "repeat": "run_length_decode", "intersect1d": "set_intersection",
    "union1d": "set_union", "setdiff1d": "set_difference", "isin": "map_contains", "diff": "from_differences",
}


def instead(name: str) -> str:
    """The end of a sentence on a name that is not there."""
    if name in OF_NUMPY:
        return f"; moderncl.{OF_NUMPY[name]} does what NumPy's {name} does"
    from . import _functions

    return f"; moderncl.{name} is a function, which takes a queue first" if name in _functions.names() else ""
