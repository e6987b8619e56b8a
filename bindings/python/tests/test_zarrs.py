"""Arrays of zarr-python and of the crate zarrs, read by each other."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

zarr = pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")

from brickwork.zarr import check, create_array, read, read_boxes, verify  # noqa: E402
from test_volume import TYPES, noise, same, smooth  # noqa: E402

PROGRAM = os.environ.get("BRICKWORK_COPY_ZARR")
pytestmark = pytest.mark.skipif(
    not PROGRAM,
    reason="BRICKWORK_COPY_ZARR is not the path of the example copy_zarr of zarrs-brickwork",
)


def copied(source, target):
    """Returns the array as zarrs read it by windows and wrote it again."""
    subprocess.run([PROGRAM, source, target], check=True)
    return zarr.open_array(target, mode="r")


def chunk_files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in Path(folder, "c").rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    "layout",
    [
        {"chunks": (32, 32, 32)},
        {"chunks": (128, 128, 128)},
        {"chunks": (16, 16, 32), "shards": (32, 32, 64)},
        {"chunks": (70, 50, 90), "brick": "16x16x1"},
    ],
)
@pytest.mark.parametrize("dtype", ["u2", "f4"])
def test_copies_are_equal(tmp_path, layout, dtype):
    array = (smooth((70, 50, 90)) + noise((70, 50, 90)) % 16).astype(dtype)
    array[:32, :32, :32] = 3  # an empty chunk
    source, target = tmp_path / "source.zarr", tmp_path / "target.zarr"
    create_array(source, data=array, fill_value=3, **layout)
    copy = copied(source, target)
    assert check(copy) == [] and verify(copy) == []
    assert same(copy[...], array) and same(read(copy), array)
    assert same(copy[5:60:7, 3, 10:80], array[5:60:7, 3, 10:80])
    assert same(read_boxes(copy, [(33, 1, 50)], (30, 8, 40))[0], array[33:63, 1:9, 50:90])
    # The order of chunks in shards differs.
    if "shards" not in layout:
        assert chunk_files(source) == chunk_files(target)


@pytest.mark.parametrize("dtype", TYPES)
def test_copies_of_every_type_are_equal(tmp_path, dtype):
    array = noise((20, 30, 40), dtype)
    create_array(tmp_path / "source", data=array, chunks=(16, 16, 16), brick="4")
    assert same(copied(tmp_path / "source", tmp_path / "target")[...], array)
    assert chunk_files(tmp_path / "source") == chunk_files(tmp_path / "target")


@pytest.mark.parametrize(
    ("shape", "chunks"), [((100,), (30,)), ((40, 50), (16, 50)), ((2, 3, 10, 20, 30), (1, 1, 8, 16, 16))]
)
def test_copies_of_one_to_five_axes_are_equal(tmp_path, shape, chunks):
    array = noise(shape, "i4")
    create_array(tmp_path / "source", data=array, chunks=chunks, fill_value=-7)
    assert same(copied(tmp_path / "source", tmp_path / "target")[...], array)
    assert chunk_files(tmp_path / "source") == chunk_files(tmp_path / "target")


def test_arrays_of_dask_are_copied(tmp_path):
    distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
    from brickwork.dask import compress_zarr

    array = smooth((70, 50, 90)) + noise((70, 50, 90)) % 16
    zarr.create_array(tmp_path / "plain", data=array, chunks=(32, 32, 32))
    # (Threads of this process: nothing listens on a port.)
    options = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster:
        with distributed.Client(cluster) as client:
            compress_zarr(tmp_path / "plain", tmp_path / "source", chunks=(32, 32, 32), client=client)
    assert same(copied(tmp_path / "source", tmp_path / "target")[...], array)
    assert chunk_files(tmp_path / "source") == chunk_files(tmp_path / "target")
