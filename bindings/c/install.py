#!/usr/bin/env python3
"""Installs the C library: header, libraries, pkg-config file, guide and examples.

    cargo build --release -p brickwork-c
    python3 bindings/c/install.py target/release PREFIX [TARGET]

TARGET is Rust's name of the system. Default: this machine's. PREFIX/lib has the shared library under the name
that programs look for, and a link to it. `.ci/c` runs this; `.ci/dist` calls `files`."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# System libraries that the static library needs, as `rustc --print native-static-libs` lists them.
LIBS = {"linux": "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc", "apple": "-lSystem -lc -lm"}


def version():
    return re.search(r'^version = "(.+)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]


def host():
    told = subprocess.run(["rustc", "-vV"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.search(r"^host: (.+)$", told, re.M)[1]


def files(build, target):
    """Files by their names below the prefix: the path of each, its bytes, or for a link its destination."""
    build = pathlib.Path(build)
    found = {
        "include/brickwork.h": HERE / "include/brickwork.h",
        "share/doc/brickwork/c.md": ROOT / "docs/c.md",
    }
    for path in sorted((HERE / "examples").glob("*.c")):
        found[f"share/doc/brickwork/examples/{path.name}"] = path
    if "windows" in target:
        is_gnu = target.endswith("gnu")
        libraries = {
            "bin/brickwork.dll": "brickwork.dll",
            # The import library, and the static one.
            "lib/" + ("libbrickwork.dll.a" if is_gnu else "brickwork.dll.lib"): None,
            "lib/" + ("libbrickwork.a" if is_gnu else "brickwork.lib"): None,
        }
        for name, built in libraries.items():
            found[name] = build / (built or pathlib.PurePosixPath(name).name)
        return found
    if "apple" in target:
        found["lib/libbrickwork.dylib"] = build / "libbrickwork.dylib"
    else:
        # Until 1.0, the second number changes with the interface (build.rs).
        soname = "libbrickwork.so." + ".".join(version().split(".")[:2])
        found[f"lib/{soname}"] = build / "libbrickwork.so"
        found["lib/libbrickwork.so"] = soname
    found["lib/libbrickwork.a"] = build / "libbrickwork.a"
    libs = LIBS["apple" if "apple" in target else "linux"]
    text = (HERE / "brickwork.pc.in").read_text().replace("@VERSION@", version()).replace("@LIBS@", libs)
    found["lib/pkgconfig/brickwork.pc"] = text.encode()
    return found


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    prefix = pathlib.Path(sys.argv[2])
    for name, content in files(sys.argv[1], sys.argv[3] if len(sys.argv) == 4 else host()).items():
        path = prefix / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            os.symlink(content, path)
        else:
            shutil.copyfile(content, path)


if __name__ == "__main__":
    main()
