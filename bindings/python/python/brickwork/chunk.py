"""Chunks of Zarr arrays, without a Zarr library: arrays to bytes, and any boxes of them back.

`brickwork.zarr` is the codec for zarr-python. This module is for other programs, and for bytes that a program
fetches itself. docs/zarr-codec.md specifies the bytes. All functions work on the calling thread, and other
threads run meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from brickwork import _brickwork
from brickwork._arguments import integer, integers
from brickwork._arrays import check_dtype, voxels

__all__ = [
    "Reader",
    "bricks_decoded",
    "choose_brick",
    "decode",
    "decode_box",
    "decode_boxes",
    "encode",
    "sides",
]


#: Place of a single box.
_FIRST_PLACE = np.zeros((1, 4), np.uint64)


def sides(shape: Sequence[int]) -> tuple[int, int, int]:
    """Returns the lengths of a chunk along z, y and x.

    Raises
    ------
    ValueError
        If there are more than three axes after the first ones of length 1, or a length is 0.
    """
    lengths = [*integers(shape, "shape")]
    if lengths and min(lengths) < 1:
        raise ValueError(f"a chunk of shape {tuple(lengths)} has no voxels")
    if len(lengths) > 3 and max(lengths[:-3]) > 1:
        raise ValueError(
            f"chunks have the shape {tuple(lengths)}; all axes except the last three must have length 1"
        )
    z, y, x = [1] * (3 - len(lengths)) + lengths[-3:]
    return z, y, x


def encode(array: npt.ArrayLike, *, brick: Literal["4", "8", "16x16x1"] = "8", fill_value: Any = 0) -> bytes:
    """Returns the bytes of a chunk.

    Parameters
    ----------
    array
        Integers of 8 to 64 bits, float16, float32 or float64, of any strides and byte order. All axes except
        the last three have length 1.
    brick
        Size of bricks.
    fill_value
        Fill value of the Zarr array. The chunk's padding with it takes a few bytes.

    Raises
    ------
    TypeError
        If the array's type is not supported.
    ValueError
        If the array is empty or has masked numbers or too many axes, or its type does not contain the fill
        value.

    Examples
    --------
    >>> array = np.arange(64 ** 3, dtype=np.uint16).reshape(64, 64, 64)
    >>> data = encode(array, brick="4")
    >>> bool((decode(data, array.shape, array.dtype) == array).all())
    True
    """
    return _brickwork.encode_chunk(_five(array), brick=brick, fill=_bits(fill_value, np.asarray(array).dtype))


def decode(
    data: Any, shape: Sequence[int], dtype: npt.DTypeLike, *, out: npt.NDArray[Any] | None = None
) -> npt.NDArray[Any]:
    """Returns the voxels of a chunk.

    Parameters
    ----------
    data
        Bytes of the chunk, or of a `.bwv` file of the same shape: any object with a contiguous buffer.
    shape
        Shape of the chunk.
    dtype
        Type of its numbers.
    out
        Array of this shape and type in C order, which is filled and returned.

    Raises
    ------
    FormatError
        If the bytes are damaged or, as far as they show it, of another shape or type. Only `.bwv` files state
        these; with a wrong one, bytes of `encode` may decode to wrong numbers.
    """
    shape = integers(shape, "shape")
    found = _output(shape, dtype, out)
    z, y, x = sides(shape)
    decode_boxes(data, shape, [(0, 0, 0, z, y, x)], [(0, 0, 0, 0)], found.reshape(1, z, y, x))
    return found


def decode_box(
    data: Any,
    shape: Sequence[int],
    dtype: npt.DTypeLike,
    origin: Sequence[int],
    box: Sequence[int],
    *,
    out: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """Returns a box of a chunk. Decodes only the bricks that it touches.

    Parameters
    ----------
    data, shape, dtype
        As for `decode`.
    origin
        First voxel of the box, with as many numbers as `shape`.
    box
        Lengths of the box along the same axes.
    out
        Array of the box's shape and the chunk's type in C order, which is filled and returned.

    Raises
    ------
    TypeError
        If a number is not an integer.
    IndexError
        If the box extends beyond the chunk.
    FormatError
        If the bytes are damaged or, as far as they show it, of another shape or type. Only `.bwv` files state
        these; with a wrong one, bytes of `encode` may decode to wrong numbers.

    Examples
    --------
    >>> data = encode(np.arange(1000, dtype=np.int32).reshape(10, 10, 10))
    >>> decode_box(data, (10, 10, 10), np.int32, (5, 2, 1), (1, 2, 3))
    array([[[521, 522, 523],
            [531, 532, 533]]], dtype=int32)
    """
    # (NumPy would truncate numbers that are not integers.)
    origin, box, shape = integers(origin, "origin"), integers(box, "box"), integers(shape, "shape")
    if len(origin) != len(shape) or len(box) != len(shape):
        raise ValueError(f"origin {origin} and box {box} need {len(shape)} numbers each")
    for axis, (first, length, side) in enumerate(zip(origin, box, shape)):
        if first < 0 or length < 1 or first + length > side:
            raise IndexError(f"the box {first}:{first + length} of axis {axis} is not within 0:{side}")
    found = _output(box, dtype, out)
    lengths = sides(box)
    z, y, x = lengths
    firsts = [0, 0, 0, *origin][-3:]
    boxes = np.array([[*firsts, z, y, x]], np.uint64)
    _brickwork.decode_chunk(
        as_bytes(data), sides(shape), found.reshape(1, z, y, x), lengths, boxes, _FIRST_PLACE
    )
    return found


def decode_boxes(
    data: Any,
    shape: Sequence[int],
    boxes: npt.ArrayLike,
    places: npt.ArrayLike,
    out: npt.NDArray[Any],
) -> None:
    """Decodes many boxes of a chunk to places of an array of windows.

    Parameters
    ----------
    data, shape
        As for `decode`.
    boxes
        For each box the first voxel z, y, x and the lengths along z, y and x: integers of the shape (n, 6).
    places
        For each box the window, z, y and x where its first voxel belongs, of the shape (n, 4).
    out
        Array of the shape (windows, z, y, x) and the chunk's type, in C order.

    Raises
    ------
    ValueError
        If a box extends beyond the chunk, or its place beyond `out`; or if the arrays have other shapes, such
        as fewer places than boxes.
    FormatError
        If the bytes are damaged or, as far as they show it, of another shape or type. Only `.bwv` files state
        these; with a wrong one, bytes of `encode` may decode to wrong numbers.
    """
    rows = _rows(boxes, places)
    _brickwork.decode_chunk(as_bytes(data), sides(shape), out, _window(out), *rows)


class Reader:
    """A chunk whose bytes are fetched by byte ranges.

    Parameters
    ----------
    last
        Last bytes of the chunk, at least as many as `suffix_bytes` returns.
    shape, dtype
        Shape and type of the chunk.

    Raises
    ------
    FormatError
        If the bytes are damaged or, as far as they show it, of another shape or type. Only `.bwv` files state
        these; with a wrong one, bytes of `encode` may decode to wrong numbers.

    Examples
    --------
    >>> data = encode(np.arange(64 ** 3, dtype=np.uint16).reshape(64, 64, 64))
    >>> reader = Reader(data[-4096:], (64, 64, 64), np.uint16)
    >>> for first, end in reader.ranges([(5, 0, 8, 1, 1, 2)]):
    ...     reader.supply(first, data[first:end])
    >>> out = np.empty((1, 1, 1, 2), np.uint16)
    >>> reader.decode([(5, 0, 8, 1, 1, 2)], [(0, 0, 0, 0)], out)
    >>> out.ravel()
    array([20488, 20489], dtype=uint16)
    """

    def __init__(self, last: Any, shape: Sequence[int], dtype: npt.DTypeLike) -> None:
        self._reader = _brickwork.ChunkReader(_copied(last), sides(shape), np.dtype(dtype).name)

    @staticmethod
    def suffix_bytes(last: Any) -> int | None:
        """Returns the number of last bytes that opening a chunk requires, from some last bytes.

        4,096 bytes are enough for most chunks. None if all bytes are required, as for `.bwv` files.
        """
        return _brickwork.ChunkReader.suffix_bytes(_copied(last))

    @property
    def nbytes(self) -> int:
        """Size of the whole chunk in bytes."""
        return self._reader.byte_count

    @property
    def brick(self) -> str:
        """Size of bricks: "4", "8" or "16x16x1"."""
        return self._reader.brick

    def ranges(self, boxes: npt.ArrayLike) -> list[tuple[int, int]]:
        """Returns the byte ranges to supply before `boxes` are decoded: ascending, as first byte and end."""
        return self._reader.ranges(_numbers(boxes, "boxes", 6))

    def supply(self, first: int, data: Any) -> None:
        """Supplies the bytes of the chunk from `first` on."""
        self._reader.supply(integer(first, "first", end=1 << 64), _copied(data))

    def decode(self, boxes: npt.ArrayLike, places: npt.ArrayLike, out: npt.NDArray[Any]) -> None:
        """Decodes boxes, as `decode_boxes` does."""
        self._reader.decode(out, _window(out), *_rows(boxes, places))


def choose_brick(*arrays: npt.ArrayLike) -> Literal["4", "8", "16x16x1"]:
    """Returns the size of bricks with the smallest result for samples of the arrays.

    Parameters
    ----------
    *arrays
        As for `encode`: chunks, or larger parts of the Zarr array.
    """
    bits: dict[Literal["4", "8", "16x16x1"], float] = {}
    for array in arrays:
        five = _five(array)
        for brick, per_voxel in _brickwork.brick_sizes(five):
            bits[brick] = bits.get(brick, 0.0) + per_voxel * five.size
    return min(bits, key=lambda brick: bits[brick]) if bits else "8"


def bricks_decoded() -> int:
    """Returns the number of bricks that this process has decoded from chunks."""
    return _brickwork.bricks_decoded()


def as_bytes(data: Any) -> npt.NDArray[np.uint8]:
    """Returns the bytes of an object as an array, without a copy."""
    return np.frombuffer(data, np.uint8)


def _copied(data: Any) -> bytes:
    """Bytes of an object; themselves if they are bytes."""
    return data if isinstance(data, bytes) else as_bytes(data).tobytes()


def _five(array: npt.ArrayLike) -> npt.NDArray[Any]:
    found = voxels(array)
    z, y, x = sides(found.shape)
    return found.reshape(1, z, y, x, 1)


def _bits(fill_value: Any, dtype: np.dtype[Any]) -> int:
    """The bits of a fill value, in as many low bits as a number has."""
    number = np.zeros((), dtype.newbyteorder("<"))
    try:
        number[...] = fill_value if fill_value is not None else 0
    except OverflowError:
        raise ValueError(f"the fill value {fill_value!r} is no {dtype.name}") from None
    return int.from_bytes(number.tobytes(), "little")


def _window(out: npt.NDArray[Any]) -> tuple[int, int, int]:
    """The sides of the windows of an array."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array, not {type(out).__name__}")
    if out.ndim != 4:
        raise ValueError(f"out has the shape {out.shape}; it must be (windows, z, y, x)")
    _, z, y, x = out.shape
    return z, y, x


