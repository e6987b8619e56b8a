//! KTX2: identifier and header (80 bytes), level index, data format descriptor, key/value data, then the mip
//! levels, the smallest first. A mip level is stored layer by layer, face by face, slice by slice. Each
//! starts at a multiple of the block size and of 4.
//!
//! Files are written with the keys `KTXorientation` (`rd`, for 3D `rdi`) and `KTXwriter`, one basic
//! descriptor block, and either no supercompression or Zstandard. Both are also read. `KTXorientation` and
//! `KTXswizzle` become [`TextureDesc::orientation`] and [`TextureDesc::swizzle`]; values outside of the
//! specification count as absent, with a note. `KTXswizzle` is written unless it is `rgba`. Other pairs are
//! kept ([`Texture::key_values`]), except those about the writer and, with a note, those that no file of the
//! format may have.
//!
//! Sources: Khronos, *KTX File Format Specification* 2.0,
//! <https://registry.khronos.org/KTX/specs/2.0/ktxspec.v2.html>, and *Khronos Data Format Specification* 1.3,
//! section 5, for the descriptor. `bytesPlane0` keeps the block size under supercompression: the text of KTX
//! 2.0 required 0, Khronos dropped that (DataFormat issue 27), and since 2025 its own tools keep the size and
//! warn about 0 (KTX-Software pull request 988). Older validators object.

mod format;
pub(crate) mod head;
pub(super) mod unread;
#[cfg_attr(not(feature = "ktx2-zstd"), path = "ktx2/without_zstd.rs")]
pub(crate) mod zstd;

use super::astc_faults::AstcFaults;
use super::byte_source::{ByteSource, zeroed};
use super::{ContainerError, ContainerFormat, HeaderKind, Info, TextureWriteOptions};
use crate::{AlphaMode, ColorSpace, Stage, Swizzle, Task, Texture, TextureDesc, TextureKind};
use ::ktx2::dfd::{Basic, Block};
use ::ktx2::{Format, Header, Index, LevelIndex, SupercompressionScheme, TransferFunction};
use brickwork_base::task_io::{STEP_BYTES, TaskWriter};
pub(crate) use format::of_vk_format;
use format::vk_format;
use head::{
    HEADER_BYTES, Head, LEVEL_INDEX_BYTES, STATED_LINEAR_NOTE, format_name, key_value_bytes, key_values,
};
use std::io::{Read, Write};
use std::ops::Range;

/// Returns the number and the name of a texture's `VkFormat`.
pub(crate) fn vulkan(desc: &TextureDesc) -> (u32, String) {
    let format = vk_format(desc);
    (format.value(), format_name(format))
}

/// Bytes that are compressed between two checks for cancellation: the highest level takes 50 ms for them.
const ZSTD_STEP_BYTES: usize = 1 << 15;

/// Largest size of a block or plain texel in bytes.
const MAX_ALIGNMENT: usize = 16;

/// Start of the samples in a basic descriptor block, size of a sample, and in its last byte of four the
/// channel alpha and `KHR_DF_SAMPLE_DATATYPE_LINEAR`.
const SAMPLES_AT: usize = 24;
const SAMPLE_BYTES: usize = 16;
const ALPHA: u8 = 15;
const LINEAR: u8 = 1 << 4;

/// Contents of header, level index and descriptor.
struct Parsed {
    head: Head,
    desc: TextureDesc,
    levels: Vec<LevelIndex>,
    notes: Vec<String>,
}

pub(super) fn read(source: &mut ByteSource<'_>, task: &Task<'_>) -> Result<Texture, ContainerError> {
    let Parsed { head, desc, levels, mut notes } = parse(source)?;
    let largest = levels.iter().map(|level| level.byte_length).max().filter(|_| head.zstd).unwrap_or(0);
    source.check_limit(desc.data_bytes().saturating_add(largest))?;
    let mut data = zeroed(desc.data_bytes())?;
    for (level, entry) in (0..).zip(&levels) {
        if head.zstd {
            let compressed = source.bytes(entry.byte_offset, entry.byte_length)?;
            let limit = source.limit();
            inflate(&desc, level, entry, &compressed, limit, &mut data, task)?;
        } else {
            let mut at = entry.byte_offset;
            for image in image_ranges(&desc, level) {
                let image = &mut data[image];
                source.fill(at, image)?;
                at += image.len() as u64;
            }
        }
    }
    notes.extend(AstcFaults::of_texture(&desc, &data).note());
    Ok(Texture::new(desc, data)?.with_key_values(head.kept).with_notes(notes))
}

