//! Kernels of real time: one for each format and level.

use super::{
    eac::{Kind, real_time as channel},
    etc2::{quick, real_time as colors},
    formats::{self, Format},
    rows::Part,
};
use crate::{
    RealTime,
    chain::{Chain, Single},
    real_time,
    wgsl::WGSL,
};
use brickwork_gpu::Kernel;

/// Blocks in the first band, before the speed is known. They take a fraction of a second on a software
/// adapter.
const FIRST_BAND_BLOCKS: u32 = 1 << 13;

/// Returns the chain of a format and a level. Textures are loaded first: a kernel for each way of storing
/// blocks would be too many.
pub(super) fn chain(format: Format, level: RealTime) -> Chain {
    Chain { single: None, ..real_time::chain(single(format, level), FIRST_BAND_BLOCKS) }
}

/// Returns the encoders of all formats and levels.
pub(crate) fn singles() -> impl Iterator<Item = Single> {
    let of_format = |format| RealTime::OF_MOBILE.iter().map(move |&level| single(format, level));
    formats::ALL.into_iter().flat_map(of_format)
}

fn single(format: Format, level: RealTime) -> Single {
    Single {
        name: format!("{} real time {}", format.name, level.name()).into(),
        block_bytes: 8 * format.parts.len() as u32,
        complete: Box::new(move |kernel| complete(kernel, format, level)),
    }
}

fn complete(kernel: Kernel, format: Format, level: RealTime) -> Kernel {
    let mut kernel = kernel.constant("LEVEL", level as u32 + 1).constant("MOST", f32::MAX);
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
        .table("TABLE_LIMITS", &quick::FIRST_TABLE_LIMITS)
        .table("MODIFIER_WORDS", &colors::modifier_words())
}

fn with_kind(kernel: Kernel, kind: &Kind) -> Kernel {
    kernel.constants(channel::numbers(kind)).table("TABLE_WORDS", &channel::table_words())
}
