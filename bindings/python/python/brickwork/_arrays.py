"""Arrays of users in the one form that the extension module takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from brickwork._arguments import unmasked

VOXEL_TYPES = frozenset(
    [f"{kind}{bits}" for kind in ("uint", "int") for bits in (8, 16, 32, 64)]
    + ["float16", "float32", "float64"]
)

#: Maximum number of channels.
_CHANNELS = 255

_NATIVE = frozenset(map(np.dtype, VOXEL_TYPES))


def check_dtype(dtype: np.dtype[Any]) -> None:
    """Raises TypeError unless volumes have this type, in either byte order."""
    if dtype not in _NATIVE and dtype.newbyteorder("=") not in _NATIVE:
        advice = "compress its parts, real and imag" if dtype.kind == "c" else "convert the array with astype"
        raise TypeError(
            f"voxels are integers of 8 to 64 bits, float16, float32 or float64, not {dtype.name}; {advice}"
        )


def voxels(array: npt.ArrayLike) -> npt.NDArray[Any]:
    """Returns the array with native, aligned numbers; a copy only if it has others."""
    found = unmasked(array, "the array")
    check_dtype(found.dtype)
    if any(side == 0 for side in found.shape):
        raise ValueError(f"the array has no voxels: its shape is {found.shape}")
    size = found.dtype.itemsize
    if not found.dtype.isnative:
        return found.astype(found.dtype.newbyteorder("="), order="K")
    if not found.flags.aligned or any(stride % size for stride in found.strides):
        return found.copy(order="K")
    return found


def with_five_axes(array: npt.NDArray[Any], axes: str | None) -> npt.NDArray[Any]:
    """Returns a view with the axes frames, z, y, x, channels, of length 1 where `axes` lacks one."""
    if axes is None:
        usual = {2: "yx", 3: "zyx", 4: "zyxc", 5: "tzyxc"}
        if array.ndim not in usual:
            raise ValueError(f"the array has {array.ndim} axes; volumes have 2 to 5")
        axes = usual[array.ndim]
        if axes == "zyxc" and array.shape[3] > 4:
            raise ValueError(
                f"the axes of shape {array.shape} are ambiguous: pass axes=\"zyxc\" for {array.shape[3]} "
                'channels, or axes="tzyx" for frames'
            )
    if len(axes) != array.ndim or len(set(axes)) != len(axes) or not {"y", "x"} <= set(axes) <= set("tzyxc"):
        raise ValueError(
            f'axes is {axes!r}; for {array.ndim} axes it must be as many of "tzyxc", in any order, '
            "with y and x"
        )
    present = [axis for axis in "tzyxc" if axis in axes]
    ordered = array.transpose([axes.index(axis) for axis in present])
    index = tuple(slice(None) if axis in axes else np.newaxis for axis in "tzyxc")
    five: npt.NDArray[Any] = ordered[index]
    if five.shape[4] > _CHANNELS:
        raise ValueError(f"axis c has {five.shape[4]} channels; a voxel has 1 to {_CHANNELS}")
    return five
