//! What notes.md says of LSDxt's qualities: PSNR on the Kodak images (exact decoder) and speed of one thread.
//!
//! `cargo test --release -p brickwork-texture --test bc1_lsdxt_measure -- --ignored --nocapture`

use brickwork_texture::{
    BlockFormat, CpuEncoder, Decoder, EncodeOptions, Encoder, ImageView, Method, Quality,
    image_file::{self, ReadOptions, Texels},
    metrics,
};
use std::{fs, io::BufReader, num::NonZeroUsize, path::Path, time::Instant};

#[test]
#[ignore = "takes minutes"]
fn measure() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/kodak");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    if let Some(count) = std::env::var("IMAGES").ok().and_then(|count| count.parse().ok()) {
        paths.truncate(count);
    }
    let only = std::env::var("QUALITY").ok();
    for quality in Quality::ALL {
        if only.as_ref().is_some_and(|only| !only.split(',').any(|name| name == quality.name())) {
            continue;
        }
        let (mut psnr, mut seconds, mut texel_count) = (0.0, 0.0, 0.0);
        for path in &paths {
            let file = BufReader::new(fs::File::open(path).unwrap());
            let picture = image_file::read(file, Some("png"), &ReadOptions::default()).unwrap();
            let Texels::Rgb8(texels) = picture.texels else { panic!("{} is not 8-bit RGB", path.display()) };
            let image = ImageView::new(&texels, picture.width, picture.height).unwrap();
            let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(picture.width, picture.height) as usize];
            let mut options = EncodeOptions::default();
            options.quality = quality;
            options.method = Method::Lsdxt;
            let encoder = CpuEncoder::new().with_threads(NonZeroUsize::MIN);
            let start = Instant::now();
            encoder.encode_into(&image, &options, &mut blocks).unwrap();
            seconds += start.elapsed().as_secs_f64();
            texel_count += texels.len() as f64;
            let found = metrics::compare_blocks(&image, BlockFormat::Bc1, &blocks, Decoder::Exact).unwrap();
            psnr += found.psnr_rgb();
        }
        println!(
            "| {} | {:.3} | {:.3} |",
            quality.name(),
            psnr / paths.len() as f64,
            texel_count / seconds / 1e6
        );
    }
}
