"""Volumes by SimpleITK, pydicom, tifffile and VTK to `.bwv` files and back: PROGRAM FOLDER."""

import json
import os
import subprocess
import sys

import numpy as np
import pydicom
import pydicom.data
import SimpleITK as sitk
import tifffile
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.encaps import encapsulate, generate_frames
from pydicom.uid import (
    DeflatedExplicitVRLittleEndian,
    ExplicitVRBigEndian,
    ExplicitVRLittleEndian,
    ImplicitVRLittleEndian,
    JPEGBaseline8Bit,
    RLELossless,
)

program = sys.argv[1]
os.chdir(sys.argv[2])
rng = np.random.default_rng(7)
SPACING = (0.5, 0.75, 2.5)
ORIGIN = (-10.5, 20.25, 3.0)
# A rotation that is not its own inverse: x runs along y, y along z, z along x.
DIRECTION = (0, 0, 1, 1, 0, 0, 0, 1, 0)


def run(*words):
    return subprocess.run([program, "volume", *words], capture_output=True, text=True)


def ok(*words):
    ran = run(*words)
    assert ran.returncode == 0, (words, ran.stderr)
    return ran.stdout


def fails(path, *parts):
    ran = run("encode", path, "-o", "none.bwv", "--force")
    assert ran.returncode not in (0, 101) and not os.path.exists("none.bwv"), (path, ran)
    for part in parts:
        assert part in ran.stderr, (path, part, ran.stderr)


def check(path, array, spacing=None, origin=None, direction=None, frames=False, channels=False):
    """Encodes, and compares voxels and, if given, spacing, origin and direction (as SimpleITK has them)."""
    ok("encode", path, "-o", "a.bwv", "--force")
    ok("decode", "a.bwv", "-o", "a.raw", "--force")
    back = np.fromfile("a.raw", array.dtype.newbyteorder("<")).reshape(array.shape)
    assert (back == array).all(), path
    image = None
    for name in ["a.nrrd", "a.mha"]:
        ok("decode", "a.bwv", "-o", name, "--force")
        image = sitk.ReadImage(name)
        assert image.GetDimension() == 3 + frames, (path, name, image.GetDimension())
        ours = sitk.GetArrayFromImage(image)
        assert ours.shape == array.shape, (path, name, ours.shape, array.shape)
        assert ours.dtype == array.dtype and (ours == array).all(), (path, name)
        for want, have in [
            (spacing, image.GetSpacing()),
            (origin, image.GetOrigin()),
            (direction, image.GetDirection()),
        ]:
            assert want is None or np.allclose(want, have, atol=1e-5), (path, name, want, have)
    info = json.loads(ok("info", "a.bwv", "--json"))
    assert info["dims"] == list(array.shape[::-1][channels : channels + 3]), (path, info)
    return info


def values(dtype, shape=(6, 9, 11)):
    if np.dtype(dtype).kind == "f":
        return rng.normal(size=shape).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


TYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "uint64", "int64", "float64"]

for dtype in TYPES:
    array = values(dtype)
    image = sitk.GetImageFromArray(array)
    image.SetSpacing(SPACING)
    image.SetOrigin(ORIGIN)
    image.SetDirection(DIRECTION)
    for ending in ["nrrd", "nhdr", "mha", "mhd"]:
        sitk.WriteImage(image, f"itk.{ending}")
        check(f"itk.{ending}", array, SPACING, ORIGIN, DIRECTION)


# Compressed files of theirs, and of ours.
for dtype in TYPES:
    array = values(dtype)
    image = sitk.GetImageFromArray(array)
    image.SetSpacing(SPACING)
    image.SetOrigin(ORIGIN)
    image.SetDirection(DIRECTION)
    for ending in ["nrrd", "nhdr", "mha", "mhd"]:
        sitk.WriteImage(image, f"packed.{ending}", useCompression=True)
        check(f"packed.{ending}", array, SPACING, ORIGIN, DIRECTION)
    for name in ["ours.nrrd", "ours.mha"]:
        ok("decode", "a.bwv", "-o", name, "--compress", "--force")
        with open(name, "rb") as file:
            head = file.read(1000)
        assert b"encoding: gzip\n" in head or b"CompressedData = True\n" in head, name
        ours = sitk.ReadImage(name)
        assert (sitk.GetArrayFromImage(ours) == array).all(), (dtype, name)
        assert np.allclose(ours.GetOrigin(), ORIGIN) and np.allclose(ours.GetDirection(), DIRECTION)
        check(name, array, SPACING, ORIGIN, DIRECTION)
