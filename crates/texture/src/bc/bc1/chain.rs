//! BC1's chain of kernels on the GPU, with their bindings.
//!
//! Cluster fit has five stages with one thread per small task. LSDxt has its own kernels.

#[cfg(feature = "lsdxt")]
use super::lsdxt;
use super::{
    Method, clusterings,
    palette::ChannelRule,
    params::{self, Params, Place, SimpleParams},
    parts::{FIRST_BAND_BLOCKS, Parts},
    rows::ColorEncoder,
    settings::{Effort, LONG_CLIMB_AT, Settings},
    stage::{
        CLIMBED, RANGED, SORTED, STARTS, Stage, along_other_axes, kernel, one_thread_each,
        with_and_without_masks,
    },
    two_colors,
};
use crate::{
    EncodeOptions, Quality,
    bc::real_time,
    chain::{Between, Bind, Chain, Dispatch, Step, Table, Work},
    wgsl::WGSL,
};
use brickwork_gpu::{
    Binding::{Read, Uniform, Write},
    Kernel,
};

/// Tables that most kernels bind.
const TABLES: Bind = Bind::Table(0);
/// Table of simple.wgsl and finish.wgsl.
const MATCHES: Bind = Bind::Table(1);
/// Table of search.wgsl.
const GAINS: Bind = Bind::Table(2);

/// Returns the chain for these options.
pub(super) fn chain(options: &EncodeOptions) -> Chain {
    if let Some(level) = options.real_time {
        return real_time::chain(real_time::BC1, level, options.bc1.alpha_threshold);
    }
    chain_to(Place { block_words: 2, first_word: 0 }, options)
}

/// Returns the chain for the colours of BC2 and BC3: see [`ColorEncoder`](super::ColorEncoder).
pub(crate) fn color_chain(options: &EncodeOptions) -> Chain {
    chain_to(Place { block_words: 4, first_word: 2 }, &ColorEncoder::options(options))
}

fn chain_to(place: Place, options: &EncodeOptions) -> Chain {
    let settings = Settings::new(options);
    let mut stages = Vec::new();
    if options.quality >= Quality::Fast && !options.bc1.transparent_black {
        stages.push(two_colors_stage());
    }
    let (params, between, first_band_blocks, most_blocks) = match options.bc1.method {
        Method::Auto | Method::ClusterFit => {
            let effort = Effort::new(options.quality);
            stages.extend(cluster_fit_stages(effort, options.bc1.transparent_black));
            let params = Params::new(&settings);
            let bytes = |label, bytes_per_block| Between { label, bytes_per_block };
            let between = vec![
                bytes("sorted texels", 256 * u64::from(params.ordering_count())),
                bytes("range fits", 8),
                bytes("starts", 8 * u64::from(params.start_count())),
                bytes("climbs", 8 * u64::from(params.count(Parts::Climbs))),
            ];
            (params, between, FIRST_BAND_BLOCKS, u32::MAX)
        }
        #[cfg(feature = "lsdxt")]
        Method::Lsdxt => {
            stages.extend(lsdxt::kernels::stages(options.quality));
            let (first, most) = lsdxt::kernels::band_blocks(options.quality);
            (Params::for_lsdxt(&settings), Vec::new(), first, most)
        }
    };
    for stage in &mut stages {
        stage.kernel = specialized(stage.kernel.clone(), &settings);
    }
    let mut steps = vec![simple_step(options, place)];
    let params = params.to(place);
    steps.extend(stages.into_iter().map(|stage| step(stage, params, options.bc1.alpha_threshold)));
    let table = |label, contents: &[u32]| Table { label, contents: bytemuck::cast_slice(contents).to_vec() };
    let tables: Vec<u32> = params::tables().into_iter().map(f32::to_bits).collect();
    let gains: Vec<u32> = clusterings::gains().into_iter().map(f32::to_bits).collect();
    let tables =
        vec![table("tables", &tables), table("matches", &params::matches(&settings)), table("gains", &gains)];
    Chain { between, tables, steps, single: None, first_band_blocks, most_blocks }
}

/// Returns the kernel with those of its `override` constants that follow from the settings.
fn specialized(kernel: Kernel, settings: &Settings) -> Kernel {
    let has_falling_bias = |rule: &ChannelRule| rule.half.falling_bias > 0 || rule.third.falling_bias > 0;
    // A block's cost is at most 16 · 255² times the sum of the weights. It has to stay below 2^24.
    let weights = settings.weights.rgb().map(u32::from).iter().sum::<u32>();
    let values = [
        ("FALLING", settings.rule.channels.iter().any(has_falling_bias)),
        ("LIGHT", weights * 16 * 255 * 255 < 1 << 24),
        ("BLACK", settings.transparent_black),
    ];
    values.into_iter().fold(kernel, |kernel, (name, value)| {
        let is_declared = kernel.wgsl().contains(&format!("override {name} ="));
        if is_declared { kernel.with(name, value.into()) } else { kernel }
    })
}

/// Returns the step of the chain for a stage.
fn step(stage: Stage, params: Params, alpha_threshold: u8) -> Step {
    let Stage { kernel, binds, parts, parts_per_workgroup, blocks_per_dispatch, masked, other_axes } = stage;
    let params = if other_axes { params.of_other_axes() } else { params };
    let work = move |dispatch: &Dispatch| {
        let has_transparent = dispatch.has_alpha && alpha_threshold > 0;
        let has_masks = has_transparent || !dispatch.is_whole();
        let params = params.of(dispatch, has_masks);
        let is_for_this = masked.is_none_or(|masked| masked == has_masks);
        let parts = if is_for_this { params.count(parts) } else { 0 };
        Work { parts, params: bytemuck::bytes_of(&params).to_vec() }
    };
    Step {
        kernel,
        binds: [Bind::Params, TABLES, Bind::Texels].into_iter().chain(binds).collect(),
        parts_per_workgroup,
        blocks_per_dispatch,
        work: Box::new(work),
    }
}

