"""Arrays that use the codec."""

from __future__ import annotations

import itertools
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import zarr

from brickwork import chunk
from brickwork._arguments import refuse_mask
from brickwork.zarr._codec import BrickworkCodec

#: Side of a sample, and samples along each axis.
_SIDE = 64
_SAMPLES = 2


def create_array(
    store: Any,
    *,
    data: Any = None,
    shape: tuple[int, ...] | None = None,
    dtype: npt.DTypeLike | None = None,
    chunks: tuple[int, ...] | None = None,
    shards: tuple[int, ...] | None = None,
    brick: Literal["auto", "4", "8", "16x16x1"] = "auto",
    sample: npt.ArrayLike | None = None,
    **options: Any,
) -> Any:
    """Creates a Zarr array whose only codec is `brickwork`.

    Parameters
    ----------
    store
        Path, URL or Zarr store.
    data
        Array to write. Without it, `shape` and `dtype` are needed.
    shape, dtype
        Shape and type of the array.
    chunks
        Shape of chunks; those inside shards if there are shards. Default: 64 along the last three axes, at
        most the array's lengths, and 1 along others. Chunks of 128 to 512 along each axis have the same fast
        access to small windows, in fewer files.
    shards
        Shape of shards, which are files of many chunks. Default: none.
    brick
        Size of bricks. "auto" chooses the size with the smallest result for parts of `data` or `sample`, and
        is "8" without them.
    sample
        Typical voxels, of at most three axes.
    **options
        Other arguments of `zarr.create_array`, such as `name`, `fill_value`, `dimension_names`, `attributes`
        and `overwrite`.

    Returns
    -------
    zarr.Array
        The new array.

    Raises
    ------
    TypeError
        If the type is not supported.
    ValueError
        If chunks have more than three axes after the first ones of length 1, numbers of `data` are masked, or
        an option would add a codec.
    """
    for name in ("compressors", "filters", "serializer", "zarr_format"):
        if name in options:
            raise ValueError(f"{name} cannot be set: the codec brickwork is the only one of the array")
    refuse_mask(data, "data")
    source = data if data is None or hasattr(data, "shape") else np.asarray(data)
    lengths = tuple(source.shape) if source is not None else tuple(shape or ())
    if chunks is None:
        chunks = tuple(
            max(min(length, 64), 1) if axis >= len(lengths) - 3 else 1 for axis, length in enumerate(lengths)
        )
    if brick == "auto":
        brick = _choose(sample if sample is not None else source, chunks)
    return zarr.create_array(
        store,
        data=source,
        shape=shape,
        dtype=dtype,
        chunks=chunks,
        shards=shards,
        filters=None,
        compressors=None,
        serializer=BrickworkCodec(brick=brick),
        **options,
    )


def _choose(array: Any, chunks: tuple[int, ...]) -> Literal["4", "8", "16x16x1"]:
    """Chooses the brick size by up to eight boxes of an array."""
    if array is None or 0 in np.shape(array):
        return "8"
    found = array if hasattr(array, "shape") else np.asarray(array)
    axes = min(len(found.shape), 3)
    sides = [min(side, _SIDE) for side in ([1] * len(found.shape) + list(chunks))[-axes:]] if axes else []
    starts = []
    for length, side in zip(found.shape[-axes:] if axes else (), sides):
        # (In the middle of each half.)
        centres = [length * (2 * half + 1) // (2 * _SAMPLES) - side // 2 for half in range(_SAMPLES)]
        starts.append(sorted({min(max(centre, 0), length - min(side, length)) for centre in centres}))
    boxes = []
    for corner in itertools.product(*starts):
        box = tuple(slice(start, start + side) for start, side in zip(corner, sides))
        leading = tuple(length // 2 for length in found.shape[:-axes]) if axes else ()
        boxes.append(np.asarray(found[leading + box]))
    return chunk.choose_brick(np.concatenate(boxes) if axes else boxes[0])
