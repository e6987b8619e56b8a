//! KTX2: identifier and header (80 bytes), level index, data format descriptor, key/value data, then the levels,
//! the smallest first. In a level: layer by layer, face by face, slice by slice.
//!
//! Written with the keys `KTXorientation` (`rd`, for 3D `rdi`) and `KTXwriter`, one basic descriptor block, and
//! either no supercompression or Zstandard. Read with either. Keys change nothing in what [`super::read`] gives:
//! `KTXorientation` and `KTXswizzle` are for the caller, who finds them in [`Info::key_values`].
//!
//! Sources: Khronos, *KTX File Format Specification* 2.0, <https://registry.khronos.org/KTX/specs/2.0/ktxspec.v2.html>,
//! and *Khronos Data Format Specification* 1.3, section 5, for the descriptor. `bytesPlane0` keeps the block size
//! under supercompression: the text of KTX 2.0 asked for 0, Khronos dropped that (DataFormat issue 27), and its own
//! tools keep the size and warn of 0 since 2025 (KTX-Software pull request 988). Validators before that object.

use super::source::{Source, reserve};
use super::{ContainerError, ContainerFormat, Info, WriteOptions, usual_alpha_mode};
use crate::{AlphaMode, BlockFormat, ColorSpace, Texture, TextureKind};
use ::ktx2::dfd::{Basic, Block, DataFormatFlags};
use ::ktx2::{Format, Header, Index, LevelIndex, SupercompressionScheme, TransferFunction};
use std::io::{Read, Seek, Write};

const HEADER_BYTES: u64 = Header::LENGTH as u64;
const LEVEL_INDEX_BYTES: u64 = LevelIndex::LENGTH as u64;
/// A descriptor of 64 blocks has no meaning to anyone; one of 4 GiB is an attack.
const MAX_DESCRIPTOR_BYTES: u32 = 1 << 16;
/// Key/value data that [`Info`] shows: far above any seen, and far below what hurts once it is strings.
const MAX_KEY_VALUE_BYTES: u32 = 1 << 24;
/// Zstandard's best ratio: a block of at least 4 bytes gives at most 128 KiB. RFC 8878, section 3.1.1.2.
const MAX_ZSTD_RATIO: u64 = (128 << 10) / 4;
/// Logarithms to base 2 of the smallest window Zstandard has (1 KiB) and the largest its library allows unasked
/// (128 MiB). Between them [`super::ReadOptions::max_memory`] decides.
const ZSTD_WINDOW_LOG_RANGE: (u32, u32) = (10, 27);

/// Offsets of fields from the start of the file, for errors.
mod offset {
    pub const WIDTH: u64 = 20;
    pub const FACE_COUNT: u64 = 36;
    pub const DESCRIPTOR_LENGTH: u64 = 52;
}

/// What header, level index and descriptor say.
struct Parsed {
    header: Header,
    /// The texture without its data.
    shape: Texture,
    format: Format,
    zstd: bool,
    levels: Vec<LevelIndex>,
}

pub(super) fn read<R: Read + Seek>(source: &mut Source<'_, R>) -> Result<Texture, ContainerError> {
    let Parsed { mut shape, zstd, levels, .. } = parse(source)?;
    let largest = levels.iter().map(|level| level.byte_length).max().filter(|_| zstd).unwrap_or(0);
    source.check_limit(shape.data_bytes().saturating_add(largest))?;
    let mut data = Vec::new();
    reserve(&mut data, shape.data_bytes())?;
    data.resize(shape.data_bytes() as usize, 0);
    for (level, entry) in (0..).zip(&levels) {
        if zstd {
            let compressed = source.bytes(entry.byte_offset, entry.byte_length)?;
            let limit = source.limit();
            inflate(&shape, level, entry, &compressed, limit, &mut data)?;
        } else {
            let mut at = entry.byte_offset;
            for image in image_ranges(&shape, level) {
                let image = &mut data[image];
                source.fill(at, image)?;
                at += image.len() as u64;
            }
        }
    }
    shape.data = data;
    Ok(shape)
}

pub(super) fn info<R: Read + Seek>(source: &mut Source<'_, R>) -> Result<Info, ContainerError> {
    let Parsed { header, shape, format, zstd, levels } = parse(source)?;
    let mut info = Info::new(ContainerFormat::Ktx2, &shape, format_name(format), "KTX2");
    if zstd {
        let bytes = levels.iter().fold(0u64, |sum, level| sum.saturating_add(level.byte_length));
        info.supercompression = Some(format!("Zstandard, level data of {bytes} bytes"));
    }
    let Index { kvd_byte_offset, kvd_byte_length, .. } = header.index;
    if kvd_byte_length > MAX_KEY_VALUE_BYTES {
        let (needed, limit) = (kvd_byte_length.into(), MAX_KEY_VALUE_BYTES.into());
        return Err(ContainerError::TooLarge { needed, limit });
    }
    let pairs = source.bytes(kvd_byte_offset.into(), kvd_byte_length.into())?;
    info.key_values = key_values(&pairs, kvd_byte_offset.into())?;
    Ok(info)
}

