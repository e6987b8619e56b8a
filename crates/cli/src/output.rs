//! Where results go: whole files or nothing, and standard output.
//!
//! The library's [`whole_file`](brickwork_base::whole_file) takes care of the former; added here is that
//! Ctrl-C removes the temporary file.

use crate::{exit, failure::Failure, file_id::FileId};
pub use brickwork_base::whole_file::{Existing, folder_of};
use brickwork_base::{
    whole_file::{Target, WholeFile},
    whole_folder::WholeFolder,
};
use std::{
    fs,
    io::{self, BufWriter, IsTerminal as _, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Bytes gathered before they go to the system: writers of containers and PNG write in small pieces.
const BUFFER_BYTES: usize = 1 << 20;

/// The temporary files and folders being written, for the handler of Ctrl-C.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Where a result goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Standard output.
    Stdout,
    /// A file, by path.
    File(PathBuf),
}

/// What writing an output does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A new file, or bytes for a device or pipe.
    Create,
    /// Another file is replaced.
    Replace,
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
        self.effect(existing, inputs)?;
        let Self::File(path) = self else { return Ok(()) };
        let target = Target::of(path).map_err(|error| Failure::io(&error).of_path(path))?;
        if target.is_special() {
            return Ok(());
        }
        // Creating a file shows whether the folder takes one.
        create(&target).map(drop).map_err(|error| Failure::io(&error).of_path(path))
    }

    /// What writing the output would do; nothing is touched.
    ///
    /// # Errors
    /// As [`check`](Self::check), which also finds out whether there is a folder in which a file can be
    /// created.
    pub fn effect(&self, existing: Existing, inputs: &[FileId]) -> Result<Effect, Failure> {
        let Self::File(path) = self else {
            return if io::stdout().is_terminal() {
                Err(Failure::usage("binary output is not written to a terminal")
                    .hint("use -o FILE, or send standard output to a file or program"))
            } else {
                Ok(Effect::Create)
            };
        };
        if !folder_of(path).exists() {
            return Ok(Effect::Create);
        }
        let target = Target::of(path).map_err(|error| Failure::io(&error).of_path(path))?;
        if FileId::of(path).is_some_and(|id| inputs.contains(&id)) {
            return Err(Failure::new(exit::Exit::Io, "is an input file too; it would be overwritten")
                .of_path(path)
                .hint("choose another name"));
        }
        if target.is_special() || !target.is_file() {
            return Ok(Effect::Create);
        }
        match existing {
            Existing::Replace => Ok(Effect::Replace),
            Existing::Keep => Err(exists(path)),
        }
    }

    /// Checks that the name does not promise another format than PNG. Names without an extension do not.
    ///
    /// # Errors
    /// [`Failure`] of the name.
    pub fn check_png(&self) -> Result<(), Failure> {
        let Self::File(path) = self else { return Ok(()) };
        match path.extension() {
            Some(extension) if !extension.eq_ignore_ascii_case("png") && !path.is_dir() => {
                let reason = format!("only PNG is written, not .{}", extension.display());
                Err(Failure::usage(reason).of_path(path).hint("use the extension .png"))
            }
            _ => Ok(()),
        }
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
        let mut pending = create(&target).map_err(failed)?;
        let byte_count = write_all(&mut pending.file, write).map_err(|failure| failure.of_path(path))?;
        pending.commit(existing).map_err(failed)?;
        Ok(byte_count)
    }
}

/// A file being written; if it is a temporary one, Ctrl-C removes it.
struct Pending {
    file: WholeFile,
    temporary: Option<PathBuf>,
}

impl Pending {
    fn commit(self, existing: Existing) -> io::Result<()> {
        let Self { file, temporary } = self;
        let committed = file.commit(existing);
        forget(temporary.as_deref());
        committed
    }
}

/// A folder being written; Ctrl-C removes it.
pub struct PendingFolder {
    folder: WholeFolder,
    temporary: PathBuf,
}

/// A folder to write to, which will be `path`.
///
/// # Errors
/// As [`WholeFolder::create`].
pub fn create_folder(path: &Path) -> io::Result<PendingFolder> {
    let mut pending = pending_files();
    let folder = WholeFolder::create(path)?;
    let temporary = folder.path().to_owned();
    pending.push(temporary.clone());
    Ok(PendingFolder { folder, temporary })
}

