//! Arguments that several commands have, and the command line for reports.

use anyhow::Result;
use brickwork_texture::gpu::{AdapterChoice, Context, ContextOptions};
use std::path::Path;

#[derive(clap::Args)]
pub struct Adapter {
    /// The GPU, by number or part of its name, as `brickwork devices` lists them. Default: the best
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
}

impl Adapter {
    /// Opens a device of the adapter.
    pub fn open(&self) -> Result<Context> {
        let adapter = self.adapter.as_deref().map(AdapterChoice::parse).unwrap_or_default();
        let options = ContextOptions::default().with(|o| o.adapter = adapter);
        Ok(Context::open(&options)?)
    }
}

/// Returns the command that ran this program.
pub fn command_line() -> String {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    format!("cargo run {} -p brickwork-bench -- {}", profile_option(), arguments.join(" "))
}

/// Returns the Cargo option for the profile that built this program.
pub fn profile_option() -> String {
    // Cargo names the folder after the profile.
    let program = std::env::current_exe().ok();
    let profile = program.as_deref().and_then(Path::parent).and_then(Path::file_name);
    match profile.and_then(|name| name.to_str()) {
        Some("release") => "--release".to_owned(),
        Some("debug") | None => String::new(),
        Some(profile) => format!("--profile {profile}"),
    }
}
