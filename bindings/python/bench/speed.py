"""Speed of codecs on the chunks of one scan, in memory."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from peers import Codec, codecs, windows
from scans import Scan, chunks, origins
from table import table
from timing import interleaved

#: Chunks that are encoded and decoded, and windows of one measurement.
BYTES = 1 << 25
WINDOWS = 1000
WINDOW = (8, 8, 8)

BLOSC = "Blosc zstd-5 bitshuffle"


class Speeds:
    """CPU seconds of codecs on chunks of one side: bytes per second, and windows per second."""

    def __init__(self, scan: Scan, side: int, rounds: int) -> None:
        voxels = chunks(scan.voxels, side)
        listed, _ = codecs(labels=scan.is_labels)
        step = max(len(voxels) * side**3 * scan.voxels.itemsize // BYTES, 1)
        sample = list(voxels)[::step]
        self.side = side
        self.names = [codec.name for codec in listed]
        self.byte_count = len(sample) * side**3 * scan.voxels.itemsize
        fast = [codec for codec in listed if not codec.is_slow]
        stored: dict[str, dict[Any, Any]] = {}
        encode = {}
        for codec in listed:
            keys = list(voxels) if codec in fast else sample
            stored[codec.name] = {key: codec.encode(voxels[key]) for key in keys}
            print(f"{side}³ {codec.name}: encoded", file=sys.stderr, flush=True)
            encode[codec.name] = lambda codec=codec: [codec.encode(voxels[key]) for key in sample]
        out = np.empty((side,) * 3, scan.voxels.dtype)
        decode = {
            codec.name: lambda codec=codec: [codec.decode(stored[codec.name][key], out) for key in sample]
            for codec in listed
        }
        self.encode = interleaved(encode, 1)
        self.decode = interleaved(decode, 1) | interleaved({c.name: decode[c.name] for c in fast}, rounds)
        where = origins(scan.voxels.shape, WINDOW[0], WINDOWS)
        found = np.empty((WINDOWS, *WINDOW), scan.voxels.dtype)
        read = {
            codec.name: lambda codec=codec: windows(codec, stored[codec.name], side, where, found)
            for codec in fast
        }
        for codec in fast:
            found.fill(1)
            read[codec.name]()
            _check(codec, scan, where, found)
        self.windows = interleaved(read, rounds)

    def table(self) -> str:
        """Returns a row per codec."""
        rows = []
        for name in self.names:
            window = self.windows.get(name)
            rows.append(
                [
                    name,
                    f"{self.byte_count / self.encode[name] / 1e6:,.0f}",
                    f"{self.byte_count / self.decode[name] / 1e6:,.0f}",
                    f"{self.decode[BLOSC] / self.decode[name]:.2f}",
                    "–" if window is None else f"{self.windows[BLOSC] / window:.2f}",
                ]
            )
        head = ["codec", "encode MB/s", "decode MB/s", "÷ Blosc", "8³ windows ÷ Blosc"]
        return f"Chunks of {self.side}³:\n\n" + table(head, rows)


def _check(codec: Codec, scan: Scan, where: Any, found: Any) -> None:
    for (z, y, x), window in zip(where.tolist(), found):
        if not np.array_equal(window, scan.voxels[z : z + 8, y : y + 8, x : x + 8]):
            raise ValueError(f"{codec.name} reads other voxels at {z}, {y}, {x}")
