//! BC6H's chain of kernels on the GPU, with their bindings.

use super::{
    fit::ROUNDS,
    kind::{Kind, Signed, Unsigned},
    level::COEFFICIENTS,
    params::{self, Params, Work, value_pairs},
    plan::{Stage, stages},
    real_time::{REACHES, STEPS, partitions},
    real_time_line::{FARTHEST, PLACE_BITS},
    real_time_two::{CHOICES, FAR},
};
use crate::{
    EncodeOptions, Quality, RealTime,
    chain::{self, Between, Bind, Chain, Dispatch, Step, Table},
    wgsl::WGSL,
};
use brickwork_gpu::{Binding, Kernel};

/// Blocks in the first band, before the speed is known. They take a fraction of a second on a software
/// adapter.
const FIRST_BAND_BLOCKS: u32 = 256;
/// Blocks in the first band of ultrafast encoding.
const FIRST_BAND_BLOCKS_OF_ULTRAFAST: u32 = 1 << 14;

/// Maximum number of blocks in one dispatch. It keeps dispatches short on slow GPUs and for large recorded
/// regions.
const BLOCKS_PER_DISPATCH: u32 = 1 << 15;

/// Data between the kernels: values of texels, ranked partitions, candidates.
const VALUES: Bind = Bind::Between(0);
const RANKINGS: Bind = Bind::Between(1);
const CANDIDATES: Bind = Bind::Between(2);

/// Slots of candidates: the best, the best of one subset, the best of each partition. Those of fits follow.
const BEST: u32 = 0;
const WHOLE: u32 = 1;
const PARTITIONS: u32 = 2;

/// Bytes of a block's ranking, and of a candidate.
const RANKING_BYTES: u64 = 8;
const CANDIDATE_BYTES: u64 = 32;

/// Steps of a chain, while it is made.
struct Steps {
    steps: Vec<Step>,
    kernels: Kernels,
    /// Candidates of a block, and the first slot of fits.
    slots: u32,
    fits: u32,
}

impl Steps {
    fn add(&mut self, kernel: Kernel, binds: &[Bind], work: Work, parts_per_workgroup: u32) {
        let work = Work { slots: self.slots, parts: work.parts.max(1), ..work };
        self.steps.push(Step {
            kernel,
            binds: binds.to_vec(),
            parts_per_workgroup,
            blocks_per_dispatch: BLOCKS_PER_DISPATCH,
            work: Box::new(move |dispatch: &Dispatch| chain::Work {
                parts: work.parts,
                params: bytemuck::bytes_of(&Params::new(work, dispatch)).to_vec(),
            }),
        });
    }

    fn fit(&mut self, work: Work) {
        let binds = [Bind::Params, Bind::Table(0), VALUES, RANKINGS, CANDIDATES];
        self.add(self.kernels.fit.clone(), &binds, work, 64);
    }

    fn improve(&mut self, work: Work) {
        self.add(self.kernels.improve.clone(), &[Bind::Params, CANDIDATES], work, 64);
    }

    fn descend(&mut self, work: Work) {
        if work.parts > 0 {
            let binds = [Bind::Params, Bind::Table(0), VALUES, CANDIDATES];
            self.add(self.kernels.descend.clone(), &binds, work, 64);
        }
    }

    /// Adds the kernels of a stage after `last`, as `Search::run` of encode.rs.
    fn add_stage(&mut self, stage: &Stage, last: Option<&Stage>) {
        let [whole, extensions, partitions] =
            [stage.whole_extensions, stage.extensions, stage.partitions].map(|n| n as u32);
        let (known, mut known_extensions, mut whole_first) = last.map_or((0, 0, 0), |last| {
            (last.partitions as u32, last.extensions as u32, last.whole_extensions as u32)
        });
        if stage.explores {
            (known_extensions, whole_first) = (0, 0);
        }
        let fits = self.fits;
        self.fit(Work {
            parts: whole - whole_first + partitions * extensions,
            to_slot: fits,
            whole_first,
            whole_end: whole,
            extensions,
            known,
            known_extensions,
            rounds: ROUNDS as u32,
            modes: stage.tries as u32,
            measures: 1,
            ..Work::default()
        });
        if stage.explores {
            let parts = whole + partitions * extensions;
            let slots = Work { parts, from_slot: fits, to_slot: fits, ..Work::default() };
            self.descend(Work { sweeps: 1, lengths: 2, ..slots });
        }
        let descend = Work { sweeps: stage.sweeps as u32, lengths: stage.lengths as u32, ..Work::default() };
        let has_descents = stage.sweeps > 0;
        self.improve(Work {
            parts: 1,
            from_slot: fits,
            to_slot: WHOLE,
            extensions: whole,
            known: last.is_some().into(),
            known_extensions: whole_first,
            ..Work::default()
        });
        if has_descents {
            self.descend(Work { parts: 1, from_slot: WHOLE, to_slot: WHOLE, ..descend });
        }
        self.improve(Work {
            parts: partitions,
            from_slot: fits + whole,
            to_slot: PARTITIONS,
            extensions,
            known,
            known_extensions,
            ..Work::default()
        });
        let improve_best = Work { parts: 1, to_slot: BEST, known: 1, ..Work::default() };
        self.improve(Work { from_slot: WHOLE, extensions: 1 + partitions, ..improve_best });
        if has_descents {
            self.descend(Work { parts: 1, from_slot: BEST, to_slot: BEST, ..descend });
        }
        if stage.descents > 0 {
            let descents = stage.descents as u32;
            self.descend(Work { parts: descents, from_slot: PARTITIONS, to_slot: fits, ..descend });
            self.improve(Work { from_slot: fits, extensions: descents, ..improve_best });
        }
    }
}

