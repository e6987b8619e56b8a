//! Files packed with gzip, unpacked a piece at a time, and again from the start: encoding reads voxels twice.

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// Unpacks `source`. Memory: some kilobytes.
///
/// Rewinds by unpacking from the start again. A stream that breaks gzip's rules is an error of kind
/// [`InvalidData`](io::ErrorKind::InvalidData) that says where.
pub struct Reader<R: Read + Seek> {
    /// `None` only while it starts anew.
    decoder: Option<BufReader<MultiGzDecoder<Noting<BufReader<R>>>>>,
    /// Where the packed bytes start.
    start: u64,
    /// Unpacked bytes that were read.
    position: u64,
}

impl<R: Read + Seek> Reader<R> {
    /// Unpacks from where `source` stands.
    ///
    /// # Errors
    /// From `source`.
    pub fn new(mut source: R) -> io::Result<Self> {
        let start = source.stream_position()?;
        let source = Noting { inner: BufReader::with_capacity(1 << 18, source), failed: false };
        Ok(Self { decoder: Some(decoder(source)), start, position: 0 })
    }

    fn restart(&mut self) -> io::Result<()> {
        let Some(old) = self.decoder.take() else { return Err(io::Error::other("an earlier seek failed")) };
        let mut source = old.into_inner().into_inner();
        source.inner.seek(SeekFrom::Start(self.start))?;
        self.decoder = Some(decoder(source));
        self.position = 0;
        Ok(())
    }
}

fn decoder<R: BufRead>(source: R) -> BufReader<MultiGzDecoder<R>> {
    BufReader::with_capacity(1 << 18, MultiGzDecoder::new(source))
}

impl<R: Read + Seek> Read for Reader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut there = self.fill_buf()?;
        let count = there.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read + Seek> BufRead for Reader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Some(decoder) = &mut self.decoder else {
            return Err(io::Error::other("an earlier seek failed"));
        };
        // Borrowed again below: the borrow checker treats a borrow that may be returned as one that always
        // lasts.
        if let Err(error) = decoder.fill_buf() {
            if decoder.get_ref().get_ref().failed || error.kind() == io::ErrorKind::Interrupted {
                return Err(error);
            }
            let reason =
                format!("the gzip stream is damaged or cut short after {} unpacked bytes", self.position);
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        decoder.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.position += count as u64;
        if let Some(decoder) = &mut self.decoder {
            decoder.consume(count);
        }
    }
}

impl<R: Read + Seek> Seek for Reader<R> {
    /// Not from the end, which is not known before all is unpacked. A place beyond the end is the end.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let wanted = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(_) => None,
        };
        let wanted = wanted.ok_or(io::ErrorKind::InvalidInput)?;
        if wanted < self.position {
            self.restart()?;
        }
        let rest = wanted - self.position;
        io::copy(&mut self.take(rest), &mut io::sink())?;
        Ok(self.position)
    }
}

/// Remembers whether the source failed, and not the unpacking of what it holds.
struct Noting<R> {
    inner: R,
    failed: bool,
}

impl<R: BufRead> Read for Noting<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let result = self.inner.read(into);
        self.failed |= result.is_err();
        result
    }
}

impl<R: BufRead> BufRead for Noting<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let result = self.inner.fill_buf();
        self.failed |= result.is_err();
        result
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::{Cursor, Write as _};

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    #[test]
    fn reads_again_from_any_place_over_several_members() {
        let bytes: Vec<u8> = (0..1_000_000u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
        let mut file = b"before".to_vec();
        file.extend(packed(&bytes[..400_000]));
        file.extend(packed(&bytes[400_000..]));
        let mut source = Cursor::new(file);
        source.set_position(6);
        let mut reader = Reader::new(source).expect("memory");
        for start in [352, 999_999, 352, 400_001, 0] {
            assert_eq!(reader.seek(SeekFrom::Start(start)).expect("sound"), start);
            assert_eq!(reader.stream_position().expect("sound"), start);
            let mut all = Vec::new();
            reader.read_to_end(&mut all).expect("sound");
            assert!(all == bytes[start as usize..], "from {start}");
        }
        assert_eq!(reader.seek(SeekFrom::Start(u64::MAX)).expect("sound"), 1_000_000);
    }

    #[test]
    fn damage_is_told_apart_from_a_failing_disk() {
        let file = packed(&(0..100_000u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect::<Vec<_>>());
        for (what, bytes) in [
            ("cut", &file[..file.len() / 2]),
            ("without its end", &file[..file.len() - 8]),
            ("no gzip", &[1; 50]),
            ("empty", &[]),
        ] {
            let mut reader = Reader::new(Cursor::new(bytes)).expect("memory");
            let error = reader.read_to_end(&mut Vec::new()).expect_err(what);
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{what}: {error}");
        }
    }
}
