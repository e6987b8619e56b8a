//! Renderings of volumes, compared with calculated results and with slow ways to the same rendering.

use crate::common::voxels;
use brickwork_volume::{
    AnyVoxels, Dims, ErrorKind, Header, ShapeError, Spacing, Task, VolumeView, Voxel, VoxelKind, VoxelType,
    render::{
        Camera, DisplayBricks, Focus, Look, Projection, RawBricks, RenderError, Renderer, Rendering,
        TransferFunction, TransferPoint, Up, View, VisibleLabels, label_color,
    },
};
use std::sync::Arc;

fn raw<T: Voxel>(voxels: &[T], dims: Dims, kind: VoxelKind) -> Arc<RawBricks> {
    let view = VolumeView::new(voxels, dims).expect("a volume");
    Arc::new(RawBricks::copy_of(&view, 0, kind, &Task::new()).expect("one channel"))
}

fn prepared(bricks: &Arc<RawBricks>, look: Look) -> Renderer {
    Renderer::new(bricks.clone(), look, &Task::new()).expect("a small volume")
}

fn draw(renderer: &Renderer, view: &View) -> Rendering {
    renderer.render(view, &Task::new()).expect("a picture")
}

fn grey(low: f64, high: f64, opacity: f64) -> TransferFunction {
    TransferFunction::window(low, high, opacity).expect("a window")
}

/// Returns the isosurface at a value of a u8 volume.
fn surface(bricks: &dyn DisplayBricks, value: f64, grey: f32) -> Look {
    Look::isosurface(&bricks.display(), value, [grey; 3]).expect("a number")
}

fn dvr(function: &TransferFunction, bricks: &dyn DisplayBricks) -> Look {
    Look::dvr(function, &bricks.display()).expect("opacities")
}

/// Returns a ball of value 200 with a soft edge in a volume of `side` voxels, and its radius at value 100.
fn ball(side: usize) -> (Vec<u8>, f64) {
    let (dims, radius) = (Dims::cube(side), side as f64 * 0.3);
    let middle = side as f64 / 2.0;
    let value = |i| {
        let (x, y, z) = dims.position(i);
        let square = |place: usize| (place as f64 + 0.5 - middle).powi(2);
        let distance = (square(x) + square(y) + square(z)).sqrt();
        (100.0 + 50.0 * (radius - distance)).clamp(0.0, 200.0).round() as u8
    };
    ((0..side * side * side).map(value).collect(), radius)
}

/// Returns single voxels of all values in empty space: skipping must not miss them, and rays meet them one by
/// one.
fn specks<T: Voxel>(dims: Dims) -> Vec<T> {
    let hash = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let full = u64::MAX >> (64 - T::TYPE.bit_count());
    let count = dims.voxel_count().expect("small dims") as u64;
    let value = |i| if hash(i) % 61 == 0 { hash(i + 7) % (full + 1) } else { 0 };
    (0..count).map(|i| T::from_ordinal(value(i))).collect()
}

/// Returns all looks, for u8 volumes.
fn looks(bricks: &dyn DisplayBricks) -> Vec<Look> {
    let point = |value, color, opacity| TransferPoint { value, color, opacity };
    let points = vec![
        point(90.0, [0.2, 0.3, 0.9], 0.0),
        point(120.0, [0.9, 0.3, 0.2], 0.2),
        point(121.0, [0.9, 0.3, 0.2], 0.0),
        point(150.0, [1.0; 3], 0.0),
        point(200.0, [1.0; 3], 0.7),
    ];
    let function = TransferFunction::new(points).expect("points");
    vec![
        Look::mip(&grey(0.0, 200.0, 1.0), &bricks.display()),
        dvr(&function, bricks),
        surface(bricks, 100.0, 0.8),
        Look::labels(VisibleLabels::new(|label| label > 150)),
    ]
}

