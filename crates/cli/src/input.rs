//! Where pictures and textures come from: files, folders of them, and standard input.

use crate::{exit::Exit, failure::Failure, output::folder_of, report::Bytes};
use brickwork_texture::{
    DecodeError, Decoder, Texture,
    container::{self, ContainerError, ContainerErrorKind, ContainerFormat},
    decode_into,
    image_file::{self, FileFormat, Picture, ReadError, ReadErrorKind},
};
use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Cursor, IsTerminal as _, Read, Seek},
    path::{Path, PathBuf},
};

/// The endings that a folder given as input is searched for.
pub const PICTURE_EXTENSIONS: [&str; 13] =
    ["png", "jpg", "jpeg", "tga", "bmp", "tif", "tiff", "webp", "gif", "ppm", "pgm", "pbm", "pnm"];

/// The endings of textures.
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
pub trait Source: BufRead + Seek {}

impl<S: BufRead + Seek> Source for S {}

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

    /// The ending of the file's name, which decides where the content leaves a choice (TGA has no signature).
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

    /// Opens the input. Standard input and other pipes are read to their end, at most `max_memory` bytes.
    ///
    /// # Errors
    /// [`Failure`], named, with a guess at what was meant where the file does not exist.
    pub fn open(&self, max_memory: u64) -> Result<Box<dyn Source>, Failure> {
        let open = || match self {
            Self::Stdin if io::stdin().is_terminal() => {
                Err(Failure::usage("is a terminal").hint("pipe a file into it: brickwork … - < FILE"))
            }
            Self::Stdin => read_to_end(io::stdin().lock(), max_memory),
            Self::File(path) => {
                let metadata = fs::metadata(path).map_err(|error| not_opened(path, &error))?;
                if metadata.is_dir() {
                    return Err(Failure::new(Exit::Io, "is a folder, a file is expected"));
                }
                let file = File::open(path).map_err(|error| Failure::io(&error))?;
                if metadata.is_file() {
                    Ok(Box::new(BufReader::with_capacity(1 << 18, file)) as Box<dyn Source>)
                } else {
                    read_to_end(file, max_memory)
                }
            }
        };
        open().map_err(|failure| failure.of(self.name()))
    }
}

fn read_to_end(from: impl Read, max_memory: u64) -> Result<Box<dyn Source>, Failure> {
    let mut bytes = Vec::new();
    let count = from.take(max_memory.saturating_add(1)).read_to_end(&mut bytes);
    if count.map_err(|error| Failure::io(&error))? as u64 > max_memory {
        return Err(over_limit(format!("is longer than the memory limit of {}", Bytes(max_memory))));
    }
    Ok(Box::new(Cursor::new(bytes)))
}

/// A failure because of `--max-memory`.
pub fn over_limit(reason: impl std::fmt::Display) -> Failure {
    let reason = reason.to_string();
    let says_how = reason.contains("--max-memory");
    let failure = Failure::new(Exit::Runtime, reason);
    if says_how { failure } else { failure.hint("raise it with --max-memory") }
}

/// Whether the source is a DDS or KTX2 file, by its first bytes; it is then at its start again.
///
/// # Errors
/// [`Failure`] of the system.
pub fn container_of(source: &mut dyn Source) -> Result<Option<ContainerFormat>, Failure> {
    let mut start = Vec::new();
    let read = (&mut *source).take(64).read_to_end(&mut start).and_then(|_| source.rewind());
    read.map_err(|error| Failure::io(&error))?;
    Ok(ContainerFormat::detect(&start))
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
                    let reason = format!("the folder holds no file that ends in {}", extensions.join(", "));
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

/// Which file a path leads to, whatever symbolic or hard links lie between.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
    #[cfg(not(unix))]
    canonical: PathBuf,
}

impl FileId {
    /// The file at `path`, if there is one.
    pub fn of(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let metadata = fs::metadata(path).ok()?;
            Some(Self { device_and_inode: (metadata.dev(), metadata.ino()) })
        }
        #[cfg(not(unix))]
        Some(Self { canonical: fs::canonicalize(path).ok()? })
    }
}

/// Reads a picture from `source`, which `input` was opened as.
///
/// # Errors
/// [`Failure`], named.
pub fn read_picture(input: &Input, source: Box<dyn Source>, max_memory: u64) -> Result<Picture, Failure> {
    let mut options = image_file::ReadOptions::default();
    options.max_memory = max_memory;
    image_file::read(source, input.extension(), &options).map_err(|error| {
        let claimed = input.extension().and_then(FileFormat::of_extension);
        let failure = match error.kind() {
            _ if matches!(error, ReadError::Unknown { .. }) => match claimed {
                // The name makes a promise that the content breaks.
                Some(format) => Failure::new(Exit::Invalid, format!("is no {} file: {error}", format.name())),
                None => {
                    let known = FileFormat::ALL.map(FileFormat::name).join(", ");
                    Failure::new(Exit::Unsupported, error).hint(format!("known are {known}"))
                }
            },
            ReadErrorKind::Invalid => Failure::new(Exit::Invalid, error),
            ReadErrorKind::Unsupported => Failure::new(Exit::Unsupported, error),
            ReadErrorKind::Limit => over_limit(error),
            ReadErrorKind::Io => Failure::new(Exit::Io, error),
        };
        failure.of(input.name())
    })
}

/// Reads a texture from `source`, which `input` was opened as.
///
/// # Errors
/// [`Failure`], named.
pub fn read_texture(input: &Input, source: &mut dyn Source, max_memory: u64) -> Result<Texture, Failure> {
    let texture = Texture::read(source, &container_options(max_memory));
    texture.map_err(|error| container_failure(&error).of(input.name()))
}

