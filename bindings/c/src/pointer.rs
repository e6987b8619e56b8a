//! Arguments of the functions: pointers from C.
//!
//! C code passes each argument as a plain pointer. The types here have the same representation. Only C code
//! constructs them, as arguments of a call or in a struct of the header. By the header, a pointer that is not
//! null points to a live value of its type, which no other thread changes during the call. Each method checks
//! for null, alignment and impossible sizes, and returns a reference for the duration of the call.

#![allow(unsafe_code)]

use crate::status::Failure;
use std::{
    ffi::{CStr, c_char, c_void},
    path::Path,
    ptr, slice,
};

/// Pointer to one value that the function reads, such as `const brickwork_texture *`; null if there is none.
#[repr(transparent)]
#[derive(Debug)]
pub struct In<T>(*const T);

/// Pointer to a struct that starts with its size, such as `const brickwork_write_config *`.
#[repr(transparent)]
#[derive(Debug)]
pub struct InStruct<T>(*const T);

/// Pointer to the first of several values that the function reads.
#[repr(transparent)]
#[derive(Debug)]
pub struct InArray<T>(*const T);

/// Pointer to bytes that the function reads: `const void *`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Bytes(*const c_void);

/// Pointer to bytes that the function writes: `void *`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct BytesMut(*mut c_void);

/// Pointer to a text that ends with 0: `const char *`.
#[repr(transparent)]
#[derive(Debug)]
pub struct Text(*const c_char);

/// Pointer to the first of several texts: `const char *const *`.
#[repr(transparent)]
#[derive(Debug)]
pub struct Texts(InArray<Text>);

/// Pointer to a value that the function writes. It need not be initialised.
#[repr(transparent)]
#[derive(Debug)]
pub struct Out<T>(*mut T);

/// Pointer to a handle that the function creates, such as `brickwork_texture **`.
#[repr(transparent)]
#[derive(Debug)]
pub struct NewHandle<T>(*mut *mut T);

/// A handle that the function may end, such as `brickwork_texture *`; null if there is none.
#[repr(transparent)]
#[derive(Debug)]
pub struct Handle<T>(*mut T);

/// Pointer for the caller's callback, which the library only passes on.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct User(*mut c_void);

// SAFETY: the library never follows this pointer. The header demands that the callback, which receives it,
// may be called on any thread.
unsafe impl Send for User {}
// SAFETY: as for `Send`.
unsafe impl Sync for User {}

/// A struct of the header that starts with `uint32_t struct_size`.
///
/// # Safety
/// The type is `repr(C)`, its first field is a `u32`, and all of its bytes may have any value.
pub unsafe trait Sized32: Copy {
    /// Name of the function that sets `struct_size`.
    const INIT: &str;
}

/// Fails unless `pointer` is aligned for its type and not null.
fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::argument(format!("{name} is null")));
    }
    if !pointer.is_aligned() {
        return Err(Failure::argument(format!("{name} is not aligned to {} bytes", align_of::<T>())));
    }
    Ok(())
}

/// Fails unless `count` values from `pointer` are a possible object of Rust and C.
fn check_array<T>(pointer: *const T, count: usize, name: &str) -> Result<(), Failure> {
    check(pointer, name)?;
    let bytes = count.checked_mul(size_of::<T>()).filter(|&bytes| isize::try_from(bytes).is_ok());
    if bytes.is_none_or(|bytes| pointer.addr().checked_add(bytes).is_none()) {
        return Err(Failure::argument(format!("{name} cannot have {count} elements: memory ends before")));
    }
    Ok(())
}

impl<T> In<T> {
    /// Returns the value, or `None` for a null pointer.
    pub fn get(&self, name: &str) -> Result<Option<&T>, Failure> {
        if self.0.is_null() { Ok(None) } else { self.required(name).map(Some) }
    }

