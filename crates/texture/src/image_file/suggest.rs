//! The block format that suits a picture.

use super::{Picture, Texels};
use crate::BlockFormat;

/// What a picture is for, where it cannot say so itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PictureUse {
    /// Whatever it looks like.
    #[default]
    Unknown,
    /// Colours, whatever they look like.
    Color,
    /// Normals: red and green are kept.
    Normals,
    /// One channel: red is kept.
    OneChannel,
}

/// A format, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suggestion {
    /// The format.
    pub format: BlockFormat,
    /// The reason, in a few words: `every texel is opaque`.
    pub reason: String,
}

/// How far the length of a normal may be from 1.
const TOLERANCE: f32 = 0.1;
/// The share of texels that must be normals.
const SHARE: f64 = 0.95;
/// How far the mean of x and of y may be from 0: a normal map faces the viewer.
const TILT: f64 = 0.25;

impl Picture {
    /// The block format that suits the picture: BC5 for a normal map, BC4 for a grey file, else by alpha. BC1
    /// if every texel is opaque or each is opaque or transparent, BC7 for other alpha, and BC3 instead of it
    /// if `allow_bc7` is false.
    ///
    /// A normal map is recognized by its texels: nearly all are of length 1 and, on average, face the viewer.
    pub fn suggest_format(&self, usage: PictureUse, allow_bc7: bool) -> Suggestion {
        let suggestion = |format, reason: String| Suggestion { format, reason };
        match usage {
            PictureUse::Normals => return suggestion(BlockFormat::Bc5Unorm, "normals".to_owned()),
            PictureUse::OneChannel => return suggestion(BlockFormat::Bc4Unorm, "one channel".to_owned()),
            PictureUse::Color => {}
            PictureUse::Unknown => {
                if matches!(self.texels, Texels::Grey8(_) | Texels::Grey16(_)) {
                    return suggestion(BlockFormat::Bc4Unorm, "the file is grey".to_owned());
                }
                if let Some(share) = self.normal_share() {
                    let reason = format!("a normal map: {:.1} % of texels have length 1", 100.0 * share);
                    return suggestion(BlockFormat::Bc5Unorm, reason);
                }
            }
        }
        if self.is_opaque {
            return suggestion(BlockFormat::Bc1, "every texel is opaque".to_owned());
        }
        if self.is_cut_out() {
            return suggestion(BlockFormat::Bc1, "every texel is opaque or transparent".to_owned());
        }
        let format = if allow_bc7 { BlockFormat::Bc7 } else { BlockFormat::Bc3 };
        suggestion(format, "alpha has values between opaque and transparent".to_owned())
    }

    /// True if every texel is opaque or transparent, nothing between.
    pub fn is_cut_out(&self) -> bool {
        match &self.texels {
            Texels::Rgba8(texels) => texels.iter().all(|texel| matches!(texel[3], 0 | u8::MAX)),
            Texels::Rgba16(texels) => texels.iter().all(|texel| matches!(texel[3], 0 | u16::MAX)),
            _ => true,
        }
    }

    /// The share of texels that are normals, 0.95 to 1, if this looks like a normal map: nearly all are of
    /// length 1 and, on average, face the viewer.
    pub fn normal_share(&self) -> Option<f64> {
        let mut normals = Normals::default();
        match &self.texels {
            Texels::Grey8(_) | Texels::Grey16(_) => return None,
            Texels::Rgb8(texels) => texels.iter().for_each(|&[r, g, b]| normals.add([r, g, b].map(unit8))),
            Texels::Rgba8(texels) => {
                texels.iter().for_each(|&[r, g, b, _]| normals.add([r, g, b].map(unit8)));
            }
            Texels::Rgb16(texels) => texels.iter().for_each(|&[r, g, b]| normals.add([r, g, b].map(unit16))),
            Texels::Rgba16(texels) => {
                texels.iter().for_each(|&[r, g, b, _]| normals.add([r, g, b].map(unit16)));
            }
        }
        normals.share()
    }
}

fn unit8(value: u8) -> f32 {
    f32::from(value) / 127.5 - 1.0
}

fn unit16(value: u16) -> f32 {
    f32::from(value) / 32767.5 - 1.0
}

/// Texels as vectors.
#[derive(Default)]
struct Normals {
    count: u64,
    of_length_1: u64,
    sum: [f64; 3],
}

impl Normals {
    fn add(&mut self, vector: [f32; 3]) {
        let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        self.count += 1;
        self.of_length_1 += u64::from((length - 1.0).abs() <= TOLERANCE && vector[2] > 0.0);
        for (sum, value) in self.sum.iter_mut().zip(vector) {
            *sum += f64::from(value);
        }
    }

    fn share(&self) -> Option<f64> {
        let count = self.count as f64;
        let [x, y, z] = self.sum.map(|sum| sum / count);
        let share = self.of_length_1 as f64 / count;
        (share >= SHARE && x.abs() <= TILT && y.abs() <= TILT && z > 0.5).then_some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of length 1 about a mean direction.
    fn share(mean: [f32; 3]) -> Option<f64> {
        let mut normals = Normals::default();
        for i in 0..64 {
            let turn = i as f32 / 10.0;
            let vector = [mean[0] + 0.2 * turn.sin(), mean[1] + 0.2 * turn.cos(), mean[2]];
            let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
            normals.add(vector.map(|v| v / length));
        }
        normals.share()
    }

    /// Colours may have length 1, too: those of a normal map face the viewer.
    #[test]
    fn vectors_that_look_aside_are_no_normal_map() {
        assert_eq!(share([0.0, 0.0, 1.0]), Some(1.0));
        assert_eq!(share([0.2, -0.2, 1.0]), Some(1.0));
        for aside in [[0.6, 0.0, 1.0], [0.0, -0.6, 1.0], [0.0, 0.7, 0.5], [0.0, 0.0, -1.0], [0.3, 0.3, 0.2]] {
            assert_eq!(share(aside), None, "{aside:?}");
        }
    }
}
