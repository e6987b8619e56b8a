//! BC7's chain of kernels on the GPU, with their bindings.

use super::{
    params::{self, Params, Slots, most_candidates},
    partitions::TWO_SUBSETS,
    plan::Plan,
    real_time, real_time_two,
};
use crate::{
    EncodeOptions, RealTime,
    chain::{Between, Bind, Chain, Dispatch, Single, Step, Table, Work},
    wgsl::WGSL,
};
use brickwork_gpu::{Binding, Kernel};

/// Blocks in the first band, before the speed is known. They take a fraction of a second on a software
/// adapter.
const FIRST_BAND_BLOCKS: u32 = 256;
/// Blocks in the first band in real time.
const FIRST_BAND_BLOCKS_IN_REAL_TIME: u32 = 1 << 14;

/// Maximum number of blocks in one dispatch. It keeps dispatches short on slow GPUs and for large recorded
/// regions.
const BLOCKS_PER_DISPATCH: u32 = 1 << 15;

/// Data between the kernels: properties of blocks, candidates, endpoints of their parts, candidates to
/// improve, errors of blocks.
const INFOS: Bind = Bind::Between(0);
const CHOICES: Bind = Bind::Between(1);
const FITS: Bind = Bind::Between(2);
const CHOSEN: Bind = Bind::Between(3);
const ERRORS: Bind = Bind::Between(4);

/// Returns the chain for these options.
pub(crate) fn chain(options: &EncodeOptions) -> Chain {
    if let Some(level) = options.real_time {
        return crate::real_time::chain(single(level), FIRST_BAND_BLOCKS_IN_REAL_TIME);
    }
    let plans = Plan::all(options.quality, options.bc7.modes);
    let slots = plans.iter().map(most_candidates).max().unwrap_or(1);
    let climbs = plans.iter().map(|plan| plan.climbs.max(1)).max().unwrap_or(1) as u64;
    let between = |label, words: u64| Between { label, bytes_per_block: 4 * words };
    let mut chain = Chain {
        between: vec![
            between("blocks", 1),
            between("candidates", slots.into()),
            between("endpoints of parts", 9 * u64::from(slots)),
            between("candidates to improve", climbs),
            between("errors", 1),
        ],
        tables: vec![Table {
            label: "BC7 tables",
            contents: params::tables().into_iter().flat_map(u32::to_ne_bytes).collect(),
        }],
        steps: Vec::new(),
        single: None,
        first_band_blocks: FIRST_BAND_BLOCKS,
        most_blocks: u32::MAX,
    };
    for (number, plan) in plans.into_iter().enumerate() {
        let is_second = number > 0;
        let first = Slots { all: slots, first: 0, count: 1, parts: 2 };
        let others = Slots { all: slots, first: 1, count: slots - 1, parts: 3 };
        let mut add = |kernel, binds: &[Bind], slots: Slots, parts_per_block, parts_per_workgroup| {
            let options = *options;
            let work = move |dispatch: &Dispatch| Work {
                parts: parts_per_block,
                params: bytemuck::bytes_of(&Params::new(&options, &plan, is_second, slots, dispatch))
                    .to_vec(),
            };
            let common = [Bind::Params, Bind::Table(0), Bind::Texels];
            chain.steps.push(Step {
                kernel,
                binds: common.into_iter().chain(binds.iter().copied()).collect(),
                parts_per_workgroup,
                blocks_per_dispatch: BLOCKS_PER_DISPATCH,
                work: Box::new(work),
            });
        };
        add(propose_kernel(), &[INFOS, CHOICES], first, 1, 64);
        add(fit_kernel(), &[INFOS, CHOICES, FITS], first, 2, 64);
        add(rank_kernel(), &[INFOS, FITS, CHOICES], first, 1, 1);
        add(fit_kernel(), &[INFOS, CHOICES, FITS], others, 3 * others.count, 64);
        if plan.climbs > 0 {
            add(choose_kernel(), &[CHOICES, FITS, CHOSEN], others, 1, 64);
            add(climb_kernel(), &[INFOS, CHOICES, CHOSEN, FITS], others, 3 * plan.climbs as u32, 64);
        }
        add(finish_kernel(), &[INFOS, CHOICES, FITS, ERRORS, Bind::Blocks], others, 1, 64);
    }
    chain
}

