"""Textures in the block formats BC1 to BC7, their DDS and KTX2 files, and single images as blocks."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from brickwork import _brickwork

__all__ = ["Texture", "decode_blocks", "encode", "encode_blocks", "open", "psnr", "ssim"]

_Progress: TypeAlias = Callable[[str, int, int], object]


def _texels(array: npt.ArrayLike) -> npt.NDArray[Any]:
    """Returns texels of the shape (height, width, channels), native and in C order."""
    found = np.asarray(array)
    if found.dtype.newbyteorder("=").name not in ("uint8", "uint16", "float16", "float32"):
        raise TypeError(
            f"texels are uint8, uint16, float16 or float32, not {found.dtype.name}; "
            "convert the array with astype"
        )
    if found.ndim == 2:
        found = found[:, :, np.newaxis]
    if found.ndim != 3 or not 1 <= found.shape[2] <= 4 or 0 in found.shape:
        raise ValueError(
            f"the array has the shape {found.shape}; an image is (height, width) or "
            "(height, width, channels) with 1 to 4 channels"
        )
    return np.ascontiguousarray(found, found.dtype.newbyteorder("="))


def encode(
    source: npt.ArrayLike | str | os.PathLike[str],
    format: str = "bc7",
    quality: Literal["ultrafast", "fast", "normal", "high", "best"] = "normal",
    *,
    mips: bool = True,
    srgb: bool | None = None,
    normals: bool = False,
    alpha_is_data: bool = False,
    dither: bool = False,
    keep_coverage: float | None = None,
    mip_filter: Literal["box", "triangle", "kaiser", "mitchell", "catmull-rom", "lanczos3"] | None = None,
    threads: int | None = None,
    progress: _Progress | None = None,
) -> Texture:
    """Encodes an image on the CPU.

    Parameters
    ----------
    source
        Array of the shape (height, width) or (height, width, channels): grey, red and green, RGB or RGBA, as
        uint8, uint16 (full range), float16 or float32 (0 to 1, for BC6H any value). Or the path of a picture.
    format
        "bc1", "bc2", "bc3", "bc4", "bc4s", "bc5", "bc5s", "bc6h", "bc6hs" or "bc7".
    quality
        Higher qualities take longer and never have a larger error.
    mips
        True for all mip levels, false for the image alone.
    srgb
        True if the numbers are sRGB, false if they are linear. Default: that of the file; for arrays, true
        for uint8 if the format has an sRGB form. Numbers of a picture with another tone curve than that of
        sRGB (gAMA, cICP, ICC profiles) are converted to sRGB by default, if the format has an sRGB form.
    normals
        True for normal maps, whose mip levels have vectors of length 1. They are linear.
    alpha_is_data
        True if alpha is a channel like the others, as in packed masks: it does not weight colours of mip
        levels, and pictures whose colours are multiplied by alpha are not divided by it.
    dither
        True to dither colours to the values of endpoints of BC1, BC2 and BC3, or to 8 bits for other formats
        except BC6H.
    keep_coverage
        Alpha of visible texels, above 0 and up to 1, whose share mip levels keep. Default: none.
    mip_filter
        Filter of mip levels. Default: Kaiser from quality "normal" on, else box; box for BC6H.
    threads
        Number of threads. Default: one per CPU core. The bytes do not depend on it.
    progress
        Called about twenty times per second; an exception stops the work.

    Raises
    ------
    TypeError
        If the array's type is not supported.
    ValueError
        If the shape, the format, the quality or another option is not supported.

    Examples
    --------
    >>> image = np.zeros((64, 128, 3), np.uint8)
    >>> texture = encode(image, "bc1")
    >>> texture.format, texture.width, texture.height, texture.mip_levels
    ('bc1', 128, 64, 8)
    """
    if isinstance(source, os.PathLike):
        source = os.fspath(source)
    return Texture(
        _brickwork.encode(
            source if isinstance(source, str) else _texels(source),
            format=format,
            quality=quality,
            mips=mips,
            srgb=srgb,
            normals=normals,
            alpha_is_data=alpha_is_data,
            dither=dither,
            keep_coverage=keep_coverage,
            mip_filter=mip_filter,
            threads=threads,
            progress=progress,
        )
    )


def open(path: str | os.PathLike[str]) -> Texture:
    """Reads a DDS or KTX2 file.

    Raises
    ------
    FormatError
        If the file is damaged or not supported.
    OSError
        If the file cannot be read.
    """
    return Texture(_brickwork.open_texture(path))


class Texture:
    """A block-compressed texture: layers and faces with mip levels."""

    def __init__(self, texture: _brickwork.Texture) -> None:
        self._texture = texture
        (
            self._width,
            self._height,
            self._depth,
            self._layers,
            self._faces,
            self._mip_levels,
        ) = texture.counts

    @property
    def format(self) -> str:
        """Name of the block format."""
        return self._texture.format

    @property
    def width(self) -> int:
        """Width of mip level 0 in texels."""
        return self._width

    @property
    def height(self) -> int:
        """Height of mip level 0 in texels."""
        return self._height

    @property
    def depth(self) -> int:
        """Slices of mip level 0; 1 unless the texture is 3D."""
        return self._depth

    @property
    def layers(self) -> int:
        """Number of array layers."""
        return self._layers

    @property
    def faces(self) -> int:
        """Number of faces: 6 for cubes, else 1."""
        return self._faces

    @property
    def mip_levels(self) -> int:
        """Number of mip levels."""
        return self._mip_levels

    @property
    def srgb(self) -> bool:
        """True if the numbers are sRGB, false if they are linear."""
        return self._texture.srgb

    @property
    def nbytes(self) -> int:
        """Size of all blocks in bytes."""
        return self._texture.byte_count

    @property
    def levels(self) -> tuple[npt.NDArray[np.uint8], ...]:
        """Blocks of each mip level of the first layer and face, as bytes."""
        return tuple(self.blocks(mip_level=level) for level in range(self.mip_levels))

    def blocks(self, *, layer: int = 0, face: int = 0, mip_level: int = 0) -> npt.NDArray[np.uint8]:
        """Returns the blocks of an image with all its slices, as bytes."""
        return np.frombuffer(self._texture.blocks(layer, face, mip_level), np.uint8)

    def decode(
        self,
        *,
        layer: int = 0,
        face: int = 0,
        mip_level: int = 0,
        slice: int = 0,
        dtype: npt.DTypeLike | None = None,
        threads: int | None = None,
    ) -> npt.NDArray[Any]:
        """Returns an image as RGBA texels of the shape (height, width, 4).

        Parameters
        ----------
        layer, face, mip_level, slice
            Position of the image.
        dtype
            uint8, uint16, float16 or float32. Default: float16 for BC6H, else uint8.
        threads
            Number of threads. Default: one per CPU core.
        """
        if not 0 <= mip_level < self.mip_levels:
            raise ValueError(f"mip_level is {mip_level}, but there are {self.mip_levels}")
        width, height, _ = self._texture.mip_level_size(mip_level)
        texels = np.empty((height, width, 4), dtype or _brickwork.decoded_type(self.format))
        self._texture.decode_into(
            texels, layer=layer, face=face, mip_level=mip_level, slice=slice, threads=threads
        )
        return texels

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Writes a DDS or KTX2 file, by the name's extension, whole or not at all.

        Parameters
        ----------
        path
            Name of the file.
        overwrite
            True to replace an existing file.

        Raises
        ------
        FileExistsError
            If the file exists and `overwrite` is false.
        """
        self._texture.save(path, overwrite)

    def __repr__(self) -> str:
        return f"<brickwork.Texture {self.width}x{self.height} {self.format}, {self.mip_levels} mip levels>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self._texture.to_bytes(),)


