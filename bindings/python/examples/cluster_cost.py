"""Measures the cost of compression on this machine, and works it out for a large array.

python cluster_cost.py [BYTES]       # default: 1e15
"""

import sys
import tempfile
import time

import numpy as np
import zarr
from dask.distributed import Client, LocalCluster

from brickwork.dask import compress_zarr
from brickwork.dask._run import run


def bytes_per_second(folder: str) -> float:
    """Returns the bytes of voxels that one core compresses per second, with reading and writing."""
    z, y, x = np.indices((128, 256, 256), dtype=np.uint16)
    noise = np.random.default_rng(1).integers(0, 20, x.shape)
    scan = (1000 + 300 * np.sin(x / 9) * np.cos(y / 11) + 4 * z + noise).astype(np.uint16)
    zarr.create_array(f"{folder}/scan", data=scan, chunks=(64, 64, 64))
    start = time.process_time()
    summary = compress_zarr(f"{folder}/scan", f"{folder}/small", chunks=(128, 128, 128), brick="4")
    return summary.source_bytes / (time.process_time() - start)


def seconds_per_task(client: Client, count: int = 2000) -> float:
    """Returns the time of the scheduler and the client for an empty task, as `compress_zarr` runs tasks.

    Both are in this process.
    """
    start = time.process_time()
    for _ in run(abs, range(count), client=client, retries=3, window=None):
        pass
    return (time.process_time() - start) / count


def main() -> None:
    byte_count = float(sys.argv[1]) if len(sys.argv) > 1 else 1e15
    with tempfile.TemporaryDirectory() as folder:
        rate = bytes_per_second(folder)
    options = {"host": "127.0.0.1", "dashboard_address": None}
    with LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster, Client(cluster) as client:
        overhead = seconds_per_task(client)
    print(f"{rate / 1e6:.0f} MB/s per core, {overhead * 1e3:.2f} ms per task")
    print("| object, 16 bits per voxel | tasks | core hours | most cores |")
    print("|---|---:|---:|---:|")
    for side in (64, 128, 256, 512):
        size = 2 * side**3
        tasks, hours = byte_count / size, byte_count / rate / 3600
        print(f"| {side}³ | {tasks:,.0f} | {hours:,.0f} | {size / (rate * overhead):,.0f} |")


if __name__ == "__main__":
    main()