    /// Returns the value.
    pub fn required(&self, name: &str) -> Result<&T, Failure> {
        check(self.0, name)?;
        // SAFETY: the pointer is aligned and not null. The caller promises that it points to a live `T` that
        // nothing changes during the call (see the module's documentation).
        Ok(unsafe { &*self.0 })
    }

    /// Returns the value for a function without a status: a bad pointer counts as null.
    pub fn lenient(&self) -> Option<&T> {
        self.required("").ok()
    }
}

impl<T: Sized32> InStruct<T> {
    /// Returns a copy of the struct.
    pub fn required(&self, name: &str) -> Result<T, Failure> {
        check(self.0, name)?;
        // SAFETY: aligned, not null, and the first field of `T` is a `u32` (`Sized32`). Another version of
        // the struct may be shorter than `T`, but has this field.
        let given = unsafe { self.0.cast::<u32>().read() };
        if given as usize != size_of::<T>() {
            let (known, init) = (size_of::<T>(), T::INIT);
            return Err(Failure::argument(format!(
                "{name}->struct_size is {given}, this library expects {known}: {init}, and headers of the \
                 library's version"
            )));
        }
        // SAFETY: the struct has the size of `T`, so it is a `T`, whose bytes may have any value.
        Ok(unsafe { self.0.read() })
    }

    /// Returns a copy of the struct, or `None` for a null pointer.
    pub fn get(&self, name: &str) -> Result<Option<T>, Failure> {
        if self.0.is_null() { Ok(None) } else { self.required(name).map(Some) }
    }
}

impl<T> InArray<T> {
    /// Returns `count` values, at least one.
    pub fn get(&self, count: usize, name: &str) -> Result<&[T], Failure> {
        if count == 0 {
            return Err(Failure::argument(format!("{name} has no elements")));
        }
        check_array(self.0, count, name)?;
        // SAFETY: aligned, not null, not larger than `isize::MAX` bytes. The caller promises `count` live
        // values that nothing changes during the call.
        Ok(unsafe { slice::from_raw_parts(self.0, count) })
    }
}

impl Texts {
    /// Returns `count` texts, at least one.
    pub fn get(&self, count: usize, name: &str) -> Result<&[Text], Failure> {
        self.0.get(count, name)
    }
}

impl User {
    /// Null pointer.
    pub const NULL: Self = Self(ptr::null_mut());
}

impl Bytes {
    /// Null pointer.
    pub const NULL: Self = Self(ptr::null());

    /// Returns `count` bytes.
    pub fn get(&self, count: usize, name: &str) -> Result<&[u8], Failure> {
        check_array(self.0.cast::<u8>(), count, name)?;
        // SAFETY: not null, not larger than `isize::MAX` bytes. The caller promises `count` readable bytes
        // that nothing changes during the call.
        Ok(unsafe { slice::from_raw_parts(self.0.cast(), count) })
    }

    /// Returns the pointer to the first of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(bytes.as_ptr().cast())
    }
}

impl BytesMut {
    /// Returns `count` bytes to be written. They overlap no other argument.
    pub fn get(&mut self, count: usize, name: &str) -> Result<&mut [u8], Failure> {
        check_array(self.0.cast::<u8>(), count, name)?;
        // SAFETY: not null, not larger than `isize::MAX` bytes. The caller promises `count` writable bytes
        // that overlap no other argument, and that no other thread uses during the call. Bytes may have any
        // value.
        Ok(unsafe { slice::from_raw_parts_mut(self.0.cast(), count) })
    }
}

