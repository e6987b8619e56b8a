//! Colours as luma and two differences (YCbCr), which become red, green and blue by the equations of JPEG
//! (ITU-T T.871, section 7). DICOM calls them YBR.

/// Converts voxels of luma, blue difference and red difference.
pub fn to_rgb(voxels: &mut [u8]) {
    for voxel in voxels.as_chunks_mut::<3>().0 {
        let [y, cb, cr] = *voxel;
        let [y, cb, cr] = [f32::from(y), f32::from(cb) - 128.0, f32::from(cr) - 128.0];
        let rgb = [y + 1.402 * cr, y - 0.344_136 * cb - 0.714_136 * cr, y + 1.772 * cb];
        *voxel = rgb.map(|value| value.round().clamp(0.0, 255.0) as u8);
    }
}

/// Spreads pairs of voxels with common differences (two lumas, blue difference, red difference) to whole
/// voxels.
#[cfg(feature = "dicom")]
pub fn spread_pairs(pairs: &[u8], voxels: &mut [u8]) {
    for (&[first, second, cb, cr], voxels) in pairs.as_chunks().0.iter().zip(voxels.as_chunks_mut::<6>().0) {
        *voxels = [first, cb, cr, second, cb, cr];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_of_jpeg() {
        // Grey, red, green, blue and clipped colours.
        let mut voxels = [50, 128, 128, 76, 85, 255, 150, 44, 21, 29, 255, 107, 255, 128, 255];
        to_rgb(&mut voxels);
        assert_eq!(voxels, [50, 50, 50, 254, 0, 0, 0, 255, 1, 0, 0, 254, 255, 164, 255]);
    }

    #[test]
    #[cfg(feature = "dicom")]
    fn pairs_share_differences() {
        let mut voxels = [0; 6];
        spread_pairs(&[1, 2, 3, 4], &mut voxels);
        assert_eq!(voxels, [1, 3, 4, 2, 3, 4]);
    }
}
