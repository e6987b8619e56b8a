//! Files of block formats: their kernels, parameters, tables and chains.

use crate::{
    ChainData, EmitError, StepData, Template, Word, WorkData, chains,
    code::{Data, module},
    parts::Parts,
    tables::Tables,
    template::Probe,
    uses_subgroups,
};
use brickwork_texture::{
    BlockFormat, ColorSpace, TexelFormat,
    gpu::{
        Binding, Kernel,
        export::{Bind, load_texture_kernel, load_texture_params},
    },
};
use std::collections::BTreeSet;

/// Kernels and templates of one file, each listed once, and the groups of parts that they need.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    kernels: Vec<(String, Data)>,
    params: Vec<Template>,
    tables: Vec<String>,
    pub groups: BTreeSet<String>,
}

impl Lists {
    /// Returns a kernel's position in the list.
    pub fn kernel(&mut self, kernel: &Kernel, home: &str, parts: &mut Parts) -> usize {
        if let Some(known) = self.kernels.iter().position(|(name, _)| name == kernel.name()) {
            return known;
        }
        let data = self.kernel_data(kernel, home, parts);
        self.kernels.push((kernel.name().to_owned(), data));
        self.kernels.len() - 1
    }

    /// Returns a kernel as data.
    pub fn kernel_data(&mut self, kernel: &Kernel, home: &str, parts: &mut Parts) -> Data {
        let added = parts.add(kernel, home);
        self.groups.extend(added.groups);
        let mut entries = vec![
            ("name".to_owned(), Data::Text(kernel.name().to_owned())),
            (
                "bindings".to_owned(),
                Data::texts(kernel.bindings().iter().map(|&binding| binding_name(binding))),
            ),
            ("parts".to_owned(), Data::texts(added.names)),
        ];
        if uses_subgroups(kernel.wgsl()) {
            entries.push(("subgroups".to_owned(), Data::Name("true".to_owned())));
        }
        Data::Object(entries)
    }

    fn template(&mut self, template: &Template) -> usize {
        let known = self.params.iter().position(|known| known == template);
        known.unwrap_or_else(|| {
            self.params.push(template.clone());
            self.params.len() - 1
        })
    }

    fn table(&mut self, name: String) -> usize {
        let known = self.tables.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            self.tables.push(name);
            self.tables.len() - 1
        })
    }
}

/// Returns the module of some formats whose kernels are in the group `group`.
pub(crate) fn format_module(
    group: &str,
    formats: &[BlockFormat],
    parts: &mut Parts,
    tables: &mut Tables,
) -> Result<String, EmitError> {
    let mut lists = Lists::default();
    let mut data = Vec::new();
    let mut texels = TexelFormat::Rgba8;
    for &format in formats {
        let chains = chains(format)?;
        for (color_space, suffix) in [(ColorSpace::Linear, ""), (ColorSpace::Srgb, " srgb")] {
            let mut entries = Vec::new();
            for chain in chains.iter().filter(|chain| chain.color_space == color_space) {
                texels = chain.texels;
                entries.push((chain.quality.clone(), chain_entry(chain, group, &mut lists, parts, tables)));
            }
            if !entries.is_empty() {
                data.push((format!("{}{suffix}", web_name(format)), Data::Object(entries)));
            }
        }
    }
    let load = load_entry(texels, &mut lists, parts)?;
    let mut imports = vec![("type FormatData".to_owned(), "../../data.js".to_owned())];
    imports.extend(lists.groups.iter().map(|group| import("parts", group)));
    imports.extend(lists.tables.iter().map(|table| import("tables", table)));
    let names = |of: Vec<String>| Data::List(of.into_iter().map(Data::Name).collect());
    let groups = lists.groups.iter().map(|group| variable("parts", group)).collect();
    let table_names = lists.tables.iter().map(|table| variable("tables", table)).collect();
    let kernels = lists.kernels.into_iter().map(|(_, data)| data).collect();
    let file = Data::object([
        ("parts", names(groups)),
        ("tables", names(table_names)),
        ("load", load),
        ("kernels", Data::List(kernels)),
        ("params", Data::List(lists.params.iter().map(template_data).collect())),
        ("chains", Data::Object(data)),
    ]);
    Ok(module(&imports, "FormatData", &file))
}

/// Returns the web package's name of a format, which for ETC2 follows WebGPU.
pub(crate) fn web_name(format: BlockFormat) -> &'static str {
    match format {
        BlockFormat::Etc2Rgb => "etc2-rgb8",
        BlockFormat::Etc2RgbA1 => "etc2-rgb8a1",
        BlockFormat::Etc2Rgba => "etc2-rgba8",
        format => format.name(),
    }
}