try:
    import nrrd
except ImportError:
    print("skipped: no pynrrd")
else:
    for dtype in TYPES:
        array = values(dtype)
        header = {"space": "LPS", "space directions": np.diag(SPACING), "space origin": ORIGIN}
        for encoding in ["raw", "gzip", "bzip2", "ascii"]:
            for name, options in [("py.nrrd", {}), ("py.nhdr", {"detached_header": True})]:
                # Its text has 17 digits, too few for integers of 64 bits.
                if encoding == "ascii" and dtype.endswith("int64"):
                    continue
                header["encoding"] = encoding
                nrrd.write(name, array.T, dict(header), **options)
                theirs, _ = nrrd.read(name)
                check(name, theirs.T, SPACING, ORIGIN)
        ok("decode", "a.bwv", "-o", "ours.nrrd", "--compress", "--force")
        ours, said = nrrd.read("ours.nrrd")
        assert said["encoding"] == "gzip" and (ours.T == theirs.T).all(), dtype
    print("pynrrd", nrrd.__version__)


def four(direction):
    """A direction of space, and time on its own."""
    rows = np.eye(4)
    rows[:3, :3] = np.reshape(direction, (3, 3))
    return tuple(rows.ravel())


# Channels, frames, and both.
for dtype in ["uint8", "int16", "float64"]:
    for channels in [1, 2, 3, 4]:
        for frames in [1, 5]:
            shape = (6, 9, 11) + ((channels,) if channels > 1 else ())
            many = frames > 1
            array = values(dtype, ((frames,) + shape) if many else shape)
            image = sitk.GetImageFromArray(array, isVector=channels > 1)
            spacing, origin, direction = SPACING, ORIGIN, DIRECTION
            if many:
                spacing, origin, direction = SPACING + (0.25,), ORIGIN + (0.0,), four(DIRECTION)
            image.SetSpacing(spacing)
            image.SetOrigin(origin)
            image.SetDirection(direction)
            for ending in ["nrrd", "nhdr", "mha", "mhd"]:
                sitk.WriteImage(image, f"itk.{ending}")
                check(f"itk.{ending}", array, spacing, origin, direction, many, channels > 1)


def not_written(name, *parts):
    ran = run("decode", "a.bwv", "-o", name)
    assert ran.returncode not in (0, 101) and not os.path.exists(name), (name, ran)
    for part in parts:
        assert part in ran.stderr, (name, part, ran.stderr)


not_written("none.vti", "VTI does not hold 5 frames; NRRD, MetaImage and NIfTI do")
for ending, reason in [("nrrd", "256 channels"), ("mha", "ElementNumberOfChannels = 256 is not supported")]:
    image = sitk.GetImageFromArray(values("uint8", (3, 4, 5, 256)), isVector=True)
    sitk.WriteImage(image, f"vast.{ending}")
    fails(f"vast.{ending}", reason)
# SimpleITK writes vectors to NIfTI as volumes one after the other.
for dtype in ["uint8", "int16", "float64"]:
    for channels in [2, 3, 4]:
        # (SimpleITK looks for the one before the other.)
        for name in ["vector.nii", "packed.nii.gz"]:
            array = values(dtype, (6, 9, 11, channels))
            image = sitk.GetImageFromArray(array, isVector=True)
            image.SetSpacing(SPACING)
            image.SetOrigin(ORIGIN)
            image.SetDirection(DIRECTION)
            sitk.WriteImage(image, name)
            check(name, array, SPACING, ORIGIN, DIRECTION, channels=True)
            ok("decode", "a.bwv", "-o", name, "--force")
            back = sitk.ReadImage(name)
            assert (sitk.GetArrayFromImage(back) == array).all(), (dtype, channels, name)
            assert np.allclose(back.GetSpacing(), SPACING) and np.allclose(back.GetOrigin(), ORIGIN)
sitk.WriteImage(sitk.GetImageFromArray(values("int16", (3, 4, 5, 256)), isVector=True), "vector.nii")
fails("vector.nii", "vectors of 256 parts of 1 i16, is not supported")

