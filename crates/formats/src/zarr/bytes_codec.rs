//! Codecs from bytes to bytes: compression and checksums.

use super::{
    blosc,
    bounded::{bounded, zlib, zstd},
};

/// Codec from bytes to bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BytesCodec {
    Gzip,
    Zlib,
    Zstd,
    Blosc,
    Crc32c,
}

impl BytesCodec {
    /// Returns the codec of a name of Zarr v3, or of an `id` of Zarr v2.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "gzip" => Self::Gzip,
            "zlib" | "numcodecs.zlib" => Self::Zlib,
            "zstd" | "numcodecs.zstd" => Self::Zstd,
            "blosc" | "numcodecs.blosc" => Self::Blosc,
            "crc32c" | "numcodecs.crc32c" => Self::Crc32c,
            _ => return None,
        })
    }

    /// Decodes at most `limit` bytes.
    ///
    /// # Errors
    /// Reason why the bytes are damaged, or larger.
    pub fn decode(self, mut bytes: Vec<u8>, limit: usize) -> Result<Vec<u8>, String> {
        match self {
            Self::Gzip => bounded(&mut flate2::read::MultiGzDecoder::new(&bytes[..]), limit, "gzip"),
            Self::Zlib => zlib(&bytes, limit),
            Self::Zstd => zstd(&bytes, limit),
            Self::Blosc => blosc::decode(&bytes, limit),
            Self::Crc32c => {
                let Some((checked, sum)) = bytes.split_last_chunk::<4>() else {
                    return Err("crc32c: there are fewer than 4 bytes".to_owned());
                };
                if crc32c::crc32c(checked) != u32::from_le_bytes(*sum) {
                    return Err("crc32c: the checksum differs".to_owned());
                }
                bytes.truncate(bytes.len() - 4);
                Ok(bytes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn bombs_stop_at_the_limit() {
        let zeros = vec![0; 1 << 20];
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&zeros).unwrap();
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        zlib.write_all(&zeros).unwrap();
        let packed = [
            (BytesCodec::Gzip, gzip.finish().unwrap()),
            (BytesCodec::Zlib, zlib.finish().unwrap()),
            (BytesCodec::Zstd, zstd::encode_all(&zeros[..], 19).unwrap()),
        ];
        for (codec, bytes) in packed {
            assert_eq!(codec.decode(bytes.clone(), 1 << 20).as_ref(), Ok(&zeros), "{codec:?}");
            let error = codec.decode(bytes.clone(), (1 << 20) - 1).unwrap_err();
            assert!(error.contains("more than the 1048575 bytes"), "{error}");
            assert!(codec.decode(bytes[..bytes.len() / 2].to_vec(), 1 << 20).is_err(), "{codec:?}");
        }
    }

    #[test]
    fn checksums_are_compared() {
        let mut bytes = b"123456789".to_vec();
        bytes.extend(0xe306_9283_u32.to_le_bytes());
        assert_eq!(BytesCodec::Crc32c.decode(bytes.clone(), 99), Ok(b"123456789".to_vec()));
        bytes[3] ^= 1;
        assert_eq!(BytesCodec::Crc32c.decode(bytes, 99), Err("crc32c: the checksum differs".to_owned()));
        assert!(BytesCodec::Crc32c.decode(vec![1, 2, 3], 99).is_err());
    }
}
