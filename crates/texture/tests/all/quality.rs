//! The quality of every format on real images. This test writes its measurements to docs/quality.md if
//! `UPDATE=1`, and checks that every quality keeps its promise.

use crate::common::Random;
use brickwork_image::image_file::{ImageReadOptions, Texels};
use brickwork_texture::{
    BlockFormat, CpuEncoder, EncodeOptions, ImageView, Quality, RealTime, RoundingRule, Task, metrics,
    pictures,
};
use std::{
    fs,
    io::BufReader,
    path::{Path, PathBuf},
    sync::Mutex,
};

/// Mean RGB PSNR in dB over the Kodak images, with the exact decoder, that each quality promises.
const PROMISES: [(Quality, f64); 5] = [
    (Quality::Ultrafast, 36.0),
    (Quality::Fast, 36.4),
    (Quality::Normal, 36.51),
    (Quality::High, 36.55),
    (Quality::Best, 36.59),
];

/// The same for the best quality with the trunc decoder, used for both encoding and measuring.
const BEST_TRUNC: f64 = 36.585;

/// Mean RGBA PSNR of BC7 in dB over the Kodak images.
const BC7_PROMISES: [(Quality, f64); 5] = [
    (Quality::Ultrafast, 45.06),
    (Quality::Fast, 46.50),
    (Quality::Normal, 47.00),
    (Quality::High, 47.28),
    (Quality::Best, 47.52),
];

/// The same of BC1 in real time, with the exact decoder.
const REAL_TIME_PROMISES: [(RealTime, f64); 3] =
    [(RealTime::Level1, 36.05), (RealTime::Level2, 36.17), (RealTime::Level3, 36.19)];

/// Mean RGBA PSNR of BC7 in real time in dB over the Kodak images.
const BC7_REAL_TIME_PROMISES: [f64; 3] = [43.5, 44.9, 45.3];

/// First lines of docs/quality.md.
const INTRODUCTION: &str = "\
# Quality

Written by `UPDATE=1 cargo test -p brickwork-texture --test all quality`. PSNR in dB, over red, green and blue
of BC1, and all channels that other formats store. *Kodak* is the mean of the twelve odd-numbered photographs.
Blocks are encoded for the rounding rule (docs/terminology.md) that decodes them, unless a row has two.

| format, images, rounding rule | ultrafast | fast | normal | high | best |
|---|---|---|---|---|---|
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> (u32, u32, Vec<[u8; 3]>) {
    let file = BufReader::new(fs::File::open(path).unwrap());
    let picture = pictures::read(file, Some("png"), &ImageReadOptions::default(), &Task::new()).unwrap();
    let Texels::Rgb8(texels) = picture.texels else { panic!("{} is not 8-bit RGB", path.display()) };
    (picture.width, picture.height, texels)
}

/// An image for measurements.
struct Picture {
    name: String,
    width: u32,
    height: u32,
    texels: Vec<[u8; 4]>,
}

impl Picture {
    fn read(path: &Path) -> Self {
        let (width, height, texels) = read(path);
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        Self { name, width, height, texels: texels.into_iter().map(|[r, g, b]| [r, g, b, 255]).collect() }
    }
}

/// Returns images that are not photographs: a gradient, sixteen colours in a pattern, noise, hard edges.
fn drawn() -> Vec<Picture> {
    let mut random = Random(11);
    let palette: Vec<[u8; 3]> = (0..16).map(|_| [random.byte(), random.byte(), random.byte()]).collect();
    let mut draw = |name: &str, texel: &mut dyn FnMut(u32, u32, &mut Random) -> [u8; 3]| {
        let texels = (0..256 * 256).map(|i| {
            let [r, g, b] = texel(i % 256, i / 256, &mut random);
            [r, g, b, 255]
        });
        Picture { name: name.to_owned(), width: 256, height: 256, texels: texels.collect() }
    };
    vec![
        draw("gradient", &mut |x, y, _| [(x * 9 / 10) as u8, (y / 2 + 40) as u8, ((x + y) * 3 / 10) as u8]),
        draw("sixteen colours", &mut |x, y, _| palette[((x / 5 * 7 + y / 3 * 5 + x * y / 9) % 16) as usize]),
        draw("noise", &mut |_, _, random| [random.byte(), random.byte(), random.byte()]),
        draw("soft noise", &mut |x, y, random| {
            [100 + (x / 4) as u8, 90 + (y / 4) as u8, 120].map(|v| v + random.byte() % 24)
        }),
        draw("discs", &mut |x, y, _| {
            let [dx, dy] = [x % 48, y % 48].map(|v| v as i32 - 24);
            if dx * dx + dy * dy < 400 {
                [220, (x / 48 * 40) as u8, 30]
            } else {
                [20, 60, (y / 48 * 40) as u8]
            }
        }),
    ]
}

