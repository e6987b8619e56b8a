"""Textures in block formats (BC1 to BC7) and plain formats, their DDS and KTX2 files, and single images."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from brickwork import _brickwork
from brickwork._arguments import flag, integer, thread_count, unmasked
from brickwork._files import opener
from brickwork._options import EncodeOptions

__all__ = ["EncodeOptions", "Texture", "decode_blocks", "encode", "encode_blocks", "open", "psnr", "ssim"]

_Progress: TypeAlias = Callable[[str, int, int], object]
# (Unions, as stubtest takes these aliases.)
_Channel: TypeAlias = Literal["r"] | Literal["g"] | Literal["b"] | Literal["a"]
#: An array of texels, or the path of a picture.
_Source: TypeAlias = npt.ArrayLike | str | os.PathLike[str]

#: Limit of memory for pictures that are read from files.
_MAX_MEMORY = 4 << 30


def _texels(array: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    """Returns texels of the shape (height, width, channels), native and in C order."""
    found = unmasked(array, name)
    if found.dtype.newbyteorder("=").name not in ("uint8", "uint16", "float16", "float32"):
        raise TypeError(
            f"{name}: texels are uint8, uint16, float16 or float32, not {found.dtype.name}; "
            "convert the array with astype"
        )
    if found.ndim == 2:
        found = found[:, :, np.newaxis]
    if found.ndim != 3 or not 1 <= found.shape[2] <= 4 or 0 in found.shape:
        raise ValueError(
            f"{name}: the array has the shape {found.shape}; an image is (height, width) or "
            "(height, width, channels) with 1 to 4 channels"
        )
    return np.ascontiguousarray(found, found.dtype.newbyteorder("="))


def _settings(given: Mapping[str, object]) -> list[tuple[str, str]]:
    """Returns arguments that are neither None nor False as keys of rule files and texts of their values."""

    def text(name: str, value: object) -> str:
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if isinstance(value, (str, int, float, np.integer, np.floating)):
            return str(value)
        if isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping)):
            return ",".join(text(name, part) for part in value)
        raise TypeError(f"{name} has the type {type(value).__name__}, expected text, numbers, True or False")

    used = {name: value for name, value in given.items() if value is not None and value is not False}
    return [(name.replace("_", "-"), text(name, value)) for name, value in used.items()]


def _size(resize: object) -> str | None:
    """Returns a size as the text of a rule."""
    if resize is None or isinstance(resize, str):
        return resize
    if not isinstance(resize, Iterable) or isinstance(resize, bytes):
        raise TypeError(f"resize is {resize!r}, expected (width, height) or a str")
    return "x".join(map(str, resize))


def _options(given: Mapping[str, Any]) -> dict[str, object]:
    """Returns the options of `encode` in the order of the program's. Raises TypeError if one is unknown."""
    for name in given:
        if name not in EncodeOptions.__annotations__:
            raise TypeError(f"encode() got an unexpected keyword argument {name!r}")
    options = {name: given[name] for name in EncodeOptions.__annotations__ if name in given}
    if "resize" in options:
        options["resize"] = _size(options["resize"])
    return options


def _check_levels(levels: object) -> None:
    """Raises TypeError if the images of mip levels are not in a sequence, such as one array."""
    if isinstance(levels, (str, bytes, os.PathLike)):
        raise TypeError(f"levels is the path {os.fspath(levels)!r}, expected a sequence of images")
    if not isinstance(levels, Sequence):
        raise TypeError(f"levels is of the type {type(levels).__name__}, expected a sequence of images")


class _Sources:
    """Images in the order that the extension module takes, with names for errors."""

    def __init__(self) -> None:
        self.images: list[npt.NDArray[Any] | str] = []
        self.names: list[str] = []

    def add(self, source: _Source, name: str) -> None:
        """Adds an image. The name of a file is its path."""
        if isinstance(source, os.PathLike):
            source = os.fspath(source)
        if isinstance(source, str):
            self.images.append(source)
            # (Names are for errors. Paths may have bytes that are not UTF-8.)
            self.names.append(source.encode(errors="replace").decode())
        else:
            self.images.append(_texels(source, name))
            self.names.append(name)

    def add_channels(self, channels: Mapping[Any, Any]) -> list[tuple[str, str]]:
        """Adds the images of packed channels. Returns each channel and the channel of its image."""
        others = [key for key in channels if key not in ("r", "g", "b", "a")]
        if others:
            raise ValueError(f"channels has the key {others[0]!r}, expected r, g, b or a")
        packed = []
        for channel in "rgba":
            if channel in channels:
                source = channels[channel]
                is_pair = isinstance(source, tuple) and len(source) == 2 and isinstance(source[1], str)
                image, of_image = source if is_pair else (source, "r")
                self.add(image, f"channels[{channel!r}]")
                packed.append((channel, of_image))
        return packed

    def has_files(self) -> bool:
        """True if an image is a file."""
        return any(isinstance(image, str) for image in self.images)


