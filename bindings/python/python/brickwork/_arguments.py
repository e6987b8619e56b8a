"""Checks of users' arguments. TypeError and ValueError have the argument's name."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt


def integer(value: Any, name: str, least: int = 0, end: int = 1 << 32) -> int:
    """Returns an integer from `least` to `end` - 1."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
    number = operator.index(value)
    if not least <= number < end:
        raise ValueError(f"{name} is {number}; it must be from {least} to {end - 1}")
    return number


def integers(values: Any, name: str) -> tuple[int, ...]:
    """Returns integers of any size."""
    try:
        return tuple(map(operator.index, values))
    except TypeError as error:
        raise TypeError(f"{name} must be a sequence of integers: {error}") from None


def thread_count(threads: Any) -> int | None:
    """Returns a number of threads; None for the default."""
    return None if threads is None else integer(threads, "threads", 1)


def flag(value: Any, name: str) -> bool:
    """Returns true or false."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return bool(value)


def numbers(value: Any, name: str, shape: tuple[int, ...]) -> Any:
    """Returns a number, or lists of numbers, of this shape."""
    try:
        found = np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} is {value!r}; it must have the shape {shape}") from None
    if all(isinstance(number, (Decimal, Fraction, int, float)) for number in found.flat):
        found = found.astype(np.float64)
    if found.dtype.kind not in "uif":
        raise TypeError(f"{name} must be numeric, not {value!r}")
    if found.shape != shape:
        raise ValueError(f"{name} is {value!r}; it must have the shape {shape}")
    return found.astype(np.float64).tolist()


def refuse_path(value: Any, name: str, advice: str) -> None:
    """Raises TypeError for the path of a file in place of an array."""
    if isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} is the path {os.fspath(value)!r}; read the file first: {advice}")


def refuse_nan(value: Any, name: str) -> None:
    """Raises ValueError with the first field that is NaN or infinite, which JSON does not have."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} is {value}; JSON has no NaN and no infinity")
    if isinstance(value, Mapping):
        for key, item in value.items():
            refuse_nan(item, f"{name}[{key!r}]")
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            refuse_nan(item, f"{name}[{index}]")


def refuse_mask(array: Any, name: str) -> None:
    """Raises ValueError if numbers of an array are masked, or if it is a Dask array of masked ones."""
    # (NumPy drops the masks of arrays in a list, Dask that of its array.)
    parts = array if isinstance(array, (list, tuple)) else (array,)
    for part in parts:
        is_masked = isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part)
        if is_masked or isinstance(getattr(part, "_meta", None), np.ma.MaskedArray):
            raise ValueError(f"{name} is masked, and the mask would be lost; replace the numbers with filled")


def unmasked(array: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    """Returns an array. Raises ValueError if numbers of it are masked."""
    refuse_mask(array, name)
    return np.asarray(array)
