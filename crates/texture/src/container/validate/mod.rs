//! Checks of DDS, KTX2 and `.astc` files against their specifications.
//!
//! [`validate`] examines a file and returns a [`Finding`] for each violation, also for damaged files, and at
//! most 100 for a rule. Each finding names its [`Rule`], which has a stable id. [`validation_rules`] lists
//! all rules.
//!
//! Readers are more tolerant than these rules: [`Texture::read`](crate::Texture::read) accepts files of many
//! writers that violate some of them.
//!
//! | files | contents |
//! |---|---|
//! | `rule`, `ktx2_rules`, `dds_rules`, `astc_rules` | the rules |
//! | `finding` | violations |
//! | `file` | the container of a file |
//! | `section` | parts of a file, read within limits |
//! | `ktx2/` | stage by stage: header, descriptor, level index, key/value data, padding, level data |
//! | `dds/` | header, pixel format, capabilities, DX10 header, data |
//! | `astc` | header, data, blocks |

mod astc;
mod astc_rules;
mod dds;
mod dds_rules;
mod file;
mod finding;
mod ktx2;
mod ktx2_rules;
mod rule;
mod section;

pub use file::validate;
pub use finding::{Finding, Validation};
pub use rule::{Rule, Severity, validation_rules};
