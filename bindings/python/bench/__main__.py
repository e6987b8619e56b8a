"""Measures the Zarr codec against others, in one run, and writes the tables of docs/measured/zarr.md.

python bindings/python/bench FOLDER [NAME ...] [--rust PROGRAM] [--wheel FILE] [--rounds N] [--write]
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import textwrap
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import binding
import package
import sizes
import speed
import through_zarr
from document import write_between
from peers import PACKAGES
from scans import scans
from table import Goal, table

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/measured/zarr.md"
BEGIN, END = "<!-- zarr:begin -->", "<!-- zarr:end -->"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of NAME.raw.zst beside NAME.json")
    parser.add_argument("names", nargs="*", help="volumes; default: all")
    parser.add_argument("--rust", type=Path, help="the program time_encoding; default: cargo builds it")
    parser.add_argument("--wheel", type=Path, help="the wheel of the package")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of measurements of time")
    parser.add_argument("--write", action="store_true", help="write docs/measured/zarr.md")
    options = parser.parse_args()
    rust = options.rust or binding.build()
    found = scans(options.folder, options.names)
    largest = found[0]
    goals: list[Goal] = []
    texts = []
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as name:
        folder = Path(name)
        goals += binding.measure(largest, rust, folder, options.rounds)
        goals += sizes.overhead(found)
        measured = sizes.measure(found)
        goals += sizes.goals(measured, found)
        texts.append("### Sizes\n\n" + sizes.tables(measured, found) + "\n\n" + _bricks(measured))
        texts.append(f"### Speed on {largest.name}, in memory")
        for side in sizes.SIDES:
            speeds = speed.Speeds(largest, side, options.rounds)
            goals += speeds.goals(largest.name)
            texts.append(speeds.table())
        rows, more = through_zarr.measure(largest, folder, options.rounds)
        goals += more
        texts.append(f"### Speed on {largest.name}, through zarr-python\n\n{rows}")
    goals.append(package.imports(options.rounds))
    if options.wheel:
        goals += package.wheel(options.wheel)
    head = ["goal", "must reach", "measured", "reached"]
    texts.insert(0, "### Must reach\n\n" + table(head, [goal.cells() for goal in goals]))
    texts.insert(0, _about(options, measured.notes))
    text = "\n\n".join(texts)
    print(text)
    if options.write:
        write_between(DOCUMENT, BEGIN, END, _wrapped(text))


def _wrapped(text: str) -> str:
    """Returns the text with lines of at most 110 columns, except for tables."""
    lines = []
    for line in text.splitlines():
        indent = "  " if line.startswith("- ") else ""
        whole = [line] if line.startswith("|") else textwrap.wrap(line, 110, subsequent_indent=indent)
        lines += whole or [""]
    return "\n".join(lines)


def _about(options: argparse.Namespace, notes: list[str]) -> str:
    cpu = next(
        (
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    load = os.getloadavg()[0]
    lines = [
        f"- Machine: {cpu}, {os.cpu_count()} logical CPUs, load {load:.1f} at the end",
        f"- Python {platform.python_version()}, {through_zarr.pipeline()}; "
        + "; ".join(map(_version, PACKAGES)),
        f"- Rounds: {options.rounds}",
        f"- Date: {time.strftime('%Y-%m-%d')}",
    ]
    return "\n".join(lines + [f"- {note}" for note in notes])


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"no {name}"


def _bricks(measured: sizes.Sizes) -> str:
    by_brick: dict[str, list[str]] = {}
    for (side, name), brick in measured.chosen.items():
        by_brick.setdefault(brick, []).append(f"{name} {side}³")
    return (
        "Bricks that `auto` chooses: "
        + "; ".join(f"{b} for {', '.join(n)}" for b, n in by_brick.items())
        + "."
    )


if __name__ == "__main__":
    main()
