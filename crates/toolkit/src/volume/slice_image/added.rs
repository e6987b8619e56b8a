//! Channels of a slice in their colours, added up.

use super::window;
use crate::volume::{ShownChannel, slice::picture::Picture};

/// Values of a channel of a slice, and the indices of those that were measured: none means all.
pub type ChannelValues = (Picture<f64>, Vec<usize>);

/// Sum of the colours of channels, each from black to its colour over its window. Sums are at most 255, as in
/// OMERO and napari: they add numbers of sRGB.
#[derive(Clone, Debug, Default)]
pub struct ChannelSum(Vec<[f64; 3]>);

impl ChannelSum {
    /// Adds a channel with these values, its colour from 0 to 255, and the values that are black and bright.
    /// With `is_inverted`, small values are bright. NaN is black. In an empty window, all values count as
    /// small.
    pub fn add(
        &mut self,
        values: impl ExactSizeIterator<Item = f64>,
        [low, high]: [f64; 2],
        color: [f64; 3],
        is_inverted: bool,
    ) {
        self.0.resize(values.len(), [0.0; 3]);
        for (sum, value) in self.0.iter_mut().zip(values).filter(|(_, value)| !value.is_nan()) {
            let share = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
            let share = if is_inverted { 1.0 - share } else { share };
            for (sum, color) in sum.iter_mut().zip(color) {
                *sum += share * color;
            }
        }
    }

    /// Returns red, green and blue of each pixel.
    pub fn pixels(&self) -> impl ExactSizeIterator<Item = [u8; 3]> {
        // (Larger numbers become 255.)
        self.0.iter().map(|sum| sum.map(|part| part.round() as u8))
    }
}

/// Returns the sum of the channels' colours in an image of `wanted` pixels. Sets windows that are not given
/// to values that suit the channel. A channel that then has none has no finite value, and is left out.
pub fn colors(
    all: impl Iterator<Item = ChannelValues>,
    channels: &mut [ShownChannel],
    wanted: [usize; 2],
) -> Vec<[u8; 3]> {
    let mut sum = ChannelSum::default();
    let mut size = [0; 2];
    for ((values, measured), channel) in all.zip(channels) {
        size = [values.width, values.height];
        channel.window = channel.window.or_else(|| {
            let known = measured.iter().map(|&index| values.pixels[index]).collect::<Vec<_>>();
            window::suited_to(if known.is_empty() { &values.pixels } else { &known })
        });
        // Without a window, no value counts.
        let (window, color) = (channel.window.unwrap_or_default(), channel.color.map(f64::from));
        let values = values.pixels.into_iter();
        let values = values.map(|value| if channel.window.is_some() { value } else { f64::NAN });
        sum.add(values, window, color, channel.is_inverted);
    }
    let [width, height] = size;
    let part = |part: usize| {
        let pixels = sum.pixels().map(|pixel| pixel[part]).collect();
        Picture { width, height, pixels }.mixed(wanted).pixels
    };
    let [red, green, blue] = [0, 1, 2].map(part);
    red.into_iter().zip(green).zip(blue).map(|((red, green), blue)| [red, green, blue]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_volume::{ChannelLook, Dims, Header, VoxelType};

    #[test]
    fn colours_of_channels_are_added() {
        let header = Header::new(VoxelType::U16, Dims::new(4, 1, 1)).with(|header| header.channels = 3);
        let look =
            |color, window| ChannelLook::default().with(|o| (o.color, o.window) = (Some(color), window));
        let looks = [
            look([255, 0, 0], Some([0.0, 200.0])),
            look([0, 255, 100], Some([100.0, 300.0])),
            look([200, 200, 0], Some([0.0, 4.0])).with(|look| look.is_inverted = true),
        ];
        let header = header.with_channels("zarr", &[], &looks);
        let mut shown = crate::volume::shown_channels(None, &header, None, false).unwrap();
        let values: [[f64; 4]; 3] =
            [[0.0, 100.0, 300.0, f64::NAN], [100.0, 200.0, 150.0, 900.0], [4.0, 3.0, 0.0, 2.0]];
        let pictures = |values: [[f64; 4]; 3]| {
            values.map(|values| (Picture { width: 4, height: 1, pixels: values.to_vec() }, Vec::new()))
        };
        let found = colors(pictures(values).into_iter(), &mut shown, [4, 1]);
        // Shares 0, 0, 0; ½, ½, ¼; 1, ¼, 1; 0, 1, ½.
        assert_eq!(found, [[0, 0, 0], [178, 178, 50], [255, 255, 25], [100, 255, 100]]);
        // A window that suits the values, and an image twice as wide.
        shown.truncate(1);
        shown[0].window = None;
        let [first, ..] = pictures([[10.0, 20.0, 20.0, 30.0]; 3]);
        let found = colors([first].into_iter(), &mut shown, [8, 1]);
        assert_eq!(shown[0].window, Some([10.0, 30.0]));
        let red: Vec<u8> = found.iter().map(|color| color[0]).collect();
        assert_eq!(red, [0, 32, 96, 128, 128, 160, 223, 255]);
    }

    #[test]
    fn what_is_no_number_is_black() {
        let header = Header::new(VoxelType::F32, Dims::new(3, 1, 1)).with(|header| header.channels = 3);
        let look = ChannelLook::default().with(|look| {
            (look.color, look.is_inverted) = (Some([80; 3]), true);
        });
        let windowed = look.with(|look| look.window = Some([0.0, 4.0]));
        let header = header.with_channels("zarr", &[], &[look, windowed, windowed]);
        let mut shown = crate::volume::shown_channels(None, &header, None, false).unwrap();
        let nothing = [f64::NAN; 3];
        let pictures = [nothing, nothing, [0.0, f64::NAN, 4.0]]
            .map(|values| (Picture { width: 3, height: 1, pixels: values.to_vec() }, Vec::new()));
        let found = colors(pictures.into_iter(), &mut shown, [3, 1]);
        assert_eq!((found, shown[0].window), (vec![[80; 3], [0; 3], [0; 3]], None));
    }
}
