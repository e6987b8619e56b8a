//! Tests that every long call of the toolkit stops soon after its token is cancelled.

use crate::{
    batch::{
        BatchError, BatchOptions, Build, Incremental, Input, InputGroup, Job, Output, Scope, Shard, Turn,
        Written, examine, files_in_folders, find, plan, run, run_incremental,
    },
    device::{Device, DeviceChoice, Devices},
    report::FileError,
    texture::{
        AssembleOptions, AuditOptions, AuditPlan, BlockEndpoints, BlockModes, CompareInput, CompareOptions,
        EncodingRecords, ExtractOutput, HtmlReportError, HtmlReportOptions, PictureFacts, PictureSource,
        TextureConvertOptions, TextureDecodeOptions, TextureExtractOptions, TextureJobError, TextureLayout,
        TextureOptions, assemble_files, compare_files, compare_images, convert_file, decode_file,
        decode_image, describe, encode_batch, encode_files, encode_pictures, encode_sources, extract_images,
        info_any, pair_folders, read_any, read_if_texture, read_picture, read_texture, unread_images,
        validate_file, write_html_folders_report, write_html_report,
    },
    volume::{
        BwvBytes, ConvertOptions, LoadOptions, LoadedVolume, LookOptions, Painter, PartOptions, Scene,
        SliceColors, SliceOptions, SlicePlane, VolumeInput, convert, encode_rendering, open_volume,
        physical_voxels, render_default, write_rendering,
    },
};
use brickwork_base::{
    Cancelled, ErrorKind, Task,
    testing::{does_not_start, stops, stops_silently},
    whole_file::Existing,
};
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeOptions, Texture, TextureDesc,
    image_file::{ImageWriteError, PngTexels, write_png},
};
#[cfg(feature = "zarr")]
use brickwork_volume::RawLayout;
use brickwork_volume::{
    BwvOptions, Dims, Header, ResidentOptions, ResidentVolume, VolumeFile, VolumeFormat, VolumeOpenOptions,
    VolumePipe, VolumeView, VoxelType, encode, read_frame, render::Up,
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
    BatchError,
    HtmlReportError,
    ImageWriteError,
    TextureJobError,
    crate::volume::VolumeError,
    brickwork_texture::EncodeError,
    brickwork_volume::OpenError,
    brickwork_volume::VolumeWriteError,
    brickwork_volume::VoxelStreamError,
    brickwork_volume::render::RenderError
);

#[test]
fn batches_stop() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.png", "b.png", "c.exr"] {
        fs::write(folder.path().join(name), [7; 1 << 10]).unwrap();
    }
    let paths = [folder.path().to_owned()];
    check!(stops, "find", |task| find(&paths, &["png"], true, task));
    check!(does_not_start, "files_in_folders", |task| files_in_folders(&paths, &["png"], true, task));
    let folders = [folder.path(); 2];
    check!(does_not_start, "pair_folders", |task| pair_folders(folders, &["png"], true, task));
    check!(does_not_start, "unread_images", |task| unread_images(&paths, false, task));
    let groups = || vec![Ok(InputGroup::new(vec![Input::Stdin]))];
    check!(does_not_start, "plan", |task| plan(groups(), None, "dds", task));
    let (jobs, options) = (plan(groups(), None, "dds", &Task::new()).unwrap(), BatchOptions::new());
    let again = |_: &BatchError| false;
    check!(does_not_start, "examine", |task| {
        examine(groups(), 2, 1 << 20, again, |_, _| Ok::<_, BatchError>(()), drop, task)
    });
    let work = |_: &Turn<'_>| Ok::<_, BatchError>(Written { result: (), input_bytes: 0, output_bytes: 0 });
    check!(does_not_start, "run", |task| run(&jobs, &options, again, work, drop, task));
    let paths_of_run = ["cache", "out"].map(|name| folder.path().join(name));
    let [cache, out] = &paths_of_run;
    let incremental = Incremental::open(cache, out, Build::named("a"), Shard::ALL, false).unwrap();
    check!(does_not_start, "run_incremental", |task| {
        run_incremental(&jobs, &options, Some(&incremental), again, work, drop, task)
    });
    check!(does_not_start, "Incremental::stale_outputs", |task| {
        incremental.stale_outputs(&Scope::new(), false, task)
    });
    // Like a pipe, this file is read to its end, because it is not a regular file.
    #[cfg(unix)]
    {
        let zeros = Input::File(PathBuf::from("/dev/zero"));
        check!(stops, "Input::open", |task| zeros.open(1 << 40, task));
    }
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

