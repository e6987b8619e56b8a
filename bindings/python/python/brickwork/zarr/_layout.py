"""Chunks of a Zarr array that uses the codec: shapes, keys, and bytes within shards."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from zarr.abc.store import RangeByteRequest, SuffixByteRequest
from zarr.codecs import ShardingCodec
from zarr.core.sync import sync

from brickwork.zarr._codec import BrickworkCodec

#: Coordinates of a chunk or shard.
Coords = tuple[int, ...]


class Layout:
    """Chunks and shards of an array.

    Raises
    ------
    ValueError
        If the array has problems, as `brickwork.zarr.check` reports them.
    """

    def __init__(self, array: Any) -> None:
        found = problems(array)
        if found:
            raise ValueError(f"{array.store_path}: {'; '.join(found)}")
        self.array = array
        self.shape: tuple[int, ...] = tuple(array.shape)
        #: Shape of chunks; those inside shards, if there are shards.
        self.chunk: tuple[int, ...] = tuple(array.chunks)
        self.shard: tuple[int, ...] | None = tuple(array.shards) if array.shards else None
        self.dtype: np.dtype[Any] = np.dtype(array.dtype).newbyteorder("=")
        codec = array.metadata.codecs[0]
        self._sharding = codec if self.shard else None
        self._per_shard = tuple(s // c for s, c in zip(self.shard or self.chunk, self.chunk))
        self._indices: dict[Coords, Any] = {}

    def key(self, coords: Coords) -> Any:
        """Returns the path of a shard, or of a chunk without shards."""
        return self.array.store_path / self.array.metadata.encode_chunk_key(coords)

    def objects(self) -> Iterator[Coords]:
        """Returns the coordinates of all shards, or of all chunks without shards."""
        sides = self.shard or self.chunk
        return itertools.product(*(range(-(-length // side)) for length, side in zip(self.shape, sides)))

    def inner(self, coords: Coords) -> Iterator[Coords]:
        """Returns the coordinates of the chunks of a shard, counted within the array."""
        ranges = (range(at * per, (at + 1) * per) for at, per in zip(coords, self._per_shard))
        return itertools.product(*ranges)

    async def getter(self, coords: Coords) -> Any:
        """Returns the bytes of a chunk, to get; None if a shard lacks it."""
        if self._sharding is None:
            return self.key(coords)
        shard = tuple(at // per for at, per in zip(coords, self._per_shard))
        if shard not in self._indices:
            self._indices[shard] = asyncio.ensure_future(
                self._sharding._load_shard_index_maybe(self.key(shard), self._per_shard)
            )
        index = await self._indices[shard]
        local = tuple(at % per for at, per in zip(coords, self._per_shard))
        span = None if index is None else index.get_chunk_slice(local)
        return None if span is None else InnerBytes(self.key(shard), local, *span)

    def getter_sync(self, coords: Coords) -> Any:
        """Returns the bytes of a chunk as `getter` does; not for the event loop's thread."""
        return self.key(coords) if self._sharding is None else sync(self.getter(coords))


class InnerBytes:
    """Bytes of a chunk within a shard."""

    def __init__(self, shard: Any, coords: Coords, first: int, end: int) -> None:
        self.shard = shard
        self.coords = coords
        self._first = first
        self._end = end

    def __str__(self) -> str:
        return f"{self.shard}, inner chunk {self.coords}"

    def _range(self, request: Any) -> RangeByteRequest:
        if isinstance(request, SuffixByteRequest):
            return RangeByteRequest(max(self._first, self._end - request.suffix), self._end)
        if isinstance(request, RangeByteRequest):
            return RangeByteRequest(self._first + request.start, min(self._first + request.end, self._end))
        return RangeByteRequest(self._first, self._end)

    async def get(self, prototype: Any, byte_range: Any = None) -> Any:
        """Returns bytes of the chunk."""
        return await self.shard.get(prototype=prototype, byte_range=self._range(byte_range))

    def get_sync(self, prototype: Any, byte_range: Any = None) -> Any:
        """Returns bytes of the chunk."""
        return self.shard.get_sync(prototype=prototype, byte_range=self._range(byte_range))


def problems(array: Any) -> list[str]:
    """Returns the reasons why the codec cannot decode parts of an array's chunks."""
    if array.metadata.zarr_format != 3:
        return ["the array has Zarr format 2; the codec brickwork is for format 3"]
    codecs = list(array.metadata.codecs)
    place = "array"
    if len(codecs) >= 1 and any(isinstance(codec, ShardingCodec) for codec in codecs):
        if len(codecs) > 1:
            names = [type(codec).__name__ for codec in codecs if not isinstance(codec, ShardingCodec)]
            return [f"other codecs than sharding prevent partial decoding of shards: {', '.join(names)}"]
        codecs, place = list(codecs[0].codecs), "shards"
    if not any(isinstance(codec, BrickworkCodec) for codec in codecs):
        return [
            f"the {place} do not use the codec brickwork"
            if place == "shards"
            else "the array does not use the codec brickwork"
        ]
    others = [type(codec).__name__ for codec in codecs if not isinstance(codec, BrickworkCodec)]
    if others:
        return [
            f"other codecs beside brickwork prevent partial decoding: {', '.join(others)}; "
            "create the array with compressors=None and filters=None"
        ]
    return []
