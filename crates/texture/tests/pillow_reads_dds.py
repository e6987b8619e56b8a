"""Decodes a DDS file with Pillow and compares the texels with those of a raw RGBA file.

Usage: pillow_reads_dds.py FILE.dds FILE.rgba WIDTH HEIGHT

Exits with 0 if all texels are equal, else prints the first difference and exits with 1. Run by
tests/all/containers.rs, which writes both files; the raw one is our own decoding with the rounding that
Pillow uses (RoundingRule::Trunc).
"""

import sys

from PIL import Image


def main() -> int:
    dds_path, rgba_path, width, height = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with Image.open(dds_path) as image:
        if image.size != (width, height):
            print(f"Pillow sees {image.size[0]}x{image.size[1]} texels, not {width}x{height}")
            return 1
        theirs = image.convert("RGBA").tobytes()
    with open(rgba_path, "rb") as file:
        ours = file.read()
    if len(ours) != len(theirs):
        print(f"Pillow gives {len(theirs)} bytes, we {len(ours)}")
        return 1
    for index in range(0, len(ours), 4):
        if ours[index : index + 4] != theirs[index : index + 4]:
            y, x = divmod(index // 4, width)
            found, expected = list(theirs[index : index + 4]), list(ours[index : index + 4])
            print(f"texel {x},{y}: Pillow {found}, ours {expected}")
            return 1
    print(f"{width * height} texels are equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