impl PendingFolder {
    /// Where files go until then.
    pub fn path(&self) -> &Path {
        &self.temporary
    }

    /// Gives the folder its name.
    ///
    /// # Errors
    /// As [`WholeFolder::commit`].
    pub fn commit(self) -> io::Result<()> {
        // An interrupt waits: one that empties the folder while it gets its name would leave it empty.
        let mut pending = pending_files();
        let committed = self.folder.commit();
        pending.retain(|path| *path != self.temporary);
        committed
    }
}

/// Ctrl-C no longer needs to remove `temporary`.
fn forget(temporary: Option<&Path>) {
    pending_files().retain(|path| Some(path.as_path()) != temporary);
}

fn pending_files() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The file to write for `target`.
fn create(target: &Target) -> io::Result<Pending> {
    let mut pending = pending_files();
    let file = target.create()?;
    let temporary = file.temporary_path().map(Path::to_owned);
    pending.extend(temporary.clone());
    Ok(Pending { file, temporary })
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

/// Removes a file or folder to which other threads may still be writing.
fn remove(path: &Path) {
    if fs::remove_file(path).is_ok() {
        return;
    }
    // Other threads may put files into a folder by its path while it is emptied, which would keep it there.
    // They fail once it has another name; that name is one of those which a later run removes, too.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let removed = path.with_file_name(format!(".brickwork-removed-{}.tmp", name.trim_start_matches('.')));
    let path = if fs::rename(path, &removed).is_ok() { &removed } else { path };
    for _ in 0..1000 {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            _ => return,
        }
    }
}

/// From now on Ctrl-C (and SIGTERM, SIGHUP) removes the temporary files and ends the program.
pub fn clean_up_on_interrupt() {
    let handler = || {
        // The lock is never given back: no other temporary file may appear.
        let pending = pending_files();
        for path in &*pending {
            remove(path);
        }
        end_at_once(exit::INTERRUPTED);
    };
    // Without a handler the program still works; an interrupt then leaves the temporary file.
    let _ = ctrlc::set_handler(handler);
    // A file that outgrows the limit of `ulimit -f` must fail with EFBIG, not kill the program.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_and_a_folder_s_name_wait_for_each_other() {
        let around = tempfile::tempdir().expect("a folder");
        let path = around.path().join("slices");
        let folder = create_folder(&path).expect("a folder");
        fs::write(folder.path().join("a"), b"1").expect("a file");
        // As the handler of interrupts does.
        let pending = pending_files();
        assert!(pending.iter().any(|path| path == folder.path()));
        let committing = std::thread::spawn(|| folder.commit());
        std::thread::sleep(std::time::Duration::from_millis(100));
        assert!(!path.exists());
        drop(pending);
        committing.join().expect("no panic").expect("no error");
        assert_eq!(fs::read(path.join("a")).expect("a file"), b"1");
    }

    #[test]
    fn a_folder_is_removed_although_files_are_put_into_it() {
        for _ in 0..20 {
            let around = tempfile::tempdir().expect("a folder");
            let path = around.path().join("slices");
            fs::create_dir(&path).expect("a folder");
            let inner = path.clone();
            let writing = std::thread::spawn(move || {
                (0..).take_while(|i| fs::write(inner.join(i.to_string()), b"1").is_ok()).count()
            });
            while fs::read_dir(&path).expect("a folder").count() < 50 {}
            remove(&path);
            assert!(!path.exists());
            writing.join().expect("no panic");
        }
    }

    /// Another program may write the file after the last look at it.
    #[test]
    fn a_file_that_appears_while_writing_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.dds");
        let output = Output::of(&path);
        let write = |existing| {
            output.write(existing, |sink| {
                fs::write(&path, b"another's").map_err(|error| Failure::io(&error))?;
                sink.write_all(b"ours").map_err(|error| Failure::io(&error))
            })
        };
        let failure = write(Existing::Keep).expect_err("it exists by now").to_string();
        assert!(failure.contains("already exists"), "{failure}");
        assert_eq!(fs::read(&path).expect("a file"), b"another's");
        assert_eq!(write(Existing::Replace).expect("it may be replaced"), 4);
        assert_eq!(fs::read(&path).expect("a file"), b"ours");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
