"""The codec in zarr-python: selections against NumPy, shards, byte ranges, refusals, damage."""

import asyncio
import json
import os
import pickle
import re
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

zarr = pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")

import brickwork  # noqa: E402
from brickwork import chunk  # noqa: E402
from brickwork.zarr import BrickworkCodec, check, create_array, read, read_boxes, verify  # noqa: E402
from test_volume import TYPES, noise, same, smooth  # noqa: E402

SHAPE = (70, 50, 90)
LAYOUTS = [
    {"chunks": (32, 32, 32)},
    {"chunks": (16, 16, 32), "shards": (32, 32, 64)},
    {"chunks": (70, 50, 90)},
    {"chunks": (128, 128, 128)},
]


def pipelines():
    from zarr.core import codec_pipeline

    return ["Batched"] + (["Fused"] if hasattr(codec_pipeline, "FusedCodecPipeline") else [])


@pytest.fixture(params=pipelines())
def pipeline(request):
    path = f"zarr.core.codec_pipeline.{request.param}CodecPipeline"
    with zarr.config.set({"codec_pipeline.path": path}):
        yield request.param


def voxels(dtype="u2"):
    return (smooth(SHAPE) + noise(SHAPE) % 16).astype(dtype)


class Counting(zarr.storage.MemoryStore):
    """A store that counts requests and bytes, without the methods for use without an event loop."""

    get_sync = None
    _supports_sync_io = False

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.requests, self.bytes = [], 0

    async def get(self, key, prototype=None, byte_range=None):
        found = await super().get(key, prototype, byte_range)
        self.requests.append((key, byte_range))
        self.bytes += 0 if found is None else len(found)
        return found


@pytest.fixture(scope="module")
def arrays(tmp_path_factory):
    """The stores of arrays by layout, and their voxels."""
    array = voxels()
    array[:32, :32, :32] = 3  # an empty chunk
    stores = []
    for number, layout in enumerate(LAYOUTS):
        store = zarr.storage.LocalStore(tmp_path_factory.mktemp("arrays") / str(number))
        create_array(store, data=array, fill_value=3, brick="8", **layout)
        stores.append(store)
    return array, stores


def axis_keys(length, kinds):
    bounds = st.none() | st.integers(-length - 2, length + 2)
    keys = []
    if "int" in kinds:
        keys.append(st.integers(-length, length - 1))
    if "slice" in kinds:
        keys.append(st.builds(slice, bounds, bounds, st.none() | st.integers(1, 40)))
    if "list" in kinds:
        keys.append(st.lists(st.integers(0, length - 1), min_size=1, max_size=5).map(np.array))
    if "mask" in kinds:
        keys.append(st.integers(0, 99).map(lambda seed: np.random.default_rng(seed).random(length) < 0.1))
    return st.one_of(keys)


@pytest.mark.parametrize("layout", range(len(LAYOUTS)))
@given(key=st.tuples(*(axis_keys(length, {"int", "slice"}) for length in SHAPE)))
@settings(max_examples=25, deadline=None)
def test_basic_selections(arrays, layout, key):
    array, stores = arrays
    for name in pipelines():
        with zarr.config.set({"codec_pipeline.path": f"zarr.core.codec_pipeline.{name}CodecPipeline"}):
            opened = zarr.open_array(stores[layout], mode="r")
            assert same(np.asarray(opened[key]), np.asarray(array[key]))
    assert same(np.asarray(read(opened, key)), np.asarray(array[key]))


@pytest.mark.parametrize("layout", range(len(LAYOUTS)))
@given(key=st.tuples(*(axis_keys(length, {"int", "slice", "list", "mask"}) for length in SHAPE)))
@settings(max_examples=25, deadline=None)
def test_orthogonal_selections(arrays, layout, key):
    array, stores = arrays
    wanted = array
    for axis, one in reversed(list(enumerate(key))):
        wanted = wanted[(slice(None),) * axis + (one,)]
    for name in pipelines():
        with zarr.config.set({"codec_pipeline.path": f"zarr.core.codec_pipeline.{name}CodecPipeline"}):
            found = zarr.open_array(stores[layout], mode="r").oindex[key]
            assert same(np.asarray(found), wanted)


