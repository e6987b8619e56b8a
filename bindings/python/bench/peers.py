"""The codecs that are compared: bytes of single chunks, each on one thread."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from brickwork import chunk

Voxels = npt.NDArray[Any]
Brick = Literal["4", "8", "16x16x1"]
BRICKS: tuple[Brick, ...] = get_args(Brick)

#: The Python packages of the codecs, whose versions the report names.
PACKAGES = ("numpy", "zarr", "numcodecs", "blosc2", "pcodec", "imagecodecs", "crackle-codec")


@dataclass(frozen=True)
class Codec:
    """A codec of chunks.

    Attributes
    ----------
    encode
        Returns the bytes of a chunk.
    decode
        Decodes the bytes into an array of the chunk's shape.
    window
        Decodes a box into an array: of a chunk of this side, from this voxel on. None if only whole chunks
        can be decoded.
    is_slow
        True if it takes seconds for some ten million voxels.
    """

    name: str
    encode: Callable[[Voxels], bytes]
    decode: Callable[[bytes, Voxels], None]
    window: Callable[[bytes, int, list[int], Voxels], None] | None = None
    is_slow: bool = False


def codecs(*, labels: bool) -> tuple[list[Codec], dict[str, str]]:
    """Returns the codecs, ours last, and the reasons why some are missing."""
    found, missing = [], {}
    makers: list[tuple[str, Callable[[], list[Codec]]]] = [
        ("zstd, Blosc", _numcodecs),
        ("Blosc2", _blosc2),
        ("pcodec", _pcodec),
        ("JPEG XL", _jpeg_xl),
    ]
    if labels:
        makers.append(("crackle", _crackle))
    for name, make in makers:
        try:
            found += make()
        except ImportError as error:
            missing[name] = str(error)
    return found + [brickwork(brick) for brick in BRICKS], missing


def brickwork(brick: Brick) -> Codec:
    """Returns our codec."""

    def encode(voxels: Voxels) -> bytes:
        return chunk.encode(voxels, brick=brick)

    def decode(data: bytes, out: Voxels) -> None:
        chunk.decode(data, out.shape, out.dtype, out=out)

    def window(data: bytes, side: int, first: list[int], out: Voxels) -> None:
        chunk.decode_box(data, (side,) * 3, out.dtype, first, out.shape, out=out)

    return Codec(f"brickwork {brick}", encode, decode, window=window)


def _numcodecs() -> list[Codec]:
    from numcodecs.blosc import BITSHUFFLE, SHUFFLE, Blosc, set_nthreads
    from numcodecs.zstd import Zstd

    set_nthreads(1)
    found = {
        "zstd-3": Zstd(3),
        "zstd-9": Zstd(9),
        "Blosc zstd-5 shuffle": Blosc("zstd", 5, SHUFFLE),
        "Blosc zstd-5 bitshuffle": Blosc("zstd", 5, BITSHUFFLE),
    }

    def of(name: str, codec: Any) -> Codec:
        return Codec(name, codec.encode, lambda data, out: codec.decode(data, out=out))

    return [of(name, codec) for name, codec in found.items()]


def _blosc2() -> list[Codec]:
    blosc2 = importlib.import_module("blosc2")
    extension = importlib.import_module("blosc2.blosc2_ext")
    blosc2.set_nthreads(1)

    def of(name: str, filter: Any) -> Codec:
        options = {"codec": blosc2.Codec.ZSTD, "clevel": 5, "filters": [filter], "nthreads": 1}

        def encode(voxels: Voxels) -> bytes:
            array = extension.asarray(
                voxels, list(voxels.shape), [16] * 3, cparams=options, dparams={"nthreads": 1}
            )
            data: bytes = array.to_cframe()
            return data

        def decode(data: bytes, out: Voxels) -> None:
            blosc2.ndarray_from_cframe(data).get_slice_numpy(out, ((0, 0, 0), out.shape))

        def window(data: bytes, side: int, first: list[int], out: Voxels) -> None:
            end = [low + side for low, side in zip(first, out.shape)]
            blosc2.ndarray_from_cframe(data).get_slice_numpy(out, (tuple(first), tuple(end)))

        return Codec(name, encode, decode, window=window)

    return [
        of("Blosc2 zstd-5 shuffle, 16³", blosc2.Filter.SHUFFLE),
        of("Blosc2 zstd-5 bitshuffle, 16³", blosc2.Filter.BITSHUFFLE),
    ]


def _pcodec() -> list[Codec]:
    pcodec = importlib.import_module("pcodec")
    config = pcodec.ChunkConfig(compression_level=8, enable_8_bit=True)

    def encode(voxels: Voxels) -> bytes:
        data: bytes = pcodec.standalone.simple_compress(voxels.ravel(), config)
        return data

    def decode(data: bytes, out: Voxels) -> None:
        pcodec.standalone.simple_decompress_into(data, out.reshape(-1))

    return [Codec("pcodec-8", encode, decode)]


def _jpeg_xl() -> list[Codec]:
    imagecodecs = importlib.import_module("imagecodecs")

    # An image with all slices below each other: on scans 8 % smaller than a stream for each slice.
    def encode(voxels: Voxels) -> bytes:
        image = voxels.reshape(-1, voxels.shape[2])
        data: bytes = imagecodecs.jpegxl_encode(image, effort=3, lossless=True, numthreads=1)
        return data

    def decode(data: bytes, out: Voxels) -> None:
        imagecodecs.jpegxl_decode(data, numthreads=1, out=out.reshape(-1, out.shape[2]))

    return [Codec("JPEG XL e3", encode, decode, is_slow=True)]


def _crackle() -> list[Codec]:
    crackle = importlib.import_module("crackle")

    def encode(voxels: Voxels) -> bytes:
        data: bytes = crackle.compress(voxels, parallel=1)
        return data

    def decode(data: bytes, out: Voxels) -> None:
        out[...] = crackle.decompress(data, parallel=1)

    return [Codec("crackle", encode, decode)]


def windows(codec: Codec, stored: dict[Any, Any], side: int, origins: Any, out: Voxels) -> None:
    """Decodes windows from chunks of this side in memory into `out`, one after the other."""
    whole = np.empty((side,) * 3, out.dtype)
    length = out.shape[1]
    for number, origin in enumerate(origins.tolist()):
        spans = [_spans(low, low + length, side) for low in origin]
        for z, z0, z1, az in spans[0]:
            for y, y0, y1, ay in spans[1]:
                for x, x0, x1, ax in spans[2]:
                    part = out[number, az : az + z1 - z0, ay : ay + y1 - y0, ax : ax + x1 - x0]
                    data = stored.get((z, y, x))
                    if data is None:
                        part[...] = 0
                    elif codec.window is None:
                        codec.decode(data, whole)
                        part[...] = whole[z0:z1, y0:y1, x0:x1]
                    elif part.flags.c_contiguous:
                        codec.window(data, side, [z0, y0, x0], part)
                    else:
                        box = np.empty(part.shape, out.dtype)
                        codec.window(data, side, [z0, y0, x0], box)
                        part[...] = box


def _spans(low: int, high: int, side: int) -> list[tuple[int, int, int, int]]:
    """The chunks that a range touches: number, first and end within the chunk, place within the range."""
    found = []
    for number in range(low // side, (high - 1) // side + 1):
        first, end = max(low, number * side), min(high, (number + 1) * side)
        found.append((number, first - number * side, end - number * side, first - low))
    return found
