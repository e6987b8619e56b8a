//! Renderings on a GPU, compared with the CPU's.

use super::super::{
    Camera, DisplayBricks, GpuRenderer, Look, Projection, RawBricks, RenderError, Renderer, ResidentBricks,
    TransferFunction, VisibleLabels, rays::Rays, shade::Light,
};
use super::{
    super::inputs::{DisplayParams, Mode, PagingParams, ViewParams},
    kernels::{Source, all, kernel},
};
use crate::gpu::Lanes;
use crate::{
    AnyVoxels, BrickEffort, CancelToken, Cancelled, Dims, ErrorKind, Header, Progress, Region,
    ResidentOptions, ResidentVolume, Selection, Task, VolumeFile, VolumeView, Voxel, VoxelKind,
    gpu::GpuVolume,
};
use brickwork_base::testing::{ATTEMPTS, LIMIT, Stopwatch};
use brickwork_gpu::{
    Context, GpuError, offsets,
    testing::{
        assert_compiled_soon, assert_default_limits, assert_every_language, assert_one_text_per_name,
        context, layout,
    },
};
use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
    task::Poll,
    time::Duration,
};

/// The needs of a volume of one page on any device.
const PLAIN: Source = Source::Bricks { pages: 1, lanes: Lanes::Workgroup, has_cache: true };

#[test]
fn kernels_become_every_language_within_the_default_limits() {
    let kernels = all();
    assert_every_language(&kernels);
    assert_default_limits(&kernels);
    assert_one_text_per_name(&kernels);
}

#[test]
fn kernels_are_compiled_soon() {
    let kernels = Mode::ALL.map(|mode| kernel(mode, PLAIN));
    // 10.4 to 12.7 on Mesa 25.0.7, 5.8 to 6.9 on SwiftShader, 2026-11-23.
    assert_compiled_soon(module_path!(), "kernels_are_compiled_soon", &kernels, &[("", 24.0)]);
}

#[test]
fn structs_lie_in_memory_as_the_kernels_say() {
    let kernel = kernel(Mode::Dvr, PLAIN);
    let expected = offsets!(ViewParams:
        "rays" rays, "light" light, "background" background, "color" color, "display" display, "cells" cells,
        "blocks" blocks, "transfer_first" transfer_first, "transfer_shift" transfer_shift,
        "transfer_span" transfer_span, "threshold" threshold, "fade" fade, "first_tile" first_tile,
        "tiles_of_row" tiles_of_row, "tile_step" tile_step, "statistics" statistics, "sums" sums,
        "paging" paging);
    assert_eq!(layout(&kernel, "View"), (expected, size_of::<ViewParams>()));
    let expected = offsets!(Rays:
        "origin" origin, "planes" planes, "origin_x" origin_x, "width" width, "origin_y" origin_y,
        "height" height, "dir" dir, "dir_x" dir_x, "dir_y" dir_y, "dims" dims);
    assert_eq!(layout(&kernel, "Rays"), (expected, size_of::<Rays>()));
    let expected = offsets!(Light: "normal" normal, "world" world, "key" key, "halfway" half);
    assert_eq!(layout(&kernel, "Light"), (expected, size_of::<Light>()));
    let expected = offsets!(PagingParams:
        "rays" rays, "slots" slots, "missing" missing, "asked" asked, "waiting" waiting,
        "buffer_pages" buffer_pages, "page_words" page_words, "is_first" is_first);
    assert_eq!(layout(&kernel, "Paging"), (expected, size_of::<PagingParams>()));
    let expected = offsets!(DisplayParams: "rule" rule, "numbers" numbers);
    assert_eq!(layout(&kernel, "DisplayParams"), (expected, size_of::<DisplayParams>()));
}

