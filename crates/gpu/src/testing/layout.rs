//! Structs that WGSL and Rust share.

use crate::Kernel;
use naga::{TypeInner, front::wgsl::parse_str};

/// Returns the names and offsets of the members of a struct in a kernel, and the struct's size in bytes.
/// Compare them with [`offsets!`](crate::offsets) and `size_of`.
///
/// # Panics
/// If the kernel has no such struct.
pub fn layout(kernel: &Kernel, name: &str) -> (Vec<(String, usize)>, usize) {
    let text = kernel.wgsl();
    let module = parse_str(text).unwrap_or_else(|e| panic!("{}: {}", kernel.name(), e.emit_to_string(text)));
    let found = module.types.iter().find(|(_, known)| known.name.as_deref() == Some(name));
    let Some(TypeInner::Struct { members, span }) = found.map(|(_, found)| &found.inner) else {
        panic!("{} has no struct {name}", kernel.name())
    };
    let offsets = members.iter().map(|m| (m.name.clone().unwrap_or_default(), m.offset as usize)).collect();
    (offsets, *span as usize)
}

/// Returns the names and offsets of fields of a Rust struct, for [`layout`](crate::testing::layout). Each
/// field is given as its name in WGSL and its name in Rust.
#[macro_export]
macro_rules! offsets {
    ($of:ty: $($wgsl:literal $field:ident),*) => {
        vec![$(($wgsl.to_owned(), std::mem::offset_of!($of, $field))),*]
    };
}
