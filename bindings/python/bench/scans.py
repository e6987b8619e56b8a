"""Volumes of a folder, and their chunks as Zarr makes them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numcodecs.zstd
import numpy as np
import numpy.typing as npt

Coords = tuple[int, int, int]


@dataclass(frozen=True)
class Scan:
    """A volume: `NAME.raw.zst` beside `NAME.json`."""

    name: str
    kind: str
    voxels: npt.NDArray[Any]

    @property
    def is_labels(self) -> bool:
        """True for segmentations."""
        return self.kind.startswith("labels")


def scans(folder: Path, names: list[str]) -> list[Scan]:
    """Returns the volumes of a folder, the largest first. `names` selects some of them."""
    found = []
    for path in sorted(folder.glob("*.json")):
        about = json.loads(path.read_text(encoding="utf-8"))
        if names and about["name"] not in names:
            continue
        data = numcodecs.zstd.Zstd().decode(path.with_suffix(".raw.zst").read_bytes())
        dtype = np.dtype(about["dtype"]).newbyteorder("<")
        voxels = np.frombuffer(data, dtype).reshape(about["dims_xyz"][::-1])
        found.append(Scan(about["name"], about["kind"], voxels.astype(dtype.newbyteorder("="))))
    return sorted(found, key=lambda scan: -scan.voxels.nbytes)


def chunks(voxels: npt.NDArray[Any], side: int) -> dict[Coords, npt.NDArray[Any]]:
    """Returns the chunks of an array that Zarr stores: those at its end padded with 0, and none of zeros."""
    found = {}
    for coords, part in parts(voxels, side):
        if part.any():
            chunk = np.zeros((side,) * 3, voxels.dtype)
            chunk[tuple(map(slice, part.shape))] = part
            found[coords] = chunk
    return found


def parts(voxels: npt.NDArray[Any], side: int) -> Iterator[tuple[Coords, npt.NDArray[Any]]]:
    """Yields the chunks of an array without padding."""
    counts = [range(-(-length // side)) for length in voxels.shape]
    for z, y, x in itertools.product(*counts):
        z0, y0, x0 = z * side, y * side, x * side
        yield (z, y, x), voxels[z0 : z0 + side, y0 : y0 + side, x0 : x0 + side]


def origins(shape: tuple[int, ...], side: int, count: int) -> npt.NDArray[np.int64]:
    """Returns the first voxels of random windows, always the same ones."""
    return np.random.default_rng(1).integers(0, np.array(shape) - side + 1, (count, len(shape)))