/// Views from outside, from inside, and in parallel.
fn cameras() -> [Camera; 3] {
    [
        Camera { azimuth: 35.0, elevation: 20.0, ..Camera::default() },
        Camera { azimuth: 200.0, zoom: 6.0, roll: 10.0, ..Camera::default() },
        Camera { projection: Projection::Orthographic, elevation: -70.0, step: 0.7, ..Camera::default() },
    ]
}

/// Returns the looks of bricks: one for each mode that suits them.
fn looks(bricks: &dyn DisplayBricks) -> Vec<Look> {
    if bricks.display().kind() == VoxelKind::Labels {
        return vec![Look::labels(VisibleLabels::default())];
    }
    // Over the middle of the display values that there are.
    let sides = [0, 1, 2].map(|axis| {
        let Dims { x, y, z } = bricks.dims();
        [x, y, z][axis].div_ceil(4) as u32
    });
    let places =
        (0..sides[2]).flat_map(|z| (0..sides[1]).flat_map(move |y| (0..sides[0]).map(move |x| [x, y, z])));
    let [least, largest] =
        places.map(|place| bricks.range(place)).fold([u16::MAX, 0], |[a, b], [c, d]| [a.min(c), b.max(d)]);
    let span = f64::from(largest) - f64::from(least);
    let value = |part: f64| bricks.display().value(f64::from(least) + part * span);
    let window = |opacity| {
        let high = if span > 0.0 { value(0.9) } else { value(0.0) + 1.0 };
        TransferFunction::window(value(0.3).min(high - 1e-3), high, opacity).expect("a window")
    };
    let display = bricks.display();
    vec![
        Look::mip(&window(1.0), &display),
        Look::dvr(&window(0.2), &display).expect("opacities"),
        Look::isosurface(&display, value(0.6), [0.9, 0.8, 0.7]).expect("a number"),
    ]
}

fn resident(volume: &Arc<ResidentVolume>) -> Arc<ResidentBricks> {
    Arc::new(ResidentBricks::new(Arc::clone(volume), &Task::new()).expect("not cancelled"))
}

fn prepared<B: DisplayBricks + 'static>(bricks: &Arc<B>, look: &Look) -> Renderer {
    Renderer::new(bricks.clone(), look.clone(), &Task::new()).expect("a small volume")
}

/// Compares all renderings of a volume: from raw bricks, resident ones, and by the GPU. Returns how many
/// pixels differ by 1.
fn compare(
    context: &Context,
    header: &Header,
    volume: &Arc<ResidentVolume>,
    raw: &Arc<RawBricks>,
    what: &str,
) -> usize {
    let bricks = resident(volume);
    assert_eq!(bricks.display(), raw.display(), "{what}");
    let sides = volume.bricks();
    for i in 0..sides.voxel_count().expect("bricks") {
        let (x, y, z) = sides.position(i);
        let place = [x, y, z].map(|place| place as u32);
        assert_eq!(bricks.range(place), raw.range(place), "{what}, {place:?}");
    }
    let on_gpu = Arc::new(GpuVolume::new(context, volume, &Task::new()).expect("memory"));
    let mut by_one = 0;
    for look in looks(&*bricks) {
        let renderer = prepared(&bricks, &look).with_background([0.1, 0.2, 0.3, 0.5]);
        let of_raw = prepared(raw, &look).with_background([0.1, 0.2, 0.3, 0.5]);
        let by_gpu = GpuRenderer::new(Arc::clone(&on_gpu), &renderer).expect("a kernel").with_statistics();
        for camera in cameras() {
            let view = camera.view(header, 45, 37).expect("a view");
            let expected = renderer.render(&view, &Task::new()).expect("a picture");
            let by_raw = of_raw.render(&view, &Task::new()).expect("a picture");
            assert_eq!(by_raw.pixels, expected.pixels, "{what}, {camera:?}");
            let found = by_gpu.render(&view, &Task::new()).expect("a picture");
            for (i, (found, expected)) in found.pixels.iter().zip(&expected.pixels).enumerate() {
                let most = found.iter().zip(expected).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
                assert!(most <= 1, "{what}, {camera:?}, {look:.60?}, pixel {i}: {found:?}, CPU {expected:?}");
                by_one += usize::from(most);
            }
            let statistics = found.statistics;
            assert_eq!(statistics.samples, expected.statistics.samples, "{what}, {camera:?}, {look:.60?}");
            assert!(
                statistics.misses <= statistics.brick_lookups && statistics.brick_reads <= statistics.misses
            );
        }
    }
    by_one
}

