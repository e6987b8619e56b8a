//! Purposes of pictures, and properties that restrict them.

use super::{Picture, Texels};
use crate::{Cancelled, Task};
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

/// Minimum share of opaque and transparent texels in a cut-out with antialiased edges.
const CUT_OUT_SHARE: f64 = 0.97;

/// Number of texels between two checks for cancellation.
const TEXELS_AT_A_TIME: usize = 1 << 20;

impl Picture {
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

    /// True if the picture looks like a cut-out, whose edges may be antialiased: it has opaque and
    /// transparent texels, which together are at least 97 %, and no more of the others than opaque ones. The
    /// task reports no progress.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller cancelled the call.
    pub fn looks_cut_out(&self, task: &Task<'_>) -> Result<bool, Cancelled> {
        task.check()?;
        if self.is_opaque {
            return Ok(false);
        }
        let [transparent, opaque] = match &self.texels {
            Texels::Rgba8(texels) => ends(texels, task, [0, u8::MAX])?,
            Texels::Rgba16(texels) => ends(texels, task, [0, u16::MAX])?,
            Texels::RgbaF16(texels) => ends(texels, task, [f16::ZERO, f16::ONE])?,
            Texels::RgbaF32(texels) => ends(texels, task, [0.0, 1.0])?,
            _ => return Ok(false),
        };
        let others = self.texels.texel_count() - transparent - opaque;
        let share = 1.0 - others as f64 / self.texels.texel_count() as f64;
        Ok(transparent > 0 && opaque > 0 && share >= CUT_OUT_SHARE && others <= opaque)
    }
}

/// Returns the numbers of texels with each of two alphas.
fn ends<C: PartialEq>(texels: &[[C; 4]], task: &Task<'_>, alphas: [C; 2]) -> Result<[usize; 2], Cancelled> {
    let mut counts = [0; 2];
    for part in texels.chunks(TEXELS_AT_A_TIME) {
        task.check()?;
        for (count, alpha) in counts.iter_mut().zip(&alphas) {
            *count += part.iter().filter(|texel| texel[3] == *alpha).count();
        }
    }
    Ok(counts)
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
