//! Copies of a volume side by side, of any size: to see how much memory a large volume takes.

use anyhow::{Context as _, Result, bail, ensure};
use brickwork_volume::Dims;
use std::io::Write;

/// Returns the dims of `across`×`across` copies of a volume of `one_bytes` bytes side by side, and along z
/// the number of copies that `byte_count` allows, the last one cut off.
pub fn dims(one: Dims, one_bytes: usize, across: usize, byte_count: u64) -> Result<Dims> {
    ensure!(across > 0, "no copies at all");
    let side = |side: usize| side.checked_mul(across).context("more copies than this machine can address");
    let mut dims = Dims::new(side(one.x)?, side(one.y)?, 1);
    let voxel_bytes = one_bytes / one.voxel_count()?;
    let slice = dims.byte_count(voxel_bytes)? as u64;
    dims.z = usize::try_from(byte_count / slice)?;
    ensure!(dims.z > 0, "one slice takes {slice} bytes already");
    Ok(dims)
}

/// Writes the raw voxels of a volume of `tiled`, made of copies of one whose bytes and dims are given.
pub fn write(bytes: &[u8], one: Dims, tiled: Dims, mut sink: impl Write) -> Result<()> {
    let row_bytes = bytes.len() / (one.y * one.z);
    let mut slice = Vec::with_capacity(row_bytes * (tiled.x / one.x) * tiled.y);
    for z in 0..tiled.z {
        slice.clear();
        let rows = bytes.chunks_exact(row_bytes).skip(z % one.z * one.y).take(one.y);
        for row in rows {
            for _ in 0..tiled.x / one.x {
                slice.extend_from_slice(row);
            }
        }
        for _ in 0..tiled.y / one.y {
            sink.write_all(&slice)?;
        }
    }
    Ok(sink.flush()?)
}

/// Parses a number of bytes: `20GiB`, `500 MB`, `4096`.
pub fn parse_bytes(text: &str) -> Result<u64> {
    const UNITS: [(&str, u64); 10] = [
        ("", 1),
        ("B", 1),
        ("kB", 1000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
    ];
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let Some((_, factor)) = UNITS.iter().find(|(name, _)| *name == unit.trim()) else {
        bail!("no unit {:?}: B, kB, MB, GB, TB, KiB, MiB, GiB or TiB", unit.trim());
    };
    let number: u64 = number.parse().context("a count of bytes starts with a whole number")?;
    number.checked_mul(*factor).context("more bytes than 64 bits can count")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_parsed() {
        let parse = |text| parse_bytes(text).ok();
        assert_eq!(parse("20GiB"), Some(21_474_836_480));
        assert_eq!(parse("4096"), Some(4096));
        assert_eq!(parse("500 MB"), Some(500_000_000));
        assert_eq!([parse("GiB"), parse("1.5GiB"), parse("20 gib"), parse("-1"), parse("")], [None; 5]);
        assert_eq!([parse("16777216TiB"), parse("18446744073709551615")], [None, Some(u64::MAX)]);
    }

    #[test]
    fn every_voxel_is_one_of_the_volumes() {
        // Two bytes per voxel.
        let one = Dims::new(3, 2, 4);
        let bytes: Vec<u8> = (0..48).collect();
        let tiled = Dims::new(9, 6, 6);
        let mut out = Vec::new();
        write(&bytes, one, tiled, &mut out).unwrap();
        assert_eq!(out.len(), 2 * 9 * 6 * 6);
        for (i, voxel) in out.chunks_exact(2).enumerate() {
            let (x, y, z) = (i % 9, i / 9 % 6, i / 54);
            let start = 2 * one.index(x % 3, y % 2, z % 4);
            assert_eq!(voxel, &bytes[start..start + 2], "{x},{y},{z}");
        }
    }

    #[test]
    fn as_many_slices_as_fit() {
        let dims = |across, byte_count| dims(Dims::cube(64), 4 << 18, across, byte_count);
        // Slices of 128×128 voxels of four bytes: 65,536.
        assert_eq!(dims(2, 65_536 * 9 + 65_535).unwrap(), Dims::new(128, 128, 9));
        assert!(dims(2, 65_535).is_err());
        assert!(dims(0, 65_535).is_err());
        assert!(dims(usize::MAX / 8, 65_535).is_err());
    }
}
