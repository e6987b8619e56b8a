//! Checks of a DICOM file before the reader gets it, which recurses into sequences within sequences.

use crate::formats::{FormatError, header_text::short, slice::MAX_RATIO};
use dicom_dictionary_std::tags;
use dicom_encoding::TransferSyntaxIndex as _;
use dicom_object::FileMetaTable;
use dicom_parser::dataset::{LazyDataToken, lazy_read::LazyDataSetReader};
use dicom_transfer_syntax_registry::TransferSyntaxRegistry;
use flate2::read::DeflateDecoder;
use std::{
    error::Error,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

/// How a file's voxels are packed, by its transfer syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all, or with all else of the file.
    None,
    Rle,
    LosslessJpeg,
}

/// The packing of a transfer syntax; `None` if it is not read.
pub fn packing(syntax: &str) -> Option<Packing> {
    match syntax.trim_end_matches(['\0', ' ']) {
        // Implicit and explicit little endian, explicit big endian, deflated.
        "1.2.840.10008.1.2" | "1.2.840.10008.1.2.1" | "1.2.840.10008.1.2.2" | DEFLATED => Some(Packing::None),
        "1.2.840.10008.1.2.5" => Some(Packing::Rle),
        // Process 14, with any predictor and with the first.
        "1.2.840.10008.1.2.4.57" | "1.2.840.10008.1.2.4.70" => Some(Packing::LosslessJpeg),
        _ => None,
    }
}

/// Explicit little endian, the whole data set packed.
const DEFLATED: &str = "1.2.840.10008.1.2.1.99";

/// Sequences within sequences. Real files have fewer than ten.
const MAX_DEPTH: usize = 32;

/// Checks that a file is of a transfer syntax that is read, that no element is longer than the file, and that
/// sequences are not too deep. Nothing is kept in memory.
pub fn check(path: &Path) -> Result<(), FormatError> {
    let file = File::open(path)?;
    let mut most = file.metadata()?.len();
    let mut file = BufReader::new(file);
    // The preamble; the reader of the rest expects what follows it.
    check_meta(&mut file, most)?;
    file.seek(SeekFrom::Start(128))?;
    let meta = FileMetaTable::from_reader(&mut file).map_err(|error| decoder(&error))?;
    let syntax = meta.transfer_syntax().trim_end_matches(['\0', ' ']);
    let (packing, known) = (packing(syntax), TransferSyntaxRegistry.get(syntax));
    let (Some(packing), Some(known)) = (packing, known) else {
        let name = known.map_or(String::new(), |known| format!(" ({})", known.name()));
        return Err(FormatError::Unsupported(format!("the transfer syntax {}{name}", short(syntax))));
    };
    let file: Box<dyn ReadSeek> = if syntax == DEFLATED {
        most = most.saturating_mul(MAX_RATIO);
        Box::new(Forward { inner: DeflateDecoder::new(file), position: 0 })
    } else {
        Box::new(file)
    };
    let mut tokens = LazyDataSetReader::new_with_ts(file, known).map_err(|error| decoder(&error))?;
    let mut depth = 0usize;
    while let Some(token) = tokens.advance() {
        let token = token.map_err(|error| decoder(&error))?;
        match &token {
            LazyDataToken::SequenceStart { .. } => depth += 1,
            LazyDataToken::SequenceEnd => depth = depth.saturating_sub(1),
            LazyDataToken::ElementHeader(header) | LazyDataToken::LazyValue { header, .. } => {
                fits(header.len.get().map_or(0, u64::from), most)?;
                if header.tag == tags::PIXEL_DATA && depth == 0 {
                    return Ok(());
                }
            }
            LazyDataToken::LazyItemValue { len, .. } => fits((*len).into(), most)?,
            LazyDataToken::ItemStart { len } => fits(len.get().map_or(0, u64::from), most)?,
            // Voxels come in fragments only where they are packed.
            LazyDataToken::PixelSequenceStart if packing == Packing::None => {
                return Err(FormatError::Missing("PixelData"));
            }
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(FormatError::Unsupported(format!("nesting of more than {MAX_DEPTH} sequences")));
        }
        token.skip().map_err(|error| decoder(&error))?;
    }
    Ok(())
}

/// Checks the lengths of the file's meta elements, group 0002 in explicit little endian (PS3.10, 7.1): the
/// reader makes room for what they say.
fn check_meta(file: &mut (impl Read + Seek), most: u64) -> Result<(), FormatError> {
    // After the preamble and "DICM". What is wrong but for lengths, the reader finds.
    let mut at = 132;
    loop {
        let mut start = [0; 12];
        file.seek(SeekFrom::Start(at))?;
        let Ok(()) = file.read_exact(&mut start) else { return Ok(()) };
        if start[..2] != [2, 0] {
            return Ok(());
        }
        let (head, length) = match &start[4..6] {
            // These have two bytes of nothing and a length of four.
            b"OB" | b"OD" | b"OF" | b"OL" | b"OV" | b"OW" | b"SQ" | b"SV" | b"UC" | b"UN" | b"UR" | b"UT"
            | b"UV" => (12, u64::from(u32::from_le_bytes([start[8], start[9], start[10], start[11]]))),
            _ => (8, u64::from(u16::from_le_bytes([start[6], start[7]]))),
        };
        at += head + length;
        fits(at, most)?;
    }
}

fn fits(need: u64, have: u64) -> Result<(), FormatError> {
    if need <= have { Ok(()) } else { Err(FormatError::Length { part: "the file", need, have }) }
}

/// What the reader of a data set requires.
trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// Bytes that are only read forward, for a reader that asks for its position but does not go back.
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

/// What the reader says, and why.
pub fn decoder(error: &dyn Error) -> FormatError {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    FormatError::Decoder(short(&text).into())
}
