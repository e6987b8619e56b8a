//! Encoding of texels and image files.

use crate::{
    config::Config,
    device::{self, Device},
    pointer::{BytesMut, In, InArray, InStruct, NewHandle, Text, Texts},
    status::{Failure, Status, guarded},
    structs::{EncodeConfig, Image},
    task::{self, Task},
    texture::Texture,
};
use brickwork_base::ErrorKind;
use brickwork_image::image_file::{ImageReadError, ImageReadOptions, TransferFunction};
use brickwork_texture::{
    ColorSpace, Image as AnyImage, Surfaces, TextureDesc, TextureFormat, TextureKind, encode_plain,
    encode_texture,
    pictures::{self, AnyImage as OpenedImage},
};
use brickwork_toolkit::{
    device::{DeviceChoice, Devices},
    texture::PictureSource,
};
use std::{ffi::OsStr, fs::File, io::BufReader, path::Path};

/// Encodes images, the first of which determines the size. Channels to be packed and a normal map follow.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode(
    config: InStruct<EncodeConfig>,
    images: InArray<Image>,
    image_count: usize,
    device: In<Device>,
    task: In<Task>,
    mut texture: NewHandle<Texture>,
) -> Status {
    guarded(|| {
        texture.fill("texture", || {
            let config = Config::of(&config)?;
            let images = images.get(image_count, "images")?;
            let first = images.first().ok_or_else(|| Failure::argument("images has no elements"))?;
            let name = |index: usize| format!("images[{index}]");
            let of = |index: usize| move |failure: Failure| failure.within(name(index));
            let views = images.iter().enumerate().map(|(index, image)| image.view().map_err(of(index)));
            if config.options.needs_pictures() {
                let views = views.collect::<Result<Vec<_>, _>>()?;
                let sources: Vec<_> = views.iter().map(|view| PictureSource::Image(&**view)).collect();
                let names: Vec<_> = (0..images.len()).map(name).collect();
                return encode_sources(&config, &sources, &names, u64::MAX, device.get("device")?, &task);
            }
            let texel_type = first.texel_type().map_err(of(0))?;
            let desc = config.desc(first.width, first.height, texel_type)?;
            let views = views.collect::<Result<Vec<_>, _>>()?;
            let views: Vec<&dyn AnyImage> = views.iter().map(|view| &**view).collect();
            encode(&config, &desc, &views, &[], device.get("device")?, &task)
        })
    })
}

fn encode(
    config: &Config,
    desc: &TextureDesc,
    images: &[&dyn AnyImage],
    notes: &[String],
    device: Option<&Device>,
    task: &In<Task>,
) -> Result<Texture, Failure> {
    let work = |task: &brickwork_base::Task<'_>| {
        let encoded = device::encode(device, desc.texel_count(), |encoder| {
            let surfaces = Surfaces::list(images).with_mip_levels(config.given_mip_levels);
            encode_texture(encoder, surfaces, desc, &config.encode_options(), task)
        });
        Ok(encoded?)
    };
    task::run(task, work).map(|texture| Texture::with_notes(texture, notes))
}

/// Encodes images and files with any options of the toolkit.
fn encode_sources(
    config: &Config,
    sources: &[PictureSource<'_>],
    names: &[String],
    max_memory: u64,
    device: Option<&Device>,
    task: &In<Task>,
) -> Result<Texture, Failure> {
    config.check_count(sources.len())?;
    let cpu;
    let devices = match device {
        Some(device) => device.devices(),
        None => {
            cpu = Devices::open(DeviceChoice::Cpu)?;
            &cpu
        }
    };
    let work = |task: &brickwork_base::Task<'_>| {
        let encode = brickwork_toolkit::texture::encode_sources;
        let encoded = encode(&config.options, sources, names, devices, max_memory, task)?;
        Ok(Texture::with_notes(encoded.texture, &encoded.notes))
    };
    task::run(task, work)
}

/// Encodes files with any options of the toolkit.
fn encode_paths(
    config: &Config,
    paths: &[&Path],
    max_memory: u64,
    device: Option<&Device>,
    task: &In<Task>,
) -> Result<Texture, Failure> {
    let sources: Vec<_> = paths.iter().map(|path| PictureSource::File(path)).collect();
    let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    encode_sources(config, &sources, &names, max_memory, device, task)
}

/// Returns the limit of memory for files. 0 means the default of readers.
fn memory_limit(max_memory: u64) -> u64 {
    if max_memory == 0 { ImageReadOptions::default().max_memory } else { max_memory }
}

