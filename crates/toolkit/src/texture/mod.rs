//! Textures: input images become a texture file.
//!
//! ```text
//! inputs → read → facts → plan (format, colour space, alpha, shape, notes) → encode → measure → write
//! ```
//!
//! [`encode_files`] does this for files, which are read one at a time, again for each step, if they do not
//! fit into memory together; [`encode_pictures`] for pictures in memory; [`encode_sources`] for texels in
//! memory and files together; and [`encode_cubes`] for crosses, strips and panoramas. [`TextureOptions`]
//! contains the requests. Properties that it does not state depend on the pictures. [`TextureTrial`] plans
//! the texture of a picture and encodes it, and nothing is written.

mod alpha_use;
mod changes;
mod check;
mod color_space;
mod container;
mod contents_note;
mod cubes;
#[cfg(test)]
mod decision_tests;
mod encode;
mod engines;
mod error;
mod facts;
#[cfg(test)]
mod family_tests;
mod files;
mod format;
mod hint;
#[cfg(test)]
mod kind_tests;
mod min_psnr;
mod note;
mod notes;
mod options;
mod packing;
mod parts;
mod picture_files;
mod pictures;
mod plain;
mod plan;
mod prepare;
mod psnr_scope;
mod rdo_sample;
mod rdo_search;
mod rdo_steps;
mod read;
mod requests;
mod result;
mod roughness;
mod rules;
mod size_budget;
mod sources;
mod special_values;
#[cfg(test)]
mod surprise_tests;
#[cfg(test)]
mod tests;
mod texture_plan;
mod trial;
mod use_names;
mod whole;

pub use container::refused_size;
pub use cubes::encode_cubes;
pub use encode::{EncodedTexture, PlannedTexture, encode_pictures};
pub use engines::Engine;
pub use error::{MeasureError, OptionsError, TextureJobError};
use facts::PictureFacts;
pub use files::{encode_files, plan_files, prepared_picture};
pub use note::TextureNote;
use options::{Doors, Exclusion, Need, Stage};
pub use options::{OptionRow, Syntax, TextureOptions, UsedOptions, Value, Values};
pub use plain::channel_type;
pub use psnr_scope::PsnrScope;
pub use read::{
    info_any, info_or_header, read_any, read_if_texture, read_picture, read_texture, texture_info,
};
use requests::ChannelTerm;
pub use requests::{
    ChannelFile, ChannelFiles, ChannelPacking, ChannelScale, FormatChoice, FormatFamily, LevelFile,
    LevelFiles, MipLevels, NormalOptions, PackingError, PictureChannel, PictureSize, PowerOfTwo, RdoSearch,
    RdoTarget, RdoTargetError, SizeRules, TextureLayout, UnknownFormatChoice, UnknownFormatFamily, values,
};
pub use result::{Measured, simd_name};
pub use rules::{
    Assignment, Choice, NamedOptionError, NamedOptions, Overrides, Pattern, RULE_FILE, RuleBook, RuleError,
    RuleFault, rule_file_in, unused_rule_files,
};
pub use size_budget::{SizeBudget, SizeCurve, size_of_file};
pub use sources::{PictureSource, encode_sources};
pub use special_values::SpecialValues;
pub use texture_plan::{ColorSpaceReason, TexturePlan};
pub use trial::TextureTrial;
pub use use_names::use_of_name;
