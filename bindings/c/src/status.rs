//! Status codes, errors, and the guard around each function.

use brickwork_base::ErrorKind;
use brickwork_texture::{
    DecodeError, EncodeError, ImageError, NoSuchImage, TextureError, container::ContainerError,
};
use brickwork_toolkit::{
    device::DeviceError,
    texture::{NamedOptionError, OptionsError, TextureJobError},
};
use std::{
    any::Any,
    cell::{Cell, RefCell},
    ffi::{CStr, CString, c_char},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Result of a function: `brickwork_status`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub i32);

impl Status {
    pub const OK: Self = Self(0);
    const ARGUMENT: Self = Self(1);
    const INVALID: Self = Self(2);
    const UNSUPPORTED: Self = Self(3);
    const LIMIT: Self = Self(4);
    const IO: Self = Self(5);
    const DEVICE: Self = Self(6);
    const CANCELLED: Self = Self(7);
    const INTERNAL: Self = Self(8);

    /// All codes, with their names in the header and a short text.
    pub const ALL: &[(Self, &str, &CStr)] = &[
        (Self::OK, "BRICKWORK_OK", c"success"),
        (Self::ARGUMENT, "BRICKWORK_ERROR_ARGUMENT", c"impossible argument"),
        (Self::INVALID, "BRICKWORK_ERROR_INVALID", c"invalid file"),
        (Self::UNSUPPORTED, "BRICKWORK_ERROR_UNSUPPORTED", c"not supported"),
        (Self::LIMIT, "BRICKWORK_ERROR_LIMIT", c"too little memory"),
        (Self::IO, "BRICKWORK_ERROR_IO", c"reading or writing failed"),
        (Self::DEVICE, "BRICKWORK_ERROR_DEVICE", c"the GPU failed"),
        (Self::CANCELLED, "BRICKWORK_ERROR_CANCELLED", c"cancelled"),
        (Self::INTERNAL, "BRICKWORK_ERROR_INTERNAL", c"internal error"),
    ];

    fn of_kind(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Argument => Self::ARGUMENT,
            ErrorKind::Invalid => Self::INVALID,
            ErrorKind::Unsupported => Self::UNSUPPORTED,
            ErrorKind::Limit => Self::LIMIT,
            ErrorKind::Io => Self::IO,
            ErrorKind::Device => Self::DEVICE,
            ErrorKind::Cancelled => Self::CANCELLED,
            // The enum may grow.
            _ => Self::INTERNAL,
        }
    }
}

/// An error: its status and its text.
#[derive(Debug)]
pub struct Failure {
    status: Status,
    text: String,
}

impl Failure {
    /// Returns an error of the caller.
    pub fn argument(text: impl Into<String>) -> Self {
        Self { status: Status::ARGUMENT, text: text.into() }
    }

    /// Returns an error of this kind.
    pub fn of(kind: ErrorKind, text: impl ToString) -> Self {
        Self { status: Status::of_kind(kind), text: text.to_string() }
    }

    /// Adds the name of the argument or file to the text.
    pub fn within(self, name: impl std::fmt::Display) -> Self {
        Self { text: format!("{name}: {}", self.text), ..self }
    }

    /// Returns the error of a panic, which is a fault of the library.
    fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Self { status: Status::INTERNAL, text: format!("internal error, please report it: {text}") }
    }
}

macro_rules! from_errors {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::of(error.kind(), error)
            }
        }
    )*};
}
from_errors!(ContainerError, DecodeError, DeviceError, EncodeError, ImageError, NoSuchImage);
from_errors!(NamedOptionError, TextureError);

impl From<OptionsError> for Failure {
    fn from(error: OptionsError) -> Self {
        Self::of(error.kind(), error.with_option_names(spelled))
    }
}

impl From<TextureJobError> for Failure {
    fn from(error: TextureJobError) -> Self {
        match error {
            TextureJobError::Options { file, error } => Self::from(error).within(file),
            error => Self::of(error.kind(), error),
        }
    }
}

