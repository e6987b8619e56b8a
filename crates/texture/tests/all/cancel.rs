//! Tests that every long call reports its progress, and stops soon after its token is cancelled.

use crate::common::Random;
use brickwork_base::testing::{ATTEMPTS, LIMIT, Stopwatch, stops, stops_silently};
use brickwork_texture::{
    AlphaMode, BlockFormat, CancelToken, Cancelled, ColorSpace, CpuEncoder, DecodeOptions, EncodeOptions,
    Encoder, ErrorKind, ImageIndex, ImageView, ImageViewMut, PlainFormat, Progress, Quality, RdoLambda,
    RoundingRule, Surfaces, Task, TexelFormat, Texture, TextureDesc, ToneMap,
    container::{self, ContainerFormat, DdsHeader, TextureReadOptions, TextureWriteOptions},
    decode_into, decode_plain_into, encode_plain, encode_texture, metrics,
    mips::{MipOptions, next_level, resize, roughened},
    optimize_texture,
};
use std::{
    io::{Cursor, sink},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

const SIDE: u32 = 1024;

/// Calls `stops` with the kind of each call's error.
macro_rules! stops {
    ($name:expr, |$task:ident| $call:expr) => {
        stops($name, &mut |$task: &Task<'_>| ($call).map(drop).map_err(|error| error.kind()))
    };
}

/// Calls `stops_silently` with the kind of each call's error.
macro_rules! stops_silently {
    ($name:expr, |$task:ident| $call:expr) => {
        stops_silently($name, &mut |$task: &Task<'_>| ($call).map(drop).map_err(|error| error.kind()))
    };
}

/// Calls `stops_silently` for a call that has no other error.
fn silent(name: &str, call: &dyn Fn(&Task<'_>) -> Result<(), Cancelled>) {
    stops_silently(name, &mut |task: &Task<'_>| call(task).map_err(|Cancelled| ErrorKind::Cancelled));
}

fn noise() -> Vec<[u8; 4]> {
    let mut random = Random(7);
    (0..SIDE * SIDE).map(|_| random.next().to_le_bytes()).map(|[a, b, c, d, ..]| [a, b, c, d]).collect()
}

fn fast() -> EncodeOptions {
    EncodeOptions::default().with(|o| o.quality = Quality::Fast)
}

#[test]
fn encoders_stop() {
    let texels = noise();
    let image = ImageView::new(&texels, SIDE, SIDE).unwrap();
    #[cfg_attr(not(feature = "gpu"), expect(unused_mut, reason = "there is one encoder"))]
    let mut encoders = vec![Encoder::from(CpuEncoder::new())];
    #[cfg(feature = "gpu")]
    encoders.extend(crate::common::gpu_encoder().map(Encoder::from));
    for encoder in encoders {
        let name = |call: &str| format!("{call} by {encoder:?}");
        let mut blocks = vec![0; BlockFormat::Bc3.image_bytes(SIDE, SIDE) as usize];
        stops!(&name("Encoder::encode_into"), |task| {
            encoder.encode_into(&image, BlockFormat::Bc3, &fast(), &mut blocks, task)
        });
        let desc = TextureDesc::of_image(&image, BlockFormat::Bc1).with_full_mips();
        stops!(&name("encode_texture"), |task| encode_texture(&encoder, &image, &desc, &fast(), task));
        let rdo = fast().with(|o| o.rdo = RdoLambda::new(1.0).unwrap());
        stops!(&name("encode_texture with RDO"), |task| encode_texture(&encoder, &image, &desc, &rdo, task));
        let volume = TextureDesc::new_3d(BlockFormat::Bc4Unorm, SIDE, SIDE, 3).with_full_mips();
        let base = encode_texture(&encoder, &image, &desc, &fast(), &Task::new()).unwrap();
        stops!(&name("optimize_texture"), |task| optimize_texture(&encoder, &image, &base, &rdo, task));
        stops!(&name("encode_texture in 3D"), |task| {
            encode_texture(&encoder, Surfaces::list(&[image; 3]), &volume, &fast(), task)
        });
    }
    let mips = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight);
    stops!("next_level", |task| next_level(&image, TexelFormat::Rgba8, mips, task));
    stops!("resize", |task| resize(&image, TexelFormat::Rgba8, [700, 500], mips, task));
    stops!("roughened", |task| roughened(&image, &image, [true; 4], task));
    let format = PlainFormat::Rgb9e5;
    let mut data = vec![0; format.image_bytes(SIDE, SIDE) as usize];
    stops!("encode_plain", |task| encode_plain(&image, format, &mut data, task));
}

#[cfg(feature = "gpu")]
#[test]
fn targets_stop() {
    use brickwork_texture::direct::{CompressedTarget, Strategy};
    let Some(gpu) = crate::common::gpu_encoder() else { return };
    let desc = TextureDesc::new_2d(BlockFormat::Bc7, 2 * SIDE, SIDE).with_full_mips();
    stops_silently!("CompressedTarget::new", |task| CompressedTarget::new(&gpu, &desc, task));
    let strategy = Strategy::Copy;
    stops_silently!("CompressedTarget::with_strategy", |task| {
        CompressedTarget::with_strategy(&gpu, &desc, strategy, task)
    });
}

/// Returns a texture of random blocks.
fn texture(format: BlockFormat) -> Texture {
    let mut random = Random(3);
    let desc =
        TextureDesc::new_2d(format, 2 * SIDE, SIDE).with_full_mips().with_alpha_mode(AlphaMode::Opaque);
    Texture::new(desc, (0..desc.data_bytes()).map(|_| random.byte()).collect()).unwrap()
}

#[test]
fn decoders_and_metrics_stop() {
    let texels = noise();
    let image = ImageView::new(&texels, SIDE, SIDE).unwrap();
    let (format, rule) = (BlockFormat::Bc1, RoundingRule::Exact);
    let blocks = vec![0x5a; format.image_bytes(SIDE, SIDE) as usize];
    let mut decoded = vec![[0.0f32; 4]; texels.len()];
    let mut target = ImageViewMut::new(&mut decoded[..], SIDE, SIDE).unwrap();
    stops!("decode_into", |task| decode_into(format, &blocks, rule, &mut target, task));
    let plain = vec![0x5a; PlainFormat::Rgb9e5.image_bytes(SIDE, SIDE) as usize];
    stops!("decode_plain_into", |task| { decode_plain_into(PlainFormat::Rgb9e5, &plain, &mut target, task) });
    let (texture, index) = (texture(format), ImageIndex::default());
    stops!("Texture::decode", |task| texture.decode(index, &DecodeOptions::default(), task));
    // The texels are made displayable after the last report.
    let token = CancelToken::new();
    let cancel = |progress: Progress| {
        if progress.done == progress.total {
            token.cancel();
        }
    };
    let task = Task::new().with_progress(&cancel).with_cancel(&token);
    let displayed = texture.decode(index, &DecodeOptions::default().with(|o| o.display = true), &task);
    assert_eq!(displayed.map(drop).map_err(|error| error.kind()), Err(ErrorKind::Cancelled));
    let mut decoded = vec![[0u8; 4]; 2 * texels.len()];
    let mut target = ImageViewMut::new(&mut decoded[..], 2 * SIDE, SIDE).unwrap();
    stops!("Texture::decode_into", |task| texture.decode_into(index, rule, &mut target, task));
    stops!("compare", |task| metrics::compare(&image, &image, task));
    stops!("compare_visible", |task| metrics::compare_visible(&image, &image, 9, task));
    stops!("compare_blocks", |task| metrics::compare_blocks(&image, format, &blocks, rule, task));
    stops!("compare_visible_blocks", |task| {
        metrics::compare_visible_blocks(&image, format, ColorSpace::Linear, &blocks, rule, 9, task)
    });
    stops!("compare_real", |task| metrics::compare_real(&image, &image, task));
    stops!("compare_visible_real", |task| metrics::compare_visible_real(&image, &image, 9, task));
    stops_silently!("compare_normals", |task| metrics::compare_normals(&image, &image, true, task));
    let mut angles = metrics::NormalAngles::default();
    stops_silently!("NormalAngles::add", |task| angles.add(&image, &image, true, task));
    stops!("flip", |task| metrics::flip(&image, &image, task));
    let range = metrics::HdrRange::Unsigned;
    stops!("compare_hdr", |task| metrics::compare_hdr(&image, &image, range, task));
    let format = BlockFormat::Bc6hUfloat;
    let blocks = vec![0x5a; format.image_bytes(SIDE, SIDE) as usize];
    stops!("compare_hdr_blocks", |task| {
        metrics::compare_hdr_blocks(&image, format, &blocks, range, task)
    });
    stops!("difference", |task| metrics::difference(&image, &image, 2, task));
    stops!("tone_mapped_difference", |task| {
        metrics::tone_mapped_difference(&image, &image, &ToneMap::default(), 2, task)
    });
}

#[test]
fn containers_stop() {
    let folder = tempfile::tempdir().unwrap();
    let texture = texture(BlockFormat::Bc1);
    let read = TextureReadOptions::default();
    let plain = TextureWriteOptions::default().with(|o| o.dds_header = DdsHeader::Legacy);
    let small = plain.with(|o| o.zstd = Some(19));
    for (format, options, is_compressed) in [
        (ContainerFormat::Dds, plain, false),
        (ContainerFormat::Ktx2, plain, false),
        (ContainerFormat::Ktx2, small, true),
    ] {
        let name = |call: &str| format!("{call} of {format:?}, {options:?}");
        stops!(&name("Texture::write"), |task| texture.write(sink(), format, &options, task));
        let path = folder.path().join("a").with_extension(format.extension());
        stops!(&name("Texture::save_with"), |task| texture.save_with(&path, &options, task));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{}", name("save_with"));
        let mut file = Vec::new();
        texture.write(&mut file, format, &options, &Task::new()).unwrap();
        stops!(&name("Texture::read"), |task| Texture::read(Cursor::new(&file), &read, task));
        stops!(&name("Texture::read_with_info"), |task| {
            Texture::read_with_info(Cursor::new(&file), &read, task)
        });
        if format == ContainerFormat::Dds {
            stops!(&name("info"), |task| {
                // A transparent block would end the search.
                let mut opaque = file.clone();
                opaque[128..].fill(0);
                container::info(Cursor::new(opaque), &read, task)
            });
        }
        if is_compressed {
            // `validate` reads only compressed data.
            stops!("validate", |task| container::validate(Cursor::new(&file), None, &read, task));
        }
    }
    let path = folder.path().join("a.dds");
    stops!("Texture::save", |task| texture.save(&path, task));
    texture.save(&path, &Task::new()).unwrap();
    stops!("Texture::open", |task| Texture::open(&path, task));
}

/// Returns a DDS file of plain texels in RGBA.
fn uncompressed_dds(image: &image::RgbaImage) -> Vec<u8> {
    let mut file = b"DDS ".to_vec();
    let mut header = [0u32; 31];
    // Size, flags (caps, height, width, pitch, pixel format), height, width, pitch.
    header[..5].copy_from_slice(&[124, 0x100f, image.height(), image.width(), 4 * image.width()]);
    // Pixel format: size, flags (RGB and alpha), no FourCC, bits, masks; a texture.
    header[18..26].copy_from_slice(&[32, 0x41, 0, 32, 0xff, 0xff00, 0xff_0000, 0xff00_0000]);
    header[26] = 0x1000;
    file.extend(header.iter().flat_map(|word| word.to_le_bytes()));
    file.extend(image.as_raw());
    file
}

/// Checks that the reports of a successful call never decrease, and end at the total.
fn reports_go_on<R, E: std::fmt::Debug>(name: &str, call: impl FnOnce(&Task<'_>) -> Result<R, E>) {
    let reports = Mutex::new(Vec::new());
    let token = CancelToken::new();
    let note = |progress: Progress| reports.lock().unwrap().push((progress.done, progress.total));
    call(&Task::new().with_progress(&note).with_cancel(&token)).unwrap();
    let reports = reports.into_inner().unwrap();
    assert!(
        reports.is_sorted() && reports.iter().any(|(done, total)| 2 * done > *total),
        "{name}: {reports:?}"
    );
}

/// Decoding in one step also stops after all bytes were read.
#[test]
fn a_picture_that_is_being_decoded_stops() {
    use brickwork_image::image_file::ImageReadOptions;
    use brickwork_texture::pictures::read;
    let image = image::RgbImage::from_fn(3000, 3000, |x, y| image::Rgb([(x * y) as u8, (x ^ y) as u8, 9]));
    let mut file = Vec::new();
    image.write_to(&mut Cursor::new(&mut file), image::ImageFormat::Jpeg).unwrap();
    let mut least = Duration::MAX;
    for _ in 0..ATTEMPTS {
        let (token, cancelled_at) = (CancelToken::new(), Mutex::new(None));
        let cancel = |progress: Progress| {
            if progress.done == progress.total {
                let canceller = token.clone();
                cancelled_at.lock().unwrap().get_or_insert_with(|| {
                    // By then, the decoder has the last bytes.
                    std::thread::spawn(move || {
                        std::thread::sleep(Duration::from_millis(20));
                        canceller.cancel();
                    });
                    Stopwatch::start()
                });
            }
        };
        let task = Task::new().with_progress(&cancel).with_cancel(&token);
        let result = read(Cursor::new(&file), None, &ImageReadOptions::default(), &task);
        assert_eq!(result.map(drop).map_err(|error| error.kind()), Err(ErrorKind::Cancelled));
        least = least.min(cancelled_at.into_inner().unwrap().unwrap().elapsed());
        if least <= LIMIT {
            break;
        }
    }
    assert!(least <= LIMIT, "{least:?}");
}

#[test]
fn image_files_stop() {
    use brickwork_image::image_file::{ImageReadOptions, PngTexels, write_png};
    use brickwork_texture::pictures::{self, info_any, open, read_any};
    let texels = noise();
    let png_texels = PngTexels::Rgba8(&texels);
    stops!("write_png", |task| write_png(sink(), SIDE, SIDE, png_texels, ColorSpace::Srgb, task));
    let wide: Vec<_> = texels.iter().map(|texel| texel.map(|value| u16::from(value) * 3)).collect();
    let png_texels = PngTexels::Rgba16(&wide);
    stops!("write_png of 16 bits", |task| {
        write_png(sink(), SIDE, SIDE, png_texels, ColorSpace::Srgb, task)
    });
    let options = ImageReadOptions::default();
    let folder = tempfile::tempdir().unwrap();
    let image = image::RgbaImage::from_raw(SIDE, SIDE, texels.into_flattened()).unwrap();
    for extension in ["png", "tga", "bmp", "tiff", "ppm", "jpg", "webp", "gif"] {
        let path = folder.path().join("a").with_extension(extension);
        match extension {
            "ppm" | "jpg" => image::DynamicImage::from(image.clone()).into_rgb8().save(&path).unwrap(),
            _ => image.save(&path).unwrap(),
        }
        let file = std::fs::read(&path).unwrap();
        stops!(&format!("read {extension}"), |task| {
            pictures::read(Cursor::new(&file), Some(extension), &options, task)
        });
        stops!(&format!("open {extension}"), |task| open(&path, &options, task));
        reports_go_on(extension, |task| pictures::read(Cursor::new(&file), Some(extension), &options, task));
    }
    let plain = uncompressed_dds(&image);
    stops!("read uncompressed DDS", |task| pictures::read(Cursor::new(&plain), None, &options, task));
    stops!("read_any uncompressed DDS", |task| read_any(Cursor::new(&plain), None, &options, task));
    reports_go_on("dds", |task| pictures::read(Cursor::new(&plain), None, &options, task));
    let texture = texture(BlockFormat::Bc7);
    for format in [ContainerFormat::Dds, ContainerFormat::Ktx2] {
        let mut file = Vec::new();
        texture.write(&mut file, format, &TextureWriteOptions::default(), &Task::new()).unwrap();
        stops!(&format!("read_any {format:?}"), |task| read_any(Cursor::new(&file), None, &options, task));
        stops!(&format!("read {format:?}"), |task| pictures::read(Cursor::new(&file), None, &options, task));
    }
    let png = std::fs::read(folder.path().join("a.png")).unwrap();
    stops!("info_any", |task| info_any(Cursor::new(&png), None, &options, task));
}

#[test]
fn pictures_stop() {
    use brickwork_image::{
        cube::faces,
        image_file::{ImageReadOptions, Picture, PictureUse, TransferFunction, write_exr},
    };
    use brickwork_texture::pictures::{self, suggest_format};
    let (texels, none) = (noise(), Task::new());
    let image = ImageView::new(&texels, SIDE, SIDE).unwrap();
    stops!("write_exr", |task| write_exr(sink(), SIDE, SIDE, &texels, task));
    let options = ImageReadOptions::default().with(|o| o.single_floats = true);
    stops_silently!("Picture::of_image", |task| {
        Picture::of_image(&image, ColorSpace::Srgb, &options, task)
    });
    let picture = Picture::of_image(&image, ColorSpace::Srgb, &options, &none).unwrap();
    let mips = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight);
    stops!("pictures::resize", |task| pictures::resize(picture.clone(), [700, 500], mips, task));
    let mut panorama = picture.clone();
    panorama.height = SIDE / 2;
    stops!("faces", |task| faces(&panorama, None, task));
    silent("suggest_format", &|task| suggest_format(&picture, PictureUse::Unknown, true, task).map(drop));
    silent("Picture::is_grey", &|task| picture.is_grey(task).map(drop));
    silent("Picture::is_cut_out", &|task| picture.is_cut_out(task).map(drop));
    silent("Picture::looks_cut_out", &|task| picture.looks_cut_out(task).map(drop));
    silent("Picture::dilate", &|task| picture.clone().dilate([false; 2], task).map(drop));
    silent("dilate", &|task| brickwork_image::dilate(&mut [[0u8; 4]; 64], 8, [false; 2], task).map(drop));
    silent("Picture::normal_share", &|task| picture.normal_share(task).map(drop));
    silent("Picture::facing_share", &|task| picture.facing_share(task).map(drop));
    silent("Picture::unit_share", &|task| picture.unit_share(task).map(drop));
    silent("Picture::away_share", &|task| picture.away_share(task).map(drop));
    silent("Picture::has_unrelated_channels", &|task| picture.has_unrelated_channels(task).map(drop));
    silent("Picture::contents", &|task| picture.contents(task).map(drop));
    // Each number is converted by itself.
    let singles: Vec<[f32; 4]> = texels.iter().map(|texel| texel.map(|v| f32::from(v) / 255.0)).collect();
    let singles = ImageView::new(&singles, SIDE, SIDE).unwrap();
    let floats = Picture::of_image(&singles, ColorSpace::Linear, &options, &none).unwrap();
    for (name, picture) in [("integers", &picture), ("floats", &floats)] {
        silent(&format!("Picture::premultiplied of {name}"), &|task| {
            picture.clone().premultiplied(ColorSpace::Srgb, task).map(drop)
        });
        silent(&format!("Picture::converted of {name}"), &|task| {
            picture.clone().converted(TransferFunction::Gamma(2.2), ColorSpace::Srgb, task).map(drop)
        });
    }
}

/// Readers of text take a byte at a time.
#[test]
fn readers_report_at_most_every_64_kib() {
    use brickwork_image::image_file::ImageReadOptions;
    use brickwork_texture::pictures::read;
    let options = ImageReadOptions::default();
    let image =
        image::RgbImage::from_raw(SIDE, SIDE, noise().iter().flat_map(|t| [t[0], t[1], t[2]]).collect());
    let image = image::DynamicImage::from(image.unwrap());
    let mut text = format!("P3 {SIDE} {SIDE} 255\n");
    image.as_bytes().iter().for_each(|value| text += &format!("{value} "));
    let mut files = vec![("text", text.into_bytes())];
    for extension in ["png", "tga", "bmp", "tiff", "ppm", "jpg", "webp", "gif"] {
        let mut file = Cursor::new(Vec::new());
        image.write_to(&mut file, image::ImageFormat::from_extension(extension).unwrap()).unwrap();
        files.push((extension, file.into_inner()));
    }
    files.push(("dds", uncompressed_dds(&image.to_rgba8())));
    for (name, file) in files {
        let reports = AtomicUsize::new(0);
        let count = |_| {
            reports.fetch_add(1, Ordering::Relaxed);
        };
        read(Cursor::new(&file), Some(name), &options, &Task::new().with_progress(&count)).unwrap();
        let (reports, most) = (reports.into_inner(), file.len().div_ceil(1 << 16));
        assert!((1..=most).contains(&reports), "{name}: {reports} reports of {} bytes", file.len());
    }
}
