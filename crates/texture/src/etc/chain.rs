//! Kernels of real time: one for each format and level.

use super::{
    eac::{Kind, real_time as channel},
    etc2::real_time as colors,
    formats::{self, Format},
    rows::Part,
};
use crate::{
    RealTime,
    chain::{Bind, Chain, Dispatch, Step, Work},
    wgsl::WGSL,
};
use brickwork_gpu::{Binding, Kernel};

/// Blocks in the first band, before the speed is known. They take a fraction of a second on a software
/// adapter.
const FIRST_BAND_BLOCKS: u32 = 1 << 13;

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

/// Returns the chain of a format and a level.
pub(super) fn chain(format: Format, level: RealTime) -> Chain {
    let work =
        |dispatch: &Dispatch| Work { parts: 1, params: bytemuck::bytes_of(&Params::new(dispatch)).to_vec() };
    let step = Step {
        kernel: kernel(format, level),
        binds: vec![Bind::Params, Bind::Texels, Bind::Blocks],
        parts_per_workgroup: 64,
        blocks_per_dispatch: u32::MAX,
        work: Box::new(work),
    };
    Chain {
        between: Vec::new(),
        tables: Vec::new(),
        steps: vec![step],
        single: None,
        first_band_blocks: FIRST_BAND_BLOCKS,
        most_blocks: u32::MAX,
    }
}

/// Returns every kernel, uncompiled.
pub(crate) fn kernels() -> Vec<Kernel> {
    let of_format = |format| RealTime::ALL.iter().map(move |&level| kernel(format, level));
    formats::ALL.into_iter().flat_map(of_format).collect()
}

fn kernel(format: Format, level: RealTime) -> Kernel {
    let name = format!("{} real time {}", format.name, level.name());
    let mut kernel = Kernel::new(name, &[Binding::Uniform, Binding::Read, Binding::Write])
        .constant("WORDS", 2 * format.parts.len() as u32)
        .constant("LEVEL", level as u32 + 1)
        .constant("MOST", f32::MAX)
        .file(&WGSL, "etc/real_time_main.wgsl");
    for part in format.parts {
        kernel = match part {
            Part::Channel(kind, 0 | 3) => with_kind(kernel, kind),
            // The other channel has the same kind.
            Part::Channel(..) => kernel,
            Part::Colors => with_colors(kernel, level, false),
            Part::PunchedColors => with_colors(kernel, level, true),
        };
    }
    kernel.file(
        &WGSL,
        match format.parts {
            [Part::Colors | Part::PunchedColors] => "etc/rgb.wgsl",
            [Part::Channel(..)] => "etc/r.wgsl",
            [Part::Channel(..), Part::Channel(..)] => "etc/rg.wgsl",
            _ => "etc/rgba.wgsl",
        },
    )
}

fn with_colors(kernel: Kernel, level: RealTime, has_alpha: bool) -> Kernel {
    kernel
        .constants(colors::integers(level, has_alpha))
        .constants(colors::FLOATS)
        .table("TABLE_LIMITS", &colors::FIRST_TABLE_LIMITS)
        .table("MODIFIER_WORDS", &colors::modifier_words())
}

fn with_kind(kernel: Kernel, kind: &Kind) -> Kernel {
    kernel.constants(channel::numbers(kind)).table("TABLE_WORDS", &channel::table_words())
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
