//! Numbers of a piece as values, and as keys that have the order of the values.

use super::{Block, Moments, Piece};
use crate::{Header, Rescale, Rescaling, Voxel, VoxelType, with_voxel_type};

/// Conversion of the stored numbers of a frame to values.
#[derive(Clone, Debug)]
pub enum Scale<'a> {
    /// One line for all slices.
    Uniform(Rescale),
    /// A line for each slice of a frame.
    BySlice(&'a Rescaling, usize),
}

impl<'a> Scale<'a> {
    /// Returns the conversion of a frame.
    pub fn of_frame(header: &Header, rescaling: Option<&'a Rescaling>, frame: usize) -> Self {
        let first = rescaling.map_or(Rescale::IDENTITY, |rescaling| rescaling.at(frame, 0));
        match rescaling {
            Some(rescaling) if (0..header.dims.z).any(|z| rescaling.at(frame, z) != first) => {
                Self::BySlice(rescaling, frame)
            }
            _ => Self::Uniform(first),
        }
    }

    /// True if the stored numbers are few integers: the count of each says everything.
    pub const fn is_narrow(&self, header: &Header) -> bool {
        matches!(self, Self::Uniform(_))
            && header.voxel_type.bit_count() <= 16
            && !header.voxel_type.is_float()
    }

    /// Returns the line of all slices.
    pub const fn line(&self) -> Rescale {
        match self {
            Self::Uniform(line) => *line,
            Self::BySlice(..) => Rescale::IDENTITY,
        }
    }

    fn at(&self, z: usize) -> Rescale {
        match self {
            Self::Uniform(line) => *line,
            Self::BySlice(rescaling, frame) => rescaling.at(*frame, z),
        }
    }

    /// True if larger keys have smaller values.
    pub fn is_reversed(&self) -> bool {
        matches!(self, Self::Uniform(line) if line.slope < 0.0)
    }

    /// Returns the number of bits of a key.
    pub const fn key_bits(&self, header: &Header) -> u32 {
        match self {
            Self::Uniform(_) => header.voxel_type.bit_count(),
            Self::BySlice(..) => 64,
        }
    }

    /// Returns the value of a key.
    pub fn value(&self, voxel_type: VoxelType, key: u64) -> f64 {
        match self {
            Self::Uniform(line) => line.of(number(voxel_type, key)),
            Self::BySlice(..) => f64::from_ordinal(key),
        }
    }
}

/// Returns the number with an ordinal.
pub fn number(voxel_type: VoxelType, ordinal: u64) -> f64 {
    with_voxel_type!(voxel_type, T => T::from_ordinal(ordinal).to_f64())
}

/// Numbers of a channel of a piece.
pub struct Numbers {
    /// The values.
    pub values: Vec<f64>,
    /// Ordinals of the stored numbers, or, if slices have different lines, of the values.
    pub keys: Vec<u64>,
}

impl Numbers {
    pub fn of(block: &Block<'_>, piece: &Piece, channel: usize, scale: &Scale<'_>) -> Self {
        let (mut values, mut keys) = (Vec::with_capacity(piece.count), Vec::with_capacity(piece.count));
        let voxel_bytes = block.channels * block.voxel_type.byte_count();
        let bytes = &block.voxels[piece.first * voxel_bytes..][..piece.count * voxel_bytes];
        with_voxel_type!(block.voxel_type, T => {
            let numbers = bytes.chunks_exact(size_of::<T>()).skip(channel).step_by(block.channels);
            for number in numbers.map(bytemuck::pod_read_unaligned::<T>) {
                values.push(number.to_f64());
                keys.push(number.to_ordinal());
            }
        });
        match scale {
            Scale::Uniform(line) if *line == Rescale::IDENTITY => {}
            Scale::Uniform(line) => values.iter_mut().for_each(|value| *value = line.of(*value)),
            Scale::BySlice(..) => {
                let (first, slice) = (block.first + piece.first, block.dims.x * block.dims.y);
                let mut done = 0;
                while done < piece.count {
                    let z = (first + done) / slice;
                    let end = piece.count.min((z + 1) * slice - first);
                    let line = scale.at(z);
                    for (value, key) in values[done..end].iter_mut().zip(&mut keys[done..end]) {
                        *value = line.of(*value);
                        *key = value.to_ordinal();
                    }
                    done = end;
                }
            }
        }
        Self { values, keys }
    }

    pub fn moments(&self) -> Moments {
        Moments::of(&self.values)
    }
}