pub(super) fn info(
    source: &mut ByteSource<'_>,
    reads_blocks: bool,
    task: &Task<'_>,
) -> Result<Info, ContainerError> {
    let Parsed { head, desc, levels, mut notes } = parse(source)?;
    if reads_blocks {
        notes.extend(astc_faults(source, &head, &desc, &levels, task)?.note());
    }
    let mut info = Info::new(ContainerFormat::Ktx2, desc, format_name(head.format), HeaderKind::Ktx2);
    info.notes = notes;
    if head.zstd {
        let bytes = levels.iter().fold(0u64, |sum, level| sum.saturating_add(level.byte_length));
        info.supercompression = Some(format!("Zstandard, level data of {bytes} bytes"));
    }
    info.key_values = shown_key_values(source, &head.header.index)?;
    Ok(info)
}

/// Counts blocks of ASTC that decode to the error colour; none if Zstandard data cannot be decompressed.
fn astc_faults(
    source: &mut ByteSource<'_>,
    head: &Head,
    desc: &TextureDesc,
    levels: &[LevelIndex],
    task: &Task<'_>,
) -> Result<AstcFaults, ContainerError> {
    let mut faults = AstcFaults::default();
    if !AstcFaults::has_any(desc) {
        return Ok(faults);
    }
    if !head.zstd {
        let ranges = levels.iter().map(|level| level.byte_offset..level.byte_offset + level.byte_length);
        return AstcFaults::in_file(desc.format.block_extent(), source, ranges);
    }
    let mut blocks = vec![0; STEP_BYTES.next_multiple_of(16)];
    for entry in levels {
        let compressed = match source.bytes(entry.byte_offset, entry.byte_length) {
            Err(ContainerError::TooLarge { .. }) => return Ok(AstcFaults::default()),
            compressed => compressed?,
        };
        let Ok(mut decoder) = zstd::reader(&*compressed, source.limit()) else {
            return Ok(AstcFaults::default());
        };
        let mut left = entry.uncompressed_byte_length;
        while left > 0 {
            task.check()?;
            let count = left.min(blocks.len() as u64) as usize;
            if decoder.read_exact(&mut blocks[..count]).is_err() {
                return Ok(AstcFaults::default());
            }
            faults.add(desc.format.block_extent(), &blocks[..count]);
            left -= count as u64;
        }
    }
    Ok(faults)
}

/// Returns the key/value pairs in the order of the file. If a value is not text, its length replaces it.
fn shown_key_values(
    source: &mut ByteSource<'_>,
    index: &Index,
) -> Result<Vec<(String, String)>, ContainerError> {
    let bytes = key_value_bytes(source, index)?;
    let mut shown = Vec::new();
    for pair in key_values(&bytes, index.kvd_byte_offset.into()) {
        let (key, value) = pair?;
        let text = std::str::from_utf8(value.strip_suffix(&[0]).unwrap_or(value)).ok();
        let text = text.filter(|text| !text.contains(|character: char| character.is_control()));
        shown.push((
            String::from_utf8_lossy(key).into_owned(),
            text.map_or_else(|| format!("{} bytes", value.len()), str::to_owned),
        ));
    }
    Ok(shown)
}

