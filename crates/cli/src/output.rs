//! Where results go: whole files or nothing, and standard output.
//!
//! A file is written under a temporary name in its own folder, flushed to the disk and only then renamed, so
//! that its name always stands for the old file or the whole new one. Failures and Ctrl-C remove the temporary file;
//! after `kill -9` or a power cut a `.brickwork-….tmp` may be left beside it.

use crate::{exit, failure::Failure, input::FileId};
use std::{
    fs::{self, File, Metadata, Permissions},
    io::{self, BufWriter, IsTerminal as _, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};
use tempfile::{NamedTempFile, PersistError};

/// Bytes gathered before they go to the system: writers of containers and PNG write in small pieces.
const BUFFER_BYTES: usize = 1 << 20;

/// The temporary file being written, for the handler of Ctrl-C.
static PENDING: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Where a result goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Standard output.
    Stdout,
    /// A file, by path.
    File(PathBuf),
}

/// What may be done to an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is refused.
    Keep,
    /// It is replaced (`--force`).
    Replace,
}

/// How a writer may fail: on its own account, or because the output does.
pub type Written<T> = Result<T, Failure>;

impl Output {
    /// `-` or a path.
    pub fn of(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdout } else { Self::File(path.to_owned()) }
    }

    /// The output's name for reports and messages.
    pub fn name(&self) -> String {
        match self {
            Self::Stdout => "standard output".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Checks what can be checked before the work begins: an hour of encoding must not end in "exists already".
    ///
    /// # Errors
    /// [`Failure`] if the output exists and is not to be replaced, is a folder or one of `inputs`, if its folder
    /// does not take a file, or if it is a terminal.
    pub fn check(&self, existing: Existing, inputs: &[FileId]) -> Result<(), Failure> {
        let Self::File(path) = self else {
            return if io::stdout().is_terminal() {
                Err(Failure::usage("the bytes of a file are not written to a terminal")
                    .hint("use -o FILE, or send standard output to a file or program"))
            } else {
                Ok(())
            };
        };
        let place = Place::of(path).map_err(|failure| failure.of_path(path))?;
        if FileId::of(path).is_some_and(|id| inputs.contains(&id)) {
            return Err(Failure::new(exit::Exit::Io, "is an input file too; it would be overwritten")
                .of_path(path)
                .hint("choose another -o"));
        }
        match place {
            Place::Special => Ok(()),
            Place::Regular { metadata: Some(_), .. } if existing == Existing::Keep => Err(exists(path)),
            // Whether the folder takes a file is found out by creating one.
            Place::Regular { target, .. } => {
                Pending::create(&target).map(drop).map_err(|failure| failure.of_path(path))
            }
        }
    }

    /// Lets `write` write the whole output, and returns how many bytes it wrote. A reader of standard output that
    /// has gone away is no failure.
    ///
    /// # Errors
    /// The failure of `write`, or that of the system; a file is then as it was before.
    pub fn write(
        &self,
        existing: Existing,
        write: impl FnOnce(&mut dyn Write) -> Written<()>,
    ) -> Result<u64, Failure> {
        let path = match self {
            Self::Stdout => return write_stdout(write).map_err(|failure| failure.of(self.name())),
            Self::File(path) => path,
        };
        let write_file = || match Place::of(path)? {
            Place::Special => {
                let file = File::options().write(true).open(path).map_err(|error| Failure::io(&error))?;
                write_all(file, write)
            }
            Place::Regular { target, metadata } => {
                if metadata.is_some() && existing == Existing::Keep {
                    return Err(exists(path));
                }
                let mut pending = Pending::create(&target)?;
                let byte_count = write_all(pending.file.as_file_mut(), write)?;
                pending.commit(&target, metadata.map(|m| m.permissions()), existing).map_err(|error| {
                    match error.kind() {
                        io::ErrorKind::AlreadyExists => exists(path),
                        _ => Failure::io(&error),
                    }
                })?;
                Ok(byte_count)
            }
        };
        write_file().map_err(|failure| failure.of_path(path))
    }
}

fn exists(path: &Path) -> Failure {
    Failure::new(exit::Exit::Io, "exists already").of_path(path).hint("use --force to replace it")
}

/// What stands at a path that is to be written.
enum Place {
    /// A device, pipe or the like: written to as it is, never replaced.
    Special,
    /// A regular file or nothing yet. `target` is the path with symbolic links followed, so that a link stays one.
    Regular { target: PathBuf, metadata: Option<Metadata> },
}

impl Place {
    fn of(path: &Path) -> Result<Self, Failure> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                Err(Failure::new(exit::Exit::Io, "is a folder, a file is expected").of_path(path))
            }
            Ok(metadata) if !metadata.is_file() => Ok(Self::Special),
            Ok(metadata) => {
                let target = fs::canonicalize(path).map_err(|error| Failure::io(&error))?;
                Ok(Self::Regular { target, metadata: Some(metadata) })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if fs::symlink_metadata(path).is_ok() {
                    return Err(Failure::new(exit::Exit::Io, "is a symbolic link to nothing"));
                }
                let folder = folder_of(path);
                if !folder.is_dir() {
                    let reason = format!("the folder {} does not exist", folder.display());
                    return Err(Failure::new(exit::Exit::Io, reason));
                }
                Ok(Self::Regular { target: path.to_owned(), metadata: None })
            }
            Err(error) => Err(Failure::io(&error)),
        }
    }
}