/// Options with other names than in the program, because all images are in one list.
const NAMES: [(&str, &str); 3] =
    [("channel", "channels"), ("level", "levels"), ("roughness-from", "roughness-from-normals")];

/// Returns the library's name of an option of the program.
pub fn spelled(option: &str) -> String {
    let named = NAMES.iter().find(|(name, _)| *name == option);
    named.map_or(option, |(_, name)| name).to_owned()
}

thread_local! {
    /// Text of the last error on this thread.
    static LAST_ERROR: RefCell<CString> = RefCell::default();
    /// True while this thread is in the caller's callback.
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Does the work of a function, and returns its status. A panic becomes an internal error.
pub fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> Status {
    let result = if IN_CALLBACK.get() {
        Err(Failure::argument("a progress callback may call only brickwork_task_cancel"))
    } else {
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Failure::of_panic(&*panic)))
    };
    let Err(Failure { status, text }) = result else { return Status::OK };
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    // At the end of a thread, there is no place for the text.
    let _ = LAST_ERROR.try_with(|last| last.replace(text));
    status
}

/// Calls the caller's callback. Within it, functions of the library fail.
pub fn in_callback(callback: impl FnOnce()) {
    IN_CALLBACK.set(true);
    callback();
    IN_CALLBACK.set(false);
}

/// Returns the text of the last error on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_last_error() -> *const c_char {
    LAST_ERROR.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Returns a short text for a status.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_status_text(status: Status) -> *const c_char {
    let found = Status::ALL.iter().find(|(known, ..)| *known == status);
    found.map_or(c"unknown status", |(_, _, text)| text).as_ptr()
}

#[cfg(test)]
mod c_tests {
    use super::*;
    use brickwork_toolkit::texture::OptionRow;

    fn last_error() -> String {
        LAST_ERROR.with_borrow(|last| last.to_str().unwrap().to_owned())
    }

    #[test]
    fn panics_are_internal_errors() {
        let status = guarded(|| panic!("a fault of block {}", 7));
        assert_eq!(status, Status::INTERNAL);
        assert_eq!(last_error(), "internal error, please report it: a fault of block 7");
        assert_eq!(guarded(|| std::panic::panic_any(5)), Status::INTERNAL);
        assert_eq!(last_error(), "internal error, please report it: no message");
        assert_eq!(guarded(|| Ok(())), Status::OK);
        // Success leaves the text.
        assert!(last_error().contains("no message"));
    }

    #[test]
    fn errors_have_the_status_of_their_kind() {
        let fails = |kind| guarded(|| Err(Failure::of(kind, "a\0b")));
        assert_eq!(fails(ErrorKind::Argument), Status::ARGUMENT);
        assert_eq!(fails(ErrorKind::Invalid), Status::INVALID);
        assert_eq!(fails(ErrorKind::Unsupported), Status::UNSUPPORTED);
        assert_eq!(fails(ErrorKind::Limit), Status::LIMIT);
        assert_eq!(fails(ErrorKind::Io), Status::IO);
        assert_eq!(fails(ErrorKind::Device), Status::DEVICE);
        assert_eq!(fails(ErrorKind::Cancelled), Status::CANCELLED);
        assert_eq!(last_error(), "a b");
    }

    #[test]
    fn errors_have_the_names_of_options() {
        let text = |options| Failure::from(OptionsError::Exclusive { options }).text;
        assert_eq!(text(["real-time", "modes"]), "real-time and modes exclude each other");
        assert_eq!(text(["level", "max-size"]), "levels and max-size exclude each other");
        for (_, name) in NAMES {
            assert!(OptionRow::named(name).is_some_and(OptionRow::is_of_bindings), "{name}");
        }
    }

    #[test]
    fn callbacks_cannot_call_the_library() {
        in_callback(|| assert_eq!(guarded(|| Ok(())), Status::ARGUMENT));
        assert_eq!(guarded(|| Ok(())), Status::OK);
    }
}
