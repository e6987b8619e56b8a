//! Tests of calls that work only on the calling thread.

use crate::common::Random;
use brickwork_image::image_file::{ImageReadOptions, PngTexels, write_png};
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, CpuEncoder, DecodeOptions, EncodeOptions, Encoder, ImageIndex,
    ImageView, Progress, Quality, RdoLambda, RoundingRule, Surfaces, Task, TexelFormat, Texture, TextureDesc,
    Threads,
    container::{ContainerFormat, TextureReadOptions, TextureWriteOptions},
    encode_texture, metrics,
    mips::{MipOptions, next_level},
    pictures::read,
};
use std::{
    io::Cursor,
    num::NonZeroUsize,
    sync::{Arc, Barrier, Mutex, mpsc},
    thread::{self, ThreadId},
    time::Duration,
};

const WIDTH: u32 = 260;
const HEIGHT: u32 = 150;

/// Maximum time of all calls together, on a machine that also does other work.
const LIMIT: Duration = Duration::from_secs(120);

/// Makes every long call of the crate, and returns the threads that reported progress.
fn work_in_every_way(choice: Threads) -> Vec<ThreadId> {
    let threads = Mutex::new(Vec::new());
    let note = |_: Progress| threads.lock().expect("no panic").push(thread::current().id());
    let task = Task::new().with_progress(&note).with_threads(choice);
    let mut random = Random(5);
    let texels: Vec<_> = (0..WIDTH * HEIGHT).map(|_| [0; 4].map(|_: u8| random.byte())).collect();
    let image = ImageView::new(&texels, WIDTH, HEIGHT).expect("texels");
    let fast = EncodeOptions::default().with(|o| o.quality = Quality::Fast);
    let rdo = fast.with(|o| o.rdo = RdoLambda::new(1.0).expect("a number"));
    let four = NonZeroUsize::new(4).expect("not 0");
    for cpu in [CpuEncoder::new(), CpuEncoder::new().with_threads(four)] {
        let encoder = Encoder::from(cpu);
        for (format, options) in [
            (BlockFormat::Bc1, fast),
            (BlockFormat::Bc1, rdo),
            (BlockFormat::Bc3, fast.with(|o| o.weigh_by_alpha = true)),
        ] {
            let desc = TextureDesc::of_image(&image, format).with_full_mips();
            let texture = encode_texture(&encoder, &image, &desc, &options, &task).expect("memory");
            texture.decode(ImageIndex::default(), &DecodeOptions::default(), &task).expect("memory");
            let blocks = texture.image(0, 0, 0).expect("an image");
            metrics::compare_blocks(&image, format, blocks, RoundingRule::Exact, &task).expect("one size");
            let mut file = Vec::new();
            texture
                .write(&mut file, ContainerFormat::Ktx2, &TextureWriteOptions::default(), &task)
                .expect("memory");
            Texture::read(Cursor::new(file), &TextureReadOptions::default(), &task).expect("our own file");
        }
        let desc = TextureDesc::new_3d(BlockFormat::Bc4Unorm, WIDTH, HEIGHT, 2).with_full_mips();
        encode_texture(&encoder, Surfaces::list(&[image; 2]), &desc, &fast, &task).expect("memory");
    }
    let mips = MipOptions::new(ColorSpace::Srgb, AlphaMode::Straight);
    for format in [TexelFormat::Rgba8, TexelFormat::Rgba16, TexelFormat::RgbaF16] {
        next_level(&image, format, mips, &task).expect("memory");
    }
    metrics::compare(&image, &image, &task).expect("one size");
    metrics::difference(&image, &image, 1, &task).expect("one size");
    let mut png = Vec::new();
    write_png(&mut png, WIDTH, HEIGHT, PngTexels::Rgba8(&texels), ColorSpace::Srgb, &task).expect("memory");
    read(Cursor::new(png), None, &ImageReadOptions::default(), &task).expect("our own file");
    threads.into_inner().expect("no panic")
}

/// Occupies every thread of rayon's global pool. A call that used the pool would wait until the end of the
/// test.
#[test]
fn the_pool_is_not_needed() {
    let count = rayon::current_num_threads();
    let (free, busy) = (Arc::new(Barrier::new(count + 1)), Arc::new(Barrier::new(count + 1)));
    let barriers = (Arc::clone(&busy), Arc::clone(&free));
    rayon::spawn_broadcast(move |_| {
        barriers.0.wait();
        barriers.1.wait();
    });
    busy.wait();
    let (sender, receiver) = mpsc::channel();
    let caller = thread::spawn(move || {
        let threads = work_in_every_way(Threads::Calling);
        let _ = sender.send(threads.iter().all(|&id| id == thread::current().id()));
    });
    let result = receiver.recv_timeout(LIMIT);
    free.wait();
    caller.join().expect("no panic");
    assert_eq!(result, Ok(true), "only the calling thread works, and it is done in time");
}

#[test]
fn the_pool_works_by_default() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
    let threads = pool.install(|| work_in_every_way(Threads::Pool));
    assert!(threads.iter().any(|id| *id != threads[0]));
}