/// Reads header, level index and descriptor, and checks that the stream holds the levels.
fn parse<R: Read + Seek>(source: &mut Source<'_, R>) -> Result<Parsed, ContainerError> {
    let invalid = |offset, reason, found| ContainerError::Header { offset, reason, found };
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
    // What is left for the crate to refuse is the identifier, and that was looked at before.
    let header = Header::from_bytes(&head).map_err(|_| invalid(0, "not the identifier of KTX2", 0))?;
    let zstd = match header.supercompression_scheme {
        None => false,
        Some(SupercompressionScheme::Zstandard) => true,
        Some(other) => {
            return Err(ContainerError::unsupported(format!("KTX2 with supercompression {other:?}")));
        }
    };
    let Some(format) = header.format else {
        let what = "KTX2 with VK_FORMAT_UNDEFINED (a universal texture, such as Basis Universal)";
        return Err(ContainerError::unsupported(what));
    };
    let Some((block_format, color_space)) = of_vk_format(format) else {
        return Err(ContainerError::unsupported(format!("KTX2 with {}", format_name(format))));
    };
    if header.pixel_height == 0 {
        return Err(ContainerError::unsupported("KTX2 with a 1D texture (height 0)"));
    }
    let kind = match (face_count, header.pixel_depth) {
        (1, 0) => TextureKind::D2,
        (1, _) => TextureKind::D3,
        (_, 0) => TextureKind::Cube,
        (found, _) => return Err(invalid(offset::FACE_COUNT, "a cube cannot have a depth", found)),
    };
    let layers = header.layer_count.max(1);
    if kind == TextureKind::D3 && layers > 1 {
        return Err(ContainerError::unsupported("KTX2 with an array of 3D textures"));
    }
    let mut shape = Texture {
        format: block_format,
        kind,
        width: header.pixel_width,
        height: header.pixel_height,
        depth: header.pixel_depth.max(1),
        layers,
        levels: header.level_count.max(1),
        color_space,
        alpha_mode: AlphaMode::Opaque,
        data: Vec::new(),
    };
    shape.check_shape()?;

    let descriptor = read_descriptor(source, &header.index)?;
    if !block_format.has_srgb() && descriptor.transfer_function == TransferFunction::SRGB.value() {
        shape.color_space = ColorSpace::Srgb;
    }
    let opaque = matches!(format, Format::BC1_RGB_UNORM_BLOCK | Format::BC1_RGB_SRGB_BLOCK);
    shape.alpha_mode = if descriptor.flags & DataFormatFlags::ALPHA_PREMULTIPLIED.bits() != 0 {
        AlphaMode::Premultiplied
    } else if opaque {
        AlphaMode::Opaque
    } else {
        usual_alpha_mode(block_format)
    };

    let levels = (0..shape.levels).map(|level| {
        let at = HEADER_BYTES + LEVEL_INDEX_BYTES * u64::from(level);
        let entry = LevelIndex::from_bytes(&source.array(at)?);
        let needed = level_data_bytes(&shape, level);
        if entry.uncompressed_byte_length != needed {
            let reason = "the uncompressed length of a level is not what the shape needs";
            return Err(invalid(at + 16, reason, entry.uncompressed_byte_length));
        }
        if !zstd && entry.byte_length != needed {
            let reason = "the length of a level is not what the shape needs";
            return Err(invalid(at + 8, reason, entry.byte_length));
        }
        source.check_range(entry.byte_offset, entry.byte_length)?;
        if zstd && needed / MAX_ZSTD_RATIO > entry.byte_length {
            let reason = "so few bytes cannot hold the level";
            return Err(invalid(at + 8, reason, entry.byte_length));
        }
        Ok(entry)
    });
    let levels = levels.collect::<Result<_, ContainerError>>()?;
    Ok(Parsed { header, shape, format, zstd, levels })
}

/// What is read from the basic descriptor block; `vkFormat` says the rest.
struct Descriptor {
    transfer_function: u8,
    flags: u8,
}

