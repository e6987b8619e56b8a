"""Parts of documents that programs write."""

from __future__ import annotations

from pathlib import Path


def write_between(document: Path, begin: str, end: str, text: str) -> None:
    """Replaces the part of a document between two lines, which remain."""
    before, rest = document.read_text(encoding="utf-8").split(begin)
    after = rest.split(end)[1]
    partial = document.with_suffix(".partial")
    partial.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")
    partial.replace(document)
