//! Writes the data of the web package. The folder is the first argument; default: `web/src/generated`.

use brickwork_emit::emit;
use std::{env, error::Error, fs, path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    match write() {
        Ok(count) => {
            println!("{count} files written");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> Result<usize, Box<dyn Error>> {
    let folder = env::args_os().nth(1).map_or_else(|| PathBuf::from("web/src/generated"), PathBuf::from);
    let files = emit()?;
    for file in &files {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &file.text)?;
    }
    Ok(files.len())
}