def _unpickle(data: bytes) -> Texture:
    return Texture(_brickwork.Texture.from_bytes(data))


def encode_blocks(
    array: npt.ArrayLike,
    format: str = "bc7",
    quality: Literal["ultrafast", "fast", "normal", "high", "best"] = "normal",
    *,
    threads: int | None = None,
    progress: _Progress | None = None,
) -> npt.NDArray[np.uint8]:
    """Encodes one image to blocks, row by row.

    Parameters
    ----------
    array, format, quality, threads, progress
        As for `encode`.

    Returns
    -------
    numpy.ndarray
        Blocks as bytes, of the shape (rows, columns, bytes of a block).
    """
    texels = _texels(array)
    height, width, _ = texels.shape
    blocks = np.empty(_brickwork.block_bytes(format, width, height), np.uint8)
    _brickwork.encode_blocks(
        texels, blocks, format=format, quality=quality, threads=threads, progress=progress
    )
    return blocks.reshape(-(-height // 4), -(-width // 4), -1)


def decode_blocks(
    blocks: npt.ArrayLike,
    format: str,
    width: int,
    height: int,
    *,
    dtype: npt.DTypeLike | None = None,
    threads: int | None = None,
) -> npt.NDArray[Any]:
    """Decodes the blocks of one image to RGBA texels of the shape (height, width, 4).

    Parameters
    ----------
    blocks
        Blocks as bytes, row by row.
    format
        Block format.
    width, height
        Size of the image in texels.
    dtype
        uint8, uint16, float16 or float32. Default: float16 for BC6H, else uint8.
    threads
        Number of threads. Default: one per CPU core.
    """
    found = np.asarray(blocks)
    if found.dtype != np.uint8:
        raise TypeError(f"blocks are bytes (uint8), not {found.dtype}")
    if width < 1 or height < 1:
        raise ValueError(f"the image has the size {width}x{height}")
    texels = np.empty((height, width, 4), dtype or _brickwork.decoded_type(format))
    _brickwork.decode_blocks(np.ascontiguousarray(found).reshape(-1), texels, format=format, threads=threads)
    return texels


def _compared(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Returns the texels of two images whose metrics are those of 8 bits."""
    images = _texels(a), _texels(b)
    for image in images:
        if image.dtype.kind == "f" and not bool(((image >= 0) & (image <= 1)).all()):
            raise ValueError("PSNR and SSIM are those of 8 bits; floats must be from 0 to 1")
    return images


def psnr(a: npt.ArrayLike, b: npt.ArrayLike, *, alpha: bool = False, threads: int | None = None) -> float:
    """Returns the peak signal-to-noise ratio of two images in dB: of red, green and blue together, with
    `alpha` of alpha, too. Numbers are first rounded to 8 bits; the ratio is infinite if they are then equal.
    Images with one or two channels have equal other channels.

    Raises
    ------
    ValueError
        If the sizes differ, or a float is not from 0 to 1.
    """
    errors, _ = _brickwork.compare_images(*_compared(a, b), threads=threads)
    used = errors if alpha else errors[:3]
    mean = sum(used) / len(used)
    return math.inf if mean == 0 else 10 * math.log10(255**2 / mean)


def ssim(a: npt.ArrayLike, b: npt.ArrayLike, *, threads: int | None = None) -> float:
    """Returns the mean structural similarity of two images' luma, 1 for equal images. Numbers are first
    rounded to 8 bits.

    Raises
    ------
    ValueError
        If a side has fewer than 11 texels, the sizes differ, or a float is not from 0 to 1.
    """
    first, second = _compared(a, b)
    _, found = _brickwork.compare_images(first, second, threads=threads)
    if found is None:
        raise ValueError(f"SSIM needs at least 11x11 texels; the image has {first.shape[1]}x{first.shape[0]}")
    return found