def _rows(
    boxes: npt.ArrayLike, places: npt.ArrayLike
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Boxes and their places, one for each box."""
    found = _numbers(boxes, "boxes", 6), _numbers(places, "places", 4)
    if len(found[0]) != len(found[1]):
        raise ValueError(f"there are {len(found[0])} boxes, but {len(found[1])} places")
    return found


def _numbers(numbers: npt.ArrayLike, name: str, columns: int) -> npt.NDArray[np.uint64]:
    """Rows of non-negative integers."""
    rows = np.asarray(numbers)
    if rows.size == 0:
        return np.empty((0, columns), np.uint64)
    if rows.dtype.kind not in "iu":
        raise TypeError(f"{name} are integers, not {rows.dtype}")
    if rows.ndim != 2 or rows.shape[1] != columns:
        raise ValueError(f"{name} has the shape {rows.shape}; it must be (n, {columns})")
    if rows.min() < 0:
        raise ValueError(f"{name} has the negative number {rows.min()}")
    return np.ascontiguousarray(rows, np.uint64)


def _output(shape: Sequence[int], dtype: npt.DTypeLike, out: npt.NDArray[Any] | None) -> npt.NDArray[Any]:
    asked = np.dtype(dtype)
    if not asked.isnative:
        asked = asked.newbyteorder("=")
    check_dtype(asked)
    if out is None:
        return np.empty(tuple(shape), asked)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array, not {type(out).__name__}")
    if out.shape != tuple(shape) or out.dtype != asked:
        raise ValueError(f"out is {out.shape} {out.dtype}, but the voxels are {tuple(shape)} {asked}")
    if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
        raise ValueError("out must be writeable and in C order")
    return out
