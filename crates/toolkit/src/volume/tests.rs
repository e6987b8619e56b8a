//! Tests of volumes from the file to the rendering.

use super::*;
use crate::device::{Device, DeviceChoice, Devices};
use brickwork_base::Task;
use brickwork_formats::VolumeOpenOptions;
use brickwork_volume::{BwvOptions, Dims, Header, VolumeView, VoxelKind, VoxelType, encode, render::Up};
use std::{fs, path::Path};

const DIMS: Dims = Dims::cube(20);

/// Returns a ball of values up to `brightest`.
fn ball(brightest: f64) -> Vec<u8> {
    let square = |place: usize| (place as f64 - 9.5).powi(2);
    let value = |i: usize| {
        let (x, y, z) = DIMS.position(i);
        (100.0 + 60.0 * (7.0 - (square(x) + square(y) + square(z)).sqrt())).clamp(0.0, brightest) as u8
    };
    (0..8000).map(value).collect()
}

fn write_bwv(path: &Path, voxels: &[u8]) {
    let mut file = Vec::new();
    let view = VolumeView::new(voxels, DIMS).unwrap();
    let header = Header::new(VoxelType::U8, DIMS);
    encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).unwrap();
    fs::write(path, file).unwrap();
}

fn open(path: &Path) -> VolumeInput {
    VolumeInput::open(path, &VolumeOpenOptions::default(), &Task::new()).unwrap()
}

fn load(path: &Path) -> LoadedVolume {
    open(path).select(&PartOptions::default()).unwrap().load(&LoadOptions::default(), &Task::new()).unwrap()
}

#[cfg(feature = "gpu")]
fn render(painter: &mut Painter, azimuth: f64) -> brickwork_volume::render::Rendering {
    let scene = painter.scene();
    let camera = scene.camera(&Task::new()).unwrap();
    let camera = brickwork_volume::render::Camera { azimuth, ..camera };
    let view = scene.view(&camera, 48, 32).unwrap();
    painter.render(&view, &Task::new()).unwrap()
}

/// A file that replaces the input between opening and loading is not read.
#[test]
#[cfg(unix)]
fn files_are_opened_once() {
    let folder = tempfile::tempdir().unwrap();
    let [path, other] = ["a.bwv", "b.bwv"].map(|name| folder.path().join(name));
    write_bwv(&path, &ball(200.0));
    write_bwv(&other, &ball(120.0));
    let part = open(&path).select(&PartOptions::default()).unwrap();
    fs::rename(&other, &path).unwrap();
    let volume = part.load(&LoadOptions::default(), &Task::new()).unwrap();
    assert_eq!(volume.survey(&Task::new()).unwrap().percentile(1.0), 200.0);
}

#[test]
fn parts_that_do_not_exist_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bwv");
    write_bwv(&path, &ball(200.0));
    for (options, word) in [
        (PartOptions::default().with(|o| o.mip_level = 1), "level 1"),
        (PartOptions::default().with(|o| o.frame = 1), "frame 1"),
        (PartOptions::default().with(|o| o.channel = Some(7)), "channel 7"),
    ] {
        let error = open(&path).select(&options).unwrap_err().to_string();
        assert!(error.starts_with(word), "{error}");
    }
}

