//! The encoders of ETC2 and EAC: etcpak, Intel's of ETC1, whose blocks are valid in ETC2, and etc2comp.
//!
//! The first two take whole blocks, so images of other sizes are padded beforehand; etcpak takes blue first.

use super::{Contestant, Role, etc2comp, package};
use crate::picture::Picture;
use anyhow::{Result, bail};
use brickwork_texture::BlockFormat;
use ctt_etcpak::{Surface, decode, eac_r, eac_rg, etc1, etc2_rgb, etc2_rgba};
use intel_tex_2::RgbaSurface;
use std::rc::Rc;

/// Name of etcpak's crate.
pub const PACKAGE: &str = "ctt-etcpak";

/// The formats of etcpak.
pub const FORMATS: [BlockFormat; 4] =
    [BlockFormat::Etc2Rgb, BlockFormat::Etc2Rgba, BlockFormat::EacR11Unorm, BlockFormat::EacRg11Unorm];

type Compress = fn(&Surface<'_>, &mut [u8]);

/// Returns every peer of a format.
pub fn contestants(format: BlockFormat, pictures: &[Picture]) -> Result<Vec<Contestant<'_>>> {
    // Heuristics choose the mode of a block: faster, and better.
    let settings: &[(&str, Compress)] = match format {
        BlockFormat::Etc2Rgb => &[
            (" ETC2, heuristics", |image, blocks| etc2_rgb::compress_blocks_into(image, true, blocks)),
            (" ETC2", |image, blocks| etc2_rgb::compress_blocks_into(image, false, blocks)),
            (" ETC1", etc1::compress_blocks_into),
        ],
        BlockFormat::Etc2Rgba => &[
            (" heuristics", |image, blocks| etc2_rgba::compress_blocks_into(image, true, blocks)),
            ("", |image, blocks| etc2_rgba::compress_blocks_into(image, false, blocks)),
        ],
        BlockFormat::EacR11Unorm => &[("", eac_r::compress_blocks_into)],
        BlockFormat::EacRg11Unorm => &[("", eac_rg::compress_blocks_into)],
        _ => bail!("the peers of {format} are not known"),
    };
    let mut all = etcpak(pictures, settings);
    if format == BlockFormat::Etc2Rgb {
        all.push(intel_tex(pictures));
    }
    all.extend(etc2comp::contestants(format, pictures)?);
    Ok(all)
}

/// Returns etcpak's contestants. The first is the one that speeds are multiples of.
fn etcpak(pictures: &[Picture], settings: &[(&str, Compress)]) -> Vec<Contestant<'static>> {
    let mut padded: Vec<_> = pictures.iter().map(Picture::whole_blocks).collect();
    padded.iter_mut().flat_map(|picture| &mut picture.texels).for_each(|texel| texel.swap(0, 2));
    let padded: Rc<[Picture]> = padded.into();
    let contestant = |(number, &(setting, compress)): (usize, &(&str, Compress))| {
        let padded = padded.clone();
        let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
            let picture = &padded[index];
            compress(&Surface::new(picture.bytes(), picture.width, picture.height), blocks);
            Ok(())
        });
        let role = if number == 0 { Role::Base } else { Role::Peer };
        Contestant { name: package(PACKAGE) + setting, role, encode }
    };
    settings.iter().enumerate().map(contestant).collect()
}

fn intel_tex(pictures: &[Picture]) -> Contestant<'static> {
    use intel_tex_2::etc1::{compress_blocks_into, slow_settings};
    let padded: Vec<_> = pictures.iter().map(Picture::whole_blocks).collect();
    let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
        let picture = &padded[index];
        let &Picture { width, height, .. } = picture;
        let surface = RgbaSurface { data: picture.bytes(), width, height, stride: 4 * width };
        compress_blocks_into(&slow_settings(), &surface, blocks);
        Ok(())
    });
    Contestant { name: package("intel_tex_2") + " ETC1 slow", role: Role::Peer, encode }
}

/// Decodes with etcpak, which returns the upper 8 of EAC's 11 bits.
pub fn decode(format: BlockFormat, blocks: &[u8], width: u32, height: u32) -> Result<Vec<u8>> {
    Ok(match format {
        BlockFormat::Etc2Rgb => decode::decode_rgb(blocks, width, height),
        BlockFormat::Etc2Rgba => decode::decode_rgba(blocks, width, height),
        BlockFormat::EacR11Unorm => decode::decode_r(blocks, width, height, false),
        BlockFormat::EacRg11Unorm => decode::decode_rg(blocks, width, height, false),
        _ => bail!("etcpak does not decode {format}"),
    })
}
