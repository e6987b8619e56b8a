#!/usr/bin/env python3
"""Compares two builds of the program by the instructions that they execute, which no other load changes.

    bench/instructions.py OLD NEW          paths of two programs (cargo build --release)
    bench/instructions.py OLD NEW --only bc7

Each command runs once on one thread under Valgrind's callgrind, which offers AVX2 but no AVX-512. The table
has the ratio of new to old, for the whole program and for the functions of the two codec crates alone. The
whole program includes readers of files and the command line, but not start-up (`--version`)."""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMAGE = ROOT / "test-data/kodak/kodim23.png"
VOLUMES = ROOT / "test-data/volumes"
TYPES = {"uint8": "u8", "float32": "f32"}
# A function of the codecs, in a line of callgrind_annotate. (Generic code of other crates is theirs.)
CODECS = r"^ *[\d,]+ .*:<?(&?mut )?brickwork_(texture|volume)\b"


def instructions(program, arguments, folder):
    """The number of instructions of a run, and of the codec crates' functions alone."""
    costs = folder / "callgrind.out"
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={costs}"]
    command = [*valgrind, str(program), *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{run.stderr}")
    annotate = ["callgrind_annotate", "--auto=no", "--threshold=100", costs]
    functions = subprocess.run(annotate, check=True, capture_output=True, text=True).stdout.splitlines()
    codecs = [line.split()[0] for line in functions if re.search(CODECS, line)]
    total = int(re.search(r"Collected : (\d+)", run.stderr)[1])
    return total, sum(int(count.replace(",", "")) for count in codecs)


def cases(program, folder):
    """Names and arguments. Inputs of decoders are written by the program itself."""
    image = ["--device", "cpu", "--threads", "1", "--no-metrics", "--force"]
    for file_format in ["bc1", "bc2", "bc3", "bc4", "bc4s", "bc5", "bc5s", "bc7"]:
        for quality in ["ultrafast", "fast", "normal"]:
            yield (
                f"encode {file_format} {quality}",
                ["encode", IMAGE, "-o", "out.dds", "-f", file_format, "-q", quality, *image],
            )
    for title, words in [
        ("bc7 real time 1", ["-f", "bc7", "--real-time", "1"]),
        ("bc7 high, 128 texels wide", ["-f", "bc7", "-q", "high", "--max-size", "128"]),
        ("bc7 best, 128 texels wide", ["-f", "bc7", "-q", "best", "--max-size", "128"]),
        ("bc1 high", ["-f", "bc1", "-q", "high"]),
        ("bc1 with --rdo 2", ["-f", "bc1", "--rdo", "2"]),
    ]:
        yield f"encode {title}", ["encode", IMAGE, "-o", "out.dds", *words, *image]
    for file_format in ["bc1", "bc5", "bc7"]:
        texture = f"{file_format}.dds"
        fast = ["encode", IMAGE, "-o", texture, "-f", file_format, "-q", "ultrafast", *image]
        subprocess.run([program, *map(str, fast)], check=True, capture_output=True, cwd=folder)
        yield f"decode {file_format}", ["decode", texture, "-o", "out.png", "--force"]
    volume = ["--threads", "1", "--force"]
    for path in sorted(VOLUMES.glob("*.json")):
        facts = json.loads(path.read_text())
        raw, bricks = folder / f"{facts['name']}.raw", f"{facts['name']}.bwv"
        subprocess.run(["zstd", "-dqf", path.with_suffix(".raw.zst"), "-o", raw], check=True)
        dims = "x".join(map(str, facts["dims_xyz"]))
        shape = ["--dims", dims, "--type", TYPES[facts["dtype"]]]
        for brick in ["4", "8"]:
            encode = ["volume", "encode", raw, "-o", bricks, "--brick", brick, *shape, *volume]
            yield f"volume encode {facts['name']}, bricks {brick}", encode
            subprocess.run([program, *map(str, encode)], check=True, capture_output=True, cwd=folder)
            region = ",".join(f"0..{side}" for side in facts["dims_xyz"])
            extract = ["volume", "extract", bricks, "-o", "out.raw", "--region", region, *volume]
            yield f"volume extract {facts['name']}, bricks {brick}", extract


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("new", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--only", default="", help="cases whose name contains this")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = [options.old, options.new]
        start = [instructions(program, ["--version"], folder)[0] for program in programs]
        print("| command | old, millions | new, millions | ratio | codecs: old | new | ratio |")
        print("|---|---|---|---|---|---|---|")
        for title, arguments in cases(options.old, folder):
            if options.only not in title:
                continue
            cells = [title]
            for (old, new), less in zip(
                zip(*(instructions(program, arguments, folder) for program in programs)),
                (start, [0, 0]),
            ):
                old, new = old - less[0], new - less[1]
                cells += [f"{old / 1e6:.1f}", f"{new / 1e6:.1f}", f"{new / old:.3f}" if old else "–"]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
