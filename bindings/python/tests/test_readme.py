"""The examples of the README and of the docstrings."""

import doctest
import os
import re
from pathlib import Path

import brickwork
import pytest
from brickwork import texture, volume


def test_the_readme_runs(tmp_path, monkeypatch):
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile("".join(blocks), "README.md", "exec"), {})
    assert sorted(os.listdir()) == ["image.ktx2", "scan.bwv"]


@pytest.mark.parametrize("module", [brickwork, texture, volume])
def test_docstrings_run(module):
    failed, count = doctest.testmod(module)
    assert count and not failed
