//! Big-endian numbers in the elements of ICC profiles.

/// Returns the number of 16 bits at `offset`; `None` if it ends after the bytes.
pub(super) fn u16_at(bytes: &[u8], offset: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(offset..)?.first_chunk()?))
}

/// Returns the number of 32 bits at `offset`; `None` if it ends after the bytes.
pub(super) fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(offset..)?.first_chunk()?))
}
