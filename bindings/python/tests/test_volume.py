"""Volumes against NumPy: shapes, types, orders, selections, files, errors."""

import io
import mmap
import os
import pickle
import signal
import struct
import subprocess
import sys
import textwrap
import threading
import time
import warnings

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import brickwork
from brickwork import volume

TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "f2", "f4", "u8", "i8", "f8"]


def noise(shape, dtype="u2", seed=1):
    """Returns random bits of this type: floats have NaN with payloads, infinities and -0.0."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape))
    raw = np.random.default_rng(seed).integers(0, 256, count * dtype.itemsize, np.uint8)
    return raw.view(dtype.newbyteorder("=")).reshape(shape).astype(dtype)


def smooth(shape, dtype="u2"):
    z, y, x = np.indices(shape)
    return (100 * np.sin(x / 9.0) + 3 * y + 7 * z + 200).astype(dtype)


def same(a, b):
    """True if shapes, types and bits are equal."""
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_keeps_its_bits(dtype):
    array = noise((5, 6, 7), dtype)
    if array.dtype.kind == "f":
        array[0, 0, :2] = [-0.0, 0.0]
    found = volume.compress(array, brick="4")
    assert found.dtype == array.dtype and found.shape == array.shape and found.nbytes == array.nbytes
    assert same(found[...], array)


def test_halves_keep_their_bits_in_files(tmp_path):
    """All 65,536 numbers: NaN with any payload, subnormal numbers, -0.0."""
    array = np.arange(1 << 16, dtype="u2").view("f2").reshape(16, 64, 64)
    np.save(tmp_path / "a.npy", array)
    found, place = volume.read(tmp_path / "a.npy")
    assert same(found, array)
    for name in ["a.bwv", "b.npy"]:
        volume.write(tmp_path / name, found, place)
        assert same(volume.read(tmp_path / name)[0], array)
    assert same(np.load(tmp_path / "b.npy"), array)
    with pytest.warns(volume.FormatWarning, match="f16 is written as f32, exactly: NRRD"):
        volume.write(tmp_path / "a.nrrd", array)
    wide, _ = volume.read(tmp_path / "a.nrrd")
    assert wide.dtype == np.float32 and np.array_equal(wide, array.astype("f4"), equal_nan=True)


def test_halves_have_halved_levels():
    """NumPy rounds the mean, a double, to the nearest half."""
    array = np.random.default_rng(5).normal(0, 3000, (8, 10, 12)).astype("f2")
    array[2, 3, 4] = np.nan
    eight = array.astype("f8").reshape(4, 2, 5, 2, 6, 2)
    want = np.nanmean(eight, axis=(1, 3, 5)).astype("f2")
    assert same(volume.compress(array, mip_levels=2).mip_levels[1][...], want)


def test_halves_are_shown_like_floats(tmp_path):
    z, y, x = np.indices((12, 16, 20))
    array = (0.37 * x - 1.5 * y + 0.25 * z).astype("f2")
    half, single = (volume.compress(array.astype(dtype)) for dtype in ("f2", "f4"))
    pictures = [found.slice("z", 5, window=(-20, 6)) for found in (half, single)]
    assert same(*map(np.asarray, pictures))
    pictures = [found.render(64, 48, device="cpu") for found in (half, single)]
    assert same(*map(np.asarray, pictures)) and np.asarray(pictures[0]).std() > 5


def test_many_channels(tmp_path):
    """40 markers of a multiplexed image, as planes."""
    array = noise((40, 3, 9, 7), "u2")
    found = volume.compress(array, axes="czyx", mip_levels=2)
    want = array.transpose(1, 2, 3, 0)
    assert (found.shape, found.axes) == ((3, 9, 7, 40), "zyxc") and same(found[...], want)
    assert same(found[1, :, 2:5, 17], want[1, :, 2:5, 17])
    np.save(tmp_path / "a.npy", array)
    assert same(volume.read(tmp_path / "a.npy", axes="czyx")[0], want)
    with pytest.warns(volume.FormatWarning, match="taken for t, z, y and x"):
        assert same(volume.read(tmp_path / "a.npy")[0], array)
    for name in ["a.bwv", "a.nrrd", "a.mha", "a.nii.gz", "b.npy", "a.tif", "a.vti"]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.save(tmp_path / name)
            everything, _ = volume.read(tmp_path / name)
            one, _ = volume.read(tmp_path / name, channel=17)
        assert same(everything, want) and same(one, want[..., 17]), name
        with pytest.raises(ValueError, match="channel 40: the volume has channels 0 to 39"):
            volume.read(tmp_path / name, channel=40)
    assert np.load(tmp_path / "b.npy").shape == (1, 3, 9, 7, 40)
    with pytest.raises(ValueError, match="cyx are 3 axes"):
        volume.read(tmp_path / "a.npy", axes="cyx")
    with pytest.raises(ValueError, match="names its own axes"):
        volume.read(tmp_path / "a.nrrd", axes="zyx")
    with pytest.raises(ValueError, match="letters of t, c, z, y and x"):
        volume.read(tmp_path / "a.npy", axes="cz")


def test_bools_are_restored(tmp_path):
    array = noise((9, 10, 11), "u1") > 99
    volume.compress(array, volume.Geometry(metadata={"name": "kept"})).save(tmp_path / "a.bwv")
    opened = volume.open(tmp_path / "a.bwv")
    assert opened.dtype == bool and same(opened[2:7, ::3], array[2:7, ::3]) and opened.nbytes == array.size
    assert same(opened.windows([(1, 2, 3)], (2, 2, 2))[0], array[1:3, 2:4, 3:5])
    assert opened.read(out=np.empty(array.shape, bool)).sum() == array.sum()
    found, place = volume.read(tmp_path / "a.bwv")
    assert same(found, array) and place.metadata["name"] == "kept"
    # The type is that of the array, not of a geometry that comes from another.
    assert volume.compress(found.astype("u1"), place).dtype == np.uint8
    opened.save(tmp_path / "a.nrrd")
    assert same(volume.read(tmp_path / "a.nrrd")[0], array.astype("u1"))


@pytest.mark.parametrize("dtype", TYPES)
def test_big_endian_arrays_are_swapped(dtype):
    array = noise((4, 5, 6), dtype)
    swapped = array.astype(array.dtype.newbyteorder(">"))
    assert volume.compress(swapped).to_bytes() == volume.compress(array).to_bytes()


@pytest.mark.parametrize("brick", ["auto", "4", "8", "16x16x1"])
def test_memory_order_does_not_change_the_bytes(brick):
    array = smooth((40, 30, 70)) + noise((40, 30, 70)) % 4
    wanted = volume.compress(array, brick=brick).to_bytes()
    padded = np.zeros((80, 33, 71), array.dtype)
    padded[::2, 1:31, :70] = array
    unaligned = np.frombuffer(b"\0" + array.tobytes(), array.dtype, offset=1).reshape(array.shape)
    assert not unaligned.flags.aligned
    field = np.zeros(array.shape, [("a", "u1"), ("b", array.dtype)])
    field["b"] = array
    for other in [
        np.asfortranarray(array),
        array[::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1],
        array.transpose(1, 2, 0).copy().transpose(2, 0, 1)[:, ::-1].copy()[:, ::-1],
        padded[::2, 1:31, :70],
        unaligned,
        field["b"],
    ]:
        assert same(other, array)
        assert volume.compress(other, brick=brick).to_bytes() == wanted


def test_threads_do_not_change_the_bytes():
    array = smooth((70, 100, 100))
    wanted = volume.compress(array, brick="4", threads=1)
    for threads in (2, 3, None):
        found = volume.compress(array, brick="4", threads=threads)
        assert found.to_bytes() == wanted.to_bytes()
        assert same(found.read(threads=threads), array)
        assert found.verify(threads=threads) == []


@pytest.mark.parametrize(
    ("shape", "axes", "found_axes"),
    [
        ((6, 7), None, "zyx"),
        ((5, 6, 7, 3), None, "zyxc"),
        ((4, 5, 6, 7, 2), None, "tzyxc"),
        ((9, 5, 6, 7), "tzyx", "tzyx"),
        ((3, 5, 6, 7), "czyx", "zyxc"),
        ((5, 6, 7, 1), None, "zyx"),
        ((7, 6, 5), "xyz", "zyx"),
        ((9, 6, 7), "tyx", "tzyx"),
    ],
)
@pytest.mark.parametrize("order", "CF")
def test_axes(shape, axes, found_axes, order):
    array = np.asarray(noise(shape, "i2"), order=order)
    found = volume.compress(array, axes=axes)
    assert found.axes == found_axes
    given_axes = axes or {2: "yx", 4: "zyxc", 5: "tzyxc"}[len(shape)]
    wanted = array.transpose([given_axes.index(axis) for axis in "tzyxc" if axis in given_axes])
    assert same(found[...], wanted.reshape(found.shape))
    assert same(np.asarray(found), found[...])
    assert len(found) == found.shape[0]


def selections(shape):
    def axis(length):
        bounds = st.none() | st.integers(-length - 2, length + 2)
        steps = st.none() | st.integers(-length - 1, length + 1).filter(bool)
        return st.integers(-length, length - 1) | st.builds(slice, bounds, bounds, steps)

    def shorten(key):
        return st.integers(0, len(key)).flatmap(
            lambda start: st.integers(start, len(key)).map(lambda end: key[:start] + (...,) + key[end:])
        )

    key = st.tuples(*map(axis, shape))
    begun = st.integers(0, len(shape)).flatmap(lambda n: key.map(lambda k: k[:n]))
    return key | key.flatmap(shorten) | begun


ARRAYS = [
    (smooth((70, 20, 34)), "8"),
    (noise((40, 9, 10, 3), "u1"), "4"),
    (noise((3, 12, 9, 8, 2), "f4"), "16x16x1"),
    (noise((1, 1, 5), "i8"), "4"),
]
VOLUMES = [(array, volume.compress(array, brick=brick)) for array, brick in ARRAYS]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_selections_are_those_of_numpy(data):
    array, compressed = data.draw(st.sampled_from(VOLUMES))
    key = data.draw(selections(array.shape))
    wanted, found = array[key], compressed[key]
    assert type(found) is type(wanted)
    assert same(found, wanted)
    if isinstance(wanted, np.ndarray):
        order = data.draw(st.sampled_from("CF"))
        out = np.empty(wanted.shape, wanted.dtype, order=order)
        assert compressed.read(key, out=out) is out
        assert same(out, wanted)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(TYPES).flatmap(
        lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=3, max_dims=3, max_side=9))
    ),
    st.permutations(range(3)),
    st.tuples(*[st.sampled_from([slice(None), slice(None, None, -1), slice(None, None, 2)])] * 3),
)
def test_arrays_of_any_strides(array, order, steps):
    array = array.transpose(order)[steps]
    assert same(volume.compress(array)[...], array)


@pytest.mark.parametrize(
    "key",
    [None, [0, 1], np.array([1]), np.zeros((70, 20, 34), bool), True, 1.5, "a", (..., ...), (0, 0, 0, 0)],
)
def test_other_keys_are_index_errors(key):
    with pytest.raises(IndexError):
        VOLUMES[0][1][key]


@pytest.mark.parametrize("key", [70, -71, (0, 20), (0, 0, -35)])
def test_indices_out_of_range(key):
    with pytest.raises(IndexError, match="out of bounds for axis"):
        VOLUMES[0][1][key]


@pytest.mark.parametrize("number", range(3))
def test_windows_are_slices(number):
    array, compressed = VOLUMES[number]
    zyx = array.shape[compressed.axes.index("z") :][:3]
    random = np.random.default_rng(7)
    for shape in [(1, 1, 1), (5, 7, 8), zyx]:
        origins = random.integers(0, np.array(zyx) - shape + 1, (50, 3))
        found = compressed.windows(origins, shape)
        for (z, y, x), window in zip(origins, found):
            key = np.s_[z : z + shape[0], y : y + shape[1], x : x + shape[2]]
            wanted = array[:, *key] if compressed.axes[0] == "t" else array[key]
            assert same(window, wanted)
    assert compressed.windows([], (2, 2, 2)).shape[0] == 0


@pytest.mark.parametrize(
    ("origins", "shape", "error"),
    [
        ([(0, 0, 27)], (8, 8, 8), IndexError),
        ([(0, 0, 0), (-1, 0, 0)], (8, 8, 8), IndexError),
        ([(2**62, 0, 0)], (8, 8, 8), IndexError),
        (np.array([(2**64 - 1, 0, 0)], np.uint64), (8, 8, 8), IndexError),
        ([(0.5, 0, 0)], (8, 8, 8), TypeError),
        ([(0, 0)], (8, 8, 8), ValueError),
        ([0, 0, 0], (8, 8, 8), ValueError),
        ([(0, 0, 0)], (8, 0, 8), ValueError),
        ([(0, 0, 0)], (8, 8), ValueError),
    ],
)
def test_windows_that_do_not_fit(origins, shape, error):
    with pytest.raises(error):
        VOLUMES[0][1].windows(origins, shape)


def test_each_chunk_is_fetched_once():
    class Counted(io.BytesIO):
        count = 0

        def read(self, *args):
            self.count += 1
            return super().read(*args)

    array = smooth((64, 64, 64))
    file = Counted(volume.compress(array, brick="4").to_bytes())
    opened = volume.open(file)
    origins = np.random.default_rng(1).integers(0, 57, (500, 3))
    opened.windows(origins, (8, 8, 8))
    before = file.count
    opened.windows(origins, (8, 8, 8))
    assert file.count - before <= 8  # chunks of 32^3


def test_out_must_fit():
    array, compressed = VOLUMES[0]
    with pytest.raises(ValueError, match="shape"):
        compressed.read(np.s_[:3], out=np.empty((4, 20, 34), "u2"))
    with pytest.raises(TypeError, match="int16"):
        compressed.read(np.s_[:3], out=np.empty((3, 20, 34), "i2"))
    with pytest.raises(TypeError, match="list"):
        compressed.read(out=[])
    fixed = np.empty(array.shape, array.dtype)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        compressed.read(out=fixed)
    large = np.zeros((100, 20, 40), "u2")
    compressed.read(np.s_[10:30], out=large[5:25, :, 3:37])
    assert same(large[5:25, :, 3:37], array[10:30])
    assert not large[25:].any() and not large[:, :, 37:].any()


@pytest.mark.parametrize("dtype", ["O", "c8", "c16", "M8[s]", "m8[s]", "S3", "U2", "V4"])
def test_other_types_are_type_errors(dtype):
    with pytest.raises(TypeError, match="voxels are integers"):
        volume.compress(np.zeros((4, 4, 4), dtype))


@pytest.mark.parametrize(
    ("array", "options", "text"),
    [
        (np.zeros((0, 4, 4), "u1"), {}, "no voxels"),
        (np.zeros(4, "u1"), {}, "1 axes"),
        (np.uint8(3), {}, "0 axes"),
        (np.zeros((2, 2, 2, 2, 2, 2), "u1"), {}, "6 axes"),
        (np.zeros((4, 4, 4, 5), "u1"), {}, "zyxc.* for 5 channels, or .*tzyx"),
        (np.zeros((4, 4, 256), "u1"), {"axes": "yxc"}, "256 channels; a voxel has 1 to 255"),
        (np.zeros((4, 4, 4), "u1"), {"axes": "zyxc"}, "axes"),
        (np.zeros((4, 4, 4), "u1"), {"axes": "zzx"}, "axes"),
        (np.zeros((4, 4, 4), "u1"), {"brick": "5"}, "16x16x1"),
        (np.zeros((4, 4, 4), "u1"), {"spacing": (1, 2)}, "spacing"),
        (np.zeros((4, 4, 4), "u1"), {"spacing": (1, 2, 0)}, "spacing"),
        (np.zeros((4, 4, 4), "u1"), {"mip_levels": 9}, "9 levels"),
    ],
)
def test_arguments_that_do_not_fit(array, options, text):
    with pytest.raises(ValueError, match=text):
        volume.compress(array, **options)


def test_files_bytes_and_file_objects(tmp_path):
    array, compressed = VOLUMES[0]
    path = tmp_path / "scan.bwv"
    compressed.save(path)
    assert path.read_bytes() == compressed.to_bytes()
    with pytest.raises(FileExistsError):
        compressed.save(path)
    compressed.save(str(path), overwrite=True)
    assert os.listdir(tmp_path) == ["scan.bwv"]
    with open(path, "rb") as file:
        data = path.read_bytes()
        for source in [path, str(path), data, bytearray(data), file, io.BytesIO(data)]:
            opened = volume.open(source)
            assert same(opened[5:40:3, 2], array[5:40:3, 2])
            assert opened.to_bytes() == path.read_bytes()


def test_pickles(tmp_path):
    array, compressed = VOLUMES[1]
    compressed.save(tmp_path / "a.bwv")
    opened = volume.open(tmp_path / "a.bwv")
    assert len(pickle.dumps(opened)) < 300
    object_in_memory = volume.open(io.BytesIO(compressed.to_bytes()))
    for item in [compressed, opened, object_in_memory]:
        assert same(pickle.loads(pickle.dumps(item))[3:9], array[3:9])
    level = volume.compress(smooth((20, 20, 20)), mip_levels=3).mip_levels[2]
    assert pickle.loads(pickle.dumps(level)).shape == (5, 5, 5)
    error = pickle.loads(pickle.dumps(brickwork.FormatError("text")))
    assert type(error) is brickwork.FormatError and error.args == ("text",)


def test_geometry_and_mip_levels():
    place = volume.Geometry(
        origin=(1.0, -2.0, 3.0),
        directions=((0.0, 0.0, 1.0), (0.0, -1.0, 0.0), (-1.0, 0.0, 0.0)),
        metadata={"name": "kept"},
    )
    array = smooth((16, 12, 10), "f4")
    found = volume.compress(array, spacing=(3, 2, 0.5), geometry=place, mip_levels=2, labels=True)
    assert found.spacing == (3.0, 2.0, 0.5) and found.labels
    assert found.geometry.origin == place.origin and found.geometry.directions == place.directions
    assert found.geometry.metadata == {"name": "kept"}
    half = found.mip_levels[1]
    assert half.shape == (8, 6, 5) and half[...].shape == (8, 6, 5) and half[7, 5, 4] in array
    # The first voxel is in the middle of the eight that it covers.
    assert half.spacing == (6.0, 4.0, 1.0) and half.geometry.directions == place.directions
    eight = [found.geometry.affine() @ (x, y, z, 1) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    assert np.allclose(half.geometry.origin, np.mean(eight, axis=0)[:3])
    assert np.allclose(half.geometry.affine() @ (4, 3, 2, 1), found.geometry.affine() @ (8.5, 6.5, 4.5, 1))


def test_affines_are_nibabel_s(tmp_path):
    nibabel = pytest.importorskip("nibabel")
    array = noise((4, 5, 6), "i2")
    turned = ((0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    place = volume.Geometry(spacing=(3.0, 2.0, 0.5), origin=(7.0, 8.0, 9.0), directions=turned)
    volume.write(tmp_path / "a.nii.gz", array, place)
    image = nibabel.load(tmp_path / "a.nii.gz")
    assert np.array_equal(np.asanyarray(image.dataobj).T, array)
    assert np.allclose(image.affine, place.affine("RAS"))
    assert np.allclose(volume.read(tmp_path / "a.nii.gz")[1].affine("RAS"), image.affine)
    assert np.allclose(np.diag([-1, -1, 1, 1]) @ place.affine("RAS"), place.affine())
    with pytest.raises(ValueError, match="world"):
        place.affine("LAS")


def test_slopes_have_one_name(tmp_path):
    nibabel = pytest.importorskip("nibabel")
    image = nibabel.Nifti1Image(noise((4, 5, 6), "i2"), np.eye(4))
    image.header.set_slope_inter(0.5, -1024)
    nibabel.save(image, tmp_path / "a.nii")
    stored, place = volume.read(tmp_path / "a.nii")
    assert place.rescale == (0.5, -1024.0)
    physical, plain = volume.read(tmp_path / "a.nii", rescale=True)
    assert plain.rescale is None and np.array_equal(physical, stored * 0.5 - 1024)
    assert np.array_equal(physical.T, nibabel.load(tmp_path / "a.nii").get_fdata())
    assert volume.compress(stored, place).geometry.rescale == (0.5, -1024.0)


def test_parts_of_files_are_read(tmp_path):
    array = noise((3, 4, 6, 8, 2), "u2")
    compressed = volume.compress(array, axes="tzyxc", mip_levels=2)
    for name in ["a.bwv", "a.nrrd", "a.npy"]:
        compressed.save(tmp_path / name)
        for frame, channel in [(None, None), (0, None), (2, None), (None, 1), (1, 0), (2, 1)]:
            want = array if frame is None else array[frame]
            want = want if channel is None else want[..., channel]
            found, place = volume.read(tmp_path / name, frame=frame, channel=channel)
            assert same(found, want) and place.axes == volume.compress(found, place).axes
        for argument in ["frame", "channel"]:
            with pytest.raises(ValueError, match=f"{name}: {argument} 3: the volume has"):
                volume.read(tmp_path / name, **{argument: 3})
    found, place = volume.read(tmp_path / "a.bwv", level=1, frame=1)
    half = compressed.mip_levels[1]
    assert same(found, half.read()[1]) and place.spacing == half.spacing == (2.0, 2.0, 2.0)
    for level, name in [(2, "a.bwv"), (1, "a.nrrd")]:
        with pytest.raises(ValueError, match=name):
            volume.read(tmp_path / name, level=level)


def test_labels_stay_labels(tmp_path):
    volume.compress(noise((4, 5, 6), "u1"), labels=True).save(tmp_path / "a.bwv")
    array, place = volume.read(tmp_path / "a.bwv")
    assert place.labels and volume.compress(array, place).labels
    assert not volume.compress(array, place, labels=False).labels


def test_urls_are_opened_by_fsspec(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    array, compressed = VOLUMES[0]
    fsspec.filesystem("memory").pipe("/scan.bwv", compressed.to_bytes())
    compressed.save(tmp_path / "scan.bwv")
    for url in ["memory://scan.bwv", (tmp_path / "scan.bwv").as_uri()]:
        opened = volume.open(url)
        assert same(opened[5:40:3, 2], array[5:40:3, 2])
    with pytest.raises(FileNotFoundError):
        volume.open("memory://none.bwv")


def test_volumes_close(tmp_path):
    array, compressed = VOLUMES[0]
    compressed.save(tmp_path / "scan.bwv")
    with volume.open(tmp_path / "scan.bwv") as opened:
        whole = opened.mip_levels[0]
        assert same(opened[:], array)
    with pytest.raises(ValueError, match="the volume is closed"):
        opened[:]
    assert same(whole[:], array)


def test_files_of_the_other_kind_name_their_function(tmp_path):
    brickwork.encode(np.zeros((4, 4, 3), np.uint8), "bc1").save(tmp_path / "a.ktx2")
    VOLUMES[0][1].save(tmp_path / "a.bwv")
    np.save(tmp_path / "a.npy", np.zeros(9))
    for open_file, name, other in [
        (volume.open, "a.ktx2", "brickwork.open"),
        (volume.open, "a.npy", "brickwork.volume.read"),
        (brickwork.open, "a.bwv", "brickwork.volume.open"),
    ]:
        with pytest.raises(brickwork.FormatError, match=rf"{name}: .*; {other} reads "):
            open_file(tmp_path / name)


def test_stacks_are_ome_tiff(tmp_path):
    tifffile = pytest.importorskip("tifffile")
    array = noise((2, 3, 4, 5, 3), "u2")
    place = volume.Geometry(spacing=(0.001, 0.0002, 0.0002), frame_spacing=0.5)
    volume.write(tmp_path / "a.ome.tif", array, place, axes="tzyxc")
    with tifffile.TiffFile(tmp_path / "a.ome.tif") as file:
        assert file.is_ome and file.series[0].axes == "TZCYX"
        assert np.array_equal(file.asarray(), np.moveaxis(array, 4, 2))
    found, again = volume.read(tmp_path / "a.ome.tif")
    assert same(found, array) and again.spacing == place.spacing and again.frame_spacing == 0.5
    with pytest.raises(brickwork.FormatError, match="OME-TIFF does not hold"):
        volume.write(tmp_path / "b.tif", noise((2, 3, 4), "i8"))
    with pytest.warns(volume.FormatWarning, match="position") as found:
        volume.write(tmp_path / "c.tif", array[0], volume.Geometry(origin=(1.0, 2.0, 3.0)))
    assert found[0].filename == __file__


def test_errors_of_files(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        volume.open(tmp_path / "none.bwv")
    assert caught.value.errno == 2 and caught.value.filename == str(tmp_path / "none.bwv")
    with pytest.raises(FileNotFoundError):
        volume.read(tmp_path / "none.nrrd")
    with pytest.raises(OSError):
        VOLUMES[0][1].save(tmp_path / "no" / "folder.bwv")
    with pytest.raises(brickwork.FormatError, match="not a .bwv file"):
        volume.open(b"x" * 1000)
    with pytest.raises(brickwork.FormatError):
        volume.open(VOLUMES[0][1].to_bytes()[:-1])
    (tmp_path / "bad.bwv").write_bytes(b"x" * 1000)
    with pytest.raises(ValueError, match="bad.bwv"):
        volume.open(tmp_path / "bad.bwv")
    for other in [3, None, io.StringIO("text")]:
        with pytest.raises(TypeError):
            volume.open(other)

    class Broken(io.BytesIO):
        def read(self, *_):
            raise ConnectionResetError("the store is gone")

    with pytest.raises(ConnectionResetError, match="the store is gone"):
        volume.open(Broken(VOLUMES[0][1].to_bytes()))


def test_damage_is_a_format_error_and_verify_finds_it():
    whole = bytearray(VOLUMES[0][1].to_bytes())
    whole[len(whole) // 3] ^= 1
    damaged = volume.open(bytes(whole))
    with pytest.raises(brickwork.FormatError, match="damaged"):
        damaged[...]
    assert len(damaged.verify()) == 1


def test_files_of_other_formats(tmp_path):
    array = noise((4, 5, 6), ">i2")
    (tmp_path / "a.nrrd").write_bytes(
        b"NRRD0004\ntype: int16\ndimension: 3\nsizes: 6 5 4\nendian: big\nencoding: raw\n"
        b"space: left-posterior-superior\nspace directions: (0.5,0,0) (0,0,2) (0,-3,0)\n"
        b"space origin: (7,8,9)\n\n" + array.tobytes()
    )
    found, place = volume.read(tmp_path / "a.nrrd")
    assert same(found, array.astype("i2"))
    assert place.spacing == (3.0, 2.0, 0.5) and place.origin == (7.0, 8.0, 9.0)
    assert place.directions == ((0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    np.save(tmp_path / "b.npy", np.asfortranarray(array))
    found, _ = volume.read(tmp_path / "b.npy")
    assert same(found, array.astype("i2"))
    kept = volume.compress(found, geometry=place)
    kept.save(tmp_path / "c.bwv")
    again, same_place = volume.read(tmp_path / "c.bwv")
    assert same(again, found) and same_place.origin == place.origin
    (tmp_path / "d.nrrd").write_bytes((tmp_path / "a.nrrd").read_bytes()[:-1])
    with pytest.raises(brickwork.FormatError, match="d.nrrd"):
        volume.read(tmp_path / "d.nrrd")


def test_names_decide_on_the_format(tmp_path):
    array = noise((4, 5, 6), "i2")
    place = volume.Geometry(spacing=(3.0, 2.0, 0.5), origin=(7.0, 8.0, 9.0))
    kept = volume.compress(array, place)
    names = "a.nii.gz a.nii a.nii.zst a.nrrd a.mha a.mrc a.vti a.npy B.NRRD a.TIFF".split()
    for name in names:
        kept.save(tmp_path / name)
        assert not (tmp_path / name).read_bytes().startswith(b"\x89BWV")
        found, again = volume.read(tmp_path / name)
        assert same(found, array)
        assert name == "a.npy" or again.spacing == place.spacing
        with pytest.raises(FileExistsError):
            kept.save(tmp_path / name)
    kept.save(tmp_path / "b.bwv")
    volume.open(tmp_path / "b.bwv").save(tmp_path / "c.nrrd")
    assert same(volume.read(tmp_path / "c.nrrd")[0], array)
    kept.save(tmp_path / "a.raw")
    assert (tmp_path / "a.raw").read_bytes() == array.tobytes()
    kept.save(tmp_path / "without")
    assert same(volume.open(tmp_path / "without").read(), array)
    for name in ["a.h5", "a.dcm", "a.mhd", "a.mgz", "a.zarr.zip", "a.bwv.gz", "a.nii.xz", "a.1"]:
        with pytest.raises(ValueError, match=name):
            kept.save(tmp_path / name)
        assert not (tmp_path / name).exists()


def test_frames_stay_frames(tmp_path):
    frames = noise((3, 4, 5, 6), "u1")
    volume.compress(frames, axes="tzyx").save(tmp_path / "a.bwv")
    again = volume.compress(*volume.read(tmp_path / "a.bwv"))
    assert again.axes == "tzyx" and same(again.read(), frames)
    narrow = noise((2, 4, 5, 3), "u1")
    volume.compress(narrow, axes="tzyx").save(tmp_path / "b.bwv")
    array, place = volume.read(tmp_path / "b.bwv")
    assert volume.compress(array, geometry=place).axes == "tzyx"
    assert volume.compress(array[0], geometry=place).axes == "zyx"


def test_masks_and_wrong_types_are_refused():
    array = np.ma.masked_less(noise((4, 5, 6), "i2"), 0)
    with pytest.raises(ValueError, match="masked"):
        volume.compress(array)
    assert same(volume.compress(array.filled(0)).read(), array.filled(0))
    floats = np.ma.masked_invalid(np.array([[1.0, np.nan], [2.0, 3.0]], "f4"))
    for masked in [floats, list(array), [array[0].filled(0), array[1]]]:
        with pytest.raises(ValueError, match="masked"):
            volume.compress(masked)
    plain = np.ma.array(array.filled(0), mask=False)
    assert same(volume.compress(plain).read(), array.filled(0))
    assert same(volume.compress(list(plain)).read(), array.filled(0))
    for options in [
        {"geometry": (1.0, 2.0, 3.0)},
        {"axes": 3},
        {"spacing": "1,2"},
        {"labels": "yes"},
        {"mip_levels": 1.5},
    ]:
        with pytest.raises(TypeError):
            volume.compress(array.filled(0), **options)
    for array in ["text", {1, 2}, None]:
        with pytest.raises(TypeError):
            volume.compress(array)
    for path in [5, None, ["a.bwv"]]:
        with pytest.raises(TypeError):
            volume.read(path)


def test_errors_name_the_argument():
    array, compressed = VOLUMES[0]
    for name, wrong, out_of_range in [
        ("threads", "two", 0),
        ("mip_levels", "1", -1),
        ("spacing", 3j, (1.0, 2.0)),
        ("spacing", "1,2", (1.0, 2.0, -3.0)),
        ("labels", [True], None),
        ("progress", 3, None),
    ]:
        with pytest.raises(TypeError, match=name):
            volume.compress(array, **{name: wrong})
        if out_of_range is not None:
            with pytest.raises(ValueError, match=name):
                volume.compress(array, **{name: out_of_range})
    for name, wrong, out_of_range in [
        ("origin", "abc", (1.0, 2.0)),
        ("directions", None, (1.0, 2.0, 3.0)),
        ("frame_spacing", "1", -1.0),
        ("metadata", [1], {"a": float("nan")}),
    ]:
        with pytest.raises(TypeError, match=name):
            volume.compress(array, volume.Geometry(**{name: wrong}))
        with pytest.raises(ValueError):
            volume.compress(array, volume.Geometry(**{name: out_of_range}))
    for call in [compressed.read, compressed.verify, compressed.render]:
        for threads in [-1, 0, 2**70]:
            with pytest.raises(ValueError, match="threads is"):
                call(threads=threads)
        with pytest.raises(TypeError, match="threads"):
            call(threads=1.0)
        with pytest.raises(TypeError, match="progress"):
            call(progress="no function")
    for side in [-1, 2**70]:
        with pytest.raises(ValueError, match="width"):
            compressed.render(width=side)
    with pytest.raises(TypeError, match="shape"):
        compressed.windows([(0, 0, 0)], 3)
    with pytest.raises(TypeError, match="overwrite"):
        compressed.save("never.bwv", overwrite="no")
    place = volume.Geometry(origin=np.array([1, 2, 3]), directions=np.eye(3)[::-1])
    assert volume.compress(array, place).geometry.origin == (1.0, 2.0, 3.0)


def test_progress_and_its_exceptions():
    calls = []
    array = smooth((80, 150, 150))
    volume.compress(array, brick="8", progress=lambda *call: calls.append(call))
    assert calls and all(isinstance(stage, str) and done <= total for stage, done, total in calls)

    def stop(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        volume.compress(array, progress=stop)


def test_other_threads_run_meanwhile():
    array = smooth((64, 200, 200))
    ticks = 0
    ended = threading.Event()

    def tick():
        nonlocal ticks
        while not ended.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    volume.compress(array, brick="4", threads=1)
    ended.set()
    thread.join()
    assert ticks > 10


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.timing
def test_an_interrupt_stops_the_work(threads):
    script = f"""
        import signal
        import numpy as np
        from brickwork import volume
        # Programs in the background of a shell ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        array = np.random.default_rng(1).integers(0, 1000, (600, 600, 600), np.uint16)
        print("ready", flush=True)
        try:
            volume.compress(array, brick="4", threads={threads})
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - start < 0.5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_forked_processes_have_threads_of_their_own():
    array = smooth((70, 100, 100))
    wanted = volume.compress(array, brick="4", threads=2).to_bytes()
    child = os.fork()
    if child == 0:
        os._exit(0 if volume.compress(array, brick="4", threads=2).to_bytes() == wanted else 1)
    for _ in range(300):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert status == 0
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the forked process hangs")


