"""Extension module. The package's Python code documents and checks what it passes."""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, final

import numpy as np
import numpy.typing as npt

__all__ = ["AnyVolume", "FormatError", "Header", "VolumeFile", "compress", "open_volume"]

_Progress = Callable[[str, int, int], object]

class _Reader(Protocol):
    def byte_count(self) -> int: ...
    def read_at(self, offset: int, count: int) -> bytes: ...

class FormatError(ValueError): ...

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
    def format(self) -> str: ...
    def read_into(self, out: npt.NDArray[Any], *, progress: _Progress | None) -> None: ...

def open_volume(path: str | PathLike[str]) -> AnyVolume: ...
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
