"""OME-Zarr pyramids: those of the program, with right levels for zarr-python and ome-zarr."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

zarr = pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")

from brickwork import volume  # noqa: E402
from brickwork.zarr import verify  # noqa: E402
from test_volume import noise, same, smooth  # noqa: E402

PROGRAM = os.environ.get("BRICKWORK_PROGRAM")

#: z, y, x. After two levels, y and x have 0.8 of the 1.0 of z, and all are halved.
SHAPE = (20, 66, 71)
SPACING = (1.0, 0.2, 0.2)
STEPS = [(1, 1, 1), (1, 2, 2), (1, 2, 2), (2, 2, 2)]


def pieces(array, step):
    """Voxels that become one, by their place in a box; masked beyond the array."""
    sides = [-(-length // side) * side for length, side in zip(array.shape, step)]
    padded = np.ma.masked_all(sides, "i8")
    padded[tuple(slice(length) for length in array.shape)] = array
    starts = np.ndindex(*step)
    return np.ma.stack(
        [padded[tuple(slice(at, None, side) for at, side in zip(start, step))] for start in starts]
    )


def mean(array, step):
    boxes = pieces(array, step)
    count = boxes.count(axis=0)
    return ((2 * boxes.sum(axis=0) + count) // (2 * count)).filled(0).astype(array.dtype)


def mode(array, step):
    boxes = pieces(array, step)
    values = np.unique(array)
    counts = np.stack([(boxes == value).filled(False).sum(axis=0) for value in values])
    return values[counts.argmax(axis=0)].astype(array.dtype)


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("name", ["a.ome.zarr", "a.ozx"])
def test_levels_are_those_of_the_array(tmp_path, labels, name):
    array = (smooth(SHAPE) + noise(SHAPE) % 9) // (150 if labels else 1)
    place = volume.Geometry(spacing=SPACING, origin=(1.0, -2.0, 3.0), labels=labels)
    volume.write(tmp_path / name, array, place, mip_levels=4)
    opened = zarr.storage.ZipStore(tmp_path / name, mode="r") if name == "a.ozx" else tmp_path / name
    group = zarr.open_group(opened, mode="r")
    [multiscale] = group.attrs["ome"]["multiscales"]
    assert [axis["name"] for axis in multiscale["axes"]] == ["z", "y", "x"]
    step = np.ones(3, int)
    for level, dataset in enumerate(multiscale["datasets"]):
        array = (mode if labels else mean)(array, STEPS[level])
        step *= STEPS[level]
        assert same(group[dataset["path"]][...], array), level
        assert verify(group[dataset["path"]]) == []
        scale, translation = dataset["coordinateTransformations"]
        assert scale["scale"] == pytest.approx(np.array(SPACING) * step, rel=1e-12)
        # The centre of the first voxel is that of the voxels that it covers.
        centre = (step - 1) / 2 * SPACING + (3.0, -2.0, 1.0)
        assert translation["translation"] == pytest.approx(centre, rel=1e-12)
        found, geometry = volume.read(tmp_path / name, level=level)
        assert same(found, array) and geometry.spacing == tuple(scale["scale"])
        assert geometry.origin == tuple(translation["translation"][::-1]) and geometry.labels == labels
    assert [group[str(level)].shape[0] for level in range(4)] == [20, 20, 20, 10]


@pytest.mark.skipif(PROGRAM is None, reason="BRICKWORK_PROGRAM is not set")
def test_files_are_those_of_the_program(tmp_path):
    array = smooth(SHAPE) + noise(SHAPE) % 9
    volume.write(tmp_path / "a.ome.zarr", array, spacing=SPACING, mip_levels=3)
    np.save(tmp_path / "a.npy", array)
    command = [PROGRAM, "volume", "convert", "a.npy", "-o", "b.ome.zarr", "--levels", "3"]
    spacing = ["--spacing", "0.2,0.2,1.0"]
    subprocess.run([*command, *spacing], check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
    one, two = tmp_path / "a.ome.zarr", tmp_path / "b.ome.zarr"
    files = sorted(str(path.relative_to(one)) for path in one.rglob("*") if path.is_file())
    assert files == sorted(str(path.relative_to(two)) for path in two.rglob("*") if path.is_file())
    # (Four chunks and two times one, three arrays, and the group.)
    assert len(files) == 10
    for name in files:
        assert (one / name).read_bytes() == (two / name).read_bytes(), name


def test_ome_zarr_reads_the_levels(tmp_path):
    reader = pytest.importorskip("ome_zarr.reader", reason="ome-zarr is not installed")
    io = pytest.importorskip("ome_zarr.io")
    array = smooth(SHAPE)
    volume.write(tmp_path / "a.ome.zarr", array, spacing=SPACING, mip_levels=4)
    [node, *_] = reader.Reader(io.parse_url(str(tmp_path / "a.ome.zarr")))()
    assert [level.shape for level in node.data] == [(20, 66, 71), (20, 33, 36), (20, 17, 18), (10, 9, 9)]
    assert same(np.asarray(node.data[1]), mean(array, (1, 2, 2)))
    scales = [transformations[0]["scale"] for transformations in node.metadata["coordinateTransformations"]]
    assert scales[3] == pytest.approx([2.0, 1.6, 1.6])


def test_mistakes_leave_what_was_there(tmp_path):
    array = smooth((8, 9, 10))
    volume.write(tmp_path / "a.ome.zarr", array)
    for overwrite in (False, True):
        with pytest.raises(FileExistsError, match="a.ome.zarr: the folder is not empty"):
            volume.write(tmp_path / "a.ome.zarr", array + 1, overwrite=overwrite)
    assert same(volume.read(tmp_path / "a.ome.zarr")[0], array)
    volume.write(tmp_path / "a.ozx", array)
    with pytest.raises(FileExistsError, match="overwrite"):
        volume.write(tmp_path / "a.ozx", array + 1)
    volume.write(tmp_path / "a.ozx", array + 1, overwrite=True)
    assert same(volume.read(tmp_path / "a.ozx")[0], array + 1)
    with pytest.raises(ValueError, match="mip_levels is 2; only .bwv, .zarr and .ozx"):
        volume.write(tmp_path / "a.nrrd", array, mip_levels=2)
    with pytest.raises(ValueError, match="level"):
        volume.write(tmp_path / "b.zarr", array, mip_levels=9)
    with pytest.raises(OSError, match="none"):
        volume.write(tmp_path / "none" / "a.zarr", array)
    volume.write(tmp_path / "b.bwv", array, mip_levels=2)
    assert len(volume.open(tmp_path / "b.bwv").mip_levels) == 2
    volume.open(tmp_path / "b.bwv").save(tmp_path / "b.zarr")
    assert sorted(Path(tmp_path / "b.zarr").iterdir())[-1].name == "zarr.json"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.ome.zarr", "a.ozx", "b.bwv", "b.zarr"]
