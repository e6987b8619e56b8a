//! `brickwork devices`: the GPUs of this machine.

use crate::{exit::Exit, failure::Failure, json, output, report::Bytes};
use brickwork_toolkit::device::{AdapterInfo, adapters, auto_adapter};
use serde::Serialize;

/// List GPUs: numbers, names, drivers, limits, and the features that Brickwork can use
///
/// "encode --adapter" takes these numbers and names. Without a GPU the list is empty, which is not an error.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork devices
  brickwork devices --json

VK_DRIVER_FILES selects the drivers that Vulkan loads; WGPU_BACKEND (vulkan, metal, dx12) selects backends.")]
pub struct Args {
    /// Print the report as JSON (docs/json.md)
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// Lists the adapters.
///
/// # Errors
/// [`Failure`] if nothing can be printed.
pub fn run(args: &Args) -> Result<Exit, Failure> {
    let adapters = adapters();
    let auto = auto_adapter(&adapters);
    let auto = auto.map(|adapter| adapter.info().index).map_err(|reason| reason.to_string());
    if args.json {
        let adapters = adapters.iter().map(|adapter| AdapterReport::of(adapter.info())).collect();
        let (auto, auto_reason) = (auto.as_ref().ok().copied(), auto.err());
        json::print(&Report { command: "devices", adapters, auto, auto_reason }, false)?;
    } else {
        let mut text: String = adapters.iter().map(|adapter| text(adapter.info())).collect();
        text += &match auto {
            Ok(index) => format!("--device auto takes {index}\n"),
            Err(reason) => format!("--device auto takes the CPU: {reason}\n"),
        };
        output::print(&text, false)?;
    }
    Ok(Exit::Ok)
}

/// What users want to know about an adapter.
fn text(info: &AdapterInfo) -> String {
    let [least, most] = info.subgroup_sizes;
    let subgroups = if least == most {
        format!("subgroups of {most}")
    } else {
        format!("subgroups of {least} to {most}")
    };
    let features = [
        (info.subgroups, subgroups.as_str()),
        (info.timestamps, "timestamps"),
        (info.bc_textures, "BC textures"),
        (info.pipeline_cache, "pipeline cache"),
    ];
    let list = |wanted: bool| {
        let names = features.iter().filter(|(has, _)| *has == wanted).map(|(_, name)| *name);
        names.collect::<Vec<_>>().join(", ")
    };
    let mut text = format!("{}  {}\n", info.index, info.name);
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            text += &format!("   {name:<9} {value}\n");
        }
    };
    line("kind", format!("{}, by {}", info.kind, info.backend));
    line("driver", info.driver.clone());
    line("has", list(true));
    line("lacks", list(false));
    line(
        "limits",
        format!(
            "buffers {}, bindings {}, textures {}, workgroups {} threads and {}",
            Bytes(info.max_buffer),
            Bytes(info.max_storage_binding),
            info.max_texture_size,
            info.workgroup_invocations,
            Bytes(u64::from(info.workgroup_memory)),
        ),
    );
    line("unfit", info.unfit.clone().unwrap_or_default());
    text
}

/// `devices --json`.
#[derive(Serialize)]
struct Report {
    command: &'static str,
    adapters: Vec<AdapterReport>,
    auto: Option<usize>,
    auto_reason: Option<String>,
}

#[derive(Serialize)]
struct AdapterReport {
    index: usize,
    name: String,
    backend: String,
    kind: &'static str,
    driver: String,
    subgroup_sizes: [u32; 2],
    subgroups: bool,
    timestamps: bool,
    bc_textures: bool,
    pipeline_cache: bool,
    max_buffer_bytes: u64,
    max_binding_bytes: u64,
    max_texture_size: u32,
    workgroup_bytes: u32,
    workgroup_threads: u32,
    unfit: Option<String>,
}

impl AdapterReport {
    fn of(info: &AdapterInfo) -> Self {
        Self {
            index: info.index,
            name: info.name.clone(),
            backend: info.backend.clone(),
            kind: info.kind,
            driver: info.driver.clone(),
            subgroup_sizes: info.subgroup_sizes,
            subgroups: info.subgroups,
            timestamps: info.timestamps,
            bc_textures: info.bc_textures,
            pipeline_cache: info.pipeline_cache,
            max_buffer_bytes: info.max_buffer,
            max_binding_bytes: info.max_storage_binding,
            max_texture_size: info.max_texture_size,
            workgroup_bytes: info.workgroup_memory,
            workgroup_threads: info.workgroup_invocations,
            unfit: info.unfit.clone(),
        }
    }
}