/// Encodes an image file.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode_file(
    config: InStruct<EncodeConfig>,
    path: Text,
    max_memory: u64,
    device: In<Device>,
    task: In<Task>,
    mut texture: NewHandle<Texture>,
) -> Status {
    guarded(|| {
        texture.fill("texture", || {
            let config = Config::of(&config)?;
            let shape = (config.kind, config.layers, config.depth, config.given_mip_levels);
            if shape != (TextureKind::D2, 1, 1, 1) {
                let text = "config: a file becomes a 2D texture of one layer, with one mip level given";
                return Err(Failure::argument(text));
            }
            let path = path.path("path")?;
            let limit = memory_limit(max_memory);
            if config.options.needs_pictures() {
                return encode_paths(&config, &[path], limit, device.get("device")?, &task);
            }
            let in_file = |failure: Failure| failure.within(path.display());
            let options = config.options.read_options(limit);
            let read = |task: &brickwork_base::Task<'_>| Ok(pictures::open(path, &options, task)?);
            let picture = match task::run(&task, read).map_err(in_file)? {
                OpenedImage::Picture(picture) => picture,
                // The first image of plain texels is a picture.
                OpenedImage::Texture(texture) if texture.desc().format.plain().is_some() => {
                    drop(texture);
                    let extension = path.extension().and_then(OsStr::to_str);
                    let read = |task: &brickwork_base::Task<'_>| {
                        let file = File::open(path).map_err(ImageReadError::Io)?;
                        Ok(pictures::read(BufReader::new(file), extension, &options, task)?)
                    };
                    task::run(&task, read).map_err(in_file)?
                }
                OpenedImage::Texture(_) => {
                    let text = "already a texture: open it with brickwork_texture_open";
                    return Err(in_file(Failure::of(ErrorKind::Unsupported, text)));
                }
            };
            let format = config.format()?;
            // As in the program: light of PQ and HLG becomes sRGB, if the format has an sRGB form.
            let picture = if picture.is_hdr_signal && format.has_srgb() {
                let convert = |task: &brickwork_base::Task<'_>| {
                    let converted = picture.converted(TransferFunction::Linear, ColorSpace::Srgb, task);
                    Ok(converted.map_err(ImageReadError::from)?)
                };
                task::run(&task, convert).map_err(in_file)?
            } else {
                picture
            };
            let desc = TextureDesc::of_picture(&picture, format, &config.encode_options());
            let desc = desc
                .with_color_space(config.color_space.unwrap_or(desc.color_space))
                .with_alpha_mode(config.alpha_mode.unwrap_or(desc.alpha_mode));
            let desc = config.with_mips(desc)?;
            let part = picture.part.iter().map(|part| format!("only {part} is encoded"));
            let of_file = |note: String| format!("{}: {note}", path.display());
            let notes: Vec<_> = part.chain(picture.notes.iter().cloned()).map(of_file).collect();
            let image = picture.view()?;
            encode(&config, &desc, &[&*image], &notes, device.get("device")?, &task).map_err(in_file)
        })
    })
}

/// Encodes image files: those of the texture, then those of packed channels, then a normal map.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode_files(
    config: InStruct<EncodeConfig>,
    paths: Texts,
    path_count: usize,
    max_memory: u64,
    device: In<Device>,
    task: In<Task>,
    mut texture: NewHandle<Texture>,
) -> Status {
    guarded(|| {
        texture.fill("texture", || {
            let config = Config::of(&config)?;
            if config.alpha_mode.is_some() {
                return Err(Failure::argument("config: alpha_mode of files is automatic, expected 0"));
            }
            let paths = paths.get(path_count, "paths")?.iter().enumerate();
            let paths = paths.map(|(index, path)| path.path(&format!("paths[{index}]")));
            let paths = paths.collect::<Result<Vec<_>, _>>()?;
            encode_paths(&config, &paths, memory_limit(max_memory), device.get("device")?, &task)
        })
    })
}

/// Encodes one image to the caller's memory.
#[unsafe(no_mangle)]
pub extern "C" fn brickwork_encode_blocks(
    config: InStruct<EncodeConfig>,
    image: In<Image>,
    mut blocks: BytesMut,
    blocks_bytes: usize,
    device: In<Device>,
    task: In<Task>,
) -> Status {
    guarded(|| {
        let config = Config::of(&config)?;
        let format = config.format()?;
        if config.options.needs_pictures() {
            let text = "config: options that change images need brickwork_encode";
            return Err(Failure::argument(text));
        }
        let view = image.required("image")?.view().map_err(|failure| failure.within("image"))?;
        let (view, device) = (&*view, device.get("device")?);
        let blocks = blocks.get(blocks_bytes, "blocks")?;
        let [width, height] = view.size().map(u64::from);
        let options = config.encode_options();
        task::run(&task, |task| match format {
            TextureFormat::Block(format) => Ok(device::encode(device, width * height, |encoder| {
                encoder.encode_into(view, format, &options, blocks, task)
            })?),
            TextureFormat::Plain(format) => Ok(encode_plain(view, format, blocks, task)?),
        })
    })
}