/// Returns the chain for these options.
pub(super) fn chain<K: Kind>(options: &EncodeOptions) -> Chain {
    if let Some(level) = options.real_time {
        return chain_in_real_time::<K>(level);
    }
    let stages = stages(options.quality);
    let partitions = stages.last().map_or(0, |stage| stage.partitions);
    let fits = stages.iter().map(|stage| stage.whole_extensions + stage.partitions * stage.extensions).max();
    let first_fit = PARTITIONS + partitions as u32;
    let slots = fits.map_or(1, |fits| first_fit + fits as u32);
    let mut steps = Steps { steps: Vec::new(), kernels: Kernels::new::<K>(), slots, fits: first_fit };
    let of_block = Work { parts: 1, ..Work::default() };
    let kernels = &steps.kernels;
    let (texels, rank, finish) = (kernels.texels.clone(), kernels.rank.clone(), kernels.finish.clone());
    steps.add(texels, &[Bind::Params, Bind::Texels, VALUES], of_block, 64);
    if !stages.is_empty() {
        steps.add(rank, &[Bind::Params, Bind::Table(0), VALUES, RANKINGS], of_block, 2);
    }
    let measures = u32::from(!stages.is_empty());
    steps.fit(Work { to_slot: BEST, whole_end: 1, rounds: 1, modes: 1, measures, ..of_block });
    for (number, stage) in stages.iter().enumerate() {
        steps.add_stage(stage, number.checked_sub(1).map(|last| &stages[last]));
    }
    steps.add(finish, &[Bind::Params, Bind::Table(0), VALUES, CANDIDATES, Bind::Blocks], of_block, 64);
    let is_ultrafast = options.quality == Quality::Ultrafast;
    Chain {
        between: vec![
            Between { label: "values", bytes_per_block: 8 * value_pairs::<K>() as u64 },
            Between { label: "ranked partitions", bytes_per_block: RANKING_BYTES },
            Between { label: "candidates", bytes_per_block: CANDIDATE_BYTES * u64::from(slots) },
        ],
        tables: vec![table::<K>()],
        steps: steps.steps,
        single: None,
        first_band_blocks: if is_ultrafast { FIRST_BAND_BLOCKS_OF_ULTRAFAST } else { FIRST_BAND_BLOCKS },
        most_blocks: u32::MAX,
    }
}

fn table<K: Kind>() -> Table {
    let contents = params::tables::<K>().into_iter().flat_map(u32::to_ne_bytes).collect();
    Table { label: "BC6H tables", contents }
}

/// Returns the chain of a level of real time: one kernel.
fn chain_in_real_time<K: Kind>(level: RealTime) -> Chain {
    let mut binds = vec![Bind::Params, Bind::Texels, Bind::Blocks];
    let mut tables = Vec::new();
    if level > RealTime::Level1 {
        binds.push(Bind::Table(0));
        tables.push(table::<K>());
    }
    let params = |dispatch: &Dispatch| Params::new(Work::default(), dispatch);
    let step = Step {
        kernel: kernel_in_real_time::<K>(level),
        binds,
        parts_per_workgroup: 64,
        blocks_per_dispatch: u32::MAX,
        work: Box::new(move |dispatch: &Dispatch| chain::Work {
            parts: 1,
            params: bytemuck::bytes_of(&params(dispatch)).to_vec(),
        }),
    };
    Chain {
        between: Vec::new(),
        tables,
        steps: vec![step],
        single: None,
        first_band_blocks: FIRST_BAND_BLOCKS_OF_ULTRAFAST,
        most_blocks: u32::MAX,
    }
}

