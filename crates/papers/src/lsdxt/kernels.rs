//! One kernel per step, for each variant besides the texture crate's own.
//!
//! | file | what |
//! |---|---|
//! | `dynamic_*.wgsl` `local*.wgsl` `subgroup*.wgsl` | steps 1 (`first`) and 2 (`refine`) |
//! | `search_*.wgsl` `winner_subgroup.wgsl` | the variants' parts of step 3 |
//! | `enter_subgroup.wgsl` | the entry point of every step with subgroups |

use super::LsdxtVariant;
use crate::variant_kernels::{kernel, with_overrides};
use brickwork_gpu::{Binding, Kernel};
use brickwork_texture::gpu::ChainStep;

/// Returns the steps of a chain with a variant's kernels in place of the texture crate's.
pub(super) fn edit(variant: LsdxtVariant, steps: Vec<ChainStep>) -> Vec<ChainStep> {
    let (word, blocks) = match variant {
        LsdxtVariant::Constant => return steps,
        LsdxtVariant::Dynamic => ("dynamic", 64),
        LsdxtVariant::LocalMemory => ("local", 4),
        LsdxtVariant::Subgroup => ("subgroup", 4),
    };
    let edit = |step: ChainStep| {
        let overrides = step.kernel().overrides().to_vec();
        let own = |file: &str| format!("lsdxt/{word}_{file}.wgsl");
        match step.kernel().name() {
            "lsdxt constant 1" => {
                let first = step_of(variant, word, 1, &["words.wgsl"], &[&own("first")]);
                step.with_kernel(with_overrides(first, overrides), blocks)
            }
            "lsdxt constant 2" => {
                let files = ["nearest.wgsl", "best.wgsl", "words.wgsl"];
                let refine = step_of(variant, word, 2, &files, &[&own("refine")]);
                step.with_kernel(with_overrides(refine, overrides), blocks)
            }
            "lsdxt constant 3" => search(variant, word, step, overrides),
            _ => step,
        }
    };
    steps.into_iter().map(edit).collect()
}

/// Returns the kernel of a step, whose threads call `run_step`, which these files define.
fn step_of(variant: LsdxtVariant, word: &str, number: u32, bc1: &[&str], own: &[&str]) -> Kernel {
    let (mut bc1, mut own) = (bc1.to_vec(), own.to_vec());
    bc1.push("lsdxt/lsdxt.wgsl");
    match variant {
        LsdxtVariant::Dynamic => bc1.extend(["lsdxt/block.wgsl", "lsdxt/enter.wgsl"]),
        LsdxtVariant::Constant | LsdxtVariant::LocalMemory => bc1.push("lsdxt/enter.wgsl"),
        LsdxtVariant::Subgroup => own.push("lsdxt/enter_subgroup.wgsl"),
    }
    kernel(format!("lsdxt {word} {number}"), &bc1, &own, &[Binding::Write])
}

/// Returns the step of the search.
fn search(
    variant: LsdxtVariant,
    word: &str,
    step: ChainStep,
    mut overrides: Vec<(&'static str, f64)>,
) -> ChainStep {
    let (bc1, own): (&[&str], &[&str]) = match variant {
        LsdxtVariant::Dynamic => {
            (&["lsdxt/search.wgsl", "lsdxt/winner_local.wgsl"], &["lsdxt/search_dynamic.wgsl"])
        }
        LsdxtVariant::Constant | LsdxtVariant::LocalMemory => {
            (&["lsdxt/search.wgsl", "lsdxt/winner_local.wgsl"], &["lsdxt/search_local.wgsl"])
        }
        LsdxtVariant::Subgroup => (&["lsdxt/search_registers.wgsl"], &["lsdxt/winner_subgroup.wgsl"]),
    };
    let value = |overrides: &[(&str, f64)], name| {
        overrides.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, value)| *value)
    };
    // lavapipe stops a thread after 65,535 loop iterations in all: 6561 / 256 pairs · 81 of blue · 16 texels
    // and a few more are half of that; the other variants have no loop over texels.
    if variant == LsdxtVariant::Dynamic && value(&overrides, "SIDE") == 9.0 {
        for (name, value) in &mut overrides {
            if ["THREADS", "GROUP"].contains(name) {
                *value = 256.0;
            }
        }
    }
    let blocks = value(&overrides, "GROUP") / value(&overrides, "THREADS");
    let kernel = with_overrides(step_of(variant, word, 3, bc1, own), overrides);
    step.with_kernel(kernel, blocks as u32)
}
