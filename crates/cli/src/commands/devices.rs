//! `brickwork devices`: the GPUs of this machine.

use crate::{
    exit::Exit,
    failure::Failure,
    json, output,
    report::{AdapterReport, Bytes, DevicesReport},
};
use brickwork_toolkit::device::{AdapterInfo, adapters, auto_adapter};

/// List GPUs: numbers, names, drivers, limits, and the features that Brickwork can use
///
/// "encode --adapter" accepts these numbers and names. Without a GPU, the list is empty, which is not an
/// error.
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
        let adapters = adapters.iter().map(|adapter| AdapterReport::new(adapter.info())).collect();
        let (auto, auto_reason) = (auto.as_ref().ok().copied(), auto.err());
        json::print(&DevicesReport { command: "devices", adapters, auto, auto_reason }, false)?;
    } else {
        let mut text: String = adapters.iter().map(|adapter| text(adapter.info())).collect();
        text += &match auto {
            Ok(index) => format!("--device auto uses {index}\n"),
            Err(reason) => format!("--device auto uses the CPU: {reason}\n"),
        };
        output::print(&text, false)?;
    }
    Ok(Exit::Ok)
}

/// Returns the text about an adapter for users.
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
    line("unfit", info.unfit.as_ref().map(ToString::to_string).unwrap_or_default());
    text
}