fn kernel_in_real_time<K: Kind>(level: RealTime) -> Kernel {
    let mut bindings = vec![Binding::Uniform, Binding::Read, Binding::Write];
    let mut choices = whole_choice();
    let mut file = "bc/bc6h/real_time_one.wgsl";
    if level > RealTime::Level1 {
        bindings.push(Binding::Read);
        choices += &choice_of_two();
        file = "bc/bc6h/real_time_two.wgsl";
    }
    Kernel::new(format!("bc6h real time {}, {}", level.name(), sign::<K>()), &bindings)
        .file(&WGSL, file)
        .constants(params::constants::<K>())
        .constant("LEVEL", level as u32 + 1)
        .constant("ROUNDS", partitions(level) as u32)
        .constant("PLACE_BITS", PLACE_BITS as u32)
        .constants([("FARTHEST", FARTHEST), ("FAR", FAR)])
        .table("COEFFICIENTS", &COEFFICIENTS)
        .part(&choices)
}

/// Returns WGSL of the function that chooses a mode of one subset: see `real_time.rs`.
fn whole_choice() -> String {
    let steps = (1..).zip(REACHES.iter().zip(&STEPS[1..]));
    let lines: String = steps
        .map(|(mode, (reach, step))| {
            format!("if farthest <= {reach:?} {{ found = Choice({mode}u, {step:?}, {:?}); }}\n", 1.0 / step)
        })
        .collect();
    let [step, ..] = STEPS;
    format!(
        "// Returns the most precise mode of one subset that has room.\n\
         fn whole_choice(farthest: f32) -> Choice {{\n\
         var found = Choice(0u, {step:?}, {:?});\n\
         {lines}\
         return found;\n\
         }}\n",
        1.0 / step
    )
}

/// Returns WGSL of the function that chooses a mode of two subsets: see `real_time_two.rs`.
fn choice_of_two() -> String {
    let lines: String = CHOICES
        .iter()
        .map(|choice| {
            let ([r, g, b], mode, step) = (choice.reaches, choice.mode, choice.step);
            format!(
                "if all(farthest <= vec3({r:?}, {g:?}, {b:?})) {{ \
                 found = Choice({mode}u, {step:?}, {:?}); }}\n",
                1.0 / step
            )
        })
        .collect();
    format!(
        "// Returns the most precise mode of two subsets that has room.\n\
         fn choice_of_two(farthest: vec3<f32>) -> Choice {{\n\
         var found = Choice(0u, 0.0, 0.0);\n\
         {lines}\
         return found;\n\
         }}\n"
    )
}

const fn sign<K: Kind>() -> &'static str {
    if K::SIGNED { "signed" } else { "unsigned" }
}

/// Kernels of one sign.
struct Kernels {
    texels: Kernel,
    rank: Kernel,
    fit: Kernel,
    improve: Kernel,
    descend: Kernel,
    finish: Kernel,
}

impl Kernels {
    fn new<K: Kind>() -> Self {
        const READ: Binding = Binding::Read;
        const WRITE: Binding = Binding::Write;
        let sign = sign::<K>();
        let kernel = |name: &str, more: &[Binding]| {
            Kernel::new(format!("bc6h {name}, {sign}"), &[&[Binding::Uniform], more].concat())
                .file(&WGSL, &format!("bc/bc6h/{name}.wgsl"))
                .constants(params::constants::<K>())
                .table("COEFFICIENTS", &COEFFICIENTS)
        };
        let with_errors =
            |name: &str, more: &[Binding]| kernel(name, more).file(&WGSL, &format!("bc/bc6h/{sign}.wgsl"));
        Self {
            texels: kernel("texels", &[READ, WRITE]),
            rank: with_errors("rank", &[READ, READ, WRITE]),
            fit: with_errors("fit", &[READ, READ, READ, WRITE]),
            improve: kernel("improve", &[WRITE]),
            descend: with_errors("descend", &[READ, READ, WRITE]),
            finish: with_errors("finish", &[READ, READ, READ, WRITE]),
        }
    }

    fn all(self) -> [Kernel; 6] {
        let Self { texels, rank, fit, improve, descend, finish } = self;
        [texels, rank, fit, improve, descend, finish]
    }
}

/// Returns every kernel, uncompiled.
pub(crate) fn kernels() -> Vec<Kernel> {
    let mut kernels = [Kernels::new::<Unsigned>().all(), Kernels::new::<Signed>().all()].concat();
    for &level in RealTime::ALL {
        kernels.extend([kernel_in_real_time::<Unsigned>(level), kernel_in_real_time::<Signed>(level)]);
    }
    kernels
}
