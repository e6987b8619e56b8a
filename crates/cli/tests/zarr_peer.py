"""Arrays by zarr-python, which the program reads: `zarr_peer.py PROGRAM FOLDER`."""

import subprocess
import sys
from pathlib import Path

import numcodecs
import numpy as np
import zarr
from zarr.codecs import BloscCodec, BytesCodec, GzipCodec, TransposeCodec, ZstdCodec

SHAPE, CHUNKS = (11, 13, 17), (4, 5, 6)


def voxels(dtype: str) -> np.ndarray:
    """Numbers of both signs, with zeros in the last chunks."""
    numbers = np.arange(np.prod(SHAPE)).reshape(SHAPE)
    numbers = numbers * numbers % 251 - (0 if np.dtype(dtype).kind == "u" else 100)
    numbers[8:] = 0
    return numbers.astype(dtype)


CASES = [
    ("v3-zstd", "uint16", {"compressors": ZstdCodec()}),
    ("v3-gzip", "int8", {"compressors": GzipCodec()}),
    ("v3-blosc", "float64", {"compressors": BloscCodec(cname="lz4", shuffle="shuffle")}),
    ("v3-bits", "uint32", {"compressors": BloscCodec(cname="zstd", shuffle="bitshuffle")}),
    ("v3-big", "float32", {"compressors": None, "serializer": BytesCodec(endian="big")}),
    ("v3-turned", "int16", {"filters": [TransposeCodec(order=(1, 2, 0))]}),
    ("v3-shards", "uint64", {"shards": (8, 10, 12)}),
    ("v2-blosc", "<i4", {"zarr_format": 2, "compressors": numcodecs.Blosc(cname="blosclz")}),
    ("v2-lz4", "<u2", {"zarr_format": 2, "compressors": numcodecs.Blosc(shuffle=1)}),
    ("v2-zlib", ">u2", {"zarr_format": 2, "compressors": numcodecs.Zlib(), "order": "F"}),
    ("v2-plain", "|u1", {"zarr_format": 2, "compressors": None, "fill_value": 9}),
]


def main() -> None:
    program, folder = sys.argv[1], Path(sys.argv[2])

    def read(path: Path) -> bytes:
        out = folder / "read.raw"
        words = [program, "volume", "convert", str(path), "-o", str(out), "--force", "--quiet"]
        subprocess.run(words, check=True)
        return out.read_bytes()

    for name, dtype, options in CASES:
        path = folder / f"{name}.zarr"
        array = zarr.create_array(str(path), shape=SHAPE, chunks=CHUNKS, dtype=dtype, **options)
        array[...] = voxels(dtype)
        expected = voxels(dtype).astype(np.dtype(dtype).newbyteorder("<")).tobytes()
        assert read(path) == expected, name
    # Our group: metadata that zarr-python accepts.
    words = "volume convert v3-zstd.zarr -o ours.zarr --levels 2 --shard 64x64x64 --chunk 32x32x32".split()
    subprocess.run([program, *words, "--quiet"], check=True, cwd=folder)
    group = zarr.open_group(str(folder / "ours.zarr"), mode="r")
    multiscales = group.attrs["ome"]["multiscales"]
    assert [axis["name"] for axis in multiscales[0]["axes"]] == ["z", "y", "x"]
    assert [dataset["path"] for dataset in multiscales[0]["datasets"]] == ["0", "1"]
    try:
        import brickwork.zarr  # noqa: F401
    except ImportError:
        print("skipped: no package brickwork in Python, so its codec is not read")
    else:
        assert (group["0"][...] == voxels("uint16")).all()
    print(f"zarr-python {zarr.__version__}: {len(CASES)} arrays")


main()
