//! Reading and writing of textures from and to files and streams.

use super::{
    ContainerError, ContainerFormat, Info, Ktx2Header, TextureReadOptions, TextureWriteOptions, astc,
    byte_source::ByteSource, dds, format::DETECT_BYTES, ktx2,
};
use crate::{Task, Texture};
use brickwork_base::task_io::TaskReader;
use std::{
    fs::File,
    io::{Read, Seek, Write},
    path::Path,
};

impl Texture {
    /// Reads the texture in the DDS, KTX2 or `.astc` file at `path` with the default [`TextureReadOptions`].
    /// The first bytes determine the container.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn open(path: impl AsRef<Path>, task: &Task<'_>) -> Result<Self, ContainerError> {
        Self::read(File::open(path)?, &TextureReadOptions::default(), task)
    }

    /// Reads the texture in a DDS, KTX2 or `.astc` file, from the first byte of the stream. The first bytes
    /// determine the container. Bytes after the texture are ignored. Progress is the position in the file.
    ///
    /// # Errors
    /// [`ContainerError`]. Its [`kind`](ContainerError::kind) distinguishes a broken file, an unsupported
    /// one, one that is too large, a failing reader, and a cancelled task.
    pub fn read<R: Read + Seek>(
        reader: R,
        options: &TextureReadOptions,
        task: &Task<'_>,
    ) -> Result<Self, ContainerError> {
        let mut reader = TaskReader::new(reader, task)?;
        let mut source = ByteSource::new(&mut reader, options.max_memory)?;
        match detect(&mut source)? {
            ContainerFormat::Dds => dds::read(&mut source),
            ContainerFormat::Ktx2 => ktx2::read(&mut source, task),
            ContainerFormat::Astc => astc::read(&mut source),
        }
    }

    /// Reads a texture, like [`read`](Self::read), and the contents of its file's header, like [`info`]. Its
    /// blocks are examined once for both.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with_info<R: Read + Seek>(
        mut reader: R,
        options: &TextureReadOptions,
        task: &Task<'_>,
    ) -> Result<(Self, Info), ContainerError> {
        let mut info = read_info(&mut reader, options, false, &task.without_progress())?;
        let texture = Self::read(reader, options, task)?;
        (info.desc, info.notes) = (*texture.desc(), texture.notes().to_vec());
        Ok((texture, info))
    }

    /// Writes a file. The bytes depend only on the texture, the format and the options. Progress is reported
    /// in bytes. With Zstandard, these are first the compressed bytes, then the written ones.
    ///
    /// # Errors
    /// An error of the kind [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) if the container cannot
    /// represent the texture; nothing has then been written. [`ContainerError::Io`] if the writer fails.
    /// [`ContainerError::Cancelled`].
    pub fn write<W: Write>(
        &self,
        mut writer: W,
        container: ContainerFormat,
        options: &TextureWriteOptions,
        task: &Task<'_>,
    ) -> Result<(), ContainerError> {
        match container {
            ContainerFormat::Dds => dds::write(&mut writer, self, options, task),
            ContainerFormat::Ktx2 => ktx2::write(&mut writer, self, options, task),
            ContainerFormat::Astc => astc::write(&mut writer, self, task),
        }
    }
}

/// Returns the contents of the header of a texture file. Blocks are not read, with two exceptions, where they
/// are read 64 KiB at a time. In a BC1 DDS file whose header states nothing about alpha, they are searched
/// for a transparent texel. Those of ASTC are counted, if a note must report illegal ones. There is no such
/// note if Zstandard data cannot be decompressed: it is damaged, exceeds
/// [`TextureReadOptions::max_memory`], or this build lacks the feature `ktx2-zstd`.
///
/// # Errors
/// [`ContainerError`], as [`Texture::read`](crate::Texture::read). Missing level data is an error here, too.
/// Damaged Zstandard data is not noticed, and [`TextureReadOptions::max_memory`] does not apply.
pub fn info<R: Read + Seek>(
    reader: R,
    options: &TextureReadOptions,
    task: &Task<'_>,
) -> Result<Info, ContainerError> {
    read_info(reader, options, true, task)
}

/// Returns the contents of the header and, if `reads_blocks`, what the blocks tell.
fn read_info<R: Read + Seek>(
    reader: R,
    options: &TextureReadOptions,
    reads_blocks: bool,
    task: &Task<'_>,
) -> Result<Info, ContainerError> {
    let mut reader = TaskReader::new(reader, task)?;
    let mut source = ByteSource::new(&mut reader, options.max_memory)?;
    match detect(&mut source)? {
        ContainerFormat::Dds => dds::info(&mut source, reads_blocks),
        ContainerFormat::Ktx2 => ktx2::info(&mut source, reads_blocks, task),
        ContainerFormat::Astc => astc::info(&mut source, reads_blocks),
    }
}

/// Returns the contents of the header of a KTX2 file in any format, also in those that
/// [`Texture::read`](crate::Texture::read) refuses, such as Basis Universal. Level data is not read.
///
/// # Errors
/// [`ContainerError`], also for other containers, 1D textures and arrays of 3D textures.
pub fn ktx2_header<R: Read + Seek>(mut reader: R) -> Result<Ktx2Header, ContainerError> {
    let mut source = ByteSource::new(&mut reader, u64::MAX)?;
    match detect(&mut source)? {
        other @ (ContainerFormat::Dds | ContainerFormat::Astc) => {
            Err(ContainerError::unsupported(format!("{} where KTX2 is expected", other.name())))
        }
        ContainerFormat::Ktx2 => ktx2::unread::header(&mut source),
    }
}

fn detect(source: &mut ByteSource<'_>) -> Result<ContainerFormat, ContainerError> {
    let first_bytes = source.bytes(0, source.len().min(DETECT_BYTES as u64))?;
    ContainerFormat::detect(&first_bytes).ok_or(ContainerError::UnknownContainer { first_bytes })
}
