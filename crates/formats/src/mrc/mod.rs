//! Maps of MRC and CCP4 (`.mrc`, `.map`, `.rec`, `.st`, `.ali`, `.mrcs`): a header of 1024 bytes, an extended
//! header, and numbers. Cheng et al. 2015, MRC2014: Extensions to the MRC format header for electron
//! cryo-microscopy and tomography, <https://doi.org/10.1016/j.jsb.2015.04.002>, with the changes on
//! <https://www.ccpem.ac.uk/mrc-format/mrc2014/>. IMOD's flags are on
//! <https://bio3d.colorado.edu/imod/doc/mrc_format.txt>.
//!
//! - **Lengths** are in ångström, 10⁻⁷ mm. The distance between voxels is CELLA divided by MX, MY, MZ; either
//!   may be 0 for unknown. Cell angles become directions: x along the first axis, y in the plane of the first
//!   two, as in CCP4.
//! - **Position**: ORIGIN unless it is 0, else NXSTART, NYSTART, NZSTART, as in ChimeraX. These are in the
//!   order of the file's axes. IMOD's files state whether ORIGIN has the opposite sign.
//! - **Axes**: MAPC, MAPR and MAPS name the axes of columns, rows and sections. Voxels come out as x, y, z.
//! - **Stacks**: ISPG 401 to 630 are volumes of MZ sections, one after the other. ISPG 0 with MZ = 1 are
//!   images. Both become frames. ISPG 0 with another MZ is a volume, as IMOD and older programs write it.
//! - **Bytes** are signed in MRC2014, and as IMOD's flags state. In other files, DMIN and DMAX decide, as in
//!   IMOD; if they do not, MRC2000 and CCP4 are signed, and older files are not. Unsigned bytes are written
//!   as u16 (mode 6), as by mrcfile.
//! - **Byte order**: the machine stamp's, unless only the other order gives a plausible header.
//!
//! | file | contents |
//! |---|---|
//! | `fields.rs`, `position.rs`, `read.rs` | fields; distances, directions and position; headers |
//! | `write.rs`, `statistics.rs` | headers and voxels; their extremes, mean and deviation |

mod fields;
mod position;
mod read;
mod statistics;
mod write;

pub(crate) use read::{Found, is_old_start, is_start, read_header};
pub(crate) use write::{cuts_labels, kept_names, stores_directions, write_map};

/// Extensions of files that are recognized without the letters MAP. Other formats have some of these, too.
pub const OLD_EXTENSIONS: [&str; 5] = ["map", "rec", "st", "ali", "ccp4"];

const HEADER_BYTES: usize = 1024;

/// Ångström per millimetre.
const PER_MILLIMETRE: f64 = 1e7;

/// Stamp of IMOD, in front of its flags.
const IMOD_STAMP: i32 = 1_146_047_817;

/// IMOD's flag: bytes are signed.
const SIGNED_BYTES: i32 = 1;

/// IMOD's flag: ORIGIN has the sign of MRC2014.
const STANDARD_ORIGIN: i32 = 4;

/// IMOD's flag: a negative RMS was not computed.
const NEGATIVE_RMS: i32 = 8;

/// IMOD's flag: bytes have two voxels each.
const PACKED_BYTES: i32 = 16;

/// First version of the format that states one.
const VERSION: i32 = 20140;

/// Starts of the fields, in bytes.
mod at {
    pub const SIZES: usize = 0;
    pub const MODE: usize = 12;
    pub const STARTS: usize = 16;
    pub const GRID: usize = 28;
    pub const CELL: usize = 40;
    pub const ANGLES: usize = 52;
    pub const AXES: usize = 64;
    pub const MIN: usize = 76;
    pub const MAX: usize = 80;
    pub const MEAN: usize = 84;
    pub const SPACE_GROUP: usize = 88;
    pub const EXTENDED_BYTES: usize = 92;
    pub const EXTENDED_TYPE: usize = 104;
    pub const VERSION: usize = 108;
    pub const IMOD_STAMP: usize = 152;
    pub const IMOD_FLAGS: usize = 156;
    pub const ORIGIN: usize = 196;
    pub const MAP: usize = 208;
    pub const MACHINE_STAMP: usize = 212;
    pub const RMS: usize = 216;
    pub const LABEL_COUNT: usize = 220;
    pub const LABELS: usize = 224;
}

const LABEL_BYTES: usize = 80;
