//! Texture files: DDS and KTX2.
//!
//! [`read`] looks at the first bytes and gives a [`Texture`]; [`write()`] takes one; [`info`] tells what the header
//! says. All block formats and shapes that a [`Texture`] can have are read and written, with two exceptions that
//! the containers make: DDS has no sRGB form of BC4, BC5 and BC6H, and its legacy header knows neither arrays nor
//! BC6H and BC7.
//!
//! What a container cannot say is decided the same way everywhere:
//!
//! | container | says | read as |
//! |---|---|---|
//! | DDS, legacy header | no colour space | [`ColorSpace::Linear`], as Direct3D's own loaders do |
//! | DDS | alpha unknown, BC1 | [`AlphaMode::Straight`] if the header's alpha flag is set or a block holds a transparent texel, else [`AlphaMode::Opaque`] |
//! | DDS | alpha unknown, BC2, BC3, BC7 | [`AlphaMode::Straight`] |
//! | DDS | alpha unknown, other formats | [`AlphaMode::Opaque`] |
//! | KTX2 | nothing about opaqueness apart from BC1 | [`AlphaMode::Opaque`] for `BC1_RGB` and formats without alpha, else [`AlphaMode::Straight`], unless premultiplied |
//!
//! Files are untrusted: a wrong byte is an error that names its offset, and nothing is allocated before the stream
//! is known to be long enough and [`ReadOptions::max_memory`] to allow it.
//!
//! ```
//! use brickwork_texture::{AlphaMode, BlockFormat, ColorSpace, Texture, container};
//! use brickwork_texture::container::{ContainerFormat, ReadOptions, WriteOptions};
//!
//! let (format, blocks) = (BlockFormat::Bc7, vec![0x5a; 4 * 16]);
//! let texture = Texture::new_2d(format, 8, 8, 1, ColorSpace::Srgb, AlphaMode::Straight, blocks)?;
//! let mut file = Vec::new();
//! container::write(&mut file, &texture, ContainerFormat::Ktx2, &WriteOptions::default())?;
//! let read = container::read(&mut std::io::Cursor::new(file), &ReadOptions::default())?;
//! assert_eq!(read, texture);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod dds;
mod error;
pub mod ktx2;
pub(crate) mod source;

pub use error::{ContainerError, ContainerErrorKind};

use crate::{AlphaMode, BlockFormat, ColorSpace, Texture, TextureKind};
use source::Source;
use std::io::{Read, Seek, Write};

/// A kind of texture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContainerFormat {
    /// DirectDraw surface, by Microsoft.
    Dds,
    /// KTX 2.0, by Khronos.
    Ktx2,
}

impl ContainerFormat {
    /// Every container.
    pub const ALL: [Self; 2] = [Self::Dds, Self::Ktx2];

    /// The container that files starting with these bytes are, or nothing. DDS needs 4 bytes, KTX2 12; more are
    /// not looked at.
    pub fn detect(first_bytes: &[u8]) -> Option<Self> {
        if first_bytes.starts_with(&::dds::header::Header::MAGIC) {
            Some(Self::Dds)
        } else if first_bytes.starts_with(&::ktx2::MAGIC) {
            Some(Self::Ktx2)
        } else {
            None
        }
    }

    /// The container of files with this extension (without the dot, in any case), or nothing.
    pub fn of_extension(ext: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| ext.eq_ignore_ascii_case(format.extension()))
    }

    /// The file extension, without the dot: `dds` or `ktx2`.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Dds => "dds",
            Self::Ktx2 => "ktx2",
        }
    }

    /// The name for people: `DDS` or `KTX2`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dds => "DDS",
            Self::Ktx2 => "KTX2",
        }
    }
}

/// What a reader may do.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Bytes that one call may allocate for blocks, and where they are supercompressed for one level's compressed
    /// bytes and Zstandard's window besides. Default: 4 GiB.
    pub max_memory: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { max_memory: 4 << 30 }
    }
}

/// Which header a DDS file gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DdsHeader {
    /// The legacy header where a reader gets the same texture back from it, else the DX10 header. That is, legacy
    /// for linear colour, no array, BC1 (opaque or straight), BC2 and BC3 (straight or premultiplied), BC4 and BC5
    /// (unsigned and opaque).
    #[default]
    Auto,
    /// The header with a four-CC, for old readers. The colour space is dropped, as are alpha modes it has no word
    /// for; formats and shapes it has none for are [`ContainerError::Unsupported`].
    Legacy,
    /// The DX10 header, which can say everything.
    Dx10,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The header of DDS files. Default: [`DdsHeader::Auto`].
    pub dds_header: DdsHeader,
    /// Level of Zstandard supercompression of KTX2 files: 1 (fast) to 22 (small), or negative for faster still.
    /// DDS has none and leaves it alone. Default: `None`, no supercompression.
    pub zstd: Option<i32>,
}

