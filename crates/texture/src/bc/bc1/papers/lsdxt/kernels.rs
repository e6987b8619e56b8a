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
        params::Parts,
        stage::{self, Stage, with_and_without_masks},
        wgsl::{BEST, NEAREST, PALETTE, TOTAL, WORDS},
    },
    bc::order::SORT,
    chain::Bind,
};
use brickwork_gpu::{Binding, Kernel};

const BLOCK: &str = include_str!("block.wgsl");
const LOCAL: &str = include_str!("local.wgsl");
const SUBGROUP: &str = include_str!("subgroup.wgsl");

/// The kernels that encode blocks, in order.
pub(in crate::bc::bc1) fn stages(variant: LsdxtVariant, quality: Quality) -> Vec<Stage> {
    let effort = Effort::new(quality);
    let side = 2 * effort.radius + 1;
    let (names, [first, refine], blocks): (_, [&[&str]; 2], _) = match variant {
        LsdxtVariant::Constant => (
            ["lsdxt constant 1", "lsdxt constant 2"],
            [&[BLOCK, include_str!("constant_first.wgsl")], &[BLOCK, include_str!("constant_refine.wgsl")]],
            64,
        ),
        LsdxtVariant::Dynamic => (
            ["lsdxt dynamic 1", "lsdxt dynamic 2"],
            [&[BLOCK, include_str!("dynamic_first.wgsl")], &[BLOCK, include_str!("dynamic_refine.wgsl")]],
            64,
        ),
        LsdxtVariant::LocalMemory => (
            ["lsdxt local 1", "lsdxt local 2"],
            [&[LOCAL, include_str!("local_first.wgsl")], &[LOCAL, include_str!("local_refine.wgsl")]],
            4,
        ),
        LsdxtVariant::Subgroup => (
            ["lsdxt subgroup 1", "lsdxt subgroup 2"],
            [
                &[SUBGROUP, include_str!("subgroup_first.wgsl")],
                &[SUBGROUP, include_str!("subgroup_refine.wgsl")],
            ],
            4,
        ),
    };
    let mut first = kernel(names[0], variant, first);
    if variant == LsdxtVariant::Constant {
        first = first.part(&sort_values());
    }
    let refine = kernel(names[1], variant, refine).with("REFINEMENTS", effort.refinements as f64);
    let mut stages = vec![stage(first, blocks, u32::MAX), stage(refine, blocks, u32::MAX)];
    if effort.radius > 0 {
        stages.extend(with_and_without_masks(search(variant, side)));
    }
    let finish = kernel("lsdxt finish", LsdxtVariant::Constant, &[BLOCK, include_str!("finish.wgsl")]);
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

/// The most candidates in one dispatch: milliseconds on a GPU. How many blocks a software adapter may take at
/// a time is left to the bands.
const DISPATCH_CANDIDATES: u32 = 1 << 30;

fn search(variant: LsdxtVariant, side: usize) -> Stage {
    let registers = include_str!("search_registers.wgsl");
    let winner = include_str!("winner_local.wgsl");
    let (name, parts): (_, &[&str]) = match variant {
        LsdxtVariant::Constant => ("lsdxt constant 3", &[TOTAL, registers, winner]),
        LsdxtVariant::Dynamic => ("lsdxt dynamic 3", &[include_str!("search_dynamic.wgsl"), winner]),
        LsdxtVariant::LocalMemory => ("lsdxt local 3", &[include_str!("search_local.wgsl"), winner]),
        LsdxtVariant::Subgroup => {
            ("lsdxt subgroup 3", &[TOTAL, registers, include_str!("winner_subgroup.wgsl")])
        }
    };
    // lavapipe stops a thread after 65,535 loop iterations in all: 6561 / 256 pairs · 81 of blue · 16 texels
    // and a few more are half of that; the other variants have no loop over texels.
    let threads = match (side, variant) {
        (3, _) => 16,
        (9, LsdxtVariant::Dynamic) => 256,
        _ => 64,
    };
    let group = threads.max(64);
    let kernel = kernel(name, variant, &[BLOCK, include_str!("search.wgsl")])
        .parts(parts)
        .with("SIDE", side as f64)
        .with("THREADS", f64::from(threads))
        .with("GROUP", f64::from(group));
    let candidates = (side as u32).pow(6);
    stage(kernel, group / threads, DISPATCH_CANDIDATES / candidates)
}

/// A kernel whose threads call `run_step`, which these parts define.
fn kernel(name: &'static str, variant: LsdxtVariant, parts: &[&str]) -> Kernel {
    let enter = match variant {
        LsdxtVariant::Subgroup => include_str!("enter_subgroup.wgsl"),
        LsdxtVariant::Constant | LsdxtVariant::Dynamic | LsdxtVariant::LocalMemory => {
            include_str!("enter.wgsl")
        }
    };
    let common = [PALETTE, NEAREST, BEST, WORDS, include_str!("lsdxt.wgsl"), enter];
    stage::kernel(name, &common, &[Binding::Write]).parts(parts)
}

/// The sorting network, comparator by comparator.
fn sort_values() -> String {
    let mut text = "fn sort_values() {\n".to_owned();
    for (lower, upper) in SORT {
        text += &format!("    compare({lower}u, {upper}u);\n");
    }
    text + "}\n"
}
