//! Kernels of real time: one for each format and level.

use super::{
    BC1, BC2, BC3, BC4_SNORM, BC4_UNORM, BC5_SNORM, BC5_UNORM, Format, Part,
    channel::{self, ChannelKind},
    colors,
};
use crate::{
    RealTime,
    chain::{Chain, Single},
    options::Bc1Options,
    real_time,
    wgsl::WGSL,
};
use brickwork_gpu::Kernel;

/// Blocks in the first band, before the speed is known. They take a fraction of a second on a software
/// adapter.
const FIRST_BAND_BLOCKS: u32 = 1 << 14;

/// All formats.
const ALL: [Format; 7] = [BC1, BC2, BC3, BC4_UNORM, BC4_SNORM, BC5_UNORM, BC5_SNORM];

/// Formats whose kernels also read textures and write blocks directly into them. Kernels for each way of
/// storing the others' blocks would be too many.
const DIRECT: [Format; 3] = [BC1, BC3, BC5_UNORM];

/// Returns the chain of a format and a level. Texels of BC1 with a lower alpha than the threshold are
/// transparent.
pub(crate) fn chain(format: Format, level: RealTime, alpha_threshold: u8) -> Chain {
    let chain = real_time::chain(single(format, level, alpha_threshold), FIRST_BAND_BLOCKS);
    let is_direct = DIRECT.iter().any(|direct| direct.name == format.name);
    Chain { single: chain.single.filter(|_| is_direct), ..chain }
}

/// Returns the encoders of all formats and levels.
pub(crate) fn singles() -> impl Iterator<Item = Single> {
    of_formats(&ALL)
}

/// Returns the encoders that also write textures.
pub(crate) fn direct_singles() -> impl Iterator<Item = Single> {
    of_formats(&DIRECT)
}

fn of_formats(formats: &'static [Format]) -> impl Iterator<Item = Single> {
    let threshold = Bc1Options::default().alpha_threshold;
    let of_format = move |&format| RealTime::ALL.iter().map(move |&level| single(format, level, threshold));
    formats.iter().flat_map(of_format)
}

fn single(format: Format, level: RealTime, alpha_threshold: u8) -> Single {
    Single {
        name: format!("{} real time {}", format.name, level.name()).into(),
        block_bytes: 8 * format.parts.len() as u32,
        complete: Box::new(move |kernel| complete(kernel, format, level, alpha_threshold)),
    }
}

fn complete(kernel: Kernel, format: Format, level: RealTime, alpha_threshold: u8) -> Kernel {
    let mut kernel = kernel.constant("LEVEL", level as u32 + 1);
    for part in format.parts {
        kernel = match *part {
            Part::Colors => with_colors(kernel),
            Part::PunchedColors => with_colors(kernel).with("ALPHA_THRESHOLD", alpha_threshold.into()),
            Part::Channel(kind, 0 | 3) => with_channel(kernel, kind),
            // The other channel has the same kind.
            Part::Channel(..) | Part::FourBits => kernel,
        };
    }
    kernel.file(&WGSL, format.file)
}

fn with_colors(kernel: Kernel) -> Kernel {
    let of_channels = [
        ("TOP_CODES", colors::TOPS),
        ("CODES_PER_VALUE", colors::CODES),
        ("VALUES_PER_CODE", colors::VALUES),
        ("CODES_PER_SUM", colors::MEAN_CODES),
    ];
    let numbers = [
        ("HALF", colors::HALF),
        ("THIRD", colors::THIRD),
        ("ONE_THIRD", 1.0 / 3.0),
        ("FIRST_SCALE", colors::FIRST_SCALE),
        ("PARTS", colors::PARTS),
        ("ONES", colors::ONES),
    ];
    let kernel = of_channels.into_iter().fold(kernel, |kernel, (name, values)| kernel.table(name, &values));
    kernel.constants(numbers)
}

fn with_channel(kernel: Kernel, kind: ChannelKind) -> Kernel {
    kernel
        .constant("IS_SIGNED", u32::from(kind == ChannelKind::Snorm))
        .constant("KEEPS_ENDS", u32::from(kind == ChannelKind::Alpha))
        .constant("STORED_OFFSET", kind.stored_offset())
        .constants([
            ("CODES_PER_BYTE", kind.codes_per_byte()),
            ("BYTE_UNITS", kind.units()[0]),
            ("CODE_UNITS", kind.units()[1]),
            ("PLACES", channel::LAST / kind.units()[1]),
            ("TOP", kind.top()),
            ("CHANNEL_PARTS", channel::PARTS),
            ("CHANNEL_FIRST_SCALE", channel::FIRST_SCALE),
        ])
}
