"""Renderings and slices of volumes: pixels, and the program's pictures."""

import io
import json
import os
import subprocess

import numpy as np
import pytest
from PIL import Image as Pillow

import brickwork
from brickwork import volume
from test_volume import same

PROGRAM = os.environ.get("BRICKWORK_PROGRAM")
POINTS = {
    "points": [
        {"value": 100, "color": "#b36647", "opacity": 0},
        {"value": 900, "color": "white", "opacity": 0.5},
    ]
}

SMALL = volume.compress(np.ones((2, 2, 2), "u1"), labels=True)


@pytest.fixture(scope="module")
def ball():
    """A bright ball in the upper half of a dark box: z points up."""
    z, y, x = np.indices((48, 48, 48))
    distance = np.sqrt((z - 34) ** 2 + (y - 24) ** 2 + (x - 24) ** 2)
    return volume.compress(np.clip(2000 - 200 * distance, 0, 1000).astype("i2"), mip_levels=2)


def test_a_rendering_shows_the_volume(ball, tmp_path):
    picture = ball.render(96, 64)
    image = np.asarray(picture)
    assert image.shape == picture.shape == (64, 96, 4) and image.dtype == np.uint8 and image.flags.writeable
    corners = image[[0, 0, -1, -1], [0, -1, 0, -1]]
    assert (corners == corners[0]).all()
    seen = np.argwhere((image != corners[0]).any(axis=2))
    assert 100 < len(seen) < 64 * 96 // 2
    rows, columns = seen.mean(axis=0)
    # The ball is in the middle across, and above the middle.
    assert abs(columns - 47.5) < 8 and rows < 31
    ball.save(tmp_path / "ball.bwv")
    assert same(volume.open(tmp_path / "ball.bwv").render(96, 64, threads=1), image)
    assert same(volume.render(tmp_path / "ball.bwv", 96, 64), image)
    assert same(volume.render(ball, 96, 64), image)


def test_options_decide_the_picture(ball):
    background = np.asarray(ball.render(32, 24, background="#10203040"))[0, 0]
    assert background.tolist() == [16, 32, 48, 64]
    # Maximum intensity: the ball is white, the box black.
    mip = np.asarray(ball.render(64, 64, mode="mip", window=(0, 1000)))
    assert mip[0, 0].tolist() == [0, 0, 0, 255] and mip[..., 0].max() == 255
    # From above, the ball is in the middle.
    above = np.argwhere(np.asarray(ball.render(64, 64, mode="mip", camera=(0, 90)))[..., 0] > 128)
    assert (abs(above.mean(axis=0) - 31.5) < 2).all()
    # A higher isosurface is smaller.
    black = {"background": "black"}
    sizes = [(np.asarray(ball.render(64, 64, iso=iso, **black))[..., :3] > 0).sum() for iso in (200, 900)]
    assert sizes[0] > sizes[1] > 0
    # The camera of an orbit after half the way is on the other side.
    first, second = ball.orbit(2, 48, 32, mode="iso")
    assert not same(first, second) and len([*ball.orbit(3, 8, 8)]) == 3
    assert ball.render(8, 8).device == "cpu"
    assert same(ball.mip_levels[1].render(24, 24), ball.render(24, 24, level=1))


def test_images_are_arrays_and_files(ball, tmp_path):
    image = ball.slice("z", 34)
    assert image.shape == (48, 48) and np.asarray(image)[24, 24] == 255
    decoded = Pillow.open(io.BytesIO(image.to_png()))
    assert same(np.asarray(decoded), image.pixels) and image._repr_png_() == image.to_png()
    image.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == image.to_png()
    with pytest.raises(FileExistsError, match="overwrite"):
        image.save(tmp_path / "a.png")
    image.save(tmp_path / "a.png", overwrite=True)
    with pytest.raises(ValueError, match=".png"):
        image.save(tmp_path / "a.jpg")
    labels = volume.compress((np.asarray(ball) > 500).astype("u1"), labels=True)
    assert labels.slice().shape == (48, 48, 3)
    assert np.asarray(image, dtype="f4").dtype == np.float32
    # The window is in physical values, unless it is stored.
    scan = volume.compress(np.asarray(ball), volume.Geometry(metadata={"dicom": {"RescaleIntercept": -500}}))
    want = np.asarray(ball)[34].clip(400, 655) - 400
    assert (np.asarray(scan.slice("z", 34, window=(-100, 155))) == want).all()
    assert (np.asarray(scan.slice("z", 34, window=(400, 655), stored=True)) == want).all()
    with pytest.warns(volume.FormatWarning, match='its field "values" states'):
        shown = scan.render(32, 32, transfer=POINTS)
    physical = scan.render(32, 32, transfer=POINTS | {"values": "physical"})
    assert (np.asarray(shown) == np.asarray(physical)).all()


