//! The GPU's side of LSDxt: for each variant a kernel a step, all of which give the twin's bytes.
//!
//! | file | what |
//! |---|---|
//! | `lsdxt.wgsl` | bindings, and the arithmetic of steps 1 and 2 |
//! | `block.wgsl` | a block's texels in one thread |
//! | `constant.wgsl` `dynamic.wgsl` `local.wgsl` `subgroup.wgsl` | steps 1 and 2 |
//! | `search.wgsl` and `search_*.wgsl`, `winner_*.wgsl` | step 3, and the variants' parts of it |
//! | `finish.wgsl` | the block that is written |

use super::Effort;
use crate::{
    Quality,
    bc::bc1::{options::LsdxtVariant, params::Parts, stage::{self, Stage}},
    bc::order::SORT,
    gpu::chain::Bind,
};
use brickwork_gpu::{Binding, Kernel};

/// The kernels that encode blocks, in their order.
pub(in crate::bc::bc1) fn stages(variant: LsdxtVariant, quality: Quality) -> Vec<Stage> {
    let effort = Effort::new(quality);
    let side = 2 * effort.radius + 1;
    let refinements = ("REFINEMENTS", effort.refinements as f64);
    let (name, text) = match variant {
        LsdxtVariant::Constant => (["lsdxt constant 1", "lsdxt constant 2"], include_str!("constant.wgsl")),
        LsdxtVariant::Dynamic => (["lsdxt dynamic 1", "lsdxt dynamic 2"], include_str!("dynamic.wgsl")),
        LsdxtVariant::LocalMemory => (["lsdxt local 1", "lsdxt local 2"], include_str!("local.wgsl")),
        LsdxtVariant::Subgroup => (["lsdxt subgroup 1", "lsdxt subgroup 2"], include_str!("subgroup.wgsl")),
    };
    let group_blocks = match variant {
        LsdxtVariant::Constant | LsdxtVariant::Dynamic => 64,
        LsdxtVariant::LocalMemory | LsdxtVariant::Subgroup => 4,
    };
    let block = include_str!("block.wgsl");
    let sort = sort_values();
    let parts = match variant {
        LsdxtVariant::Constant => vec![block, text, &sort],
        LsdxtVariant::Dynamic => vec![block, text],
        LsdxtVariant::LocalMemory | LsdxtVariant::Subgroup => vec![text],
    };
    let first = kernel(name[0], &parts, "first_step", variant, 64);
    let refine = kernel(name[1], &parts, "refine_step", variant, 64).with(refinements.0, refinements.1);
    let mut stages = vec![stage(first, group_blocks, u32::MAX), stage(refine, group_blocks, u32::MAX)];
    if effort.radius > 0 {
        stages.push(search(variant, side));
    }
    let finish = kernel(
        "lsdxt finish",
        &[block, include_str!("finish.wgsl")],
        "finish_block",
        LsdxtVariant::Constant,
        64,
    );
    stages.push(stage(finish.with("SIDE", side as f64), 64, u32::MAX));
    stages
}

fn stage(kernel: Kernel, parts_per_workgroup: u32, blocks_per_dispatch: u32) -> Stage {
    Stage { kernel, binds: vec![Bind::Blocks], parts: Parts::Block, parts_per_workgroup, blocks_per_dispatch }
}

/// Candidates of one dispatch at most: milliseconds on a GPU. What a software adapter may take of blocks at a time
/// is for the bands to find.
const DISPATCH_CANDIDATES: u32 = 1 << 30;

fn search(variant: LsdxtVariant, side: usize) -> Stage {
    let unrolled = include_str!("search_unrolled.wgsl");
    let winner = include_str!("winner_local.wgsl");
    let (name, parts): (_, &[&str]) = match variant {
        LsdxtVariant::Constant => {
            ("lsdxt constant 3", &[unrolled, include_str!("search_registers.wgsl"), winner])
        }
        LsdxtVariant::Dynamic => ("lsdxt dynamic 3", &[include_str!("search_dynamic.wgsl"), winner]),
        LsdxtVariant::LocalMemory => {
            ("lsdxt local 3", &[unrolled, include_str!("search_local.wgsl"), winner])
        }
        LsdxtVariant::Subgroup => (
            "lsdxt subgroup 3",
            &[unrolled, include_str!("search_registers.wgsl"), include_str!("winner_subgroup.wgsl")],
        ),
    };
    // lavapipe stops a thread's loops after 65,535 rounds in all: 6561 / 256 pairs · 81 of blue · 16 texels and some are
    // half of that; the others have no loop over texels.
    let threads = match (side, variant) {
        (3, _) => 16,
        (9, LsdxtVariant::Dynamic) => 256,
        _ => 64,
    };
    let group = threads.max(64);
    let parts = [&[include_str!("block.wgsl"), include_str!("search.wgsl")], parts].concat();
    let kernel = kernel(name, &parts, "search_step", variant, group)
        .with("SIDE", side as f64)
        .with("THREADS", f64::from(threads))
        .with("GROUP", f64::from(group));
    let candidates = (side as u32).pow(6);
    stage(kernel, group / threads, DISPATCH_CANDIDATES / candidates)
}

/// A kernel whose threads call `step` with their workgroup and their place in it.
fn kernel(name: &'static str, parts: &[&str], step: &str, variant: LsdxtVariant, group: u32) -> Kernel {
    let size = if step == "search_step" { "GROUP".to_owned() } else { group.to_string() };
    let main = match variant {
        // Threads that exchange values count by subgroups, wherever these are in the workgroup.
        LsdxtVariant::Subgroup => format!(
            "@compute @workgroup_size({size})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) size: u32,
    @builtin(subgroup_invocation_id) invocation: u32,
) {{
    {step}(group.y * groups.x + group.x, subgroup * size + invocation);
}}
"
        ),
        _ => format!(
            "@compute @workgroup_size({size})
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {{
    {step}(group.y * groups.x + group.x, thread);
}}
"
        ),
    };
    let parts = [&[include_str!("lsdxt.wgsl"), main.as_str()], parts].concat();
    stage::kernel(name, &parts, &[Binding::Write])
}

/// The sorting network, comparator by comparator.
fn sort_values() -> String {
    let mut text = "fn sort_values() {\n".to_owned();
    for (lower, upper) in SORT {
        text += &format!("    compare({lower}u, {upper}u);\n");
    }
    text + "}\n"
}