fn turn(job: &Job) -> Turn<'_> {
    Turn::for_tests(job, Existing::Keep)
}

#[test]
fn jobs_stop() {
    let folder = tempfile::tempdir().unwrap();
    let [png, dds] = files(folder.path()).map(Input::File);
    let output = |name| Output::of(&folder.path().join(name));
    let job = |inputs: &[&Input], name| Job::new(inputs.iter().copied().cloned().collect(), output(name));
    let (encode, decode) = (job(&[&png], "b.dds"), job(&[&dds], "b.png"));
    let (options, devices) = (TextureOptions::default(), Devices::open(DeviceChoice::Cpu).unwrap());
    check!(stops, "encode_files", |task| encode_files(&options, &turn(&encode), &devices, task));
    let decoding = TextureDecodeOptions::new();
    check!(stops, "decode_file", |task| decode_file(&decoding, &turn(&decode), task));
    let (jobs, batch) = ([Ok(encode)], BatchOptions::new());
    check!(stops, "encode_batch", |task| encode_batch(&options, &jobs, &batch, &devices, drop, task));
    let (assemble, layers) =
        (job(&[&png, &png], "c.dds"), TextureOptions { layout: TextureLayout::Layers, ..options });
    check!(stops, "assemble_files", |task| {
        assemble_files(&AssembleOptions::new(layers), &turn(&assemble), &devices, task)
    });
    let (converting, convert) = (TextureConvertOptions::new(), job(&[&dds], "c.ktx2"));
    check!(stops, "convert_file", |task| convert_file(&converting, &turn(&convert), task));
    let (limit, keep) = (1 << 32, Existing::Keep);
    let (extracting, images) = (TextureExtractOptions::new(), ExtractOutput::File(output("d.png")));
    check!(stops, "extract_images", |task| extract_images(&dds, &images, &extracting, keep, limit, task));
    let (textures, page, html) = ([png.clone()], output("e.html"), HtmlReportOptions::new());
    check!(stops, "write_html_report", |task| {
        write_html_report(&png, &textures, &page, &html, keep, limit, task)
    });
    let pairs = pair_folders([folder.path(); 2], &["png"], true, &Task::new()).unwrap();
    let mut failed = |error: TextureJobError| -> FileError { panic!("{error}") };
    check!(stops, "write_html_folders_report", |task| {
        write_html_folders_report(&pairs, &page, &html, keep, limit, &mut failed, task)
    });
    check!(does_not_start, "EncodingRecords::add_file", |task| {
        EncodingRecords::new().add_file(&png, task)
    });
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.dds", "a.png"], "no output is left");
}

#[test]
fn audits_stop() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let (paths, limit) = ([folder.path().to_owned()], 1 << 32);
    check!(stops, "AuditPlan::new", |task| AuditPlan::new(&paths, limit, task));
    let plan = AuditPlan::new(&paths, limit, &Task::new()).unwrap();
    let (options, devices) = (AuditOptions::new(), Devices::open(DeviceChoice::Cpu).unwrap());
    check!(stops, "AuditPlan::run", |task| plan.run(&options, &devices, 1, limit, drop, task));
}

