//! Checks of a DICOM file before the DICOM reader gets it. That reader recurses into nested sequences.

use super::{
    meta::{Meta, fits},
    transfer_syntax::{BIG_ENDIAN, DEFLATED, Packing, packing, unsupported},
};
use crate::{
    DicomFeature, FormatError,
    header::header_text::short,
    opened::source::{ReadSeek, Source},
    slices::slice::MAX_RATIO,
};
use dicom_core::VR;
use dicom_dictionary_std::tags;
use dicom_encoding::TransferSyntaxIndex as _;
use dicom_parser::{
    StatefulDecode as _,
    dataset::{LazyDataToken, lazy_read::LazyDataSetReader},
};
use dicom_transfer_syntax_registry::TransferSyntaxRegistry;
use flate2::read::DeflateDecoder;
use std::{
    error::Error,
    io::{self, Read, Seek, SeekFrom},
};

/// Maximum nesting of sequences. Real files have fewer than ten levels.
const MAX_DEPTH: usize = 32;

/// Maximum size in bytes of everything in a file except its voxels; the DICOM reader holds it in memory.
/// Deflated bytes may expand to a thousand times their size in the file.
pub const MAX_OTHER_BYTES: u64 = 1 << 28;

/// Bytes that a sequence or an item counts besides its content. An element counts them twice: for its header
/// and for its value. Files of a million elements are still read.
const ELEMENT_BYTES: u64 = 64;

/// The parts of a file's voxels that are known before they are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    pub packing: Packing,
    /// Position of the first byte, in the file or in its inflated data set; 0 for packed voxels.
    pub start: u64,
    /// Size in bytes; 0 for packed voxels.
    pub byte_count: u64,
    /// True if the voxels are big-endian words.
    pub swap: bool,
    /// Position in the file at which the deflated data set starts.
    pub deflated_at: Option<u64>,
}

/// Checks that the file has a supported transfer syntax, that no element is longer than the file, and that
/// sequences are not nested too deep. Keeps nothing in memory. Returns the position of the voxels.
pub fn check(source: &Source, meta: &Meta) -> Result<Option<Pixels>, FormatError> {
    let Some(packing) = packing(&meta.syntax) else { return Err(unsupported(&meta.syntax).into()) };
    let Some(pixels) = check_elements(source, meta)? else { return Ok(None) };
    let file_bytes = source.byte_count()?;
    let is_deflated = pixels.deflated_at.is_some();
    fits(pixels.byte_count, if is_deflated { inflated(file_bytes) } else { file_bytes })?;
    // Only packed voxels are stored in fragments.
    if packing == Packing::None && pixels.packing != packing {
        return Err(FormatError::Missing("PixelData"));
    }
    Ok(Some(Pixels { packing, ..pixels }))
}

/// Returns the number of bytes to which a file may expand.
fn inflated(file_bytes: u64) -> u64 {
    file_bytes.saturating_mul(MAX_RATIO)
}

