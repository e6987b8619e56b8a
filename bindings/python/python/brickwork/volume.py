"""Volumes: compression, random access, files of all formats.

Axes are in NumPy's order: frames (t), slices (z), rows (y), columns (x), channels (c). A volume has the axes
z, y and x, and t or c if it has more than one frame or channel.
"""

from __future__ import annotations

import builtins
import json
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from brickwork import _brickwork
from brickwork._arguments import (
    flag,
    integer,
    integers,
    numbers,
    refuse_nan,
    refuse_path,
    thread_count,
    unmasked,
)
from brickwork._arrays import voxels, with_five_axes
from brickwork._files import FormatWarning, Reader, is_url, open_url, opener
from brickwork._images import (
    Image,
    RenderOptions,
    SliceOptions,
    orbit_source,
    ratio,
    render_source,
    slice_source,
    summary,
)
from brickwork._selection import Axis, parse
from brickwork._stats import PERCENTILES, LabelStats, Stats, ValueStats, label_array, measure

__all__ = [
    "FormatWarning",
    "Geometry",
    "Image",
    "LabelStats",
    "Progress",
    "RenderOptions",
    "SliceOptions",
    "Stats",
    "ValueStats",
    "Volume",
    "compress",
    "open",
    "orbit",
    "read",
    "render",
    "slice",
    "write",
]

#: Callback `progress(stage, done, total)`. `stage` is a word such as "encoding"; `total` is 0 if unknown.
Progress: TypeAlias = Callable[[str, int, int], object]


_DIRECTIONS = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))


@dataclass(frozen=True)
class Geometry:
    """Position of a volume in the world, and other metadata.

    Attributes
    ----------
    spacing
        Distances between voxels along z, y and x, in millimetres where the source states a unit.
    origin
        World coordinates x, y, z of the centre of voxel (0, 0, 0), in the units of `spacing`. For patients,
        x points left, y to the back and z up (LPS, as in DICOM and ITK).
    directions
        For each of the array's axes z, y and x, its direction as world coordinates x, y, z.
    frame_spacing
        Seconds between frames, or 0 if unknown.
    metadata
        Other metadata of the source file.
    axes
        Letters of the axes of the array that was read with it, such as "tzyx"; None if unknown.
    labels
        True for segmentations.
    rescale
        Slope and intercept from stored numbers to physical values; None if they are unknown, or differ by
        slice. `compress` takes them from `metadata`.
    """

    spacing: tuple[float, float, float] = (1.0, 1.0, 1.0)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    directions: tuple[tuple[float, float, float], ...] = _DIRECTIONS
    frame_spacing: float = 0.0
    metadata: Mapping[str, Any] = field(default_factory=dict)
    axes: str | None = field(default=None, compare=False)
    labels: bool = field(default=False, compare=False)
    rescale: tuple[float, float] | None = field(default=None, compare=False)

    def affine(self, world: Literal["LPS", "RAS"] = "LPS") -> npt.NDArray[np.float64]:
        """Returns the 4×4 matrix from indices (x, y, z, 1) to the world, in the units of `spacing`.

        The indices are those of the array in reverse order, as nibabel has them: its affine is that of
        `world="RAS"`, where x points right, y to the front and z up. ITK and DICOM use "LPS".
        """
        if world not in ("LPS", "RAS"):
            raise ValueError(f'world is {world!r}; it must be "LPS" or "RAS"')
        matrix = np.eye(4)
        matrix[:3, :3] = (np.array(self.directions) * np.array(self.spacing)[:, None])[::-1].T
        matrix[:3, 3] = self.origin
        return np.diag([-1.0, -1.0, 1.0, 1.0]) @ matrix if world == "RAS" else matrix


def _geometry(header: _brickwork.Header) -> Geometry:
    a, b, c = header.origin
    return Geometry(
        spacing=header.spacing,
        origin=(a, b, c),
        directions=tuple((x, y, z) for x, y, z in header.directions),
        frame_spacing=header.frame_spacing,
        metadata=json.loads(header.metadata) if header.metadata else {},
        axes=_axes(header.shape(0)),
        labels=header.labels,
        rescale=header.rescale,
    )


def _checked(place: Geometry) -> tuple[list[float], list[list[float]], float]:
    """Returns the origin, the directions and the spacing of frames."""
    origin = numbers(place.origin, "origin", (3,))
    if not np.isfinite(origin).all():
        raise ValueError(f"origin is {place.origin}; its numbers must be finite")
    directions = numbers(place.directions, "directions", (3, 3))
    if not (np.isfinite(directions).all() and np.any(directions, axis=1).all()):
        raise ValueError(f"directions are {place.directions}; each must be finite and not zero")
    frame_spacing = numbers(place.frame_spacing, "frame_spacing", ())
    if not 0 <= frame_spacing < np.inf:
        raise ValueError(f"frame_spacing is {place.frame_spacing}; it must be finite and at least 0")
    if not isinstance(place.metadata, (Mapping, type(None))):
        raise TypeError(f"metadata must be a mapping, not {type(place.metadata).__name__}")
    return origin, directions, frame_spacing


