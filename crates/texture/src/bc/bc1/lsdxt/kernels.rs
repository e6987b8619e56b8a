//! The GPU side of LSDxt: one kernel per step, with the same bytes as the twin. A thread keeps its block in
//! registers: all indices are constants.
//!
//! | file | what |
//! |---|---|
//! | `lsdxt.wgsl` | bindings, and the arithmetic of steps 1 and 2 |
//! | `block.wgsl` | a block's texels in one thread |
//! | `constant_first.wgsl` `constant_refine.wgsl` | steps 1 and 2 |
//! | `search.wgsl` `search_registers.wgsl` `winner_local.wgsl` | step 3 |
//! | `finish.wgsl` | the block that is written |
//! | `enter.wgsl` | the entry point of every step |

use super::Effort;
use crate::{
    Quality,
    bc::bc1::{
        parts::{FIRST_BAND_BLOCKS, Parts},
        stage::{self, Stage, with_and_without_masks},
    },
    bc::order::SORT,
    chain::Bind,
};
use brickwork_gpu::{Binding, Kernel};

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
pub(in crate::bc::bc1) fn stages(quality: Quality) -> Vec<Stage> {
    let effort = Effort::new(quality);
    let side = 2 * effort.radius + 1;
    let first = kernel("lsdxt constant 1", &["constant_first.wgsl"]).part(&sort_values());
    let refine = kernel("lsdxt constant 2", &["constant_refine.wgsl"]);
    let refine = refine.with("REFINEMENTS", effort.refinements as f64);
    let mut stages = vec![stage(first, 64, u32::MAX), stage(refine, 64, u32::MAX)];
    if effort.radius > 0 {
        stages.extend(with_and_without_masks(search(side)));
    }
    let finish = kernel("lsdxt finish", &["finish.wgsl"]);
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

fn search(side: usize) -> Stage {
    let threads = if side == 3 { 16 } else { 64 };
    let group = 64;
    let kernel = kernel("lsdxt constant 3", &["search_registers.wgsl", "winner_local.wgsl"])
        .with("SIDE", side as f64)
        .with("THREADS", f64::from(threads))
        .with("GROUP", f64::from(group));
    let candidates = (side as u32).pow(6);
    stage(kernel, group / threads, DISPATCH_CANDIDATES / candidates)
}

/// Returns a kernel whose threads call `run_step`, which these files of this folder define.
fn kernel(name: &'static str, files: &[&str]) -> Kernel {
    let paths = [files, &["enter.wgsl"]].concat().into_iter().map(|file| format!("bc/bc1/lsdxt/{file}"));
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
