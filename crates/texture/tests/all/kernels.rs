//! Every kernel becomes SPIR-V, MSL, HLSL and WGSL, without a GPU.

use brickwork_texture::gpu::{Kernel, kernels};
use naga::{
    back::{PipelineConstants, hlsl, msl, pipeline_constants::process_overrides, spv, wgsl},
    front::wgsl::parse_str,
    proc::Layouter,
    valid::{Capabilities, ModuleInfo, ValidationFlags, Validator},
};

/// The kernel, its override constants set, as a driver gets it.
fn compiled(kernel: &Kernel) -> (naga::Module, ModuleInfo) {
    let what = kernel.name();
    let module =
        parse_str(kernel.wgsl()).unwrap_or_else(|e| panic!("{what}: {}", e.emit_to_string(kernel.wgsl())));
    // Brickwork opens no device of OpenGL, which alone may lack the first; the second is asked of the device.
    let capabilities = Capabilities::SHADER_FLOAT16_IN_FLOAT32 | Capabilities::SUBGROUP;
    let info = Validator::new(ValidationFlags::all(), capabilities)
        .subgroup_stages(naga::valid::ShaderStages::COMPUTE)
        .subgroup_operations(naga::valid::SubgroupOperationSet::all())
        .validate(&module)
        .unwrap_or_else(|e| panic!("{what}: {}", e.emit_to_string(kernel.wgsl())));
    let values: PipelineConstants =
        kernel.overrides().iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let (module, info) =
        process_overrides(&module, &info, None, &values).unwrap_or_else(|e| panic!("{what}: {e}"));
    (module.into_owned(), info.into_owned())
}

#[test]
fn every_kernel_becomes_every_language() {
    for kernel in kernels() {
        let what = kernel.name();
        let (module, info) = compiled(&kernel);
        let options = spv::Options { lang_version: (1, 3), ..Default::default() };
        let words = spv::write_vec(&module, &info, &options, None).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert!(!words.is_empty(), "{what}");
        // The oldest version that wgpu asks for on a system that it supports.
        let options = msl::Options { lang_version: (2, 1), ..Default::default() };
        let text = msl::write_string(&module, &info, &options, &Default::default());
        assert!(text.unwrap_or_else(|e| panic!("{what}: {e}")).0.contains("kernel void"), "{what}");
        let mut text = String::new();
        let options = hlsl::Options { shader_model: hlsl::ShaderModel::V6_0, ..Default::default() };
        hlsl::Writer::new(&mut text, &options, &Default::default())
            .write(&module, &info, None)
            .unwrap_or_else(|e| panic!("{what}: {e}"));
        assert!(text.contains("numthreads"), "{what}");
        let text = wgsl::write_string(&module, &info, wgsl::WriterFlags::empty());
        let text = text.unwrap_or_else(|e| panic!("{what}: {e}"));
        parse_str(&text).unwrap_or_else(|e| panic!("{what}: {}", e.emit_to_string(&text)));
    }
}

/// `Limits::default()`: what every adapter and browser has. wgpu itself does not look at the work groups' memory.
#[test]
fn every_kernel_stays_within_the_default_limits() {
    for kernel in kernels() {
        let what = kernel.name();
        let (module, _) = compiled(&kernel);
        let entry = &module.entry_points[0];
        assert_eq!((entry.name.as_str(), module.entry_points.len()), ("main", 1), "{what}");
        assert!(entry.workgroup_size.iter().product::<u32>() <= 256, "{what}");
        let mut layouter = Layouter::default();
        layouter.update(module.to_ctx()).unwrap();
        let (mut storage, mut shared) = (0, 0);
        for (_, variable) in module.global_variables.iter() {
            match variable.space {
                naga::AddressSpace::Storage { .. } => storage += 1,
                naga::AddressSpace::WorkGroup => shared += layouter[variable.ty].size,
                _ => {}
            }
        }
        assert!(storage <= 8, "{what}: {storage} storage buffers");
        assert!(shared <= 16 << 10, "{what}: {shared} bytes shared");
    }
}
