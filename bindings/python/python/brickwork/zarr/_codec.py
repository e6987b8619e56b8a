"""The codec for zarr-python 3.1 and later."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from zarr.abc.codec import ArrayBytesCodec, ArrayBytesCodecPartialDecodeMixin
from zarr.abc.store import RangeByteRequest, SuffixByteRequest
from zarr.storage import LocalStore, MemoryStore

from brickwork import FormatError, _brickwork, chunk
from brickwork._arrays import VOXEL_TYPES
from brickwork.zarr._plan import Plan, plan

#: Bytes of voxels from which on a part of a chunk is fetched by byte ranges. Smaller chunks are some 256 KB
#: or less when encoded, and one request takes less time than two.
LARGE_BYTES = 1 << 20
#: Last bytes of a chunk that are fetched first. They contain the index of most chunks.
SUFFIX_BYTES = 4096
#: Bytes of voxels up to which a part is decoded on the thread of the event loop.
_INLINE_BYTES = 1 << 18

#: Byte requests, None for a whole chunk; the fetched bytes are sent back.
Requests: TypeAlias = Sequence[Any]
Fetching: TypeAlias = Generator[Requests, Sequence[Any], npt.NDArray[Any] | None]


@dataclass(frozen=True)
class BrickworkCodec(ArrayBytesCodec, ArrayBytesCodecPartialDecodeMixin):
    """Codec `brickwork`: chunks as bricks, without loss, with partial decoding.

    It must be the only codec of an array, or the only one inside shards: partial decoding does not work
    otherwise. `brickwork.zarr.check` reports such arrays.

    Parameters
    ----------
    brick
        Size of bricks: "4" gives the fastest access to single voxels, "8" smaller chunks, "16x16x1" suits
        slices. It does not matter for reading.

    Raises
    ------
    ValueError
        If there is no such size.
    """

    brick: Literal["4", "8", "16x16x1"] = "8"

    is_fixed_size = False

    def __post_init__(self) -> None:
        if self.brick not in ("4", "8", "16x16x1"):
            raise ValueError(f'codec brickwork: brick is {self.brick!r}; it must be "4", "8" or "16x16x1"')

    @classmethod
    def from_dict(cls, data: Any) -> BrickworkCodec:
        """Returns the codec of an array's metadata: an object, or its name alone."""
        if isinstance(data, str):
            data = {"name": data}
        unknown = sorted(set(data) - {"name", "configuration", "must_understand"})
        configuration = data.get("configuration") or {}
        if not isinstance(configuration, Mapping):
            raise ValueError(f"codec brickwork: the configuration is {configuration!r}, not an object")
        unknown += sorted(set(configuration) - {"brick"})
        if data.get("name") != "brickwork" or unknown:
            raise ValueError(
                f"codec brickwork: unknown keys {unknown} in {dict(data)}; written by a newer version?"
            )
        return cls(**configuration)

    def to_dict(self) -> dict[str, Any]:
        """Returns the codec as in an array's metadata."""
        return {"name": "brickwork", "configuration": {"brick": self.brick}}

    def validate(self, *, shape: tuple[int, ...], dtype: Any, chunk_grid: Any) -> None:
        """Checks the type and the chunks of an array.

        Raises
        ------
        TypeError
            If the type is not supported.
        ValueError
            If chunks have more than three axes after the first ones of length 1.
        """
        found = _dtype(dtype)
        if found.name not in VOXEL_TYPES or found.kind not in "uif":
            raise TypeError(
                f"codec brickwork: the array's type is {found.name}; "
                "it must be an integer of 8 to 64 bits, float16, float32 or float64"
            )
        sides = getattr(chunk_grid, "chunk_shape", None)
        if sides is not None and all(sides):
            try:
                chunk.sides(sides)
            except ValueError as error:
                raise ValueError(f"codec brickwork: {error}") from None

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: Any) -> int:
        """Raises NotImplementedError: the size depends on the voxels."""
        raise NotImplementedError

    def _encode_sync(self, chunk_data: Any, chunk_spec: Any) -> Any:
        array = chunk_data.as_numpy_array()
        data = chunk.encode(
            array.reshape(chunk_spec.shape), brick=self.brick, fill_value=chunk_spec.fill_value
        )
        return chunk_spec.prototype.buffer.from_bytes(data)

    async def _encode_single(self, chunk_data: Any, chunk_spec: Any) -> Any:
        return await asyncio.to_thread(self._encode_sync, chunk_data, chunk_spec)

    def _decode_sync(self, chunk_data: Any, chunk_spec: Any) -> Any:
        dtype = _dtype(chunk_spec.dtype)
        try:
            array = chunk.decode(chunk_data.as_numpy_array(), chunk_spec.shape, dtype)
        except FormatError as error:
            error.add_note(f"in a chunk of shape {chunk_spec.shape}, codec {self}")
            raise
        return _buffer(array, chunk_spec)

    async def _decode_single(self, chunk_data: Any, chunk_spec: Any) -> Any:
        return await asyncio.to_thread(self._decode_sync, chunk_data, chunk_spec)

    def _decode_partial_sync(self, byte_getter: Any, selection: Any, chunk_spec: Any) -> Any:
        part = plan(selection, chunk_spec.shape)
        dtype = _dtype(chunk_spec.dtype)
        path = file_of(byte_getter)
        if path is not None:
            found = _read_part(path, byte_getter, part, chunk_spec.shape, dtype)
        else:
            fetching = fetch_part(part, chunk_spec.shape, dtype)
            found = run_sync(fetching, byte_getter, chunk_spec.prototype)
        return None if found is None else _buffer(found[part.selection], chunk_spec)

    async def _decode_partial_single(self, byte_getter: Any, selection: Any, chunk_spec: Any) -> Any:
        part = plan(selection, chunk_spec.shape)
        prototype = chunk_spec.prototype
        dtype = _dtype(chunk_spec.dtype)
        path = file_of(byte_getter)
        if path is not None:
            shape = chunk_spec.shape
            found = await asyncio.to_thread(_read_part, path, byte_getter, part, shape, dtype)
            return None if found is None else _buffer(found[part.selection], chunk_spec)
        is_short = part.voxels * dtype.itemsize <= _INLINE_BYTES
        fetching = fetch_part(part, chunk_spec.shape, dtype)
        if is_synchronous(byte_getter):
            # (One change of threads for all requests; none for chunks in memory.)
            if is_short and isinstance(getattr(byte_getter, "store", None), (MemoryStore, NoneType)):
                found = run_sync(fetching, byte_getter, prototype)
            else:
                found = await asyncio.to_thread(run_sync, fetching, byte_getter, prototype)
            return None if found is None else _buffer(found[part.selection], chunk_spec)
        with Named(byte_getter):
            requests, found = go_on(fetching)
            while requests is not None:
                gets = [byte_getter.get(prototype=prototype, byte_range=one) for one in requests]
                data = [await gets[0]] if len(gets) == 1 else await asyncio.gather(*gets)
                if is_short:
                    requests, found = go_on(fetching, data)
                else:
                    requests, found = await asyncio.to_thread(go_on, fetching, data)
        return None if found is None else _buffer(found[part.selection], chunk_spec)


