//! The header of a `.bwv` file, before its bricks: the description of the volume.

use super::parts::ALIGNMENT;
use crate::{
    BrickSize, BwvError, Dims, FilePart, ShapeError, Spacing, VoxelType,
    checksum::{crc32c, crc32c_append},
};

/// First bytes of a file: they are not text, and conversions of line ends damage them.
pub const MAGIC: [u8; 8] = *b"\x89BWV\r\n\x1a\n";

/// The version of the format.
const VERSION: u16 = 1;

/// Bytes of the header before the metadata.
pub(super) const FIXED_BYTES: usize = 184;

/// Bytes of the header before its CRC-32C.
const CRC_AT: usize = FIXED_BYTES - 4;

/// Offset of the length of the metadata.
const METADATA_AT: usize = FIXED_BYTES - 8;

/// Most frames: as many as the index can address.
const MAX_FRAMES: u64 = 1 << 32;

/// Most bytes of metadata.
pub(super) const MAX_METADATA: u32 = 16 << 20;

/// Coding of bricks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// Brickwork's own: superblocks, sixteen predictors, one Rice level per group of eight voxels.
    #[default]
    Bricks,
    /// The scheme of Guthe & Goesele 2016, as published: bricks of 4³ voxels, four transforms, RBUC, an
    /// offset volume. For comparison; it is written from a whole frame in memory.
    Guthe2016 {
        /// True if equal tiles of 4³ offsets are stored once.
        second_level: bool,
    },
}

impl Profile {
    /// Every profile.
    pub const ALL: &[Self] =
        &[Self::Bricks, Self::Guthe2016 { second_level: false }, Self::Guthe2016 { second_level: true }];

    /// Returns the name in reports and on the command line: `bricks`, `guthe2016` or
    /// `guthe2016-second-level`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bricks => "bricks",
            Self::Guthe2016 { second_level: false } => "guthe2016",
            Self::Guthe2016 { second_level: true } => "guthe2016-second-level",
        }
    }
}

/// Meaning of voxels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VoxelKind {
    /// Intensities: a voxel of a smaller mip level is the mean of the voxels it covers.
    #[default]
    Intensity,
    /// Labels (segmentation IDs): a voxel of a smaller mip level is the most frequent of the voxels it
    /// covers; the smallest one breaks ties.
    Labels,
}

/// Description of a volume.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Header {
    /// Coding of bricks. Default: [`Profile::Bricks`].
    pub profile: Profile,
    /// The type of the voxels.
    pub voxel_type: VoxelType,
    /// The size of a brick. Default: 4³.
    pub brick: BrickSize,
    /// The volume's dims.
    pub dims: Dims,
    /// Number of channels, 1 to 255, side by side. Default: 1. The metadata may have
    /// [names](Self::channel_names) and [looks](Self::channel_looks) for them.
    pub channels: usize,
    /// Number of volumes in time, one after the other. Default: 1.
    pub frames: usize,
    /// The distance between frames in seconds, or 0 where it is not known. Default: 0.
    pub frame_spacing: f64,
    /// Number of mip levels: the volume itself, and smaller volumes with half the size of the previous one
    /// along each axis. Default: 1, only the volume.
    pub mip_levels: usize,
    /// Meaning of voxels. Default: intensities.
    pub kind: VoxelKind,
    /// The distance between voxels. Default: 1.
    pub spacing: Spacing,
    /// Centre of voxel (0, 0, 0). Default: the origin.
    pub origin: [f64; 3],
    /// The directions of x, y and z, one after the other. Default: those of the axes.
    pub orientation: [f64; 9],
    /// Other metadata of the source, as the text of a JSON object, or empty. Spaces at its end are dropped.
    /// Default: empty.
    pub metadata: String,
}

impl Header {
    /// Returns the size in bytes of a value: of an ordinal or of one of its words.
    pub(crate) const fn value_bytes(&self) -> usize {
        self.voxel_type.word_bits() as usize / 8
    }

    /// Returns the header of a volume of which only the shape is known.
    pub fn new(voxel_type: VoxelType, dims: Dims) -> Self {
        Self {
            profile: Profile::default(),
            voxel_type,
            brick: BrickSize::default(),
            dims,
            channels: 1,
            frames: 1,
            frame_spacing: 0.0,
            mip_levels: 1,
            kind: VoxelKind::default(),
            spacing: Spacing::default(),
            origin: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            metadata: String::new(),
        }
    }

