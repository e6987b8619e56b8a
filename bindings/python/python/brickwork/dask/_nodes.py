"""Arrays and groups of a Zarr hierarchy, and their attributes in Zarr format 3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import zarr

#: Attributes of OME-Zarr 0.4, which version 0.5 has below "ome".
_OME = frozenset(["multiscales", "omero", "labels", "image-label", "plate", "well", "bioformats2raw.layout"])


@dataclass(frozen=True)
class Node:
    """An array or group. `array` is None for groups."""

    path: str
    attributes: dict[str, Any]
    array: Any
    zarr_format: int

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return tuple(self.array.shape)

    @property
    def dtype(self) -> str:
        """Name of the array's type."""
        return str(self.array.dtype)


def nodes(source: Any) -> Iterator[Node]:
    """Yields the array or group at `source` and everything in it, parents first."""
    root = zarr.open(source, mode="r")
    if isinstance(root, zarr.Array):
        yield Node("", dict(root.attrs), root, root.metadata.zarr_format)
        return
    yield Node("", dict(root.attrs), None, root.metadata.zarr_format)
    members = sorted(root.members(max_depth=None), key=lambda member: (member[0].count("/"), member[0]))
    for path, member in members:
        array = member if isinstance(member, zarr.Array) else None
        yield Node(path, dict(member.attrs), array, member.metadata.zarr_format)


def target_attributes(node: Node) -> dict[str, Any]:
    """Returns the attributes of a group in Zarr format 3: those of OME-Zarr 0.4 become version 0.5.

    Raises
    ------
    ValueError
        If they are of an older version.
    """
    ome = {key: value for key, value in node.attributes.items() if key in _OME}
    if node.zarr_format == 3 or not ome:
        return node.attributes
    if "multiscales" in ome:
        for one in ome["multiscales"]:
            # Before 0.4, axes had no units, or were not there.
            has_axes = all(isinstance(axis, dict) for axis in one.get("axes", [None]))
            if one.get("version", "0.4") != "0.4" or not has_axes:
                raise ValueError(f"{node.path or '/'}: OME-Zarr before 0.4 is not supported")
        ome["multiscales"] = [_without_version(one) for one in ome["multiscales"]]
    others = {key: value for key, value in node.attributes.items() if key not in _OME}
    return {**others, "ome": {"version": "0.5", **ome}}


def _without_version(multiscale: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in multiscale.items() if key != "version"}


def axis_names(node: Node, found: list[Node]) -> list[str] | None:
    """Returns the names of an array's axes: its own, or those of the multiscales that contain it."""
    if node.zarr_format == 3:
        names = node.array.metadata.dimension_names
        return None if names is None else list(names)
    for group in found:
        for multiscale in group.attributes.get("multiscales", []):
            for dataset in multiscale.get("datasets", []):
                if "/".join(filter(None, (group.path, dataset["path"]))) == node.path:
                    names = [axis["name"] for axis in multiscale.get("axes", [])]
                    return names if len(names) == len(node.shape) else None
    return None
