"""Lossless compression of volumes, with random access, and textures for GPUs.

>>> import numpy as np
>>> import brickwork
>>> scan = np.arange(24, dtype=np.uint16).reshape(2, 3, 4)
>>> volume = brickwork.volume.compress(scan)
>>> volume[1, ::2, 3]
array([15, 23], dtype=uint16)
"""

from brickwork import chunk, texture, volume
from brickwork._brickwork import FormatError, __version__
from brickwork._progress import progress_bar
from brickwork.texture import Texture, decode_blocks, encode, encode_blocks, open, psnr, ssim
from brickwork.volume import FormatWarning

__all__ = [
    "FormatError",
    "FormatWarning",
    "Texture",
    "__version__",
    "chunk",
    "decode_blocks",
    "encode",
    "encode_blocks",
    "open",
    "progress_bar",
    "psnr",
    "ssim",
    "texture",
    "volume",
]
