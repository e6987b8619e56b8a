//! Headers of a DDS file as stored: 31 words of 32 bits, little-endian, and five more for DX10.
//!
//! Source: Microsoft, *DDS_HEADER structure*, *DDS_PIXELFORMAT structure* and *DDS_HEADER_DXT10 structure*.

/// First bytes of every file.
pub(crate) const MAGIC: [u8; 4] = *b"DDS ";
/// `dwSize` of the header.
pub(super) const HEADER_BYTES: u32 = 124;
/// `dwSize` of the pixel format in the header.
pub(super) const PIXEL_FORMAT_BYTES: u32 = 32;
/// Magic and header.
pub(super) const LEGACY_BYTES: u64 = 4 + HEADER_BYTES as u64;
/// Magic, header and DX10 header.
pub(crate) const DX10_BYTES: u64 = LEGACY_BYTES + 20;

/// `D3D10_RESOURCE_DIMENSION_TEXTURE1D` and so on.
pub(super) const DIMENSION_1D: u32 = 2;
pub(super) const DIMENSION_2D: u32 = 3;
pub(super) const DIMENSION_3D: u32 = 4;

/// `DXGI_FORMAT_BC3_TYPELESS`, `_UNORM` and `_UNORM_SRGB`.
const BC3: std::ops::RangeInclusive<u32> = 76..=78;

/// Maximum padding of a row that is accepted, in bytes.
const MAX_PADDING_BYTES: u64 = 4096;

/// `DDS_HEADER::dwFlags`.
pub(crate) mod flags {
    /// `CAPS`, `HEIGHT`, `WIDTH` and `PIXELFORMAT`.
    pub const REQUIRED: u32 = 0x1007;
    pub const PITCH: u32 = 8;
    pub const MIP_LEVELS: u32 = 0x2_0000;
    pub const LINEAR_SIZE: u32 = 0x8_0000;
    pub const DEPTH: u32 = 0x80_0000;
}

/// `DDS_HEADER::dwCaps`.
pub(super) mod caps {
    pub const COMPLEX: u32 = 8;
    pub const TEXTURE: u32 = 0x1000;
    pub const MIP_LEVELS: u32 = 0x40_0000;
}

/// `DDS_HEADER::dwCaps2`.
pub(crate) mod caps2 {
    pub const CUBE: u32 = 0x200;
    pub const ALL_FACES: u32 = 0xfc00;
    pub const VOLUME: u32 = 0x20_0000;
}

/// `DDS_PIXELFORMAT::dwFlags`.
pub(crate) mod pixel_flags {
    pub const ALPHA_PIXELS: u32 = 1;
    pub const FOUR_CC: u32 = 4;
    pub const RGB: u32 = 0x40;
    /// The texels are normals. Not Microsoft's: NVIDIA Texture Tools and GIMP set it (`DDPF_NORMAL`). Blocks
    /// of BC3 then contain x in alpha and y in green.
    pub const NORMALS: u32 = 0x8000_0000;
}

/// `DDS_HEADER_DXT10::miscFlag`.
pub(crate) mod misc_flag {
    pub const CUBE: u32 = 4;
}

/// Contents of the channels in files by GIMP whose texels are not colours with alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GimpTexels {
    /// Colours divided by their maximum, which is in alpha.
    AlphaExponent,
    /// Y in alpha, Co in red, Cg in green, and alpha in blue.
    YCoCg,
    /// The same with Co and Cg multiplied by a number, which is in blue.
    ScaledYCoCg,
}

impl GimpTexels {
    /// Returns the meaning of words 7 to 10 of the header, `dwReserved1`: the letters `GIMP` and `-DDS`, a
    /// version, and a four-CC.
    ///
    /// Source: GIMP, plug-in *file-dds*, `dds.h`; FFmpeg reads the same four-CCs.
    fn of_reserved([gimp, dds, _version, texels]: [u32; 4]) -> Option<Self> {
        if [gimp, dds].map(u32::to_le_bytes) != [*b"GIMP", *b"-DDS"] {
            return None;
        }
        match &texels.to_le_bytes() {
            b"AEXP" => Some(Self::AlphaExponent),
            b"YCG1" => Some(Self::YCoCg),
            b"YCG2" => Some(Self::ScaledYCoCg),
            _ => None,
        }
    }

    /// Returns the contents in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaExponent => "an exponent in alpha, by GIMP",
            Self::YCoCg => "YCoCg, by GIMP",
            Self::ScaledYCoCg => "scaled YCoCg, by GIMP",
        }
    }
}

/// Order of the channels of colours in BC3, which programs of ATI and AMD state by four letters: the stored
/// channels, of which `x` has no contents. The channel in alpha is compressed best.
///
/// Source: AMD Compressonator, `CMP_FORMAT_DXT5_xGBR` and its neighbours in `compressonator.h`.
#[derive(Debug)]
pub(crate) struct ChannelOrder {
    pub letters: &'static str,
    /// Stored channels of red, green and blue.
    #[cfg_attr(not(feature = "io"), expect(dead_code, reason = "only readers of images put them in order"))]
    pub stored: [usize; 3],
}

