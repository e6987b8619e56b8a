//! File formats: their names, extensions and first bytes.

/// A format of image or texture files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileFormat {
    /// Portable Network Graphics.
    Png,
    /// JPEG, baseline and progressive.
    Jpeg,
    /// Truevision TGA.
    Tga,
    /// Windows bitmap.
    Bmp,
    /// TIFF and BigTIFF.
    Tiff,
    /// WebP.
    Webp,
    /// Graphics Interchange Format.
    Gif,
    /// PBM, PGM, PPM and PAM.
    Pnm,
    /// DirectDraw Surface.
    Dds,
    /// Khronos Texture 2.
    Ktx2,
    /// Blocks of ASTC in an `.astc` file.
    Astc,
    /// OpenEXR.
    Exr,
    /// Radiance RGBE and XYZE.
    Hdr,
}

impl FileFormat {
    /// All formats, in the order of declaration.
    pub const ALL: &[Self] = &[
        Self::Png,
        Self::Jpeg,
        Self::Tga,
        Self::Bmp,
        Self::Tiff,
        Self::Webp,
        Self::Gif,
        Self::Pnm,
        Self::Dds,
        Self::Ktx2,
        Self::Astc,
        Self::Exr,
        Self::Hdr,
    ];

    /// Number of first bytes that [`detect`](Self::detect) examines.
    pub const DETECT_BYTES: usize = 18;

    /// Returns the display name: `PNG`, `WebP`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Tga => "TGA",
            Self::Bmp => "BMP",
            Self::Tiff => "TIFF",
            Self::Webp => "WebP",
            Self::Gif => "GIF",
            Self::Pnm => "PNM",
            Self::Dds => "DDS",
            Self::Ktx2 => "KTX2",
            Self::Astc => "ASTC",
            Self::Exr => "EXR",
            Self::Hdr => "HDR",
        }
    }

    /// Returns the extensions of the format's files, in lower case without a dot, the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Png => &["png", "apng"],
            Self::Jpeg => &["jpg", "jpeg", "jpe", "jfif"],
            Self::Tga => &["tga", "icb", "vda", "vst", "targa"],
            Self::Bmp => &["bmp", "dib"],
            Self::Tiff => &["tif", "tiff"],
            Self::Webp => &["webp"],
            Self::Gif => &["gif"],
            Self::Pnm => &["pnm", "pbm", "pgm", "ppm", "pam"],
            Self::Dds => &["dds"],
            Self::Ktx2 => &["ktx2"],
            Self::Astc => &["astc"],
            Self::Exr => &["exr", "sxr", "mxr"],
            Self::Hdr => &["hdr", "rgbe", "xyze"],
        }
    }

    /// Returns the format of files with this extension, ignoring case, with or without a leading dot.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let extension = extension.strip_prefix('.').unwrap_or(extension);
        let is_known = |format: &&Self| format.extensions().iter().any(|e| e.eq_ignore_ascii_case(extension));
        Self::ALL.iter().find(is_known).copied()
    }

    /// Returns the format of a file with these first bytes. Pass [`DETECT_BYTES`](Self::DETECT_BYTES) of
    /// them, or all bytes of a shorter file.
    ///
    /// TGA has no magic number. It is recognized by a header of 18 bytes in which every field is plausible.
    pub fn detect(first_bytes: &[u8]) -> Option<Self> {
        match first_bytes {
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Some(Self::Tiff),
            [b'D', b'D', b'S', b' ', ..] => Some(Self::Dds),
            [0x13, 0xab, 0xa1, 0x5c, ..] => Some(Self::Astc),
            [0x76, 0x2f, 0x31, 0x01, ..] => Some(Self::Exr),
            [b'#', b'?', b'R', b'A' | b'G', ..] => Some(Self::Hdr),
            [0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Self::Ktx2),
            [b'P', b'1'..=b'7', b' ' | b'\t' | b'\r' | b'\n' | b'#', ..] => Some(Self::Pnm),
            // Two letters alone are not enough: the header size that follows must be valid.
            [b'B', b'M', rest @ ..] => match rest.get(12..16) {
                Some(&[12 | 16 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0]) => Some(Self::Bmp),
                Some(_) => None,
                None => Some(Self::Bmp),
            },
            _ if is_tga_header(first_bytes) => Some(Self::Tga),
            _ => None,
        }
    }
}

/// True if the fields are those of a TGA file (Truevision TGA File Format Specification 2.0, 1991): colour
/// map type, image type, colour map, size, depth, descriptor.
fn is_tga_header(bytes: &[u8]) -> bool {
    let Some(header) = bytes.first_chunk::<18>() else { return false };
    let [_, map_type, image_type, _, _, map_length0, map_length1, map_bits, ..] = *header;
    let [_, _, _, _, w0, w1, h0, h1, depth, descriptor] = header[8..] else { return false };
    let mapped = matches!(image_type, 1 | 9);
    let map_is_right = if mapped {
        map_type == 1 && matches!(map_bits, 15 | 16 | 24 | 32) && [map_length0, map_length1] != [0, 0]
    } else {
        map_type == 0 || (map_type == 1 && matches!(map_bits, 15 | 16 | 24 | 32))
    };
    map_is_right
        && matches!(image_type, 1..=3 | 9..=11)
        && [w0, w1] != [0, 0]
        && [h0, h1] != [0, 0]
        && matches!(depth, 8 | 15 | 16 | 24 | 32)
        && descriptor & 0xc0 == 0
        && matches!(descriptor & 15, 0 | 1 | 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_and_first_bytes_lead_to_formats() {
        for &format in FileFormat::ALL {
            assert_eq!(FileFormat::of_extension(&format.extensions()[0].to_uppercase()), Some(format));
        }
        assert_eq!(FileFormat::of_extension(".JPG"), Some(FileFormat::Jpeg));
        assert_eq!(FileFormat::of_extension("jfif"), Some(FileFormat::Jpeg));
        assert_eq!(FileFormat::of_extension("psd"), None);
        assert_eq!(FileFormat::detect(b"P6\n"), Some(FileFormat::Pnm));
        assert_eq!(FileFormat::detect(b"P64"), None);
        assert_eq!(FileFormat::detect(b"BMW is a maker of cars"), None);
        assert_eq!(FileFormat::detect(b""), None);
        let tga = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 24, 0x20];
        assert_eq!(FileFormat::detect(&tga), Some(FileFormat::Tga));
        for (byte, value) in [(1, 2), (2, 4), (12, 0), (16, 23), (17, 0xc0)] {
            let mut other = tga;
            other[byte] = value;
            assert_eq!(FileFormat::detect(&other), None, "{byte}");
        }
    }
}
