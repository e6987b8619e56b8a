//! Files that contain either a picture or a texture.

use super::read;
use crate::{
    ErrorKind, Task, Texture,
    container::{self, ContainerError, ContainerFormat, Info},
};
use brickwork_image::image_file::{ImageReadError, ImageReadOptions, Picture};
use std::{
    ffi::OsStr,
    fs::File,
    io::{BufRead, BufReader, Seek, SeekFrom},
    path::Path,
};

/// Contents of an image file.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum AnyImage {
    /// A texture in a block format or a plain format.
    Texture(Texture),
    /// A picture, possibly from a DDS or KTX2 file of other texels, such as grey ones.
    Picture(Picture),
}

/// Information about an image file.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum AnyInfo {
    /// The header of a texture in a block format or a plain format.
    Texture(Info),
    /// A picture. It is decoded, because only decoding shows if it is opaque.
    Picture(Picture),
}

/// Reads an image file, from the first byte of the stream. A DDS, KTX2 or `.astc` file in a
/// [`TextureFormat`](crate::TextureFormat) becomes a [`Texture`]. Any other file that [`read`] supports
/// becomes a [`Picture`].
///
/// # Errors
/// [`ImageReadError`]. For a DDS, KTX2 or `.astc` file that is readable as neither,
/// [`ImageReadError::Other`].
pub fn read_any<R: BufRead + Seek>(
    mut reader: R,
    extension: Option<&str>,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<AnyImage, ImageReadError> {
    let container = of_container(&mut reader)?;
    let texture = container.map(|_| Texture::read(&mut reader, &container_options(options), task));
    or_picture(texture, AnyImage::Texture, AnyImage::Picture, || read(reader, extension, options, task))
}

/// Reads the image file at `path` as a texture or a picture, like [`read_any`].
///
/// # Errors
/// As [`read_any`].
pub fn open(
    path: impl AsRef<Path>,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<AnyImage, ImageReadError> {
    let path = path.as_ref();
    let extension = path.extension().and_then(OsStr::to_str);
    read_any(BufReader::new(File::open(path)?), extension, options, task)
}

/// Returns the contents of an image file without reading the data of a texture ([`container::info`]).
///
/// # Errors
/// As [`read_any`].
pub fn info_any<R: BufRead + Seek>(
    mut reader: R,
    extension: Option<&str>,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<AnyInfo, ImageReadError> {
    let container = of_container(&mut reader)?;
    let info = container.map(|_| container::info(&mut reader, &container_options(options), task));
    or_picture(info, AnyInfo::Texture, AnyInfo::Picture, || read(reader, extension, options, task))
}

/// Returns the format of the container with which the stream starts, if any.
fn of_container<R: BufRead + Seek>(reader: &mut R) -> Result<Option<ContainerFormat>, ImageReadError> {
    reader.seek(SeekFrom::Start(0))?;
    Ok(ContainerFormat::detect_in(reader)?)
}

/// Returns the texture or header from a container. Reads the picture instead if there is no container, or if
/// the container has texels in another format than those of textures.
fn or_picture<T, Any>(
    found: Option<Result<T, ContainerError>>,
    any: impl FnOnce(T) -> Any,
    any_picture: impl FnOnce(Picture) -> Any,
    read_picture: impl FnOnce() -> Result<Picture, ImageReadError>,
) -> Result<Any, ImageReadError> {
    match found {
        None => read_picture().map(any_picture),
        Some(Ok(found)) => Ok(any(found)),
        Some(Err(error)) if error.kind() == ErrorKind::Unsupported => {
            read_picture().map(any_picture).map_err(|failure| match failure.kind() {
                ErrorKind::Cancelled | ErrorKind::Limit | ErrorKind::Io => failure,
                _ => error.into(),
            })
        }
        Some(Err(ContainerError::Cancelled(cancelled))) => Err(cancelled.into()),
        Some(Err(error)) => Err(error.into()),
    }
}

fn container_options(options: &ImageReadOptions) -> container::TextureReadOptions {
    container::TextureReadOptions::default().with(|o| o.max_memory = options.max_memory)
}