/// Returns the import of a part or table.
pub(crate) fn import(folder: &str, name: &str) -> (String, String) {
    (variable(folder, name), format!("../{folder}/{name}.js"))
}

/// Returns the name of an imported variable.
pub(crate) fn variable(folder: &str, name: &str) -> String {
    format!("{folder}_{}", name.replace('-', "_"))
}

/// Returns a template as a list of numbers and names of fields.
pub(crate) fn template_data(template: &Template) -> Data {
    let word = |word: &Word| match *word {
        Word::Constant(value) => value.into(),
        Word::Field(name) => Data::Text(name.to_owned()),
    };
    Data::List(template.words().iter().map(word).collect())
}

fn chain_entry(
    chain: &ChainData,
    group: &str,
    lists: &mut Lists,
    parts: &mut Parts,
    tables: &mut Tables,
) -> Data {
    let places = chain.chain.tables().into_iter().map(|(label, contents)| {
        let name = tables.add(label, contents);
        lists.table(name)
    });
    let places: Vec<usize> = places.collect();
    let steps = chain.steps.iter().map(|step| step_entry(step, group, &places, lists, parts)).collect();
    let scratch = chain.chain.scratch_bytes_per_block().into_iter().map(|bytes| Data::Number(bytes as f64));
    Data::object([
        ("scratch", Data::List(scratch.collect())),
        ("firstBandBlocks", chain.chain.first_band_blocks().into()),
        ("mostBlocks", chain.chain.most_blocks().into()),
        ("steps", Data::List(steps)),
    ])
}

fn step_entry(step: &StepData, group: &str, tables: &[usize], lists: &mut Lists, parts: &mut Parts) -> Data {
    let overrides =
        step.kernel.overrides().iter().map(|&(name, value)| (name.to_owned(), Data::Number(value))).collect();
    let bind = |bind: &Bind| match *bind {
        Bind::Params => "params".to_owned(),
        Bind::Texels => "texels".to_owned(),
        Bind::Blocks => "blocks".to_owned(),
        Bind::Between(place) => format!("scratch:{place}"),
        Bind::Table(place) => format!("table:{}", tables[place]),
    };
    let mut work = |work: &WorkData| {
        let params = Data::Number(lists.template(&work.params) as f64);
        Data::object([("parts", work.parts.into()), ("params", params)])
    };
    let works = step.works.iter().map(&mut work).collect();
    Data::object([
        ("kernel", Data::Number(lists.kernel(&step.kernel, group, parts) as f64)),
        ("overrides", Data::Object(overrides)),
        ("binds", Data::texts(step.binds.iter().map(bind))),
        ("partsPerWorkgroup", step.parts_per_workgroup.into()),
        ("blocksPerDispatch", step.blocks_per_dispatch.into()),
        ("works", Data::List(works)),
    ])
}

/// Returns the kernel that loads texels from a texture, and its parameters.
fn load_entry(texels: TexelFormat, lists: &mut Lists, parts: &mut Parts) -> Result<Data, EmitError> {
    let home = if texels == TexelFormat::Rgba8 { "load" } else { "load-halves" };
    let kernel = load_texture_kernel(texels);
    let probe = |number: u32| {
        let base = 10_000 * (number + 1);
        let (origin, size) = ([base + 4, base + 1_008], [base + 2_000, base + 3_000]);
        let columns = size[0] / 4;
        let fields = [
            ("originX", origin[0]),
            ("originY", origin[1]),
            ("width", size[0]),
            ("height", size[1]),
            ("columns", columns),
            ("blocks", columns * (size[1] / 4)),
        ];
        Probe { fields: fields.to_vec(), words: load_texture_params(origin, size) }
    };
    let params = Template::of_probes(kernel.name(), &[0, 1, 2].map(probe))?;
    let texels = if texels == TexelFormat::Rgba8 { "rgba8unorm" } else { "rgba16float" };
    Ok(Data::object([
        ("texels", Data::Text(texels.to_owned())),
        ("kernel", lists.kernel_data(&kernel, home, parts)),
        ("params", template_data(&params)),
    ]))
}

fn binding_name(binding: Binding) -> &'static str {
    match binding {
        Binding::Uniform => "uniform",
        Binding::Read => "read",
        Binding::Write => "write",
        Binding::Texture => "texture",
        Binding::Texture3d => "texture3d",
        Binding::StoreTwoWords => "storeTwoWords",
        Binding::StoreFourWords => "storeFourWords",
    }
}