#[test]
fn pictures_of_the_gpu_are_those_of_the_cpu() {
    let Some(context) = context() else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/bwv");
    let (mut by_one, mut volumes) = (0, 0);
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let file = VolumeFile::new(fs::read(&path).expect("a file")).expect("a sound file");
        let header = file.header();
        if !header.voxel_type.is_rendered() {
            continue;
        }
        let volume = ResidentVolume::from_file(&file, &ResidentOptions::default(), &Task::new())
            .expect("a sound file");
        let mut voxels = AnyVoxels::new(header.voxel_type);
        let selection = Selection { frames: Some(0..1), channel: Some(0), ..Selection::default() };
        file.read_any(&selection, &Region::all(header.dims), &mut voxels, &Task::new())
            .expect("a sound file");
        let raw = RawBricks::new(voxels, header.dims, 1, 0, header.kind, &Task::new()).expect("a channel");
        let (volume, raw) = (Arc::new(volume), Arc::new(raw));
        by_one += compare(&context, header, &volume, &raw, &path.display().to_string());
        volumes += 1;
    }
    println!("{by_one} pixels of {} pictures by one", volumes * 9);
    assert!(volumes > 15);
}

#[test]
fn a_scan_many_bricks_wide_with_little_cache() {
    let Some(context) = context() else { return };
    // A blob with noise, longer along z, with other distances there.
    let dims = Dims::new(61, 50, 33);
    let voxels: Vec<i16> = (0..dims.voxel_count().expect("voxels"))
        .map(|i| {
            let (x, y, z) = dims.position(i);
            let square = |a: usize, side: usize| (2.0 * a as f32 / side as f32 - 1.0).powi(2);
            let r = square(x, dims.x) + square(y, dims.y) + square(z, dims.z);
            (1500.0 - 2500.0 * r) as i16 + (i * 7919 % 37) as i16
        })
        .collect();
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let mut header = Header::new(i16::TYPE, dims);
    header.spacing.z = 1.9;
    let options = ResidentOptions::default();
    let volume =
        ResidentVolume::from_voxels(view, VoxelKind::Intensity, &options, &Task::new()).expect("memory");
    let raw = RawBricks::copy_of(&view, 0, VoxelKind::Intensity, &Task::new()).expect("a channel");
    let by_one = compare(&context, &header, &Arc::new(volume), &Arc::new(raw), "blob");
    println!("{by_one} pixels of 9 pictures by one");
}

/// Renderings of fast and full bricks and of raw voxels are equal, on the CPU and on the GPU.
#[test]
fn pictures_do_not_depend_on_the_encoder() {
    let Some(context) = context() else { return };
    let dims = Dims::new(50, 41, 38);
    let ball = noisy_ball(dims);
    let labels: Vec<u32> =
        ball.iter().map(|v| if *v > 20_000 { 500 * u32::from(v % 7) } else { 0 }).collect();
    let floats: Vec<f32> = ball.iter().map(|v| f32::from(*v) / 999.0 - 30.0).collect();
    let small: Vec<i8> = ball.iter().map(|v| (v >> 8) as u8 as i8).collect();
    same_pictures(&context, &ball, dims, VoxelKind::Intensity);
    same_pictures(&context, &labels, dims, VoxelKind::Labels);
    same_pictures(&context, &floats, dims, VoxelKind::Intensity);
    same_pictures(&context, &small, dims, VoxelKind::Intensity);
}