@pytest.mark.parametrize("layout", range(len(LAYOUTS)))
@given(points=st.lists(st.tuples(*(st.integers(0, length - 1) for length in SHAPE)), min_size=1, max_size=20))
@settings(max_examples=20, deadline=None)
def test_points(arrays, layout, points):
    array, stores = arrays
    key = tuple(np.array(points).T)
    for name in pipelines():
        with zarr.config.set({"codec_pipeline.path": f"zarr.core.codec_pipeline.{name}CodecPipeline"}):
            assert same(zarr.open_array(stores[layout], mode="r").vindex[key], array[key])


def test_masks(arrays, pipeline):
    array, stores = arrays
    for store in stores:
        opened = zarr.open_array(store, mode="r")
        for density in (1e-5, 1e-3, 0.5):
            mask = np.random.default_rng(1).random(SHAPE) < density
            assert same(opened[mask], array[mask])


@pytest.mark.parametrize(
    ("key", "most"),
    [
        (np.s_[40:45, 10:14, 5], 2),
        (np.s_[40, 10, 5], 1),
        (np.s_[::60, 5, 5], 2),
        (np.s_[40:48, 8:16, :], 12),
    ],
)
def test_selections_decode_few_bricks(arrays, pipeline, key, most):
    array, stores = arrays
    opened = zarr.open_array(stores[2], mode="r")
    before = chunk.bricks_decoded()
    assert same(np.asarray(opened[key]), np.asarray(array[key]))
    assert 1 <= chunk.bricks_decoded() - before <= most


def test_index_arrays_decode_few_bricks(arrays, pipeline):
    array, stores = arrays
    opened = zarr.open_array(stores[2], mode="r")
    before = chunk.bricks_decoded()
    assert same(opened.oindex[[1, 69], [2, 40], 3], array[np.ix_([1, 69], [2, 40], [3])][..., 0])
    assert chunk.bricks_decoded() - before == 4
    assert same(
        opened.vindex[[1, 69, 30], [2, 40, 3], [3, 80, 40]], array[[1, 69, 30], [2, 40, 3], [3, 80, 40]]
    )
    assert chunk.bricks_decoded() - before == 7
    mask = np.zeros(SHAPE, bool)
    mask[[3, 60], [4, 44], [5, 85]] = True
    assert same(opened[mask], array[mask])
    assert chunk.bricks_decoded() - before == 9


def test_inner_chunks_of_shards_are_decoded_in_parts(arrays):
    array, stores = arrays
    opened = zarr.open_array(stores[1], mode="r")
    before = chunk.bricks_decoded()
    assert same(opened[40:44, 33:35, 70:72], array[40:44, 33:35, 70:72])
    assert 1 <= chunk.bricks_decoded() - before <= 2


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type_and_byte_order(dtype, pipeline):
    array = noise((20, 30, 40), dtype)
    if array.dtype.kind == "f":
        array[0, 0, :2] = [-0.0, 0.0]
    for given_array in (array, array.astype(array.dtype.newbyteorder(">")), np.asfortranarray(array)):
        store = zarr.storage.MemoryStore()
        create_array(store, data=given_array, chunks=(16, 16, 16), brick="4")
        opened = zarr.open_array(store, mode="r")
        assert same(opened[...].astype(array.dtype), array)
        assert same(opened[3:5, 7, ::9].astype(array.dtype), array[3:5, 7, ::9])


