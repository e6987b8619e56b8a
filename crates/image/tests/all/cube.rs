//! Faces of a cube from crosses, strips and panoramas.

use brickwork_image::{
    CancelToken, ColorSpace, ErrorKind, Progress, Task,
    cube::{CubeError, CubeLayout, faces},
    half::f16,
    image_file::{ImageReadOptions, Picture, Texels, read},
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

fn rgb8(picture: &Picture) -> &[[u8; 3]] {
    match &picture.texels {
        Texels::Rgb8(texels) => texels,
        other => panic!("{other:?}"),
    }
}

/// The direction of a texel of a panorama, from its longitude and latitude.
fn direction_of(x: u32, y: u32, width: u32, height: u32) -> [f64; 3] {
    let longitude = ((f64::from(x) + 0.5) / f64::from(width) - 0.5) * 2.0 * PI;
    let latitude = (0.5 - (f64::from(y) + 0.5) / f64::from(height)) * PI;
    [longitude.sin() * latitude.cos(), latitude.sin(), longitude.cos() * latitude.cos()]
}

/// Colours of +X, −X, +Y, −Y, +Z, −Z.
const COLORS: [[u8; 3]; 6] =
    [[255, 0, 0], [0, 255, 255], [0, 255, 0], [255, 0, 255], [0, 0, 255], [255, 255, 0]];

#[test]
fn a_panorama_of_the_axes_colors_has_them_on_its_faces() {
    let (width, height) = (256, 128);
    let texels = (0..width * height).map(|i| {
        let direction = direction_of(i % width, i / width, width, height);
        let axis = (0..3).max_by(|&a, &b| direction[a].abs().total_cmp(&direction[b].abs())).unwrap();
        COLORS[2 * axis + usize::from(direction[axis] < 0.0)]
    });
    let panorama = picture(width, height, ColorSpace::Srgb, Texels::Rgb8(texels.collect()));
    let (layout, all) = faces(&panorama, None, &Task::new()).unwrap();
    assert_eq!(layout, CubeLayout::Panorama);
    for (face, color) in all.iter().zip(COLORS) {
        assert_eq!((face.width, face.height), (64, 64));
        for (i, texel) in rgb8(face).iter().enumerate() {
            let is_inside = [i % 64, i / 64].iter().all(|place| (3..61).contains(place));
            assert!(!is_inside || *texel == color, "{color:?} at {i}: {texel:?}");
        }
    }
}

#[test]
fn squares_of_crosses_and_strips_are_copied() {
    // Each texel contains its face, column and row.
    let side = 5;
    let texel = |face: u32, x: u32, y: u32| [face as u8, x as u8, y as u8];
    let squares: [(CubeLayout, [u32; 2], [[u32; 2]; 6]); 4] = [
        (CubeLayout::HorizontalCross, [4, 3], [[2, 1], [0, 1], [1, 0], [1, 2], [1, 1], [3, 1]]),
        (CubeLayout::VerticalCross, [3, 4], [[2, 1], [0, 1], [1, 0], [1, 2], [1, 1], [1, 3]]),
        (CubeLayout::HorizontalStrip, [6, 1], [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0]]),
        (CubeLayout::VerticalStrip, [1, 6], [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5]]),
    ];
    for (layout, [columns, rows], places) in squares {
        let (width, height) = (columns * side, rows * side);
        let mut texels = vec![[99; 3]; (width * height) as usize];
        for (face, [column, row]) in (0..).zip(places) {
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                // The last square of a vertical cross is upside down.
                let is_turned = layout == CubeLayout::VerticalCross && face == 5;
                let [a, b] = if is_turned { [side - 1 - x, side - 1 - y] } else { [x, y] };
                texels[((row * side + b) * width + column * side + a) as usize] = texel(face, x, y);
            }
        }
        let (found, all) =
            faces(&picture(width, height, ColorSpace::Srgb, Texels::Rgb8(texels)), None, &Task::new())
                .unwrap();
        assert_eq!(found, layout);
        for (face, picture) in (0..).zip(&all) {
            let expected: Vec<_> = (0..side * side).map(|i| texel(face, i % side, i / side)).collect();
            assert_eq!(rgb8(picture), expected, "{layout} {face}");
        }
    }
}

