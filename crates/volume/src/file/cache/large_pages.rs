//! Memory in large pages, which takes a processor fewer steps to find.

/// Bytes of a large page.
pub(super) const PAGE_BYTES: usize = 2 << 20;

/// Returns memory for which the system uses large pages if it can.
#[cfg(target_os = "linux")]
pub(super) fn large_pages(byte_count: usize) -> Option<memmap2::MmapMut> {
    let memory = memmap2::MmapMut::map_anon(byte_count).ok()?;
    memory.advise(memmap2::Advice::HugePage).ok()?;
    Some(memory)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn large_pages(_: usize) -> Option<Vec<u8>> {
    None
}
