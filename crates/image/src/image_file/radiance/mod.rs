//! Radiance pictures (`.hdr`): texels of a shared exponent, RGBE or XYZE.
//!
//! Layout: lines of text (`#?RADIANCE`, then `NAME=value`), an empty line, the resolution line, scanlines.
//! Numbers are divided by all EXPOSURE values, as the format demands. A mantissa m and an exponent e are
//! m · 2^(e − 136), as in most other readers; Radiance itself adds half a step to m.
//!
//! Source: G. Ward, "Radiance File Formats", and the description of the format in Radiance's manual.

mod header;
mod scanlines;

use super::{
    budget::{Budget, Layout},
    decoded::Decoded,
    failure::Failure,
    fault::ImageFault,
    halves::{Float, Halves},
    tracked_reader::TrackedReader,
};
use crate::ColorSpace;
use half::f16;
use header::Header;
use scanlines::Fault;

/// Maximum number of texels per byte of the file: runs of the old encoding may be longer.
const RATIO: u64 = 1 << 12;

pub(super) fn decode(
    mut source: TrackedReader<'_>,
    keeps_singles: bool,
    budget: &Budget<'_>,
) -> Result<Decoded, Failure> {
    let header = Header::read(&mut source)?;
    let [length, _] = header.stored_size;
    let layout = if keeps_singles { Layout::RgbF32 } else { Layout::RgbF16 };
    let bytes = budget.texel_bytes(header.stored_size, layout, u64::from(length) * 4)?;
    budget.check_plausible(header.stored_size, bytes, bytes, RATIO)?;
    let mut halves = Halves::default();
    let texels = budget.texels(header.stored_size, layout, |bytes| match keeps_singles {
        true => read_texels::<f32>(&mut source, &header, bytemuck::cast_slice_mut(bytes), &mut halves),
        false => read_texels::<f16>(&mut source, &header, bytemuck::cast_slice_mut(bytes), &mut halves),
    })?;
    let color = (ColorSpace::Linear, "HDR is linear".to_owned());
    let mut decoded = Decoded::new(header.stored_size, texels, false, header.orientation, color);
    decoded.halves = halves;
    let mut notes = header.notes;
    notes.extend(decoded.convert(&header.primaries));
    Ok(Decoded { notes, ..decoded })
}

/// Reads all scanlines.
fn read_texels<C: Float>(
    source: &mut TrackedReader<'_>,
    header: &Header,
    texels: &mut [[C; 3]],
    halves: &mut Halves,
) -> Result<(), Failure> {
    let ([length, count], scale) = (header.stored_size, header.scale);
    let mut line = vec![[0u8; 4]; length as usize];
    for (y, row) in texels.chunks_exact_mut(length as usize).enumerate() {
        scanlines::read(source, &mut line).map_err(|fault| match fault {
            Fault::Scanline(fault) => Failure::Malformed(ImageFault::Scanline { index: y, count, fault }),
            Fault::Io(error) => Failure::Io(error),
        })?;
        for (texel, stored) in row.iter_mut().zip(&line) {
            let color = light(*stored);
            *texel = [0, 1, 2].map(|c| C::of_single((f64::from(color[c]) * scale[c]) as f32, halves));
        }
    }
    Ok(())
}

/// Returns the three numbers of a texel.
fn light([r, g, b, exponent]: [u8; 4]) -> [f32; 3] {
    if exponent == 0 {
        return [0.0; 3];
    }
    // 2^(e - 136) is a single as small as 2^-135, which is exact with the mantissa: it has at most 8 bits.
    let scale = 2f64.powi(i32::from(exponent) - 136);
    [r, g, b].map(|mantissa| (f64::from(mantissa) * scale) as f32)
}

#[cfg(test)]
mod tests;
