//! Types of the values of options.
//!
//! | file | contents |
//! |---|---|
//! | `format_choice.rs`, `format_family.rs`, `layout.rs`, `mip_levels.rs` | the texture |
//! | `channel.rs`, `channel_scale.rs`, `channel_packing.rs`, `level_files.rs` | channels, files |
//! | `size_rules.rs`, `normal_options.rs`, `rdo_target.rs` | sizes, normal maps, target of λ |
//! | `values.rs` | the syntax of values |

mod channel;
mod channel_packing;
mod channel_scale;
mod format_choice;
mod format_family;
mod layout;
mod level_files;
mod mip_levels;
mod normal_options;
mod rdo_target;
mod size_rules;
pub mod values;

pub use channel::PictureChannel;
pub use channel_packing::{ChannelFile, ChannelFiles, ChannelPacking, PackingError};
pub use channel_scale::ChannelScale;
pub(super) use channel_scale::ChannelTerm;
pub use format_choice::{FormatChoice, UnknownFormatChoice};
pub use format_family::{FormatFamily, UnknownFormatFamily};
pub use layout::TextureLayout;
pub use level_files::{LevelFile, LevelFiles};
pub use mip_levels::MipLevels;
pub use normal_options::NormalOptions;
pub use rdo_target::{RdoSearch, RdoTarget, RdoTargetError};
pub use size_rules::{PictureSize, PowerOfTwo, SizeRules};