/// Returns cameras around, above, below and inside the volume, with perspective and orthographic.
fn cameras() -> [Camera; 6] {
    let orthographic = Projection::Orthographic;
    let wide = Projection::Perspective { field_of_view: 100.0 };
    [
        Camera { projection: orthographic, ..Camera::default() },
        Camera { azimuth: 33.0, elevation: 21.0, ..Camera::default() },
        Camera { azimuth: -120.0, elevation: -75.0, roll: 30.0, step: 0.3, ..Camera::default() },
        Camera {
            azimuth: 90.0,
            elevation: 90.0,
            up: Up::MinusY,
            projection: orthographic,
            ..Camera::default()
        },
        Camera { azimuth: 200.0, zoom: 40.0, projection: wide, step: 2.5, ..Camera::default() },
        Camera { azimuth: 10.0, zoom: 0.2, projection: orthographic, up: Up::X, ..Camera::default() },
    ]
}

#[test]
fn skipping_changes_no_picture() {
    // The last has more blocks of 16³ voxels than a word has bits.
    let shapes = [
        Dims::new(5, 7, 33),
        Dims::cube(1),
        Dims::new(64, 1, 1),
        Dims::new(30, 41, 1),
        Dims::cube(40),
        Dims::new(130, 40, 20),
    ];
    for dims in shapes {
        let spacing = Spacing { x: 1.0, y: 0.7, z: 2.0 };
        let header = Header::new(VoxelType::U8, dims).with(|header| header.spacing = spacing);
        for voxels in [voxels::<u8>(dims, 7, 6), specks(dims)] {
            let bricks = raw(&voxels, dims, VoxelKind::Intensity);
            let looks = looks(&*bricks);
            let each = looks.iter().enumerate();
            for ((number, look), camera) in
                each.flat_map(|look| cameras().into_iter().map(move |c| (look, c)))
            {
                let view = camera.view(&header, 37, 29).expect("a view");
                let skipping = draw(&prepared(&bricks, look.clone()), &view);
                let looking = draw(&prepared(&bricks, look.clone()).without_skipping(), &view);
                assert!(skipping.pixels == looking.pixels, "{dims} {camera:?}, look {number}");
                assert!(skipping.statistics.samples <= looking.statistics.samples);
            }
        }
    }
}

fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "rayon")]
    return rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread").install(work);
    #[cfg(not(feature = "rayon"))]
    work()
}

#[test]
fn empty_space_is_skipped() {
    let (ball, _) = ball(64);
    let bricks = raw(&ball, Dims::cube(64), VoxelKind::Intensity);
    let view = Camera::default().view(&Header::new(VoxelType::U8, Dims::cube(64)), 64, 64).expect("a view");
    for look in looks(&*bricks) {
        // One thread draws: each thread has its own cache, and which thread takes which rays varies.
        let draw = |renderer: &Renderer| on_one_thread(|| draw(renderer, &view).statistics);
        let skipping = draw(&prepared(&bricks, look.clone()));
        let looking = draw(&prepared(&bricks, look).without_skipping());
        assert!(skipping.samples * 2 < looking.samples, "{skipping:?} {looking:?}");
        assert!(skipping.brick_reads <= looking.brick_reads, "{skipping:?} {looking:?}");
    }
}

#[test]
#[cfg(feature = "rayon")]
fn threads_change_no_picture() {
    let (ball, _) = ball(40);
    let bricks = raw(&ball, Dims::cube(40), VoxelKind::Intensity);
    let header = Header::new(VoxelType::U8, Dims::cube(40));
    for look in looks(&*bricks) {
        let view = cameras()[1].view(&header, 70, 50).expect("a view");
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| draw(&prepared(&bricks, look.clone()), &view).pixels)
        };
        assert!(with(1) == with(5));
    }
}

#[test]
fn bands_are_the_rows_of_the_picture() {
    let (ball, _) = ball(24);
    let bricks = raw(&ball, Dims::cube(24), VoxelKind::Intensity);
    let header = Header::new(VoxelType::U8, Dims::cube(24));
    for (look, camera) in looks(&*bricks).into_iter().flat_map(|look| cameras().map(|c| (look.clone(), c))) {
        let renderer = prepared(&bricks, look);
        let view = camera.view(&header, 70, 50).expect("a view");
        let whole = draw(&renderer, &view);
        let mut rows = Vec::new();
        for range in [0..16, 16..17, 17..50] {
            let band = view.rows(range).expect("rows of the picture");
            rows.extend(draw(&renderer, &band).pixels);
        }
        assert!(rows == whole.pixels, "{camera:?}");
        // Rows of rows are also rows of the rendering.
        let band = view.rows(10..40).and_then(|view| view.rows(5..6)).expect("rows");
        assert!(draw(&renderer, &band).pixels == whole.pixels[15 * 70..16 * 70], "{camera:?}");
    }
}