@pytest.mark.skipif(not PROGRAM, reason="the program is not built")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"mode": "mip", "transfer": "fire", "window": (10, 900.5)},
        {"iso": 300.5, "camera": (-40, 10, 1.5), "up": "-z", "background": "white"},
        {"mode": "labels", "orthographic": True},
        {"transfer": POINTS, "step": 0.25, "background": "transparent"},
        {"level": 1, "stored": True, "spacing": (2.0, 1.0, 1.0)},
        {"level": "auto", "labels": False},
    ],
)
def test_renderings_are_those_of_the_program(ball, tmp_path, options):
    path = tmp_path / "ball.bwv"
    ball.save(path)
    words = []
    for name, value in options.items():
        if name == "transfer" and isinstance(value, dict):
            (tmp_path / "points.json").write_text(json.dumps(value))
            value = str(tmp_path / "points.json")
        if name == "spacing":
            value = value[::-1]
        if isinstance(value, bool):
            words += [f"--{name}"] if value else []
        else:
            text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words += [f"--{name}={text}"]
    run = [PROGRAM, "volume", "render", path, "--device", "cpu", "--size", "96x64", "--quiet"]
    subprocess.run([*run, "-o", tmp_path / "a.png", *words], check=True)
    assert (tmp_path / "a.png").read_bytes() == ball.render(96, 64, **options).to_png()
    subprocess.run([*run, "-o", tmp_path / "frames", "--orbit", "2", *words], check=True)
    for index, image in enumerate(volume.orbit(path, 2, 96, 64, **options)):
        assert (tmp_path / "frames" / f"frame-{index:04}.png").read_bytes() == image.to_png()


@pytest.mark.skipif(not PROGRAM, reason="the program is not built")
@pytest.mark.parametrize(
    "axis, index, options",
    [
        ("z", None, {}),
        ("y", 20, {"window": (-5, 700)}),
        ("coronal", None, {"marks": True}),
        ("x", 3, {"pixels": True, "level": 1}),
    ],
)
def test_slices_are_those_of_the_program(ball, tmp_path, axis, index, options):
    path = tmp_path / "ball.nrrd"
    place = volume.Geometry((2.0, 1.0, 0.5), metadata={"nrrd": {"space": "left-posterior-superior"}})
    scan = volume.compress(np.asarray(ball), place, mip_levels=2)
    path = tmp_path / "ball.bwv"
    scan.save(path)
    words = ["--axis", axis, *([] if index is None else ["--index", str(index)])]
    for name, value in options.items():
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        words += [f"--{name}"] if value is True else [f"--{name}={text}"]
    run = [PROGRAM, "volume", "slice", path, "-o", tmp_path / "a.png", "--quiet", *words]
    subprocess.run(run, check=True)
    assert (tmp_path / "a.png").read_bytes() == volume.slice(path, axis, index, **options).to_png()


def test_notebooks_show_volumes_and_textures(ball):
    shown = ball._repr_html_()
    assert "data:image/png;base64," in shown and "(48, 48, 48)" in shown and "int16" in shown
    y, x = np.indices((300, 520))
    for format in ("bc7", "bc6h", "r16"):
        image = np.stack([x, y, x], axis=2) / 600
        image = (image * 255).astype("u1") if format == "bc7" else image.astype("f4")
        image = (image[..., :1] * 65535).astype("u2") if format == "r16" else image
        shown = brickwork.encode(image, format, mips=True)._repr_html_()
        assert "data:image/png;base64," in shown and format in shown and "520×300" in shown


