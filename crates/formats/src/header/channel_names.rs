//! Names of channels, such as those of dyes: member `channel_names` of the source's object in the metadata.

use brickwork_volume::Header;
use serde_json::Value;

/// Name of the member.
pub const KEY: &str = "channel_names";

/// Returns the names of all channels; none if the metadata has no name, or not one for each channel.
pub fn channel_names(header: &Header) -> Vec<String> {
    // (The metadata of DICOM files may take long to parse.)
    if !header.metadata.contains(KEY) {
        return Vec::new();
    }
    let metadata: Value = serde_json::from_str(&header.metadata).unwrap_or_default();
    let names = |source: &&str| -> Option<Vec<String>> {
        let names = metadata[source][KEY].as_array()?;
        names.iter().map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let found = ["zarr", "tiff"].iter().find_map(names).unwrap_or_default();
    let is_any = found.len() == header.channels && found.iter().any(|name| !name.is_empty());
    if is_any { found } else { Vec::new() }
}
