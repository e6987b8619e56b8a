//! Regular files, such as small ones of texts and settings. In their place, a pipe could be waited for, and a
//! device be read, for ever.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
};

/// Checks that a file is regular.
///
/// # Errors
/// [`io::Error`] if there is no file, or it is a folder, pipe or device.
pub fn check(path: &Path) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder, expected a file"));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file"));
    }
    Ok(())
}

/// Opens a regular file.
///
/// # Errors
/// [`io::Error`] if the file cannot be opened, or is a folder, pipe or device.
pub fn open(path: &Path) -> io::Result<File> {
    check(path)?;
    File::open(path)
}

/// Returns the bytes of a regular file of at most `limit` bytes.
///
/// # Errors
/// [`io::Error`] if the file cannot be read, is larger, or is a folder, pipe or device.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let reason = format!("has more than {limit} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_regular_files_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a");
        fs::write(&file, [7; 5]).expect("a file");
        assert_eq!(read(&file, 5).expect("five bytes"), [7; 5]);
        assert_eq!(read(&file, 4).expect_err("too large").kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read(folder.path(), 9).expect_err("a folder").kind(), io::ErrorKind::IsADirectory);
        assert_eq!(read(&folder.path().join("b"), 9).expect_err("nothing").kind(), io::ErrorKind::NotFound);
        #[cfg(unix)]
        assert_eq!(
            read(Path::new("/dev/zero"), 9).expect_err("a device").kind(),
            io::ErrorKind::InvalidInput
        );
    }
}
