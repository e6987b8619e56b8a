//! Voxels as text: numbers separated by white space.

use crate::{FormatError, error::into_io, header::header_text::short};
use brickwork_volume::{ByteOrder, Voxel, VoxelType, with_voxel_type};
use std::{
    io::{self, BufRead, Read},
    str::FromStr,
};

/// Maximum number of characters in a number.
const MAX_NUMBER: usize = 64;

/// Reader of numbers in text, up to the next XML tag or the end. It returns them as little-endian bytes.
pub struct TextNumbers<R> {
    file: R,
    voxel_type: VoxelType,
    buffer: Vec<u8>,
    at: usize,
}

impl<R> TextNumbers<R> {
    /// Reads numbers of `voxel_type` from the current position of `file`.
    pub fn new(file: R, voxel_type: VoxelType) -> Self {
        Self { file, voxel_type, buffer: Vec::new(), at: 0 }
    }

    pub fn get_ref(&self) -> &R {
        &self.file
    }

    pub fn into_inner(self) -> R {
        self.file
    }
}

impl<R: BufRead> TextNumbers<R> {
    /// Returns the next number, or `None` at the next tag or the end.
    fn number(&mut self) -> io::Result<Option<String>> {
        let mut number = String::new();
        while let Some(&byte) = self.file.fill_buf()?.first() {
            if byte == b'<' || (byte.is_ascii_whitespace() && !number.is_empty()) {
                break;
            }
            self.file.consume(1);
            if !byte.is_ascii_whitespace() {
                number.push(char::from(byte));
            }
            if number.len() > MAX_NUMBER {
                break;
            }
        }
        Ok((!number.is_empty()).then_some(number))
    }
}

impl<R: BufRead> Read for TextNumbers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.buffer.len() {
            self.at = 0;
            self.buffer.clear();
            while self.buffer.len() < 1 << 12 {
                let Some(number) = self.number()? else { break };
                let voxel_type = self.voxel_type;
                if !with_voxel_type!(voxel_type, T => push::<T>(&number, &mut self.buffer)) {
                    return Err(into_io(FormatError::NoNumber { text: short(&number), voxel_type }));
                }
            }
        }
        let count = buffer.len().min(self.buffer.len() - self.at);
        buffer[..count].copy_from_slice(&self.buffer[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

/// Appends the bytes of the number in `text`, least significant first. Returns false if it is not of type
/// `T`.
fn push<T: Voxel + FromStr>(text: &str, bytes: &mut Vec<u8>) -> bool {
    let Ok(voxel) = text.parse::<T>() else { return false };
    let start = bytes.len();
    bytes.extend_from_slice(bytemuck::bytes_of(&voxel));
    if ByteOrder::NATIVE == ByteOrder::Big {
        bytes[start..].reverse();
    }
    true
}
