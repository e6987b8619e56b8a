"""Reads through zarr-python: `array[...]` and `read_boxes`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr.codecs import BloscCodec

from brickwork.zarr import create_array, read, read_boxes
from scans import Scan, origins
from table import table
from timing import interleaved

WINDOWS = 1000
SIDES = (64, 128)


def measure(scan: Scan, folder: Path, rounds: int) -> str:
    """Returns a table of CPU times."""
    rows = []
    for side in SIDES:
        # (Shuffle and bitshuffle take the same time here: most of it is zarr's.)
        blosc = zarr.create_array(
            folder / f"blosc-{side}",
            data=scan.voxels,
            chunks=(side,) * 3,
            compressors=BloscCodec(cname="zstd", clevel=5, shuffle="bitshuffle"),
        )
        ours = create_array(folder / f"ours-{side}", data=scan.voxels, chunks=(side,) * 3)
        where = origins(scan.voxels.shape, 8, WINDOWS)
        works = {
            "blosc": lambda array=blosc: _windows(array, where),
            "ours": lambda array=ours: _windows(array, where),
            "boxes": lambda array=ours: read_boxes(array, where, (8, 8, 8)),
        }
        expected = works["blosc"]()
        for name in ("ours", "boxes"):
            if not np.array_equal(works[name](), expected):
                raise ValueError(f"{name} reads other voxels")
        least = interleaved(works, rounds)
        part = (slice(0, 256),) + (slice(None),) * 2
        out = np.zeros_like(scan.voxels[part])
        full = interleaved(
            {
                "blosc": lambda array=blosc: array[part],
                "ours": lambda array=ours: array[part],
                "read": lambda array=ours: read(array, part, out, threads=1),
            },
            rounds,
        )
        byte_count = out.nbytes / 1e6
        for name, window, whole in (
            ("Blosc zstd-5 bitshuffle, `z[...]`", least["blosc"], full["blosc"]),
            ("brickwork, `z[...]`", least["ours"], full["ours"]),
            ("brickwork, `read_boxes` and `read`", least["boxes"], full["read"]),
        ):
            rows.append([f"{side}³: {name}", f"{WINDOWS / window:,.0f}", f"{byte_count / whole:,.0f}"])
    return table(["chunks, reads", "8³ windows/s", "slices MB/s"], rows)


def _windows(array: Any, where: Any) -> Any:
    found = np.empty((len(where), 8, 8, 8), array.dtype)
    for window, (z, y, x) in zip(found, where.tolist()):
        window[...] = array[z : z + 8, y : y + 8, x : x + 8]
    return found


def pipeline() -> str:
    """Returns the name of zarr-python's codec pipeline."""
    path: str = zarr.config.get("codec_pipeline.path")
    return path.rsplit(".", 1)[-1]
