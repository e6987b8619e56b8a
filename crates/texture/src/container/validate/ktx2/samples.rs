//! Samples of the basic descriptor block.

use super::{
    format::{FormatFacts, LAST_TRANSFER, UASTC_HDR, is_compressed_model, model_name},
    head::Head,
    rules,
    section::word,
};
use crate::container::validate::finding::Findings;
use ::ktx2::{ColorModel, TransferFunction};

/// Bytes of the basic block before its samples.
pub(super) const BASIC_BYTES: usize = 24;
pub(super) const SAMPLE_BYTES: usize = 16;
const MAX_SAMPLES: usize = 16;
/// Number of alpha in every colour model that has it.
const ALPHA: u8 = 15;

/// `KHR_DF_SAMPLE_DATATYPE_…`, in the upper half of the byte of channel and qualifiers.
mod qualifier {
    pub const LINEAR: u8 = 1;
    pub const EXPONENT: u8 = 2;
    pub const SIGNED: u8 = 4;
    pub const FLOAT: u8 = 8;
}

/// A sample as stored.
#[derive(Clone, Copy)]
struct Sample {
    bit_offset: u32,
    /// Minus 1.
    bit_length: u32,
    channel: u8,
    qualifiers: u8,
    positions: [u8; 4],
    lower: u32,
    upper: u32,
}

impl Sample {
    fn of(bytes: &[u8]) -> Self {
        let [low, high, length, kind] = word(bytes, 0).to_le_bytes();
        Self {
            bit_offset: u16::from_le_bytes([low, high]).into(),
            bit_length: length.into(),
            channel: kind & 15,
            qualifiers: kind >> 4,
            positions: word(bytes, 4).to_le_bytes(),
            lower: word(bytes, 8),
            upper: word(bytes, 12),
        }
    }

    const fn has(self, qualifier: u8) -> bool {
        self.qualifiers & qualifier != 0
    }
}

/// Checks the samples in `bytes`, of the basic block that starts at `start` in the file. Returns true if they
/// are floats.
pub(super) fn check(
    bytes: &[u8],
    start: u64,
    format: &FormatFacts,
    head: &Head,
    (model, transfer): (u8, u8),
    findings: &mut Findings,
) -> bool {
    let name = &format.name;
    let count = bytes.len() / SAMPLE_BYTES;
    let start = start + BASIC_BYTES as u64;
    findings
        .add_if(count > MAX_SAMPLES, &rules::MANY_SAMPLES, start, || format!("there are {count} samples"));
    let samples: Vec<_> = bytes.chunks_exact(SAMPLE_BYTES).take(MAX_SAMPLES).map(Sample::of).collect();
    let at = |index: usize| start + (SAMPLE_BYTES * index) as u64;
    for (index, sample) in samples.iter().enumerate() {
        let channel = sample.channel;
        findings.add_if(!has_channel(model, channel), &rules::CHANNEL, at(index) + 3, || {
            format!("channelType of sample {index} is {channel}, which {} does not have", model_name(model))
        });
        let is_linear = transfer <= TransferFunction::Linear.value();
        let has_linear = sample.has(qualifier::LINEAR);
        let has_alpha = channel == ALPHA;
        findings.add_if(has_linear && is_linear, &rules::LINEAR_QUALIFIER, at(index) + 3, || {
            format!("sample {index} has the qualifier, and transferFunction is {transfer}")
        });
        let is_curved = !is_linear && transfer <= LAST_TRANSFER;
        findings.add_if(is_curved && has_linear != has_alpha, &rules::LINEAR_COLOR, at(index) + 3, || {
            let verb = if has_linear { "has" } else { "lacks" };
            format!("sample {index} {verb} the qualifier, and channelType is {channel}")
        });
    }
    findings.add_if(
        format.is_undefined() && count == 0 && !head.is_basis(),
        &rules::NO_SAMPLES,
        start,
        || "there are no samples".to_owned(),
    );
    let expected: Vec<_> = match &format.expected {
        Some((basic, _)) => {
            basic.sample_information.iter().map(|info| Sample::of(&info.as_bytes())).collect()
        }
        None => Vec::new(),
    };
    if format.expected.is_some() {
        findings.add_if(count != expected.len(), &rules::SAMPLE_COUNT, start, || {
            format!("there are {count} samples, and {name} has {}", expected.len())
        });
    }
    // That model has other samples than ASTC.
    let compared = if model == UASTC_HDR && format.may_be_uastc_hdr() { 0 } else { samples.len() };
    for (index, (sample, expected)) in samples.iter().zip(&expected).enumerate().take(compared) {
        compare(sample, expected, format, (index, at(index)), findings);
    }
    if format.expected.is_some() && !is_compressed_model(model) && model != ColorModel::YUVSDA.value() {
        let is_moved = samples.iter().any(|sample| sample.positions != [0; 4]);
        findings.add_if(is_moved, &rules::SAMPLE_POSITION, start + 4, || {
            "a sample has a position other than 0".to_owned()
        });
        let kinds = |sample: &Sample| sample.qualifiers & (qualifier::SIGNED | qualifier::FLOAT);
        let is_mixed = !format.has_depth_or_stencil()
            && samples.first().is_some_and(|first| samples.iter().any(|other| kinds(other) != kinds(first)));
        findings.add_if(is_mixed, &rules::MIXED_SAMPLES, start + 3, || {
            "samples differ in the qualifiers of sign and float".to_owned()
        });
    }
    samples.iter().any(|sample| sample.has(qualifier::FLOAT))
}

