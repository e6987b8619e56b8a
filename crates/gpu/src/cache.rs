//! Compiled kernels on disk, so that the next run of a program need not compile them again.
//!
//! A file is what wgpu gave, and 8 bytes of checksum: wgpu checks its own header, and drivers check theirs,
//! but nobody checks the rest.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The file for one adapter's pipelines.
pub(crate) fn file(folder: &Path, info: &wgpu::AdapterInfo) -> Option<PathBuf> {
    Some(folder.join(wgpu::util::pipeline_cache_key(info)?))
}

/// The cache, filled from the file if it exists and is intact.
#[allow(unsafe_code)]
pub(crate) fn open(device: &wgpu::Device, file: &Path) -> wgpu::PipelineCache {
    let file = fs::read(file).ok();
    // SAFETY: the data came from `PipelineCache::get_data`, written by `save` to a file whose name contains
    // `pipeline_cache_key`, and its checksum is correct. wgpu checks its own header (adapter, driver, length)
    // before the driver sees it, and `fallback` drops data that does not fit.
    unsafe {
        device.create_pipeline_cache(&wgpu::PipelineCacheDescriptor {
            label: Some("brickwork"),
            data: file.as_deref().and_then(whole),
            fallback: true,
        })
    }
}

/// Writes the cache to a temporary file beside it, then renames that. Writes nothing if nothing was added.
pub(crate) fn save(cache: &wgpu::PipelineCache, file: &Path) -> io::Result<()> {
    let Some(mut data) = cache.get_data() else { return Ok(()) };
    data.extend_from_slice(&checksum(&data));
    if fs::read(file).is_ok_and(|before| before == data) {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = file.with_extension(format!("{}.part", std::process::id()));
    fs::write(&beside, data).and_then(|()| fs::rename(&beside, file)).inspect_err(|_| {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    })
}

/// A file's data, if the checksum is correct.
fn whole(file: &[u8]) -> Option<&[u8]> {
    let (data, sum) = file.split_last_chunk()?;
    (checksum(data) == *sum).then_some(data)
}

/// FNV-1a, 64 bits.
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
}