def file_of(byte_getter: Any) -> str | None:
    """Returns the path of a chunk in a folder of this machine; None for other stores and parts of shards."""
    store = getattr(byte_getter, "store", None)
    # (Classes derived from it may read other bytes.)
    if type(store) is not LocalStore:
        return None
    path: str = os.path.join(store.root, byte_getter.path)
    return path


def read_file(
    path: str,
    byte_getter: Any,
    sides: tuple[int, int, int],
    boxes: npt.NDArray[np.uint64],
    places: npt.NDArray[np.uint64],
    out: npt.NDArray[Any],
) -> bool:
    """Decodes boxes of a chunk in a file as `fetch` does. The file is opened once, and read where needed."""
    _, z, y, x = out.shape
    with Named(byte_getter):
        return _brickwork.decode_chunk_file(path, sides, out, (z, y, x), boxes, places)


def _read_part(
    path: str, byte_getter: Any, part: Plan, shape: Sequence[int], dtype: np.dtype[Any]
) -> npt.NDArray[Any] | None:
    """Decodes a part of a chunk in a file, as `fetch_part` does."""
    found = np.empty(part.shape, dtype.newbyteorder("="))
    if not len(part.boxes):
        return found
    view = found.reshape((1, *chunk.sides(part.shape)))
    is_there = read_file(path, byte_getter, chunk.sides(shape), part.boxes, part.places, view)
    return found if is_there else None


def is_synchronous(byte_getter: Any) -> bool:
    """Returns true if bytes can be read without an event loop: by stores of zarr-python 3.4 and later."""
    store = getattr(byte_getter, "store", byte_getter)
    can = hasattr(byte_getter, "get_sync") and hasattr(store, "get_sync")
    return can and getattr(store, "_supports_sync_io", True)


