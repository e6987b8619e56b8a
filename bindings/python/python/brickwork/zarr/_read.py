"""Boxes of arrays, in any number. Each chunk is fetched once."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from zarr.core.buffer import default_buffer_prototype
from zarr.core.config import config
from zarr.core.sync import sync

from brickwork import chunk
from brickwork._arguments import integers, thread_count
from brickwork._selection import parse
from brickwork.zarr._codec import Named, fetch, file_of, go_on, is_synchronous, read_file, run_sync
from brickwork.zarr._layout import Coords, Layout


def read_boxes(array: Any, origins: npt.ArrayLike, shape: Sequence[int]) -> npt.NDArray[Any]:
    """Reads many boxes of one shape, such as training patches. Each chunk is fetched once.

    Parameters
    ----------
    array
        A `zarr.Array` that uses the codec.
    origins
        First voxels of the boxes: integers of the shape (n, axes of the array).
    shape
        Lengths of a box along each axis.

    Returns
    -------
    numpy.ndarray
        The boxes, of the shape (n, *shape).

    Raises
    ------
    IndexError
        If a box extends beyond the array.
    FormatError
        If a chunk is damaged; the text has its key.
    ValueError
        If the array does not use the codec, or `origins` or `shape` do not fit.
    """
    layout = Layout(array)
    lengths = integers(shape, "shape")
    corners = _corners(layout, origins, lengths)
    out = np.empty((len(corners), *lengths), layout.dtype)
    if out.size:
        view, groups = _groups(layout, corners, lengths, out)
        _run(layout, [(view, groups)], threads=1)
    return out


def read(
    array: Any,
    selection: Any = ...,
    out: npt.NDArray[Any] | None = None,
    *,
    threads: int | None = None,
) -> npt.NDArray[Any]:
    """Reads a region, decoding straight into the result.

    Parameters
    ----------
    array
        A `zarr.Array` that uses the codec.
    selection
        Integers, slices and `...`, as in `array[selection]`. Default: everything.
    out
        Array of the selection's shape and the array's type, which is filled and returned. An array in C order
        is filled without a copy.
    threads
        Number of threads. Default: one per CPU core.

    Returns
    -------
    numpy.ndarray
        The voxels.

    Raises
    ------
    IndexError
        If an index is out of range or of another kind.
    FormatError
        If a chunk is damaged; the text has its key.
    ValueError
        If the array does not use the codec, or `out` does not fit.
    """
    threads = thread_count(threads)
    layout = Layout(array)
    axes = parse(selection, layout.shape)
    shape = tuple(axis.count for axis in axes if not axis.is_index)
    if out is not None and not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array, not {type(out).__name__}")
    if out is not None and (out.shape != shape or out.dtype != layout.dtype or not out.flags.writeable):
        raise ValueError(f"out must be a writeable array of the shape {shape} and type {layout.dtype}")
    if 0 in shape:
        return np.empty(shape, layout.dtype) if out is None else out
    lengths = tuple(axis.high - axis.low for axis in axes)
    is_direct = all(axis.step == 1 for axis in axes)
    target = out if out is not None and out.flags.c_contiguous and is_direct else None
    box = np.empty(lengths, layout.dtype) if target is None else target.reshape(lengths)
    corners = np.array([[axis.low for axis in axes]], np.int64)
    view, groups = _groups(layout, corners, lengths, box[np.newaxis])
    _run(layout, _slabs(view, groups), threads or os.cpu_count() or 1)
    if target is not None:
        return target
    keys = tuple(
        0 if axis.is_index else slice(None) if axis.step == 1 else slice(None, None, axis.step)
        for axis in axes
    )
    found = box[keys]
    if out is None:
        return np.ascontiguousarray(found).reshape(shape)
    out[...] = found
    return out


def _corners(layout: Layout, origins: npt.ArrayLike, lengths: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """The first voxels of boxes, checked."""
    axes = len(layout.shape)
    corners = np.asarray(origins)
    if corners.size == 0:
        corners = np.empty((0, axes), np.int64)
    if corners.dtype.kind not in "ui":
        raise TypeError(f"origins are integers, not {corners.dtype}")
    if corners.ndim != 2 or corners.shape[1] != axes or len(lengths) != axes:
        raise ValueError(
            f"origins has the shape {corners.shape} and a box {lengths}; the array has {axes} axes"
        )
    if min(lengths, default=1) < 1:
        raise ValueError(f"shape is {lengths}; each side must be at least 1")
    # (Unlike a sum, the last corners do not overflow.)
    last = [whole - side for whole, side in zip(layout.shape, lengths)]
    outside = ((corners < 0) | (corners > last)).any(axis=1)
    if outside.any():
        first = int(outside.argmax())
        raise IndexError(
            f"box {first} at {tuple(map(int, corners[first]))} of shape {lengths} extends beyond the array "
            f"of shape {layout.shape}"
        )
    return corners.astype(np.int64)


@dataclass(frozen=True)
class _Group:
    """Boxes of one chunk, and their places in windows."""

    coords: Coords
    boxes: npt.NDArray[np.uint64]
    places: npt.NDArray[np.uint64]


def _groups(
    layout: Layout, corners: npt.NDArray[np.int64], lengths: tuple[int, ...], out: npt.NDArray[Any]
) -> tuple[npt.NDArray[Any], list[_Group]]:
    """Windows of three axes that contain all boxes, and the parts of the boxes by chunk."""
    axes = len(lengths)
    leading = lengths[:-3] if axes > 3 else ()
    view = out.reshape((-1, *([1] * (3 - axes) + list(lengths))[-3:]))
    # A window for each index along leading axes, along which chunks have one voxel.
    offsets = np.argwhere(np.ones(leading, bool))
    first = np.repeat(corners, len(offsets), axis=0)
    first[:, : len(leading)] += np.tile(offsets, (len(corners), 1))
    sides = np.array((1,) * len(leading) + lengths[len(leading) :], np.int64)
    steps = np.array(layout.chunk, np.int64)
    low, high = first // steps, (first + sides - 1) // steps
    windows = np.arange(len(first))
    parts = []
    for shift in itertools.product(*(range(count) for count in (high - low).max(axis=0, initial=0) + 1)):
        coords = low + np.array(shift, np.int64)
        chosen = (coords <= high).all(axis=1)
        coords, corner = coords[chosen], first[chosen]
        start = np.maximum(corner, coords * steps)
        end = np.minimum(corner + sides, (coords + 1) * steps)
        parts.append((coords, start - coords * steps, end - start, start - corner, windows[chosen]))
    coords, start, size, place, window = (np.concatenate(columns) for columns in zip(*parts))
    order = np.lexsort(coords.T[::-1]) if axes else np.arange(len(coords))
    coords = coords[order]
    boxes = np.concatenate((_three(start, 0), _three(size, 1)), axis=1)[order].astype(np.uint64)
    places = np.concatenate((window[:, np.newaxis], _three(place, 0)), axis=1)[order].astype(np.uint64)
    ends = np.flatnonzero((coords[1:] != coords[:-1]).any(axis=1)) + 1
    cuts = [0, *ends.tolist(), len(coords)]
    return view, [
        _Group(tuple(coords[a].tolist()), boxes[a:b], places[a:b]) for a, b in itertools.pairwise(cuts)
    ]


def _three(rows: npt.NDArray[np.int64], missing: int) -> npt.NDArray[np.int64]:
    """The last three columns, after columns of `missing` if there are fewer."""
    last = rows[:, -3:]
    return np.concatenate((np.full((len(rows), 3 - last.shape[1]), missing, np.int64), last), axis=1)


#: Windows that one thread fills, and their boxes.
_Slab = tuple[npt.NDArray[Any], list[_Group]]


def _slabs(view: npt.NDArray[Any], groups: list[_Group]) -> list[_Slab]:
    """Parts of windows that do not overlap in memory: one for each window and row of chunks along z."""
    by_place: dict[tuple[int, int], list[_Group]] = {}
    for group in groups:
        # (A chunk has one box here.)
        by_place.setdefault((int(group.places[0, 0]), int(group.places[0, 1])), []).append(group)
    slabs = []
    for (window, z), members in by_place.items():
        depth = int(members[0].boxes[0, 3])
        shift = np.array([window, z, 0, 0], np.uint64)
        moved = [_Group(one.coords, one.boxes, one.places - shift) for one in members]
        slabs.append((view[window : window + 1, z : z + depth], moved))
    return slabs


def _run(layout: Layout, slabs: list[_Slab], threads: int) -> None:
    """Fetches and decodes the boxes of all slabs."""
    # (Shards in a folder are read by the store.)
    is_local = layout.shard is None and file_of(layout.array.store_path) is not None
    if not is_local and not is_synchronous(layout.array.store_path):
        sync(_read_slabs(layout, slabs, threads))
    elif threads == 1 or len(slabs) == 1:
        for view, groups in slabs:
            _read_slab(layout, view, groups)
    else:
        with ThreadPoolExecutor(min(threads, len(slabs))) as pool:
            for _ in pool.map(lambda slab: _read_slab(layout, *slab), slabs):
                pass


def _read_slab(layout: Layout, view: npt.NDArray[Any], groups: list[_Group]) -> None:
    prototype = default_buffer_prototype()
    sides = chunk.sides(layout.chunk)
    for group in groups:
        getter = layout.getter_sync(group.coords)
        path = file_of(getter)
        if path is not None:
            is_there = read_file(path, getter, sides, group.boxes, group.places, view)
        else:
            fetching = fetch(sides, group.boxes, group.places, view)
            is_there = getter is not None and run_sync(fetching, getter, prototype)
        if not is_there:
            _fill(layout, view, group)


async def _read_slabs(layout: Layout, slabs: list[_Slab], threads: int) -> None:
    prototype = default_buffer_prototype()
    sides = chunk.sides(layout.chunk)
    fetches = asyncio.Semaphore(config.get("async.concurrency") or 10)
    decoders = asyncio.Semaphore(threads)

    async def step(lock: asyncio.Lock, fetching: Any, data: Any) -> Any:
        if threads == 1:
            return go_on(fetching, data)
        # (One thread writes to a slab at a time.)
        async with lock, decoders:
            return await asyncio.to_thread(go_on, fetching, data)

    async def read_one(view: npt.NDArray[Any], group: _Group, lock: asyncio.Lock) -> None:
        async with fetches:
            getter = await layout.getter(group.coords)
            found = False
            if getter is not None:
                with Named(getter):
                    fetching = fetch(sides, group.boxes, group.places, view)
                    requests, found = go_on(fetching)
                    while requests is not None:
                        gets = [getter.get(prototype=prototype, byte_range=one) for one in requests]
                        data = [await gets[0]] if len(gets) == 1 else await asyncio.gather(*gets)
                        requests, found = await step(lock, fetching, data)
            if not found:
                _fill(layout, view, group)

    locks = [asyncio.Lock() for _ in slabs]
    tasks = [
        asyncio.ensure_future(read_one(view, group, lock))
        for (view, groups), lock in zip(slabs, locks)
        for group in groups
    ]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


def _fill(layout: Layout, view: npt.NDArray[Any], group: _Group) -> None:
    """Writes the fill value to the places of a missing chunk."""
    for (_, _, _, depth, height, width), (window, z, y, x) in zip(
        group.boxes.tolist(), group.places.tolist()
    ):
        view[window, z : z + depth, y : y + height, x : x + width] = layout.array.fill_value