impl Text {
    /// Returns the text without its final 0, or `None` for a null pointer.
    pub fn get(&self) -> Option<&CStr> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: not null. The caller promises a text that ends with 0 and that nothing changes during the
        // call.
        Some(unsafe { CStr::from_ptr(self.0) })
    }

    /// Returns the text, which is UTF-8.
    pub fn utf8(&self, name: &str) -> Result<&str, Failure> {
        let text = self.get().ok_or_else(|| Failure::argument(format!("{name} is null")))?;
        text.to_str().map_err(|_| Failure::argument(format!("{name} is not UTF-8")))
    }

    /// Returns the path. It is UTF-8 on Windows, and any bytes on other systems.
    pub fn path(&self, name: &str) -> Result<&Path, Failure> {
        #[cfg(unix)]
        {
            use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
            let text = self.get().ok_or_else(|| Failure::argument(format!("{name} is null")))?;
            Ok(Path::new(OsStr::from_bytes(text.to_bytes())))
        }
        #[cfg(not(unix))]
        self.utf8(name).map(Path::new)
    }
}

impl<T: Copy> Out<T> {
    /// Fails if the pointer is null or not aligned.
    pub fn check(&self, name: &str) -> Result<(), Failure> {
        check(self.0, name)
    }

    /// Writes the value.
    pub fn put(&mut self, value: T, name: &str) -> Result<(), Failure> {
        check(self.0, name)?;
        // SAFETY: aligned and not null. The caller promises writable memory for a `T`. `T` is `Copy`, so the
        // old value, which may be uninitialised, need not be dropped.
        unsafe { self.0.write(value) };
        Ok(())
    }

    /// Writes the value unless the pointer is null.
    pub fn put_if_given(&mut self, value: T, name: &str) -> Result<(), Failure> {
        if self.0.is_null() { Ok(()) } else { self.put(value, name) }
    }
}

impl<T: Sized32> Out<T> {
    /// Writes a struct whose size the caller states.
    pub fn put_sized(&mut self, value: T, struct_size: usize, name: &str) -> Result<(), Failure> {
        let known = size_of::<T>();
        if struct_size != known {
            return Err(Failure::argument(format!(
                "{name} has {struct_size} bytes, this library expects {known}: use sizeof, and the header \
                 of the library's version"
            )));
        }
        self.put(value, name)
    }
}

impl<T> NewHandle<T> {
    /// Stores the handle of the value that `make` returns, or null if it fails.
    pub fn fill(&mut self, name: &str, make: impl FnOnce() -> Result<T, Failure>) -> Result<(), Failure> {
        check(self.0, name)?;
        // SAFETY: aligned and not null. The caller promises writable memory for a pointer.
        unsafe { self.0.write(ptr::null_mut()) };
        let handle = Box::into_raw(Box::new(make()?));
        // SAFETY: as above.
        unsafe { self.0.write(handle) };
        Ok(())
    }
}

impl<T> Handle<T> {
    /// Returns the value; a null pointer counts as none.
    pub fn get(&self) -> Option<&T> {
        // SAFETY: the caller promises that a handle that is not null came from `NewHandle::fill` and was not
        // ended.
        unsafe { self.0.as_ref() }
    }

    /// Ends the handle; null is ignored.
    pub fn free(self) {
        if !self.0.is_null() {
            // SAFETY: the caller promises that the handle came from `NewHandle::fill`, where `Box::into_raw`
            // made it, that it was not ended before, and that no call uses it.
            drop(unsafe { Box::from_raw(self.0) });
        }
    }
}

#[cfg(test)]
mod c_tests {
    use super::*;
    use crate::structs::WriteConfig;

    #[test]
    fn structs_of_other_versions_are_refused() {
        // The struct of a shorter version, and a number after it.
        let mut memory = [7u32; 8 / 4 + 1];
        memory[0] = 8;
        let error = InStruct(memory.as_ptr().cast::<WriteConfig>()).required("config").unwrap_err();
        assert!(format!("{error:?}").contains("struct_size is 8"), "{error:?}");
        let mut out = Out(memory.as_mut_ptr().cast::<WriteConfig>());
        let config = WriteConfig { struct_size: 12, dds_header: 0, zstd_level: 0 };
        assert!(out.put_sized(config, 8, "config").is_err());
        assert_eq!(memory, [8, 7, 7]);
    }
}
