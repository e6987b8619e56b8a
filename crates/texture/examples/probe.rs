use brickwork_texture::{gpu::*, *};
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (w, h): (u32, u32) = (args[1].parse().unwrap(), args[2].parse().unwrap());
    let quality: Quality = args[3].parse().unwrap();
    let mut seed = 1u32;
    let texels: Vec<[u8; 4]> = (0..w * h)
        .map(|i| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            let n = (seed >> 24) as u8 / 8;
            [(i % w) as u8 + n, (i / w) as u8 + n, 90 + n, 255]
        })
        .collect();
    let image = ImageView::new(&texels, w, h).unwrap();
    let mut options = EncodeOptions::default();
    options.quality = quality;
    let context = Context::open(&ContextOptions::default()).unwrap();
    println!("{}", context.info().unwrap());
    let mut cpu = vec![0; BlockFormat::Bc1.image_bytes(w, h) as usize];
    CpuEncoder::new().encode_into(&image, &options, &mut cpu).unwrap();
    for shape in &args[4..] {
        let gpu = GpuEncoder::new(context.clone());
        let mut blocks = vec![0; cpu.len()];
        for run in 0..3 {
            let start = Instant::now();
            gpu.encode_into(&image, &options, &mut blocks).unwrap();
            println!("{shape:?} run {run}: {:?} equal {}", start.elapsed(), blocks == cpu);
        }
    }
}