#: Entry of the metadata of volumes that were compressed from bools.
_BOOL = {"brickwork.dtype": "bool"}


def _dtype(header: _brickwork.Header) -> np.dtype[Any]:
    # (The metadata of DICOM files may take long to parse.)
    if '"brickwork.dtype"' in header.metadata and header.dtype == "uint8":
        metadata = json.loads(header.metadata)
        if isinstance(metadata, dict) and _BOOL.items() <= metadata.items():
            return np.dtype(np.bool_)
    return np.dtype(header.dtype)


def _fill(array: npt.NDArray[Any], read_into: Callable[[npt.NDArray[Any]], None]) -> None:
    """Fills an array with voxels, which files have as uint8 for bools."""
    if array.dtype != np.bool_:
        read_into(array)
        return
    stored = array.view(np.uint8)
    read_into(stored)
    np.minimum(stored, 1, out=stored)


def _axes(five: tuple[int, int, int, int, int]) -> str:
    return ("t" if five[0] > 1 else "") + "zyx" + ("c" if five[4] > 1 else "")


def compress(
    array: npt.ArrayLike,
    geometry: Geometry | None = None,
    *,
    brick: Literal["auto", "4", "8", "16x16x1"] = "auto",
    labels: bool | None = None,
    axes: str | None = None,
    mip_levels: int = 1,
    spacing: Sequence[float] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Volume:
    """Compresses an array without loss.

    Parameters
    ----------
    array
        Integers of 8 to 64 bits, bool, float16, float32 or float64, of any strides and byte order. Arrays
        without gaps in memory, such as those in Fortran order, are not copied. Files have bool as uint8;
        volumes restore it.
    geometry
        Position in the world, metadata and axes, as `read` returns it: `compress(*read(path))`.
    brick
        Size of bricks: "4" gives the fastest access to single voxels, "8" smaller files, "16x16x1" suits
        slices. "auto" chooses the size with the smallest result for a sample.
    labels
        True for segmentations: smaller mip levels have the most frequent label, not the mean. Default: that
        of `geometry`, else False.
    axes
        Letters of the array's axes among "tzyxc", such as "czyx". Default: those of `geometry` if the array
        has as many, else "yx", "zyx", "zyxc" (at most 4 channels) or "tzyxc" by their number.
    mip_levels
        Number of mip levels, each half as large as the previous one.
    spacing
        Distances between voxels along z, y and x, in millimetres. Default: those of `geometry`.
    threads
        Number of threads. Default: one per CPU core. The bytes do not depend on it.
    progress
        Called about twenty times per second; an exception stops the work.

    Returns
    -------
    Volume
        The compressed volume, in memory.

    Raises
    ------
    TypeError
        If the array's type is not supported, or an argument has another type.
    ValueError
        If the array is empty or has masked numbers, its axes do not fit, numbers of `geometry` are not
        finite, or its metadata contain a NaN or an infinity, which JSON does not have.

    Examples
    --------
    >>> volume = compress(np.zeros((64, 64, 64), np.int16), spacing=(2.0, 0.5, 0.5))
    >>> volume.nbytes, volume.compressed_bytes < 1000
    (524288, True)
    """
    if not isinstance(geometry, (Geometry, type(None))):
        raise TypeError(f"geometry must be a Geometry, not {type(geometry).__name__}")
    if not isinstance(axes, (str, type(None))):
        raise TypeError(f"axes must be a string, not {type(axes).__name__}")
    if not isinstance(brick, str):
        raise TypeError(f'brick is {brick!r}; it must be "auto", "4", "8" or "16x16x1"')
    refuse_path(array, "array", "compress(*volume.read(path))")
    place = geometry or Geometry()
    found = unmasked(array, "the array")
    is_bool = found.dtype == np.bool_
    found = voxels(found.view(np.uint8) if is_bool else found)
    if axes is None and place.axes is not None and len(place.axes) == found.ndim:
        axes = place.axes
    distances = numbers(spacing if spacing is not None else place.spacing, "spacing", (3,))
    if not all(distance > 0 and np.isfinite(distance) for distance in distances):
        raise ValueError(f"spacing is {distances}; it must be three positive numbers, for z, y and x")
    origin, directions, frame_spacing = _checked(place)
    # (A geometry may come from an array of bools, and go with one of numbers.)
    kept = (item for item in (place.metadata or {}).items() if item not in _BOOL.items())
    metadata: dict[str, Any] = dict(kept)
    metadata |= _BOOL if is_bool else {}
    refuse_nan(metadata, "metadata")
    volume = Volume(
        _brickwork.compress(
            with_five_axes(found, axes),
            brick=brick,
            labels=flag(place.labels if labels is None else labels, "labels"),
            mip_levels=integer(mip_levels, "mip_levels"),
            spacing=distances,
            frame_spacing=frame_spacing,
            origin=origin,
            directions=directions,
            metadata=json.dumps(metadata, allow_nan=False) if metadata else "",
            threads=thread_count(threads),
            progress=progress,
        )
    )
    if place.rescale is not None and place.rescale != volume.geometry.rescale:
        raise ValueError(
            f"rescale is {place.rescale}, but the metadata state {volume.geometry.rescale}; "
            "change the metadata"
        )
    return volume


def open(source: str | os.PathLike[str] | bytes | Any) -> Volume:
    """Opens a `.bwv` file. Voxels are read when they are indexed.

    Parameters
    ----------
    source
        Path, URL, such as "https://…" or "s3://…", bytes, or a seekable binary file object such as fsspec's.
        URLs need the package fsspec, and fetch the byte ranges that are read.

    Returns
    -------
    Volume
        The open volume. `with open(…) as volume:` closes it at the end.

    Raises
    ------
    FormatError
        If the file is damaged or has another format; `read` reads other formats, `brickwork.open` textures.
    ImportError
        For a URL without fsspec.
    OSError
        If the file cannot be read.
    """
    if isinstance(source, str) and is_url(source):
        return Volume(_brickwork.VolumeFile.from_reader(Reader(open_url(source))))
    if isinstance(source, (str, os.PathLike)):
        try:
            return Volume(_brickwork.VolumeFile.from_path(source))
        except _brickwork.FormatError as error:
            other = opener(source)
            if other == "brickwork.volume.open":
                raise
            advice = f"{other} reads textures" if other else "brickwork.volume.read reads other formats"
            raise _brickwork.FormatError(f"{error}; {advice}") from None
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Volume(_brickwork.VolumeFile.from_bytes(bytes(source)))
    return Volume(_brickwork.VolumeFile.from_reader(Reader(source)))


def read(
    path: str | os.PathLike[str],
    *,
    series: str | int | None = None,
    array: str | None = None,
    allow_gaps: bool = False,
    axes: str | None = None,
    level: int = 0,
    frame: int | None = None,
    channel: int | None = None,
    rescale: bool = False,
    progress: Progress | None = None,
) -> tuple[npt.NDArray[Any], Geometry]:
    """Reads a volume of any format: `.bwv`, NIfTI, NRRD, MetaImage, MRC, DICOM, TIFF, VTI, NPY, slices.

    Parameters
    ----------
    path
        File, or folder of a DICOM series or of slices.
    series
        DICOM series, or kind of file names in a folder of slices, if there are several: its index in the list
        that the error without this argument shows, its UID, its description, or the name, such as
        "slice#.png".
    array
        Array of a `.vti` file, by its name. Default: the one that the file names, else the first.
    allow_gaps
        True to join the slices on both sides of missing ones; a warning names the gaps. With false, they are
        an error.
    axes
        Letters of the axes of an array that does not name them, such as "czyx": of NPY, or of Zarr. Default:
        "yx", "zyx", "zyxc" (at most 4 channels), "tzyx" or "tzyxc".
    level
        Mip level of a `.bwv` file: 0 is the volume itself, 1 the next smaller one.
    frame
        Index of the frame to read. Default: all.
    channel
        Index of the channel to read. Default: all.
    rescale
        True for physical values, such as Hounsfield units, by the slope and intercept of the file. They have
        the smallest integer type that represents them exactly, else float32, or float64 if the stored numbers
        have more than 24 bits.
    progress
        Called about twenty times per second; an exception stops the work.

    Returns
    -------
    array
        Stored numbers, before any rescaling that `Geometry.metadata` describes, or physical values. Axes as
        in `Volume.axes`.
    geometry
        Position in the world, metadata, axes and labels, for `compress(*read(path))`; those of physical
        values have no slope and intercept.

    Raises
    ------
    TypeError
        If an argument has another type.
    ValueError
        If there is no such level, frame or channel, or `axes` does not fit the file.
    FormatError
        If the file is damaged or not supported, or there are several series or a gap.
    OSError
        If a file cannot be read.

    Warns
    -----
    FormatWarning
        For each part of the file that is left out, or read otherwise than its header states, and if neither
        slope nor intercept is known with `rescale`.
    """
    if isinstance(series, bool) or not isinstance(series, (str, int, np.integer, type(None))):
        raise TypeError(f"series must be an index, a UID or a name, not {type(series).__name__}")
    if not isinstance(axes, (str, type(None))):
        raise TypeError(f"axes must be a string, not {type(axes).__name__}")
    if not isinstance(array, (str, type(None))):
        raise TypeError(f"array must be a name, not {type(array).__name__}")
    volume = _brickwork.open_volume(
        path,
        series=None if series is None else str(series),
        array=array,
        allow_gaps=flag(allow_gaps, "allow_gaps"),
        axes=axes,
        level=integer(level, "level"),
        frame=None if frame is None else integer(frame, "frame"),
        channel=None if channel is None else integer(channel, "channel"),
        rescale=flag(rescale, "rescale"),
        progress=progress,
    )
    for note in volume.notes:
        warnings.warn(f"{os.fspath(path)}: {note}", FormatWarning, stacklevel=2)
    five = volume.header.shape(0)
    voxels = np.empty(five, volume.header.dtype if rescale else _dtype(volume.header))
    _fill(voxels, lambda into: volume.read_into(into, progress=progress))
    return voxels.reshape(_visible(five)), _geometry(volume.header)


def write(
    path: str | os.PathLike[str],
    array: npt.ArrayLike,
    geometry: Geometry | None = None,
    *,
    axes: str | None = None,
    labels: bool | None = None,
    mip_levels: int = 1,
    spacing: Sequence[float] | None = None,
    overwrite: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Writes an array to a file, whole or not at all, in the format of its name; see `Volume.save`.

    Parameters are those of `compress`, without the size of bricks, and of `Volume.save`:
    `write("a.nii.gz", *read("a.nrrd"))`, or
    `write("a.ome.zarr", array, spacing=(0.001, 0.0002, 0.0002), mip_levels=4)`, for voxels of 1, 0.2 and
    0.2 µm: spacing is in millimetres. The array is compressed in memory on the way.

    Raises
    ------
    ValueError
        If `mip_levels` is not 1 and the file is neither `.bwv` nor OME-Zarr. Also as `compress` and
        `Volume.save`.
    """
    overwrite = flag(overwrite, "overwrite")
    has_levels = _brickwork.is_bwv_name(path) or _brickwork.is_zarr_name(path)
    if not has_levels and mip_levels != 1:
        raise ValueError(f"mip_levels is {mip_levels}; only .bwv, .zarr and .ozx have smaller mip levels")
    compress(
        array,
        geometry,
        brick="auto" if has_levels else "4",
        labels=labels,
        axes=axes,
        mip_levels=mip_levels,
        spacing=spacing,
        threads=threads,
        progress=progress,
    )._save(path, overwrite)


def render(
    source: str | os.PathLike[str] | Volume,
    width: int = 1024,
    height: int = 768,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[RenderOptions],
) -> Image:
    """Renders a file or folder of any format, or a `Volume`; see `Volume.render`."""
    if isinstance(source, Volume):
        return source.render(width, height, threads=threads, progress=progress, **options)
    return render_source(os.fspath(source), width, height, threads, progress, options)


def orbit(
    source: str | os.PathLike[str] | Volume,
    count: int,
    width: int = 1024,
    height: int = 768,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[RenderOptions],
) -> Iterator[Image]:
    """Renders views around a file or folder of any format, or a `Volume`; see `Volume.orbit`."""
    if isinstance(source, Volume):
        return source.orbit(count, width, height, threads=threads, progress=progress, **options)
    return orbit_source(os.fspath(source), count, width, height, threads, progress, options)


def slice(
    source: str | os.PathLike[str] | Volume,
    axis: Literal["x", "y", "z", "axial", "coronal", "sagittal"] = "z",
    index: int | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[SliceOptions],
) -> Image:
    """Returns a slice of a file or folder of any format, or of a `Volume`; see `Volume.slice`."""
    if isinstance(source, Volume):
        return source.slice(axis, index, threads=threads, progress=progress, **options)
    return slice_source(os.fspath(source), axis, index, threads, progress, options)


def _visible(five: tuple[int, int, int, int, int]) -> tuple[int, ...]:
    t, z, y, x, c = five
    return ((t,) if t > 1 else ()) + (z, y, x) + ((c,) if c > 1 else ())


class Volume:
    """A compressed volume, indexed like an array: `volume[10:20, ::2, 5]`.

    Indices are integers, slices of any step, and `...`. Reading decodes only the chunks that a selection
    touches. Volumes can be used by several threads, and they pickle by their path, bytes or file object.
    """

    def __init__(self, file: _brickwork.VolumeFile, mip_level: int = 0) -> None:
        self._open: _brickwork.VolumeFile | None = file
        self._header = file.header
        self._mip_level = mip_level
        self._five = self._header.shape(mip_level)
        self._dtype = _dtype(self._header)

    @property
    def _file(self) -> _brickwork.VolumeFile:
        if self._open is None:
            raise ValueError("the volume is closed")
        return self._open

    def close(self) -> None:
        """Closes the volume's file, unless another object, such as a mip level, still uses it."""
        self._open = None

    def __enter__(self) -> Volume:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each of `axes`."""
        return _visible(self._five)

    @property
    def axes(self) -> str:
        """Letters of the axes: "zyx", with a "t" before it for frames and a "c" after it for channels."""
        return _axes(self._five)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the voxels."""
        return self._dtype

    @property
    def size(self) -> int:
        """Number of numbers."""
        return int(np.prod(self.shape, dtype=object))

    @property
    def nbytes(self) -> int:
        """Size of the decompressed numbers in bytes."""
        return self.size * self.dtype.itemsize

    @property
    def compressed_bytes(self) -> int:
        """Size of the whole file in bytes, with all mip levels."""
        return self._file.file_bytes

    @property
    def spacing(self) -> tuple[float, float, float]:
        """Distances between voxels of this mip level along z, y and x; millimetres where a unit is known."""
        return self._header.at_level(self._mip_level).spacing

    @property
    def geometry(self) -> Geometry:
        """Position of this mip level in the world, and other metadata."""
        return _geometry(self._header.at_level(self._mip_level))

    @property
    def brick(self) -> str:
        """Size of bricks: "4", "8" or "16x16x1"."""
        return self._header.brick

    @property
    def labels(self) -> bool:
        """True for segmentations."""
        return self._header.labels

    @property
    def mip_levels(self) -> tuple[Volume, ...]:
        """All mip levels, the full volume first."""
        return tuple(Volume(self._file, level) for level in range(self._header.mip_levels))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        if self._open is None:
            return f"<brickwork.volume.Volume {self.shape} {self.dtype.name}, closed>"
        return f"<brickwork.volume.Volume {self.shape} {self.dtype.name}, {self.compressed_bytes} bytes>"

    def __getitem__(self, key: Any) -> Any:
        return self.read(key)

    def read(
        self,
        selection: Any = ...,
        out: npt.NDArray[Any] | None = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Any:
        """Reads a selection.

        Parameters
        ----------
        selection
            Indices as in `volume[selection]`; `np.s_[10:20, 5]` makes them. Default: everything.
        out
            Array of the selection's shape and the volume's type, which is filled and returned. An array in C
            order is filled without a copy if the selection has no steps.
        threads
            Number of threads. Default: one per CPU core. Selections of at most 1 MiB
            in few chunks use only the calling thread.
        progress
            Called about twenty times per second; an exception stops the work.

        Returns
        -------
        numpy.ndarray or numpy scalar
            The voxels; a scalar if all indices are integers.

        Raises
        ------
        IndexError
            If an index is out of range or of another kind.
        FormatError
            If the touched parts of the file are damaged.
        """
        threads = thread_count(threads)
        axes = parse(selection, self.shape)
        shape = tuple(axis.count for axis in axes if not axis.is_index)
        if out is not None:
            if not isinstance(out, np.ndarray):
                raise TypeError(f"out must be an array, not {type(out).__name__}")
            if out.dtype != self.dtype:
                raise TypeError(f"out has the type {out.dtype}, but the volume {self.dtype}")
            if out.shape != shape:
                raise ValueError(f"out has the shape {out.shape}, but the selection {shape}")
            if not out.flags.writeable:
                raise ValueError("out is read-only")
        result = np.empty(shape, self.dtype) if out is None else out
        if 0 not in shape:
            self._fill(result, axes, threads, progress)
        # As in NumPy, only integers give a scalar; with '...' they give an array without axes.
        keys = selection if isinstance(selection, tuple) else (selection,)
        is_scalar = not shape and out is None and not any(key is Ellipsis for key in keys)
        return result[()] if is_scalar else result

    def windows(
        self,
        origins: npt.ArrayLike,
        shape: tuple[int, int, int],
        *,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> npt.NDArray[Any]:
        """Reads many boxes of one shape. Each chunk of the file is fetched once.

        Parameters
        ----------
        origins
            First voxels of the boxes, as integers of the shape (n, 3): z, y, x.
        shape
            Lengths of a box along z, y and x.
        threads
            Number of threads. Default: one per CPU core.
        progress
            Called about twenty times per second; an exception stops the work.

        Returns
        -------
        numpy.ndarray
            The boxes, of the shape (n, z, y, x), with t after n and c at the end if the volume has them.

        Raises
        ------
        IndexError
            If a box extends beyond the volume.
        FormatError
            If the touched parts of the file are damaged.

        Examples
        --------
        >>> volume = compress(np.arange(1000, dtype=np.int32).reshape(10, 10, 10))
        >>> volume.windows([(0, 0, 0), (5, 2, 1)], (1, 1, 3)).reshape(2, 3)
        array([[  0,   1,   2],
               [521, 522, 523]], dtype=int32)
        """
        threads = thread_count(threads)
        corners = np.asarray(origins)
        if corners.size == 0:
            corners = np.empty((0, 3), np.uint64)
        if corners.dtype.kind not in "ui":
            raise TypeError(f"origins are integers, not {corners.dtype}")
        if corners.ndim != 2 or corners.shape[1] != 3:
            raise ValueError(f"origins has the shape {corners.shape}; it must be (n, 3)")
        sides = integers(shape, "shape")
        if len(sides) != 3:
            raise ValueError(f"shape is {sides}; it must be three lengths, for z, y and x")
        z, y, x = sides
        if min(z, y, x) < 1:
            raise ValueError(f"shape is {shape}; each side must be at least 1")
        last = np.array(self._five[1:4], np.int64) - (z, y, x)
        outside = ((corners < 0) | (corners > last)).any(axis=1)
        if outside.any():
            first = int(outside.argmax())
            raise IndexError(
                f"window {first} at {tuple(map(int, corners[first]))} of shape {(z, y, x)} extends beyond "
                f"the volume of shape {self._five[1:4]}"
            )
        t, _, _, _, c = self._five
        windows = np.empty((len(corners), t, z, y, x, c), self.dtype)
        if len(corners):
            _fill(
                windows,
                lambda into: self._file.windows_into(
                    into,
                    np.ascontiguousarray(corners, np.uint64),
                    (z, y, x),
                    mip_level=self._mip_level,
                    threads=threads,
                    progress=progress,
                ),
            )
        return windows.reshape((len(corners), *_visible((t, z, y, x, c))))

    def _fill(
        self,
        result: npt.NDArray[Any],
        axes: tuple[Axis, ...],
        threads: int | None,
        progress: Progress | None,
    ) -> None:
        whole = {letter: Axis(0, 1, 1, is_index=True) for letter in "tc"}
        by_letter = whole | dict(zip(self.axes, axes))
        t, z, y, x, c = (by_letter[letter] for letter in "tzyxc")
        # A view with all five axes; assignments to it reach `result`.
        every = builtins.slice(None)
        view = result[tuple(np.newaxis if axis.is_index else every for axis in (t, z, y, x, c))]
        is_whole_c = c.count == self._five[4] or c.count > 1
        for times, slices in self._pieces(t, z):
            box_c = self._five[4] if is_whole_c else 1
            shape = (times.high - times.low, slices.high - slices.low, y.high - y.low, x.high - x.low, box_c)
            part = view[self._place(t, times), self._place(z, slices)]
            is_direct = all(axis.step == 1 for axis in (times, slices, y, x, c)) and part.shape == shape
            is_direct = is_direct and part.flags.c_contiguous and part.dtype.isnative and part.flags.aligned
            box = part if is_direct else np.empty(shape, self.dtype)
            read = partial(
                self._file.read_into,
                mip_level=self._mip_level,
                frames=(times.low, times.high),
                z=(slices.low, slices.high),
                y=(y.low, y.high),
                x=(x.low, x.high),
                channel=None if is_whole_c else c.first,
                threads=threads,
                progress=progress,
            )
            _fill(box, read)
            if not is_direct:
                steps = tuple(_steps(axis) for axis in (times, slices, y, x))
                part[...] = box[steps + (_steps(c, 0) if is_whole_c else every,)]

    def _pieces(self, t: Axis, z: Axis) -> list[tuple[Axis, Axis]]:
        """Parts that are read in one call: everything, or with steps the selected slices of each slab."""
        if z.step == 1 and t.step == 1:
            return [(t, z)]
        depth = self._file.slab_depth
        pieces = []
        for frame in range(t.count):
            time = Axis(t.first + frame * t.step, 1, 1)
            start = 0
            while start < z.count:
                slab = (z.first + start * z.step) // depth
                end = start + 1
                while end < z.count and (z.first + end * z.step) // depth == slab:
                    end += 1
                pieces.append((time, Axis(z.first + start * z.step, z.step, end - start)))
                start = end
        return pieces

    @staticmethod
    def _place(whole: Axis, part: Axis) -> builtins.slice:
        """Positions of a part's indices among those of the whole."""
        first = (part.first - whole.first) // whole.step
        return builtins.slice(first, first + part.count)

    def stats(
        self,
        labels: Volume | npt.ArrayLike | None = None,
        *,
        percentiles: Sequence[float] = PERCENTILES,
        bins: int | None = None,
        range: Sequence[float] | None = None,
        stored: bool = False,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> tuple[Stats, ...]:
        """Measures the values of each frame and channel, and those inside labels: `brickwork volume stats`.

        Voxels are read slab by slab. Percentiles of values inside labels need several passes. Types of 32 and
        64 bits, and values whose slope or intercept differs from slice to slice, need several for all
        percentiles, and for a histogram without `range`.

        Parameters
        ----------
        labels
            Integers (segmentation IDs) for the axes z, y and x: a volume or an array. 0 is the background.
            Default: the voxels themselves for a volume of labels, else none.
        percentiles
            Numbers from 0 to 100.
        bins
            Number of bins of a histogram. Default: no histogram.
        range
            Lower and upper end of the histogram. Default: minimum and maximum.
        stored
            True for stored numbers; false for physical values, such as Hounsfield units, if the metadata
            state how to compute them.
        threads
            Number of threads. Default: one per CPU core. The numbers do not depend on it.
        progress
            Called about twenty times per second; an exception stops the work.

        Returns
        -------
        tuple of Stats
            One for each frame and channel, frame by frame.

        Raises
        ------
        ValueError
            If the labels have another shape or a fraction, or an argument is out of range.

        Examples
        --------
        >>> (found,) = compress(np.arange(1000, dtype=np.int16).reshape(10, 10, 10)).stats()
        >>> found.mean, found.percentiles[25]
        (499.5, 249.75)
        """
        place: tuple[_brickwork.VolumeFile, int] | npt.NDArray[Any] | None = None
        if isinstance(labels, Volume):
            place = (labels._file, labels._mip_level)
        elif labels is not None:
            refuse_path(labels, "labels", "stats(volume.read(path)[0])")
            place = label_array(labels, self.axes)
        return measure(
            self._file, self._mip_level, place, percentiles, bins, range, stored, threads, progress
        )

    def render(
        self,
        width: int = 1024,
        height: int = 768,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **options: Unpack[RenderOptions],
    ) -> Image:
        """Renders the volume, as `brickwork volume render` does.

        Parameters
        ----------
        width, height
            Numbers of pixels.
        threads
            Number of threads. Default: one per CPU core. The pixels do not depend on it.
        progress
            Called about twenty times per second; an exception stops the work.
        **options
            Those of `RenderOptions`.

        Raises
        ------
        TypeError
            If an option is unknown or has another type.
        ValueError
            If the image has no pixels or too many, or an option is invalid or contradicts another one.
        """
        return render_source(self._file, width, height, threads, progress, self._at_level(options))

    def orbit(
        self,
        count: int,
        width: int = 1024,
        height: int = 768,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **options: Unpack[RenderOptions],
    ) -> Iterator[Image]:
        """Renders views around the volume, which has the same size in all: the program's `--orbit`.

        The volume is loaded at once, and each view rendered when the iterator reaches it. The arguments are
        those of `render`; `count` is the number of views, 1 to 10000.
        """
        return orbit_source(self._file, count, width, height, threads, progress, self._at_level(options))

    def slice(
        self,
        axis: Literal["x", "y", "z", "axial", "coronal", "sagittal"] = "z",
        index: int | None = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **options: Unpack[SliceOptions],
    ) -> Image:
        """Returns a slice as an image, as `brickwork volume slice` does: grey, or labels in colours.

        Parameters
        ----------
        axis
            Axis perpendicular to the slice: one of the volume, or one of the patient's.
        index
            Index along the axis. Default: the middle.
        threads
            Number of threads. Default: one per CPU core.
        progress
            Called about twenty times per second; an exception stops the work.
        **options
            Those of `SliceOptions`.

        Raises
        ------
        TypeError
            If an option is unknown or has another type.
        ValueError
            If there is no such slice, or a plane or marks need directions of a patient that the volume does
            not state.
        """
        return slice_source(self._file, axis, index, threads, progress, self._at_level(options))

    def _at_level(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns options for this mip level."""
        level = {"level": self._mip_level} if self._mip_level else {}
        if level and options.get("level") is not None:
            raise ValueError(f"this is mip level {self._mip_level}; level is for the full volume")
        return {**options, **level}

    def _repr_html_(self) -> str:
        rows = {
            "shape": f"{self.shape} ({self.axes})",
            "type": self.dtype.name + (", labels" if self.labels else ""),
            "spacing": " × ".join(f"{side:g}" for side in self.spacing) + " mm (z, y, x)",
            "mip levels": str(self._header.mip_levels),
            "size": ratio(self.nbytes, self.compressed_bytes),
        }
        thumbnail = None
        try:
            thumbnail = self.slice().pixels
        except (ValueError, OSError, MemoryError) as error:
            rows["slice"] = str(error)
        return summary("brickwork.volume.Volume", rows, thumbnail)

    def dask(self, chunks: int | tuple[int, ...] | None = None, *, threads: int | None = 1) -> Any:
        """Returns a Dask array that reads its blocks when they are computed.

        Parameters
        ----------
        chunks
            Lengths of blocks, as in `dask.array.from_array`. Default: 128 voxels along z, y and x, one frame,
            all channels.
        threads
            Number of threads that decode one block. Dask has its own threads, one for each block that is
            computed. None: one per CPU core.

        Returns
        -------
        dask.array.Array
            The voxels. The path, bytes or file object of the volume goes to the workers. An unchanged
            file gives the same name again; a file object that is not fsspec's gives a new one.
        """
        import dask.array as da
        from dask.base import tokenize

        blocks = {"t": 1, "c": -1}
        lengths = tuple(blocks.get(axis, 128) for axis in self.axes) if chunks is None else chunks
        meta = np.empty((0,) * self.ndim, self.dtype)
        path = self._file.path
        changed = path.stat().st_mtime_ns if path is not None else None
        source = path or self._file.reader or self._file.to_bytes()
        name = f"brickwork-{tokenize(source, changed, self._file.file_bytes, self._mip_level, lengths)}"
        return da.from_array(_Blocks(self, threads), lengths, name=name, fancy=False, meta=meta)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("a compressed volume has no array without a copy")
        array: npt.NDArray[Any] = self.read()
        return array if dtype is None else array.astype(dtype, copy=False)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes the volume, whole or not at all, in the format of the name.

        `.bwv`, or no extension, keeps all mip levels. `.zarr` gives a folder and `.ozx` a ZIP archive with a
        group of OME-Zarr 0.5; the volume itself gives as many levels, which halve the axes with the finest
        spacing. `.nrrd`, `.mha`,
        `.nii`, `.nii.gz`, `.nii.zst`, `.mrc`, `.vti`, `.npy`, `.tif` (OME-TIFF) and `.raw` get the voxels of
        this mip level.

        Raises
        ------
        FileExistsError
            If the file exists and `overwrite` is false, or if there is a folder that is not empty.
        FormatError
            If the format cannot hold the volume, as VTI cannot hold frames.
        ValueError
            If no format of this name is written.

        Warns
        -----
        FormatWarning
            For each part of the metadata that the format does not hold.
        """
        self._save(path, flag(overwrite, "overwrite"))

    def _save(self, path: str | os.PathLike[str], overwrite: bool) -> None:
        if _brickwork.is_bwv_name(path):
            self._file.save(path, overwrite)
            return
        if self._file.path is not None:
            notes = _brickwork.convert(self._file.path, path, self._mip_level, overwrite)
        else:
            # (It takes 5 ms to import.)
            import tempfile

            with tempfile.TemporaryDirectory() as folder:
                source = Path(folder) / "volume.bwv"
                self._file.save(source, False)
                notes = _brickwork.convert(source, path, self._mip_level, overwrite)
        for note in notes:
            warnings.warn(f"{os.fspath(path)}: {note}", FormatWarning, stacklevel=3)

    def to_bytes(self) -> bytes:
        """Returns the bytes of the `.bwv` file."""
        return self._file.to_bytes()

    def verify(self, *, threads: int | None = None, progress: Progress | None = None) -> list[str]:
        """Reads everything, and returns a text for each damaged part; none for a sound file."""
        return self._file.verify(threads=thread_count(threads), progress=progress)

    def __reduce__(self) -> tuple[Any, ...]:
        source = self._file.path or self._file.reader or self._file.to_bytes()
        return _unpickle, (source, self._mip_level)


class _Blocks:
    """A volume as Dask reads it: each block by a fixed number of threads."""

    def __init__(self, volume: Volume, threads: int | None) -> None:
        self._volume = volume
        self._threads = threads
        self.shape = volume.shape
        self.dtype = volume.dtype
        self.ndim = volume.ndim

    def __getitem__(self, key: Any) -> Any:
        return self._volume.read(key, threads=self._threads)


def _steps(axis: Axis, low: int | None = None) -> builtins.slice:
    """The axis's indices, counted from its lowest one or from `low`."""
    first = axis.first - (axis.low if low is None else low)
    end = first + axis.count * axis.step
    return builtins.slice(first, None if end < 0 else end, axis.step)


def _unpickle(source: Any, mip_level: int) -> Volume:
    if isinstance(source, Reader):
        return Volume(_brickwork.VolumeFile.from_reader(source), mip_level)
    return Volume(open(source)._file, mip_level)