#[test]
fn panoramas_are_filtered_in_linear_light_and_by_alpha() {
    // Columns of black and white: half the light, not half the number.
    let checker: Vec<_> = (0..256 * 128).map(|i| [if i % 2 == 0 { 0 } else { 255 }; 3]).collect();
    let middle = |color_space, texels: Texels| {
        let (_, [.., ahead, _]) =
            faces(&picture(256, 128, color_space, texels), Some(1), &Task::new()).unwrap();
        ahead.texels
    };
    let near = |texels, expected: u8| {
        let Texels::Rgb8(texels) = texels else { panic!("another form") };
        assert!(texels[0][0].abs_diff(expected) <= 2, "{texels:?}");
    };
    near(middle(ColorSpace::Srgb, Texels::Rgb8(checker.clone())), 188);
    near(middle(ColorSpace::Linear, Texels::Rgb8(checker)), 128);
    // The colour of transparent texels does not count.
    let leaves = (0..256 * 128).map(|i| if i % 2 == 0 { [255, 0, 0, 0] } else { [10, 200, 30, 255] });
    let Texels::Rgba8(texels) = middle(ColorSpace::Srgb, Texels::Rgba8(leaves.collect())) else {
        panic!("another form")
    };
    assert!(texels[0][..3] == [10, 200, 30] && texels[0][3].abs_diff(128) <= 2, "{texels:?}");
    // Half floats are not clamped to 1, and are finite.
    let sun = (0..256 * 128).map(|i| [if i % 2 == 0 { f16::INFINITY } else { f16::NAN }; 3]);
    let Texels::RgbF16(texels) = middle(ColorSpace::Linear, Texels::RgbF16(sun.collect())) else {
        panic!("another form")
    };
    assert!((texels[0][0].to_f32() / 32752.0 - 1.0).abs() < 0.02, "{texels:?}");
    // Single floats are not clamped to 65504.
    let sun = (0..256 * 128).map(|i| [if i % 2 == 0 { 1e9 } else { f32::NAN }; 3]);
    let Texels::RgbF32(texels) = middle(ColorSpace::Linear, Texels::RgbF32(sun.collect())) else {
        panic!("another form")
    };
    assert!((texels[0][0] / 5e8 - 1.0).abs() < 0.02, "{texels:?}");
}

#[test]
fn pictures_without_faces_are_refused() {
    let error = |width, height, side, count| {
        let texels = Texels::Grey8(vec![7; count]);
        faces(&picture(width, height, ColorSpace::Linear, texels), side, &Task::new()).unwrap_err()
    };
    let text = error(100, 60, None, 6000).to_string();
    assert!(text.starts_with("100×60 is neither a cross (4:3, 3:4), a strip"), "{text}");
    assert!(matches!(error(5, 5, None, 25), CubeError::Size { width: 5, height: 5 }));
    assert_eq!(
        error(8, 6, Some(3), 48).to_string(),
        "the faces of a horizontal cross of this size have 2×2 texels; only those of a panorama are resized"
    );
    assert_eq!(error(8, 6, None, 47).to_string(), "the picture has 47 texels, its size needs 48");
    assert_eq!(error(8, 6, None, 47).kind(), ErrorKind::Invalid);

    let panorama = picture(64, 32, ColorSpace::Linear, Texels::Grey8(vec![7; 64 * 32]));
    let huge = faces(&panorama, Some(u32::MAX), &Task::new()).unwrap_err();
    assert_eq!(huge.kind(), ErrorKind::Limit, "{huge}");
    let token = CancelToken::new();
    let cancel = |_: Progress| token.cancel();
    let task = Task::new().with_progress(&cancel).with_cancel(&token);
    assert_eq!(faces(&panorama, None, &task).unwrap_err().kind(), ErrorKind::Cancelled);
}