/// Reads header, level index and descriptor, and checks that the stream contains the mip levels.
fn parse(source: &mut ByteSource<'_>) -> Result<Parsed, ContainerError> {
    let head = Head::read(source)?;
    let Some((format, color_space)) = of_vk_format(head.format) else {
        return Err(ContainerError::unsupported(format!("KTX2 with {}", format_name(head.format))));
    };
    let opaque = matches!(head.format, Format::BC1_RGB_UNORM_BLOCK | Format::BC1_RGB_SRGB_BLOCK);
    let alpha_mode = if head.is_premultiplied {
        AlphaMode::Premultiplied
    } else if opaque {
        AlphaMode::Opaque
    } else {
        AlphaMode::usual(format)
    };
    let is_denied = color_space == Some(ColorSpace::Srgb) && head.is_stated_linear();
    let mut color_space = color_space.unwrap_or(head.color_space);
    let mut notes = head.unused.clone();
    if is_denied {
        notes.push(STATED_LINEAR_NOTE.to_owned());
    }
    if !head.left_out.is_empty() {
        let keys = head.left_out.join(", ");
        notes.push(format!("KTX2 keys that no file of this format may have are ignored: {keys}"));
    }
    if color_space == ColorSpace::Srgb && !format.has_srgb() {
        // Samplers do not convert such numbers.
        color_space = ColorSpace::Linear;
        notes.push(format!("the descriptor says sRGB, of which {format} has no form; it is read as linear"));
    }
    let desc = TextureDesc::new(format, head.kind, head.size())
        .with_layers(head.layers())
        .with_mip_levels(head.mip_levels())
        .with_color_space(color_space)
        .with_alpha_mode(alpha_mode)
        .with_orientation(head.orientation)
        .with_swizzle(head.swizzle);
    let levels = (0..desc.mip_levels).map(|level| head.level(source, level, level_data_bytes(&desc, level)));
    let levels = levels.collect::<Result<_, ContainerError>>()?;
    Ok(Parsed { head, desc, levels, notes })
}

/// Decompresses the Zstandard data of one mip level directly to the positions of its images in `data`.
fn inflate(
    desc: &TextureDesc,
    level: u32,
    entry: &LevelIndex,
    compressed: &[u8],
    limit: u64,
    data: &mut [u8],
    task: &Task<'_>,
) -> Result<(), ContainerError> {
    let needed = level_data_bytes(desc, level);
    let error = |reason| ContainerError::Compressed { offset: entry.byte_offset, level, needed, reason };
    let mut decoder = zstd::reader(compressed, limit)?;
    for image in image_ranges(desc, level) {
        // The underlying reader is a slice, so every failure is the stream's.
        for bytes in data[image].chunks_mut(STEP_BYTES) {
            task.check()?;
            decoder.read_exact(bytes).map_err(|_| error("is damaged or ends early"))?;
        }
    }
    match decoder.read(&mut [0]) {
        Ok(0) => Ok(()),
        Ok(_) => Err(error("holds more")),
        Err(_) => Err(error("is damaged at its end")),
    }
}

