//! BC1's quality on real images: docs/quality.md is what this test measures (`UPDATE=1` rewrites it), and
//! every quality keeps its promise.

use brickwork_texture::{
    BlockFormat, CpuEncoder, Decoder, EncodeOptions, ImageView, Quality,
    image_file::{self, ReadOptions, Texels},
    metrics,
};
use std::{
    fmt::Write as _,
    fs,
    io::BufReader,
    path::{Path, PathBuf},
};

/// The mean RGB PSNR in dB over the Kodak images, exact decoder, that each quality promises.
const PROMISES: [(Quality, f64); 5] = [
    (Quality::Ultrafast, 36.0),
    (Quality::Fast, 36.4),
    (Quality::Normal, 36.51),
    (Quality::High, 36.55),
    (Quality::Best, 36.59),
];

/// The same for the best quality with the trunc decoder, encoded for it and measured with it.
const BEST_TRUNC: f64 = 36.585;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> (u32, u32, Vec<[u8; 3]>) {
    let file = BufReader::new(fs::File::open(path).unwrap());
    let picture = image_file::read(file, Some("png"), &ReadOptions::default()).unwrap();
    let Texels::Rgb8(texels) = picture.texels else { panic!("{} is not 8-bit RGB", path.display()) };
    (picture.width, picture.height, texels)
}

/// RGB PSNR of each quality in dB.
fn measure(path: &Path, decoder: Decoder) -> [f64; 5] {
    let (width, height, texels) = read(path);
    let image = ImageView::new(&texels, width, height).unwrap();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(width, height) as usize];
    std::array::from_fn(|place| {
        let quality = Quality::ALL[place];
        let mut options = EncodeOptions::default();
        options.quality = quality;
        options.decoder = decoder;
        CpuEncoder::new().encode_into(&image, BlockFormat::Bc1, &options, &mut blocks).unwrap();
        metrics::compare_blocks(&image, BlockFormat::Bc1, &blocks, decoder).unwrap().psnr_rgb()
    })
}

fn table(paths: &[PathBuf], decoder: Decoder) -> (String, [f64; 5]) {
    let mut text =
        String::from("| image | ultrafast | fast | normal | high | best |\n|---|---|---|---|---|---|\n");
    let row = |text: &mut String, name: &str, psnrs: [f64; 5]| {
        let [a, b, c, d, e] = psnrs;
        writeln!(text, "| {name} | {a:.3} | {b:.3} | {c:.3} | {d:.3} | {e:.3} |").unwrap();
    };
    let mut sums = [0.0; 5];
    for path in paths {
        let psnrs = measure(path, decoder);
        row(&mut text, path.file_stem().unwrap().to_str().unwrap(), psnrs);
        for (sum, psnr) in sums.iter_mut().zip(psnrs) {
            *sum += psnr;
        }
    }
    let means = sums.map(|sum| sum / paths.len() as f64);
    if paths.len() > 1 {
        row(&mut text, "**mean**", means);
    }
    (text, means)
}

#[test]
fn quality_is_as_promised_and_as_documented() {
    let root = root();
    let mut kodak: Vec<_> =
        fs::read_dir(root.join("test-data/kodak")).unwrap().map(|entry| entry.unwrap().path()).collect();
    kodak.sort();
    assert_eq!(kodak.len(), 12);
    let (exact, exact_means) = table(&kodak, Decoder::Exact);
    let (trunc, trunc_means) = table(&kodak, Decoder::Trunc);
    let (leather, _) = table(&[root.join("test-data/textures/leather-base-color.png")], Decoder::Exact);
    for ((quality, promise), mean) in PROMISES.into_iter().zip(exact_means) {
        assert!(mean >= promise, "{quality:?}: {mean:.3} dB, promised are {promise}");
    }
    assert!(trunc_means[4] >= BEST_TRUNC, "best, trunc: {:.3} dB", trunc_means[4]);

    let found = format!(
        "# Quality\n\n\
         Written by `UPDATE=1 cargo test -p brickwork-texture --test all bc1_quality`; the test fails if \
         code and\n\
         page differ. PSNR over red, green and blue in dB, of the mean square error over texels × 3; means \
         are\n\
         over the images' PSNR. docs/terminology.md says what the decoders do; docs/performance.md has \
         other\n\
         encoders on the same images.\n\n\
         ## BC1, Kodak (odd-numbered images), encoded for and decoded by the exact decoder\n\n{exact}\n\
         ## BC1, Kodak (odd-numbered images), encoded for and decoded by the trunc decoder\n\n{trunc}\n\
         ## BC1, a base colour texture (2048×2048), exact decoder\n\n{leather}"
    );
    let path = root.join("docs/quality.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let documented = fs::read_to_string(&path).unwrap_or_default();
    for (line, (documented, found)) in documented.lines().zip(found.lines()).enumerate() {
        assert_eq!(documented, found, "docs/quality.md, line {}; UPDATE=1 writes it anew", line + 1);
    }
    assert_eq!(documented.lines().count(), found.lines().count(), "docs/quality.md; UPDATE=1 writes it anew");
}
