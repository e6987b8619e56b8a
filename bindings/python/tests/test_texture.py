"""Textures: arrays, files, blocks, options of `encode`, metrics, errors."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import brickwork
from brickwork import texture

KODIM = Path(__file__).parents[3] / "test-data/kodak/kodim23.png"

#: Path of the program `brickwork`, whose bytes are compared.
PROGRAM = os.environ.get("BRICKWORK_PROGRAM")


def picture(height=60, width=100, channels=3, dtype="u1"):
    y, x = np.indices((height, width))
    planes = [x * 2 % 256, y * 3 % 256, (x + y) % 256, 255 - x % 64]
    whole = np.stack(planes[:channels], axis=2).astype("u1")
    if np.dtype(dtype).kind == "f":
        return (whole / 255).astype(dtype)
    return (whole.astype("u2") * 257).astype(dtype) if dtype == "u2" else whole


FORMATS = ["bc1", "bc2", "bc3", "bc4", "bc4s", "bc5", "bc5s", "bc6h", "bc6hs", "bc7"]
MOBILE_FORMATS = ["etc2", "etc2-a1", "etc2-a8", "eac-r11", "eac-r11s", "eac-rg11", "eac-rg11s"]


@pytest.mark.parametrize("format", FORMATS + MOBILE_FORMATS)
def test_every_format_comes_back(format):
    image = picture(dtype="f2" if format.startswith("bc6h") else "u1")
    found = texture.encode(image, format, "fast")
    assert (found.format, found.width, found.height, found.mip_levels) == (format, 100, 60, 7)
    assert len(found.levels) == 7 and sum(map(len, found.levels)) == found.nbytes
    texels = found.decode()
    assert texels.dtype == (np.float16 if format.startswith("bc6h") else np.uint8)
    assert found.decode(mip_level=6).shape == (1, 1, 4)
    one, two = ("bc4", "bc4s", "eac-r11", "eac-r11s"), ("bc5", "bc5s", "eac-rg11", "eac-rg11s")
    channels = 1 if format in one else 2 if format in two else 3
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
    with pytest.raises(ValueError, match="normal maps are linear"):
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
        with pytest.raises(ValueError, match="keep_coverage: "):
            texture.encode(image, "bc7", **options)
    with pytest.raises(ValueError):
        texture.encode(image, "bc7", mip_filter="gauss")


PLAIN = {
    "r8": "u1", "rg8s": "u1", "rgba8": "u1", "bgra8": "u1", "r16": "u2", "rgba16s": "u2", "rg16f": "f2",
    "rgba16f": "f2", "rgba32f": "f4", "rgb9e5": "f2", "rg11b10f": "f2",
}  # fmt: skip


@pytest.mark.parametrize("format", PLAIN)
def test_plain_formats_keep_texels(format, tmp_path):
    channels = 1 if format[1].isdigit() else 2 if format.startswith("rg") and format[2].isdigit() else 4
    dtype = np.dtype(PLAIN[format])
    # Numbers that all of these formats store.
    image = np.zeros((6, 10, 4), dtype)
    image[::2, :, :3] = image[:, :, 3] = 1 if dtype.kind == "f" else np.iinfo(dtype).max
    found = texture.encode(image, format, mips=False)
    has_alpha = channels == 4 and format != "rgb9e5"
    assert (found.format, found.srgb) == (format, format in ("rgba8", "bgra8"))
    assert found.alpha_mode == ("straight" if has_alpha else "opaque")
    texels = found.decode()
    assert texels.dtype == dtype and np.array_equal(texels[:, :, 0], image[:, :, 0])
    if has_alpha:
        assert np.array_equal(texels, image)
    blocks = texture.encode_blocks(image, format)
    assert blocks.shape == (6, 10, found.nbytes // 60) and np.array_equal(blocks.ravel(), found.levels[0])
    assert np.array_equal(texture.decode_blocks(blocks, format, 10, 6), texels)
    for extension in ("dds", "ktx2"):
        path = tmp_path / f"a.{extension}"
        found.save(path)
        assert texture.open(path).format == format
        assert np.array_equal(texture.open(path).levels[0], found.levels[0])
    assert np.array_equal(pickle.loads(pickle.dumps(found)).levels[0], found.levels[0])
    # A texture of plain texels is a source, too.
    again = texture.encode(path, format, mips=False)
    assert np.array_equal(again.levels[0], found.levels[0])


def test_floats_of_32_bits_are_kept(tmp_path):
    image = np.array([[[1 / 3, 1e-30, -7.25e20, 0.1]]], "f4")
    found = texture.encode(image, "rgba32f")
    assert np.array_equal(found.decode(), image)
    # Also if an option copies the image, and in files and mip levels.
    assert np.array_equal(texels_of(image, format="rgba32f", swizzle="bgra"), image[:, :, [2, 1, 0, 3]])
    colors = np.ascontiguousarray(image[:, :, :3])
    larger = texels_of(colors, format="rgba32f", multiple_of_4=True)
    assert np.array_equal(larger[:, :, :3], np.broadcast_to(colors, (4, 4, 3)))
    path = tmp_path / "a.ktx2"
    found.save(path)
    assert np.array_equal(texels_of(path, format="rgba32f"), image)
    heights = np.full((4, 4), 123456.789, "f4")
    assert np.array_equal(texture.encode(heights, "r32f").decode(mip_level=1)[:, :, 0], heights[:2, :2])
    # Other formats take half floats.
    assert texels_of(image, format="rgba16f", swizzle="bgra")[0, 0, 0] == -65504


def texels_of(image, **options):
    """The texels of an image with options of `encode`."""
    return texture.encode(image, options.pop("format", "rgba8"), mips=False, **options).decode()


def test_channels_are_packed_and_swizzled(tmp_path):
    base, other = picture(), picture()[::-1].copy()
    grey = other[:, :, 1].copy()
    packed = texels_of(base, channels={"a": (other, "b"), "g": grey})
    assert np.array_equal(packed, np.dstack([base[:, :, 0], grey, base[:, :, 2], other[:, :, 2]]))
    assert not texture.encode(base, "rgba8", channels={"g": grey}).srgb
    path = tmp_path / "other.ppm"
    path.write_bytes(b"P6 100 60 255\n" + other.tobytes())
    assert np.array_equal(texels_of(base, channels={"a": (path, "b"), "g": grey}), packed)
    swizzled = texels_of(base, swizzle="b0g1")
    zeros = np.zeros_like(grey)
    assert np.array_equal(swizzled, np.dstack([base[:, :, 2], zeros, base[:, :, 1], zeros + 255]))


def test_colors_are_converted_and_multiplied():
    grey = np.full((4, 4), 128, "u1")
    assert texels_of(grey, format="rgba16", convert_oetf="linear")[0, 0, 0] == 14146
    brighter = texels_of(grey, assign_oetf="linear", convert_oetf="srgb")
    assert brighter[0, 0, :3].tolist() == [188] * 3
    power = texels_of(grey, format="rgba16", assign_oetf="gamma:2.0")
    assert abs(int(power[0, 0, 0]) - 65535 * (128 / 255) ** 2) < 1
    straight = picture(channels=4)
    product = texture.encode(straight, "rgba8", mips=False, srgb=False, premultiply=True)
    alpha = straight[:, :, 3:].astype("f8") / 255
    expected = np.floor(straight[:, :, :3] * alpha + 0.5).astype("u1")
    assert product.alpha_mode == "premultiplied"
    assert np.array_equal(product.decode()[:, :, :3], expected)
    floats = np.array([[[8.0, 0.5, 0.25]]], "f4")
    assert texels_of(floats, format="rgba16f", max_value=2)[0, 0].tolist() == [2.0, 0.5, 0.25, 1.0]


def test_given_mip_levels_are_kept_and_others_made(tmp_path):
    image, half = picture(8, 16, 4), picture(4, 8, 4)[::-1].copy()
    given = texture.encode(image, "rgba8", levels=[half])
    assert given.mip_levels == 5 and np.array_equal(given.decode(mip_level=1), half)
    made = texture.encode(half, "rgba8")
    assert np.array_equal(given.decode(mip_level=2), made.decode(mip_level=1))
    assert texture.encode(image, "rgba8", levels=[half], mips=False).mip_levels == 2
    assert texture.encode(image, "rgba8", mips=3).mip_levels == 3
    with pytest.raises(ValueError, match=r"levels\[0\]: mip level 1 has 8×4 texels, not 16×8"):
        texture.encode(image, "bc1", levels=[image])
    with pytest.raises(TypeError, match="levels is the path 'half.png', expected a sequence"):
        texture.encode(image, "bc1", levels="half.png")
    for other in [Path("half.png"), half, half[np.newaxis], 1]:
        with pytest.raises(TypeError, match="levels is .*, expected a sequence of images"):
            texture.encode(image, "bc1", levels=other)


def test_sizes_and_limits_of_other_types_name_their_argument():
    image = picture(8, 16, 4)
    assert texture.encode(image, "rgba8", resize=[4, 2], mips=False).width == 4
    with pytest.raises(TypeError, match=r"resize is 64, expected \(width, height\) or a str"):
        texture.encode(image, "rgba8", resize=64)
    for limit in [-1, np.int64(-1), 1 << 64]:
        with pytest.raises(ValueError, match="max_memory is .*, expected a number of bytes"):
            texture.encode(image, "rgba8", max_memory=limit)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_paths_need_not_be_utf_8(tmp_path):
    image = picture(4, 4)
    path = os.path.join(tmp_path, os.fsdecode(b"\xff.ppm"))
    with open(path, "wb") as file:
        file.write(b"P6 4 4 255\n" + image.tobytes())
    found = texture.encode(path, "rgba8", mips=False)
    assert np.array_equal(found.decode()[:, :, :3], image)


def test_edges_of_mip_levels():
    image = np.zeros((8, 8), "u1")
    image[:, 7] = 255

    def left(wrap):
        found = texture.encode(image, "r8", mip_filter="triangle", mip_wrap=wrap)
        return found.decode(mip_level=1)[2, 0, 0]

    assert left("clamp") == left(("clamp", "repeat")) == 0 < left("repeat") == left(("repeat", "mirror"))


def test_normal_maps_and_roughness():
    bumps = picture(16, 16)
    flipped = texels_of(bumps, kind="normal", normal_flip_y=True)
    assert np.array_equal(flipped[:, :, 1], 255 - bumps[:, :, 1])
    slope = np.tile(np.arange(16, dtype="u1") * 17, (16, 1))
    normals = texels_of(slope, from_height=15.0)
    # A slope of 1 to the right.
    assert np.abs(normals[8, 8, :3] - 127.5 * (1 + np.array([-(0.5**0.5), 0, 0.5**0.5]))).max() < 1
    # Columns that lean to the left and to the right.
    bumps[:, 0::2], bumps[:, 1::2] = (37, 128, 218), (218, 128, 218)
    rough = np.full((16, 16), 60, "u1")
    plain = texture.encode(rough, "r8")
    kept = texture.encode(rough, "r8", roughness_from=bumps)
    assert np.array_equal(plain.levels[0], kept.levels[0])
    assert (kept.levels[1] > plain.levels[1]).all()
    orm = np.dstack([rough] * 3)
    found = texture.encode(orm, "rgba8", roughness_from=bumps, roughness_channel="g").decode(mip_level=1)
    assert np.array_equal(found[:, :, 1].ravel(), kept.levels[1])
    assert np.array_equal(found[:, :, 0].ravel(), plain.levels[1])


def test_sizes_and_formats_by_content():
    image = picture()
    shapes = {
        (50, 30): {"resize": "50%"}, (64, 16): {"resize": (64, 16)}, (32, 19): {"max_size": 32},
        (128, 64): {"power_of_two": "up"}, (20, 12): {"max_size": 20, "multiple_of_4": True},
    }  # fmt: skip
    for size, options in shapes.items():
        found = texture.encode(image, "bc1", "ultrafast", **options)
        assert (found.width, found.height) == size, options
    assert texture.encode(image[:, :, 0], "auto", "ultrafast").format == "bc4"
    assert texture.encode(picture(dtype="f4") * 9, "auto", "ultrafast").format == "bc6h"
    linear = texture.encode(image, "DXGI_FORMAT_BC7_UNORM", "ultrafast", mips=False)
    assert (linear.format, linear.srgb) == ("bc7", False)


def test_files_of_either_container(tmp_path):
    flat = texture.encode(np.zeros((64, 64, 3), "u1"), "bc7", "ultrafast")
    flat.save(tmp_path / "a.ktx2")
    flat.save(tmp_path / "b.ktx2", zstd=9)
    sizes = [(tmp_path / name).stat().st_size for name in ("a.ktx2", "b.ktx2")]
    assert sizes[1] < sizes[0] / 2
    assert np.array_equal(texture.open(tmp_path / "b.ktx2").levels[0], flat.levels[0])
    old = texture.encode(picture(), "bc1", "ultrafast", srgb=False)
    for header, magic in (("dx10", b"DX10"), ("legacy", b"DXT1")):
        old.save(tmp_path / f"{header}.dds", dds_header=header)
        assert (tmp_path / f"{header}.dds").read_bytes()[84:88] == magic
    for path, options in [
        ("c.dds", {"zstd": 3}),
        ("c.ktx2", {"dds_header": "dx10"}),
        ("c.ktx2", {"zstd": 23}),
        ("c.dds", {"dds_header": "dx9"}),
    ]:
        with pytest.raises(ValueError, match="zstd|dx10|dds_header"):
            old.save(tmp_path / path, **options)
        assert not (tmp_path / path).exists()


@pytest.mark.parametrize(
    ("match", "options"),
    [
        (r"source: premultiply is for colours", {"premultiply": True, "kind": "data"}),
        (r"premultiply and keep_coverage exclude", {"premultiply": True, "keep_coverage": 0.5}),
        (r"alpha_is_data and premultiply exclude", {"premultiply": True, "alpha_is_data": True}),
        (r"assign_oetf: .*gamma:G", {"assign_oetf": "gamma:x"}),
        (r"srgb and assign_oetf exclude", {"assign_oetf": "linear", "srgb": True}),
        (r"srgb and convert_oetf exclude", {"convert_oetf": "linear", "srgb": True}),
        (r"swizzle: ", {"swizzle": "rgb"}),
        (r"mip_wrap: ", {"mip_wrap": "tile"}),
        (r"mips: ", {"mips": 0}),
        (r"resize: ", {"resize": (0, 4)}),
        (r"levels and resize exclude", {"levels": [np.zeros((30, 50, 3), "u1")], "resize": "50%"}),
        (r"channels has the key 'x'", {"channels": {"x": np.zeros((60, 100), "u1")}}),
        (r"channels: \"x\"", {"channels": {"g": (np.zeros((60, 100), "u1"), "x")}}),
        (r"channels\['g'\]: has 5×4 texels, but source", {"channels": {"g": np.zeros((4, 5), "u1")}}),
        (r"channels\['g'\]: the array has the shape", {"channels": {"g": np.zeros(4, "u1")}}),
        (r"roughness_channel is the channel for", {"roughness_channel": "g"}),
        (r"roughness_from needs mip levels", {"roughness_from": np.zeros((4, 4, 3), "u1"), "mips": False}),
        (r"modes and real_time exclude", {"real_time": 2, "modes": [6]}),
        (r"rdo and target_psnr exclude", {"rdo": 2, "target_psnr": 40}),
        (r"max_value is for bc6h", {"max_value": 2.0}),
        (r"weights: ", {"weights": (0, 1, 1)}),
        (r"kind: ", {"kind": "photo"}),
    ],
)
def test_options_that_do_not_fit_are_value_errors(match, options):
    with pytest.raises(ValueError, match=match):
        texture.encode(picture(), "bc7", "normal", **options)


def test_unknown_options_are_type_errors():
    with pytest.raises(TypeError, match=r"encode\(\) got an unexpected keyword argument 'sharpness'"):
        texture.encode(picture(), "bc7", sharpness=2)


def test_types_of_other_images_are_named():
    for options in [{"levels": [np.zeros((4, 4), "i4")]}, {"channels": {"g": np.zeros((4, 4), "i4")}}]:
        with pytest.raises(TypeError, match=r"(levels\[0\]|channels\['g'\]): texels are"):
            texture.encode(picture(), **options)


def test_memory_is_limited():
    with pytest.raises(MemoryError, match="source: needs"):
        texture.encode(picture(), "bc7", swizzle="bgr1", max_memory=1000)


#: Arguments of `encode`, which the program has by the same names. The files are those of `inputs`.
SAME = [
    {"format": "rgba8"},
    {"format": "rgb9e5", "kind": "data", "mips": False},
    {"format": "auto"},
    {"format": "bc7", "premultiply": True},
    {"format": "bc7", "channels": {"g": ("b.ppm", "b"), "a": "c.ppm"}},
    {"format": "bc7", "swizzle": "bgr1", "mips": False},
    {"format": "bc7", "assign_oetf": "gamma:1.8"},
    {"format": "rgba16", "convert_oetf": "linear", "mips": False},
    {"format": "bc1", "resize": "50%", "multiple_of_4": True, "mips": False},
    {"format": "bc1", "resize": (20, 12), "power_of_two": "down", "mips": False},
    {"format": "bc5", "kind": "normal", "normal_flip_y": True},
    {"format": "bc5", "from_height": 4, "mip_wrap": "repeat"},
    {"format": "bc7", "roughness_from": "b.ppm", "roughness_channel": "g"},
    {"format": "bc7", "levels": ["half.ppm"], "swizzle": "rgb1"},
    {"format": "bc7", "mips": 3, "mip_filter": "lanczos3", "mip_wrap": ("repeat", "mirror")},
    {"format": "bc7", "keep_coverage": 0.31},
    {"format": "bc1", "rdo": 4, "weights": (3, 6, 1), "mips": False},
    {"format": "bc1", "target_psnr": 24, "mips": False},
    {"format": "bc1", "alpha_threshold": 40, "no_three_color": True, "mips": False},
    {"format": "bc1", "opaque": True, "decoder": "nvidia", "mips": False},
    {"format": "bc1", "transparent_black": True, "dither": True, "mips": False},
    {"format": "bc3", "weigh_by_alpha": True, "method": "cluster-fit", "mips": False},
    {"format": "bc7", "modes": (1, 6), "mips": False},
    {"format": "bc7", "real_time": 2, "mips": False},
    {"format": "bc6h", "convert_oetf": "linear", "metric": "log", "max_value": 0.4, "mips": False},
]


def words_of(options):
    """The words of the program for arguments of `encode`."""
    words = []
    for name, value in {"mips": True, **options}.items():
        option = "--" + name.replace("_", "-")
        if name == "kind":
            words.append(f"--{value}")
        elif name == "levels":
            words += [f"--level={index}={path}" for index, path in enumerate(value, 1)]
        elif name == "channels":
            files = {key: value if isinstance(value, tuple) else (value, "r") for key, value in value.items()}
            words += [f"--channel={key}={path}:{channel}" for key, (path, channel) in files.items()]
        elif value is True:
            words.append(option)
        elif value is not False:
            separator = "x" if name == "resize" else ","
            words.append(f"{option}={separator.join(map(str, value)) if isinstance(value, tuple) else value}")
    return words


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A folder with an image of 16×24 texels and alpha, two others of this size, and a mip level."""
    folder = tmp_path_factory.mktemp("inputs")
    image = picture(24, 16, 4)
    header = "P7\nWIDTH 16\nHEIGHT 24\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
    (folder / "a.pam").write_bytes(header.encode() + image.tobytes())
    for name, (height, width) in {"b": (24, 16), "c": (24, 16), "half": (12, 8)}.items():
        texels = np.roll(picture(height, width), len(name), axis=2)
        (folder / f"{name}.ppm").write_bytes(f"P6 {width} {height} 255\n".encode() + texels.tobytes())
    return folder, image


