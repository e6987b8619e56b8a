//! Where results go: whole files or nothing, and standard output.
//!
//! The library's [`whole_file`](brickwork_texture::whole_file) takes care of the former; added here is that
//! Ctrl-C removes the temporary file.

use crate::{exit, failure::Failure, file_id::FileId};
pub use brickwork_texture::whole_file::{Existing, folder_of};
use brickwork_texture::whole_file::{Target, WholeFile};
use std::{
    fs,
    io::{self, BufWriter, IsTerminal as _, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

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

    /// Checks what can be checked before the work begins: an hour of encoding must not end in "already
    /// exists".
    ///
    /// # Errors
    /// [`Failure`] if the output exists and is not to be replaced, is a folder or one of `inputs`, if no file
    /// can be created in its folder, or if it is a terminal.
    pub fn check(&self, existing: Existing, inputs: &[FileId]) -> Result<(), Failure> {
        let Self::File(path) = self else {
            return if io::stdout().is_terminal() {
                Err(Failure::usage("binary output is not written to a terminal")
                    .hint("use -o FILE, or send standard output to a file or program"))
            } else {
                Ok(())
            };
        };
        let target = Target::of(path).map_err(|error| Failure::io(&error).of_path(path))?;
        if FileId::of(path).is_some_and(|id| inputs.contains(&id)) {
            return Err(Failure::new(exit::Exit::Io, "is an input file too; it would be overwritten")
                .of_path(path)
                .hint("choose another -o"));
        }
        if target.is_special() {
            return Ok(());
        }
        if target.is_file() && existing == Existing::Keep {
            return Err(exists(path));
        }
        // Creating a file shows whether the folder takes one.
        create(&target).map(drop).map_err(|error| Failure::io(&error).of_path(path))
    }

    /// Lets `write` write the whole output, and returns how many bytes it wrote. A reader of standard output
    /// that has gone away is not a failure.
    ///
    /// # Errors
    /// The failure of `write`, or that of the system; a file is then as it was before.
    pub fn write(
        &self,
        existing: Existing,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<u64, Failure> {
        let path = match self {
            Self::Stdout => return write_stdout(write).map_err(|failure| failure.of(self.name())),
            Self::File(path) => path,
        };
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(path),
            _ => Failure::io(&error).of_path(path),
        };
        let target = Target::of(path).map_err(failed)?;
        if target.is_file() && existing == Existing::Keep {
            return Err(exists(path));
        }
        let mut file = create(&target).map_err(failed)?;
        let byte_count = write_all(&mut file, write).map_err(|failure| failure.of_path(path))?;
        file.commit(existing).map_err(failed)?;
        Ok(byte_count)
    }
}

/// The file to write for `target`; if it is a temporary one, Ctrl-C removes it.
fn create(target: &Target) -> io::Result<WholeFile> {
    let mut pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
    let file = target.create()?;
    *pending = file.temporary_path().map(Path::to_owned);
    Ok(file)
}

fn exists(path: &Path) -> Failure {
    Failure::new(exit::Exit::Io, "already exists").of_path(path).hint("use --force to replace it")
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

fn write_all(
    to: impl Write,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let mut writer = Counting { inner: BufWriter::with_capacity(BUFFER_BYTES, to), byte_count: 0 };
    write(&mut writer)?;
    writer.flush().map_err(|error| Failure::io(&error))?;
    Ok(writer.byte_count)
}

/// Discards everything once the reader has gone, and remembers that it has.
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

fn write_stdout(write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>) -> Result<u64, Failure> {
    let mut closed = false;
    write_all(UntilClosed { inner: io::stdout().lock(), closed: &mut closed }, write)
}

/// Writes `text` to standard output, or to standard error. A reader that has gone away is not a failure.
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

/// Ends the program without the functions that libraries left for its end. A driver's would free what its
/// threads still use: lavapipe, interrupted while it compiles, died of that.
fn end_at_once(code: i32) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(code);
    #[cfg(not(unix))]
    std::process::exit(code);
}

/// From now on Ctrl-C (and SIGTERM, SIGHUP) removes the temporary file and ends the program.
pub fn clean_up_on_interrupt() {
    let handler = || {
        // The lock is never given back: no other temporary file may appear.
        let pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = pending.as_deref() {
            let _ = fs::remove_file(path);
        }
        end_at_once(exit::INTERRUPTED);
    };
    // Without a handler the program still works; an interrupt then leaves the temporary file.
    let _ = ctrlc::set_handler(handler);
    // A file that outgrows the limit of `ulimit -f` must fail with EFBIG, not kill the program.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
}
