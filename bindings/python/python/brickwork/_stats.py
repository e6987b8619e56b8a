"""Statistics of volumes: results, and the call of the extension module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from brickwork import _brickwork
from brickwork._arguments import flag, integer, numbers, thread_count
from brickwork._arrays import voxels, with_five_axes

#: Default percentiles.
PERCENTILES = (1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0)


@dataclass(frozen=True)
class ValueStats:
    """Statistics of values. NaN and infinite values are counted, and left out of the others.

    Attributes
    ----------
    count
        Number of values.
    nan, infinite
        Numbers of NaN and of infinite values.
    minimum, maximum, mean
        Those of the finite values; NaN if there are none.
    deviation
        Standard deviation of the population: NumPy's `std`.
    percentiles
        Value by percent, interpolated linearly, as by `numpy.percentile`; NaN if no value is finite.
    """

    count: int
    nan: int
    infinite: int
    minimum: float
    maximum: float
    mean: float
    deviation: float
    percentiles: Mapping[float, float]


@dataclass(frozen=True)
class LabelStats:
    """Statistics of a label.

    Attributes
    ----------
    label
        The label.
    voxel_count
        Number of voxels.
    volume
        Volume in mm³.
    region
        Smallest box with all voxels, as slices along z, y and x: `volume[label.region]`.
    centroid
        Mean position in voxels, along z, y and x.
    position
        The centroid as world coordinates x, y, z.
    values
        Statistics of the values inside; None if the volume is one of labels itself.
    """

    label: int
    voxel_count: int
    volume: float
    region: tuple[slice, slice, slice]
    centroid: tuple[float, float, float]
    position: tuple[float, float, float]
    values: ValueStats | None


@dataclass(frozen=True)
class Stats(ValueStats):
    """Statistics of a frame and channel.

    Attributes
    ----------
    frame, channel
        Their indices.
    histogram
        Counts and edges of the bins, as `numpy.histogram` returns them; None without `bins`.
    labels
        Statistics of each label.
    """

    frame: int = 0
    channel: int = 0
    histogram: tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]] | None = None
    labels: Mapping[int, LabelStats] = field(default_factory=dict)


def measure(
    file: _brickwork.VolumeFile,
    mip_level: int,
    labels: Any,
    percentiles: Sequence[float],
    bins: int | None,
    range: Sequence[float] | None,
    stored: bool,
    threads: int | None,
    progress: Callable[[str, int, int], object] | None,
) -> tuple[Stats, ...]:
    """Returns the statistics of each frame and channel, frame by frame."""
    percents = numbers(percentiles, "percentiles", np.shape(percentiles))
    if not isinstance(percents, list):
        raise TypeError("percentiles must be a sequence of numbers")
    ends = None if range is None else numbers(range, "range", (2,))
    if ends is not None and bins is None:
        raise ValueError("range needs bins")
    parts = _brickwork.statistics(
        file,
        labels,
        mip_level=mip_level,
        percentiles=percents,
        bins=None if bins is None else integer(bins, "bins"),
        range=None if ends is None else (ends[0], ends[1]),
        stored=flag(stored, "stored"),
        threads=thread_count(threads),
        progress=progress,
    )
    return tuple(_part(part, percents) for part in parts)


def label_array(labels: npt.ArrayLike, axes: str) -> npt.NDArray[Any]:
    """Returns labels as an array in C order with five axes: those of `axes` or z, y and x."""
    found = voxels(labels)
    own = "tzyx" if found.ndim == 4 and axes.startswith("t") else "zyx"
    if found.ndim != len(own):
        raise ValueError(f"labels has the shape {found.shape}; its axes are zyx, or tzyx for several frames")
    return np.ascontiguousarray(with_five_axes(found, own))


def _values(values: _brickwork._Values, percents: Sequence[float]) -> dict[str, Any]:
    count, nan, infinite, finite = values
    low, high, mean, deviation, found = finite or (*(np.nan,) * 4, [np.nan] * len(percents))
    return {
        "count": count,
        "nan": nan,
        "infinite": infinite,
        "minimum": low,
        "maximum": high,
        "mean": mean,
        "deviation": deviation,
        "percentiles": dict(zip(percents, found)),
    }


def _part(part: _brickwork._Part, percents: Sequence[float]) -> Stats:
    frame, channel, values, histogram, labels = part
    bins = None if histogram is None else (np.array(histogram[1], np.uint64), np.array(histogram[0]))
    by_label = {label[0]: _label(label, percents) for label in labels}
    return Stats(**_values(values, percents), frame=frame, channel=channel, histogram=bins, labels=by_label)


def _label(found: _brickwork._Label, percents: Sequence[float]) -> LabelStats:
    label, voxel_count, size, bounds, (x, y, z), (left, back, up), values = found
    columns, rows, slices = (slice(start, end) for start, end in bounds)
    return LabelStats(
        label=label,
        voxel_count=voxel_count,
        volume=size,
        region=(slices, rows, columns),
        centroid=(z, y, x),
        position=(left, back, up),
        values=None if values is None else ValueStats(**_values(values, percents)),
    )
