//! Table 2, and the corresponding measurements: sizes of volumes and their entropies.

use super::{BrickStatistics, PAPER};
use crate::measure::{
    BenchError, BricksFigures, Guthe2016Figures, PublishedSize, SizeFigures, SizeTable, Text, sha256, shown,
};
use brickwork_volume::{
    BrickSize, BwvOptions, ByteOrder, Header, Profile, Region, Statistics, Task, VolumeFile, VolumeView,
    VolumeWriteError, Voxel, encode_seekable,
    guthe2016::{Compressed, Transform},
    with_voxel_type,
};
use std::{fmt, io::Cursor};

/// Returns the table without measurements.
pub fn table() -> SizeTable {
    let title = "bits per voxel, in parentheses without offsets or index, and order-0 entropies";
    SizeTable { paper: PAPER, number: 2, title, published: published(), measured: Vec::new() }
}

/// Returns the paper's figures.
fn published() -> Vec<PublishedSize> {
    [
        ("Carp", 5.48, 5.08, 6.88, false),
        ("Bunny", 5.66, 5.25, 6.55, false),
        ("Porsche (8 bits per voxel)", 1.48, 1.09, 2.79, false),
        ("Christmas Present", 6.02, 5.60, 5.33, false),
        ("Christmas Present, noise removed", 1.61, 1.25, 1.46, true),
        ("Christmas Tree", 4.77, 4.34, 4.95, false),
        ("Christmas Tree, noise removed", 4.11, 3.70, 3.24, false),
        ("Stag Beetle", 0.70, 0.40, 0.66, true),
        ("Visible Human (32 bits per voxel)", 13.15, 12.64, 22.86, false),
        ("Visible Human, clipped", 11.08, 10.56, 20.17, false),
    ]
    .map(|(name, bits_per_voxel, without_offsets, entropy, second_level)| PublishedSize {
        name,
        bits_per_voxel,
        without_offsets,
        entropy,
        second_level,
    })
    .into()
}

/// Returns the sizes of a volume, and its file with bricks of 4³.
///
/// # Errors
/// [`BenchError`] if the volume cannot be measured.
pub fn measure(name: String, header: &Header, bytes: &[u8]) -> Result<(SizeFigures, Vec<u8>), BenchError> {
    if header.channels > 1 || header.frames > 1 || header.voxel_type.word_count() > 1 {
        return Err(BenchError::Voxels);
    }
    let voxel_count = header.dims.voxel_count().map_err(VolumeWriteError::from)?;
    let bits = |bytes: u64| 8.0 * bytes as f64 / voxel_count as f64;
    let encode = |brick: BrickSize| {
        let file = file_of(&header.clone().with(|header| header.brick = brick), bytes)?;
        let statistics = Statistics::of(&VolumeFile::new(file.as_slice())?, &Task::new())?;
        Ok::<_, BenchError>((file, statistics))
    };
    let ours = |file: &[u8], statistics: &Statistics| BricksFigures {
        bits_per_voxel: bits(file.len() as u64),
        without_index: bits(statistics.brick_bytes + statistics.superblock_bytes),
        residual_entropy: statistics.residual_entropy,
        sha256: sha256(file),
    };
    let (eight, eight_statistics) = encode(BrickSize::Eight)?;
    let bricks_8 = ours(&eight, &eight_statistics);
    drop(eight);
    let (four, statistics) = encode(BrickSize::Four)?;
    let hash = |second_level| hash_of_profile(header, bytes, second_level);
    let row = SizeFigures {
        name,
        dims: [header.dims.x, header.dims.y, header.dims.z],
        voxel_type: header.voxel_type.name(),
        entropy: statistics.value_entropy,
        bricks_4: ours(&four, &statistics),
        bricks_8,
        guthe2016: with_voxel_type!(header.voxel_type, T => as_printed::<T>(&four, bits, &hash))?,
    };
    Ok((row, four))
}

/// Returns the `.bwv` file of these voxels.
fn file_of(header: &Header, bytes: &[u8]) -> Result<Vec<u8>, BenchError> {
    let (source, options, mut file) = (Cursor::new(bytes), BwvOptions::default(), Vec::new());
    encode_seekable(source, ByteOrder::Little, header, &options, &mut file, &Task::new())?;
    Ok(file)
}

/// Returns the SHA-256 of the `.bwv` file by the paper's scheme.
fn hash_of_profile(header: &Header, bytes: &[u8], second_level: bool) -> Result<String, BenchError> {
    let header = header.clone().with(|header| {
        (header.profile, header.brick) = (Profile::Guthe2016 { second_level }, BrickSize::Four);
    });
    Ok(sha256(&file_of(&header, bytes)?))
}