# Worlds that SimpleITK turns as we do, and a world that it leaves alone.
array = values("int16")
for space in ["right-anterior-superior", "RAS", "LAS", "left-posterior-superior", "scanner-xyz"]:
    with open("space.nrrd", "wb") as file:
        file.write(
            f"NRRD0005\ntype: short\ndimension: 3\nspace: {space}\nsizes: 11 9 6\n"
            "space directions: (0,0,0.5) (0.75,0,0) (0,2.5,0)\nspace origin: (-10.5,20.25,3)\n"
            "kinds: domain domain domain\nendian: big\nencoding: raw\n\n".encode()
        )
        file.write(array.astype(">i2").tobytes())
    theirs = sitk.ReadImage("space.nrrd")
    assert (sitk.GetArrayFromImage(theirs) == array).all()
    check("space.nrrd", array, theirs.GetSpacing(), theirs.GetOrigin(), theirs.GetDirection())
    with open("a.nrrd", "rb") as file:
        named = f"space: {space}\n".encode() in file.read(1000)
    assert named, space
print("SimpleITK", sitk.Version_VersionString())

try:
    import vtk
    from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy
except ImportError:
    print("skipped: no VTK")
else:
    for dtype in TYPES:
        array = values(dtype)
        image = vtk.vtkImageData()
        image.SetDimensions(array.shape[::-1])
        image.SetSpacing(SPACING)
        image.SetOrigin(ORIGIN)
        image.SetDirectionMatrix(DIRECTION)
        scalars = numpy_to_vtk(array.ravel())
        scalars.SetName("ct")
        image.GetPointData().SetScalars(scalars)
        for mode in ["Ascii", "Binary", "Appended"]:
            for compressor in ["None", "ZLib"]:
                for encoded in [False, True]:
                    for words in ["UInt32", "UInt64"]:
                        for order in ["LittleEndian", "BigEndian"]:
                            if dtype != "int16" and (words, order) != ("UInt32", "LittleEndian"):
                                continue
                            writer = vtk.vtkXMLImageDataWriter()
                            writer.SetFileName("vtk.vti")
                            writer.SetInputData(image)
                            getattr(writer, f"SetDataModeTo{mode}")()
                            getattr(writer, f"SetCompressorTypeTo{compressor}")()
                            writer.SetEncodeAppendedData(encoded)
                            getattr(writer, f"SetHeaderTypeTo{words}")()
                            getattr(writer, f"SetByteOrderTo{order}")()
                            writer.Write()
                            ok("encode", "vtk.vti", "-o", "a.bwv", "--force")
                            ok("decode", "a.bwv", "-o", "a.raw", "--force")
                            back = np.fromfile("a.raw", array.dtype).reshape(array.shape)
                            what = (dtype, mode, compressor, encoded, words, order)
                            if dtype.startswith("float") and mode == "Ascii":
                                assert np.allclose(back, array, rtol=1e-4), what
                            else:
                                assert (back == array).all(), what
        check("vtk.vti", array, SPACING, ORIGIN, DIRECTION)
        ok("decode", "a.bwv", "-o", "ours.vti", "--force")
        reader = vtk.vtkXMLImageDataReader()
        reader.SetFileName("ours.vti")
        reader.Update()
        ours = reader.GetOutput()
        assert (vtk_to_numpy(ours.GetPointData().GetScalars()) == array.ravel()).all(), dtype
        assert np.allclose(ours.GetSpacing(), SPACING) and np.allclose(ours.GetOrigin(), ORIGIN)
        matrix = ours.GetDirectionMatrix()
        assert [matrix.GetElement(i, j) for i in range(3) for j in range(3)] == list(DIRECTION)
    for channels in [2, 3, 4]:
        array = values("uint16", (6, 9, 11, channels))
        image = vtk.vtkImageData()
        image.SetDimensions(11, 9, 6)
        image.GetPointData().SetScalars(numpy_to_vtk(array.reshape(-1, channels)))
        for mode in ["Ascii", "Binary", "Appended"]:
            writer = vtk.vtkXMLImageDataWriter()
            writer.SetFileName("vtk.vti")
            writer.SetInputData(image)
            getattr(writer, f"SetDataModeTo{mode}")()
            writer.Write()
            check("vtk.vti", array, channels=True)
        ok("decode", "a.bwv", "-o", "ours.vti", "--force")
        reader = vtk.vtkXMLImageDataReader()
        reader.SetFileName("ours.vti")
        reader.Update()
        ours = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
        assert (ours == array.reshape(-1, channels)).all(), channels
    print("VTK", vtk.vtkVersion().GetVTKVersion())

for dtype in TYPES:
    array = values(dtype)
    for options in [{}, {"byteorder": ">"}, {"bigtiff": True}, {"tile": (16, 16)}, {"compression": "zlib"}]:
        tifffile.imwrite("a.tif", array, photometric="minisblack", **options)
        check("a.tif", array)
