//! Options of texture jobs, and the table from which all front ends have them.
//!
//! A new option is a field of [`TextureOptions`] or of the encoder's options, its row in the table (`rows/`,
//! by heading), and the code that obeys it. The program's arguments, keys of rule files, exclusions, errors,
//! notes, settings in reports, and the options of bindings follow from the row.
//!
//! | file | contents |
//! |---|---|
//! | `row.rs`, `value.rs` | the properties of an option; its values as texts |
//! | `rows/`, `table.rs` | the rows, one file per group of headings; the list of all rows |
//! | `reading.rs` | options of readers |

#[cfg(test)]
mod lists;
mod reading;
mod row;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub(super) use row::{Doors, Exclusion, JsonSetting, Need, SettingText, Stage};
pub use row::{OptionRow, Syntax, UsedOptions, Values};
pub(super) use rows::is_optimised;
pub use value::Value;

use super::{
    ChannelPacking, ChannelScale, ChannelTerm, FormatChoice, FormatFamily, MipLevels, NormalOptions,
    PictureChannel, RdoTarget, SizeRules, TextureLayout,
};
use brickwork_image::image_file::{ImageReadOptions, PictureUse, TransferFunction};
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeOptions, PlainFormat, Swizzle, TextureDesc, TextureFormat,
    container::{ContainerFormat, DdsHeader, TextureWriteOptions},
    half::f16,
};

