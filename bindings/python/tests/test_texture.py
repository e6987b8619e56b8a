"""Textures: arrays, files, blocks, metrics, errors."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import brickwork
from brickwork import texture

KODIM = Path(__file__).parents[3] / "test-data/kodak/kodim23.png"


def picture(height=60, width=100, channels=3, dtype="u1"):
    y, x = np.indices((height, width))
    planes = [x * 2 % 256, y * 3 % 256, (x + y) % 256, 255 - x % 64]
    whole = np.stack(planes[:channels], axis=2).astype("u1")
    if np.dtype(dtype).kind == "f":
        return (whole / 255).astype(dtype)
    return (whole.astype("u2") * 257).astype(dtype) if dtype == "u2" else whole


FORMATS = ["bc1", "bc2", "bc3", "bc4", "bc4s", "bc5", "bc5s", "bc6h", "bc6hs", "bc7"]


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_comes_back(format):
    image = picture(dtype="f2" if format.startswith("bc6h") else "u1")
    found = texture.encode(image, format, "fast")
    assert (found.format, found.width, found.height, found.mip_levels) == (format, 100, 60, 7)
    assert len(found.levels) == 7 and sum(map(len, found.levels)) == found.nbytes
    texels = found.decode()
    assert texels.dtype == (np.float16 if format.startswith("bc6h") else np.uint8)
    assert found.decode(mip_level=6).shape == (1, 1, 4)
    channels = {"bc4": 1, "bc4s": 1, "bc5": 2, "bc5s": 2}.get(format, 3)
    error = np.abs(texels[:, :, :channels].astype(float) - image[:, :, :channels]).mean()
    assert error < (0.02 if format.startswith("bc6h") else 4)


@pytest.mark.parametrize("dtype", ["u1", "u2", "f2", "f4", ">u2", ">f4"])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_every_type_of_texel_gives_the_same_blocks(dtype, channels):
    native = np.dtype(dtype).newbyteorder("=")
    image = picture(channels=channels, dtype=native.str[1:]).astype(dtype)
    wanted = texture.encode_blocks(picture(channels=channels), "bc7", "ultrafast")
    assert wanted.shape == (15, 25, 16)
    assert np.array_equal(texture.encode_blocks(image, "bc7", "ultrafast"), wanted)
    assert np.array_equal(texture.encode_blocks(np.asfortranarray(image), "bc7", "ultrafast"), wanted)
    assert np.array_equal(texture.encode(image, "bc7", "ultrafast", mips=False).levels[0], wanted.ravel())


def test_blocks_and_textures_decode_alike():
    image = picture()
    blocks = texture.encode_blocks(image, "bc1")
    whole = texture.encode(image, "bc1", mips=False)
    for dtype in [None, "u2", "f4"]:
        texels = texture.decode_blocks(blocks, "bc1", 100, 60, dtype=dtype)
        assert texels.shape == (60, 100, 4) and np.array_equal(texels, whole.decode(dtype=dtype))


def test_threads_do_not_change_the_blocks():
    image = picture(300, 400)
    wanted = texture.encode_blocks(image, "bc7", "fast", threads=1)
    assert np.array_equal(texture.encode_blocks(image, "bc7", "fast", threads=3), wanted)


@pytest.mark.parametrize("extension", ["dds", "ktx2"])
def test_files(tmp_path, extension):
    found = texture.encode(picture(channels=4), "bc3", "fast")
    linear = texture.encode(picture(), "bc3", "fast", srgb=False)
    assert found.srgb and not linear.srgb and not pickle.loads(pickle.dumps(linear)).srgb
    path = tmp_path / f"a.{extension}"
    found.save(path)
    for other in [texture.open(path), pickle.loads(pickle.dumps(found))]:
        assert (other.format, other.width, other.mip_levels, other.srgb) == ("bc3", 100, 7, True)
        assert all(np.array_equal(a, b) for a, b in zip(other.levels, found.levels))
    with pytest.raises(FileExistsError):
        found.save(path)
    found.save(path, overwrite=True)
    with pytest.raises(ValueError, match="a.png"):
        found.save(tmp_path / "a.png")
    with pytest.raises(FileNotFoundError):
        texture.open(tmp_path / "none.dds")
    with pytest.raises(FileNotFoundError):
        texture.encode(tmp_path / "none.png")
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(brickwork.FormatError, match=path.name):
        texture.open(path)


@pytest.mark.skipif(not KODIM.exists(), reason="outside the repository")
def test_pictures_are_read():
    found = texture.encode(KODIM, "bc1", "fast", mips=False)
    assert (found.width, found.height, found.srgb) == (768, 512, True)
    same = texture.encode(str(KODIM), "bc1", "fast", mips=False)
    assert np.array_equal(same.levels[0], found.levels[0])


def level_1(image, format="bc7", **options):
    return texture.encode(image, format, "normal", **options).decode(mip_level=1)


def test_normals_keep_their_length():
    # Two vectors, of which the mean is much shorter.
    image = np.empty((8, 8, 3), "u1")
    image[:, 0::2], image[:, 1::2] = (255, 128, 128), (128, 128, 255)
    plain = level_1(image, srgb=False, mip_filter="box")
    normals = level_1(image, normals=True, mip_filter="box")
    lengths = [np.linalg.norm(found[1, 1, :3] / 127.5 - 1) for found in (plain, normals)]
    assert lengths[0] < 0.8 and abs(lengths[1] - 1) < 0.05
    assert not texture.encode(image, "bc7", normals=True).srgb
    with pytest.raises(ValueError, match="normals are not colours"):
        texture.encode(image, "bc7", normals=True, srgb=True)


def test_alpha_is_data_or_weights_colors():
    image = np.zeros((8, 8, 4), "u1")
    image[:, 0::2], image[:, 1::2] = (200, 0, 0, 255), (0, 200, 0, 0)
    weighted = level_1(image, srgb=False, mip_filter="box")[1, 1]
    data = level_1(image, srgb=False, mip_filter="box", alpha_is_data=True)[1, 1]
    assert weighted[0] > 190 and weighted[1] < 10
    assert abs(int(data[0]) - 100) < 10 and abs(int(data[1]) - 100) < 10


def test_dither_filters_and_coverage_change_the_blocks():
    ramp = np.tile(np.linspace(90, 110, 64), (64, 1)).astype("u1")
    grey = np.stack([ramp] * 3, axis=2)
    plain, dithered = (texture.encode(grey, "bc1", mips=False, dither=on) for on in (False, True))
    assert not np.array_equal(plain.levels[0], dithered.levels[0])
    image = picture()
    blocks = [texture.encode(image, "bc7", "fast", mip_filter=name).levels[1] for name in ("box", "lanczos3")]
    assert not np.array_equal(*blocks)
    alpha = np.where(np.random.default_rng(1).random((64, 64)) < 0.3, 255, 0).astype("u1")
    leaf = np.dstack([np.full((64, 64, 3), 90, "u1"), alpha])
    level = [
        texture.encode(leaf, "bc7", mip_filter="box", keep_coverage=kept).decode(mip_level=2)[:, :, 3] >= 128
        for kept in (None, 0.5)
    ]
    share = (alpha >= 128).mean()
    assert abs(level[1].mean() - share) < abs(level[0].mean() - share)
    for options in [{"keep_coverage": 0.0}, {"keep_coverage": 1.5}, {"keep_coverage": float("nan")}]:
        with pytest.raises(ValueError, match="keep_coverage is"):
            texture.encode(image, "bc7", **options)
    with pytest.raises(ValueError):
        texture.encode(image, "bc7", mip_filter="gauss")


def test_metrics():
    a = picture()
    b = a.copy()
    b[:, :, 0] ^= 1
    assert texture.psnr(a, a) == float("inf")
    assert texture.psnr(a, b) == pytest.approx(10 * np.log10(255**2 * 3))
    assert texture.psnr(a, b, alpha=True) == pytest.approx(10 * np.log10(255**2 * 4))
    assert texture.ssim(a, a) == pytest.approx(1) and 0.5 < texture.ssim(a, b) < 1
    with pytest.raises(ValueError, match="11x11"):
        texture.ssim(a[:8], a[:8])
    with pytest.raises(ValueError, match="size"):
        texture.psnr(a, a[:8])
    for number in [2.0, -1.0, np.nan, np.inf]:
        bright = np.full((16, 16, 3), number, "f4")
        for metric in [texture.psnr, texture.ssim]:
            with pytest.raises(ValueError, match="8 bits"):
                metric(bright, np.ones_like(bright))


@pytest.mark.parametrize("dtype", ["O", "?", "i2", "u4", "f8", "c8"])
def test_other_types_are_type_errors(dtype):
    with pytest.raises(TypeError, match="texels are"):
        texture.encode(np.zeros((8, 8, 3), dtype))


@pytest.mark.parametrize("shape", [(8,), (8, 8, 5), (0, 8, 3), (8, 0), (2, 8, 8, 3)])
def test_other_shapes_are_value_errors(shape):
    with pytest.raises(ValueError, match="shape"):
        texture.encode(np.zeros(shape, "u1"))


def test_names_positions_and_blocks_that_do_not_fit():
    image = picture()
    with pytest.raises(ValueError, match="bc9"):
        texture.encode(image, "bc9")
    with pytest.raises(ValueError, match="ultrafast"):
        texture.encode(image, "bc1", "slow")
    found = texture.encode(image, "bc1", "ultrafast", mips=False)
    for position in [{"mip_level": 1}, {"mip_level": -1}, {"layer": 1}, {"face": 1}, {"slice": 1}]:
        with pytest.raises(ValueError):
            found.decode(**position)
    with pytest.raises(ValueError, match="bytes"):
        texture.decode_blocks(found.levels[0][:-8], "bc1", 100, 60)
    with pytest.raises(TypeError):
        texture.decode_blocks(found.levels[0].astype("i4"), "bc1", 100, 60)
    with pytest.raises(TypeError, match="texels are"):
        found.decode(dtype="i4")


def test_progress_can_stop():
    def stop(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        texture.encode(np.tile(picture(), (20, 20, 1)), "bc7", "high", progress=stop)


def test_pickled_textures_are_those_of_a_file(tmp_path):
    # Six faces, straight alpha: made from the bytes of a DDS file with one image.
    whole = texture.encode(picture(64, 64, 4), "bc7", "ultrafast", mips=False)
    path = tmp_path / "a.dds"
    whole.save(path)
    blocks = path.read_bytes()
    header = bytearray(blocks[:148])
    header[112:116] = (0xFE00).to_bytes(4, "little")
    header[136:140] = (4).to_bytes(4, "little")
    path.write_bytes(bytes(header) + 6 * blocks[148:])
    cube = texture.open(path)
    assert cube.faces == 6
    again = pickle.loads(pickle.dumps(cube))
    assert again.faces == 6 and np.array_equal(again.blocks(face=5), cube.blocks(face=5))
