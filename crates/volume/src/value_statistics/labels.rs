//! Labels of a piece in runs, and the table of all labels of a frame and channel.

use super::{Block, LabelStatistics, Moments, Piece, StatisticsError, numbers::Numbers};
use crate::{Header, Region, Voxel as _, with_voxel_type};
use std::collections::HashMap;

/// Maximum difference from 1 of the determinant of directions that are perpendicular.
const PERPENDICULAR: f64 = 1e-3;

/// Neighbours in a row with one label.
pub struct Run {
    /// Index in [`LocalLabels::labels`].
    pub label: u32,
    /// Index of the first voxel in the piece.
    pub first: usize,
    pub count: usize,
}

/// Labels of a piece, without 0.
#[derive(Default)]
pub struct LocalLabels {
    pub labels: Vec<i128>,
    pub runs: Vec<Run>,
}

impl LocalLabels {
    /// Returns the labels of a piece: those of the block, or its own voxels of `channel`.
    pub fn of(block: &Block<'_>, piece: &Piece, channel: Option<usize>) -> Result<Self, StatisticsError> {
        let (bytes, voxel_type, channels) = match (channel, block.labels) {
            (None, Some((bytes, voxel_type))) => (bytes, voxel_type, 1),
            _ => (block.voxels, block.voxel_type, block.channels),
        };
        let mut found = Found { block, piece, places: HashMap::new(), labels: Self::default() };
        let number_bytes = voxel_type.byte_count();
        let bytes = &bytes[piece.first * channels * number_bytes..][..piece.count * channels * number_bytes];
        let channel = channel.unwrap_or(0);
        with_voxel_type!(voxel_type, T => {
            let numbers = bytes.chunks_exact(size_of::<T>()).skip(channel).step_by(channels);
            let mut numbers = numbers.map(bytemuck::pod_read_unaligned::<T>).enumerate().peekable();
            while let Some((first, number)) = numbers.next() {
                let end = found.row_end(first);
                let mut next = first + 1;
                while next < end && numbers.next_if(|(_, other)| *other == number).is_some() {
                    next += 1;
                }
                let (value, label) = (number.to_f64(), number.to_i128());
                let is_integer = value.is_finite() && value.fract() == 0.0;
                if voxel_type.is_float() && !is_integer {
                    return Err(found.fraction(first, value));
                }
                found.push(label, first, next - first);
            }
        });
        Ok(found.labels)
    }

    /// Returns the voxels of each label, and the moments of the values inside.
    pub fn measured(&self, block: &Block<'_>, piece: &Piece, numbers: Option<&Numbers>) -> Vec<LabelRecord> {
        let mut records: Vec<LabelRecord> =
            self.labels.iter().map(|&label| LabelRecord::new(label)).collect();
        let mut runs: Vec<Vec<&Run>> = vec![Vec::new(); self.labels.len()];
        for run in &self.runs {
            let (x, y, z) = block.dims.position(block.first + piece.first + run.first);
            records[run.label as usize].add([x, y, z], run.count);
            runs[run.label as usize].push(run);
        }
        if let Some(numbers) = numbers {
            for (record, runs) in records.iter_mut().zip(runs) {
                let values = || runs.iter().map(|run| &numbers.values[run.first..run.first + run.count]);
                record.moments = Moments::of_runs(values);
            }
        }
        records
    }

    /// Returns the place of each label in a table.
    pub fn places(&self, table: &LabelTable) -> Vec<Option<usize>> {
        self.labels.iter().map(|label| table.places.get(label).copied()).collect()
    }
}

/// The labels of a piece that were found so far.
struct Found<'a> {
    block: &'a Block<'a>,
    piece: &'a Piece,
    places: HashMap<i128, u32>,
    labels: LocalLabels,
}