array = values("uint16")
os.mkdir("slices")
for i, plane in enumerate(array):
    tifffile.imwrite(f"slices/slice{i + 7}.tif", plane, photometric="minisblack")
check("slices", array)
tifffile.imwrite("slices/slice9.tif", array[0, :5], photometric="minisblack")
fails("slices", "slices: slice9.tif: is 11x5 u16, but the first slice is 11x9 u16")
for dtype in ["uint8", "uint16", "float32"]:
    for channels in [2, 3, 4]:
        array = values(dtype, (6, 9, 11, channels))
        photometric = "rgb" if channels > 2 else "minisblack"
        for options in [{}, {"byteorder": ">"}, {"tile": (16, 16)}, {"compression": "zlib"}]:
            tifffile.imwrite("color.tif", array, photometric=photometric, planarconfig="contig", **options)
            check("color.tif", array, channels=True)
            planes = np.moveaxis(array, 3, 1)
            tifffile.imwrite("color.tif", planes, photometric=photometric, planarconfig="separate", **options)
            if "tile" in options:
                fails("color.tif", "a page of channels in planes of tiles is not supported")
            else:
                check("color.tif", array, channels=True)
        os.makedirs(f"{dtype}color{channels}")
        for i, plane in enumerate(array):
            name = f"{dtype}color{channels}/{i}.tif"
            tifffile.imwrite(name, plane, photometric=photometric, planarconfig="contig")
        check(f"{dtype}color{channels}", array, channels=True)
tifffile.imwrite("color.tif", np.zeros((8, 8, 5), "uint8"), photometric="rgb", planarconfig="contig")
fails("color.tif", "a voxel of 5 samples")
tifffile.imwrite("color.tif", np.zeros((8, 8, 4), "uint8"), photometric="separated", planarconfig="contig")
fails("color.tif", "CMYK is not supported")
# Hyperstacks: frames, slices and channels.
for dtype in ["uint8", "uint16", "float32"]:
    for frames, channels in [(1, 1), (1, 3), (5, 1), (5, 2)]:
        array = values(dtype, (frames, 6, 9, 11, channels))
        several = [[n] if n > 1 else [] for n in [frames, channels]]
        want = array.reshape(several[0] + [6, 9, 11] + several[1])
        many = {"frames": frames > 1, "channels": channels > 1}
        tifffile.imwrite(
            "hyper.tif",
            np.moveaxis(array, 4, 2),
            imagej=True,
            resolution=(2, 4),
            metadata={"axes": "TZCYX", "spacing": 2.5, "unit": "um", "finterval": 0.25},
        )
        info = check("hyper.tif", want, **many)
        assert np.allclose(info["spacing"], [0.0005, 0.00025, 0.0025]), info
        ok("decode", "a.bwv", "-o", "ours.ome.tif", "--force")
        with tifffile.TiffFile("ours.ome.tif") as ours:
            assert ours.is_ome and (ours.asarray() == np.moveaxis(array, 4, 2).squeeze()).all()
            pixels = tifffile.xml2dict(ours.ome_metadata)["OME"]["Image"]["Pixels"]
        assert [pixels[f"PhysicalSize{axis}"] for axis in "XYZ"] == [0.5, 0.25, 2.5], pixels
        assert pixels["PhysicalSizeXUnit"] == "\u00b5m", pixels
        assert pixels.get("TimeIncrement") == (0.25 if frames > 1 else None), pixels
        check("ours.ome.tif", want, **many)
        for order in ["TZCYX", "TCZYX", "ZTCYX", "CTZYX"]:
            from_ours = dict(zip("TZYXC", range(5)))
            tifffile.imwrite(
                "hyper.ome.tif",
                np.transpose(array, [from_ours[axis] for axis in order]),
                ome=True,
                photometric="minisblack",
                metadata={
                    "axes": order,
                    "PhysicalSizeX": 0.5,
                    "PhysicalSizeY": 750,
                    "PhysicalSizeYUnit": "nm",
                    "PhysicalSizeZ": 0.002,
                    "PhysicalSizeZUnit": "mm",
                },
            )
            info = check("hyper.ome.tif", want, **many)
            assert np.allclose(info["spacing"], [0.0005, 0.00075, 0.002]), info
print("tifffile", tifffile.__version__)