@pytest.mark.parametrize(
    ("shape", "chunks"),
    [
        ((), ()),
        ((100,), (30,)),
        ((40, 50), (16, 50)),
        ((3, 20, 30, 40), (1, 16, 16, 16)),
        ((2, 3, 10, 20, 30), (1, 1, 8, 16, 16)),
        ((0, 5, 5), (1, 5, 5)),
    ],
)
def test_one_to_five_axes(shape, chunks, pipeline):
    array = noise(shape, "i2")
    opened = create_array(zarr.storage.MemoryStore(), shape=shape, dtype="i2", chunks=chunks)
    opened[...] = array
    assert same(np.asarray(opened[...]), array)
    if not shape or 0 in shape:
        return
    assert same(np.asarray(opened[..., 3:9]), array[..., 3:9])
    assert same(read(opened, np.s_[..., 3:9]), array[..., 3:9])
    key = tuple(slice(1, 2 + axis) for axis in range(len(shape)))
    assert same(opened[key], array[key])
    box = tuple(min(side, 2 + axis) for axis, side in enumerate(shape))
    origins = np.random.default_rng(1).integers(0, np.array(shape) - box, (20, len(shape)), endpoint=True)
    wanted = np.stack([array[tuple(slice(a, a + b) for a, b in zip(origin, box))] for origin in origins])
    assert same(read_boxes(opened, origins, box), wanted)


def test_partial_writes_keep_the_other_voxels(pipeline):
    array = voxels()
    opened = create_array(zarr.storage.MemoryStore(), data=array, chunks=(32, 32, 32))
    opened[10:40, 5, ::3] = 7
    array[10:40, 5, ::3] = 7
    assert same(opened[...], array)


def test_bits_of_floats_are_kept(pipeline):
    array = noise((32, 32, 32), "f4")
    for fill in (0.0, -0.0, np.nan, np.inf):
        opened = create_array(zarr.storage.MemoryStore(), data=array, chunks=(20, 20, 20), fill_value=fill)
        assert same(opened[...], array)
    minus = np.full((8, 8, 8), -0.0, "f4")
    assert same(create_array(zarr.storage.MemoryStore(), data=minus, chunks=(8, 8, 8))[...], minus)


def test_large_chunks_are_read_by_byte_ranges():
    array = smooth((128, 128, 128)) + noise((128, 128, 128)) % 64
    store = Counting()
    create_array(store, data=array, chunks=(128, 128, 128), brick="4")
    size = len(asyncio.run(store.get("c/0/0/0")))
    opened = zarr.open_array(store)
    for read_window in (
        lambda: opened[100:108, 60:68, 3:11],
        lambda: read_boxes(opened, [(100, 60, 3)], (8, 8, 8))[0],
        lambda: read(opened, np.s_[100:108, 60:68, 3:11]),
    ):
        store.requests.clear()
        store.bytes = 0
        assert same(read_window(), array[100:108, 60:68, 3:11])
        assert len(store.requests) <= 4 and store.bytes * 15 < size
    store.requests.clear()
    assert same(opened[...], array)
    assert len(store.requests) == 1


def test_a_window_of_a_large_chunk_changes_threads_once(tmp_path, monkeypatch):
    """A change of threads takes longer than a read of a file, and there are several reads."""
    array = smooth((128, 128, 128)) + noise((128, 128, 128)) % 64
    create_array(tmp_path / "a", data=array, chunks=(128, 128, 128))
    opened = zarr.open_array(tmp_path / "a", mode="r")
    changes = []
    to_thread = asyncio.to_thread

    def counting(*arguments):
        changes.append(arguments[0])
        return to_thread(*arguments)

    monkeypatch.setattr(asyncio, "to_thread", counting)
    assert same(opened[100:108, 60:68, 3:11], array[100:108, 60:68, 3:11])
    assert len(changes) == 1


