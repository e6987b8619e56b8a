//! Predefined keys and their values.

use super::{
    descriptor::Descriptor,
    format::{FormatFacts, is_compressed_model},
    head::Head,
    rules,
    section::word,
};
use crate::container::validate::{Rule, finding::Findings};
use ::ktx2::{ColorModel, TransferFunction};

/// A pair of key/value data.
pub(super) struct Pair<'a> {
    pub key: &'a [u8],
    pub value: &'a [u8],
    /// Position of the key in the file.
    pub at: u64,
}

/// The file of a pair.
struct Context<'a> {
    head: &'a Head,
    format: &'a FormatFacts,
    descriptor: &'a Descriptor,
}

pub(super) fn check(
    pairs: &[Pair<'_>],
    is_complete: bool,
    head: &Head,
    format: &FormatFacts,
    descriptor: &Descriptor,
    findings: &mut Findings,
) {
    let context = Context { head, format, descriptor };
    for pair in pairs {
        check_pair(pair, &context, findings);
    }
    let has = |key: &[u8]| pairs.iter().any(|pair| pair.key == key);
    let at = head.key_values.offset;
    let is_partial_animation = has(b"KTXanimData") && has(b"KTXcubemapIncomplete");
    findings.add_if(is_partial_animation, &rules::ANIMATION_INCOMPLETE, at, || "both are there".to_owned());
    if is_complete && !has(b"KTXwriter") {
        let (rule, message) = match has(b"KTXwriterScParams") {
            true => (&rules::WRITER_REQUIRED, "there is KTXwriterScParams, but not KTXwriter"),
            false => (&rules::WRITER_MISSING, "there is no KTXwriter"),
        };
        findings.add(rule, at, message);
    }
}

fn check_pair(pair: &Pair<'_>, context: &Context<'_>, findings: &mut Findings) {
    let name = String::from_utf8_lossy(pair.key);
    let [of_gl, of_dxgi, of_metal] = [
        [&rules::GL_SIZE, &rules::GL_FORMAT],
        [&rules::DXGI_SIZE, &rules::DXGI_FORMAT],
        [&rules::METAL_SIZE, &rules::METAL_FORMAT],
    ];
    match pair.key {
        b"KTXcubemapIncomplete" => check_incomplete(pair, context, findings),
        b"KTXorientation" => check_orientation(pair, context, findings),
        b"KTXglFormat" => {
            check_other_format(pair, 12, of_gl, context, findings);
            let is_compressed =
                context.head.is_basis() || context.descriptor.model.is_some_and(is_compressed_model);
            let is_used = word(pair.value, 4) != 0 || word(pair.value, 8) != 0;
            let is_wrong = pair.value.len() == 12 && is_compressed && is_used;
            findings.add_if(is_wrong, &rules::GL_COMPRESSED, pair.at, || {
                format!("glFormat is {}, and glType is {}", word(pair.value, 4), word(pair.value, 8))
            });
        }
        b"KTXdxgiFormat__" => check_other_format(pair, 4, of_dxgi, context, findings),
        b"KTXmetalPixelFormat" => check_other_format(pair, 4, of_metal, context, findings),
        b"KTXswizzle" => check_swizzle(pair, context, findings),
        b"KTXwriter" => check_text(pair, [&rules::WRITER_NULL, &rules::WRITER_UTF8], findings),
        b"KTXwriterScParams" => {
            check_text(pair, [&rules::PARAMETERS_NULL, &rules::PARAMETERS_UTF8], findings);
        }
        b"KTXanimData" => {
            let (length, layers) = (pair.value.len(), context.head.layer_count);
            let message = || format!("the value has {length} bytes");
            findings.add_if(length != 12, &rules::ANIMATION_SIZE, pair.at, message);
            let message = || "layerCount is 0".to_owned();
            findings.add_if(layers == 0, &rules::ANIMATION_LAYERS, pair.at, message);
        }
        b"KTXastcDecodeMode" => check_astc(pair, context, findings),
        b"KTXmapRange" => check_range(pair, context, findings),
        key if key.starts_with(b"KTX") || key.starts_with(b"ktx") => {
            findings.add(&rules::KEY_RESERVED, pair.at, format!("the key is {name:?}"));
        }
        _ => findings.add(&rules::KEY_CUSTOM, pair.at, format!("the key is {name:?}")),
    }
}

/// Returns the text of a value without its null character, whose absence violates `rule`.
fn text<'a>(pair: &Pair<'a>, rule: &'static Rule, findings: &mut Findings) -> &'a [u8] {
    let text = pair.value.strip_suffix(&[0]);
    findings
        .add_if(text.is_none(), rule, pair.at, || "the value has no null character at its end".to_owned());
    text.unwrap_or(pair.value)
}

fn check_text(pair: &Pair<'_>, [no_null, no_utf8]: [&'static Rule; 2], findings: &mut Findings) {
    let text = text(pair, no_null, findings);
    let message = || format!("the value is {:?}", String::from_utf8_lossy(text));
    findings.add_if(std::str::from_utf8(text).is_err(), no_utf8, pair.at, message);
}

