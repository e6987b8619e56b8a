"""Renderings of volumes."""

import numpy as np
import pytest

from brickwork import volume
from test_volume import same


@pytest.fixture(scope="module")
def ball():
    """A bright ball in the upper half of a dark box: z points up."""
    z, y, x = np.indices((48, 48, 48))
    distance = np.sqrt((z - 34) ** 2 + (y - 24) ** 2 + (x - 24) ** 2)
    return volume.compress(np.clip(2000 - 200 * distance, 0, 1000).astype("i2"))


def test_a_rendering_shows_the_volume(ball, tmp_path):
    image = ball.render(96, 64)
    assert image.shape == (64, 96, 4) and image.dtype == np.uint8 and image.flags.writeable
    corners = image[[0, 0, -1, -1], [0, -1, 0, -1]]
    assert (corners == corners[0]).all()
    seen = np.argwhere((image != corners[0]).any(axis=2))
    assert 100 < len(seen) < 64 * 96 // 2
    rows, columns = seen.mean(axis=0)
    # The ball is in the middle across, and above the middle.
    assert abs(columns - 47.5) < 8 and rows < 31
    ball.save(tmp_path / "ball.bwv")
    assert same(volume.open(tmp_path / "ball.bwv").render(96, 64, threads=1), image)


def test_wrong_renderings_are_refused(ball):
    with pytest.raises(ValueError):
        ball.render(0, 64)
    smaller = volume.compress(ball[...], mip_levels=2).mip_levels[1]
    with pytest.raises(ValueError, match="mip level 1"):
        smaller.render()


def test_a_callback_stops_a_rendering(ball):
    def stop(stage, done, total):
        raise KeyError(stage)

    large = volume.compress(np.random.default_rng(1).integers(0, 99, (160, 160, 160), np.uint8))
    with pytest.raises(KeyError):
        large.render(2000, 2000, progress=stop)
