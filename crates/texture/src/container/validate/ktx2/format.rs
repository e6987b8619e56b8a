//! Properties of Vulkan formats, from the tables of the crate `ktx2`.

use crate::{BlockFormat, TextureFormat, container::ktx2::of_vk_format};
use ::ktx2::{ColorModel, Format, TransferFunction, dfd::Basic};

/// Lowest number of a format in an extension.
const EXTENSIONS: u32 = 1_000_001_000;
/// Largest number of an enum of Vulkan.
const LARGEST: u32 = i32::MAX as u32;
/// Lowest colour model of compressed formats.
const COMPRESSED: u8 = 128;

/// `KHR_DF_TRANSFER_ADOBERGB` in version 1.3, and one more in version 1.4.
pub(super) const LAST_TRANSFER: u8 = 19;
/// `KHR_DF_MODEL_UASTC_HDR_4X4`.
pub(super) const UASTC_HDR: u8 = 167;

/// Smallest unit of a format's data.
#[derive(Clone, Copy)]
pub(super) struct TexelBlock {
    /// Width, height and depth in texels, at least 1.
    pub size: [u32; 3],
    /// Size in bytes.
    pub bytes: u8,
}

/// Properties of a `vkFormat`.
pub(super) struct FormatFacts {
    pub number: u32,
    /// Name in Vulkan's header, or the number.
    pub name: String,
    /// Basic descriptor block and type size; `None` for formats that are unknown or undefined.
    pub expected: Option<(Basic, u32)>,
    /// True if the format must have the transfer function of sRGB.
    pub is_srgb: bool,
    /// True if the format has a variant in sRGB.
    pub has_srgb_variant: bool,
}

impl FormatFacts {
    pub fn of(number: u32) -> Self {
        let format = Format::new(number);
        let expected = format.and_then(|format| Basic::from_format(format).ok());
        let name = match format {
            Some(format) => crate::container::ktx2::head::format_name(format),
            None => "VK_FORMAT_UNDEFINED".to_owned(),
        };
        let with_srgb =
            |format| Basic::from_format_with(format, false, Some(TransferFunction::SRGB), None, None);
        let is_srgb = name.contains("_SRGB");
        let has_srgb_variant = expected.is_some()
            && matches!(format.map(with_srgb), Some(Err(::ktx2::dfd::BuildError::SrgbTransferNotAllowed)));
        Self { number, name, expected, is_srgb, has_srgb_variant }
    }

    pub const fn is_undefined(&self) -> bool {
        self.number == 0
    }

    /// True for the formats that the specification prohibits: those with scaled integers or several planes.
    pub const fn is_prohibited(&self) -> bool {
        matches!(
            self.number,
            11 | 12 | 18 | 19 | 25 | 26 | 32 | 33 | 39 | 40 | 46 | 47 | 53 | 54 | 60 | 61 | 66 | 67
                | 72 | 73 | 79 | 80 | 86 | 87 | 93 | 94
                | 1_000_156_002..=1_000_156_006
                | 1_000_156_012..=1_000_156_016
                | 1_000_156_022..=1_000_156_026
                | 1_000_156_029..=1_000_156_033
                | 1_000_330_000..=1_000_330_003
                | 1_000_609_012..=1_000_609_013
        )
    }

    /// True for numbers that no version or extension of Vulkan can define.
    pub const fn is_impossible(&self) -> bool {
        let is_outside = self.number < EXTENSIONS || self.number > LARGEST;
        self.expected.is_none() && !self.is_undefined() && !self.is_prohibited() && is_outside
    }

    /// True for numbers of extensions that are not known here.
    pub const fn is_unknown(&self) -> bool {
        self.expected.is_none()
            && !self.is_prohibited()
            && EXTENSIONS <= self.number
            && self.number <= LARGEST
    }

    /// Returns the colour model; 0 if it is not known.
    pub fn model(&self) -> u8 {
        self.expected.as_ref().and_then(|(basic, _)| basic.color_model).map_or(0, |model| model.value())
    }

    pub fn is_block_compressed(&self) -> bool {
        is_compressed_model(self.model())
    }

    /// True for the format of ASTC that `KHR_DF_MODEL_UASTC_HDR_4X4` restricts.
    pub const fn may_be_uastc_hdr(&self) -> bool {
        self.number == 1_000_066_000
    }

    /// True for formats in which texels share chroma.
    pub fn is_subsampled(&self) -> bool {
        self.name.contains("_422_")
    }

    pub fn has_depth_or_stencil(&self) -> bool {
        ["_D16_", "_D24_", "_D32_", "_S8_"].iter().any(|part| self.name.contains(part))
    }

    /// Returns the footprint of a format of ASTC with 2D blocks and a low dynamic range.
    pub fn astc(&self) -> Option<[u32; 2]> {
        match of_vk_format(Format::new(self.number)?)?.0 {
            TextureFormat::Block(format @ BlockFormat::Astc(_)) => Some(format.block_extent()),
            _ => None,
        }
    }

    /// Returns the texel block of a known format.
    pub fn block(&self) -> Option<TexelBlock> {
        let (basic, _) = self.expected.as_ref()?;
        let [x, y, z, _] = basic.texel_block_dimensions.map(|side| u32::from(side.get()));
        Some(TexelBlock { size: [x, y, z], bytes: basic.bytes_planes[0] })
    }
}

/// True for the colour models of compressed formats.
pub(super) const fn is_compressed_model(model: u8) -> bool {
    model >= COMPRESSED
}

/// Returns the name of a colour model, or its number.
pub(super) fn model_name(model: u8) -> String {
    match ColorModel::new(model).map(|named| format!("{named:?}")) {
        Some(name) if !name.ends_with(')') => format!("KHR_DF_MODEL_{}", name.to_uppercase()),
        _ => model.to_string(),
    }
}
