//! Files of mip levels: kernels that load texels from buffers and halve them.

use crate::{
    EmitError, Template,
    code::{Data, module},
    format::{Lists, import, template_data, variable},
    parts::Parts,
    tables::Tables,
    template::Probe,
};
use brickwork_texture::{
    ChannelType, ColorSpace, TexelFormat,
    gpu::export::{
        Mip, channel_number, load_buffer_kernel, load_buffer_params, mip_kernels, mip_params, mip_table,
    },
};

/// Returns the module of mip levels of texels of a form.
pub(crate) fn mip_module(
    texels: TexelFormat,
    home: &str,
    parts: &mut Parts,
    tables: &mut Tables,
) -> Result<String, EmitError> {
    let mut lists = Lists::default();
    let load = load_buffer_kernel(texels);
    let load_params = Template::of_probes(load.name(), &[0, 1, 2].map(load_probe))?;
    let kernels = mip_kernels(texels);
    let name = kernels.first().map_or("", |kernel| kernel.name());
    let params = Template::of_probes(name, &[0, 1, 2].map(mip_probe))?;
    let load = lists.kernel_data(&load, home, parts);
    let kernels = kernels.iter().map(|kernel| lists.kernel_data(kernel, home, parts)).collect();
    let mut imports = vec![("type MipData".to_owned(), "../../data.js".to_owned())];
    imports.extend(lists.groups.iter().map(|group| import("parts", group)));
    let groups = lists.groups.iter().map(|group| Data::Name(variable("parts", group))).collect();
    let mut entries = vec![
        ("parts".to_owned(), Data::List(groups)),
        ("load".to_owned(), Data::object([("kernel", load), ("params", template_data(&load_params))])),
        ("kernels".to_owned(), Data::List(kernels)),
        ("params".to_owned(), template_data(&params)),
    ];
    if texels == TexelFormat::Rgba8 {
        let spaces = [("linear", ColorSpace::Linear), ("srgb", ColorSpace::Srgb)].map(|(name, space)| {
            let contents: Vec<u8> = mip_table(space).iter().flat_map(|word| word.to_le_bytes()).collect();
            let table = tables.add(&format!("{name} light"), &contents);
            imports.push(import("tables", &table));
            (name, Data::Name(variable("tables", &table)))
        });
        entries.push(("tables".to_owned(), Data::object(spaces)));
    }
    Ok(module(&imports, "MipData", &Data::Object(entries)))
}

/// Type of the channels of a probe.
pub(crate) fn channels_of(number: u32) -> ChannelType {
    [ChannelType::U16, ChannelType::F32, ChannelType::U8][number as usize % 3]
}

fn load_probe(number: u32) -> Probe {
    let base = 10_000 * (number + 1);
    let (size, offset, pitch) = ([base + 2_000, base + 3_000], base + 4, base + 5_008);
    let columns = size[0] / 4;
    let fields = [
        ("width", size[0]),
        ("height", size[1]),
        ("columns", columns),
        ("blocks", columns * (size[1] / 4)),
        ("offset", offset),
        ("pitch", pitch),
        ("channelType", channel_number(channels_of(number))),
    ];
    let words = load_buffer_params(channels_of(number), size, offset, pitch);
    Probe { fields: fields.to_vec(), words }
}

fn mip_probe(number: u32) -> Probe {
    let base = 10_000 * (number + 1);
    let by_alpha = number == 1;
    let [low, high] = [base + 6_000, base + 7_000];
    let mip = Mip {
        side: [base, base + 1_000],
        first: [base + 2_000, base + 3_000],
        size: [base + 4_000, base + 5_000],
        weight_sum: u64::from(high) << 32 | u64::from(low),
        channels: channels_of(number),
        pitch: base + 8_000,
        by_alpha,
    };
    let fields = [
        ("width", mip.side[0]),
        ("height", mip.side[1]),
        ("firstX", mip.first[0]),
        ("firstY", mip.first[1]),
        ("columns", mip.size[0]),
        ("rows", mip.size[1]),
        ("weightSumLow", low),
        ("weightSumHigh", high),
        ("pitch", mip.pitch),
        ("channelType", channel_number(mip.channels)),
        ("byAlpha", by_alpha.into()),
    ];
    Probe { fields: fields.to_vec(), words: mip_params(&mip) }
}