#[test]
fn formats_make_the_same_picture() {
    let folder = tempfile::tempdir().unwrap();
    let [bwv, nrrd] = ["a.bwv", "a.nrrd"].map(|name| folder.path().join(name));
    write_bwv(&bwv, &ball(200.0));
    let mut file = b"NRRD0004\ntype: uint8\ndimension: 3\nsizes: 20 20 20\nencoding: raw\n\n".to_vec();
    file.extend(ball(200.0));
    fs::write(&nrrd, file).unwrap();
    let devices = Devices::open(DeviceChoice::Cpu).unwrap();
    let picture = |path| render_default(path, [64, 48], &devices, &Task::new()).unwrap();
    let expected = picture(&bwv);
    assert!(expected.pixels.iter().any(|pixel| pixel[0] > 100));
    assert!(picture(&nrrd).pixels == expected.pixels);
    // Compressed in memory, for several parts and for GPUs.
    let opened = open(&nrrd).compressed(&Task::new()).unwrap();
    for _ in 0..2 {
        let part = opened.select(&PartOptions::default()).unwrap();
        let volume = part.load(&LoadOptions::default(), &Task::new()).unwrap();
        assert!(volume.resident().is_some());
        let scene = Scene::new(volume, &LookOptions::default(), &Task::new()).unwrap();
        let view = scene.view(&scene.camera(&Task::new()).unwrap(), 64, 48).unwrap();
        let mut painter = Painter::new(scene, Device::cpu(), None, &Task::new()).unwrap();
        assert!(painter.render(&view, &Task::new()).unwrap().pixels == expected.pixels);
    }
}

#[test]
fn modes_suit_the_settings() {
    let of = |kind, metadata: &str| {
        Header::new(VoxelType::U8, Dims::new(1, 1, 1)).with(|header| {
            (header.kind, header.metadata) = (kind, metadata.to_owned());
        })
    };
    let (values, segments) = (of(VoxelKind::Intensity, ""), of(VoxelKind::Labels, ""));
    let labels = LookOptions::default().with(|o| o.mode = Some(RenderMode::Labels));
    assert_eq!(labels.kind(&values), VoxelKind::Labels);
    let iso = LookOptions::default().with(|o| o.iso = Some(100.0));
    assert_eq!((iso.mode(&values), iso.mode(&segments)), (RenderMode::Iso, RenderMode::Labels));
    assert_eq!(LookOptions::default().mode(&values), RenderMode::Dvr);
    // Stacks of images, as microscopes make them, are seen from above.
    for metadata in [r#"{"tiff":{}}"#, r#"{"images":{}}"#] {
        let stack = of(VoxelKind::Intensity, metadata);
        assert_eq!(LookOptions::default().mode(&stack), RenderMode::Mip);
        let camera = default_camera(&stack);
        assert_eq!((camera.azimuth, camera.elevation, Up::suited_to(&stack)), (0.0, 0.0, Up::MinusY));
    }
    let patient = of(VoxelKind::Intensity, r#"{"tiff":{},"dicom":{}}"#);
    assert_eq!((LookOptions::default().mode(&patient), Up::suited_to(&patient)), (RenderMode::Dvr, Up::Z));
}

/// A small volume that shows everywhere is within the picture.
#[test]
fn small_volumes_are_not_cut() {
    let folder = tempfile::tempdir().unwrap();
    for side in [3, 6, 11] {
        let path = folder.path().join("a.nrrd");
        let head = "NRRD0004\ntype: uint8\ndimension: 3\nencoding: raw\nsizes:";
        let mut file = format!("{head} {side} {side} {side}\n\n").into_bytes();
        file.extend((0..side * side * side).map(|i| 200 + (i % 2) as u8));
        fs::write(&path, file).unwrap();
        let look = LookOptions::default().with(|o| {
            o.mode = Some(RenderMode::Mip);
            o.window = Some([0.0, 201.0]);
        });
        let scene = Scene::new(load(&path), &look, &Task::new()).unwrap();
        let view = scene.view(&scene.camera(&Task::new()).unwrap(), 64, 48).unwrap();
        let mut painter = Painter::new(scene, Device::cpu(), None, &Task::new()).unwrap();
        let picture = painter.render(&view, &Task::new()).unwrap();
        let is_edge = |i: usize| [0, 63].contains(&(i % 64)) || i / 64 == 0 || i / 64 == 47;
        let shown = picture.pixels.iter().enumerate().filter(|(_, pixel)| pixel[0] > 100);
        let (edge, inside): (Vec<_>, Vec<_>) = shown.partition(|(i, _)| is_edge(*i));
        assert!(edge.is_empty() && inside.len() > 300, "{side}: {} and {}", edge.len(), inside.len());
    }
}

#[test]
fn orbits_start_at_the_camera() {
    let cameras = orbit(&default_camera(&Header::new(VoxelType::U8, Dims::new(1, 1, 1))), 4);
    assert_eq!(cameras.iter().map(|camera| camera.azimuth).collect::<Vec<_>>(), [30.0, 120.0, 210.0, 300.0]);
    assert!(cameras.iter().all(|camera| camera.is_orbiting));
}

/// All views and looks of a volume share one upload.
#[test]
#[cfg(feature = "gpu")]
fn a_volume_is_uploaded_once() {
    let Some(gpu) = crate::device::Gpu::for_tests(None) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bwv");
    write_bwv(&path, &ball(200.0));
    let scene = Scene::new(load(&path), &LookOptions::default(), &Task::new()).unwrap();
    let mip = LookOptions::default().with(|o| o.mode = Some(RenderMode::Mip));
    let mip = scene.with_look(&mip, &Task::new()).unwrap();
    let mut painter = Painter::new(scene, Device::of_gpu(gpu.clone()), None, &Task::new()).unwrap();
    let uploaded = painter.uploaded().swap_remove(0);
    for azimuth in [0.0, 120.0, 240.0] {
        render(&mut painter, azimuth);
        assert!(std::sync::Arc::ptr_eq(&uploaded, &painter.uploaded()[0]));
    }
    painter.set_scene(mip, &Task::new()).unwrap();
    assert!(std::sync::Arc::ptr_eq(&uploaded, &painter.uploaded()[0]));
    let found = render(&mut painter, 0.0);
    let mut on_cpu =
        Painter::new(std::sync::Arc::clone(painter.scene()), Device::cpu(), None, &Task::new()).unwrap();
    let expected = render(&mut on_cpu, 0.0);
    let is_near = |(a, b): (&[u8; 4], &[u8; 4])| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 1);
    assert!(found.pixels.iter().zip(&expected.pixels).all(is_near));
    // Another volume is uploaded.
    let other = Scene::new(load(&path), &LookOptions::default(), &Task::new()).unwrap();
    painter.set_scene(other, &Task::new()).unwrap();
    assert!(!std::sync::Arc::ptr_eq(&uploaded, &painter.uploaded()[0]));
}

