"""Tasks on a cluster, a window of them at a time, or in this process."""

from __future__ import annotations

import itertools
import math
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def run(
    work: Callable[[Job], Result],
    jobs: Iterable[Job],
    *,
    client: Any,
    retries: int,
    window: int | None,
) -> Iterator[Result]:
    """Yields the results of jobs in the order of their ends. A job is repeated at most `retries` times.

    A job that fails more often raises its exception here, and the others are cancelled. The client holds a
    window of jobs, so that millions of them do not fill the scheduler.
    """
    if client is None:
        for job in jobs:
            yield _repeated(work, job, retries)
    else:
        yield from _on_cluster(work, jobs, client, retries, window)


def _repeated(work: Callable[[Job], Result], job: Job, retries: int) -> Result:
    for _ in range(retries):
        try:
            return work(job)
        except Exception:
            continue
    return work(job)


def _on_cluster(
    work: Callable[[Job], Result], jobs: Iterable[Job], client: Any, retries: int, window: int | None
) -> Iterator[Result]:
    from distributed import KilledWorker, as_completed

    run_id = uuid.uuid4().hex
    numbers = itertools.count()
    waiting = iter(jobs)
    running: dict[Any, tuple[Job, int]] = {}
    ended = as_completed([])

    def submit(job: Job, deaths: int) -> None:
        key = f"brickwork-{run_id}-{next(numbers)}"
        future = client.submit(work, job, key=key, pure=False, retries=retries)
        running[future] = (job, deaths)
        ended.add(future)

    size, checked = window or 0, -math.inf

    def most() -> int:
        # (Workers may join later. Each request to the scheduler is a round trip: at most one a second.)
        nonlocal size, checked
        if not window and time.monotonic() - checked > 1:
            size, checked = max(4 * sum(client.nthreads().values()), 8), time.monotonic()
        return size

    try:
        for job in itertools.islice(waiting, most()):
            submit(job, 0)
        for future in ended:
            job, deaths = running.pop(future)
            try:
                result = future.result()
            except KilledWorker:
                # The job was on workers that died, for which it is not always the cause.
                if deaths == retries:
                    raise
                submit(job, deaths + 1)
                continue
            yield result
            for job in itertools.islice(waiting, max(most() - len(running), 0)):
                submit(job, 0)
    finally:
        client.cancel(list(running))
