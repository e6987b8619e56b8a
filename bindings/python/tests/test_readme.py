"""The examples of the README and of the docstrings."""

import doctest
import os
import re
from pathlib import Path

import brickwork
import pytest
from brickwork import volume


def test_the_readme_runs(tmp_path, monkeypatch):
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert os.listdir() == ["scan.bwv"]


@pytest.mark.parametrize("module", [brickwork, volume])
def test_docstrings_run(module):
    failed, count = doctest.testmod(module)
    assert count and not failed