/// Checks a format of another API.
fn check_other_format(
    pair: &Pair<'_>,
    length: usize,
    [size, format]: [&'static Rule; 2],
    context: &Context<'_>,
    findings: &mut Findings,
) {
    let found = pair.value.len();
    findings.add_if(found != length, size, pair.at, || format!("the value has {found} bytes"));
    let message = || format!("vkFormat is {}", context.format.name);
    findings.add_if(!context.format.is_undefined(), format, pair.at, message);
}

fn check_incomplete(pair: &Pair<'_>, context: &Context<'_>, findings: &mut Findings) {
    let Head { width, height, depth, layer_count, face_count, .. } = *context.head;
    let mut need = |holds: bool, rule, message: String| {
        findings.add_if(!holds, rule, pair.at, || message);
    };
    let length = pair.value.len();
    need(length == 1, &rules::INCOMPLETE_SIZE, format!("the value has {length} bytes"));
    let Some(&bits) = pair.value.first() else { return };
    need(bits >> 6 == 0, &rules::INCOMPLETE_BITS, format!("the value is {bits:#010b}"));
    let faces = (bits & 0x3f).count_ones();
    need(faces != 6, &rules::INCOMPLETE_ALL, "the value names all six faces".to_owned());
    need(faces != 0, &rules::INCOMPLETE_NONE, "the value names no face".to_owned());
    let message = format!("layerCount is {layer_count}, and the value names {faces} faces");
    need(faces == 0 || layer_count.is_multiple_of(faces), &rules::INCOMPLETE_LAYERS, message);
    need(face_count == 1, &rules::INCOMPLETE_FACES, format!("faceCount is {face_count}"));
    need(width == height, &rules::CUBE_SQUARE, format!("a cube has faces of {width}×{height} texels"));
    need(depth == 0, &rules::CUBE_DEPTH, format!("a cube has a pixelDepth of {depth}"));
}

fn check_orientation(pair: &Pair<'_>, context: &Context<'_>, findings: &mut Findings) {
    let letters = text(pair, &rules::ORIENTATION_NULL, findings);
    let dimensions = context.head.dimensions();
    let shown = || format!("the value is {:?}", String::from_utf8_lossy(letters));
    findings.add_if(letters.len() != dimensions, &rules::ORIENTATION_LENGTH, pair.at, || {
        format!("{}, and the texture has {dimensions} dimensions", shown())
    });
    let is_wrong = |(letter, known): (&u8, &[u8; 2])| !known.contains(letter);
    let mut letters = letters.iter().zip([b"rl", b"du", b"oi"]).take(dimensions);
    findings.add_if(letters.any(is_wrong), &rules::ORIENTATION_LETTER, pair.at, shown);
}

fn check_swizzle(pair: &Pair<'_>, context: &Context<'_>, findings: &mut Findings) {
    let letters = text(pair, &rules::SWIZZLE_NULL, findings);
    let shown = || format!("the value is {:?}", String::from_utf8_lossy(letters));
    findings.add_if(letters.len() != 4, &rules::SWIZZLE_LENGTH, pair.at, shown);
    let is_wrong = letters.iter().take(4).any(|letter| !b"rgba01".contains(letter));
    findings.add_if(is_wrong, &rules::SWIZZLE_LETTER, pair.at, shown);
    let message = || format!("vkFormat is {}", context.format.name);
    findings.add_if(context.format.has_depth_or_stencil(), &rules::SWIZZLE_DEPTH, pair.at, message);
}

fn check_astc(pair: &Pair<'_>, context: &Context<'_>, findings: &mut Findings) {
    let mode = text(pair, &rules::ASTC_NULL, findings);
    let shown = || format!("the value is {:?}", String::from_utf8_lossy(mode));
    let is_known = matches!(mode, b"rgb9e5" | b"unorm8");
    findings.add_if(!is_known, &rules::ASTC_VALUE, pair.at, shown);
    let is_astc = context.descriptor.model.is_none_or(|model| model == ColorModel::ASTC.value());
    let name = &context.format.name;
    findings.add_if(!is_astc, &rules::ASTC_FORMAT, pair.at, || format!("vkFormat is {name}"));
    let is_hdr = is_astc && mode == b"unorm8" && name.contains("_SFLOAT_");
    findings.add_if(is_hdr, &rules::ASTC_RANGE, pair.at, || format!("vkFormat is {name}"));
    let is_srgb = context.descriptor.transfer == Some(TransferFunction::SRGB.value());
    let message = || "transferFunction is KHR_DF_TRANSFER_SRGB".to_owned();
    findings.add_if(is_srgb, &rules::ASTC_SRGB, pair.at, message);
}

fn check_range(pair: &Pair<'_>, context: &Context<'_>, findings: &mut Findings) {
    let length = pair.value.len();
    findings.add_if(length != 8, &rules::RANGE_SIZE, pair.at, || format!("the value has {length} bytes"));
    let name = &context.format.name;
    let is_normalized = name.contains("_UNORM") || name.contains("_SNORM");
    let is_linear = context.descriptor.transfer == Some(TransferFunction::Linear.value());
    let takes_range = context.descriptor.is_float || is_normalized && is_linear;
    findings.add_if(!takes_range, &rules::RANGE_FORMAT, pair.at, || format!("vkFormat is {name}"));
    if length == 8 && takes_range {
        let [scale, offset] = [0, 4].map(|at| f32::from_bits(word(pair.value, at)));
        findings.add_if(!scale.is_finite(), &rules::RANGE_SCALE, pair.at, || format!("the scale is {scale}"));
        let message = || format!("the offset is {offset}");
        findings.add_if(!offset.is_finite(), &rules::RANGE_OFFSET, pair.at, message);
    }
}
