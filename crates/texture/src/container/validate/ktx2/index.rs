//! Positions of descriptor, key/value data and supercompression global data.

use super::{
    head::{HEAD_BYTES, Head, offset, scheme},
    rules,
};
use crate::container::validate::finding::Findings;
use ::ktx2::LevelIndex;

pub(super) fn check(head: &Head, findings: &mut Findings) {
    let Head { descriptor, key_values, global, .. } = *head;
    let mut need = |holds: bool, rule, offset, message: String| {
        findings.add_if(!holds, rule, offset, || message);
    };
    let message =
        format!("dfdByteOffset is {}, and dfdByteLength is {}", descriptor.offset, descriptor.length);
    let is_there = descriptor.offset != 0 && !descriptor.is_empty();
    need(is_there, &rules::DFD_MISSING, offset::DESCRIPTOR, message);

    let levels = u64::from(head.level_count.max(1));
    let after_levels = HEAD_BYTES + LevelIndex::LENGTH as u64 * levels;
    let message =
        format!("dfdByteOffset is {}, and the level index ends at {after_levels}", descriptor.offset);
    need(descriptor.offset == after_levels, &rules::DFD_OFFSET, offset::DESCRIPTOR, message);
    let mut end = after_levels + descriptor.length;

    let distance = key_values.offset.checked_sub(descriptor.offset);
    let after = distance.map_or_else(|| "before it".to_owned(), |distance| format!("{distance} bytes after"));
    let message = format!("dfdByteLength is {}, and the key/value data starts {after}", descriptor.length);
    let is_distance = !is_there || key_values.offset == 0 || Some(descriptor.length) == distance;
    need(is_distance, &rules::DFD_LENGTH, offset::DESCRIPTOR_LENGTH, message);

    if key_values.is_empty() {
        let message = format!("kvdByteOffset is {}, and kvdByteLength is 0", key_values.offset);
        need(key_values.offset == 0, &rules::KVD_OFFSET_ALONE, offset::KEY_VALUES, message);
    } else {
        end = end.next_multiple_of(4);
        let message = format!("kvdByteOffset is {}, and the data before it ends at {end}", key_values.offset);
        need(key_values.offset == end, &rules::KVD_OFFSET, offset::KEY_VALUES, message);
        end += key_values.length;
    }

    if global.is_empty() {
        let message = format!("sgdByteOffset is {}, and sgdByteLength is 0", global.offset);
        need(global.offset == 0, &rules::SGD_OFFSET_ALONE, offset::GLOBAL, message);
    } else {
        end = end.next_multiple_of(8);
        let message = format!("sgdByteOffset is {}, and {end} is needed", global.offset);
        need(global.offset == end, &rules::SGD_OFFSET, offset::GLOBAL, message);
    }
    let message =
        format!("sgdByteLength is {}, and supercompressionScheme is {}", global.length, head.scheme);
    if head.is_basis() {
        need(!global.is_empty(), &rules::SGD_MISSING, offset::GLOBAL_LENGTH, message);
    } else if matches!(head.scheme, scheme::NONE | scheme::ZSTANDARD | scheme::ZLIB) {
        need(global.is_empty(), &rules::SGD_UNUSED, offset::GLOBAL_LENGTH, message);
    }
}
