//! Mip levels of the faces of a cube.

use brickwork_image::{
    cube::faces,
    image_file::{ImageReadOptions, Picture, Texels, read},
};
use brickwork_texture::{
    AlphaMode, ColorSpace, Task, TexelFormat,
    mips::{MipOptions, MipTexels, next_level},
};
use std::f64::consts::PI;

/// Returns a picture with these texels.
fn picture(width: u32, height: u32, color_space: ColorSpace, texels: Texels) -> Picture {
    let file = std::io::Cursor::new(b"P3 1 1 255 1 2 3");
    let mut picture = read(file, None, &ImageReadOptions::default(), &Task::new()).unwrap();
    (picture.width, picture.height) = (width, height);
    picture.color_space = color_space;
    picture.is_opaque = texels.is_opaque();
    picture.texels = texels;
    picture
}

/// The direction of a texel of a panorama, from its longitude and latitude.
fn direction_of(x: u32, y: u32, width: u32, height: u32) -> [f64; 3] {
    let longitude = ((f64::from(x) + 0.5) / f64::from(width) - 0.5) * 2.0 * PI;
    let latitude = (0.5 - (f64::from(y) + 0.5) / f64::from(height)) * PI;
    [longitude.sin() * latitude.cos(), latitude.sin(), longitude.cos() * latitude.cos()]
}

/// The direction of a point on a face, from Vulkan's table: s and t are −1 to 1.
fn direction_on(face: usize, s: f64, t: f64) -> [f64; 3] {
    let direction = match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    };
    let length = (1.0 + s * s + t * t).sqrt();
    direction.map(|part| part / length)
}

/// A smooth function of the direction, 0 to 1.
fn sky([x, y, z]: [f64; 3]) -> f64 {
    0.5 + 0.2 * x + 0.15 * y * z - 0.1 * z + 0.05 * x * y
}

/// Each texel of each mip level is the mean of the sky that it covers, on both sides of every edge.
#[test]
fn faces_and_their_mip_levels_continue_across_edges() {
    let (width, height) = (512, 256);
    let texels = (0..width * height)
        .map(|i| [(sky(direction_of(i % width, i / width, width, height)) * 65535.0).round() as u16; 3]);
    let panorama = picture(width, height, ColorSpace::Linear, Texels::Rgb16(texels.collect()));
    // An odd size, so that texels of mip levels overlap.
    for side in [64, 50] {
        let (_, all) = faces(&panorama, Some(side), &Task::new()).unwrap();
        for (face, picture) in all.iter().enumerate() {
            let options = MipOptions::new(ColorSpace::Linear, AlphaMode::Opaque);
            let view = picture.view().unwrap();
            let mut level = None;
            loop {
                let next = match &level {
                    None => next_level(&*view, TexelFormat::Rgba16, options, &Task::new()),
                    Some(level) => next_level(level, TexelFormat::Rgba16, options, &Task::new()),
                };
                let next = next.unwrap();
                let MipTexels::Rgba16(texels) = next.texels() else { panic!("another format") };
                let size = f64::from(next.width());
                for (i, texel) in texels.iter().enumerate() {
                    let mut mean = 0.0;
                    for k in 0..256 {
                        let inside = |n: i32| (f64::from(n) + 0.5) / 16.0;
                        let [x, y] = [i % texels.len().isqrt(), i / texels.len().isqrt()];
                        let s = 2.0 * (x as f64 + inside(k % 16)) / size - 1.0;
                        let t = 2.0 * (y as f64 + inside(k / 16)) / size - 1.0;
                        mean += sky(direction_on(face, s, t)) / 256.0;
                    }
                    let found = f64::from(texel[0]) / 65535.0;
                    assert!((found - mean).abs() < 0.001, "{face} {size} {i}: {found} {mean}");
                }
                if next.width() == 1 {
                    break;
                }
                level = Some(next);
            }
        }
    }
}