def test_chunks_in_folders_are_read_from_their_files(tmp_path, pipeline):
    array = voxels()
    opened = create_array(tmp_path / "a", data=array, chunks=(32, 32, 32), fill_value=3)
    file = tmp_path / "a" / "c" / "1" / "0" / "2"
    whole = file.read_bytes()
    readings = (
        lambda: opened[40:42, 3, 70:72],
        lambda: read(opened, np.s_[40:42, 3, 70:72]),
        lambda: read_boxes(opened, [(40, 3, 70), (41, 3, 70)], (1, 1, 2))[:, :, 0].reshape(2, 2),
    )
    for reading in readings:
        assert same(reading(), array[40:42, 3, 70:72])
    for wrong in (whole[:300] + bytes([whole[300] ^ 1]) + whole[301:], whole[:-1], whole[:5], b""):
        file.write_bytes(wrong)
        for reading in readings:
            with pytest.raises(brickwork.FormatError, match="c/1/0/2: "):
                reading()
    # zarr-python reads missing objects, and folders in their place, as the fill value.
    file.unlink()
    for reading in readings:
        assert same(reading(), np.full((2, 2), 3, "u2"))
    file.mkdir()
    for reading in readings:
        assert same(reading(), np.full((2, 2), 3, "u2"))
    if hasattr(os, "mkfifo"):
        file.rmdir()
        os.mkfifo(file)
        # (With a writer, a test that fails does not wait.)
        pipe = os.open(file, os.O_RDWR | os.O_NONBLOCK)
        for reading in readings:
            with pytest.raises(OSError, match="c/1/0/2: is not a regular file"):
                reading()
        os.close(pipe)


def test_classes_derived_from_local_stores_read_themselves(tmp_path):
    class Derived(zarr.storage.LocalStore):
        get_sync = None
        _supports_sync_io = False
        keys: list[str] = []

        async def get(self, key, *arguments, **options):
            self.keys.append(key)
            return await super().get(key, *arguments, **options)

    array = voxels()
    create_array(tmp_path / "a", data=array, chunks=(32, 32, 32))
    opened = zarr.open_array(Derived(tmp_path / "a"), mode="r")
    for reading in (
        lambda: opened[40, 3, 70:72],
        lambda: read_boxes(opened, [(40, 3, 70)], (1, 1, 2))[0, 0, 0],
    ):
        Derived.keys.clear()
        assert same(reading(), array[40, 3, 70:72])
        assert Derived.keys == ["c/1/0/2"]


def test_boxes_fetch_each_chunk_once(arrays):
    array, stores = arrays
    store = Counting()
    opened = create_array(store, data=array, chunks=(32, 32, 32), fill_value=3)
    store.requests.clear()
    origins = np.random.default_rng(1).integers(0, np.array(SHAPE) - 16, (500, 3))
    found = read_boxes(opened, origins, (16, 16, 16))
    wanted = np.stack([array[z : z + 16, y : y + 16, x : x + 16] for z, y, x in origins])
    assert same(found, wanted)
    assert len(store.requests) <= 3 * 2 * 3
    assert same(read(opened, threads=1), array) and same(read(opened, threads=3), array)
    for one in stores:
        assert same(read_boxes(zarr.open_array(one, mode="r"), origins, (16, 16, 16)), wanted)
    assert read_boxes(opened, [], (4, 4, 4)).shape == (0, 4, 4, 4)
    with pytest.raises(IndexError, match="box 1 at"):
        read_boxes(opened, [(0, 0, 0), (60, 40, 80)], (16, 8, 8))
    with pytest.raises(TypeError, match="float64"):
        read_boxes(opened, [(0.0, 0.0, 0.0)], (8, 8, 8))
    with pytest.raises(ValueError, match="axes"):
        read_boxes(opened, [(0, 0)], (8, 8))


def test_read_fills_the_callers_array(arrays):
    array, stores = arrays
    for store in stores:
        opened = zarr.open_array(store, mode="r")
        for out in (np.empty(SHAPE, "u2"), np.empty(SHAPE, "u2", order="F")):
            for threads in (1, 3):
                out[...] = 0
                assert read(opened, out=out, threads=threads) is out
                assert same(out, array)
        with pytest.raises(ValueError, match="out"):
            read(opened, out=np.empty(SHAPE, "u4"))


def test_metadata_is_a_closed_set(arrays):
    _, stores = arrays
    codec = zarr.open_array(stores[0], mode="r").metadata.codecs[0]
    assert codec.to_dict() == {"name": "brickwork", "configuration": {"brick": "8"}}
    assert BrickworkCodec.from_dict(codec.to_dict()) == codec
    assert BrickworkCodec.from_dict("brickwork") == BrickworkCodec.from_dict({"name": "brickwork"}) == codec
    assert pickle.loads(pickle.dumps(codec)) == codec
    for wrong in ({"brick": "5"}, {"level": 3}, {"brick": "4", "labels": True}):
        with pytest.raises(ValueError, match="brick|level|labels"):
            BrickworkCodec.from_dict({"name": "brickwork", "configuration": wrong})


