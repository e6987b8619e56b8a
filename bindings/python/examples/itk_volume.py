"""Volumes to ITK's images and back: `pip install brickwork itk`.

python itk_volume.py INPUT.bwv OUTPUT      # smooths a volume; OUTPUT is a .bwv or a file that ITK writes
"""

import sys

import itk
import numpy as np

from brickwork import volume


def to_itk(opened: volume.Volume) -> itk.Image:
    """Returns a volume of one frame as an image of ITK, with its position in the world."""
    if "t" in opened.axes:
        raise ValueError(f"the volume has {len(opened)} frames; an image has one: compress each frame alone")
    geometry = opened.geometry
    image = itk.image_from_array(np.asarray(opened), is_vector="c" in opened.axes)
    # ITK has the axes x, y, z, and the direction of each is a column.
    image.SetSpacing(geometry.spacing[::-1])
    image.SetOrigin(geometry.origin)
    image.SetDirection(itk.matrix_from_array(np.array(geometry.directions[::-1]).T.copy()))
    return image


def from_itk(image: itk.Image, **options: object) -> volume.Volume:
    """Returns an image of ITK, compressed. `options` are those of `volume.compress`."""
    if image.GetImageDimension() != 3:
        raise ValueError(f"the image has {image.GetImageDimension()} axes; a volume has 3")
    x, y, z = itk.array_from_matrix(image.GetDirection()).T
    geometry = volume.Geometry(
        spacing=tuple(image.GetSpacing())[::-1],
        origin=tuple(image.GetOrigin()),
        directions=tuple(tuple(map(float, axis)) for axis in (z, y, x)),
    )
    # (The view shares ITK's memory: no copy is made.)
    return volume.compress(itk.array_view_from_image(image), geometry=geometry, **options)


def main(source: str, target: str) -> None:
    image = to_itk(volume.open(source))
    smooth = itk.median_image_filter(image, radius=1)
    if target.endswith(".bwv"):
        from_itk(smooth).save(target)
    else:
        itk.imwrite(smooth, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
