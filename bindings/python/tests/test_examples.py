"""The programs of `examples`, and the notebook, whose pictures must show something."""

import base64
import importlib.util
import io
import json
from pathlib import Path

import numpy as np
import pytest

from brickwork import chunk, volume
from brickwork.napari import reader
from test_volume import noise, same, smooth

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name):
    found = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def scan():
    return (smooth((40, 50, 60)) + noise((40, 50, 60)) % 16).astype(np.int16)


@pytest.mark.filterwarnings("ignore")
def test_itk(tmp_path):
    pytest.importorskip("itk")
    module = example("itk_volume")
    # The matrix is not symmetric: it differs from its inverse.
    directions = ((0.0, -0.6, 0.8), (0.0, 0.8, 0.6), (1.0, 0.0, 0.0))
    geometry = volume.Geometry(spacing=(2.0, 1.5, 0.5), origin=(10.0, -20.0, 5.0), directions=directions)
    array = scan()
    compressed = volume.compress(array, geometry=geometry)
    image = module.to_itk(compressed)
    # A voxel is where it was in the world.
    step = np.array([2, 3, 5]) * geometry.spacing
    place = geometry.origin + step @ np.array(directions)
    assert np.allclose(image.TransformIndexToPhysicalPoint([5, 3, 2]), place)
    assert image.GetPixel([5, 3, 2]) == array[2, 3, 5]
    back = module.from_itk(image, brick="4")
    assert same(back[...], array) and back.brick == "4"
    assert back.geometry.spacing == geometry.spacing and back.geometry.origin == geometry.origin
    assert np.allclose(back.geometry.directions, directions)
    # Files of one are read by the other.
    compressed.save(tmp_path / "scan.bwv")
    module.main(str(tmp_path / "scan.bwv"), str(tmp_path / "smooth.nrrd"))
    module.main(str(tmp_path / "scan.bwv"), str(tmp_path / "smooth.bwv"))
    read, found = volume.read(tmp_path / "smooth.nrrd")
    assert same(read, volume.open(tmp_path / "smooth.bwv")[...]) and not same(read, array)
    assert np.allclose(found.origin, geometry.origin) and np.allclose(found.directions, directions)


@pytest.mark.filterwarnings("ignore")
def test_itk_with_channels_and_frames():
    itk = pytest.importorskip("itk")
    module = example("itk_volume")
    colours = noise((4, 5, 6, 3), "u1")
    compressed = volume.compress(colours, axes="zyxc", spacing=(3.0, 2.0, 1.0))
    image = module.to_itk(compressed)
    assert image.GetNumberOfComponentsPerPixel() == 3
    assert list(image.GetPixel([5, 3, 2])) == [*colours[2, 3, 5]]
    back = module.from_itk(image)
    assert back.axes == "zyxc" and back.spacing == (3.0, 2.0, 1.0) and same(back[...], colours)
    # ITK's spacing, origin and direction have as many axes as the image.
    with pytest.raises(ValueError, match="7 frames"):
        module.to_itk(volume.compress(noise((7, 4, 5, 6), "u1"), axes="tzyx"))
    with pytest.raises(ValueError, match="2 axes"):
        module.from_itk(itk.image_from_array(noise((5, 6), "u1")))


