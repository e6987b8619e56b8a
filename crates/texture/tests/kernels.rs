//! Every kernel becomes SPIR-V, MSL, HLSL and WGSL, without a GPU.

use brickwork_texture::gpu::kernels;
use naga::{
    back::{hlsl, msl, spv, wgsl},
    front::wgsl::parse_str,
    valid::{Capabilities, ValidationFlags, Validator},
};

#[test]
fn every_kernel_becomes_every_language() {
    for kernel in kernels() {
        let module = parse_str(&kernel.wgsl).unwrap_or_else(|e| panic!("{}", e.emit_to_string(&kernel.wgsl)));
        // All backends but OpenGL have that one; Brickwork opens no device there.
        let info =
            Validator::new(ValidationFlags::all(), Capabilities::SHADER_FLOAT16_IN_FLOAT32).validate(&module);
        let info = info.unwrap_or_else(|e| panic!("{}: {}", kernel.name, e.emit_to_string(&kernel.wgsl)));
        let what = kernel.name;
        let words = spv::write_vec(&module, &info, &spv::Options::default(), None);
        assert!(!words.unwrap_or_else(|e| panic!("{what}: {e}")).is_empty());
        // The oldest version that wgpu asks for is 2.1.
        let options = msl::Options { lang_version: (2, 1), ..Default::default() };
        let pipeline = msl::PipelineOptions::default();
        let text = msl::write_string(&module, &info, &options, &pipeline);
        assert!(text.unwrap_or_else(|e| panic!("{what}: {e}")).0.contains("kernel void"), "{what}");
        let mut text = String::new();
        let (options, pipeline) = (hlsl::Options::default(), hlsl::PipelineOptions::default());
        hlsl::Writer::new(&mut text, &options, &pipeline)
            .write(&module, &info, None)
            .unwrap_or_else(|e| panic!("{what}: {e}"));
        assert!(text.contains("numthreads"), "{what}");
        let text = wgsl::write_string(&module, &info, wgsl::WriterFlags::empty());
        let text = text.unwrap_or_else(|e| panic!("{what}: {e}"));
        parse_str(&text).unwrap_or_else(|e| panic!("{what}: {}", e.emit_to_string(&text)));
    }
}

/// `Limits::default()`: what every adapter and browser has.
#[test]
fn every_kernel_stays_within_the_default_limits() {
    for kernel in kernels() {
        let module = parse_str(&kernel.wgsl).unwrap();
        let entry = &module.entry_points[0];
        assert_eq!(entry.name, "main");
        assert!(entry.workgroup_size.iter().product::<u32>() <= 256, "{}", kernel.name);
        let storage = module
            .global_variables
            .iter()
            .filter(|(_, v)| matches!(v.space, naga::AddressSpace::Storage { .. }));
        assert!(storage.count() <= 8, "{}", kernel.name);
        assert_eq!(module.overrides.len(), kernel.overrides.len(), "{}", kernel.name);
    }
}