#[test]
fn proportions_are_those_of_the_world() {
    // The same box of 30×20×40 mm is sampled coarsely along z and finely along x, and obliquely.
    let boxes = [
        ([30, 20, 40], [1.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
        ([60, 20, 10], [0.5, 1.0, 4.0], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
        // Its x axis is the world's z; the others follow in turn.
        ([40, 30, 20], [1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
    ];
    let mut pictures = Vec::new();
    for ([x, y, z], [dx, dy, dz], orientation) in boxes {
        let dims = Dims::new(x, y, z);
        let spacing = Spacing { x: dx, y: dy, z: dz };
        let header = Header::new(VoxelType::U8, dims).with(|header| {
            header.spacing = spacing;
            header.orientation = orientation;
        });
        let full = vec![9u8; x * y * z];
        let bricks = raw(&full, dims, VoxelKind::Labels);
        let view = Camera { azimuth: 30.0, elevation: 20.0, ..Camera::default() }.view(&header, 80, 80);
        let look = Look::labels(VisibleLabels::default());
        pictures.push(draw(&prepared(&bricks, look), &view.expect("a view")));
    }
    let outline = |picture: &Rendering| picture.pixels.iter().map(|pixel| pixel[3]).collect::<Vec<_>>();
    let first = outline(&pictures[0]);
    let covered = first.iter().filter(|&&alpha| alpha == 255).count();
    assert!((1500..4500).contains(&covered), "{covered}");
    for other in &pictures[1..] {
        let differing = first.iter().zip(outline(other)).filter(|(a, b)| *a != b).count();
        assert!(differing < 120, "{differing} of 6400 pixels");
    }
}

#[test]
fn the_head_is_up_and_the_left_is_on_the_right() {
    let dims = Dims::cube(16);
    // A bright voxel is towards +x (the patient's left), +z (the head) and −y (the front).
    let mut voxels = vec![0u8; 4096];
    voxels[dims.index(13, 2, 12)] = 255;
    let bricks = raw(&voxels, dims, VoxelKind::Intensity);
    let look = Look::mip(&grey(0.0, 255.0, 1.0), &bricks.display());
    let brightest = |camera: Camera| {
        let view = camera.view(&Header::new(VoxelType::U8, dims), 40, 40).expect("a view");
        let picture = draw(&prepared(&bricks, look.clone()), &view);
        let at = (0..1600).max_by_key(|&i| picture.pixels[i][0]).expect("pixels");
        (at % 40 > 20, at / 40 < 20)
    };
    let projection = Projection::Orthographic;
    let camera = Camera { projection, ..Camera::default() };
    assert_eq!(brightest(camera.clone()), (true, true));
    assert_eq!(brightest(Camera { azimuth: 180.0, ..camera.clone() }), (false, true));
    // From the viewer's right, the front is on the left; from above, it is at the bottom.
    assert_eq!(brightest(Camera { azimuth: 90.0, ..camera.clone() }), (false, true));
    assert_eq!(brightest(Camera { elevation: 90.0, ..camera.clone() }), (true, false));
    assert_eq!(brightest(Camera { up: Up::MinusZ, ..camera.clone() }), (false, false));
    assert_eq!(brightest(Camera { roll: 90.0, ..camera.clone() }), (true, false));
    // The axes are those of an image viewer: x to the right, y down.
    assert_eq!(brightest(Camera { up: Up::MinusY, ..camera.clone() }), (true, true));
    assert_eq!(brightest(Camera { up: Up::Y, ..camera.clone() }), (true, false));
    // Seen from the front, the right side is at the top, and then the other way round.
    assert_eq!(brightest(Camera { up: Up::X, ..camera.clone() }), (false, true));
    assert_eq!(brightest(Camera { up: Up::MinusX, ..camera }), (true, false));
}

/// Finds the surface between two samples: long steps find nearly the same surface as short steps.
#[test]
fn surfaces_hardly_depend_on_the_step() {
    let (ball, _) = ball(40);
    let dims = Dims::cube(40);
    let bricks = raw(&ball, dims, VoxelKind::Intensity);
    let look = surface(&*bricks, 100.0, 0.8);
    let renderer = prepared(&bricks, look);
    let picture = |step: f64| {
        let camera = Camera { azimuth: 40.0, elevation: 30.0, step, ..Camera::default() };
        draw(&renderer, &camera.view(&Header::new(VoxelType::U8, dims), 90, 90).expect("a view")).pixels
    };
    let (short, long) = (picture(0.05), picture(1.0));
    let both = || short.iter().zip(&long).filter(|(a, b)| a[3] == 255 && b[3] == 255);
    let sum: u32 = both().map(|(a, b)| u32::from(a[0].abs_diff(b[0]))).sum();
    let mean = f64::from(sum) / both().count() as f64;
    assert!(mean < 1.5, "{mean} of 255");
}

/// Makes a dark surface brighter where it mirrors the light.
#[test]
fn surfaces_mirror_the_light() {
    let (ball, _) = ball(40);
    let dims = Dims::cube(40);
    let bricks = raw(&ball, dims, VoxelKind::Intensity);
    let look = surface(&*bricks, 100.0, 0.4);
    let camera = Camera { azimuth: 40.0, elevation: 30.0, ..Camera::default() };
    let view = camera.view(&Header::new(VoxelType::U8, dims), 90, 90).expect("a view");
    let pixels = draw(&prepared(&bricks, look), &view).pixels;
    let brightest = pixels.iter().map(|pixel| pixel[0]).max().expect("pixels");
    // 0.4 of 255 is 102, and 0.18 of it is added where the light is mirrored.
    assert!((140..=150).contains(&brightest), "{brightest}");
}

/// Shades labels that fill the volume as facing outwards at its sides: there is nothing beyond them.
#[test]
fn labels_end_at_the_sides_of_the_volume() {
    let dims = Dims::cube(24);
    let full = vec![7u8; 24 * 24 * 24];
    let bricks = raw(&full, dims, VoxelKind::Labels);
    let renderer = prepared(&bricks, Look::labels(VisibleLabels::default()));
    let projection = Projection::Orthographic;
    let camera = Camera { azimuth: 45.0, projection, ..Camera::default() };
    let view = camera.view(&Header::new(VoxelType::U8, dims), 60, 60).expect("a view");
    let pixels = draw(&renderer, &view).pixels;
    // One side is to the left of the edge and one to the right; the light comes from the left.
    let [left, right] = [20, 40].map(|x| pixels[30 * 60 + x]);
    assert!(left[3] == 255 && right[3] == 255);
    let brighter = left[..3].iter().zip(&right[..3]).all(|(left, right)| left > right);
    assert!(brighter, "{left:?} {right:?}");
}

#[test]
fn opacity_does_not_depend_on_the_step() {
    let dims = Dims::cube(32);
    let full = vec![100u8; 32 * 32 * 32];
    let bricks = raw(&full, dims, VoxelKind::Intensity);
    let point = TransferPoint { value: 100.0, color: [1.0; 3], opacity: 0.02 };
    let function = TransferFunction::new(vec![point]).expect("a point");
    let renderer = prepared(&bricks, dvr(&function, &*bricks));
    for step in [0.25, 0.5, 1.0, 2.0] {
        let projection = Projection::Orthographic;
        let camera = Camera { step, projection, ..Camera::default() };
        let view = camera.view(&Header::new(VoxelType::U8, dims), 9, 9).expect("a view");
        let alpha = draw(&renderer, &view).pixels[40][3];
        // The ray passes 32 units with 2 % each.
        let want = 255.0 * (1.0 - 0.98f64.powi(32));
        assert!((f64::from(alpha) - want).abs() <= 1.0, "{step}: {alpha}, not {want}");
    }
}

#[test]
fn labels_have_the_colours_of_their_numbers() {
    let dims = Dims::new(24, 8, 8);
    let labels: Vec<u16> = (0..24 * 8 * 8).map(|i| [3, 0, 40_000][i % 24 / 8]).collect();
    let bricks = raw(&labels, dims, VoxelKind::Labels);
    let camera = Camera { projection: Projection::Orthographic, ..Camera::default() };
    let view = camera.view(&Header::new(VoxelType::U16, dims), 96, 32).expect("a view");
    let picture = draw(&prepared(&bricks, Look::labels(VisibleLabels::default())), &view);
    let row = &picture.pixels[96 * 16..][..96];
    assert_eq!((row[48][3], row[20][3], row[75][3]), (0, 255, 255));
    for (pixel, label) in [(row[20], 3), (row[75], 40_000)] {
        let color = label_color(label);
        // The brightness is that of the light; the hue stays.
        let ratio = |i: usize| f64::from(pixel[i]) / f64::from(color[i]);
        assert!(
            (ratio(0) - ratio(1)).abs() < 0.3 && (ratio(1) - ratio(2)).abs() < 0.3,
            "{pixel:?} {color:?}"
        );
    }
    let hidden = VisibleLabels::new(|label| label == 3);
    let picture = draw(&prepared(&bricks, Look::labels(hidden)), &view);
    assert_eq!(picture.pixels[96 * 16 + 75], [0; 4]);
}

#[test]
fn every_type_gives_the_same_picture() {
    let (ball, _) = ball(24);
    let dims = Dims::cube(24);
    let picture = |bricks: &Arc<RawBricks>| {
        let view = cameras()[1].view(&Header::new(VoxelType::U8, dims), 40, 30).expect("a view");
        draw(&prepared(bricks, dvr(&grey(50.0, 200.0, 0.3), &**bricks)), &view).pixels
    };
    let want = picture(&raw(&ball, dims, VoxelKind::Intensity));
    fn cast<T: Voxel>(ball: &[u8], number: impl Fn(u8) -> T) -> Vec<T> {
        ball.iter().map(|&value| number(value)).collect()
    }
    let check = |bricks: Arc<RawBricks>| {
        let display = bricks.display();
        for (have, want) in picture(&bricks).iter().zip(&want) {
            // Shading uses differences of samples, which have more bits here.
            assert!(have.iter().zip(want).all(|(a, b)| a.abs_diff(*b) <= 4), "{display:?} {have:?} {want:?}");
        }
    };
    check(raw(&cast(&ball, i16::from), dims, VoxelKind::Intensity));
    check(raw(&cast(&ball, u32::from), dims, VoxelKind::Intensity));
    check(raw(&cast(&ball, i64::from), dims, VoxelKind::Intensity));
    check(raw(&cast(&ball, f32::from), dims, VoxelKind::Intensity));
    check(raw(&cast(&ball, f64::from), dims, VoxelKind::Intensity));
}

#[test]
fn nan_shows_nothing() {
    let dims = Dims::cube(12);
    let mut values: Vec<f32> = (0..1728).map(|i| (i % 12) as f32 * 0.1).collect();
    for i in (0..1728).step_by(5) {
        values[i] = if i % 2 == 0 { f32::NAN } else { -f32::NAN };
    }
    let bricks = raw(&values, dims, VoxelKind::Intensity);
    assert_eq!(bricks.display().value(0.0), 0.0);
    let nothing = vec![f32::NAN; 1728];
    for (values, is_empty) in [(values, false), (nothing, true)] {
        let bricks = raw(&values, dims, VoxelKind::Intensity);
        let view = Camera::default().view(&Header::new(VoxelType::F32, dims), 20, 20).expect("a view");
        let look = surface(&*bricks, bricks.display().value(30_000.0), 1.0);
        let renderer = prepared(&bricks, look);
        let picture = draw(&renderer, &view);
        assert_eq!(picture.pixels.iter().all(|pixel| *pixel == [0; 4]), is_empty);
        assert_eq!(renderer.focus(&Task::new()).expect("not cancelled").is_none(), is_empty);
    }
}

#[test]
fn a_lost_sign_is_found() {
    let dims = Dims::new(8, 8, 1);
    let scan: Vec<u16> = (0..64).map(|i| if i < 32 { (-2000i16) as u16 } else { 100 * i as u16 }).collect();
    let bricks = raw(&scan, dims, VoxelKind::Intensity);
    assert!(bricks.display().has_wrapped_negatives());
    assert_eq!(bricks.display().of_value(-2000.0), 30768.0);
    assert_eq!((0..2).map(|y| bricks.range([0, y, 0])[0]).collect::<Vec<_>>(), [30768, 35968]);
    let wide: Vec<u16> = (0..64).map(|i| i * 1000).collect();
    assert!(!raw(&wide, dims, VoxelKind::Intensity).display().has_wrapped_negatives());
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let header = Header::new(VoxelType::U8, Dims::cube(8));
    let refused =
        |camera: Camera, header: &Header, size: [u32; 2]| camera.view(header, size[0], size[1]).err();
    let camera = Camera::default();
    assert_eq!(refused(camera.clone(), &header, [0, 5]), Some(RenderError::Size { width: 0, height: 5 }));
    assert!(matches!(refused(camera.clone(), &header, [1, 1 << 20]), Some(RenderError::Size { .. })));
    let huge = Header::new(VoxelType::U8, Dims::new(8, 16385, 8));
    let error = refused(camera.clone(), &huge, [5, 5]).expect("too large");
    assert!(matches!(error, RenderError::TooLarge(_)) && error.to_string().contains("mip level"));
    for camera in [
        Camera { zoom: 0.0, ..camera.clone() },
        Camera { azimuth: f64::NAN, ..camera.clone() },
        Camera { step: 0.0, ..camera.clone() },
        Camera { focus: Some(Focus::of_box([[0.0, 1e300]; 3])), ..camera.clone() },
        Camera { projection: Projection::Perspective { field_of_view: 180.0 }, ..camera.clone() },
    ] {
        assert!(matches!(refused(camera, &header, [5, 5]), Some(RenderError::Camera { .. })));
    }
    // The volume has 16384 voxels at a hundredth of their size.
    let long = Header::new(VoxelType::U8, Dims::new(16384, 1, 1));
    assert_eq!(refused(Camera { zoom: 0.01, ..camera.clone() }, &long, [5, 5]), Some(RenderError::Far));
    assert_eq!(refused(camera.clone(), &long, [1, 1]), None);
    let view = camera.view(&header, 5, 7).expect("a view");
    for (start, end) in [(0, 0), (3, 3), (5, 2), (6, 8), (u32::MAX, 0)] {
        assert_eq!(view.rows(start..end), Err(RenderError::Rows { start, end, height: 7 }));
    }
    // The view is of another volume, and the channels do not exist.
    let (dims, task) = (Dims::new(8, 8, 9), Task::new());
    let bricks = raw(&[0u8; 576], dims, VoxelKind::Labels);
    let renderer = prepared(&bricks, Look::labels(VisibleLabels::default()));
    let error = renderer.render(&view, &task).expect_err("another volume");
    assert_eq!(error, RenderError::OtherVolume { seen: Dims::cube(8), dims });
    assert_eq!(error.kind(), ErrorKind::Argument);
    let voxels = VolumeView::new(&[0u8; 576], dims).expect("a volume");
    let error = RawBricks::copy_of(&voxels, 1, VoxelKind::Intensity, &task).expect_err("one channel");
    assert!(matches!(error, RenderError::Shape(ShapeError::Selected { index: 1, count: 1, .. })), "{error}");
    let error = RawBricks::new(AnyVoxels::new(VoxelType::U8), dims, 1, 0, VoxelKind::Intensity, &task);
    assert!(matches!(error, Err(RenderError::Shape(ShapeError::Length { actual: 0, .. }))));
    // Bricks outside are the nearest ones.
    let mut values = [1; 64];
    bricks.brick([7, 9, u32::MAX], &mut values);
    assert_eq!((values[0], bricks.range([u32::MAX; 3])), (0, [0, 0]));
}

#[test]
fn looks_are_exchanged() {
    let dims = Dims::new(21, 18, 16);
    let bricks = raw(&specks::<u8>(dims), dims, VoxelKind::Intensity);
    let view = cameras()[1].view(&Header::new(VoxelType::U8, dims), 40, 30).expect("a view");
    let mut renderer = prepared(&bricks, looks(&*bricks).remove(0));
    for look in looks(&*bricks).into_iter().rev() {
        renderer = renderer.with_look(look.clone(), &Task::new()).expect("not cancelled");
        let (other, new) = (draw(&renderer, &view), draw(&prepared(&bricks, look), &view));
        assert!(other.pixels == new.pixels && other.statistics.samples == new.statistics.samples);
    }
}

#[test]
fn looks_are_decided_by_values() {
    let display = raw(&[0u8, 9, 30, 255], Dims::new(4, 1, 1), VoxelKind::Intensity).display();
    let surface = |value| Look::isosurface(&display, value, [1.0; 3]);
    // Sample 30 is on the surface at 30, and not on the one just above it.
    assert_eq!(surface(29.999), surface(30.0));
    assert_ne!(surface(30.001), surface(30.0));
    // Above all values there is no surface, below all of them it is everywhere.
    assert_eq!(surface(1e9), surface(f64::MAX));
    assert_ne!(surface(1e9), surface(255.0));
    assert_eq!(surface(-1.0), surface(0.0));
    let refused = surface(f64::NAN).expect_err("not a number");
    assert!(matches!(refused, RenderError::Iso { .. }) && refused.kind() == ErrorKind::Argument);
    // MIP ignores opacities, of which DVR needs one.
    let point = |opacity| TransferPoint { value: 9.0, color: [0.5; 3], opacity };
    let [clear, opaque] =
        [0.0, 1.0].map(|opacity| TransferFunction::new(vec![point(opacity)]).expect("a point"));
    assert_eq!(Look::dvr(&clear, &display), Err(RenderError::Transparent));
    assert!(Look::dvr(&opaque, &display).is_ok());
    let bricks = raw(&[0u8, 9, 30, 255], Dims::new(4, 1, 1), VoxelKind::Intensity);
    let view = cameras()[1].view(&Header::new(VoxelType::U8, Dims::new(4, 1, 1)), 20, 10).expect("a view");
    let picture = |function| draw(&prepared(&bricks, Look::mip(function, &display)), &view).pixels;
    assert!(picture(&clear) == picture(&opaque));
}

#[test]
fn odd_headers_count_as_plain() {
    let dims = Dims::new(5, 6, 7);
    let plain = Camera::default().view(&Header::new(VoxelType::U8, dims), 9, 9);
    for [x, y, z] in [[0.0, f64::NAN, -1.0], [1e-200; 3], [1e200, 1e300, f64::INFINITY]] {
        let odd = Header::new(VoxelType::U8, dims).with(|header| {
            header.spacing = Spacing { x, y, z };
            header.orientation = [0.0; 9];
        });
        assert_eq!(Camera::default().view(&odd, 9, 9), plain);
    }
}

#[test]
fn mip_levels_are_as_fine_as_pixels() {
    let header = Header::new(VoxelType::U8, Dims::cube(512)).with(|header| header.mip_levels = 4);
    let camera = Camera { projection: Projection::Orthographic, ..Camera::default() };
    for (side, level) in [(600, 0), (300, 0), (250, 1), (100, 2), (20, 3), (1, 3)] {
        assert_eq!(camera.mip_level(&header, side, side), Ok(level), "{side}");
    }
    let huge = Header::new(VoxelType::U8, Dims::new(20_000, 4, 4)).with(|header| header.mip_levels = 2);
    assert_eq!(camera.mip_level(&huge, 16384, 16384), Ok(1));
    assert!(camera.mip_level(&header, 0, 1).is_err());
}