/// What the header of a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The kind of file.
    pub container: ContainerFormat,
    /// Block format.
    pub format: BlockFormat,
    /// The format in the container's own words: `DXGI_FORMAT_BC1_UNORM_SRGB`, `VK_FORMAT_BC1_RGB_SRGB_BLOCK`, or
    /// the four-CC of a legacy DDS header, `DXT1`.
    pub format_name: String,
    /// Shape.
    pub kind: TextureKind,
    /// Width of level 0 in texels.
    pub width: u32,
    /// Height of level 0 in texels.
    pub height: u32,
    /// Slices of level 0; 1 unless the kind is [`TextureKind::D3`].
    pub depth: u32,
    /// Array layers, at least 1 (a cube counts as one).
    pub layers: u32,
    /// Mip levels, at least 1.
    pub levels: u32,
    /// What the numbers mean, as [`read`] would say.
    pub color_space: ColorSpace,
    /// How alpha is to be read, as [`read`] would say.
    pub alpha_mode: AlphaMode,
    /// The header: `DDS, legacy header`, `DDS, DX10 header` or `KTX2`.
    pub header: String,
    /// Name of the supercompression, if there is one: `Zstandard, level data of 123 bytes`.
    pub supercompression: Option<String>,
    /// Bytes of blocks, supercompression undone: the length [`Texture::data`] would have.
    pub data_bytes: u64,
    /// KTX2's key/value pairs in the order of the file. A value that is not text is shown as its length.
    pub key_values: Vec<(String, String)>,
}

impl Info {
    /// `shape` is a texture without data.
    fn new(container: ContainerFormat, shape: &Texture, format_name: String, header: &str) -> Self {
        Self {
            container,
            format: shape.format,
            format_name,
            kind: shape.kind,
            width: shape.width,
            height: shape.height,
            depth: shape.depth,
            layers: shape.layers,
            levels: shape.levels,
            color_space: shape.color_space,
            alpha_mode: shape.alpha_mode,
            header: header.to_owned(),
            supercompression: None,
            data_bytes: shape.data_bytes(),
            key_values: Vec::new(),
        }
    }
}

/// The texture in a DDS or KTX2 file, whichever it is. The file starts at the start of the stream, wherever the
/// reader stands; bytes after the texture are ignored.
///
/// # Errors
/// [`ContainerError`], whose [`kind`](ContainerError::kind) tells a broken file from one that is not supported,
/// from one that is too large, and from a failing reader.
pub fn read<R: Read + Seek>(reader: &mut R, options: &ReadOptions) -> Result<Texture, ContainerError> {
    let mut source = Source::new(reader, options.max_memory)?;
    match detect(&mut source)? {
        ContainerFormat::Dds => dds::read(&mut source),
        ContainerFormat::Ktx2 => ktx2::read(&mut source),
    }
}

/// What the header of a DDS or KTX2 file says. Blocks are not read, with one exception: in a DDS file of BC1 whose
/// header says nothing about alpha they are looked through, 64 KiB at a time, for a transparent texel.
///
/// # Errors
/// [`ContainerError`], as [`read`]. A file whose level data is missing is an error here too; damaged Zstandard data
/// and [`ReadOptions::max_memory`] are not noticed.
pub fn info<R: Read + Seek>(reader: &mut R, options: &ReadOptions) -> Result<Info, ContainerError> {
    let mut source = Source::new(reader, options.max_memory)?;
    match detect(&mut source)? {
        ContainerFormat::Dds => dds::info(&mut source),
        ContainerFormat::Ktx2 => ktx2::info(&mut source),
    }
}

/// Writes a file. The bytes depend on nothing but the texture and the options.
///
/// # Errors
/// [`ContainerError::Texture`] if the texture is impossible, [`ContainerError::Unsupported`] if the container cannot
/// hold it, [`ContainerError::Io`] if the writer fails. Only the last leaves something written.
pub fn write<W: Write>(
    writer: &mut W,
    texture: &Texture,
    format: ContainerFormat,
    options: &WriteOptions,
) -> Result<(), ContainerError> {
    texture.check()?;
    match format {
        ContainerFormat::Dds => dds::write(writer, texture, options),
        ContainerFormat::Ktx2 => ktx2::write(writer, texture, options),
    }
}

fn detect<R: Read + Seek>(source: &mut Source<'_, R>) -> Result<ContainerFormat, ContainerError> {
    let first_bytes = source.bytes(0, source.len().min(::ktx2::MAGIC.len() as u64))?;
    ContainerFormat::detect(&first_bytes).ok_or(ContainerError::UnknownContainer { first_bytes })
}

/// What `alpha_mode` is where a container says nothing about it.
fn usual_alpha_mode(format: BlockFormat) -> AlphaMode {
    match format {
        BlockFormat::Bc1 | BlockFormat::Bc2 | BlockFormat::Bc3 | BlockFormat::Bc7 => AlphaMode::Straight,
        BlockFormat::Bc4Unorm
        | BlockFormat::Bc4Snorm
        | BlockFormat::Bc5Unorm
        | BlockFormat::Bc5Snorm
        | BlockFormat::Bc6hUfloat
        | BlockFormat::Bc6hSfloat => AlphaMode::Opaque,
    }
}
