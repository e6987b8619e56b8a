"""Python's file objects, such as those of fsspec, as bytes at any offset."""

from __future__ import annotations

import io
import threading
from typing import Any


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

    def __reduce__(self) -> tuple[type[Reader], tuple[Any]]:
        return Reader, (self._file,)
