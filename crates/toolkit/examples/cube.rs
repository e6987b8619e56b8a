//! Encodes six images, the faces +X, −X, +Y, −Y, +Z and −Z, to a cube with mip levels.

use brickwork_base::Task;
use brickwork_toolkit::{
    batch::Input,
    device::{DeviceChoice, Devices},
    texture::{FormatChoice, MipLevels, TextureLayout, TextureOptions, encode_files},
};
use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = env::args().skip(1).collect();
    let Some((output, faces)) = paths.split_first() else { return Err("expected OUTPUT FACE…".into()) };
    run(faces, output.as_ref(), &Devices::open(DeviceChoice::Auto)?)
}

fn run(faces: &[impl AsRef<Path>], output: &Path, devices: &Devices) -> Result<(), Box<dyn Error>> {
    let mut options = TextureOptions::default();
    options.format = FormatChoice::AUTO;
    options.layout = TextureLayout::Faces;
    options.mip_levels = MipLevels::Full;
    let inputs: Vec<_> = faces.iter().map(|face| Input::of(face.as_ref())).collect();
    let encoded = encode_files(&options, &inputs, devices, 1 << 32, &Task::new())?;
    encoded.texture.save(output, &Task::new())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_image::image_file::{PngTexels, write_png};
    use brickwork_texture::{ColorSpace, DecodeOptions, ImageIndex, Texture, TextureKind};
    use brickwork_toolkit::device::AdapterChoice;
    use std::fs;

    #[test]
    fn six_faces_become_a_cube_on_any_device() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let [cpu, gpu] = ["cpu.ktx2", "gpu.ktx2"].map(|name| folder.path().join(name));
        let faces: Vec<_> = (0..6).map(|face| folder.path().join(format!("{face}.png"))).collect();
        for (index, face) in faces.iter().enumerate() {
            let texels: Vec<[u8; 3]> = (0..32 * 32).map(|i| [40 * index as u8, 90, (i % 32) as u8]).collect();
            let texels = PngTexels::Rgb8(&texels);
            write_png(fs::File::create(face)?, 32, 32, texels, ColorSpace::Srgb, &Task::new())?;
        }
        run(&faces, &cpu, &Devices::open(DeviceChoice::Cpu)?)?;
        let cube = Texture::open(&cpu, &Task::new())?;
        assert_eq!((cube.desc().kind, cube.desc().mip_levels), (TextureKind::Cube, 6));
        for face in 0..6 {
            let index = ImageIndex { face, mip_level: 2, ..ImageIndex::default() };
            let image = cube.decode(index, &DecodeOptions::default(), &Task::new())?;
            let red = image.texels().as_rgba8().expect("8 bits")[9][0];
            assert!(red.abs_diff(40 * face as u8) < 6, "{face}: {red}");
        }
        match Devices::open(DeviceChoice::Gpu(AdapterChoice::Best)) {
            Ok(devices) => run(&faces, &gpu, &devices)?,
            Err(error) => {
                brickwork_base::testing::skip_without_gpu(error);
                return Ok(());
            }
        }
        assert_eq!(fs::read(gpu)?, fs::read(&cpu)?);
        // Five faces are not a cube.
        let devices = Devices::open(DeviceChoice::Cpu)?;
        let error = run(&faces[..5], &folder.path().join("5.dds"), &devices).unwrap_err().to_string();
        assert!(error.contains("six faces, and 5 inputs are given"), "{error}");
        Ok(())
    }
}
