//! Reports of commands that take several files.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Report of a command that takes several files: `encode`, `assemble`, `decode`,
/// `convert`, `info` and `validate`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct FilesReport<T> {
    /// The command.
    pub command: &'static str,
    /// One entry per file, in the order of the command line.
    pub files: Vec<FileEntry<T>>,
    /// Totals, if the command was given several files to write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<BatchSummary>,
}

/// Entry of one file.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum FileEntry<T> {
    /// The result.
    Done(T),
    /// A file that was not made.
    Untouched {
        /// The file.
        #[serde(flatten)]
        file: Box<UntouchedFile>,
        /// With `--cache`: the entry of the run that made the file, with the present paths; `null` if the
        /// cache does not have it.
        #[schemars(with = "Option<T>")]
        result: Option<Value>,
    },
    /// A file that failed.
    Failed {
        /// The reason.
        error: FileError,
    },
}

impl<T> FileEntry<T> {
    /// Returns the result, if there is one.
    pub const fn done(&self) -> Option<&T> {
        match self {
            Self::Done(result) => Some(result),
            Self::Untouched { .. } | Self::Failed { .. } => None,
        }
    }

    /// Returns the reason, if the file failed.
    pub const fn error(&self) -> Option<&FileError> {
        match self {
            Self::Failed { error } => Some(error),
            Self::Done(_) | Self::Untouched { .. } => None,
        }
    }
}

/// Reason for a failure.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct FileError {
    /// The code with which the program would exit for this file alone.
    pub exit_code: u8,
    /// The file and the reason, in one line.
    pub message: String,
}

/// Entry of a file that was not made, because of `--update`, `--cache` or `--dry-run`, and of a stale output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct UntouchedFile {
    /// The input's path.
    pub input: String,
    /// The output's path.
    pub output: String,
    /// The name of the output's target, if there are targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The reason, or the effect that writing would have.
    pub action: FileAction,
    /// With `--dry-run` of `encode`: the decisions about the texture; else `null`.
    pub plan: Option<PlanReport>,
}

/// Decisions about a texture that would be encoded. `--min-psnr` may change the format and the quality.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PlanReport {
    /// The block format or plain format, such as `bc1` or `rgba8`.
    pub format: &'static str,
    /// The reason why `--format auto` chose the format; `null` with any other `--format`.
    pub format_reason: Option<String>,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Width and height of the input, if it is resized; else `null`.
    pub resized_from: Option<[u32; 2]>,
    /// Number of mip levels.
    pub levels: u32,
    /// Filter of the mip levels; `null` if none is made.
    pub mip_filter: Option<&'static str>,
    /// Colour space: `sRGB` or `linear`.
    pub color_space: &'static str,
    /// The source of the colour space.
    pub color_space_reason: String,
    /// Alpha: `opaque`, `straight` or `premultiplied`.
    pub alpha_mode: &'static str,
    /// Size of the blocks or plain texels of all mip levels.
    pub data_bytes: u64,
    /// Facts that the user may not expect.
    pub notes: Vec<String>,
}

/// Reason why a file was not made, or the effect that writing would have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FileAction {
    /// With `--update`: the output is not older than its input. With `--cache`: neither the contents of the
    /// input nor the options changed.
    UpToDate,
    /// With `--cache`: the output was copied from the cache.
    FromCache,
    /// With `--cache`: the output was kept, although its input is gone or now becomes other files.
    Stale,
    /// With `--prune`: the output was removed, because its input is gone or now becomes other files.
    Pruned,
    /// With `--dry-run`: the output would be a new file.
    Create,
    /// With `--dry-run`: the output would replace a file.
    Replace,
}

impl FileAction {
    /// Returns the action as the text report prints it, such as `up to date`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UpToDate => "up to date",
            Self::FromCache => "from the cache",
            Self::Stale => "stale",
            Self::Pruned => "pruned",
            Self::Create => "create",
            Self::Replace => "replace",
        }
    }
}

/// Totals of several files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct BatchSummary {
    /// Files written.
    pub written: u64,
    /// Files that were not written because they are up to date.
    pub up_to_date: u64,
    /// With `--cache`: files that were copied from the cache.
    pub from_cache: u64,
    /// Files that could not be made.
    pub failed: u64,
    /// Bytes of the texels (`encode`) or blocks (`decode`) that were read.
    pub input_bytes: u64,
    /// Bytes of the files that were written.
    pub output_bytes: u64,
    /// Seconds from the first input to the last output.
    pub seconds: f64,
    /// Number of files that have notes of each kind, by names such as `soft-alpha` (`encode`).
    pub notes: BTreeMap<String, u64>,
}

impl BatchSummary {
    /// Adds a written file.
    pub fn add(&mut self, [input_bytes, output_bytes]: [u64; 2]) {
        self.written += 1;
        self.input_bytes += input_bytes;
        self.output_bytes += output_bytes;
    }
}
