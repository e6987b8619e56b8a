//! Description of the level data: header, level index, data format descriptor, key/value data. It is the same
//! for textures, which [`super`] reads, and for further formats of plain texels, which `pictures` reads.

use super::super::{ContainerError, byte_source::ByteSource};
use crate::{ColorSpace, Swizzle, TextureKind, TextureOrientation, texture::check_shape};
use ::ktx2::dfd::{Basic, DataFormatFlags};
use ::ktx2::{ColorModel, Format, Header, Index, LevelIndex, SupercompressionScheme, TransferFunction};

pub const HEADER_BYTES: u64 = Header::LENGTH as u64;
pub const LEVEL_INDEX_BYTES: u64 = LevelIndex::LENGTH as u64;
/// Maximum size of a descriptor. No real file has a larger one; one of 4 GiB is an attack.
const MAX_DESCRIPTOR_BYTES: u32 = 1 << 16;
/// Maximum size of key/value data. It is far above any size in practice, and harmless when `Info` stores it
/// as strings.
const MAX_KEY_VALUE_BYTES: u32 = 1 << 24;
/// Maximum compression ratio of Zstandard: a block of at least 4 bytes gives at most 128 KiB. RFC 8878,
/// section 3.1.1.2.
const MAX_ZSTD_RATIO: u64 = (128 << 10) / 4;

/// Offsets of fields from the start of the file, for errors.
mod offset {
    pub const WIDTH: u64 = 20;
    pub const FACE_COUNT: u64 = 36;
    pub const DESCRIPTOR_LENGTH: u64 = 52;
    pub const KEY_VALUE_LENGTH: u64 = 60;
}

/// Contents of header and descriptor, for any format.
pub(crate) struct Head {
    /// Header as in the file.
    pub header: Header,
    /// Format of the texels.
    pub format: Format,
    /// Shape that [`check_shape`] has accepted.
    pub kind: TextureKind,
    /// True if level data is compressed with Zstandard, false if it is not compressed.
    pub zstd: bool,
    /// [`ColorSpace::Srgb`] if the descriptor names that transfer function. `format` takes precedence.
    pub color_space: ColorSpace,
    /// Numbers of primaries and transfer function in the descriptor.
    pub colors: [u8; 2],
    /// True if the descriptor states that colour is multiplied by alpha.
    pub is_premultiplied: bool,
    /// `KTXorientation`.
    pub orientation: TextureOrientation,
    /// `KTXswizzle`.
    pub swizzle: Swizzle,
    /// The other key/value pairs that a writer keeps, sorted by key.
    pub kept: Vec<(String, Vec<u8>)>,
    /// Notes about parts of the file that count as absent: keys for the display of texels, and the scale of
    /// integers in the descriptor.
    pub unused: Vec<String>,
    /// Keys that a writer does not keep.
    pub left_out: Vec<String>,
}

/// Note about a descriptor that contradicts an sRGB format ([`Head::is_stated_linear`]).
pub(crate) const STATED_LINEAR_NOTE: &str =
    "the format is sRGB, but the descriptor says linear; it is read as sRGB";

/// Keys whose values a writer does not copy: it states its name, and compresses the levels itself.
const OF_WRITER: [&[u8]; 2] = [b"KTXwriter", b"KTXwriterScParams"];

/// Most keys that notes name.
const MAX_NAMED: usize = 8;

/// True for pairs that a file with a known format may have: those of applications, and of the reserved names,
/// which start with `KTX` or `ktx`, those about animation, cubes with fewer faces and the range of numbers.
/// `KTXastcDecodeMode` is for ASTC; only its value `unorm8`, the mode of our decoder, is kept. The others
/// state a format of another API.
fn may_be_kept(key: &str, value: &[u8], format: Format) -> bool {
    match key {
        "" => false,
        "KTXastcDecodeMode" => value == b"unorm8\0" && format_name(format).contains("_ASTC_"),
        "KTXanimData" => value.len() == 12,
        "KTXcubemapIncomplete" => value.len() == 1,
        "KTXmapRange" => value.len() == 8,
        _ => !["KTX", "ktx", "\u{feff}"].iter().any(|start| key.starts_with(start)),
    }
}

