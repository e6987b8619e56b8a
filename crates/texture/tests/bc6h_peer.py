"""Decodes BC6H blocks with imagecodecs and compares the texels with those of a raw file.

Usage: bc6h_peer.py BLOCKS HALVES unsigned|signed

BLOCKS contains one block after another, HALVES for each block 16 texels of red, green and blue as our decoder
gives them. Exits with 0 if all bit patterns are equal, else prints the first difference and exits with 1. The
sign of zero is not compared: -0 and 0 are equal. Run by tests/all/bc6h_blocks.rs.
"""

import sys

import imagecodecs
import numpy


def main() -> int:
    blocks_path, halves_path, sign = sys.argv[1:]
    with open(blocks_path, "rb") as file:
        blocks = file.read()
    with open(halves_path, "rb") as file:
        ours = numpy.frombuffer(file.read(), "<u2").reshape(-1, 4, 4, 3)
    count = len(blocks) // 16
    # One column of blocks, so that a block's texels follow each other.
    shape = (4 * count, 4, 3)
    theirs = imagecodecs.bcn_decode(blocks, 6 if sign == "unsigned" else -6, shape=shape)
    theirs = numpy.ascontiguousarray(theirs).view("<u2").reshape(-1, 4, 4, 3)
    if theirs.shape != ours.shape:
        print(f"imagecodecs gives {theirs.shape}, we {ours.shape}")
        return 1
    differs = (theirs != ours) & (((theirs | ours) & 0x7FFF) != 0)
    if differs.any():
        block, y, x, channel = (int(part[0]) for part in numpy.nonzero(differs))
        bits = blocks[16 * block : 16 * block + 16].hex()
        found, expected = ours[block, y, x, channel], theirs[block, y, x, channel]
        print(f"block {bits}, texel {x},{y}, channel {channel}: {found:04x}, imagecodecs {expected:04x}")
        return 1
    print(f"{count} blocks are equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
