//! The encoders of BC3, BC4 and BC5, and those of the other formats: bc7.rs, astc.rs, etc.rs.
//!
//! Peers that take one or two channels get them as such, converted beforehand.

use super::{Contestant, Encode, Role, astc, bc7, brickwork, etc, package};
use crate::picture::Picture;
use anyhow::{Result, bail};
use block_compression::{CompressionVariant, encode::compress_rgba8};
use brickwork_texture::{AstcFootprint, BlockFormat};
use ctt_compressonator as compressonator;
use ctt_etcpak::Surface;
use intel_tex_2::{RSurface, RgSurface, RgbaSurface};
use texpresso::{Algorithm, COLOUR_WEIGHTS_UNIFORM, Format, Params};

/// Compressonator's quality number, as ctt's preset basic sets it.
const COMPRESSONATOR_QUALITY: f32 = 0.5;

/// Returns every contestant of a format.
pub fn contestants(format: BlockFormat, pictures: &[Picture]) -> Result<Vec<Contestant<'_>>> {
    let mut all = brickwork::contestants_for(format, pictures);
    let peers = match format {
        BlockFormat::Bc7 => bc7::contestants(pictures),
        BlockFormat::Astc(AstcFootprint::B4x4) => astc::contestants(pictures)?,
        format if etc::FORMATS.contains(&format) => etc::contestants(format, pictures)?,
        format => interpolated(format, pictures)?,
    };
    all.extend(peers);
    Ok(all)
}

/// Returns the peers of BC3, BC4 or BC5.
fn interpolated(format: BlockFormat, pictures: &[Picture]) -> Result<Vec<Contestant<'_>>> {
    let mut all = texpresso_contestants(format, pictures)?;
    let peer = |name: &str, role, encode| Contestant { name: package(name), role, encode };
    all.push(peer("intel_tex_2", Role::Base, intel_tex(format, pictures)));
    let mut kernels = peer("block_compression", Role::Peer, block_compression(format, pictures));
    kernels.name += " (CPU)";
    all.push(kernels);
    all.push(peer("ctt-etcpak", Role::Peer, etcpak(format, pictures)));
    let mut amd = peer("ctt-compressonator", Role::Peer, compressonator(format, pictures)?);
    amd.name += &format!(" quality {COMPRESSONATOR_QUALITY}");
    all.push(amd);
    Ok(all)
}

/// Returns the first `COUNT` channels of each picture.
fn channels<const COUNT: usize>(pictures: &[Picture]) -> Vec<Vec<u8>> {
    let of = |picture: &Picture| picture.texels.iter().flat_map(|texel| texel[..COUNT].to_vec()).collect();
    pictures.iter().map(of).collect()
}

/// Returns texpresso's contestants. Their algorithms differ only in colours.
fn texpresso_contestants(format: BlockFormat, pictures: &[Picture]) -> Result<Vec<Contestant<'_>>> {
    let cluster = (" cluster fit", Algorithm::ClusterFit);
    let (format, algorithms) = match format {
        BlockFormat::Bc3 => (Format::Bc3, vec![cluster, (" range fit", Algorithm::RangeFit)]),
        BlockFormat::Bc4Unorm => (Format::Bc4, vec![("", cluster.1)]),
        BlockFormat::Bc5Unorm => (Format::Bc5, vec![("", cluster.1)]),
        _ => bail!("the peers of {format} are not known"),
    };
    let contestant = |(name, algorithm)| {
        let params = Params { algorithm, weights: COLOUR_WEIGHTS_UNIFORM, weigh_colour_by_alpha: false };
        let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
            let picture = &pictures[index];
            let (width, height) = (picture.width as usize, picture.height as usize);
            format.compress(picture.bytes(), width, height, params, blocks);
            Ok(())
        });
        Contestant { name: package("texpresso") + name, role: Role::Peer, encode }
    };
    Ok(algorithms.into_iter().map(contestant).collect())
}

