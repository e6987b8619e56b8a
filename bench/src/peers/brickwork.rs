//! This project's own encoder.

use super::{Contestant, Role};
use crate::picture::Picture;
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, ImageView, Quality, RealTime, Task, bc::bc1::Method,
};
use std::num::NonZeroUsize;

/// Returns every quality of LSDxt, which `peers` leaves out.
pub fn lsdxt_contestants(pictures: &[Picture]) -> Vec<Contestant<'_>> {
    let encoder = CpuEncoder::new().with_threads(NonZeroUsize::MIN);
    let contestant = |quality: Quality| {
        let options = EncodeOptions::default().with(|o| {
            o.quality = quality;
            o.bc1.method = Method::Lsdxt;
            o.bc1.alpha_threshold = 0;
        });
        contestant(format!("LSDxt {}", quality.name()), Role::Peer, pictures, encoder, options)
    };
    Quality::ALL.iter().copied().map(contestant).collect()
}

/// Returns the levels of real time with different blocks: level 3 of phones' formats equals level 2.
pub fn real_time_levels(format: BlockFormat) -> &'static [RealTime] {
    match format {
        _ if !format.has_real_time() => &[],
        _ if format.is_mobile() => &RealTime::ALL[..2],
        _ => RealTime::ALL,
    }
}

/// Returns every quality of another format, for the exact decoder.
pub fn contestants_for(format: BlockFormat, pictures: &[Picture]) -> Vec<Contestant<'_>> {
    let encoder = CpuEncoder::new().with_threads(NonZeroUsize::MIN);
    let contestant = |name: String, role: Role, options: EncodeOptions| {
        let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
            let picture = &pictures[index];
            let image = ImageView::new(&picture.texels, picture.width, picture.height)?;
            Ok(encoder.encode_into(&image, format, &options, blocks, &Task::new())?)
        });
        Contestant { name, role, encode }
    };
    let mut all = Vec::new();
    for &level in real_time_levels(format) {
        let options = EncodeOptions::default().with(|o| o.real_time = Some(level));
        all.push(contestant(format!("Brickwork real time {}", level.name()), Role::Ours, options));
    }
    for &quality in Quality::ALL {
        let options = EncodeOptions::default().with(|o| o.quality = quality);
        all.push(contestant(format!("Brickwork {}", quality.name()), Role::Ours, options));
    }
    all
}

pub fn contestants(pictures: &[Picture]) -> Vec<Contestant<'_>> {
    let encoder = CpuEncoder::new().with_threads(NonZeroUsize::MIN);
    let options = EncodeOptions::default().with(|o| o.bc1.alpha_threshold = 0);
    let contestant = |name: String, options| {
        contestant(format!("Brickwork {name}"), Role::Ours, pictures, encoder, options)
    };
    let levels = RealTime::ALL.iter().map(|&level| {
        let name = format!("real time {}", level.name());
        contestant(name, options.with(|o| o.real_time = Some(level)))
    });
    let qualities = Quality::ALL
        .iter()
        .map(|&quality| contestant(quality.name().to_owned(), options.with(|o| o.quality = quality)));
    levels.chain(qualities).collect()
}

fn contestant(
    name: String,
    role: Role,
    pictures: &[Picture],
    encoder: CpuEncoder,
    options: EncodeOptions,
) -> Contestant<'_> {
    let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
        let picture = &pictures[index];
        let image = ImageView::new(&picture.texels, picture.width, picture.height)?;
        Ok(encoder.encode_into(&image, BlockFormat::Bc1, &options, blocks, &Task::new())?)
    });
    Contestant { name, role, encode }
}
