"""Statistics of volumes against NumPy and scipy.ndimage."""

import numpy as np
import pytest

from brickwork import volume
from test_volume import TYPES, noise

PERCENTS = [0, 1, 5, 33.3, 50, 99, 100]


def near(found, want, tolerance=1e-12):
    return np.isclose(found, want, rtol=tolerance, atol=0)


def agrees(found, values):
    """True if the statistics are those of NumPy for these values."""
    finite = values[np.isfinite(values)].astype(np.float64)
    assert found.count == values.size
    assert found.nan == np.isnan(values).sum() and found.infinite == np.isinf(values).sum()
    assert (found.minimum, found.maximum) == (finite.min(), finite.max())
    # (Values of random bits have a mean near 0, compared with their deviation.)
    assert abs(found.mean - finite.mean()) <= 1e-11 * finite.std()
    assert near(found.deviation, finite.std())
    assert near([*found.percentiles.values()], np.percentile(finite, [*found.percentiles])).all()
    return True


@pytest.mark.parametrize("dtype", TYPES)
def test_values_are_those_of_numpy(dtype):
    array = noise((23, 40, 51), dtype)
    if dtype == "f8":
        # Squares of the largest numbers overflow.
        array = np.where(np.abs(array) < 1e100, array, np.nan)
    (found,) = volume.compress(array).stats(percentiles=PERCENTS, bins=17)
    assert agrees(found, array)
    finite = array[np.isfinite(array)].astype(np.float64)
    counts, edges = np.histogram(finite, 17)
    assert (found.histogram[0] == counts).all() and near(found.histogram[1], edges).all()


def test_frames_and_channels_are_measured_alone():
    array = noise((3, 6, 7, 8, 2), "i2")
    parts = volume.compress(array).stats(percentiles=PERCENTS, bins=5, range=(-100, 3000))
    assert [(part.frame, part.channel) for part in parts] == [(t, c) for t in range(3) for c in range(2)]
    for part in parts:
        values = array[part.frame, ..., part.channel]
        assert agrees(part, values)
        assert (part.histogram[0] == np.histogram(values, 5, (-100, 3000))[0]).all()


@pytest.mark.parametrize("dtype", ["u2", "f4", "i8"])
def test_one_pass_fills_bins(dtype):
    array = noise((9, 10, 11), dtype)
    (found,) = volume.compress(array).stats(percentiles=[], bins=5, range=(0, 1))
    assert (found.histogram[0] == np.histogram(array[np.isfinite(array)], 5, (0, 1))[0]).all()


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8"])
@pytest.mark.parametrize("kind", ["array", "volume", "frames"])
def test_labels_are_those_of_scipy(dtype, kind):
    ndimage = pytest.importorskip("scipy.ndimage")
    rng = np.random.default_rng(3)
    array = rng.normal(100, 20, (2, 20, 31, 43)).astype(dtype)
    labels = rng.integers(0, 40, (5, 8, 11)).repeat(4, 0).repeat(4, 1)[:, :31].repeat(4, 2)[:, :, :43]
    labels = np.where(labels > 30, 0, labels * 1000 - 7000).astype("i4")
    geometry = volume.Geometry((3.0, 2.0, 0.5), (10.0, 20.0, 30.0), ((0, 0, -1), (1, 0, 0), (0, 1, 0)))
    scan = volume.compress(array, geometry, axes="tzyx")
    given = {"array": labels, "volume": volume.compress(labels), "frames": np.stack([labels, labels])}[kind]
    parts = scan.stats(given, percentiles=PERCENTS)
    assert [part.frame for part in parts] == [0, 1]
    names = np.unique(labels[labels != 0])
    boxes = ndimage.find_objects(np.where(labels == 0, 0, labels + 7001))
    for part, values in zip(parts, array):
        assert [*part.labels] == [*names]
        centers = ndimage.center_of_mass(np.ones(labels.shape), labels, names)
        means = ndimage.mean(values.astype("f8"), labels, names)
        for name, center, mean in zip(names, centers, means):
            label = part.labels[name]
            assert label.label == name and label.voxel_count == (labels == name).sum()
            assert near(label.volume, 3.0 * label.voxel_count)
            assert label.region == boxes[name + 7000] and near(label.centroid, center).all()
            z, y, x = center
            assert near(label.position, (10 + 2 * y, 20 + 0.5 * x, 30 - 3 * z)).all()
            assert near(label.values.mean, mean) and agrees(label.values, values[labels == name])


def test_a_volume_of_labels_has_its_own():
    labels = np.zeros((4, 5, 6), "u2")
    labels[1:3, 2:4, 5], labels[0, 0, 0] = 9, 300
    (found,) = volume.compress(labels, labels=True, spacing=(2, 1, 1)).stats()
    assert [*found.labels] == [9, 300] and found.labels[9].values is None
    assert (found.labels[9].volume, found.labels[9].centroid) == (8.0, (1.5, 2.5, 5.0))
    assert labels[found.labels[9].region].tolist() == [[[9], [9]], [[9], [9]]]


def test_values_are_physical_unless_stored():
    geometry = volume.Geometry(metadata={"dicom": {"RescaleSlope": -2, "RescaleIntercept": 1}})
    array = noise((9, 9, 9), "i2")
    scan = volume.compress(array, geometry)
    assert agrees(scan.stats(percentiles=PERCENTS)[0], 1 - 2.0 * array)
    assert agrees(scan.stats(percentiles=PERCENTS, stored=True)[0], array)
    slopes = volume.Geometry(metadata={"dicom": {"RescaleSlope": [*map(float, range(1, 10))]}})
    found = volume.compress(array, slopes).stats(percentiles=PERCENTS)[0]
    assert agrees(found, array * np.arange(1.0, 10)[:, None, None])


def test_results_do_not_depend_on_threads_and_levels_are_measured():
    array = noise((40, 70, 80), "f4")
    labels = (np.indices(array.shape)[0] // 7).astype("u1")
    scan = volume.compress(array, mip_levels=2)
    assert str(scan.stats(labels, threads=1)) == str(scan.stats(labels, threads=3))
    smaller = scan.mip_levels[1]
    assert agrees(smaller.stats(percentiles=PERCENTS)[0], smaller[...])


def test_no_finite_value_has_no_mean():
    (found,) = volume.compress(np.full((3, 3, 3), np.nan)).stats()
    assert found.nan == 27 and np.isnan([found.mean, found.minimum, found.percentiles[50]]).all()


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ({"percentiles": [50, 101]}, ValueError, "101"),
        ({"percentiles": 50}, TypeError, "sequence"),
        ({"bins": 0}, ValueError, "bins"),
        ({"range": (0, 1)}, ValueError, "bins"),
        ({"bins": 3, "range": (1, 1)}, ValueError, "range"),
        ({"labels": np.zeros((3, 3, 4), "u1")}, ValueError, "4×3×3"),
        ({"labels": np.zeros((3, 3), "u1")}, ValueError, "zyx"),
        ({"labels": np.full((3, 3, 3), 0.5)}, ValueError, "not an integer"),
        ({"labels": np.zeros((3, 3, 3), "c8")}, TypeError, "complex64"),
        ({"stored": 1}, TypeError, "stored"),
    ],
)
def test_wrong_arguments_are_named(arguments, error, words):
    with pytest.raises(error, match=words):
        volume.compress(np.zeros((3, 3, 3), "u1")).stats(**arguments)


def test_a_callback_stops():
    def stop(stage, done, total):
        raise KeyError(stage)

    large = volume.compress(np.random.default_rng(1).random((200, 160, 160), "f4"))
    with pytest.raises(KeyError):
        large.stats(progress=stop)