fn same_pictures<T: Voxel>(context: &Context, voxels: &[T], dims: Dims, kind: VoxelKind) {
    let (view, task) = (VolumeView::new(voxels, dims).expect("voxels"), Task::new());
    let header = Header { kind, ..Header::new(T::TYPE, dims) };
    let raw = Arc::new(RawBricks::copy_of(&view, 0, kind, &task).expect("a channel"));
    let volumes = [BrickEffort::Fast, BrickEffort::Full].map(|effort| {
        let options = ResidentOptions::default().with_effort(effort);
        Arc::new(ResidentVolume::from_voxels(view, kind, &options, &task).expect("memory"))
    });
    assert!(volumes[0].byte_count() > volumes[1].byte_count());
    let on_gpu = volumes.each_ref().map(|v| Arc::new(GpuVolume::new(context, v, &task).expect("memory")));
    for look in looks(&*raw) {
        for camera in cameras() {
            let view = camera.view(&header, 45, 37).expect("a view");
            let expected = prepared(&raw, &look).render(&view, &task).expect("a picture").pixels;
            let by_gpu = [0, 1].map(|i| {
                let renderer = prepared(&resident(&volumes[i]), &look);
                assert_eq!(renderer.render(&view, &task).expect("a picture").pixels, expected, "{i}");
                let by_gpu = GpuRenderer::new(Arc::clone(&on_gpu[i]), &renderer).expect("a kernel");
                by_gpu.render(&view, &task).expect("a picture").pixels
            });
            assert!(by_gpu[0] == by_gpu[1], "{} {kind:?}, {camera:?}, {look:.60?}", T::TYPE);
        }
    }
}

#[test]
fn other_volumes_and_cancelled_pictures_are_errors() {
    let Some(context) = context() else { return };
    let resident_of = |dims: Dims| {
        let voxels: Vec<u8> =
            (0..dims.voxel_count().expect("voxels")).map(|i| ((i * 7919) >> 3) as u8).collect();
        let view = VolumeView::new(&voxels, dims).expect("voxels");
        let options = ResidentOptions::default();
        let volume = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &options, &Task::new());
        Arc::new(volume.expect("memory"))
    };
    let (dims, seen) = (Dims::new(40, 40, 24), Dims::cube(16));
    let volume = resident_of(dims);
    let bricks = resident(&volume);
    let renderer = prepared(&bricks, &looks(&*bricks)[1]);
    let other = resident(&resident_of(seen));
    let on_gpu = Arc::new(GpuVolume::new(&context, &volume, &Task::new()).expect("memory"));
    let other = GpuRenderer::new(Arc::clone(&on_gpu), &prepared(&other, &looks(&*other)[1]));
    assert_eq!(other.expect_err("another volume"), RenderError::OtherVolume { seen, dims });
    let by_gpu = GpuRenderer::new(on_gpu, &renderer).expect("a kernel");
    let view = |dims, side| {
        Camera { step: 0.1, ..Camera::default() }
            .view(&Header::new(u8::TYPE, dims), side, side)
            .expect("a view")
    };
    let error = by_gpu.render(&view(seen, 20), &Task::new()).expect_err("another volume");
    assert_eq!(error, RenderError::OtherVolume { seen, dims });
    // Cancelled at the first report of several, soon in one of some attempts.
    let side = 1200;
    let stop = || {
        let (token, reports) = (CancelToken::new(), Mutex::new(Vec::new()));
        let cancel = |progress: Progress| {
            reports.lock().expect("no panic").push((progress.done, Stopwatch::start()));
            token.cancel();
        };
        let task = Task::new().with_progress(&cancel).with_cancel(&token);
        let error = by_gpu.render(&view(dims, side), &task).expect_err("cancelled");
        let reports = reports.lock().expect("no panic");
        assert_eq!((error, reports.len()), (RenderError::Cancelled(Cancelled), 1));
        assert!(reports[0].0 < u64::from(side * side));
        reports[0].1.elapsed()
    };
    let took: Vec<Duration> = (0..ATTEMPTS).map(|_| stop()).collect();
    assert!(took.iter().any(|took| *took < LIMIT), "{took:?}");
    // Cancelled before, it does not start.
    let token = CancelToken::new();
    token.cancel();
    let task = Task::new().with_cancel(&token);
    let error = by_gpu.render(&view(dims, 9), &task).expect_err("cancelled");
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

