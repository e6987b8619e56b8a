"""Work on a cluster: the bytes of a serial run, whatever happens to workers."""

import hashlib
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("dask.array", reason="the extra 'dask' is not installed")
distributed = pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
zarr = pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")

import dask.array as da  # noqa: E402

import brickwork  # noqa: E402
from brickwork import volume  # noqa: E402
from brickwork.dask import compress_zarr, encode_textures, store  # noqa: E402
from brickwork.zarr import check, create_array, verify  # noqa: E402
from test_volume import noise, same, smooth  # noqa: E402

SHAPE = (100, 130, 150)


@pytest.fixture(scope="module")
def scan():
    return smooth(SHAPE) + noise(SHAPE) % 16


@pytest.fixture(scope="module")
def source(scan, tmp_path_factory):
    """An image of OME-Zarr 0.5 with two levels and labels, by other codecs."""
    path = tmp_path_factory.mktemp("source") / "image.zarr"
    axes = [{"name": name, "type": "space"} for name in "zyx"]
    datasets = [
        {"path": str(level), "coordinateTransformations": [{"type": "scale", "scale": [2.0**level] * 3}]}
        for level in range(2)
    ]
    ome = {"version": "0.5", "multiscales": [{"axes": axes, "datasets": datasets}]}
    group = zarr.create_group(path, attributes={"ome": ome, "note": "kept"})
    for level in range(2):
        array = scan[:: 2**level, :: 2**level, :: 2**level].copy()
        array[:32, :32, :32] = 7  # an empty chunk
        group.create_array(
            str(level),
            shape=array.shape,
            dtype="u2",
            chunks=(50, 40, 60),
            fill_value=7,
            dimension_names="zyx",
        )[...] = array
    labels = group.create_group("labels", attributes={"ome": {"version": "0.5", "labels": ["cells"]}})
    labels.create_array("cells", shape=SHAPE, dtype="i4", chunks=(64, 64, 64))[...] = scan // 100
    return path


