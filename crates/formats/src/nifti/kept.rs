//! Header fields that the metadata keeps, and that are written again.

use super::Layout;
use serde_json::{Map, Value};

/// Size of a field in NIfTI-1 and in NIfTI-2.
#[derive(Clone, Copy)]
pub enum Width {
    /// 4 or 8 bytes, a float.
    Float,
    /// 1 byte in both.
    Byte,
    /// 1 or 4 bytes.
    Code,
    /// 2 or 8 bytes.
    Count,
}

/// Field that is kept unless it is 0.
pub struct Kept {
    pub name: &'static str,
    pub at: fn(&Layout) -> usize,
    pub index: usize,
    pub width: Width,
}

const fn kept(name: &'static str, at: fn(&Layout) -> usize, index: usize, width: Width) -> Kept {
    Kept { name, at, index, width }
}

/// All such fields.
pub const KEPT: [Kept; 9] = [
    kept("dim_info", |layout| layout.dim_info, 0, Width::Byte),
    kept("intent_p1", |layout| layout.intent_p, 0, Width::Float),
    kept("intent_p2", |layout| layout.intent_p, 1, Width::Float),
    kept("intent_p3", |layout| layout.intent_p, 2, Width::Float),
    kept("slice_start", |layout| layout.slice_start, 0, Width::Count),
    kept("slice_end", |layout| layout.slice_end, 0, Width::Count),
    kept("slice_code", |layout| layout.slice_code, 0, Width::Code),
    kept("slice_duration", |layout| layout.slice_duration, 0, Width::Float),
    kept("toffset", |layout| layout.toffset, 0, Width::Float),
];

/// Returns the names of the kept fields that only NIfTI has.
pub fn names(kept: &Map<String, Value>) -> Vec<String> {
    let texts = ["extensions", "intent_code", "intent_name", "descrip", "aux_file"];
    let numbers = KEPT.iter().map(|field| field.name);
    numbers.chain(texts).filter(|name| kept.contains_key(*name)).map(str::to_owned).collect()
}