#[test]
#[cfg(feature = "gpu")]
fn tilings_stop() {
    use crate::{device::Gpu, texture::examine_tilings};
    let Some(gpu) = Gpu::for_tests(None) else { return };
    check!(stops, "examine_tilings", |task| {
        examine_tilings(&gpu, &[BlockFormat::Bc1], &[[256, 256], [64, 64]], task)
    });
}

#[test]
fn textures_stop() {
    let folder = tempfile::tempdir().unwrap();
    let [png, dds] = files(folder.path());
    let (none, limit) = (Task::new(), 1 << 32);
    let texture = Texture::open(&dds, &none).unwrap();
    let [png, dds] = [png, dds].map(Input::File);

    let reading = brickwork_texture::image_file::ImageReadOptions::new().with_max_memory(limit);
    check!(stops, "read_picture", |task| read_picture(&png, &reading, task));
    check!(stops, "read_any", |task| read_any(&dds, &reading, task));
    check!(does_not_start, "describe", |task| describe(&png, None, &reading, task));
    check!(does_not_start, "info_any", |task| info_any(&dds, &reading, task));
    check!(does_not_start, "validate_file", |task| validate_file(&dds, limit, task));
    check!(stops, "read_texture", |task| read_texture(&dds, limit, task));
    check!(stops, "read_if_texture", |task| read_if_texture(&dds, limit, task));
    let endpoints = BlockEndpoints::of_texture(texture.clone()).unwrap();
    check!(stops, "BlockEndpoints::picture", |task| endpoints.picture("a", task));
    let modes = BlockModes::of_texture(texture.clone()).unwrap();
    check!(stops, "BlockModes::counts", |task| modes.counts(task));
    check!(stops, "BlockModes::picture", |task| modes.picture("a", task));
    let picture = read_picture(&png, &reading, &none).unwrap();
    let options = TextureOptions { encode: EncodeOptions::new(), ..TextureOptions::default() };
    check!(does_not_start, "PictureFacts::of", |task| PictureFacts::of(&picture, &options, task));
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
    let decode = TextureDecodeOptions::new();
    check!(stops, "decode_image", |task| {
        decode_image(read_any(&dds, &reading, &none).unwrap(), "a", &decode, limit, task)
    });
    let decoded = decode_image(read_any(&dds, &reading, &none).unwrap(), "a", &decode, limit, &none).unwrap();
    check!(stops, "DecodedPicture::write", |task| {
        let written = decoded.write(sink(), None, task);
        written.map_err(|error| TextureJobError::WritePng { output: "a".to_owned(), error })
    });
    let compare = CompareOptions::new();
    check!(stops, "CompareInput::read", |task| CompareInput::read(&dds, &compare, limit, task));
    check!(stops, "CompareInput::of_texture", |task| {
        CompareInput::of_texture("a".to_owned(), &texture, &compare, limit, task)
    });
    check!(stops, "compare_files", |task| compare_files([&png; 2], true, &compare, limit, task));
    let input = || CompareInput::of_picture("a".to_owned(), picture.clone());
    check!(stops, "compare_images", |task| compare_images([input(), input()], &compare, task));
    let comparison = compare_images([input(), input()], &compare, &none).unwrap();
    check!(stops, "ImageComparison::difference", |task| comparison.difference(2, task));
    check!(stops, "ImageComparison::displayed", |task| comparison.displayed(0, task));
    check!(stops, "ImageComparison::largest_differences", |task| comparison.largest_differences(task));
    check!(stops, "ImageComparison::heat_map", |task| comparison.heat_map(None, task));
    check!(stops, "ImageComparison::side_by_side", |task| comparison.side_by_side(task));
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
    let (open, load) = (VolumeOpenOptions::new(), LoadOptions::new());
    let input = || VolumeInput::open(&path, &open, &none).unwrap();
    let part = || input().select(&PartOptions::new()).unwrap();

    check!(stops, "VolumeInput::from_pipe", |task| {
        VolumeInput::from_pipe(VolumePipe::new(Cursor::new(file.clone())).unwrap(), &open, task)
    });
    check!(stops, "BwvBytes::from_pipe", |task| BwvBytes::from_pipe(Cursor::new(&file), None, task));
    check!(stops, "convert", |task| {
        let volume = brickwork_volume::open(&path, &open, &none).unwrap();
        convert(volume, VolumeFormat::Nrrd, &ConvertOptions::new(), sink(), task)
    });
    let raw = folder.path().join("a.nrrd");
    let volume = brickwork_volume::open(&path, &open, &none).unwrap();
    convert(volume, VolumeFormat::Nrrd, &ConvertOptions::new(), File::create(&raw).unwrap(), &none).unwrap();
    check!(does_not_start, "VolumeInput::open", |task| VolumeInput::open(&raw, &open, task));
    check!(does_not_start, "open_volume", |task| open_volume(&raw, &open, task));
    check!(stops, "VolumeInput::compressed", |task| VolumeInput::open(&raw, &open, &none)
        .unwrap()
        .compressed(task));
    check!(stops, "VolumePart::load", |task| part().load(&load, task));
    check!(stops, "VolumePart::load, compressed", |task| part()
        .load(&load.clone().with_compression(true), task));
    check!(stops, "VolumePart::slice", |task| part().slice(&SliceOptions::new(), task));
    let (bwv, resident) = (VolumeFile::new(file.clone()).unwrap(), ResidentOptions::default());
    check!(stops, "LoadedVolume::from_file", |task| {
        LoadedVolume::from_file(&bwv, header.clone(), &resident, false, task)
    });
    check!(stops, "LoadedVolume::from_stream", |task| {
        let volume = brickwork_volume::open(&raw, &open, &none).unwrap();
        LoadedVolume::from_stream(volume, header.clone(), &resident, false, task)
    });
    check!(stops, "physical_voxels", |task| {
        let volume = brickwork_volume::open(&raw, &open, &none).unwrap();
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
    let look = LookOptions::new();
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
    let mut painter = Painter::new(scene, Device::cpu(), None, &none).unwrap();
    check!(stops, "Painter::render", |task| painter.render(&view, task));
    let devices = Devices::open(DeviceChoice::Cpu).unwrap();
    check!(stops, "render_default", |task| render_default(&path, [1024, 768], &devices, task));
}

#[test]
fn renderings_stop() {
    let folder = tempfile::tempdir().unwrap();
    let (path, pixels) = (folder.path().join("a.png"), vec![[1, 2, 3, 255]; 1024 * 1024]);
    check!(stops, "encode_rendering", |task| encode_rendering(&mut sink(), 1024, 1024, &pixels, task));
    check!(stops, "write_rendering", |task| write_rendering(&path, 1024, 1024, &pixels, task));
    assert!(!path.exists());
}

#[test]
#[cfg(feature = "zarr")]
fn zarr_stops() {
    use crate::volume::{ZarrOptions, verify_zarr, write_zarr};
    let folder = tempfile::tempdir().unwrap();
    let (path, dims) = (folder.path().join("a.raw"), Dims::cube(96));
    fs::write(&path, (0..96 * 96 * 96u32).map(|i| (i / 7) as u8).collect::<Vec<u8>>()).unwrap();
    let open = VolumeOpenOptions::new().with_raw(RawLayout::new(VoxelType::U8, dims));
    let volume = || brickwork_volume::open(&path, &open, &Task::new()).unwrap();
    // More chunks than are decoded at a time.
    let options = ZarrOptions::new().with_chunk(Dims::cube(16));
    check!(stops, "write_zarr", |task| {
        let folder = tempfile::tempdir().unwrap();
        write_zarr(volume(), folder.path(), &options, task)
    });
    let group = tempfile::tempdir().unwrap();
    write_zarr(volume(), group.path(), &options, &Task::new()).unwrap();
    check!(stops, "verify_zarr", |task| verify_zarr(group.path(), task));
}
