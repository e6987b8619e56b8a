//! Voxels that a file stores compressed or as text. They are decoded piece by piece, and again from the start
//! if needed: encoding reads voxels twice.

use crate::{
    VoxelEncoding,
    streams::{gzip::Members, text_numbers::TextNumbers},
};
use brickwork_volume::VoxelStream;
use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::ZlibDecoder;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
#[cfg(feature = "zstd")]
use zstd::stream::read::Decoder as ZstdDecoder;

/// Number of bytes to read at a time.
const BUFFER_BYTES: usize = 1 << 18;

/// Base-2 logarithm of the largest window of Zstandard, 128 MiB: the limit of the program `zstd`, too.
#[cfg(feature = "zstd")]
const MAX_WINDOW_LOG: u32 = 27;

/// Returns the encoding of a packed file by its first bytes; raw for others. Checks gzip's method, too: the
/// other two bytes are a plausible width of an MRC file.
pub fn encoding_of(start: &[u8]) -> VoxelEncoding {
    match start {
        [0x1F, 0x8B, 8, ..] => VoxelEncoding::Gzip,
        // A frame, or one that decoders skip.
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => VoxelEncoding::Zstd,
        _ => VoxelEncoding::Raw,
    }
}

/// Returns a stream that decodes the bytes of `voxels` with `encoding` from its current position on.
///
/// # Errors
/// The errors of `voxels`.
pub fn unpacked(voxels: VoxelStream, encoding: VoxelEncoding) -> io::Result<VoxelStream> {
    Ok(match (&voxels, encoding) {
        (_, VoxelEncoding::Raw) => voxels,
        (VoxelStream::Rewindable(_), _) => {
            VoxelStream::Rewindable(Box::new(Unpacked::new(voxels, encoding)?))
        }
        (VoxelStream::Once(_), _) => VoxelStream::Once(Box::new(Unpacked::new(voxels, encoding)?)),
    })
}

/// Decoded bytes of a stream. Memory: a few hundred kilobytes; a bzip2 decoder takes 4 MB, one of Zstandard
/// its window.
///
/// To rewind, it decodes from the start again. A stream that breaks its encoding's rules is an error of kind
/// [`InvalidData`](io::ErrorKind::InvalidData) that reports the position.
struct Unpacked {
    encoding: VoxelEncoding,
    /// `None` only during a restart.
    decoder: Option<BufReader<Decoder>>,
    /// Position of the first encoded byte; 0 if the source cannot be rewound.
    start: u64,
    /// Number of decoded bytes that were read.
    position: u64,
}

impl Unpacked {
    /// Decodes `source` from its current position.
    ///
    /// # Errors
    /// Errors of `source`.
    fn new(mut source: VoxelStream, encoding: VoxelEncoding) -> io::Result<Self> {
        let start = match &mut source {
            VoxelStream::Rewindable(file) => file.stream_position()?,
            VoxelStream::Once(_) => 0,
        };
        let decoder = Some(decoder(Noting { inner: source, failed: false }, encoding)?);
        Ok(Self { encoding, decoder, start, position: 0 })
    }

    fn restart(&mut self) -> io::Result<()> {
        let Some(old) = self.decoder.take() else { return Err(io::Error::other("an earlier seek failed")) };
        let mut source = old.into_inner().into_inner();
        let VoxelStream::Rewindable(file) = &mut source.inner else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        file.seek(SeekFrom::Start(self.start))?;
        self.decoder = Some(decoder(source, self.encoding)?);
        self.position = 0;
        Ok(())
    }
}

enum Decoder {
    Raw(Noting),
    Text(TextNumbers<Noting>),
    Gzip(Members<Noting>),
    Zlib(ZlibDecoder<Noting>),
    Bzip2(MultiBzDecoder<Noting>),
    #[cfg(feature = "zstd")]
    Zstd(ZstdDecoder<'static, Noting>),
}

fn decoder(mut source: Noting, encoding: VoxelEncoding) -> io::Result<BufReader<Decoder>> {
    let decoder = match encoding {
        VoxelEncoding::Raw => Decoder::Raw(source),
        VoxelEncoding::Text(voxel_type) => Decoder::Text(TextNumbers::new(source, voxel_type)),
        VoxelEncoding::Zlib if source.fill_buf()?.first() != Some(&0x1F) => {
            Decoder::Zlib(ZlibDecoder::new(source))
        }
        VoxelEncoding::Gzip | VoxelEncoding::Zlib => Decoder::Gzip(Members::new(source)),
        VoxelEncoding::Bzip2 => Decoder::Bzip2(MultiBzDecoder::new(source)),
        #[cfg(feature = "zstd")]
        VoxelEncoding::Zstd => {
            let mut decoder = ZstdDecoder::with_buffer(source)?;
            decoder.window_log_max(MAX_WINDOW_LOG)?;
            Decoder::Zstd(decoder)
        }
        #[cfg(not(feature = "zstd"))]
        VoxelEncoding::Zstd => {
            let reason = "Zstandard is not supported without the feature zstd";
            return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        }
    };
    Ok(BufReader::with_capacity(BUFFER_BYTES, decoder))
}

impl Decoder {
    fn get_ref(&self) -> &Noting {
        match self {
            Self::Raw(source) => source,
            Self::Text(decoder) => decoder.get_ref(),
            Self::Gzip(decoder) => decoder.get_ref(),
            Self::Zlib(decoder) => decoder.get_ref(),
            Self::Bzip2(decoder) => decoder.get_ref(),
            #[cfg(feature = "zstd")]
            Self::Zstd(decoder) => decoder.get_ref(),
        }
    }

