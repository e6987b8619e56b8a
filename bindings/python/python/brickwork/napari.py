"""napari's reader of `.bwv` files, which `napari.yaml` names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any, TypeAlias

from brickwork import volume

Layer: TypeAlias = tuple[Any, dict[str, Any], str]


def reader(path: str | Sequence[str]) -> Callable[[str | Sequence[str]], list[Layer]] | None:
    """Returns the function that reads these files, or None for others."""
    return layers if all(name.lower().endswith(".bwv") for name in _paths(path)) else None


def layers(path: str | Sequence[str]) -> list[Layer]:
    """Returns data, options and kind of the layer of each file: all mip levels, as Dask arrays.

    napari reads the slices that it shows, from the mip level that fits the zoom. Its 3D view reads a whole
    mip level, the smallest one.
    """
    return [_layer(name) for name in _paths(path)]


def _paths(path: str | Sequence[str]) -> list[str]:
    return [os.fspath(path)] if isinstance(path, (str, os.PathLike)) else [os.fspath(one) for one in path]


def _has_units() -> bool:
    """True if layers of the installed napari have units: from version 0.5 on."""
    try:
        found = metadata.version("napari")
    except metadata.PackageNotFoundError:
        return False
    return tuple(int(part) for part in re.findall(r"\d+", found)[:2]) >= (0, 5)


def _layer(path: str) -> Layer:
    options: dict[str, Any] = {"name": os.path.basename(path)}
    opened = volume.open(path)
    # (The scale along time is 1. Channels have no scale.)
    options["scale"] = (1.0,) * opened.axes.count("t") + opened.spacing
    if _has_units():
        options["units"] = ("pixel",) * opened.axes.count("t") + ("mm",) * 3
    kind = "labels" if opened.labels else "image"
    if "c" in opened.axes:
        # (Layers of labels have one channel.)
        options["channel_axis"], kind = opened.ndim - 1, "image"
    levels = [level.dask() for level in opened.mip_levels]
    return (levels, options | {"multiscale": True}, kind) if len(levels) > 1 else (levels[0], options, kind)
