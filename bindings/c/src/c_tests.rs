//! Comparison of the header with the functions, structs and numbers of this crate.
//!
//! `tests/abi.c` declares every function again, with the types that it has here, and checks the layout of the
//! structs and the numbers. It compiles only if the header agrees. The test below writes it.

use crate::{
    buffer::{self, Buffer},
    decode,
    device::{self, Device},
    encode, formats, names,
    options::{self, Options},
    pointer::{Bytes, BytesMut, Handle, In, InArray, InStruct, NewHandle, Out, Text, Texts, User},
    status::{self, Status},
    structs::{Desc, Image, ImageMut, Index, ProgressFn, TaskConfig, WriteConfig},
    task::{self, Task},
    texture::{self, Texture},
    version,
};
use std::{
    collections::BTreeSet,
    env,
    ffi::{c_char, c_void},
    fmt::Write,
    fs,
    mem::offset_of,
    path::Path,
};

/// A type that the header names.
trait C {
    fn name() -> String;
}

macro_rules! names {
    ($($type:ty: $name:literal,)*) => {$(
        impl C for $type {
            fn name() -> String {
                $name.to_owned()
            }
        }
    )*};
}

names! {
    (): "void",
    u32: "uint32_t",
    u64: "uint64_t",
    usize: "size_t",
    c_void: "void",
    *const c_char: "const char *",
    Text: "const char *",
    Texts: "const char *const *",
    Bytes: "const void *",
    BytesMut: "void *",
    User: "void *",
    Status: "brickwork_status",
    ProgressFn: "brickwork_progress_fn",
    Options: "brickwork_options",
    Texture: "brickwork_texture",
    Buffer: "brickwork_buffer",
    Device: "brickwork_device",
    Task: "brickwork_task",
    Image: "brickwork_image",
    ImageMut: "brickwork_image_mut",
    Index: "brickwork_image_index",
    WriteConfig: "brickwork_write_config",
    TaskConfig: "brickwork_task_config",
    Desc: "brickwork_texture_desc",
}

macro_rules! pointers {
    ($($type:ident: $before:literal, $after:literal;)*) => {$(
        impl<T: C> C for $type<T> {
            fn name() -> String {
                format!(concat!($before, "{}", $after), T::name())
            }
        }
    )*};
}

pointers! {
    In: "const ", " *";
    InStruct: "const ", " *";
    InArray: "const ", " *";
    Out: "", " *";
    NewHandle: "", " **";
    Handle: "", " *";
}

/// A function of the header.
trait Function {
    fn types(self) -> (String, Vec<String>);
}

macro_rules! functions {
    ($(($($argument:ident)*),)*) => {$(
        impl<R: C, $($argument: C),*> Function for extern "C" fn($($argument),*) -> R {
            fn types(self) -> (String, Vec<String>) {
                (R::name(), vec![$($argument::name()),*])
            }
        }
    )*};
}

functions! { (), (A), (A B), (A B D), (A B D E), (A B D E F), (A B D E F G), (A B D E F G H), }

macro_rules! prototypes {
    ($($module:ident::$name:ident($($argument:tt)*);)*) => {
        vec![$((stringify!($name), ($module::$name as extern "C" fn($($argument),*) -> _).types())),*]
    };
}

fn prototypes() -> Vec<(&'static str, (String, Vec<String>))> {
    prototypes! {
        buffer::brickwork_buffer_bytes(_);
        buffer::brickwork_buffer_data(_);
        buffer::brickwork_buffer_free(_);
        decode::brickwork_decode_blocks(_ _ _ _ _ _);
        decode::brickwork_texture_decode(_ _ _ _ _);
        device::brickwork_device_free(_);
        device::brickwork_device_name(_);
        device::brickwork_device_open(_ _);
        encode::brickwork_encode(_ _ _ _ _ _);
        encode::brickwork_encode_blocks(_ _ _ _ _ _);
        encode::brickwork_encode_file(_ _ _ _ _ _);
        encode::brickwork_encode_files(_ _ _ _ _ _ _);
        formats::brickwork_format_from_name(_ _);
        formats::brickwork_format_name(_);
        formats::brickwork_image_bytes(_ _ _ _);
        options::brickwork_encode_size(_ _ _ _ _ _);
        options::brickwork_option_count();
        options::brickwork_option_help(_);
        options::brickwork_option_name(_);
        options::brickwork_option_values(_);
        options::brickwork_options_create(_);
        options::brickwork_options_free(_);
        options::brickwork_options_set(_ _ _);
        status::brickwork_last_error();
        status::brickwork_status_text(_);
        task::brickwork_task_cancel(_);
        task::brickwork_task_config_init(_ _);
        task::brickwork_task_create(_ _);
        task::brickwork_task_free(_);
        texture::brickwork_texture_create(_ _ _ _);
        texture::brickwork_texture_free(_);
        texture::brickwork_texture_get_blocks(_ _ _ _ _ _);
        texture::brickwork_texture_get_data(_ _ _);
        texture::brickwork_texture_get_desc(_ _ _);
        texture::brickwork_texture_note(_ _);
        texture::brickwork_texture_note_count(_);
        texture::brickwork_texture_open(_ _ _ _);
        texture::brickwork_texture_read(_ _ _ _ _);
        texture::brickwork_texture_save(_ _ _ _);
        texture::brickwork_texture_write(_ _ _ _ _);
        version::brickwork_version();
        version::brickwork_version_text();
        texture::brickwork_write_config_init(_ _);
    }
}

/// Returns the C name of a field's type.
fn type_of<S, T: C>(_: impl Fn(&S) -> &T) -> String {
    T::name()
}

