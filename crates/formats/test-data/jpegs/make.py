"""Makes the files of this folder: DICOM in JPEG-LS, JPEG 2000 and HTJ2K, and the voxels that pydicom reads.

Needs: pip install pydicom pylibjpeg pylibjpeg-openjpeg pyjpegls imagecodecs pillow
"""

import io
import pathlib

import imagecodecs
import jpeg_ls
import numpy
from PIL import Image
from pydicom import dcmread
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.uid import CTImageStorage

FOLDER = pathlib.Path(__file__).parent
JPEG_LS, NEAR, LOSSLESS, LOSSY = (f"1.2.840.10008.1.2.4.{number}" for number in (80, 81, 90, 91))
random = numpy.random.default_rng(7)


def image(rows, columns, bits, signed=False, channels=1, noise=0.005):
    """Waves with noise, some extreme numbers, and a flat corner."""
    y, x = numpy.mgrid[0:rows, 0:columns]
    wave = (numpy.sin(x / 5) + numpy.cos(y / 7)) / 4 + 0.5
    wave = wave[..., None] + numpy.arange(channels) / 20
    wave = wave + random.normal(0, noise, wave.shape)
    most = (1 << bits) - 1
    numbers = numpy.clip(wave * most, 0, most).astype(int)
    chance = random.random(wave.shape)
    numbers[chance < 0.02], numbers[chance > 0.98] = 0, most
    numbers[rows // 2 :, columns // 2 :] = most // 3
    if signed:
        numbers -= 1 << (bits - 1)
    kind = {8: "u1", 16: "<u2"}[8 if bits <= 8 else 16]
    numbers = numbers.astype(kind.replace("u", "i") if signed else kind)
    return numbers if channels > 1 else numbers[..., 0]


def write(name, syntax, arrays, frames, bits, color=None, fragments=1, lossy=None, exact=True, raw=True):
    """Writes frames of a codec, and the voxels."""
    first = arrays[0]
    data = Dataset()
    data.SOPClassUID, data.SOPInstanceUID, data.SeriesInstanceUID = CTImageStorage, "1.2.3.4", "1.2.3"
    data.Modality = "CT"
    data.Rows, data.Columns = first.shape[:2]
    data.SamplesPerPixel = 3 if first.ndim == 3 else 1
    data.PhotometricInterpretation = color or ("RGB" if first.ndim == 3 else "MONOCHROME2")
    if first.ndim == 3:
        data.PlanarConfiguration = 0
    data.BitsAllocated, data.BitsStored, data.HighBit = first.itemsize * 8, bits, bits - 1
    data.PixelRepresentation = int(first.dtype.kind == "i")
    data.PixelSpacing, data.SliceThickness = [1, 1], 1
    if len(frames) > 1:
        data.NumberOfFrames = len(frames)
    if lossy:
        data.LossyImageCompression = lossy
    data.PixelData = encapsulate([bytes(frame) for frame in frames], fragments_per_frame=fragments)
    data["PixelData"].VR = "OB"
    data.file_meta = FileMetaDataset()
    data.file_meta.TransferSyntaxUID = syntax
    data.file_meta.MediaStorageSOPClassUID = CTImageStorage
    data.file_meta.MediaStorageSOPInstanceUID = "1.2.3.4"
    path = FOLDER / f"{name}.dcm"
    data.save_as(path, enforce_file_format=True)
    if not raw:
        return
    read = dcmread(path).pixel_array
    want = numpy.stack(arrays) if len(frames) > 1 else first
    assert not exact or numpy.array_equal(read, want), name
    path.with_suffix(".raw").write_bytes(read.astype(first.dtype).tobytes())


def ls(array, near=0, interleave=None, bits=16):
    unsigned = array.view(f"u{array.itemsize}")
    if bits < 16:
        unsigned = unsigned & ((1 << bits) - 1)
    return jpeg_ls.encode_array(unsigned, near, interleave)


def j2k(array, bits, **options):
    options = {"level": 0, "reversible": True, "mct": False} | options
    return imagecodecs.jpeg2k_encode(array, codecformat="j2k", bitspersample=bits, **options)


def pillow(array, **options):
    file = io.BytesIO()
    Image.fromarray(array).save(file, "JPEG2000", **options)
    return file.getvalue()


grey = image(17, 23, 8)
write("ls_u8", JPEG_LS, [grey], [ls(grey)], 8)
signed = image(17, 23, 12, signed=True)
write("ls_i12", JPEG_LS, [signed], [ls(signed, bits=12)], 12)
wide = image(21, 19, 16, signed=True)
write("ls_i16", JPEG_LS, [wide], [ls(wide)], 16)
noise = random.integers(0, 1 << 16, (11, 13)).astype("<u2")
write("ls_noise", JPEG_LS, [noise], [ls(noise)], 16)
color = image(15, 18, 8, channels=3)
for interleave, order in enumerate(("planes", "lines", "samples")):
    planes = color if interleave else color.transpose(2, 0, 1)
    write(f"ls_rgb_{order}", JPEG_LS, [color], [ls(numpy.ascontiguousarray(planes), 0, interleave)], 8)
several = [image(14, 16, 12) for _ in range(3)]
write("ls_frames", JPEG_LS, several, [ls(frame) for frame in several], 12, fragments=2)
write("ls_near", NEAR, [signed], [ls(signed, 3, bits=12)], 12, lossy="01", exact=False)
write("ls_near_rgb", NEAR, [color], [ls(color, 2, 2)], 8, exact=False)

write("j2k_u8", LOSSLESS, [grey], [j2k(grey, 8)], 8)
write("j2k_i12", LOSSLESS, [signed], [j2k(signed, 12)], 12)
write("j2k_i16", LOSSLESS, [wide], [j2k(wide, 16)], 16)
write("j2k_noise", LOSSLESS, [noise], [j2k(noise, 16)], 16)
write("j2k_rgb", LOSSLESS, [color], [j2k(color, 8)], 8)
rct = j2k(color, 8, mct=True)
write("j2k_rct", LOSSLESS, [color], [rct], 8, color="YBR_RCT")
deep = image(15, 18, 16, channels=3)
write("j2k_rct16", LOSSLESS, [deep], [j2k(deep, 16, mct=True)], 16, color="YBR_RCT")
write("j2k_frames", LOSSLESS, several, [j2k(frame, 12) for frame in several], 12, fragments=2)
large = image(41, 53, 8)
tiles = pillow(large, no_jp2=True, tile_size=(16, 16), num_resolutions=3)
write("j2k_tiles", LOSSLESS, [large], [tiles], 8)
layers = dict(quality_layers=[20, 5, 0], progression="RPCL", precinct_size=(32, 32), codeblock_size=(16, 16))
write("j2k_layers", LOSSLESS, [grey], [pillow(grey, no_jp2=True, num_resolutions=3, **layers)], 8)
write("j2k_boxes", LOSSLESS, [grey], [pillow(grey)], 8)
lossy = j2k(signed, 12, level=45, reversible=False)
write("j2k_lossy", LOSSY, [signed], [lossy], 12, lossy="01", exact=False)
write("j2k_91", LOSSY, [grey], [j2k(grey, 8)], 8, lossy="00")

empty = numpy.zeros((640, 640), "<u2")
write("ls_empty", JPEG_LS, [empty], [ls(empty)], 16, raw=False)
write("j2k_empty", LOSSLESS, [empty], [j2k(empty, 16)], 16, raw=False)


def htj2k(array, **options):
    return imagecodecs.htj2k_encode(array, **options)


HT, HT_BY_RESOLUTION, HT_LOSSY = (f"1.2.840.10008.1.2.4.{number}" for number in (201, 202, 203))
write("ht_u8", HT, [grey], [htj2k(grey)], 8)
write("ht_i12", HT, [signed], [htj2k(signed)], 12)
write("ht_i16", HT, [wide], [htj2k(wide)], 16)
write("ht_noise", HT, [noise], [htj2k(noise)], 16)
write("ht_rct", HT, [color], [htj2k(color)], 8, color="YBR_RCT")
write("ht_rgb16", HT, [deep], [htj2k(deep, rgb=False)], 16)
write("ht_frames", HT_BY_RESOLUTION, several, [htj2k(frame) for frame in several], 12, fragments=2)
write("ht_tiles", HT, [large], [htj2k(large, tile=(16, 16), resolutions=2)], 8)
write("ht_203", HT_LOSSY, [grey], [htj2k(grey)], 8, lossy="00")
lossy = htj2k(wide, level=0.002, reversible=False)
write("ht_lossy", HT_LOSSY, [wide], [lossy], 16, lossy="01", raw=False)
write("ht_empty", HT, [empty], [htj2k(empty)], 16, raw=False)