impl Found<'_> {
    /// Returns the first voxel of the piece in the row after that of a voxel.
    fn row_end(&self, voxel: usize) -> usize {
        let row = self.block.dims.x;
        let at = self.block.first + self.piece.first + voxel;
        voxel + row - at % row
    }

    fn push(&mut self, label: i128, first: usize, count: usize) {
        if label == 0 {
            return;
        }
        let LocalLabels { labels, runs } = &mut self.labels;
        let last = runs.last().map(|run| run.label).filter(|&last| labels[last as usize] == label);
        let place = last.unwrap_or_else(|| {
            *self.places.entry(label).or_insert_with(|| {
                labels.push(label);
                labels.len() as u32 - 1
            })
        });
        runs.push(Run { label: place, first, count });
    }

    fn fraction(&self, voxel: usize, value: f64) -> StatisticsError {
        let (x, y, z) = self.block.dims.position(self.block.first + self.piece.first + voxel);
        StatisticsError::Fraction { value, at: [x, y, z] }
    }
}

/// Voxels and values of a label.
#[derive(Clone, Debug)]
pub struct LabelRecord {
    label: i128,
    voxel_count: u64,
    bounds: [[usize; 2]; 3],
    sums: [u128; 3],
    pub moments: Moments,
}

impl LabelRecord {
    fn new(label: i128) -> Self {
        let (bounds, moments) = ([[usize::MAX, 0]; 3], Moments::default());
        Self { label, voxel_count: 0, bounds, sums: [0; 3], moments }
    }

    /// Adds `count` voxels along x.
    fn add(&mut self, [x, y, z]: [usize; 3], count: usize) {
        self.voxel_count += count as u64;
        for (bounds, [first, last]) in self.bounds.iter_mut().zip([[x, x + count - 1], [y, y], [z, z]]) {
            *bounds = [bounds[0].min(first), bounds[1].max(last + 1)];
        }
        let n = count as u128;
        self.sums[0] += n * x as u128 + n * (n - 1) / 2;
        self.sums[1] += n * y as u128;
        self.sums[2] += n * z as u128;
    }

    fn merge(&mut self, other: &Self) {
        self.voxel_count += other.voxel_count;
        for axis in 0..3 {
            let ([first, end], [other_first, other_end]) = (self.bounds[axis], other.bounds[axis]);
            self.bounds[axis] = [first.min(other_first), end.max(other_end)];
            self.sums[axis] += other.sums[axis];
        }
        self.moments.merge(&other.moments);
    }

    /// Returns the statistics, without percentiles, and without values if the volume has only labels.
    pub fn statistics(&self, header: &Header, is_own: bool) -> LabelStatistics {
        let spacing = [header.spacing.x, header.spacing.y, header.spacing.z];
        let centroid = self.sums.map(|sum| sum as f64 / self.voxel_count as f64);
        let [x, y, z] = self.bounds.map(|[first, end]| first..end);
        let determinant = determinant(&header.orientation).abs();
        let skew = if (determinant - 1.0).abs() < PERPENDICULAR { 1.0 } else { determinant };
        LabelStatistics {
            label: self.label,
            voxel_count: self.voxel_count,
            volume: self.voxel_count as f64 * spacing.iter().product::<f64>() * skew,
            region: Region { x, y, z },
            centroid,
            position: header.world_position(centroid),
            values: (!is_own).then(|| self.moments.statistics()),
        }
    }
}

fn determinant([a, b, c, d, e, f, g, h, i]: &[f64; 9]) -> f64 {
    a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
}

/// All labels of a frame and channel.
#[derive(Clone, Debug, Default)]
pub struct LabelTable {
    places: HashMap<i128, usize>,
    records: Vec<LabelRecord>,
}

impl LabelTable {
    /// Adds the labels of a piece. Returns the number of new ones.
    pub fn merge(&mut self, found: Vec<LabelRecord>) -> usize {
        let before = self.records.len();
        for record in found {
            match self.places.get(&record.label) {
                Some(&place) => self.records[place].merge(&record),
                None => {
                    self.places.insert(record.label, self.records.len());
                    self.records.push(record);
                }
            }
        }
        self.records.len() - before
    }

    /// Sorts the labels.
    pub fn sort(&mut self) {
        self.records.sort_unstable_by_key(|record| record.label);
        self.places = self.records.iter().enumerate().map(|(place, record)| (record.label, place)).collect();
    }

    pub fn records(&self) -> &[LabelRecord] {
        &self.records
    }
}
