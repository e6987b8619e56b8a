"""Extension module. The package's Python code documents and checks what it passes."""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Protocol, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "__version__",
    "AnyVolume",
    "ChunkReader",
    "FormatError",
    "Header",
    "Scene",
    "Texture",
    "VolumeFile",
    "block_bytes",
    "block_extent",
    "brick_sizes",
    "bricks_decoded",
    "compare_images",
    "compress",
    "convert",
    "decode_blocks",
    "decode_chunk",
    "decode_chunk_file",
    "decoded_type",
    "encode",
    "encode_blocks",
    "encode_chunk",
    "is_bwv_name",
    "is_zarr_name",
    "open_texture",
    "open_volume",
    "open_scene",
    "png",
    "save_png",
    "slice",
    "statistics",
]

_Progress = Callable[[str, int, int], object]

class _Reader(Protocol):
    def byte_count(self) -> int: ...
    def read_at(self, offset: int, count: int) -> bytes: ...

class FormatError(ValueError): ...

__version__: str

@final
class Header:
    @property
    def dtype(self) -> str: ...
    def shape(self, mip_level: int) -> tuple[int, int, int, int, int]: ...
    @property
    def mip_levels(self) -> int: ...
    @property
    def brick(self) -> str: ...
    @property
    def labels(self) -> bool: ...
    @property
    def spacing(self) -> tuple[float, float, float]: ...
    @property
    def frame_spacing(self) -> float: ...
    @property
    def origin(self) -> list[float]: ...
    @property
    def directions(self) -> list[list[float]]: ...
    @property
    def metadata(self) -> str: ...
    def at_level(self, mip_level: int) -> Header: ...
    @property
    def rescale(self) -> tuple[float, float] | None: ...

@final
class VolumeFile:
    @staticmethod
    def from_path(path: str | PathLike[str]) -> VolumeFile: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> VolumeFile: ...
    @staticmethod
    def from_reader(reader: _Reader) -> VolumeFile: ...
    @property
    def header(self) -> Header: ...
    @property
    def file_bytes(self) -> int: ...
    @property
    def slab_depth(self) -> int: ...
    @property
    def path(self) -> Path | None: ...
    @property
    def reader(self) -> Any: ...
    def read_into(
        self,
        out: npt.NDArray[Any],
        *,
        mip_level: int,
        frames: tuple[int, int],
        z: tuple[int, int],
        y: tuple[int, int],
        x: tuple[int, int],
        channel: int | None,
        threads: int | None,
        progress: _Progress | None,
    ) -> None: ...
    def windows_into(
        self,
        out: npt.NDArray[Any],
        origins: npt.NDArray[np.uint64],
        dims: tuple[int, int, int],
        *,
        mip_level: int,
        threads: int | None,
        progress: _Progress | None,
    ) -> None: ...
    def verify(self, *, threads: int | None, progress: _Progress | None) -> list[str]: ...
    def to_bytes(self) -> bytes: ...
    def save(self, path: str | PathLike[str], overwrite: bool) -> None: ...

@final
class AnyVolume:
    @property
    def header(self) -> Header: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def format(self) -> str: ...
    def read_into(self, out: npt.NDArray[Any], *, progress: _Progress | None) -> None: ...

def is_bwv_name(path: str | PathLike[str]) -> bool: ...
def is_zarr_name(path: str | PathLike[str]) -> bool: ...
def convert(
    source: str | PathLike[str], path: str | PathLike[str], mip_level: int, overwrite: bool
) -> list[str]: ...
def open_volume(
    path: str | PathLike[str],
    *,
    series: str | None,
    array: str | None,
    allow_gaps: bool,
    axes: str | None,
    level: int,
    frame: int | None,
    channel: int | None,
    rescale: bool,
    progress: _Progress | None,
) -> AnyVolume: ...
@final
class Scene:
    @property
    def count(self) -> int: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def device(self) -> str: ...
    def render(
        self, index: int, *, threads: int | None, progress: _Progress | None
    ) -> tuple[int, int, bytes]: ...

_Labels = tuple[VolumeFile | str | PathLike[str], Sequence[tuple[str, str]]]

def open_scene(
    source: VolumeFile | str | PathLike[str],
    settings: Sequence[tuple[str, str]],
    labels: _Labels | None,
    device: str,
    *,
    threads: int | None,
    progress: _Progress | None,
) -> Scene: ...
def slice(
    source: VolumeFile | str | PathLike[str],
    settings: Sequence[tuple[str, str]],
    labels: _Labels | None,
    *,
    index: int | None,
    mip_level: int,
    frame: int,
    threads: int | None,
    progress: _Progress | None,
) -> tuple[int, int, int, bytes, list[float] | None, list[str]]: ...
def png(
    bytes: bytes, width: int, height: int, channels: int, millimetres: tuple[float, float] | None
) -> bytes: ...
def save_png(
    path: str | PathLike[str],
    overwrite: bool,
    bytes: bytes,
    width: int,
    height: int,
    channels: int,
    millimetres: tuple[float, float] | None,
) -> None: ...