@pytest.mark.filterwarnings("ignore")
def test_napari(tmp_path):
    layers = pytest.importorskip("napari.layers")
    pytest.importorskip("dask.array", reason="the extra 'dask' is not installed")
    npe2 = pytest.importorskip("npe2")
    array = scan()
    volume.compress(array, spacing=(2.0, 1.0, 1.0), mip_levels=3).save(tmp_path / "scan.bwv")
    volume.compress(abs(array) // 64, labels=True).save(tmp_path / "cells.bwv")
    npe2.PluginManager.instance().discover()
    found, contribution = npe2.io_utils.read_get_reader(str(tmp_path / "scan.bwv"), plugin_name="brickwork")
    assert contribution.plugin_name == "brickwork" and contribution.filename_patterns == ["*.bwv"]
    shown = layers.Layer.create(*found[0])
    assert shown.multiscale and len(shown.data) == 3 and shown.name == "scan.bwv"
    assert same(np.asarray(shown.data[0]), array)
    assert shown.extent.world[1].tolist() == [78, 49, 59]
    files = [str(tmp_path / name) for name in ("scan.bwv", "cells.bwv")]
    assert reader([*files, "scan.nrrd"]) is None
    _, cells = (layers.Layer.create(*layer) for layer in reader(files)(files))
    assert [str(unit) for unit in cells.units] == ["millimeter"] * 3
    assert isinstance(cells, layers.Labels) and same(np.asarray(cells.data), abs(array) // 64)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mip_levels", [1, 2])
@pytest.mark.parametrize("labels", [False, True])
def test_napari_with_channels_and_frames(tmp_path, mip_levels, labels):
    components = pytest.importorskip("napari.components")
    pytest.importorskip("dask.array", reason="the extra 'dask' is not installed")
    array = noise((5, 20, 18, 16, 3), "u1")
    for axes, part in [("tzyx", array[..., 0]), ("zyxc", array[0]), ("tzyxc", array)]:
        compressed = volume.compress(
            part, axes=axes, spacing=(2.0, 1.0, 0.5), mip_levels=mip_levels, labels=labels
        )
        compressed.save(tmp_path / "scan.bwv", overwrite=True)
        ((data, options, kind),) = reader(str(tmp_path / "scan.bwv"))(str(tmp_path / "scan.bwv"))
        viewer = components.ViewerModel()
        found = getattr(viewer, f"add_{kind}")(data, **options)
        shown = found if isinstance(found, list) else [found]
        wanted = [part] if axes == "tzyx" else [part[..., channel] for channel in range(3)]
        assert len(shown) == len(wanted)
        for layer, numbers in zip(shown, wanted):
            full = layer.data[0] if layer.multiscale else layer.data
            assert layer.multiscale == (mip_levels > 1) and same(np.asarray(full), numbers)
            assert [str(unit) for unit in layer.units] == ["pixel"] * ("t" in axes) + ["millimeter"] * 3
            assert layer.extent.world[1].tolist() == [4.0] * ("t" in axes) + [38.0, 17.0, 7.5]


@pytest.mark.filterwarnings("ignore")
def test_xarray(tmp_path):
    xarray = pytest.importorskip("xarray", reason="the extra 'examples' is not installed")
    zarr = pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")
    from brickwork.zarr import check

    module = example("xarray_volume")
    array = scan()
    geometry = volume.Geometry(spacing=(2.0, 1.0, 0.5), origin=(10.0, -20.0, 5.0))
    volume.compress(array, geometry=geometry, brick="4").save(tmp_path / "scan.bwv")
    module.main(str(tmp_path / "scan.bwv"), str(tmp_path / "scan.zarr"))
    assert check(zarr.open_group(tmp_path / "scan.zarr", mode="r")["scan"]) == []
    opened = xarray.open_zarr(tmp_path / "scan.zarr", chunks=None, consolidated=False)
    assert opened.scan.attrs["origin"] == [10.0, -20.0, 5.0]
    before = chunk.bricks_decoded()
    # Coordinates are those of the world: z from 15 to 25 is slices 5 to 10, and x at 12 is column 4.
    window = opened.scan.sel(z=slice(15, 25), y=slice(-17, -11), x=12.0)
    assert same(window.values, array[5:11, 3:10, 4])
    assert 0 < chunk.bricks_decoded() - before <= 3 * 3 * 1
    frames = noise((3, 20, 18, 16, 2), "u1")
    volume.compress(frames, axes="tzyxc").save(tmp_path / "frames.bwv")
    module.main(str(tmp_path / "frames.bwv"), str(tmp_path / "frames.zarr"))
    opened = xarray.open_zarr(tmp_path / "frames.zarr", chunks=None, consolidated=False)
    assert opened.scan.dims == ("t", "c", "z", "y", "x")
    assert same(opened.scan.transpose(*"tzyxc").values, frames)


@pytest.mark.filterwarnings("ignore")
def test_ome_zarr(tmp_path):
    pytest.importorskip("ome_zarr", reason="the extra 'examples' is not installed")
    zarr = pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")
    from brickwork.zarr import check

    module = example("ome_zarr_volume")
    frames = noise((3, 20, 18, 16, 2), "u1")
    labels = abs(scan()) // 64
    for name, array, options in [
        ("scan", scan(), {}),
        ("cells", labels, {"labels": True}),
        ("frames", frames, {"axes": "tzyxc"}),
    ]:
        compressed = volume.compress(array, spacing=(2.0, 1.0, 0.5), **options)
        compressed.save(tmp_path / f"{name}.bwv")
        module.main(str(tmp_path / f"{name}.bwv"), str(tmp_path / f"{name}.zarr"))
        group = zarr.open_group(tmp_path / f"{name}.zarr", mode="r")
        image = group.attrs["ome"]["multiscales"][0]
        axes = "".join(axis["name"] for axis in image["axes"])
        levels = [group[dataset["path"]] for dataset in image["datasets"]]
        assert [check(level) for level in levels] == [[], [], []]
        wanted = array.transpose([compressed.axes.index(axis) for axis in axes])
        assert axes == ("tczyx" if name == "frames" else "zyx") and same(levels[0][...], wanted)
        assert levels[2].shape[-3:] == tuple(length // 4 for length in wanted.shape[-3:])
        scales = [dataset["coordinateTransformations"][0]["scale"][-3:] for dataset in image["datasets"]]
        assert scales[0] == [2.0, 1.0, 0.5] and scales[2][::2] == [8.0, 2.0]
        if name == "cells":
            assert np.isin(levels[2][...], labels).all()


@pytest.mark.filterwarnings("ignore")
def test_notebook():
    nbformat = pytest.importorskip("nbformat", reason="nbconvert is not installed")
    executor = pytest.importorskip("nbconvert.preprocessors", reason="nbconvert is not installed")
    for module in ("ipykernel", "matplotlib", "distributed"):
        pytest.importorskip(module)
    from PIL import Image

    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    executor.ExecutePreprocessor(timeout=120).preprocess(notebook, {})
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 4
    for picture in pictures:
        pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture))).convert("L"))
        assert pixels.std() > 20 and len(np.unique(pixels)) > 50
    text = json.dumps([output.get("data", {}).get("text/plain") or output.get("text") for output in outputs])
    assert "bricks decoded for a window of (8, 8, 8)" in text and "Summary(tasks=27, resumed=0" in text
