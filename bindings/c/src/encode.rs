//! Encoding of texels and image files.

use crate::{
    device::{self, Device},
    options::{Options, format_of},
    pointer::{BytesMut, In, InArray, NewHandle, Text, Texts},
    status::{Failure, Status, guarded},
    structs::Image,
    task::{self, Task},
    texture::Texture,
};
use brickwork_image::image_file::ImageReadOptions;
use brickwork_texture::{TextureFormat, encode_plain};
use brickwork_toolkit::{
    device::{DeviceChoice, Devices},
    texture::{PictureSource, TextureOptions, encode_sources},
};
use std::path::Path;

/// Encodes images in memory.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode(
    options: In<Options>,
    images: InArray<Image>,
    image_count: usize,
    device: In<Device>,
    task: In<Task>,
    mut texture: NewHandle<Texture>,
) -> Status {
    guarded(|| {
        texture.fill("texture", || {
            let options = Options::of(&options)?;
            let images = images.get(image_count, "images")?;
            let names: Vec<_> = (0..images.len()).map(|index| format!("images[{index}]")).collect();
            let views = images.iter().zip(&names);
            let views = views.map(|(image, name)| image.view().map_err(|failure| failure.within(name)));
            let views = views.collect::<Result<Vec<_>, _>>()?;
            let sources: Vec<_> = views.iter().map(|view| PictureSource::Image(&**view)).collect();
            encode(&options, &sources, &names, u64::MAX, &device, &task)
        })
    })
}

/// Encodes an image file.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode_file(
    options: In<Options>,
    path: Text,
    max_memory: u64,
    device: In<Device>,
    task: In<Task>,
    mut texture: NewHandle<Texture>,
) -> Status {
    guarded(|| {
        texture.fill("texture", || {
            let options = Options::of(&options)?;
            encode_files(&options, &[path.path("path")?], max_memory, &device, &task)
        })
    })
}

/// Encodes image files.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode_files(
    options: In<Options>,
    paths: Texts,
    path_count: usize,
    max_memory: u64,
    device: In<Device>,
    task: In<Task>,
    mut texture: NewHandle<Texture>,
) -> Status {
    guarded(|| {
        texture.fill("texture", || {
            let options = Options::of(&options)?;
            let paths = paths.get(path_count, "paths")?.iter().enumerate();
            let paths = paths.map(|(index, path)| path.path(&format!("paths[{index}]")));
            let paths = paths.collect::<Result<Vec<_>, _>>()?;
            encode_files(&options, &paths, max_memory, &device, &task)
        })
    })
}

fn encode_files(
    options: &TextureOptions,
    paths: &[&Path],
    max_memory: u64,
    device: &In<Device>,
    task: &In<Task>,
) -> Result<Texture, Failure> {
    let max_memory = if max_memory == 0 { ImageReadOptions::default().max_memory } else { max_memory };
    let sources: Vec<_> = paths.iter().map(|path| PictureSource::File(path)).collect();
    let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    encode(options, &sources, &names, max_memory, device, task)
}

fn encode(
    options: &TextureOptions,
    sources: &[PictureSource<'_>],
    names: &[String],
    max_memory: u64,
    device: &In<Device>,
    task: &In<Task>,
) -> Result<Texture, Failure> {
    let cpu;
    let devices = match device.get("device")? {
        Some(device) => device.devices(),
        None => {
            cpu = Devices::open(DeviceChoice::Cpu)?;
            &cpu
        }
    };
    task::run(task, |task| {
        let encoded = encode_sources(options, sources, names, devices, max_memory, task)?;
        Ok(Texture::with_notes(encoded.texture, &encoded.notes))
    })
}

/// Encodes one image to the caller's memory.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode_blocks(
    options: In<Options>,
    image: In<Image>,
    mut blocks: BytesMut,
    blocks_bytes: usize,
    device: In<Device>,
    task: In<Task>,
) -> Status {
    guarded(|| {
        let options = Options::of(&options)?;
        let format = format_of(&options)?;
        if options.needs_pictures() {
            return Err(Failure::argument("options that change images need brickwork_encode"));
        }
        let view = image.required("image")?.view().map_err(|failure| failure.within("image"))?;
        let (view, device) = (&*view, device.get("device")?);
        let blocks = blocks.get(blocks_bytes, "blocks")?;
        let [width, height] = view.size().map(u64::from);
        let options = options.effective_encode_options();
        task::run(&task, |task| match format {
            TextureFormat::Block(format) => Ok(device::encode(device, width * height, |encoder| {
                encoder.encode_into(view, format, &options, blocks, task)
            })?),
            TextureFormat::Plain(format) => Ok(encode_plain(view, format, blocks, task)?),
        })
    })
}
