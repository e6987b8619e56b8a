//! Errors of each encoder's blocks, and its speed. All encoders run in each round, so that ratios are taken
//! within one; slow ones run in the first only.

use super::{Picture, encoders::Encoder};
use crate::measure::{median, pin};
use anyhow::{Context as _, Result};
use brickwork_texture::{
    BlockFormat, ImageView, Task,
    metrics::{HdrMetrics, HdrRange, compare_hdr_blocks},
};
use cpu_time::ThreadTime;

/// Minimum CPU seconds of an encoder in a round.
const ROUND_SECONDS: f64 = 0.3;
/// CPU seconds of a pass over the pictures above which an encoder runs in the first round only.
const SLOW_SECONDS: f64 = 8.0;

/// Errors and speed of one encoder.
pub struct Measured {
    pub name: String,
    /// True for Brickwork's own encoder.
    pub is_own: bool,
    /// Differences of each picture.
    pub metrics: Vec<HdrMetrics>,
    /// Millions of texels per CPU second, by round.
    mpix_s: Vec<f64>,
}

impl Measured {
    /// Returns the mean of a number over the pictures.
    pub fn mean(&self, number: impl Fn(&HdrMetrics) -> f64) -> f64 {
        self.metrics.iter().map(number).sum::<f64>() / self.metrics.len() as f64
    }

    /// Returns the speed as a multiple of another's: median over the rounds of both.
    pub fn speed_against(&self, other: &Self) -> f64 {
        median(self.mpix_s.iter().zip(&other.mpix_s).map(|(a, b)| a / b).collect())
    }
}

/// Measures all encoders on this thread, which it pins to one CPU.
pub fn run(
    pictures: &[Picture],
    is_signed: bool,
    encoders: Vec<Encoder<'_>>,
    rounds: usize,
) -> Result<Vec<Measured>> {
    let mut blocks: Vec<_> = pictures.iter().map(|picture| vec![0; 16 * picture.block_count()]).collect();
    let mut measured = Vec::new();
    // Before the thread is pinned, because the decoder's threads would inherit that.
    for encoder in &encoders {
        eprintln!("quality: {}", encoder.name);
        pass(encoder, &mut blocks).with_context(|| encoder.name.clone())?;
        let metrics =
            pictures.iter().zip(&blocks).map(|(picture, blocks)| compare(picture, is_signed, blocks));
        let metrics = metrics.collect::<Result<_>>()?;
        let Encoder { name, is_own, .. } = encoder;
        measured.push(Measured { name: name.clone(), is_own: *is_own, metrics, mpix_s: Vec::new() });
    }
    pin()?;
    let texels: usize = pictures.iter().map(|picture| picture.texels.len()).sum();
    for round in 0..rounds {
        eprintln!("speed: round {} of {rounds}", round + 1);
        for (encoder, measured) in encoders.iter().zip(&mut measured) {
            let is_slow = round > 0 && texels as f64 / 1e6 / measured.mpix_s[0] > SLOW_SECONDS;
            if is_slow {
                continue;
            }
            let (mut seconds, mut passes) = (0.0, 0);
            while seconds < ROUND_SECONDS {
                seconds += pass(encoder, &mut blocks)?;
                passes += 1;
            }
            measured.mpix_s.push((texels * passes) as f64 / 1e6 / seconds);
        }
    }
    Ok(measured)
}

/// Encodes every picture once. Returns the CPU time of this thread in seconds.
fn pass(encoder: &Encoder<'_>, blocks: &mut [Vec<u8>]) -> Result<f64> {
    let start = ThreadTime::try_now()?;
    for (index, blocks) in blocks.iter_mut().enumerate() {
        (encoder.encode)(index, blocks)?;
    }
    Ok(start.try_elapsed()?.as_secs_f64())
}

fn compare(picture: &Picture, is_signed: bool, blocks: &[u8]) -> Result<HdrMetrics> {
    let (format, range) = match is_signed {
        true => (BlockFormat::Bc6hSfloat, HdrRange::Signed),
        false => (BlockFormat::Bc6hUfloat, HdrRange::Unsigned),
    };
    let image = ImageView::new(&picture.texels, picture.width, picture.height)?;
    Ok(compare_hdr_blocks(&image, format, blocks, range, &Task::new())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hdr::encoders;
    use brickwork_texture::half::f16;

    /// A call with a wrong stride or channel order gives other colours.
    #[test]
    fn every_encoder_gets_the_picture() {
        let texel = |i: u16| [i, 40 * i, 900 - i, 0].map(|n| f16::from_f32(f32::from(n) / 16.0));
        let texels = (0..256).map(|i| texel(i % 16 + i / 64)).collect();
        let pictures = [Picture { name: "ramp".into(), width: 16, height: 16, texels }];
        for is_signed in [false, true] {
            let encoders = encoders::all(&pictures, is_signed).unwrap();
            for measured in run(&pictures, is_signed, encoders, 1).unwrap() {
                let psnr = measured.mean(HdrMetrics::half_psnr);
                // Signed blocks are encoded for another error, that of logarithms.
                let least = if is_signed { 30.0 } else { 40.0 };
                assert!(psnr > least, "{} {psnr}", measured.name);
                assert!(measured.speed_against(&measured) == 1.0);
            }
        }
    }
}
