//! Tests that every long call of the commands stops soon after its token is cancelled.

use crate::{
    batch::{
        BatchOptions, Build, Incremental, Job, Output, Scope, Shard, Turn, Written, examine,
        files_in_folders, find, plan, run,
    },
    commands::{
        assemble::{AssembleOptions, assemble_files},
        audit::{AuditOptions, AuditPlan},
        compare::{CompareInput, CompareOptions, compare_files, compare_images},
        convert::{TextureConvertOptions, convert_file},
        decode::{TextureDecodeOptions, decode_file, decode_image},
        encode::encode_job,
        extract::{ExtractOutput, TextureExtractOptions, extract_images},
        info::{BlockEndpoints, BlockModes, describe},
        report::html::{
            EncodingRecords, HtmlReportError, HtmlReportOptions, write_html_folders_report, write_html_report,
        },
        validate::validate_file,
    },
    extensions::unread_images,
    folder_pairs::pair_folders,
    report::FileError,
};
use brickwork_base::{
    Cancelled, ErrorKind, Task,
    testing::{does_not_start, skip_without_gpu, stops},
    whole_file::Existing,
};
use brickwork_formats::VolumeOpenOptions;
use brickwork_image::image_file::{ImageWriteError, PngTexels, write_png};
use brickwork_texture::{BlockFormat, ColorSpace, Texture, TextureDesc};
use brickwork_toolkit::{
    batch::{BatchError, Input, InputGroup},
    device::{DeviceChoice, Devices},
    texture::{TextureJobError, TextureLayout, TextureOptions, read_any, read_picture},
    volume::{PartOptions, SliceOptions, VolumeError, VolumeInput, read_slice},
};
use brickwork_volume::{BwvOptions, Dims, Header, VolumeView, VoxelType, encode};
use std::{
    fs::{self, File},
    io::sink,
    path::{Path, PathBuf},
    sync::Arc,
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
    VolumeError,
    brickwork_texture::EncodeError
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
    let (jobs, options) = (plan(groups(), None, "dds", &Task::new()).unwrap(), BatchOptions::default());
    let again = |_: &BatchError| false;
    check!(does_not_start, "examine", |task| {
        examine(groups(), 2, 1 << 20, again, |_, _| Ok::<_, BatchError>(()), drop, task)
    });
    let work = |_: &Turn<'_>| {
        Ok::<_, BatchError>(Written { result: (), input_bytes: 0, output_bytes: 0, kept: None })
    };
    let paths_of_run = ["cache", "out"].map(|name| folder.path().join(name));
    let [cache, out] = &paths_of_run;
    let incremental = Incremental::open(cache, out, Build::named("a"), Shard::ALL, false).unwrap();
    check!(does_not_start, "run", |task| {
        run(&jobs, &options, Some(&incremental), again, (work, |_: &Turn<'_>| Ok(None)), drop, task)
    });
    check!(does_not_start, "Incremental::stale_outputs", |task| {
        incremental.stale_outputs(&Scope::new(), false, task)
    });
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
    check!(stops, "encode_job", |task| encode_job(&options, &turn(&encode), &devices, task));
    let decoding = TextureDecodeOptions::default();
    check!(stops, "decode_file", |task| decode_file(&decoding, &turn(&decode), task));
    let (assemble, mut layers) = (job(&[&png, &png], "c.dds"), options);
    layers.layout = TextureLayout::Layers;
    check!(stops, "assemble_files", |task| {
        assemble_files(&AssembleOptions::new(layers.clone()), &turn(&assemble), &devices, task)
    });
    let (converting, convert) = (TextureConvertOptions::default(), job(&[&dds], "c.ktx2"));
    check!(stops, "convert_file", |task| convert_file(&converting, &turn(&convert), task));
    let (limit, keep) = (1 << 32, Existing::Keep);
    let (extracting, images) = (TextureExtractOptions::default(), ExtractOutput::File(output("d.png")));
    check!(stops, "extract_images", |task| extract_images(&dds, &images, &extracting, keep, limit, task));
    let (textures, page, html) = ([png.clone()], output("e.html"), HtmlReportOptions::default());
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
    let (options, devices) = (AuditOptions::default(), Devices::open(DeviceChoice::Cpu).unwrap());
    check!(stops, "AuditPlan::run", |task| plan.run(&options, &devices, 1, limit, drop, task));
}

#[test]
#[cfg(feature = "gpu")]
fn tilings_stop() {
    use crate::commands::tiling::examine_tilings;
    use brickwork_toolkit::device::{AdapterChoice, Gpu};
    let gpu = match Gpu::open(&AdapterChoice::Best) {
        Ok(gpu) => gpu,
        Err(error) => return skip_without_gpu(error),
    };
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

    let reading = brickwork_image::image_file::ImageReadOptions::default().with(|o| o.max_memory = limit);
    check!(does_not_start, "describe", |task| describe(&png, None, &reading, task));
    check!(does_not_start, "validate_file", |task| validate_file(&dds, limit, task));
    let endpoints = BlockEndpoints::of_texture(texture.clone()).unwrap();
    check!(stops, "BlockEndpoints::picture", |task| endpoints.picture("a", task));
    let modes = BlockModes::of_texture(texture.clone()).unwrap();
    check!(stops, "BlockModes::counts", |task| modes.counts(task));
    check!(stops, "BlockModes::picture", |task| modes.picture("a", task));
    let picture = read_picture(&png, &reading, &none).unwrap();
    let decode = TextureDecodeOptions::default();
    check!(stops, "decode_image", |task| {
        decode_image(read_any(&dds, &reading, &none).unwrap(), "a", &decode, limit, task)
    });
    let decoded = decode_image(read_any(&dds, &reading, &none).unwrap(), "a", &decode, limit, &none).unwrap();
    check!(stops, "DecodedPicture::write", |task| {
        let written = decoded.write(sink(), None, task);
        written.map_err(|error| TextureJobError::WritePng { output: "a".to_owned(), error })
    });
    let compare = CompareOptions::default();
    check!(stops, "CompareInput::read", |task| CompareInput::read(&dds, &compare, limit, task));
    let decoded = CompareInput::of_texture("a".to_owned(), Arc::new(texture), &compare, limit).unwrap();
    check!(stops, "CompareInput::image", |task| decoded.image(0, task));
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
    let open = VolumeOpenOptions::default();
    let part = || VolumeInput::open(&path, &open, &none).unwrap().select(&PartOptions::default()).unwrap();
    check!(stops, "read_slice", |task| read_slice(part(), None, &SliceOptions::default(), task));
}
