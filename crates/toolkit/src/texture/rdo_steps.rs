//! Steps of λ that searches try, and the size that is compared with a target.

use super::TextureOptions;
use brickwork_base::Task;
use brickwork_texture::{
    RdoLambda, Texture,
    container::{ContainerError, ContainerFormat},
};
use flate2::{Compression, write::DeflateEncoder};
use std::io::{self, Write};

/// Steps of λ from 0 to its maximum. λ grows with the square of the step: at 1, steps are 0.16 apart, and at
/// 10, half a unit.
pub(super) const STEPS: u32 = 128;

/// Share of a size by which a prediction stays below it.
pub(super) const MARGIN: f64 = 0.02;

/// Returns λ of a step.
pub(super) fn lambda_of(step: u32) -> RdoLambda {
    let share = step as f32 / STEPS as f32;
    RdoLambda::new(RdoLambda::MAX * share * share).unwrap_or_default()
}

/// Returns the size of [`RdoTarget::Bytes`](super::RdoTarget::Bytes), and its compression.
pub(super) fn size_of(
    texture: &Texture,
    options: &TextureOptions,
    task: &Task<'_>,
) -> Result<(u64, &'static str), ContainerError> {
    let mut counter = Counter(0);
    if options.zstd.is_some() {
        let write = options.write_options();
        texture.write(&mut counter, ContainerFormat::Ktx2, &write, &task.without_progress())?;
        return Ok((counter.0, "zstd"));
    }
    let mut deflate = DeflateEncoder::new(&mut counter, Compression::default());
    deflate.write_all(texture.data()).and_then(|()| deflate.try_finish()).map_err(ContainerError::Io)?;
    drop(deflate);
    Ok((counter.0, "deflate"))
}

/// A writer that only counts the bytes.
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_lambda_rise_from_0_to_the_maximum() {
        let all: Vec<_> = (0..=STEPS).map(lambda_of).collect();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(all[0].is_off() && all[STEPS as usize].get() == RdoLambda::MAX);
    }
}
