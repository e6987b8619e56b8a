//! Identifier and header, without the index.

use super::{
    format::FormatFacts,
    rules,
    section::{Section, long, word},
};
use crate::container::{
    ContainerError, byte_source::ByteSource, error::starts_with, validate::finding::Findings,
};
use ::ktx2::{Header, MAGIC};

pub(super) const HEAD_BYTES: u64 = Header::LENGTH as u64;
/// Maximum number of mip levels that are examined. A side of 2³² − 1 texels has 32.
const MAX_LEVELS: u32 = 32;

/// `supercompressionScheme`.
pub(super) mod scheme {
    pub const NONE: u32 = 0;
    pub const BASIS_LZ: u32 = 1;
    pub const ZSTANDARD: u32 = 2;
    pub const ZLIB: u32 = 3;
    /// UASTC HDR 6×6 intermediate.
    pub const BASIS_HDR: u32 = 4;
    pub const VENDORS: std::ops::RangeInclusive<u32> = 0x1_0000..=0x1_ffff;
}

/// Offsets of fields.
pub(super) mod offset {
    pub const FORMAT: u64 = 12;
    pub const TYPE_SIZE: u64 = 16;
    pub const WIDTH: u64 = 20;
    pub const HEIGHT: u64 = 24;
    pub const DEPTH: u64 = 28;
    pub const LAYERS: u64 = 32;
    pub const FACES: u64 = 36;
    pub const LEVELS: u64 = 40;
    pub const SCHEME: u64 = 44;
    pub const DESCRIPTOR: u64 = 48;
    pub const DESCRIPTOR_LENGTH: u64 = 52;
    pub const KEY_VALUES: u64 = 56;
    pub const GLOBAL: u64 = 64;
    pub const GLOBAL_LENGTH: u64 = 72;
}

/// The header as stored.
pub(super) struct Head {
    pub format: u32,
    pub type_size: u32,
    pub width: u32,
    pub height: u32,
    pub depth: u32,
    pub layer_count: u32,
    pub face_count: u32,
    pub level_count: u32,
    pub scheme: u32,
    pub descriptor: Section,
    pub key_values: Section,
    /// Supercompression global data.
    pub global: Section,
}

impl Head {
    /// Number of mip levels in the level index, as far as they are examined.
    pub fn levels(&self) -> u32 {
        self.level_count.clamp(1, MAX_LEVELS)
    }

    pub const fn is_basis(&self) -> bool {
        matches!(self.scheme, scheme::BASIS_LZ | scheme::BASIS_HDR)
    }

    pub const fn dimensions(&self) -> usize {
        match (self.height, self.depth) {
            (_, 1..) => 3,
            (1.., 0) => 2,
            (0, 0) => 1,
        }
    }
}

/// Reads the header; `None` if the file is too short or not KTX2.
pub(super) fn read(
    source: &mut ByteSource<'_>,
    findings: &mut Findings,
) -> Result<Option<Head>, ContainerError> {
    let whole = Section { offset: 0, length: HEAD_BYTES };
    let bytes = super::section::read(source, whole, HEAD_BYTES, (&rules::FILE_ENDS, "the header"), findings)?;
    let first = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(first) {
        findings.add(&rules::IDENTIFIER, 0, starts_with(first));
        return Ok(None);
    }
    if (bytes.len() as u64) < HEAD_BYTES {
        return Ok(None);
    }
    let field = |offset: u64| word(&bytes, offset as usize);
    let section = |offset| Section { offset: field(offset).into(), length: field(offset + 4).into() };
    let global = [offset::GLOBAL, offset::GLOBAL_LENGTH].map(|offset| long(&bytes, offset as usize));
    Ok(Some(Head {
        format: field(offset::FORMAT),
        type_size: field(offset::TYPE_SIZE),
        width: field(offset::WIDTH),
        height: field(offset::HEIGHT),
        depth: field(offset::DEPTH),
        layer_count: field(offset::LAYERS),
        face_count: field(offset::FACES),
        level_count: field(offset::LEVELS),
        scheme: field(offset::SCHEME),
        descriptor: section(offset::DESCRIPTOR),
        key_values: section(offset::KEY_VALUES),
        global: Section { offset: global[0], length: global[1] },
    }))
}

