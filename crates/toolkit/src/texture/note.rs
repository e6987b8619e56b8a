//! Facts about a texture that its user may not expect.

use brickwork_texture::{RoundingRule, Swizzle, TextureDesc, TextureFormat, container::ContainerFormat};
use std::fmt;

/// A fact about a texture that its user may not expect. It is displayed in one line, without a period, and
/// names the input that it concerns.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TextureNote {
    /// The file contains more images than the one that is encoded.
    #[non_exhaustive]
    Part {
        /// Name of the input.
        input: String,
        /// The part that is encoded, such as `the first of 12 frames`.
        part: String,
    },
    /// The reader tolerated a fault of the file.
    #[non_exhaustive]
    Fault {
        /// Name of the input.
        input: String,
        /// The fault.
        note: String,
    },
    /// A picture that is encoded as sRGB colours looks like a normal map.
    #[non_exhaustive]
    NormalMap {
        /// Name of the input.
        input: String,
        /// Share of the texels that have length 1, from 0.6 to 1.
        share: f64,
    },
    /// The name of a picture that is encoded as sRGB colours states another use.
    #[non_exhaustive]
    NotColors {
        /// Name of the input.
        input: String,
        /// The use that the name states, in a few words: `normals`, `data`, `lookup table`.
        usage: &'static str,
    },
    /// A picture that is encoded as sRGB colours looks like something else.
    #[non_exhaustive]
    LooksLike {
        /// Name of the input.
        input: String,
        /// Contents according to the texels, in a few words: `a lookup table`.
        contents: String,
    },
    /// A decision about the use of the pictures, which nothing states.
    #[non_exhaustive]
    Decision {
        /// Name of the input.
        input: String,
        /// The decision, in words.
        decision: String,
    },
    /// Alpha weights colours in mip levels, and may be data.
    #[non_exhaustive]
    DenseAlpha {
        /// Name of the input.
        input: String,
    },
    /// The format stores two channels of normals, some of which face away.
    #[non_exhaustive]
    FacingAway {
        /// Name of the input.
        input: String,
        /// Share of the texels that face away, from 0.01 to 1.
        share: f64,
        /// The format.
        format: TextureFormat,
    },
    /// The swizzle moves numbers between the colours of an sRGB texture and its alpha, which is linear.
    #[non_exhaustive]
    SwizzledAlpha {
        /// Name of the input.
        input: String,
        /// The swizzle.
        swizzle: Swizzle,
    },
    /// The swizzle makes alpha a colour, and the picture has no alpha: the colour is 1.
    #[non_exhaustive]
    MissingAlpha {
        /// Name of the input.
        input: String,
        /// The swizzle.
        swizzle: Swizzle,
    },
    /// The picture is data, and its colours were divided by alpha when the file was read, because the file
    /// stores them multiplied by it. [`encode_files`](super::encode_files) reads data as stored;
    /// [`encode_pictures`](super::encode_pictures) may receive such a picture.
    #[non_exhaustive]
    DividedData {
        /// Name of the input.
        input: String,
    },
    /// The picture is data, or transparent texels got colours, and BC1 or ETC2 with 1-bit alpha makes texels
    /// transparent, which have no colours.
    #[non_exhaustive]
    DataInBc1 {
        /// Name of the input.
        input: String,
        /// The format.
        format: TextureFormat,
    },
    /// BC1 or ETC2 with 1-bit alpha makes texels of the picture opaque or transparent that are partly
    /// transparent.
    #[non_exhaustive]
    SoftAlpha {
        /// Name of the input.
        input: String,
        /// The format.
        format: TextureFormat,
    },
    /// Transparent texels got the colours of the nearest others without a request.
    #[non_exhaustive]
    Dilated {
        /// Name of the input.
        input: String,
        /// Number of texels whose colour changed.
        count: u64,
    },
    /// Vectors of a normal map were scaled to length 1.
    #[non_exhaustive]
    Normalized {
        /// Name of the input.
        input: String,
        /// Share of the texels that changed, from 0 to 1.
        share: f64,
    },
    /// Colours that are multiplied by alpha as light, and stored as sRGB, are not proportional to alpha.
    #[non_exhaustive]
    PremultipliedSrgb {
        /// Name of the input.
        input: String,
    },
    /// BC1 or ETC2 with 1-bit alpha stores transparent texels as black, which darkens the edges of cut-outs.
    #[non_exhaustive]
    BlackEdges {
        /// Name of the input.
        input: String,
        /// The format.
        format: TextureFormat,
    },
    /// Mip levels of a picture with holes may cover less or more than the picture.
    #[non_exhaustive]
    Coverage {
        /// Name of the input.
        input: String,
    },
    /// The coverage of an alpha test is kept, and BC1 or ETC2 with 1-bit alpha makes texels transparent below
    /// another alpha.
    #[non_exhaustive]
    CoverageThreshold {
        /// Name of the input.
        input: String,
        /// Alpha of the test, of 255.
        reference: u8,
        /// Minimum alpha of opaque texels.
        threshold: u8,
        /// The format.
        format: TextureFormat,
    },
    /// A normal map, or that of a roughness map, does not look like one.
    #[non_exhaustive]
    NotNormals {
        /// Name of the input.
        input: String,
        /// Share of the texels that may be normals, from 0 to 0.8; none if the picture is grey.
        share: Option<f64>,
    },
    /// The name of the format states that there is no alpha, and the picture has alpha.
    #[non_exhaustive]
    AlphaDropped {
        /// Name of the input.
        input: String,
    },
    /// Colours below 0 or above 1 are clamped, because the format does not store them.
    #[non_exhaustive]
    Clamped {
        /// Name of the input.
        input: String,
        /// The format.
        format: TextureFormat,
    },
    /// Numbers are rounded: to 8 bits for blocks of integers, else because the plain format stores fewer
    /// significant bits, or no floats.
    #[non_exhaustive]
    Narrowed {
        /// Name of the input.
        input: String,
        /// The numbers, such as `16-bit channels`.
        numbers: &'static str,
        /// The format.
        format: TextureFormat,
    },
    /// The format does not store some colours of the picture as they are.
    #[non_exhaustive]
    SpecialValues {
        /// Name of the input.
        input: String,
        /// The changes, such as `3 negative numbers became 0`.
        changes: String,
    },
    /// The blocks are encoded in real time, for another decoder than the one that was requested, with which
    /// errors are measured.
    #[non_exhaustive]
    OtherDecoder {
        /// The format.
        format: TextureFormat,
        /// The decoder that was requested.
        decoder: RoundingRule,
    },
    /// The sides of a block-compressed texture in a DDS file are no multiples of 4, which Direct3D requires.
    #[non_exhaustive]
    NotMultipleOf4 {
        /// Name of the output.
        output: String,
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
    },
    /// The header of the file cannot express that colours are sRGB.
    LegacyHeader,
    /// The header of the file cannot express that colours are multiplied by alpha.
    LegacyAlpha,
}

