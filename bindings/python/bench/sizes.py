"""Sizes of all chunks by all codecs, and the bytes that a chunk has beyond its parts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import zarr

from brickwork import chunk
from brickwork.zarr import create_array
from peers import BRICKS, Codec, codecs
from scans import Scan, chunks, parts
from table import Goal, at_most, table

SIDES = (64, 128)


@dataclass
class Sizes:
    """Bits per voxel by side, scan and codec; the sizes of bricks that are chosen; notes."""

    bits: dict[tuple[int, str, str], float] = field(default_factory=dict)
    chosen: dict[tuple[int, str], str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def measure(found: Sequence[Scan]) -> Sizes:
    """Encodes and decodes all chunks of all scans; the voxels are compared."""
    sizes = Sizes()
    for scan in found:
        listed, missing = codecs(labels=scan.is_labels)
        sizes.notes += [f"{scan.name}: no {name}: {why}" for name, why in missing.items()]
        for side in SIDES:
            if max(scan.voxels.shape) < side:
                continue
            brick = _chosen(scan.voxels, side)
            sizes.chosen[side, scan.name] = brick
            stored = chunks(scan.voxels, side)
            for codec in listed:
                bits = _bits(codec, scan, stored)
                sizes.bits[side, scan.name, codec.name] = bits
                print(f"{scan.name} {side}³ {codec.name}: {bits:.3f}", file=sys.stderr, flush=True)
            sizes.bits[side, scan.name, "brickwork auto"] = sizes.bits[side, scan.name, f"brickwork {brick}"]
    return sizes


def _chosen(voxels: npt.NDArray[Any], side: int) -> str:
    """The size of bricks that `create_array` chooses."""
    array = create_array(
        zarr.storage.MemoryStore(),
        shape=voxels.shape,
        dtype=voxels.dtype,
        chunks=(side,) * 3,
        sample=voxels,
    )
    brick: str = array.metadata.codecs[0].brick
    return brick


def _bits(codec: Codec, scan: Scan, stored: dict[Any, npt.NDArray[Any]]) -> float:
    """Bits per voxel of the scan."""
    byte_count = 0
    out = np.empty_like(next(iter(stored.values())))
    for voxels in stored.values():
        data = codec.encode(voxels)
        byte_count += len(data)
        out.fill(1)
        codec.decode(data, out)
        if out.tobytes() != voxels.tobytes():
            raise ValueError(f"{codec.name} changes voxels of {scan.name}")
    return 8 * byte_count / scan.voxels.size


def tables(sizes: Sizes, found: Sequence[Scan]) -> str:
    """Returns a table for each side, a codec per row. The smallest size of each scan is bold."""
    out = []
    for side in SIDES:
        names = [scan.name for scan in found if (side, scan.name) in sizes.chosen]
        rows: dict[str, list[str]] = {}
        for codec in dict.fromkeys(codec for _, _, codec in sizes.bits):
            cells = []
            for name in names:
                bits = sizes.bits.get((side, name, codec))
                smallest = min(one for (at, of, _), one in sizes.bits.items() if (at, of) == (side, name))
                text = "–" if bits is None else f"{bits:.3f}"
                cells.append(f"**{text}**" if bits == smallest else text)
            rows[codec] = [codec, *cells]
        # Ours are last.
        ordered = sorted(rows, key=lambda codec: codec.startswith("brickwork"))
        out.append(
            f"Chunks of {side}³, bits per voxel:\n\n" + table(["codec", *names], [rows[c] for c in ordered])
        )
    return "\n\n".join(out)


def goals(sizes: Sizes, found: Sequence[Scan]) -> list[Goal]:
    """Returns the goals of sizes."""
    out = []
    for side in SIDES:
        for scan in found:
            if (side, scan.name) not in sizes.chosen:
                continue
            peers = {
                codec: bits
                for (at, of, codec), bits in sizes.bits.items()
                if (at, of) == (side, scan.name) and not codec.startswith("brickwork")
            }
            best = min(peers, key=lambda codec: peers[codec])
            ours = sizes.bits[side, scan.name, "brickwork auto"]
            label = f"{scan.name}, {side}³: bits per voxel, at most those of the best peer ({best})"
            out.append(at_most(label, round(peers[best], 3), ours, digits=3))
    fixed = {("bunny", 64): 4.41, ("bunny", 128): 4.45, ("mri_sag", 64): 4.1, ("aal", 64): 0.12}
    for (name, side), most in fixed.items():
        bits = sizes.bits.get((side, name, "brickwork auto"))
        if bits is not None:
            out.append(at_most(f"{name}, {side}³: bits per voxel", most, bits, digits=3))
    return out


def overhead(found: Sequence[Scan]) -> list[Goal]:
    """Returns the goals of bytes beyond the parts of a chunk, which name the worst case."""
    beyond = edge = (-(10**9), "")
    for scan in found:
        for side in SIDES:
            for _, part in parts(scan.voxels, side):
                if not part.any():
                    continue
                for brick in BRICKS:
                    padded = np.zeros((side,) * 3, part.dtype)
                    padded[tuple(map(slice, part.shape))] = part
                    data = chunk.encode(padded, brick=brick)
                    case = f"{scan.name}, {side}³, bricks {brick}"
                    if part.shape == padded.shape:
                        count = _beyond(data) - 24 - 12 * _inner_chunks(side, brick)
                        beyond = max(beyond, (count, case))
                    else:
                        edge = max(edge, (len(data) - len(chunk.encode(part, brick=brick)), case))
    out = []
    for (count, case), limit, name in [
        (beyond, 0, "bytes of a chunk beyond parts and 24 + 12 per inner chunk, worst of all"),
        (edge, 16, "bytes of an edge chunk beyond its inside encoded alone, worst of all"),
    ]:
        if case:
            out.append(at_most(f"{name} ({case})", limit, count, digits=0))
    for scan in found:
        if scan.is_labels:
            data_of = [chunk.encode(one, brick="8") for one in chunks(scan.voxels, 64).values()]
            share = 100 * sum(map(_beyond, data_of)) / sum(map(len, data_of))
            out.append(at_most(f"{scan.name}, 64³, bricks 8: bytes beyond parts", 2, share, " %"))
    return out


def _beyond(data: bytes) -> int:
    """Bytes of a chunk that are not its parts: its version, index and end (docs/zarr-codec.md)."""
    length = data[-1] >> 4
    return 1 + int.from_bytes(data[-1 - length : -1], "little") + 4 + length + 1


def _inner_chunks(side: int, brick: str) -> int:
    """Number of inner chunks of a cube (docs/volume-format.md)."""
    superblock = {"4": (16, 16, 16), "8": (32, 32, 32), "16x16x1": (64, 64, 4)}[brick]
    whole = [-(-side // length) for length in superblock]
    inner = [1, 1, 1]
    for _ in range(3):
        thin = [axis for axis in range(3) if inner[axis] < whole[axis]]
        if thin:
            inner[min(thin, key=lambda axis: inner[axis])] *= 2
    count = 1
    for one, length in zip(whole, inner):
        count *= -(-one // length)
    return count
