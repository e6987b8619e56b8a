//! Tests that every variant of BC1's kernels writes the blocks of the CPU's encoder.

use brickwork_base::testing::skip;
use brickwork_gpu::testing;
use brickwork_papers::{cuda::ClusterFitVariant, lsdxt::LsdxtVariant};
use brickwork_texture::{
    BlockFormat, ChannelWeights, CpuEncoder, EncodeOptions, Encoder, ImageView, Quality, RoundingRule, Task,
    bc::bc1::Method, gpu::GpuEncoder,
};

/// Sizes with texels at edges, and of several workgroups.
const SIZES: [(u32, u32); 4] = [(1, 1), (5, 7), (16, 4), (33, 9)];

fn encode(
    encoder: &Encoder,
    texels: &[[u8; 4]],
    (width, height): (u32, u32),
    options: &EncodeOptions,
) -> Vec<u8> {
    let image = ImageView::new(texels, width, height).unwrap();
    let mut blocks = vec![0; BlockFormat::Bc1.image_bytes(width, height) as usize];
    encoder.encode_into(&image, BlockFormat::Bc1, options, &mut blocks, &Task::new()).unwrap();
    blocks
}

/// Function that returns the texel at a place, given a source of bytes.
type Texel<'a> = dyn FnMut(u32, u32, &mut dyn FnMut() -> u8) -> [u8; 4] + 'a;

/// Returns images with noise, slopes, blocks of one colour, and texels that are cut out.
fn images((width, height): (u32, u32)) -> [Vec<[u8; 4]>; 4] {
    let mut state = 1u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let mut image = |texel: &mut Texel<'_>| {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        places.map(|(x, y)| texel(x, y, &mut byte)).collect()
    };
    [
        image(&mut |_, _, byte| [byte(), byte(), byte(), 255]),
        image(&mut |x, y, byte| [(x * 3) as u8, 90 + (y % 64) as u8 + byte() % 8, 120, 255]),
        image(&mut |x, y, _| [(x / 4 * 37) as u8, (y / 4 * 91) as u8, 200, 255]),
        image(&mut |_, _, byte| [byte(), byte(), byte() / 2, if byte() < 128 { 0 } else { 255 }]),
    ]
}

/// Returns options that choose different code in the kernels.
fn option_sets(method: Method, quality: Quality) -> [EncodeOptions; 4] {
    let mut options = EncodeOptions::default();
    options.quality = quality;
    options.bc1.method = method;
    [
        options,
        options.with(|o| {
            o.rounding_rule = RoundingRule::Nvidia;
            o.bc1.alpha_threshold = 0;
        }),
        options.with(|o| {
            o.weights = ChannelWeights::LUMA;
            o.bc1.three_color = false;
        }),
        options.with(|o| {
            o.rounding_rule = RoundingRule::Amd;
            o.bc1.transparent_black = true;
        }),
    ]
}

/// Compares an encoder with the CPU's, on images up to this width.
fn compare(gpu: GpuEncoder, options: &EncodeOptions, most: u32, what: &str) {
    let (cpu, gpu) = (Encoder::from(CpuEncoder::new()), Encoder::from(gpu));
    for size in SIZES.into_iter().filter(|(width, _)| *width <= most) {
        for (number, texels) in images(size).iter().enumerate() {
            let [expected, found] = [&cpu, &gpu].map(|encoder| encode(encoder, texels, size, options));
            assert!(expected == found, "{what}, image {number} of {size:?}, {options:?}");
        }
    }
}

#[test]
fn every_variant_of_cluster_fit_gives_the_twin_s_bytes() {
    let Some(context) = testing::context() else { return };
    for &variant in ClusterFitVariant::ALL {
        let Some(gpu) = variant.encoder(&context) else {
            skip(format_args!("too small subgroups for {variant:?}"));
            continue;
        };
        for &quality in Quality::ALL {
            for (set, options) in option_sets(Method::ClusterFit, quality).iter().enumerate() {
                // Few sizes, because lavapipe 22.3 leaks memory with every dispatch.
                let most = if quality == Quality::Fast && set == 0 { 33 } else { 8 };
                compare(gpu.clone(), options, most, &format!("{variant:?}"));
            }
        }
    }
}

#[test]
fn every_variant_of_lsdxt_gives_the_twin_s_bytes() {
    let Some(context) = testing::context() else { return };
    for &variant in LsdxtVariant::ALL {
        let Some(gpu) = variant.encoder(&context) else {
            skip(format_args!("too small subgroups for {variant:?}"));
            continue;
        };
        for &quality in Quality::ALL {
            // The widest search differs from the others only in its radius.
            let (sets, most) = match quality {
                Quality::Best => (1, 5),
                Quality::High => (usize::MAX, 16),
                _ => (usize::MAX, 33),
            };
            for options in option_sets(Method::Lsdxt, quality).iter().take(sets) {
                compare(gpu.clone(), options, most, &format!("{variant:?}"));
            }
        }
    }
}

/// A variant that ran the texture crate's kernels would give the same bytes.
#[test]
fn each_variant_runs_its_own_kernels() {
    let Some(context) = testing::context() else { return };
    let texels = [[9u8, 8, 7, 255]; 64];
    let image = ImageView::new(&texels, 8, 8).unwrap();
    let names = |gpu: &GpuEncoder, method| -> Option<Vec<String>> {
        let mut blocks = [0; 32];
        let [options, ..] = option_sets(method, Quality::Normal);
        let times = gpu.time_kernels(&image, BlockFormat::Bc1, &options, &mut blocks).unwrap()?;
        Some(times.into_iter().map(|kernel| kernel.name.clone()).collect())
    };
    let group = ClusterFitVariant::Group64.encoder(&context).expect("needs no subgroups");
    let Some(names_of_group) = names(&group, Method::ClusterFit) else { return skip("no timestamps") };
    assert!(names_of_group.iter().any(|name| name == "bc1 order, group of 64"), "{names_of_group:?}");
    assert!(!names_of_group.iter().any(|name| name == "bc1 descend"), "{names_of_group:?}");
    let local = LsdxtVariant::LocalMemory.encoder(&context).expect("needs no subgroups");
    let names_of_local = names(&local, Method::Lsdxt).expect("timestamps");
    for step in 1..=3 {
        assert!(names_of_local.contains(&format!("lsdxt local {step}")), "{names_of_local:?}");
    }
}