impl TextureNote {
    /// Returns the name of the kind, for counts: `soft-alpha`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Part { .. } => "part",
            Self::Fault { .. } => "file",
            Self::NormalMap { .. } => "normal-map",
            Self::NotColors { .. } => "not-colors",
            Self::LooksLike { .. } => "looks-like",
            Self::Decision { .. } => "decision",
            Self::DenseAlpha { .. } => "dense-alpha",
            Self::FacingAway { .. } => "facing-away",
            Self::SwizzledAlpha { .. } => "swizzled-alpha",
            Self::MissingAlpha { .. } => "missing-alpha",
            Self::DividedData { .. } => "divided-data",
            Self::DataInBc1 { .. } => "data-in-bc1",
            Self::SoftAlpha { .. } => "soft-alpha",
            Self::Dilated { .. } => "dilated",
            Self::Normalized { .. } => "normalized",
            Self::PremultipliedSrgb { .. } => "premultiplied-srgb",
            Self::BlackEdges { .. } => "black-edges",
            Self::Coverage { .. } => "coverage",
            Self::CoverageThreshold { .. } => "coverage-threshold",
            Self::NotNormals { .. } => "not-normals",
            Self::AlphaDropped { .. } => "alpha-dropped",
            Self::Clamped { .. } => "clamped",
            Self::Narrowed { .. } => "narrowed",
            Self::SpecialValues { .. } => "special-values",
            Self::OtherDecoder { .. } => "other-decoder",
            Self::NotMultipleOf4 { .. } => "not-multiple-of-4",
            Self::LegacyHeader => "legacy-header",
            Self::LegacyAlpha => "legacy-alpha",
        }
    }
}

