//! A file whose bytes its caller fetches: by HTTP range requests, or from an object store.

use super::{
    contents::{read_fixed, read_footer},
    source::ReadAt,
};
use crate::file::{header::FIXED_BYTES, parts::FOOTER_BYTES};
use std::{
    collections::BTreeMap,
    io,
    ops::Range,
    sync::{PoisonError, RwLock},
};

/// Bytes of a file that its caller fetches and supplies, as the source of a
/// [`VolumeFile`](crate::VolumeFile). Nothing here reads, waits or reads a clock: the caller requests byte
/// ranges, fetches them in any way, and supplies them.
///
/// ```
/// # use brickwork_volume::*;
/// # let (dims, mut stored) = (Dims::new(90, 40, 70), Vec::new());
/// # let voxels: Vec<u16> = (0..90 * 40 * 70).map(|i: u32| i as u16).collect();
/// # let (view, header) = (VolumeView::new(&voxels, dims)?, Header::new(VoxelType::U16, dims));
/// # encode(view, &header, &BwvOptions::default(), &mut stored, &Task::new())?;
/// # let fetch = |range: std::ops::Range<u64>| stored[range.start as usize..range.end as usize].to_vec();
/// let source = SuppliedBytes::new(stored.len() as u64);
/// // Optional: the end of a file usually has the whole index, which saves a round trip.
/// let suffix = source.byte_count().saturating_sub(1 << 16);
/// source.supply(suffix, fetch(suffix..source.byte_count()))?;
/// // Header and index: one round trip, or two.
/// loop {
///     let needed = source.needed_to_open();
///     if needed.is_empty() {
///         break;
///     }
///     for range in needed {
///         source.supply(range.start, fetch(range))?;
///     }
/// }
/// let file = VolumeFile::new(source)?;
/// // A region: one round trip.
/// let (selection, region) = (Selection::default(), Region { x: 0..9, y: 30..40, z: 5..6 });
/// for range in file.source().missing(&file.ranges(&selection, &region)?) {
///     file.source().supply(range.start, fetch(range))?;
/// }
/// let found: Vec<u16> = file.read(&region, &Task::new())?;
/// # assert_eq!(found[..9], voxels[90 * (30 + 40 * 5)..][..9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SuppliedBytes {
    byte_count: u64,
    /// Pieces by their first byte; no two overlap.
    pieces: RwLock<BTreeMap<u64, Vec<u8>>>,
}

impl SuppliedBytes {
    /// Returns a file of `byte_count` bytes, none of which is supplied.
    pub const fn new(byte_count: u64) -> Self {
        Self { byte_count, pieces: RwLock::new(BTreeMap::new()) }
    }

    /// Returns the number of bytes of the whole file.
    pub const fn byte_count(&self) -> u64 {
        self.byte_count
    }

    /// Supplies the bytes from `offset` on. Bytes that were supplied before do not change.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] if the bytes extend beyond the end of the file.
    pub fn supply(&self, offset: u64, bytes: impl Into<Vec<u8>>) -> io::Result<()> {
        let bytes = bytes.into();
        let end = offset.checked_add(bytes.len() as u64).filter(|&end| end <= self.byte_count);
        let Some(end) = end else {
            let (count, all) = (bytes.len(), self.byte_count);
            let text = format!("{count} bytes at byte {offset} extend beyond the file's {all} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        };
        let mut pieces = self.pieces.write().unwrap_or_else(PoisonError::into_inner);
        let gaps = gaps(&pieces, offset..end);
        if gaps.first() == Some(&(offset..end)) {
            pieces.insert(offset, bytes);
            return Ok(());
        }
        for gap in gaps {
            let part = &bytes[(gap.start - offset) as usize..(gap.end - offset) as usize];
            pieces.insert(gap.start, part.to_vec());
        }
        Ok(())
    }

    /// Returns the parts of `ranges` that have not been supplied, in order.
    pub fn missing(&self, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner);
        merged(ranges.to_vec()).into_iter().flat_map(|range| gaps(&pieces, range)).collect()
    }

    /// Returns the byte ranges to supply next before [`VolumeFile::new`](crate::VolumeFile::new) can open the
    /// file: first the file's ends, then metadata and index. None are left if it can, or if it returns an
    /// error: that of a file that breaks the format's rules.
    pub fn needed_to_open(&self) -> Vec<Range<u64>> {
        let file_bytes = self.byte_count;
        let fixed = 0..file_bytes.min(FIXED_BYTES as u64);
        let footer = file_bytes.saturating_sub(FOOTER_BYTES as u64)..file_bytes;
        let ends = self.missing(&[fixed, footer]);
        if !ends.is_empty() {
            return ends;
        }
        // Errors are those of `Contents::read`, which meets them in its own order.
        let Ok((fixed, metadata_bytes)) = read_fixed(self, file_bytes) else { return Vec::new() };
        let metadata_end = (FIXED_BYTES + metadata_bytes) as u64;
        if metadata_end > file_bytes {
            return Vec::new();
        }
        let (offset, byte_count, _) = read_footer(self, &fixed, file_bytes).unwrap_or_default();
        self.missing(&[FIXED_BYTES as u64..metadata_end, offset..offset + byte_count])
    }

    /// Drops all bytes. Header, index and tables that a [`VolumeFile`](crate::VolumeFile) has read stay.
    pub fn clear(&self) {
        self.pieces.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl ReadAt for SuppliedBytes {
    fn byte_count(&self) -> io::Result<u64> {
        Ok(self.byte_count)
    }

    /// Copies supplied bytes; [`io::ErrorKind::WouldBlock`] if one of them is missing.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset.checked_add(buffer.len() as u64).filter(|&end| end <= self.byte_count);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(gap) = gaps(&pieces, offset..end).first() {
            let text = format!("bytes {}..{} of the file have not been supplied", gap.start, gap.end);
            return Err(io::Error::new(io::ErrorKind::WouldBlock, text));
        }
        let mut at = offset;
        while at < end {
            let Some((&start, piece)) = pieces.range(..=at).next_back() else { break };
            let piece = &piece[(at - start) as usize..];
            let count = piece.len().min((end - at) as usize);
            buffer[(at - offset) as usize..][..count].copy_from_slice(&piece[..count]);
            at += count as u64;
        }
        Ok(())
    }
}

/// Returns the parts of a range that are in no piece.
fn gaps(pieces: &BTreeMap<u64, Vec<u8>>, range: Range<u64>) -> Vec<Range<u64>> {
    let (mut gaps, mut at) = (Vec::new(), range.start);
    let before = pieces.range(..range.start).next_back();
    for (&start, piece) in before.into_iter().chain(pieces.range(range.clone())) {
        if start > at {
            gaps.push(at..start);
        }
        at = at.max(start + piece.len() as u64);
    }
    if at < range.end {
        gaps.push(at..range.end);
    }
    gaps
}

/// Returns the same bytes as ascending ranges that are not empty and do not touch.
pub(super) fn merged(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.retain(|range| range.start < range.end);
    ranges.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}