/// Returns the PSNR of each quality in dB: RGB for BC1, all channels for other formats.
fn measure(picture: &Picture, format: BlockFormat, [encoder, decoder]: [RoundingRule; 2]) -> [f64; 5] {
    std::array::from_fn(|place| {
        let options = EncodeOptions::default().with(|o| {
            o.quality = Quality::ALL[place];
            o.rounding_rule = encoder;
        });
        psnr(picture, format, &options, decoder)
    })
}

fn psnr(picture: &Picture, format: BlockFormat, options: &EncodeOptions, decoder: RoundingRule) -> f64 {
    let &Picture { width, height, .. } = picture;
    let image = ImageView::new(&picture.texels, width, height).unwrap();
    let mut blocks = vec![0; format.image_bytes(width, height) as usize];
    CpuEncoder::new().encode_into(&image, format, options, &mut blocks, &Task::new()).unwrap();
    let metrics = metrics::compare_blocks(&image, format, &blocks, decoder, &Task::new()).unwrap();
    if format != BlockFormat::Bc1 && format.has_alpha() {
        metrics.psnr_rgba()
    } else {
        metrics.psnr_colors(format)
    }
}

/// Returns the row of the mean of each quality, and the means. If one is infinite, each picture has a row.
fn rows(name: &str, pictures: &[Picture], format: BlockFormat, decoder: RoundingRule) -> (String, [f64; 5]) {
    rows_of_rules(name, pictures, format, [decoder; 2])
}

/// Like [`rows`], with the rules for which blocks are encoded and by which they are decoded.
fn rows_of_rules(
    name: &str,
    pictures: &[Picture],
    format: BlockFormat,
    rules: [RoundingRule; 2],
) -> (String, [f64; 5]) {
    let psnrs: Vec<_> = pictures.iter().map(|picture| measure(picture, format, rules)).collect();
    let means: [f64; 5] = std::array::from_fn(|place| {
        psnrs.iter().map(|psnrs| psnrs[place]).sum::<f64>() / pictures.len() as f64
    });
    let row = |name: &str, [a, b, c, d, e]: [f64; 5]| {
        format!("| {name} | {a:.3} | {b:.3} | {c:.3} | {d:.3} | {e:.3} |\n")
    };
    let text = if means.iter().all(|mean| mean.is_finite()) {
        row(name, means)
    } else {
        let names = pictures.iter().map(|picture| format!("{name}, {}", picture.name));
        names.zip(psnrs).map(|(name, psnrs)| row(&name, psnrs)).collect()
    };
    (text, means)
}

/// Returns a row of the mean PSNR of each level of real time in dB, and the means.
fn real_time_row(
    name: &str,
    pictures: &[Picture],
    format: BlockFormat,
    decoder: RoundingRule,
) -> (String, Vec<f64>) {
    let mean = |&level: &RealTime| {
        let options = EncodeOptions::default().with(|o| o.real_time = Some(level));
        let psnrs = pictures.iter().map(|picture| psnr(picture, format, &options, decoder));
        psnrs.sum::<f64>() / pictures.len() as f64
    };
    let means: Vec<_> = RealTime::ALL.iter().map(mean).collect();
    let cells: String = means.iter().map(|mean| format!(" {mean:.3} |")).collect();
    (format!("| {name} |{cells}\n"), means)
}

/// Returns the rows of BC4 and BC5.
fn few_channels(kodak: &[Picture], normal: &[Picture]) -> String {
    use RoundingRule::{Exact, Nvidia, Real};
    let rules = [
        ("real", [Real; 2]),
        ("exact", [Exact; 2]),
        ("nvidia", [Nvidia; 2]),
        ("real, decoded by nvidia", [Real, Nvidia]),
    ];
    let rows = rules.map(|(rule, rules)| {
        let row = |name: &str, pictures: &[Picture], format| {
            rows_of_rules(&format!("{name}, {rule}"), pictures, format, rules).0
        };
        [
            row("BC4, Kodak's red", kodak, BlockFormat::Bc4Unorm),
            row("BC5, leather's normals", normal, BlockFormat::Bc5Unorm),
            row("BC5, signed, leather's normals", normal, BlockFormat::Bc5Snorm),
        ]
        .concat()
    });
    rows.concat()
}

