"""A volume or a Zarr array in napari: `pip install "brickwork[zarr,dask]" "napari[all]"`.

python napari_volume.py SCAN.bwv           # or the folder of a Zarr array

napari reads the slices that it shows, from the mip level that fits the zoom. Its 3D view reads a whole mip
level, the smallest one.
"""

import os
import sys
from typing import Any

from brickwork import volume


def layer(path: str) -> tuple[Any, dict[str, Any], str]:
    """Returns data, options and kind of a layer, as napari's readers do."""
    options: dict[str, Any] = {"name": os.path.basename(path.rstrip("/"))}
    if os.path.isdir(path):
        import zarr

        return zarr.open_array(path, mode="r"), options, "image"
    opened = volume.open(path)
    # (The scale along time is 1. Channels have no scale.)
    options["scale"] = (1.0,) * opened.axes.count("t") + opened.spacing
    kind = "labels" if opened.labels else "image"
    if "c" in opened.axes:
        # (Layers of labels have one channel.)
        options["channel_axis"], kind = opened.ndim - 1, "image"
    levels = [level.dask() for level in opened.mip_levels]
    if len(levels) > 1:
        return levels, options | {"multiscale": True}, kind
    return levels[0], options, kind


def main(path: str) -> None:
    import napari

    data, options, kind = layer(path)
    viewer = napari.Viewer()
    getattr(viewer, f"add_{kind}")(data, **options)
    napari.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
