//! Tests of decisions about textures, without files.

use super::*;
use crate::{
    batch::Input,
    device::{DeviceChoice, Devices},
};
use brickwork_base::{CancelToken, ErrorKind, Progress, Stage, Task};
use brickwork_image::image_file::{ImageReadOptions, Picture, PictureUse};
use brickwork_texture::{
    BlockFormat, ChannelWeights, ColorSpace, EncodeOptions, Quality, RdoLambda, RealTime, Swizzle,
    TextureKind,
    bc::{
        bc1::{Bc1Options, Method},
        bc6h::Bc6hMetric,
    },
    container::{ContainerFormat, DdsHeader},
    pictures::read,
};
use std::{io::Cursor, path::Path, sync::Mutex};

/// Returns a picture of one colour with alpha.
fn picture(width: u32, height: u32, texel: [u8; 4]) -> Picture {
    let mut file = format!("P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH 4\nMAXVAL 255\n").into_bytes();
    file.extend(b"TUPLTYPE RGB_ALPHA\nENDHDR\n");
    file.extend(texel.repeat((width * height) as usize));
    read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap()
}

fn auto() -> TextureOptions {
    TextureOptions { format: FormatChoice::AUTO, ..TextureOptions::default() }
}

fn facts(picture: &Picture, options: &TextureOptions) -> PictureFacts {
    PictureFacts::of(picture, options, &Task::new()).unwrap()
}

fn plan(options: &TextureOptions, pictures: &[Picture]) -> Result<TexturePlan, OptionsError> {
    let facts: Vec<_> = pictures.iter().map(|picture| facts(picture, options)).collect();
    TexturePlan::of(options, &facts)
}

#[test]
fn the_format_keeps_the_alpha_of_all_pictures() {
    let [opaque, cut, soft] = [255, 0, 77].map(|alpha| picture(4, 4, [200, 30, 60, alpha]));
    let format = |options: TextureOptions, pictures: &[&Picture]| {
        let pictures: Vec<Picture> = pictures.iter().map(|&picture| picture.clone()).collect();
        plan(&options, &pictures).unwrap().desc.format
    };
    assert_eq!(format(auto(), &[&opaque]), BlockFormat::Bc1);
    assert_eq!(format(auto(), &[&opaque, &cut]), BlockFormat::Bc1);
    assert_eq!(format(auto(), &[&opaque, &soft, &cut]), BlockFormat::Bc7);
    assert_eq!(
        format(TextureOptions { dds_header: DdsHeader::Legacy, ..auto() }, &[&opaque, &soft]),
        BlockFormat::Bc3
    );
    // One face that looks like a normal map does not make a cube of normals.
    let normal = picture(4, 4, [128, 128, 255, 255]);
    assert_eq!(format(auto(), &[&normal, &normal]), BlockFormat::Bc5Unorm);
    assert_eq!(format(auto(), &[&normal, &opaque]), BlockFormat::Bc1);
    assert_eq!(
        format(TextureOptions { usage: PictureUse::Normals, ..auto() }, &[&opaque]),
        BlockFormat::Bc5Unorm
    );
}

