//! Tests that every long call of the toolkit stops soon after its token is cancelled.

use crate::{
    batch::Input,
    device::{Device, DeviceChoice, Devices},
    texture::{
        PictureSource, SizeCurve, TextureJobError, TextureLayout, TextureOptions, TextureTrial, encode_cubes,
        encode_files, encode_pictures, encode_sources, info_any, info_or_header, plan_files,
        prepared_picture, read_any, read_if_texture, read_picture, read_texture, size_of_file, texture_info,
    },
    volume::{
        BwvBytes, LoadOptions, LoadedVolume, LookOptions, Overlay, OverlayOptions, Painter, PartOptions,
        RenderOptions, Renderings, Scene, SliceColors, SliceOptions, SlicePixels, SlicePlane, VolumeInput,
        encode_rendering, encode_slice, file_statistics, physical_voxels, read_slice, render_default,
        volume_statistics, write_rendering,
    },
};
use brickwork_base::{
    Cancelled, ErrorKind, Task,
    testing::{does_not_start, stops, stops_silently},
};
use brickwork_formats::{VolumeFormat, VolumeOpenOptions, VolumePipe, VolumeWriteOptions, write_volume};
use brickwork_image::image_file::{PngTexels, write_png};
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeOptions, Texture, TextureDesc, container::ContainerFormat,
};
use brickwork_volume::{
    BwvOptions, Dims, Header, Region, ResidentOptions, ResidentVolume, ValueStatisticsOptions, VolumeFile,
    VolumeView, VoxelType, encode, read_frame, render::Up,
};
use std::{
    fs::{self, File},
    io::{Cursor, sink},
    path::{Path, PathBuf},
};

