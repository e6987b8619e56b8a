//! Errors of options.

use super::{
    option_names::{
        Spelling, exclusive, flip_of_cube, ignored, ignored_by_family, is_for, key, needs_filtering,
        needs_images, needs_mip_levels, needs_option, of_container, other_color_space, transfer_of_data,
        wrap_of_cube,
    },
    words::{
        container_name, containers_of, count_fault, expected_count, missing_faces, no_container, use_name,
    },
};
use crate::{
    report::color_space_name,
    texture::{FormatFamily, PackingError, PictureChannel, RdoTargetError, TextureLayout},
};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeError, PartError, TextureError, TextureFormat, container::ContainerFormat,
};

/// Options that contradict each other, the pictures or the output.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// Only one of two options can be used.
    #[error("{}", exclusive(*options, &key))]
    Exclusive {
        /// Names of the options, such as `real-time`.
        options: [&'static str; 2],
    },
    /// An option is about mip levels, and there are none.
    #[error("{}", needs_mip_levels(option, &key))]
    WithoutMips {
        /// Name of the option, such as `keep-coverage`.
        option: &'static str,
    },
    /// An option is given without another that it needs.
    #[error("{}", needs_option(*options, &key))]
    WithoutOption {
        /// Names of the option and of the one that it needs.
        options: [&'static str; 2],
    },
    /// An option of filters is given, and nothing is filtered.
    #[error("{}", needs_filtering(option, &key))]
    WithoutFilter {
        /// Name of the option: `mip-filter` or `mip-wrap`.
        option: &'static str,
    },
    /// An option is for another use of the pictures.
    #[error("{}", is_for(option, images, *usage, &key))]
    UseOfOption {
        /// Name of the option, such as `premultiply`.
        option: &'static str,
        /// The pictures for which it is, such as `colours`.
        images: &'static str,
        /// The use.
        usage: PictureUse,
    },
    /// A roughness map is one picture, besides its normal map.
    #[error("a roughness map is one image besides its normal map, and its mip levels are made")]
    RoughnessInputs {
        /// Number of pictures besides the normal map; 0 if it is not known.
        given: usize,
    },
    /// The format does not store the channel of the roughness.
    #[error("the roughness is in channel {}, which {format} does not store", channel.name())]
    RoughnessChannel {
        /// The channel.
        channel: PictureChannel,
        /// The format.
        format: TextureFormat,
    },
    /// Channels cannot be packed.
    #[error(transparent)]
    Packing(#[from] PackingError),
    /// No λ reaches the target.
    #[error(transparent)]
    Target(#[from] RdoTargetError),
    /// The format's name states another colour space than the options.
    #[error("the format's name states {}, but the options state the opposite", color_space_name(*named))]
    ColorSpaceOfName {
        /// The colour space of the name.
        named: ColorSpace,
        /// The format.
        format: Option<TextureFormat>,
    },
    /// The format's name states that there is no alpha, and an option is about alpha.
    #[error("the format's name says that there is no alpha")]
    AlphaOfName,
    /// Pictures with this use are not colours.
    #[error("{} are linear, but sRGB is chosen", use_name(*usage))]
    SrgbUse {
        /// The use.
        usage: PictureUse,
    },
    /// The chosen format is not one for this use of the pictures.
    #[error(
        "{} need the format {formats}{}auto, not {format}",
        use_name(*usage),
        if formats.is_empty() { "" } else { " or " }
    )]
    UseOfFormat {
        /// The use.
        usage: PictureUse,
        /// Names of the formats for this use; empty if only `auto` chooses one.
        formats: String,
        /// The format.
        format: TextureFormat,
    },
    /// Only colours have a transfer function.
    #[error("{}", transfer_of_data(*usage, &key))]
    TransferOfData {
        /// The use.
        usage: PictureUse,
    },
    /// The texture has another colour space than the one to which the pictures are converted.
    #[error("{}", other_color_space(*converted, *stated, &key))]
    OtherColorSpace {
        /// The colour space to which the pictures are converted.
        converted: ColorSpace,
        /// The colour space of the texture.
        stated: ColorSpace,
    },
    /// The format ignores an option.
    #[error("{}", ignored(option, *format, &key))]
    Ignored {
        /// Name of the option.
        option: &'static str,
        /// The format.
        format: TextureFormat,
    },
    /// No format of the family uses an option.
    #[error("{}", ignored_by_family(option, *family, &key))]
    OptionOfFamily {
        /// Name of the option.
        option: &'static str,
        /// The family.
        family: FormatFamily,
    },
    /// The chosen format is of another family than the chosen one.
    #[error("{format} is of the family {}, not {family}", FormatFamily::of(*format))]
    FormatOfFamily {
        /// The format.
        format: BlockFormat,
        /// The family.
        family: FormatFamily,
    },
    /// The picture is HDR, and no format of the family stores it.
    #[error(
        "is HDR, which no format of the family {family} stores; bc6h and plain formats such as rgb9e5 do"
    )]
    HdrOfFamily {
        /// The family.
        family: FormatFamily,
    },
    /// BC7's mode 7 alone does not keep alpha at its maximum.
    #[error("mode 7 alone makes opaque texels transparent; add mode 0, 1, 2, 3 or 6")]
    OpaqueModes,
    /// The encoder refuses the options.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The format holds linear light, and the pictures are sRGB.
    #[error("{format} holds linear light, but the picture is sRGB; convert it, or state that it is linear")]
    NotLinear {
        /// The format.
        format: TextureFormat,
    },
    /// A swizzle is chosen for a format that stores red, green and blue.
    #[error(
        "a swizzle is for formats of one or two channels; readers ignore it for {format}, so swizzle the \
         image and encode it"
    )]
    SwizzleOfFormat {
        /// The format.
        format: TextureFormat,
    },
    /// DDS cannot state the swizzle.
    #[error("DDS cannot state the swizzle {letters}")]
    SwizzleOfDds {
        /// The swizzle, such as `rrr1`.
        letters: String,
    },
    /// An option of the encoder is given, and the inputs are textures.
    #[error("{}", needs_images(option, &key))]
    NeedsImages {
        /// Name of the option, such as `format`.
        option: &'static str,
    },
    /// Mip levels are joined, and the inputs are images.
    #[error("mip levels are joined from textures; the inputs are images")]
    NeedsTextures,
    /// Edges that repeat or mirror are chosen for the faces of a cube.
    #[error("{}", wrap_of_cube(&key))]
    WrapOfCube,
    /// The faces of a cube would be flipped.
    #[error("{}", flip_of_cube(option, &key))]
    FlippedCube {
        /// Name of the option: `flip` or `flip-y`.
        option: &'static str,
    },
    /// Some names of faces are known, and others are not.
    #[error("the name ends in no face of a cube, but that of {named} does; name all files or none")]
    FaceName {
        /// Name of a file that names a face.
        named: String,
    },
    /// Several images are selected, and one output is given.
    #[error("several images are selected, and {output} is one file")]
    SeveralImages {
        /// Name of the output.
        output: String,
    },
    /// The selected images do not exist.
    #[error(transparent)]
    Part(#[from] PartError),
    /// No such texture can exist.
    #[error(transparent)]
    Texture(#[from] TextureError),
    /// The inputs have different colour spaces, and none is chosen.
    #[error("the inputs have different colour spaces; choose one")]
    ColorSpaces,
    /// There is no input.
    #[error("a texture needs at least one input")]
    NoPicture,
    /// The number of inputs does not fit the layout.
    #[error("{}", count_fault(*layout, *given))]
    Count {
        /// The layout.
        layout: TextureLayout,
        /// Number of inputs.
        given: usize,
    },
    /// The names of the inputs state faces of one cube, and some are missing.
    #[error("{}", missing_faces(*given, missing))]
    MissingFaces {
        /// Number of inputs.
        given: usize,
        /// The missing faces with the ends of names for them, such as `-Z (nz)`.
        missing: Vec<&'static str>,
    },
    /// The inputs do not have the expected number of layers, cubes or slices.
    #[error("{}", expected_count(*layout, *expected, *found))]
    Expected {
        /// The layout.
        layout: TextureLayout,
        /// Number of layers, cubes or slices that is expected.
        expected: u32,
        /// Their number.
        found: usize,
    },
    /// A size of faces is chosen, and there is no panorama.
    #[error("the size of faces is for panoramas")]
    NoPanorama,
    /// A picture has another size than the first.
    #[error("has {width}×{height} texels, the first image {}×{}", first[0], first[1])]
    PictureSize {
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
        /// Width and height of the first picture.
        first: [u32; 2],
    },
    /// A given mip level does not have the size that follows from the first image.
    #[error("mip level {mip_level} has {}×{} texels, not {width}×{height}", expected[0], expected[1])]
    LevelSize {
        /// The mip level.
        mip_level: u32,
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
        /// Width and height of the mip level.
        expected: [u32; 2],
    },
    /// The faces of a cube must be square.
    #[error("the faces of a cube are square, not {width}×{height}")]
    OblongFace {
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
    },
    /// Only another container has this option.
    #[error("{}", of_container(option, output, [*needed, *container], &key))]
    OfContainer {
        /// `zstd`, `dx10` or `legacy`.
        option: &'static str,
        /// Name of the output.
        output: String,
        /// The container that has the option.
        needed: ContainerFormat,
        /// The container of the output.
        container: ContainerFormat,
    },
    /// The container of the output cannot have the format.
    #[error("{} has no format for {format}; write KTX2", container_name(*container))]
    FormatOfContainer {
        /// The format.
        format: TextureFormat,
        /// The container of the output.
        container: ContainerFormat,
    },
    /// The container of the output cannot have formats of the family.
    #[error(
        "{} has no formats of the family {family}; write {}",
        container_name(*container),
        containers_of(*family)
    )]
    FamilyOfContainer {
        /// The family.
        family: FormatFamily,
        /// The container of the output.
        container: ContainerFormat,
    },
    /// The output's extension is that of another container than the chosen one.
    #[error("the extension means {}, but the chosen container is {}", named.extension(), chosen.extension())]
    Extension {
        /// The extension's container.
        named: ContainerFormat,
        /// The chosen container.
        chosen: ContainerFormat,
    },
    /// The output's extension is that of no container, and none is chosen.
    #[error("{}", no_container(extension.as_deref()))]
    NoContainer {
        /// The extension, without a dot.
        extension: Option<String>,
    },
}

