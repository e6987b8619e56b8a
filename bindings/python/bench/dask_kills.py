"""Kills workers of a Dask cluster with SIGKILL. Every object must be the one of a serial run.

python dask_kills.py [--runs 10] [--kills 3] [--limit-mb 300] [--source-mb 1300]

Two workers on the loopback interface, one thread each. The source has at least twice the sum of the workers'
memory limits, unless it is set. Prints a table. The exit status is 1 if an object differs, a file is left, a
worker exceeds its limit or its memory was not seen, or fewer workers were killed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import zarr
from dask.distributed import Client, LocalCluster

from brickwork.dask import compress_zarr

SIDE = 128
WORKERS = 2


def slab(depth: int, first: int) -> npt.NDArray[np.uint16]:
    """Returns slices of a noisy scan."""
    z, y, x = np.indices((depth, 4 * SIDE, 4 * SIDE), dtype=np.float32)
    noise = np.random.default_rng(first).integers(0, 20, x.shape)
    scan = 1000 + 300 * np.sin(x / 9) * np.cos(y / 11) + 4 * ((z + first) % 500) + noise
    return np.asarray(scan, np.uint16)


def make_source(path: Path, megabytes: int) -> int:
    """Writes an array of at least this size. Returns its bytes."""
    rows = -(-megabytes * 1_000_000 // (2 * SIDE * (4 * SIDE) ** 2))
    shape = (rows * SIDE, 4 * SIDE, 4 * SIDE)
    # (64³ chunks: a task reads eight of them.)
    array = zarr.create_array(path, shape=shape, dtype="u2", chunks=(64,) * 3)
    for row in range(rows):
        array[row * SIDE : (row + 1) * SIDE] = slab(SIDE, row * SIDE)
    return int(np.prod(shape)) * 2


def sums(folder: Path) -> dict[str, str]:
    """Returns the SHA-256 of every file of a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                found[str(path.relative_to(folder))] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


class Peaks:
    """Peak memory of the processes that this one starts, by polling VmHWM.

    (ru_maxrss is no use: a child inherits its parent's.)
    """

    def __init__(self) -> None:
        self.bytes: dict[int, int] = {}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._poll)

    def __enter__(self) -> Peaks:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _poll(self) -> None:
        while not self._is_over.wait(0.02):
            for thread in os.listdir("/proc/self/task"):
                try:
                    children = Path(f"/proc/self/task/{thread}/children").read_text().split()
                except OSError:
                    continue
                for pid in map(int, children):
                    self._read(pid)

    def _read(self, pid: int) -> None:
        try:
            found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())
        except OSError:
            return
        if found:
            # It grows. (The first value may be the parent's, before the child executes its program.)
            self.bytes[pid] = int(found[1]) * 1024


def run(source: Path, target: Path, kills: int, limit: int, seed: int, total: int) -> dict[str, Any]:
    """Compresses on a cluster whose workers are killed. Returns the figures of the run."""
    chooser = random.Random(seed)
    moments = sorted(chooser.sample(range(1, max(total - 2, kills + 1)), kills))
    killed: list[int] = []
    start = time.monotonic()
    options = {"host": "127.0.0.1", "protocol": "tcp://", "dashboard_address": None}
    with Peaks() as peaks:
        with LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, memory_limit=limit, **options
        ) as cluster:
            with Client(cluster) as client:

                def progress(done: int, total: int) -> None:
                    if done in moments:
                        pids = client.run(os.getpid, on_error="ignore") or {}
                        if pids:
                            pid = chooser.choice(sorted(pids.values()))
                            os.kill(pid, signal.SIGKILL)
                            killed.append(pid)

                compress_zarr(source, target, chunks=(SIDE,) * 3, client=client, progress=progress)
                pids = set(killed) | set(client.run(os.getpid).values())
    return {
        "moments": moments,
        "killed": len(set(killed)),
        # (A worker whose memory was not seen is above every limit.)
        "peak": max(peaks.bytes.get(pid, sys.maxsize) for pid in pids),
        "seconds": time.monotonic() - start,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--kills", type=int, default=3, help="kills in each run")
    parser.add_argument("--limit-mb", type=int, default=300, help="memory limit of a worker")
    parser.add_argument("--source-mb", type=int, help="size of the source")
    options = parser.parse_args()
    limit = options.limit_mb * 1_000_000
    megabytes = options.source_mb or 2 * WORKERS * options.limit_mb
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source_bytes = make_source(folder / "source", megabytes)
        serial = compress_zarr(folder / "source", folder / "serial", chunks=(SIDE,) * 3)
        expected = sums(folder / "serial")
        size = f"{source_bytes / 1e6:,.0f} MB, {serial.tasks} objects"
        print(f"Source: {size}. {WORKERS} workers, each with a limit of {options.limit_mb} MB.\n")
        print("| run | killed after tasks | other bytes | files left | peak memory | seconds |")
        print("|---:|---|---:|---:|---:|---:|", flush=True)
        for number in range(options.runs):
            target = folder / "target"
            found = run(folder / "source", target, options.kills, limit, number, serial.tasks)
            have = sums(target)
            other = sum(have.get(key) != one for key, one in expected.items())
            left = len(have.keys() - expected.keys()) + len(list(folder.glob("target.*")))
            print(
                f"| {number + 1} | {', '.join(map(str, found['moments']))} | {other} | {left} "
                f"| {found['peak'] / 1e6:.0f} MB | {found['seconds']:.0f} |",
                flush=True,
            )
            failures += other or left or found["peak"] > limit or found["killed"] != options.kills
            shutil.rmtree(target)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
