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

mod channel;
mod color_space;
mod container;
mod contents_note;
mod cubes;
#[cfg(test)]
mod decision_tests;
mod encode;
mod error;
mod error_kinds;
mod error_words;
mod facts;
mod files;
mod format;
mod hint;
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
mod trial;
mod use_names;
pub mod values;
mod whole;

pub use channel::PictureChannel;
pub use color_space::ColorSpaceReason;
pub use container::refused_size;
pub use cubes::encode_cubes;
pub use encode::{EncodedTexture, encode_pictures};
pub use error::{OptionsError, TextureJobError};
use facts::PictureFacts;
pub use files::encode_files;
pub use format::{FormatChoice, UnknownFormatChoice};
pub use layout::TextureLayout;
pub use level_files::{LevelFile, LevelFiles};
pub use measure_error::MeasureError;
pub use note::TextureNote;
pub use options::{
    Doors, Exclusion, JsonSetting, MipLevels, Need, OptionRow, SettingText, Stage, Syntax, TextureOptions,
    UsedOptions, Value, Values,
};
pub use packing::{ChannelFile, ChannelFiles, ChannelPacking, PackingError};
pub use plain::channel_type;
pub use plan::TexturePlan;
pub use prepare::{NormalOptions, PictureSize, PowerOfTwo, SizeRules};
pub use rdo_target::{RdoSearch, RdoTarget, RdoTargetError};
pub use read::{
    info_any, info_or_header, read_any, read_if_texture, read_picture, read_texture, texture_info,
};
pub use result::{Measured, simd_name};
pub use rules::{
    Assignment, Choice, NamedOptionError, NamedOptions, Overrides, RULE_FILE, RuleBook, RuleError, RuleFault,
    unused_rule_files,
};
pub use sources::{PictureSource, encode_sources};
pub use special_values::SpecialValues;
pub use trial::TextureTrial;
pub use use_names::use_of_name;