def test_labels_are_drawn_over_images(ball, tmp_path):
    labels = np.zeros((48, 48, 48), "u2")
    labels[:, 10:20, 5:30] = 3
    labels[:, 30:34, 5:30] = 8
    over = volume.compress(labels, labels=True)
    grey = np.asarray(ball.slice("z", 34)).astype(int)
    colors = np.asarray(over.slice("z", 34)).astype(int)
    found = np.asarray(ball.slice("z", 34, overlay=over, overlay_opacity=0.25))
    inside = labels[34] > 0
    want = np.where(inside[..., None], 0.75 * grey[..., None] + 0.25 * colors, grey[..., None])
    assert (abs(found - want) <= 0.5).all() and len(np.unique(colors[inside], axis=0)) == 2
    # The outline of label 3 alone: a frame of one pixel.
    found = ball.slice("z", 34, overlay=over, overlay_opacity=1, overlay_labels="1-5", overlay_outline=1)
    frame = np.zeros((48, 48), bool)
    frame[10:20, 5:30], frame[11:19, 6:29] = True, False
    want = np.where(frame[..., None], colors, grey[..., None])
    assert (np.asarray(found) == want).all()
    # A rendering shows the labels, also inside the ball.
    plain, covered = (np.asarray(ball.render(48, 32, iso=500, **more)) for more in ({}, {"overlay": over}))
    assert not same(plain, covered) and same(covered, ball.render(48, 32, iso=500, overlay=over, threads=1))
    none = ball.render(48, 32, iso=500, camera=(30, 15), overlay=over, overlay_labels="77")
    assert same(none, plain)
    # Half of the labels' colours, and half of the ball's. (The camera shows both.)
    ends = [np.asarray(ball.render(48, 32, iso=500, overlay=over, overlay_opacity=end)) for end in (0, 1)]
    assert (ends[0] != ends[1]).any(axis=2).sum() > 20
    assert (abs(covered - (ends[0].astype(int) + ends[1]) / 2) <= 0.5).all()
    over.save(tmp_path / "labels.nrrd")
    assert same(ball.render(48, 32, iso=500, overlay=tmp_path / "labels.nrrd", labels=False), covered)


class Counted(io.BytesIO):
    """A file that counts the bytes read."""

    count = 0

    def read(self, size=-1):
        found = super().read(size)
        self.count += len(found)
        return found


def test_images_read_only_their_chunks(ball, tmp_path):
    noise = np.random.default_rng(2).integers(0, 999, (256, 64, 64), np.uint16)
    scan = volume.compress(noise, mip_levels=2)
    file = Counted(scan.to_bytes())
    shown = volume.open(file)._repr_html_()
    assert shown == scan._repr_html_() and file.count < len(file.getvalue()) / 2
    # Labels, too.
    over = Counted(volume.compress(noise % 3, labels=True).to_bytes())
    scan.slice(overlay=volume.open(over))
    assert 0 < over.count < len(over.getvalue()) / 2
    # An open file is that of its path, which another one may have by now.
    ball.save(tmp_path / "a.bwv")
    opened = volume.open(tmp_path / "a.bwv")
    scan.save(tmp_path / "b.bwv")
    os.replace(tmp_path / "b.bwv", tmp_path / "a.bwv")
    assert same(opened.slice(), ball.slice()) and same(opened.render(8, 8), ball.render(8, 8))


@pytest.mark.parametrize("draw", [volume.slice, lambda path, **more: volume.render(path, 8, 8, **more)])
def test_errors_of_overlays_have_their_names(ball, tmp_path, draw):
    ball.save(tmp_path / "ball.bwv")
    with pytest.raises(FileNotFoundError) as lost:
        draw(tmp_path / "ball.bwv", overlay=tmp_path / "lost.nrrd")
    assert lost.value.filename == str(tmp_path / "lost.nrrd")
    volume.compress(np.ones((48, 48, 48), "u1"), labels=True).save(tmp_path / "whole.nrrd")
    (tmp_path / "cut.nrrd").write_bytes((tmp_path / "whole.nrrd").read_bytes()[:-1000])
    with pytest.raises((ValueError, OSError), match="cut.nrrd") as cut:
        draw(tmp_path / "ball.bwv", overlay=tmp_path / "cut.nrrd")
    assert "ball.bwv" not in str(cut.value)