def write(path, plane, index, syntax=ExplicitVRLittleEndian, series="1.2.3", z=None, packed=None, **fields):
    meta = FileMetaDataset()
    meta.TransferSyntaxUID = syntax
    meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.2"
    meta.MediaStorageSOPInstanceUID = f"1.2.3.4.{index + 1}"
    data = Dataset()
    data.file_meta = meta
    data.SOPClassUID, data.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    data.Modality, data.PatientName, data.SeriesInstanceUID = "CT", "Nobody^Known", series
    data.InstanceNumber = index + 1
    data.Rows, data.Columns = plane.shape[:2]
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
    if plane.ndim == 3:
        data.SamplesPerPixel, data.PhotometricInterpretation, data.PlanarConfiguration = 3, "RGB", 0
    data.BitsAllocated = data.BitsStored = 8 * plane.itemsize
    data.HighBit = data.BitsStored - 1
    data.PixelRepresentation = int(plane.dtype.kind == "i")
    data.PixelSpacing = [SPACING[1], SPACING[0]]
    # Rows along y, columns along z: slices follow each other along x.
    data.ImageOrientationPatient = [0, 1, 0, 0, 0, 1]
    data.ImagePositionPatient = [ORIGIN[0] + SPACING[2] * (index if z is None else z), ORIGIN[1], ORIGIN[2]]
    data.RescaleSlope, data.RescaleIntercept = "2.5", "-1024"
    for name, value in fields.items():
        if value is None:
            del data[name]
        else:
            setattr(data, name, value)
    if data.get("PlanarConfiguration") == 1 and packed is None:
        plane = np.ascontiguousarray(np.moveaxis(plane, 2, 0))
    big = syntax == ExplicitVRBigEndian
    if big and plane.itemsize == 1:
        # OB in an even count of bytes.
        data.PixelData = plane.tobytes() + b"\0" * (plane.size % 2)
    else:
        data.PixelData = plane.astype(plane.dtype.newbyteorder(">" if big else "<")).tobytes() + b"\0" * (
            plane.nbytes % 2
        )
    if packed is not None:
        data.PixelData = encapsulate([packed])
        data["PixelData"].is_undefined_length = True
    data["PixelData"].VR = "OB" if plane.itemsize == 1 and syntax != ImplicitVRLittleEndian else "OW"
    data.save_as(path, enforce_file_format=True)


def series(name, array, **fields):
    """A series whose files have names in another order than the slices have places."""
    os.makedirs(name, exist_ok=True)
    packed = fields.pop("packed", None)
    for i in range(len(array)):
        one = {"packed": packed[i]} if packed else {}
        write(f"{name}/{(5 * i + 3) % 7}.dcm", array[i], i, **one, **fields)
    return name


for dtype in ["uint8", "int8", "uint16", "int16"]:
    array = values(dtype)
    for i, syntax in enumerate(
        [ExplicitVRLittleEndian, ImplicitVRLittleEndian, ExplicitVRBigEndian, DeflatedExplicitVRLittleEndian]
    ):
        name = series(f"{dtype}{i}", array, syntax=syntax)
        info = check(name, array, SPACING, ORIGIN, DIRECTION)
        assert "Nobody" not in json.dumps(info)
        sitk_reader = sitk.ImageSeriesReader()
        names = sitk_reader.GetGDCMSeriesFileNames(name)
        sitk_reader.SetFileNames(names)
        image = sitk_reader.Execute()
        assert np.allclose(image.GetOrigin(), ORIGIN) and np.allclose(image.GetDirection(), DIRECTION)
        assert np.allclose(sitk.GetArrayFromImage(image), array.astype(float) * 2.5 - 1024), name
        # Physical values as SimpleITK has them: said by the target, or applied.
        physical = array.astype(float) * 2.5 - 1024
        ok("convert", name, "-o", "packed.nii.gz", "--force")
        theirs = sitk.GetArrayFromImage(sitk.ReadImage("packed.nii.gz"))
        assert np.allclose(theirs, physical), (name, theirs.dtype, np.abs(theirs - physical).max())
        ok("convert", name, "-o", "ours.mha", "--force")
        assert (sitk.GetArrayFromImage(sitk.ReadImage("ours.mha")) == array).all(), name
        ok("convert", "ours.mha", "-o", "ours.nii", "--force")
        assert np.allclose(sitk.GetArrayFromImage(sitk.ReadImage("ours.nii")), physical), name
        for target in ["ours.nrrd", "ours.mha", "ours.nii"]:
            ok("convert", name, "--rescale", "-o", target, "--force")
            image = sitk.ReadImage(target)
            assert np.allclose(sitk.GetArrayFromImage(image), physical), (name, target)
            assert image.GetPixelID() == sitk.sitkFloat32, (name, target)
        ran = run("convert", name, "-o", "ours.nrrd", "--force")
        assert "NRRD cannot hold the rescale slope 2.5 and intercept -1024" in ran.stderr, ran
