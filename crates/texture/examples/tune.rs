#![allow(unsafe_code)]
use brickwork_texture::*;
use std::num::NonZeroUsize;
#[repr(C)]
struct Ts {
    s: i64,
    n: i64,
}
unsafe extern "C" {
    fn clock_gettime(c: i32, t: *mut Ts) -> i32;
}
#[allow(unsafe_code)]
fn cpu() -> f64 {
    let mut t = Ts { s: 0, n: 0 };
    unsafe {
        clock_gettime(3, &mut t);
    }
    t.s as f64 + t.n as f64 * 1e-9
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let qualities: Vec<Quality> = args
        .get(1)
        .map(|a| a.split(',').map(|q| q.parse().unwrap()).collect())
        .unwrap_or(Quality::ALL.to_vec());
    let decoder: Decoder = args.get(2).map(|d| d.parse().unwrap()).unwrap_or_default();
    let levels: Vec<SimdLevel> =
        if args.get(3).is_some() { SimdLevel::ALL.to_vec() } else { vec![SimdLevel::detect()] };
    let mut images = vec![];
    let dir = std::env::var("DIR").unwrap_or("test-data/kodak".into());
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    for p in paths {
        let i = image::open(p).unwrap().to_rgba8();
        let (w, h) = i.dimensions();
        images.push((w, h, bytemuck::allocation::cast_vec::<u8, [u8; 4]>(i.into_raw())));
    }
    for level in levels {
        for &quality in &qualities {
            let mut options = EncodeOptions::default();
            options.quality = quality;
            options.decoder = decoder;
            options.alpha_threshold = 0;
            let encoder = CpuEncoder::new().with_simd_level(level).unwrap().with_threads(NonZeroUsize::MIN);
            let (mut psnr, mut pix) = (0.0, 0u64);
            let mut time = f64::MAX;
            let mut hash = 0u64;
            let reps = std::env::var("REPS").ok().and_then(|r| r.parse().ok()).unwrap_or(2);
            for _ in 0..reps {
                let mut tt = 0.0;
                psnr = 0.0;
                pix = 0;
                hash = 0;
                for (w, h, t) in &images {
                    let view = ImageView::new(t, *w, *h).unwrap();
                    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(*w, *h) as usize];
                    let t0 = cpu();
                    encoder.encode_into(&view, &options, &mut blocks).unwrap();
                    tt += cpu() - t0;
                    pix += (w * h) as u64;
                    for b in blocks.chunks(8) {
                        hash = hash.rotate_left(5).wrapping_mul(0x9E3779B97F4A7C15)
                            ^ u64::from_le_bytes(b.try_into().unwrap());
                    }
                    let mut out = vec![[0; 4]; t.len()];
                    decode_into(BlockFormat::Bc1, &blocks, *w, *h, decoder, &mut out).unwrap();
                    let e: u64 = t
                        .iter()
                        .zip(&out)
                        .map(|(a, b)| (0..3).map(|c| (a[c].abs_diff(b[c]) as u64).pow(2)).sum::<u64>())
                        .sum();
                    psnr += 10.0 * (255.0f64 * 255.0 / (e as f64 / t.len() as f64 / 3.0)).log10();
                }
                time = time.min(tt);
            }
            println!(
                "{:8} {:10} {:7.4} dB {:8.2} Mpix/s {:016x}",
                level.name(),
                quality.name(),
                psnr / images.len() as f64,
                pix as f64 / time / 1e6,
                hash
            );
        }
    }
}
