"""`import brickwork` is light: programs and Dask's workers pay for it at every start."""

import importlib.metadata
import subprocess
import sys

import pytest


def cpu_seconds(code):
    resource = pytest.importorskip("resource", reason="only on Unix")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.timing
def test_import_takes_half_the_time_of_numpy():
    """The goal is 50 ms. NumPy's import takes 80 to 160 ms, and tells how fast the machine is."""
    empty, numpy, both = (
        min(cpu_seconds(code) for _ in range(9)) for code in ("", "import numpy", "import numpy, brickwork")
    )
    assert both - numpy < (numpy - empty) / 2, (empty, numpy, both)


def test_import_brings_no_optional_package():
    code = "import brickwork, sys; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True)
    names = {name.split(".")[0] for name in found.stdout.split()}
    optional = {"zarr", "numcodecs", "dask", "distributed", "asyncio", "tempfile"}
    assert "numpy" in names and not names & optional


def test_the_version_is_that_of_the_package():
    import brickwork

    assert brickwork.__version__ == importlib.metadata.version("brickwork")
