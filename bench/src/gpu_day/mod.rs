//! All measurements that need a real GPU, in one command: encoding times of every variant and size, memory,
//! choices that the papers leave open, and the other benchmarks for GPUs.

mod amount;
mod choices;
mod decoder;
mod encode;
mod formats;
mod goals;
mod memory;

use crate::{
    command::{Adapter, command_line},
    gpu_clock::Filler,
    machine,
    paths::page_of_tables,
    report,
    table::Table,
};
use amount::{SMALL, WHOLE};
use anyhow::{Context as _, Result, ensure};
use brickwork_texture::gpu::GpuEncoder;
use goals::{Goals, goals_table};
use std::{ffi::OsString, path::PathBuf, process::Command, time::Instant};

#[derive(clap::Args)]
pub struct GpuDay {
    #[command(flatten)]
    adapter: Adapter,
    /// Small images and few rounds: to see that all of it works, on a software adapter
    #[arg(long)]
    small: bool,
    /// Only the tables of this command, without the other benchmarks
    #[arg(long)]
    alone: bool,
    /// The program `brickwork`, for `bench papers`. Default: the one beside this program
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// Folder of volumes, NAME.raw.zst or NAME.raw beside NAME.json. Default: test-data/volumes
    #[arg(long, value_name = "FOLDER")]
    volumes: Option<PathBuf>,
    /// Folder of EXR files for BC6H's peers. Default: they are left out
    #[arg(long, value_name = "FOLDER")]
    hdr: Option<PathBuf>,
    /// Puts the tables into docs/measured/textures-gpu.md, docs/measured/volumes-gpu.md and docs/direct.md,
    /// each as soon as it is known
    #[arg(long)]
    write: bool,
}

/// Measures, and prints the results.
pub fn run(arguments: &GpuDay) -> Result<()> {
    let start = Instant::now();
    let amount = if arguments.small { &SMALL } else { &WHOLE };
    let context = arguments.adapter.open()?;
    let info = context.info().context("the device has no adapter")?.clone();
    let text = format!(
        "- Command: `{}`\n- Device: {info}{}\n- Host: {}\n- Date: {}\n",
        command_line(),
        if info.is_software() { ", a **software adapter**: its times say nothing about GPUs" } else { "" },
        machine::describe(),
        machine::date(),
    );
    let tell = |what: &str| eprintln!("{:4.0} s  {what}", start.elapsed().as_secs_f64());
    let encoder = GpuEncoder::new(context.clone());
    let filler = Filler::new(&context)?;
    let mut goals = Goals::default();

    let mut page = Page { text, is_written: arguments.write };
    tell("formats");
    let title = format!("Every format and quality, {0}×{0}", amount.format_side);
    page.add(&title, &formats::run(&encoder, &filler, amount)?)?;
    tell("the GPU's decoder");
    let title = format!(
        "What a shader reads from {0}×{0} texels of random blocks, beside the CPU's decoder",
        amount.decoded_side
    );
    page.add(&title, &decoder::run(&context, amount.decoded_side)?)?;
    let title = "The values of BC4's indices, in 255ths";
    page.add(title, &decoder::weights(&context)?)?;
    tell("memory");
    page.add("Memory", &memory::run(&context, amount.copy_bytes, amount.rounds, &filler)?)?;
    tell("BC1, every size");
    let title = "BC1 at quality normal, the tiled odd Kodak images";
    page.add(title, &encode::sizes(&encoder, amount, &mut goals, &filler)?)?;
    tell("BC1, every variant and quality");
    page.add("Variants and qualities of BC1", &encode::variants(&encoder, amount, &mut goals, &filler)?)?;
    tell("kernels");
    page.add("The kernels of BC1 at quality normal", &encode::kernels(&encoder, amount, &filler)?)?;
    tell("choices");
    let title = "What the papers leave open, each by itself";
    page.add(title, &choices::run(&context, amount.threads, amount.rounds, &filler)?)?;
    tell("LSDxt");
    let title = format!("LSDxt, {0}×{0}", amount.lsdxt_side);
    page.add(&title, &encode::lsdxt(&encoder, amount, &mut goals, &filler)?)?;
    page.add("Goals", &goals.0.unwrap_or_else(goals_table))?;
    drop((encoder, filler, context));
    if !arguments.alone {
        others(arguments, &tell)?;
    }
    tell("done");
    Ok(())
}

/// The page as far as it is known.
struct Page {
    text: String,
    is_written: bool,
}

impl Page {
    /// Adds a table and prints it. If something fails later, the document has the tables before.
    fn add(&mut self, title: &str, table: &Table) -> Result<()> {
        let section = format!("\n**{title}**\n\n{}", table.to_markdown());
        println!("{section}");
        self.text += &section;
        if self.is_written {
            report::write_section(&page_of_tables("textures-gpu"), "gpu-day", &self.text)?;
        }
        Ok(())
    }
}

/// Runs the other benchmarks for GPUs, each in a separate process, so that none affects the device of the
/// next.
fn others(arguments: &GpuDay, tell: &impl Fn(&str)) -> Result<()> {
    let own = std::env::current_exe()?;
    let beside = own.with_file_name("brickwork").with_extension(std::env::consts::EXE_EXTENSION);
    let program = arguments.program.clone().unwrap_or(beside);
    let small = arguments.small;
    let words = |words: &str| words.split(' ').map(OsString::from).collect::<Vec<_>>();
    let folder = |folder: &Option<PathBuf>| folder.as_ref().map(|folder| folder.clone().into_os_string());
    let options = if small { "gpu-peers --images-limit 1 --repeat 1 --side 64" } else { "gpu-peers" };
    let mut peers = words(options);
    if let Some(hdr) = folder(&arguments.hdr) {
        peers.extend(["--hdr".into(), hdr]);
    }
    let direct = words(if small { "direct --sizes 256 --repeat 1" } else { "direct" });
    let volumes_with = |options: &str| {
        let size = if small { "volume-gpu --size 64x48 --repeat 1" } else { "volume-gpu" };
        words(&format!("{size}{options}")).into_iter().chain(folder(&arguments.volumes)).collect::<Vec<_>>()
    };
    // Larger than the L2 cache: 50 MB on an H200.
    let tiled = if small { " --tiled 2MiB" } else { " --tiled 256MiB" };
    let mut failed = Vec::new();
    for (program, words, writes) in [
        (&own, volumes_with(""), !small),
        (&own, volumes_with(tiled), !small),
        (&own, peers, !small),
        (&own, direct, !small),
        (&program, words("bench papers"), false),
    ] {
        let line = words.join(" ".as_ref()).display().to_string();
        tell(&line);
        let mut command = Command::new(program);
        command.args(words);
        if let Some(adapter) = &arguments.adapter.adapter {
            command.args(["--adapter", adapter]);
        }
        if arguments.write && writes {
            command.arg("--write");
        }
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(status) => failed.push(format!("{line}: {status}")),
            Err(error) => failed.push(format!("{line}: {}: {error}", program.display())),
        }
    }
    ensure!(failed.is_empty(), "{}", failed.join("\n"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_it_runs_on_small_images() {
        if brickwork_gpu::testing::context().is_none() {
            return;
        }
        let adapter = Adapter { adapter: None };
        let (small, alone, write) = (true, true, false);
        run(&GpuDay { adapter, small, alone, program: None, volumes: None, hdr: None, write }).unwrap();
    }
}