impl OptionsError {
    /// Returns the text of the error, with the names of options as `spell` returns them. It receives the
    /// program's names, such as `keep-coverage`. The error itself is displayed with these.
    pub fn with_option_names(&self, spell: impl Fn(&'static str) -> String) -> String {
        let spell: Spelling<'_> = &spell;
        match self {
            Self::Exclusive { options } => exclusive(*options, spell),
            Self::WithoutOption { options } => needs_option(*options, spell),
            Self::WithoutMips { option } => needs_mip_levels(option, spell),
            Self::WithoutFilter { option } => needs_filtering(option, spell),
            Self::UseOfOption { option, images, usage } => is_for(option, images, *usage, spell),
            Self::TransferOfData { usage } => transfer_of_data(*usage, spell),
            Self::OtherColorSpace { converted, stated } => other_color_space(*converted, *stated, spell),
            Self::Ignored { option, format } => ignored(option, *format, spell),
            Self::OptionOfFamily { option, family } => ignored_by_family(option, *family, spell),
            Self::NeedsImages { option } => needs_images(option, spell),
            Self::WrapOfCube => wrap_of_cube(spell),
            Self::FlippedCube { option } => flip_of_cube(option, spell),
            Self::OfContainer { option, output, needed, container } => {
                of_container(option, output, [*needed, *container], spell)
            }
            error => error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_spelled() {
        let (usage, format) = (PictureUse::Normals, TextureFormat::from(BlockFormat::Bc4Unorm));
        let (converted, stated) = (ColorSpace::Srgb, ColorSpace::Linear);
        let output = "a.dds".to_owned();
        for (error, names) in [
            (OptionsError::Exclusive { options: ["real-time", "modes"] }, 2),
            (OptionsError::WithoutOption { options: ["roughness-channel", "roughness-from"] }, 2),
            (OptionsError::WithoutMips { option: "keep-coverage" }, 1),
            (OptionsError::WithoutFilter { option: "mip-filter" }, 1),
            (OptionsError::UseOfOption { option: "premultiply", images: "colours", usage }, 1),
            (OptionsError::TransferOfData { usage }, 2),
            (OptionsError::OtherColorSpace { converted, stated }, 1),
            (OptionsError::Ignored { option: "dither", format }, 1),
            (OptionsError::OptionOfFamily { option: "rdo", family: FormatFamily::Etc2 }, 1),
            (OptionsError::NeedsImages { option: "format" }, 1),
            (OptionsError::WrapOfCube, 1),
            (OptionsError::FlippedCube { option: "flip-y" }, 1),
            (
                OptionsError::OfContainer {
                    option: "zstd",
                    output,
                    needed: ContainerFormat::Ktx2,
                    container: ContainerFormat::Dds,
                },
                1,
            ),
            (OptionsError::NoPicture, 0),
        ] {
            let marked = error.with_option_names(|name| format!("<{name}>"));
            assert_eq!(marked.matches('<').count(), names, "{marked}");
            assert_eq!(marked.replace(['<', '>'], ""), error.to_string());
        }
    }
}
