//! The encoders of BC7.
//!
//! bc7e and bc7f take blocks of 16 texels, so the pictures are cut up beforehand. bc7e weighs the four
//! channels alike here. intel_tex_2 and block_compression have separate settings for opaque images, which do
//! not look at alpha; those are taken where every texel is opaque.
//!
//! ctt's Intel encoder is left out, for the reason that ctt.rs gives. bc7e and bc7f share no symbol with
//! another peer (by `nm`, version 0.6.1).

use super::{Contestant, Role, package};
use crate::picture::{Picture, are_opaque};
use anyhow::Error;
use block_compression::{BC7Settings, CompressionVariant, encode::compress_rgba8};
use ctt_bc7enc_rdo as bc7e;
use ctt_bc7f::bindings as bc7f;
use intel_tex_2::{RgbaSurface, bc7 as intel};
use std::rc::Rc;

/// The pictures' texels in the order of blocks, four bytes each: red, green, blue, alpha.
type Tiles = Rc<[Vec<u32>]>;

/// bc7e's settings, from whether errors are weighed as the eye does.
type Bc7eLevel = fn(bool) -> bc7e::bindings::bc7e_compress_block_params;

/// The levels of ctt, which has none for the crate's `params_init_slowest`.
const BC7E_LEVELS: [(&str, Bc7eLevel); 6] = [
    (BC7E_BASE, bc7e::params_init_ultrafast),
    ("veryfast", bc7e::params_init_veryfast),
    ("fast", bc7e::params_init_fast),
    ("basic", bc7e::params_init_basic),
    ("slow", bc7e::params_init_slow),
    ("veryslow", bc7e::params_init_veryslow),
];

/// The level that speeds are multiples of.
const BC7E_BASE: &str = "ultrafast";

const BC7F_LEVELS: [(&str, u32); 6] = [
    ("fastest", bc7f::cPackBC7FlagDefaultFastest),
    ("faster", bc7f::cPackBC7FlagDefaultFaster),
    ("fast", bc7f::cPackBC7FlagDefaultFast),
    ("default", bc7f::cPackBC7FlagDefault),
    ("partially analytical", bc7f::cPackBC7FlagDefaultPartiallyAnalytical),
    ("non-analytical", bc7f::cPackBC7FlagDefaultNonAnalytical),
];

/// Returns every peer.
pub fn contestants(pictures: &[Picture]) -> Vec<Contestant<'_>> {
    let tiles: Tiles = pictures.iter().map(cut).collect();
    let is_opaque = are_opaque(pictures);
    let mut all: Vec<_> = BC7E_LEVELS.map(|level| bc7e_contestant(&tiles, level)).into();
    all.extend(BC7F_LEVELS.map(|level| bc7f_contestant(&tiles, level)));
    all.extend(intel_contestants(pictures, is_opaque));
    all.extend(block_compression_contestants(pictures, is_opaque));
    all
}

/// Returns a picture's texels in the order of blocks.
pub(super) fn cut(picture: &Picture) -> Vec<u32> {
    let width = picture.width as usize;
    let mut tiles = Vec::with_capacity(picture.texel_count());
    for rows in picture.texels.chunks_exact(4 * width) {
        for x in (0..width).step_by(4) {
            for row in rows.chunks_exact(width) {
                tiles.extend(row[x..x + 4].iter().map(|&texel| u32::from_ne_bytes(texel)));
            }
        }
    }
    tiles
}

fn bc7e_contestant<'a>(tiles: &Tiles, (level, settings): (&str, Bc7eLevel)) -> Contestant<'a> {
    let (tiles, settings) = (tiles.clone(), settings(false));
    let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
        let halves = bytemuck::try_cast_slice_mut(blocks).map_err(Error::msg)?;
        bc7e::compress_blocks(halves, &tiles[index], &settings);
        Ok(())
    });
    let role = if level == BC7E_BASE { Role::Base } else { Role::Peer };
    Contestant { name: format!("{} (bc7e) {level}", package("ctt-bc7enc-rdo")), role, encode }
}

