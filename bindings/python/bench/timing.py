"""CPU times of calls that are compared: in rounds, so that a busy machine slows all of them alike."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from typing import Any


def cpu(work: Callable[[], Any]) -> float:
    """Returns the CPU seconds of a call, of all threads of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def interleaved(works: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Returns the smallest time of each call. A round calls each of them, starting with another one."""
    names = list(works)
    least = dict.fromkeys(names, float("inf"))
    for number in range(rounds):
        first = number % len(names)
        for name in itertools.chain(names[first:], names[:first]):
            least[name] = min(least[name], cpu(works[name]))
    return least
