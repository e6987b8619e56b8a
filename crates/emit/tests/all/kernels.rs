//! Minified WGSL against the kernels' own.

use brickwork_emit::{chains, minified, uses_subgroups};
use brickwork_gpu::Kernel;
use brickwork_texture::{
    BlockFormat, TexelFormat,
    gpu::export::{filter_kernels, load_buffer_kernel, load_texture_kernel, mip_kernels, normal_kernels},
};
use brickwork_volume::export::browser_kernels;
use naga::{
    ShaderStage,
    back::{
        PipelineConstants,
        pipeline_constants::process_overrides,
        wgsl::{WriterFlags, write_string},
    },
    front::wgsl::parse_str,
    valid::{Capabilities, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator},
};

/// Returns every kernel that is emitted, once.
fn kernels() -> Vec<Kernel> {
    let mut kernels = Vec::new();
    for texels in [TexelFormat::Rgba8, TexelFormat::RgbaF16] {
        kernels.extend([load_buffer_kernel(texels), load_texture_kernel(texels)]);
        kernels.extend(mip_kernels(texels));
        kernels.extend(filter_kernels(texels));
    }
    kernels.extend(normal_kernels());
    for &format in BlockFormat::ALL {
        for chain in chains(format).unwrap() {
            kernels.extend(chain.steps.into_iter().map(|step| step.kernel));
        }
    }
    kernels.extend(browser_kernels().into_iter().map(|(.., kernel)| kernel));
    kernels.sort_by(|a, b| a.name().cmp(b.name()));
    kernels.dedup_by(|a, b| a.name() == b.name());
    kernels
}

/// Returns the WGSL that naga makes of `wgsl` with the kernel's override constants, or `None` if it needs
/// subgroups and these are not allowed.
fn translated(kernel: &Kernel, wgsl: &str, allows_subgroups: bool) -> Option<String> {
    let name = kernel.name();
    let module = parse_str(wgsl).unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(wgsl)));
    let mut capabilities = Capabilities::SHADER_FLOAT16_IN_FLOAT32;
    capabilities.set(Capabilities::SUBGROUP, allows_subgroups);
    let mut validator = Validator::new(ValidationFlags::all(), capabilities);
    if allows_subgroups {
        validator.subgroup_stages(ShaderStages::COMPUTE).subgroup_operations(SubgroupOperationSet::all());
    }
    let info = validator.validate(&module).ok()?;
    let values: PipelineConstants =
        kernel.overrides().iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let main = (ShaderStage::Compute, "main");
    let (module, info) =
        process_overrides(&module, &info, Some(main), &values).unwrap_or_else(|e| panic!("{name}: {e}"));
    Some(write_string(&module, &info, WriterFlags::empty()).unwrap_or_else(|e| panic!("{name}: {e}")))
}

#[test]
fn minified_kernels_are_the_same_kernels() {
    let all = kernels();
    assert!(all.len() > 30, "{}", all.len());
    for kernel in &all {
        let name = kernel.name();
        let parts: String = kernel.pieces().into_iter().map(|(_, text)| minified(text)).collect();
        assert!(parts.len() < kernel.wgsl().len(), "{name}");
        let expected = translated(kernel, kernel.wgsl(), true);
        assert!(expected.is_some(), "{name}");
        assert_eq!(translated(kernel, &parts, true), expected, "{name}");
        // In any order.
        let mut pieces = kernel.pieces();
        pieces.reverse();
        let reversed: String = pieces.into_iter().map(|(_, text)| minified(text)).collect();
        assert!(translated(kernel, &reversed, true).is_some(), "{name}");
    }
}

#[test]
fn the_flag_of_subgroups_is_what_naga_finds() {
    for kernel in kernels() {
        let without = translated(&kernel, kernel.wgsl(), false);
        assert_eq!(uses_subgroups(kernel.wgsl()), without.is_none(), "{}", kernel.name());
    }
}
