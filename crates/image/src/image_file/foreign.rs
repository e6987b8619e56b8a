//! Formats that are recognised by their first bytes, and not read.

/// A file of another format than those that are read.
pub(super) struct Foreign {
    /// Name that can start a sentence, with an article if it is no name of a format.
    pub name: &'static str,
    /// The remedy, in the imperative.
    pub advice: &'static str,
}

/// Number of first bytes that [`of`] examines: the first brands of an AVIF or HEIC file.
pub(super) const FIRST_BYTES: usize = 32;

const CONVERT: &str = "convert it to PNG";
const CONVERT_FLOATS: &str = "convert it to EXR";
const CONVERT_TEXTURE: &str = "convert it to DDS or KTX2";

/// Returns the format of a file with these first bytes, if it is known.
pub(super) fn of(first_bytes: &[u8]) -> Option<Foreign> {
    let (name, advice) = match first_bytes {
        // https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md, "The Pointer"
        [b'v', b'e', b'r', b's', b'i', b'o', b'n', b' ', rest @ ..]
            if rest.starts_with(b"https://git-lfs") || rest.starts_with(b"https://hawser") =>
        {
            ("A pointer of Git LFS, not the file", "fetch the file with git lfs pull")
        }
        // ISO/IEC 14496-12, 4.3: a box of brands.
        [_, _, _, size, b'f', b't', b'y', b'p', brands @ ..] => {
            let brands = &brands[..brands.len().min(usize::from(*size).saturating_sub(8))];
            let has =
                |names: &[&[u8; 4]]| brands.as_chunks::<4>().0.iter().any(|brand| names.contains(&brand));
            if has(&[b"avif", b"avis"]) {
                ("AVIF", CONVERT)
            } else if has(&[b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"]) {
                ("HEIC", CONVERT)
            } else if has(&[b"jp2 ", b"jpx ", b"jph "]) {
                ("JPEG 2000", CONVERT)
            } else {
                ("A video or another file of ISO media", CONVERT)
            }
        }
        // ISO/IEC 18181-2: a bare stream, and a container.
        [0xff, 0x0a, ..] | [0, 0, 0, 12, b'J', b'X', b'L', b' ', 13, 10, 0x87, 10, ..] => {
            ("JPEG XL", CONVERT)
        }
        // ISO/IEC 15444-1, annexes I and A: a container, and a bare stream.
        [0, 0, 0, 12, b'j', b'P', b' ', b' ', 13, 10, 0x87, 10, ..] | [0xff, 0x4f, 0xff, 0x51, ..] => {
            ("JPEG 2000", CONVERT)
        }
        [b'P', b'F' | b'f', b' ' | b'\t' | b'\r' | b'\n', ..] => ("PFM", CONVERT_FLOATS),
        [b'V', b'T', b'F', 0, ..] => ("VTF", CONVERT_TEXTURE),
        [b'B', b'L', b'P', b'0'..=b'2', ..] => ("BLP", CONVERT_TEXTURE),
        [0xab, b'K', b'T', b'X', b' ', b'1', b'1', 0xbb, ..] => {
            ("KTX of version 1", "ktx2ktx2 of KTX-Software converts it")
        }
        [b'P', b'V', b'R', 3, ..] => ("PVR", CONVERT_TEXTURE),
        [b'P', b'K', b'M', b' ', b'1' | b'2', b'0', ..] => ("PKM", CONVERT_TEXTURE),
        [b's', b'B', 0x13, ..] => ("A file of Basis Universal", "basisu -unpack decodes it"),
        [b'8', b'B', b'P', b'S', ..] => ("Photoshop's format", "save it as PNG, TIFF or EXR"),
        [b'g', b'i', b'm', b'p', b' ', b'x', b'c', b'f', ..] => {
            ("GIMP's XCF", "export it as PNG, TIFF or EXR")
        }
        [b'q', b'o', b'i', b'f', ..] => ("QOI", CONVERT),
        [b'S', b'D', b'P', b'X', ..] | [b'X', b'P', b'D', b'S', ..] => ("DPX", CONVERT_FLOATS),
        [b'g', b'l', b'T', b'F', ..] => ("A glTF file", "brickwork audit examines its textures"),
        _ => return None,
    };
    Some(Foreign { name, advice })
}
