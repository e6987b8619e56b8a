//! Reading of pictures and textures from inputs.

use super::TextureJobError;
use crate::batch::{ByteStream, Input};
use brickwork_base::{ErrorKind, Task};
use brickwork_image::image_file::{ImageReadError, ImageReadOptions, Picture};
use brickwork_texture::{
    Texture,
    container::{self, ContainerError, ContainerFormat, Info, Ktx2Header, TextureReadOptions},
    pictures::{self, AnyImage, AnyInfo},
};
use std::io::{Seek as _, SeekFrom};

/// Reads a picture, or the first image of a texture. The task reports the bytes read.
///
/// # Errors
/// [`TextureJobError`], which names the input.
pub fn read_picture(
    input: &Input,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<Picture, TextureJobError> {
    read_with(input, options, task, |stream, extension| pictures::read(stream, extension, options, task))
}

/// Reads a picture or a texture. The task reports the bytes read.
///
/// # Errors
/// [`TextureJobError`], which names the input.
pub fn read_any(
    input: &Input,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<AnyImage, TextureJobError> {
    read_with(input, options, task, |stream, extension| pictures::read_any(stream, extension, options, task))
}

/// Reads a texture in a block format or a plain format, and the contents of its file's header. The task
/// reports the bytes read.
///
/// # Errors
/// [`TextureJobError`], which names the input. Textures in other formats are not supported.
pub fn read_texture(
    input: &Input,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<(Texture, Info), TextureJobError> {
    let mut stream = input.open(max_memory, task)?;
    let name = || input.name();
    let io = |error| TextureJobError::Read { input: name(), error: ImageReadError::Io(error) };
    if ContainerFormat::detect_in(&mut stream).map_err(io)?.is_none() {
        return Err(TextureJobError::NotATexture { input: name() });
    }
    let options = TextureReadOptions::default().with(|o| o.max_memory = max_memory);
    let failed = |error| TextureJobError::Read { input: name(), error: ImageReadError::from(error) };
    Texture::read_with_info(stream, &options, task).map_err(failed)
}

/// Reads a texture in a block format or a plain format; `None` if the input has another format. Image files
/// are not decoded. The task reports the bytes read.
///
/// # Errors
/// [`TextureJobError`], which names the input.
pub fn read_if_texture(
    input: &Input,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<Option<Texture>, TextureJobError> {
    let failed = |error: ImageReadError| TextureJobError::Read { input: input.name(), error };
    let mut stream = input.open(max_memory, task)?;
    if ContainerFormat::detect_in(&mut stream).map_err(|error| failed(error.into()))?.is_none() {
        return Ok(None);
    }
    let options = ImageReadOptions::default().with(|o| o.max_memory = max_memory);
    Ok(match pictures::read_any(stream, None, &options, task).map_err(failed)? {
        AnyImage::Texture(texture) => Some(texture),
        AnyImage::Picture(_) => None,
    })
}

/// Reads the header of a texture in a block format or a plain format; the error of a damaged one. `None` for
/// an image, and for a texture in another format. The task reports the bytes read.
///
/// # Errors
/// [`TextureJobError`], which names the input.
pub fn texture_info(
    input: &Input,
    max_memory: u64,
    task: &Task<'_>,
) -> Result<Option<Result<Info, ContainerError>>, TextureJobError> {
    task.check()?;
    let mut stream = input.open(max_memory, task)?;
    let io = |error| TextureJobError::Read { input: input.name(), error: ImageReadError::Io(error) };
    if ContainerFormat::detect_in(&mut stream).map_err(io)?.is_none() {
        return Ok(None);
    }
    match container::info(stream, &TextureReadOptions::default(), &task.without_progress()) {
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(None),
        Err(error) if error.kind() == ErrorKind::Cancelled => {
            Err(TextureJobError::Read { input: input.name(), error: ImageReadError::from(error) })
        }
        info => Ok(Some(info)),
    }
}

/// Reads an input's description of itself, and its length in bytes. The task reports the bytes read.
///
/// # Errors
/// [`TextureJobError`], which names the input.
pub fn info_any(
    input: &Input,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<(AnyInfo, u64), TextureJobError> {
    read_with(input, options, task, |mut stream, extension| {
        let byte_count = stream.seek(SeekFrom::End(0)).map_err(ImageReadError::Io)?;
        Ok((pictures::info_any(stream, extension, options, task)?, byte_count))
    })
}

/// Like [`info_any`], but yields the header of a KTX2 file whose texels are not read as the inner error.
///
/// # Errors
/// [`TextureJobError`], which names the input.
pub fn info_or_header(
    input: &Input,
    options: &ImageReadOptions,
    task: &Task<'_>,
) -> Result<(Result<AnyInfo, Ktx2Header>, u64), TextureJobError> {
    read_with(input, options, task, |mut stream, extension| {
        let byte_count = stream.seek(SeekFrom::End(0)).map_err(ImageReadError::Io)?;
        let info = pictures::info_any(&mut stream, extension, options, task);
        let info = match info {
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                Err(container::ktx2_header(&mut stream).map_err(|_| error)?)
            }
            info => Ok(info?),
        };
        Ok((info, byte_count))
    })
}

/// Opens `input` for `read`.
fn read_with<R>(
    input: &Input,
    options: &ImageReadOptions,
    task: &Task<'_>,
    read: impl FnOnce(Box<dyn ByteStream>, Option<&str>) -> Result<R, ImageReadError>,
) -> Result<R, TextureJobError> {
    let stream = input.open(options.max_memory, task)?;
    read(stream, input.extension()).map_err(|error| TextureJobError::Read { input: input.name(), error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_base::{CancelToken, Progress};
    use std::sync::Mutex;

    const PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/kodak/kodim23.png");

    #[test]
    fn reading_a_picture_reports_bytes_and_stops() {
        let length = std::fs::metadata(PICTURE).unwrap().len();
        let seen = Mutex::new(Vec::new());
        let see = |progress: Progress| seen.lock().unwrap().push((progress.done, progress.total));
        let input = Input::File(PICTURE.into());
        read_picture(&input, &ImageReadOptions::default(), &Task::new().with_progress(&see)).unwrap();
        let seen = seen.into_inner().unwrap();
        assert!(seen.iter().all(|&(done, total)| done <= length && total == length), "{seen:?}");
        assert!(seen.iter().any(|&(done, total)| done * 2 > total), "{seen:?}");

        let token = CancelToken::new();
        let cancel = |_: Progress| token.cancel();
        let task = Task::new().with_progress(&cancel).with_cancel(&token);
        let error = read_picture(&input, &ImageReadOptions::default(), &task).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled, "{error}");
    }
}
