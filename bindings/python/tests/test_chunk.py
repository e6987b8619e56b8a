"""Chunks of Zarr arrays without a Zarr library."""

import pickle
import threading
import time

import numpy as np
import pytest

import brickwork
from brickwork import chunk, volume
from test_volume import TYPES, noise, same, smooth


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("brick", ["4", "8", "16x16x1"])
def test_every_type_keeps_its_bits(dtype, brick):
    array = noise((9, 20, 33), dtype)
    if array.dtype.kind == "f":
        array[0, 0, :2] = [-0.0, 0.0]
    data = chunk.encode(array, brick=brick)
    assert same(chunk.decode(data, array.shape, array.dtype), array)
    out = np.empty_like(array)
    assert chunk.decode(bytearray(data), array.shape, array.dtype, out=out) is out
    assert same(out, array)


@pytest.mark.parametrize("shape", [(), (5,), (4, 6), (1, 4, 6), (1, 1, 3, 4, 5)])
def test_all_axes_except_the_last_three_have_length_1(shape):
    array = noise(shape, "i4")
    assert same(chunk.decode(chunk.encode(array), shape, "i4"), array)
    with pytest.raises(ValueError, match="last three"):
        chunk.encode(np.zeros((2, *([3] * 3))))
    with pytest.raises(ValueError, match="no voxels"):
        chunk.encode(np.zeros((2, 0, 3)))


def test_memory_order_does_not_change_the_bytes():
    array = smooth((20, 30, 40))
    wanted = chunk.encode(array)
    for other in [
        np.asfortranarray(array),
        array.astype(">u2"),
        array[::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1],
        np.repeat(array, 2, axis=1)[:, ::2],
    ]:
        assert chunk.encode(other) == wanted


@pytest.mark.parametrize("dtype", TYPES)
def test_padding_takes_a_few_bytes(dtype):
    fill = 7 if dtype[0] != "f" else np.nan
    inside = noise((20, 16, 30), dtype)
    padded = np.full((64, 64, 64), fill, dtype)
    padded[:20, :16, :30] = inside
    data = chunk.encode(padded, fill_value=fill)
    assert len(data) <= len(chunk.encode(inside)) + 16
    assert len(chunk.encode(padded)) > len(data)
    assert same(chunk.decode(data, padded.shape, dtype), padded)
    assert len(chunk.encode(np.full((64, 64, 64), fill, dtype), fill_value=fill)) <= 16


def test_a_box_is_decoded_from_few_bricks():
    array = smooth((64, 64, 64))
    data = chunk.encode(array, brick="8")
    before = chunk.bricks_decoded()
    assert same(chunk.decode_box(data, array.shape, "u2", (3, 8, 16), (9, 8, 8)), array[3:12, 8:16, 16:24])
    assert chunk.bricks_decoded() - before == 2
    chunk.decode(data, array.shape, "u2")
    assert chunk.bricks_decoded() - before == 2 + 512
    with pytest.raises(IndexError, match="axis 1"):
        chunk.decode_box(data, array.shape, "u2", (3, 60, 16), (1, 8, 8))


def test_a_reader_needs_only_its_ranges():
    array = smooth((128, 128, 128)) + noise((128, 128, 128)) % 16
    data = chunk.encode(array, brick="4")
    assert chunk.Reader.suffix_bytes(data[-100:]) <= 4096
    reader = chunk.Reader(data[-4096:], array.shape, array.dtype)
    assert (reader.nbytes, reader.brick) == (len(data), "4")
    boxes = [(100, 8, 3, 5, 6, 7), (1, 2, 3, 4, 5, 6)]
    ranges = reader.ranges(boxes)
    assert sum(end - first for first, end in ranges) * 10 < len(data)
    out = np.zeros((2, 8, 8, 8), array.dtype)
    with pytest.raises((OSError, ValueError)):
        reader.decode(boxes, [(0, 0, 0, 0), (1, 1, 1, 1)], out)
    for first, end in ranges:
        reader.supply(first, data[first:end])
    assert reader.ranges(boxes) == []
    reader.decode(boxes, [(0, 0, 0, 0), (1, 1, 1, 1)], out)
    assert same(out[0, :5, :6, :7], array[100:105, 8:14, 3:10])
    assert same(out[1, 1:5, 1:6, 1:7], array[1:5, 2:7, 3:9])
    assert not out[0, 5:].any() and not out[1, 0].any()


def test_a_bwv_file_is_a_chunk():
    array = smooth((20, 30, 40))
    data = volume.compress(array, brick="4").to_bytes()
    assert same(chunk.decode(data, array.shape, array.dtype), array)
    assert chunk.Reader.suffix_bytes(data[-10:]) is None
    with pytest.raises(brickwork.FormatError, match="20"):
        chunk.decode(data, (20, 30, 41), array.dtype)


def test_damage_at_every_byte_is_found():
    array = smooth((8, 9, 10))
    data = chunk.encode(array, brick="4")
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= 0x10
        with pytest.raises(brickwork.FormatError):
            chunk.decode(damaged, array.shape, array.dtype)
        with pytest.raises(brickwork.FormatError):
            chunk.decode(data[:at], array.shape, array.dtype)


