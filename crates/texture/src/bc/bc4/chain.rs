//! BC4's chain of kernels on the GPU, with their bindings. BC5 and BC3 also use them.

use super::{
    palette::ValueRule,
    params::{self, Channels, Params},
    refit::{self, Units},
};
use crate::{
    EncodeOptions, Quality,
    chain::{Between, Bind, Chain, Dispatch, Step, Table, Work},
    wgsl::WGSL,
};
use brickwork_gpu::{Binding, Kernel};

/// Blocks in the first band, before the speed is known. They take a fraction of a second on a software
/// adapter.
const FIRST_BAND_BLOCKS: u32 = 2048;
/// Blocks in the first band at the best quality.
const FIRST_BAND_BLOCKS_OF_BEST: u32 = 256;

/// Name of the `override` constant that is true for rules with rests.
const HAS_RESTS: &str = "HAS_RESTS";

/// Returns the chain of a format that has only these channels.
pub(crate) fn chain(options: &EncodeOptions, rule: ValueRule, channels: Channels) -> Chain {
    let mut chain = Chain {
        between: Vec::new(),
        tables: Vec::new(),
        steps: Vec::new(),
        single: None,
        first_band_blocks: FIRST_BAND_BLOCKS,
        most_blocks: u32::MAX,
    };
    add_steps(&mut chain, options, rule, channels);
    chain
}

/// Adds the kernels that encode `channels` to a chain.
pub(crate) fn add_steps(chain: &mut Chain, options: &EncodeOptions, rule: ValueRule, channels: Channels) {
    let tables = Bind::Table(chain.tables.len());
    chain.tables.push(Table {
        label: "values",
        contents: params::tables().into_iter().flat_map(f32::to_ne_bytes).collect(),
    });
    let quality = options.quality;
    let found = Bind::Between(chain.between.len());
    let has_rests = f64::from(rule.has_rests());
    let search = |kernel: Kernel, last: &[Bind]| {
        (kernel.with(HAS_RESTS, has_rests), [&[tables, Bind::Texels], last].concat())
    };
    let mut kernels = if quality == Quality::Ultrafast {
        vec![search(quick_kernel(), &[Bind::Blocks])]
    } else {
        let bytes_per_block = 4 * u64::from(channels.count);
        chain.between.push(Between { label: "best values", bytes_per_block });
        let mut kernels = vec![search(search_kernel(), &[found])];
        if quality == Quality::Best {
            kernels.push(search(optimal_kernel(), &[found]));
            chain.first_band_blocks = chain.first_band_blocks.min(FIRST_BAND_BLOCKS_OF_BEST);
        }
        kernels.push(search(finish_kernel(), &[found, Bind::Blocks]));
        kernels
    };
    if let Some(units) = Units::new(&rule) {
        let contents = refit::table(units, quality).into_iter().flat_map(i32::to_ne_bytes).collect();
        chain.tables.push(Table { label: "units", contents });
        let units = Bind::Table(chain.tables.len() - 1);
        kernels.push((refit_kernel(), vec![tables, units, Bind::Texels, Bind::Blocks]));
    }
    for (kernel, binds) in kernels {
        let work = move |dispatch: &Dispatch| Work {
            parts: channels.count,
            params: bytemuck::bytes_of(&Params::new(&rule, quality, channels, dispatch)).to_vec(),
        };
        chain.steps.push(Step {
            kernel,
            binds: [Bind::Params].into_iter().chain(binds).collect(),
            parts_per_workgroup: 64,
            blocks_per_dispatch: u32::MAX,
            work: Box::new(work),
        });
    }
}

/// Returns a kernel that binds the parameters, the tables, the texels and then `more`.
fn kernel(name: &'static str, file: &str, more: &[Binding]) -> Kernel {
    let bindings = [&[Binding::Uniform, Binding::Read, Binding::Read], more].concat();
    Kernel::new(name, &bindings).file(&WGSL, file).constants(params::constants())
}

fn quick_kernel() -> Kernel {
    kernel("bc4 quick", "bc/bc4/quick.wgsl", &[Binding::Write])
}

fn search_kernel() -> Kernel {
    kernel("bc4 search", "bc/bc4/search.wgsl", &[Binding::Write])
}

fn optimal_kernel() -> Kernel {
    kernel("bc4 optimal", "bc/bc4/optimal.wgsl", &[Binding::Write])
}

fn finish_kernel() -> Kernel {
    kernel("bc4 finish", "bc/bc4/finish.wgsl", &[Binding::Read, Binding::Write])
}

fn refit_kernel() -> Kernel {
    kernel("bc4 refit", "bc/bc4/refit.wgsl", &[Binding::Read, Binding::Write])
        .constants(refit::table_constants())
}

/// Returns every kernel, uncompiled.
pub(crate) fn kernels() -> Vec<Kernel> {
    let kernels = [quick_kernel(), search_kernel(), optimal_kernel(), finish_kernel()];
    let variants = |kernel: Kernel| [0.0, 1.0].map(|has_rests| kernel.clone().with(HAS_RESTS, has_rests));
    kernels.into_iter().flat_map(variants).chain([refit_kernel()]).collect()
}
