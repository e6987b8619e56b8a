//! Where images come from: files, folders of them, and standard input.

mod expand;
mod told;

pub use crate::file_id::FileId;
use crate::{exit::Exit, failure::Failure, report::Bytes};
use brickwork_base::{Task, whole_file::folder_of};
use brickwork_texture::image_file::{self, AnyImage, AnyInfo, ImageReadError, Picture};
pub use expand::{Found, expand};
use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Cursor, IsTerminal as _, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};
use told::Told;

/// The extensions that a folder given as input is searched for.
pub const PICTURE_EXTENSIONS: [&str; 13] =
    ["png", "jpg", "jpeg", "tga", "bmp", "tif", "tiff", "webp", "gif", "ppm", "pgm", "pbm", "pnm"];

/// The extensions of textures.
pub const TEXTURE_EXTENSIONS: [&str; 2] = ["dds", "ktx2"];

/// One thing to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Standard input, written `-`.
    Stdin,
    /// A file, by path.
    File(PathBuf),
}

/// Bytes that can be read in any order.
pub trait ByteStream: BufRead + Seek {}

impl<S: BufRead + Seek> ByteStream for S {}

impl Input {
    /// `-` or a path.
    pub fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// The input's name for reports and messages.
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "standard input".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// The extension of the file's name, which decides where the content does not (TGA has no signature).
    pub fn extension(&self) -> Option<&str> {
        match self {
            Self::Stdin => None,
            Self::File(path) => path.extension()?.to_str(),
        }
    }

    /// The path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// Whether the input can be opened once more and reads the same: pipes cannot.
    pub fn can_be_read_again(&self) -> bool {
        self.path().is_some_and(Path::is_file)
    }

    /// Which file this is, if it is one.
    pub fn id(&self) -> Option<FileId> {
        match self {
            Self::Stdin => None,
            Self::File(path) => FileId::of(path),
        }
    }

    /// Opens the input. Standard input and other pipes are read to the end, at most `max_memory` bytes.
    ///
    /// # Errors
    /// [`Failure`], named, with a guess at what was meant where the file does not exist.
    pub fn open(&self, max_memory: u64) -> Result<Box<dyn ByteStream>, Failure> {
        let open = || match self {
            Self::Stdin if io::stdin().is_terminal() => {
                Err(Failure::usage("is a terminal").hint("redirect a file into it: brickwork … - < FILE"))
            }
            Self::Stdin => read_to_end(io::stdin().lock(), max_memory),
            Self::File(path) => {
                let metadata = fs::metadata(path).map_err(|error| not_opened(path, &error))?;
                if metadata.is_dir() {
                    return Err(Failure::new(Exit::Io, "is a folder; expected a file"));
                }
                let file = File::open(path).map_err(|error| Failure::io(&error))?;
                if metadata.is_file() {
                    Ok(Box::new(BufReader::with_capacity(1 << 18, file)) as Box<dyn ByteStream>)
                } else {
                    read_to_end(file, max_memory)
                }
            }
        };
        open().map_err(|failure| failure.of(self.name()))
    }
}

fn read_to_end(from: impl Read, max_memory: u64) -> Result<Box<dyn ByteStream>, Failure> {
    let mut bytes = Vec::new();
    let count = from.take(max_memory.saturating_add(1)).read_to_end(&mut bytes);
    if count.map_err(|error| Failure::io(&error))? as u64 > max_memory {
        return Err(Failure::over_limit(format!("is longer than the memory limit of {}", Bytes(max_memory))));
    }
    Ok(Box::new(Cursor::new(bytes)))
}

/// Why `path` cannot be opened, with a guess at what was meant.
fn not_opened(path: &Path, error: &io::Error) -> Failure {
    if error.kind() != io::ErrorKind::NotFound {
        return Failure::io(error);
    }
    let failure = Failure::new(Exit::Io, "no such file");
    let folder = folder_of(path);
    if !folder.is_dir() {
        return failure.hint(format!("there is no folder {}", folder.display()));
    }
    if path.to_str().is_some_and(|name| name.contains(['*', '?'])) {
        return failure.hint("no file matches this pattern");
    }
    let known: Vec<&str> = PICTURE_EXTENSIONS.into_iter().chain(TEXTURE_EXTENSIONS).collect();
    let stem = path.file_stem().unwrap_or_default();
    match expand::similar(folder, stem, &known) {
        Some(file) => {
            let file = file.strip_prefix(".").unwrap_or(&file);
            failure.hint(format!("did you mean {}?", file.display()))
        }
        None if path.is_relative() => match std::env::current_dir() {
            Ok(here) => failure.hint(format!("looked in {}", here.display())),
            Err(_) => failure,
        },
        None => failure,
    }
}

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
    task: &Task<'_>,
    read: impl FnOnce(Told<'_>, Option<&str>, &image_file::ImageReadOptions) -> Result<R, ImageReadError>,
) -> Result<R, Failure> {
    let failed = |error| Failure::from(error).of(input.name());
    let stream =
        Told::new(input.open(max_memory)?, task).map_err(|error| failed(ImageReadError::Io(error)))?;
    read(stream, input.extension(), &read_options(max_memory)).map_err(failed)
}

/// Reads a picture, also from a texture: its first image. The task reports the bytes read.
///
/// # Errors
/// [`Failure`], named.
pub fn read_picture(input: &Input, max_memory: u64, task: &Task<'_>) -> Result<Picture, Failure> {
    read_with(input, max_memory, task, |stream, extension, options| {
        image_file::read(stream, extension, options)
    })
}

/// Reads a picture or a texture, whichever `input` holds.
///
/// # Errors
/// [`Failure`], named.
pub fn read_any(input: &Input, max_memory: u64) -> Result<AnyImage, Failure> {
    read_with(input, max_memory, &Task::new(), |stream, extension, options| {
        image_file::read_any(stream, extension, options)
    })
}

/// What `input` says, picture or texture, and its length in bytes.
///
/// # Errors
/// [`Failure`], named.
pub fn info_any(input: &Input, max_memory: u64) -> Result<(AnyInfo, u64), Failure> {
    read_with(input, max_memory, &Task::new(), |mut stream, extension, options| {
        let byte_count = stream.seek(SeekFrom::End(0)).map_err(ImageReadError::Io)?;
        Ok((image_file::info_any(stream, extension, options)?, byte_count))
    })
}
