//! Kernels as the compilers of GPUs' drivers see them: docs/kernels.md.
//!
//! | file | contents |
//! |---|---|
//! | `vulkan.rs` | a driver's compiler and its figures; nothing runs |
//! | `figures.rs` | the same columns for every driver |
//! | `record.rs` | figures in a file, and the kernels that have become worse |
//! | `wgsl.rs` | WGSL for other compilers |

mod figures;
mod record;
mod vulkan;
mod wgsl;

use anyhow::{Context as _, Result, bail, ensure};
use brickwork_gpu::Kernel;
use figures::Row;
use record::Record;
use std::{
    fs,
    io::{IsTerminal as _, stderr},
    path::PathBuf,
};
use vulkan::{Compiler, Device, Vulkan};

#[derive(clap::Args)]
pub struct Kernels {
    /// The Vulkan device, by part of its name. Default: every one
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Kernels whose name contains this only, such as "bc1 search"
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Every figure of the driver, and its description
    #[arg(long)]
    all: bool,
    /// Writes the figures to a file, such as bench/kernels-ada.txt
    #[arg(long, value_name = "FILE", conflicts_with = "filter")]
    record: Option<PathBuf>,
    /// Compares with such a file and fails if a kernel has become worse: spills, scratch, fewer waves, or
    /// inverse throughput + 10 %
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    check: Option<PathBuf>,
    /// Only writes the WGSL of the kernels for textures, with bindings and constants, to a JSON file, for
    /// other compilers
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "check", "adapter", "all"])]
    wgsl: Option<PathBuf>,
}

pub fn run(arguments: &Kernels) -> Result<()> {
    if let Some(path) = &arguments.wgsl {
        let mut kernels = of_textures();
        let part = arguments.filter.as_deref().unwrap_or_default();
        kernels.retain(|kernel| figures::name(kernel).contains(part));
        return fs::write(path, wgsl::to_json(&kernels)?)
            .with_context(|| format!("cannot write {}", path.display()));
    }
    let vulkan = Vulkan::open()?;
    let mut devices = vulkan.devices()?;
    if let Some(part) = &arguments.adapter {
        devices.retain(|device| device.name.to_lowercase().contains(&part.to_lowercase()));
    }
    let mut compilers = Vec::new();
    for device in &devices {
        match device.compiler(&vulkan)? {
            Some(compiler) => compilers.push((device, compiler)),
            None => eprintln!(
                "{} ({}): tells nothing of kernels (no VK_KHR_pipeline_executable_properties)",
                device.name, device.driver
            ),
        }
    }
    ensure!(!compilers.is_empty(), "no Vulkan device that tells anything of kernels");
    let is_kept = arguments.record.is_some() || arguments.check.is_some();
    ensure!(!is_kept || compilers.len() == 1, "several devices: choose one by --adapter");
    for (device, compiler) in &compilers {
        of_device(arguments, device, compiler)?;
    }
    Ok(())
}

/// Returns every kernel of the project.
fn kernels() -> Vec<Kernel> {
    [of_textures(), brickwork_volume::gpu::kernels()].concat()
}

/// Returns every kernel for textures.
fn of_textures() -> Vec<Kernel> {
    [brickwork_texture::gpu::kernels(), brickwork_papers::kernels()].concat()
}

fn of_device(arguments: &Kernels, device: &Device, compiler: &Compiler<'_>) -> Result<()> {
    let is_wanted = |name: &str| arguments.filter.as_ref().is_none_or(|part| name.contains(part));
    let mut rows = Vec::new();
    for kernel in kernels() {
        let name = figures::name(&kernel);
        if is_wanted(&name) {
            // A compiler that crashes crashes this program.
            if stderr().is_terminal() {
                eprintln!("{name}");
            }
            rows.extend(compile(compiler, &kernel, &name)?);
        }
    }
    let described = format!("{} ({})", device.name.trim(), device.driver);
    if let Some(path) = &arguments.record {
        return fs::write(path, record::to_text(&described, &rows))
            .with_context(|| format!("cannot write {}", path.display()));
    }
    if let Some(path) = &arguments.check {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let record = Record::parse(&text).with_context(|| format!("{} is no record", path.display()))?;
        if record.device != described {
            eprintln!("recorded on another device or driver: {}\nthis one is {described}", record.device);
        }
        let faults = record.faults(&rows, is_wanted);
        let (path, faults_found) = (path.display(), faults.join("\n"));
        ensure!(faults.is_empty(), "worse than {path} says (if that is meant, --record):\n{faults_found}");
        println!("{} kernels, none worse than recorded", rows.len());
        return Ok(());
    }
    println!("- Device: {described}\n{}", figures::to_markdown(&rows, arguments.all));
    Ok(())
}

/// Returns a row for each executable of the kernel. Most drivers make one; some make one for each subgroup
/// size.
fn compile(compiler: &Compiler<'_>, kernel: &Kernel, name: &str) -> Result<Vec<Row>> {
    let mut executables = compiler.compile(kernel).with_context(|| name.to_owned())?;
    match executables.len() {
        0 => bail!("{name}: the driver tells nothing"),
        1 => Ok(vec![Row::new(name.to_owned(), executables.remove(0).1)]),
        _ => Ok(executables
            .into_iter()
            .map(|(executable, statistics)| Row::new(format!("{name}, {executable}"), statistics))
            .collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_kernel_has_a_name_of_its_own() {
        let names: Vec<_> = kernels().iter().map(figures::name).collect();
        let mut known = HashSet::new();
        let twice: Vec<_> = names.iter().filter(|name| !known.insert(*name)).collect();
        assert!(twice.is_empty(), "{twice:?}");
        let has = |kernel: &str| names.iter().any(|name| name.starts_with(kernel));
        assert!(has("bc1 search, 4 starts") && has("volume brick") && has("volume brick 8×8×8"));
    }
}
