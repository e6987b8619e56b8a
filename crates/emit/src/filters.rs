//! Files of kernels that change whole mip levels: filters other than the box, and normal maps.

use crate::{
    EmitError, Template,
    code::{Data, module},
    format::{Lists, import, template_data, variable},
    mips::channels_of,
    parts::Parts,
    template::Probe,
};
use brickwork_texture::{
    TexelFormat,
    gpu::{
        Kernel,
        export::{
            FilterAxis, FilterPiece, channel_number, filter_kernels, filter_params, normal_kernels,
            normal_params,
        },
    },
};

/// Names of the fields of each axis: start, stride, step and taps.
const AXES: [[&str; 4]; 4] = [
    ["columnStart", "columnStride", "columnStep", "columnTaps"],
    ["rowStart", "rowStride", "rowStep", "rowTaps"],
    ["coveredColumnStart", "coveredColumnStride", "coveredColumnStep", "coveredColumnTaps"],
    ["coveredRowStart", "coveredRowStride", "coveredRowStep", "coveredRowTaps"],
];

/// Returns the module of filters of texels of a form.
pub(crate) fn filter_module(texels: TexelFormat, home: &str, parts: &mut Parts) -> Result<String, EmitError> {
    group_module("FilterData", home, &filter_kernels(texels), filter_probe, parts)
}

/// Returns the module of kernels for normal maps.
pub(crate) fn normal_module(home: &str, parts: &mut Parts) -> Result<String, EmitError> {
    group_module("NormalData", home, &normal_kernels(), normal_probe, parts)
}

/// Returns a module of the type `of`: kernels that share parameters.
fn group_module(
    of: &str,
    home: &str,
    kernels: &[Kernel],
    probe: fn(u32) -> Probe,
    parts: &mut Parts,
) -> Result<String, EmitError> {
    let mut lists = Lists::default();
    let params = Template::of_probes(home, &[0, 1, 2].map(probe))?;
    let kernels = kernels.iter().map(|kernel| lists.kernel_data(kernel, home, parts)).collect();
    let mut imports = vec![(format!("type {of}"), "../../data.js".to_owned())];
    imports.extend(lists.groups.iter().map(|group| import("parts", group)));
    let groups = lists.groups.iter().map(|group| Data::Name(variable("parts", group))).collect();
    let data = Data::object([
        ("parts", Data::List(groups)),
        ("kernels", Data::List(kernels)),
        ("params", template_data(&params)),
    ]);
    Ok(module(&imports, of, &data))
}

fn filter_probe(number: u32) -> Probe {
    let base = 10_000 * (number + 1);
    let axis = |i: u32| {
        let first = base + 100 * i;
        FilterAxis { start: first + 1, stride: first + 2, step: first + 3, taps: first + 4 }
    };
    let channels = channels_of(number);
    let piece = FilterPiece {
        filter: [axis(0), axis(1)],
        covered: [axis(2), axis(3)],
        size: [base + 1_000, base + 1_001],
        first: [base + 1_002, base + 1_003],
        level_pitch: base + 1_004,
        first_row: base + 1_005,
        row_count: base + 1_006,
        channels,
        pitch: base + 1_008,
        by_alpha: number == 1,
        side: [base + 1_009, base + 1_010],
    };
    let mut fields = Vec::new();
    for (names, axis) in AXES.iter().zip(piece.filter.iter().chain(&piece.covered)) {
        let FilterAxis { start, stride, step, taps } = *axis;
        fields.extend(names.iter().copied().zip([start, stride, step, taps]));
    }
    fields.extend([
        ("columns", piece.size[0]),
        ("rows", piece.size[1]),
        ("firstColumn", piece.first[0]),
        ("firstRow", piece.first[1]),
        ("levelPitch", piece.level_pitch),
        ("firstSum", piece.first_row),
        ("sums", piece.row_count),
        ("pitch", piece.pitch),
        ("channelType", channel_number(channels)),
        ("byAlpha", piece.by_alpha.into()),
        ("width", piece.side[0]),
        ("height", piece.side[1]),
    ]);
    Probe { fields, words: filter_params(&piece) }
}

fn normal_probe(number: u32) -> Probe {
    let base = 10_000 * (number + 1);
    let (size, pitch) = ([base, base + 1_000], base + 2_000);
    let fields = vec![("width", size[0]), ("height", size[1]), ("pitch", pitch)];
    Probe { fields, words: normal_params(size, pitch) }
}
