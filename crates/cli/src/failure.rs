//! Errors of the program, each in one line that names the file and the reason.

use crate::{
    batch::similar_file,
    exit::Exit,
    input::{image_extensions, texture_extensions},
    report::{Bytes, printable},
    words::one_line,
};
use brickwork_base::{Cancelled, whole_file::folder_of};
use brickwork_image::image_file::{FileFormat, ImageReadError, ImageWriteError};
use brickwork_texture::{
    DecodeError, EncodeError, ErrorKind, ImageError, NoSuchImage, TextureError, container::ContainerError,
    metrics::MetricsError,
};
use brickwork_toolkit::{
    batch::{BatchError, BatchFault},
    report::path_text,
    texture::{MeasureError, RuleError, RuleFault, TextureJobError},
};
use std::{fmt, io, path::Path};

/// A failure with its exit code, printed as `subject: reason (hint)`.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Exit code if this is the first failure.
    pub exit: Exit,
    subject: Option<String>,
    reason: String,
    hint: Option<String>,
    is_over_limit: bool,
}

impl Failure {
    /// Creates a failure that concerns no file.
    pub fn new(exit: Exit, reason: impl fmt::Display) -> Self {
        // The number of a system error has no meaning for most readers, and its text contains the same
        // information.
        let text = reason.to_string();
        let reason = text.split(" (os error").next().unwrap_or_default().to_owned();
        Self { exit, subject: None, reason, hint: None, is_over_limit: false }
    }

    /// Creates the failure of an invalid command line.
    pub fn usage(reason: impl fmt::Display) -> Self {
        Self::new(Exit::Usage, reason)
    }

    /// Creates the failure of a need for more memory than `--max-memory` allows.
    pub fn over_limit(reason: impl fmt::Display) -> Self {
        let failure = Self::new(Exit::Runtime, reason).hint("raise it with --max-memory");
        Self { is_over_limit: true, ..failure }
    }

    /// True if a higher `--max-memory` might avoid the failure.
    pub fn is_over_limit(&self) -> bool {
        self.is_over_limit
    }

    /// Creates the failure of a file that the library did not read or write.
    pub fn of_file(kind: ErrorKind, reason: impl fmt::Display) -> Self {
        match kind {
            ErrorKind::Invalid => Self::new(Exit::Invalid, reason),
            ErrorKind::Unsupported => Self::new(Exit::Unsupported, reason),
            ErrorKind::Limit => Self::over_limit(reason),
            ErrorKind::Io => Self::new(Exit::Io, reason),
            _ => Self::new(Exit::Runtime, reason),
        }
    }

    /// Creates the failure for an error of the operating system.
    pub fn io(error: &io::Error) -> Self {
        Self::new(Exit::Io, error)
    }

    /// Names the file (or `standard input`) that the failure concerns.
    pub fn of(mut self, subject: impl fmt::Display) -> Self {
        self.subject.get_or_insert(subject.to_string());
        self
    }

    /// Names the file by its path.
    pub fn of_path(self, path: &Path) -> Self {
        self.of(path_text(path))
    }

    /// Adds a hint.
    pub fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        if let Some(subject) = &self.subject {
            line = format!("{subject}: ");
        }
        line += &self.reason;
        if let Some(hint) = &self.hint {
            line += &format!(" ({hint})");
        }
        f.write_str(&printable(&line))
    }
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        let fault = error.fault();
        let failure = match (error.kind(), fault) {
            (_, BatchFault::Io(error)) => Self::io(error),
            (_, BatchFault::Panicked { .. }) => Self::new(Exit::Runtime, fault),
            (ErrorKind::Argument, _) => Self::usage(fault),
            (kind, _) => Self::of_file(kind, fault),
        };
        let hint = match (fault, error.file()) {
            (BatchFault::NotFound, Some(file)) => hint_of_missing(Path::new(file)),
            _ => hint_of(fault).map(str::to_owned),
        };
        let failure = Self { hint: failure.hint.or(hint), ..failure };
        match error.file() {
            Some(file) => failure.of(file),
            None => failure,
        }
    }
}