@pytest.mark.skipif(PROGRAM is None, reason="BRICKWORK_PROGRAM is not set")
@pytest.mark.parametrize("options", SAME, ids=lambda options: " ".join(words_of(options)))
def test_bytes_are_those_of_the_program(options, inputs, tmp_path, monkeypatch):
    folder, image = inputs
    monkeypatch.chdir(folder)
    if "real_time" not in options:
        options = {"quality": "ultrafast", **options}
    output = tmp_path / "out.ktx2"
    words = [*words_of(options), "--device=cpu", "--no-metrics", "--quiet"]
    subprocess.run([PROGRAM, "encode", "a.pam", "-o", output, *words], check=True)
    wanted = texture.open(output)
    for name, source in (("file.ktx2", "a.pam"), ("array.ktx2", image)):
        texture.encode(source, **options).save(tmp_path / name)
        # KTX2 states for few formats that alpha is opaque.
        found = texture.open(tmp_path / name)
        assert (found.format, found.srgb, found.alpha_mode) == (wanted.format, wanted.srgb, wanted.alpha_mode)
        assert found.mip_levels == wanted.mip_levels and found.width == wanted.width
        assert all(np.array_equal(a, b) for a, b in zip(found.levels, wanted.levels))


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


def test_notes_are_those_of_the_program(tmp_path):
    rounded = "16-bit channels are rounded to the precision of rgba8"
    assert not any(rounded in note for note in texture.encode(picture(8, 8), "rgba8").notes)
    encoded = texture.encode(picture(8, 8, dtype="u2"), "rgba8")
    assert any(rounded in note for note in encoded.notes)
    assert pickle.loads(pickle.dumps(encoded)).notes == encoded.notes
    # The header of a DDS file with a size that writers sometimes state.
    path = tmp_path / "a.dds"
    encoded.save(path)
    data = bytearray(path.read_bytes())
    data[4:8] = (24).to_bytes(4, "little")
    path.write_bytes(data)
    (note,) = texture.open(path).notes
    assert "a size of 24 bytes" in note