/// Finds the basic block. Not through `ktx2::dfd::Basic::parse`: version 0.5.0 panics where a block dimension is 255.
fn read_descriptor<R: Read + Seek>(
    source: &mut Source<'_, R>,
    index: &Index,
) -> Result<Descriptor, ContainerError> {
    let Index { dfd_byte_offset, dfd_byte_length, .. } = *index;
    let start = u64::from(dfd_byte_offset);
    if dfd_byte_length > MAX_DESCRIPTOR_BYTES {
        let (reason, found) = ("the data format descriptor is above 64 KiB", dfd_byte_length.into());
        return Err(ContainerError::Header { offset: offset::DESCRIPTOR_LENGTH, reason, found });
    }
    let bytes = source.bytes(start, dfd_byte_length.into())?;
    // The total size, then blocks: vendor and type (17 and 15 bits), version and size (16 bits each), fields.
    let mut rest = bytes.get(4..).unwrap_or_default();
    while let Some((&[a, b, c, d, _, _, e, f], _)) = rest.split_first_chunk() {
        let offset = start + (bytes.len() - rest.len()) as u64;
        let size = u16::from_le_bytes([e, f]);
        let Some((block, others)) = rest.split_at_checked(size.into()).filter(|_| size >= 8) else {
            let reason = "the size of a descriptor block does not fit the descriptor";
            return Err(ContainerError::Header { offset: offset + 6, reason, found: size.into() });
        };
        if [a, b, c, d] == [0; 4] {
            let fields = block.get(8..8 + Basic::FIXED_LENGTH);
            let Some(&[_model, _primaries, transfer_function, flags, ..]) = fields else {
                let reason = "the basic descriptor block is too short";
                return Err(ContainerError::Header { offset: offset + 6, reason, found: size.into() });
            };
            return Ok(Descriptor { transfer_function, flags });
        }
        rest = others;
    }
    let (reason, found) = ("the data format descriptor has no basic block", dfd_byte_length.into());
    Err(ContainerError::Header { offset: offset::DESCRIPTOR_LENGTH, reason, found })
}

/// Undoes the Zstandard compression of one level, straight to where its images belong in `data`.
fn inflate(
    shape: &Texture,
    level: u32,
    entry: &LevelIndex,
    compressed: &[u8],
    limit: u64,
    data: &mut [u8],
) -> Result<(), ContainerError> {
    let needed = level_data_bytes(shape, level);
    let error = |reason| ContainerError::Compressed { offset: entry.byte_offset, level, needed, reason };
    let mut decoder = zstd::stream::read::Decoder::with_buffer(compressed)?;
    let (least, most) = ZSTD_WINDOW_LOG_RANGE;
    decoder.window_log_max(limit.max(1).ilog2().clamp(least, most))?;
    for image in image_ranges(shape, level) {
        // The only reader beneath is a slice, so every failure is the stream's.
        decoder.read_exact(&mut data[image]).map_err(|_| error("is damaged or ends early"))?;
    }
    match decoder.read(&mut [0]) {
        Ok(0) => Ok(()),
        Ok(_) => Err(error("holds more")),
        Err(_) => Err(error("is damaged at its end")),
    }
}

/// Splits key/value data: for each pair a length, a key ended by 0, a value, padding to 4 bytes.
fn key_values(bytes: &[u8], start: u64) -> Result<Vec<(String, String)>, ContainerError> {
    let mut pairs = Vec::new();
    let mut rest = bytes;
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes(*length);
        let offset = start + (bytes.len() - rest.len()) as u64;
        let invalid = |reason| ContainerError::Header { offset, reason, found: length.into() };
        let pair = usize::try_from(length).ok().and_then(|length| after.get(..length));
        let pair = pair.ok_or_else(|| invalid("a key/value pair is longer than the data"))?;
        let end = pair.iter().position(|&byte| byte == 0);
        let end = end.ok_or_else(|| invalid("a key has no end"))?;
        let value = &pair[end + 1..];
        let text = std::str::from_utf8(value.strip_suffix(&[0]).unwrap_or(value)).ok();
        let text = text.filter(|text| !text.contains(|character: char| character.is_control()));
        pairs.push((
            String::from_utf8_lossy(&pair[..end]).into_owned(),
            text.map_or_else(|| format!("{} bytes", value.len()), str::to_owned),
        ));
        rest = after.get(pair.len().next_multiple_of(4)..).unwrap_or_default();
    }
    Ok(pairs)
}