@pytest.mark.skipif(not PROGRAM, reason="the program is not built")
def test_overlays_are_those_of_the_program(ball, tmp_path):
    labels = (np.asarray(ball) // 300).astype("u1")
    over = volume.compress(labels, labels=True)
    for name, scan in [("ball", ball), ("labels", over)]:
        scan.save(tmp_path / f"{name}.bwv")
    words = ["--overlay", tmp_path / "labels.bwv", "--overlay-opacity", "0.3", "--overlay-labels", "1,3-9"]
    options = {"overlay": over, "overlay_opacity": 0.3, "overlay_labels": "1,3-9"}
    for verb, more, image in [
        ("slice", ["--overlay-outline", "2", "--axis", "x"], ball.slice("x", overlay_outline=2, **options)),
        ("render", ["--device", "cpu", "--size", "48x32"], ball.render(48, 32, **options)),
    ]:
        run = [PROGRAM, "volume", verb, tmp_path / "ball.bwv", "-o", tmp_path / f"{verb}.png", "--quiet"]
        subprocess.run([*run, *words, *more], check=True)
        assert (tmp_path / f"{verb}.png").read_bytes() == image.to_png()


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"width": 0}, ValueError, "0"),
        ({"mode": "xray"}, ValueError, "dvr, mip, iso, labels"),
        ({"mode": "mip", "iso": 3}, ValueError, "iso is for mode iso"),
        ({"window": (3, 2)}, ValueError, "window"),
        ({"window": 3}, ValueError, "window"),
        ({"camera": (1,)}, ValueError, "camera"),
        ({"transfer": "mir"}, ValueError, "ct-bone"),
        ({"transfer": {}}, ValueError, "points"),
        ({"transfer": "lost/a.json"}, OSError, "lost"),
        ({"background": 3}, TypeError, "background"),
        ({"stored": 1}, TypeError, "stored"),
        ({"level": 7}, ValueError, "level"),
        ({"frame": 1}, ValueError, "frame"),
        ({"device": "tpu"}, ValueError, "device"),
        ({"colour": "red"}, TypeError, "colour"),
        ({"overlay": np.zeros((48, 48, 48))}, TypeError, "overlay"),
        ({"overlay_opacity": 0.5}, ValueError, "needs overlay"),
        ({"overlay": SMALL}, ValueError, "2×2×2 voxels, the volume 48×48×48"),
        ({"overlay": SMALL, "overlay_opacity": 2}, ValueError, "0 to 1"),
        ({"overlay": SMALL, "overlay_labels": "0"}, ValueError, "1,3,7-9"),
        ({"overlay": SMALL, "overlay_outline": 1}, TypeError, "overlay_outline is not an option"),
        ({"overlays": SMALL}, TypeError, "overlays is not an option"),
        ({"overlay_outline": None}, TypeError, "overlay_outline is not an option"),
        ({"device": ""}, ValueError, "device"),
        ({"device": False}, TypeError, "device must be a string"),
        ({"level": ""}, TypeError, "level"),
    ],
)
def test_wrong_options_are_named(ball, options, error, words):
    with pytest.raises(error, match=words):
        ball.render(**{"width": 16, "height": 16, **options})


@pytest.mark.parametrize(
    "options, words",
    [
        ({"overlays": SMALL}, "overlays is not an option"),
        ({"device": "cpu"}, "device is not an option"),
        ({"level": ""}, "level"),
        ({"frame": []}, "frame"),
        ({"channel": False}, "channel"),
    ],
)
def test_wrong_options_of_slices_are_named(ball, options, words):
    with pytest.raises(TypeError, match=words):
        ball.slice(**options)


def test_wrong_slices_are_refused(ball, tmp_path):
    with pytest.raises(ValueError, match="directions"):
        ball.slice("coronal")
    with pytest.raises(ValueError, match="48"):
        ball.slice("z", 48)
    with pytest.raises(ValueError, match="axis"):
        ball.slice("w")
    with pytest.raises(ValueError, match="mip level 1"):
        ball.mip_levels[1].render(level=1)
    with pytest.raises(FileNotFoundError):
        volume.render(tmp_path / "lost.nrrd")


def test_a_callback_stops_a_rendering(ball):
    def stop(stage, done, total):
        raise KeyError(stage)

    large = volume.compress(np.random.default_rng(1).integers(0, 99, (160, 160, 160), np.uint8))
    with pytest.raises(KeyError):
        large.render(2000, 2000, progress=stop)