/// All orders of three channels.
const CHANNEL_ORDERS: [ChannelOrder; 5] = [
    ChannelOrder { letters: "xGBR", stored: [3, 1, 2] },
    ChannelOrder { letters: "RxBG", stored: [0, 3, 2] },
    ChannelOrder { letters: "RBxG", stored: [0, 3, 1] },
    ChannelOrder { letters: "xRBG", stored: [1, 3, 2] },
    ChannelOrder { letters: "RGxB", stored: [0, 1, 3] },
];

/// Letters for normals in BC3 with x in alpha and y in green: the order of two channels, and ATI's name.
const X_IN_ALPHA_LETTERS: [&str; 2] = ["xGxR", "A2D5"];

/// Four letters that name a format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct FourCc(pub u32);

impl FourCc {
    pub const DX10: Self = Self::new(b"DX10");
    pub const DXT1: Self = Self::new(b"DXT1");
    pub const DXT2: Self = Self::new(b"DXT2");
    pub const DXT3: Self = Self::new(b"DXT3");
    pub const DXT4: Self = Self::new(b"DXT4");
    pub const DXT5: Self = Self::new(b"DXT5");
    pub const ATI1: Self = Self::new(b"ATI1");
    pub const ATI2: Self = Self::new(b"ATI2");
    pub const BC4U: Self = Self::new(b"BC4U");
    pub const BC4S: Self = Self::new(b"BC4S");
    pub const BC5U: Self = Self::new(b"BC5U");
    pub const BC5S: Self = Self::new(b"BC5S");

    const fn new(letters: &[u8; 4]) -> Self {
        Self(u32::from_le_bytes(*letters))
    }

    /// Returns the letters, or the number if they are not letters.
    pub fn name(self) -> String {
        let bytes = self.0.to_le_bytes();
        if bytes.iter().all(u8::is_ascii_alphanumeric) {
            bytes.into_iter().map(char::from).collect()
        } else {
            format!("{:#010x}", self.0)
        }
    }
}

/// `DDS_HEADER_DXT10`.
pub(crate) struct Dx10 {
    pub dxgi_format: u32,
    pub resource_dimension: u32,
    pub misc_flag: u32,
    pub array_size: u32,
    pub misc_flags2: u32,
}

/// Fields of `DDS_HEADER` that texture files use.
pub(crate) struct RawHeader {
    pub size: u32,
    pub flags: u32,
    pub height: u32,
    pub width: u32,
    pub linear_size: u32,
    pub depth: u32,
    pub mip_levels: u32,
    /// Contents of texels that GIMP's writer states.
    pub gimp_texels: Option<GimpTexels>,
    pub pixel_format_size: u32,
    pub pixel_flags: u32,
    pub four_cc: FourCc,
    /// Number of bits of a texel, and the masks of red, green, blue and alpha. All are 0 if a four-CC names
    /// the format.
    pub masks: [u32; 5],
    pub caps: u32,
    pub caps2: u32,
    pub dx10: Option<Dx10>,
}