with open("a.bwv", "rb") as file:
    head = file.read(4096)
assert b'"RescaleSlope":2.5' in head and b'"RescaleIntercept":-1024.0' in head and b"Nobody" not in head

# Whole numbers stay so; PET has a slope per slice, and tells it in no other format.
array = values("uint16") >> 4
series("ct", array, RescaleSlope="1", RescaleIntercept="-1024")
ok("convert", "ct", "--rescale", "-o", "ours.nrrd", "--force")
image = sitk.ReadImage("ours.nrrd")
assert image.GetPixelID() == sitk.sitkInt16
assert (sitk.GetArrayFromImage(image) == array.astype(int) - 1024).all()
os.makedirs("pet")
for i, plane in enumerate(array):
    write(f"pet/{i}.dcm", plane, i, RescaleSlope=str(i + 0.5), RescaleIntercept="0", Modality="PT")
want = array * (np.arange(len(array)) + 0.5)[:, None, None]
ok("encode", "pet", "-o", "pet.bwv")
for words in [["convert", "pet"], ["decode", "pet.bwv"], ["extract", "pet.bwv", "--region", "..,..,2..5"]]:
    ok(*words, "--rescale", "-o", "ours.nrrd", "--force")
    expected = want[2:5] if words[0] == "extract" else want
    assert np.allclose(sitk.GetArrayFromImage(sitk.ReadImage("ours.nrrd")), expected), words
assert "the slices' different slopes or intercepts are lost" in run("convert", "pet", "-o", "pet.nii").stderr

# Twelve bits, signed, something else in the bits above.
array = values("int16") >> 4
series("twelve", array & 0x0FFF, BitsStored=12, HighBit=11, PixelRepresentation=1)
check("twelve", array)
# No positions: by number.
array = values("uint16")
check(series("numbers", array, ImagePositionPatient=None), array)

name = series("gap", array)
os.remove(f"{name}/{(5 * 2 + 3) % 7}.dcm")
fails(name, "a slice is missing", "1.dcm and 4.dcm are 5 mm apart")
series("same", array)
write("same/again.dcm", array[0], 0)
check("same", array)
assert "copies of other files: again.dcm" in run("encode", "same", "-o", "a.bwv", "--force").stderr
write("same/other.dcm", array[0], 7, z=0)
fails("same", "are at the same position", "other.dcm")
series("two", array)
write("two/other.dcm", array[0], 0, series="1.2.4")
fails("two", "2 series", "1.2.3", "1.2.4")
series("sizes", array)
write("sizes/3.dcm", array[0, :4], 0)
fails("sizes", "2 series", "1 slice of 11x4")

# Colours, side by side and in planes.
for dtype in ["uint8", "uint16"]:
    array = values(dtype, (6, 9, 11, 3))
    for i, syntax in enumerate(
        [ExplicitVRLittleEndian, ImplicitVRLittleEndian, ExplicitVRBigEndian, DeflatedExplicitVRLittleEndian]
    ):
        for planar in [0, 1]:
            name = series(f"{dtype}rgb{i}{planar}", array, syntax=syntax, PlanarConfiguration=planar)
            check(name, array, SPACING, ORIGIN, DIRECTION, channels=True)
series("ybr", array, PhotometricInterpretation="YBR_FULL")
fails("ybr", 'the colour type "YBR_FULL" with 3 samples per voxel is not supported')

# RLE by pydicom itself: GDCM, which it prefers where that is installed, ends the process at odd sizes.
for dtype, shape in [("uint8", ()), ("uint16", ()), ("int16", ()), ("uint8", (3,)), ("uint16", (3,))]:
    # Runs as well as noise.
    array = np.where(rng.random((6, 9, 11) + shape) < 0.5, 7, values(dtype, (6, 9, 11) + shape)).astype(dtype)
    name = series(f"rle{dtype}{len(shape)}", array)
    for file in os.listdir(name):
        plain = pydicom.dcmread(f"{name}/{file}")
        plain.compress(RLELossless, encoding_plugin="pydicom", generate_instance_uid=False)
        assert plain.file_meta.TransferSyntaxUID == RLELossless
        plain.save_as(f"{name}/{file}")
    check(name, array, SPACING, ORIGIN, DIRECTION, channels=bool(shape))