def run_sync(fetching: Generator[Requests, Sequence[Any], Any], byte_getter: Any, prototype: Any) -> Any:
    """Returns the result of a generator whose requests are read without an event loop."""
    with Named(byte_getter):
        requests, found = go_on(fetching)
        while requests is not None:
            data = [byte_getter.get_sync(prototype=prototype, byte_range=one) for one in requests]
            requests, found = go_on(fetching, data)
    return found


def fetch_part(part: Plan, shape: Sequence[int], dtype: np.dtype[Any]) -> Fetching:
    """Decodes the smallest box that contains a part of a chunk; returns None for a missing chunk."""
    sides = chunk.sides(shape)
    found = np.empty(part.shape, dtype.newbyteorder("="))
    if not len(part.boxes):
        return found
    view = found.reshape((1, *chunk.sides(part.shape)))
    is_there = yield from fetch(sides, part.boxes, part.places, view)
    return found if is_there else None


def fetch(
    sides: tuple[int, int, int],
    boxes: npt.NDArray[np.uint64],
    places: npt.NDArray[np.uint64],
    out: npt.NDArray[Any],
) -> Generator[Requests, Sequence[Any], bool]:
    """Decodes boxes of a chunk to their places in windows, as `chunk.decode_boxes` does.

    It yields byte requests, and receives the bytes. Returns false for a missing chunk.
    """
    whole = sides[0] * sides[1] * sides[2]
    voxels = int(boxes[:, 3:].prod(axis=1).sum())
    if whole * out.dtype.itemsize >= LARGE_BYTES and voxels * 2 < whole:
        reader = yield from _open(sides, out.dtype)
        if reader is None:
            return False
        if isinstance(reader, chunk.Reader):
            ranges = reader.ranges(boxes)
            pieces = (yield [RangeByteRequest(first, end) for first, end in ranges]) if ranges else []
            for (first, _), piece in zip(ranges, pieces):
                if piece is None:
                    return False
                reader.supply(first, _memory(piece))
            reader.decode(boxes, places, out)
            return True
        data = reader
    else:
        (data,) = yield [None]
        if data is None:
            return False
    chunk.decode_boxes(_memory(data), sides, boxes, places, out)
    return True


def _open(sides: tuple[int, int, int], dtype: np.dtype[Any]) -> Generator[Requests, Sequence[Any], Any]:
    """Fetches the last bytes of a chunk. Returns a reader; all bytes if they are needed; or None."""
    (last,) = yield [SuffixByteRequest(SUFFIX_BYTES)]
    if last is None:
        return None
    needed = chunk.Reader.suffix_bytes(_memory(last))
    if needed is None:
        (data,) = yield [None]
        return data
    if needed > len(last):
        (last,) = yield [SuffixByteRequest(needed)]
        if last is None:
            return None
    return chunk.Reader(_memory(last), sides, dtype)


def go_on(fetching: Generator[Any, Any, Any], data: Any = None) -> tuple[Requests | None, Any]:
    """Sends fetched bytes to a generator. Returns its next requests, or None and its result."""
    try:
        return fetching.send(data), None
    except StopIteration as end:
        # (It cannot be raised in a future.)
        return None, end.value


def _memory(buffer: Any) -> Any:
    return buffer.as_numpy_array()


def _dtype(dtype: Any) -> np.dtype[Any]:
    """NumPy's type of one of Zarr's."""
    found: np.dtype[Any] = dtype.to_native_dtype()
    return found


def _buffer(array: npt.NDArray[Any] | np.generic, chunk_spec: Any) -> Any:
    """Zarr's buffer with an array, in the array's byte order."""
    dtype = _dtype(chunk_spec.dtype)
    found = np.asarray(array).astype(dtype, copy=False)
    return chunk_spec.prototype.nd_buffer.from_numpy_array(found)


def name_of(byte_getter: Any) -> str:
    """Returns the key of a chunk, or its place in a shard."""
    coords = getattr(byte_getter, "chunk_coords", None)
    return str(byte_getter) if coords is None else f"inner chunk {tuple(map(int, coords))} of a shard"


class Named:
    """Context that puts the key of a chunk before the text of errors about its bytes."""

    def __init__(self, byte_getter: Any) -> None:
        self._byte_getter = byte_getter

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, FormatError):
            raise FormatError(f"{name_of(self._byte_getter)}: {error}") from error
