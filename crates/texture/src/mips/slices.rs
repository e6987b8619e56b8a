//! Slices of a 3D texture's next mip level. A 2D image is a level with one slice.

use super::{MipLevel, halved, taps::Taps};
use crate::{
    ChannelType, Image,
    block_row::{Form, RowBuffer},
};
use std::collections::VecDeque;

/// Images from which one image of the next mip level is computed: neighbouring slices, or one 2D image.
#[derive(Clone, Copy)]
pub(crate) struct Covered<'a> {
    /// Covered slices, in order: 1 to 3, all of the same size.
    images: [&'a dyn Image; 3],
    /// Index of the slice in the next mip level.
    pub index: u32,
    /// Number of slices of the level that is halved.
    pub depth: u32,
}

impl<'a> Covered<'a> {
    /// Returns a 2D image as the only slice.
    pub fn image(image: &'a dyn Image) -> Self {
        Self { images: [image; 3], index: 0, depth: 1 }
    }

    /// Returns the two slices of a 3D texture of depth 2.
    #[cfg(test)]
    pub fn slices([first, second]: [&'a dyn Image; 2]) -> Self {
        Self { images: [first, second, second], index: 0, depth: 2 }
    }

    /// Returns the images that one image of the next mip level covers.
    pub fn images(&self) -> &[&'a dyn Image] {
        &self.images[..Taps::new(self.index, self.depth).count as usize]
    }

    /// Returns the type of the channels: 16 bits if a slice has them.
    pub fn channel_type(&self) -> ChannelType {
        let mut types = self.images.iter().map(|image| image.channel_type());
        types.find(|&channels| channels == ChannelType::U16).unwrap_or(self.images[0].channel_type())
    }

    /// True if an image has alpha.
    pub fn has_alpha(&self) -> bool {
        self.images.iter().any(|image| image.has_alpha())
    }

    /// Returns the only slice of a 2D image.
    pub fn single(&self) -> Option<&'a dyn Image> {
        (self.depth == 1).then_some(self.images[0])
    }

    /// Returns the width and height of each slice in texels.
    pub fn size(&self) -> [u32; 2] {
        self.images[0].size()
    }

    /// Returns the rows of the first `count` slices, and empty ones for the others.
    pub fn rows<'b, T: Form>(
        &'b self,
        count: u32,
        ys: [u32; 3],
        buffers: &'b mut [[RowBuffer; 3]; 3],
    ) -> [[&'b [T]; 3]; 3] {
        let mut buffers = buffers.iter_mut();
        let mut images = self.images.iter().take(count as usize);
        [(); 3].map(|()| match (images.next(), buffers.next()) {
            (Some(&image), Some(buffers)) => T::rows(image, ys, buffers),
            _ => [&[] as &[T]; 3],
        })
    }
}

/// State of halving a level of a 3D texture along all sides, slice by slice. It keeps at most three slices:
/// those that the next slice of the result covers.
pub(crate) struct SliceHalver<'a> {
    depth: u32,
    /// Index of the first slice kept.
    first: u32,
    kept: VecDeque<Box<dyn Image + 'a>>,
    /// Number of finished slices of the next mip level.
    made: u32,
}

impl<'a> SliceHalver<'a> {
    /// Returns a halver of a level of `depth` slices, which come in order.
    pub fn new(depth: u32) -> Self {
        Self { depth, first: 0, kept: VecDeque::new(), made: 0 }
    }

    /// Adds the next slice. If that completes a slice of the next mip level, calls `halve` and returns its
    /// result.
    pub fn add<E>(
        &mut self,
        slice: Box<dyn Image + 'a>,
        halve: impl FnOnce(Covered<'_>) -> Result<MipLevel, E>,
    ) -> Result<Option<MipLevel>, E> {
        self.kept.push_back(slice);
        let taps = Taps::new(self.made, self.depth);
        if self.first + (self.kept.len() as u32) < taps.first + taps.count {
            return Ok(None);
        }
        let kept = |k: u32| &*self.kept[(taps.first - self.first + k.min(taps.count - 1)) as usize];
        let images = [0, 1, 2].map(kept);
        let level = halve(Covered { images, index: self.made, depth: self.depth })?;
        self.made += 1;
        // On an odd side, the next slice covers a part of the last one.
        let next = if self.made < halved(self.depth) { 2 * self.made } else { self.depth };
        while self.first < next && self.kept.pop_front().is_some() {
            self.first += 1;
        }
        Ok(Some(level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImageView;

    #[test]
    fn few_slices_are_kept_and_all_are_covered() {
        let texel = [[0u8; 4]];
        let image = ImageView::new(&texel, 1, 1).unwrap();
        for depth in 1..20 {
            let (mut halver, mut ends) = (SliceHalver::new(depth), Vec::new());
            for slice in 0..depth {
                let level = halver.add(Box::new(image), |covered| {
                    assert_eq!((covered.index, covered.depth), (ends.len() as u32, depth));
                    MipLevel::after([1, 1, depth], ChannelType::U8)
                });
                if level.unwrap().is_some() {
                    ends.push(slice);
                }
                assert!(halver.kept.len() <= 2, "depth {depth}");
            }
            assert_eq!(ends.len() as u32, halved(depth), "depth {depth}");
            assert_eq!((ends.last(), halver.kept.len()), (Some(&(depth - 1)), 0), "depth {depth}");
        }
    }
}