/// Returns the scene of channels with balls of these values.
#[cfg(feature = "gpu")]
fn scene_of(balls: &[&Scene]) -> Scene {
    let again = |scene: &Scene| scene.with_look(&LookOptions::default(), &Task::new()).unwrap();
    again(balls[0]).with_channels(balls[1..].iter().map(|scene| again(scene)).collect())
}

/// Channels stay on the GPU while others come and go. If they do not fit together, they share the memory.
#[test]
#[cfg(feature = "gpu")]
fn channels_are_uploaded_once() {
    use std::sync::Arc;
    let Some(gpu) = crate::device::Gpu::for_tests(None) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bwv");
    for memory in [None, Some(3 << 9)] {
        let balls = [200.0, 150.0, 100.0].map(|brightest| {
            write_bwv(&path, &ball(brightest));
            let part = open(&path).select(&PartOptions::default()).unwrap();
            let options = LoadOptions::default().with(|o| o.gpu_memory = memory.map(|bytes| bytes / 3));
            let volume = part.load(&options, &Task::new()).unwrap();
            Scene::new(volume, &LookOptions::default(), &Task::new()).unwrap()
        });
        let [a, b, c] = balls.each_ref();
        let device = Device::of_gpu(gpu.clone());
        let mut painter = Painter::new(scene_of(&[a, b]), device, memory, &Task::new()).unwrap();
        let first = painter.uploaded();
        assert_eq!((first.len(), painter.paged_memory().is_some()), (2, memory.is_some()));
        painter.set_scene(scene_of(&[b]), &Task::new()).unwrap();
        assert!(Arc::ptr_eq(&first[1], &painter.uploaded()[0]));
        painter.set_scene(scene_of(&[c, b, a]), &Task::new()).unwrap();
        let last = painter.uploaded();
        // With three shares instead of two, each channel has less memory.
        assert_eq!((last.len(), Arc::ptr_eq(&first[1], &last[1])), (3, memory.is_none()));
        let found = render(&mut painter, 30.0);
        let mut on_cpu =
            Painter::new(Arc::clone(painter.scene()), Device::cpu(), None, &Task::new()).unwrap();
        let expected = render(&mut on_cpu, 30.0);
        let is_near = |(a, b): (&[u8; 4], &[u8; 4])| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 1);
        assert!(found.pixels.iter().zip(&expected.pixels).all(is_near));
    }
}

