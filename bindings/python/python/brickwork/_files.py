"""Python's file objects, such as those of fsspec, as bytes at any offset."""

from __future__ import annotations

import io
import os
import threading
from typing import Any


class FormatWarning(UserWarning):
    """A part of a file that is left out, or read otherwise than its header states, or not stated."""

    __module__ = "brickwork.volume"


def is_url(text: str) -> bool:
    """True for a name with a scheme, such as "https://" or "simplecache::s3://"; not for "C:/"."""
    scheme, separator, _ = text.partition("://")
    return bool(separator) and len(scheme) > 1 and not set(scheme) & set("/\\.")


def open_url(url: str) -> Any:
    """Returns a seekable file object of fsspec, which fetches byte ranges."""
    try:
        import fsspec
    except ImportError:
        raise ImportError(f"{url}: URLs need the package fsspec (pip install fsspec aiohttp)") from None
    return fsspec.open(url, "rb").open()


def opener(path: str | os.PathLike[str]) -> str | None:
    """Returns the function that opens a `.bwv`, DDS or KTX2 file, by its first bytes; None for others."""
    try:
        with open(path, "rb") as file:
            start = file.read(12)
    except OSError:
        return None
    if start.startswith(b"\x89BWV"):
        return "brickwork.volume.open"
    return "brickwork.open" if start.startswith((b"DDS ", b"\xabKTX 20")) else None


class Reader:
    """Reads a seekable binary file object at any offset, from any thread.

    It pickles if the object does, as those of fsspec do.
    """

    def __init__(self, file: Any) -> None:
        for method in ("read", "seek"):
            if not callable(getattr(file, method, None)):
                raise TypeError(f"a path, bytes or a binary file object is needed, not {type(file).__name__}")
        if isinstance(file, io.TextIOBase):
            raise TypeError("the file is open as text; open it with mode 'rb'")
        self._file = file
        self._lock = threading.Lock()

    def byte_count(self) -> int:
        """Returns the size of the file."""
        with self._lock:
            end = self._file.seek(0, io.SEEK_END)
            # (`mmap.seek` returns None before Python 3.13.)
            return int(self._file.tell() if end is None else end)

    def read_at(self, offset: int, count: int) -> bytes:
        """Returns up to `count` bytes from `offset` on, fewer only at the end of the file."""
        parts = []
        with self._lock:
            self._file.seek(offset)
            while count > 0:
                part = self._file.read(count)
                if not part:
                    break
                parts.append(bytes(part))
                count -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def __dask_tokenize__(self) -> object:
        # (Files of fsspec have a file system and a path there.)
        fs, path = getattr(self._file, "fs", None), getattr(self._file, "path", None)
        return os.urandom(16).hex() if fs is None or path is None else (fs, path, fs.ukey(path))

    def __reduce__(self) -> tuple[type[Reader], tuple[Any]]:
        return Reader, (self._file,)
