//! The block format that suits a picture.

use super::{Picture, Texels, halves::Float, hues::many_hued_share};
use crate::{BlockFormat, Cancelled, Task};
use half::f16;

/// Purpose of a picture, which the file does not state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PictureUse {
    /// Unknown purpose: the file and its texels decide.
    #[default]
    Unknown,
    /// Colours, even if the picture is grey or looks like a normal map.
    Color,
    /// Normals. Red and green are kept.
    Normals,
    /// One channel. Red is kept.
    OneChannel,
    /// Numbers that are not colours, such as occlusion, roughness and metalness in red, green and blue.
    Data,
}

/// A suggested format and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suggestion {
    /// The format.
    pub format: BlockFormat,
    /// The reason, in a few words: `every texel is opaque`.
    pub reason: String,
}

/// Maximum deviation of a normal's length from 1.
const TOLERANCE: f32 = 0.1;
/// Lengths of the vectors in a normal map whose normals were averaged, compressed or scaled.
const ROUGH_LENGTHS: std::ops::RangeInclusive<f32> = 0.5..=1.3;
/// Minimum share of texels of length 1, by which alone a normal map is recognised.
const SHARE: f64 = 0.95;
/// Minimum share of texels of length 1 if nearly all others face the viewer, too.
const ROUGH_SHARE: f64 = 0.6;
/// Minimum share of texels that face the viewer with a length in [`ROUGH_LENGTHS`].
const FACING_SHARE: f64 = 0.98;
/// Maximum deviation of the means of x and of y from 0: a normal map faces the viewer.
const TILT: f64 = 0.25;
/// The same, for a share below [`SHARE`].
const ROUGH_TILT: f64 = 0.1;
/// Minimum share of blocks with several hues that BC1 stores badly. In photographs it is at most 0.017.
const MANY_HUED_SHARE: f64 = 0.03;
/// Minimum share of texels below 0 for which half floats keep their sign, and of texels outside of 0 to 1 for
/// which they do not keep their alpha. Resampling and conversions of primaries make few.
const BEYOND_SHARE: f64 = 0.01;

/// Number of texels between two checks for cancellation.
const TEXELS_AT_A_TIME: usize = 1 << 20;