#[test]
#[cfg(feature = "gpu")]
fn small_gpu_memory_loads_pages() {
    let Some(gpu) = crate::device::Gpu::for_tests(None) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bwv");
    write_bwv(&path, &ball(200.0));
    let part = open(&path).select(&PartOptions::default()).unwrap();
    let memory = Some(1 << 10);
    let volume = part.load(&LoadOptions::default().with(|o| o.gpu_memory = memory), &Task::new()).unwrap();
    let scene = Scene::new(volume, &LookOptions::default(), &Task::new()).unwrap();
    let mut painter = Painter::new(scene, Device::of_gpu(gpu), memory, &Task::new()).unwrap();
    assert!(painter.paged_memory().is_some_and(|memory| memory.needed > 1 << 10));
    assert!(render(&mut painter, 30.0).pixels.iter().any(|pixel| pixel[0] > 100));
}

#[test]
#[cfg(feature = "gpu")]
fn the_cpu_takes_over_from_a_gpu_that_fails() {
    let Some(gpu) = crate::device::Gpu::for_tests(None) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bwv");
    write_bwv(&path, &ball(200.0));
    let scene = std::sync::Arc::new(Scene::new(load(&path), &LookOptions::default(), &Task::new()).unwrap());
    let painter = |device| {
        Painter::new(std::sync::Arc::clone(&scene), device, None, &Task::new()).expect("it did not fail yet")
    };
    let mut auto = painter(Device::of_gpu(gpu.clone()).that_may_fall_back());
    let mut demanded = painter(Device::of_gpu(gpu.clone()));
    gpu.context().device().destroy();
    let expected = render(&mut painter(Device::cpu()), 30.0);
    assert!(render(&mut auto, 30.0).pixels == expected.pixels);
    let reason = auto.device().fallback().expect("a reason").to_string();
    assert!(reason.contains("lost") && !auto.is_on_gpu(), "{reason}");
    let view = scene.view(&scene.camera(&Task::new()).unwrap(), 48, 32).unwrap();
    assert!(demanded.render(&view, &Task::new()).is_err());
}

/// Writes 12×1×1 voxels of f32 with these channels as NRRD.
fn write_channels(path: &Path, channels: &[[f32; 12]]) {
    let count = channels.len();
    let head = "NRRD0004\ntype: float\nendian: little\ndimension: 4\nencoding: raw\n";
    let kinds = "kinds: vector domain domain domain";
    let mut file = format!("{head}sizes: {count} 12 1 1\n{kinds}\n\n").into_bytes();
    let numbers = (0..12 * count).flat_map(|i| channels[i % count][i / count].to_le_bytes());
    file.extend(numbers);
    fs::write(path, file).unwrap();
}

