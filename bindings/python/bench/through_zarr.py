"""Reads through zarr-python: `array[...]`, `read_boxes`, and single windows of large chunks in a folder."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr.codecs import BloscCodec

from brickwork.zarr import create_array, read, read_boxes
from scans import Scan, origins
from table import Goal, at_least, at_most, table
from timing import interleaved

WINDOWS = 1000
SIDES = (64, 128)


def measure(scan: Scan, folder: Path, rounds: int) -> tuple[str, list[Goal]]:
    """Returns a table of CPU times, and the goals."""
    rows, goals = [], []
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
        most = {64: (1.6, 20), 128: (4, 70)}[side]
        at = f"{scan.name}, {side}³"
        goals += [
            at_least(f"{at}: windows by `z[...]`, speed ÷ Blosc", most[0], least["blosc"] / least["ours"]),
            at_least(
                f"{at}: windows by `read_boxes`, speed ÷ Blosc by `z[...]`",
                most[1],
                least["blosc"] / least["boxes"],
                digits=1,
            ),
        ]
    goals.append(_large_chunk(scan, folder, rounds))
    return table(["chunks, reads", "8³ windows/s", "slices MB/s"], rows), goals


def _windows(array: Any, where: Any) -> Any:
    found = np.empty((len(where), 8, 8, 8), array.dtype)
    for window, (z, y, x) in zip(found, where.tolist()):
        window[...] = array[z : z + 8, y : y + 8, x : x + 8]
    return found


def _large_chunk(scan: Scan, folder: Path, rounds: int) -> Goal:
    """A window of a chunk of 256³, relative to a stored chunk of 8³."""
    voxels = scan.voxels[:256, :256, :256]
    ours = create_array(folder / "large", data=voxels, chunks=(256,) * 3)
    plain = zarr.create_array(
        folder / "plain", shape=voxels.shape, dtype=voxels.dtype, chunks=(8,) * 3, compressors=None
    )
    # Aligned to the small chunks, and not empty: those are not stored.
    corners = np.random.default_rng(2).permutation(
        [c for c in itertools.product(*(range(0, side - 7, 8) for side in voxels.shape)) if voxels[c]]
    )[:200]
    for z, y, x in corners.tolist():
        box = (slice(z, z + 8), slice(y, y + 8), slice(x, x + 8))
        plain[box] = voxels[box]
    least = interleaved(
        {
            "ours": lambda: _windows(ours, corners),
            "plain": lambda: _windows(plain, corners),
        },
        rounds + 2,
    )
    name = f"{scan.name}: a window of a chunk of 256³ in a folder, time ÷ an uncompressed chunk of 8³"
    return at_most(name, 1.3, least["ours"] / least["plain"])


def pipeline() -> str:
    """Returns the name of zarr-python's codec pipeline."""
    path: str = zarr.config.get("codec_pipeline.path")
    return path.rsplit(".", 1)[-1]
