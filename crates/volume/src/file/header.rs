//! The header of a `.bwv` file: what the volume is, before its bricks.

use crate::{DecodeError, Dims, Spacing, VoxelType};

/// The first bytes of a file: no text, and damaged by whatever changes line ends.
pub(super) const MAGIC: [u8; 8] = *b"\x89BWV\r\n\x1a\n";

/// The version this program writes: a draft. Files of version 0 may become unreadable.
pub(super) const VERSION: u16 = 0;

/// Bytes of the header before the metadata.
pub(super) const FIXED_BYTES: usize = 168;

/// Most bytes of metadata.
pub(super) const MAX_METADATA: u32 = 16 << 20;

/// How bricks are coded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// Brickwork's own: superblocks, sixteen predictors, levels for each eight voxels.
    #[default]
    Bricks,
}

/// The side of a brick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BrickSize {
    /// 4×4×4 voxels: quick to reach on their own.
    #[default]
    Four,
    /// 8×8×8 voxels: smaller files.
    Eight,
}

impl BrickSize {
    /// Voxels along each side.
    pub const fn side(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }
}

/// What a volume is.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// How bricks are coded. Default: [`Profile::Bricks`].
    pub profile: Profile,
    /// The type of the voxels.
    pub voxel_type: VoxelType,
    /// The side of a brick. Default: 4.
    pub brick: BrickSize,
    /// The volume's dims.
    pub dims: Dims,
    /// The distance between voxels. Default: 1.
    pub spacing: Spacing,
    /// Where the centre of voxel (0, 0, 0) is. Default: the origin.
    pub origin: [f64; 3],
    /// The directions of x, y and z, one after the other. Default: those of the axes.
    pub orientation: [f64; 9],
    /// What else the source says, as the text of a JSON object, or empty. Default: empty.
    pub metadata: String,
}

impl Header {
    /// The header of a volume of which nothing but its shape is known.
    pub fn new(voxel_type: VoxelType, dims: Dims) -> Self {
        Self {
            profile: Profile::default(),
            voxel_type,
            brick: BrickSize::default(),
            dims,
            spacing: Spacing::default(),
            origin: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            metadata: String::new(),
        }
    }

    /// The header's bytes, its CRC-32C among them.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(FIXED_BYTES + self.metadata.len());
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.push(match self.profile {
            Profile::Bricks => 0,
        });
        out.push(type_code(self.voxel_type));
        out.push(match self.brick {
            BrickSize::Four => 2,
            BrickSize::Eight => 3,
        });
        out.extend_from_slice(&[1, 0, 0]);
        for side in [self.dims.x, self.dims.y, self.dims.z] {
            out.extend_from_slice(&(side as u64).to_le_bytes());
        }
        let spacing = [self.spacing.x, self.spacing.y, self.spacing.z];
        for number in spacing.iter().chain(&self.origin).chain(&self.orientation) {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&(self.metadata.len() as u32).to_le_bytes());
        let crc = crc32c::crc32c_append(crc32c::crc32c(&out), self.metadata.as_bytes());
        out.extend_from_slice(&crc.to_le_bytes());
        out.extend_from_slice(self.metadata.as_bytes());
        out
    }

    /// How many bytes of metadata follow, from the first [`FIXED_BYTES`] of a file.
    pub(super) fn metadata_bytes(fixed: &[u8; FIXED_BYTES]) -> Result<usize, DecodeError> {
        if fixed[..8] != MAGIC {
            return Err(DecodeError::NotAVolume);
        }
        let version = u16::from_le_bytes([fixed[8], fixed[9]]);
        if version != VERSION {
            return Err(DecodeError::Version(version));
        }
        let count = u32::from_le_bytes([fixed[160], fixed[161], fixed[162], fixed[163]]);
        if count > MAX_METADATA {
            let value = count.into();
            return Err(DecodeError::Value { part: "the length of the metadata", offset: 160, value });
        }
        Ok(count as usize)
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    pub(super) fn from_bytes(fixed: &[u8; FIXED_BYTES], metadata: Vec<u8>) -> Result<Self, DecodeError> {
        Self::metadata_bytes(fixed)?;
        let crc = crc32c::crc32c_append(crc32c::crc32c(&fixed[..164]), &metadata);
        if fixed[164..168] != crc.to_le_bytes() {
            return Err(DecodeError::Checksum { part: "the header".into(), offset: 0 });
        }
        let bad =
            |part, offset: usize, value: u64| Err(DecodeError::Value { part, offset: offset as u64, value });
        let word = |i: usize| u64::from_le_bytes(fixed[i..i + 8].try_into().expect("eight bytes"));
        let profile = match fixed[10] {
            0 => Profile::Bricks,
            other => return bad("the profile", 10, other.into()),
        };
        let Some(voxel_type) = VoxelType::ALL.into_iter().find(|&t| type_code(t) == fixed[11]) else {
            return bad("the type of voxels", 11, fixed[11].into());
        };
        let brick = match fixed[12] {
            2 => BrickSize::Four,
            3 => BrickSize::Eight,
            other => return bad("the side of a brick", 12, other.into()),
        };
        if fixed[13..16] != [1, 0, 0] {
            return bad("the count of channels", 13, fixed[13].into());
        }
        let mut sides = [0; 3];
        for (i, side) in sides.iter_mut().enumerate() {
            *side = match usize::try_from(word(16 + 8 * i)) {
                Ok(side @ 1..) => side,
                _ => return bad("a side of the volume", 16 + 8 * i, word(16 + 8 * i)),
            };
        }
        let number = |i: usize| f64::from_bits(word(40 + 8 * i));
        let Ok(metadata) = String::from_utf8(metadata) else {
            return bad("the metadata", FIXED_BYTES, 0);
        };
        Ok(Self {
            profile,
            voxel_type,
            brick,
            dims: Dims::new(sides[0], sides[1], sides[2]),
            spacing: Spacing { x: number(0), y: number(1), z: number(2) },
            origin: std::array::from_fn(|i| number(3 + i)),
            orientation: std::array::from_fn(|i| number(6 + i)),
            metadata,
        })
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
    }
}
