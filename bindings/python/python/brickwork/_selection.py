"""Keys of `volume[...]` as a range and a step along each axis."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Axis:
    """Selected indices along an axis: `count` of them from `first` on, `step` apart.

    `is_index` is true for a single integer, which removes the axis from the result.
    """

    first: int
    step: int
    count: int
    is_index: bool = False

    @property
    def low(self) -> int:
        """Lowest selected index."""
        return min(self.first, self.first + (self.count - 1) * self.step)

    @property
    def high(self) -> int:
        """End of the selected range."""
        return max(self.first, self.first + (self.count - 1) * self.step) + 1


def parse(key: Any, shape: tuple[int, ...]) -> tuple[Axis, ...]:
    """Returns the selection of each axis.

    Raises
    ------
    IndexError
        If an index is out of range, there are too many, or the key has `np.newaxis`, lists, arrays or masks.
    """
    keys = key if isinstance(key, tuple) else (key,)
    ellipses = [i for i, item in enumerate(keys) if item is Ellipsis]
    if len(ellipses) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    given = len(keys) - len(ellipses)
    if given > len(shape):
        raise IndexError(f"too many indices: the volume has {len(shape)} axes, but {given} were indexed")
    rest = (slice(None),) * (len(shape) - given)
    at = ellipses[0] if ellipses else len(keys)
    full = keys[:at] + rest + keys[at + 1 :]
    return tuple(_axis(item, number, length) for number, (item, length) in enumerate(zip(full, shape)))


def _axis(item: Any, number: int, length: int) -> Axis:
    if isinstance(item, slice):
        start, stop, step = item.indices(length)
        return Axis(start, step, len(range(start, stop, step)))
    if item is None:
        raise IndexError("np.newaxis (None) is not supported: index the array that the volume returns")
    if isinstance(item, bool) or getattr(item, "dtype", None) == bool:
        raise IndexError("masks are not supported: index the array that the volume returns")
    if getattr(item, "ndim", 0):
        raise IndexError("arrays are not supported as indices; windows(origins, shape) reads many boxes")
    try:
        index = operator.index(item)
    except TypeError:
        raise IndexError(
            f"indices are integers, slices and '...', not {type(item).__name__}; "
            "windows(origins, shape) reads many boxes"
        ) from None
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for axis {number} with size {length}")
    return Axis(index % length, 1, 1, is_index=True)
