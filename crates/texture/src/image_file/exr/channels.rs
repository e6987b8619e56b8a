//! The channels of an EXR part that become red, green, blue and alpha.

use super::super::{
    failure::Failure,
    feature::{ImageFeature, listed},
};
use exr::meta::attribute::{ChannelList, SampleType};

/// The places of channels in the file's list.
#[derive(Debug, PartialEq)]
pub(super) struct Selection {
    /// Red, green and blue; `None` is 0.
    colors: [Option<usize>; 3],
    pub alpha: Option<usize>,
    pub is_grey: bool,
    pub notes: Vec<String>,
}

impl Selection {
    /// Selects channels by their names: R, G and B of the part or of its first layer, else Y, else a single
    /// channel as grey; and A.
    pub fn of(channels: &ChannelList) -> Result<Self, Failure> {
        let list = &channels.list;
        let names: Vec<String> = list.iter().map(|channel| channel.name.to_string()).collect();
        let unsupported = |feature| Err(Failure::Unsupported(feature));
        let find = |name: &str| names.iter().position(|other| other == name);
        // The first layer with a colour: "" or a name that ends in a point.
        let layer =
            std::iter::once("").chain(names.iter().filter_map(|name| Some(&name[..=name.rfind('.')?]))).find(
                |layer| ["R", "G", "B", "Y"].iter().any(|color| find(&format!("{layer}{color}")).is_some()),
            );
        let of_layer = |name: &str| layer.and_then(|layer| find(&format!("{layer}{name}")));
        let mut notes = Vec::new();
        let alpha = of_layer("A");
        let mut colors = ["R", "G", "B"].map(of_layer);
        let present = colors.iter().flatten().count();
        let is_grey = present < 2;
        if of_layer("RY").is_some() || of_layer("BY").is_some() {
            return unsupported(ImageFeature::Chroma);
        }
        if is_grey {
            let single = colors.iter().flatten().next().copied();
            let others: Vec<usize> = (0..list.len()).filter(|&place| Some(place) != alpha).collect();
            let only = if let [only] = others[..] { Some(only) } else { None };
            let Some(grey) = of_layer("Y").or(single).or(only) else {
                return unsupported(ImageFeature::NoColors { channels: names });
            };
            if names[grey] != "Y" {
                notes.push(format!("channel {} is read as grey", names[grey]));
            }
            colors = [Some(grey); 3];
        } else {
            for (color, name) in colors.iter().zip(["R", "G", "B"]) {
                if color.is_none() {
                    notes.push(format!("there is no channel {name}; it is 0"));
                }
            }
            if let Some(layer) = layer.filter(|layer| !layer.is_empty()) {
                notes.push(format!("the layer {} is read", layer.trim_end_matches('.')));
            }
        }
        let is_used = |place: &usize| colors.contains(&Some(*place)) || alpha == Some(*place);
        let unused: Vec<String> =
            (0..list.len()).filter(|place| !is_used(place)).map(|place| names[place].clone()).collect();
        if !unused.is_empty() {
            notes.push(format!("channels are not read: {}", listed(&unused)));
        }
        Ok(Self { colors, alpha, is_grey, notes })
    }

    /// True if the samples of all selected channels are half floats.
    pub fn is_of_halves(&self, channels: &ChannelList) -> bool {
        let mut places = self.colors.iter().chain([&self.alpha]).flatten();
        places.all(|&place| channels.list[place].sample_type == SampleType::F16)
    }

    /// Returns for each channel of the file its places in a texel: 0 to 2 are red to blue, 3 is alpha.
    pub fn targets(&self, channel_count: usize) -> Vec<Vec<usize>> {
        let mut targets = vec![Vec::new(); channel_count];
        for (target, &channel) in self.colors.iter().chain([&self.alpha]).enumerate() {
            if let Some(channel) = channel {
                targets[channel].push(target);
            }
        }
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exr::{
        meta::attribute::{ChannelDescription, Text},
        prelude::SmallVec,
    };

    fn select(names: &[&str]) -> Result<Selection, String> {
        let channel = |name: &&str| ChannelDescription::new(Text::from(*name), SampleType::F16, false);
        let list: SmallVec<[ChannelDescription; 5]> = names.iter().map(channel).collect();
        Selection::of(&ChannelList::new(list)).map_err(|failure| match failure {
            Failure::Unsupported(feature) => feature.to_string(),
            _ => "another failure".to_owned(),
        })
    }

    #[test]
    fn only_selected_channels_are_halves_or_not() {
        let channel =
            |(name, kind): (&str, SampleType)| ChannelDescription::new(Text::from(name), kind, false);
        let of = |kinds: [SampleType; 5]| {
            let list: SmallVec<[ChannelDescription; 5]> =
                ["A", "B", "G", "R", "Z"].into_iter().zip(kinds).map(channel).collect();
            let channels = ChannelList::new(list);
            Selection::of(&channels).ok().unwrap().is_of_halves(&channels)
        };
        let half = SampleType::F16;
        assert!(of([half; 5]) && of([half, half, half, half, SampleType::F32]));
        assert!(
            !of([SampleType::F32, half, half, half, half]) && !of([half, half, SampleType::U32, half, half])
        );
    }

    #[test]
    fn channels_are_found_by_name() {
        let selection = select(&["A", "B", "G", "R", "Z"]).unwrap();
        assert_eq!((selection.colors, selection.alpha), ([Some(3), Some(2), Some(1)], Some(0)));
        assert_eq!(selection.notes, ["channels are not read: Z"]);
        assert_eq!(selection.targets(5), [vec![3], vec![2], vec![1], vec![0], vec![]]);
        let selection = select(&["left.B", "left.G", "left.R", "right.R"]).unwrap();
        assert_eq!(selection.colors, [Some(2), Some(1), Some(0)]);
        assert_eq!(selection.notes, ["the layer left is read", "channels are not read: right.R"]);
        let grey = select(&["A", "Y"]).unwrap();
        assert_eq!((grey.colors, grey.is_grey, grey.alpha), ([Some(1); 3], true, Some(0)));
        assert_eq!(select(&["G"]).unwrap().notes, ["channel G is read as grey"]);
        assert_eq!(select(&["Z"]).unwrap().notes, ["channel Z is read as grey"]);
        assert_eq!(select(&["B", "R"]).unwrap().notes, ["there is no channel G; it is 0"]);
        assert_eq!(
            select(&["BY", "RY", "Y"]),
            Err("luminance and chroma (Y, RY, BY) are not supported".into())
        );
        let many: Vec<String> = (0..10).map(|i| format!("N{i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let expected = "no channels R, G, B or Y, only N0, N1, N2, N3, N4, N5, N6, N7 and 2 more";
        assert_eq!(select(&many), Err(expected.into()));
    }
}
