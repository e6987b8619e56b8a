//! Textures: input images become a texture file.
//!
//! ```text
//! inputs → read → facts → plan (format, colour space, alpha, shape, notes) → encode → measure → write
//! ```
//!
//! [`encode_files`] does all of this for a job of a [batch](crate::batch), [`encode_pictures`] for pictures
//! in memory, and [`encode_sources`] for texels in memory and files together. [`assemble_files`] makes cubes,
//! arrays and 3D textures, also of textures. Files that do not fit into memory together are read one at a
//! time, again for each step. [`TextureOptions`] contains
//! the requests. Properties that it does not state depend on the pictures. [`decode_file`] makes a PNG file
//! of an image, [`extract_images`] writes several images or parts of a texture, [`convert_file`] changes a
//! texture file without encoding, [`compare_images`] measures the difference between two images,
//! [`write_html_report`] shows it on a page, [`write_html_folders_report`] shows the pairs of two folders on
//! one page, and [`describe`] reports the properties of a file.
//! [`validate_file`] checks a texture file against the specification of its container. [`AuditPlan`] examines
//! folders: the GPU memory that textures take, and the loss at which block formats would save it.

mod assemble;
mod audit;
mod block_endpoints;
mod block_modes;
mod channel;
mod color_space;
mod compare;
mod container;
mod contents_note;
mod convert;
#[cfg(test)]
mod decision_tests;
mod decode;
mod encode;
mod error;
mod error_kinds;
mod error_words;
mod extensions;
mod extract;
mod facts;
mod files;
mod format;
mod half_floats;
mod heat_map;
mod hint;
mod html_report;
mod info;
#[cfg(test)]
mod kind_tests;
mod layout;
mod level_files;
mod measure_error;
mod note;
mod option_names;
mod options;
mod packing;
mod pictures;
mod plain;
mod plan;
mod prepare;
mod rdo_target;
mod read;
mod result;
mod roughness;
mod rules;
mod sources;
mod special_values;
#[cfg(test)]
mod surprise_tests;
#[cfg(test)]
mod tests;
#[cfg(feature = "gpu")]
mod tiling;
mod use_names;
mod validate;
pub mod values;
mod whole;

pub use assemble::{
    AssembleOptions, AssembledFile, AssembledFrom, FaceOrder, assemble_files, cubes_among, face_of_word,
    order_faces,
};
pub use audit::{AuditError, AuditOptions, AuditPlan, ModelFault, audit_page};
pub use block_endpoints::BlockEndpoints;
pub use block_modes::{BlockModes, BlockPicture};
pub use channel::PictureChannel;
pub use color_space::ColorSpaceReason;
pub use compare::{
    CompareInput, CompareNote, CompareOptions, ComparisonPicture, FileComparison, FilePair, FolderPairs,
    ImageComparison, Measure, MeasureLimit, NotCompared, Violation, compare_files, compare_images,
    pair_folders,
};
pub use convert::{ConvertNote, ConvertedFile, Supercompression, TextureConvertOptions, convert_file};
pub use decode::{DecodedFile, DecodedPicture, TextureDecodeOptions, decode_file, decode_image};
pub use encode::{EncodedTexture, encode_pictures};
pub use error::{OptionsError, TextureJobError};
pub use extensions::{image_extensions, texture_extensions, unread_images};
pub use extract::{ExtractForm, ExtractOutput, Selection, TextureExtractOptions, extract_images};
pub use facts::PictureFacts;
pub use files::{TextureFile, encode_batch, encode_files};
pub use format::{FormatChoice, UnknownFormatChoice};
pub use html_report::{
    EncodingRecords, HtmlReportError, HtmlReportOptions, write_html_folders_report, write_html_report,
};
pub use info::describe;
pub use layout::TextureLayout;
pub use level_files::{LevelFile, LevelFiles};
pub use measure_error::MeasureError;
pub use note::TextureNote;
pub use options::{
    Doors, Exclusion, JsonSetting, MipLevels, Need, OptionRow, SettingText, Settings, Stage, Syntax,
    TextureOptions, Value, Values,
};
pub use packing::{ChannelFile, ChannelFiles, ChannelPacking, PackingError};
pub use plan::TexturePlan;
pub use prepare::{NormalOptions, PictureSize, PowerOfTwo, SizeRules};
pub use rdo_target::{RdoSearch, RdoTarget, RdoTargetError};
pub use read::{info_any, read_any, read_if_texture, read_picture, read_texture};
pub use result::{Measured, simd_name};
pub use rules::{
    Assignment, Choice, Overrides, RULE_FILE, RuleBook, RuleError, RuleFault, unused_rule_files,
};
pub use sources::{PictureSource, encode_sources};
#[cfg(feature = "gpu")]
pub use tiling::{ExaminedTilings, TILING_FORMATS, TILING_SIZES, examine_tilings};
pub use validate::validate_file;
