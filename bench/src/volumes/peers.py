"""The codecs of volumes that are measured from Python: Blosc2, JPEG-LS and JPEG XL, each on one thread.

Standard input: a line of JSON (dtype, shape as z, y, x, and the least seconds that a codec is timed), the
voxels, then a line of JSON per question. Standard output: a line of JSON with the versions, then one per
question.

Times are CPU seconds of the whole process, around the codec's calls alone, into memory that was allocated
before.
"""

import json
import sys
import time

MISSING = {}
try:
    import numpy
except ImportError as error:
    numpy, MISSING["numpy"] = None, str(error)
try:
    import blosc2
    from blosc2 import blosc2_ext
except ImportError as error:
    blosc2, MISSING["blosc2"] = None, str(error)
try:
    import imagecodecs
except ImportError as error:
    imagecodecs, MISSING["imagecodecs"] = None, str(error)

# JPEG XL's effort 7 takes a minute for ten million voxels or so: of larger volumes it gets 1 slice in n.
SLOW_VOXELS = 12_000_000


def versions():
    found = {"Python": sys.version.split()[0]}
    if blosc2:
        found["blosc2"] = f"{blosc2.__version__} (C-Blosc2 {blosc2.blosclib_version.split()[0]})"
    if imagecodecs:
        parts = [part for part in imagecodecs.version().split(", ") if part.startswith(("charls", "libjxl"))]
        found["imagecodecs"] = f"{imagecodecs.__version__} ({', '.join(parts)})"
    return found


def timed(seconds, work):
    """CPU seconds of one call of `work`, and what it returns. It is called until `seconds` have gone by."""
    count, start = 0, time.process_time()
    while True:
        result = work()
        count += 1
        spent = time.process_time() - start
        if spent >= seconds:
            return spent / count, result


def array_of_chunks(voxels, chunk, block, filter):
    # (What blosc2.asarray calls for small arrays. Large ones it cuts in Python, which with chunks of 16 cubed
    # takes twice as long.)
    options = {"codec": blosc2.Codec.ZSTD, "clevel": 5, "filters": [filter], "nthreads": 1}
    cut = [(side,) * 3 for side in (chunk, block)]
    return blosc2_ext.asarray(voxels, *cut, cparams=options, dparams={"nthreads": 1})


def best_filter(voxels, chunk, block):
    """The filter with which the array is smallest."""
    filters = [blosc2.Filter.SHUFFLE, blosc2.Filter.BITSHUFFLE, blosc2.Filter.NOFILTER]
    return min(filters, key=lambda filter: array_of_chunks(voxels, chunk, block, filter).schunk.cbytes)


def measure_blosc2(voxels, seconds, chunk, block, kept):
    key = ("filter", chunk, block)
    if key not in kept:
        kept[key] = best_filter(voxels, chunk, block)
    encode, array = timed(seconds, lambda: array_of_chunks(voxels, chunk, block, kept[key]))
    back = numpy.full_like(voxels, 1)
    everything = ((0, 0, 0), voxels.shape)
    decode, _ = timed(seconds, lambda: array.get_slice_numpy(back, everything))
    same = back.tobytes() == voxels.tobytes()
    byte_count = len(array.to_cframe())
    return {"bytes": byte_count, "voxels": voxels.size, "encode": encode, "decode": decode, "same": same}


def measure_slices(voxels, seconds, codec, effort):
    step = 1
    if codec == "jpegls":
        encode_slice, decode_slice = imagecodecs.jpegls_encode, imagecodecs.jpegls_decode
    else:
        step = -(-voxels.size // SLOW_VOXELS) if effort > 4 else 1

        def encode_slice(image):
            return imagecodecs.jpegxl_encode(image, effort=effort, lossless=True, numthreads=1)

        def decode_slice(stream, out):
            imagecodecs.jpegxl_decode(stream, numthreads=1, out=out)

    voxels = voxels[::step]
    encode, streams = timed(seconds, lambda: [encode_slice(image) for image in voxels])
    back = numpy.full_like(voxels, 1)

    def decode_all():
        for stream, out in zip(streams, back, strict=True):
            decode_slice(stream, out=out)

    decode, _ = timed(seconds, decode_all)
    same = back.tobytes() == voxels.tobytes()
    byte_count = sum(map(len, streams))
    answer = {"bytes": byte_count, "voxels": voxels.size, "encode": encode, "decode": decode, "same": same}
    return answer | ({"note": f"1 slice in {step}"} if step > 1 else {})


class Chunks:
    """Single chunks of 16 cubed voxels."""

    def __init__(self, voxels):
        self.voxels = voxels
        self.array = array_of_chunks(voxels, 16, 16, best_filter(voxels, 16, 16))
        self.buffer = numpy.full((16, 16, 16), 1, voxels.dtype)

    def measure(self, numbers):
        """CPU seconds to decode the chunks of these numbers, the array cut x fastest."""
        same = all(self.is_right(number) for number in numbers[:500])
        decompress, buffer = self.array.schunk.decompress_chunk, self.buffer
        start = time.process_time()
        for number in numbers:
            decompress(number, dst=buffer)
        return {"seconds": time.process_time() - start, "same": same}

    def is_right(self, number):
        counts = [-(-side // 16) for side in self.voxels.shape]
        corner = [16 * int(i) for i in numpy.unravel_index(number, counts)]
        part = self.voxels[tuple(slice(i, i + 16) for i in corner)]
        self.array.schunk.decompress_chunk(number, dst=self.buffer)
        return numpy.array_equal(self.buffer[tuple(slice(side) for side in part.shape)], part)


def answer(question, voxels, seconds, kept):
    needed = "blosc2" if question["codec"].startswith("blosc2") else "imagecodecs"
    for module in ("numpy", needed):
        if module in MISSING:
            return {"missing": MISSING[module]}
    match question["codec"]:
        case "blosc2":
            return measure_blosc2(voxels, seconds, question["chunk"], question["block"], kept)
        case "blosc2 chunks":
            if "chunks" not in kept:
                kept["chunks"] = Chunks(voxels)
            return kept["chunks"].measure(question["numbers"])
        case "jpegls" if voxels.dtype.kind == "f":
            return {"missing": "it has no floats"}
        case codec:
            return measure_slices(voxels, seconds, codec, question.get("effort"))


def main():
    head = json.loads(sys.stdin.buffer.readline())
    voxels = None
    data = sys.stdin.buffer.read(head["bytes"])
    if numpy:
        # (A copy, for codecs that require writable memory.)
        voxels = numpy.frombuffer(data, head["dtype"]).reshape(head["shape"]).copy()
    del data
    if blosc2:
        blosc2.set_nthreads(1)
    print(json.dumps({"versions": versions()}), flush=True)
    kept = {}
    for line in sys.stdin.buffer:
        try:
            found = answer(json.loads(line), voxels, head["seconds"], kept)
        except Exception as error:  # Whatever a codec says goes into the notes below the tables.
            found = {"missing": f"{type(error).__name__}: {error}"}
        print(json.dumps(found), flush=True)


main()
