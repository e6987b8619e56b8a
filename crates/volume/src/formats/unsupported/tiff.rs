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
    /// Compressed bytes whose lowest bit is the first.
    #[error("reversed bits (FillOrder 2) with compression {compression}")]
    ReversedBits {
        /// TIFF's number of the compression.
        compression: u16,
    },
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
    /// Channels of pages that themselves have several channels, or more than four channels.
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