    fn into_inner(self) -> Noting {
        match self {
            Self::Raw(source) => source,
            Self::Text(decoder) => decoder.into_inner(),
            Self::Gzip(decoder) => decoder.into_inner(),
            Self::Zlib(decoder) => decoder.into_inner(),
            Self::Bzip2(decoder) => decoder.into_inner(),
            #[cfg(feature = "zstd")]
            Self::Zstd(decoder) => decoder.finish(),
        }
    }
}

impl Read for Decoder {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Raw(source) => source.read(into),
            Self::Text(decoder) => decoder.read(into),
            Self::Gzip(decoder) => decoder.read(into),
            Self::Zlib(decoder) => decoder.read(into),
            Self::Bzip2(decoder) => decoder.read(into),
            #[cfg(feature = "zstd")]
            Self::Zstd(decoder) => decoder.read(into),
        }
    }
}

impl Read for Unpacked {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut there = self.fill_buf()?;
        let count = there.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Unpacked {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Some(decoder) = &mut self.decoder else {
            return Err(io::Error::other("an earlier seek failed"));
        };
        // It is borrowed again below: the borrow checker treats a borrow that may be returned as one that
        // always lasts.
        if let Err(error) = decoder.fill_buf() {
            let is_text = matches!(self.encoding, VoxelEncoding::Text(_));
            let has_failed = decoder.get_ref().get_ref().failed;
            if has_failed || is_text || error.kind() == io::ErrorKind::Interrupted {
                return Err(error);
            }
            let (name, position) = (self.encoding.name(), self.position);
            // The library reports this error only by its text.
            let (kind, reason) = if error.to_string().contains("too much memory") {
                let reason =
                    format!("the {name} stream needs more memory than 128 MiB: repack it without --long");
                (io::ErrorKind::Unsupported, reason)
            } else {
                let reason =
                    format!("the {name} stream is damaged or cut short after {position} unpacked bytes");
                (io::ErrorKind::InvalidData, reason)
            };
            return Err(io::Error::new(kind, reason));
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

impl Seek for Unpacked {
    /// Seeks from the start or the current position. The end is unknown before all bytes are decoded. A
    /// position beyond the end becomes the end.
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

/// Reader that remembers whether the source failed, rather than the decoding.
struct Noting {
    inner: VoxelStream,
    failed: bool,
}

impl Read for Noting {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let result = self.inner.read(into);
        self.failed |= result.is_err();
        result
    }
}

impl BufRead for Noting {
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
    use brickwork_volume::VoxelType;
    use flate2::{
        Compression,
        write::{GzEncoder, ZlibEncoder},
    };
    use std::io::{Cursor, Write as _};

    const PACKED: &[VoxelEncoding] = &[
        VoxelEncoding::Gzip,
        VoxelEncoding::Zlib,
        VoxelEncoding::Bzip2,
        #[cfg(feature = "zstd")]
        VoxelEncoding::Zstd,
    ];

    fn seekable(bytes: Cursor<Vec<u8>>) -> VoxelStream {
        VoxelStream::Rewindable(Box::new(bytes))
    }

    fn packed(bytes: &[u8], encoding: VoxelEncoding) -> Vec<u8> {
        match encoding {
            VoxelEncoding::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(bytes).expect("memory");
                encoder.finish().expect("memory")
            }
            VoxelEncoding::Zlib => {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(bytes).expect("memory");
                encoder.finish().expect("memory")
            }
            VoxelEncoding::Bzip2 => {
                let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
                encoder.write_all(bytes).expect("memory");
                encoder.finish().expect("memory")
            }
            #[cfg(feature = "zstd")]
            VoxelEncoding::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).expect("memory");
                encoder.include_checksum(true).expect("a level");
                encoder.write_all(bytes).expect("memory");
                encoder.finish().expect("memory")
            }
            _ => unreachable!("not packed"),
        }
    }

