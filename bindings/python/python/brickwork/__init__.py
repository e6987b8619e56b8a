"""Lossless compression of volumes, with random access, and textures for GPUs.

>>> import numpy as np
>>> import brickwork
>>> scan = np.arange(24, dtype=np.uint16).reshape(2, 3, 4)
>>> volume = brickwork.volume.compress(scan)
>>> volume[1, ::2, 3]
array([15, 23], dtype=uint16)
"""

from brickwork import chunk, texture, volume
from brickwork._brickwork import FormatError
from brickwork.texture import Texture, decode_blocks, encode, encode_blocks, open, psnr, ssim
from brickwork.volume import FormatWarning

__all__ = [
    "FormatError",
    "FormatWarning",
    "Texture",
    "chunk",
    "decode_blocks",
    "encode",
    "encode_blocks",
    "open",
    "psnr",
    "ssim",
    "texture",
    "volume",
]