/// Writes the checks of a struct.
macro_rules! layout {
    ($text:ident, $struct:ident: $($field:ident)*) => {{
        let name = $struct::name();
        let _ = writeln!($text, "\nCHECK(sizeof({name}) == {});", size_of::<$struct>());
        $(
            let (field, offset) = (stringify!($field), offset_of!($struct, $field));
            let _ = writeln!($text, "CHECK(offsetof({name}, {field}) == {offset});");
        )*
        let _ = writeln!($text, "void check_{name}({name} *value);\nvoid check_{name}({name} *value)\n{{");
        $(
            let (field, of) = (stringify!($field), type_of(|value: &$struct| &value.$field));
            let space = if of.ends_with('*') { "" } else { " " };
            let _ = writeln!($text, "    {of}{space}*{field} = &value->{field};");
        )*
        $( let _ = writeln!($text, "    (void){};", stringify!($field)); )*
        let _ = writeln!($text, "}}");
    }};
}

fn layouts() -> String {
    let mut text = String::new();
    layout!(text, Image: data data_bytes row_bytes width height channel_type channel_count);
    layout!(text, ImageMut: data data_bytes row_bytes width height channel_type reserved);
    layout!(text, Index: layer face mip_level slice);
    layout!(text, WriteConfig: struct_size dds_header zstd_level);
    layout!(text, TaskConfig: struct_size threads on_progress user);
    layout!(text, Desc:
        struct_size format kind width height depth layers faces mip_levels color_space alpha_mode block_bytes
        data_bytes block_width block_height vulkan_format dxgi_format metal_format swizzle);
    text
}

/// Returns all constants of the header, with their numbers.
fn constants() -> Vec<(&'static str, u32)> {
    fn of<T>(table: &'static names::Table<T>) -> impl Iterator<Item = (&'static str, u32)> {
        table.iter().map(|&(number, name, _)| (name, number))
    }
    let statuses = Status::ALL.iter().map(|&(status, name, _)| (name, status.0 as u32));
    statuses
        .chain(of(names::FORMATS))
        .chain(of(names::KINDS))
        .chain(of(names::COLOR_SPACES))
        .chain(of(names::ALPHA_MODES))
        .chain(of(names::ROUNDING_RULES))
        .chain(of(names::CHANNEL_TYPES))
        .chain(of(names::CONTAINERS))
        .chain(of(names::DDS_HEADERS))
        .chain(of(names::STAGES))
        .collect()
}

const HEAD: &str = "\
/* Checks that brickwork.h declares the functions, structs and numbers of the library. It compiles only if
   they agree, as C and as C++. Written by `UPDATE=1 cargo test -p brickwork-c`. */

#include \"brickwork.h\"
#include <stddef.h>

#define CHECK_ON(condition, line) typedef char check_##line[(condition) ? 1 : -1]
#define CHECK_AT(condition, line) CHECK_ON(condition, line)
#define CHECK(condition) CHECK_AT(condition, __LINE__)

";

fn abi() -> String {
    let mut text = HEAD.to_owned();
    let [major, minor, patch] = version::VERSION;
    let _ = writeln!(text, "CHECK(BRICKWORK_VERSION_MAJOR == {major});");
    let _ = writeln!(text, "CHECK(BRICKWORK_VERSION_MINOR == {minor});");
    let _ = writeln!(text, "CHECK(BRICKWORK_VERSION_PATCH == {patch});\n");
    for (name, number) in constants() {
        let _ = writeln!(text, "CHECK({name} == {number});");
    }
    text.push_str(&layouts());
    text.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    for (name, (returned, arguments)) in prototypes() {
        let space = if returned.ends_with('*') { "" } else { " " };
        let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(",\n    ") };
        let _ = writeln!(text, "{returned}{space}{name}(\n    {arguments});");
    }
    text.push_str("\n#ifdef __cplusplus\n}\n#endif\n\nint main(void)\n{\n    return 0;\n}\n");
    text
}

/// Returns the header without its comments.
fn header() -> String {
    let header = include_str!("../include/brickwork.h");
    header.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code)).collect()
}

const fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the constants that the header defines.
fn defined(header: &str) -> BTreeSet<&str> {
    header.split(|c| !is_of_word(c)).filter(|word| word.starts_with("BRICKWORK_")).collect()
}

/// Returns the functions that the header declares: words before a parenthesis.
fn declared(header: &str) -> BTreeSet<&str> {
    let before = header.split('(').map(|code| code.rsplit(|c| !is_of_word(c)).next().unwrap_or_default());
    before.filter(|word| word.starts_with("brickwork_")).collect()
}

#[test]
#[cfg(target_pointer_width = "64")]
fn the_header_is_that_of_the_library() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/abi.c");
    let expected = abi();
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "tests/abi.c differs: run UPDATE=1 cargo test -p brickwork-c, then .ci/c");

    let header = header();
    let versions = ["BRICKWORK_VERSION_MAJOR", "BRICKWORK_VERSION_MINOR", "BRICKWORK_VERSION_PATCH"];
    let others = ["BRICKWORK_H", "BRICKWORK_VERSION"].into_iter().chain(versions);
    let known = constants().into_iter().map(|(name, _)| name).chain(others).collect();
    assert_eq!(defined(&header), known);
    assert_eq!(declared(&header), prototypes().into_iter().map(|(name, _)| name).collect());
}

#[test]
fn a_description_has_the_swizzle() {
    use brickwork_texture::{BlockFormat, Swizzle, TextureDesc};
    let swizzle = Swizzle::parse("rrr1").unwrap();
    let desc = TextureDesc::new_2d(BlockFormat::Bc4Unorm, 4, 4).with_swizzle(swizzle);
    assert_eq!(Desc::from(&desc).swizzle.to_le_bytes(), *b"rrr1");
}
