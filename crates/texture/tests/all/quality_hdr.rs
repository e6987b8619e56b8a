//! The quality of BC6H, as the end of docs/quality.md.

use crate::{
    common::Random,
    quality::{HDR_PART, check_page},
};
use brickwork_image::image_file::Texels;
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, ImageView, Quality, RealTime, Task,
    half::f16,
    metrics::{HdrMetrics, HdrRange, compare_hdr_blocks},
    pictures,
};
use std::{fmt::Write as _, fs::File, io::BufReader};

struct Picture {
    name: &'static str,
    width: u32,
    height: u32,
    texels: Vec<[f16; 3]>,
}

/// Returns an interior from test-data/hdr, and drawn images. Those of signed blocks have negative numbers.
fn pictures(is_signed: bool) -> Vec<Picture> {
    let mut random = Random(23);
    let mut draw = |name, texel: &mut dyn FnMut(f32, f32, f32) -> [f32; 3]| {
        let noise = |random: &mut Random| f32::from(random.byte()) / 256.0;
        let texels = (0..128 * 128)
            .map(|i| texel((i % 128) as f32, (i / 128) as f32, noise(&mut random)).map(f16::from_f32));
        Picture { name, width: 128, height: 128, texels: texels.collect() }
    };
    if is_signed {
        return vec![
            draw("motion vectors", &mut |x, y, _| [(x - 64.0) / 9.0, (64.0 - y) / 5.0, (x - y) / 300.0]),
            draw("soft noise", &mut |x, y, noise| {
                [noise - 0.5, (x - 70.0) / 50.0 + 0.1 * noise, y / 64.0 - noise]
            }),
        ];
    }
    let mut pictures = vec![
        draw("sky with a sun", &mut |x, y, _| {
            let distance = ((x - 90.0) * (x - 90.0) + (y - 20.0) * (y - 20.0)) / 9.0;
            [0.3, 0.5, 0.9].map(|sky| sky * (1.0 + y / 40.0) + 2000.0 / (1.0 + distance * distance))
        }),
        draw("dark noise", &mut |x, y, noise| {
            [0.01 + x / 9000.0, 0.02 + y / 7000.0, 0.015].map(|v| v + noise / 50.0)
        }),
    ];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/hdr/lobby_dwa.exr");
    let file = BufReader::new(File::open(path).unwrap());
    let picture = pictures::read(file, None, &Default::default(), &Task::new()).unwrap();
    let (width, height) = (picture.width, picture.height);
    let Texels::RgbF16(texels) = picture.texels else { panic!("not RGB in half floats") };
    pictures.insert(0, Picture { name: "lobby", width, height, texels });
    pictures
}

fn measure(picture: &Picture, is_signed: bool, options: &EncodeOptions) -> HdrMetrics {
    let (format, range) = match is_signed {
        true => (BlockFormat::Bc6hSfloat, HdrRange::Signed),
        false => (BlockFormat::Bc6hUfloat, HdrRange::Unsigned),
    };
    let (width, height, task) = (picture.width, picture.height, Task::new());
    let image = ImageView::new(&picture.texels, width, height).unwrap();
    let mut blocks = vec![0; format.image_bytes(width, height) as usize];
    CpuEncoder::new().encode_into(&image, format, options, &mut blocks, &task).unwrap();
    compare_hdr_blocks(&image, format, &blocks, range, &task).unwrap()
}

#[test]
fn quality_of_bc6h_is_as_documented() {
    let mut text = HDR_PART.to_owned();
    for (is_signed, title) in [(false, "unsigned"), (true, "signed")] {
        let metrics = pictures(is_signed).into_iter().map(|picture| {
            let levels = RealTime::ALL
                .iter()
                .map(|&level| EncodeOptions::default().with(|o| o.real_time = Some(level)));
            let qualities = Quality::ALL.iter().map(|&q| EncodeOptions::default().with(|o| o.quality = q));
            let metrics = levels.chain(qualities).map(|options| measure(&picture, is_signed, &options));
            (picture.name, metrics.collect::<Vec<_>>())
        });
        let metrics: Vec<_> = metrics.collect();
        for (measure, digits, number) in [
            ("halfPSNR in dB", 3, HdrMetrics::half_psnr as fn(&HdrMetrics) -> f64),
            ("log2 RMSE", 6, HdrMetrics::log2_rmse),
        ] {
            // Signed blocks minimise the other error.
            if is_signed && digits == 3 {
                continue;
            }
            writeln!(text, "\n## BC6H, {title}, {measure}\n").unwrap();
            text += "| image | real time 1 | 2 | 3 | ultrafast | fast | normal | high | best |\n\
                     |---|---|---|---|---|---|---|---|---|\n";
            for (name, metrics) in &metrics {
                let numbers: Vec<_> = metrics.iter().map(|m| format!("{:.digits$}", number(m))).collect();
                writeln!(text, "| {name} | {} |", numbers.join(" | ")).unwrap();
            }
        }
    }
    check_page(&text, true);
}
