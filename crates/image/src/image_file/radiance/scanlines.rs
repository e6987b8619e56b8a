//! Scanlines: plain, or in runs of the old or the new encoding.

use super::super::fault::ScanlineFault;
use std::io::{self, BufRead};

/// A fault of a scanline, or of the reader.
pub(super) enum Fault {
    Scanline(ScanlineFault),
    Io(io::Error),
}

impl From<ScanlineFault> for Fault {
    fn from(fault: ScanlineFault) -> Self {
        Self::Scanline(fault)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Lengths of scanlines that may have the new encoding.
const NEW_LENGTHS: std::ops::Range<usize> = 8..0x8000;

/// Reads a scanline.
pub(super) fn read(source: &mut impl BufRead, line: &mut [[u8; 4]]) -> Result<(), Fault> {
    let first = next(source)?;
    let [a, b, high, low] = first;
    if [a, b] != [2, 2] || high & 0x80 != 0 || !NEW_LENGTHS.contains(&line.len()) {
        return old(source, first, line);
    }
    let stated = usize::from(high) << 8 | usize::from(low);
    if stated != line.len() {
        return Err(ScanlineFault::Length { texels: line.len(), stated }.into());
    }
    (0..4).try_for_each(|channel| new(source, channel, line))
}

fn next<const N: usize>(source: &mut impl BufRead) -> Result<[u8; N], Fault> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads one channel in the new encoding. A byte above 128 starts a run, 1 to 128 that many literal bytes.
fn new(source: &mut impl BufRead, channel: usize, line: &mut [[u8; 4]]) -> Result<(), Fault> {
    let mut x = 0;
    while x < line.len() {
        let [code] = next(source)?;
        let is_run = code > 128;
        let length = usize::from(if is_run { code - 128 } else { code });
        if length == 0 || length > line.len() - x {
            return Err(ScanlineFault::Run { length, at: x }.into());
        }
        let texels = &mut line[x..x + length];
        if is_run {
            let [value] = next(source)?;
            texels.iter_mut().for_each(|texel| texel[channel] = value);
        } else {
            let mut values = [0; 128];
            source.read_exact(&mut values[..length])?;
            texels.iter_mut().zip(values).for_each(|(texel, value)| texel[channel] = value);
        }
        x += length;
    }
    Ok(())
}

/// Reads texels in the old encoding: 1, 1, 1, n repeats the texel before n times. Such runs in succession are
/// the bytes of one count, the lowest first.
fn old(source: &mut impl BufRead, first: [u8; 4], line: &mut [[u8; 4]]) -> Result<(), Fault> {
    let (mut x, mut shift) = (0usize, 0);
    let mut texel = first;
    loop {
        if let [1, 1, 1, count] = texel {
            let length = if shift < 32 { usize::from(count) << shift } else { usize::MAX };
            let Some(previous) = x.checked_sub(1).map(|before| line[before]) else {
                return Err(ScanlineFault::StartsWithRun.into());
            };
            if length > line.len() - x {
                return Err(ScanlineFault::Run { length, at: x }.into());
            }
            line[x..x + length].fill(previous);
            x += length;
            shift += 8;
        } else {
            line[x] = texel;
            x += 1;
            shift = 0;
        }
        if x == line.len() {
            return Ok(());
        }
        texel = next(source)?;
    }
}
