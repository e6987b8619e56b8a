"""Tasks that are done, in a file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


class Journal:
    """Results of the tasks that are done, so that the next run skips them.

    The first line describes the whole work, each other line a task: its number and its result. A last line
    that was cut short is ignored. Without a path nothing is kept.

    Raises
    ------
    ValueError
        If the file is the journal of other work.
    """

    def __init__(self, path: Path | None, work: dict[str, Any], *, resume: bool) -> None:
        self._path = path
        self.done: dict[int, Any] = {}
        first = json.dumps(work, sort_keys=True)
        if path is None:
            return
        lines = path.read_text(encoding="utf-8").split("\n") if resume and path.exists() else []
        if lines and lines[0] and len(lines) > 1:
            if lines[0] != first:
                raise ValueError(f"{path} is the journal of other work; resume=False starts again")
            self.done = dict(json.loads(line) for line in lines[1:-1])
        path.parent.mkdir(parents=True, exist_ok=True)
        # Without a line that was cut short.
        text = "".join(json.dumps(entry) + "\n" for entry in self.done.items())
        partial = path.with_name(path.name + ".partial")
        with partial.open("w", encoding="utf-8") as file:
            file.write(f"{first}\n{text}")
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        self._file = path.open("a", encoding="utf-8")

    def add(self, number: int, result: Any) -> None:
        """Adds a task."""
        self.done[number] = result
        if self._path is not None:
            self._file.write(json.dumps([number, result]) + "\n")
            self._file.flush()

    def close(self, *, is_finished: bool) -> None:
        """Closes the file, and removes it if all tasks are done."""
        if self._path is not None:
            self._file.close()
            if is_finished:
                self._path.unlink()
