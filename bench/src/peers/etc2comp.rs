//! etc2comp, a program that is not in any crate: compared if the environment variable `BRICKWORK_ETC2COMP` is
//! the path of its EtcTool.
//!
//! Its time is that of its processes, which also read a PNG file and write a KTX file. It has at least eight
//! threads, but they inherit the one CPU of this thread.

use super::{Contestant, Role};
use crate::picture::Picture;
use anyhow::{Context as _, Result, bail, ensure};
use brickwork_texture::BlockFormat;
use image::ColorType;
use std::{
    env,
    ffi::OsStr,
    fs,
    path::Path,
    process::{Command, Stdio},
    rc::Rc,
};

/// Efforts of 0 to 100. The program's default is 40.
const EFFORTS: [&str; 3] = ["0", "40", "70"];

/// Returns an encoder for each effort, if the program is available.
pub fn contestants(format: BlockFormat, pictures: &[Picture]) -> Result<Vec<Contestant<'_>>> {
    let Some(program) = env::var_os("BRICKWORK_ETC2COMP") else { return Ok(Vec::new()) };
    let format = match format {
        BlockFormat::Etc2Rgb => "RGB8",
        BlockFormat::Etc2Rgba => "RGBA8",
        BlockFormat::EacR11Unorm => "R11",
        BlockFormat::EacRg11Unorm => "RG11",
        _ => bail!("etc2comp does not encode {format}"),
    };
    let folder = Rc::new(tempfile::tempdir()?);
    for (index, picture) in pictures.iter().enumerate() {
        let path = folder.path().join(format!("{index}.png"));
        image::save_buffer(path, picture.bytes(), picture.width, picture.height, ColorType::Rgba8)?;
    }
    let contestant = |effort| {
        let (folder, program) = (folder.clone(), program.clone());
        let encode = Box::new(move |index: usize, blocks: &mut [u8]| {
            let source = folder.path().join(format!("{index}.png"));
            run(&program, &source, format, effort, blocks)
        });
        Contestant { name: format!("etc2comp effort {effort}"), role: Role::Peer, encode }
    };
    Ok(EFFORTS.map(contestant).into())
}

fn run(program: &OsStr, source: &Path, format: &str, effort: &str, blocks: &mut [u8]) -> Result<()> {
    let target = source.with_extension("ktx");
    let status = Command::new(program)
        .arg(source)
        .args(["-format", format, "-effort", effort, "-errormetric", "numeric", "-jobs", "1", "-output"])
        .arg(&target)
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("cannot run {}", program.display()))?;
    ensure!(status.success(), "{}: {status}", program.display());
    // KTX 1: a header of 64 bytes without metadata, then the length of the only level.
    let file = fs::read(target)?;
    ensure!(file.len() == 68 + blocks.len(), "expected {} bytes of blocks in KTX", blocks.len());
    blocks.copy_from_slice(&file[68..]);
    Ok(())
}
