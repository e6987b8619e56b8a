//! Files of volumes: the ray casters.

use crate::{
    code::{Data, module},
    format::{Lists, variable},
    parts::Parts,
};
use brickwork_volume::export::{Mode, browser_kernels};

/// Returns the ray casters, and their WGSL in parts: paths without extension, and text.
pub(crate) fn volume_files() -> Vec<(String, String)> {
    let (mut lists, mut parts) = (Lists::default(), Parts::default());
    let kernels = browser_kernels();
    let mut modes = Vec::new();
    for mode in Mode::ALL {
        let of_mode = kernels.iter().filter(|(of, ..)| *of == mode);
        let entries = of_mode.map(|(_, buffers, kernel)| {
            let key = buffers.map_or_else(|| "pool".to_owned(), |count| count.to_string());
            (key, lists.kernel_data(kernel, "casters", &mut parts))
        });
        modes.push((mode.name().to_owned(), Data::Object(entries.collect())));
    }
    let groups: Vec<&String> = lists.groups.iter().collect();
    let mut imports = vec![("type CasterData".to_owned(), "../../data.js".to_owned())];
    imports.extend(groups.iter().map(|group| (variable("parts", group), format!("./parts/{group}.js"))));
    let groups = groups.iter().map(|group| Data::Name(variable("parts", group))).collect();
    let data = Data::object([("parts", Data::List(groups)), ("kernels", Data::Object(modes))]);
    let mut files = vec![("volume/casters".to_owned(), module(&imports, "CasterData", &data))];
    let imports = [("type Parts".to_owned(), "../../../data.js".to_owned())];
    for (group, parts) in parts.groups() {
        let entries = parts.iter().map(|(name, wgsl)| (name.clone(), Data::Text(wgsl.clone()))).collect();
        files.push((format!("volume/parts/{group}"), module(&imports, "Parts", &Data::Object(entries))));
    }
    files
}
