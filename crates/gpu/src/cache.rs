//! Compiled kernels on disk, so that the next run of a program does not need to compile them again.
//!
//! A file contains the data from wgpu and 8 bytes of checksum. wgpu checks its own header, and drivers check
//! theirs, but the rest is otherwise unchecked.

use std::{
    fs, io,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
};

/// Maximum size of a file that is read or written, in bytes. All our kernels take some MiB.
const MAX_BYTES: u64 = 64 << 20;

/// Returns the file for one adapter's pipelines.
pub(crate) fn file(folder: &Path, info: &wgpu::AdapterInfo) -> Option<PathBuf> {
    Some(folder.join(wgpu::util::pipeline_cache_key(info)?))
}

/// Opens the cache, filled from the file if it exists and is intact.
#[allow(unsafe_code)]
pub(crate) fn open(device: &wgpu::Device, file: &Path) -> wgpu::PipelineCache {
    let file = read(file).ok();
    // SAFETY: the data came from `PipelineCache::get_data`, written by `save` to a file whose name contains
    // `pipeline_cache_key`, in a folder that only this user can write to, and its checksum is correct. wgpu
    // checks its own header (adapter, driver, length) before the driver sees it, and `fallback` drops data
    // that does not fit.
    unsafe {
        device.create_pipeline_cache(&wgpu::PipelineCacheDescriptor {
            label: Some("brickwork"),
            data: file.as_deref().and_then(whole),
            fallback: true,
        })
    }
}

/// Writes the cache to a temporary file in the same folder, then renames it. Writes nothing if nothing was
/// added.
pub(crate) fn save(cache: &wgpu::PipelineCache, file: &Path) -> io::Result<()> {
    let Some(mut data) = cache.get_data() else { return Ok(()) };
    data.extend_from_slice(&checksum(&data));
    if data.len() as u64 > MAX_BYTES || read(file).is_ok_and(|before| before == data) {
        return Ok(());
    }
    write(file, &data)
}

fn write(file: &Path, data: &[u8]) -> io::Result<()> {
    let folder = folder_of(file);
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)?;
    check_is_ours(folder)?;
    // A unique name, created by this call, because several contexts and processes may save at the same time.
    let mut beside = tempfile::Builder::new().prefix(".").suffix(".part").tempfile_in(folder)?;
    beside.write_all(data)?;
    beside.persist(file).map(drop).map_err(|error| error.error)
}

/// Reads a regular file of reasonable size, from a folder that belongs to this user, because the driver
/// trusts the contents. Links are not followed.
fn read(file: &Path) -> io::Result<Vec<u8>> {
    check_is_ours(folder_of(file))?;
    if !fs::symlink_metadata(file)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut data = Vec::new();
    fs::File::open(file)?.take(MAX_BYTES + 1).read_to_end(&mut data)?;
    if data.len() as u64 > MAX_BYTES { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(data) }
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that a folder belongs to this user, and that nobody else can write to it. A link is refused.
fn check_is_ours(folder: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(folder)?;
    let is_ours = metadata.is_dir();
    // On other systems, folders inherit the rights of the user's profile.
    #[cfg(unix)]
    let is_ours = {
        use std::os::unix::fs::MetadataExt as _;
        let is_own = metadata.uid() == rustix::process::geteuid().as_raw();
        is_ours && is_own && metadata.mode() & 0o022 == 0
    };
    if is_ours {
        return Ok(());
    }
    let reason = "the folder belongs to another user, or others can write to it";
    Err(io::Error::new(io::ErrorKind::PermissionDenied, reason))
}

/// Returns a file's data, if the checksum is correct.
fn whole(file: &[u8]) -> Option<&[u8]> {
    let (data, sum) = file.split_last_chunk()?;
    (checksum(data) == *sum).then_some(data)
}

/// Returns the 64-bit FNV-1a hash.
fn checksum(data: &[u8]) -> [u8; 8] {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    data.iter().fold(0xcbf2_9ce4_8422_2325, step).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_anywhere_is_seen() {
        // FNV's own test vector.
        assert_eq!(u64::from_le_bytes(checksum(b"foobar")), 0x8594_4171_f739_67e8);
        let mut file = b"pipelines".to_vec();
        file.extend_from_slice(&checksum(&file));
        assert_eq!(whole(&file), Some(&b"pipelines"[..]));
        for i in 0..file.len() {
            assert_eq!(whole(&file[..i]), None);
            file[i] ^= 1;
            assert_eq!(whole(&file), None, "byte {i}");
            file[i] ^= 1;
        }
    }

    #[test]
    fn files_are_written_whole_and_read_within_a_limit() {
        let around = tempfile::tempdir().expect("a folder");
        let file = around.path().join("new/folder/pipelines");
        write(&file, b"data").expect("a file");
        assert_eq!(read(&file).expect("a file"), b"data");
        write(&file, b"other").expect("the same file");
        assert_eq!(read(&file).expect("a file"), b"other");
        let names = fs::read_dir(file.parent().expect("a folder")).expect("a folder").count();
        assert_eq!(names, 1);
        let large = fs::File::create(around.path().join("large")).expect("a file");
        large.set_len(MAX_BYTES + 1).expect("a hole");
        assert!(read(&around.path().join("large")).is_err());
    }

    #[test]
    fn many_may_write_at_once() {
        let around = tempfile::tempdir().expect("a folder");
        let file = around.path().join("pipelines");
        std::thread::scope(|scope| {
            for i in 0..8u8 {
                let file = &file;
                scope.spawn(move || (0..20).for_each(|_| write(file, &[i; 5000]).expect("a file")));
            }
        });
        let data = read(&file).expect("a file");
        assert!(data.len() == 5000 && data.iter().all(|byte| *byte == data[0]));
    }

    #[cfg(unix)]
    #[test]
    fn only_folders_of_our_own_are_trusted() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
        let around = tempfile::tempdir().expect("a folder");
        let folder = around.path().join("cache");
        let file = folder.join("pipelines");
        write(&file, b"data").expect("a file");
        let mode = fs::metadata(&folder).expect("a folder").mode();
        assert_eq!(mode & 0o777, 0o700, "{mode:o}");
        check_is_ours(&folder).expect("a folder of ours");
        for mode in [0o770, 0o702, 0o777] {
            fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).expect("our own");
            for error in [write(&file, b"more").err(), read(&file).err()] {
                let error = error.expect("others can write").to_string();
                assert!(error.contains("others can write"), "{mode:o}: {error}");
            }
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("our own");
        check_is_ours(&folder).expect("a folder of ours");
        let link = around.path().join("link");
        symlink(&folder, &link).expect("a link");
        assert!(check_is_ours(&link).is_err());
        symlink(&file, folder.join("linked")).expect("a link");
        assert!(read(&folder.join("linked")).is_err());
        // A folder of another user, to which nobody else can write. Root gives one away; others use `/`.
        let own = rustix::process::geteuid().as_raw();
        let others = if std::os::unix::fs::chown(&folder, Some(own + 1), None).is_ok() {
            folder.as_path()
        } else {
            Path::new("/")
        };
        assert_ne!(fs::metadata(others).expect("a folder").uid(), own);
        assert!(check_is_ours(others).is_err());
    }
}
