"""A volume to xarray, and to a Zarr store with the codec: `pip install "brickwork[zarr]" xarray`.

python xarray_volume.py SCAN.bwv SCAN.zarr

xarray opens the store without special options: `xarray.open_zarr("SCAN.zarr", chunks=None)`. Selections then
read only the bricks that they need.
"""

import sys
from typing import Any

import xarray

from brickwork.chunk import choose_brick
from brickwork.zarr import BrickworkCodec


def encoding(data: xarray.DataArray, side: int = 64) -> dict[str, Any]:
    """Returns the encoding of an array in chunks of this side: `to_zarr(..., encoding={name: ...})`.

    `compressors` must be None: Zarr adds a compressor otherwise, which switches partial decoding off.
    """
    lengths = data.sizes
    chunks = tuple(min(lengths[axis], side) if axis in "zyx" else 1 for axis in data.dims)
    first = data.isel({axis: 0 for axis in data.dims if axis not in ("z", "y", "x")})
    return {"serializer": BrickworkCodec(choose_brick(first.values)), "compressors": None, "chunks": chunks}


def main(source: str, target: str) -> None:
    dataset = xarray.open_dataset(source, engine="brickwork", name="scan").load()
    # (Only the last three axes of a chunk may be longer than 1.)
    dataset = dataset.transpose(*(axis for axis in "tczyx" if axis in dataset.dims))
    options = {name: encoding(array) for name, array in dataset.items()}
    dataset.to_zarr(target, zarr_format=3, consolidated=False, encoding=options)


if __name__ == "__main__":
    main(*sys.argv[1:])
