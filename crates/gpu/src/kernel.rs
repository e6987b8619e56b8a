//! Kernels: WGSL assembled from files, parts and constants, with its bindings.

use crate::WgslFiles;
use std::{borrow::Cow, ops::Range};

/// Type of one binding of bind group 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "compilers of kernels must handle each")]
pub enum Binding {
    /// A uniform buffer.
    Uniform,
    /// A read-only storage buffer.
    Read,
    /// A read-write storage buffer.
    Write,
    /// A 2D texture whose texels are read as floats.
    Texture,
    /// A 3D texture whose texels are read as unsigned integers.
    Texture3d,
    /// A 2D texture of format `rg32uint`, to be written.
    StoreTwoWords,
    /// A 2D texture of format `rgba32uint`, to be written.
    StoreFourWords,
}

impl Binding {
    pub(crate) fn layout(self, place: usize) -> wgpu::BindGroupLayoutEntry {
        let buffer = |ty| wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
        let store = |format| wgpu::BindingType::StorageTexture {
            access: wgpu::StorageTextureAccess::WriteOnly,
            format,
            view_dimension: wgpu::TextureViewDimension::D2,
        };
        wgpu::BindGroupLayoutEntry {
            binding: place as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: match self {
                Self::Uniform => buffer(wgpu::BufferBindingType::Uniform),
                Self::Read => buffer(wgpu::BufferBindingType::Storage { read_only: true }),
                Self::Write => buffer(wgpu::BufferBindingType::Storage { read_only: false }),
                Self::Texture => wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                Self::Texture3d => wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Uint,
                    view_dimension: wgpu::TextureViewDimension::D3,
                    multisampled: false,
                },
                Self::StoreTwoWords => store(wgpu::TextureFormat::Rg32Uint),
                Self::StoreFourWords => store(wgpu::TextureFormat::Rgba32Uint),
            },
            count: None,
        }
    }
}

/// A number that WGSL takes from Rust with its exact value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "compilers of kernels must handle each")]
pub enum Constant {
    /// A `u32`.
    U32(u32),
    /// An `i32`.
    I32(i32),
    /// An `f32`, which must be finite: WGSL has no other constants.
    F32(f32),
}

impl From<u32> for Constant {
    fn from(value: u32) -> Self {
        Self::U32(value)
    }
}

impl From<i32> for Constant {
    fn from(value: i32) -> Self {
        Self::I32(value)
    }
}

impl From<f32> for Constant {
    fn from(value: f32) -> Self {
        Self::F32(value)
    }
}

impl Constant {
    fn type_name(self) -> &'static str {
        match self {
            Self::U32(_) => "u32",
            Self::I32(_) => "i32",
            Self::F32(_) => "f32",
        }
    }

    /// Returns a WGSL expression that has this value and this type in every context.
    ///
    /// # Panics
    /// If it is an `f32` that is not finite.
    fn wgsl(self) -> String {
        match self {
            Self::U32(value) => format!("{value}u"),
            // A WGSL literal has no sign, so the lowest i32 cannot be written as one.
            Self::I32(value) => format!("i32({value})"),
            Self::F32(value) => {
                assert!(value.is_finite(), "WGSL has no constant {value}");
                // The digits of an f64, which browsers demand: the shortest ones of the largest f32 are
                // above it. With the suffix, they are read as an f32 and not rounded twice.
                format!("{:?}f", f64::from(value))
            }
        }
    }
}

/// A compute kernel before it is compiled. Its entry point is `main`.
///
/// ```
/// use brickwork_gpu::{Binding, Kernel};
/// let kernel = Kernel::new("scale", &[Binding::Write])
///     .constant("FACTOR", 3u32)
///     .part("@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;")
///     .part(
///         "@compute @workgroup_size(64)
///         fn main(@builtin(global_invocation_id) id: vec3<u32>) { numbers[id.x] *= FACTOR; }",
///     );
/// assert!(kernel.wgsl().starts_with("const FACTOR = 3u;\n"));
/// ```
#[derive(Clone, Debug)]
pub struct Kernel {
    name: Cow<'static, str>,
    wgsl: String,
    /// Files that are contained in `wgsl`, in order.
    files: Vec<KernelFile>,
    bindings: Vec<Binding>,
    overrides: Vec<(&'static str, f64)>,
}

/// A file in a kernel's WGSL.
#[derive(Clone, Debug)]
struct KernelFile {
    path: &'static str,
    text: &'static str,
    /// Start and end in the kernel's WGSL, in bytes. The line break after the file is inside.
    range: Range<usize>,
}

impl Kernel {
    /// Creates a kernel without WGSL that finds `bindings` in bind group 0, the first at `@binding(0)`.
    ///
    /// The name appears in messages and is the key under which compiled kernels are kept. Kernels with the
    /// same name must have the same WGSL and bindings. Only the values of their `override` constants may
    /// differ. [`Context::pipeline`](crate::Context::pipeline) refuses others.
    pub fn new(name: impl Into<Cow<'static, str>>, bindings: &[Binding]) -> Self {
        Self {
            name: name.into(),
            wgsl: String::new(),
            files: Vec::new(),
            bindings: bindings.to_vec(),
            overrides: Vec::new(),
        }
    }

    /// Adds a WGSL file, after those that it needs; see [`WgslFiles`]. Files that the kernel already contains
    /// are not added again.
    ///
    /// # Panics
    /// If a file is not in the list, or needs itself.
    #[must_use]
    pub fn file(mut self, files: &WgslFiles, path: &str) -> Self {
        for (path, text) in files.with_needs(path) {
            if !self.files.iter().any(|known| known.text == text) {
                let start = self.wgsl.len();
                self = self.part(text);
                self.files.push(KernelFile { path, text, range: start..self.wgsl.len() });
            }
        }
        self
    }