    /// Returns this header with other fields: `Header::new(voxel_type, dims).with(|header| header.channels =
    /// 3)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Sets the metadata. Names are sorted in any case: zarrs enables `preserve_order` of serde_json, and
    /// Cargo unites the features of a dependency.
    pub(crate) fn set_metadata(&mut self, mut metadata: serde_json::Value) {
        metadata.sort_all_objects();
        self.metadata = metadata.to_string();
    }

    /// Returns the dims of a mip level: those of the volume, halved `mip_level` times, each time rounded up.
    pub fn mip_level_dims(&self, mip_level: usize) -> Dims {
        (0..mip_level.min(usize::BITS as usize)).fold(self.dims, |dims, _| dims.halved())
    }

    /// Returns the maximum number of mip levels: the last one has one voxel.
    pub const fn most_mip_levels(&self) -> usize {
        let Dims { x, y, z } = self.dims;
        let longest = if x > y { x } else { y };
        let longest = if longest > z { longest } else { z };
        1 + (usize::BITS - longest.saturating_sub(1).leading_zeros()) as usize
    }

    /// Returns the size in bytes of all voxels of the volume itself: all channels and frames, without smaller
    /// mip levels.
    ///
    /// # Errors
    /// [`ShapeError`] if the dims have a side of zero, the counts are not supported, or the bytes of one
    /// frame cannot be addressed.
    pub fn raw_bytes(&self) -> Result<u64, ShapeError> {
        let bytes = self.dims.number_count(self.channels)?.checked_mul(self.voxel_type.byte_count());
        let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok());
        if self.frames == 0 || self.frames as u64 > MAX_FRAMES {
            return Err(ShapeError::Frames(self.frames));
        }
        let all = bytes.and_then(|bytes| (bytes as u64).checked_mul(self.frames as u64));
        all.ok_or(ShapeError::TooLarge(self.dims))
    }

    /// Returns the number of parts that are coded separately: each word of each channel.
    pub(crate) const fn component_count(&self) -> usize {
        self.channels * self.voxel_type.word_count()
    }

    /// Checks the rules that a writer requires.
    pub(crate) fn check(&self) -> Result<(), ShapeError> {
        self.raw_bytes()?;
        let (levels, most) = (self.mip_levels, self.most_mip_levels());
        if levels == 0 || levels > most {
            return Err(ShapeError::MipLevels { levels, dims: self.dims, most });
        }
        if matches!(self.profile, Profile::Guthe2016 { .. }) && self.brick != BrickSize::Four {
            return Err(ShapeError::PaperBrick);
        }
        Ok(())
    }

    /// Returns the header's bytes, including its CRC-32C.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut metadata = self.metadata.clone();
        while !metadata.len().is_multiple_of(ALIGNMENT) {
            metadata.push(' ');
        }
        let mut out = Vec::with_capacity(FIXED_BYTES + metadata.len());
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.push(match self.profile {
            Profile::Bricks => 0,
            Profile::Guthe2016 { second_level: false } => 1,
            Profile::Guthe2016 { second_level: true } => 2,
        });
        out.push(type_code(self.voxel_type));
        out.push(match self.brick {
            BrickSize::Four => 2,
            BrickSize::Eight => 3,
            BrickSize::Flat => 4,
        });
        out.extend_from_slice(&[self.channels as u8, self.mip_levels as u8]);
        out.push(match self.kind {
            VoxelKind::Intensity => 0,
            VoxelKind::Labels => 1,
        });
        for side in [self.dims.x, self.dims.y, self.dims.z, self.frames] {
            out.extend_from_slice(&(side as u64).to_le_bytes());
        }
        let spacing = [self.spacing.x, self.spacing.y, self.spacing.z, self.frame_spacing];
        for number in spacing.iter().chain(&self.origin).chain(&self.orientation) {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&(metadata.len() as u32).to_le_bytes());
        let crc = crc32c_append(crc32c(&out), metadata.as_bytes());
        out.extend_from_slice(&crc.to_le_bytes());
        out.extend_from_slice(metadata.as_bytes());
        out
    }

    /// Returns the CRC-32C among the first bytes of a file.
    pub(super) fn crc(fixed: &[u8]) -> [u8; 4] {
        fixed[CRC_AT..FIXED_BYTES].try_into().expect("four bytes")
    }

    /// Returns the number of bytes of metadata that follow, from the first [`FIXED_BYTES`] of a file.
    pub(super) fn metadata_bytes(fixed: &[u8; FIXED_BYTES]) -> Result<usize, BwvError> {
        if fixed[..8] != MAGIC {
            return Err(BwvError::NotAVolume);
        }
        let version = u16::from_le_bytes([fixed[8], fixed[9]]);
        if version != VERSION {
            return Err(BwvError::Version(version));
        }
        let count = u32::from_le_bytes(fixed[METADATA_AT..CRC_AT].try_into().expect("four bytes"));
        if count > MAX_METADATA || !(count as usize).is_multiple_of(ALIGNMENT) {
            let (part, offset) = ("the length of the metadata", METADATA_AT as u64);
            return Err(BwvError::Value { part, offset, value: count.into() });
        }
        Ok(count as usize)
    }

    /// Reads the output of [`to_bytes`](Self::to_bytes).
    pub(super) fn from_bytes(fixed: &[u8; FIXED_BYTES], metadata: Vec<u8>) -> Result<Self, BwvError> {
        Self::metadata_bytes(fixed)?;
        let crc = crc32c_append(crc32c(&fixed[..CRC_AT]), &metadata);
        if Self::crc(fixed) != crc.to_le_bytes() {
            return Err(BwvError::Checksum { part: FilePart::Header, offset: 0 });
        }
        let bad =
            |part, offset: usize, value: u64| Err(BwvError::Value { part, offset: offset as u64, value });
        let word = |i: usize| u64::from_le_bytes(fixed[i..i + 8].try_into().expect("eight bytes"));
        let profile = match fixed[10] {
            0 => Profile::Bricks,
            1 => Profile::Guthe2016 { second_level: false },
            2 => Profile::Guthe2016 { second_level: true },
            other => return bad("the profile", 10, other.into()),
        };
        let Some(voxel_type) = VoxelType::ALL.iter().copied().find(|&t| type_code(t) == fixed[11]) else {
            return bad("the type of voxels", 11, fixed[11].into());
        };
        let brick = match (fixed[12], profile) {
            (2, _) => BrickSize::Four,
            (3, Profile::Bricks) => BrickSize::Eight,
            (4, Profile::Bricks) => BrickSize::Flat,
            (other, _) => return bad("the size of a brick", 12, other.into()),
        };
        let channels = usize::from(fixed[13]);
        if channels == 0 {
            return bad("the count of channels", 13, fixed[13].into());
        }
        let kind = match fixed[15] {
            0 => VoxelKind::Intensity,
            1 => VoxelKind::Labels,
            other => return bad("what voxels stand for", 15, other.into()),
        };
        let mut sides = [0; 4];
        for (i, side) in sides.iter_mut().enumerate() {
            let part = if i < 3 { "a side of the volume" } else { "the count of frames" };
            *side = match usize::try_from(word(16 + 8 * i)) {
                Ok(side @ 1..) => side,
                _ => return bad(part, 16 + 8 * i, word(16 + 8 * i)),
            };
        }
        let number = |i: usize| f64::from_bits(word(48 + 8 * i));
        let Ok(mut metadata) = String::from_utf8(metadata) else {
            return bad("the metadata", FIXED_BYTES, 0);
        };
        // Spaces fill it up.
        metadata.truncate(metadata.trim_end_matches(' ').len());
        let header = Self {
            profile,
            voxel_type,
            brick,
            dims: Dims::new(sides[0], sides[1], sides[2]),
            channels,
            frames: sides[3],
            frame_spacing: number(3),
            mip_levels: fixed[14].into(),
            kind,
            spacing: Spacing { x: number(0), y: number(1), z: number(2) },
            origin: std::array::from_fn(|i| number(4 + i)),
            orientation: std::array::from_fn(|i| number(7 + i)),
            metadata,
        };
        header.check()?;
        Ok(header)
    }
}

const fn type_code(voxel_type: VoxelType) -> u8 {
    match voxel_type {
        VoxelType::U8 => 0,
        VoxelType::I8 => 1,
        VoxelType::U16 => 2,
        VoxelType::I16 => 3,
        VoxelType::U32 => 4,
        VoxelType::I32 => 5,
        VoxelType::F32 => 6,
        VoxelType::U64 => 7,
        VoxelType::I64 => 8,
        VoxelType::F64 => 9,
        VoxelType::F16 => 10,
    }
}
