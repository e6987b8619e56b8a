"""Volumes as datasets of xarray: `xarray.open_dataset("scan.bwv", engine="brickwork")`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
from xarray import Dataset, Variable
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from brickwork import volume
from brickwork._arguments import integer

#: Lengths of Dask's blocks with `chunks={}`.
_CHUNKS = {"t": 1, "z": 128, "y": 128, "x": 128}


class BrickworkBackendEntrypoint(BackendEntrypoint):
    """Opens `.bwv` files. Voxels are read when they are used; `chunks={}` gives Dask arrays.

    The dataset has one variable with the axes of the volume. Coordinates along z, y and x are those of the
    world where the axis runs along the world's, in either direction, else distances from the first voxel, in
    millimetres where the source states a unit; those along t are seconds. The attributes have the geometry
    and the slope and intercept for physical values, if they are known.
    """

    description = "Opens .bwv files, volumes compressed by Brickwork"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "level", "name")

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        level: int = 0,
        name: str = "volume",
    ) -> Dataset:
        """Returns mip level `level` of a file, URL or file object, as the variable `name`."""
        whole = volume.open(filename_or_obj)
        levels = whole.mip_levels
        opened = levels[integer(level, "level", 0, len(levels))]
        if name in opened.axes:
            raise ValueError(f"name is {name!r}, which is an axis; choose another")
        geometry = opened.geometry
        coordinates = {axis: _coordinate(opened, axis) for axis in opened.axes}
        variables = {axis: found for axis, found in coordinates.items() if found is not None}
        attributes: dict[str, Any] = {
            "spacing": list(geometry.spacing),
            "origin": list(geometry.origin),
            "directions": np.ravel(geometry.directions).tolist(),
        }
        if geometry.rescale is not None:
            attributes["slope"], attributes["intercept"] = geometry.rescale
        data = Variable(tuple(opened.axes), indexing.LazilyIndexedArray(_Array(opened)), attributes)
        data.encoding["preferred_chunks"] = {
            axis: min(_CHUNKS.get(axis, length), length) for axis, length in zip(opened.axes, opened.shape)
        }
        dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
        kept = {key: value for key, value in ({name: data} | variables).items() if key not in dropped}
        dataset = Dataset(kept)
        dataset.set_close(opened.close)
        return dataset

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """True for names that end with `.bwv`."""
        if not isinstance(filename_or_obj, (str, os.PathLike)):
            return False
        return os.fspath(filename_or_obj).lower().endswith(".bwv")


class _Array(BackendArray):
    def __init__(self, opened: volume.Volume) -> None:
        self._volume = opened
        self.shape = opened.shape
        self.dtype = opened.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        basic = indexing.IndexingSupport.BASIC
        return indexing.explicit_indexing_adapter(key, self.shape, basic, self._volume.read)


def _coordinate(opened: volume.Volume, axis: str) -> Variable | None:
    geometry = opened.geometry
    count = opened.shape[opened.axes.index(axis)]
    if axis == "t":
        seconds = geometry.frame_spacing * np.arange(count)
        return Variable(axis, seconds, {"units": "s"}) if geometry.frame_spacing > 0 else None
    if axis == "c":
        return None
    place = "zyx".index(axis)
    distances = geometry.spacing[place] * np.arange(count)
    along = np.zeros(3)
    along[2 - place] = 1.0
    direction = np.asarray(geometry.directions[place])
    for sign in (1.0, -1.0):
        if np.allclose(direction, sign * along, rtol=0, atol=1e-6):
            positions = geometry.origin[2 - place] + sign * distances
            return Variable(axis, positions, {"units": "mm", "long_name": f"the world's {axis}"})
    return Variable(axis, distances, {"units": "mm", "long_name": f"distance along {axis}"})