/// Classifies texels, and writes blocks that are transparent or of one colour.
fn simple_step(options: &EncodeOptions, place: Place) -> Step {
    let options = *options;
    let work = move |dispatch: &Dispatch| Work {
        parts: 1,
        params: bytemuck::bytes_of(&SimpleParams::of(dispatch, &options, place)).to_vec(),
    };
    Step {
        kernel: simple_kernel(),
        binds: vec![Bind::Params, MATCHES, Bind::Texels, Bind::Blocks],
        parts_per_workgroup: 64,
        blocks_per_dispatch: u32::MAX,
        work: Box::new(work),
    }
}

pub(super) fn simple_kernel() -> Kernel {
    Kernel::new("bc1 simple", &[Uniform, Read, Write, Write])
        .file(&WGSL, "bc/bc1/simple.wgsl")
        .constants(params::constants())
}

/// Returns the stage that writes blocks of two colours. It runs after [`simple_step`].
fn two_colors_stage() -> Stage {
    let kernel = Kernel::new("bc1 two colors", &[Uniform, Read, Write, Write])
        .file(&WGSL, "bc/bc1/two_colors.wgsl")
        .constants(params::constants())
        .constants(two_colors::kernel_constants());
    let stage = one_thread_each(kernel, vec![Bind::Blocks], Parts::Block);
    Stage { parts_per_workgroup: two_colors::BLOCKS, ..stage }
}

pub(super) fn order_kernel() -> Kernel {
    kernel("bc1 order", &["bc/bc1/order.wgsl"], &[Write; 2])
}

/// Returns the stages of cluster fit, in order.
fn cluster_fit_stages(effort: Effort, transparent_black: bool) -> Vec<Stage> {
    let mut stages = vec![order_stage()];
    let search = search_stage(effort.starts);
    if transparent_black {
        // Any block may have dark texels left out.
        stages.push(Stage { kernel: search.kernel.with("MASKED", true.into()), ..search });
    } else {
        stages.extend(with_and_without_masks(search));
    }
    stages.extend(with_and_without_masks(descend_stage()));
    if effort.other_starts > 0 {
        stages.push(along_other_axes(order_stage()));
        let search = with_and_without_masks(search_stage(effort.other_starts));
        let descend = with_and_without_masks(descend_stage());
        stages.extend(search.into_iter().chain(descend).map(along_other_axes));
    }
    let is_long = effort.starts >= LONG_CLIMB_AT;
    let climb = kernel("bc1 climb", &["bc/bc1/climb.wgsl"], &[Read, Write]).with("LONG", is_long.into());
    stages.extend(with_and_without_masks(one_thread_each(climb, vec![STARTS, CLIMBED], Parts::Climbs)));
    if effort.restarts > 0 {
        let reindex = kernel("bc1 reindex", &["bc/bc1/reindex.wgsl"], &[Write]);
        stages.extend(with_and_without_masks(one_thread_each(reindex, vec![CLIMBED], Parts::Block)));
    }
    let finish = kernel("bc1 finish", &["bc/bc1/finish.wgsl"], &[Read, Read, Write, Read]);
    stages.push(one_thread_each(finish, vec![RANGED, CLIMBED, Bind::Blocks, MATCHES], Parts::Block));
    stages
}

fn order_stage() -> Stage {
    one_thread_each(order_kernel(), vec![SORTED, RANGED], Parts::Orderings)
}

fn search_stage(starts: usize) -> Stage {
    let search = kernel(name_of_search(starts), &["bc/bc1/search.wgsl"], &[Read, Write, Uniform])
        .constants(clusterings::constants())
        .constant("STARTS", starts as u32);
    one_thread_each(search, vec![SORTED, STARTS, GAINS], Parts::Families)
}

fn descend_stage() -> Stage {
    let descend = kernel("bc1 descend", &["bc/bc1/descend.wgsl"], &[Read, Write]);
    one_thread_each(descend, vec![SORTED, STARTS], Parts::Starts)
}

/// Returns the name of the kernel for a number of starts.
const fn name_of_search(starts: usize) -> &'static str {
    match starts {
        1 => "bc1 search, 1 start",
        2 => "bc1 search, 2 starts",
        4 => "bc1 search, 4 starts",
        _ => "bc1 search, 17 starts",
    }
}

/// Returns every kernel of every quality; for LSDxt, those of the widest search.
pub(crate) fn kernels() -> Vec<Kernel> {
    let mut options = EncodeOptions::default().with(|o| o.quality = Quality::Best);
    let mut all = Vec::new();
    for &quality in Quality::ALL {
        options.quality = quality;
        all.extend(chain(&options).steps);
    }
    #[cfg(feature = "lsdxt")]
    all.extend(chain(&options.with(|o| o.bc1.method = Method::Lsdxt)).steps);
    let mut kernels: Vec<Kernel> = Vec::new();
    for step in all {
        let is_same = |known: &Kernel| {
            let key = |kernel| (Kernel::name(kernel), Kernel::wgsl(kernel), Kernel::overrides(kernel));
            key(known) == key(&step.kernel)
        };
        if !kernels.iter().any(is_same) {
            kernels.push(step.kernel);
        }
    }
    kernels
}
