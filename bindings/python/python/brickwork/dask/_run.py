"""Tasks on a cluster, a window of them at a time, or in this process."""

from __future__ import annotations

import itertools
import math
import queue
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
    worker_timeout: float | None,
) -> Iterator[Result]:
    """Yields the results of jobs in the order of their ends. A job is repeated at most `retries` times.

    A job that fails more often raises its exception here, and the others are cancelled. The client holds a
    window of jobs, so that millions of them do not fill the scheduler.

    Raises
    ------
    TimeoutError
        If the cluster has no worker for `worker_timeout` seconds; never if it is None.
    """
    if client is None:
        for job in jobs:
            yield _repeated(work, job, retries)
    else:
        yield from _on_cluster(work, jobs, client, retries, window, worker_timeout)


def check_timeout(worker_timeout: float | None) -> None:
    """Raises ValueError unless `worker_timeout` is None or a number of seconds above 0."""
    if worker_timeout is not None and not worker_timeout > 0:
        raise ValueError(f"worker_timeout is {worker_timeout}, expected None or a number of seconds above 0")


class _Workers:
    """Time that this process has waited while the cluster had no worker."""

    def __init__(self, client: Any, timeout: float | None) -> None:
        self._client = client
        self._timeout = timeout
        self._seen = time.monotonic()

    def reset(self) -> None:
        """Starts the time again."""
        self._seen = time.monotonic()

    @property
    def period(self) -> float:
        """Seconds between two checks, each of which is a round trip to the scheduler."""
        return min(1.0, self._timeout or 1.0)

    @property
    def patience(self) -> float:
        """Seconds to wait for a result that is on a worker."""
        return min(10.0, self._timeout or 10.0)

    def check(self, waiting: int) -> None:
        """Raises TimeoutError if there has been no worker for too long. `waiting` is the number of tasks."""
        if self._timeout is None:
            return
        try:
            has_worker = bool(self._client.nthreads())
        except OSError:
            # (The scheduler does not answer.)
            has_worker = False
        if has_worker:
            self.reset()
        elif time.monotonic() - self._seen >= self._timeout:
            raise TimeoutError(
                f"the cluster has had no worker for {self._timeout:g} s (worker_timeout), "
                f"and {waiting} tasks wait for one"
            )


def _repeated(work: Callable[[Job], Result], job: Job, retries: int) -> Result:
    for _ in range(retries):
        try:
            return work(job)
        except Exception:
            continue
    return work(job)


def _on_cluster(
    work: Callable[[Job], Result],
    jobs: Iterable[Job],
    client: Any,
    retries: int,
    window: int | None,
    worker_timeout: float | None,
) -> Iterator[Result]:
    from distributed import KilledWorker

    run_id = uuid.uuid4().hex
    numbers = itertools.count()
    waiting = iter(jobs)
    running: dict[Any, tuple[Job, int]] = {}
    # (`as_completed` would wait for ever if no worker comes back.)
    ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
    workers = _Workers(client, worker_timeout)

    def submit(job: Job, deaths: int) -> None:
        key = f"brickwork-{run_id}-{next(numbers)}"
        future = client.submit(work, job, key=key, pure=False, retries=retries)
        running[future] = (job, deaths)
        future.add_done_callback(ended.put)

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
        while running:
            try:
                future = ended.get(timeout=workers.period)
            except queue.Empty:
                workers.check(len(running))
                continue
            job, deaths = running[future]
            try:
                # (A result that died with its worker is made again, if another worker comes.)
                result = future.result(timeout=workers.patience)
            except KilledWorker:
                # The job was on workers that died, for which it is not always the cause.
                if deaths == retries:
                    raise
                del running[future]
                submit(job, deaths + 1)
                continue
            except TimeoutError:
                if future.status == "error":
                    raise
                workers.check(len(running))
                ended.put(future)
                continue
            del running[future]
            yield result
            for job in itertools.islice(waiting, max(most() - len(running), 0)):
                submit(job, 0)
            # (The caller may have taken its time.)
            workers.reset()
    finally:
        client.cancel(list(running))
