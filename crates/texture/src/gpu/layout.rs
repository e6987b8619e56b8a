//! For tests: where WGSL puts the members of a struct.

use brickwork_gpu::Kernel;

/// Offsets of a struct's members in a kernel, and its size.
pub(crate) fn layout(kernel: &Kernel, name: &str) -> (Vec<(String, usize)>, usize) {
    let module = naga::front::wgsl::parse_str(kernel.wgsl()).unwrap();
    let found = module.types.iter().find(|(_, kind)| kind.name.as_deref() == Some(name)).unwrap().1;
    let naga::TypeInner::Struct { members, span } = &found.inner else { panic!("{name} is no struct") };
    let offsets = members.iter().map(|m| (m.name.clone().unwrap(), m.offset as usize)).collect();
    (offsets, *span as usize)
}

/// The same of fields of a Rust struct, each after its name in WGSL.
macro_rules! offsets {
    ($of:ty: $($wgsl:literal $field:ident),*) => {
        vec![$(($wgsl.to_owned(), std::mem::offset_of!($of, $field))),*]
    };
}
pub(crate) use offsets;