/// Checks the elements before the voxels. Voxels in fragments count as packed in RLE.
///
/// # Errors
/// The errors of [`check`], except that of the length of the voxels. The transfer syntax must be a known one.
pub fn check_elements(source: &Source, meta: &Meta) -> Result<Option<Pixels>, FormatError> {
    let syntax = meta.syntax.as_str();
    let Some(known) = TransferSyntaxRegistry.get(syntax) else {
        return Err(DicomFeature::TransferSyntax { uid: short(syntax), name: None }.into());
    };
    let mut most = source.byte_count()?;
    let mut file = source.open()?;
    file.seek(SeekFrom::Start(meta.start))?;
    let is_big_endian = syntax == BIG_ENDIAN;
    let deflated_at = (syntax == DEFLATED).then_some(meta.start);
    let file: Box<dyn ReadSeek> = if deflated_at.is_some() {
        most = inflated(most);
        Box::new(Forward { inner: DeflateDecoder::new(file), position: 0 })
    } else {
        Box::new(file)
    };
    let mut tokens = LazyDataSetReader::new_with_ts(file, known).map_err(|error| decoder(&error))?;
    let (mut depth, mut others) = (0usize, 0u64);
    while let Some(token) = tokens.advance() {
        let token = token.map_err(|error| decoder(&error))?;
        match &token {
            LazyDataToken::SequenceStart { .. } => (depth, others) = (depth + 1, others + ELEMENT_BYTES),
            LazyDataToken::SequenceEnd => depth = depth.saturating_sub(1),
            LazyDataToken::ElementHeader(header) => {
                let float_tags = [tags::FLOAT_PIXEL_DATA, tags::DOUBLE_FLOAT_PIXEL_DATA];
                if float_tags.contains(&header.tag) && depth == 0 {
                    return Err(DicomFeature::FloatPixels.into());
                }
                if header.tag != tags::PIXEL_DATA || depth > 0 {
                    fits(header.len.get().map_or(0, u64::from), most)?;
                }
                others += ELEMENT_BYTES;
            }
            LazyDataToken::LazyValue { header, decoder } => {
                let byte_count = header.len.get().map_or(0, u64::from);
                if header.tag == tags::PIXEL_DATA && depth == 0 {
                    let swap = is_big_endian && header.vr == VR::OW;
                    let (packing, start) = (Packing::None, decoder.position());
                    return Ok(Some(Pixels { packing, start, byte_count, swap, deflated_at }));
                }
                fits(byte_count, most)?;
                others += byte_count + ELEMENT_BYTES;
            }
            LazyDataToken::LazyItemValue { len, .. } => {
                fits((*len).into(), most)?;
                others += u64::from(*len);
            }
            LazyDataToken::ItemStart { len } => {
                fits(len.get().map_or(0, u64::from), most)?;
                others += ELEMENT_BYTES;
            }
            LazyDataToken::PixelSequenceStart => {
                let (packing, start, byte_count) = (Packing::Rle, 0, 0);
                return Ok(Some(Pixels { packing, start, byte_count, swap: false, deflated_at }));
            }
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(DicomFeature::Nesting(MAX_DEPTH).into());
        }
        if others > MAX_OTHER_BYTES {
            return Err(DicomFeature::OtherBytes(MAX_OTHER_BYTES).into());
        }
        token.skip().map_err(|error| decoder(&error))?;
    }
    Ok(None)
}

/// Reads the bytes of the voxels forward from any position.
pub struct PixelReader {
    file: Box<dyn ReadSeek>,
    /// Current position in bytes, counted from the first voxel.
    at: u64,
    is_deflated: bool,
}

impl PixelReader {
    /// Opens the voxels at the first one.
    pub fn open(source: &Source, pixels: &Pixels) -> io::Result<Self> {
        let mut file = source.open()?;
        file.seek(SeekFrom::Start(pixels.deflated_at.unwrap_or(pixels.start)))?;
        let is_deflated = pixels.deflated_at.is_some();
        let mut file: Box<dyn ReadSeek> = if is_deflated {
            Box::new(Forward { inner: DeflateDecoder::new(file), position: 0 })
        } else {
            Box::new(file)
        };
        if is_deflated {
            io::copy(&mut (&mut file).take(pixels.start), &mut io::sink())?;
        }
        Ok(Self { file, at: 0, is_deflated })
    }

    /// True if [`read_at`](Self::read_at) reaches `start` without a second opening of the file.
    pub fn reaches(&self, start: u64) -> bool {
        !self.is_deflated || start >= self.at
    }

    /// Fills `bytes`, starting `start` bytes after the first voxel.
    pub fn read_at(&mut self, start: u64, bytes: &mut [u8]) -> io::Result<()> {
        if self.is_deflated {
            io::copy(&mut (&mut self.file).take(start - self.at), &mut io::sink())?;
        } else if start != self.at {
            self.file.seek(SeekFrom::Current(start as i64 - self.at as i64))?;
        }
        self.file.read_exact(bytes)?;
        self.at = start + bytes.len() as u64;
        Ok(())
    }
}

/// A forward-only reader, for callers that query the position but never go back.
struct Forward<R> {
    inner: R,
    position: u64,
}

impl<R: Read> Read for Forward<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R> Seek for Forward<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if to == SeekFrom::Current(0) { Ok(self.position) } else { Err(io::ErrorKind::Unsupported.into()) }
    }
}

/// Returns the reader's error together with its causes.
pub fn decoder(error: &dyn Error) -> FormatError {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    FormatError::Decoder(short(&text).into())
}
