//! The directories of a TIFF file: which of them are pages of the stack, and fields that the reader of pages
//! must read differently.
//!
//! The `tiff` crate refuses palettes and inverts grey where white is zero. Both are stored as other grey is.
//! With that value in the file, it yields the stored numbers. It does not read packed numbers of other depths
//! than grey of 1, 2, 4 and 8 bits. It receives their rows as rows of bytes, of another width. Tiles of LZW
//! that end outside the page become whole tiles of a wider page.

use super::{
    dense::{BITS_PER_SAMPLE, DenseField, DenseFields, DenseRows},
    lsm, metamorph,
};
use crate::{FormatError, TiffFeature, opened::source::Source};
use brickwork_volume::MAX_CHANNELS;
use std::{
    collections::HashSet,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    sync::Arc,
};

const FIRST_PRIVATE_TAG: u64 = 32768;
const NEW_SUBFILE_TYPE: u64 = 254;
const PHOTOMETRIC_INTERPRETATION: u64 = 262;
const ORIENTATION: u64 = 274;
/// Number of a page, from 0, and the number of pages.
const PAGE_NUMBER: u64 = 297;
const WHITE_IS_ZERO: u64 = 0;
const BLACK_IS_ZERO: u8 = 1;
const PALETTE: u64 = 3;
/// Number of planes of a page, one after the other (a tag of SGI).
const IMAGE_DEPTH: u64 = 32997;
/// Bits of NewSubfileType: a smaller version of another image, and a mask of its transparency.
const THUMBNAIL: u64 = 1;
const MASK: u64 = 4;
/// Value of [`ORIENTATION`] whose rows run from top to bottom, and values of other orders.
const FROM_TOP_LEFT: u64 = 1;
const OTHER_ORIENTATIONS: std::ops::RangeInclusive<u64> = 2..=8;

/// Result of a walk over all directories.
#[derive(Default)]
pub struct Directories {
    /// Index of each page of the stack, which is no thumbnail.
    pub pages: Vec<usize>,
    /// Number of directories that the walk reached.
    count: usize,
    /// Number of thumbnails that are no pages.
    pub thumbnail_count: usize,
    /// Number of masks that are no pages.
    pub mask_count: usize,
    /// The orientation of each directory.
    orientations: Vec<u64>,
    /// The number that each directory states for its page.
    page_numbers: Vec<Option<u64>>,
    /// True if the pages' voxels are indices of a palette.
    pub has_palette: bool,
    /// True if the pages' voxels are grey where 0 is white.
    pub is_white_zero: bool,
    /// Private tags of MetaMorph in the first directory.
    pub metamorph: metamorph::Tags,
    /// Count and position of Zeiss's bytes in the first directory.
    pub lsm: Option<(u64, u64)>,
    /// The packed numbers of each directory.
    dense: Vec<Option<DenseRows>>,
    /// The width of each directory that states whole tiles by a patch.
    widths: Vec<Option<usize>>,
    /// Bytes that read differently, by ascending position.
    pub patches: Patches,
}

/// Positions of bytes, and what is read there.
pub type Patches = Arc<Vec<(u64, u8)>>;