@pytest.mark.parametrize(
    "configuration", ['{"name": "brickwork"}', '{"name": "brickwork", "configuration": {"level": 3}}']
)
def test_arrays_are_opened_by_their_metadata(configuration):
    async def write(store, text):
        await store.set(
            "zarr.json", zarr.core.buffer.default_buffer_prototype().buffer.from_bytes(text.encode())
        )

    store = zarr.storage.MemoryStore()
    text = f"""{{"zarr_format": 3, "node_type": "array", "shape": [8, 8, 8], "data_type": "uint16",
        "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [8, 8, 8]}}}},
        "chunk_key_encoding": {{"name": "default"}}, "fill_value": 0, "codecs": [{configuration}]}}"""
    asyncio.run(write(store, text))
    if "level" in configuration:
        with pytest.raises(ValueError, match="level"):
            zarr.open_array(store)
        return
    opened = zarr.open_array(store)
    opened[...] = 5
    assert same(opened[1:3, 4, :], np.full((2, 8), 5, "u2"))


@pytest.mark.parametrize("dtype", ["bool", "c8", "M8[s]", "U5", "S3"])
def test_other_types_are_refused_at_creation(dtype):
    with pytest.raises((TypeError, ValueError), match="codec brickwork"):
        create_array(zarr.storage.MemoryStore(), shape=(8, 8), dtype=np.dtype(dtype), chunks=(8, 8))


def test_other_chunks_and_codecs_are_refused():
    with pytest.raises(ValueError, match="last three"):
        create_array(zarr.storage.MemoryStore(), shape=(4, 8, 8, 8), dtype="u1", chunks=(2, 8, 8, 8))
    with pytest.raises(ValueError, match="compressors"):
        create_array(zarr.storage.MemoryStore(), shape=(8, 8), dtype="u1", compressors="auto")


def test_check_reports_other_codecs(arrays):
    array, stores = arrays
    assert all(check(zarr.open_array(store, mode="r")) == [] for store in stores)
    options = {"shape": (64, 64, 64), "dtype": "u2", "chunks": (32, 32, 32)}
    plain = zarr.create_array(zarr.storage.MemoryStore(), **options)
    assert "does not use" in check(plain)[0]
    behind = zarr.create_array(zarr.storage.MemoryStore(), serializer=BrickworkCodec(), **options)
    assert "ZstdCodec" in check(behind)[0]
    behind[...] = 5
    assert (behind[3:5] == 5).all()
    with pytest.raises(ValueError, match="ZstdCodec"):
        read(behind)


def damage(store, key, at):
    async def change():
        data = bytearray((await store.get(key, zarr.core.buffer.default_buffer_prototype())).to_bytes())
        data[at] ^= 1
        await store.set(key, zarr.core.buffer.default_buffer_prototype().buffer.from_bytes(bytes(data)))

    asyncio.run(change())


def test_damage_is_reported_with_the_key(pipeline):
    array = voxels()
    store = zarr.storage.MemoryStore()
    opened = create_array(store, data=array, chunks=(32, 32, 32))
    assert verify(opened) == []
    damage(store, "c/1/0/2", 300)
    for reading in (
        lambda: opened[40, 3, 70],
        lambda: opened[...],
        lambda: read(opened),
        lambda: read_boxes(opened, [(34, 3, 66)], (30, 20, 20)),
    ):
        with pytest.raises(brickwork.FormatError, match="c/1/0/2: .*damaged"):
            reading()
    assert same(opened[:32], array[:32])
    steps = []
    (found,) = verify(opened, progress=lambda done, total: steps.append((done, total)))
    assert (found.key, found.inner) == ("c/1/0/2", None) and "c/1/0/2: " in str(found)
    assert steps[-1] == (18, 18)


