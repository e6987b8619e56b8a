//! Compiled kernels on disk, so that the next run of a program need not compile them again.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The file for one adapter's pipelines.
pub(crate) fn file(folder: &Path, info: &wgpu::AdapterInfo) -> Option<PathBuf> {
    Some(folder.join(wgpu::util::pipeline_cache_key(info)?))
}

/// The cache, filled from the file if that is there.
#[allow(unsafe_code)]
pub(crate) fn open(device: &wgpu::Device, file: &Path) -> wgpu::PipelineCache {
    let data = fs::read(file).ok();
    // SAFETY: the data came from `PipelineCache::get_data`, written by `save` to a file whose name holds
    // `pipeline_cache_key`. wgpu checks its own header (adapter, driver, hash of the length) before the driver sees it,
    // and `fallback` drops data that does not fit.
    unsafe {
        device.create_pipeline_cache(&wgpu::PipelineCacheDescriptor {
            label: Some("brickwork"),
            data: data.as_deref(),
            fallback: true,
        })
    }
}

/// Writes the cache: to a file beside, then renamed.
pub(crate) fn save(cache: &wgpu::PipelineCache, file: &Path) -> io::Result<()> {
    let Some(data) = cache.get_data() else { return Ok(()) };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = file.with_extension(format!("{}.part", std::process::id()));
    fs::write(&beside, data).and_then(|()| fs::rename(&beside, file)).inspect_err(|_| {
        // The first error is the one to tell.
        let _ = fs::remove_file(&beside);
    })
}
