//! Properties of TIFF files.

/// Property of a TIFF file's pages that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TiffFeature {
    /// Several pages in a file that is one slice of a folder.
    #[error("a file of several pages among slices")]
    Pages,
    /// Colour type.
    #[error(transparent)]
    Color(#[from] TiffColor),
    /// Samples that are neither colour nor alpha, or more than four.
    #[error("a voxel of {samples} samples, of which {colors} are colour,")]
    Samples {
        /// Samples per voxel.
        samples: u16,
        /// Samples that are colour or alpha.
        colors: usize,
    },
    /// Samples of several formats in a voxel.
    #[error("a voxel of samples of several formats")]
    MixedFormats,
    /// Type of the samples.
    #[error("a sample of {bits} bits in sample format {format}")]
    Type {
        /// Bits per sample.
        bits: u8,
        /// TIFF's number of the sample format.
        format: u16,
    },
    /// Tiles of one channel each.
    #[error("a page of channels in planes of tiles")]
    PlanarTiles,
    /// Compression, by TIFF's number.
    #[error("a page compressed by {} (compression {number})", compression_name(*number))]
    Compression {
        /// The number.
        number: u16,
    },
    /// Page of several planes, one after the other: their number in the tag ImageDepth.
    #[error("a page of {0} planes (ImageDepth)")]
    ImageDepth(u64),
}

/// Returns the name of a compression that is not read, by TIFF's number.
const fn compression_name(number: u16) -> &'static str {
    match number {
        2 => "CCITT RLE",
        3 => "CCITT Group 3",
        6 => "JPEG in its old form",
        9 | 10 | 34661 => "JBIG",
        32766 | 32771 => "RLE",
        32809 => "ThunderScan",
        32908 | 32909 => "Pixar's formats",
        33003 | 33004 | 33005 | 34712 => "JPEG 2000",
        34676 | 34677 => "SGI's LogLuv",
        34887 => "LERC",
        34892 => "JPEG with loss",
        34925 => "LZMA",
        34933 | 50000 => "Zstandard",
        34927 | 50001 => "WebP",
        50002 | 52546 => "JPEG XL",
        _ => "an unknown method",
    }
}

/// Colour type of TIFF pages that is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TiffColor {
    /// Colours by the index of a palette.
    #[error("a page with a palette")]
    Palette,
    /// Grey with alpha.
    #[error("grey with alpha")]
    GreyAlpha,
    /// CMYK.
    #[error("CMYK")]
    Cmyk,
    /// CMYK with alpha.
    #[error("CMYK with alpha")]
    CmykAlpha,
    /// YCbCr.
    #[error("YCbCr")]
    YCbCr,
    /// CIE L\*a\*b\*.
    #[error("CIE L*a*b*")]
    Lab,
    /// Colour type without a name here.
    #[error("this colour type")]
    Other,
}

/// Property of a stack, as the text of ImageJ, tifffile or OME describes it, that is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PageStackFeature {
    /// Channels of pages that themselves have several channels, or more channels than a volume has.
    #[error("a stack of {channels} channels of {samples} samples")]
    Channels {
        /// Channels of the stack.
        channels: usize,
        /// Samples per voxel of a page.
        samples: usize,
    },
    /// Images that are not one per page, nor all in one page.
    #[error("a stack of {images} images in {pages} pages")]
    Images {
        /// Images that the text describes.
        images: usize,
        /// Pages of the file.
        pages: usize,
    },
    /// Sides of an ImageJ hyperstack whose product is not the number of pages.
    #[error(
        "an ImageJ hyperstack of {channels} channels, {slices} slices and {frames} frames in {pages} pages"
    )]
    ImageJHyperstack {
        /// Channels of the stack.
        channels: usize,
        /// Slices of the stack.
        slices: usize,
        /// Frames of the stack.
        frames: usize,
        /// Pages of the file.
        pages: usize,
    },
    /// MetaMorph stack whose planes do not follow each other, or are compressed.
    #[error("a MetaMorph stack of {0} planes that are compressed or not one after the other")]
    MetaMorph(usize),
    /// MetaMorph stack of several wavelengths, whose order along the axes is unknown.
    #[error("a MetaMorph stack of several wavelengths")]
    MetaMorphWavelengths,
    /// Shape in tifffile's text that is not that of the pages; cut short.
    #[error("a stack of the shape {0} by its text, which its pages do not have")]
    Shaped(String),
    /// Axes in tifffile's text, others than channels, slices and frames; cut short.
    #[error("the axes {0:?}")]
    Axes(String),
    /// Planes of OME in several files.
    #[error("an OME-TIFF series of several files")]
    OmeFiles,
    /// OME's description in another file.
    #[error("an OME-TIFF file whose description is in another file")]
    OmeDescription,
    /// Number of OME's images.
    #[error("an OME-TIFF file of {0} images")]
    OmeImages(usize),
    /// Sides of OME's image whose product is not the number of pages.
    #[error("an OME-TIFF file of {channels} channels, {slices} slices and {frames} frames in {pages} pages")]
    OmePlanes {
        /// Channels, without the samples of a page.
        channels: usize,
        /// Slices of the image.
        slices: usize,
        /// Frames of the image.
        frames: usize,
        /// Pages of the file.
        pages: usize,
    },
    /// Order of the axes; the text is cut short.
    #[error("the DimensionOrder {0:?}")]
    DimensionOrder(String),
    /// Planes that the text names twice.
    #[error("an OME-TIFF file that names planes twice")]
    OmeTwice,
    /// Plane without a page.
    #[error("an OME-TIFF file without the page of channel {channel}, slice {slice}, frame {frame}")]
    OmeMissing {
        /// Channel of the plane.
        channel: usize,
        /// Slice of the plane.
        slice: usize,
        /// Frame of the plane.
        frame: usize,
    },
}
