"""Images of volumes: renderings and slices."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from brickwork import _brickwork
from brickwork._arguments import flag, integer, numbers, refuse_nan, thread_count
from brickwork._files import FormatWarning

_Progress: TypeAlias = Callable[[str, int, int], object]

#: A file of any format by its path, or an open `.bwv` file.
Source: TypeAlias = _brickwork.VolumeFile | str | os.PathLike[str]


class RenderOptions(TypedDict, total=False):
    """Options of renderings: those of `brickwork volume render`. None means the default.

    Attributes
    ----------
    mode
        "dvr" (direct volume rendering), "mip" (maximum intensity), "iso" (isosurface) or "labels". Default:
        "labels" for labels, "mip" for stacks of images, else "dvr".
    transfer
        Colours and opacities for "dvr" and "mip": "ct-bone", "ct-skin", "mri", "fire", "grey", the path of a
        JSON file, or its contents: `{"values": "physical", "points": [{"value": 300, "color": "#b36647",
        "opacity": 0.1}, ...]}`; without "values", `stored` decides on their kind.
    window
        Values that the transfer function covers.
    iso
        Value of the isosurface; implies the mode "iso".
    stored
        True if `window`, `iso` and a `transfer` without "values" have stored numbers, not physical values.
    background
        "black", "white", "transparent", "#rrggbb" or "#rrggbbaa".
    camera
        Azimuth and elevation in degrees, and optionally the zoom. Default: 30, 15, 1; for stacks of images,
        0, 0, 1.
    up
        World axis that points up: "x", "-x", "y", "-y", "z" or "-z".
    orthographic
        True for a projection without perspective.
    step
        Distance between samples, in units of the smallest distance between voxels. Default: 0.5.
    level
        Mip level, or "auto" for the level whose voxels are as large as pixels. Default: 0; of a smaller mip
        level of a `Volume`, itself.
    frame
        Index. Default: 0.
    channel
        Index or name; or "all", or channels whose colours are added up in "dvr" and "mip", at most 8, each
        with a colour and a window if needed: "0,2" or "DAPI:#0000ff:100..4000,GFP:#00ff00". Default: the
        active channels of OME-Zarr's omero in its colours and windows, else 0.
    labels
        True to treat the voxels as labels.
    spacing
        Distances between voxels along z, y and x, in millimetres.
    overlay
        Labels (segmentation IDs) of the same shape, drawn in generated colours: a `Volume` or the path of a
        file of any format. A rendering shows the first voxel of a label that a ray meets, also inside the
        volume.
    overlay_opacity
        Opacity of the labels, 0 to 1. Default: 0.5.
    overlay_labels
        Labels to show, such as "1,3,7-9". Default: all except 0.
    device
        "cpu", "gpu", or "auto" for a GPU if there is one. Default: "cpu". GPUs need a package that was built
        with the feature `gpu`.
    """

    mode: Literal["dvr", "mip", "iso", "labels"] | None
    transfer: str | os.PathLike[str] | Mapping[str, Any] | None
    window: Sequence[float] | None
    iso: float | None
    stored: bool | None
    background: str | None
    camera: Sequence[float] | None
    up: Literal["x", "-x", "y", "-y", "z", "-z"] | None
    orthographic: bool | None
    step: float | None
    level: int | Literal["auto"] | None
    frame: int | None
    channel: int | str | None
    labels: bool | None
    spacing: Sequence[float] | None
    overlay: Any
    overlay_opacity: float | None
    overlay_labels: str | None
    device: Literal["cpu", "gpu", "auto"] | None


class SliceOptions(TypedDict, total=False):
    """Options of slices: those of `brickwork volume slice`. None means the default.

    Attributes
    ----------
    window
        Values that are black and white. Default: the window of DICOM, else all values except the smallest and
        largest half percent.
    stored
        True if `window` has stored numbers, not physical values.
    pixels
        True for one pixel per voxel in storage order, without true proportions and without turning the head
        up.
    marks
        True for letters of the patient's sides.
    level, frame
        Indices. Default: 0; of a smaller mip level of a `Volume`, itself.
    channel
        Channel, or channels in colours, as in `RenderOptions`.
    overlay, overlay_opacity, overlay_labels
        Labels over the slice, as in `RenderOptions`, in the colours of their file, if it has some.
    overlay_outline
        Width in pixels of outlines, which are then drawn instead of areas.
    """

    window: Sequence[float] | None
    stored: bool | None
    overlay: Any
    overlay_opacity: float | None
    overlay_labels: str | None
    overlay_outline: int | None
    pixels: bool | None
    marks: bool | None
    level: int | None
    frame: int | None
    channel: int | str | None


class Image:
    """Pixels in sRGB: an array, a PNG file, and a picture in notebooks.

    `np.asarray(image)` has the shape (height, width, 4) for renderings (red, green, blue and straight alpha),
    (height, width) for grey slices and (height, width, 3) for slices of labels and of channels in colours.
    The first row is the top.
    """

    def __init__(
        self,
        pixels: npt.NDArray[np.uint8],
        millimetres: tuple[float, float] | None = None,
        device: str = "cpu",
    ) -> None:
        self._pixels = pixels
        self._millimetres = millimetres
        self._device = device

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return self._pixels.shape

    @property
    def pixels(self) -> npt.NDArray[np.uint8]:
        """The array itself, without a copy."""
        return self._pixels

    @property
    def millimetres(self) -> tuple[float, float] | None:
        """Width and height of a pixel of a slice, if the spacing of the voxels is known."""
        return self._millimetres

    @property
    def device(self) -> str:
        """Name of the GPU that rendered the image, or "cpu"."""
        return self._device

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False and dtype not in (None, np.uint8, np.dtype(np.uint8)):
            raise ValueError("another type needs a copy")
        array: npt.NDArray[Any] = self._pixels if dtype is None else self._pixels.astype(dtype, copy=False)
        return array.copy() if copy and array is self._pixels else array

    def to_png(self) -> bytes:
        """Returns a PNG file: that of the program, byte for byte."""
        return _brickwork.png(*self._parts())

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes a PNG file, whole or not at all.

        Raises
        ------
        FileExistsError
            If the file exists and `overwrite` is false.
        ValueError
            If the name does not end in .png.
        """
        if not os.fspath(path).lower().endswith(".png"):
            raise ValueError(f"{os.fspath(path)}: images are saved as .png")
        _brickwork.save_png(path, flag(overwrite, "overwrite"), *self._parts())

    def _parts(self) -> tuple[bytes, int, int, int, tuple[float, float] | None]:
        height, width, *channels = self._pixels.shape
        return self._pixels.tobytes(), width, height, channels[0] if channels else 1, self._millimetres

    def _repr_png_(self) -> bytes:
        return self.to_png()

    def __repr__(self) -> str:
        height, width = self._pixels.shape[:2]
        return f"<brickwork.volume.Image {width}x{height}>"


