"""CPU time of `volume.compress`, compared with the call in Rust: crates/volume/examples/time_encoding.rs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

from brickwork import volume
from scans import Scan
from table import Goal, at_most
from timing import cpu

EXAMPLE = "time_encoding"

REPOSITORY = Path(__file__).resolve().parents[3]


def build() -> Path:
    """Builds the program in Rust as wheels are built, and returns its path."""
    cargo = shutil.which("cargo")
    if cargo is None:
        raise SystemExit(f"there is no cargo to build the example {EXAMPLE}; name its program with --rust")
    command = [cargo, "build", "--release", "-p", "brickwork-volume", "--example", EXAMPLE]
    command.append("--message-format=json-render-diagnostics")
    built = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True)
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == EXAMPLE:
            return Path(message["executable"])
    raise RuntimeError(f"cargo has built no program {EXAMPLE}")


def measure(scan: Scan, rust: Path, folder: Path, rounds: int) -> list[Goal]:
    """Returns the goals of the binding. In each round, all calls have a turn, with the same options."""
    raw = folder / "raw"
    scan.voxels.tofile(raw)
    z, y, x = scan.voxels.shape
    command = [str(rust), str(raw), scan.voxels.dtype.name, str(x), str(y), str(z)]
    arrays = {
        "C order": scan.voxels,
        "Fortran order": np.asfortranarray(scan.voxels),
        "big-endian": scan.voxels.astype(scan.voxels.dtype.newbyteorder(">")),
    }
    least = dict.fromkeys(["Rust", *arrays], float("inf"))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        for _ in range(rounds):
            print(file=process.stdin, flush=True)
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"{rust} ended: it is called as `{' '.join(command[1:])}`")
            seconds, byte_count = line.split()
            least["Rust"] = min(least["Rust"], float(seconds))
            for name, array in arrays.items():
                kept: list[volume.Volume] = []
                spent = cpu(
                    lambda array=array, kept=kept: kept.append(
                        volume.compress(array, brick="8", threads=1)
                    )
                )
                least[name] = min(least[name], spent)
                if kept[0].compressed_bytes != int(byte_count):
                    raise ValueError(f"{name}: {kept[0].compressed_bytes} bytes, in Rust {byte_count}")
            print(f"binding: {least}", file=sys.stderr, flush=True)
        process.stdin.close()
    raw.unlink()
    return [
        at_most(
            f"{scan.name}, {name}: CPU time over the call in Rust",
            most,
            100 * (least[name] / least["Rust"] - 1),
            " %",
            1,
        )
        for name, most in (("C order", 1), ("Fortran order", 10), ("big-endian", 10))
    ]