# Lossless JPEG by SimpleITK (GDCM).
for dtype in ["uint16", "int16", "uint8"]:
    array = values(dtype, (6, 10, 12)) // 3
    packed = []
    for plane in array:
        writer = sitk.ImageFileWriter()
        writer.SetFileName("jpeg.dcm")
        writer.UseCompressionOn()
        writer.SetCompressor("JPEG")
        writer.Execute(sitk.GetImageFromArray(plane[None]))
        theirs = pydicom.dcmread("jpeg.dcm")
        syntax = theirs.file_meta.TransferSyntaxUID
        assert syntax == "1.2.840.10008.1.2.4.70", syntax
        check("jpeg.dcm", plane[None])
        packed.append(next(generate_frames(theirs.PixelData, number_of_frames=1)))
    check(series(f"jpeg{dtype}", array, syntax=syntax, packed=packed), array, SPACING, ORIGIN, DIRECTION)
theirs.file_meta.TransferSyntaxUID = JPEGBaseline8Bit
theirs.save_as("jpeg.dcm")
fails("jpeg.dcm", "the transfer syntax 1.2.840.10008.1.2.4.50 (JPEG", "is not supported")

for source in ["uint160/3.dcm", "uint163/3.dcm", "rleuint160/3.dcm", "jpeguint16/3.dcm"]:
    with open(source, "rb") as file:
        whole = file.read()
    for length in range(0, len(whole) - 10, 37):
        with open("cut.dcm", "wb") as file:
            file.write(whole[:length])
        fails("cut.dcm", "cut.dcm")
os.mkdir("empty")
fails("empty", "has no slices")

# Frames: a plan of doses that comes with pydicom, and an enhanced file whose frames go backwards.
dose = pydicom.data.get_testdata_file("rtdose.dcm")
theirs = pydicom.dcmread(dose)
gaps = np.diff([float(offset) for offset in theirs.GridFrameOffsetVector])
spacing = [float(theirs.PixelSpacing[1]), float(theirs.PixelSpacing[0]), gaps[0]]
info = check(dose, theirs.pixel_array, spacing, [float(part) for part in theirs.ImagePositionPatient])
assert np.isclose(info["rescale"]["slope"], float(theirs.DoseGridScaling)), info["rescale"]


def item(**fields):
    data = Dataset()
    for name, value in fields.items():
        setattr(data, name, value)
    return data


array = values("int16")
for syntax in [ExplicitVRLittleEndian, ImplicitVRLittleEndian, ExplicitVRBigEndian, RLELossless]:
    theirs = pydicom.dcmread("int160/3.dcm")
    theirs.file_meta.TransferSyntaxUID = syntax
    theirs.NumberOfFrames = len(array)
    orientation = item(ImageOrientationPatient=[0, 1, 0, 0, 0, 1])
    measures = item(PixelSpacing=[SPACING[1], SPACING[0]], SliceThickness=9)
    theirs.SharedFunctionalGroupsSequence = [
        item(PlaneOrientationSequence=[orientation], PixelMeasuresSequence=[measures])
    ]
    theirs.PerFrameFunctionalGroupsSequence = [
        item(PlanePositionSequence=[item(ImagePositionPatient=[ORIGIN[0] + SPACING[2] * z, *ORIGIN[1:]])])
        for z in reversed(range(len(array)))
    ]
    for name in ["ImagePositionPatient", "ImageOrientationPatient", "PixelSpacing", "PixelData"]:
        del theirs[name]
    frames = array[::-1]
    if syntax == RLELossless:
        packed = []
        for frame in frames:
            one = pydicom.dcmread("int160/3.dcm")
            one.PixelData = frame.tobytes()
            one.compress(RLELossless, encoding_plugin="pydicom")
            packed.append(next(generate_frames(one.PixelData, number_of_frames=1)))
        theirs.PixelData = encapsulate(packed)
        theirs["PixelData"].VR = "OB"
        theirs["PixelData"].is_undefined_length = True
    else:
        big = syntax == ExplicitVRBigEndian
        theirs.PixelData = frames.astype(">i2" if big else "<i2").tobytes()
        theirs["PixelData"].VR = "OW"
    is_little = syntax.is_little_endian
    pydicom.dcmwrite("frames.dcm", theirs, implicit_vr=syntax.is_implicit_VR, little_endian=is_little)
    check("frames.dcm", array, SPACING, ORIGIN, DIRECTION)