def _setting(name: str, value: Any) -> str:
    """Returns an argument as on the command line."""
    if name in ("stored", "orthographic", "labels", "pixels", "marks"):
        return "true" if flag(value, name) else "false"
    if name in ("frame", "level", "orbit", "overlay_outline") or (
        name == "channel" and not isinstance(value, str)
    ):
        return "auto" if isinstance(value, str) and value == "auto" else str(integer(value, name))
    if name in ("iso", "step", "overlay_opacity"):
        return repr(numbers(value, name, ()))
    if name == "spacing":
        return ",".join(map(repr, reversed(numbers(value, name, (3,)))))
    if name == "window":
        return "..".join(map(repr, numbers(value, name, (2,))))
    if name == "camera":
        found = numbers(value, name, np.shape(value))
        return ",".join(map(repr, found if isinstance(found, list) else [found]))
    if name == "transfer" and isinstance(value, Mapping):
        refuse_nan(value, name)
        return json.dumps(dict(value), allow_nan=False)
    if name == "transfer" and isinstance(value, os.PathLike):
        # (A name without a separator is that of a preset.)
        return str(os.path.abspath(value))
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {type(value).__name__}")
    return value


def _settings(
    options: Mapping[str, Any], known: type[Any], apart: Collection[str], *others: tuple[str, Any]
) -> list[tuple[str, str]]:
    """Returns the options except those of the overlay and those in `apart`, after a check of all names."""
    unknown = [name for name in options if name not in known.__annotations__]
    if unknown:
        names = ", ".join(known.__annotations__)
        raise TypeError(f"{unknown[0]} is not an option; options are {names}")
    apart = [*apart, *(name for name in options if name.startswith("overlay"))]
    pairs = [*((name, value) for name, value in options.items() if name not in apart), *others]
    return [(name, _setting(name, value)) for name, value in pairs if value is not None]