def test_blocks_in_bytes():
    blocks = brickwork.encode_blocks(np.full((8, 8, 4), 200, np.uint8), "rgba8")
    decoded = brickwork.decode_blocks(blocks.tobytes(), "rgba8", 8, 8)
    assert np.array_equal(decoded, brickwork.decode_blocks(blocks, "rgba8", 8, 8))


def test_masked_images_are_refused():
    image = picture()
    masked = np.ma.masked_less(image, 9)
    for call in [
        lambda: texture.encode(masked),
        lambda: texture.encode(image, "rgba8", channels={"g": masked[:, :, 0]}),
        lambda: texture.encode_blocks(masked),
        lambda: texture.psnr(image, masked),
    ]:
        with pytest.raises(ValueError, match="masked"):
            call()
    plain = np.ma.array(image, mask=False)
    assert np.array_equal(texture.encode_blocks(plain), texture.encode_blocks(image))


def test_errors_name_the_argument():
    image = picture()
    found = texture.encode(image, "bc1", "ultrafast")
    for call in [found.decode, found.blocks]:
        for name in ["layer", "face", "mip_level"]:
            for number in [-1, 99, 2**70]:
                with pytest.raises(ValueError, match=name.replace("_", ".")):
                    call(**{name: number})
            with pytest.raises(TypeError, match=name):
                call(**{name: "0"})
    for name, value in [
        ("srgb", "linear"),
        ("channels", image),
        ("threads", "2"),
        ("resize", b"88"),
        ("swizzle", object()),
        ("rdo", 1j),
        ("progress", 3),
    ]:
        with pytest.raises(TypeError, match=name):
            texture.encode(image, **{name: value})
    for threads in [-1, 0, 2**70]:
        with pytest.raises(ValueError, match="threads"):
            texture.encode(image, threads=threads)
    with pytest.raises(TypeError, match="alpha"):
        texture.psnr(image, image, alpha="yes")
    for size in [(0, 8), (8, -1), (8, 2**70)]:
        with pytest.raises(ValueError, match="width|height"):
            texture.decode_blocks(bytes(32), "bc1", *size)


def test_flipped_textures_state_it(tmp_path):
    image = picture()
    plain, flipped = (texture.encode(image, "rgba8", mips=2, flip_y=flip) for flip in [False, True])
    for level in range(2):
        assert np.array_equal(flipped.decode(mip_level=level), plain.decode(mip_level=level)[::-1])
    flipped.save(tmp_path / "a.ktx2")
    assert b"KTXorientation\0ru\0" in (tmp_path / "a.ktx2").read_bytes()
    # Readers that heed it show the image upright.
    upright = texture.encode(tmp_path / "a.ktx2", "rgba8", mips=False)
    assert np.array_equal(upright.decode(), plain.decode())
    with pytest.raises(brickwork.FormatError, match="orientation"):
        flipped.save(tmp_path / "a.dds")
