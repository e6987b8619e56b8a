"""A short run of bench/dask_kills.py, whose full run is in docs/distributed.md."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")
pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")

PROGRAM = Path(__file__).parents[1] / "bench/dask_kills.py"


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_run_with_three_kills():
    command = [sys.executable, str(PROGRAM), "--runs", "1", "--source-mb", "60"]
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    assert found.returncode == 0, found.stdout
    row = found.stdout.splitlines()[-1]
    assert re.fullmatch(r"\| 1 \| \d+, \d+, \d+ \| 0 \| 0 \| \d+ MB \| \d+ \|", row)
