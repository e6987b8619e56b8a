//! The GPU side of LSDxt: for each variant one kernel per step, with the same bytes as the twin.
//!
//! | file | what |
//! |---|---|
//! | `lsdxt.wgsl` | bindings, and the arithmetic of steps 1 and 2 |
//! | `block.wgsl` | a block's texels in one thread |
//! | `constant_*.wgsl` `dynamic_*.wgsl` `local*.wgsl` `subgroup*.wgsl` | steps 1 (`first`) and 2 (`refine`) |
//! | `search.wgsl` and `search_*.wgsl`, `winner_*.wgsl` | step 3, and the variants' parts of it |
//! | `finish.wgsl` | the block that is written |
//! | `enter.wgsl` `enter_subgroup.wgsl` | the entry point of every step |

use super::Effort;
use crate::{
    Quality,
    bc::bc1::{
        LsdxtVariant,
        chain::FIRST_BAND_BLOCKS,
        params::Parts,
        stage::{self, Stage, with_and_without_masks},
    },
    bc::order::SORT,
    chain::Bind,
};
use brickwork_gpu::{Binding, Kernel};
use std::borrow::Cow;

/// Blocks in the first band at the best quality, which takes milliseconds per block on a software adapter.
const FIRST_BAND_BLOCKS_OF_BEST: u32 = 64;
/// At quality high 15,625 candidates are tried for each block, at best 531,441. A GPU of 10 TFLOPS takes
/// about a second for this many blocks, by the model of docs/kernels.md.
const MAX_BLOCKS_OF_HIGH: u32 = 1 << 19;
const MAX_BLOCKS_OF_BEST: u32 = 1 << 14;

/// Returns the number of blocks of the first band, and the maximum of one region.
pub(in crate::bc::bc1) fn band_blocks(quality: Quality) -> (u32, u32) {
    match quality {
        Quality::Best => (FIRST_BAND_BLOCKS_OF_BEST, MAX_BLOCKS_OF_BEST),
        Quality::High => (FIRST_BAND_BLOCKS, MAX_BLOCKS_OF_HIGH),
        Quality::Ultrafast | Quality::Fast | Quality::Normal => (FIRST_BAND_BLOCKS, u32::MAX),
    }
}

/// Returns the kernels that encode blocks, in order.
pub(in crate::bc::bc1) fn stages(variant: LsdxtVariant, quality: Quality) -> Vec<Stage> {
    let effort = Effort::new(quality);
    let side = 2 * effort.radius + 1;
    let (word, blocks) = match variant {
        LsdxtVariant::Constant => ("constant", 64),
        LsdxtVariant::Dynamic => ("dynamic", 64),
        LsdxtVariant::LocalMemory => ("local", 4),
        LsdxtVariant::Subgroup => ("subgroup", 4),
    };
    let step = |number: u32, file: &str| {
        kernel(format!("lsdxt {word} {number}"), variant, &[&format!("{word}_{file}.wgsl")])
    };
    let mut first = step(1, "first");
    if variant == LsdxtVariant::Constant {
        first = first.part(&sort_values());
    }
    let refine = step(2, "refine").with("REFINEMENTS", effort.refinements as f64);
    let mut stages = vec![stage(first, blocks, u32::MAX), stage(refine, blocks, u32::MAX)];
    if effort.radius > 0 {
        stages.extend(with_and_without_masks(search(variant, side)));
    }
    let finish = kernel("lsdxt finish", LsdxtVariant::Constant, &["finish.wgsl"]);
    stages.push(stage(finish.with("SIDE", side as f64), 64, u32::MAX));
    stages
}

fn stage(kernel: Kernel, parts_per_workgroup: u32, blocks_per_dispatch: u32) -> Stage {
    let parts = Parts::Block;
    Stage {
        kernel,
        binds: vec![Bind::Blocks],
        parts,
        parts_per_workgroup,
        blocks_per_dispatch,
        masked: None,
        other_axes: false,
    }
}

/// Maximum number of candidates in one dispatch: milliseconds on a GPU. For software adapters, bands limit
/// the number of blocks at a time.
const DISPATCH_CANDIDATES: u32 = 1 << 30;

fn search(variant: LsdxtVariant, side: usize) -> Stage {
    let (name, files) = match variant {
        LsdxtVariant::Constant => ("lsdxt constant 3", ["search_registers.wgsl", "winner_local.wgsl"]),
        LsdxtVariant::Dynamic => ("lsdxt dynamic 3", ["search_dynamic.wgsl", "winner_local.wgsl"]),
        LsdxtVariant::LocalMemory => ("lsdxt local 3", ["search_local.wgsl", "winner_local.wgsl"]),
        LsdxtVariant::Subgroup => ("lsdxt subgroup 3", ["search_registers.wgsl", "winner_subgroup.wgsl"]),
    };
    // lavapipe stops a thread after 65,535 loop iterations in all: 6561 / 256 pairs · 81 of blue · 16 texels
    // and a few more are half of that; the other variants have no loop over texels.
    let threads = match (side, variant) {
        (3, _) => 16,
        (9, LsdxtVariant::Dynamic) => 256,
        _ => 64,
    };
    let group = threads.max(64);
    let kernel = kernel(name, variant, &files)
        .with("SIDE", side as f64)
        .with("THREADS", f64::from(threads))
        .with("GROUP", f64::from(group));
    let candidates = (side as u32).pow(6);
    stage(kernel, group / threads, DISPATCH_CANDIDATES / candidates)
}

/// Returns a kernel whose threads call `run_step`, which these files of this folder define.
fn kernel(name: impl Into<Cow<'static, str>>, variant: LsdxtVariant, files: &[&str]) -> Kernel {
    let enter = match variant {
        LsdxtVariant::Subgroup => "enter_subgroup.wgsl",
        LsdxtVariant::Constant | LsdxtVariant::Dynamic | LsdxtVariant::LocalMemory => "enter.wgsl",
    };
    let paths = [files, &[enter]].concat().into_iter().map(|file| format!("bc/bc1/papers/lsdxt/{file}"));
    stage::kernel(name, &paths.collect::<Vec<_>>(), &[Binding::Write])
}

/// Returns the sorting network, comparator by comparator.
fn sort_values() -> String {
    let mut text = "fn sort_values() {\n".to_owned();
    for (lower, upper) in SORT {
        text += &format!("    compare({lower}u, {upper}u);\n");
    }
    text + "}\n"
}