impl RawHeader {
    /// Returns the header in `bytes`, which start after the magic, or `None` if there are too few.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let word = |index: usize| {
            let word = bytes.get(4 * index..4 * index + 4)?;
            Some(u32::from_le_bytes(word.try_into().ok()?))
        };
        let (pixel_flags, four_cc) = (word(19)?, FourCc(word(20)?));
        // `repair` adds a missing flag.
        let is_four_cc = pixel_flags & pixel_flags::FOUR_CC != 0 || pixel_flags == 0 && word(21)? == 0;
        let is_dx10 = is_four_cc && four_cc == FourCc::DX10;
        let dx10 = if is_dx10 {
            Some(Dx10 {
                dxgi_format: word(31)?,
                resource_dimension: word(32)?,
                misc_flag: word(33)?,
                array_size: word(34)?,
                misc_flags2: word(35)?,
            })
        } else {
            None
        };
        Some(Self {
            size: word(0)?,
            flags: word(1)?,
            height: word(2)?,
            width: word(3)?,
            linear_size: word(4)?,
            depth: word(5)?,
            mip_levels: word(6)?,
            gimp_texels: GimpTexels::of_reserved([word(7)?, word(8)?, word(9)?, word(10)?]),
            pixel_format_size: word(18)?,
            pixel_flags,
            four_cc,
            masks: [word(21)?, word(22)?, word(23)?, word(24)?, word(25)?],
            caps: word(26)?,
            caps2: word(27)?,
            dx10,
        })
    }

    /// Corrects the mistakes of known writers, and returns a note for each correction.
    ///
    /// Sources: issues 392 (size of the pixel format) and 399 (size of the header) and pull request 371
    /// (four-CC without its flag) of DirectXTex.
    pub fn repair(&mut self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.size == 24 {
            notes.push(format!("the header states a size of 24 bytes in place of {HEADER_BYTES}"));
            self.size = HEADER_BYTES;
        }
        if matches!(self.pixel_format_size, 0 | 24) {
            let size = self.pixel_format_size;
            notes.push(format!(
                "the pixel format states a size of {size} bytes in place of {PIXEL_FORMAT_BYTES}"
            ));
            self.pixel_format_size = PIXEL_FORMAT_BYTES;
        }
        if self.pixel_flags == 0 && self.masks[0] == 0 && self.four_cc.0 != 0 {
            notes.push("the flag of the four-CC is missing".to_owned());
            self.pixel_flags = pixel_flags::FOUR_CC;
        }
        // Some writers put the order of the channels in place of the format.
        let is_order = |letters: &str| letters.as_bytes() == self.four_cc.0.to_le_bytes();
        if X_IN_ALPHA_LETTERS.into_iter().any(is_order)
            || CHANNEL_ORDERS.iter().any(|order| is_order(order.letters))
        {
            (self.masks[0], self.four_cc) = (self.four_cc.0, FourCc::DXT5);
        }
        if self.x_in_alpha_letters().is_some() {
            self.pixel_flags |= pixel_flags::NORMALS;
        }
        if let Some(dx10) = &mut self.dx10
            && dx10.resource_dimension == 0
        {
            let is_volume = self.caps2 & caps2::VOLUME != 0;
            dx10.resource_dimension = if is_volume { DIMENSION_3D } else { DIMENSION_2D };
            let dimensions = if is_volume { "3D" } else { "2D" };
            notes.push(format!("the resource dimension is 0; the texture is read as {dimensions}"));
        }
        notes
    }

    /// Returns the order of colours in BC3, if the header states one. It is in place of the bits per texel.
    pub fn channel_order(&self) -> Option<&'static ChannelOrder> {
        CHANNEL_ORDERS.iter().find(|order| self.states_order(order.letters))
    }

    /// Returns the letters by which the header states normals in BC3.
    pub fn x_in_alpha_letters(&self) -> Option<&'static str> {
        X_IN_ALPHA_LETTERS.into_iter().find(|letters| self.states_order(letters))
    }

    fn states_order(&self, letters: &str) -> bool {
        self.four_cc == FourCc::DXT5 && self.masks[0].to_le_bytes() == letters.as_bytes()
    }

    /// True if the file contains normals in BC3: x in alpha, y in green.
    pub fn has_x_in_alpha(&self) -> bool {
        let is_bc3 = match &self.dx10 {
            Some(dx10) => BC3.contains(&dx10.dxgi_format),
            None => self.four_cc == FourCc::DXT5,
        };
        is_bc3 && self.pixel_flags & pixel_flags::NORMALS != 0
    }

    /// Returns the padding after each row of plain texels, in bytes. `row_bytes` is the length of a row
    /// without it, `tight_bytes` that of all mip levels, and `data_bytes` that of the file after the header.
    ///
    /// The header states the pitch, but many writers set it wrong. It applies only if the file is long enough
    /// for such rows, and if it is not exactly as long as whole layers without padding.
    pub fn padding_bytes(&self, row_bytes: u64, tight_bytes: u64, data_bytes: u64) -> u64 {
        let pitch = u64::from(self.linear_size);
        let padding_bytes = pitch.saturating_sub(row_bytes);
        let is_padded = self.flags & flags::PITCH != 0
            && padding_bytes <= MAX_PADDING_BYTES
            && !data_bytes.is_multiple_of(tight_bytes)
            && pitch.saturating_mul(self.height.into()) <= data_bytes;
        if is_padded { padding_bytes } else { 0 }
    }

    /// Returns the bytes of a file before its blocks: magic, header and DX10 header.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut words = [0; 31];
        words[0] = self.size;
        words[1] = self.flags;
        words[2] = self.height;
        words[3] = self.width;
        words[4] = self.linear_size;
        words[5] = self.depth;
        words[6] = self.mip_levels;
        words[18] = self.pixel_format_size;
        words[19] = self.pixel_flags;
        words[20] = self.four_cc.0;
        words[21..26].copy_from_slice(&self.masks);
        words[26] = self.caps;
        words[27] = self.caps2;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        if let Some(dx10) = &self.dx10 {
            let words = [
                dx10.dxgi_format,
                dx10.resource_dimension,
                dx10.misc_flag,
                dx10.array_size,
                dx10.misc_flags2,
            ];
            bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        }
        bytes
    }
}

/// Returns Microsoft's name for the number of a `DXGI_FORMAT`, if this crate knows it.
pub(super) fn dxgi_name(number: u32) -> String {
    #[cfg(feature = "io")]
    if let Ok(format) = dds::header::DxgiFormat::try_from(number) {
        return format!("DXGI_FORMAT_{format:?}");
    }
    format!("DXGI_FORMAT number {number}")
}
