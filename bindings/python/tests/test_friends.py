"""Other packages: xarray and ome-zarr write Zarr arrays, xarray opens volumes, tqdm shows progress."""

import io

import numpy as np
import pytest

zarr = pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")

import brickwork  # noqa: E402
from brickwork import volume  # noqa: E402
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


def test_xarray_opens_volumes(tmp_path):
    xarray = pytest.importorskip("xarray")
    array = noise((3, 12, 10, 8, 2), "i2")
    place = volume.Geometry(
        spacing=(2.0, 1.5, 0.5),
        origin=(10.0, 20.0, 30.0),
        directions=((0.0, 0.0, 1.0), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0)),
        frame_spacing=0.25,
        metadata={"dicom": {"RescaleSlope": 2.0, "RescaleIntercept": -1024.0}},
    )
    compressed = volume.compress(array, place, axes="tzyxc", mip_levels=2)
    compressed.save(tmp_path / "scan.bwv")
    with xarray.open_dataset(tmp_path / "scan.bwv") as opened:
        assert opened.volume.dims == ("t", "z", "y", "x", "c") and opened.volume.dtype == np.int16
        assert opened.t.values.tolist() == [0.0, 0.25, 0.5] and opened.z.values[:2].tolist() == [30.0, 32.0]
        assert opened.y.values[:2].tolist() == [20.0, 18.5] and opened.x.values[-1] == 13.5
        assert (opened.volume.attrs["slope"], opened.volume.attrs["intercept"]) == (2.0, -1024.0)
        part = opened.volume.isel(t=1, z=slice(9, 2, -3), x=[0, 5, 2], c=0)
        assert same(part.values, array[1, 9:2:-3][..., [0, 5, 2], 0])
        assert same(opened.volume.sel(x=slice(11.0, 12.0), t=0.5).values, array[2, ..., 2:5, :])
    half = xarray.open_dataset(tmp_path / "scan.bwv", engine="brickwork", level=1, name="scan", chunks={})
    assert half.scan.chunks is not None and same(half.scan.values, compressed.mip_levels[1].read())
    assert half.x.values[:2].tolist() == [10.25, 11.25] and half.y.values[0] == 19.25
    with pytest.raises(ValueError, match="level is 2; it must be from 0 to 1"):
        xarray.open_dataset(tmp_path / "scan.bwv", level=2)
    turned = volume.Geometry(directions=((0.0, 0.6, 0.8), (0.0, -0.8, 0.6), (1.0, 0.0, 0.0)))
    volume.compress(array[0, ..., 0], turned, spacing=(2.0, 1.5, 0.5)).save(tmp_path / "turned.bwv")
    with xarray.open_dataset(tmp_path / "turned.bwv", drop_variables="y") as opened:
        assert opened.z.values[:2].tolist() == [0.0, 2.0] and "distance" in opened.z.attrs["long_name"]
        assert "y" not in opened.coords and same(opened.volume.values, array[0, ..., 0])


def test_bars_show_each_stage():
    pytest.importorskip("tqdm")
    text = io.StringIO()
    with brickwork.progress_bar(desc="scan", file=text, mininterval=0, ncols=80) as bar:
        for report in [("reading", 0, 8), ("reading", 8, 8), ("encoding", 3, 4), ("encoding", 1, 4)]:
            bar(*report)
        assert bar._bar.n == 3
        bar("encoding", 4, 4)
        compressed = volume.compress(scan(), progress=bar)
    shown = text.getvalue()
    assert "scan: reading: 100%" in shown and "scan: encoding: 100%" in shown and compressed.size == 120000


def test_dask_alone_writes_the_codec(tmp_path):
    da = pytest.importorskip("dask.array", reason="the extra 'dask' is not installed")
    array = scan()
    options = {"zarr_format": 3, "serializer": BrickworkCodec("8"), "compressors": None}
    da.from_array(array, chunks=(16, 32, 32)).to_zarr(tmp_path / "a.zarr", **options)
    assert check(zarr.open_array(tmp_path / "a.zarr", mode="r")) == []
    assert same(da.from_zarr(tmp_path / "a.zarr")[3:20].compute(), array[3:20])