/// Windows that suit the values are reported, and channels without a number are left out with a note.
#[test]
fn channels_without_numbers_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nrrd");
    let rising: [f32; 12] = std::array::from_fn(|i| i as f32);
    write_channels(&path, &[[f32::NAN; 12], rising, rising.map(|value| 10.0 - value)]);
    let renderings = |channels: &str| {
        let options = RenderOptions::default().with(|o| {
            (o.channel, o.size, o.look.mode) =
                (Some(channels.parse().unwrap()), [16, 16], Some(RenderMode::Mip));
        });
        let part = options.select(open(&path)).unwrap();
        Renderings::new(part, None, &options, Device::cpu(), &Task::new())
    };
    let found = renderings("0,2:5..6,1").unwrap();
    assert_eq!(found.notes(), ["channel 0 has no finite number, and is not shown"]);
    let shown: Vec<_> = found.channels().iter().map(|shown| (shown.index, shown.window)).collect();
    assert_eq!(shown[0], (2, Some([5.0, 6.0])));
    let (1, Some([low, high])) = shown[1] else { panic!("{shown:?}") };
    assert!(low < high && (9.0..11.1).contains(&high), "{low} {high}");
    let error = renderings("0:#ff0000").unwrap_err();
    assert!(
        matches!(error, VolumeError::Render(brickwork_volume::render::RenderError::NoNumbers)),
        "{error}"
    );
    let part = open(&path).select(&PartOptions::default()).unwrap();
    let options = SliceOptions::default().with(|o| o.channel = Some("0,1".parse().unwrap()));
    let slice = read_slice(part, None, &options, &Task::new()).unwrap();
    assert_eq!(slice.notes, ["channel 0 has no finite number, and is not shown"]);
    assert_eq!((slice.channels[0].window, slice.channels[1].window), (None, Some([0.0, 11.0])));
    // Options for several channels do not count for a part of one.
    let part = open(&path).select(&PartOptions::default().with(|o| o.channel = Some(1))).unwrap();
    let options = RenderOptions::default().with(|o| o.channel = Some(ChannelSet::All));
    assert_eq!(options.shown_channels(&part).unwrap(), []);
}

/// With the slope −1, small stored numbers are large values.
#[test]
fn negative_slopes_turn_colours_round() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bwv");
    let chosen = |metadata: &str, window, is_inverted| {
        let header = Header::new(VoxelType::U8, DIMS).with(|header| header.metadata = metadata.to_owned());
        let (voxels, mut file) = (ball(200.0), Vec::new());
        let view = VolumeView::new(&voxels, DIMS).unwrap();
        encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).unwrap();
        fs::write(&path, file).unwrap();
        let look = LookOptions::default().with(|o| {
            (o.mode, o.color) = (Some(RenderMode::Mip), Some([0.0, 1.0, 0.0]));
            (o.window, o.is_inverted) = (window, is_inverted);
        });
        look.choose(&load(&path), &Task::new()).unwrap()
    };
    let negative = r#"{"nifti":{"scl_slope":-1,"scl_inter":0}}"#;
    for is_inverted in [false, true] {
        let found = chosen(negative, Some([-100.0, 0.0]), is_inverted);
        assert_eq!(found.look, chosen("", Some([0.0, 100.0]), !is_inverted).look);
        assert_eq!(found.window, Some([-100.0, 0.0]));
    }
    // The window that suits the values is one of physical values, too.
    let ([low, high], stored) = (chosen(negative, None, false).window.unwrap(), chosen("", None, true));
    assert_eq!(stored.window, Some([-high, -low].map(|value| value + 0.0)));
    assert_eq!(chosen(negative, None, false).look, stored.look);
}

/// Notes on active channels are for images that show them.
#[test]
fn notes_on_channels_suit_the_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bwv");
    let header = Header::new(VoxelType::U8, Dims::new(4, 4, 4)).with(|header| header.channels = 10);
    let header = header.with_channels("zarr", &[], &[brickwork_volume::ChannelLook::default(); 10]);
    let view = [7u8; 640];
    let view = VolumeView::interleaved(&view, header.dims, 10).unwrap();
    let mut file = Vec::new();
    encode(view, &header, &BwvOptions::default(), &mut file, &Task::new()).unwrap();
    fs::write(&path, file).unwrap();
    let notes = |change: &dyn Fn(&mut RenderOptions)| {
        let options = RenderOptions::default().with(change);
        options.notes(&options.select(open(&path)).unwrap()).unwrap()
    };
    let note = "10 channels are active; the first 8 are shown";
    assert_eq!(notes(&|_| ()), [note]);
    assert_eq!(notes(&|o| o.look.iso = Some(5.0)), [""; 0]);
    assert_eq!(notes(&|o| o.look.mode = Some(RenderMode::Iso)), [""; 0]);
    assert_eq!(notes(&|o| o.is_labels = true), [""; 0]);
    assert_eq!(notes(&|o| o.channel = Some("2,3".parse().unwrap())), [""; 0]);
    let part = SliceOptions::default().select(open(&path), 0, 0).unwrap();
    assert_eq!(SliceOptions::default().notes(&part).unwrap(), [note]);
}

