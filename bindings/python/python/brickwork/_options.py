# Written by `UPDATE=1 cargo test -p brickwork-toolkit --lib lists`. Do not edit.
# fmt: off
# ruff: noqa: E501
"""Options of textures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

__all__ = ["EncodeOptions"]


class EncodeOptions(TypedDict, total=False):
    """Keyword arguments of `encode`."""

    # Formats among which -f auto chooses: bc for desktop computers, astc for phones, or etc2 for
    # phones without astc [default: bc].
    family: Literal["bc", "astc", "etc2"] | None

    # Use of the images: auto, color, normal, data or mask (linear, and alpha is a channel like the
    # others), one-channel, or hdr (linear colours, in bc6h).
    kind: Literal["auto", "color", "normal", "data", "mask", "one-channel", "hdr"] | None

    # Channels of the image that become red, green, blue and alpha: four of r, g, b, a, 0 and 1,
    # such as bgra, or four terms with commas, such as r,g,b,1-a or r*0.5+0.5,g,b,1 [default:
    # rgba].
    swizzle: str | None

    # Invert green of normal maps, between the conventions of OpenGL (y up) and Direct3D.
    normal_flip_y: bool

    # Invert red of normal maps: x to the left instead of to the right.
    normal_flip_x: bool

    # Scale the vectors of normal maps to length 1, in the image and in mip levels: yes, no, or
    # auto [default: auto].
    normalize: Literal["yes", "no", "auto"] | None

    # Make normal maps of heights, which are red or grey; a height of 1 (white) is SCALE texels
    # high.
    from_height: float | None

    # Channel of the roughness for `roughness_from`: r, g, b or a; grey images have one roughness
    # [default: r].
    roughness_channel: Literal["r", "g", "b", "a"] | None

    # Alpha is a channel like the others, beside colours: it does not weight colours of mip levels,
    # and pictures whose colours are multiplied by alpha are not divided by it.
    alpha_is_data: bool

    # The images are normal maps, in any format: linear, with mip levels of vectors of length 1.
    normals: bool

    # BC1 to BC3: algorithm that searches for endpoints of colours; auto is cluster-fit.
    method: Literal["auto", "cluster-fit"] | None

    # Decoder whose rounding the blocks are optimised for and errors are measured with. real and
    # exact differ only for BC4 and BC5: real does not round to 8 bits. nvidia has its own weights
    # for BC4, BC5 and the alpha of BC3; blocks in real time are not optimised for them.
    decoder: Literal["real", "exact", "trunc", "nvidia", "amd", "intel"] | None

    # BC1 to BC3, BC7, ETC2, ASTC: weights of errors in red, green and blue: uniform, luma (BT.709:
    # 54,183,19), or whole numbers R,G,B.
    weights: Literal["uniform", "luma"] | Sequence[int] | str | None

    # BC6H: error that is minimised: that of bit patterns, or of log2(1 + |x|) [default: pattern
    # for bc6h, log for bc6hs].
    metric: Literal["pattern", "log"] | None

    # BC6H and plain floats: clamp brighter colours to X, above 0 and at most 65504, before the
    # image is resized and mip levels are made.
    max_value: float | None

    # BC7: modes that blocks may have, as a list such as 1,6 [default: all, 0 to 7].
    modes: Sequence[int] | str | None

    # Blocks: encode in real time, at level 1, 2 or 3; BC7 with modes 1 and 6.
    real_time: Literal[1, 2, 3] | None

    # BC1, BC3, BC4, BC5, BC7: make blocks more compressible; LAMBDA is the squared error that one
    # bit is worth, 0 to 100.
    rdo: float | None

    # Fail images whose PSNR is below DB; before, -f auto tries bc7 in place of bc1, and blocks get
    # the qualities high and best.
    min_psnr: float | None

    # BC1, BC3, BC4, BC5, BC7: search for the largest λ of `rdo` with a PSNR of at least DB.
    target_psnr: float | None

    # BC1, BC3, BC4, BC5, BC7: search for a small λ of `rdo` with at most SIZE, such as 300K, or P%
    # of the size without `rdo`.
    target_size: int | str | None

    # BC1: never use the three-colour mode, which some old decoders decode wrongly.
    no_three_color: bool

    # BC1: let dark texels use transparent black; such texels decode with alpha 0.
    transparent_black: bool

    # Dither colours to the 5, 6 and 5 bits of endpoints (BC1 to BC3), else 16-bit images to 8
    # bits, against bands in gradients.
    dither: bool

    # BC1: texels with alpha below N become transparent, the others opaque [default: 128].
    alpha_threshold: int | None

    # BC1: ignore alpha; every texel becomes opaque (`alpha_threshold` 0).
    opaque: bool

    # BC2, BC3, BC7: weight errors of colours by alpha, in favour of the more visible texels.
    weigh_by_alpha: bool

    # Give transparent texels (alpha 0) the colours of the nearest others: yes, no, or auto, with
    # which -f auto does so for cut-outs [default: auto].
    dilate: Literal["yes", "no", "auto"] | None

    # Multiply colours by alpha: bc2, bc3, bc7, etc2-a8, astc and plain formats with alpha.
    premultiply: bool

    # Colours of the images are multiplied by alpha already, and stay so; the texture states it.
    premultiplied: bool

    # Transfer function of the image's numbers, in place of the one that the file states: srgb,
    # linear, or gamma:G, where light is the number raised to the power G, from 0.1 to 10.
    assign_oetf: str | None

    # Convert the image's numbers to this transfer function: srgb or linear.
    convert_oetf: Literal["srgb", "linear"] | None

    # Resize the image, in texels or percent, such as 512x256 or 50%.
    resize: tuple[int, int] | str | None

    # Shrink larger images until no side has more than N texels.
    max_size: int | None

    # Round each side to a power of two: nearest (in ratio), up or down.
    power_of_two: Literal["nearest", "up", "down"] | None

    # Round each side up to a multiple of 4, or down if it would exceed `max_size`, but to 4 at
    # least; Direct3D requires multiples of 4 of block-compressed textures.
    multiple_of_4: bool

    # Mirror the image: x (left and right), y (top and bottom) or xy; vectors of normal maps stay
    # as they are.
    flip: Literal["x", "y", "xy"] | None

    # KTX2: store rows from the bottom to the top, as OpenGL and three.js expect them; the file
    # states it.
    flip_y: bool

    # Filter of mip levels and of new sizes: box and triangle are soft, the others up to lanczos3
    # are sharper [default: kaiser; box for new sizes of floats (HDR), and for mip levels with
    # ultrafast, fast, `real_time`, formats of floats, cubes and 3D textures]; min and max take the
    # least or the greatest number of the covered texels, such as for heights.
    mip_filter: (
        Literal["box", "triangle", "kaiser", "mitchell", "catmull-rom", "lanczos3", "min", "max"]
        | None
    )

    # Texels past the edges, for the filter: clamp, repeat (for tiles) or mirror; or X,Y for each
    # axis.
    mip_wrap: Literal["clamp", "repeat", "mirror"] | tuple[str, str] | None

    # Scale the alpha of mip levels so that an alpha test at X leaves the same share of texels; X
    # is above 0 and at most 1 [default X: 0.5].
    keep_coverage: float | None

    # Layer, part or channel of EXR files, by its name or the end of it: diffuse reads
    # RenderLayer.diffuse [default: the layer most like a picture].
    exr_layer: str | None
