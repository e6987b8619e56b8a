"""Zarr arrays and groups to arrays with the codec."""

from __future__ import annotations

import itertools
import math
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import zarr
from zarr.core.sync import sync
from zarr.storage import LocalStore, MemoryStore

from brickwork._arguments import integers
from brickwork._arrays import check_dtype
from brickwork.dask._journal import Journal
from brickwork.dask._nodes import Node, axis_names, nodes, target_attributes
from brickwork.dask._run import check_timeout, run
from brickwork.zarr import create_array
from brickwork.zarr._layout import problems

#: Side of chunks along the last three axes. Windows of such chunks are read by byte ranges.
_SIDE = 256


@dataclass(frozen=True)
class Summary:
    """Result of `compress_zarr`.

    Attributes
    ----------
    tasks
        Number of tasks: chunks or shards of all arrays.
    resumed
        Number of tasks that an earlier run had done.
    source_bytes
        Size of the decompressed numbers.
    stored_bytes
        Size of the objects with chunks.
    copied
        Paths of the arrays that keep their own codecs, and the reasons.
    """

    tasks: int
    resumed: int
    source_bytes: int
    stored_bytes: int
    copied: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Plan:
    """An array with its chunks and shards at the target."""

    node: Node
    chunk: list[int]
    shard: list[int] | None
    #: Reason why the array keeps its own codecs, chunks and shards; None if it is compressed.
    reason: str | None = None

    def counts(self) -> list[int]:
        """Numbers of objects along the axes."""
        return [-(-length // side) for length, side in zip(self.node.shape, self.shard or self.chunk)]


@dataclass(frozen=True)
class _Job:
    """A region of an array, and the object that has it."""

    number: int
    source: Any
    target: Any
    path: str
    region: tuple[tuple[int, int], ...]
    key: str


def compress_zarr(
    src: Any,
    dst: Any,
    *,
    chunks: Sequence[int] | None = None,
    shards: Sequence[int] | None = None,
    brick: Literal["auto", "4", "8", "16x16x1"] = "auto",
    resume: bool = True,
    overwrite: bool = False,
    journal: str | os.PathLike[str] | None = None,
    client: Any = None,
    retries: int = 3,
    window: int | None = None,
    worker_timeout: float | None = 300.0,
    progress: Callable[[int, int], object] | None = None,
) -> Summary:
    """Copies a Zarr array or group to arrays that use the codec `brickwork`, by one task for each object.

    Groups keep their arrays, subgroups and attributes, such as the multiscales of OME-Zarr. Those of OME-Zarr
    0.4, which has Zarr format 2, become attributes of version 0.5. Arrays that the codec cannot compress,
    such as strings, bool and complex numbers, are copied with their own codecs, chunks and shards; a warning
    and the result name them.

    Parameters
    ----------
    src, dst
        Paths, URLs or Zarr stores. Workers open them; stores in memory work only without a client.
    chunks
        Shape of chunks; those inside shards if there are shards. It holds for the last axes of each array.
        Arrays whose chunks would have more than three axes after the first ones of length 1 are copied.
        Default: 256 along the last three axes, at most the array's lengths, and 1 along others.
    shards
        Shape of shards, a multiple of `chunks`. Default: none.
    brick
        Size of bricks. "auto" chooses one for each array by samples of it.
    resume
        True to continue an earlier run of the same work, by its journal.
    overwrite
        True to replace an array or group at `dst`. An interrupted run is continued nevertheless, unless
        `resume` is false.
    journal
        File with the tasks that are done. It is removed at the end. Default: `dst` with ".journal" after it,
        if that is a folder; else none, and nothing is resumed.
    client
        A `distributed.Client`. Default: none, and the tasks are done in this process.
    retries
        Number of times that a task is repeated after an exception, or after its worker died.
    window
        Number of tasks that the scheduler holds. Default: four for each thread of the workers.
    worker_timeout
        Seconds without any worker after which the work stops: all have died and none has come back, or none
        has joined. None waits for ever, for clusters whose workers wait in a queue.
    progress
        Called with the numbers of tasks done and in total. An exception stops the work.

    Returns
    -------
    Summary
        Numbers of tasks and bytes.

    Raises
    ------
    FileExistsError
        If `dst` exists, is not continued, and `overwrite` is false.
    TypeError
        If the codec supports the type of no array.
    ValueError
        If a side of `chunks` or `shards` is below 1, `shards` is no multiple of `chunks`, one of `src` and
        `dst` is inside the other, `src` is of OME-Zarr before 0.4, the journal is of other work, or an array
        at `dst` is. Or `worker_timeout` is not above 0, or all chunks have too many axes.
    TimeoutError
        If the cluster has no worker for `worker_timeout` seconds. The next call continues by the journal.

    Warns
    -----
    UserWarning
        If arrays keep their own codecs.
    """
    check_timeout(worker_timeout)
    source, target = _place(src), _place(dst)
    _check_apart(source, target)
    if client is not None and any(isinstance(place, MemoryStore) for place in (source, target)):
        raise ValueError("workers cannot open a store in memory")
    found = list(nodes(source))
    arrays = [_plan(node, chunks, shards) for node in found if node.array is not None]
    copied = {plan.node.path: plan.reason for plan in arrays if plan.reason is not None}
    if copied and len(copied) == len(arrays):
        check_dtype(arrays[0].node.array.dtype)
        raise ValueError(f"{arrays[0].node.path or '/'}: {arrays[0].reason}")
    for node in found:
        if node.array is None:
            # (Old versions raise an error before anything at `dst` is deleted.)
            target_attributes(node)
    folder = _folder(target)
    path = Path(journal) if journal is not None else folder and folder.with_name(folder.name + ".journal")
    work = {
        "source": str(source),
        "target": str(target),
        "brick": brick,
        "arrays": [
            [plan.node.path, list(plan.node.shape), plan.node.dtype, plan.chunk, plan.shard]
            for plan in arrays
        ],
    }
    is_continued = resume and path is not None and path.exists()
    if not is_continued and not overwrite and _exists(target):
        raise FileExistsError(f"{target} exists; overwrite=True replaces it")
    if copied:
        names = "; ".join(f"{path}: {reason}" for path, reason in copied.items())
        warnings.warn(f"arrays that keep their own codecs: {names}", stacklevel=2)
    if not is_continued:
        # The journal of a run says that everything at `dst` is of this run.
        if path is not None:
            path.unlink(missing_ok=True)
        _delete(target)
    log = Journal(path, work, resume=resume)
    is_finished = False
    try:
        _create(found, arrays, target, brick)
        _delete_partial(folder)
        total = sum(math.prod(plan.counts()) for plan in arrays)
        if log.done:
            _forget_missing(log, _jobs(arrays, source, target), target)
        resumed = len(log.done)
        waiting = (job for job in _jobs(arrays, source, target) if job.number not in log.done)
        ended = run(
            _convert, waiting, client=client, retries=retries, window=window, worker_timeout=worker_timeout
        )
        for number, byte_count in ended:
            log.add(number, byte_count)
            if progress is not None:
                progress(len(log.done), total)
        is_finished = True
    finally:
        log.close(is_finished=is_finished)
    _delete_partial(folder)
    sizes = [math.prod(plan.node.shape) * plan.node.array.dtype.itemsize for plan in arrays]
    return Summary(total, resumed, sum(sizes), sum(log.done.values()), copied)


def _place(place: Any) -> Any:
    """An absolute path, a URL, or a store."""
    if isinstance(place, str):
        place = place.removeprefix("file://")
    if isinstance(place, (str, os.PathLike)) and "://" not in os.fspath(place):
        return os.path.abspath(place)
    return place


def _check_apart(source: Any, target: Any) -> None:
    """Refuses places of which one contains the other."""
    folders = [(_folder(place), place) for place in (source, target)]
    names = [
        str(place if folder is None else folder.resolve()).rstrip("/") + "/" for folder, place in folders
    ]
    if names[0].startswith(names[1]) or names[1].startswith(names[0]):
        raise ValueError(f"{source} and {target}: neither of src and dst may be inside the other")


def _folder(target: Any) -> Path | None:
    if isinstance(target, LocalStore):
        return Path(target.root)
    return Path(target) if isinstance(target, str) and "://" not in target else None


def _exists(target: Any) -> bool:
    try:
        zarr.open(target, mode="r")
    except FileNotFoundError:
        return False
    return True


def _delete(target: Any) -> None:
    """Deletes an earlier array or group."""
    if _exists(target):
        sync(zarr.open(target, mode="r+").store_path.delete_dir())


def _plan(node: Node, chunks: Sequence[int] | None, shards: Sequence[int] | None) -> _Plan:
    """The chunks and shards of an array."""
    axes = len(node.shape)

    def along(sides: Sequence[int], name: str) -> list[int]:
        lengths = integers(sides, name)
        if any(side < 1 for side in lengths):
            raise ValueError(f"{name} is {lengths}; each side must be at least 1")
        last = list(lengths[-axes:]) if axes else []
        return [1] * (axes - len(last)) + last

    chunk = along([_SIDE] * 3 if chunks is None else chunks, "chunks")
    shard = None if shards is None else along(shards, "shards")
    if shard is None:
        chunk = [max(min(side, length), 1) for side, length in zip(chunk, node.shape)]
    elif any(outer % side for outer, side in zip(shard, chunk)):
        raise ValueError(f"shards {tuple(shard)} are no multiple of chunks {tuple(chunk)}")
    reason = _reason(node, chunk)
    if reason is None:
        return _Plan(node, chunk, shard)
    own = None if node.array.shards is None else list(node.array.shards)
    return _Plan(node, list(node.array.chunks), own, reason)


def _reason(node: Node, chunk: list[int]) -> str | None:
    """The reason why the codec cannot compress an array; None if it can."""
    try:
        check_dtype(np.dtype(node.array.dtype))
    except TypeError:
        return f"the type is {node.dtype}"
    # (Those after the first ones of length 1.)
    several = list(itertools.dropwhile(lambda side: side == 1, chunk))
    return f"chunks {tuple(chunk)} have {len(several)} axes, more than three" if len(several) > 3 else None


def _create(
    found: list[Node],
    arrays: list[_Plan],
    target: Any,
    brick: Literal["auto", "4", "8", "16x16x1"],
) -> None:
    """Makes the groups and arrays that are not there."""
    for node in found:
        if node.array is None and not _has(target, node.path):
            zarr.create_group(target, path=node.path, attributes=target_attributes(node))
    for plan in arrays:
        node, shard = plan.node, plan.shard
        if _has(target, node.path):
            _check_same(zarr.open_array(target, path=node.path, mode="r"), plan)
            continue
        separator: Any = {"name": "default", "separator": "/"}
        if plan.reason is not None:
            zarr.from_array(
                target,
                data=node.array,
                write_data=False,
                name=node.path or None,
                zarr_format=3,
                fill_value=node.array.fill_value,
                attributes=node.attributes,
                dimension_names=axis_names(node, found),
                chunk_key_encoding=separator,
            )
            continue
        create_array(
            target,
            name=node.path or None,
            shape=node.shape,
            dtype=node.array.dtype,
            chunks=tuple(plan.chunk),
            shards=None if shard is None else tuple(shard),
            brick=brick,
            sample=node.array,
            fill_value=node.array.fill_value,
            attributes=node.attributes,
            dimension_names=axis_names(node, found),
            chunk_key_encoding=separator,
        )


def _check_same(old: Any, plan: _Plan) -> None:
    """Refuses an array that an earlier run of this work has not made."""
    shard = None if plan.shard is None else tuple(plan.shard)
    wanted = (tuple(plan.node.shape), tuple(plan.chunk), shard)
    is_same = (tuple(old.shape), tuple(old.chunks), old.shards) == wanted
    if plan.reason is None:
        is_same = is_same and old.dtype == plan.node.array.dtype.newbyteorder("=") and not problems(old)
    else:
        is_same = is_same and old.dtype.kind == plan.node.array.dtype.kind
    if not is_same:
        raise ValueError(
            f"{old.store_path} is not of this work; resume=False with overwrite=True starts again"
        )


def _has(target: Any, path: str) -> bool:
    try:
        zarr.open(target, path=path, mode="r")
    except (FileNotFoundError, KeyError):
        return False
    return True


def _jobs(arrays: list[_Plan], source: Any, target: Any) -> Iterator[_Job]:
    """One job for each object: its region is aligned to it."""
    number = 0
    for plan in arrays:
        node, sides = plan.node, plan.shard or plan.chunk
        opened = zarr.open_array(target, path=node.path, mode="r")
        for coords in itertools.product(*map(range, plan.counts())):
            region = tuple(
                (at * side, min((at + 1) * side, length))
                for at, side, length in zip(coords, sides, node.shape)
            )
            key = (opened.store_path / opened.metadata.encode_chunk_key(coords)).path
            yield _Job(number, source, target, node.path, region, key)
            number += 1


def _convert(job: _Job) -> tuple[int, int]:
    """Copies a region. Returns the job's number and the size of its object; 0 if all of it is fill value."""
    source = zarr.open_array(job.source, path=job.path, mode="r")
    target = zarr.open_array(job.target, path=job.path, mode="r+")
    region = tuple(slice(first, end) for first, end in job.region)
    try:
        voxels = source[region]
        # Zarr merges objects at the array's end with what was there, which may be damaged.
        sides = target.shards or target.chunks
        if any(end - first < side for (first, end), side in zip(job.region, sides)):
            sync(target.store_path.store.delete(job.key))
        target[region] = voxels
    except Exception as error:
        error.add_note(f"in the task of {job.key}")
        raise
    return job.number, _size(target.store_path.store, job.key)


def _size(store: Any, key: str) -> int:
    try:
        return int(sync(store.getsize(key)))
    except FileNotFoundError:
        return 0


def _forget_missing(log: Journal, jobs: Iterable[_Job], target: Any) -> None:
    """Removes tasks from the journal whose object is missing or has another size."""
    store = zarr.open(target, mode="r").store_path.store
    for job in jobs:
        if job.number in log.done and _size(store, job.key) != log.done[job.number]:
            del log.done[job.number]


def _delete_partial(folder: Path | None) -> None:
    """Deletes the files that workers left when they died."""
    for path in folder.rglob("*.partial") if folder is not None else ():
        # (Arrays may have such names, too.)
        if not path.is_dir():
            path.unlink(missing_ok=True)