/// Returns numbers that fall from the middle to the corners, with noise.
fn noisy_ball(dims: Dims) -> Vec<u16> {
    let mut random = 5u32;
    let mut voxel = |i: usize| {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        let (x, y, z) = dims.position(i);
        let square = |a: usize, side: usize| (2.0 * a as f32 / side as f32 - 1.0).powi(2);
        let r = square(x, dims.x) + square(y, dims.y) + square(z, dims.z);
        ((60_000.0 - 40_000.0 * r).max(0.0) as u16).saturating_add((random % 4096) as u16)
    };
    (0..dims.voxel_count().expect("voxels")).map(&mut voxel).collect()
}

#[test]
fn pictures_of_one_thread_share_the_slots() {
    let Some(context) = context() else { return };
    let dims = Dims::new(90, 80, 70);
    let voxels = noisy_ball(dims);
    let view = VolumeView::new(&voxels, dims).expect("voxels");
    let options = ResidentOptions { page_bytes: 0, ..ResidentOptions::default() };
    let volume = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &options, &Task::new());
    let volume = Arc::new(volume.expect("memory"));
    let bricks = resident(&volume);
    let paged = Arc::new(GpuVolume::paged(&context, Arc::clone(&volume), 0).expect("memory"));
    let by_gpu = GpuRenderer::new(paged, &prepared(&bricks, &looks(&*bricks)[1])).expect("a kernel");
    let header = Header::new(u16::TYPE, dims);
    let views = [0, 1].map(|i| cameras()[i].view(&header, 40, 30).expect("a view"));
    let task = Task::new();
    let expected = views.each_ref().map(|view| by_gpu.render(view, &task).expect("a picture").pixels);
    let mut pictures = views.each_ref().map(|view| Box::pin(by_gpu.render_async(view, &task)));
    let mut found = [None, None];
    let mut polls = 0;
    let both = std::future::poll_fn(|task| {
        polls += 1;
        for (picture, found) in pictures.iter_mut().zip(&mut found) {
            if found.is_none()
                && let Poll::Ready(rendering) = picture.as_mut().poll(task)
            {
                *found = Some(rendering.expect("a picture").pixels);
            }
        }
        if found.iter().all(Option::is_some) { Poll::Ready(Ok::<(), GpuError>(())) } else { Poll::Pending }
    });
    context.run(both, || Ok(())).expect("both");
    assert_eq!(found.map(Option::unwrap), expected);
    assert!(polls > 2, "{polls} polls");
}

