//! Errors.

#[cfg(feature = "full")]
use brickwork_formats::OpenError;
use brickwork_toolkit::volume::VolumeError;
use brickwork_volume::{
    Cancelled, ChunkError, ErrorKind, ShapeError, VolumeReadError, export::StreamError, render::RenderError,
};

/// Result of a call, as a number for the host (`web/src/wasm/instance.ts`). Numbers are never reused,
/// and have one meaning in both modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok = 0,
    /// The caller requested something impossible.
    Argument = 1,
    /// There is not enough memory.
    Limit = 2,
    /// The module failed. This is a fault of the module.
    Internal = 3,
    /// The file is damaged, or of an unsupported kind.
    File = 4,
}

/// An error: its status and its text.
#[derive(Debug)]
pub struct Failure {
    pub status: Status,
    pub text: String,
}

impl Failure {
    /// Returns an error of the caller.
    pub fn argument(text: impl Into<String>) -> Self {
        Self { status: Status::Argument, text: text.into() }
    }

    /// Returns an error of memory that does not suffice.
    pub fn limit(text: impl Into<String>) -> Self {
        Self { status: Status::Limit, text: text.into() }
    }

    fn of(kind: ErrorKind, text: String) -> Self {
        let status = match kind {
            ErrorKind::Argument => Status::Argument,
            ErrorKind::Invalid | ErrorKind::Unsupported | ErrorKind::Io => Status::File,
            ErrorKind::Limit => Status::Limit,
            // Devices and cancellation do not exist here. (The enum may grow.)
            _ => Status::Internal,
        };
        Self { status, text }
    }
}

impl From<VolumeError> for Failure {
    fn from(error: VolumeError) -> Self {
        match error {
            VolumeError::Read(error) => error.into(),
            VolumeError::Shape(error) => error.into(),
            VolumeError::Render(error) => error.into(),
            VolumeError::Cancelled(error) => error.into(),
            #[cfg(feature = "full")]
            error => Self::of(error.kind(), error.to_string()),
            // The small module reads no other formats and draws no slices in true proportions, so it has no
            // texts of these errors.
            #[cfg(not(feature = "full"))]
            _ => Self { status: Status::Internal, text: "an error without a text in this module".to_owned() },
        }
    }
}

impl From<VolumeReadError> for Failure {
    fn from(error: VolumeReadError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

impl From<ChunkError> for Failure {
    fn from(error: ChunkError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

impl From<StreamError> for Failure {
    fn from(error: StreamError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

#[cfg(feature = "full")]
impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Self::of(error.kind(), error.to_string())
    }
}

impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Self {
        Self::argument(error.to_string())
    }
}

impl From<Cancelled> for Failure {
    fn from(error: Cancelled) -> Self {
        Self::of(ErrorKind::Cancelled, error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::of(ErrorKind::of_io(&error), error.to_string())
    }
}
