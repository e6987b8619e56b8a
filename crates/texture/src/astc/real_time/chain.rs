//! Kernels of real time, one for each level and colour space.

use super::{
    coding,
    pack::mode,
    patterns,
    weights::{Form, WEIGHTS_6, WEIGHTS_12, WEIGHTS_24},
};
use crate::{
    ColorSpace, RealTime,
    chain::{Bind, Chain, Dispatch, Single, Step, Work},
    wgsl::WGSL,
};
use brickwork_gpu::{Binding, Kernel};

/// Blocks in the first band, before the speed is known. They take a fraction of a second on a software
/// adapter.
const FIRST_BAND_BLOCKS: u32 = 1 << 12;

/// Twin of `struct Params` in params.wgsl.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Params {
    size: [u32; 2],
    columns: u32,
    first_block: u32,
    end_block: u32,
    first: u32,
    pitch: u32,
    zero: u32,
}

impl Params {
    fn new(dispatch: &Dispatch) -> Self {
        Self {
            size: dispatch.size,
            columns: dispatch.columns,
            first_block: dispatch.first_block,
            end_block: dispatch.end_block,
            first: dispatch.target,
            pitch: dispatch.pitch,
            zero: 0,
        }
    }
}

/// Returns the chain of a level for textures in a colour space.
pub(in crate::astc) fn chain(level: RealTime, color_space: ColorSpace) -> Chain {
    let work =
        |dispatch: &Dispatch| Work { parts: 1, params: bytemuck::bytes_of(&Params::new(dispatch)).to_vec() };
    let step = Step {
        kernel: kernel(level, color_space),
        binds: vec![Bind::Params, Bind::Texels, Bind::Blocks],
        parts_per_workgroup: 64,
        blocks_per_dispatch: u32::MAX,
        work: Box::new(work),
    };
    Chain {
        between: Vec::new(),
        tables: Vec::new(),
        steps: vec![step],
        single: Some(single(level, color_space)),
        first_band_blocks: FIRST_BAND_BLOCKS,
        most_blocks: u32::MAX,
    }
}

const fn name(level: RealTime, color_space: ColorSpace) -> &'static str {
    match (level, color_space) {
        (RealTime::Level1, ColorSpace::Linear) => "astc real time 1",
        (RealTime::Level2, ColorSpace::Linear) => "astc real time 2",
        (RealTime::Level1, ColorSpace::Srgb) => "astc real time 1, sRGB",
        (RealTime::Level2, ColorSpace::Srgb) => "astc real time 2, sRGB",
    }
}

fn kernel(level: RealTime, color_space: ColorSpace) -> Kernel {
    let bindings = [Binding::Uniform, Binding::Read, Binding::Write];
    let kernel = Kernel::new(name(level, color_space), &bindings).file(&WGSL, "astc/real_time/main.wgsl");
    with_constants(kernel, level, color_space)
}

/// Returns the encoder as one kernel.
fn single(level: RealTime, color_space: ColorSpace) -> Single {
    let complete = move |kernel: Kernel| {
        with_constants(kernel.file(&WGSL, "astc/real_time/real_time.wgsl"), level, color_space)
    };
    Single { name: name(level, color_space), complete: Box::new(complete) }
}

/// Adds the constants of the files.
fn with_constants(kernel: Kernel, level: RealTime, color_space: ColorSpace) -> Kernel {
    kernel
        .constant("LEVEL", level as u32 + 1)
        .constants(Form::of(color_space).constants())
        .constants(coding::CONSTANTS)
        .table("WEIGHTS_24", &WEIGHTS_24.numbers())
        .table("WEIGHTS_12", &WEIGHTS_12.numbers())
        .table("WEIGHTS_6", &WEIGHTS_6.numbers())
        .constants([("MODE_24", mode(3) as u32), ("MODE_12", mode(2) as u32), ("MODE_6", mode(1) as u32)])
        .constant("SHARE", patterns::SHARE)
        .constant("MOST", f32::MAX)
        .constant("PATTERN_COUNT", patterns::COUNT as u32)
        .table("PATTERNS", &patterns::PATTERNS)
}

/// Returns all levels and colour spaces.
fn all() -> impl Iterator<Item = (RealTime, ColorSpace)> {
    let spaces = [ColorSpace::Linear, ColorSpace::Srgb];
    RealTime::ALL.iter().flat_map(move |&level| spaces.map(|space| (level, space)))
}

/// Returns every kernel, uncompiled.
pub(crate) fn kernels() -> Vec<Kernel> {
    all().map(|(level, space)| kernel(level, space)).collect()
}

/// Returns every kernel that turns a texture into blocks on its own.
pub(crate) fn singles() -> impl Iterator<Item = Single> {
    all().map(|(level, space)| single(level, space))
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_gpu::testing::{layout, offsets};

    #[test]
    fn structs_lie_in_memory_as_the_kernels_say() {
        let (members, size) = layout(&kernels()[0], "Params");
        let expected = offsets!(
            Params: "size" size, "columns" columns, "first_block" first_block, "end_block" end_block,
            "first" first, "pitch" pitch, "zero" zero);
        assert_eq!((members, size), (expected, size_of::<Params>()));
    }
}