def test_what_is_missing_is_named(ball, tmp_path):
    with pytest.raises(FileNotFoundError, match="nope.json"):
        ball.render(8, 8, transfer="nope.json")
    ball.save(tmp_path / "a.bwv")
    for source in (ball, tmp_path / "a.bwv"):
        for index in (-1, 48):
            with pytest.raises(ValueError, match=f"^index is {index}; axis z has the slices 0 to 47$"):
                volume.slice(source, "z", index)


def test_channels_are_added_in_their_colours():
    rng = np.random.default_rng(3)
    voxels = rng.integers(0, 1000, (6, 8, 10, 3), np.uint16)
    looks = [
        {"color": "FF0000", "window": [0, 500], "active": True},
        {"color": "0080FF", "window": [100, 900], "active": True},
        {"color": "FFFFFF", "window": [0, 10], "active": False},
    ]
    metadata = {"zarr": {"channel_names": ["a", "b", "c"], "channel_looks": looks}}
    scan = volume.compress(voxels, geometry=volume.Geometry(metadata=metadata))

    def sum_of(values, *channels):
        """Returns the sum of channels, each with its window and colour."""
        floats = [values[c].astype(float) for c, _, _ in channels]
        share = [np.clip((f - low) / (high - low), 0, 1) for f, (_, (low, high), _) in zip(floats, channels)]
        total = sum(s[..., None] * np.array(color) for s, (_, _, color) in zip(share, channels))
        return np.floor(np.minimum(total, 255) + 0.5).astype("u1")

    first, second = (0, (0, 500), (255, 0, 0)), (1, (100, 900), (0, 128, 255))
    flat = [voxels[3, ..., c] for c in range(3)]
    # Without a choice, the active channels of the file.
    assert (np.asarray(scan.slice("z", 3)) == sum_of(flat, first, second)).all()
    third = (2, (200, 800), (255, 255, 0))
    found = scan.slice("z", 3, channel="c:#ffff00:200..800,0")
    assert (np.asarray(found) == sum_of(flat, third, first)).all()
    # One channel is grey, by its index or its name.
    assert np.asarray(scan.slice("z", 3, channel=1)).shape == (8, 10)
    assert same(scan.slice("z", 3, channel=1), scan.slice("z", 3, channel="b"))
    # Over black, a maximum intensity projection is the sum of those of single channels.
    view = {"mode": "mip", "camera": (20, 10), "background": "black", "width": 48, "height": 32}
    alone = [scan.render(**view, channel=c) for c in ("0:#ff0000", "1:#0080ff")]
    alone = [np.asarray(picture)[..., :3].astype(int) for picture in alone]
    both = np.asarray(scan.render(**view))[..., :3]
    assert (abs(np.minimum(sum(alone), 255) - both) <= 1).all() and both.any()
    for wrong, words in [
        ({"channel": "0,0"}, "channel 0 occurs twice"),
        ({"channel": "0,nuclei"}, "no channel is named \"nuclei\"; there are \"a\", \"b\", \"c\""),
        ({"channel": "all", "iso": 3}, "several channels"),
    ]:
        with pytest.raises(ValueError, match=words):
            scan.render(8, 8, **wrong)


def test_absent_labels_are_noted(ball):
    labels = volume.compress(np.full((48, 48, 48), 7, "f4"), labels=True)
    with pytest.warns(volume.FormatWarning, match="label 9 is not in this slice of the overlay"):
        ball.slice(overlay=labels, overlay_labels="7,9")
    with pytest.warns(volume.FormatWarning, match="label 9 is not in the volume of the overlay"):
        ball.render(8, 8, overlay=labels, overlay_labels="7,9")
    with pytest.raises(brickwork.FormatError, match="the label 0.5 at 0, 0, 24 is not an integer"):
        ball.slice(overlay=volume.compress(np.full((48, 48, 48), 0.5, "f4")))


def test_a_spacing_gives_pixels_a_size():
    array = np.arange(64, dtype="u1").reshape(4, 4, 4)
    assert volume.compress(array, spacing=(2.0, 0.5, 0.5)).slice().millimetres == (0.5, 0.5)
    assert volume.compress(array).slice().millimetres is None
