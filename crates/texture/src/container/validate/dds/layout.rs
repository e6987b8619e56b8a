//! Storage of images: the number of bytes that a format needs.

/// Storage of a format's images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Blocks of 4×4 texels with this number of bytes.
    Blocks(u8),
    /// Texels with this number of bits, in rows of whole bytes.
    Bits(u8),
    /// Pairs of neighbours with this number of bytes.
    Pairs(u8),
}

impl Layout {
    /// Bytes of a row of texels or blocks.
    pub fn row_bytes(self, width: u32) -> u64 {
        match self {
            Self::Blocks(bytes) => u64::from(width.div_ceil(4)) * u64::from(bytes),
            Self::Bits(bits) => (u64::from(width) * u64::from(bits)).div_ceil(8),
            Self::Pairs(bytes) => u64::from(width.div_ceil(2)) * u64::from(bytes),
        }
    }

    /// Bytes of an image.
    pub fn image_bytes(self, width: u32, height: u32) -> u64 {
        let rows = if matches!(self, Self::Blocks(_)) { height.div_ceil(4) } else { height };
        self.row_bytes(width).saturating_mul(rows.into())
    }

    /// Returns the storage of a `DXGI_FORMAT`, and true if it is typeless. `Err(true)` means that the format
    /// has several planes, `Err(false)` that there is no such format.
    pub fn of_dxgi(number: u32) -> Result<(Self, bool), bool> {
        let layout = match number {
            1..=4 => Self::Bits(128),
            5..=8 => Self::Bits(96),
            9..=22 | 102 => Self::Bits(64),
            23..=47 | 67 | 87..=93 | 100 | 101 => Self::Bits(32),
            48..=59 | 85 | 86 | 114 | 115 | 191 => Self::Bits(16),
            60..=65 | 111..=113 => Self::Bits(8),
            66 => Self::Bits(1),
            68 | 69 | 107 => Self::Pairs(4),
            108 | 109 => Self::Pairs(8),
            70..=72 | 79..=81 => Self::Blocks(8),
            73..=78 | 82..=84 | 94..=99 => Self::Blocks(16),
            103..=106 | 110 | 130..=132 | 189 | 190 => return Err(true),
            _ => return Err(false),
        };
        let is_typeless = matches!(
            number,
            1 | 5
                | 9
                | 15
                | 19
                | 21
                | 22
                | 23
                | 27
                | 33
                | 39
                | 44
                | 46
                | 47
                | 48
                | 53
                | 60
                | 70
                | 73
                | 76
                | 79
                | 82
                | 90
                | 92
                | 94
                | 97
        );
        Ok((layout, is_typeless))
    }

    /// Returns the storage of a four-CC. Some are numbers of `D3DFORMAT`.
    pub fn of_four_cc(four_cc: u32) -> Option<Self> {
        Some(match &four_cc.to_le_bytes() {
            b"DXT1" | b"ATI1" | b"BC4U" | b"BC4S" => Self::Blocks(8),
            b"DXT2" | b"DXT3" | b"DXT4" | b"DXT5" | b"ATI2" | b"BC5U" | b"BC5S" => Self::Blocks(16),
            b"RGBG" | b"GRGB" | b"UYVY" | b"YUY2" => Self::Pairs(4),
            _ => match four_cc {
                36 | 110 | 113 | 115 => Self::Bits(64),
                111 | 117 => Self::Bits(16),
                112 | 114 => Self::Bits(32),
                116 => Self::Bits(128),
                _ => return None,
            },
        })
    }
}