pub(super) fn write<W: Write>(
    writer: &mut W,
    texture: &Texture,
    options: &WriteOptions,
) -> Result<(), ContainerError> {
    let format = vk_format(texture);
    let descriptor = descriptor(texture, format)?;
    let pairs = written_key_values(texture.kind);
    let compressed = options.zstd.map(|level| deflate(texture, level)).transpose()?;

    let dfd_byte_offset = HEADER_BYTES + LEVEL_INDEX_BYTES * u64::from(texture.levels);
    let kvd_byte_offset = dfd_byte_offset + descriptor.len() as u64;
    let head_end = kvd_byte_offset + pairs.len() as u64;
    // Levels start at multiples of the least common multiple of 4 and the block size, which is the block size
    // itself; supercompressed ones anywhere. The specification's section "mipPadding".
    let alignment = if compressed.is_some() { 1 } else { texture.format.block_bytes() as u64 };

    let mut levels: Vec<LevelIndex> = Vec::new();
    let mut at = head_end.next_multiple_of(alignment);
    let padding = at - head_end;
    for level in (0..texture.levels).rev() {
        let uncompressed_byte_length = level_data_bytes(texture, level);
        let byte_length = match &compressed {
            Some(levels) => levels[level as usize].len() as u64,
            None => uncompressed_byte_length,
        };
        levels.push(LevelIndex { byte_offset: at, byte_length, uncompressed_byte_length });
        at += byte_length;
    }

    let header = Header {
        format: Some(format),
        type_size: 1,
        pixel_width: texture.width,
        pixel_height: texture.height,
        pixel_depth: if texture.kind == TextureKind::D3 { texture.depth } else { 0 },
        layer_count: if texture.layers > 1 { texture.layers } else { 0 },
        face_count: texture.faces(),
        level_count: texture.levels,
        supercompression_scheme: compressed.is_some().then_some(SupercompressionScheme::Zstandard),
        index: Index {
            dfd_byte_offset: dfd_byte_offset as u32,
            dfd_byte_length: descriptor.len() as u32,
            kvd_byte_offset: kvd_byte_offset as u32,
            kvd_byte_length: pairs.len() as u32,
            sgd_byte_offset: 0,
            sgd_byte_length: 0,
        },
    };
    let mut head = header.as_bytes().to_vec();
    for level in levels.iter().rev() {
        head.extend(level.as_bytes());
    }
    head.extend(descriptor);
    head.extend(pairs);
    head.extend(std::iter::repeat_n(0, padding as usize));
    writer.write_all(&head)?;
    for level in (0..texture.levels).rev() {
        match &compressed {
            Some(levels) => writer.write_all(&levels[level as usize])?,
            None => {
                for image in image_ranges(texture, level) {
                    writer.write_all(&texture.data[image])?;
                }
            }
        }
    }
    Ok(())
}

/// The levels, the largest first, each compressed on its own.
fn deflate(texture: &Texture, zstd_level: i32) -> Result<Vec<Vec<u8>>, ContainerError> {
    if zstd_level == 0 || !zstd::compression_level_range().contains(&zstd_level) {
        return Err(ContainerError::unsupported(format!("Zstandard level {zstd_level}")));
    }
    let levels = (0..texture.levels).map(|level| {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), zstd_level)?;
        encoder.include_contentsize(true)?;
        encoder.set_pledged_src_size(Some(level_data_bytes(texture, level)))?;
        for image in image_ranges(texture, level) {
            encoder.write_all(&texture.data[image])?;
        }
        Ok(encoder.finish()?)
    });
    levels.collect()
}

/// Total size and one basic block. Table by table what the Data Format Specification asks for, from the `ktx2` crate.
fn descriptor(texture: &Texture, format: Format) -> Result<Vec<u8>, ContainerError> {
    let premultiplied = texture.alpha_mode == AlphaMode::Premultiplied;
    let transfer_function = match texture.color_space {
        ColorSpace::Srgb => TransferFunction::SRGB,
        ColorSpace::Linear => TransferFunction::Linear,
    };
    let basic = Basic::from_format_with(format, premultiplied, Some(transfer_function), None, None);
    let basic = basic.map_err(|_| {
        ContainerError::unsupported(format!("{} with this colour space in KTX2", format_name(format)))
    })?;
    let block = Block::Basic(basic.0).to_vec();
    let total = 4 + block.len() as u32;
    Ok([total.to_le_bytes().as_slice(), &block].concat())
}

