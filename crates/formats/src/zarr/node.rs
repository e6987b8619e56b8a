//! Metadata of an array or group.

use super::{array::ZarrArray, fault::fault, store::Store};
use crate::FormatError;
use serde_json::{Map, Value};

/// Maximum size of metadata: groups of version 3 may repeat that of all their members.
pub const MAX_METADATA: u64 = 1 << 24;

/// An object with metadata.
pub enum Node {
    Array(Box<ZarrArray>),
    /// Group, by its attributes.
    Group(Map<String, Value>),
}

/// Reads the metadata of an array or group at `prefix` of the store, which is empty or ends with a slash.
///
/// # Errors
/// [`FormatError`].
pub fn read_node(store: &Store, prefix: &str) -> Result<Option<Node>, FormatError> {
    let invalid = |key: &str, error: &serde_json::Error| fault(key, error.to_string());
    let read = |name: &str| -> Result<Option<(String, Value)>, FormatError> {
        let key = format!("{prefix}{name}");
        let Some(bytes) = store.read(&key, MAX_METADATA)? else { return Ok(None) };
        let json = serde_json::from_slice(&bytes).map_err(|error| invalid(&key, &error))?;
        Ok(Some((key, json)))
    };
    if let Some((key, mut json)) = read("zarr.json")? {
        if json["node_type"] == "array" {
            let metadata = serde_json::from_value(json).map_err(|error| invalid(&key, &error))?;
            return Ok(Some(Node::Array(Box::new(ZarrArray::of_v3(store, prefix, metadata)?))));
        }
        if json["node_type"] != "group" || json["zarr_format"] != 3 {
            return Err(fault(&key, "is neither an array nor a group of version 3"));
        }
        return Ok(Some(Node::Group(object(json["attributes"].take()))));
    }
    let attributes = || Ok::<_, FormatError>(read(".zattrs")?.map_or(Value::Null, |(_, json)| json));
    if let Some((key, json)) = read(".zarray")? {
        let metadata = serde_json::from_value(json).map_err(|error| invalid(&key, &error))?;
        let mut metadata: zarrs::metadata::v2::ArrayMetadataV2 = metadata;
        metadata.attributes = object(attributes()?);
        return Ok(Some(Node::Array(Box::new(ZarrArray::of_v2(store, prefix, metadata)?))));
    }
    if read(".zgroup")?.is_some() {
        return Ok(Some(Node::Group(object(attributes()?))));
    }
    Ok(None)
}

fn object(json: Value) -> Map<String, Value> {
    if let Value::Object(members) = json { members } else { Map::new() }
}
