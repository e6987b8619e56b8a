//! Notes on MRC files.

use brickwork_volume::ByteOrder;
use std::fmt;

/// Note on a volume from an MRC file, or to be written to one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MrcNote {
    /// Machine stamp that is unknown, or contradicts the header. The header's numbers decide the byte order.
    MachineStamp {
        /// The byte order.
        order: ByteOrder,
    },
    /// Header without the letters MAP, from before MRC2000. ORIGIN is not read.
    OldHeader {
        /// The byte order, by the header's numbers.
        order: ByteOrder,
    },
    /// Extended header, which is not read.
    ExtendedHeader {
        /// Its type, EXTTYP; empty if there is none.
        kind: String,
        /// Its size in bytes.
        count: u32,
    },
    /// Bytes for which neither a version nor IMOD's flags state whether they are signed.
    Bytes {
        /// True if they are read as signed.
        is_signed: bool,
    },
    /// Images of a stack, which become frames.
    Images {
        /// Number of images.
        count: usize,
    },
    /// Images of a stack, by the name of the file and ISPG 0, which become frames.
    NamedImages {
        /// Number of images.
        count: usize,
        /// MZ, which is 1 in other stacks.
        depth: i32,
    },
    /// Volume of a file that states ISPG 0, which means images, but not MZ 1.
    VolumeOfImages {
        /// MZ.
        depth: i32,
    },
    /// Volumes of a stack, which become frames.
    Volumes {
        /// Number of volumes.
        count: usize,
    },
    /// ORIGIN and the indices of the first voxel, which give different positions.
    TwoPositions,
    /// ORIGIN of an IMOD file, whose flags state the opposite sign.
    InvertedOrigin,
    /// Position that was never set: it is beyond what the voxels can resolve.
    Unset {
        /// Names of the fields.
        field: &'static str,
    },
    /// Voxels of u8 that are written as u16, because bytes are signed in MRC2014.
    BytesAsU16,
}

const fn name(order: ByteOrder) -> &'static str {
    match order {
        ByteOrder::Little => "little-endian",
        ByteOrder::Big => "big-endian",
    }
}

impl fmt::Display for MrcNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MachineStamp { order } => {
                let order = name(*order);
                write!(f, "the machine stamp is unknown or wrong: by its sizes and mode, the file is {order}")
            }
            Self::OldHeader { order } => {
                let order = name(*order);
                write!(f, "the header has no MAP: it is read as one from before MRC2000, {order}")
            }
            Self::ExtendedHeader { kind, count } if kind.is_empty() => {
                write!(f, "the extended header of {count} bytes, without a type, is not read")
            }
            Self::ExtendedHeader { kind, count } => {
                write!(f, "the extended header of {count} bytes, type {kind}, is not read")
            }
            Self::Bytes { is_signed } => {
                let sign = if *is_signed { "signed" } else { "unsigned" };
                write!(f, "bytes (mode 0) are read as {sign}: no version or flag states it")
            }
            Self::Images { count } => {
                write!(f, "a stack of images (ISPG 0, MZ 1): its {count} images are frames")
            }
            Self::NamedImages { count, depth } => write!(
                f,
                "a stack of images by its name .mrcs and ISPG 0, although MZ is {depth}: its {count} images \
                 are frames"
            ),
            Self::VolumeOfImages { depth } => {
                write!(
                    f,
                    "ISPG 0 means images, but MZ is {depth}: read as one volume; named .mrcs, as images"
                )
            }
            Self::Volumes { count } => write!(f, "a stack of volumes (ISPG): its {count} volumes are frames"),
            Self::TwoPositions => {
                f.write_str("ORIGIN and NXSTART, NYSTART, NZSTART give different positions: ORIGIN counts")
            }
            Self::InvertedOrigin => f.write_str("ORIGIN has the opposite sign, as IMOD's flags state"),
            Self::Unset { field } => write!(f, "{field} was never set: it is too large, and not used"),
            Self::BytesAsU16 => f.write_str("u8 is written as u16 (mode 6): bytes are signed in MRC2014"),
        }
    }
}