/// Measures the paper's scheme on the voxels of a `.bwv` file. `hash` returns the hash of the file by that
/// scheme, with a second level of offsets or without.
fn as_printed<T: Voxel>(
    file: &[u8],
    bits: impl Fn(u64) -> f64,
    hash: &dyn Fn(bool) -> Result<String, BenchError>,
) -> Result<Guthe2016Figures, BenchError> {
    let file = VolumeFile::new(file)?;
    let voxels: Vec<T> = file.read(&Region::all(file.dims()), &Task::new())?;
    let view = VolumeView::new(&voxels, file.dims()).map_err(VolumeWriteError::from)?;
    let two = Compressed::encode(view, true, &Task::new())?;
    let second_level_bits_per_voxel = bits(two.payload_bytes() + two.offset_bytes());
    drop(two);
    let one = Compressed::encode(view, false, &Task::new())?;
    let counts = BrickStatistics::of(&one, &Task::new())?;
    let share = |count: u64| count as f64 / counts.bricks as f64;
    let transform = |transform: Transform| share(counts.transforms[transform as usize]);
    Ok(Guthe2016Figures {
        bits_per_voxel: bits(one.payload_bytes() + one.offset_bytes()),
        without_offsets: bits(one.payload_bytes()),
        second_level_bits_per_voxel,
        residual_entropy: counts.residual_entropy,
        constant: share(counts.constant),
        duplicate: share(counts.duplicate),
        subtract_min: transform(Transform::SubtractMin),
        subtract_max: transform(Transform::SubtractMax),
        gradient: transform(Transform::Gradient),
        haar: transform(Transform::Haar),
        sha256: hash(false)?,
        second_level_sha256: hash(true)?,
    })
}

/// The width of names.
const NAMES: usize = 38;

impl fmt::Display for Text<'_, SizeTable> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, table {}: {}", self.0.paper, self.0.number, self.0.title)?;
        writeln!(f, "  {:<NAMES$} {:>15} {:>10}", "the paper's volumes", "", "of voxels")?;
        for row in &self.0.published {
            let size = format!("{:.2} ({:.2})", row.bits_per_voxel, row.without_offsets);
            let mark = if row.second_level { "  with the second level of offsets" } else { "" };
            writeln!(f, "  {:<NAMES$} {size:>15} {:>10.2}{mark}", row.name, row.entropy)?;
        }
        let hash = "SHA-256";
        writeln!(f, "  {:<NAMES$} {:>15} {:>10} {:>13}  {hash}", "here", "", "of voxels", "of residuals")?;
        self.0.measured.iter().try_for_each(|row| write!(f, "{}", Text(row)))
    }
}

impl fmt::Display for Text<'_, SizeFigures> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0.dims;
        let entropy = |bits: Option<f64>| bits.map_or("–".to_owned(), |bits| format!("{bits:.3}"));
        writeln!(f, "  {}  {x}×{y}×{z} {}", self.0.name, self.0.voxel_type)?;
        let mut line = |name: &str, [bits, without]: [f64; 2], residuals: Option<f64>, hash: &str| {
            let size = format!("{bits:.3} ({without:.3})");
            let (raw, residuals) = (entropy(self.0.entropy), entropy(residuals));
            writeln!(f, "    {name:<36} {size:>15} {raw:>10} {residuals:>13}  {}", shown(hash))
        };
        let paper = &self.0.guthe2016;
        let sizes = [paper.bits_per_voxel, paper.without_offsets];
        line("the paper's scheme", sizes, paper.residual_entropy, &paper.sha256)?;
        let sizes = [paper.second_level_bits_per_voxel, paper.without_offsets];
        let (name, hash) = ("… with the second level of offsets", &paper.second_level_sha256);
        line(name, sizes, paper.residual_entropy, hash)?;
        for (name, ours) in
            [(".bwv, bricks of 4×4×4", &self.0.bricks_4), (".bwv, bricks of 8×8×8", &self.0.bricks_8)]
        {
            line(name, [ours.bits_per_voxel, ours.without_index], ours.residual_entropy, &ours.sha256)?;
        }
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        writeln!(
            f,
            "    the paper's bricks: {} constant, {} less the minimum, {} less the maximum, {} gradient, \
             {} Haar",
            percent(paper.constant),
            percent(paper.subtract_min),
            percent(paper.subtract_max),
            percent(paper.gradient),
            percent(paper.haar)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{super::sources::made, *};

    #[test]
    fn the_made_volume_is_measured() {
        let (header, bytes) = made();
        let (row, _) = measure("made".to_owned(), &header, &bytes).expect("a volume");
        let paper = &row.guthe2016;
        let shares = [paper.constant, paper.subtract_min, paper.subtract_max, paper.gradient, paper.haar];
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(paper.constant > 0.0 && paper.gradient > 0.0);
        let entropy = row.entropy.expect("16 bits");
        let residual = |entropy: Option<f64>| entropy.expect("16 bits");
        // Prediction helps, and no coder of groups of eight gets much below the residual entropy.
        assert!(residual(row.bricks_4.residual_entropy) < residual(paper.residual_entropy));
        assert!(residual(paper.residual_entropy) < entropy);
        assert!(row.bricks_8.bits_per_voxel < row.bricks_4.bits_per_voxel);
        assert!(row.bricks_4.bits_per_voxel < paper.bits_per_voxel);
        assert!(row.bricks_4.without_index < row.bricks_4.bits_per_voxel);
        assert!(paper.without_offsets < paper.bits_per_voxel);
    }
}