/// Writes an OME-Zarr group with three mip levels.
#[cfg(feature = "zarr")]
#[test]
fn levels_of_zarr_are_loaded() {
    use brickwork_formats::{OpenedVolume, VolumeFormat, ZarrOptions, write_zarr};
    use brickwork_volume::{ByteOrder, VoxelStream};
    let folder = tempfile::tempdir().unwrap();
    let dims = Dims::new(21, 10, 13);
    let volume = OpenedVolume {
        format: VolumeFormat::Raw,
        header: Header::new(VoxelType::U8, dims).with(|header| header.mip_levels = 3),
        order: ByteOrder::Little,
        voxels: VoxelStream::Rewindable(Box::new(std::io::Cursor::new(vec![7; 21 * 10 * 13]))),
        files: Vec::new(),
        notes: Vec::new(),
    };
    write_zarr(volume, folder.path(), &ZarrOptions::default(), &Task::new()).unwrap();
    let options = VolumeOpenOptions::default().with(|o| o.mip_level = 3);
    let open = || VolumeInput::open(folder.path(), &options, &Task::new()).unwrap();
    let part = open().select(&PartOptions::default().with(|o| o.mip_level = 2)).unwrap();
    assert_eq!((part.header().dims, part.mip_level()), (Dims::new(6, 3, 4), 2));
    let loaded = part.load(&LoadOptions::default(), &Task::new()).unwrap();
    assert_eq!(loaded.dims(), Dims::new(6, 3, 4));
    assert!(open().select(&PartOptions::default().with(|o| o.mip_level = 3)).is_err());
}

/// The levels are 512, 128 and 42 voxels wide: their factors are 4 and 12, not 2 and 4.
#[cfg(feature = "zarr")]
#[test]
fn levels_are_chosen_by_their_dims() {
    use brickwork_volume::render::{Camera, Projection};
    use serde_json::json;
    let folder = tempfile::tempdir().unwrap();
    let mut datasets = Vec::new();
    for side in [512, 128, 42] {
        let array = json!({
            "zarr_format": 3,
            "node_type": "array",
            "shape": [side, side, side],
            "data_type": "uint16",
            "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [2, 2, 3] } },
            "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
            "fill_value": 7,
            "codecs": [{ "name": "bytes", "configuration": { "endian": "little" } }],
        });
        fs::create_dir(folder.path().join(side.to_string())).unwrap();
        fs::write(folder.path().join(format!("{side}/zarr.json")), array.to_string()).unwrap();
        datasets.push(json!({ "path": side.to_string() }));
    }
    let multiscales = json!([{ "axes": ["z", "y", "x"], "datasets": datasets }]);
    let attributes = json!({ "ome": { "multiscales": multiscales } });
    let group = json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes });
    fs::write(folder.path().join("zarr.json"), group.to_string()).unwrap();
    let input = VolumeInput::open(folder.path(), &VolumeOpenOptions::default(), &Task::new()).unwrap();
    let camera = Camera { projection: Projection::Orthographic, ..Camera::default() };
    // (A pixel is as large as 0.9, 2.2, 5.4, 9.1, 27 and 545 voxels.)
    for (side, level) in [(600, 0), (250, 0), (100, 1), (60, 1), (20, 2), (1, 2)] {
        assert_eq!(input.mip_level_for(&camera, side, side), Ok(level), "{side}");
    }
}
