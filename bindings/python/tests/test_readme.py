"""The examples of the README and of the docstrings."""

import doctest
import os
import re
from pathlib import Path

import brickwork
import pytest
from brickwork import chunk, texture, volume

zarr = pytest.importorskip("zarr", reason="the extra 'zarr' is not installed")
import brickwork.zarr  # noqa: E402


def test_the_readme_runs(tmp_path, monkeypatch):
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile("".join(blocks), "README.md", "exec"), {})
    assert sorted(os.listdir()) == ["image.ktx2", "scan.bwv", "scan.png", "scan.zarr"]


@pytest.mark.parametrize("module", [brickwork, brickwork.zarr, chunk, texture, volume])
def test_docstrings_run(module):
    failed, count = doctest.testmod(module)
    assert count and not failed
