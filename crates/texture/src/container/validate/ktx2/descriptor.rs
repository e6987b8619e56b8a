//! Data format descriptor: its blocks, and the fields of the basic one.

use super::{
    format::{FormatFacts, LAST_TRANSFER, TexelBlock, UASTC_HDR, is_compressed_model, model_name},
    head::{Head, offset, scheme},
    rules,
    samples::{self, BASIC_BYTES},
    section::{self, word},
};
use crate::container::{ContainerError, byte_source::ByteSource, validate::finding::Findings};
use ::ktx2::{ColorModel, TransferFunction};

const MAX_BYTES: u64 = 1 << 16;
const MAX_BLOCKS: usize = 10;
/// Bytes of a block's header: vendor, type, version and size.
const HEADER_BYTES: usize = 8;
/// `KHR_DF_VERSIONNUMBER_1_3`.
const VERSION: u16 = 2;
/// `KHR_DF_PRIMARIES_ADOBERGB`.
const LAST_PRIMARIES: u8 = 11;

/// Facts of the basic block for later stages.
#[derive(Default)]
pub(super) struct Descriptor {
    /// Colour model, if there is a basic block.
    pub model: Option<u8>,
    /// Transfer function, if there is a basic block.
    pub transfer: Option<u8>,
    /// The texel block that it states, if it states a size.
    pub block: Option<TexelBlock>,
    /// True if its samples are floats.
    pub is_float: bool,
}

pub(super) fn check(
    source: &mut ByteSource<'_>,
    head: &Head,
    format: &FormatFacts,
    findings: &mut Findings,
) -> Result<Descriptor, ContainerError> {
    let section = head.descriptor;
    let mut descriptor = Descriptor::default();
    if section.offset == 0 || section.is_empty() {
        return Ok(descriptor);
    }
    let name = (&rules::FILE_ENDS, "the data format descriptor");
    let bytes = section::read(source, section, MAX_BYTES, name, findings)?;
    if bytes.is_empty() {
        return Ok(descriptor);
    }
    let total = word(&bytes, 0);
    findings.add_if(u64::from(total) != section.length, &rules::DFD_TOTAL_SIZE, section.offset, || {
        format!("dfdTotalSize is {total}, and dfdByteLength is {}", section.length)
    });
    findings.add_if(section.length > MAX_BYTES, &rules::DFD_BLOCKS, offset::DESCRIPTOR_LENGTH, || {
        format!("dfdByteLength is {}", section.length)
    });
    let (mut at, mut has_basic) = (4, false);
    for number in 0.. {
        let rest = bytes.get(at..).unwrap_or_default();
        let start = section.offset + at as u64;
        if rest.is_empty() {
            break;
        }
        if number == MAX_BLOCKS {
            findings.add(&rules::DFD_BLOCKS, start, format!("there are more than {MAX_BLOCKS} blocks"));
            break;
        }
        if rest.len() < HEADER_BYTES {
            let message = format!("{} bytes follow the last block", rest.len());
            findings.add(&rules::DFD_SHORT, start, message);
            break;
        }
        let (vendor, kind) = (word(rest, 0) & 0x1_ffff, word(rest, 0) >> 17);
        let size = usize::from((word(rest, 4) >> 16) as u16);
        if size < HEADER_BYTES {
            let message = format!("descriptorBlockSize is {size}");
            findings.add(&rules::DFD_BLOCK_SMALL, start + 6, message);
        } else if size > rest.len() && bytes.len() as u64 != section.length {
            // A cut has its own finding.
            has_basic |= (vendor, kind) == (0, 0);
            break;
        } else if size > rest.len() {
            let message = format!("descriptorBlockSize is {size}, and {} bytes are left", rest.len());
            findings.add(&rules::DFD_BLOCK_LARGE, start + 6, message);
        } else if (vendor, kind) == (0, 0) {
            if has_basic {
                findings.add(&rules::DFD_SECOND_BASIC, start, format!("block {number} is another basic one"));
            } else if size < BASIC_BYTES {
                findings.add(&rules::BASIC_SMALL, start + 6, format!("descriptorBlockSize is {size}"));
                has_basic = number == 0;
            } else if number == 0 {
                descriptor = check_basic(&rest[..size], start, head, format, findings);
                has_basic = true;
            }
        } else if vendor != 0 || !matches!(kind, 0x6001 | 0x6002) {
            let message = format!("block {number} has vendor {vendor} and type {kind:#x}, and is ignored");
            findings.add(&rules::DFD_UNKNOWN_BLOCK, start, message);
        }
        at += size.max(HEADER_BYTES);
    }
    findings.add_if(!has_basic, &rules::DFD_NO_BASIC, section.offset + 4, || {
        "the first descriptor block is not a basic one".to_owned()
    });
    Ok(descriptor)
}

