"""Sizes of all chunks by all codecs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from peers import Codec, codecs
from scans import Scan, chunks
from table import table

SIDE = 64


@dataclass
class Sizes:
    """Bits per voxel by scan and codec; notes."""

    bits: dict[tuple[str, str], float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def measure(found: Sequence[Scan]) -> Sizes:
    """Encodes and decodes all chunks of all scans; the voxels are compared."""
    sizes = Sizes()
    for scan in found:
        listed, missing = codecs(labels=scan.is_labels)
        sizes.notes += [f"{scan.name}: no {name}: {why}" for name, why in missing.items()]
        stored = chunks(scan.voxels, SIDE)
        for codec in listed:
            bits = _bits(codec, scan, stored)
            sizes.bits[scan.name, codec.name] = bits
            print(f"{scan.name} {codec.name}: {bits:.3f}", file=sys.stderr, flush=True)
    return sizes


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


def to_table(sizes: Sizes, found: Sequence[Scan]) -> str:
    """Returns a table with a codec per row. The smallest size of each scan is bold."""
    rows: dict[str, list[str]] = {}
    for codec in dict.fromkeys(codec for _, codec in sizes.bits):
        cells = []
        for scan in found:
            bits = sizes.bits.get((scan.name, codec))
            smallest = min(one for (of, _), one in sizes.bits.items() if of == scan.name)
            text = "–" if bits is None else f"{bits:.3f}"
            cells.append(f"**{text}**" if bits == smallest else text)
        rows[codec] = [codec, *cells]
    # Ours are last.
    ordered = sorted(rows, key=lambda codec: codec.startswith("brickwork"))
    head = ["codec", *(scan.name for scan in found)]
    return f"Chunks of {SIDE}³, bits per voxel:\n\n" + table(head, [rows[codec] for codec in ordered])