def encode(
    source: _Source,
    format: str = "bc7",
    quality: Literal["ultrafast", "fast", "normal", "high", "best"] = "normal",
    *,
    srgb: bool | None = None,
    channels: Mapping[_Channel, _Source | tuple[_Source, _Channel]] | None = None,
    mips: bool | int = True,
    levels: Sequence[_Source] = (),
    roughness_from: _Source | None = None,
    max_memory: int | None = None,
    threads: int | None = None,
    progress: _Progress | None = None,
    **options: Unpack[EncodeOptions],
) -> Texture:
    """Encodes an image on the CPU, with the options of the program's `encode` and the same bytes.

    Arrays are encoded as they are. If an option chooses the format or changes pictures before they are
    encoded, as `kind`, `channels`, `swizzle` and sizes do, or another image is a file, they are copied first.
    float32 then becomes float16, unless the format stores floats of 32 bits.

    Parameters
    ----------
    source
        Array of the shape (height, width) or (height, width, channels): grey, red and green, RGB or RGBA, as
        uint8, uint16 (full range), float16 or float32 (0 to 1; any value for formats of floats). Alpha is
        straight. Or the path of a picture, or of a texture of which the first image is read.
    format
        "bc1", "bc2", "bc3", "bc4", "bc4s", "bc5", "bc5s", "bc6h", "bc6hs", "bc7", "etc2", "etc2-a1",
        "etc2-a8", "eac-r11", "eac-r11s", "eac-rg11", "eac-rg11s" or "astc"; a plain format, such as "rgba8",
        "r16", "rgba16f" or "rgb9e5"; "auto" for the block format that suits the image; or a name of DXGI or
        Vulkan.
    quality
        Higher qualities take longer and never have a larger error.
    srgb
        True if the numbers are sRGB, false if they are linear. Default: that of the file; for arrays, true
        for uint8 if the format has an sRGB form. Numbers of a picture with another tone curve or other
        primaries than those of sRGB (gAMA, cHRM, cICP, ICC profiles) are converted to sRGB by default, if the
        format has an sRGB form; PQ and HLG to linear light for formats of floats.
    channels
        Images of the same size, by the channel of `source` that red of the image replaces; a pair of an image
        and a channel takes another channel than red. Numbers are moved unchanged, before the swizzle. With
        colours among them, the result is data unless its use is stated.
    mips
        True for all mip levels, false for the image alone, or a number of levels with the image.
    levels
        Images of the mip levels from 1. `mips` makes the levels after them; with false, there are none.
    roughness_from
        Normal map of the same surface, of any size, whose spread is added to the roughness of mip levels
        (Toksvig). The image is data unless `kind` is "one-channel".
    max_memory
        Limit of memory in bytes, for pictures and what is made of them. Default: 4 GiB if there is a file,
        else none.
    threads
        Number of threads. Default: one per CPU core. The bytes do not depend on it.
    progress
        Called about twenty times per second; an exception stops the work.
    **options
        Other options of the program's `encode`, by the same names: `EncodeOptions` describes them. None and
        false leave an option out.

    Raises
    ------
    TypeError
        If there is no such option, the array's type is not supported, `levels` is not a sequence, such as one
        path or array, or `resize` is one number.
    ValueError
        If the shape, the format, the quality or another option is not supported, options do not fit each
        other, or numbers of an array are masked.
    FormatError
        If a file is damaged or not supported.
    MemoryError
        If more than `max_memory` bytes are needed.
    OSError
        If a file cannot be read.

    Examples
    --------
    >>> image = np.zeros((64, 128, 3), np.uint8)
    >>> texture = encode(image, "bc1")
    >>> texture.format, texture.width, texture.height, texture.mip_levels
    ('bc1', 128, 64, 8)

    Occlusion, roughness and metal of three grey images in one texture:

    >>> grey = np.full((64, 64), 200, np.uint8)
    >>> packed = encode(grey, "rgba8", channels={"g": grey // 2, "b": grey // 4}, mips=False)
    >>> packed.decode()[0, 0].tolist()
    [200, 100, 50, 255]
    """
    _check_levels(levels)
    if not isinstance(channels, (Mapping, type(None))):
        raise TypeError(f"channels must be a mapping, not {type(channels).__name__}")
    sources = _Sources()
    sources.add(source, "source")
    for index, level in enumerate(levels):
        sources.add(level, f"levels[{index}]")
    packed = sources.add_channels(channels or {})
    if roughness_from is not None:
        sources.add(roughness_from, "roughness_from")
    elif options.get("roughness_channel") is not None:
        raise ValueError("roughness_channel is the channel for roughness_from, which is not given")
    settings = {
        "format": format,
        # (A stated quality and real time exclude each other.)
        "quality": None if quality == "normal" else quality,
        "color_space": None if srgb is None else "srgb" if flag(srgb, "srgb") else "linear",
        "mips": ("all" if mips else "none") if isinstance(mips, (bool, np.bool_)) else mips,
        **_options(options),
    }
    if max_memory is None:
        max_memory = _MAX_MEMORY if sources.has_files() else (1 << 64) - 1
    if isinstance(max_memory, (int, np.integer)) and not 0 <= max_memory < 1 << 64:
        raise ValueError(f"max_memory is {max_memory}, expected a number of bytes from 0 to 2**64 - 1")
    return Texture(
        _brickwork.encode(
            sources.images,
            sources.names,
            _settings(settings),
            channels=packed,
            levels=1 + len(levels),
            roughness=roughness_from is not None,
            max_memory=max_memory,
            threads=thread_count(threads),
            progress=progress,
        )
    )