def test_damage_in_shards_is_reported_with_the_inner_chunk():
    array = voxels()
    store = zarr.storage.MemoryStore()
    opened = create_array(store, data=array, chunks=(16, 16, 32), shards=(32, 32, 64))
    damage(store, "c/1/0/1", 100)
    (found,) = verify(opened)
    assert found.key == "c/1/0/1" and found.inner is not None
    where = np.array(found.inner) * (16, 16, 32) + (32, 0, 64)
    with pytest.raises(brickwork.FormatError, match=r"inner chunk \("):
        opened[tuple(slice(a, a + 2) for a in where)]
    with pytest.raises(brickwork.FormatError, match=r"c/1/0/1, inner chunk \("):
        read_boxes(opened, [where], (2, 2, 2))
    damage(store, "c/0/0/0", -1)
    assert {one.key for one in verify(opened)} == {"c/0/0/0", "c/1/0/1"}


def test_a_store_that_disappears_raises_its_own_error():
    class Gone(Counting):
        async def get(self, key, prototype=None, byte_range=None):
            if self.requests is None and key != "zarr.json":
                raise ConnectionError("the store is gone")
            return await zarr.storage.MemoryStore.get(self, key, prototype, byte_range)

    store = Gone()
    opened = create_array(store, data=voxels(), chunks=(32, 32, 32))
    store.requests = None
    for reading in (
        lambda: opened[3:5],
        lambda: read(opened),
        lambda: read_boxes(opened, [(1, 1, 1)], (2, 2, 2)),
    ):
        with pytest.raises(ConnectionError, match="gone"):
            reading()
    # Otherwise all shards would be reported as damaged.
    for shards in (None, (64, 64, 64)):
        store = Gone()
        opened = create_array(store, data=voxels(), chunks=(32, 32, 32), shards=shards)
        store.requests = None
        with pytest.raises(ConnectionError, match="gone"):
            verify(opened)


def test_the_codec_is_found_by_its_entry_point():
    import importlib.metadata

    (found,) = importlib.metadata.entry_points(group="zarr.codecs", name="brickwork")
    assert found.load() is BrickworkCodec


def test_the_documents_for_a_registration_fit_the_codec():
    jsonschema = pytest.importorskip("jsonschema")
    folder = Path(__file__).parent.parent / "zarr-extension"
    schema = json.loads((folder / "schema.json").read_text())
    for brick in ("4", "8", "16x16x1"):
        jsonschema.validate(BrickworkCodec(brick).to_dict(), schema)
    for wrong in ("brickwork", "other", {"name": "brickwork", "configuration": {"level": 3}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)
    examples = re.findall(r"```json\n(.*?)```", (folder / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    plain, sharded = (json.loads(example)["codecs"][0] for example in examples)
    jsonschema.validate(plain, schema)
    jsonschema.validate(sharded["configuration"]["codecs"][0], schema)
    assert BrickworkCodec.from_dict(plain).to_dict() == plain
    z, y, x = np.mgrid[:20, :33, :40]
    for name in ("plain", "sharded"):
        array = zarr.open_array(folder / "sample_data" / f"{name}.zarr", mode="r")
        assert same(array[...], (x * x + 3 * y + 7 * z).astype("u2"))


def test_origins_at_the_end_of_the_range_of_integers():
    array = create_array(zarr.storage.MemoryStore(), data=smooth((20, 20, 20)), chunks=(8, 8, 8))
    for origin in (np.iinfo(np.int64).max, np.iinfo(np.int64).min):
        with pytest.raises(IndexError, match="extends beyond the array"):
            read_boxes(array, [(origin, 0, 0)], (8, 8, 8))
    with pytest.raises(TypeError, match="out must be an array, not list"):
        read(array, 0, out=[1])


def test_masked_data_are_refused(tmp_path):
    data = np.ma.masked_less(noise((8, 8, 8), "i2"), 0)
    with pytest.raises(ValueError, match="masked"):
        create_array(tmp_path / "a", data=data)
    assert not (tmp_path / "a").exists()
    assert same(create_array(tmp_path / "a", data=np.ma.array(data.data))[...], data.data)