impl Picture {
    /// Returns the block format that suits the picture: BC5 for a normal map, BC4 for grey. Otherwise, alpha
    /// and hues decide. BC1 is returned if each texel is opaque or transparent, and not data; BC7 for other
    /// alpha, and for opaque pictures with many blocks of three or more hues. If `allow_bc7` is false, BC3
    /// replaces BC7 for alpha, and BC1 for hues and BC6H. The task reports no progress.
    ///
    /// BC6H is returned for floats, except those with alpha of which fewer than 1 % have a colour below 0 or
    /// above 1. It is signed if at least 1 % of the texels have a colour below 0.
    ///
    /// A normal map is recognised by its texels. On average they face the viewer, and nearly all have length
    /// 1; or most have, and nearly all others are only somewhat shorter or longer. A picture is also grey if
    /// red, green and blue are equal and every texel is opaque.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn suggest_format(
        &self,
        usage: PictureUse,
        allow_bc7: bool,
        task: &Task<'_>,
    ) -> Result<Suggestion, Cancelled> {
        task.check()?;
        let suggestion = |format, reason: String| Ok(Suggestion { format, reason });
        match usage {
            PictureUse::Normals => return suggestion(BlockFormat::Bc5Unorm, "normals".to_owned()),
            PictureUse::OneChannel => return suggestion(BlockFormat::Bc4Unorm, "one channel".to_owned()),
            PictureUse::Color => {}
            PictureUse::Unknown | PictureUse::Data => {
                if matches!(self.texels, Texels::Grey8(_) | Texels::Grey16(_)) {
                    return suggestion(BlockFormat::Bc4Unorm, "the file is grey".to_owned());
                }
                if self.is_opaque && self.is_grey(task)? {
                    let reason = "red, green and blue are equal".to_owned();
                    return suggestion(BlockFormat::Bc4Unorm, reason);
                }
                if usage == PictureUse::Unknown
                    && let Some(share) = self.normal_share(task)?
                {
                    let reason = format!("a normal map: {:.1} % of texels have length 1", 100.0 * share);
                    return suggestion(BlockFormat::Bc5Unorm, reason);
                }
            }
        }
        if allow_bc7 && let Some(suggestion) = self.suggest_bc6h(task)? {
            return Ok(suggestion);
        }
        if self.is_opaque {
            let share = if allow_bc7 { many_hued_share(&self.texels, self.width, self.height) } else { 0.0 };
            task.check()?;
            if share >= MANY_HUED_SHARE {
                let reason = format!("{:.1} % of varied blocks have several hues", 100.0 * share);
                return suggestion(BlockFormat::Bc7, reason);
            }
            return suggestion(BlockFormat::Bc1, "every texel is opaque".to_owned());
        }
        // BC1 has no colours where it is transparent, and data has.
        if usage != PictureUse::Data && self.is_cut_out(task)? {
            return suggestion(BlockFormat::Bc1, "every texel is opaque or transparent".to_owned());
        }
        let format = if allow_bc7 { BlockFormat::Bc7 } else { BlockFormat::Bc3 };
        let reason = match usage {
            PictureUse::Data => "alpha is data",
            _ => "alpha has values between opaque and transparent",
        };
        suggestion(format, reason.to_owned())
    }

    /// Returns signed or unsigned BC6H for floats; `None` if there are none, or if there is alpha and nearly
    /// all colours are from 0 to 1.
    fn suggest_bc6h(&self, task: &Task<'_>) -> Result<Option<Suggestion>, Cancelled> {
        let outside = |max: f16| match &self.texels {
            Texels::RgbF16(texels) => outside_count(texels, max, task).map(Some),
            Texels::RgbaF16(texels) => outside_count(texels, max, task).map(Some),
            Texels::RgbF32(texels) => outside_count(texels, max, task).map(Some),
            Texels::RgbaF32(texels) => outside_count(texels, max, task).map(Some),
            _ => Ok(None),
        };
        let Some(negative) = outside(f16::INFINITY)? else { return Ok(None) };
        let texel_count = self.texels.texel_count() as f64;
        if !self.is_opaque {
            let beyond = outside(f16::ONE)?.unwrap_or(0);
            if (beyond as f64) < BEYOND_SHARE * texel_count {
                return Ok(None);
            }
        }
        let share = negative as f64 / texel_count;
        let is_single = matches!(self.texels, Texels::RgbF32(_) | Texels::RgbaF32(_));
        let floats = if is_single { "single floats" } else { "half floats" };
        let (format, reason) = match share >= BEYOND_SHARE {
            true => (BlockFormat::Bc6hSfloat, format!("{floats}, {:.1} % of texels below 0", 100.0 * share)),
            false => (BlockFormat::Bc6hUfloat, floats.to_owned()),
        };
        Ok(Some(Suggestion { format, reason }))
    }

    /// Returns true if red, green and blue are equal in each texel; false for floats. The task reports no
    /// progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn is_grey(&self, task: &Task<'_>) -> Result<bool, Cancelled> {
        task.check()?;
        match &self.texels {
            Texels::Grey8(_) | Texels::Grey16(_) => Ok(true),
            Texels::Rgb8(texels) => all(texels, task, |&[r, g, b]| r == g && g == b),
            Texels::Rgba8(texels) => all(texels, task, |&[r, g, b, _]| r == g && g == b),
            Texels::Rgb16(texels) => all(texels, task, |&[r, g, b]| r == g && g == b),
            Texels::Rgba16(texels) => all(texels, task, |&[r, g, b, _]| r == g && g == b),
            // BC4 cannot store light beyond 1.
            Texels::RgbF16(_) | Texels::RgbaF16(_) | Texels::RgbF32(_) | Texels::RgbaF32(_) => Ok(false),
        }
    }

    /// Returns true if each texel is either opaque or transparent. The task reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn is_cut_out(&self, task: &Task<'_>) -> Result<bool, Cancelled> {
        task.check()?;
        match &self.texels {
            Texels::Rgba8(texels) => all(texels, task, |texel| matches!(texel[3], 0 | u8::MAX)),
            Texels::Rgba16(texels) => all(texels, task, |texel| matches!(texel[3], 0 | u16::MAX)),
            Texels::RgbaF16(texels) => all(texels, task, |texel| [f16::ZERO, f16::ONE].contains(&texel[3])),
            Texels::RgbaF32(texels) => all(texels, task, |texel| [0.0, 1.0].contains(&texel[3])),
            _ => Ok(true),
        }
    }

    /// Returns the share of texels of length 1, from 0.6 to 1, if the picture looks like a normal map.
    /// [`suggest_format`](Self::suggest_format) describes one. The task reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn normal_share(&self, task: &Task<'_>) -> Result<Option<f64>, Cancelled> {
        Ok(self.normals(task)?.and_then(|normals| normals.share()))
    }

    /// Returns the share of texels that may be normals of a filtered or compressed map, from 0 to 1: their
    /// length is from 0.5 to 1.3, and they face the viewer. `None` for grey files and floats. The task
    /// reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn facing_share(&self, task: &Task<'_>) -> Result<Option<f64>, Cancelled> {
        Ok(self.normals(task)?.map(|normals| normals.facing_share()))
    }

    /// Returns the statistics of the texels as vectors; `None` for grey files and floats.
    fn normals(&self, task: &Task<'_>) -> Result<Option<Normals>, Cancelled> {
        task.check()?;
        let mut normals = Normals::default();
        match &self.texels {
            Texels::Grey8(_) | Texels::Grey16(_) => return Ok(None),
            // Floats are light.
            Texels::RgbF16(_) | Texels::RgbaF16(_) | Texels::RgbF32(_) | Texels::RgbaF32(_) => {
                return Ok(None);
            }
            Texels::Rgb8(texels) => normals.add_all(texels, task, |texel| texel.map(unit8))?,
            Texels::Rgba8(texels) => {
                normals.add_all(texels, task, |&[r, g, b, _]| [r, g, b].map(unit8))?;
            }
            Texels::Rgb16(texels) => normals.add_all(texels, task, |texel| texel.map(unit16))?,
            Texels::Rgba16(texels) => {
                normals.add_all(texels, task, |&[r, g, b, _]| [r, g, b].map(unit16))?;
            }
        }
        Ok(Some(normals))
    }
}

