"""Zarr's selections of a chunk as boxes to decode."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

#: Indices with at most this many others between them are decoded together.
_GAP = 8
#: Most boxes of a plan whose axes are selected independently.
_MOST_BOXES = 512
#: Side of the cells that group single points.
_CELL = 16
#: Most cells of a plan for single points.
_MOST_CELLS = 4096
#: Place of a single box.
_FIRST_PLACE = np.zeros((1, 4), np.uint64)


@dataclass(frozen=True)
class Plan:
    """Boxes of a chunk that contain a selection.

    Attributes
    ----------
    shape
        Shape of the smallest box that contains all of them, along all axes of the chunk.
    boxes
        For each box its first voxel z, y, x and its sides.
    places
        For each box its first voxel in that smallest box, after a 0.
    selection
        The selection, within the smallest box.
    voxels
        Number of voxels that are decoded.
    """

    shape: tuple[int, ...]
    boxes: npt.NDArray[np.uint64]
    places: npt.NDArray[np.uint64]
    selection: tuple[Any, ...]
    voxels: int


def plan(selection: Any, shape: Sequence[int]) -> Plan:
    """Returns the boxes for a selection: slices, integers, and index arrays of one kind.

    The arrays of a selection are either `np.ix_`'s, which select each axis independently, or coordinates.
    """
    keys = selection if isinstance(selection, tuple) else (selection,)
    keys = tuple(_normal(key, side) for key, side in zip(_expanded(keys, len(shape)), shape))
    ranges = [_range(key) for key in keys]
    if None not in ranges:
        return _one_box(keys, [one for one in ranges if one is not None], shape)
    indices = [_indices(key) for key in keys]
    if any(axis.size == 0 for axis in indices):
        return _nothing(keys, shape)
    lows = [int(axis.min()) for axis in indices]
    highs = [int(axis.max()) + 1 for axis in indices]
    runs = [[(low, high)] for low, high in zip(lows, highs)]
    arrays = [axis for axis, key in enumerate(keys) if isinstance(key, np.ndarray)]
    if _are_independent([keys[axis] for axis in arrays]):
        runs = [_runs(key, axis) for key, axis in zip(keys, indices)]
        _limit(runs)
        boxes = _product(runs)
    elif len(arrays) == len(keys):
        boxes = _cells(keys, lows, highs)
    else:
        boxes = _product(runs)
    local = tuple(_shifted(key, low) for key, low in zip(keys, lows))
    firsts = ([0, 0, 0] + lows)[-3:]
    places = np.zeros((len(boxes), 4), np.uint64)
    places[:, 1:] = boxes[:, :3] - np.array(firsts, np.uint64)
    voxels = int(boxes[:, 3:].prod(axis=1).sum())
    return Plan(tuple(high - low for low, high in zip(lows, highs)), boxes, places, local, voxels)


def _range(key: Any) -> range | None:
    """The indices of an integer or a slice with a small step, ascending; None for other keys."""
    if isinstance(key, int):
        return range(key, key + 1)
    if isinstance(key, slice) and 0 < key.step <= _GAP:
        return range(key.start, key.stop, key.step)
    return None


def _one_box(keys: tuple[Any, ...], ranges: list[range], shape: Sequence[int]) -> Plan:
    """The plan for integers and slices: one box. Most selections are such, so it computes without arrays."""
    if not all(ranges):
        return _nothing(keys, shape)
    lows = [one[0] for one in ranges]
    lengths = [one[-1] - one[0] + 1 for one in ranges]
    box = [*([0, 0, 0] + lows)[-3:], *([1, 1, 1] + lengths)[-3:]]
    local = tuple(_shifted(key, low) for key, low in zip(keys, lows))
    return Plan(tuple(lengths), np.array([box], np.uint64), _FIRST_PLACE, local, math.prod(box[3:]))


def _expanded(keys: tuple[Any, ...], axes: int) -> tuple[Any, ...]:
    """The keys of all axes: those that are missing are whole."""
    dots = [i for i, key in enumerate(keys) if key is Ellipsis]
    at = dots[0] if dots else len(keys)
    rest = (slice(None),) * (axes - len(keys) + len(dots))
    return keys[:at] + rest + keys[at + 1 :]


def _normal(key: Any, side: int) -> Any:
    """A slice of non-negative bounds, an integer, or an array of integers."""
    if isinstance(key, slice):
        return slice(*key.indices(side))
    if isinstance(key, np.ndarray) and key.ndim:
        return key.nonzero()[0] if key.dtype == bool else key
    if isinstance(key, (list, tuple, range)):
        return np.asarray(key)
    return int(key)


def _indices(key: Any) -> npt.NDArray[Any]:
    if isinstance(key, slice):
        found = range(key.start, key.stop, key.step)
        # (The ends are enough for slices without steps.)
        return np.array(found if abs(found.step) > 1 else [*found[:1], *found[-1:]], np.int64)
    return np.asarray(key).ravel()


def _nothing(keys: tuple[Any, ...], shape: Sequence[int]) -> Plan:
    """A plan without boxes: the selection of an array without voxels has the right shape."""
    none = tuple(slice(0, 0) if isinstance(key, slice) and key.start >= key.stop else key for key in keys)
    return Plan(tuple(shape), np.empty((0, 6), np.uint64), np.empty((0, 4), np.uint64), none, 0)


def _are_independent(arrays: list[npt.NDArray[Any]]) -> bool:
    """True if no two arrays vary along the same axis of the result."""
    axes = max((array.ndim for array in arrays), default=0)
    padded = [(1,) * (axes - array.ndim) + array.shape for array in arrays]
    varying = [sum(shape[axis] > 1 for shape in padded) for axis in range(axes)]
    return all(count <= 1 for count in varying)


def _runs(key: Any, indices: npt.NDArray[Any]) -> list[tuple[int, int]]:
    """Ranges of the indices of an axis, joined where few others are between them."""
    if isinstance(key, int) or (isinstance(key, slice) and abs(key.step) <= _GAP):
        return [(int(indices.min()), int(indices.max()) + 1)]
    found = np.unique(indices)
    ends = np.flatnonzero(np.diff(found) > _GAP)
    firsts = found[np.concatenate(([0], ends + 1))]
    lasts = found[np.concatenate((ends, [len(found) - 1]))]
    return [(int(first), int(last) + 1) for first, last in zip(firsts, lasts)]


def _limit(runs: list[list[tuple[int, int]]]) -> None:
    """Joins the ranges of the last axes until there are few boxes."""
    for axis in reversed(range(len(runs))):
        if np.prod([len(one) for one in runs]) <= _MOST_BOXES:
            break
        runs[axis] = [(runs[axis][0][0], runs[axis][-1][1])]


def _product(runs: list[list[tuple[int, int]]]) -> npt.NDArray[np.uint64]:
    last = ([[(0, 1)]] * 3 + runs)[-3:]
    rows = [
        [first for first, _ in box] + [end - first for first, end in box] for box in itertools.product(*last)
    ]
    return np.array(rows, np.uint64)


def _cells(keys: tuple[Any, ...], lows: list[int], highs: list[int]) -> npt.NDArray[np.uint64]:
    """For each cell with points, the smallest box that contains them."""
    points = np.stack([axis.ravel() for axis in np.broadcast_arrays(*keys)], axis=1)
    cells, cell_of = np.unique(points // _CELL, axis=0, return_inverse=True)
    if len(cells) > _MOST_CELLS:
        return _product([[(first, end)] for first, end in zip(lows, highs)])
    firsts, lasts = np.full(cells.shape, points.max()), np.zeros(cells.shape, points.dtype)
    np.minimum.at(firsts, cell_of.ravel(), points)
    np.maximum.at(lasts, cell_of.ravel(), points)
    three = np.zeros((len(cells), 3), np.int64), np.ones((len(cells), 3), np.int64)
    axes = min(points.shape[1], 3)
    three[0][:, 3 - axes :], three[1][:, 3 - axes :] = firsts[:, -axes:], (lasts - firsts)[:, -axes:] + 1
    return np.concatenate(three, axis=1).astype(np.uint64)


def _shifted(key: Any, low: int) -> Any:
    """The key of an axis, counted from `low`."""
    if not isinstance(key, slice):
        return key - low
    stop = key.stop - low
    return slice(key.start - low, stop if stop >= 0 else None, key.step)
