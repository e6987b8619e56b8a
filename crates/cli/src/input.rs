//! Images that are read from files and standard input.

use crate::failure::Failure;
use brickwork_base::Task;
use brickwork_texture::image_file::{self, AnyImage, AnyInfo, ImageReadError, Picture};
pub use brickwork_toolkit::batch::{ByteStream, FileId, Input};
use std::io::{Seek as _, SeekFrom};

/// The extensions that a folder given as input is searched for.
pub const PICTURE_EXTENSIONS: [&str; 13] =
    ["png", "jpg", "jpeg", "tga", "bmp", "tif", "tiff", "webp", "gif", "ppm", "pgm", "pbm", "pnm"];

/// The extensions of textures.
pub const TEXTURE_EXTENSIONS: [&str; 2] = ["dds", "ktx2"];

/// The options of `image_file` for a memory limit.
fn read_options(max_memory: u64) -> image_file::ImageReadOptions {
    let mut options = image_file::ImageReadOptions::default();
    options = options.with_max_memory(max_memory);
    options
}

/// Opens `input` for `read`, one of the functions below.
fn read_with<R>(
    input: &Input,
    max_memory: u64,
    read: impl FnOnce(
        Box<dyn ByteStream>,
        Option<&str>,
        &image_file::ImageReadOptions,
    ) -> Result<R, ImageReadError>,
) -> Result<R, Failure> {
    let stream = input.open(max_memory)?;
    read(stream, input.extension(), &read_options(max_memory))
        .map_err(|error| Failure::from(error).of(input.name()))
}

/// Reads a picture, also from a texture: its first image. The task reports the bytes read.
///
/// # Errors
/// [`Failure`], named.
pub fn read_picture(input: &Input, max_memory: u64, task: &Task<'_>) -> Result<Picture, Failure> {
    read_with(input, max_memory, |stream, extension, options| {
        image_file::read(stream, extension, options, task)
    })
}

/// Reads a picture or a texture, whichever `input` holds.
///
/// # Errors
/// [`Failure`], named.
pub fn read_any(input: &Input, max_memory: u64) -> Result<AnyImage, Failure> {
    read_with(input, max_memory, |stream, extension, options| {
        image_file::read_any(stream, extension, options, &Task::new())
    })
}

/// What `input` says, picture or texture, and its length in bytes.
///
/// # Errors
/// [`Failure`], named.
pub fn info_any(input: &Input, max_memory: u64) -> Result<(AnyInfo, u64), Failure> {
    read_with(input, max_memory, |mut stream, extension, options| {
        let byte_count = stream.seek(SeekFrom::End(0)).map_err(ImageReadError::Io)?;
        Ok((image_file::info_any(stream, extension, options, &Task::new())?, byte_count))
    })
}
