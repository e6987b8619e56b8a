//! Where images come from: files, folders of them, and standard input.

pub use crate::file_id::FileId;
use crate::{exit::Exit, failure::Failure, report::Bytes};
use brickwork_texture::{
    image_file::{self, AnyImage, AnyInfo, Picture, ReadError},
    whole_file::folder_of,
};
use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Cursor, IsTerminal as _, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

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

/// Files in place of the folders among `paths`: those in the folder itself with one of `extensions`, by name.
/// A failure stands where its path stood, so that the others can go on.
pub fn expand(paths: &[PathBuf], extensions: &[&str]) -> Vec<Result<Input, Failure>> {
    let mut inputs = Vec::new();
    for path in paths {
        let input = Input::of(path);
        match fs::metadata(path) {
            _ if input == Input::Stdin => inputs.push(Ok(input)),
            Err(error) => inputs.push(Err(not_opened(path, &error).of_path(path))),
            Ok(metadata) if metadata.is_dir() => match files_in(path, extensions) {
                Ok(files) if files.is_empty() => {
                    let reason =
                        format!("the folder holds no file with the extension {}", extensions.join(", "));
                    inputs.push(Err(Failure::new(Exit::Io, reason).of_path(path)));
                }
                Ok(files) => inputs.extend(files.into_iter().map(|file| Ok(Input::File(file)))),
                Err(error) => inputs.push(Err(Failure::io(&error).of_path(path))),
            },
            Ok(_) => inputs.push(Ok(input)),
        }
    }
    inputs
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

fn files_in(folder: &Path, extensions: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if !hidden && has_extension(&path, extensions) && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
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
    let similar = files_in(folder, &known)
        .unwrap_or_default()
        .into_iter()
        .find(|file| file.file_stem().unwrap_or_default().eq_ignore_ascii_case(stem));
    match similar {
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
fn read_options(max_memory: u64) -> image_file::ReadOptions {
    let mut options = image_file::ReadOptions::default();
    options.max_memory = max_memory;
    options
}

/// Opens `input` for `read`, one of the functions below.
fn read_with<R>(
    input: &Input,
    max_memory: u64,
    read: impl FnOnce(Box<dyn ByteStream>, Option<&str>, &image_file::ReadOptions) -> Result<R, ReadError>,
) -> Result<R, Failure> {
    let stream = input.open(max_memory)?;
    read(stream, input.extension(), &read_options(max_memory))
        .map_err(|error| Failure::from(error).of(input.name()))
}

/// Reads a picture, also from a texture: its first image.
///
/// # Errors
/// [`Failure`], named.
pub fn read_picture(input: &Input, max_memory: u64) -> Result<Picture, Failure> {
    read_with(input, max_memory, image_file::read)
}

/// Reads a picture or a texture, whichever `input` holds.
///
/// # Errors
/// [`Failure`], named.
pub fn read_any(input: &Input, max_memory: u64) -> Result<AnyImage, Failure> {
    read_with(input, max_memory, image_file::read_any)
}

/// What `input` says, picture or texture, and its length in bytes.
///
/// # Errors
/// [`Failure`], named.
pub fn info_any(input: &Input, max_memory: u64) -> Result<(AnyInfo, u64), Failure> {
    read_with(input, max_memory, |mut stream, extension, options| {
        let byte_count = stream.seek(SeekFrom::End(0)).map_err(ReadError::Io)?;
        Ok((image_file::info_any(stream, extension, options)?, byte_count))
    })
}
