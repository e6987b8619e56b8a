//! The BC1 encoders of ctt: etcpak and AMD's Compressonator, through the crates that ctt calls them with.
//!
//! ctt has a third, Intel's ISPC kernels (ctt-intel-texture-compressor). Its object files and those of
//! intel_tex_2 define the same C symbols, `CompressBlocksBC1_ispc` first of all. A program with both links
//! without a word and runs one of them under both names. intel_tex_2 represents it: ctt's is derived from it,
//! and gives the same blocks of Kodak 1 in a separate program. ctt's other encoders have no BC1: bc7e and
//! bc7f, which are in bc7.rs, and astcenc, in astc.rs.

use super::{Contestant, Role, package};
use crate::picture::Picture;
use anyhow::Result;
use ctt_compressonator::bc1::{Options, compress_blocks_into};
use ctt_etcpak::Surface;

/// Compressonator's quality numbers, as ctt's presets ultra-fast and basic set them. From 0.26 to 0.49 it is
/// as
/// 0.01 within 0.003 dB, and up to 0.75 as 0.5.
///
/// Qualities above 0.75 give only blocks of zeros (7 dB), with version 0.6.1 built by g++ 12.2 at full
/// optimisation, so they are not measured.
const COMPRESSONATOR_QUALITIES: [f32; 2] = [0.01, 0.5];

pub fn contestants(pictures: &[Picture]) -> Result<Vec<Contestant<'_>>> {
    let mut all = vec![etcpak(pictures)];
    for quality in COMPRESSONATOR_QUALITIES {
        all.push(compressonator(pictures, quality)?);
    }
    Ok(all)
}

fn etcpak(pictures: &[Picture]) -> Contestant<'_> {
    let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
        let picture = &pictures[index];
        let surface = Surface::new(picture.bytes(), picture.width, picture.height);
        ctt_etcpak::bc1::compress_blocks_into(&surface, blocks);
        Ok(())
    });
    Contestant { name: package("ctt-etcpak"), role: Role::Peer, encode }
}

fn compressonator(pictures: &[Picture], quality: f32) -> Result<Contestant<'_>> {
    let mut options = Options::new()?;
    options.set_quality(quality)?;
    options.set_channel_weights(1.0, 1.0, 1.0)?;
    options.set_srgb(false)?;
    let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
        let picture = &pictures[index];
        Ok(compress_blocks_into(picture.bytes(), picture.width, picture.height, &options, blocks)?)
    });
    let name = format!("{} quality {quality}", package("ctt-compressonator"));
    Ok(Contestant { name, role: Role::Peer, encode })
}