#[test]
fn inputs_are_layers_faces_or_slices() {
    let desc = |layout, count, given| {
        let options = TextureOptions { layout, given_mip_levels: given, ..TextureOptions::default() };
        let pictures = vec![picture(8, 8, [9, 9, 9, 255]); count];
        plan(&options, &pictures).map(|plan| plan.desc)
    };
    let shape = |layout, count, given| {
        let desc = desc(layout, count, given).unwrap();
        (desc.kind, desc.layers, desc.depth, desc.mip_levels)
    };
    use TextureLayout::{Faces, Layers, Slices};
    assert_eq!(shape(Layers, 1, 1), (TextureKind::D2, 1, 1, 1));
    assert_eq!(shape(Layers, 6, 3), (TextureKind::D2, 2, 1, 3));
    assert_eq!(shape(Faces, 12, 1), (TextureKind::Cube, 2, 1, 1));
    assert_eq!(shape(Faces, 12, 2), (TextureKind::Cube, 1, 1, 2));
    assert_eq!(shape(Slices, 5, 1), (TextureKind::D3, 1, 5, 1));
    assert_eq!(shape(Slices, 5 + 2 + 1, 3), (TextureKind::D3, 1, 5, 3));
    let error = |layout, count, given| desc(layout, count, given).unwrap_err();
    assert_eq!(error(Faces, 5, 1), OptionsError::Count { layout: Faces, given: 5 });
    assert_eq!(error(Layers, 5, 2), OptionsError::Count { layout: Layers, given: 5 });
    assert_eq!(error(Slices, 5, 2), OptionsError::Count { layout: Slices, given: 5 });
    // More levels than a texture has, or than there are pictures.
    assert_eq!(error(Layers, 6, 6), OptionsError::Count { layout: Layers, given: 6 });
    assert_eq!(error(Slices, 5, u32::MAX), OptionsError::Count { layout: Slices, given: 5 });
    assert_eq!(error(Layers, 0, 1), OptionsError::NoPicture);
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let format = |name: &str| TextureOptions { format: name.parse().unwrap(), ..TextureOptions::default() };
    let reason = |options: TextureOptions| options.check().err().map(|error| error.to_string());
    let bc1 = EncodeOptions::default().with(|o| o.bc1.method = Method::ClusterFit);
    assert_eq!(reason(TextureOptions { encode: bc1, ..format("bc3") }), None);
    let ignored = reason(TextureOptions { encode: bc1, ..format("bc7") }).unwrap();
    assert_eq!(ignored, "method is for bc1, bc2, bc3, not bc7");
    let rdo = EncodeOptions::default().with(|o| {
        o.rdo = RdoLambda::new(2.0).unwrap();
        o.weigh_by_alpha = true;
    });
    let excluded = OptionsError::Exclusive { options: ["weigh-by-alpha", "rdo"] };
    assert_eq!((TextureOptions { encode: rdo, ..format("bc3") }).check(), Err(excluded));
    let srgb = Some(ColorSpace::Srgb);
    let named = (TextureOptions { color_space: srgb, ..format("VK_FORMAT_BC7_UNORM_BLOCK") }).check();
    assert!(matches!(named, Err(OptionsError::ColorSpaceOfName { named: ColorSpace::Linear, .. })));
    assert_eq!(
        reason(TextureOptions { color_space: srgb, ..format("bc5") }).unwrap(),
        "bc5 has no sRGB variant"
    );
    assert_eq!(reason(TextureOptions { usage: PictureUse::Normals, ..format("bc5") }), None);
    assert!(
        reason(TextureOptions { usage: PictureUse::Normals, ..format("bc1") }).unwrap().contains("not bc1")
    );
    assert!(reason(TextureOptions { usage: PictureUse::Normals, color_space: srgb, ..auto() }).is_some());
    let real_time = EncodeOptions::default().with(|o| o.real_time = Some(RealTime::Level1));
    let bc7 = |encode: EncodeOptions| reason(TextureOptions { encode, ..format("bc7") });
    assert_eq!(bc7(real_time), None);
    let expected = "real-time and quality exclude each other";
    assert_eq!(bc7(real_time.with(|o| o.quality = Quality::Best)).as_deref(), Some(expected));
    let expected = "real-time and weights exclude each other";
    assert_eq!(bc7(real_time.with(|o| o.weights = ChannelWeights::LUMA)).as_deref(), Some(expected));
    let expected = "real-time and weigh-by-alpha exclude each other";
    assert_eq!(bc7(real_time.with(|o| o.weigh_by_alpha = true)).as_deref(), Some(expected));
    let bc6h = |encode: EncodeOptions| reason(TextureOptions { encode, ..format("bc6h") });
    assert_eq!(bc6h(real_time), None);
    let expected = "real-time and metric exclude each other";
    let by_log = real_time.with(|o| o.bc6h.metric = Some(Bc6hMetric::Log));
    assert_eq!(bc6h(by_log).as_deref(), Some(expected));
    let black = Bc1Options::default().with(|o| {
        o.three_color = false;
        o.transparent_black = true;
    });
    let expected = "transparent-black and no-three-color exclude each other";
    let black = EncodeOptions::default().with(|o| o.bc1 = black);
    assert_eq!(reason(TextureOptions { encode: black, ..format("bc1") }).as_deref(), Some(expected));
    let coverage = TextureOptions {
        encode: EncodeOptions::default().with(|o| o.keep_coverage = std::num::NonZeroU8::new(128)),
        ..format("bc7")
    };
    assert_eq!(reason(coverage.clone()).as_deref(), Some("keep-coverage needs mip levels"));
    assert_eq!(reason(TextureOptions { mip_levels: MipLevels::Full, ..coverage }), None);
    // The options that an automatic format ignores are known only with the pictures.
    let soft = [picture(4, 4, [200, 30, 60, 77])];
    let error = plan(&TextureOptions { encode: bc1, ..auto() }, &soft).unwrap_err();
    assert_eq!((error.to_string(), error.kind()), (ignored, ErrorKind::Argument));
}

