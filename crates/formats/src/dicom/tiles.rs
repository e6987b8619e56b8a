//! Tiles of the picture of a slide (PS3.3, C.8.12.4 and C.7.6.17.3): frames that are side by side, not one
//! behind the other.

use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, Tag};

/// True if the frames of a file are tiles of one picture.
pub fn are_in(object: &DefaultDicomObject, frame_count: u32) -> bool {
    let number = |tag: Tag| object.get(tag).and_then(|element| element.to_int::<u32>().ok());
    let of_matrix = [tags::TOTAL_PIXEL_MATRIX_COLUMNS, tags::TOTAL_PIXEL_MATRIX_ROWS].map(number);
    let own = [tags::COLUMNS, tags::ROWS].map(number);
    let organization = object.get(tags::DIMENSION_ORGANIZATION_TYPE).and_then(|e| e.to_str().ok());
    let is_tiled = organization.is_some_and(|organization| organization.trim().starts_with("TILED"));
    // The picture of one tile is that tile.
    let is_larger =
        of_matrix.iter().zip(own).any(|(whole, own)| whole.is_some_and(|whole| Some(whole) > own));
    is_larger || is_tiled && frame_count > 1
}