#[test]
fn volumes_larger_than_the_memory_converge_to_the_same_pictures() {
    let Some(context) = context() else { return };
    let dims = Dims::new(90, 80, 70);
    let voxels = noisy_ball(dims);
    let labels: Vec<u16> = voxels.iter().map(|v| if *v > 20_000 { 1 + v % 7 } else { 0 }).collect();
    for (voxels, kind) in [(&voxels, VoxelKind::Intensity), (&labels, VoxelKind::Labels)] {
        let view = VolumeView::new(voxels, dims).expect("voxels");
        let header = Header { kind, ..Header::new(u16::TYPE, dims) };
        // A page of each superblock, of which 32 have a slot.
        let options = ResidentOptions { page_bytes: 0, ..ResidentOptions::default() };
        let volume =
            Arc::new(ResidentVolume::from_voxels(view, kind, &options, &Task::new()).expect("memory"));
        let bricks = resident(&volume);
        let paged = Arc::new(GpuVolume::paged(&context, Arc::clone(&volume), 0).expect("memory"));
        assert!(volume.pages().len() > 64, "{} pages", volume.pages().len());
        for look in looks(&*bricks) {
            let renderer = prepared(&bricks, &look);
            let by_gpu = GpuRenderer::new(Arc::clone(&paged), &renderer).expect("a kernel");
            for camera in &cameras()[..2] {
                let view = camera.view(&header, 40, 30).expect("a view");
                let expected = renderer.render(&view, &Task::new()).expect("a picture");
                let found = by_gpu.render(&view, &Task::new()).expect("a picture");
                for (i, (found, expected)) in found.pixels.iter().zip(&expected.pixels).enumerate() {
                    let most = found.iter().zip(expected).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
                    assert!(most <= 1, "{camera:?}, {look:.60?}, pixel {i}: {found:?}, CPU {expected:?}");
                }
            }
        }
    }
}

/// Channels of which one is on the device as a whole and one in pages are added as on the CPU.
#[test]
fn channels_are_added_as_on_the_cpu() {
    let Some(context) = context() else { return };
    let dims = Dims::new(90, 80, 70);
    let first = noisy_ball(dims);
    let channels: [Vec<u16>; 3] = [
        first.clone(),
        (0..first.len()).map(|i| first[(i + 40) % first.len()] / 3).collect(),
        first.iter().rev().map(|value| value % 5000).collect(),
    ];
    let header = Header::new(u16::TYPE, dims);
    let task = Task::new();
    let volumes = channels.each_ref().map(|voxels| {
        let view = VolumeView::new(voxels, dims).expect("voxels");
        let options = ResidentOptions { page_bytes: 0, ..ResidentOptions::default() };
        let volume = ResidentVolume::from_voxels(view, VoxelKind::Intensity, &options, &task);
        Arc::new(volume.expect("memory"))
    });
    let on_gpu: Vec<_> = volumes
        .iter()
        .enumerate()
        .map(|(number, volume)| {
            let on_gpu = match number {
                1 => GpuVolume::paged(&context, Arc::clone(volume), 0),
                _ => GpuVolume::new(&context, volume, &task),
            };
            Arc::new(on_gpu.expect("memory"))
        })
        .collect();
    let bricks = volumes.each_ref().map(resident);
    for mode in 0..2 {
        let renderers: Vec<Renderer> = bricks
            .iter()
            .map(|bricks| prepared(bricks, &looks(&**bricks)[mode]).with_background([0.1, 0.2, 0.3, 0.5]))
            .collect();
        let by_gpu: Vec<GpuRenderer> = renderers
            .iter()
            .zip(&on_gpu)
            .map(|(renderer, on_gpu)| {
                GpuRenderer::new(Arc::clone(on_gpu), renderer).expect("a kernel").with_statistics()
            })
            .collect();
        for camera in &cameras()[..1] {
            let view = camera.view(&header, 24, 20).expect("a view");
            for order in [[0, 1, 2], [1, 2, 0]] {
                let others = [&renderers[order[1]], &renderers[order[2]]];
                let expected = renderers[order[0]].render_with(&others, &view, &task).expect("a picture");
                let others = [&by_gpu[order[1]], &by_gpu[order[2]]];
                let found = by_gpu[order[0]].render_with(&others, &view, &task).expect("a picture");
                for (i, (found, expected)) in found.pixels.iter().zip(&expected.pixels).enumerate() {
                    let most = found.iter().zip(expected).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
                    assert!(most <= 1, "{camera:?}, {mode}, pixel {i}: {found:?}, CPU {expected:?}");
                }
                assert!(expected.pixels.iter().any(|pixel| pixel[3] == 255));
                assert!(found.statistics.samples >= expected.statistics.samples);
            }
        }
    }
}