/// The key/value data of files written here, keys in ascending order as the specification wants them.
fn written_key_values(kind: TextureKind) -> Vec<u8> {
    let orientation = if kind == TextureKind::D3 { "rdi" } else { "rd" };
    let writer = concat!("Brickwork ", env!("CARGO_PKG_VERSION"));
    let mut bytes = Vec::new();
    for (key, value) in [("KTXorientation", orientation), ("KTXwriter", writer)] {
        let pair = [key.as_bytes(), &[0], value.as_bytes(), &[0]].concat();
        bytes.extend((pair.len() as u32).to_le_bytes());
        bytes.extend(pair);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}

/// Bytes of a level, all layers, faces and slices; `u64::MAX` where the count does not fit.
fn level_data_bytes(shape: &Texture, level: u32) -> u64 {
    let images = u64::from(shape.layers) * u64::from(shape.faces());
    shape.level_bytes(level).saturating_mul(images)
}

/// Where in [`Texture::data`] the images of a level lie, in the order of KTX2. Only for a shape whose data has
/// been allocated, so that nothing overflows.
fn image_ranges(shape: &Texture, level: u32) -> impl Iterator<Item = std::ops::Range<usize>> {
    let bytes_of = |levels: u32| (0..levels).map(|level| shape.level_bytes(level) as usize).sum::<usize>();
    let (before, stride, len) = (bytes_of(level), bytes_of(shape.levels), shape.level_bytes(level) as usize);
    let images = shape.layers as usize * shape.faces() as usize;
    (0..images).map(move |image| image * stride + before..image * stride + before + len)
}

fn format_name(format: Format) -> String {
    format!("VK_FORMAT_{format:?}")
}

fn vk_format(texture: &Texture) -> Format {
    let srgb = texture.color_space == ColorSpace::Srgb;
    let opaque = texture.alpha_mode == AlphaMode::Opaque;
    match texture.format {
        BlockFormat::Bc1 => match (opaque, srgb) {
            (true, false) => Format::BC1_RGB_UNORM_BLOCK,
            (true, true) => Format::BC1_RGB_SRGB_BLOCK,
            (false, false) => Format::BC1_RGBA_UNORM_BLOCK,
            (false, true) => Format::BC1_RGBA_SRGB_BLOCK,
        },
        BlockFormat::Bc2 if srgb => Format::BC2_SRGB_BLOCK,
        BlockFormat::Bc2 => Format::BC2_UNORM_BLOCK,
        BlockFormat::Bc3 if srgb => Format::BC3_SRGB_BLOCK,
        BlockFormat::Bc3 => Format::BC3_UNORM_BLOCK,
        BlockFormat::Bc4Unorm => Format::BC4_UNORM_BLOCK,
        BlockFormat::Bc4Snorm => Format::BC4_SNORM_BLOCK,
        BlockFormat::Bc5Unorm => Format::BC5_UNORM_BLOCK,
        BlockFormat::Bc5Snorm => Format::BC5_SNORM_BLOCK,
        BlockFormat::Bc6hUfloat => Format::BC6H_UFLOAT_BLOCK,
        BlockFormat::Bc6hSfloat => Format::BC6H_SFLOAT_BLOCK,
        BlockFormat::Bc7 if srgb => Format::BC7_SRGB_BLOCK,
        BlockFormat::Bc7 => Format::BC7_UNORM_BLOCK,
    }
}

/// Block format and colour space of a Vulkan format; linear where the descriptor has to say it.
fn of_vk_format(format: Format) -> Option<(BlockFormat, ColorSpace)> {
    use ColorSpace::{Linear, Srgb};
    Some(match format {
        Format::BC1_RGB_UNORM_BLOCK | Format::BC1_RGBA_UNORM_BLOCK => (BlockFormat::Bc1, Linear),
        Format::BC1_RGB_SRGB_BLOCK | Format::BC1_RGBA_SRGB_BLOCK => (BlockFormat::Bc1, Srgb),
        Format::BC2_UNORM_BLOCK => (BlockFormat::Bc2, Linear),
        Format::BC2_SRGB_BLOCK => (BlockFormat::Bc2, Srgb),
        Format::BC3_UNORM_BLOCK => (BlockFormat::Bc3, Linear),
        Format::BC3_SRGB_BLOCK => (BlockFormat::Bc3, Srgb),
        Format::BC4_UNORM_BLOCK => (BlockFormat::Bc4Unorm, Linear),
        Format::BC4_SNORM_BLOCK => (BlockFormat::Bc4Snorm, Linear),
        Format::BC5_UNORM_BLOCK => (BlockFormat::Bc5Unorm, Linear),
        Format::BC5_SNORM_BLOCK => (BlockFormat::Bc5Snorm, Linear),
        Format::BC6H_UFLOAT_BLOCK => (BlockFormat::Bc6hUfloat, Linear),
        Format::BC6H_SFLOAT_BLOCK => (BlockFormat::Bc6hSfloat, Linear),
        Format::BC7_UNORM_BLOCK => (BlockFormat::Bc7, Linear),
        Format::BC7_SRGB_BLOCK => (BlockFormat::Bc7, Srgb),
        _ => return None,
    })
}
