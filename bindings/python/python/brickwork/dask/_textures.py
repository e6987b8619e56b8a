"""Pictures to textures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import brickwork
from brickwork.dask._journal import Journal
from brickwork.dask._run import check_timeout, run


@dataclass(frozen=True)
class _Job:
    number: int
    source: str
    target: str
    options: dict[str, Any]


def encode_textures(
    paths: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    format: str = "bc7",
    quality: Literal["ultrafast", "fast", "normal", "high", "best"] = "normal",
    mips: bool = True,
    srgb: bool | None = None,
    extension: Literal[".ktx2", ".dds"] = ".ktx2",
    resume: bool = True,
    client: Any = None,
    retries: int = 3,
    window: int | None = None,
    worker_timeout: float | None = 300.0,
    progress: Callable[[int, int], object] | None = None,
) -> list[Path]:
    """Encodes pictures to textures in a folder, by one task for each. Existing textures are replaced.

    Parameters
    ----------
    paths
        Pictures. Workers open them, so all of them need the same file system.
    out
        Folder of the textures, which have the names of the pictures.
    format, quality, mips, srgb
        As for `brickwork.encode`.
    extension
        ".ktx2" or ".dds".
    resume
        True to continue an earlier run with the same options, by the journal in the folder.
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
    list of Path
        Textures, in the order of `paths`.

    Raises
    ------
    TypeError
        If `paths` is one path.
    ValueError
        If a picture would be replaced by a texture, two pictures have the same name, the journal is of other
        work, or `worker_timeout` is not above 0.
    TimeoutError
        If the cluster has no worker for `worker_timeout` seconds. The next call continues by the journal.
    """
    check_timeout(worker_timeout)
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TypeError(f"paths is the path {os.fspath(paths)!r}, expected several paths, such as a list")
    folder = Path(out).absolute()
    sources = [Path(path).absolute() for path in paths]
    targets = [folder / (source.stem + extension) for source in sources]
    first_of: dict[Path, Path] = {}
    for source, target in zip(sources, targets):
        if target in first_of:
            raise ValueError(f"{first_of[target]} and {source} would both become {target}")
        first_of[target] = source
    replaced = {os.path.realpath(target): source for target, source in first_of.items()}
    for source in sources:
        if (cause := replaced.get(os.path.realpath(source))) is not None:
            raise ValueError(f"{source} would be replaced by the texture of {cause}")
    options = {"format": format, "quality": quality, "mips": mips, "srgb": srgb}
    work = {"sources": list(map(str, sources)), "extension": extension, **options}
    log = Journal(folder / "brickwork.journal", work, resume=resume)
    is_finished = False
    try:
        for number, size in list(log.done.items()):
            if not targets[number].exists() or targets[number].stat().st_size != size:
                del log.done[number]
        jobs = (
            _Job(number, str(source), str(target), options)
            for number, (source, target) in enumerate(zip(sources, targets))
            if number not in log.done
        )
        ended = run(
            _encode, jobs, client=client, retries=retries, window=window, worker_timeout=worker_timeout
        )
        for number, size in ended:
            log.add(number, size)
            if progress is not None:
                progress(len(log.done), len(sources))
        is_finished = True
    finally:
        log.close(is_finished=is_finished)
    return targets


def _encode(job: _Job) -> tuple[int, int]:
    """Encodes a picture on the calling thread. Returns the job's number and the texture's size."""
    texture = brickwork.encode(job.source, **job.options, threads=1)
    texture.save(job.target, overwrite=True)
    return job.number, os.path.getsize(job.target)