    #[test]
    fn reads_again_from_any_place_over_several_members() {
        let bytes: Vec<u8> = (0..1_000_000u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
        for &encoding in PACKED {
            let mut file = b"before".to_vec();
            if encoding == VoxelEncoding::Zlib {
                // There is one stream; the bytes after it are no part of it.
                file.extend(packed(&bytes, encoding));
                file.extend(b"after");
            } else {
                file.extend(packed(&bytes[..400_000], encoding));
                file.extend(packed(&bytes[400_000..], encoding));
            }
            let mut source = Cursor::new(file);
            source.set_position(6);
            let mut reader = Unpacked::new(seekable(source), encoding).expect("memory");
            for start in [352, 999_999, 352, 400_001, 0] {
                assert_eq!(reader.seek(SeekFrom::Start(start)).expect("sound"), start);
                assert_eq!(reader.stream_position().expect("sound"), start);
                let mut all = Vec::new();
                reader.read_to_end(&mut all).expect("sound");
                assert!(all == bytes[start as usize..], "{encoding:?} from {start}");
            }
            assert_eq!(reader.seek(SeekFrom::Start(u64::MAX)).expect("sound"), 1_000_000);
        }
        let gzip = packed(&bytes, VoxelEncoding::Gzip);
        let mut reader = Unpacked::new(VoxelStream::Once(Box::new(Cursor::new(gzip))), VoxelEncoding::Zlib)
            .expect("gzip where zlib is said");
        let mut all = Vec::new();
        reader.read_to_end(&mut all).expect("sound");
        assert!(all == bytes);
    }

    #[test]
    fn bytes_after_gzip_do_not_count() {
        for after in [&[0; 512][..], b"rubbish", &[0x1E]] {
            let mut file = packed(b"first ", VoxelEncoding::Gzip);
            file.extend(packed(b"second", VoxelEncoding::Gzip));
            file.extend(after);
            let mut all = Vec::new();
            let mut reader = Unpacked::new(seekable(Cursor::new(file)), VoxelEncoding::Gzip).expect("memory");
            reader.read_to_end(&mut all).expect("two members");
            assert_eq!(all, b"first second");
        }
    }

    #[cfg(feature = "zstd")]
    #[test]
    fn frames_of_zstandard_are_checked_to_their_end() {
        let file = packed(b"voxels", VoxelEncoding::Zstd);
        let read = |file: Vec<u8>| {
            let mut all = Vec::new();
            let mut reader = Unpacked::new(seekable(Cursor::new(file)), VoxelEncoding::Zstd).expect("memory");
            reader.read_to_end(&mut all).map(|_| all).map_err(|error| error.to_string())
        };
        // A frame that is skipped, as pzstd writes.
        let skipped = [&[0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 7, 7], &file[..]].concat();
        assert_eq!(encoding_of(&skipped), VoxelEncoding::Zstd);
        assert_eq!(read(skipped).expect("two frames"), b"voxels");
        let damage = "the Zstandard stream is damaged or cut short after 6 unpacked bytes";
        for end in [&b"rubbish"[..], &[0; 512], &[0x28]] {
            assert_eq!(read([&file, end].concat()).expect_err("rubbish"), damage);
        }
        for length in 1..file.len() {
            assert!(read(file[..length].to_vec()).is_err(), "cut at {length}");
        }
        let mut wrong = file.clone();
        *wrong.last_mut().expect("a sum") ^= 1;
        assert!(read(wrong).is_err());
        // A window of 2³⁰ bytes, which the header claims.
        let wide = [0x28, 0xB5, 0x2F, 0xFD, 0, 20 << 3, 0, 0, 0, 0];
        assert!(read(wide.to_vec()).is_err_and(|error| error.contains("128 MiB")));
    }

    #[test]
    fn damage_is_told_apart_from_a_failing_disk() {
        let bytes: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
        for &encoding in PACKED {
            let file = packed(&bytes, encoding);
            for (what, bytes) in [
                ("cut", &file[..file.len() / 2]),
                ("without its end", &file[..file.len() - 8]),
                ("not packed", &[1; 50]),
                ("empty", &[]),
            ] {
                let mut reader =
                    Unpacked::new(seekable(Cursor::new(bytes.to_vec())), encoding).expect("memory");
                let mut all = Vec::new();
                match reader.read_to_end(&mut all) {
                    Err(error) => assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{what}: {error}"),
                    // In this case, fewer voxels than expected are found.
                    Ok(_) => assert!(encoding != VoxelEncoding::Gzip && all.len() < 100_000, "{what}"),
                }
            }
        }
    }

    #[test]
    fn text_is_numbers() {
        let voxels = |text: &str| {
            let mut bytes = Vec::new();
            let encoding = VoxelEncoding::Text(VoxelType::I16);
            let mut reader = Unpacked::new(seekable(Cursor::new(text.as_bytes().to_vec())), encoding)?;
            reader.read_to_end(&mut bytes)?;
            reader.rewind()?;
            let mut again = Vec::new();
            reader.read_to_end(&mut again)?;
            assert_eq!(bytes, again);
            Ok::<_, io::Error>(bytes)
        };
        assert_eq!(voxels(" 1\n-2\t 258 ").expect("numbers"), [1, 0, 254, 255, 2, 1]);
        for (text, reason) in [
            ("1 x", "\"x\" is not a number of type i16"),
            ("1 40000", "\"40000\" is not a number of type i16"),
            (&"1".repeat(1000), "is not a number of type i16"),
        ] {
            let error = voxels(text).expect_err(reason);
            assert!(
                error.to_string().contains(reason) && error.kind() == io::ErrorKind::InvalidData,
                "{error}"
            );
        }
    }
}