def test_parts_that_are_left_out_are_warnings(tmp_path):
    path = tmp_path / "a.nrrd"
    header = b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n\n"
    path.write_bytes(header + bytes(range(8)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        array, _ = volume.read(path)
    path.write_bytes(header + bytes(range(11)))
    with pytest.warns(brickwork.FormatWarning, match="a.nrrd: 3 bytes after the voxels are not read"):
        again, _ = volume.read(path)
    assert same(array, again) and array[1, 1, 0] == 6


def element(group, number, kind, value):
    """Returns a data element of DICOM, explicit little endian."""
    value += (b"\0" if kind == "UI" else b" ") * (len(value) % 2)
    length = struct.pack("<HI", 0, len(value)) if kind == "OW" else struct.pack("<H", len(value))
    return struct.pack("<HH", group, number) + kind.encode() + length + value


def dicom(series, z, pixels):
    """Returns a DICOM file of a slice of 16-bit numbers; 2 x - 1024 is the physical value."""

    def short(number):
        return struct.pack("<H", number)

    meta = element(2, 2, "UI", b"1.2.840.10008.5.1.4.1.1.2") + element(2, 3, "UI", b"1.2.%d" % z)
    meta += element(2, 0x10, "UI", b"1.2.840.10008.1.2.1") + element(2, 0x12, "UI", b"1.2")
    rows, columns = pixels.shape
    elements = [
        (0x20, 0xE, "UI", series.encode()),
        (0x20, 0x32, "DS", b"0\\0\\%d" % z),
        (0x20, 0x37, "DS", b"1\\0\\0\\0\\1\\0"),
        (0x28, 2, "US", short(1)),
        (0x28, 4, "CS", b"MONOCHROME2"),
        (0x28, 0x10, "US", short(rows)),
        (0x28, 0x11, "US", short(columns)),
        (0x28, 0x30, "DS", b"1\\1"),
        (0x28, 0x100, "US", short(16)),
        (0x28, 0x101, "US", short(16)),
        (0x28, 0x102, "US", short(15)),
        (0x28, 0x103, "US", short(0)),
        (0x28, 0x1052, "DS", b"-1024"),
        (0x28, 0x1053, "DS", b"2"),
        (0x7FE0, 0x10, "OW", pixels.astype("<u2").tobytes()),
    ]
    head = bytes(128) + b"DICM" + element(2, 0, "UL", struct.pack("<I", len(meta)))
    return head + meta + b"".join(element(*one) for one in elements)


def test_series_gaps_and_physical_values(tmp_path):
    scan, other = noise((4, 5, 6), "u1").astype("u2"), noise((4, 5, 6), "u2")
    for z in range(4):
        (tmp_path / f"a{z}.dcm").write_bytes(dicom("1.2.3.4", z, scan[z]))
        (tmp_path / f"b{z}.dcm").write_bytes(dicom("1.2.3.5", z, other[z]))
    with pytest.raises(brickwork.FormatError, match=r"2 series.*1\.2\.3\.5.*series=0"):
        volume.read(tmp_path)
    for series, wanted in [("1.2.3.4", scan), (0, scan), ("1", other), (np.int64(1), other)]:
        found, place = volume.read(tmp_path, series=series)
        assert same(found, wanted) and place.metadata["dicom"]["RescaleSlope"] == 2
    with pytest.raises(brickwork.FormatError, match='no single series matches "1.2.3"'):
        volume.read(tmp_path, series="1.2.3")
    found, place = volume.read(tmp_path, series=0, rescale=True)
    # (The smallest type that has all of them.)
    assert same(found, (2 * scan.astype("i4") - 1024).astype("i2"))
    assert "RescaleSlope" not in place.metadata["dicom"]
    (tmp_path / "a2.dcm").unlink()
    with pytest.raises(brickwork.FormatError, match="a slice is missing.*allow_gaps=True"):
        volume.read(tmp_path, series=0)
    with pytest.warns(brickwork.FormatWarning, match="a3.dcm"):
        found, _ = volume.read(tmp_path, series=0, allow_gaps=True)
    assert same(found, scan[[0, 1, 3]])
    for name, value in [("series", 1.5), ("series", True), ("allow_gaps", "no"), ("rescale", 1)]:
        with pytest.raises(TypeError, match=name):
            volume.read(tmp_path, **{name: value})


def test_physical_values_of_other_formats(tmp_path):
    array = noise((3, 4, 5), "i2")
    header = "ObjectType = Image\nNDims = 3\nDimSize = 5 4 3\nElementType = MET_SHORT\n"
    header += "{}ElementDataFile = LOCAL\n"
    line = "ElementToIntensityFunctionSlope = 0.5\nElementToIntensityFunctionOffset = 3\n"
    (tmp_path / "a.mha").write_bytes(header.format(line).encode() + array.tobytes())
    (tmp_path / "b.mha").write_bytes(header.format("").encode() + array.tobytes())
    found, _ = volume.read(tmp_path / "a.mha", rescale=True)
    assert same(found, array.astype("f4") / 2 + 3)
    assert same(volume.read(tmp_path / "a.mha")[0], array)
    with pytest.warns(brickwork.FormatWarning, match="b.mha: neither slope nor intercept is known"):
        found, _ = volume.read(tmp_path / "b.mha", rescale=True)
    assert same(found, array)


def test_memory_mapped_files(tmp_path):
    array = smooth((8, 9, 10))
    volume.compress(array).save(tmp_path / "a.bwv")
    with (tmp_path / "a.bwv").open("rb") as file:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            assert same(volume.open(mapped)[...], array)


def test_relative_paths_after_a_change_of_folder(tmp_path, monkeypatch):
    array = smooth((8, 9, 10))
    volume.compress(array).save(tmp_path / "a.bwv")
    monkeypatch.chdir(tmp_path)
    opened = volume.open("a.bwv")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    volume.compress(array[:2]).save("a.bwv")
    assert same(pickle.loads(pickle.dumps(opened))[...], array)


def test_arguments_that_json_or_three_axes_do_not_have():
    array = smooth((8, 9, 10))
    with pytest.raises(ValueError, match="JSON"):
        volume.compress(array, geometry=volume.Geometry(metadata={"scale": float("nan")}))
    with pytest.raises(ValueError, match=r"spacing is \(1.0, 2.0\)"):
        volume.compress(array, geometry=volume.Geometry(spacing=(1.0, 2.0)))
    still = ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    for text, place in {
        "origin is": volume.Geometry(origin=(0.0, float("nan"), 0.0)),
        "directions are": volume.Geometry(directions=still),
        "frame_spacing is": volume.Geometry(frame_spacing=-1.0),
    }.items():
        with pytest.raises(ValueError, match=text):
            volume.compress(array, geometry=place)
    with pytest.raises(ValueError, match="three lengths, for z, y and x"):
        volume.compress(array).windows([(0, 0, 0)], (2, 2))


def test_paths_in_place_of_arrays_are_named():
    for call in (lambda: volume.compress("ct.nii.gz"), lambda: volume.write("a.bwv", "ct.nii.gz")):
        with pytest.raises(TypeError, match=r"^array is the path 'ct.nii.gz'; read the file first: "):
            call()
    with pytest.raises(TypeError, match=r"^labels is the path 'lab.nii.gz'; read the file first: stats\("):
        volume.compress(np.ones((2, 2, 2), "u1")).stats(labels="lab.nii.gz")
    with pytest.raises(TypeError, match=r'^brick is 8; it must be "auto", "4", "8" or "16x16x1"$'):
        volume.compress(np.ones((2, 2, 2), "u1"), brick=8)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_that_json_does_not_have_are_named(number):
    metadata = {"a": 1.5, "b": [{"c": 1}, {"d": number}]}
    with pytest.raises(ValueError, match=rf"^metadata\['b'\]\[1\]\['d'\] is {number}; JSON has"):
        volume.compress(np.ones((2, 2, 2), "u1"), volume.Geometry(metadata=metadata))


def test_arrays_of_vti_files_are_chosen_by_name(tmp_path):
    def array(name, number):
        return f'<DataArray type="UInt8" Name="{name}" format="ascii">{number} {number}</DataArray>'

    (tmp_path / "a.vti").write_text(
        '<VTKFile type="ImageData"><ImageData WholeExtent="0 1 0 0 0 0"><Piece Extent="0 1 0 0 0 0">'
        f"<PointData>{array('p', 1)}{array('v', 2)}</PointData></Piece></ImageData></VTKFile>"
    )
    with pytest.warns(volume.FormatWarning, match='"p" is read; left out: v; array=NAME reads another'):
        assert volume.read(tmp_path / "a.vti")[0].tolist() == [[[1, 1]]]
    with pytest.warns(volume.FormatWarning, match='"v" is read; left out: p'):
        assert volume.read(tmp_path / "a.vti", array="v")[0].tolist() == [[[2, 2]]]
    with pytest.raises(ValueError, match='there is no array "w": p, v'):
        volume.read(tmp_path / "a.vti", array="w")


def test_archives_of_arrays_are_named(tmp_path):
    np.savez(tmp_path / "a.npz", a=np.ones((2, 2, 2)))
    with pytest.raises(brickwork.FormatError, match=r"a\.npz: an archive of NumPy arrays; numpy\.load"):
        volume.read(tmp_path / "a.npz")


def test_names_of_channels_are_kept(tmp_path):
    geometry = volume.Geometry(metadata={"tiff": {"channel_names": ["DAPI", "GFP"]}})
    array = np.arange(16, dtype="u2").reshape(2, 2, 2, 2)
    volume.write(tmp_path / "a.ome.tif", array, geometry)
    back, found = volume.read(tmp_path / "a.ome.tif")
    assert same(back, array) and found.metadata["tiff"]["channel_names"] == ["DAPI", "GFP"]
    with pytest.warns(volume.FormatWarning, match="channel names"):
        volume.write(tmp_path / "a.nrrd", array, geometry)