#[test]
fn quality_is_as_promised_and_as_documented() {
    let root = root();
    let mut kodak: Vec<_> =
        fs::read_dir(root.join("test-data/kodak")).unwrap().map(|entry| entry.unwrap().path()).collect();
    kodak.sort();
    assert_eq!(kodak.len(), 12);
    let kodak: Vec<_> = kodak.iter().map(|path| Picture::read(path)).collect();
    let leather = Picture::read(&root.join("test-data/textures/leather-base-color.png"));
    let normal = Picture::read(&root.join("test-data/textures/leather-normal.png"));
    let (exact, exact_means) = rows("BC1, Kodak, exact", &kodak, BlockFormat::Bc1, RoundingRule::Exact);
    let (trunc, trunc_means) = rows("BC1, Kodak, trunc", &kodak, BlockFormat::Bc1, RoundingRule::Trunc);
    // There is no image with alpha. The normal map's red replaces it.
    let mut with_alpha = Picture { name: "leather".to_owned(), texels: leather.texels.clone(), ..leather };
    for (texel, normal) in with_alpha.texels.iter_mut().zip(&normal.texels) {
        texel[3] = normal[0];
    }
    let leather = [leather];
    let (bc1_leather, _) = rows("BC1, leather, exact", &leather, BlockFormat::Bc1, RoundingRule::Exact);
    let with_alpha = [with_alpha];
    let of_alpha = |name, format| rows(name, &with_alpha, format, RoundingRule::Exact).0;
    let bc2 = of_alpha("BC2, leather, its normals' red as alpha, exact", BlockFormat::Bc2);
    let bc3 = of_alpha("BC3, the same", BlockFormat::Bc3);
    let bc7_alpha = of_alpha("BC7, leather, the same alpha", BlockFormat::Bc7);
    let (bc7, bc7_means) = rows("BC7, Kodak", &kodak, BlockFormat::Bc7, RoundingRule::Exact);
    let drawn: Vec<_> = drawn();
    let (bc7_drawn, _) = rows("BC7, drawn", &drawn, BlockFormat::Bc7, RoundingRule::Exact);
    let normal = [normal];
    let (mut real_time, bc1_levels) =
        real_time_row("BC1, Kodak, exact", &kodak, BlockFormat::Bc1, RoundingRule::Exact);
    for ((level, promise), mean) in REAL_TIME_PROMISES.into_iter().zip(bc1_levels) {
        assert!(mean >= promise, "BC1 {level:?}: {mean:.3} dB, promised are {promise}");
    }
    for (name, pictures, format, decoder) in [
        ("BC1, leather, exact", &leather[..], BlockFormat::Bc1, RoundingRule::Exact),
        (
            "BC2, leather, its normals' red as alpha, exact",
            &with_alpha,
            BlockFormat::Bc2,
            RoundingRule::Exact,
        ),
        ("BC3, the same", &with_alpha, BlockFormat::Bc3, RoundingRule::Exact),
        ("BC4, Kodak's red, real", &kodak, BlockFormat::Bc4Unorm, RoundingRule::Real),
        ("BC5, leather's normals, real", &normal, BlockFormat::Bc5Unorm, RoundingRule::Real),
        ("BC5, signed, leather's normals, real", &normal, BlockFormat::Bc5Snorm, RoundingRule::Real),
        ("BC7, Kodak", &kodak, BlockFormat::Bc7, RoundingRule::Exact),
        ("BC7, drawn", &drawn, BlockFormat::Bc7, RoundingRule::Exact),
        ("BC7, leather, the same alpha", &with_alpha, BlockFormat::Bc7, RoundingRule::Exact),
    ] {
        let (row, means) = real_time_row(name, pictures, format, decoder);
        real_time += &row;
        if name == "BC7, Kodak" {
            for (promise, mean) in BC7_REAL_TIME_PROMISES.into_iter().zip(means) {
                assert!(mean >= promise, "{mean:.3} dB, promised are {promise}");
            }
        }
    }
    let few_channels = few_channels(&kodak, &normal);
    for ((quality, promise), mean) in PROMISES.into_iter().zip(exact_means) {
        assert!(mean >= promise, "{quality:?}: {mean:.3} dB, promised are {promise}");
    }
    for ((quality, promise), mean) in BC7_PROMISES.into_iter().zip(bc7_means) {
        assert!(mean >= promise, "BC7 {quality:?}: {mean:.3} dB, promised are {promise}");
    }
    assert!(trunc_means[4] >= BEST_TRUNC, "best, trunc: {:.3} dB", trunc_means[4]);

    let table = [exact, trunc, bc1_leather, bc2, bc3, few_channels, bc7_alpha, bc7, bc7_drawn].concat();
    let found = format!(
        "{INTRODUCTION}{table}\n\
         ## Real time\n\n| format, images, rounding rule | level 1 | level 2 | level 3 |\n\
         |---|---|---|---|\n{real_time}"
    );
    check_page(&found, false);
}

/// First words of the page's part about half floats.
pub const HDR_PART: &str =
    "\n# Quality of half floats\n\nThe lobby is a photograph; the other images are drawn.\n";

/// Checks a part of docs/quality.md: that of half floats, or all before it. With `UPDATE=1`, writes it.
pub fn check_page(found: &str, is_hdr: bool) {
    static PAGE: Mutex<()> = Mutex::new(());
    let _page = PAGE.lock().unwrap();
    let path = root().join("docs/quality.md");
    let page = fs::read_to_string(&path).unwrap_or_default();
    let (ldr, hdr) = page.split_at(page.find(HDR_PART).unwrap_or(page.len()));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, if is_hdr { [ldr, found] } else { [found, hdr] }.concat()).unwrap();
        return;
    }
    let documented = if is_hdr { hdr } else { ldr };
    for (documented, found) in documented.lines().zip(found.lines()) {
        assert_eq!(documented, found, "docs/quality.md; UPDATE=1 rewrites it");
    }
    assert_eq!(documented.lines().count(), found.lines().count(), "docs/quality.md; UPDATE=1 rewrites it");
}
