//! Textures from and to files and streams.

use super::{
    ContainerError, ContainerFormat, Info, TextureReadOptions, TextureWriteOptions, byte_source::ByteSource,
    dds, format::DETECT_BYTES, ktx2,
};
use crate::Texture;
use std::{
    fs::File,
    io::{Read, Seek, Write},
    path::Path,
};

impl Texture {
    /// Reads the texture in the DDS or KTX2 file at `path`, told apart by the first bytes, with the default
    /// [`TextureReadOptions`].
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ContainerError> {
        Self::read(File::open(path)?, &TextureReadOptions::default())
    }

    /// Reads the texture in a DDS or KTX2 file, told apart by the first bytes. The file starts at the start
    /// of the stream, wherever the reader is; bytes after the texture are ignored.
    ///
    /// # Errors
    /// [`ContainerError`], whose [`kind`](ContainerError::kind) tells apart a broken file, an unsupported
    /// one, one that is too large, and a failing reader.
    pub fn read<R: Read + Seek>(mut reader: R, options: &TextureReadOptions) -> Result<Self, ContainerError> {
        let mut source = ByteSource::new(&mut reader, options.max_memory())?;
        match detect(&mut source)? {
            ContainerFormat::Dds => dds::read(&mut source),
            ContainerFormat::Ktx2 => ktx2::read(&mut source),
        }
    }

    /// Writes a file. The bytes depend only on the texture, the format and the options.
    ///
    /// # Errors
    /// [`ContainerError::Unsupported`] if the container cannot hold the texture, [`ContainerError::Io`] if
    /// the writer fails. Only in the last case has anything been written.
    pub fn write<W: Write>(
        &self,
        mut writer: W,
        container: ContainerFormat,
        options: &TextureWriteOptions,
    ) -> Result<(), ContainerError> {
        match container {
            ContainerFormat::Dds => dds::write(&mut writer, self, options),
            ContainerFormat::Ktx2 => ktx2::write(&mut writer, self, options),
        }
    }
}

/// What the header of a DDS or KTX2 file says. Blocks are not read, with one exception: in a BC1 DDS file
/// whose header says nothing about alpha, they are searched for a transparent texel, 64 KiB at a time.
///
/// # Errors
/// [`ContainerError`], as [`Texture::read`](crate::Texture::read). Missing level data is an error here as
/// well; damaged Zstandard data goes unnoticed, and [`TextureReadOptions::max_memory`] does not apply.
pub fn info<R: Read + Seek>(mut reader: R, options: &TextureReadOptions) -> Result<Info, ContainerError> {
    let mut source = ByteSource::new(&mut reader, options.max_memory())?;
    match detect(&mut source)? {
        ContainerFormat::Dds => dds::info(&mut source),
        ContainerFormat::Ktx2 => ktx2::info(&mut source),
    }
}

fn detect(source: &mut ByteSource<'_>) -> Result<ContainerFormat, ContainerError> {
    let first_bytes = source.bytes(0, source.len().min(DETECT_BYTES as u64))?;
    ContainerFormat::detect(&first_bytes).ok_or(ContainerError::UnknownContainer { first_bytes })
}
