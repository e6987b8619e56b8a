//! Texture files: DDS and KTX2.
//!
//! [`Texture::open`] and [`Texture::read`] look at the first bytes and give a texture; [`Texture::save`] and
//! [`Texture::write`] write one; [`info`] tells what the header says. All block formats and shapes that a
//! [`Texture`] can have are read and written, with two exceptions that the containers make: DDS has no sRGB form of
//! BC4, BC5 and BC6H, and its legacy header knows neither arrays nor BC6H and BC7.
//!
//! What a container cannot say is decided the same way everywhere:
//!
//! | container | says | read as |
//! |---|---|---|
//! | DDS, legacy header | no colour space | [linear], as Direct3D's own loaders do |
//! | DDS, BC1 | nothing about alpha | [straight] if a block holds a transparent texel, else [opaque] |
//! | DDS, BC2, BC3, BC7 | nothing about alpha | [straight] |
//! | DDS, other formats | nothing about alpha | [opaque] |
//! | KTX2, `BC1_RGB` and formats without alpha | not premultiplied | [opaque] |
//! | KTX2, other formats | not premultiplied | [straight] |
//!
//! The alpha flag of a legacy DDS header says that BC1 has alpha; where it is missing, nothing is said.
//!
//! Files are untrusted: a wrong byte is an error that names its offset, and nothing is allocated before the stream
//! is known to be long enough and [`ReadOptions::max_memory`] to allow it.
//!
//! ```
//! use brickwork_texture::container::{ContainerFormat, ReadOptions, WriteOptions};
//! use brickwork_texture::{BlockFormat, ColorSpace, Texture, TextureDesc};
//!
//! let desc = TextureDesc::new_2d(BlockFormat::Bc7, 8, 8).with_color_space(ColorSpace::Srgb);
//! let texture = Texture::new(desc, vec![0x5a; 4 * 16])?;
//! let mut file = Vec::new();
//! texture.write(&mut file, ContainerFormat::Ktx2, &WriteOptions::default())?;
//! let read = Texture::read(std::io::Cursor::new(file), &ReadOptions::default())?;
//! assert_eq!(read, texture);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Texture`]: crate::Texture
//! [`Texture::open`]: crate::Texture::open
//! [`Texture::read`]: crate::Texture::read
//! [`Texture::save`]: crate::Texture::save
//! [`Texture::write`]: crate::Texture::write
//! [linear]: crate::ColorSpace::Linear
//! [opaque]: crate::AlphaMode::Opaque
//! [straight]: crate::AlphaMode::Straight

pub(crate) mod byte_source;
pub mod dds;
mod error;
mod file;
pub mod ktx2;

pub use error::{ContainerError, ContainerErrorKind};

use crate::TextureDesc;
use byte_source::ByteSource;
use std::io::{Read, Seek};

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
    /// Format, shape, mip levels, and colour space and alpha as [`Texture::read`](crate::Texture::read) would say.
    pub desc: TextureDesc,
    /// The format in the container's own words: `DXGI_FORMAT_BC1_UNORM_SRGB`, `VK_FORMAT_BC1_RGB_SRGB_BLOCK`, or
    /// the four-CC of a legacy DDS header, `DXT1`.
    pub format_name: String,
    /// The header: `DDS, legacy header`, `DDS, DX10 header` or `KTX2`.
    pub header: String,
    /// Name of the supercompression, if there is one: `Zstandard, level data of 123 bytes`.
    pub supercompression: Option<String>,
    /// KTX2's key/value pairs in the order of the file. A value that is not text is shown as its length.
    pub key_values: Vec<(String, String)>,
}

impl Info {
    fn new(container: ContainerFormat, desc: TextureDesc, format_name: String, header: &str) -> Self {
        Self {
            container,
            desc,
            format_name,
            header: header.to_owned(),
            supercompression: None,
            key_values: Vec::new(),
        }
    }
}

/// What the header of a DDS or KTX2 file says. Blocks are not read, with one exception: in a DDS file of BC1 whose
/// header says nothing about alpha they are looked through, 64 KiB at a time, for a transparent texel.
///
/// # Errors
/// [`ContainerError`], as [`Texture::read`](crate::Texture::read). A file whose level data is missing is an error
/// here too; damaged Zstandard data and [`ReadOptions::max_memory`] are not noticed.
pub fn info<R: Read + Seek>(mut reader: R, options: &ReadOptions) -> Result<Info, ContainerError> {
    let mut source = ByteSource::new(&mut reader, options.max_memory)?;
    match detect(&mut source)? {
        ContainerFormat::Dds => dds::info(&mut source),
        ContainerFormat::Ktx2 => ktx2::info(&mut source),
    }
}

fn detect(source: &mut ByteSource<'_>) -> Result<ContainerFormat, ContainerError> {
    let first_bytes = source.bytes(0, source.len().min(::ktx2::MAGIC.len() as u64))?;
    ContainerFormat::detect(&first_bytes).ok_or(ContainerError::UnknownContainer { first_bytes })
}
