//! Composes the WGSL of the decoders: one for each size of bricks, and one for the profile guthe2016.

use super::Lanes;
use crate::{
    BrickSize, Dims,
    brick::{MAX_LABEL, MAX_ONES, WIDE, predict, tables},
    guthe2016::{MOST_OF_WIDTH, MOST_WIDTH, Transform},
    resident::Coding,
    wgsl::WGSL,
};
use brickwork_gpu::Kernel;

/// Returns the kernel with the function `decode_brick(lane: u32, start: u32, range: u32, inside: vec3u) ->
/// vec2u`, for bricks of 4³ voxels and workgroups of 32 lanes (`LANES`).
///
/// All lanes call the function together, with their index, the first byte of a brick, its range, and the
/// number of its voxels along each axis in the volume. It returns two of the brick's 64 values minus their
/// minimum: voxels `lane` and `lane + 32`, x fastest. It may be called again immediately.
///
/// The kernel must have two functions. `weights_at(i: u32) -> vec2u` reads eight bytes of
/// [`weights`](super::weights). `payload(i: u32) -> u32` reads word `i` of the bytes of bricks; one more word
/// must follow these.
pub fn with_decode_brick(kernel: Kernel, lanes: Lanes) -> Kernel {
    with_parts(kernel, BrickSize::Four, lanes, BRICK_WORDS)
        .file(&WGSL, "gpu/lanes/brick.wgsl")
        .constant("STAGED", BRICK_WORDS)
}

/// Returns the kernel with the function `decode_rows(start: u32, range: u32, inside: vec3u)`. It decodes a
/// brick of 4³ voxels with one of the `THREADS` threads of a workgroup. The kernel needs `weights_at` and
/// `payload` as for [`with_decode_brick`], and `put_row(row: u32, values: vec4u)`. That function is called
/// with each row's four values minus the brick's minimum: row `4z + y`.
pub(super) fn with_decode_rows(kernel: Kernel) -> Kernel {
    with_format(kernel, BrickSize::Four)
        .file(&WGSL, "gpu/thread/one_thread.wgsl")
        .constants([("THREADS", THREADS), ("PLACES", tables::places(BrickSize::Four) as u32)])
}

/// Returns the kernel with the function `decode_whole(start: u32, range: u32)`, which decodes a brick of 4³
/// voxels as `decode_rows` does, if it is whole, in Morton order, without a dictionary and with a range below
/// 65,536. The kernel needs `payload`, `row_weights(i: u32) -> vec4u` (entries `2i` and `2i + 1` of
/// [`weights`](super::weights)) and `put_rows(i: u32, first: vec4u, second: vec4u)`. That function is called
/// with rows `2i` and `2i + 1`. Before the first brick, all threads of the workgroup call
/// `stage_weights(thread)`, and then a barrier.
pub(super) fn with_decode_whole(kernel: Kernel) -> Kernel {
    with_format(kernel, BrickSize::Four).file(&WGSL, "gpu/thread/whole.wgsl").constant("THREADS", THREADS)
}

/// Bricks that a workgroup decodes where each is decoded by a thread.
pub(super) const THREADS: u32 = 128;

/// Returns the kernel with `decode_all` and `own_values`, for bricks of any coding. `decode_all` has the
/// parameters of `decode_brick`, and leaves the values in workgroup memory. `own_values(voxel)` returns those
/// of two voxels, x fastest: for each 64, the lane has `lane` and `lane + 32`, and passes the first. The
/// kernel may use `values` after a barrier.
pub(crate) fn with_decode_all(kernel: Kernel, coding: Coding) -> Kernel {
    let kernel = match coding {
        Coding::Bricks(BrickSize::Four) => {
            with_decode_brick(kernel, Lanes::Workgroup).file(&WGSL, "gpu/runs/one_run.wgsl")
        }
        Coding::Bricks(BrickSize::Eight) => with_decode_runs(kernel, BrickSize::Eight),
        Coding::Bricks(BrickSize::Flat) => with_decode_runs(kernel, BrickSize::Flat),
        Coding::Guthe2016 => with_decode_guthe2016(kernel).file(&WGSL, "gpu/runs/one_run.wgsl"),
    };
    let Dims { x, y, z } = coding.brick_size().dims();
    kernel
        .part(&format!("const BRICK = vec3u({x}, {y}, {z});"))
        .constant("RUNS", coding.brick_size().voxel_count() as u32 / 64)
}