impl Directories {
    /// Walks the directories, without their values.
    ///
    /// # Errors
    /// [`FormatError`] from reading, and if a tag has more values than the file has bytes. The walk ends
    /// where the chain leaves the file or returns; the reader of pages reports that.
    pub fn of(source: &Source) -> Result<Self, FormatError> {
        let mut file = source.open()?;
        let mut found = Self::default();
        let mut thumbnails = Vec::new();
        let mut patches = Vec::new();
        match found.walk(&mut file, source.byte_count()?, &mut thumbnails, &mut patches) {
            Err(FormatError::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {}
            walked => walked?,
        }
        if found.pages.is_empty() {
            found.pages = std::mem::take(&mut thumbnails);
            found.mask_count = 0;
        }
        found.thumbnail_count = thumbnails.len() - found.mask_count;
        patches.sort_unstable();
        found.patches = Arc::new(patches);
        Ok(found)
    }

    /// True if the directory is a page. One that the walk did not reach becomes a page.
    pub fn is_page(&mut self, index: usize) -> bool {
        if index >= self.count {
            self.count = index + 1;
            self.pages.push(index);
        }
        self.pages.binary_search(&index).is_ok()
    }

    /// Returns the rows of a directory's packed numbers; `None` for other numbers.
    pub fn dense(&self, index: usize) -> Option<DenseRows> {
        self.dense.get(index).copied().flatten()
    }

    /// Returns the width of a directory's page if the reader of pages receives a larger one; else `None`.
    pub fn width(&self, index: usize) -> Option<usize> {
        self.widths.get(index).copied().flatten()
    }

    /// Returns the first orientation of the pages that is not from top to bottom.
    pub fn orientation(&self) -> Option<u64> {
        let all = self.pages.iter().filter_map(|&page| self.orientations.get(page).copied());
        all.into_iter().find(|orientation| OTHER_ORIENTATIONS.contains(orientation))
    }

    /// True if the numbers that the pages state are not in ascending order.
    pub fn has_other_order(&self) -> bool {
        let all = self.pages.iter().filter_map(|&page| *self.page_numbers.get(page)?);
        !all.collect::<Vec<_>>().is_sorted()
    }

    fn walk(
        &mut self,
        file: &mut (impl Read + Seek),
        file_bytes: u64,
        thumbnails: &mut Vec<usize>,
        patches: &mut Vec<(u64, u8)>,
    ) -> Result<(), FormatError> {
        let header = bytes::<16>(file)?;
        let is_little = header[0] == b'I';
        let number = |bytes: &[u8]| {
            let shift = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
            if is_little { bytes.iter().rev().fold(0, shift) } else { bytes.iter().fold(0, shift) }
        };
        let is_big = number(&header[2..4]) == 43;
        let mut at = number(if is_big { &header[8..16] } else { &header[4..8] });
        let mut seen = HashSet::new();
        // A position of 2⁶³ and more cannot be sought.
        while at != 0 && i64::try_from(at).is_ok() && seen.insert(at) {
            let index = seen.len() - 1;
            file.seek(SeekFrom::Start(at))?;
            let (count, mut entry_at) = match is_big {
                true => (number(&bytes::<8>(file)?), at + 8),
                false => (number(&bytes::<2>(file)?), at + 2),
            };
            let (mut subfile, mut orientation, mut photometric) = (0, FROM_TOP_LEFT, None);
            let mut page_number = None;
            let mut dense = DenseFields::default();
            for _ in 0..count {
                // Tag, type, count, value.
                let mut entry = [0; 20];
                let (entry, value_at) = if is_big { (&mut entry[..], 12) } else { (&mut entry[..12], 8) };
                file.read_exact(entry)?;
                let value_bytes = match number(&entry[2..4]) {
                    1 => 1,
                    3 => 2,
                    4 => 4,
                    _ => 0,
                };
                let (tag, count) = (number(&entry[..2]), number(&entry[4..value_at]));
                // The reader of pages allocates memory for all values. It reads no private tags.
                let need = count.saturating_mul(type_bytes(number(&entry[2..4])));
                if need > file_bytes && tag < FIRST_PRIVATE_TAG {
                    return Err(FormatError::Length { part: "the file", need, have: file_bytes });
                }
                let value = number(&entry[value_at..][..value_bytes]);
                if tag == IMAGE_DEPTH && value > 1 {
                    return Err(TiffFeature::ImageDepth(value).into());
                }
                // Positions of classic TIFF have 32 bits.
                if index == 0 && !is_big {
                    let values = Some((count, number(&entry[value_at..][..4])));
                    match (tag, number(&entry[2..4])) {
                        (metamorph::UIC1, 4) => self.metamorph.pairs = values,
                        (metamorph::UIC2, _) => self.metamorph.planes = values,
                        (lsm::INFO, 1) => self.lsm = values,
                        (metamorph::UIC3, _) => self.metamorph.wavelengths = values,
                        _ => {}
                    }
                }
                let (count_bytes, byte_count) = (value_at - 4, value_bytes);
                let mut field = DenseField { value, at: entry_at, count_bytes, byte_count, count };
                let field_end = entry_at + entry.len() as u64;
                if tag == BITS_PER_SAMPLE && count > 1 {
                    let is_here = count <= (entry.len() - value_at) as u64 / 2;
                    let at = if is_here { entry_at + value_at as u64 } else { number(&entry[value_at..]) };
                    let same = same_shorts(file, at, count, number)?.filter(|_| value_bytes == 2);
                    (field.value, field.count) = same.unwrap_or_default();
                    file.seek(SeekFrom::Start(field_end))?;
                }
                dense.add(tag, field);
                match tag {
                    NEW_SUBFILE_TYPE => subfile = value,
                    ORIENTATION => orientation = value,
                    PAGE_NUMBER if value_bytes > 0 => page_number = Some(value),
                    PHOTOMETRIC_INTERPRETATION if value_bytes > 0 => {
                        let low = if is_little { 0 } else { value_bytes - 1 };
                        photometric = Some((value, entry_at + (value_at + low) as u64));
                    }
                    _ => {}
                }
                entry_at = field_end;
            }
            let is_thumbnail = subfile & (THUMBNAIL | MASK) != 0;
            self.mask_count += usize::from(subfile & MASK != 0);
            self.orientations.push(orientation);
            self.page_numbers.push(page_number);
            if let Some((value @ (WHITE_IS_ZERO | PALETTE), position)) = photometric {
                patches.push((position, BLACK_IS_ZERO));
                self.has_palette |= value == PALETTE && !is_thumbnail;
                self.is_white_zero |= value == WHITE_IS_ZERO && !is_thumbnail;
            }
            let rows = dense.rows().and_then(|rows| Some((rows, dense.patches(rows, is_little)?)));
            let whole = dense.whole_tiles(is_little).filter(|_| rows.is_none());
            self.widths.push(whole.as_ref().map(|(width, _)| *width));
            patches.extend(whole.into_iter().flat_map(|(_, patches)| patches));
            self.dense.push(rows.as_ref().map(|(rows, _)| *rows));
            patches.extend(rows.into_iter().flat_map(|(_, patches)| patches));
            if is_thumbnail {
                thumbnails.push(index)
            } else {
                self.pages.push(index)
            }
            self.count = index + 1;
            at = if is_big { number(&bytes::<8>(file)?) } else { number(&bytes::<4>(file)?) };
        }
        Ok(())
    }
}

/// Returns the bytes of a value of a type (TIFF 6.0, section 2; BigTIFF has types 16 to 18).
fn type_bytes(number: u64) -> u64 {
    match number {
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16..=18 => 8,
        _ => 1,
    }
}

/// Returns the value that `count` numbers of 16 bits have, and their count; `None` if they differ or are more
/// than a voxel has channels, or outside the file.
fn same_shorts(
    file: &mut (impl Read + Seek),
    at: u64,
    count: u64,
    number: impl Fn(&[u8]) -> u64,
) -> io::Result<Option<(u64, u64)>> {
    let mut shorts = [0; 2 * MAX_CHANNELS];
    let Some(shorts) = usize::try_from(count).ok().and_then(|count| shorts.get_mut(..2 * count)) else {
        return Ok(None);
    };
    if i64::try_from(at).is_err() {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(at))?;
    if file.read_exact(shorts).is_err() {
        return Ok(None);
    }
    let mut values = shorts.as_chunks::<2>().0.iter().map(|short| number(short));
    let first = values.next().unwrap_or_default();
    Ok(values.all(|value| value == first).then_some((first, count)))
}

fn bytes<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// A file in which some bytes read differently.
pub struct Patched<R> {
    inner: R,
    position: u64,
    patches: Patches,
    /// Ranges in ascending order whose bytes read with their bits reversed.
    reversed: Vec<Range<u64>>,
}

impl<R: Read + Seek> Patched<R> {
    /// Wraps `inner`, which is at its start.
    pub fn new(inner: R, patches: Patches) -> Self {
        Self { inner, position: 0, patches, reversed: Vec::new() }
    }

    /// Reverses the bits of the bytes in these ranges, and of no others.
    pub fn reverse_bits(&mut self, mut ranges: Vec<Range<u64>>) {
        ranges.sort_unstable_by_key(|range| range.start);
        self.reversed.clear();
        for range in ranges {
            match self.reversed.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => self.reversed.push(range),
            }
        }
    }
}

impl<R: Read> Read for Patched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let first = self.patches.partition_point(|patch| patch.0 < self.position);
        let end = self.position + count as u64;
        for &(at, value) in self.patches[first..].iter().take_while(|patch| patch.0 < end) {
            buffer[(at - self.position) as usize] = value;
        }
        let first = self.reversed.partition_point(|range| range.end <= self.position);
        for range in self.reversed[first..].iter().take_while(|range| range.start < end) {
            let start = range.start.max(self.position) - self.position;
            let bytes = &mut buffer[start as usize..(range.end.min(end) - self.position) as usize];
            bytes.iter_mut().for_each(|byte| *byte = byte.reverse_bits());
        }
        self.position = end;
        Ok(count)
    }
}

impl<R: Seek> Seek for Patched<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.inner.seek(to)?;
        Ok(self.position)
    }
}
