//! Volumes: Brickwork's files compared with the paper's scheme, Zstandard, pco, Blosc2, JPEG-LS and JPEG XL.

mod codecs;
pub mod gpu;
mod measure;
mod python;
mod random_access;
mod report;
mod smooth;
mod threads;
mod tiles;
mod volume;

use crate::{
    command::profile_option,
    machine,
    paths::{page_of_tables, root},
};
use anyhow::{Context as _, Result};
use brickwork_volume::{
    BrickSize::{Eight, Four},
    Dims, VoxelKind,
};
use codecs::Kind;
use measure::Measured;
use python::Python;
use report::Results;
use std::{cell::RefCell, io::stdout, num::NonZeroUsize, path::PathBuf};
use volume::{Entry, Sample, with_voxels};

const FOLDER: &str = "test-data/volumes";

/// The names of the sections that `volume-peers` writes: into docs/measured/volumes.md and
/// docs/measured/volume-sizes.md.
const SECTION: &str = "volume-peers";
const SIZES_SECTION: &str = "volume-sizes";

#[derive(clap::Args)]
pub struct Peers {
    /// Folder of volumes, NAME.raw.zst beside NAME.json. Default: test-data/volumes
    folder: Option<PathBuf>,
    /// Uses these volumes only, for a quick look
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Rounds; slow codecs sit out two of three
    #[arg(long, value_name = "N", default_value = "3")]
    repeat: NonZeroUsize,
    /// Puts the tables into docs/measured/volumes.md and docs/measured/volume-sizes.md
    #[arg(long, conflicts_with = "names")]
    write: bool,
}

#[derive(clap::Args)]
pub struct Tiles {
    /// Folder of volumes, NAME.raw.zst beside NAME.json
    folder: PathBuf,
    /// The volume
    name: String,
    /// Bytes to write at most, such as 20GiB
    #[arg(
        long, value_name = "BYTES",
        value_parser = |text: &str| tiles::parse_bytes(text).map_err(|e| format!("{e:#}"))
    )]
    bytes: u64,
    /// Copies side by side along x and y; along z there are as many as fit
    #[arg(long, value_name = "N", default_value = "1")]
    across: NonZeroUsize,
}

/// Measures all codecs on all volumes, prints the tables and, where asked to, writes them into the documents.
pub fn peers(arguments: &Peers) -> Result<()> {
    let folder = arguments.folder.clone().unwrap_or_else(|| root().join(FOLDER));
    let entries = volume::list(&folder, &arguments.names)?;
    // Before this thread is pinned, which hides the other CPUs.
    let machine = format!("Machine: {}\n- {}", machine::cpu(), machine::compiler());
    let results = run(&entries, arguments.repeat.get())?;
    let about = about(arguments, &entries, machine, &results);
    let text = report::to_markdown(&about, &results);
    print!("{text}");
    if arguments.write {
        crate::report::write_section(&page_of_tables("volumes"), SECTION, &text)?;
        let about: String = about.iter().map(|line| format!("- {line}\n")).collect();
        let sizes = format!("{about}\n{}", report::sizes(&results));
        crate::report::write_section(&page_of_tables("volume-sizes"), SIZES_SECTION, &sizes)?;
    }
    Ok(())
}

/// Writes copies of a volume to standard output, and their description to standard error.
pub fn tiles(arguments: &Tiles) -> Result<()> {
    let entry = volume::list(&arguments.folder, std::slice::from_ref(&arguments.name))?.remove(0);
    let tiled = tiles::dims(entry.dims, entry.byte_count(), arguments.across.get(), arguments.bytes)?;
    let bytes = entry.bytes()?;
    eprintln!("{} voxels, {}x{}x{}", entry.dtype, tiled.x, tiled.y, tiled.z);
    tiles::write(&bytes, entry.dims, tiled, stdout().lock()).context("cannot write to standard output")
}

fn run(entries: &[Entry], round_count: usize) -> Result<Results> {
    let main = entries.iter().max_by_key(|entry| entry.byte_count()).context("no volume")?;
    let mut results = Results { main: main.name.clone(), ..Results::default() };
    eprintln!("two threads");
    results.threads =
        with_voxels!(&main.read()?, voxels => threads::measure(voxels, main.dims, round_count.max(3)))?;
    crate::measure::pin()?;
    // From here on, this thread is a separate pool, so that work for other threads stays on it.
    let _pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    for entry in entries {
        with_voxels!(&entry.read()?, voxels => {
            let python = RefCell::new(Python::start(voxels, entry.dims));
            let kinds = Kind::ALL.into_iter();
            let form = (entry.dims, entry.kind);
            results.volumes.push(measured(&entry.name, kinds, voxels, form, &python, round_count)?);
            if entry == main {
                results.accesses =
                    Some(random_access::measure(voxels, entry.dims, &python, round_count.max(3))?);
            }
            results.versions = python.into_inner().versions;
        });
    }
    eprintln!("smoothing {}", main.name);
    let smoothed = with_voxels!(&main.read()?, voxels => smooth::smooth(voxels, main.dims));
    let name = format!("{}, smoothed f32", main.name);
    // One round, and only codecs made for floats, or for any bytes: it is the largest volume of all.
    let kinds =
        [Four, Eight].map(Kind::Brickwork).into_iter().chain([Kind::Zstd(3), Kind::Zstd(9), Kind::Pco]);
    let python = RefCell::new(Python::none());
    results.smoothed = Some(measured(&name, kinds, &smoothed, (main.dims, main.kind), &python, 1)?);
    Ok(results)
}

/// Returns the codecs of `kinds` on one volume.
fn measured<T: Sample>(
    name: &str,
    kinds: impl Iterator<Item = Kind>,
    voxels: &[T],
    (dims, voxel_kind): (Dims, VoxelKind),
    python: &RefCell<Python>,
    round_count: usize,
) -> Result<Measured> {
    let mut codecs = Vec::new();
    for kind in kinds {
        codecs.extend(codecs::codec(kind, voxels, dims, voxel_kind)?.or_else(|| python::codec(kind, python)));
    }
    measure::run(name, codecs, round_count)
}

/// Returns the lines that state how the tables were made.
fn about(arguments: &Peers, entries: &[Entry], machine: String, results: &Results) -> [String; 5] {
    let mut command = format!("cargo run {} -p brickwork-bench -- volume-peers", profile_option());
    if arguments.folder.is_some() {
        command += " FOLDER";
    }
    for name in &arguments.names {
        command += &format!(" {name}");
    }
    command += if arguments.write { " --write" } else { "" };
    let bytes: usize = entries.iter().map(Entry::byte_count).sum();
    let folder = if arguments.folder.is_some() { "FOLDER" } else { FOLDER };
    let versions: Vec<_> =
        results.versions.iter().map(|(module, version)| format!("{module} {version}")).collect();
    [
        format!("Command: `{command}`"),
        format!(
            "Volumes: {} of {folder}, {:.0} MB; {} rounds",
            entries.len(),
            bytes as f64 / 1e6,
            arguments.repeat
        ),
        machine,
        format!(
            "Zstandard {}\n- {}",
            zstd::zstd_safe::version_string(),
            if versions.is_empty() { "No Python".to_owned() } else { versions.join("; ") }
        ),
        format!("Date: {}", machine::date()),
    ]
}