fn hint_of(fault: &BatchFault) -> Option<&'static str> {
    Some(match fault {
        BatchFault::TerminalInput => "redirect a file into it: brickwork … - < FILE",
        BatchFault::TerminalOutput => "use -o FILE, or send standard output to a file or program",
        BatchFault::NothingFound { is_in_subfolders: true, .. } => "-r also searches the subfolders",
        BatchFault::OneOutput { .. } => "for a folder, write -o FOLDER/ with the slash",
        BatchFault::SameOutput { .. } => "use different folders",
        BatchFault::Changed => "run again",
        BatchFault::Busy => "wait for it, or use another folder",
        BatchFault::Manifest { .. } | BatchFault::LargeManifest { .. } => {
            "delete it; outputs in the cache are then recognised again"
        }
        BatchFault::NoName => "use -o FILE",
        BatchFault::OutputIsInput => "choose another name",
        BatchFault::Exists | BatchFault::Edited => "use --force to replace it",
        BatchFault::NoExtension => "use the extension .png; to name a folder, end it with /",
        BatchFault::NotPng { .. } => "use the extension .png",
        BatchFault::NotPicture { .. } => "use the extension .png or .exr",
        _ => return None,
    })
}

/// Returns a guess at the intended path of a file that does not exist.
fn hint_of_missing(path: &Path) -> Option<String> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Some(format!("there is no folder {}", folder.display()));
    }
    if path.to_str().is_some_and(|name| name.contains(['*', '?'])) {
        return Some("no file matches this pattern".to_owned());
    }
    let known = [image_extensions(), texture_extensions()].concat();
    match similar_file(path, &known) {
        Some(file) => Some(format!("did you mean {}?", file.strip_prefix(".").unwrap_or(&file).display())),
        None if path.is_relative() => {
            std::env::current_dir().ok().map(|here| format!("looked in {}", here.display()))
        }
        None => None,
    }
}

impl From<RuleError> for Failure {
    fn from(error: RuleError) -> Self {
        match (error.kind(), error.fault()) {
            (_, RuleFault::NoMatch { .. }) => {
                Self::usage(error).hint("optional = true in the rule allows that")
            }
            (kind, RuleFault::NotFound) if Path::new(error.file()).is_symlink() => {
                Self::of_file(kind, error).hint("it is a broken link")
            }
            (ErrorKind::Argument, _) => Self::usage(error),
            (kind, _) => Self::of_file(kind, error),
        }
    }
}

impl From<Cancelled> for Failure {
    fn from(cancelled: Cancelled) -> Self {
        Self::new(Exit::Runtime, cancelled)
    }
}

