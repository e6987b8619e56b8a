"""Blocks of a Dask array to a Zarr array."""

from __future__ import annotations

from typing import Any

from brickwork._arguments import refuse_mask


def store(blocks: Any, target: Any, *, compute: bool = True) -> Any:
    """Stores a Dask array in a Zarr array, if its blocks fit the array's objects.

    Dask writes blocks at the same time. If two of them are in one chunk or shard, one of them is lost,
    without an error; this function refuses such blocks.

    Parameters
    ----------
    blocks
        A `dask.array.Array`. Its blocks start at multiples of the target's shards, or of its chunks if it has
        none; `blocks.rechunk(target.shards or target.chunks)` makes such blocks.
    target
        A `zarr.Array` of the same shape.
    compute
        False to return a delayed object that stores the array when it is computed.

    Raises
    ------
    TypeError
        If `blocks` is no Dask array, `target` is no Zarr array, or their types differ.
    ValueError
        If the shapes differ, two blocks are in one object, or blocks are masked arrays.
    """
    import dask.array as da

    if not isinstance(blocks, da.Array):
        raise TypeError(
            f"blocks must be a dask.array.Array, not {type(blocks).__name__}; dask.array.from_array makes one"
        )
    if not hasattr(target, "chunks") or not hasattr(target, "dtype"):
        raise TypeError(f"target must be a zarr.Array, not {type(target).__name__}")
    refuse_mask(blocks, "blocks")
    if blocks.dtype.newbyteorder("=") != target.dtype.newbyteorder("="):
        raise TypeError(
            f"the blocks are {blocks.dtype}, but the Zarr array {target.dtype}; "
            f'blocks.astype("{target.dtype}") converts them'
        )
    if tuple(blocks.shape) != tuple(target.shape):
        raise ValueError(f"the blocks have the shape {blocks.shape}, but the Zarr array {target.shape}")
    sides = target.shards or target.chunks
    for axis, (lengths, side) in enumerate(zip(blocks.chunks, sides)):
        end = 0
        for length in lengths[:-1]:
            end += length
            if end % side:
                raise ValueError(
                    f"a block ends at {end} of axis {axis}, within an object of {side}: two writers of one "
                    f"object lose voxels; rechunk to multiples of {tuple(sides)}"
                )
    return da.store(blocks, target, lock=False, compute=compute)