def _labels(options: Mapping[str, Any]) -> tuple[Source, list[tuple[str, str]]] | None:
    """Returns the overlay and its options."""
    names = [name for name in options if name.startswith("overlay_") and options[name] is not None]
    overlay = options.get("overlay")
    if overlay is None:
        if names:
            raise ValueError(f"{names[0]} needs overlay")
        return None
    # A `Volume`, or a path.
    source = getattr(overlay, "_file", overlay)
    if not isinstance(source, (_brickwork.VolumeFile, str, os.PathLike)):
        raise TypeError(f"overlay must be a Volume or a path, not {type(overlay).__name__}")
    return source, [(name.replace("_", "-"), _setting(name, options[name])) for name in names]


def _open(
    source: Source,
    width: int,
    height: int,
    count: int | None,
    threads: int | None,
    progress: _Progress | None,
    options: Mapping[str, Any],
) -> _brickwork.Scene:
    device = options.get("device")
    device = "cpu" if device is None else _setting("device", device)
    settings = _settings(options, RenderOptions, ("device",), ("orbit", count))
    settings.append(("size", f"{integer(width, 'width')}x{integer(height, 'height')}"))
    scene = _brickwork.open_scene(
        source, settings, _labels(options), device, threads=thread_count(threads), progress=progress
    )
    path = source.path if isinstance(source, _brickwork.VolumeFile) else source
    for note in scene.notes:
        warnings.warn(note if path is None else f"{os.fspath(path)}: {note}", FormatWarning, stacklevel=4)
    return scene


def _rendered(
    scene: _brickwork.Scene, index: int, threads: int | None, progress: _Progress | None
) -> Image:
    width, height, pixels = scene.render(index, threads=threads, progress=progress)
    array = np.frombuffer(bytearray(pixels), np.uint8).reshape(height, width, 4)
    return Image(array, device=scene.device)


def render_source(
    source: Source,
    width: int,
    height: int,
    threads: int | None,
    progress: _Progress | None,
    options: Mapping[str, Any],
) -> Image:
    """Returns a rendering."""
    scene = _open(source, width, height, None, threads, progress, options)
    return _rendered(scene, 0, threads, progress)


def orbit_source(
    source: Source,
    count: int,
    width: int,
    height: int,
    threads: int | None,
    progress: _Progress | None,
    options: Mapping[str, Any],
) -> Iterator[Image]:
    """Returns renderings around a volume, which is loaded at once."""
    scene = _open(source, width, height, integer(count, "count"), threads, progress, options)
    return (_rendered(scene, index, threads, progress) for index in range(scene.count))


def slice_source(
    source: Source,
    axis: str,
    index: int | None,
    threads: int | None,
    progress: _Progress | None,
    options: Mapping[str, Any],
) -> Image:
    """Returns a slice."""
    given = {name: options.get(name) for name in ("level", "frame")}
    places = {name: 0 if place is None else integer(place, name) for name, place in given.items()}
    settings = _settings(options, SliceOptions, places, ("axis", axis))
    width, height, channels, pixels, millimetres, notes = _brickwork.slice(
        source,
        settings,
        _labels(options),
        index=None if index is None else integer(index, "index", -(1 << 31)),
        mip_level=places["level"],
        frame=places["frame"],
        threads=thread_count(threads),
        progress=progress,
    )
    for note in notes:
        path = source.path if isinstance(source, _brickwork.VolumeFile) else source
        warnings.warn(note if path is None else f"{os.fspath(path)}: {note}", FormatWarning, stacklevel=3)
    shape = (height, width) if channels == 1 else (height, width, channels)
    array = np.frombuffer(bytearray(pixels), np.uint8).reshape(shape)
    return Image(array, None if millimetres is None else (millimetres[0], millimetres[1]))


#: Longer side of a thumbnail in pixels, at most.
THUMBNAIL = 256


def summary(title: str, rows: Mapping[str, str], thumbnail: npt.NDArray[np.uint8] | None) -> str:
    """Returns HTML for notebooks: a picture and a table."""
    # (Programs without notebooks need neither.)
    import base64
    import html

    picture = ""
    if thumbnail is not None:
        step = -(-max(thumbnail.shape[:2]) // THUMBNAIL)
        small = np.ascontiguousarray(thumbnail[::step, ::step])
        data = base64.b64encode(Image(small).to_png()).decode()
        picture = f'<img src="data:image/png;base64,{data}" alt="{html.escape(title)}">'
    lines = "".join(
        f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows.items()
    )
    return f"<div><b>{html.escape(title)}</b><br>{picture}<table>{lines}</table></div>"


def ratio(raw: int, compressed: int) -> str:
    """Returns sizes and their ratio in words."""
    return f"{compressed:,} bytes, {raw / max(compressed, 1):.1f}:1"
