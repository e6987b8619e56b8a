//! Kernels in every driver's language.

use crate::Kernel;
use naga::{
    Module, ShaderStage,
    back::{PipelineConstants, hlsl, msl, pipeline_constants::process_overrides, spv, wgsl},
    front::wgsl::parse_str,
    valid::{Capabilities, ModuleInfo, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator},
};

/// Returns the kernel as a driver receives it, with its override constants set.
///
/// # Panics
/// If naga refuses it, or a value is given for an override constant that it does not have.
pub(super) fn compiled(kernel: &Kernel) -> (Module, ModuleInfo) {
    let (name, text) = (kernel.name(), kernel.wgsl());
    let module = parse_str(text).unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(text)));
    // Only OpenGL may lack the first, and Brickwork opens no OpenGL device. The device requests the second.
    let capabilities = Capabilities::SHADER_FLOAT16_IN_FLOAT32 | Capabilities::SUBGROUP;
    let info = Validator::new(ValidationFlags::all(), capabilities)
        .subgroup_stages(ShaderStages::COMPUTE)
        .subgroup_operations(SubgroupOperationSet::all())
        .validate(&module)
        .unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(text)));
    let values: PipelineConstants =
        kernel.overrides().iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let main = (ShaderStage::Compute, "main");
    let (module, info) =
        process_overrides(&module, &info, Some(main), &values).unwrap_or_else(|e| panic!("{name}: {e}"));
    (module.into_owned(), info.into_owned())
}

/// Asserts that every kernel translates to SPIR-V, MSL, HLSL and WGSL.
///
/// # Panics
/// If a kernel does not.
pub fn assert_every_language(kernels: &[Kernel]) {
    assert!(!kernels.is_empty());
    for kernel in kernels {
        let name = kernel.name();
        let (module, info) = compiled(kernel);
        let options = spv::Options { lang_version: (1, 3), ..Default::default() };
        let words = spv::write_vec(&module, &info, &options, None).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!words.is_empty(), "{name}");
        // The oldest version that wgpu requests on any system it supports.
        let options = msl::Options { lang_version: (2, 1), ..Default::default() };
        let text = msl::write_string(&module, &info, &options, &Default::default());
        assert!(text.unwrap_or_else(|e| panic!("{name}: {e}")).0.contains("kernel void"), "{name}");
        let mut text = String::new();
        let options = hlsl::Options { shader_model: hlsl::ShaderModel::V6_0, ..Default::default() };
        hlsl::Writer::new(&mut text, &options, &Default::default())
            .write(&module, &info, None)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(text.contains("numthreads"), "{name}");
        let text = wgsl::write_string(&module, &info, wgsl::WriterFlags::empty());
        let text = text.unwrap_or_else(|e| panic!("{name}: {e}"));
        parse_str(&text).unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(&text)));
    }
}
