"""Checks of whole arrays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from zarr.core.buffer import default_buffer_prototype
from zarr.core.config import config
from zarr.core.sync import sync

from brickwork import FormatError, chunk
from brickwork.zarr._layout import Coords, Layout, problems


@dataclass(frozen=True)
class Damage:
    """A damaged chunk.

    Attributes
    ----------
    key
        Key of the object in the store.
    inner
        Coordinates of the chunk in its shard, or None for a whole object.
    reason
        The fault.
    """

    key: str
    inner: Coords | None
    reason: str

    def __str__(self) -> str:
        inner = "" if self.inner is None else f", inner chunk {self.inner}"
        return f"{self.key}{inner}: {self.reason}"


def check(array: Any) -> list[str]:
    """Returns the reasons why reading parts of a Zarr array is slow or impossible; none for a good array.

    Other codecs before or after `brickwork` switch partial decoding off, silently: Zarr's own `create_array`
    adds a compressor if it is not called with `compressors=None`.
    """
    return problems(array)


def verify(array: Any, *, progress: Callable[[int, int], object] | None = None) -> list[Damage]:
    """Reads and decodes every chunk, and returns those that are damaged.

    Parameters
    ----------
    array
        A `zarr.Array` that uses the codec.
    progress
        Called with the numbers of objects done and in total. An exception stops the work.

    Raises
    ------
    ValueError
        If the array does not use the codec.
    """
    layout = Layout(array)
    objects = list(layout.objects())
    damages: list[Damage] = []
    batch = 4 * (config.get("async.concurrency") or 10)
    for first in range(0, len(objects), batch):
        for found in sync(_verify_all(layout, objects[first : first + batch])):
            damages += found
        if progress is not None:
            progress(min(first + batch, len(objects)), len(objects))
    return damages


async def _verify_all(layout: Layout, objects: list[Coords]) -> list[list[Damage]]:
    limit = asyncio.Semaphore(config.get("async.concurrency") or 10)

    async def one(coords: Coords) -> list[Damage]:
        async with limit:
            return await _verify_object(layout, coords)

    return await asyncio.gather(*map(one, objects))


async def _verify_object(layout: Layout, coords: Coords) -> list[Damage]:
    key = layout.key(coords)
    if layout.shard is None:
        return await _verify_chunk(layout, key, key.path, None)
    damages = []
    for inner in layout.inner(coords):
        try:
            getter = await layout.getter(inner)
        except ValueError as error:  # (Others are the store's own.)
            return [Damage(key.path, None, f"the shard's index is damaged: {error}")]
        if getter is not None:
            damages += await _verify_chunk(layout, getter, key.path, getter.coords)
    return damages


async def _verify_chunk(layout: Layout, getter: Any, key: str, inner: Coords | None) -> list[Damage]:
    data = await getter.get(prototype=default_buffer_prototype())
    if data is None:
        return []
    try:
        await asyncio.to_thread(_decode, data.as_numpy_array(), layout)
    except FormatError as error:
        return [Damage(key, inner, str(error))]
    return []


def _decode(data: npt.NDArray[np.uint8], layout: Layout) -> None:
    chunk.decode(data, layout.chunk, layout.dtype)