/// Requests for a texture. Properties that they do not state depend on the pictures.
///
/// ```
/// use brickwork_toolkit::texture::{MipLevels, TextureOptions};
///
/// let mut options = TextureOptions::default();
/// options.mip_levels = MipLevels::Full;
/// options.size_rules.max = Some(1024);
/// options.check()?;
/// # Ok::<(), brickwork_toolkit::texture::OptionsError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TextureOptions {
    /// The format. Default: BC1.
    pub format: FormatChoice,
    /// Family of the block formats among which [`FormatChoice::AUTO`] chooses. Block formats of another
    /// family are then refused, and plain formats are not. Default: none, which means BC for
    /// [`FormatChoice::AUTO`], and any format that is stated.
    pub family: Option<FormatFamily>,
    /// Use of the pictures. Default: [`PictureUse::Unknown`].
    pub usage: PictureUse,
    /// The colour space. Default: none, which means that of the file.
    pub color_space: Option<ColorSpace>,
    /// Transfer function of the pictures' numbers, in place of that of the files. Numbers of sRGB and linear
    /// light stay unless [`convert_oetf`](Self::convert_oetf) states another. A power is converted to the
    /// colour space of the options or of the format's name; without one, to linear light for floats and for
    /// formats without an sRGB form, else to sRGB. The pictures are colours. Default: none, which means that
    /// of the file.
    pub assign_oetf: Option<TransferFunction>,
    /// Colour space to which the numbers of colours are converted, after the swizzle and before all other
    /// changes ([`Picture::converted`](brickwork_image::image_file::Picture::converted)). The texture has
    /// this colour space, unless its format has no sRGB form. Default: none, which keeps the numbers.
    pub convert_oetf: Option<ColorSpace>,
    /// Images that the inputs contain. Default: [`TextureLayout::Layers`].
    pub layout: TextureLayout,
    /// Number of mip levels. Levels that are not among the inputs are computed. Default: 1.
    pub mip_levels: MipLevels,
    /// Number of mip levels among the inputs, including the largest; 0 counts as 1. Each picture has the size
    /// of its mip level. Default: 1.
    pub given_mip_levels: u32,
    /// True to encode all images of a texture file: mip levels, layers, faces and slices, if the file is the
    /// only input. Default: false, which encodes the first one.
    pub all_images: bool,
    /// Channels of the picture as it is read that are replaced by those of other pictures of the same size,
    /// before the swizzle. These pictures follow the others, in the order of [`ChannelPacking::channels`].
    /// Numbers are moved unchanged, without a transfer function. Colours that are packed do not make the
    /// picture [data](PictureUse::Data): set the use, too. Default: no channel.
    pub packing: ChannelPacking,
    /// Sources of red, green, blue and alpha, as channels of the pictures. A swizzle comes before all other
    /// changes: its result is clamped, resized and made a normal map, and formats are suggested for it. If
    /// alpha becomes a colour, names of files do not state the use of the pictures. Numbers stay as they are,
    /// without a transfer function. 1 is the maximum of integers, and 1.0 for floats. Grey is red, green and
    /// blue; a missing alpha is 1. Default: [`Swizzle::IDENTITY`].
    pub swizzle: Swizzle,
    /// Changes of the numbers of red, green, blue and alpha, after the swizzle, such as 1 − alpha. Default:
    /// none.
    pub channel_scales: [ChannelScale; 4],
    /// Rules for the size of the texture. Pictures are resized by the filter of the mip levels. If none is
    /// chosen, this is the box filter for floats, else Kaiser's. Formats are suggested for the texels before.
    /// Coverage is that of the resized picture. Default: the size of the pictures.
    pub size_rules: SizeRules,
    /// True to give transparent texels the colours of the nearest others
    /// ([`Picture::dilate`](brickwork_image::image_file::Picture::dilate)), after new sizes, so that filters
    /// that read across the edge of a cut-out find its colours. The texels past the edges are those of the
    /// mip levels. Default: none, which means that [`FormatChoice::AUTO`] decides: true for pictures that
    /// [look cut out](brickwork_image::image_file::Picture::looks_cut_out), if their format stores colours of
    /// transparent texels, which are not multiplied by alpha.
    pub dilate: Option<bool>,
    /// True to multiply colours by alpha, after all other changes. The texture states this, as far as its
    /// container can. It is for colours and for formats with alpha of at least 4 bits. Default: false.
    pub premultiply: bool,
    /// True if the colours of the pictures are multiplied by alpha already, and stay so. The texture states
    /// it, as with [`premultiply`](Self::premultiply). Default: false, which divides colours by alpha if
    /// their file states that they are multiplied by it.
    pub premultiplied: bool,
    /// True to store rows from the bottom to the top, for OpenGL and three.js, whose textures start with the
    /// bottom row. It is the last change of the pictures. The texture [states it](TextureDesc::orientation),
    /// as only KTX2 can; it is no cube. Default: false.
    pub flip_y: bool,
    /// True to reverse the columns (x) or the rows (y) of the pictures, whose orientation stays the usual
    /// one. Vectors of normal maps do not change. The texture is no cube. Default: false.
    pub flip: [bool; 2],
    /// Options of normal maps. They matter if the use is [`PictureUse::Normals`].
    pub normals: NormalOptions,
    /// True to add the spread of normals to the roughness of mip levels
    /// ([`roughened`](brickwork_texture::mips::roughened)). The last picture, or the last input of a job, is
    /// then the normal map, of any size. Mip level 0 changes only if the normal map has more texels. There is
    /// one picture besides it, which is [data](PictureUse::Data) or has [one
    /// channel](PictureUse::OneChannel). Default: false.
    pub roughness_from_normals: bool,
    /// Channel of the roughness, after the swizzle. It matters with
    /// [`roughness_from_normals`](Self::roughness_from_normals). Default: [`PictureChannel::Red`].
    pub roughness_channel: PictureChannel,
    /// The encoder's options.
    pub encode: EncodeOptions,
    /// The container. Default: none, which means that of the output's extension, or DDS on standard output.
    pub container: Option<ContainerFormat>,
    /// Header of DDS files. Default: [`DdsHeader::Auto`].
    pub dds_header: DdsHeader,
    /// Level of KTX2's Zstandard compression, 1 to 22. Default: none, no compression.
    pub zstd: Option<i32>,
    /// True to measure the blocks' error. Default: true.
    pub metrics: bool,
    /// Options of the readers of pictures, as far as the others do not decide them:
    /// [`dds_ten_bit_masks`](ImageReadOptions::dds_ten_bit_masks) and
    /// [`exr_layer`](ImageReadOptions::exr_layer).
    pub reading: ImageReadOptions,
    /// Largest magnitude of colours, a positive number, for BC6H and plain formats of floats. Brighter floats
    /// are clamped before pictures are resized, mip levels made and blocks encoded, so that single bright
    /// texels (fireflies) do not spread. Default: none.
    pub max_value: Option<f16>,
    /// Minimum of the PSNR of [`RdoTarget::Psnr`], in dB. If it is less, [`FormatChoice::AUTO`] takes BC7 in
    /// place of BC1, then blocks are encoded with a higher quality; if that does not suffice, the texture is
    /// not made. Formats of floats ignore it. Default: none.
    pub min_psnr: Option<f64>,
    /// Target for which the λ of rate–distortion optimisation is searched. Default: none.
    pub rdo_target: Option<RdoTarget>,
}

