"""Writes NIfTI files with nibabel, and compares files with what nibabel reads. Run by tests/all/nifti.rs.

Usage: nibabel_nifti.py write FOLDER
       nibabel_nifti.py compare LIST

`write` makes a file of every kind that is taken, and prints a line for each: its name, dims, type.
`compare` takes a file of lines THEIRS, OURS and perhaps REGION, divided by tabs. It checks that OURS has the
stored numbers, scaling, affine, spacing, codes and units of THEIRS; with REGION (six numbers, from and to
along x, y and z) those of that part. Exits with 0 if all is equal, with 1 and the differences if not.
"""

import sys

import nibabel
import numpy


def oblique(spacing):
    """A turn about two axes, with x flipped, times the spacing, and an origin."""
    a, b = 0.3, -0.2
    about_z = [[numpy.cos(a), -numpy.sin(a), 0], [numpy.sin(a), numpy.cos(a), 0], [0, 0, 1]]
    about_x = [[1, 0, 0], [0, numpy.cos(b), -numpy.sin(b)], [0, numpy.sin(b), numpy.cos(b)]]
    affine = numpy.eye(4)
    affine[:3, :3] = numpy.array(about_z) @ about_x @ numpy.diag([-1, 1, 1]) @ numpy.diag(spacing)
    affine[:3, 3] = [-90.5, 12.25, 7.125]
    return affine


def write(folder):
    random = numpy.random.default_rng(7)
    n1, n2 = nibabel.Nifti1Header, nibabel.Nifti2Header
    rgb = [(name, "u1") for name in "RGB"]
    cases = [
        # name, type, header class, order, (slope, inter), form, unit, and for several frames their time unit
        ("i16.nii", "i2", n1, "<", None, "s", "mm"),
        ("u8.nii.gz", "u1", n1, "<", None, "s", "mm"),
        ("i8.nii", "i1", n1, "<", None, "q", "mm"),
        ("u16.nii.gz", "u2", n1, "<", None, "q", "mm"),
        ("f32.nii", "f4", n1, "<", None, "s", "mm"),
        ("u32.nii", "u4", n1, "<", None, None, "mm"),
        ("i32.nii.gz", "i4", n1, ">", None, "s", "micron"),
        ("big.nii", "i2", n1, ">", (0.1, -1024.0), "s", "mm"),
        ("bigf32.nii.gz", "f4", n1, ">", None, "q", "meter"),
        ("two.nii", "i2", n2, "<", (2.5, 3.0), "s", "mm"),
        ("bigtwo.nii.gz", "u2", n2, ">", None, "q", "mm"),
        ("pair.hdr", "i2", n1, "<", (0.5, 1.0), "s", "mm"),
        ("bigpair.hdr", "i2", n1, ">", None, "s", "mm"),
        ("i64.nii", "i8", n1, "<", None, "s", "mm"),
        ("u64.nii.gz", "u8", n1, ">", None, "q", "mm"),
        ("f64.nii", "f8", n1, "<", None, "s", "mm"),
        ("bigf64.nii", "f8", n2, ">", None, "s", "mm"),
        ("rgb.nii", rgb, n1, "<", None, "s", "mm"),
        ("rgba.nii.gz", rgb + [("A", "u1")], n1, ">", None, "q", "mm"),
        ("rgb4.nii", rgb, n2, "<", None, "s", "mm", "sec"),
        ("fmri.nii.gz", "i2", n1, "<", (0.5, 1.0), "s", "mm", "sec"),
        ("ms.nii", "f4", n1, ">", None, "q", "micron", "msec"),
        ("us.nii", "f8", n2, "<", None, "s", "mm", "usec"),
        ("hz.nii", "u2", n1, "<", None, "s", "mm", "hz"),
        ("unknown.nii", "u1", n1, "<", None, "s", "mm", "unknown"),
    ]
    for name, kind, header_class, order, scaling, form, unit, *time_unit in cases:
        dtype = numpy.dtype(kind).newbyteorder(order)
        shape = (37, 29, 23) + (7,) * len(time_unit)
        if isinstance(kind, list):
            stored = random.integers(0, 255, shape + (len(kind),), "u1", endpoint=True).view(dtype)[..., 0]
        elif dtype.kind == "f":
            stored = random.normal(0, 1e3, shape).astype(dtype)
        else:
            info = numpy.iinfo(kind)
            stored = random.integers(info.min, info.max, shape, dtype=kind, endpoint=True).astype(dtype)
        if name.endswith(".hdr"):
            header_class = nibabel.nifti1.Nifti1PairHeader
        header = header_class(endianness=order)
        header.set_data_dtype(dtype)
        header.set_data_shape(shape)
        header.set_zooms((0.9, 1.1, 2.5) + (1.75,) * len(time_unit))
        header["descrip"] = b"made by nibabel"
        affine = oblique((0.9, 1.1, 2.5))
        if form == "s":
            header.set_sform(affine, 4)
        if form == "q":
            header.set_qform(affine, 1)
        header.set_xyzt_units(unit, *time_unit)
        if scaling:
            header.set_slope_inter(*scaling)
        pair = name.endswith(".hdr")
        offset = 0 if pair else header.sizeof_hdr + 4
        header.set_data_offset(offset)
        if pair:
            header["magic"] = header.pair_magic
        image_name = name.replace(".hdr", ".img")
        with nibabel.openers.Opener(f"{folder}/{name}", "wb") as file:
            header.write_to(file)
            if not pair:
                file.write(b"\0" * (offset - file.tell()))
                file.write(stored.tobytes(order="F"))
        if pair:
            with open(f"{folder}/{image_name}", "wb") as file:
                file.write(stored.tobytes(order="F"))
        # What was just put together is what nibabel itself takes for these voxels.
        again = nibabel.load(f"{folder}/{name}")
        assert numpy.array_equal(again.dataobj.get_unscaled(), stored), name
        print(name)
    # And through nibabel's own save, extension included.
    image = nibabel.Nifti1Image(numpy.arange(24, dtype="i2").reshape(2, 3, 4), oblique((1, 1, 1)))
    comment = nibabel.nifti1.Nifti1Extension("comment", b"a comment that is 37 bytes or so long")
    image.header.extensions.append(comment)
    nibabel.save(image, f"{folder}/saved.nii.gz")
    print("saved.nii.gz")


