//! Renderings compared with results calculated from their rays.

use super::{
    Camera, DisplayBricks as _, Focus, Look, Projection, RawBricks, Renderer, Rendering, TransferFunction,
    TransferPoint, Up, View, rays::Rays,
};
use crate::{Dims, Header, Spacing, Task, VolumeView, Voxel, VoxelKind, VoxelType};
use std::sync::Arc;

fn raw<T: Voxel>(voxels: &[T], dims: Dims) -> Arc<RawBricks> {
    let view = VolumeView::new(voxels, dims).expect("a volume");
    Arc::new(RawBricks::copy_of(&view, 0, VoxelKind::Intensity, &Task::new()).expect("one channel"))
}

fn draw(bricks: &Arc<RawBricks>, look: Look, view: &View) -> Rendering {
    let renderer = Renderer::new(bricks.clone(), look, &Task::new()).expect("a small volume");
    renderer.render(view, &Task::new()).expect("a picture")
}

fn hash(i: usize) -> u64 {
    (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

/// Returns a gradient with noise.
fn noise(dims: Dims) -> Vec<u16> {
    let value = |i| {
        let (x, y, z) = dims.position(i);
        (700 * x + 500 * y + 300 * z) as u16 + (hash(i) % 9000) as u16
    };
    (0..dims.voxel_count().expect("small dims")).map(value).collect()
}

/// Returns single voxels of all values in empty space: skipping must not miss them, and rays meet them one by
/// one.
fn specks(dims: Dims) -> Vec<u16> {
    let value = |i| if hash(i).is_multiple_of(61) { (hash(i + 7) % 65536) as u16 } else { 0 };
    (0..dims.voxel_count().expect("small dims")).map(value).collect()
}

/// Cameras around, above, below and inside, with and without perspective.
fn cameras() -> [Camera; 5] {
    let orthographic = Projection::Orthographic;
    let wide = Projection::Perspective { field_of_view: 100.0 };
    [
        Camera { projection: orthographic, ..Camera::default() },
        Camera { azimuth: 33.0, elevation: 21.0, ..Camera::default() },
        Camera { azimuth: -120.0, elevation: -75.0, roll: 30.0, step: 0.3, ..Camera::default() },
        Camera { azimuth: 200.0, zoom: 40.0, projection: wide, step: 2.5, ..Camera::default() },
        Camera { azimuth: 10.0, zoom: 0.2, projection: orthographic, up: Up::X, ..Camera::default() },
    ]
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

/// Returns the largest of all samples of each ray, by the definitions in the documentation.
fn slow_mip(values: impl Fn([i64; 3]) -> u64, rays: &Rays) -> Vec<Option<u64>> {
    let at = |base: [i32; 3], x: [i32; 3], y: [i32; 3], px: i64, py: i64| -> [i64; 3] {
        std::array::from_fn(|i| i64::from(base[i]) + px * i64::from(x[i]) + py * i64::from(y[i]))
    };
    let sample = |position: [i64; 3]| {
        let place = position.map(|p| p - 32768);
        let mut sum = [0; 2];
        for (z, sum) in sum.iter_mut().enumerate() {
            let mut rows = [0; 2];
            for (y, row) in rows.iter_mut().enumerate() {
                let corner = |x: i64| {
                    values([(place[0] >> 16) + x, (place[1] >> 16) + y as i64, (place[2] >> 16) + z as i64])
                };
                let weight = (place[0] >> 8 & 255) as u64;
                *row = corner(0) * (256 - weight) + corner(1) * weight;
            }
            let weight = (place[1] >> 8 & 255) as u64;
            *sum = (rows[0] * (256 - weight) + rows[1] * weight) >> 8;
        }
        let weight = (place[2] >> 8 & 255) as u64;
        (sum[0] * (256 - weight) + sum[1] * weight) >> 8
    };
    let pixels =
        (0..rays.height).flat_map(|py| (0..rays.width).map(move |px| (i64::from(px), i64::from(py))));
    pixels
        .map(|(px, py)| {
            let start = at(rays.origin, rays.origin_x, rays.origin_y, px, py);
            let step = at(rays.dir, rays.dir_x, rays.dir_y, px, py).map(|step| step >> 10);
            (0..i64::from(rays.planes))
                .map(|k| -> [i64; 3] { std::array::from_fn(|i| start[i] + k * step[i]) })
                .filter(|p| (0..3).all(|i| (0..i64::from(rays.dims[i]) << 16).contains(&p[i])))
                .map(sample)
                .max()
        })
        .collect()
}

#[test]
fn mip_is_the_largest_of_all_samples() {
    for dims in [Dims::new(5, 7, 33), Dims::new(1, 1, 1), Dims::new(21, 18, 16)] {
        check_mip(&noise(dims), dims);
        check_mip(&specks(dims), dims);
    }
}

fn check_mip(voxels: &[u16], dims: Dims) {
    let header =
        Header::new(VoxelType::U16, dims).with(|header| header.spacing = Spacing { x: 1.0, y: 1.0, z: 0.4 });
    let bricks = raw(voxels, dims);
    let value = |place: [i64; 3]| {
        let [x, y, z] = [dims.x, dims.y, dims.z].map(|side| side as i64 - 1);
        let [x, y, z] =
            [place[0].clamp(0, x), place[1].clamp(0, y), place[2].clamp(0, z)].map(|p| p as usize);
        u64::from(voxels[dims.index(x, y, z)])
    };
    // Numbers of 8 bits show the largest sample only to within 1.
    let function = TransferFunction::window(0.0, 65535.0, 1.0).expect("a window");
    let (table, look) = (function.table(&bricks.display()), Look::mip(&function, &bricks.display()));
    for camera in cameras() {
        let view = camera.view(&header, 23, 17).expect("a view");
        let picture = draw(&bricks, look.clone(), &view);
        for (pixel, largest) in picture.pixels.iter().zip(slow_mip(value, &view.rays)) {
            let want = largest.map_or([0; 4], |sample| {
                let [grey, ..] = table.look_up(sample as u32);
                let grey = (grey * 255.0 + 0.5) as u8;
                [grey, grey, grey, 255]
            });
            assert_eq!(*pixel, want, "{dims} {camera:?}");
        }
    }
}

#[test]
fn a_ball_has_its_silhouette_and_faces_the_light() {
    let (ball, radius) = ball(60);
    let dims = Dims::cube(60);
    let bricks = raw(&ball, dims);
    let camera =
        Camera { azimuth: 40.0, elevation: 30.0, projection: Projection::Orthographic, ..Camera::default() };
    // One pixel is one voxel: the box is 60 voxels, so that its rendering would be clipped were it not so.
    let focus = Focus::of_box([[0.0, 60.0]; 3]);
    let view = Camera { focus: Some(focus), ..camera }
        .view(&Header::new(VoxelType::U8, dims), 200, 200)
        .expect("a view");
    let look = Look::isosurface(&bricks.display(), 100.0, [0.8; 3]).expect("a number");
    let picture = draw(&bricks, look, &view);
    // Pixels per voxel, by the distance between neighbouring rays.
    let [x, y, z] = view.rays.origin_x.map(|x| f64::from(x) / 65536.0);
    let pixel = (x * x + y * y + z * z).sqrt();
    for (i, color) in picture.pixels.iter().enumerate() {
        let [px, py] = [i % 200, i / 200].map(|p| (p as f64 + 0.5 - 100.0) * pixel);
        let distance = (px * px + py * py).sqrt();
        if (distance - radius).abs() > 0.35 {
            assert_eq!(color[3] == 255, distance < radius, "{px} {py}: {color:?}");
        }
    }
    // The light is to the left and above.
    let brightness = |px: usize, py: usize| picture.pixels[px + 200 * py][0];
    let reach = (radius / pixel * 0.6) as usize;
    assert!(brightness(100 - reach / 2, 100 - reach / 2) > brightness(100 + reach, 100 + reach) + 20);
}

/// Returns black at 0 and a colour at `high`, with the opacity growing to 0.3.
fn ramp(high: f64, color: [f64; 3]) -> TransferFunction {
    let point = |value, color, opacity| TransferPoint { value, color, opacity };
    TransferFunction::new(vec![point(0.0, [0.0; 3], 0.0), point(high, color, 0.3)]).expect("points")
}

fn renderer(bricks: &Arc<RawBricks>, look: Look) -> Renderer {
    Renderer::new(bricks.clone(), look, &Task::new()).expect("a small volume")
}

#[test]
fn maxima_of_channels_are_added() {
    let dims = Dims::cube(4);
    let camera = Camera { projection: Projection::Orthographic, zoom: 0.5, ..Camera::default() };
    let view = camera.view(&Header::new(VoxelType::U8, dims), 32, 32).expect("a view");
    // Half of red, 0.6 of green and a fifth of white; blue twice, 0.75 of it each time.
    let channels = [
        (100, 200.0, [1.0, 0.0, 0.0]),
        (60, 100.0, [0.0, 1.0, 0.0]),
        (50, 250.0, [1.0, 1.0, 1.0]),
        (150, 200.0, [0.0, 0.0, 1.0]),
        (150, 200.0, [0.0, 0.0, 1.0]),
    ];
    let renderers = channels.map(|(value, high, color)| {
        let bricks = raw(&[value as u8; 64], dims);
        let look = Look::mip(&ramp(high, color), &bricks.display());
        renderer(&bricks, look).with_background([1.0, 0.5, 0.0, 1.0])
    });
    let [first, others @ ..] = &renderers;
    let others: Vec<&Renderer> = others.iter().collect();
    let pixel = |others: &[&Renderer]| {
        let picture = first.render_with(others, &view, &Task::new()).expect("a picture");
        assert_eq!(picture.pixels[0], [255, 128, 0, 255]);
        picture.pixels[16 * 32 + 16]
    };
    assert_eq!(pixel(&[]), [128, 0, 0, 255]);
    assert_eq!(pixel(&others[..1]), [128, 153, 0, 255]);
    assert_eq!(pixel(&others[..2]), [179, 204, 51, 255]);
    assert_eq!(pixel(&others), [179, 204, 255, 255]);
}

#[test]
fn lit_channels_are_added() {
    let dims = Dims::cube(24);
    let (bright, _) = ball(24);
    let shifted: Vec<u8> = (0..bright.len()).map(|i| bright[(i + 5) % bright.len()]).collect();
    let voxels = [bright.clone(), shifted, bright.iter().map(|value| value / 2).collect()];
    let colors = [[1.0, 0.2, 0.0], [0.0, 1.0, 0.3], [0.9, 0.9, 1.0]];
    let renderers: Vec<Renderer> = voxels
        .iter()
        .zip(colors)
        .map(|(voxels, color)| {
            let bricks = raw(voxels, dims);
            let look = Look::dvr(&ramp(200.0, color), &bricks.display()).expect("opacities");
            renderer(&bricks, look)
        })
        .collect();
    let header = Header::new(VoxelType::U8, dims);
    for camera in cameras() {
        let view = camera.view(&header, 40, 30).expect("a view");
        for background in [[0.0, 0.0, 0.0, 1.0], [0.0; 4]] {
            let draw = |renderer: &Renderer| renderer.render(&view, &Task::new()).expect("a picture").pixels;
            let renderers: Vec<Renderer> = renderers
                .iter()
                .map(|channel| {
                    let look = channel.look().clone();
                    let same = channel.with_look(look, &Task::new()).expect("a look");
                    same.with_background(background)
                })
                .collect();
            let alone: Vec<Vec<[u8; 4]>> = renderers.iter().map(draw).collect();
            let others: Vec<&Renderer> = renderers[1..].iter().collect();
            let found = renderers[0].render_with(&others, &view, &Task::new()).expect("a picture").pixels;
            for (i, found) in found.iter().enumerate() {
                let sum = |part: usize| alone.iter().map(|alone| i32::from(alone[i][part])).sum::<i32>();
                // Before a black background, colours are multiplied by alpha.
                let parts = if background[3] > 0.0 { 0..3 } else { 3..4 };
                for part in parts {
                    let (sum, found) = (sum(part).min(255), i32::from(found[part]));
                    assert!((sum - found).abs() <= 2, "{camera:?}, pixel {i}: {found}, not {sum}");
                }
            }
        }
    }
}
