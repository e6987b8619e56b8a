//! Errors of texture jobs.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | errors of jobs |
//! | `options_error.rs`, `option_names.rs` | errors of options, with their names as front ends spell them |
//! | `measure_error.rs` | errors of measurements |
//! | `words.rs`, `kinds.rs` | phrases of both; who can act on them |

mod kinds;
mod measure_error;
mod option_names;
mod options_error;
mod words;

pub use measure_error::MeasureError;
pub use options_error::OptionsError;

use crate::batch::BatchError;
use brickwork_base::{ByteCount, Cancelled};
use brickwork_image::{
    cube::CubeError,
    image_file::{ImageReadError, ImageWriteError},
};
use brickwork_texture::{DecodeError, EncodeError, JoinError, container::ContainerError, mips::MipError};
pub(super) use words::format_names;
use words::join_fault;

/// The reason why a texture was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextureJobError {
    /// An input cannot be opened, or an output cannot be written.
    #[error(transparent)]
    File(#[from] BatchError),
    /// The options do not fit.
    #[error("{file}: {error}")]
    Options {
        /// Name of the input or output.
        file: String,
        /// The reason.
        error: OptionsError,
    },
    /// An input is not a picture.
    #[error("{input}: {error}")]
    Read {
        /// Name of the input.
        input: String,
        /// The reason.
        error: ImageReadError,
    },
    /// More memory is needed than is allowed.
    #[error("{input}: needs {} of memory, above the limit of {}", ByteCount(*needed), ByteCount(*limit))]
    Memory {
        /// Name of the first input.
        input: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The system does not provide the memory.
    #[error("{input}: needs {} of memory, which the system does not have", ByteCount(*needed))]
    OutOfMemory {
        /// Name of the input.
        input: String,
        /// Bytes needed.
        needed: u64,
    },
    /// A picture cannot be resized.
    #[error("{input}: {error}")]
    Resize {
        /// Name of the input.
        input: String,
        /// The reason.
        error: MipError,
    },
    /// No format and quality that were tried have the minimum of PSNR.
    #[error("{input}: the PSNR is {psnr:.2} dB, less than {min}")]
    BelowMinPsnr {
        /// Name of the first input.
        input: String,
        /// The largest PSNR in dB.
        psnr: f64,
        /// The minimum that the options state, in dB.
        min: f64,
    },
    /// The pictures cannot be encoded.
    #[error("{input}: {error}")]
    Encode {
        /// Name of the first input.
        input: String,
        /// The reason.
        error: EncodeError,
    },
    /// The blocks cannot be decoded.
    #[error("{input}: {error}")]
    Decode {
        /// Name of the input.
        input: String,
        /// The reason.
        error: DecodeError,
    },
    /// The error cannot be measured.
    #[error("{input}: {error}")]
    Measure {
        /// Name of the first input, or of both images that are compared.
        input: String,
        /// The reason.
        error: MeasureError,
    },
    /// An input is not a DDS, KTX2 or .astc file.
    #[error("{input}: not a DDS, KTX2 or .astc file")]
    NotATexture {
        /// Name of the input.
        input: String,
    },
    /// Only the first image of a texture in a format that `encode` does not write can be read.
    #[error("{input}: only the first image of a texture in such a format can be read")]
    FirstImageOnly {
        /// Name of the input.
        input: String,
    },
    /// Only textures have mip levels other than 0.
    #[error("{input}: has no mip levels")]
    NoMipLevels {
        /// Name of the input.
        input: String,
    },
    /// Only BC5 stores x and y of normals.
    #[error("{input}: z is restored from x and y of bc5 and bc5s, not {format}")]
    NotNormals {
        /// Name of the input.
        input: String,
        /// Format of the texture.
        format: &'static str,
    },
    /// EXR files are written only of floats.
    #[error("{input}: {format} decodes to integers, and EXR stores floats; write PNG")]
    NotHalfFloats {
        /// Name of the input.
        input: String,
        /// Format of the texture.
        format: &'static str,
    },
    /// A picture has no faces of a cube.
    #[error("{input}: {error}")]
    Cube {
        /// Name of the input.
        input: String,
        /// The reason.
        error: CubeError,
    },
    /// Textures cannot be joined.
    #[error("{input}: {}", join_fault(error))]
    Join {
        /// Name of the input that does not fit, or of the first.
        input: String,
        /// The reason.
        error: JoinError,
    },
    /// Some inputs are block-compressed, and others are not.
    #[error(
        "{input}: is {}, unlike the first input; assemble images, or textures of one format",
        if *is_texture { "block-compressed" } else { "an image" }
    )]
    Mixed {
        /// Name of the first input that differs.
        input: String,
        /// True if it is block-compressed.
        is_texture: bool,
    },
    /// An input can be read only once.
    #[error("{input}: can be read only once; give a file instead")]
    ReadOnce {
        /// Name of the input.
        input: String,
    },
    /// A PNG or EXR file cannot be written.
    #[error("{output}: {error}")]
    WritePng {
        /// Name of the output.
        output: String,
        /// The reason.
        error: ImageWriteError,
    },
    /// The container cannot contain the texture.
    #[error("{output}: {error}")]
    Write {
        /// Name of the output.
        output: String,
        /// The reason.
        error: ContainerError,
    },
    /// The task was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