def compare(theirs_path, ours_path, region=None):
    theirs, ours = nibabel.load(theirs_path), nibabel.load(ours_path)
    want, have = theirs.dataobj.get_unscaled(), ours.dataobj.get_unscaled()
    affine = theirs.header.get_best_affine()
    if region:
        x0, x1, y0, y1, z0, z1 = region
        want = want[x0:x1, y0:y1, z0:z1]
        affine = affine @ numpy.array([[1, 0, 0, x0], [0, 1, 0, y0], [0, 0, 1, z0], [0, 0, 0, 1]])
    if want.dtype.newbyteorder("=") != have.dtype.newbyteorder("=") or not numpy.array_equal(want, have):
        return f"the stored numbers differ: {want.dtype} {want.shape}, {have.dtype} {have.shape}"
    posed = theirs.header["sform_code"] > 0 or theirs.header["qform_code"] > 0
    if (posed or not region) and not numpy.allclose(affine, ours.affine, rtol=1e-6, atol=1e-4):
        return f"the affine is\n{ours.affine}, not\n{affine}"
    if not numpy.allclose(theirs.header.get_zooms(), ours.header.get_zooms(), rtol=1e-6):
        return f"the spacing is {ours.header.get_zooms()}, not {theirs.header.get_zooms()}"
    scaling = [
        [1.0 if i == 0 and v is None else v or 0.0 for i, v in enumerate(header.get_slope_inter())]
        for header in (theirs.header, ours.header)
    ]
    if scaling[0] != scaling[1]:
        return f"slope and intercept are {scaling[1]}, not {scaling[0]}"
    units = theirs.header.get_xyzt_units()
    if len(want.shape) == 4 and units[1] == "unknown":
        # Taken for seconds.
        units = units[0], "sec"
    if units != ours.header.get_xyzt_units():
        return f"the unit is {ours.header.get_xyzt_units()}, not {theirs.header.get_xyzt_units()}"
    code = int(theirs.header["sform_code"]) or int(theirs.header["qform_code"])
    if (posed or not region) and ours.header["sform_code"] != code:
        return f"sform_code is {ours.header['sform_code']}, not {code}"
    if theirs.header["descrip"] != ours.header["descrip"]:
        return f"descrip is {ours.header['descrip']}, not {theirs.header['descrip']}"
    return None


def main():
    if sys.argv[1] == "write":
        write(sys.argv[2])
        return 0
    differences = 0
    with open(sys.argv[2], encoding="utf-8") as lines:
        for line in lines:
            theirs, ours, *region = line.rstrip("\n").split("\t")
            difference = compare(theirs, ours, [int(n) for n in region] or None)
            if difference:
                print(f"{theirs}, {ours}: {difference}")
                differences += 1
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