/// Returns the start of a key or a value, for a note.
fn shown(bytes: &[u8]) -> String {
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    format!("{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(40)]))
}

impl Head {
    /// Reads header and descriptor, and checks that the shape is possible and the stream contains the level
    /// index.
    ///
    /// # Errors
    /// [`ContainerError`]. 1D textures, arrays of 3D textures, supercompression other than Zstandard, and
    /// `VK_FORMAT_UNDEFINED` are unsupported.
    pub fn read(source: &mut ByteSource<'_>) -> Result<Self, ContainerError> {
        let header = read_header(source)?;
        let zstd = match header.supercompression_scheme {
            None => false,
            Some(SupercompressionScheme::Zstandard) => true,
            Some(other) => {
                let name = scheme_name(other);
                return Err(ContainerError::unsupported(format!("KTX2 with supercompression {name}")));
            }
        };
        let Some(format) = header.format else {
            let model = model_name(Descriptor::read(source, &header.index)?.color_model);
            let what = format!("KTX2 with VK_FORMAT_UNDEFINED (colour model {model})");
            return Err(ContainerError::unsupported(what));
        };
        let kind = kind_of(&header)?;
        let descriptor = Descriptor::read(source, &header.index)?;
        let mut head = Self {
            header,
            format,
            kind,
            zstd,
            color_space: descriptor.color_space(),
            colors: [descriptor.primaries, descriptor.transfer_function],
            is_premultiplied: descriptor.is_premultiplied(),
            orientation: TextureOrientation::default(),
            swizzle: Swizzle::IDENTITY,
            kept: Vec::new(),
            unused: scale_note(format, &descriptor.samples).into_iter().collect(),
            left_out: Vec::new(),
        };
        check_shape(kind, head.size(), head.layers(), head.mip_levels())?;
        source.check_range(HEADER_BYTES, LEVEL_INDEX_BYTES * u64::from(head.mip_levels()))?;
        head.read_keys(source)?;
        Ok(head)
    }

    /// Reads the keys that affect the display of texels. Values outside of the specification count as absent.
    /// Keeps the other pairs that a file may have, the first for each key. Both have a note.
    fn read_keys(&mut self, source: &mut ByteSource<'_>) -> Result<(), ContainerError> {
        let bytes = key_value_bytes(source, &self.header.index)?;
        for pair in key_values(&bytes, self.header.index.kvd_byte_offset.into()) {
            let (key, value) = pair?;
            let text = std::str::from_utf8(value.strip_suffix(&[0]).unwrap_or(value)).unwrap_or_default();
            let is_allowed = match key {
                b"KTXorientation" => {
                    let orientation = TextureOrientation::parse(text);
                    self.orientation = orientation.unwrap_or(self.orientation);
                    orientation.is_some()
                }
                b"KTXswizzle" => {
                    let swizzle = Swizzle::parse(text);
                    self.swizzle = swizzle.unwrap_or(self.swizzle);
                    swizzle.is_some()
                }
                _ if OF_WRITER.contains(&key) => true,
                _ => {
                    match std::str::from_utf8(key).ok().filter(|key| may_be_kept(key, value, self.format)) {
                        Some(key) => self.kept.push((key.to_owned(), value.to_vec())),
                        None if self.left_out.len() < MAX_NAMED => self.left_out.push(shown(key)),
                        None => self.left_out[MAX_NAMED - 1] = "others".to_owned(),
                    }
                    true
                }
            };
            if !is_allowed && self.unused.len() < MAX_NAMED {
                let (key, value) = (shown(key), shown(value));
                self.unused.push(format!(
                    "the KTX2 key {key} is {value}, which is not allowed; it counts as absent"
                ));
            }
        }
        self.kept.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.kept.dedup_by(|(a, _), (b, _)| a == b);
        Ok(())
    }

    /// True if the descriptor says that numbers are linear.
    pub fn is_stated_linear(&self) -> bool {
        self.colors[1] == TransferFunction::Linear.value()
    }

    /// Returns the width, height and depth of mip level 0 in texels, each at least 1.
    pub fn size(&self) -> [u32; 3] {
        [self.header.pixel_width, self.header.pixel_height, self.header.pixel_depth.max(1)]
    }

    /// Returns the number of array layers, at least 1.
    pub fn layers(&self) -> u32 {
        self.header.layer_count.max(1)
    }

    /// Returns the number of mip levels, at least 1.
    pub fn mip_levels(&self) -> u32 {
        self.header.level_count.max(1)
    }

    /// Returns the position of mip level `level`. `needed` is the size of all its layers, faces and slices
    /// before compression, in bytes.
    ///
    /// # Errors
    /// [`ContainerError`] if the entry contradicts this, or the stream does not contain the mip level.
    pub fn level(
        &self,
        source: &mut ByteSource<'_>,
        level: u32,
        needed: u64,
    ) -> Result<LevelIndex, ContainerError> {
        let at = HEADER_BYTES + LEVEL_INDEX_BYTES * u64::from(level);
        let entry = LevelIndex::from_bytes(&source.array(at)?);
        if entry.uncompressed_byte_length != needed {
            let reason = "the uncompressed length of a mip level is not what the shape needs";
            return Err(invalid(at + 16, reason, entry.uncompressed_byte_length));
        }
        if !self.zstd && entry.byte_length != needed {
            let reason = "the length of a mip level is not what the shape needs";
            return Err(invalid(at + 8, reason, entry.byte_length));
        }
        source.check_range(entry.byte_offset, entry.byte_length)?;
        if self.zstd && needed / MAX_ZSTD_RATIO > entry.byte_length {
            let reason = "so few bytes cannot hold the mip level";
            return Err(invalid(at + 8, reason, entry.byte_length));
        }
        Ok(entry)
    }
}

/// Reads the header, which has a width and a possible number of faces.
///
/// # Errors
/// [`ContainerError`].
pub(super) fn read_header(source: &mut ByteSource<'_>) -> Result<Header, ContainerError> {
    let head = source.array::<{ Header::LENGTH }>(0)?;
    let field = |offset: u64| {
        let bytes = head[offset as usize..].first_chunk().copied().unwrap_or_default();
        u64::from(u32::from_le_bytes(bytes))
    };
    if field(offset::WIDTH) == 0 {
        return Err(invalid(offset::WIDTH, "the width is 0", 0));
    }
    let face_count = field(offset::FACE_COUNT);
    if face_count != 1 && face_count != 6 {
        return Err(invalid(offset::FACE_COUNT, "the face count is neither 1 nor 6", face_count));
    }
    // The crate can now only refuse the identifier, which was checked before.
    Header::from_bytes(&head).map_err(|_| invalid(0, "not the identifier of KTX2", 0))
}

/// Returns the shape that a header states.
///
/// # Errors
/// [`ContainerError`] if there is none, or it is not supported.
pub(super) fn kind_of(header: &Header) -> Result<TextureKind, ContainerError> {
    if header.pixel_height == 0 {
        return Err(ContainerError::unsupported("KTX2 with a 1D texture (height 0)"));
    }
    let kind = match (header.face_count, header.pixel_depth) {
        (1, 0) => TextureKind::D2,
        (1, _) => TextureKind::D3,
        (_, 0) => TextureKind::Cube,
        (found, _) => return Err(invalid(offset::FACE_COUNT, "a cube cannot have a depth", found.into())),
    };
    if kind == TextureKind::D3 && header.layer_count > 1 {
        return Err(ContainerError::unsupported("KTX2 with an array of 3D textures"));
    }
    Ok(kind)
}

/// Returns the name of a supercompression scheme.
pub(super) fn scheme_name(scheme: SupercompressionScheme) -> String {
    match scheme {
        SupercompressionScheme::BasisLZ => "BasisLZ".to_owned(),
        SupercompressionScheme::Zstandard => "Zstandard".to_owned(),
        SupercompressionScheme::ZLIB => "ZLIB".to_owned(),
        other => other.value().to_string(),
    }
}

/// Returns a note if the samples of a descriptor state other bits or another scale than the format's
/// integers, such as 4095 for white in 16 bits. Samplers obey the format.
fn scale_note(format: Format, samples: &[[u8; 16]]) -> Option<String> {
    /// `KHR_DF_SAMPLE_DATATYPE_FLOAT`, `_SIGNED` and `_EXPONENT`.
    const NOT_UNSIGNED: u8 = 0b1110 << 4;
    let (basic, _) = Basic::from_format(format).ok()?;
    let is_plain = basic.color_model == Some(ColorModel::RGBSDA);
    let expected = basic.sample_information.iter().map(|sample| sample.as_bytes());
    for (index, (found, expected)) in samples.iter().zip(expected).enumerate().filter(|_| is_plain) {
        if expected[3] & NOT_UNSIGNED != 0 {
            continue;
        }
        let word = |bytes: &[u8; 16], at: usize| {
            bytes[at..].first_chunk().map_or(0, |&word| u32::from_le_bytes(word))
        };
        for (name, at, mask) in [
            ("bitOffset", 0, 0xffff),
            ("bitLength", 0, 0xff_0000),
            ("sampleLower", 8, u32::MAX),
            ("sampleUpper", 12, u32::MAX),
        ] {
            let [found, expected] =
                [found, &expected].map(|bytes| (word(bytes, at) & mask) >> mask.trailing_zeros());
            if found != expected {
                let format = format_name(format);
                let stated = format!("{name} of sample {index} is {found} in the descriptor");
                return Some(format!("{stated}, and {expected} in {format}, whose scale is used"));
            }
        }
    }
    None
}

/// Returns the key/value data, for [`key_values`].
///
/// # Errors
/// [`ContainerError`] if the stream does not contain it, or it is above 16 MiB.
pub(super) fn key_value_bytes(source: &mut ByteSource<'_>, index: &Index) -> Result<Vec<u8>, ContainerError> {
    let Index { kvd_byte_offset, kvd_byte_length, .. } = *index;
    if kvd_byte_length > MAX_KEY_VALUE_BYTES {
        let reason = "the key/value data is above 16 MiB";
        return Err(invalid(offset::KEY_VALUE_LENGTH, reason, kvd_byte_length.into()));
    }
    source.bytes(kvd_byte_offset.into(), kvd_byte_length.into())
}

/// Returns the name of a Vulkan format in Vulkan's header.
pub fn format_name(format: Format) -> String {
    match format!("{format:?}") {
        number if number.ends_with(')') => format!("VkFormat {}", only_number(number)),
        name => format!("VK_FORMAT_{name}"),
    }
}

/// Returns the name of a colour model.
pub(super) fn model_name(model: u8) -> String {
    match ColorModel::new(model) {
        // Unnamed numbers are printed inside their type's name.
        Some(model) => only_number(format!("{model:?}")),
        None => "unspecified".to_owned(),
    }
}

/// Returns `12` for `Format(12)`. Other names are unchanged.
fn only_number(name: String) -> String {
    match name.split_once('(') {
        Some((_, number)) => number.trim_end_matches(')').to_owned(),
        None => name,
    }
}

/// Fields of the basic descriptor block that are used. `vkFormat` states the rest.
pub(super) struct Descriptor {
    pub color_model: u8,
    primaries: u8,
    transfer_function: u8,
    flags: u8,
    samples: Vec<[u8; 16]>,
}

impl Descriptor {
    pub fn color_space(&self) -> ColorSpace {
        let is_srgb = self.transfer_function == TransferFunction::SRGB.value();
        if is_srgb { ColorSpace::Srgb } else { ColorSpace::Linear }
    }

    pub fn is_premultiplied(&self) -> bool {
        self.flags & DataFormatFlags::ALPHA_PREMULTIPLIED.bits() != 0
    }

    /// Finds the basic block. Does not use `ktx2::dfd::Basic::parse`, because version 0.5.0 panics if a block
    /// dimension is 255.
    pub fn read(source: &mut ByteSource<'_>, index: &Index) -> Result<Self, ContainerError> {
        let Index { dfd_byte_offset, dfd_byte_length, .. } = *index;
        let start = u64::from(dfd_byte_offset);
        if dfd_byte_length > MAX_DESCRIPTOR_BYTES {
            let reason = "the data format descriptor is above 64 KiB";
            return Err(invalid(offset::DESCRIPTOR_LENGTH, reason, dfd_byte_length.into()));
        }
        let bytes = source.bytes(start, dfd_byte_length.into())?;
        // The total size, then blocks: vendor and type (17 and 15 bits), version and size (16 bits each),
        // fields.
        let mut rest = bytes.get(4..).unwrap_or_default();
        while let Some((&[a, b, c, d, _, _, e, f], _)) = rest.split_first_chunk() {
            let offset = start + (bytes.len() - rest.len()) as u64;
            let size = u16::from_le_bytes([e, f]);
            let Some((block, others)) = rest.split_at_checked(size.into()).filter(|_| size >= 8) else {
                let reason = "the size of a descriptor block does not fit the descriptor";
                return Err(invalid(offset + 6, reason, size.into()));
            };
            if [a, b, c, d] == [0; 4] {
                let fields = block.get(8..8 + Basic::FIXED_LENGTH);
                let Some(&[color_model, primaries, transfer_function, flags, ..]) = fields else {
                    let reason = "the basic descriptor block is too short";
                    return Err(invalid(offset + 6, reason, size.into()));
                };
                let samples = block.get(8 + Basic::FIXED_LENGTH..).unwrap_or_default();
                let samples = samples.as_chunks().0.to_vec();
                return Ok(Self { color_model, primaries, transfer_function, flags, samples });
            }
            rest = others;
        }
        let reason = "the data format descriptor has no basic block";
        Err(invalid(offset::DESCRIPTOR_LENGTH, reason, dfd_byte_length.into()))
    }
}

/// Splits key/value data that starts at `offset` in the file: for each pair a length, a key terminated by 0,
/// a value, and padding to 4 bytes. Stops at the first error.
pub fn key_values(bytes: &[u8], offset: u64) -> KeyValues<'_> {
    KeyValues { bytes, at: 0, offset }
}

/// Keys and values. The values include the 0 that terminates text.
pub struct KeyValues<'a> {
    bytes: &'a [u8],
    /// The position to which `bytes` has been split; after an error, its end.
    at: usize,
    offset: u64,
}

impl<'a> Iterator for KeyValues<'a> {
    type Item = Result<(&'a [u8], &'a [u8]), ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let (length, after) = self.bytes.get(at..)?.split_first_chunk()?;
        let length = u32::from_le_bytes(*length);
        self.at = self.bytes.len();
        let error = |reason| Some(Err(invalid(self.offset + at as u64, reason, length.into())));
        let Some(pair) = usize::try_from(length).ok().and_then(|length| after.get(..length)) else {
            return error("a key/value pair is longer than the data");
        };
        let Some(end) = pair.iter().position(|&byte| byte == 0) else {
            return error("a key has no end");
        };
        self.at = at + 4 + pair.len().next_multiple_of(4);
        Some(Ok((&pair[..end], &pair[end + 1..])))
    }
}

fn invalid(offset: u64, reason: &'static str, found: u64) -> ContainerError {
    ContainerError::Header { offset, reason, found }
}
