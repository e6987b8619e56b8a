"""Volumes by SimpleITK, pydicom, tifffile and VTK through `brickwork volume encode` and back: PROGRAM FOLDER."""

import json
import os
import subprocess
import sys

import numpy as np
import pydicom
import SimpleITK as sitk
import tifffile
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRBigEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian, RLELossless

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


def check(path, array, spacing=None, origin=None, direction=None):
    """Encodes, and compares voxels, and where they are given, spacing, origin and direction (of SimpleITK)."""
    ok("encode", path, "-o", "a.bwv", "--force")
    z, y, x = array.shape
    ok("extract", "a.bwv", "--region", f"0..{x},0..{y},0..{z}", "-o", "a.raw", "--force")
    back = np.fromfile("a.raw", array.dtype.newbyteorder("<")).reshape(array.shape)
    assert (back == array).all(), path
    image = None
    for name in ["a.nrrd", "a.mha"]:
        ok("decode", "a.bwv", "-o", name, "--force")
        image = sitk.ReadImage(name)
        ours = sitk.GetArrayFromImage(image)
        assert ours.dtype == array.dtype and (ours == array).all(), (path, name)
        for want, have in [
            (spacing, image.GetSpacing()),
            (origin, image.GetOrigin()),
            (direction, image.GetDirection()),
        ]:
            assert want is None or np.allclose(want, have, atol=1e-5), (path, name, want, have)
    return json.loads(ok("info", "a.bwv", "--json"))


def values(dtype, shape=(6, 9, 11)):
    if np.dtype(dtype).kind == "f":
        return rng.normal(size=shape).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


TYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"]

for dtype in TYPES:
    array = values(dtype)
    image = sitk.GetImageFromArray(array)
    image.SetSpacing(SPACING)
    image.SetOrigin(ORIGIN)
    image.SetDirection(DIRECTION)
    for ending in ["nrrd", "nhdr", "mha", "mhd"]:
        sitk.WriteImage(image, f"itk.{ending}")
        check(f"itk.{ending}", array, SPACING, ORIGIN, DIRECTION)
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
                            if dtype == "float32" and mode == "Ascii":
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
fails("slices", "slices: slice9.tif: is 11x5 u16, the first slice is 11x9 u16")
tifffile.imwrite("color.tif", np.zeros((8, 8, 3), "uint8"), photometric="rgb")
fails("color.tif", "the colour type RGB(8) is not supported")
print("tifffile", tifffile.__version__)


def write(path, plane, index, syntax=ExplicitVRLittleEndian, series="1.2.3", z=None, **fields):
    meta = FileMetaDataset()
    meta.TransferSyntaxUID = syntax
    meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.2"
    meta.MediaStorageSOPInstanceUID = f"1.2.3.4.{index + 1}"
    data = Dataset()
    data.file_meta = meta
    data.SOPClassUID, data.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
    data.Modality, data.PatientName, data.SeriesInstanceUID = "CT", "Nobody^Known", series
    data.InstanceNumber = index + 1
    data.Rows, data.Columns = plane.shape
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
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
    big = syntax == ExplicitVRBigEndian
    if big and plane.itemsize == 1:
        # OB in an even count of bytes.
        data.PixelData = plane.tobytes() + b"\0" * (plane.size % 2)
    else:
        data.PixelData = plane.astype(plane.dtype.newbyteorder(">" if big else "<")).tobytes() + b"\0" * (
            plane.nbytes % 2
        )
    data["PixelData"].VR = "OB" if plane.itemsize == 1 and syntax != ImplicitVRLittleEndian else "OW"
    data.save_as(path, enforce_file_format=True)


def series(name, array, **fields):
    """A series whose files have names in another order than the slices have places."""
    os.makedirs(name, exist_ok=True)
    for i in range(len(array)):
        write(f"{name}/{(5 * i + 3) % 7}.dcm", array[i], i, **fields)
    return name


for dtype in ["uint8", "int8", "uint16", "int16"]:
    array = values(dtype)
    for i, syntax in enumerate([ExplicitVRLittleEndian, ImplicitVRLittleEndian, ExplicitVRBigEndian]):
        name = series(f"{dtype}{i}", array, syntax=syntax)
        info = check(name, array, SPACING, ORIGIN, DIRECTION)
        assert "Nobody" not in json.dumps(info)
        sitk_reader = sitk.ImageSeriesReader()
        names = sitk_reader.GetGDCMSeriesFileNames(name)
        sitk_reader.SetFileNames(names)
        image = sitk_reader.Execute()
        assert np.allclose(image.GetOrigin(), ORIGIN) and np.allclose(image.GetDirection(), DIRECTION)
        assert np.allclose(sitk.GetArrayFromImage(image), array.astype(float) * 2.5 - 1024), name
with open("a.bwv", "rb") as file:
    head = file.read(4096)
assert b'"RescaleSlope":2.5' in head and b'"RescaleIntercept":-1024.0' in head and b"Nobody" not in head

# Twelve bits, signed, something else in the bits above.
array = values("int16") >> 4
series("twelve", array & 0x0FFF, BitsStored=12, HighBit=11, PixelRepresentation=1)
check("twelve", array)
# No positions: by number.
array = values("uint16")
check(series("numbers", array, ImagePositionPatient=None), array)

name = series("gap", array)
os.remove(f"{name}/{(5 * 2 + 3) % 7}.dcm")
fails(name, "one is missing", "1.dcm and 4.dcm")
series("same", array)
write("same/again.dcm", array[0], 0)
fails("same", "lie in the same place", "again.dcm")
series("two", array)
write("two/other.dcm", array[0], 0, series="1.2.4")
fails("two", "2 series", "1.2.3", "1.2.4")
series("sizes", array)
write("sizes/3.dcm", array[0, :4], 0)
fails("sizes", "11x4 u16")
os.mkdir("packed")
plain = pydicom.dcmread("uint160/3.dcm")
plain.compress(RLELossless)
plain.save_as("packed/a.dcm")
fails("packed", "transfer syntax 1.2.840.10008.1.2.5 is not supported", "a.dcm")
with open("uint160/3.dcm", "rb") as file:
    whole = file.read()
for length in range(0, len(whole), 37):
    with open("cut.dcm", "wb") as file:
        file.write(whole[:length])
    fails("cut.dcm", "cut.dcm")
os.mkdir("empty")
fails("empty", "has no slices")
print("pydicom", pydicom.__version__)
