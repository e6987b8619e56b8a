//! The parts of a `.bwv` file that errors name.

use std::fmt;

/// A part of a `.bwv` file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FilePart {
    /// The header, with the metadata.
    Header,
    /// The metadata in the header.
    Metadata,
    /// The index.
    Index,
    /// The last bytes of the file.
    Footer,
    /// A chunk of a mip level.
    Chunk {
        /// The mip level; 0 is the volume itself.
        mip_level: usize,
        /// The number of the chunk in the mip level.
        number: usize,
    },
    /// A rank table, by its number.
    RankTable(usize),
    /// A pattern table, by its number.
    PatternTable(usize),
    /// The bricks of a section of the profile guthe2016.
    Section(FileSection),
    /// The offset volume of a section of the profile guthe2016.
    Offsets(FileSection),
    /// A tile number of the offset volume of a section of the profile guthe2016.
    TileNumber(FileSection),
    /// A brick of a section of the profile guthe2016.
    Brick {
        /// The section.
        section: FileSection,
        /// Column, row and layer, if they are known.
        place: Option<[usize; 3]>,
    },
}

/// A section of the profile guthe2016: a component of a frame of a mip level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FileSection {
    /// The mip level; 0 is the volume itself.
    pub mip_level: usize,
    /// The number of the section in the mip level.
    pub number: usize,
}

impl fmt::Display for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("the header"),
            Self::Metadata => f.write_str("the metadata"),
            Self::Index => f.write_str("the index"),
            Self::Footer => f.write_str("the footer"),
            Self::Chunk { mip_level: 0, number } => write!(f, "chunk {number}"),
            Self::Chunk { mip_level, number } => write!(f, "chunk {number} of level {mip_level}"),
            Self::RankTable(number) => write!(f, "rank table {number}"),
            Self::PatternTable(number) => write!(f, "pattern table {number}"),
            Self::Section(section) => section.fmt(f),
            Self::Offsets(section) => write!(f, "the offsets of {section}"),
            Self::TileNumber(section) => write!(f, "a tile number of {section}"),
            Self::Brick { section, place: Some([x, y, z]) } => {
                write!(f, "the brick at ({x}, {y}, {z}) of {section}")
            }
            Self::Brick { section, place: None } => write!(f, "a brick of {section}"),
        }
    }
}

impl fmt::Display for FileSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "section {}", self.number)?;
        if self.mip_level == 0 { Ok(()) } else { write!(f, " of level {}", self.mip_level) }
    }
}