/// Returns the encoder of a level.
fn single(level: RealTime) -> Single {
    let name = match level {
        RealTime::Level1 => "bc7 real time 1",
        RealTime::Level2 => "bc7 real time 2",
        RealTime::Level3 => "bc7 real time 3",
    };
    let complete = move |kernel: Kernel| {
        let kernel = kernel.constant("LEVEL", level as u32 + 1);
        match level {
            RealTime::Level1 => kernel.file(&WGSL, "bc/bc7/real_time_one.wgsl"),
            RealTime::Level2 | RealTime::Level3 => kernel
                .constant("ROUNDS", real_time::rounds(level) as u32)
                .constants([
                    ("FIRST_SCALE", real_time::FIRST_SCALE),
                    ("FIRST_PLACE", real_time::FIRST_PLACE),
                    ("SEVEN_BITS", real_time_two::SEVEN_BITS),
                    ("FAR", real_time_two::FAR),
                ])
                .part(&nearest_partitions())
                .file(&WGSL, "bc/bc7/real_time_two.wgsl"),
        }
    };
    Single { name: name.into(), block_bytes: 16, complete: Box::new(complete) }
}

/// Returns WGSL of a function that returns the keys of the nearest partitions: see `real_time_two.rs`. Its
/// numbers are part of its instructions.
fn nearest_partitions() -> String {
    let lines: String = (0..64)
        .map(|partition| {
            let (key, texels) = (real_time_two::key(partition), TWO_SUBSETS[partition]);
            format!("found = nearer(found, {key}u + (distance_of(sides ^ {texels}u) << 26u));\n")
        })
        .collect();
    format!(
        "// Returns the number of bits or of other bits, if that is smaller.\n\
         fn distance_of(bits: u32) -> u32 {{\n\
         let count = countOneBits(bits);\n\
         return min(count, 16u - count);\n\
         }}\n\
         // Returns the smaller two of three numbers; only the smallest counts for one partition.\n\
         fn nearer(found: vec2<u32>, key: u32) -> vec2<u32> {{\n\
         return vec2(min(found.x, key), min(found.y, max(found.x, key)));\n\
         }}\n\
         // Returns the keys of the two nearest partitions.\n\
         fn nearest_partitions(sides: u32) -> vec2<u32> {{\n\
         var found = vec2(0xffffffffu);\n\
         {lines}\
         return found & vec2(0x3ffffffu);\n\
         }}\n"
    )
}

/// Returns a kernel that binds the parameters, the tables, the texels and then `more`.
fn kernel(name: &'static str, file: &str, more: &[Binding]) -> Kernel {
    let bindings = [&[Binding::Uniform, Binding::Read, Binding::Read], more].concat();
    Kernel::new(name, &bindings).file(&WGSL, file).constants(params::constants())
}

fn propose_kernel() -> Kernel {
    kernel("bc7 propose", "bc/bc7/propose.wgsl", &[Binding::Write, Binding::Write])
}

fn fit_kernel() -> Kernel {
    kernel("bc7 fit", "bc/bc7/fit.wgsl", &[Binding::Read, Binding::Read, Binding::Write])
}

fn rank_kernel() -> Kernel {
    kernel("bc7 rank", "bc/bc7/rank.wgsl", &[Binding::Read, Binding::Read, Binding::Write])
}

fn choose_kernel() -> Kernel {
    kernel("bc7 choose", "bc/bc7/choose.wgsl", &[Binding::Read, Binding::Read, Binding::Write])
}

fn climb_kernel() -> Kernel {
    let more = [Binding::Read, Binding::Read, Binding::Read, Binding::Write];
    kernel("bc7 climb", "bc/bc7/climb.wgsl", &more)
}

fn finish_kernel() -> Kernel {
    let more = [Binding::Read, Binding::Read, Binding::Read, Binding::Write, Binding::Write];
    kernel("bc7 finish", "bc/bc7/finish.wgsl", &more)
}

/// Returns every kernel of the qualities, uncompiled.
pub(crate) fn kernels() -> Vec<Kernel> {
    vec![propose_kernel(), fit_kernel(), rank_kernel(), choose_kernel(), climb_kernel(), finish_kernel()]
}

/// Returns the encoders in real time.
pub(crate) fn singles() -> impl Iterator<Item = Single> {
    RealTime::ALL.iter().map(|&level| single(level))
}