    /// Adds several files.
    ///
    /// # Panics
    /// As [`file`](Self::file).
    #[must_use]
    pub fn files(self, files: &WgslFiles, paths: &[impl AsRef<str>]) -> Self {
        paths.iter().fold(self, |kernel, path| kernel.file(files, path.as_ref()))
    }

    /// Adds WGSL. Order does not matter: a module-scope declaration is visible before and after itself.
    #[must_use]
    pub fn part(mut self, wgsl: &str) -> Self {
        self.wgsl += wgsl;
        if !wgsl.ends_with('\n') {
            self.wgsl.push('\n');
        }
        self
    }

    /// Adds several parts.
    #[must_use]
    pub fn parts(self, parts: &[&str]) -> Self {
        parts.iter().fold(self, |kernel, part| kernel.part(part))
    }

    /// Adds `const name = value`.
    ///
    /// # Panics
    /// If the value is a float that is not finite.
    #[must_use]
    pub fn constant(self, name: &str, value: impl Into<Constant>) -> Self {
        let value = value.into().wgsl();
        self.part(&format!("const {name} = {value};"))
    }

    /// Adds several constants.
    ///
    /// # Panics
    /// If a value is a float that is not finite.
    #[must_use]
    pub fn constants<'a, T: Into<Constant>>(self, values: impl IntoIterator<Item = (&'a str, T)>) -> Self {
        values.into_iter().fold(self, |kernel, (name, value)| kernel.constant(name, value))
    }

    /// Adds a constant array, for indices that are constants themselves. An array with an index that is known
    /// only at run time is copied into every thread; bind such tables as buffers.
    ///
    /// # Panics
    /// If there is no value, or one is a float that is not finite.
    #[must_use]
    pub fn table<T: Into<Constant> + Copy>(self, name: &str, values: &[T]) -> Self {
        let values: Vec<Constant> = values.iter().map(|&value| value.into()).collect();
        let first = values.first().expect("a table has values");
        let list: Vec<_> = values.iter().map(|value| value.wgsl()).collect();
        let (of, count, list) = (first.type_name(), values.len(), list.join(", "));
        self.part(&format!("const {name} = array<{of}, {count}>({list});"))
    }

    /// Sets the value of an `override` constant.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: f64) -> Self {
        self.overrides.retain(|(known, _)| *known != name);
        self.overrides.push((name, value));
        self
    }

    /// Returns the kernel's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the complete WGSL.
    pub fn wgsl(&self) -> &str {
        &self.wgsl
    }

    /// Returns the complete WGSL in pieces, in order: files, with their paths, and the text between them.
    /// Hosts in other languages keep a file of several kernels once. Not part of the API: it may change with
    /// any version.
    #[doc(hidden)]
    pub fn pieces(&self) -> Vec<(Option<&'static str>, &str)> {
        let mut pieces = Vec::new();
        let mut end = 0;
        for file in &self.files {
            pieces.push((None, &self.wgsl[end..file.range.start]));
            pieces.push((Some(file.path), &self.wgsl[file.range.clone()]));
            end = file.range.end;
        }
        pieces.push((None, &self.wgsl[end..]));
        pieces.retain(|(_, text)| !text.is_empty());
        pieces
    }

    /// Returns the bindings, in the order of their `@binding` numbers.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Returns the values of `override` constants. Those not listed keep their defaults.
    pub fn overrides(&self) -> &[(&'static str, f64)] {
        &self.overrides
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_constants_stand_on_lines_of_their_own() {
        let kernel = Kernel::new("a", &[Binding::Uniform])
            .parts(&["fn f() {} // no line break", "fn g() {}\n"])
            .constant("COUNT", 5u32)
            .constants([("LEAST", Constant::from(i32::MIN)), ("THIRD", Constant::from(1.0 / 3.0f32))])
            .constant("MOST", f32::MAX)
            .table("STEPS", &[1, -2])
            .with("SIDE", 3.0)
            .with("SIDE", 9.0);
        let expected = "fn f() {} // no line break\nfn g() {}\nconst COUNT = 5u;\n\
            const LEAST = i32(-2147483648);\nconst THIRD = 0.3333333432674408f;\n\
            const MOST = 3.4028234663852886e38f;\nconst STEPS = array<i32, 2>(i32(1), i32(-2));\n";
        assert_eq!(kernel.wgsl(), expected);
        assert_eq!((kernel.name(), kernel.bindings()), ("a", &[Binding::Uniform][..]));
        assert_eq!(kernel.overrides(), [("SIDE", 9.0)]);
    }

    #[test]
    fn pieces_are_the_whole_text() {
        const FILES: WgslFiles =
            WgslFiles::new(&[("a.wgsl", "fn a() {}"), ("b.wgsl", "// needs: a.wgsl\nfn b() {}\n")]);
        let kernel = Kernel::new("a", &[]).constant("ONE", 1u32).file(&FILES, "b.wgsl");
        let kernel = kernel.constant("TWO", 2u32).constant("THREE", 3u32).file(&FILES, "a.wgsl");
        let pieces = kernel.pieces();
        let expected = [
            (None, "const ONE = 1u;\n"),
            (Some("a.wgsl"), "fn a() {}\n"),
            (Some("b.wgsl"), "// needs: a.wgsl\nfn b() {}\n"),
            (None, "const TWO = 2u;\nconst THREE = 3u;\n"),
        ];
        assert_eq!(pieces, expected);
        assert_eq!(pieces.iter().map(|(_, text)| *text).collect::<String>(), kernel.wgsl());
    }

    #[test]
    #[should_panic(expected = "no constant inf")]
    fn infinity_is_no_constant() {
        let _ = Kernel::new("a", &[]).constant("FAR", f32::INFINITY);
    }
}
