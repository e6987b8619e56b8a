"""A bar of tqdm for the argument `progress`."""

from __future__ import annotations

from typing import Any


class progress_bar:
    """Shows the progress of calls as a bar: `with progress_bar() as bar: compress(array, progress=bar)`.

    Options are those of `tqdm.tqdm`, such as `desc` and `file`. Each stage of a call starts at zero.

    Raises
    ------
    ImportError
        Without the package tqdm.
    """

    def __init__(self, **options: Any) -> None:
        from tqdm.auto import tqdm

        self._title = options.pop("desc", None)
        self._stage: str | None = None
        self._bar = tqdm(**({"unit": "", "unit_scale": True} | options))

    def __call__(self, stage: str, done: int, total: int) -> None:
        is_same = stage == self._stage and (total or None) == self._bar.total
        if is_same and done < self._bar.n < total:
            # (Threads may report out of order.)
            return
        if not is_same or done < self._bar.n:
            self._stage = stage
            self._bar.reset()
            self._bar.total = total or None
            self._bar.set_description(stage if self._title is None else f"{self._title}: {stage}")
        self._bar.update(done - self._bar.n)
        if done == total:
            # (tqdm shows only some of the steps.)
            self._bar.refresh()

    def close(self) -> None:
        """Ends the bar."""
        self._bar.close()

    def __enter__(self) -> progress_bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
