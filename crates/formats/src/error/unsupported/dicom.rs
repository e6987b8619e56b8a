//! Properties of DICOM files.

use crate::SliceShape;
use brickwork_volume::VoxelType;

/// Property of a DICOM file that is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DicomFeature {
    /// Transfer syntax.
    #[error("the transfer syntax {uid}{}", name.map_or_else(String::new, |name| format!(" ({name})")))]
    TransferSyntax {
        /// UID of the transfer syntax, cut short.
        uid: String,
        /// Name of the transfer syntax, if known.
        name: Option<&'static str>,
    },
    /// Transfer syntax that needs a feature of this crate that is disabled.
    #[error("the transfer syntax {uid} ({name}) without the feature {feature}")]
    Build {
        /// UID of the transfer syntax.
        uid: String,
        /// Name of the transfer syntax.
        name: &'static str,
        /// Feature of the crate.
        feature: &'static str,
    },
    /// Sequences within sequences.
    #[error("nesting of more than {0} sequences")]
    Nesting(usize),
    /// Bytes of elements other than the voxels.
    #[error("a file with more than {0} bytes beside its voxels")]
    OtherBytes(u64),
    /// Number of frames.
    #[error("a file of {0} frames")]
    Frames(u32),
    /// Frames that are tiles of the picture of a slide, not slices.
    #[error("a file whose frames are tiles of a slide, not slices of a volume,")]
    Tiles,
    /// Voxels in FloatPixelData or DoubleFloatPixelData, as in parametric maps.
    #[error("a file whose voxels are in FloatPixelData or DoubleFloatPixelData, not in PixelData,")]
    FloatPixels,
    /// Bits per number.
    #[error("a voxel of {0} bits")]
    Bits(u32),
    /// Position of the stored bits.
    #[error("{stored} bits stored up to bit {high_bit} of {allocated}")]
    StoredBits {
        /// Bits stored.
        stored: u32,
        /// Index of the highest bit stored.
        high_bit: u32,
        /// Bits per number.
        allocated: u32,
    },
    /// Colour type.
    #[error("the colour type {color:?} with {samples} samples per voxel")]
    Color {
        /// Photometric interpretation, cut short.
        color: String,
        /// Samples per voxel.
        samples: u32,
    },
    /// Numbers of 32 bits in big-endian words, whose order differs between programs.
    #[error("big-endian words of 32-bit numbers, whose order differs between programs,")]
    WideBigEndian,
    /// Compressed frames whose parts cannot be assigned to frames.
    #[error("{frames} frames in {fragments} fragments without a table")]
    Fragments {
        /// Number of frames.
        frames: usize,
        /// Number of fragments.
        fragments: usize,
    },
}

/// Property of a JPEG, JPEG-LS or JPEG 2000 image in a DICOM file, or a JPEG image in a TIFF file, that is
/// not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JpegFeature {
    /// Process other than the lossless one with Huffman codes.
    #[error("JPEG of process SOF{0}, not lossless with Huffman codes,")]
    Process(u8),
    /// Size other than that of the slice.
    #[error("a JPEG image of {width}x{height} in a slice of {slice}")]
    Size {
        /// Width of the image.
        width: u32,
        /// Height of the image.
        height: u32,
        /// Shape of the slice.
        slice: SliceShape,
    },
    /// Bits per sample.
    #[error("JPEG of {bits} bits for {voxel_type}")]
    Precision {
        /// Bits per sample.
        bits: u32,
        /// Type of the slice's numbers.
        voxel_type: VoxelType,
    },
    /// Number of components other than the slice's channels.
    #[error("JPEG of {count} components for {channels}")]
    Components {
        /// Components of the image.
        count: u16,
        /// Channels of the slice.
        channels: usize,
    },
    /// Components that are sampled differently.
    #[error("JPEG with components of different sizes")]
    Subsampling,
    /// Property of a JPEG-LS image.
    #[error("JPEG-LS with {0}")]
    Ls(&'static str),
    /// Property of a JPEG 2000 image.
    #[error("JPEG 2000 with {0}")]
    Jpeg2000(&'static str),
    /// A JPEG 2000 image whose numbers need more bits than the file states for them.
    #[error("JPEG 2000 of {bits} bits with the number {number}, beyond the {stored} bits of BitsStored,")]
    StoredBits {
        /// Bits per sample of the image.
        bits: u32,
        /// `BitsStored` of the file.
        stored: u32,
        /// The first such number.
        number: i64,
    },
    /// Samples with a sign in a slice without one.
    #[error("JPEG 2000 of {bits} bits with a sign for {voxel_type}")]
    Signed {
        /// Bits per sample.
        bits: u32,
        /// Type of the slice's numbers.
        voxel_type: VoxelType,
    },
}
