//! Channels of a slice in their colours, added up.

use super::window;
use crate::volume::{ShownChannel, slice::picture::Picture};

/// Values of a channel of a slice, and the indices of those that were measured: none means all.
pub type ChannelValues = (Picture<f64>, Vec<usize>);

/// Returns the sum of the channels' colours, each from black to its colour over its window. Sums are at most
/// 255, as in OMERO and napari: they add numbers of sRGB. NaN is black. Sets windows that are not given to
/// values that suit the channel.
pub fn colors(
    all: impl Iterator<Item = ChannelValues>,
    channels: &mut [ShownChannel],
    wanted: [usize; 2],
) -> Vec<[u8; 3]> {
    let mut sums: Vec<[f64; 3]> = Vec::new();
    let mut size = [0; 2];
    for ((values, measured), channel) in all.zip(channels) {
        size = [values.width, values.height];
        sums.resize(values.pixels.len(), [0.0; 3]);
        channel.window = channel.window.or_else(|| {
            let known = measured.iter().map(|&index| values.pixels[index]).collect::<Vec<_>>();
            window::suited_to(if known.is_empty() { &values.pixels } else { &known })
        });
        let [low, high] = channel.window.unwrap_or_default();
        for (sum, value) in sums.iter_mut().zip(values.pixels) {
            let share = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
            let share = if channel.is_inverted { 1.0 - share } else { share };
            let share = if share.is_nan() { 0.0 } else { share };
            for (sum, color) in sum.iter_mut().zip(channel.color) {
                *sum += share * f64::from(color);
            }
        }
    }
    let [width, height] = size;
    let part = |part: usize| {
        let pixels = sums.iter().map(|sum| sum[part].round() as u8).collect();
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
}
