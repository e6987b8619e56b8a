//! Chains of kernels as data.

use crate::{EmitError, Template, template::Probe};
use brickwork_texture::{
    BlockFormat, ColorSpace, EncodeOptions, Quality, RealTime, TexelFormat,
    gpu::{
        Kernel,
        export::{Bind, Chain, Dispatch, Step},
    },
};

/// Names of a dispatch's fields, in the order of [`dispatch_values`].
pub const DISPATCH_FIELDS: [&str; 7] =
    ["width", "height", "columns", "firstBlock", "endBlock", "target", "pitch"];

/// Chain of a format for a colour space and one set of options.
#[derive(Debug)]
pub struct ChainData {
    /// Block format.
    pub format: BlockFormat,
    /// Colour space of the textures. Chains of sRGB textures are listed if they differ from the linear ones.
    pub color_space: ColorSpace,
    /// Quality's name in the web package; for formats that have them also those of real time.
    pub quality: String,
    /// The planner's chain.
    pub chain: Chain,
    /// Form in which the chain takes texels.
    pub texels: TexelFormat,
    /// Kernels, in order.
    pub steps: Vec<StepData>,
}

/// One kernel of a chain.
#[derive(Clone, Debug)]
pub struct StepData {
    /// Kernel with the values of its override constants.
    pub kernel: Kernel,
    /// Resource at each binding.
    pub binds: Vec<Bind>,
    /// Number of parts that one workgroup processes.
    pub parts_per_workgroup: u32,
    /// Maximum number of blocks in one dispatch.
    pub blocks_per_dispatch: u32,
    /// Work in each [case](work_case); one entry if the cases do not differ.
    pub works: Vec<WorkData>,
}

/// Work of a kernel in one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkData {
    /// Number of parts of each block; 0 if there is nothing to do.
    pub parts: u32,
    /// Parameters.
    pub params: Template,
}

impl StepData {
    /// Returns the work of a dispatch.
    ///
    /// # Panics
    /// If `works` is empty.
    #[must_use]
    pub fn work(&self, dispatch: &Dispatch) -> (u32, Vec<u32>) {
        let case = if self.works.len() == 1 { 0 } else { work_case(dispatch) };
        let work = &self.works[case];
        (work.parts, work.params.filled(&dispatch_values(dispatch)))
    }
}

/// Returns the values of a dispatch's fields.
#[must_use]
pub fn dispatch_values(dispatch: &Dispatch) -> [(&'static str, u32); 7] {
    let [width, height] = dispatch.size;
    let values = [
        width,
        height,
        dispatch.columns,
        dispatch.first_block,
        dispatch.end_block,
        dispatch.target,
        dispatch.pitch,
    ];
    std::array::from_fn(|i| (DISPATCH_FIELDS[i], values[i]))
}

/// Returns the case of a dispatch: 1 if a block is partly outside of the region, plus 2 if texels have alpha.
#[must_use]
pub fn work_case(dispatch: &Dispatch) -> usize {
    usize::from(!dispatch.is_whole()) + 2 * usize::from(dispatch.has_alpha)
}

/// Returns the chains of a format by colour space, from the lowest quality to the highest; none if it has no
/// kernels.
///
/// # Errors
/// [`EmitError`] if a chain cannot be data.
pub fn chains(format: BlockFormat) -> Result<Vec<ChainData>, EmitError> {
    let mut options = Vec::new();
    if format.has_real_time() {
        for (number, &level) in (1..).zip(RealTime::ALL) {
            let real_time = EncodeOptions::default().with(|o| o.real_time = Some(level));
            options.push((format!("real-time-{number}"), real_time));
        }
    }
    for &quality in Quality::ALL {
        options.push((quality.name().to_owned(), EncodeOptions::default().with(|o| o.quality = quality)));
    }
    let names = |chain: &Chain| chain.steps().iter().map(|step| step.kernel().name().to_owned()).collect();
    let (mut chains, mut linear): (_, Vec<Vec<_>>) = (Vec::new(), Vec::new());
    for color_space in [ColorSpace::Linear, ColorSpace::Srgb] {
        for (quality, options) in &options {
            let Some(chain) = Chain::new(format, color_space, options) else { continue };
            match color_space {
                ColorSpace::Linear => linear.push(names(&chain)),
                ColorSpace::Srgb if linear.contains(&names(&chain)) => continue,
                ColorSpace::Srgb => {}
            }
            chains.push(chain_data(format, color_space, quality.clone(), chain)?);
        }
    }
    Ok(chains)
}

fn chain_data(
    format: BlockFormat,
    color_space: ColorSpace,
    quality: String,
    chain: Chain,
) -> Result<ChainData, EmitError> {
    let steps = chain.steps().into_iter().map(|step| step_data(&format!("{format} {quality}"), step));
    let steps = steps.collect::<Result<_, _>>()?;
    Ok(ChainData { format, color_space, quality, texels: chain.texels(), chain, steps })
}

fn step_data(chain: &str, step: Step<'_>) -> Result<StepData, EmitError> {
    let what = format!("{chain}: {}", step.kernel().name());
    let mut works = (0..4).map(|case| work_data(&what, step, case)).collect::<Result<Vec<_>, _>>()?;
    if works.iter().all(|work| *work == works[0]) {
        works.truncate(1);
    }
    Ok(StepData {
        kernel: step.kernel().clone(),
        binds: step.binds().to_vec(),
        parts_per_workgroup: step.parts_per_workgroup(),
        blocks_per_dispatch: step.blocks_per_dispatch(),
        works,
    })
}

fn work_data(what: &str, step: Step<'_>, case: usize) -> Result<WorkData, EmitError> {
    let mut parts = Vec::new();
    let mut probes = Vec::new();
    for number in 0..3 {
        let dispatch = probe_dispatch(number, case);
        let (count, words) = step.work(&dispatch);
        parts.push(count);
        probes.push(Probe { fields: dispatch_values(&dispatch).to_vec(), words });
    }
    if parts.iter().any(|&count| count != parts[0]) {
        return Err(EmitError::Parts { what: what.to_owned() });
    }
    Ok(WorkData { parts: parts[0], params: Template::of_probes(what, &probes)? })
}

/// Returns a dispatch of a case. All numbers differ, also from those of another `number`.
fn probe_dispatch(number: u32, case: usize) -> Dispatch {
    let base = 100_000 * (number + 1);
    let rest = if case & 1 == 1 { 3 } else { 0 };
    let dispatch = Dispatch {
        size: [base + 4_000 + rest, base + 8_000 + rest],
        columns: base + 12_001,
        first_block: base + 16_002,
        end_block: base + 20_003,
        target: base + 24_005,
        pitch: base + 28_006,
        has_alpha: case & 2 == 2,
    };
    debug_assert_eq!(work_case(&dispatch), case);
    dispatch
}