print("pydicom", pydicom.__version__)

# Half floats, by NumPy and tifffile: every number, NaN with payloads.
halves = np.arange(1 << 16, dtype="<u2").view("<f2").reshape(16, 64, 64)
np.save("halves.npy", halves)
tifffile.imwrite("halves.tif", halves, photometric="minisblack")
for name in ["halves.npy", "halves.tif"]:
    ok("encode", name, "-o", "a.bwv", "--force")
    assert json.loads(ok("info", "a.bwv", "--json"))["voxel_type"] == "f16", name
    ok("decode", "a.bwv", "-o", "back.npy", "--force")
    back = np.load("back.npy")
    assert back.dtype == np.float16 and (back.view("u2") == halves.view("u2")).all(), name
ok("convert", "a.bwv", "-o", "halves/", "--force")
slices = [tifffile.imread(f"halves/slice_{index:04}.tif") for index in range(16)]
assert slices[0].dtype == np.float16 and (np.array(slices).view("u2") == halves.view("u2")).all()
for name in ["halves.nrrd", "halves.mha", "halves.nii"]:
    ran = run("convert", "a.bwv", "-o", name, "--force")
    assert ran.returncode == 0 and "f16 is written as f32, exactly" in ran.stderr, ran.stderr
    wide = sitk.GetArrayFromImage(sitk.ReadImage(name))
    # (Its reader of NIfTI makes infinities and NaN 0.)
    want = np.where(np.isfinite(halves) | (name != "halves.nii"), halves, 0).astype("f4")
    assert wide.dtype == np.float32 and np.array_equal(wide, want, equal_nan=True), name
found = json.loads(ok("stats", "halves.npy", "--json", "--percentiles", "5,50"))["parts"][0]["values"]
finite = halves[np.isfinite(halves)].astype("f8")
assert (found["minimum"], found["maximum"]) == (-65504, 65504) and found["nan"] == 2046, found
np.save("complex.npy", np.zeros((4, 4, 4), "c8"))
fails("complex.npy", "<c8", "is not supported")

# A multiplexed image of 40 markers, by SimpleITK, tifffile and NumPy, and back.
many = values("uint16", (40, 5, 9, 11))
image = sitk.GetImageFromArray(np.moveaxis(many, 0, -1), isVector=True)
for name in ["many.nrrd", "many.mha", "many.nii.gz"]:
    sitk.WriteImage(image, name)
tifffile.imwrite("many.ome.tif", np.moveaxis(many, 0, 1), metadata={"axes": "ZCYX"})
tifffile.imwrite("many.tif", np.moveaxis(many, 0, 1), imagej=True, metadata={"axes": "ZCYX"})
np.save("many.npy", many)
for name in ["many.nrrd", "many.mha", "many.nii.gz", "many.ome.tif", "many.tif", "many.npy"]:
    axes = ["--axes", "czyx"] if name == "many.npy" else []
    ok("encode", name, *axes, "-o", "a.bwv", "--force")
    info = json.loads(ok("info", "a.bwv", "--json"))
    assert (info["dims"], info["channels"]) == ([11, 9, 5], 40), (name, info)
    ok("decode", "a.bwv", "-o", "a.raw", "--force")
    assert (np.fromfile("a.raw", "<u2").reshape(5, 9, 11, 40) == np.moveaxis(many, 0, -1)).all(), name
    for source in [[name, *axes], ["a.bwv"]]:
        ok("convert", *source, "--channel", "17", "-o", "one.npy", "--force")
        assert (np.load("one.npy") == many[17]).all(), source
    ran = run("encode", name, *axes, "--channel", "40", "-o", "none.bwv")
    assert ran.returncode == 1 and "channel 40: the volume has channels 0 to 39" in ran.stderr, ran.stderr
# (Beside a file with the extension .nii, ITK reads that in place of .nii.gz.)
for name in ["forty.nrrd", "forty.mha", "forty.nii.gz"]:
    ok("convert", "a.bwv", "-o", name, "--force")
    theirs = sitk.ReadImage(name)
    assert theirs.GetNumberOfComponentsPerPixel() == 40, name
    assert (sitk.GetArrayFromImage(theirs) == np.moveaxis(many, 0, -1)).all(), name
ok("convert", "a.bwv", "-o", "ours.tif", "--force")
assert (tifffile.imread("ours.tif").reshape(5, 40, 9, 11) == np.moveaxis(many, 0, 1)).all()
print("half floats and 40 channels: NumPy, tifffile, SimpleITK")