/// Adds the WGSL that 32 lanes need for all bricks of the default profile.
fn with_parts(kernel: Kernel, size: BrickSize, lanes: Lanes, most_staged: u32) -> Kernel {
    with_lanes(with_format(kernel, size), lanes)
        .file(&WGSL, lanes.same())
        .constant("MOST_STAGED", most_staged)
        .table("BACKS", &predict::backs(size.dims()).map(|back| back as u32))
}

/// Adds the format of bricks of the default profile.
fn with_format(kernel: Kernel, size: BrickSize) -> Kernel {
    with_bits(kernel, size).constants([
        ("WIDE", WIDE),
        ("MAX_ONES", MAX_ONES),
        ("SORTED", predict::SORTED as u32),
        ("WIDE_WEIGHTS", tables::wide_weights(size) as u32),
        ("ORDERS", tables::orders(size) as u32),
    ])
}

/// Adds the WGSL that all bricks need.
fn with_bits(kernel: Kernel, size: BrickSize) -> Kernel {
    kernel.constant("VOXELS", size.voxel_count() as u32)
}

/// Adds the WGSL for all bricks that 32 lanes decode.
fn with_lanes(kernel: Kernel, lanes: Lanes) -> Kernel {
    kernel.file(&WGSL, lanes.ballot()).constant("LANES", 32u32)
}

/// Adds the decoder for bricks of 8³ or 16×16×1.
fn with_decode_runs(kernel: Kernel, size: BrickSize) -> Kernel {
    let kernel = with_parts(kernel, size, Lanes::Workgroup, RUN_WORDS)
        .file(&WGSL, "gpu/runs/runs.wgsl")
        .constants([("STAGED", 32 + RUN_WORDS), ("CLASSES", tables::classes(size) as u32)]);
    match size {
        BrickSize::Flat => kernel.file(&WGSL, "gpu/runs/flat.wgsl"),
        _ => kernel
            .files(&WGSL, &["gpu/runs/eight.wgsl", "gpu/runs/labels.wgsl"])
            .constant("MAX_LABEL", MAX_LABEL),
    }
}

/// Adds the decoder for bricks of the profile guthe2016.
fn with_decode_guthe2016(kernel: Kernel) -> Kernel {
    with_lanes(with_bits(kernel, BrickSize::Four), Lanes::Workgroup)
        .file(&WGSL, "guthe2016/brick.wgsl")
        .constants([("MOST_STAGED", RBUC_WORDS), ("STAGED", RBUC_WORDS)])
        .constants([
            ("SUBTRACT_MIN", Transform::SubtractMin as u32),
            ("SUBTRACT_MAX", Transform::SubtractMax as u32),
            ("GRADIENT", Transform::Gradient as u32),
            ("HAAR", Transform::Haar as u32),
            ("MOST_OF_WIDTH", MOST_OF_WIDTH),
            ("MOST_WIDTH", MOST_WIDTH),
        ])
}

/// Maximum number of words of a brick of 4³, from the word in which it starts, plus two: a header of 553 bits
/// after 24 others, 65 bits in bit planes and 31 in remainders for each code, and the rest of a byte.
const BRICK_WORDS: u32 = (24 + 553 + 64 * (65 + 31) + 7) / 32 + 3;

/// Maximum number of words of the bit planes of a run, from the word in which they start, plus two. (The
/// header, of up to 745 bits after 24 others, is in the 32 words before.)
const RUN_WORDS: u32 = 64 * 65 / 32 + 3;

/// Maximum number of words of a brick of the profile guthe2016 after its minimum and maximum, from the word
/// in which it starts, plus two: a byte and eight widths after 24 other bits, and the codes.
const RBUC_WORDS: u32 = (24 + 8 + 8 * MOST_OF_WIDTH + 64 * MOST_WIDTH) / 32 + 3;