/// Checks the basic block in `bytes`, which starts at `start` in the file and has at least 24 bytes.
fn check_basic(
    bytes: &[u8],
    start: u64,
    head: &Head,
    format: &FormatFacts,
    findings: &mut Findings,
) -> Descriptor {
    let version = (word(bytes, 4) & 0xffff) as u16;
    let [model, primaries, transfer, _flags] = word(bytes, 8).to_le_bytes();
    let dimensions = word(bytes, 12).to_le_bytes().map(|side| u32::from(side) + 1);
    let planes: [u8; 8] = std::array::from_fn(|plane| bytes[16 + plane]);
    let mut need = |holds: bool, rule, offset, message: String| {
        findings.add_if(!holds, rule, start + offset, || message);
    };
    let sample_bytes = bytes.len() - BASIC_BYTES;
    let message = format!("descriptorBlockSize is {}", bytes.len());
    need(sample_bytes.is_multiple_of(samples::SAMPLE_BYTES), &rules::BASIC_SIZE, 6, message);
    let message = format!("versionNumber is {version}");
    need(version == VERSION, &rules::BASIC_VERSION, 4, message);
    let message = format!("colorPrimaries is {primaries}");
    need(primaries <= LAST_PRIMARIES, &rules::PRIMARIES, 9, message);

    let name = &format.name;
    let is_srgb = transfer == TransferFunction::SRGB.value();
    need(transfer <= LAST_TRANSFER, &rules::TRANSFER, 10, format!("transferFunction is {transfer}"));
    let message = format!("transferFunction is {transfer}, and {name} needs KHR_DF_TRANSFER_SRGB");
    need(!format.is_srgb || is_srgb, &rules::TRANSFER_SRGB, 10, message);
    let message = format!("transferFunction is KHR_DF_TRANSFER_SRGB, and {name} has a variant for it");
    need(!format.has_srgb_variant || !is_srgb, &rules::TRANSFER_NOT_SRGB, 10, message);
    let has_no_variant = format.expected.is_some() && !format.is_srgb && !format.has_srgb_variant;
    let message = format!("transferFunction is KHR_DF_TRANSFER_SRGB, and {name} has no variant for it");
    need(!has_no_variant || !is_srgb, &rules::SRGB_WITHOUT_VARIANT, 10, message);

    let rule = if format.is_subsampled() {
        &rules::MODEL_422
    } else if format.is_block_compressed() {
        &rules::MODEL_BLOCK
    } else {
        &rules::MODEL_RGB
    };
    let expected_model = format.model();
    let message =
        format!("colorModel is {}, and {name} needs {}", model_name(model), model_name(expected_model));
    let is_uastc_hdr = model == UASTC_HDR && format.may_be_uastc_hdr();
    let is_expected = format.expected.is_none() || model == expected_model || is_uastc_hdr;
    need(is_expected, rule, 8, message);
    let is_etc1s = model == ColorModel::ETC1S.value();
    let message = format!("colorModel is {}, and BasisLZ needs KHR_DF_MODEL_ETC1S", model_name(model));
    need(head.scheme != scheme::BASIS_LZ || is_etc1s, &rules::MODEL_BASIS, 8, message);

    if let Some((basic, _)) = &format.expected {
        let expected = basic.texel_block_dimensions.map(|side| u32::from(side.get()));
        let message = format!("texelBlockDimension is {dimensions:?}, and {name} needs {expected:?}");
        need(dimensions == expected, &rules::BLOCK_DIMENSIONS, 12, message);
    }
    let is_unsized = head.scheme != scheme::NONE && planes[0] == 0 && !format.is_undefined();
    need(!is_unsized, &rules::BYTES_PLANE_UNSIZED, 16, "bytesPlane0 is 0".to_owned());
    if let Some((basic, _)) = format.expected.as_ref().filter(|_| !is_unsized) {
        let message = format!("bytesPlane is {planes:?}, and {name} needs {:?}", basic.bytes_planes);
        need(planes == basic.bytes_planes, &rules::BYTES_PLANES, 16, message);
    }
    if format.is_undefined() && head.scheme == scheme::NONE {
        need(planes[0] != 0, &rules::BYTES_PLANE_ZERO, 16, "bytesPlane0 is 0".to_owned());
    }
    let may_have_planes = is_compressed_model(model) || head.is_basis();
    let has_one_plane = may_have_planes || planes[1..] == [0; 7];
    need(has_one_plane, &rules::PLANES, 17, format!("bytesPlane is {planes:?}"));

    let transfers = (model, transfer);
    let is_float = samples::check(&bytes[BASIC_BYTES..], start, format, head, transfers, findings);
    // Formats that are undefined were compressed or not, as their model states.
    if format.is_undefined() && is_compressed_model(model) && !head.is_basis() {
        let message = || format!("levelCount is 0, and {} has blocks", model_name(model));
        findings.add_if(head.level_count == 0, &rules::BLOCK_LEVEL_COUNT, offset::LEVELS, message);
        let message = || format!("pixelHeight is 0, and {} has blocks", model_name(model));
        findings.add_if(head.height == 0, &rules::BLOCK_HEIGHT, offset::HEIGHT, message);
    }
    let [x, y, z, _] = dimensions;
    let block = (planes[0] != 0).then_some(TexelBlock { size: [x, y, z], bytes: planes[0] });
    Descriptor { model: Some(model), transfer: Some(transfer), block, is_float }
}