impl fmt::Display for TextureNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part { input, part } => write!(f, "{input}: only {part} is encoded"),
            Self::Fault { input, note } => write!(f, "{input}: {note}"),
            Self::NormalMap { input, share } => write!(
                f,
                "{input}: looks like a normal map ({:.1} % of texels have length 1), but is encoded as sRGB \
                 colours",
                100.0 * share
            ),
            Self::NotColors { input, usage } => {
                write!(f, "{input}: the file's name says {usage}, but the picture is encoded as sRGB colours")
            }
            Self::LooksLike { input, contents } => {
                write!(f, "{input}: looks like {contents}, but is encoded as sRGB colours")
            }
            Self::Decision { input, decision } => write!(f, "{input}: {decision}"),
            Self::DenseAlpha { input } => {
                write!(f, "{input}: alpha is nowhere 0 and may be data; it weights the colours of mip levels")
            }
            Self::FacingAway { input, share, format } => write!(
                f,
                "{input}: {:.1} % of the normals face away, and {format} does not store z",
                100.0 * share
            ),
            Self::SwizzledAlpha { input, swizzle } => write!(
                f,
                "{input}: the swizzle {} moves numbers between sRGB colours and alpha, which is linear; no \
                 transfer function is converted",
                swizzle.letters()
            ),
            Self::MissingAlpha { input, swizzle } => {
                write!(f, "{input}: has no alpha, which the swizzle {} reads; it is 1", swizzle.letters())
            }
            Self::DividedData { input } => write!(
                f,
                "{input}: the file's colours are multiplied by alpha; the reader divided them by it"
            ),
            Self::DataInBc1 { input, format } => {
                let format = format.name().to_uppercase();
                write!(f, "{input}: {format} stores no colours where alpha is below the threshold")
            }
            Self::SoftAlpha { input, format } => {
                let format = format.name().to_uppercase();
                write!(
                    f,
                    "{input}: alpha has values between opaque and transparent, which {format} cannot store"
                )
            }
            Self::Dilated { input, count: 1 } => {
                write!(f, "{input}: 1 transparent texel got the colour of the nearest other texel")
            }
            Self::Dilated { input, count } => {
                write!(f, "{input}: {count} transparent texels got the colours of the nearest other texels")
            }
            Self::Normalized { input, share } => {
                write!(f, "{input}: {:.1} % of the normals were scaled to length 1", 100.0 * share)
            }
            Self::PremultipliedSrgb { input } => write!(
                f,
                "{input}: premultiplied colours in sRGB are not proportional to alpha; blocks store both \
                 less precisely than straight colours"
            ),
            Self::BlackEdges { input, format } => write!(
                f,
                "{input}: {} stores transparent texels as black, which darkens filtered edges; bc7, or \
                 astc-4x4 for phones, keeps colours there (--dilate)",
                format.name().to_uppercase()
            ),
            Self::Coverage { input } => {
                write!(f, "{input}: the share of visible texels may change from mip level to mip level")
            }
            Self::CoverageThreshold { input, reference, threshold, format } => write!(
                f,
                "{input}: coverage is kept for an alpha test at {reference}, but {} makes texels below \
                 alpha {threshold} transparent",
                format.name().to_uppercase()
            ),
            Self::NotNormals { input, share: None } => {
                write!(f, "{input}: is used as a normal map, but is grey")
            }
            Self::NotNormals { input, share: Some(share) } => write!(
                f,
                "{input}: is used as a normal map, but {:.1} % of texels are far from length 1 or face away",
                100.0 * (1.0 - share)
            ),
            Self::AlphaDropped { input } => write!(f, "{input}: the format has no alpha"),
            Self::Clamped { input, format } => {
                write!(f, "{input}: colours below 0 or above 1 are clamped, {format} cannot store them")
            }
            // Blocks of integers are made of 8-bit texels.
            Self::Narrowed { input, numbers, format } if format.block().is_some() && !format.is_float() => {
                write!(f, "{input}: {numbers} are rounded to 8 bits")
            }
            Self::Narrowed { input, numbers, format } => {
                write!(f, "{input}: {numbers} are rounded to the precision of {format}")
            }
            Self::SpecialValues { input, changes } => write!(f, "{input}: {changes}"),
            Self::OtherDecoder { format, decoder } => {
                let other = RoundingRule::Real.for_format(*format);
                let (format, decoder, other) = (format.name(), decoder.name(), other.name());
                write!(
                    f,
                    "{format} is encoded for the {other} decoder, and measured with the {decoder} decoder"
                )
            }
            Self::NotMultipleOf4 { output, width, height } => {
                write!(f, "{output}: {}", RefusedSize(*width, *height))
            }
            Self::LegacyHeader => f.write_str("a legacy DDS header does not say that colours are sRGB"),
            Self::LegacyAlpha => f.write_str(
                "a legacy DDS header says only for bc2 and bc3 that colours are multiplied by alpha",
            ),
        }
    }
}

/// Width and height that Direct3D refuses, displayed as a sentence.
pub(super) struct RefusedSize(pub u32, pub u32);

impl fmt::Display for RefusedSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(width, height) = self;
        write!(f, "Direct3D requires multiples of 4 of block-compressed textures, not {width}×{height}")
    }
}

/// True if Direct3D refuses a texture in a file of this container, because of its size.
pub(super) fn has_refused_size(desc: &TextureDesc, container: ContainerFormat) -> bool {
    let is_odd = !desc.width.is_multiple_of(4) || !desc.height.is_multiple_of(4);
    is_odd && container == ContainerFormat::Dds && desc.format.block().is_some()
}

/// Returns the note about the size of a texture whose file has this container.
pub(super) fn of_size(desc: &TextureDesc, container: ContainerFormat, output: &str) -> Option<TextureNote> {
    let (width, height) = (desc.width, desc.height);
    let note = || TextureNote::NotMultipleOf4 { output: output.to_owned(), width, height };
    has_refused_size(desc, container).then(note)
}