def test_wrong_arguments_are_refused():
    with pytest.raises(TypeError, match="bool"):
        chunk.encode(np.zeros((4, 4), bool))
    with pytest.raises(TypeError, match="complex64"):
        chunk.decode(b"", (4, 4), np.complex64)
    with pytest.raises(ValueError, match="brick"):
        chunk.encode(np.zeros((4, 4)), brick="5")
    with pytest.raises(ValueError, match="300"):
        chunk.encode(np.zeros((4, 4), "u1"), fill_value=300)
    data = chunk.encode(np.arange(24).reshape(2, 3, 4))
    with pytest.raises(ValueError, match="out"):
        chunk.decode(data, (2, 3, 4), "i8", out=np.empty((2, 3, 4), "i4"))
    with pytest.raises(ValueError):
        chunk.decode_boxes(
            data, (2, 3, 4), [(0, 0, 0, 2, 3, 4)], [(0, 1, 0, 0)], np.empty((1, 2, 3, 4), "i8")
        )
    # Rows that would end in the next row, though not beyond the array.
    with pytest.raises(ValueError, match="place"):
        out = np.empty((1, 4, 4, 4), "i8")
        chunk.decode_boxes(data, (2, 3, 4), [(0, 0, 0, 2, 2, 4)], [(0, 0, 0, 2)], out)
    with pytest.raises(TypeError, match="float64"):
        chunk.decode_boxes(data, (2, 3, 4), [(0.5, 0, 0, 2, 2, 3)], [(0, 0, 0, 0)], out)
    one = (1, 1, 1)
    for origin, box in [((0.5, 1, 2), one), ((0, 1, np.float64(2)), one), ((0, 1, 2), (1, 1.0, 1))]:
        with pytest.raises(TypeError, match="float"):
            chunk.decode_box(data, (2, 3, 4), "i8", origin, box)
    assert chunk.decode_box(data, (2, 3, 4), "i8", np.array([1, 2, 3]), (np.uint8(1), 1, 1)) == 23
    with pytest.raises(ValueError):
        chunk.decode_boxes(
            data, (2, 3, 4), [(0, 0, 0, 9, 3, 4)], [(0, 0, 0, 0)], np.empty((1, 9, 3, 4), "i8")
        )


def test_the_brick_size_is_chosen_by_the_result():
    flat = np.repeat(smooth((1, 64, 64), "u1"), 64, axis=0) * 0 + noise((64, 1, 1), "u1")
    arrays = [smooth((64, 64, 64)), noise((64, 64, 64)), flat]
    for array in arrays:
        best = chunk.choose_brick(array)
        lengths = {
            brick: len(volume.compress(array, brick=brick).to_bytes()) for brick in ("4", "8", "16x16x1")
        }
        assert lengths[best] == min(lengths.values())
    assert chunk.choose_brick() == "8"


@pytest.mark.timing
def test_other_threads_run_meanwhile():
    array = noise((256, 256, 64))
    longest = 0.0
    stop = threading.Event()

    def watch():
        nonlocal longest
        last = time.perf_counter()
        while not stop.is_set():
            now = time.perf_counter()
            longest = max(longest, now - last)
            last = now

    thread = threading.Thread(target=watch)
    thread.start()
    start = time.perf_counter()
    data = chunk.encode(array)
    elapsed = time.perf_counter() - start
    stop.set()
    thread.join()
    assert longest < elapsed / 2
    assert same(chunk.decode(data, array.shape, array.dtype), array)


def test_errors_pickle():
    try:
        chunk.decode(b"abc", (4, 4), "u1")
    except brickwork.FormatError as error:
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
    else:
        raise AssertionError


def test_boxes_and_places_fit_each_other():
    data = chunk.encode(smooth((8, 8, 8)))
    out = np.zeros((2, 2, 2, 2), np.int16)
    box, place = (0, 0, 0, 2, 2, 2), (0, 0, 0, 0)
    for boxes, places, text in [
        ([box, box], [place], "there are 2 boxes, but 1 places"),
        ([box], [place[:3]], r"places has the shape \(1, 3\)"),
        ([box], [(*place, 0)], r"places has the shape \(1, 5\)"),
        (box, place, r"boxes has the shape \(6,\)"),
        ([(-1, 0, 0, 2, 2, 2)], [place], "boxes has the negative number -1"),
    ]:
        with pytest.raises(ValueError, match=text):
            chunk.decode_boxes(data, (8, 8, 8), boxes, places, out)
    chunk.decode_boxes(data, (8, 8, 8), [], [], out)
    with pytest.raises(ValueError, match="it must be \\(windows, z, y, x\\)"):
        chunk.decode_boxes(data, (8, 8, 8), [box], [place], out[0])
    assert not out.any()


def test_errors_name_the_argument():
    data = chunk.encode(np.zeros((4, 4, 4), "u1"))
    for call in [
        lambda: chunk.sides(3),
        lambda: chunk.decode(data, ("4", 4, 4), "u1"),
        lambda: chunk.decode_box(data, (4, 4, 4), "u1", 0, (1, 1, 1)),
        lambda: chunk.decode_box(data, (4, 4, 4), "u1", (0, 0, 0), (1, 1, 1.0)),
    ]:
        with pytest.raises(TypeError, match="(shape|origin|box) must be"):
            call()
    # (Python would make three zeros of it.)
    for call in [lambda: chunk.Reader(3, (4, 4, 4), "u1"), lambda: chunk.Reader.suffix_bytes(3)]:
        with pytest.raises(TypeError, match="bytes-like"):
            call()
    with pytest.raises(ValueError, match="masked"):
        chunk.encode(np.ma.masked_equal(np.zeros((4, 4, 4), "u1"), 0))