impl Default for TextureOptions {
    fn default() -> Self {
        Self {
            format: FormatChoice::of(BlockFormat::Bc1),
            family: None,
            usage: PictureUse::Unknown,
            color_space: None,
            assign_oetf: None,
            convert_oetf: None,
            layout: TextureLayout::Layers,
            mip_levels: MipLevels::AtMost(1),
            given_mip_levels: 1,
            all_images: false,
            packing: ChannelPacking::new(),
            swizzle: Swizzle::IDENTITY,
            channel_scales: [ChannelScale::IDENTITY; 4],
            size_rules: SizeRules::default(),
            dilate: None,
            premultiply: false,
            premultiplied: false,
            flip_y: false,
            flip: [false; 2],
            normals: NormalOptions::default(),
            roughness_from_normals: false,
            roughness_channel: PictureChannel::Red,
            encode: EncodeOptions::default(),
            container: None,
            dds_header: DdsHeader::Auto,
            zstd: None,
            metrics: true,
            reading: ImageReadOptions::default(),
            max_value: None,
            min_psnr: None,
            rdo_target: None,
        }
    }
}

impl TextureOptions {
    /// Returns the number of mip levels among the inputs, at least 1.
    pub fn given_levels(&self) -> u32 {
        self.given_mip_levels.max(1)
    }

    /// Returns the swizzle and the changes of channels as `--swizzle` takes them, such as `bgr1` or
    /// `r,g,b,1-a`; none if channels stay as they are.
    pub fn swizzle_text(&self) -> Option<String> {
        if self.channel_scales == [ChannelScale::IDENTITY; 4] {
            return (self.swizzle != Swizzle::IDENTITY).then(|| self.swizzle.letters());
        }
        let terms = self.swizzle.0.into_iter().zip(self.channel_scales);
        let terms = terms.map(|(source, change)| ChannelTerm { source, change }.to_string());
        Some(terms.collect::<Vec<_>>().join(","))
    }

    /// True if the options state a transfer function, that of the pictures or another.
    pub(super) const fn has_transfer(&self) -> bool {
        self.assign_oetf.is_some() || self.convert_oetf.is_some()
    }

    /// True if an option states that alpha is transparency, not data.
    pub(super) fn states_transparency(&self) -> bool {
        self.demanded().any(|(row, _)| row.is_transparency)
    }

    /// True if the options have more than one mip level.
    pub(super) const fn has_mips(&self) -> bool {
        !matches!(self.mip_levels, MipLevels::AtMost(0 | 1))
    }

    /// True if the pictures are numbers, not colours.
    pub(super) const fn are_data(&self) -> bool {
        matches!(self.usage, PictureUse::Normals | PictureUse::OneChannel | PictureUse::Data)
    }

    /// Returns the options of the container's writer.
    pub(super) fn write_options(&self) -> TextureWriteOptions {
        TextureWriteOptions::default().with(|o| {
            o.dds_header = self.dds_header;
            o.zstd = self.zstd;
        })
    }

    /// Returns the family among whose formats [`FormatChoice::AUTO`] chooses.
    pub(super) fn auto_family(&self) -> FormatFamily {
        self.family.unwrap_or(FormatFamily::Bc)
    }

    /// Returns the encoder's options, without alpha if the format's name states that there is none.
    pub fn effective_encode_options(&self) -> EncodeOptions {
        if self.format.is_without_alpha() {
            self.encode.with(|o| o.bc1.alpha_threshold = 0)
        } else {
            self.encode
        }
    }

    /// Returns the colour space that the options or the format's name state.
    pub(super) fn stated_color_space(&self) -> Option<ColorSpace> {
        self.color_space.or(self.format.color_space())
    }

    /// True if the options state that the pictures are colours.
    pub(super) fn states_color(&self) -> bool {
        self.usage == PictureUse::Color
            || self.stated_color_space() == Some(ColorSpace::Srgb)
            || self.has_transfer()
    }

    /// True if the pictures are normals and the format is one for normals.
    pub(super) fn are_normals_of(&self, format: TextureFormat) -> bool {
        use BlockFormat::{Astc, Bc5Snorm, Bc5Unorm, Bc7, EacRg11Snorm, EacRg11Unorm};
        use PlainFormat::{Bgra8Unorm, Rg8Snorm, Rg8Unorm, Rgba8Snorm, Rgba8Unorm};
        self.usage == PictureUse::Normals
            && match format {
                TextureFormat::Block(format) => {
                    matches!(format, Bc5Unorm | Bc5Snorm | Bc7 | EacRg11Unorm | EacRg11Snorm | Astc(_))
                }
                // Normals have 8 bits.
                TextureFormat::Plain(format) => {
                    matches!(format, Rg8Unorm | Rg8Snorm | Rgba8Unorm | Rgba8Snorm | Bgra8Unorm)
                }
            }
    }

    /// Returns the number of mip levels of a texture with this shape.
    pub(super) fn mip_level_count(&self, desc: &TextureDesc) -> u32 {
        self.mip_levels.of(desc).max(self.given_levels()).min(desc.full_mip_levels())
    }
}