/// Compares the fields of a sample with those of the format.
fn compare(
    sample: &Sample,
    expected: &Sample,
    format: &FormatFacts,
    (index, at): (usize, u64),
    findings: &mut Findings,
) {
    let mut field = |name: &str, offset: u64, found: u32, needed: u32| {
        findings.add_if(found != needed, &rules::SAMPLE, at + offset, || {
            format!("{name} of sample {index} is {found}, and {} needs {needed}", format.name)
        });
    };
    field("bitOffset", 0, sample.bit_offset, expected.bit_offset);
    field("bitLength", 2, sample.bit_length, expected.bit_length);
    field("channelType", 3, sample.channel.into(), expected.channel.into());
    let has = |sample: &Sample, qualifier| u32::from(sample.has(qualifier));
    // KHR_DF_SAMPLE_DATATYPE_LINEAR has separate rules.
    for (name, bit) in [
        ("qualifierExponent", qualifier::EXPONENT),
        ("qualifierSigned", qualifier::SIGNED),
        ("qualifierFloat", qualifier::FLOAT),
    ] {
        field(name, 3, has(sample, bit), has(expected, bit));
    }
    for (axis, (&found, &needed)) in sample.positions.iter().zip(&expected.positions).enumerate() {
        // The positions of subsampled chroma may vary along x.
        if axis > 0 || !format.is_subsampled() {
            field(&format!("samplePosition{axis}"), 4 + axis as u64, found.into(), needed.into());
        }
    }
    field("sampleLower", 8, sample.lower, expected.lower);
    field("sampleUpper", 12, sample.upper, expected.upper);
}

/// True if a colour model has the channel. Models without a list have all.
fn has_channel(model: u8, channel: u8) -> bool {
    let Some(model) = ColorModel::new(model) else { return true };
    let channels: &[u8] = match model {
        ColorModel::RGBSDA | ColorModel::YUVSDA => &[0, 1, 2, 13, 14, ALPHA],
        ColorModel::BC1A | ColorModel::BC5 => &[0, 1],
        ColorModel::BC2 | ColorModel::BC3 => &[0, ALPHA],
        ColorModel::BC4
        | ColorModel::BC6H
        | ColorModel::BC7
        | ColorModel::ETC1
        | ColorModel::ASTC
        | ColorModel::PVRTC
        | ColorModel::PVRTC2 => &[0],
        ColorModel::ETC2 => &[0, 1, 2, ALPHA],
        ColorModel::XYZW => &[0, 1, 2, 3],
        ColorModel::CIEXYZ | ColorModel::CIEXYY => &[0, 1, 2],
        ColorModel::ETC1S => &[0, 3, 4, ALPHA],
        ColorModel::UASTC => &[0, 3, 4, 5, 6],
        _ => return true,
    };
    channels.contains(&channel)
}
