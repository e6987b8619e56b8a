"""Measures the Zarr codec against others, in one run, and writes the tables of docs/measured/zarr.md.

python bindings/python/bench FOLDER [NAME ...] [--rounds N] [--write]
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

import sizes
import speed
import through_zarr
from peers import PACKAGES
from scans import scans

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/measured/zarr.md"
BEGIN, END = "<!-- zarr:begin -->", "<!-- zarr:end -->"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of NAME.raw.zst beside NAME.json")
    parser.add_argument("names", nargs="*", help="volumes; default: all")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of measurements of time")
    parser.add_argument("--write", action="store_true", help="write docs/measured/zarr.md")
    options = parser.parse_args()
    found = scans(options.folder, options.names)
    largest = found[0]
    measured = sizes.measure(found)
    texts = [_about(options, measured.notes), "### Sizes\n\n" + sizes.to_table(measured, found)]
    texts.append(f"### Speed on {largest.name}, in memory")
    texts.append(speed.Speeds(largest, 64, options.rounds).table())
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        rows = through_zarr.measure(largest, Path(folder), options.rounds)
    texts.append(f"### Speed on {largest.name}, through zarr-python\n\n{rows}")
    text = "\n\n".join(texts)
    print(text)
    if options.write:
        _write(_wrapped(text))


def _write(text: str) -> None:
    """Replaces the part of the page between its two markers."""
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    partial = DOCUMENT.with_suffix(".partial")
    partial.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
    partial.replace(DOCUMENT)


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


if __name__ == "__main__":
    main()
