//! Kernels' WGSL for other compilers, such as a browser's.

use super::figures;
use brickwork_gpu::{Binding, Kernel};
use serde::Serialize;
use std::collections::BTreeMap;

/// A kernel as WebGPU takes it.
#[derive(Serialize)]
struct Text<'a> {
    name: String,
    /// Members of `GPUBindGroupLayoutEntry`, in the order of the bindings.
    bindings: Vec<serde_json::Value>,
    overrides: BTreeMap<&'a str, f64>,
    wgsl: &'a str,
}

/// Returns the kernels in JSON.
pub fn to_json(kernels: &[Kernel]) -> serde_json::Result<String> {
    let text = |kernel| Text {
        name: figures::name(kernel),
        bindings: kernel.bindings().iter().copied().map(layout).collect(),
        overrides: kernel.overrides().iter().copied().collect(),
        wgsl: kernel.wgsl(),
    };
    serde_json::to_string_pretty(&kernels.iter().map(text).collect::<Vec<_>>())
}

fn layout(binding: Binding) -> serde_json::Value {
    let buffer = |kind| serde_json::json!({ "buffer": { "type": kind } });
    let store = |format| serde_json::json!({ "storageTexture": { "format": format } });
    match binding {
        Binding::Uniform => buffer("uniform"),
        Binding::Read => buffer("read-only-storage"),
        Binding::Write => buffer("storage"),
        Binding::Texture => serde_json::json!({ "texture": { "sampleType": "unfilterable-float" } }),
        Binding::Texture3d => {
            serde_json::json!({ "texture": { "sampleType": "uint", "viewDimension": "3d" } })
        }
        Binding::StoreTwoWords => store("rg32uint"),
        Binding::StoreFourWords => store("rgba32uint"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_written_with_its_bindings() {
        let kernel = Kernel::new("scale", &[Binding::Uniform, Binding::StoreTwoWords]).part("const A = 1;");
        let json: serde_json::Value = serde_json::from_str(&to_json(&[kernel]).unwrap()).unwrap();
        let expected = serde_json::json!([
            { "buffer": { "type": "uniform" } }, { "storageTexture": { "format": "rg32uint" } },
        ]);
        assert_eq!((&json[0]["name"], &json[0]["bindings"]), (&"scale".into(), &expected));
        assert!(json[0]["wgsl"].as_str().unwrap().contains("const A = 1;"));
    }
}