/// True if `holds` is true of each texel.
fn all<T>(texels: &[T], task: &Task<'_>, holds: impl Fn(&T) -> bool) -> Result<bool, Cancelled> {
    for part in texels.chunks(TEXELS_AT_A_TIME) {
        task.check()?;
        if !part.iter().all(&holds) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the number of texels with a colour below 0 or above `max`.
fn outside_count<C: Float, const CHANNELS: usize>(
    texels: &[[C; CHANNELS]],
    max: f16,
    task: &Task<'_>,
) -> Result<usize, Cancelled> {
    let [zero, max] = [f16::ZERO, max].map(C::of_half);
    count(texels, task, |texel| texel[..3].iter().any(|color| *color < zero || *color > max))
}

/// Returns the number of texels for which `holds` is true.
fn count<T>(texels: &[T], task: &Task<'_>, holds: impl Fn(&T) -> bool) -> Result<usize, Cancelled> {
    let mut count = 0;
    for part in texels.chunks(TEXELS_AT_A_TIME) {
        task.check()?;
        count += part.iter().filter(|texel| holds(texel)).count();
    }
    Ok(count)
}

fn unit8(value: u8) -> f32 {
    f32::from(value) / 127.5 - 1.0
}

fn unit16(value: u16) -> f32 {
    f32::from(value) / 32767.5 - 1.0
}

/// Statistics of texels as vectors.
#[derive(Default)]
struct Normals {
    count: u64,
    of_length_1: u64,
    facing: u64,
    sum: [f64; 3],
}

impl Normals {
    fn add_all<T>(
        &mut self,
        texels: &[T],
        task: &Task<'_>,
        vector: impl Fn(&T) -> [f32; 3],
    ) -> Result<(), Cancelled> {
        for part in texels.chunks(TEXELS_AT_A_TIME) {
            task.check()?;
            part.iter().for_each(|texel| self.add(vector(texel)));
        }
        Ok(())
    }

    fn add(&mut self, vector: [f32; 3]) {
        let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        self.count += 1;
        self.of_length_1 += u64::from((length - 1.0).abs() <= TOLERANCE && vector[2] > 0.0);
        self.facing += u64::from(ROUGH_LENGTHS.contains(&length) && vector[2] > 0.0);
        for (sum, value) in self.sum.iter_mut().zip(vector) {
            *sum += f64::from(value);
        }
    }

    fn facing_share(&self) -> f64 {
        self.facing as f64 / self.count as f64
    }

    fn share(&self) -> Option<f64> {
        let count = self.count as f64;
        let [x, y, z] = self.sum.map(|sum| sum / count);
        let (share, facing) = (self.of_length_1 as f64 / count, self.facing_share());
        let is_rough = share >= ROUGH_SHARE && facing >= FACING_SHARE;
        let tilt = if share >= SHARE { TILT } else { ROUGH_TILT };
        let is_map = (share >= SHARE || is_rough) && x.abs() <= tilt && y.abs() <= tilt && z > 0.5;
        is_map.then_some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ChannelType, ColorSpace,
        image_file::{ColorSpaceOrigin, FileFormat},
    };

    /// Returns the share for vectors of length 1 around a mean direction.
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

    /// Colours may also have length 1, but those of a normal map face the viewer.
    #[test]
    fn vectors_that_look_aside_are_no_normal_map() {
        assert_eq!(share([0.0, 0.0, 1.0]), Some(1.0));
        assert_eq!(share([0.2, -0.2, 1.0]), Some(1.0));
        for aside in [[0.6, 0.0, 1.0], [0.0, -0.6, 1.0], [0.0, 0.7, 0.5], [0.0, 0.0, -1.0], [0.3, 0.3, 0.2]] {
            assert_eq!(share(aside), None, "{aside:?}");
        }
    }

    /// Averaged or compressed normals are shorter than 1. Colours of the same lengths are not all on the
    /// viewer's side, or are tilted.
    #[test]
    fn most_normals_of_a_map_have_length_1() {
        let share = |short: u32, other: [f32; 3], tilt: f32| {
            let mut normals = Normals::default();
            for i in 0..100 {
                let turn = i as f32;
                let vector =
                    if i < short { other } else { [0.3 * turn.sin() + tilt, 0.3 * turn.cos(), 0.95] };
                normals.add(vector);
            }
            normals.share()
        };
        let shorter = [0.1, 0.0, 0.7];
        assert_eq!([0, 19, 30, 40].map(|short| share(short, shorter, 0.0)), [1.0, 0.81, 0.7, 0.6].map(Some));
        assert_eq!(share(41, shorter, 0.0), None);
        assert_eq!(share(30, [0.0, 0.0, 0.4], 0.0), None);
        assert_eq!(share(30, [0.0, 0.0, -0.9], 0.0), None);
        assert_eq!((share(30, shorter, 0.14), share(0, shorter, 0.14)), (None, Some(1.0)));
    }

    /// Saturated colours outside Rec. 709 have a channel below 0 and one above 1.
    #[test]
    fn alpha_is_kept_unless_one_percent_of_the_colors_need_half_floats() {
        let format = |outside: usize| {
            let texel = |i| if i < outside { [1.3, -0.1, 0.2, 0.5] } else { [0.3, 0.4, 0.2, 0.5] };
            let texels = (0..1000).map(|i| texel(i).map(f16::from_f32)).collect();
            let picture = Picture {
                width: 1000,
                height: 1,
                texels: Texels::RgbaF16(texels),
                stored_channel_type: ChannelType::F16,
                file_format: Some(FileFormat::Exr),
                color_space: ColorSpace::Linear,
                color_space_origin: ColorSpaceOrigin::Stated,
                color_space_reason: String::new(),
                is_hdr_signal: false,
                has_alpha: true,
                is_opaque: false,
                is_premultiplied: false,
                is_divided: false,
                part: None,
                notes: Vec::new(),
                overflow_count: 0,
            };
            picture.suggest_format(PictureUse::default(), true, &Task::new()).unwrap().format
        };
        assert_eq!([0, 6, 9].map(format), [BlockFormat::Bc7; 3]);
        assert_eq!(format(10), BlockFormat::Bc6hSfloat);
    }
}
