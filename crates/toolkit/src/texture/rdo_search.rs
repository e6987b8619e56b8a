//! Search for the λ of rate–distortion optimisation that reaches a target.

use super::{
    Measured, OptionsError, PsnrScope, RdoSearch, RdoTarget, RdoTargetError, TextureJobError, TextureOptions,
    rdo_sample::Sample,
    rdo_steps::{MARGIN, STEPS, lambda_of, size_of},
};
use brickwork_base::Task;
use brickwork_texture::{RdoLambda, Texture};

/// Share of a size from which a texture is close enough to it.
const CLOSE: f64 = 0.93;

/// Maximum number of encodings at predicted steps.
const PREDICTED: u32 = 3;

/// One encoding.
pub(super) struct Attempt {
    pub texture: Texture,
    pub measured: Measured,
}

/// An encoding with its λ, PSNR and size.
struct Tried {
    attempt: Attempt,
    lambda: RdoLambda,
    psnr: f64,
    bytes: u64,
    compression: &'static str,
}

/// Searches for λ. `encode` encodes with a λ, and measures the error; if it is given the texture without
/// optimisation, it uses its blocks. `sample` returns a sample that predicts sizes; none for a small texture.
/// `name` is the name of the first input.
///
/// # Errors
/// The error of `encode`, or [`OptionsError::Target`] if no λ reaches the target.
pub(super) fn search<'s>(
    target: RdoTarget,
    options: &TextureOptions,
    name: &str,
    mut encode: impl FnMut(RdoLambda, Option<&Texture>) -> Result<Attempt, TextureJobError>,
    sample: impl FnOnce() -> Result<Option<Sample<'s>>, TextureJobError>,
    task: &Task<'_>,
) -> Result<(Attempt, RdoSearch), TextureJobError> {
    let mut encodings = 0;
    let mut attempt = |step: u32, base: Option<&Texture>| -> Result<Tried, TextureJobError> {
        let lambda = lambda_of(step);
        let attempt = encode(lambda, base)?;
        encodings += 1;
        let sized = size_of(&attempt.texture, options, task);
        let (bytes, compression) =
            sized.map_err(|error| TextureJobError::Write { output: name.to_owned(), error })?;
        Ok(Tried { psnr: psnr_of(&attempt.texture, &attempt.measured), attempt, lambda, bytes, compression })
    };
    let missed = |error| {
        let error = OptionsError::Target(error);
        Err(TextureJobError::Options { file: name.to_owned(), error })
    };
    let first = attempt(0, None)?;
    let without = first.bytes;
    let max_bytes = match target {
        RdoTarget::Psnr(_) => None,
        RdoTarget::Bytes(bytes) => Some(bytes),
        RdoTarget::Share(share) => Some((without as f64 * share) as u64),
    };
    let is_reached = |tried: &Tried| match target {
        RdoTarget::Psnr(psnr) => tried.psnr >= psnr,
        RdoTarget::Bytes(_) | RdoTarget::Share(_) => tried.bytes <= max_bytes.unwrap_or(0),
    };
    let is_first = is_reached(&first);
    let best = match target {
        RdoTarget::Psnr(psnr) if !is_first => {
            return missed(RdoTargetError::Psnr { psnr: first.psnr, target: psnr });
        }
        RdoTarget::Bytes(_) | RdoTarget::Share(_) if is_first => first,
        RdoTarget::Psnr(_) => {
            let base = first.attempt.texture.clone();
            let mut attempt = |step| attempt(step, Some(&base));
            match attempt(STEPS)? {
                last if is_reached(&last) => last,
                // A PSNR is reached by the steps up to the largest one that is searched for.
                _ => bisect(first, 0, &mut attempt, is_reached, true)?,
            }
        }
        RdoTarget::Bytes(_) | RdoTarget::Share(_) => {
            let base = first.attempt.texture;
            let mut attempt = |step| attempt(step, Some(&base));
            let target = max_bytes.unwrap_or(0);
            // The largest step that was tried, and its size.
            let mut low = (0, without);
            let predicted = match sample()? {
                Some(mut sample) => {
                    let sizes = [without, target];
                    predict(sizes, &mut low, &mut sample, &mut attempt, task)?
                }
                None => None,
            };
            match predicted {
                Some(best) => best,
                None => {
                    let last = if low.0 < STEPS { Some(attempt(STEPS)?) } else { None };
                    let least = last.as_ref().map_or(low.1, |last| last.bytes);
                    match last.filter(is_reached) {
                        Some(last) => bisect(last, low.0, &mut attempt, is_reached, false)?,
                        None => return missed(RdoTargetError::Bytes { least, target, without }),
                    }
                }
            }
        }
    };
    let Tried { attempt, lambda, psnr, bytes, compression } = best;
    Ok((attempt, RdoSearch { target, lambda, psnr, bytes, max_bytes, compression, encodings }))
}

/// Returns an attempt of at most `target` bytes, at a step that a sample predicts; none if the first ones are
/// larger. `low` becomes the largest of these steps, with its size. After a wrong prediction, the next one is
/// corrected.
fn predict(
    [without, target]: [u64; 2],
    low: &mut (u32, u64),
    sample: &mut Sample<'_>,
    attempt: &mut impl FnMut(u32) -> Result<Tried, TextureJobError>,
    task: &Task<'_>,
) -> Result<Option<Tried>, TextureJobError> {
    let (mut high, mut best, mut correction) = (STEPS, None, 1.0);
    for _ in 0..PREDICTED {
        let ratio = target as f64 * (1.0 - MARGIN) / (without as f64 * correction);
        let step = sample.step_of(ratio, (low.0, high), task)?;
        let tried = attempt(step)?;
        correction = tried.bytes as f64 / (without as f64 * sample.ratio(step, task)?);
        let is_close = tried.bytes as f64 >= CLOSE * target as f64;
        if tried.bytes <= target {
            best = Some(tried);
            // The next step is a smaller one.
            high = step.saturating_sub(1);
        } else {
            *low = (step, tried.bytes);
        }
        if best.is_some() && is_close || high <= low.0 {
            break;
        }
    }
    Ok(best)
}

/// Returns the attempt at the largest step that reaches a target (`is_largest`), or at the smallest. `best`
/// reaches it, at the first or last step; the step at the other end, `low` or the last, does not. Error and
/// size need not be monotonic, but the result always reaches the target.
fn bisect(
    mut best: Tried,
    mut low: u32,
    attempt: &mut impl FnMut(u32) -> Result<Tried, TextureJobError>,
    is_reached: impl Fn(&Tried) -> bool,
    is_largest: bool,
) -> Result<Tried, TextureJobError> {
    let mut high = STEPS;
    while high - low > 1 {
        let middle = low.midpoint(high);
        let tried = attempt(middle)?;
        let reached = is_reached(&tried);
        if reached == is_largest {
            low = middle;
        } else {
            high = middle;
        }
        if reached {
            best = tried;
        }
    }
    Ok(best)
}

/// Returns the PSNR of [`RdoTarget::Psnr`].
pub(super) fn psnr_of(texture: &Texture, measured: &Measured) -> f64 {
    let (desc, Some(all)) = (texture.desc(), &measured.metrics) else { return f64::INFINITY };
    let colors = match &measured.visible_metrics {
        Some(visible) if visible.texel_count == 0 => f64::INFINITY,
        Some(visible) => visible.psnr_rgb(),
        None => all.psnr_colors(desc.format),
    };
    PsnrScope::of(desc, 0).psnr(colors, all.psnr_channel(3))
}