#[test]
fn the_output_s_name_chooses_the_container() {
    let of = |options: &TextureOptions, output: &str| {
        options.container_of((output != "-").then_some(Path::new(output)))
    };
    let options = TextureOptions::default();
    assert_eq!(of(&options, "a.KTX2"), Ok(ContainerFormat::Ktx2));
    assert_eq!(of(&options, "-"), Ok(ContainerFormat::Dds));
    assert_eq!(of(&options, "a"), Err(OptionsError::NoContainer { extension: None }));
    let ktx2 = TextureOptions { container: Some(ContainerFormat::Ktx2), ..options.clone() };
    assert_eq!(of(&ktx2, "a"), Ok(ContainerFormat::Ktx2));
    assert!(matches!(of(&ktx2, "a.dds"), Err(OptionsError::Extension { .. })));
    let reason = of(&TextureOptions { zstd: Some(9), ..options.clone() }, "a.dds").unwrap_err().to_string();
    assert_eq!(reason, "zstd is for ktx2, but a.dds would be dds");
}

#[test]
fn pictures_are_encoded_measured_and_cancelled() {
    let devices = Devices::open(DeviceChoice::Cpu).unwrap();
    let pictures = [[90, 20, 10, 255], [9, 80, 70, 77]].map(|texel| picture(64, 32, texel));
    let names = ["a", "b"].map(str::to_owned);
    let options = TextureOptions { mip_levels: MipLevels::AtMost(3), ..auto() };
    let stages = Mutex::new(Vec::new());
    let see = |progress: Progress| {
        let mut stages = stages.lock().unwrap();
        if stages.last() != Some(&progress.stage) {
            stages.push(progress.stage);
        }
    };
    let task = Task::new().with_progress(&see);
    let encoded = encode_pictures(&options, &pictures, &names, &devices, 1 << 20, &task).unwrap();
    let desc = encoded.texture.desc();
    assert_eq!(desc.format, BlockFormat::Bc7);
    assert_eq!((desc.layers, desc.mip_levels), (2, 3));
    let metrics = encoded.measured.metrics.unwrap();
    assert!(metrics.texel_count == 2 * 64 * 32 && metrics.psnr_rgba() > 40.0, "{metrics:?}");
    let seen = std::mem::take(&mut *stages.lock().unwrap());
    assert!(seen.starts_with(&[Stage::Encoding]) && seen.ends_with(&[Stage::Comparing]), "{seen:?}");
    let needed = encoded.plan.texel_bytes + encoded.plan.memory_bytes();
    let error = encode_pictures(&options, &pictures, &names, &devices, needed - 1, &Task::new());
    let error = error.unwrap_err();
    assert!(error.kind() == ErrorKind::Limit && error.to_string().starts_with("a: needs "), "{error}");
    let token = CancelToken::new();
    token.cancel();
    let task = Task::new().with_cancel(&token);
    let error = encode_pictures(&options, &pictures, &names, &devices, 1 << 20, &task).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

/// Samples report no progress.
#[test]
fn the_largest_lambda_is_tried_once() {
    let mut file = b"P6\n256 256\n255\n".to_vec();
    file.extend((0..3 * 256 * 256u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8));
    let noise = read(Cursor::new(file), None, &ImageReadOptions::default(), &Task::new()).unwrap();
    let options = TextureOptions {
        format: "bc1".parse().unwrap(),
        rdo_target: Some(RdoTarget::Bytes(100)),
        encode: EncodeOptions::default().with(|o| o.quality = Quality::Ultrafast),
        ..TextureOptions::default()
    };
    let stages = Mutex::new(Vec::new());
    let see = |progress: Progress| {
        let mut stages = stages.lock().unwrap();
        if stages.last() != Some(&progress.stage) {
            stages.push(progress.stage);
        }
    };
    let (devices, names) = (Devices::open(DeviceChoice::Cpu).unwrap(), ["a".to_owned()]);
    let task = Task::new().with_progress(&see);
    let error = encode_pictures(&options, &[noise], &names, &devices, 1 << 30, &task).unwrap_err();
    assert!(error.to_string().contains("even with λ 100, above the target of 100 bytes"), "{error}");
    let encodings = stages.lock().unwrap().iter().filter(|stage| **stage == Stage::Encoding).count();
    assert_eq!(encodings, 2, "{stages:?}");
}

#[test]
fn notes_name_their_input() {
    let devices = Devices::open(DeviceChoice::Cpu).unwrap();
    let notes = |format: &str, header, texel| {
        let options = TextureOptions {
            format: format.parse().unwrap(),
            dds_header: header,
            ..TextureOptions::default()
        };
        let (pictures, names) = ([picture(4, 4, texel)], ["a.png".to_owned()]);
        let encoded = encode_pictures(&options, &pictures, &names, &devices, 1 << 20, &Task::new());
        encoded.unwrap().notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let normal = notes("DXGI_FORMAT_BC1_UNORM", DdsHeader::Auto, [128, 128, 255, 255]);
    assert!(normal.is_empty(), "{normal:?}");
    let srgb = picture(4, 4, [128, 128, 255, 255]).color_space == ColorSpace::Srgb;
    let normal = notes("bc1", DdsHeader::Legacy, [128, 128, 255, 255]);
    let expected = [
        "a.png: looks like a normal map (100.0 % of texels have length 1), but is encoded as \
                     sRGB colours",
        "a legacy DDS header does not say that colours are sRGB",
    ];
    assert!(srgb && normal == expected, "{normal:?}");
    let dropped = notes("VK_FORMAT_BC1_RGB_UNORM_BLOCK", DdsHeader::Auto, [1, 2, 3, 0]);
    assert_eq!(dropped, ["a.png: the format has no alpha"]);
}

#[test]
fn pictures_that_do_not_fit_together_are_read_one_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let devices = Devices::open(DeviceChoice::Cpu).unwrap();
    let inputs: Vec<Input> = (0..8u8)
        .map(|layer| {
            let path = folder.path().join(format!("{layer}.pam"));
            let mut file =
                b"P7\nWIDTH 256\nHEIGHT 256\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".to_vec();
            file.extend(
                (0..4 << 16).map(|i: u32| if i % 4 == 3 { 255 } else { (i >> 9) as u8 ^ (layer * 20) }),
            );
            std::fs::write(&path, file).unwrap();
            Input::of(&path)
        })
        .collect();
    let linear = Some(ColorSpace::Linear);
    // Converted pictures have 16 bits.
    for (layout, swizzle, converted, limit) in [
        (TextureLayout::Layers, "rgba", None, 3 << 19),
        (TextureLayout::Slices, "rgba", None, 3 << 19),
        (TextureLayout::Layers, "r0ba", None, 3 << 19),
        (TextureLayout::Slices, "r0ba", None, 3 << 19),
        (TextureLayout::Layers, "rgba", linear, 4 << 20),
    ] {
        let options = TextureOptions { layout, convert_oetf: converted, ..TextureOptions::default() };
        let options = TextureOptions { swizzle: Swizzle::parse(swizzle).unwrap(), ..options };
        let encode = |max_memory: u64| {
            let encoded = encode_files(&options, &inputs, &devices, max_memory, &Task::new()).unwrap();
            (encoded.texture, encoded.measured.metrics.unwrap())
        };
        // Eight pictures take 2 MiB, their blocks 256 KiB.
        let (texture, metrics) = encode(1 << 30);
        assert_eq!(metrics.texel_count, 8 << 16);
        assert!((texture, metrics) == encode(limit), "{layout:?} {swizzle} {converted:?}");
    }
}