impl From<TextureJobError> for Failure {
    fn from(error: TextureJobError) -> Self {
        match error {
            TextureJobError::File(error) => error.into(),
            TextureJobError::Options { file, error } => Self::usage(error).of(file),
            TextureJobError::Read { input, error: ImageReadError::Unknown { .. } }
                if Path::new(&input)
                    .extension()
                    .is_some_and(|extension| extension.eq_ignore_ascii_case("gltf")) =>
            {
                let reason = "a glTF file, not an image";
                Self::new(Exit::Unsupported, reason).of(input).hint("brickwork audit examines its textures")
            }
            TextureJobError::Read { input, error } => Self::from(error).of(input),
            TextureJobError::Memory { input, needed, limit } => {
                let [needed, limit] = [needed, limit].map(Bytes);
                let reason = format!("needs {needed} of memory, above the limit of {limit}");
                Self::over_limit(reason).of(input)
            }
            TextureJobError::OutOfMemory { input, needed } => {
                let needed = Bytes(needed);
                let reason = format!("needs {needed} of memory, which the system does not have");
                Self::new(Exit::Runtime, reason).of(input)
            }
            TextureJobError::BelowMinPsnr { input, psnr, min } => {
                let reason = format!("the PSNR is {psnr:.2} dB, less than {min}");
                Self::new(Exit::Differs, reason).of(input).hint("use another format")
            }
            TextureJobError::Encode { input, error } => Self::from(error).of(input),
            TextureJobError::Decode { input, error } => Self::from(error).of(input),
            TextureJobError::Measure { input, error: MeasureError::Metrics(error) } => {
                Self::from(error).of(input)
            }
            TextureJobError::Measure { input, error: error @ MeasureError::ImageCounts { .. } } => {
                Self::new(Exit::Differs, error).of(input)
            }
            TextureJobError::Measure { input, error } => Self::new(Exit::Runtime, error).of(input),
            TextureJobError::Write { output, error: error @ ContainerError::LegacyHeader { .. } } => {
                Self::from(error).of(output).hint("leave out --legacy: the DX10 header can")
            }
            TextureJobError::Write { output, error } => Self::from(error).of(output),
            TextureJobError::NotATexture { input } => {
                Self::new(Exit::Invalid, "not a DDS, KTX2 or .astc file").of(input)
            }
            TextureJobError::FirstImageOnly { input } => {
                let reason = "only the first image of a texture in such a format can be read";
                Self::new(Exit::Unsupported, reason).of(input)
            }
            TextureJobError::NoMipLevels { input } => Self::usage("has no mip levels").of(input),
            TextureJobError::NotHalfFloats { input, format } => {
                let reason = format!("{format} decodes to integers, and EXR stores floats");
                Self::usage(reason).of(input).hint("use the extension .png")
            }
            TextureJobError::Cube { input, error } if error.kind() == ErrorKind::Argument => {
                Self::usage(error).of(input).hint("leave out --face-size")
            }
            TextureJobError::Cube { input, error } => Self::of_file(error.kind(), error).of(input),
            TextureJobError::Join { .. }
            | TextureJobError::Mixed { .. }
            | TextureJobError::ReadOnce { .. } => Self::usage(error),
            TextureJobError::WritePng { output, error } => Self::from(error).of(output),
            error => Self::new(Exit::Runtime, error),
        }
    }
}

impl From<ContainerError> for Failure {
    fn from(error: ContainerError) -> Self {
        Self::of_file(error.kind(), error)
    }
}

impl From<ImageReadError> for Failure {
    fn from(error: ImageReadError) -> Self {
        match error {
            ImageReadError::Unknown { claimed: None, .. } => {
                let known = FileFormat::ALL.iter().map(|item| item.name()).collect::<Vec<_>>().join(", ");
                Self::new(Exit::Unsupported, error).hint(format!("known formats: {known}"))
            }
            // No limit would be high enough.
            ImageReadError::OutOfMemory { .. } => Self::new(Exit::Runtime, error),
            _ => Self::of_file(error.kind(), error),
        }
    }
}

impl From<ImageWriteError> for Failure {
    fn from(error: ImageWriteError) -> Self {
        Self::new(Exit::Io, error)
    }
}

impl From<EncodeError> for Failure {
    fn from(error: EncodeError) -> Self {
        match error {
            EncodeError::NoMetricKernels | EncodeError::NoEncoder { .. } | EncodeError::Build { .. } => {
                Self::new(Exit::Unsupported, error)
            }
            _ => Self::new(Exit::Runtime, one_line(error)),
        }
    }
}

impl From<DecodeError> for Failure {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::NoSuchImage { .. } => Self::usage(error),
            DecodeError::TooLarge { .. } => Self::over_limit(error),
            _ => Self::new(Exit::Runtime, error),
        }
    }
}

impl From<NoSuchImage> for Failure {
    fn from(error: NoSuchImage) -> Self {
        Self::usage(error)
    }
}

impl From<MetricsError> for Failure {
    fn from(error: MetricsError) -> Self {
        match error {
            MetricsError::Size { .. } => Self::new(Exit::Differs, error),
            _ => Self::new(Exit::Runtime, error),
        }
    }
}

impl From<ImageError> for Failure {
    fn from(error: ImageError) -> Self {
        Self::new(Exit::Invalid, error)
    }
}

impl From<TextureError> for Failure {
    fn from(error: TextureError) -> Self {
        Self::new(Exit::Runtime, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_line() {
        let failure = Failure::new(Exit::Invalid, "no\nsense").of("a\u{1b}[31m.png").hint("try another");
        assert_eq!(failure.to_string(), "a\\u{1b}[31m.png: no\\nsense (try another)");
        let error = io::Error::from_raw_os_error(2);
        assert!(!Failure::io(&error).to_string().contains("os error"));
    }
}
