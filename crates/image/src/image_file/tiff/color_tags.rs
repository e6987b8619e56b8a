//! Tags of colours: primaries, and the luminances and ranges of YCbCr.

use super::super::{color::FileColor, primaries::Primaries};

const TRANSFER_FUNCTION: u64 = 301;
const WHITE_POINT: u64 = 318;
const PRIMARY_CHROMATICITIES: u64 = 319;
const DOT_RANGE: u64 = 336;
const YCBCR_COEFFICIENTS: u64 = 529;
const REFERENCE_BLACK_WHITE: u64 = 532;

/// Note about numbers of YCbCr that give no colours.
const IMPOSSIBLE_YCBCR: &str =
    "the coefficients or references of YCbCr are impossible; those of JPEG are assumed";

/// Tags of colours that a directory has.
#[derive(Default)]
pub(super) struct ColorTags {
    has_transfer_function: bool,
    white: Option<[f64; 2]>,
    /// Numbers of no ink and of full ink, for all inks.
    pub dot_range: Option<[f64; 2]>,
    /// Chromaticities of red, green and blue.
    primaries: Option<[f64; 6]>,
    /// Luminances of red, green and blue.
    coefficients: Option<[f64; 3]>,
    /// Black and white of Y, Cb and Cr.
    references: Option<[f64; 6]>,
}

impl ColorTags {
    /// Returns the number of values of a tag of colours that are needed, or `None` for other tags.
    pub fn value_count(tag: u64) -> Option<u64> {
        Some(match tag {
            TRANSFER_FUNCTION => 0,
            WHITE_POINT | DOT_RANGE => 2,
            YCBCR_COEFFICIENTS => 3,
            PRIMARY_CHROMATICITIES | REFERENCE_BLACK_WHITE => 6,
            _ => return None,
        })
    }

    /// Takes the values of a tag. Others than [`value_count`](Self::value_count) are ignored.
    pub fn set(&mut self, tag: u64, values: &[f64]) {
        match tag {
            TRANSFER_FUNCTION => self.has_transfer_function = true,
            WHITE_POINT => self.white = values.try_into().ok(),
            DOT_RANGE => self.dot_range = values.try_into().ok(),
            PRIMARY_CHROMATICITIES => self.primaries = values.try_into().ok(),
            YCBCR_COEFFICIENTS => self.coefficients = values.try_into().ok(),
            REFERENCE_BLACK_WHITE => self.references = values.try_into().ok(),
            _ => {}
        }
    }

    /// Adds what the tags state to the colour space of a file without an ICC profile. White is D65 if only
    /// the primaries are stated.
    pub fn apply(&self, mut color: FileColor) -> FileColor {
        if let Some([red_x, red_y, green_x, green_y, blue_x, blue_y]) = self.primaries {
            let primaries = Primaries {
                red: [red_x, red_y],
                green: [green_x, green_y],
                blue: [blue_x, blue_y],
                white: self.white.unwrap_or(Primaries::REC709.white),
            };
            color.set_primaries(primaries, "TIFF PrimaryChromaticities");
        }
        if self.has_transfer_function {
            color.ignored.push("the TransferFunction of the TIFF file is not applied".to_owned());
        }
        color
    }

    /// Returns the conversion of YCbCr, and a note if the tags are impossible.
    pub fn ycbcr(&self) -> (YCbCr, Option<String>) {
        match YCbCr::of(self.coefficients.unwrap_or(BT601), self.references.unwrap_or(FULL_RANGE)) {
            Some(ycbcr) => (ycbcr, None),
            None => (YCbCr::JPEG, Some(IMPOSSIBLE_YCBCR.to_owned())),
        }
    }
}

/// Luminances of red, green and blue of ITU-R BT.601.
const BT601: [f64; 3] = [0.299, 0.587, 0.114];
const FULL_RANGE: [f64; 6] = [0.0, 255.0, 128.0, 255.0, 128.0, 255.0];

/// Conversion of YCbCr to red, green and blue.
#[derive(Clone, Copy)]
pub(super) struct YCbCr {
    /// Luminances of red, green and blue.
    coefficients: [f64; 3],
    /// Number that is black or no colour, and factor, of Y, Cb and Cr.
    ranges: [[f64; 2]; 3],
}

impl YCbCr {
    /// YCbCr of JPEG (ITU-T T.871, section 7).
    pub const JPEG: Self = Self { coefficients: BT601, ranges: [[0.0, 1.0], [128.0, 1.0], [128.0, 1.0]] };

    /// Returns the conversion of TIFF 6.0, sections 20 and 21; `None` if it is impossible.
    fn of(coefficients: [f64; 3], references: [f64; 6]) -> Option<Self> {
        let [y_black, y_white, cb_black, cb_white, cr_black, cr_white] = references;
        let range = |black: f64, white: f64, coding_range: f64| [black, coding_range / (white - black)];
        let ranges = [
            range(y_black, y_white, 255.0),
            range(cb_black, cb_white, 127.0),
            range(cr_black, cr_white, 127.0),
        ];
        let is_possible = ranges.as_flattened().iter().all(|value| value.is_finite())
            && coefficients.iter().all(|&value| value > 0.0 && value < 1.0);
        is_possible.then_some(Self { coefficients, ranges })
    }

    /// Returns red, green and blue.
    pub fn rgb(&self, texel: [u8; 3]) -> [u8; 3] {
        let [red_share, green_share, blue_share] = self.coefficients;
        let number = |i: usize| (f64::from(texel[i]) - self.ranges[i][0]) * self.ranges[i][1];
        let [y, cb, cr] = [0, 1, 2].map(number);
        let red = y + (2.0 - 2.0 * red_share) * cr;
        let blue = y + (2.0 - 2.0 * blue_share) * cb;
        let green = (y - red_share * red - blue_share * blue) / green_share;
        [red, green, blue].map(|value| value.round().clamp(0.0, 255.0) as u8)
    }
}