_Values = tuple[int, int, int, tuple[float, float, float, float, list[float]] | None]
_Label = tuple[int, int, float, list[list[int]], list[float], list[float], _Values | None]
_Part = tuple[int, int, _Values, tuple[list[float], list[int]] | None, list[_Label]]

def statistics(
    file: VolumeFile,
    labels: tuple[VolumeFile, int] | npt.NDArray[Any] | None,
    *,
    mip_level: int,
    percentiles: Sequence[float],
    bins: int | None,
    range: tuple[float, float] | None,
    stored: bool,
    threads: int | None,
    progress: _Progress | None,
) -> list[_Part]: ...
def compress(
    array: npt.NDArray[np.generic],
    *,
    brick: str,
    labels: bool,
    mip_levels: int,
    spacing: Sequence[float],
    frame_spacing: float,
    origin: Sequence[float],
    directions: Sequence[Sequence[float]],
    metadata: str,
    threads: int | None,
    progress: _Progress | None,
) -> VolumeFile: ...

def encode_chunk(array: npt.NDArray[Any], *, brick: str, fill: int) -> bytes: ...
def brick_sizes(array: npt.NDArray[Any]) -> list[tuple[Literal["4", "8", "16x16x1"], float]]: ...
def decode_chunk(
    data: npt.NDArray[np.uint8],
    sides: tuple[int, int, int],
    out: npt.NDArray[Any],
    out_sides: tuple[int, int, int],
    boxes: npt.NDArray[np.uint64],
    places: npt.NDArray[np.uint64],
) -> None: ...
def decode_chunk_file(
    path: str,
    sides: tuple[int, int, int],
    out: npt.NDArray[Any],
    out_sides: tuple[int, int, int],
    boxes: npt.NDArray[np.uint64],
    places: npt.NDArray[np.uint64],
) -> bool: ...
def bricks_decoded() -> int: ...

@final
class ChunkReader:
    def __new__(cls, last: bytes, sides: tuple[int, int, int], dtype: str) -> ChunkReader: ...
    @staticmethod
    def suffix_bytes(last: bytes) -> int | None: ...
    @property
    def byte_count(self) -> int: ...
    @property
    def brick(self) -> str: ...
    def ranges(self, boxes: npt.NDArray[np.uint64]) -> list[tuple[int, int]]: ...
    def supply(self, offset: int, bytes: bytes) -> None: ...
    def decode(
        self,
        out: npt.NDArray[Any],
        out_sides: tuple[int, int, int],
        boxes: npt.NDArray[np.uint64],
        places: npt.NDArray[np.uint64],
    ) -> None: ...

@final
class Texture:
    @staticmethod
    def from_bytes(bytes: bytes) -> Texture: ...
    def to_bytes(self) -> bytes: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def format(self) -> str: ...
    @property
    def counts(self) -> tuple[int, int, int, int, int, int]: ...
    def mip_level_size(self, mip_level: int) -> list[int]: ...
    @property
    def srgb(self) -> bool: ...
    @property
    def alpha_mode(self) -> str: ...
    def blocks(self, layer: int, face: int, level: int) -> bytes: ...
    @property
    def byte_count(self) -> int: ...
    def decode_into(
        self,
        out: npt.NDArray[Any],
        *,
        layer: int,
        face: int,
        mip_level: int,
        slice: int,
        threads: int | None,
    ) -> None: ...
    def save(
        self, path: str | PathLike[str], overwrite: bool, settings: Sequence[tuple[str, str]]
    ) -> None: ...

def encode(
    sources: Sequence[npt.NDArray[Any] | str],
    names: Sequence[str],
    settings: Sequence[tuple[str, str]],
    *,
    channels: Sequence[tuple[str, str]],
    levels: int,
    roughness: bool,
    max_memory: int,
    threads: int | None,
    progress: _Progress | None,
) -> Texture: ...
def open_texture(path: str | PathLike[str]) -> Texture: ...
def block_bytes(format: str, width: int, height: int) -> int: ...
def block_extent(format: str) -> tuple[int, int]: ...
def decoded_type(format: str) -> str: ...
def encode_blocks(
    array: npt.NDArray[Any],
    blocks: npt.NDArray[np.uint8],
    *,
    format: str,
    quality: str,
    threads: int | None,
    progress: _Progress | None,
) -> None: ...
def decode_blocks(
    blocks: npt.NDArray[np.uint8], out: npt.NDArray[Any], *, format: str, threads: int | None
) -> None: ...
def compare_images(
    a: npt.NDArray[Any], b: npt.NDArray[Any], *, threads: int | None
) -> tuple[list[float], float | None]: ...
