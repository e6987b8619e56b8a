//! What a DICOM file may be before it is given to the reader, which calls itself for each sequence within a sequence.

use crate::formats::{FormatError, short};
use dicom_dictionary_std::tags;
use dicom_encoding::TransferSyntaxIndex as _;
use dicom_object::FileMetaTable;
use dicom_parser::dataset::{LazyDataToken, lazy_read::LazyDataSetReader};
use dicom_transfer_syntax_registry::TransferSyntaxRegistry;
use std::{
    error::Error,
    fs::File,
    io::{BufReader, Seek, SeekFrom},
    path::Path,
};

/// The uncompressed transfer syntaxes: implicit and explicit little endian, explicit big endian.
const NATIVE: [&str; 3] = ["1.2.840.10008.1.2", "1.2.840.10008.1.2.1", "1.2.840.10008.1.2.2"];

/// Sequences within sequences. Real files have fewer than ten.
const MAX_DEPTH: usize = 32;

/// Checks that a file is of a transfer syntax that is read, that no element is longer than the file, and that sequences are not
/// too deep. Nothing is kept in memory.
pub fn check(path: &Path) -> Result<(), FormatError> {
    let file = File::open(path)?;
    let file_bytes = file.metadata()?.len();
    let mut file = BufReader::new(file);
    // The preamble; the reader of the rest wants what follows it.
    file.seek(SeekFrom::Start(128))?;
    let meta = FileMetaTable::from_reader(&mut file).map_err(|error| decoder(&error))?;
    let syntax = meta.transfer_syntax().trim_end_matches(['\0', ' ']);
    let known = NATIVE.contains(&syntax).then(|| TransferSyntaxRegistry.get(syntax)).flatten();
    let Some(known) = known else {
        return Err(FormatError::Unsupported(format!("the transfer syntax {}", short(syntax))));
    };
    let mut tokens = LazyDataSetReader::new_with_ts(file, known).map_err(|error| decoder(&error))?;
    let mut depth = 0usize;
    while let Some(token) = tokens.advance() {
        let token = token.map_err(|error| decoder(&error))?;
        match &token {
            LazyDataToken::SequenceStart { .. } => depth += 1,
            LazyDataToken::SequenceEnd => depth = depth.saturating_sub(1),
            LazyDataToken::ElementHeader(header) | LazyDataToken::LazyValue { header, .. } => {
                let bytes = header.len.get().map_or(0, u64::from);
                if bytes > file_bytes {
                    return Err(FormatError::Length { part: "the file", need: bytes, have: file_bytes });
                }
                if header.tag == tags::PIXEL_DATA && depth == 0 {
                    return Ok(());
                }
            }
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(FormatError::Unsupported(format!("more than {MAX_DEPTH} sequences in each other")));
        }
        // Encapsulated voxels come only in other transfer syntaxes.
        if matches!(token, LazyDataToken::PixelSequenceStart) {
            return Err(FormatError::Missing("PixelData"));
        }
        token.skip().map_err(|error| decoder(&error))?;
    }
    Ok(())
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
