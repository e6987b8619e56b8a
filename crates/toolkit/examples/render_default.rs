//! Renders any volume file to a PNG file, as `brickwork volume render` does without options.

use brickwork_toolkit::device::{DeviceChoice, Devices};
use brickwork_toolkit::volume::{render_default, write_rendering};
use brickwork_volume::Task;
use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [volume, png] = &arguments[..] else { return Err("expected a volume and a PNG file".into()) };
    run(Path::new(volume), Path::new(png))
}

fn run(volume: &Path, png: &Path) -> Result<(), Box<dyn Error>> {
    let devices = Devices::open(DeviceChoice::Auto)?;
    let rendering = render_default(volume, [1024, 768], &devices, &Task::new())?;
    write_rendering(png, rendering.width, rendering.height, &rendering.pixels, &Task::new())?;
    devices.save_kernels();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_volume_becomes_a_png() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let [volume, png] = ["a.nrrd", "a.png"].map(|name| folder.path().join(name));
        let mut file = b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 8 8 8\nencoding: raw\n\n".to_vec();
        file.extend((0..512).map(|i| if i % 8 < 4 { 0 } else { 200 }));
        fs::write(&volume, file)?;
        run(&volume, &png)?;
        assert!(fs::read(png)?.starts_with(b"\x89PNG"));
        Ok(())
    }
}
