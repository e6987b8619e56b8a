"""The Zarr v3 codec `brickwork` for zarr-python, and fast reading of arrays that use it.

zarr-python finds the codec by itself. Arrays are made by `create_array`, which removes the compressor that
zarr-python would add: another codec switches partial decoding off. `read_boxes` reads many windows faster
than `array[...]`, because it fetches each chunk once.

>>> import numpy as np, zarr
>>> from brickwork.zarr import create_array, read_boxes
>>> scan = np.arange(70 * 80 * 90, dtype=np.uint16).reshape(70, 80, 90)
>>> array = create_array(zarr.storage.MemoryStore(), data=scan, chunks=(64, 64, 64))
>>> bool((array[10:12, :, 7] == scan[10:12, :, 7]).all())
True
>>> read_boxes(array, [(0, 0, 0), (60, 60, 60)], (8, 8, 8)).shape
(2, 8, 8, 8)
"""

from brickwork.zarr._codec import BrickworkCodec
from brickwork.zarr._create import create_array
from brickwork.zarr._read import read, read_boxes
from brickwork.zarr._verify import Damage, check, verify

__all__ = ["BrickworkCodec", "Damage", "check", "create_array", "read", "read_boxes", "verify"]
