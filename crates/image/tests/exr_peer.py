"""Reads an EXR file with OpenEXR's own library and compares the texels with those of a raw file.

Usage: exr_peer.py FILE.exr HALVES

HALVES contains red, green and blue of the display window as our reader gives them, in half floats. Exits with
0 if all are equal, else prints the first difference and exits with 1. NaN equals NaN. Colours with alpha are
divided by it, as ours are, and may differ by one step. Run by tests/all/hdr_pictures.rs.
"""

import sys

import numpy
import OpenEXR


def main() -> int:
    exr_path, halves_path = sys.argv[1:]
    file = OpenEXR.File(exr_path)
    header, channels = file.header(), file.channels()
    data, display = header["dataWindow"], header["displayWindow"]
    (name,) = [name for name in channels if name in ("RGB", "RGBA", "Y", "G")]
    pixels = channels[name].pixels
    if pixels.ndim == 2:
        pixels = numpy.repeat(pixels[:, :, None], 3, axis=2)
    values = pixels.astype("f8")
    step = 0
    if values.shape[2] == 4:
        alpha = values[:, :, 3:]
        partly = (alpha > 0) & (alpha < 1)
        values = numpy.where(partly, values / numpy.where(partly, alpha, 1), values)
        step = 1
    width, height = (display[1] - display[0] + 1).tolist()
    expected = numpy.zeros((height, width, 3))
    left, top = (data[0] - display[0]).tolist()
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + values.shape[1], width), min(top + values.shape[0], height)
    expected[y0:y1, x0:x1] = values[y0 - top : y1 - top, x0 - left : x1 - left, :3]
    finite = numpy.isfinite(expected)
    expected = numpy.where(finite, expected.clip(-65504, 65504), expected).astype("f2")
    with open(halves_path, "rb") as halves:
        ours = numpy.frombuffer(halves.read(), "<f2")
    if ours.size != expected.size:
        print(f"OpenEXR has {expected.size} numbers, we {ours.size}")
        return 1
    ours = ours.reshape(expected.shape)
    steps = numpy.abs(ours.view("<i2").astype("i4") - expected.view("<i2").astype("i4"))
    differs = (steps > step) & (ours != expected) & ~(numpy.isnan(ours) & numpy.isnan(expected))
    if differs.any():
        y, x, channel = (int(part[0]) for part in numpy.nonzero(differs))
        found, wanted = ours[y, x, channel], expected[y, x, channel]
        print(f"texel {x},{y}, channel {channel}: OpenEXR {wanted}, ours {found}")
        return 1
    print(f"{width * height} texels are equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
