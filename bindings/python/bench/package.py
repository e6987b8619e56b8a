"""The installed package: size of the wheel, its oldest system, time of import."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

from table import Goal, at_most


def imports(rounds: int) -> Goal:
    """Returns the goal of the time that `import brickwork` adds to `import numpy`."""
    least = {"numpy": float("inf"), "numpy, brickwork": float("inf")}
    for _ in range(5 * rounds):
        for modules in least:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", f"import {modules}"], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            least[modules] = min(least[modules], spent)
    added = 1000 * (least["numpy, brickwork"] - least["numpy"])
    return at_most("`import brickwork` after `import numpy`, CPU time", 50, added, " ms", 1)


def wheel(path: Path) -> list[Goal]:
    """Returns the goals of a wheel: its size, and the glibc that its name promises."""
    size = at_most("wheel", 6, path.stat().st_size / 1e6, " MB")
    found = re.search(r"manylinux_2_(\d+)_", path.name)
    minor = int(found[1]) if found else 99
    return [size, at_most("wheel: manylinux 2.x", 28, minor, digits=0)]