pub(super) fn check(head: &Head, format: &FormatFacts, findings: &mut Findings) {
    check_format(head, format, findings);
    check_shape(head, format, findings);
    match head.scheme {
        scheme::NONE..=scheme::BASIS_HDR => {}
        scheme if scheme::VENDORS.contains(&scheme) => {
            let message = format!("supercompressionScheme is {scheme:#x}, a vendor's");
            findings.add(&rules::VENDOR_SCHEME, offset::SCHEME, message);
        }
        scheme => {
            let message = format!("supercompressionScheme is {scheme}, which is not defined");
            findings.add(&rules::SCHEME, offset::SCHEME, message);
        }
    }
}

fn check_format(head: &Head, format: &FormatFacts, findings: &mut Findings) {
    let name = &format.name;
    findings.add_if(format.is_prohibited(), &rules::PROHIBITED_FORMAT, offset::FORMAT, || {
        format!("vkFormat is {name}, which has scaled integers or several planes")
    });
    findings.add_if(format.is_impossible(), &rules::INVALID_FORMAT, offset::FORMAT, || {
        format!("vkFormat is {name}, which Vulkan does not define")
    });
    findings.add_if(format.is_unknown(), &rules::UNKNOWN_FORMAT, offset::FORMAT, || {
        format!("vkFormat is {name}, possibly of an extension of Vulkan")
    });
    let is_defined_basis = head.is_basis() && !format.is_undefined();
    findings.add_if(is_defined_basis, &rules::BASIS_FORMAT, offset::FORMAT, || {
        format!("vkFormat is {name}, and supercompressionScheme is {}", head.scheme)
    });
    let type_size = head.type_size;
    let must_be_one = format.is_undefined() || format.is_block_compressed();
    findings.add_if(must_be_one && type_size != 1, &rules::TYPE_SIZE_ONE, offset::TYPE_SIZE, || {
        format!("typeSize is {type_size}, and {name} needs 1")
    });
    if let Some((_, expected)) = format.expected.as_ref().filter(|_| !must_be_one) {
        findings.add_if(type_size != *expected, &rules::TYPE_SIZE, offset::TYPE_SIZE, || {
            format!("typeSize is {type_size}, and {name} needs {expected}")
        });
    }
}

fn check_shape(head: &Head, format: &FormatFacts, findings: &mut Findings) {
    let Head { width, height, depth, layer_count, face_count, level_count, .. } = *head;
    let name = &format.name;
    let mut need = |holds: bool, rule, offset, message: String| {
        findings.add_if(!holds, rule, offset, || message);
    };
    let is_cube = face_count == 6;
    let is_block = format.is_block_compressed() || head.is_basis();
    let block_depth = format.block().map_or(1, |block| block.size[2]);
    need(width != 0, &rules::WIDTH_ZERO, offset::WIDTH, "pixelWidth is 0".to_owned());
    let message = format!("pixelHeight is 0, and {name} has blocks");
    need(!is_block || height != 0, &rules::BLOCK_HEIGHT, offset::HEIGHT, message);
    let message = format!("a cube has faces of {width}×{height} texels");
    need(!is_cube || width == height, &rules::CUBE_SQUARE, offset::WIDTH, message);
    let message = format!("pixelDepth is {depth}, and pixelHeight is 0");
    need(depth == 0 || height != 0, &rules::DEPTH_WITHOUT_HEIGHT, offset::HEIGHT, message);
    let message = format!("pixelDepth is 0, and {name} has 3D blocks");
    need(block_depth == 1 || depth != 0, &rules::BLOCK_DEPTH, offset::DEPTH, message);
    let message = format!("pixelDepth is {depth}, and {name} must have none");
    let is_depth_3d = format.has_depth_or_stencil() && depth != 0;
    need(!is_depth_3d, &rules::DEPTH_FORMAT_3D, offset::DEPTH, message);
    let message = format!("a cube has a pixelDepth of {depth}");
    need(!is_cube || depth == 0, &rules::CUBE_DEPTH, offset::DEPTH, message);
    let message = format!("pixelDepth is {depth}, and layerCount is {layer_count}");
    need(depth == 0 || layer_count == 0, &rules::ARRAY_3D, offset::LAYERS, message);
    let message = format!("faceCount is {face_count}");
    need(is_cube || face_count == 1, &rules::FACE_COUNT, offset::FACES, message);
    let message = format!("levelCount is 0, and {name} has blocks");
    need(!is_block || level_count != 0, &rules::BLOCK_LEVEL_COUNT, offset::LEVELS, message);
    let largest = width.max(height).max(depth);
    let most = largest.checked_ilog2().map_or(1, |log| log + 1);
    let message = format!("levelCount is {level_count}, and {largest} texels have at most {most} mip levels");
    need(level_count <= most, &rules::LEVEL_COUNT, offset::LEVELS, message);
}