/// What `input` holds.
pub enum Content {
    /// A texture in a block format.
    Texture(Texture),
    /// A picture, perhaps in an uncompressed DDS or KTX2 file.
    Picture(Picture),
}

/// Reads `input`, whichever it is.
///
/// # Errors
/// [`Failure`], named.
pub fn read(input: &Input, max_memory: u64) -> Result<Content, Failure> {
    let mut source = input.open(max_memory)?;
    let container = container_of(&mut *source).map_err(|failure| failure.of(input.name()))?;
    if container.is_none() {
        return read_picture(input, source, max_memory).map(Content::Picture);
    }
    read_texture(input, &mut *source, max_memory)
        .map(Content::Texture)
        .or_else(|failure| read_uncompressed(input, source, max_memory, failure).map(Content::Picture))
}

/// Texture files also hold plain texels: what [`read_texture`] or `info` found unsupported may be a picture.
///
/// # Errors
/// `failure` if it is none.
pub fn read_uncompressed(
    input: &Input,
    mut source: Box<dyn Source>,
    max_memory: u64,
    failure: Failure,
) -> Result<Picture, Failure> {
    if failure.exit != Exit::Unsupported || source.rewind().is_err() {
        return Err(failure);
    }
    read_picture(input, source, max_memory).map_err(|_| failure)
}

/// The options of `container` for a memory limit.
pub fn container_options(max_memory: u64) -> container::ReadOptions {
    let mut options = container::ReadOptions::default();
    options.max_memory = max_memory;
    options
}

/// The failure of reading or writing a container.
pub fn container_failure(error: &ContainerError) -> Failure {
    match error.kind() {
        ContainerErrorKind::Invalid => Failure::new(Exit::Invalid, error),
        ContainerErrorKind::Unsupported => Failure::new(Exit::Unsupported, error),
        ContainerErrorKind::Limit => over_limit(error),
        ContainerErrorKind::Io => Failure::new(Exit::Io, error),
    }
}

/// One image of a texture: which layer, face, level and slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageIndex {
    /// Array layer.
    pub layer: u32,
    /// Face of a cube.
    pub face: u32,
    /// Mip level.
    pub level: u32,
    /// Slice of a 3D texture.
    pub slice: u32,
}

/// Decodes one image of `texture`: width, height and texels.
///
/// # Errors
/// [`Failure`] if there is no such image, no decoder for the format, or too little memory.
pub fn decode_image(
    texture: &Texture,
    index: ImageIndex,
    decoder: Decoder,
    max_memory: u64,
) -> Result<(u32, u32, Vec<[u8; 4]>), Failure> {
    let desc = texture.desc();
    let [width, height, depth] = desc.mip_level_size(index.level);
    for (what, asked, count) in [
        ("layer", index.layer, desc.layers),
        ("face", index.face, desc.faces()),
        ("level", index.level, desc.mip_levels),
        ("slice", index.slice, depth),
    ] {
        if asked >= count {
            let last = count - 1;
            let reason = if count == 1 {
                format!("has no {what} {asked}, only {what} 0")
            } else {
                format!("has no {what} {asked}, only 0 to {last}")
            };
            return Err(Failure::usage(reason));
        }
    }
    let texel_count = u64::from(width) * u64::from(height);
    let needed = texel_count.saturating_mul(4).saturating_add(texture.data().len() as u64);
    if needed > max_memory {
        let reason = format!("takes {} of memory, the limit is {}", Bytes(needed), Bytes(max_memory));
        return Err(over_limit(reason));
    }
    let image_bytes = desc.format.image_bytes(width, height) as usize;
    let blocks = &texture.image(index.layer, index.face, index.level)[index.slice as usize * image_bytes..];
    let mut texels = vec![[0; 4]; texel_count as usize];
    decode_into(desc.format, &blocks[..image_bytes], width, height, decoder, &mut texels).map_err(
        |error| match error {
            DecodeError::Unsupported(_) => Failure::new(Exit::Unsupported, error),
            _ => Failure::new(Exit::Runtime, error),
        },
    )?;
    Ok((width, height, texels))
}

/// Evaluates `$body` with `$view` as the [`ImageView`](brickwork_texture::ImageView) of `$image`'s texels, whatever
/// their type: nothing is copied. `$image` has the fields `texels`, `width` and `height`; `$body` gives a
/// `Result<_, Failure>`.
macro_rules! with_texels {
    ($image:expr, |$view:ident| $body:expr) => {{
        use brickwork_texture::{ImageView, image_file::Texels};
        let (width, height) = ($image.width, $image.height);
        let no_view = |error| $crate::failure::Failure::new($crate::exit::Exit::Invalid, error);
        match &$image.texels {
            Texels::Grey8(t) => ImageView::new(t, width, height).map_err(no_view).and_then(|$view| $body),
            Texels::Rgb8(t) => ImageView::new(t, width, height).map_err(no_view).and_then(|$view| $body),
            Texels::Rgba8(t) => ImageView::new(t, width, height).map_err(no_view).and_then(|$view| $body),
            Texels::Grey16(t) => ImageView::new(t, width, height).map_err(no_view).and_then(|$view| $body),
            Texels::Rgb16(t) => ImageView::new(t, width, height).map_err(no_view).and_then(|$view| $body),
            Texels::Rgba16(t) => ImageView::new(t, width, height).map_err(no_view).and_then(|$view| $body),
        }
    }};
}
pub(crate) use with_texels;
