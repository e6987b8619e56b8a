"""Writes test-data/zarr/arrays.zip: arrays of zarr-python 3.1.6 with numcodecs 0.16.6.

    python web/test/zarr-samples.py

Voxel (x, y, z) is x² + 3y + 7z; web/test/zarr.test.mjs has the rules of each array.
"""

import warnings
import zipfile
from pathlib import Path

import numcodecs
import numpy as np
import zarr
from zarr.codecs import (
    BloscCodec,
    BytesCodec,
    Crc32cCodec,
    GzipCodec,
    ShardingCodec,
    TransposeCodec,
    ZstdCodec,
)
from zarr.storage import MemoryStore

warnings.simplefilter("ignore")
OUT = Path(__file__).resolve().parents[2] / "test-data/zarr/arrays.zip"
SHAPE, CHUNK, SHARD = (9, 13, 14), (8, 10, 12), (16, 20, 24)
Z, Y, X = np.indices(SHAPE)
BASE = (X * X + 3 * Y + 7 * Z).astype("u2")
ZSTD = ZstdCodec(level=3)
arrays: dict[str, bytes] = {}


def write(name: str, data: np.ndarray, version: int = 3, chunks: tuple = CHUNK, **options: object) -> None:
    """Writes an array."""
    store = MemoryStore()
    array = zarr.create_array(
        store=store, shape=data.shape, dtype=data.dtype, chunks=chunks, zarr_format=version, **options
    )
    array[...] = data
    for key, buffer in store._store_dict.items():
        arrays[f"{name}/{key}"] = buffer.to_bytes()


for compressor in ["lz4", "blosclz", "zstd", "zlib"]:
    for shuffle in ["noshuffle", "shuffle", "bitshuffle"]:
        codec = BloscCodec(cname=compressor, shuffle=shuffle, clevel=5, typesize=2)
        write(f"blosc-{compressor}-{shuffle}", BASE, compressors=codec)
write("blosc-lz4hc", BASE, compressors=BloscCodec(cname="lz4hc", shuffle="shuffle", typesize=2))
write("zstd", BASE, compressors=ZSTD)
write("zstd-checksum", BASE, compressors=ZstdCodec(level=3, checksum=True))
write("gzip", BASE, compressors=GzipCodec())
write("none", BASE, compressors=None)
write("zstd-crc", BASE, compressors=[ZSTD, Crc32cCodec()])
write("crc-zstd", BASE, compressors=[Crc32cCodec(), ZSTD])
write("gzip-zstd", BASE, compressors=[GzipCodec(), ZSTD])
write("big", BASE, compressors=ZSTD, serializer=BytesCodec(endian="big"))
write("transpose", BASE, compressors=ZSTD, filters=[TransposeCodec(order=(2, 0, 1))])
write("keys-dot", BASE, compressors=ZSTD, chunk_key_encoding={"name": "default", "separator": "."})
write("keys-v2", BASE, compressors=ZSTD, chunk_key_encoding={"name": "v2", "separator": "/"})
write("shard", BASE, compressors=ZSTD, shards=SHARD)
write("shard-start", BASE, compressors=ZSTD, shards={"shape": SHARD, "index_location": "start"})
for place in ["end", "start"]:
    inner = ShardingCodec(chunk_shape=(4, 5, 6), codecs=[BytesCodec(), ZSTD], index_location=place)
    outer = ShardingCodec(chunk_shape=CHUNK, codecs=[inner], index_location=place)
    write(f"shard-nested-{place}", BASE, chunks=SHARD, serializer=outer, compressors=None)
plain = ShardingCodec(chunk_shape=CHUNK, codecs=[BytesCodec(), ZSTD])
write("shard-gzip", BASE, chunks=SHARD, serializer=plain, compressors=GzipCodec())
flat = ShardingCodec(chunk_shape=(4, 4, 8), codecs=[BytesCodec(), ZSTD])
turned = [TransposeCodec(order=(1, 2, 0))]
write("shard-transposed", BASE, chunks=SHARD, filters=turned, serializer=flat, compressors=None)
turned = ShardingCodec(chunk_shape=CHUNK, codecs=[TransposeCodec(order=(2, 1, 0)), BytesCodec(), ZSTD])
write("shard-of-transposed", BASE, chunks=SHARD, serializer=turned, compressors=None)
for kind in ["u1", "i1", "i2", "u4", "i4", "f4", "u8", "i8", "f8", "f2", "?"]:
    data = BASE % 2 == 1 if kind == "?" else BASE.astype(kind)
    if kind[0] == "f":
        data = data / np.asarray(8, kind)
    if kind[0] == "i":
        data = data - np.asarray(20, kind)
    write(f"type-{data.dtype.name}", data, compressors=ZSTD)
    if kind in ["f4", "i8", "f2", "?"]:
        write(f"v2-{data.dtype.name}", data, version=2)
write("v2-order-f", BASE, version=2, order="F")
write("v2-big", BASE.astype(">u2"), version=2)
write("v2-slash", BASE, version=2, chunk_key_encoding={"name": "v2", "separator": "/"})
for codec in [numcodecs.Blosc(), numcodecs.Zlib(), numcodecs.GZip(), numcodecs.LZ4()]:
    write(f"v2-{codec.codec_id}", BASE, version=2, compressors=codec)
some = np.full(SHAPE, 7, "u2")
some[:8, :10, :12] = BASE[:8, :10, :12]
write("missing", some, compressors=ZSTD, fill_value=7)
write("missing-shard", some, compressors=ZSTD, shards=SHARD, fill_value=7)
holes = np.full(SHAPE, np.nan, "f4")
holes[:8, :10, :12] = 1.5
write("missing-nan", holes, compressors=ZSTD, fill_value=np.nan)
write("v2-missing-nan", holes, version=2, fill_value=np.nan)
large = np.full(SHAPE, 2**64 - 1, "u8")
large[:8, :10, :12] = 5
write("missing-u8", large, compressors=ZSTD, fill_value=2**64 - 1)
half = np.full(SHAPE, 0.1, "f2")
half[0, 0, :5] = [6e-5, np.inf, -6e-8, 65504, np.nan]
write("missing-f2", half, compressors=ZSTD, fill_value=np.float16(0.1))

OUT.parent.mkdir(exist_ok=True)
with zipfile.ZipFile(OUT, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for index, (path, contents) in enumerate(sorted(arrays.items())):
        # Stored and deflated entries alternate.
        method = zipfile.ZIP_STORED if index % 2 and len(contents) < 600 else zipfile.ZIP_DEFLATED
        archive.writestr(zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0)), contents, method)
print(OUT, OUT.stat().st_size, len(arrays))
