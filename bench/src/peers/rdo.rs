//! Encoders with rate–distortion optimisation, for their curves.

#[cfg(bc7enc_rdo)]
use super::bc7enc_rdo;
pub use super::optimizer::Optimizer;
use crate::picture::Picture;
use anyhow::{Context, Result};
use brickwork_texture::{BlockFormat, CpuEncoder, EncodeOptions, ImageView, Quality, RdoLambda, Task};
use cpu_time::ThreadTime;
use std::num::NonZeroUsize;

/// Returns Brickwork, and the peers that are linked, once for each of the `windows`: the numbers of bytes
/// that they look back over.
pub fn optimizers<'a>(
    format: BlockFormat,
    pictures: &'a [Picture],
    windows: &[u32],
) -> Result<Vec<Optimizer<'a>>> {
    let peers = peers(format, pictures, windows)?;
    Ok([brickwork(format, pictures)].into_iter().chain(peers).collect())
}

#[cfg(bc7enc_rdo)]
use bc7enc_rdo::optimizers as peers;

#[cfg(not(bc7enc_rdo))]
fn peers<'a>(_: BlockFormat, _: &'a [Picture], _: &[u32]) -> Result<Vec<Optimizer<'a>>> {
    Ok(Vec::new())
}

/// Returns a line that names the peers, or states why one is missing.
pub fn availability() -> String {
    #[cfg(bc7enc_rdo)]
    let peer = bc7enc_rdo::NAME;
    #[cfg(not(bc7enc_rdo))]
    let peer = "none: bc7enc_rdo is not available, as BRICKWORK_BC7ENC_RDO was not set at build time";
    format!("Peers: {peer}")
}

/// Returns Brickwork at quality normal.
fn brickwork(format: BlockFormat, pictures: &[Picture]) -> Optimizer<'_> {
    let encoder = CpuEncoder::new().with_threads(NonZeroUsize::MIN);
    let encode = Box::new(move |index: usize, lambda: f32, blocks: &mut [u8]| -> Result<f64> {
        let picture = &pictures[index];
        let image = ImageView::new(&picture.texels, picture.width, picture.height)?;
        let rdo = RdoLambda::new(lambda).context("λ is out of range")?;
        let options = EncodeOptions::default().with(|o| {
            o.quality = Quality::Normal;
            o.rdo = rdo;
        });
        let start = ThreadTime::try_now()?;
        encoder.encode_into(&image, format, &options, blocks, &Task::new())?;
        Ok(start.try_elapsed()?.as_secs_f64())
    });
    let lambdas: &[f32] = match format {
        BlockFormat::Bc1 | BlockFormat::Bc3 => &[1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0, 64.0],
        BlockFormat::Bc7 => &[0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0],
        _ => &[0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0],
    };
    Optimizer { name: "Brickwork normal".to_owned(), is_ours: true, lambdas, encode }
}
