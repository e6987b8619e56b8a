//! Kernels in the form that Vulkan drivers receive from wgpu.

use super::languages::compiled;
use crate::Kernel;
use naga::{
    ResourceBinding, ShaderStage,
    back::spv::{
        BindingInfo, Options, PipelineOptions, WriterFlags, ZeroInitializeWorkgroupMemoryMode, write_vec,
    },
    proc::{BoundsCheckPolicies, BoundsCheckPolicy},
};

/// Properties of a Vulkan device that determine how wgpu translates a kernel. Default: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpirvTarget {
    /// True if the device checks the bounds of buffers (`robustBufferAccess2`). Otherwise, the kernel does.
    pub has_robust_buffers: bool,
    /// True if the device checks the bounds of images. Otherwise, the kernel does.
    pub has_robust_images: bool,
}

/// Returns the kernel as SPIR-V for Vulkan 1.3 and later, with its override constants set and all of wgpu's
/// checks: the module that wgpu-hal 30 (`vulkan/adapter.rs`, `vulkan/device.rs`) makes for
/// [`Context::pipeline`](crate::Context::pipeline).
///
/// # Panics
/// If naga refuses the kernel.
pub fn spirv(kernel: &Kernel, target: SpirvTarget) -> Vec<u32> {
    let (module, info) = compiled(kernel);
    let checked = |by_device| match by_device {
        true => BoundsCheckPolicy::Unchecked,
        false => BoundsCheckPolicy::Restrict,
    };
    let bound = (0..kernel.bindings().len() as u32).map(|binding| {
        let to = BindingInfo { descriptor_set: 0, binding, binding_array_size: None };
        (ResourceBinding { group: 0, binding }, to)
    });
    let options = Options {
        lang_version: (1, 6),
        flags: WriterFlags::empty(),
        fake_missing_bindings: false,
        binding_map: bound.collect(),
        bounds_check_policies: BoundsCheckPolicies {
            index: BoundsCheckPolicy::Restrict,
            buffer: checked(target.has_robust_buffers),
            image_load: checked(target.has_robust_images),
            binding_array: BoundsCheckPolicy::Unchecked,
        },
        zero_initialize_workgroup_memory: ZeroInitializeWorkgroupMemoryMode::None,
        ..Default::default()
    };
    let entry = PipelineOptions { entry_point: "main".to_owned(), shader_stage: ShaderStage::Compute };
    write_vec(&module, &info, &options, Some(&entry)).unwrap_or_else(|e| panic!("{}: {e}", kernel.name()))
}
