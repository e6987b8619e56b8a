//! Faults of image files that are damaged, truncated, or were never valid.

use super::words::one_line;

/// A fault of an image file. It is displayed in one line, without a period.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageFault {
    /// The file ends too early.
    #[error("the file ends too early")]
    Ends,
    /// The file ends before a part of known size.
    #[error("the file ends too early: {needed} bytes are needed, {available} are there")]
    EndsWithin {
        /// Bytes of the part.
        needed: u64,
        /// Bytes of it that the file has.
        available: u64,
    },
    /// The file has too few bytes for its size in texels.
    #[error("{bytes} bytes are too few for {}×{} texels", size[0], size[1])]
    TooFewBytes {
        /// Bytes of the file.
        bytes: u64,
        /// Width and height in texels.
        size: [u64; 2],
    },
    /// The file has too few bytes for the width of its tiles.
    #[error("{bytes} bytes are too few for tiles so wide")]
    WideTiles {
        /// Bytes of the file.
        bytes: u64,
    },
    /// A side of the image is 0.
    #[error("the image has no texels: {}×{}", .0[0], .0[1])]
    NoTexels([u32; 2]),
    /// The first frame of an animation has no texels.
    #[error("the first frame has no texels")]
    NoFrameTexels,
    /// A width and height that no image can have.
    #[error("an impossible size of {}×{} texels", .0[0], .0[1])]
    Size([u64; 2]),
    /// A side that no image can have.
    #[error("a side of {0} texels is impossible")]
    Side(usize),
    /// The file is not a TGA file.
    #[error("not a TGA file")]
    NotTga,
    /// The header of a PAM file has no end.
    #[error("no ENDHDR")]
    NoHeaderEnd,
    /// An EXR file has no part.
    #[error("the file has no part")]
    NoPart,
    /// The table of chunks of an EXR file is longer than the file.
    #[error("the table of chunks is longer than the file")]
    ChunkTable,
    /// A TIFF file has no directory.
    #[error("no directory")]
    NoDirectory,
    /// A directory of a TIFF file is outside the file.
    #[error("the directory is outside the file")]
    DirectoryOutside,
    /// A tag of a TIFF file has more values than the file has bytes.
    #[error("a tag has more values than the file has bytes")]
    ManyValues,
    /// A TIFF file has no width or height.
    #[error("the size is missing")]
    NoSize,
    /// The tiles of a TIFF file have no width.
    #[error("the tile width is 0")]
    NoTileWidth,
    /// A TIFF file does not state the offsets of its strips or tiles.
    #[error("the offsets or lengths of the strips or tiles are missing")]
    NoPlaces,
    /// A strip or tile is too short for its texels.
    #[error("strip or tile {0} is too short")]
    ShortChunk(usize),
    /// A palette has no colour map.
    #[error("a palette without a colour map")]
    NoColorMap,
    /// A colour map has a wrong number of values.
    #[error("a colour map of {count} values where {needed} are needed")]
    ColorMap {
        /// Values of the map.
        count: usize,
        /// Values that the indices need.
        needed: usize,
    },
    /// A JPEG image is larger than its strip or tile.
    #[error(
        "a JPEG image of {}×{} in a strip or tile of {}×{}", size[0], size[1], chunk[0], chunk[1]
    )]
    JpegSize {
        /// Width and height of the JPEG image.
        size: [u32; 2],
        /// Width and height of the strip or tile.
        chunk: [u32; 2],
    },
    /// A JPEG marker is missing.
    #[error("a marker is missing")]
    NoMarker,
    /// A JPEG file has no image.
    #[error("no image before the end")]
    NoImage,
    /// A JPEG segment has an impossible length.
    #[error("a segment shorter than its length")]
    SegmentLength,
    /// A frame header of a JPEG file is too short.
    #[error("a frame header cut short")]
    FrameHeader,
    /// The components of a JPEG file are impossible.
    #[error("impossible components or sampling factors")]
    Components,
    /// A scan of a JPEG file comes before the frame header.
    #[error("a scan before the frame header")]
    NoFrameHeader,
    /// A Radiance file does not start with `#?`.
    #[error("the file does not start with #?")]
    RadianceStart,
    /// A field of a Radiance header has an impossible value.
    #[error("{name} is {}, not {expected}", one_line(value))]
    Field {
        /// Name of the field.
        name: &'static str,
        /// Value, as the file states it.
        value: String,
        /// Values that the field can have.
        expected: &'static str,
    },
    /// The product of the exposures of a Radiance header is impossible.
    #[error("an exposure of {0} is impossible")]
    Exposure(f64),
    /// A Radiance header has no end within its greatest length.
    #[error("the header has no end")]
    LongHeader,
    /// The file ends within a Radiance header.
    #[error("the file ends in the header")]
    EndsInHeader,
    /// A scanline of a Radiance file is wrong.
    #[error("scanline {index} of {count}: {fault}")]
    Scanline {
        /// Index of the scanline.
        index: usize,
        /// Number of scanlines.
        count: u32,
        /// The fault.
        fault: ScanlineFault,
    },
    /// A fault that the format's decoder reports, in its words.
    #[error("{}", one_line(.0))]
    Decoder(String),
}

/// A fault of a scanline of a Radiance file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScanlineFault {
    /// The scanline states another number of texels than the header.
    #[error("it has {texels} texels but states {stated}")]
    Length {
        /// Texels of a scanline, by the header.
        texels: usize,
        /// Texels, by the scanline.
        stated: usize,
    },
    /// A run of texels is empty or ends after the scanline.
    #[error("a run of {length} texels at texel {at} is too long or empty")]
    Run {
        /// Texels of the run.
        length: usize,
        /// First texel of the run.
        at: usize,
    },
    /// The first texel repeats another one.
    #[error("it starts with a run")]
    StartsWithRun,
}