/// Passes the kind of each call's error to a check.
macro_rules! check {
    ($check:ident, $name:expr, |$task:ident| $call:expr) => {
        $check($name, &mut |$task: &Task<'_>| ($call).map(drop).map_err(|error| kind(error)))
    };
}

/// Access to the kind of an error or of [`Cancelled`].
trait HasKind {
    fn kind_of(&self) -> ErrorKind;
}

fn kind(error: impl HasKind) -> ErrorKind {
    error.kind_of()
}

impl HasKind for Cancelled {
    fn kind_of(&self) -> ErrorKind {
        ErrorKind::Cancelled
    }
}

macro_rules! has_kind {
    ($($error:ty),*) => {
        $(impl HasKind for $error {
            fn kind_of(&self) -> ErrorKind {
                self.kind()
            }
        })*
    };
}

has_kind!(
    TextureJobError,
    crate::batch::BatchError,
    crate::volume::VolumeError,
    brickwork_texture::EncodeError,
    brickwork_formats::OpenError,
    brickwork_formats::WriteError,
    brickwork_volume::VoxelStreamError,
    brickwork_volume::render::RenderError,
    brickwork_image::image_file::ImageWriteError
);

#[test]
#[cfg(unix)]
fn inputs_stop() {
    // Like a pipe, this file is read to its end, because it is not a regular file.
    let zeros = Input::File(PathBuf::from("/dev/zero"));
    check!(stops, "Input::open", |task| zeros.open(1 << 40, task));
}

const SIDE: u32 = 1024;

/// Writes a PNG file and a DDS file into `folder`.
fn files(folder: &Path) -> [PathBuf; 2] {
    let [png, dds] = ["a.png", "a.dds"].map(|name| folder.join(name));
    let noise = |i: u32| (i.wrapping_mul(i) ^ (i >> 9)).wrapping_mul(0x9e37_79b9).to_le_bytes();
    let texels: Vec<[u8; 4]> = (0..SIDE * SIDE).map(noise).collect();
    let file = File::create(&png).unwrap();
    write_png(file, SIDE, SIDE, PngTexels::Rgba8(&texels), ColorSpace::Srgb, &Task::new()).unwrap();
    let desc = TextureDesc::new_2d(BlockFormat::Bc7, 2 * SIDE, SIDE);
    let blocks = (0..desc.data_bytes()).map(|i| ((i * i) >> 3) as u8).collect();
    Texture::new(desc, blocks).unwrap().save(&dds, &Task::new()).unwrap();
    [png, dds]
}

#[test]
fn textures_stop() {
    let folder = tempfile::tempdir().unwrap();
    let [png, dds] = files(folder.path());
    let (none, limit) = (Task::new(), 1 << 32);
    let [png, dds] = [png, dds].map(Input::File);

    let reading = brickwork_image::image_file::ImageReadOptions::default().with(|o| o.max_memory = limit);
    check!(stops, "read_picture", |task| read_picture(&png, &reading, task));
    check!(stops, "read_any", |task| read_any(&dds, &reading, task));
    check!(does_not_start, "info_any", |task| info_any(&dds, &reading, task));
    check!(does_not_start, "info_or_header", |task| info_or_header(&dds, &reading, task));
    check!(stops, "read_texture", |task| read_texture(&dds, limit, task));
    check!(does_not_start, "texture_info", |task| texture_info(&dds, limit, task));
    check!(stops, "read_if_texture", |task| read_if_texture(&dds, limit, task));
    let picture = read_picture(&png, &reading, &none).unwrap();
    let options = TextureOptions { encode: EncodeOptions::default(), ..TextureOptions::default() };
    let (devices, names) = (Devices::open(DeviceChoice::Cpu).unwrap(), ["a".to_owned()]);
    let pictures = [picture.clone()];
    check!(stops, "encode_pictures", |task| {
        encode_pictures(&options, &pictures, &names, &devices, limit, task)
    });
    let image = picture.view().unwrap();
    let sources = [PictureSource::Image(&*image)];
    check!(stops, "encode_sources", |task| {
        encode_sources(&options, &sources, &names, &devices, limit, task)
    });
    let panorama = folder.path().join("panorama.png");
    let texels = vec![[1u8, 2, 3]; (2 * SIDE * SIDE) as usize];
    let file = File::create(&panorama).unwrap();
    write_png(file, 2 * SIDE, SIDE, PngTexels::Rgb8(&texels), ColorSpace::Srgb, &none).unwrap();
    let (cubes, faces) =
        ([Input::File(panorama)], TextureOptions { layout: TextureLayout::Faces, ..options.clone() });
    check!(stops, "encode_cubes", |task| encode_cubes(&faces, &cubes, None, &devices, limit, task));
    let texture = read_texture(&dds, limit, &none).unwrap().0;
    check!(stops, "TextureOptions::write", |task| {
        options.write(&texture, ContainerFormat::Ktx2, "a", &mut sink(), task)
    });
    let inputs = [png.clone(), png];
    let layers = TextureOptions { layout: TextureLayout::Layers, ..options.clone() };
    check!(stops, "plan_files", |task| plan_files(&layers, &inputs, limit, task));
    check!(stops, "SizeCurve::of_files", |task| {
        SizeCurve::of_files(&layers, &inputs, &devices, limit, task)
    });
    check!(does_not_start, "size_of_file", |task| size_of_file(dds.path().unwrap(), &options, task));
    check!(stops, "prepared_picture", |task| prepared_picture(&options, &inputs, limit, task));
    check!(stops, "encode_files", |task| encode_files(&layers, &inputs, &devices, limit, task));
    let new = |task: &Task<'_>| TextureTrial::new(&options, "a".into(), "a".into(), &picture, task);
    check!(does_not_start, "TextureTrial::new", |task| new(task));
    let trial = new(&none).unwrap();
    check!(stops, "TextureTrial::encode", |task| { trial.encode(&picture, &devices, limit, task) });
}

#[test]
fn volumes_stop() {
    let folder = tempfile::tempdir().unwrap();
    let (path, dims, none) = (folder.path().join("a.bwv"), Dims::cube(96), Task::new());
    let voxels: Vec<u16> = (0..96 * 96 * 96u32).map(|i| (i / 7 * 3) as u16 ^ (i >> 14) as u16).collect();
    let mut file = Vec::new();
    let view = VolumeView::new(&voxels, dims).unwrap();
    let header = Header::new(VoxelType::U16, dims);
    encode(view, &header, &BwvOptions::default(), &mut file, &none).unwrap();
    fs::write(&path, &file).unwrap();
    let (open, load) = (VolumeOpenOptions::default(), LoadOptions::default());
    let input = || VolumeInput::open(&path, &open, &none).unwrap();
    let part = || input().select(&PartOptions::default()).unwrap();

    check!(stops, "VolumeInput::from_pipe", |task| {
        VolumeInput::from_pipe(VolumePipe::new(Cursor::new(file.clone())).unwrap(), &open, task)
    });
    check!(stops, "BwvBytes::from_pipe", |task| BwvBytes::from_pipe(Cursor::new(&file), None, task));
    let raw = folder.path().join("a.nrrd");
    let volume = brickwork_formats::open(&path, &open, &none).unwrap();
    write_volume(
        volume,
        VolumeFormat::Nrrd,
        &VolumeWriteOptions::default(),
        File::create(&raw).unwrap(),
        &none,
    )
    .unwrap();
    check!(does_not_start, "VolumeInput::open", |task| VolumeInput::open(&raw, &open, task));
    check!(stops, "VolumeInput::compressed", |task| VolumeInput::open(&raw, &open, &none)
        .unwrap()
        .compressed(task));
    check!(stops, "VolumePart::read_numbers", |task| part().read_numbers(&Region::all(dims), task));
    check!(stops, "VolumePart::load", |task| part().load(&load, task));
    check!(stops, "VolumePart::load, compressed", |task| part()
        .load(&load.clone().with(|o| o.compress = true), task));
    check!(stops, "VolumePart::load_channels", |task| part().load_channels(&[0], &load, task));
    // Two channels of a stream.
    let channels = folder.path().join("channels.nrrd");
    let [x, y, z] = [dims.x, dims.y, dims.z];
    let head = format!("type: uint8\ndimension: 4\nencoding: raw\nsizes: 2 {x} {y} {z}\n");
    let mut two = format!("NRRD0004\n{head}kinds: vector domain domain domain\n\n").into_bytes();
    two.resize(two.len() + 2 * x * y * z, 7);
    fs::write(&channels, two).unwrap();
    check!(stops, "VolumePart::load_channels, a stream", |task| {
        let input = VolumeInput::open(&channels, &open, &none).unwrap();
        input.select(&PartOptions::default()).unwrap().load_channels(&[1, 0], &load, task)
    });
    let (bwv, resident) = (VolumeFile::new(file.clone()).unwrap(), ResidentOptions::default());
    check!(stops, "LoadedVolume::from_file", |task| {
        LoadedVolume::from_file(&bwv, header.clone(), &resident, false, task)
    });
    check!(stops, "LoadedVolume::from_stream", |task| {
        let volume = brickwork_formats::open(&raw, &open, &none).unwrap();
        let voxels = (volume.voxels, volume.order);
        LoadedVolume::from_stream(voxels, &volume.header, header.clone(), &resident, false, task)
    });
    check!(stops, "physical_voxels", |task| {
        let volume = brickwork_formats::open(&raw, &open, &none).unwrap();
        let stored = read_frame(volume.voxels, volume.order, &header, 0, &none).unwrap();
        let rescaled = header.clone().with(|header| {
            header.metadata = r#"{"dicom":{"RescaleSlope":2}}"#.to_owned();
        });
        physical_voxels(stored, rescaled, task)
    });
    check!(stops, "LoadedVolume::of_resident", |task| {
        let volume = ResidentVolume::from_file(&bwv, &resident, &none).unwrap();
        LoadedVolume::of_resident(header.clone(), Up::Z, volume, task)
    });
    let loaded = part().load(&load, &none).unwrap();
    let (plane, bricks) = (SlicePlane::stored(2), &**loaded.bricks());
    check!(stops_silently, "SlicePlane::read", |task| plane.read(bricks, 48, task));
    let values = plane.read(bricks, 48, &none).unwrap();
    check!(stops_silently, "SliceValues::colors", |task| {
        values.colors(&loaded.display(), SliceColors::Labels, task)
    });
    let look = LookOptions::default();
    check!(stops, "LookOptions::choose", |task| {
        look.choose(&part().load(&load, &none).unwrap(), task).map(|_| ())
    });
    check!(stops, "LoadedVolume::survey", |task| {
        part().load(&load, &none).unwrap().survey(task).map(|_| ())
    });
    check!(stops, "Scene::new", |task| Scene::new(part().load(&load, &none).unwrap(), &look, task));
    let scene = Scene::new(part().load(&load, &none).unwrap(), &look, &none).unwrap();
    check!(does_not_start, "Scene::with_look", |task| scene.with_look(&look, task));
    check!(does_not_start, "Scene::camera", |task| scene.camera(task));
    let view = scene.view(&scene.camera(&none).unwrap(), 1024, 768).unwrap();
    check!(stops, "Scene::render", |task| scene.render(&view, task));
    let mut painter = Painter::new(scene, Device::cpu(), None, &none).unwrap();
    check!(stops, "Painter::render", |task| painter.render(&view, task));
    let statistics = ValueStatisticsOptions::default();
    check!(stops, "volume_statistics", |task| {
        let [voxels, labels] = [(); 2].map(|()| VolumeInput::open(&path, &open, &none).unwrap());
        volume_statistics(voxels, Some(labels), 0, &statistics, task)
    });
    check!(stops, "file_statistics", |task| file_statistics(&bwv, None, 0, &statistics, task));
    let devices = Devices::open(DeviceChoice::Cpu).unwrap();
    let options = RenderOptions::default();
    let renderings = |task: &Task<'_>| {
        let overlay = VolumeInput::open(&path, &open, &none).unwrap();
        let overlay = Overlay::new(overlay, &part(), OverlayOptions::default()).unwrap();
        Renderings::new(part(), Some(overlay), &options, Device::cpu(), task)
    };
    check!(stops, "Renderings::new", |task| renderings(task));
    let mut renderings = renderings(&none).unwrap();
    check!(stops, "Renderings::render", |task| renderings.render(0, task));
    let slice = read_slice(part(), None, &SliceOptions::default(), &none).unwrap();
    check!(does_not_start, "SliceImage::write_png", |task| slice.write_png(&mut sink(), task));
    check!(stops, "render_default", |task| render_default(&path, [1024, 768], &devices, task));
}

#[test]
fn renderings_stop() {
    let folder = tempfile::tempdir().unwrap();
    let (path, pixels) = (folder.path().join("a.png"), vec![[1, 2, 3, 255]; 1024 * 1024]);
    check!(stops, "encode_rendering", |task| encode_rendering(&mut sink(), 1024, 1024, &pixels, task));
    let grey = SlicePixels::Grey(vec![7; 1024 * 1024]);
    check!(stops, "encode_slice", |task| encode_slice(&mut sink(), [1024; 2], &grey, None, task));
    check!(stops, "write_rendering", |task| write_rendering(&path, 1024, 1024, &pixels, task));
    assert!(!path.exists());
}