fn intel_tex(format: BlockFormat, pictures: &[Picture]) -> Encode<'_> {
    let size = move |index: usize| (pictures[index].width, pictures[index].height);
    match format {
        BlockFormat::Bc4Unorm => {
            let red = channels::<1>(pictures);
            Box::new(move |index, blocks| {
                let (width, height) = size(index);
                let surface = RSurface { data: &red[index], width, height, stride: width };
                intel_tex_2::bc4::compress_blocks_into(&surface, blocks);
                Ok(())
            })
        }
        BlockFormat::Bc5Unorm => {
            let red_green = channels::<2>(pictures);
            Box::new(move |index, blocks| {
                let (width, height) = size(index);
                let surface = RgSurface { data: &red_green[index], width, height, stride: 2 * width };
                intel_tex_2::bc5::compress_blocks_into(&surface, blocks);
                Ok(())
            })
        }
        _ => Box::new(move |index, blocks| {
            let (width, height) = size(index);
            let data = pictures[index].bytes();
            let surface = RgbaSurface { data, width, height, stride: 4 * width };
            intel_tex_2::bc3::compress_blocks_into(&surface, blocks);
            Ok(())
        }),
    }
}

fn block_compression(format: BlockFormat, pictures: &[Picture]) -> Encode<'_> {
    let variant = match format {
        BlockFormat::Bc4Unorm => CompressionVariant::BC4,
        BlockFormat::Bc5Unorm => CompressionVariant::BC5,
        _ => CompressionVariant::BC3,
    };
    Box::new(move |index, blocks| {
        let &Picture { width, height, .. } = &pictures[index];
        compress_rgba8(variant, pictures[index].bytes(), blocks, width, height, width * 4);
        Ok(())
    })
}

fn etcpak(format: BlockFormat, pictures: &[Picture]) -> Encode<'_> {
    Box::new(move |index, blocks| {
        let picture = &pictures[index];
        let surface = Surface::new(picture.bytes(), picture.width, picture.height);
        match format {
            BlockFormat::Bc4Unorm => ctt_etcpak::bc4::compress_blocks_into(&surface, blocks),
            BlockFormat::Bc5Unorm => ctt_etcpak::bc5::compress_blocks_into(&surface, blocks),
            _ => ctt_etcpak::bc3::compress_blocks_into(&surface, blocks),
        }
        Ok(())
    })
}

fn compressonator(format: BlockFormat, pictures: &[Picture]) -> Result<Encode<'_>> {
    let size = move |index: usize| (pictures[index].width, pictures[index].height);
    Ok(match format {
        BlockFormat::Bc4Unorm => {
            let mut options = compressonator::bc4::Options::new()?;
            options.set_quality(COMPRESSONATOR_QUALITY)?;
            let red = channels::<1>(pictures);
            Box::new(move |index, blocks| {
                let (width, height) = size(index);
                let red = &red[index];
                Ok(compressonator::bc4::compress_blocks_into(red, width, height, &options, blocks)?)
            })
        }
        BlockFormat::Bc5Unorm => {
            let mut options = compressonator::bc5::Options::new()?;
            options.set_quality(COMPRESSONATOR_QUALITY)?;
            let both = channels::<2>(pictures);
            Box::new(move |index, blocks| {
                let (width, height) = size(index);
                let both = &both[index];
                Ok(compressonator::bc5::compress_blocks_into(both, width, height, &options, blocks)?)
            })
        }
        _ => {
            let mut options = compressonator::bc3::Options::new()?;
            options.set_quality(COMPRESSONATOR_QUALITY)?;
            options.set_channel_weights(1.0, 1.0, 1.0)?;
            options.set_srgb(false)?;
            Box::new(move |index, blocks| {
                let (width, height) = size(index);
                let texels = pictures[index].bytes();
                Ok(compressonator::bc3::compress_blocks_into(texels, width, height, &options, blocks)?)
            })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_are_named_with_the_version_that_is_linked() {
        let mobile = [BlockFormat::Astc(AstcFootprint::B4x4), BlockFormat::Etc2Rgb, BlockFormat::EacR11Unorm];
        let desktop = [BlockFormat::Bc3, BlockFormat::Bc4Unorm, BlockFormat::Bc5Unorm, BlockFormat::Bc7];
        for format in desktop.into_iter().chain(mobile) {
            for contestant in contestants(format, &[]).unwrap() {
                assert!(!contestant.name.contains("unknown"), "{}", contestant.name);
            }
        }
        for format in [BlockFormat::Bc1, BlockFormat::Etc2RgbA1, BlockFormat::Astc(AstcFootprint::B6x6)] {
            assert!(contestants(format, &[]).is_err());
        }
    }
}
