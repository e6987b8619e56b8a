//! Damage of JPEG images in DICOM and TIFF files.

/// Damage of a JPEG, JPEG-LS or JPEG 2000 image in a DICOM file, or a JPEG image in a TIFF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JpegFault {
    /// There is no start-of-image marker.
    #[error("does not start with a JPEG image")]
    Start,
    /// The image ends before its last scan.
    #[error("the JPEG image ends too soon")]
    End,
    /// A segment is longer than the image.
    #[error("a segment of the JPEG image ends too soon")]
    SegmentEnd,
    /// The segment of the restart interval does not have two bytes.
    #[error("the JPEG image's restart interval is invalid")]
    RestartInterval,
    /// The frame header is too short.
    #[error("the JPEG image's frame header ends too soon")]
    FrameEnd,
    /// There are two frame headers.
    #[error("the JPEG image has two frame headers")]
    TwoFrames,
    /// A Huffman table is longer than its segment.
    #[error("a Huffman table ends too soon")]
    TableEnd,
    /// A Huffman table has an invalid number, symbol or count of codes.
    #[error("a Huffman table is invalid")]
    Table,
    /// A scan comes before the frame header.
    #[error("a JPEG scan comes before the frame header")]
    NoFrame,
    /// A scan has no header.
    #[error("a JPEG scan has no header")]
    NoScanHeader,
    /// A scan's header has an invalid length or predictor.
    #[error("a JPEG scan's header is invalid")]
    ScanHeader,
    /// A scan names a component or table that the image does not have.
    #[error("a JPEG scan names what is not there")]
    UnknownName,
    /// The restart interval is not a number of whole rows.
    #[error("the JPEG image restarts within a row")]
    RestartInRow,
    /// A restart marker is missing.
    #[error("the JPEG image lacks a restart")]
    NoRestart,
    /// A parameter of the coder of JPEG-LS or JPEG 2000 is invalid.
    #[error("the JPEG image's parameters are invalid")]
    Parameters,
    /// The data of a scan ends too early.
    #[error("the JPEG image's data ends too soon")]
    DataEnd,
    /// The data of a scan has a code that is not in its table.
    #[error("the JPEG image's data has a code that is not in its table")]
    Code,
    /// A sample has more bits than the frame header states.
    #[error("a JPEG sample has more bits than it may")]
    SampleBits,
}