def open(path: str | os.PathLike[str]) -> Texture:
    """Reads a DDS or KTX2 file.

    Raises
    ------
    FormatError
        If the file is damaged or not supported; `brickwork.volume.open` opens volumes.
    OSError
        If the file cannot be read.
    """
    try:
        return Texture(_brickwork.open_texture(path))
    except _brickwork.FormatError as error:
        if opener(path) == "brickwork.volume.open":
            raise _brickwork.FormatError(f"{error}; brickwork.volume.open reads volumes") from None
        raise


class Texture:
    """A texture of blocks or plain texels: layers and faces with mip levels."""

    def __init__(self, texture: _brickwork.Texture, notes: Sequence[str] | None = None) -> None:
        self._texture = texture
        self._notes = tuple(texture.notes if notes is None else notes)
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
        """Name of the block format or plain format."""
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
    def alpha_mode(self) -> str:
        """Interpretation of alpha: "opaque", "straight" or "premultiplied"."""
        return self._texture.alpha_mode

    @property
    def nbytes(self) -> int:
        """Size of all blocks or plain texels in bytes."""
        return self._texture.byte_count

    @property
    def notes(self) -> tuple[str, ...]:
        """Facts that a user may not expect: channels that the format rounds, alpha that it cannot store, or
        faults of the file that its reader tolerated.
        """
        return self._notes

    @property
    def levels(self) -> tuple[npt.NDArray[np.uint8], ...]:
        """Blocks or plain texels of each mip level of the first layer and face, as bytes."""
        return tuple(self.blocks(mip_level=level) for level in range(self.mip_levels))

    def blocks(self, *, layer: int = 0, face: int = 0, mip_level: int = 0) -> npt.NDArray[np.uint8]:
        """Returns the blocks or plain texels of an image with all its slices, as bytes."""
        at = integer(layer, "layer"), integer(face, "face"), integer(mip_level, "mip_level")
        return np.frombuffer(self._texture.blocks(*at), np.uint8)

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
            uint8, uint16, float16 or float32. Default: float16 for BC6H, uint8 for other blocks, and the type
            of plain texels; that of rgb9e5 and rg11b10f is float16. Signed numbers become 0 to 1.
        threads
            Number of threads. Default: one per CPU core.
        """
        mip_level = integer(mip_level, "mip_level")
        if mip_level >= self.mip_levels:
            raise ValueError(f"mip_level is {mip_level}, but there are {self.mip_levels}")
        width, height, _ = self._texture.mip_level_size(mip_level)
        texels = np.empty((height, width, 4), dtype or _brickwork.decoded_type(self.format))
        self._texture.decode_into(
            texels,
            layer=integer(layer, "layer"),
            face=integer(face, "face"),
            mip_level=mip_level,
            slice=integer(slice, "slice"),
            threads=thread_count(threads),
        )
        return texels

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        zstd: int | None = None,
        dds_header: Literal["auto", "dx10", "legacy"] | None = None,
    ) -> None:
        """Writes a DDS or KTX2 file, by the name's extension, whole or not at all.

        Parameters
        ----------
        path
            Name of the file.
        overwrite
            True to replace an existing file.
        zstd
            Level of KTX2's Zstandard compression, 1 to 22. Default: none.
        dds_header
            Header of DDS files. Default: the legacy one if it states the whole texture, else that of
            Direct3D 10.

        Raises
        ------
        FileExistsError
            If the file exists and `overwrite` is false.
        ValueError
            If the extension is that of no container, or an option is for the other one.
        """
        settings = _settings({"zstd": zstd, "dds_header": dds_header})
        self._texture.save(path, flag(overwrite, "overwrite"), settings)

    def _repr_html_(self) -> str:
        # (Only notebooks need it.)
        from brickwork._images import THUMBNAIL, ratio, summary

        sides = f"{self.width}×{self.height}" + (f"×{self.depth}" if self.depth > 1 else "")
        others = {"layers": self.layers, "faces": self.faces, "mip levels": self.mip_levels}
        texels = self.decode(mip_level=self._level_for(THUMBNAIL))
        raw = self.width * self.height * self.depth * self.layers * self.faces * 4 * texels.itemsize
        rows = {
            "size": sides + "".join(f", {count} {name}" for name, count in others.items() if count > 1),
            "format": f"{self.format}, {'sRGB' if self.srgb else 'linear'}, alpha {self.alpha_mode}",
            "bytes": ratio(raw, self.nbytes) + " (RGBA, mip level 0)",
        }
        if texels.dtype == np.uint16:
            texels = texels >> 8
        elif texels.dtype != np.uint8:
            # Light above 1 is white.
            light = np.clip(np.nan_to_num(texels.astype(np.float32)), 0, 1)
            light[..., :3] **= 1 / 2.2
            texels = light * 255 + 0.5
        return summary("brickwork.Texture", rows, texels.astype(np.uint8))

    def _level_for(self, side: int) -> int:
        """Returns the smallest mip level that is at least as large, 0 if none is."""
        sizes = (max(self._texture.mip_level_size(level)[:2]) for level in range(self.mip_levels))
        return max((level for level, size in enumerate(sizes) if size >= side), default=0)

    def __repr__(self) -> str:
        return f"<brickwork.Texture {self.width}x{self.height} {self.format}, {self.mip_levels} mip levels>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self._texture.to_bytes(), self._notes)


def _unpickle(data: bytes, notes: tuple[str, ...] = ()) -> Texture:
    return Texture(_brickwork.Texture.from_bytes(data), notes)


def encode_blocks(
    array: npt.ArrayLike,
    format: str = "bc7",
    quality: Literal["ultrafast", "fast", "normal", "high", "best"] = "normal",
    *,
    threads: int | None = None,
    progress: _Progress | None = None,
) -> npt.NDArray[np.uint8]:
    """Encodes one image to blocks or plain texels, row by row.

    Parameters
    ----------
    array
        As `source` of `encode`.
    format, quality, threads, progress
        As for `encode`, without "auto".

    Returns
    -------
    numpy.ndarray
        Blocks or plain texels as bytes, of the shape (rows, columns, bytes of a block or texel).
    """
    texels = _texels(array, "array")
    height, width, _ = texels.shape
    block_width, block_height = _brickwork.block_extent(format)
    blocks = np.empty(_brickwork.block_bytes(format, width, height), np.uint8)
    _brickwork.encode_blocks(
        texels,
        blocks,
        format=format,
        quality=quality,
        threads=thread_count(threads),
        progress=progress,
    )
    return blocks.reshape(-(-height // block_height), -(-width // block_width), -1)


def decode_blocks(
    blocks: npt.ArrayLike,
    format: str,
    width: int,
    height: int,
    *,
    dtype: npt.DTypeLike | None = None,
    threads: int | None = None,
) -> npt.NDArray[Any]:
    """Decodes the blocks or plain texels of one image to RGBA texels of the shape (height, width, 4).

    Parameters
    ----------
    blocks
        Blocks or plain texels as bytes, row by row.
    format
        Block format or plain format.
    width, height
        Size of the image in texels.
    dtype
        uint8, uint16, float16 or float32. Default: as for `Texture.decode`.
    threads
        Number of threads. Default: one per CPU core.
    """
    # (NumPy takes bytes for text.)
    found = np.frombuffer(blocks, np.uint8) if isinstance(blocks, bytes) else unmasked(blocks, "blocks")
    if found.dtype != np.uint8:
        raise TypeError(f"blocks are bytes (uint8), not {found.dtype}")
    width, height = integer(width, "width", 1), integer(height, "height", 1)
    texels = np.empty((height, width, 4), dtype or _brickwork.decoded_type(format))
    threads = thread_count(threads)
    _brickwork.decode_blocks(np.ascontiguousarray(found).reshape(-1), texels, format=format, threads=threads)
    return texels


def _compared(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Returns the texels of two images whose metrics are those of 8 bits."""
    images = _texels(a, "a"), _texels(b, "b")
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
    errors, _ = _brickwork.compare_images(*_compared(a, b), threads=thread_count(threads))
    used = errors if flag(alpha, "alpha") else errors[:3]
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
    _, found = _brickwork.compare_images(first, second, threads=thread_count(threads))
    if found is None:
        raise ValueError(f"SSIM needs at least 11x11 texels; the image has {first.shape[1]}x{first.shape[0]}")
    return found