def sums(folder):
    """SHA-256 of every file of a folder."""
    files = (path for path in sorted(Path(folder).rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def members(path):
    return dict(zarr.open_group(path, mode="r").members(max_depth=None))


OPTIONS = {"chunks": (16, 32, 32), "shards": (32, 32, 64)}


@pytest.fixture(scope="module")
def serial(source, tmp_path_factory):
    """The source, compressed without a cluster."""
    path = tmp_path_factory.mktemp("serial") / "image.zarr"
    summary = compress_zarr(source, path, **OPTIONS)
    assert summary.tasks == 4 * 5 * 3 + 2 * 3 * 2 + 4 * 5 * 3 and summary.resumed == 0
    assert summary.source_bytes == 2 * 100 * 130 * 150 + 2 * 50 * 65 * 75 + 4 * 100 * 130 * 150
    assert summary.stored_bytes == sum(
        file.stat().st_size for file in path.rglob("*") if file.is_file() and file.name != "zarr.json"
    )
    return path


def test_groups_keep_their_arrays_and_attributes(source, serial):
    old, new = members(source), members(serial)
    assert old.keys() == new.keys() == {"0", "1", "labels", "labels/cells"}
    assert dict(zarr.open_group(serial).attrs) == dict(zarr.open_group(source).attrs)
    assert dict(new["labels"].attrs) == dict(old["labels"].attrs)
    for name in ("0", "1", "labels/cells"):
        assert same(new[name][...], old[name][...])
        assert new[name].metadata.dimension_names == old[name].metadata.dimension_names
        assert new[name].fill_value == old[name].fill_value and new[name].shards == (32, 32, 64)
        assert check(new[name]) == [] and verify(new[name]) == []
    assert not list(serial.parent.glob("*journal*"))


def test_ome_zarr_0_4_becomes_0_5(scan, tmp_path):
    multiscale = {
        "version": "0.4",
        "axes": [{"name": name, "type": "space"} for name in "zyx"],
        "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [1, 1, 1]}]}],
    }
    group = zarr.create_group(
        tmp_path / "old.zarr", zarr_format=2, attributes={"multiscales": [multiscale], "note": "kept"}
    )
    options = {"shape": SHAPE, "dtype": ">u2", "chunks": (64, 64, 64)}
    group.create_array("0", chunk_key_encoding={"name": "v2", "separator": "/"}, **options)[...] = scan
    compress_zarr(tmp_path / "old.zarr", tmp_path / "new.zarr")
    new = zarr.open_group(tmp_path / "new.zarr", mode="r")
    del multiscale["version"]
    assert dict(new.attrs) == {"note": "kept", "ome": {"version": "0.5", "multiscales": [multiscale]}}
    assert new["0"].metadata.dimension_names == ("z", "y", "x") and new["0"].chunks == (100, 130, 150)
    assert same(new["0"][...].astype("u2"), scan)


def test_single_arrays_and_stores(scan, tmp_path):
    memory = zarr.storage.MemoryStore()
    zarr.create_array(memory, data=scan, chunks=(64, 64, 64), attributes={"note": "kept"})
    target = zarr.storage.LocalStore(tmp_path / "array.zarr")
    compress_zarr(memory, target, chunks=(64, 64, 64), brick="16x16x1")
    found = zarr.open_array(target, mode="r")
    assert same(found[...], scan) and dict(found.attrs) == {"note": "kept"}
    assert found.metadata.codecs[0].brick == "16x16x1"
    with pytest.raises(ValueError, match="memory"):
        compress_zarr(memory, tmp_path / "other", client=object())


class Stop(Exception):
    pass


def stop_after(count):
    def progress(done, total):
        if done == count:
            raise Stop

    return progress


def test_an_interrupted_run_is_continued(source, serial, tmp_path):
    target = tmp_path / "image.zarr"
    journal = tmp_path / "image.zarr.journal"
    with pytest.raises(Stop):
        compress_zarr(source, target, **OPTIONS, progress=stop_after(50))
    with journal.open("a") as file:
        file.write("[51, 12")  # a line that was cut short
    with pytest.raises(ValueError, match="other work"):
        compress_zarr(source, target, chunks=(16, 16, 16))
    with pytest.raises(FileExistsError, match="overwrite"):
        compress_zarr(source, target, **OPTIONS, resume=False)
    # An object that is missing or was cut short is made again.
    lost, cut = sorted(target.glob("0/c/**/*"))[-1], sorted(target.glob("0/c/**/*"))[-2]
    lost.unlink()
    cut.write_bytes(cut.read_bytes()[:100])
    (target / "0" / "c" / "0" / "5.12ab.partial").write_bytes(b"left over")
    summary = compress_zarr(source, target, **OPTIONS)
    assert summary.resumed == 48
    assert sums(target) == sums(serial)
    assert not journal.exists()


def test_existing_arrays_are_replaced_only_if_told(source, serial, tmp_path):
    target = tmp_path / "image.zarr"
    create_array(target, shape=(8, 8), dtype="u1", chunks=(4, 4))[...] = 3
    with pytest.raises(FileExistsError, match="overwrite"):
        compress_zarr(source, target, **OPTIONS)
    compress_zarr(source, target, **OPTIONS, overwrite=True)
    assert sums(target) == sums(serial)


def test_places_that_overlap_are_refused(source, serial, tmp_path):
    before = sums(source)
    link = tmp_path / "link"
    link.symlink_to(source)
    url = f"file://{source}"
    for src, dst in [
        (source, source),
        (source / "0", source),
        (source, source / "0"),
        (link, source),
        (url, source),
    ]:
        with pytest.raises(ValueError, match="inside"):
            compress_zarr(src, dst, overwrite=True)
    with pytest.raises(ValueError, match="inside"):
        compress_zarr(zarr.storage.LocalStore(source), source, overwrite=True)
    assert sums(source) == before


def test_old_ome_zarr_leaves_what_was_there(scan, tmp_path):
    axes = {"version": "0.3", "axes": ["z", "y", "x"], "datasets": [{"path": "0"}]}
    group = zarr.create_group(tmp_path / "source", attributes={"multiscales": [axes]}, zarr_format=2)
    group.create_array("0", data=scan)
    zarr.create_array(tmp_path / "target", data=scan)
    with pytest.raises(ValueError, match="before 0.4"):
        compress_zarr(tmp_path / "source", tmp_path / "target", overwrite=True)
    assert same(zarr.open_array(tmp_path / "target", mode="r")[...], scan)


def test_an_array_of_other_work_is_not_continued(scan, tmp_path):
    zarr.create_array(tmp_path / "source", data=scan, chunks=(64, 64, 64))
    # The next run must not write 256³ regions into chunks of 60³ by other codecs.
    zarr.create_array(tmp_path / "target", data=scan + 1, chunks=(60, 60, 60))
    (tmp_path / "target.journal").touch()
    with pytest.raises(ValueError, match="not of this work"):
        compress_zarr(tmp_path / "source", tmp_path / "target")
    assert same(zarr.open_array(tmp_path / "target", mode="r")[...], scan + 1)


@pytest.mark.filterwarnings("ignore:.*Zarr format 3 specification")
@pytest.mark.parametrize("zarr_format", [2, 3])
def test_arrays_that_cannot_be_compressed_are_copied(scan, tmp_path, zarr_format):
    source, target = tmp_path / "source", tmp_path / "target"
    group = zarr.create_group(source, attributes={"note": "kept"}, zarr_format=zarr_format)
    five = np.stack([scan[:8], scan[8:16]] * 3).reshape(3, 2, 8, 130, 150)
    axes = {"dimension_names": "tczyx"} if zarr_format == 3 else {}
    group.create_array("0", data=scan, chunks=(64, 64, 64))
    group.create_array("five", data=five, chunks=(1, 1, 8, 64, 64), **axes)
    tables = group.create_group("tables", attributes={"level": 2})
    shards = {"shards": (100, 130, 100)} if zarr_format == 3 else {}
    options = {"shape": SHAPE, "dtype": "?", "chunks": (50, 65, 50), "fill_value": True, **shards}
    mask = tables.create_array("mask", attributes={"of": "0"}, **options)
    mask[...] = scan > 100
    complexes = (scan[:20] * (1 - 2j)).astype("c8")
    tables.create_array("wave", data=complexes, chunks=(16, 64, 64))
    words = np.array([["cell", "", "Zelle"], ["ядро", "x" * 99, "b"]], dtype=object)
    texts = tables.create_array("words", shape=(2, 3), dtype=str, chunks=(1, 2))
    texts[...] = words
    with pytest.warns(UserWarning, match="keep their own codecs: tables/mask: the type is bool; "):
        summary = compress_zarr(source, target)
    assert list(summary.copied) == ["tables/mask", "tables/wave", "tables/words"]
    assert summary.copied["tables/wave"] == "the type is complex64"
    old, new = members(source), members(target)
    assert old.keys() == new.keys() and dict(zarr.open_group(target).attrs) == {"note": "kept"}
    for name, one in new.items():
        assert dict(one.attrs) == dict(old[name].attrs), name
        if isinstance(one, zarr.Array):
            assert (one[...] == old[name][...]).all() and one.metadata.zarr_format == 3
            assert one.shape == old[name].shape and one.fill_value == old[name].fill_value
    for name in ("0", "five"):
        assert check(new[name]) == [] and verify(new[name]) == []
        assert same(new[name][...], old[name][...])
    assert same(new["tables/wave"][...], complexes) and same(new["tables/mask"][...], scan > 100)
    assert new["tables/words"][...].tolist() == words.tolist()
    for name in ("tables/mask", "tables/wave", "tables/words"):
        assert (new[name].chunks, new[name].shards) == (old[name].chunks, old[name].shards)
        if zarr_format == 3:
            assert new[name].metadata.codecs == old[name].metadata.codecs
            assert new[name].metadata.dimension_names == old[name].metadata.dimension_names
    # Interrupted runs continue, and the bytes are the same.
    again = tmp_path / "again"
    with pytest.warns(UserWarning, match="codecs"), pytest.raises(Stop):
        compress_zarr(source, again, progress=stop_after(summary.tasks - 4))
    with pytest.warns(UserWarning, match="codecs"):
        assert compress_zarr(source, again).resumed == summary.tasks - 4
    assert sums(again) == sums(target)


def test_chunks_of_four_axes_are_copied(scan, tmp_path):
    group = zarr.create_group(tmp_path / "source")
    group.create_array("0", data=scan)
    group.create_array("time", data=np.stack([scan[:20], scan[20:40]]), chunks=(2, 20, 64, 64))
    with pytest.warns(UserWarning, match=r"time: chunks \(2, 10, 32, 32\) have 4 axes, more than three"):
        compress_zarr(tmp_path / "source", tmp_path / "target", chunks=(2, 10, 32, 32))
    new = members(tmp_path / "target")
    assert new["0"].chunks == (10, 32, 32) and check(new["0"]) == []
    assert new["time"].chunks == (2, 20, 64, 64) and same(new["time"][1], scan[20:40])
    zarr.create_array(tmp_path / "before", data=scan)
    with pytest.raises(ValueError, match="time: chunks"):
        options = {"chunks": (2, 10, 32, 32), "overwrite": True}
        zarr.create_group(tmp_path / "only").create_array("time", data=np.stack([scan, scan]))
        compress_zarr(tmp_path / "only", tmp_path / "before", **options)
    assert same(zarr.open_array(tmp_path / "before", mode="r")[...], scan)


def test_other_types_leave_what_was_there(scan, tmp_path):
    group = zarr.create_group(tmp_path / "source")
    group.create_array("mask", data=scan > 100)
    zarr.create_array(tmp_path / "target", data=scan)
    with pytest.raises(TypeError, match="bool"):
        compress_zarr(tmp_path / "source", tmp_path / "target", overwrite=True)
    assert same(zarr.open_array(tmp_path / "target", mode="r")[...], scan)


def test_shards_are_multiples_of_chunks(source, tmp_path):
    with pytest.raises(ValueError, match="multiple"):
        compress_zarr(source, tmp_path / "a", chunks=(16, 16, 16), shards=(32, 32, 40))


def test_blocks_within_an_object_are_refused(scan, tmp_path):
    target = create_array(tmp_path / "a", shape=SHAPE, dtype="u2", chunks=(16, 32, 32), shards=(32, 64, 64))
    with pytest.raises(ValueError, match="axis 0, within an object of 32"):
        store(da.from_array(scan, (16, 64, 64)), target)
    with pytest.raises(ValueError, match="axis 2"):
        store(da.from_array(scan, (32, 64, 100)), target)
    with pytest.raises(ValueError, match="shape"):
        store(da.from_array(scan[1:], (32, 64, 64)), target)
    store(da.from_array(scan, (64, 64, 128)), target)
    assert same(target[...], scan)


@pytest.fixture(scope="module")
def client():
    options = {"host": "127.0.0.1", "protocol": "tcp://", "dashboard_address": None}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **options) as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.mark.parametrize("allowed_failures", [3, 0])
def test_workers_that_are_killed_change_no_byte(source, serial, tmp_path, client, allowed_failures):
    target = tmp_path / "image.zarr"
    killed = []
    # With 0, each death raises KilledWorker for the tasks of the worker.
    client.cluster.scheduler.allowed_failures = allowed_failures

    def progress(done, total):
        if done in (5, 40, 90):
            pid = next(iter(client.run(os.getpid).values()))
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    summary = compress_zarr(source, target, **OPTIONS, client=client, progress=progress)
    assert len(set(killed)) == 3 and summary.resumed == 0
    assert sums(target) == sums(serial)
    assert not list(target.rglob("*.partial")) and not list(tmp_path.glob("*journal*"))


def test_a_cluster_that_has_lost_all_workers_is_an_error(scan, tmp_path):
    """Without a timeout, the call would wait for ever."""
    zarr.create_array(tmp_path / "a", data=scan[:64, :64, :64], chunks=(64, 64, 64))
    work = (tmp_path / "a", tmp_path / "b")
    options = {"chunks": (16, 16, 32), "brick": "4"}
    local = {"host": "127.0.0.1", "protocol": "tcp://", "dashboard_address": None}
    with distributed.LocalCluster(n_workers=0, processes=False, **local) as cluster:
        with distributed.Client(cluster) as client:
            start = time.monotonic()
            with pytest.raises(TimeoutError, match=r"no worker for 0.5 s \(worker_timeout\), and 8 tasks"):
                compress_zarr(*work, **options, client=client, worker_timeout=0.5)
            assert 0.5 <= time.monotonic() - start < 30
            cluster.scale(1)

            def progress(done, total):
                if done == 4:
                    cluster.scale(0)
                    while client.nthreads():
                        time.sleep(0.05)

            with pytest.raises(TimeoutError, match="worker_timeout"):
                compress_zarr(
                    *work, **options, window=4, client=client, worker_timeout=1, progress=progress
                )
    # The journal has what was done.
    summary = compress_zarr(*work, **options)
    assert summary.tasks == 32 and 4 <= summary.resumed < 32
    assert same(zarr.open_array(tmp_path / "b")[...], scan[:64, :64, :64])
    for call in (compress_zarr, encode_textures):
        for wrong in (0, -1.0, float("nan")):
            with pytest.raises(ValueError, match="worker_timeout is"):
                call([], tmp_path / "c", worker_timeout=wrong)


def test_a_failing_task_stops_the_work_with_its_error(tmp_path, client):
    zarr.create_array(tmp_path / "a", data=np.zeros((64, 64), "u2"), chunks=(16, 16), write_data=True)
    array = zarr.open_array(tmp_path / "a")
    array[...] = 5
    chunk_file = tmp_path / "a" / "c" / "1" / "1"
    chunk_file.write_bytes(b"no chunk")
    options = {"chunks": (16, 16), "brick": "4", "client": client}
    with pytest.raises(Exception) as error:
        compress_zarr(tmp_path / "a", tmp_path / "b", retries=1, window=2, **options)
    assert "in the task of c/1/1" in error.value.__notes__
    chunk_file.unlink()
    assert compress_zarr(tmp_path / "a", tmp_path / "b", **options).resumed >= 4
    array[16:32, 16:32] = 0
    assert same(zarr.open_array(tmp_path / "b")[...], array[...])


def test_textures_on_a_cluster_are_those_of_one_process(tmp_path, client):
    y, x = np.indices((64, 96))
    paths = []
    for number in range(6):
        paths.append(tmp_path / f"{number}.ppm")
        image = np.stack([x * 2, y * 3, x + y + number], axis=2).astype(np.uint8)
        paths[-1].write_bytes(b"P6 96 64 255\n" + image.tobytes())
    with pytest.raises(Stop):
        encode_textures(paths, tmp_path / "one", format="bc1", progress=stop_after(2))
    before = (tmp_path / "one" / "0.ktx2").stat().st_mtime_ns
    found = encode_textures(paths, tmp_path / "one", format="bc1")
    assert found == [tmp_path / "one" / f"{number}.ktx2" for number in range(6)]
    assert (tmp_path / "one" / "0.ktx2").stat().st_mtime_ns == before
    encode_textures(paths, tmp_path / "two", format="bc1", client=client)
    assert sums(tmp_path / "one") == sums(tmp_path / "two") and len(sums(tmp_path / "one")) == 6
    assert brickwork.open(found[0]).format == "bc1"
    with pytest.raises(ValueError, match="would both become"):
        encode_textures([paths[0], tmp_path / "more" / "0.png"], tmp_path / "three")


def test_volumes_are_dask_arrays(scan, tmp_path, client):
    compressed = volume.compress(scan)
    compressed.save(tmp_path / "scan.bwv")
    for one in (compressed, volume.open(tmp_path / "scan.bwv")):
        array = one.dask()
        assert array.chunks == ((100,), (128, 2), (128, 22)) and array.dtype == scan.dtype
        assert int(array[10:90].sum().compute()) == int(scan[10:90].sum(dtype="u8"))
        assert same(one.dask((50, 50, 50))[3:60:7, 5].compute(scheduler="sync"), scan[3:60:7, 5])


THREADS = """
import os, sys, time
from brickwork import volume
blocks = volume.open(sys.argv[1]).dask((100, 130, 150), threads=eval(sys.argv[2]))
blocks.compute(scheduler="sync")
# (A thread that has ended may be listed for a moment.)
print(min(len(os.listdir("/proc/self/task")) for _ in range(20) if time.sleep(0.01) is None))
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="only Linux lists threads there")
def test_a_block_takes_one_thread(scan, tmp_path):
    """Dask has its own threads. (The threads of a pool stay.)"""
    volume.compress(scan).save(tmp_path / "scan.bwv")

    def left(threads):
        command = [sys.executable, "-c", THREADS, str(tmp_path / "scan.bwv"), threads]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        return int(subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout)

    assert left("1") == 1 and left("3") == 4
    array = pickle.loads(pickle.dumps(volume.compress(scan).dask()))
    assert same(array[5].compute(scheduler="sync"), scan[5])


def test_the_example_of_the_document_runs(scan, tmp_path, monkeypatch):
    text = (Path(__file__).parents[3] / "docs/distributed.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    zarr.create_array("scan.zarr", data=scan, chunks=(64, 64, 64))
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    exec(compile(code, "distributed.md", "exec"), {"__name__": "__main__"})
    assert same(zarr.open_array("small.zarr")[...], scan)


def test_the_journal_is_json(source, tmp_path):
    with pytest.raises(Stop):
        compress_zarr(source, tmp_path / "a", **OPTIONS, journal=tmp_path / "log", progress=stop_after(2))
    first, *tasks = (tmp_path / "log").read_text().splitlines()
    assert json.loads(first)["arrays"][0][:2] == ["0", list(SHAPE)]
    assert [json.loads(task)[0] for task in tasks] == [0, 1]


def test_lengths_of_chunks_and_shards_are_positive(tmp_path):
    create_array(tmp_path / "a", data=smooth((20, 20, 20)))
    for chunks, shards in [((0, 8, 8), None), ((-1, -1, -1), None), ((8, 8, 8), (0, 8, 8))]:
        with pytest.raises(ValueError, match="each side must be at least 1"):
            compress_zarr(tmp_path / "a", tmp_path / "b", chunks=chunks, shards=shards)
    assert not (tmp_path / "b").exists()


def test_arrays_with_the_ending_of_partial_files(tmp_path):
    array = smooth((8, 9, 10))
    create_array(tmp_path / "a", name="scan.partial", data=array)
    compress_zarr(tmp_path / "a", tmp_path / "b")
    assert same(zarr.open_array(tmp_path / "b" / "scan.partial", mode="r")[...], array)


def test_pictures_are_several_and_not_replaced(tmp_path):
    source = tmp_path / "a.ktx2"
    brickwork.encode(np.zeros((8, 8, 4), np.uint8), "rgba8").save(source)
    before = source.read_bytes()
    with pytest.raises(ValueError, match="would be replaced by the texture of"):
        encode_textures([source], tmp_path)
    with pytest.raises(ValueError, match="would be replaced by the texture of"):
        encode_textures([tmp_path / "out" / ".." / "a.ktx2"], tmp_path)
    assert source.read_bytes() == before
    with pytest.raises(TypeError, match="expected several paths"):
        encode_textures(str(source), tmp_path / "out")


def test_masked_blocks_are_refused(tmp_path):
    masked = da.from_array(np.ma.masked_less(noise((8, 8, 8), "i2"), 0))
    target = create_array(tmp_path / "a", shape=(8, 8, 8), dtype="i2")
    with pytest.raises(ValueError, match="masked"):
        store(masked, target)
    with pytest.raises(ValueError, match="masked"):
        volume.compress(masked)
    store(da.ma.filled(masked, 0), target)
    assert same(target[...], masked.compute().filled(0))


def test_arrays_of_one_file_have_one_name(tmp_path):
    array = np.arange(24, dtype="u2").reshape(2, 3, 4)
    compressed = volume.compress(array, mip_levels=2)
    compressed.save(tmp_path / "a.bwv")
    opened = [volume.open(tmp_path / "a.bwv") for _ in range(2)]
    assert opened[0].dask().name == opened[1].dask().name
    assert compressed.dask().name == volume.open(compressed.to_bytes()).dask().name
    others = [opened[0].dask(chunks=1), opened[0].mip_levels[1].dask(), volume.compress(array + 1).dask()]
    assert len({opened[0].dask().name, *(other.name for other in others)}) == 4


def test_stores_of_other_types_are_refused(tmp_path):
    blocks = da.ones((8, 8, 8), chunks=(4, 8, 8), dtype="f8")
    target = zarr.create_array(tmp_path / "a.zarr", shape=(8, 8, 8), dtype="f4", chunks=(4, 8, 8))
    with pytest.raises(TypeError, match="^the blocks are float64, but the Zarr array float32; "):
        store(blocks, target)
    store(blocks.astype("f4"), target)
    assert (target[...] == 1).all()
    store(blocks.astype(">f4"), target)
    with pytest.raises(TypeError, match=r"^blocks must be a dask.array.Array, not ndarray"):
        store(np.ones((8, 8, 8), "f4"), target)
    with pytest.raises(TypeError, match=r"^target must be a zarr.Array, not str"):
        store(blocks, "a.zarr")


def test_targets_are_checked_before_warnings(tmp_path):
    group = zarr.create_group(tmp_path / "a.zarr")
    group.create_array("a", data=np.ones((4, 4, 4), "u1"))
    group.create_array("flags", data=np.ones(4, bool))
    with pytest.warns(UserWarning, match="flags"):
        compress_zarr(tmp_path / "a.zarr", tmp_path / "b.zarr")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(FileExistsError, match="b.zarr exists"):
            compress_zarr(tmp_path / "a.zarr", tmp_path / "b.zarr")
    with pytest.raises(TypeError, match="^chunks must be a sequence of integers"):
        compress_zarr(tmp_path / "a.zarr", tmp_path / "c.zarr", chunks=16)