pub(super) fn write(
    writer: &mut dyn Write,
    texture: &Texture,
    options: &TextureWriteOptions,
    task: &Task<'_>,
) -> Result<(), ContainerError> {
    let desc = texture.desc();
    let format = vk_format(desc);
    let (descriptor, type_size) = descriptor(desc, format)?;
    let pairs = written_key_values(desc, texture.key_values());
    let compressed = options.zstd.map(|level| deflate(texture, level, task)).transpose()?;

    let dfd_byte_offset = HEADER_BYTES + LEVEL_INDEX_BYTES * u64::from(desc.mip_levels);
    let kvd_byte_offset = dfd_byte_offset + descriptor.len() as u64;
    let head_end = kvd_byte_offset + pairs.len() as u64;
    // Mip levels start at multiples of the least common multiple of 4 and the block size, a power of two.
    // Supercompressed ones start anywhere. See the specification's section "mipPadding".
    let alignment = if compressed.is_some() { 1 } else { (desc.format.block_bytes() as u64).max(4) };

    let mut levels: Vec<LevelIndex> = Vec::new();
    let mut at = head_end;
    for level in (0..desc.mip_levels).rev() {
        at = at.next_multiple_of(alignment);
        let uncompressed_byte_length = level_data_bytes(desc, level);
        let byte_length = match &compressed {
            Some(levels) => levels[level as usize].len() as u64,
            None => uncompressed_byte_length,
        };
        levels.push(LevelIndex { byte_offset: at, byte_length, uncompressed_byte_length });
        at += byte_length;
    }

    let header = Header {
        format: Some(format),
        type_size,
        pixel_width: desc.width,
        pixel_height: desc.height,
        pixel_depth: if desc.kind == TextureKind::D3 { desc.depth } else { 0 },
        layer_count: if desc.layers > 1 { desc.layers } else { 0 },
        face_count: desc.faces(),
        level_count: desc.mip_levels,
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
    let mut writer = TaskWriter::new(writer, at, task);
    writer.write_all(&head)?;
    let mut written = head_end;
    for (level, entry) in (0..desc.mip_levels).rev().zip(&levels) {
        let padding = [0; MAX_ALIGNMENT];
        writer.write_all(&padding[..(entry.byte_offset - written) as usize])?;
        match &compressed {
            Some(levels) => writer.write_all(&levels[level as usize])?,
            None => {
                for image in image_ranges(desc, level) {
                    writer.write_all(&texture.data()[image])?;
                }
            }
        }
        written = entry.byte_offset + entry.byte_length;
    }
    Ok(())
}

/// Compresses each mip level on its own, the largest first.
fn deflate(texture: &Texture, zstd_level: i32, task: &Task<'_>) -> Result<Vec<Vec<u8>>, ContainerError> {
    let desc = texture.desc();
    let (mut done, total) = (0, texture.data().len() as u64);
    let levels = (0..desc.mip_levels).map(|level| {
        let parts = image_ranges(desc, level).flat_map(|image| texture.data()[image].chunks(ZSTD_STEP_BYTES));
        let parts = parts.map(|part| {
            task.check()?;
            done += part.len() as u64;
            task.report(Stage::Writing, done, total);
            Ok(part)
        });
        zstd::compress(parts, level_data_bytes(desc, level), zstd_level)
    });
    levels.collect()
}

/// Returns the total size and one basic block, and the header's type size. The tables come from the `ktx2`
/// crate and follow the Data Format Specification.
fn descriptor(desc: &TextureDesc, format: Format) -> Result<(Vec<u8>, u32), ContainerError> {
    let premultiplied = desc.alpha_mode == AlphaMode::Premultiplied;
    let transfer_function = match desc.color_space {
        ColorSpace::Srgb => TransferFunction::SRGB,
        ColorSpace::Linear => TransferFunction::Linear,
    };
    let basic = Basic::from_format_with(format, premultiplied, Some(transfer_function), None, None);
    let (basic, type_size) = basic.map_err(|_| {
        ContainerError::unsupported(format!("{} with this colour space in KTX2", format_name(format)))
    })?;
    let mut block = Block::Basic(basic).to_vec();
    if desc.color_space == ColorSpace::Srgb {
        // The crate leaves it out for formats whose name does not state sRGB.
        let samples = block[SAMPLES_AT..].as_chunks_mut::<SAMPLE_BYTES>().0.iter_mut();
        samples.filter(|sample| sample[3] & 15 == ALPHA).for_each(|sample| sample[3] |= LINEAR);
    }
    let total = 4 + block.len() as u32;
    Ok(([total.to_le_bytes().as_slice(), &block].concat(), type_size))
}

/// Returns the key/value data of files written here, with the pairs that a reader kept. Keys are in ascending
/// order, as the specification requires.
fn written_key_values(desc: &TextureDesc, kept: &[(String, Vec<u8>)]) -> Vec<u8> {
    let text = |text: String| [text.as_bytes(), &[0]].concat();
    let orientation = desc.orientation.letters(if desc.kind == TextureKind::D3 { 3 } else { 2 });
    let writer = concat!("Brickwork ", env!("CARGO_PKG_VERSION")).to_owned();
    let mut pairs = vec![("KTXorientation", text(orientation)), ("KTXwriter", text(writer))];
    if desc.swizzle != Swizzle::IDENTITY {
        pairs.push(("KTXswizzle", text(desc.swizzle.letters())));
    }
    pairs.extend(kept.iter().map(|(key, value)| (key.as_str(), value.clone())));
    pairs.sort_by_key(|(key, _)| *key);
    let mut bytes = Vec::new();
    for (key, value) in pairs {
        bytes.extend(((key.len() + 1 + value.len()) as u32).to_le_bytes());
        bytes.extend(key.as_bytes());
        bytes.push(0);
        bytes.extend(value);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}

/// Returns the size of a mip level in bytes, with all layers, faces and slices; `u64::MAX` if the number does
/// not fit.
fn level_data_bytes(desc: &TextureDesc, level: u32) -> u64 {
    desc.mip_level_bytes(level).saturating_mul(desc.face_count())
}

/// Returns the ranges in [`Texture::data`] of the images of a mip level, in the order of KTX2. Only for a
/// texture whose data has been allocated, so that nothing overflows.
fn image_ranges(desc: &TextureDesc, level: u32) -> impl Iterator<Item = Range<usize>> {
    (0..desc.layers)
        .flat_map(move |layer| (0..desc.faces()).map(move |face| desc.image_range(layer, face, level)))
}