fn bc7f_contestant<'a>(tiles: &Tiles, (level, flags): (&str, u32)) -> Contestant<'a> {
    let tiles = tiles.clone();
    let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
        ctt_bc7f::compress_blocks_into(bytemuck::cast_slice(&tiles[index]), blocks, flags);
        Ok(())
    });
    Contestant { name: format!("{} {level}", package("ctt-bc7f")), role: Role::Peer, encode }
}

fn intel_contestants(pictures: &[Picture], is_opaque: bool) -> Vec<Contestant<'_>> {
    let levels = match is_opaque {
        true => [
            ("opaque ultra fast", intel::opaque_ultra_fast_settings()),
            ("opaque very fast", intel::opaque_very_fast_settings()),
            ("opaque fast", intel::opaque_fast_settings()),
            ("opaque basic", intel::opaque_basic_settings()),
            ("opaque slow", intel::opaque_slow_settings()),
        ],
        false => [
            ("alpha ultra fast", intel::alpha_ultra_fast_settings()),
            ("alpha very fast", intel::alpha_very_fast_settings()),
            ("alpha fast", intel::alpha_fast_settings()),
            ("alpha basic", intel::alpha_basic_settings()),
            ("alpha slow", intel::alpha_slow_settings()),
        ],
    };
    let contestant = |(level, settings)| {
        let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
            let picture = &pictures[index];
            let &Picture { width, height, .. } = picture;
            let surface = RgbaSurface { data: picture.bytes(), width, height, stride: 4 * width };
            intel::compress_blocks_into(&settings, &surface, blocks);
            Ok(())
        });
        Contestant { name: format!("{} {level}", package("intel_tex_2")), role: Role::Peer, encode }
    };
    levels.into_iter().map(contestant).collect()
}

fn block_compression_contestants(pictures: &[Picture], is_opaque: bool) -> Vec<Contestant<'_>> {
    let levels = match is_opaque {
        true => [
            ("opaque ultra fast", BC7Settings::opaque_ultra_fast()),
            ("opaque basic", BC7Settings::opaque_basic()),
        ],
        false => [
            ("alpha ultra fast", BC7Settings::alpha_ultrafast()),
            ("alpha basic", BC7Settings::alpha_basic()),
        ],
    };
    let contestant = |(level, settings)| {
        let variant = CompressionVariant::BC7(settings);
        let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
            let picture = &pictures[index];
            let &Picture { width, height, .. } = picture;
            compress_rgba8(variant, picture.bytes(), blocks, width, height, 4 * width);
            Ok(())
        });
        let name = format!("{} (CPU) {level}", package("block_compression"));
        Contestant { name, role: Role::Peer, encode }
    };
    levels.into_iter().map(contestant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_are_cut_into_blocks() {
        let texels = (0..64).map(|i| [i, 1, 2, 255]).collect();
        let tiles = cut(&Picture { width: 8, height: 8, texels });
        let reds: Vec<_> = tiles.iter().map(|texel| texel.to_ne_bytes()[0]).collect();
        assert_eq!(reds[..8], [0, 1, 2, 3, 8, 9, 10, 11]);
        assert_eq!(reds[16..20], [4, 5, 6, 7]);
        assert_eq!(reds[32..36], [32, 33, 34, 35]);
        assert_eq!(tiles[63].to_ne_bytes(), [63, 1, 2, 255]);
    }

    #[test]
    fn one_translucent_texel_takes_the_settings_for_alpha() {
        let mut picture = Picture { width: 4, height: 4, texels: vec![[9, 9, 9, 255]; 16] };
        let count = |picture: &Picture, word: &str| {
            let all = contestants(std::slice::from_ref(picture));
            all.iter().filter(|contestant| contestant.name.contains(word)).count()
        };
        assert_eq!([count(&picture, " opaque "), count(&picture, " alpha ")], [7, 0]);
        picture.texels[5][3] = 254;
        assert_eq!([count(&picture, " opaque "), count(&picture, " alpha ")], [0, 7]);
    }
}
