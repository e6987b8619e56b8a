"""The codec in packages that write Zarr arrays: xarray and ome-zarr."""

import numpy as np
import pytest

zarr = pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")

from brickwork.zarr import BrickworkCodec, check, read_boxes  # noqa: E402
from test_volume import noise, same, smooth  # noqa: E402


def scan():
    return smooth((40, 50, 60)) + noise((40, 50, 60)) % 16


def test_xarray_writes_reads_and_keeps_the_codec(tmp_path):
    xarray = pytest.importorskip("xarray")
    array = scan()
    encoding = {"serializer": BrickworkCodec("4"), "compressors": None, "chunks": (16, 32, 32)}
    data = xarray.Dataset({"scan": (("z", "y", "x"), array)}, attrs={"note": "kept"})
    data.to_zarr(tmp_path / "a.zarr", zarr_format=3, consolidated=False, encoding={"scan": encoding})
    found = zarr.open_group(tmp_path / "a.zarr", mode="r")["scan"]
    assert check(found) == [] and found.metadata.codecs[0].brick == "4"
    opened = xarray.open_zarr(tmp_path / "a.zarr", consolidated=False, chunks=None)
    assert opened.attrs == {"note": "kept"}
    assert same(opened.scan.isel(z=5, x=slice(3, 50, 4)).values, array[5, :, 3:50:4])
    opened.load().to_zarr(tmp_path / "b.zarr", zarr_format=3, consolidated=False)
    copy = zarr.open_group(tmp_path / "b.zarr", mode="r")["scan"]
    assert copy.metadata.codecs == found.metadata.codecs and same(copy[...], array)


def test_ome_zarr_writes_all_levels(tmp_path):
    pytest.importorskip("ome_zarr")
    from ome_zarr.io import parse_url
    from ome_zarr.writer import write_image

    array = scan()
    group = zarr.open_group(parse_url(tmp_path / "image.zarr", mode="w").store, mode="w")
    options = {"chunks": (16, 32, 32), "serializer": BrickworkCodec("8"), "compressors": None}
    write_image(array, group, axes="zyx", storage_options=options)
    opened = zarr.open_group(tmp_path / "image.zarr", mode="r")
    levels = [dataset["path"] for dataset in opened.attrs["ome"]["multiscales"][0]["datasets"]]
    assert len(levels) > 1
    assert all(check(opened[level]) == [] for level in levels)
    assert same(opened[levels[0]][...], array)
    assert same(read_boxes(opened[levels[0]], [(8, 9, 10)], (4, 5, 6))[0], array[8:12, 9:14, 10:16])
