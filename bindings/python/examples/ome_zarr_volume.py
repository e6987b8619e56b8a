"""A volume to an OME-Zarr image with the package ome-zarr: `pip install "brickwork[zarr]" "ome-zarr>=0.17"`.

python ome_zarr_volume.py SCAN.bwv IMAGE.zarr

All mip levels have the codec `brickwork`. The spacing is kept. The origin and the directions are not:
ome-zarr does not write them. `brickwork.volume.open("SCAN.bwv").save("IMAGE.zarr")` keeps them, and halves
the axes with the finest spacing.
"""

import sys
from typing import Any

import numpy as np
from ome_zarr.writer import write_image

from brickwork import volume
from brickwork.chunk import choose_brick
from brickwork.zarr import BrickworkCodec


def to_ome_zarr(opened: volume.Volume, target: str, *, levels: int = 3, side: int = 64) -> None:
    """Writes a volume with mip levels, in chunks of this side."""
    # (OME-Zarr has the axes t, c, z, y, x, in this order.)
    axes = "".join(axis for axis in "tczyx" if axis in opened.axes)
    array = np.asarray(opened).transpose([opened.axes.index(axis) for axis in axes])
    lengths = dict(zip(axes, array.shape))
    steps = dict(zip("zyx", opened.spacing)) | {"t": opened.geometry.frame_spacing or 1.0, "c": 1.0}
    units = dict.fromkeys("zyx", "millimeter") | {"t": "second"}
    storage: dict[str, Any] = {
        "serializer": BrickworkCodec(choose_brick(array[(0,) * (array.ndim - 3)])),
        # ome-zarr and Zarr add a compressor otherwise, which switches partial decoding off.
        "compressors": None,
        "chunks": tuple(min(lengths[axis], side) if axis in "zyx" else 1 for axis in axes),
    }
    write_image(
        array,
        target,
        axes=axes,
        scale={axis: steps[axis] for axis in axes},
        axes_units={axis: units[axis] for axis in axes if axis in units},
        # (By default, z is not halved.)
        scale_factors=[
            {axis: min(2**level, lengths[axis]) for axis in "zyx"} for level in range(1, levels)
        ],
        method="nearest" if opened.labels else "local_mean",
        storage_options=storage,
    )


def main(source: str, target: str) -> None:
    to_ome_zarr(volume.open(source), target)


if __name__ == "__main__":
    main(*sys.argv[1:])
