//! The members of a gzip stream, one after the other: RFC 1952, section 2. This uses flate2's decoder of
//! DEFLATE. Its decoder of gzip would bring tables for CRCs into a module for browsers
//! ([`brickwork_base::crc`]).

#[cfg(target_arch = "wasm32")]
use brickwork_base::crc::Crc;
#[cfg(not(target_arch = "wasm32"))]
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use std::io::{self, BufRead, Read};

/// First bytes of a member.
const MAGIC: [u8; 2] = [0x1F, 0x8B];

/// The only method of compression.
const DEFLATE: u8 = 8;

/// Flags of a header: the parts that it has.
const HEADER_CRC: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0b1110_0000;

/// Reader of the members. Bytes after them that start no member are ignored.
pub struct Members<R: BufRead> {
    decoder: DeflateDecoder<R>,
    /// CRC of the member's bytes so far.
    crc: Crc,
    next: Next,
}

/// The part of the stream that is read next.
#[derive(Clone, Copy)]
enum Next {
    Header,
    Data,
    Nothing,
}

impl<R: BufRead> Members<R> {
    /// Returns a reader of the members from the current position on. The first must be there.
    pub fn new(source: R) -> Self {
        Self { decoder: DeflateDecoder::new(source), crc: Crc::new(), next: Next::Header }
    }

    /// Returns the source.
    pub fn get_ref(&self) -> &R {
        self.decoder.get_ref()
    }

    /// Returns the source.
    pub fn into_inner(self) -> R {
        self.decoder.into_inner()
    }

    /// Checks the end of a member, and finds out if another one follows.
    fn finish_member(&mut self) -> io::Result<()> {
        let source = self.decoder.get_mut();
        let [crc, byte_count] = [word(source)?, word(source)?];
        if [crc, byte_count] != [self.crc.sum(), self.crc.amount()] {
            return Err(invalid("the checksum or the size of a gzip member differs"));
        }
        // Padding follows in some files; readers of gzip ignore it.
        let is_member = loop {
            match source.fill_buf() {
                Ok(next) => break !next.is_empty() && MAGIC.starts_with(&next[..next.len().min(2)]),
                // A caller that tries again would take the next member for the end of this one.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        };
        self.next = if is_member { Next::Header } else { Next::Nothing };
        self.decoder.reset_data();
        self.crc = Crc::new();
        Ok(())
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !into.is_empty() {
            match self.next {
                Next::Header => {
                    skip_header(self.decoder.get_mut())?;
                    self.next = Next::Data;
                }
                Next::Data => {
                    let count = self.decoder.read(into)?;
                    if count > 0 {
                        self.crc.update(&into[..count]);
                        return Ok(count);
                    }
                    self.finish_member()?;
                }
                Next::Nothing => break,
            }
        }
        Ok(0)
    }
}

/// Reads the header of a member.
fn skip_header(source: &mut dyn BufRead) -> io::Result<()> {
    let mut crc = Crc::new();
    // The last six bytes are a time, a hint about the compression, and the system.
    let [first, second, method, flags, ..] = take::<10>(source, &mut crc)?;
    if [first, second] != MAGIC || method != DEFLATE || flags & RESERVED != 0 {
        return Err(invalid("no gzip member"));
    }
    if flags & EXTRA != 0 {
        for _ in 0..u16::from_le_bytes(take::<2>(source, &mut crc)?) {
            take::<1>(source, &mut crc)?;
        }
    }
    for text in [NAME, COMMENT] {
        while flags & text != 0 && take::<1>(source, &mut crc)? != [0] {}
    }
    if flags & HEADER_CRC != 0 {
        let expected = crc.sum() as u16;
        if u16::from_le_bytes(take::<2>(source, &mut crc)?) != expected {
            return Err(invalid("the checksum of a gzip header differs"));
        }
    }
    Ok(())
}

/// Returns the next bytes of a header, and adds them to its CRC.
fn take<const COUNT: usize>(source: &mut dyn BufRead, crc: &mut Crc) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    source.read_exact(&mut bytes)?;
    crc.update(&bytes);
    Ok(bytes)
}

fn word(source: &mut dyn BufRead) -> io::Result<u32> {
    let mut bytes = [0; 4];
    source.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder, write::GzEncoder};
    use std::io::Write as _;

    /// A member whose header has every part. flate2 writes no CRC of a header.
    fn member() -> Vec<u8> {
        let builder = GzBuilder::new().extra(vec![7; 300]).filename("voxels.raw").comment("by a scanner");
        let mut encoder: GzEncoder<Vec<u8>> = builder.write(Vec::new(), Compression::fast());
        encoder.write_all(b"voxels").expect("memory");
        let mut file = encoder.finish().expect("memory");
        file[3] |= HEADER_CRC;
        let length = 10 + 2 + 300 + "voxels.raw".len() + 1 + "by a scanner".len() + 1;
        let mut crc = Crc::new();
        crc.update(&file[..length]);
        file.splice(length..length, (crc.sum() as u16).to_le_bytes());
        file
    }

    fn read(file: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Members::new(file).read_to_end(&mut bytes).map(|_| bytes)
    }

    #[test]
    fn headers_may_have_every_part() {
        let file = member();
        assert_eq!(read(&file).expect("sound"), b"voxels");
        assert_eq!(read(&[&file[..], &file].concat()).expect("sound"), b"voxelsvoxels");
        let mut from_flate2 = Vec::new();
        flate2::read::GzDecoder::new(&file[..]).read_to_end(&mut from_flate2).expect("sound");
        assert_eq!(from_flate2, b"voxels");
    }

    /// Bytes of which every second request is interrupted.
    struct Interrupting<'a> {
        bytes: &'a [u8],
        is_ready: bool,
    }

    impl Read for Interrupting<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let mut there = self.fill_buf()?;
            let count = there.read(into)?;
            self.consume(count);
            Ok(count)
        }
    }

    impl BufRead for Interrupting<'_> {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            self.is_ready = !self.is_ready;
            if self.is_ready { Ok(self.bytes) } else { Err(io::ErrorKind::Interrupted.into()) }
        }

        fn consume(&mut self, count: usize) {
            self.bytes = &self.bytes[count..];
        }
    }

    #[test]
    fn interruptions_lose_no_bytes() {
        let file = member();
        let both = [&file[..], &file].concat();
        for is_ready in [false, true] {
            let mut bytes = Vec::new();
            let mut members = Members::new(Interrupting { bytes: &both, is_ready });
            members.read_to_end(&mut bytes).expect("sound");
            assert_eq!(bytes, b"voxelsvoxels");
        }
    }

    #[test]
    fn every_damaged_byte_of_the_end_and_every_cut_is_found() {
        let file = member();
        for at in file.len() - 8..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert_eq!(read(&damaged).expect_err("damaged").kind(), io::ErrorKind::InvalidData, "{at}");
        }
        for length in 0..file.len() {
            assert!(read(&file[..length]).is_err(), "{length}");
        }
        // Method, reserved flags, and a byte of the header's name.
        for at in [2, 3, 320] {
            let mut damaged = file.clone();
            damaged[at] ^= 0x40;
            assert!(read(&damaged).is_err(), "{at}");
        }
    }
}
