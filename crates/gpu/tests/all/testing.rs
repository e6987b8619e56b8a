//! The checks that the crates' kernel tests rely on fail when they should.

use brickwork_gpu::{
    Binding, Kernel, offsets,
    testing::{
        assert_default_limits, assert_every_language, assert_one_text_per_name, child, context,
        first_dispatches, layout, reference,
    },
};

/// A kernel that writes through `numbers`, with more declarations and statements.
fn kernel(threads: u32, declarations: &str, statements: &str) -> Kernel {
    Kernel::new("a kernel", &[Binding::Write])
        .part("@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;")
        .part(declarations)
        .part(&format!("@compute @workgroup_size({threads}) fn main() {{ numbers[0] = 1u; {statements} }}"))
}

#[test]
fn a_sound_kernel_passes() {
    let kernels = [kernel(256, "var<workgroup> own: array<u32, 4096>;", "own[numbers[1]] = 1u;")];
    assert_every_language(&kernels);
    assert_default_limits(&kernels);
    assert_one_text_per_name(&kernels);
    assert_every_language(&[reference(0)]);
    assert_default_limits(&[reference(0)]);
}

#[test]
#[should_panic(expected = "a kernel: ")]
fn a_kernel_that_is_no_wgsl_is_told() {
    assert_every_language(&[kernel(1, "fn", "")]);
}

#[test]
#[should_panic(expected = "a kernel: ")]
fn an_override_that_is_not_there_is_told() {
    assert_every_language(&[kernel(1, "", "").with("SIDE", 3.0)]);
}

#[test]
#[should_panic(expected = "257 threads in a workgroup, the limit is 256")]
fn too_many_threads_are_told() {
    assert_default_limits(&[kernel(257, "", "")]);
}

#[test]
#[should_panic(expected = "16388 bytes of workgroup memory, the limit is 16384")]
fn too_much_workgroup_memory_is_told() {
    assert_default_limits(&[kernel(1, "var<workgroup> own: array<u32, 4097>;", "own[0] = 1u;")]);
}

#[test]
#[should_panic(expected = "9 storage buffers, the limit is 8")]
fn too_many_storage_buffers_are_told() {
    let declare = |i| format!("@group(0) @binding({i}) var<storage, read> more_{i}: array<u32>;\n");
    let more: String = (1..9).map(declare).collect();
    let uses: String = (1..9).map(|i| format!("numbers[{i}] = more_{i}[0];")).collect();
    let bindings = [[Binding::Write; 1].as_slice(), &[Binding::Read; 8]].concat();
    let text = kernel(1, &more, &uses);
    assert_default_limits(&[Kernel::new("a kernel", &bindings).part(text.wgsl())]);
}

#[test]
#[should_panic(expected = "left: Some(Read)")]
fn a_binding_of_another_kind_is_told() {
    assert_default_limits(&[Kernel::new("a kernel", &[Binding::Read]).part(kernel(1, "", "").wgsl())]);
}

#[test]
#[should_panic(expected = "two kernels are called a kernel")]
fn two_texts_of_one_name_are_told() {
    assert_one_text_per_name(&[kernel(1, "", ""), kernel(2, "", "")]);
}

#[test]
fn offsets_are_those_of_the_struct() {
    #[repr(C)]
    struct Params {
        size: [u32; 2],
        count: u32,
        wide: [u32; 2],
    }
    let wgsl = "struct Params { size: vec2<u32>, count: u32, wide: vec2<u32> }
        @group(0) @binding(1) var<uniform> params: Params;";
    let (found, size) = layout(&kernel(1, wgsl, "numbers[1] = params.count;"), "Params");
    let expected = offsets!(Params: "size" size, "count" count, "wide" wide);
    // WGSL puts a vector of two at a multiple of eight bytes, Rust at one of four.
    assert_eq!(found[..2], expected[..2]);
    assert_eq!((found[2].1, expected[2].1), (16, 12));
    assert_eq!((size, size_of::<Params>()), (24, 20));
}

#[test]
fn a_kernel_that_is_too_large_takes_many_references() {
    let no_cache = [("MESA_SHADER_CACHE_DISABLE", "true")];
    child(module_path!(), "a_kernel_that_is_too_large_takes_many_references", &[], &no_cache, || {
        let Some(context) = context() else { return };
        // Twenty-four rounds that are compiled separately; the reference has two.
        let calls: String = (0..24).map(|i| format!("sum += round_{i}(numbers[{i}]);")).collect();
        let text = include_str!("../../src/testing/reference.wgsl");
        let rounds = &text[text.find("fn round").unwrap()..text.find("@compute").unwrap()];
        let rounds: String = (0..24).map(|i| rounds.replace("fn round", &format!("fn round_{i}"))).collect();
        let large = Kernel::new("large", &[Binding::Write])
            .parts(&[&text[..text.find("@compute").unwrap()], &rounds])
            .part("@compute @workgroup_size(64) fn main() { var sum = vec4(0.0);")
            .parts(&[&calls, "numbers[0] = u32(sum.x); }"])
            .constant("SEED", 5u32);
        let found = first_dispatches(&context, &[large], 2.0);
        assert!(found[0].references > 3.0, "{found:?}");
    });
}