/// The folder a file lies in: `.` for a bare name.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Counts the bytes on their way.
struct Counting<W> {
    inner: W,
    byte_count: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.byte_count += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn write_all(to: impl Write, write: impl FnOnce(&mut dyn Write) -> Written<()>) -> Result<u64, Failure> {
    let mut writer = Counting { inner: BufWriter::with_capacity(BUFFER_BYTES, to), byte_count: 0 };
    write(&mut writer)?;
    writer.flush().map_err(|error| Failure::io(&error))?;
    Ok(writer.byte_count)
}

/// Takes everything once the reader has gone, and remembers that it has.
struct UntilClosed<'a, W> {
    inner: W,
    closed: &'a mut bool,
}

impl<W: Write> UntilClosed<'_, W> {
    fn accept<T>(&mut self, result: io::Result<T>, otherwise: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                *self.closed = true;
                Ok(otherwise)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for UntilClosed<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if *self.closed {
            return Ok(bytes.len());
        }
        let result = self.inner.write(bytes);
        self.accept(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if *self.closed {
            return Ok(());
        }
        let result = self.inner.flush();
        self.accept(result, ())
    }
}

fn write_stdout(write: impl FnOnce(&mut dyn Write) -> Written<()>) -> Result<u64, Failure> {
    let mut closed = false;
    write_all(UntilClosed { inner: io::stdout().lock(), closed: &mut closed }, write)
}

/// Writes `text` to standard output, or to standard error. A reader that has gone away is no failure.
///
/// # Errors
/// [`Failure`] if the system does not take it, for example because the disk is full.
pub fn print(text: &str, to_stderr: bool) -> Result<(), Failure> {
    let mut closed = false;
    let (result, name) = if to_stderr {
        let mut writer = UntilClosed { inner: io::stderr().lock(), closed: &mut closed };
        (writer.write_all(text.as_bytes()).and_then(|()| writer.flush()), "standard error")
    } else {
        let mut writer = UntilClosed { inner: io::stdout().lock(), closed: &mut closed };
        (writer.write_all(text.as_bytes()).and_then(|()| writer.flush()), "standard output")
    };
    result.map_err(|error| Failure::io(&error).of(name))
}

/// A temporary file that goes away unless it is committed, also on Ctrl-C.
struct Pending {
    file: NamedTempFile,
}

impl Pending {
    fn create(target: &Path) -> Result<Self, Failure> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".brickwork-").suffix(".tmp");
        // Temporary files are private by default; this one is to become an ordinary file, less the umask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = folder_of(target);
        let file = builder.tempfile_in(folder).map_err(|error| {
            // The name of the temporary file in the system's words would say nothing to anybody.
            let reason = error.get_ref().and_then(|inner| inner.source()).map(ToString::to_string);
            let reason = reason.unwrap_or_else(|| error.to_string());
            Failure::new(exit::Exit::Io, format!("cannot create a file in {}: {reason}", folder.display()))
        })?;
        *pending = Some(file.path().to_owned());
        Ok(Self { file })
    }

    /// Gives the file its name. `permissions` are those of the file it replaces.
    fn commit(
        mut self,
        target: &Path,
        permissions: Option<Permissions>,
        existing: Existing,
    ) -> io::Result<()> {
        if let Some(permissions) = permissions {
            self.file.as_file().set_permissions(permissions)?;
        }
        self.file.as_file_mut().sync_all()?;
        match existing {
            Existing::Replace => self.file.persist(target).map_err(|error| error.error)?,
            Existing::Keep => match self.file.persist_noclobber(target) {
                Ok(file) => file,
                Err(PersistError { error, .. }) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Err(error);
                }
                // Some file systems know neither a rename that refuses nor hard links.
                Err(PersistError { file, .. }) => file.persist(target).map_err(|error| error.error)?,
            },
        };
        // The rename itself reaches the disk with the folder. The file is there and whole whatever this says, and some
        // file systems cannot do it.
        #[cfg(unix)]
        let _ = File::open(folder_of(target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

/// From now on Ctrl-C (and SIGTERM, SIGHUP) removes the temporary file and ends the program.
pub fn clean_up_on_interrupt() {
    let handler = || {
        // The lock is never given back: no other temporary file may appear.
        let pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = pending.as_deref() {
            let _ = fs::remove_file(path);
        }
        std::process::exit(exit::INTERRUPTED);
    };
    // Without a handler the program still works; an interrupt then leaves the temporary file.
    let _ = ctrlc::set_handler(handler);
    // A file that outgrows the limit of `ulimit -f` must fail with EFBIG, not kill the program.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
}
