//! The channels of an EXR part that become red, green, blue and alpha.
//!
//! OpenEXR states the names R, G, B, A and Y, and points between the names of layers and channels. Renderers
//! also write lower case, words, and vectors of X, Y and Z.

use super::super::{
    failure::Failure,
    feature::{ImageFeature, listed},
    words::one_line,
};
use exr::meta::attribute::{ChannelList, SampleType};
use std::collections::HashMap;

/// Names of the part or layer that is the picture: Blender's, Nuke's and Arnold's, and those of renderers
/// whose other layers are its components.
const PICTURE_NAMES: [&str; 3] = ["combined", "rgba", "beauty"];

/// Contents of channels, from the least to the most suitable as a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Contents {
    /// The only channel, or the only colour of a layer.
    OneChannel,
    /// Channels Y, or X and Y.
    GreyOrVector,
    Colors,
}

/// Precedence of the channels of a part, or of its layers: nearness to the wanted name, contents, then the
/// name.
pub(super) type Rank = (Nearness, Contents, u8);

/// Nearness of a name to the wanted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    /// None, or no name is wanted.
    None,
    /// The last words, after a point, are the same except for upper and lower case.
    Words,
    /// The last words are the same.
    SameWords,
    /// The names are the same except for upper and lower case.
    Name,
    SameName,
}

impl Nearness {
    fn of(name: &str, wanted: &str) -> Self {
        let words = name.len().checked_sub(wanted.len()).and_then(|start| name.get(start..)).unwrap_or("");
        let are_words = name.strip_suffix(words).is_some_and(|before| before.ends_with('.'));
        match () {
            () if name == wanted => Self::SameName,
            () if name.eq_ignore_ascii_case(wanted) => Self::Name,
            () if wanted.is_empty() => Self::None,
            () if are_words && words == wanted => Self::SameWords,
            () if are_words && words.eq_ignore_ascii_case(wanted) => Self::Words,
            () => Self::None,
        }
    }

    /// Returns the largest nearness of three names: that of a layer or channel in a part, that of the part,
    /// and both with a point between them.
    fn in_part(part: Option<&str>, name: &str, wanted: &str) -> Self {
        let part = part.filter(|part| !part.is_empty());
        let of = |name: &str| if name.is_empty() { Self::None } else { Self::of(name, wanted) };
        let both = part.filter(|_| !name.is_empty()).map(|part| of(&format!("{part}.{name}")));
        of(name).max(part.map_or(Self::None, of)).max(both.unwrap_or(Self::None))
    }
}

/// The places of channels in the file's list.
#[derive(Debug, PartialEq)]
pub(super) struct Selection {
    /// Red, green and blue; `None` is 0.
    colors: [Option<usize>; 3],
    pub alpha: Option<usize>,
    /// True if chromaticities apply: not to grey and vectors.
    pub is_color: bool,
    pub notes: Vec<String>,
    pub rank: Rank,
}

/// The channels of a layer.
struct Layer {
    /// Name with its point; empty for channels without a layer.
    name: String,
    colors: [Option<usize>; 3],
    alpha: Option<usize>,
    /// X, Y and Z. Y alone is luminance.
    vector: [Option<usize>; 3],
    has_chroma: bool,
    /// Every channel.
    places: Vec<usize>,
}

impl Layer {
    /// Returns the layers of channels with these names: channels without one, then the others in the order of
    /// the file.
    fn all(names: &[String]) -> Vec<Self> {
        let mut layers = vec![("", Vec::new())];
        let mut indices = HashMap::from([("", 0)]);
        for (place, name) in names.iter().enumerate() {
            let (layer, channel) = name.split_at(name.rfind('.').map_or(0, |point| point + 1));
            let index = *indices.entry(layer).or_insert(layers.len());
            if index == layers.len() {
                layers.push((layer, Vec::new()));
            }
            layers[index].1.push((channel, place));
        }
        layers.into_iter().map(|(name, channels)| Self::of(name, &channels)).collect()
    }

    /// Returns the layer with these channels, each with its place. OpenEXR's names count before others.
    fn of(name: &str, channels: &[(&str, usize)]) -> Self {
        let find = |words: &[&str]| {
            let is_known = |channel: &str| words.iter().any(|word| word.eq_ignore_ascii_case(channel));
            let usual = channels.iter().find(|(channel, _)| words.first() == Some(channel));
            usual.or_else(|| channels.iter().find(|(channel, _)| is_known(channel))).map(|&(_, place)| place)
        };
        Self {
            name: name.to_owned(),
            colors: [find(&["R", "red"]), find(&["G", "green"]), find(&["B", "blue"])],
            alpha: find(&["A", "alpha"]),
            vector: ["X", "Y", "Z"].map(|word| find(&[word])),
            has_chroma: find(&["RY"]).is_some() || find(&["BY"]).is_some(),
            places: channels.iter().map(|&(_, place)| place).collect(),
        }
    }

    fn contents(&self) -> Option<Contents> {
        match (self.colors.iter().flatten().count(), self.vector[1]) {
            (2.., _) => Some(Contents::Colors),
            (_, Some(_)) => Some(Contents::GreyOrVector),
            (1, None) => Some(Contents::OneChannel),
            (_, None) => None,
        }
    }

    /// Returns the precedence of the layer's name in a part; `part` is the part's name if there are several.
    fn name_rank(&self, part: Option<&str>) -> u8 {
        let words = |text: &str| {
            let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
            words.any(|word| PICTURE_NAMES.iter().any(|name| name.eq_ignore_ascii_case(word)))
        };
        let is_picture = words(&self.name) || part.is_some_and(words);
        match (is_picture, self.name.is_empty()) {
            // Alone, a part without layers is the picture.
            (_, true) if part.is_none() => 2,
            (true, _) => {
                if part.is_none() {
                    1
                } else {
                    2
                }
            }
            (false, true) => 1,
            (false, false) => 0,
        }
    }
}

/// Returns the names of the layers of a part, or those of its channels if it has none.
pub(super) fn layer_names(channels: &ChannelList) -> Vec<String> {
    let names = channel_names(channels);
    let layers = Layer::all(&names).into_iter().map(|layer| layer.name.trim_end_matches('.').to_owned());
    let layers: Vec<_> = layers.filter(|name| !name.is_empty()).collect();
    if layers.is_empty() { names } else { layers }
}

fn channel_names(channels: &ChannelList) -> Vec<String> {
    channels.list.iter().map(|channel| one_line(&channel.name.to_string())).collect()
}

impl Selection {
    /// Selects channels by their names: those of the layer with the highest [`Rank`], or of the first of
    /// several; else a single channel as grey. `part` is the part's name if the file has several. Returns
    /// `None` if nothing has the wanted name.
    pub fn of(
        channels: &ChannelList,
        part: Option<&str>,
        wanted: Option<&str>,
    ) -> Result<Option<Self>, Failure> {
        let names = channel_names(channels);
        let near =
            |part, name: &str| wanted.map_or(Nearness::None, |wanted| Nearness::in_part(part, name, wanted));
        let is_wanted = |near: Nearness| wanted.is_none() || near > Nearness::None;
        // Places of single channels are read as grey.
        let mut candidates: Vec<(Rank, Result<Layer, usize>)> = Vec::new();
        let mut without_colors = None;
        for layer in Layer::all(&names) {
            let near = near(part, layer.name.trim_end_matches('.'));
            match (layer.contents(), &layer.places[..]) {
                _ if !is_wanted(near) => {}
                (Some(contents), _) => {
                    candidates.push(((near, contents, layer.name_rank(part)), Ok(layer)));
                }
                (None, &[place]) if wanted.is_some() || names.len() == 1 => {
                    candidates.push(((near, Contents::OneChannel, 0), Err(place)));
                }
                (None, []) => {}
                (None, _) => without_colors = without_colors.or(Some(layer.places)),
            }
        }
        if wanted.is_some() {
            // The name of a part is none of its channels.
            let of = |name: &String| {
                let both = part.map(|part| near(None, &format!("{part}.{name}")));
                near(None, name).max(both.unwrap_or(Nearness::None))
            };
            let channel = |(place, name)| ((of(name), Contents::OneChannel, 0), Err(place));
            let channels = names.iter().enumerate().map(channel);
            candidates.extend(channels.filter(|((near, ..), _)| is_wanted(*near)));
        }
        let first_of_best =
            candidates.into_iter().reduce(|best, other| if other.0 > best.0 { other } else { best });
        let (mut selection, layer) = match first_of_best {
            Some((rank, Ok(layer))) => (Self::of_layer(rank, &layer, &names)?, layer.name),
            Some((rank, Err(place))) => {
                let notes = vec![format!("channel {} is read as grey", names[place])];
                let selection = Self { colors: [Some(place); 3], alpha: None, is_color: false, notes, rank };
                let layer = &names[place][..names[place].rfind('.').map_or(0, |point| point + 1)];
                (selection, layer.to_owned())
            }
            None if wanted.is_none() => {
                return Err(Failure::Unsupported(ImageFeature::NoColors { channels: names }));
            }
            None => {
                let Some(places) = without_colors else { return Ok(None) };
                let channels = places.into_iter().map(|place| names[place].clone()).collect();
                return Err(Failure::Unsupported(ImageFeature::NoColors { channels }));
            }
        };
        let is_used = |place| selection.colors.contains(&Some(place)) || selection.alpha == Some(place);
        // Channels of other layers are expected if a layer is named.
        let is_expected = |name: &str| wanted.is_none() || name.starts_with(&layer);
        let unused = names.iter().enumerate().filter(|&(place, name)| !is_used(place) && is_expected(name));
        let unused: Vec<_> = unused.map(|(_, name)| name.clone()).collect();
        if !unused.is_empty() {
            selection.notes.push(format!("channels are not read: {}", listed(&unused)));
        }
        Ok(Some(selection))
    }

    fn of_layer(rank: Rank, layer: &Layer, names: &[String]) -> Result<Self, Failure> {
        let Layer { alpha, vector: [x, y, _], .. } = *layer;
        let mut notes = Vec::new();
        let is_vector = rank.1 == Contents::GreyOrVector && x.is_some();
        if is_vector || rank.1 == Contents::Colors {
            let colors = if is_vector { layer.vector } else { layer.colors };
            let expected = if is_vector { ["X", "Y", "Z"] } else { ["R", "G", "B"] };
            for (color, name) in colors.iter().zip(expected) {
                if color.is_none() {
                    notes.push(format!("there is no channel {name}; it is 0"));
                }
            }
            if is_vector {
                let found: Vec<String> = colors.iter().flatten().map(|&place| names[place].clone()).collect();
                notes.push(format!("a vector is read as red, green and blue: {}", listed(&found)));
            } else if !layer.name.is_empty() {
                notes.push(format!("the layer {} is read", layer.name.trim_end_matches('.')));
            }
            // The components of a vector are no products of alpha.
            let alpha = alpha.filter(|_| !is_vector);
            return Ok(Self { colors, alpha, is_color: !is_vector, notes, rank });
        }
        if layer.has_chroma {
            return Err(Failure::Unsupported(ImageFeature::Chroma));
        }
        let grey = y.or(layer.colors.into_iter().flatten().next());
        if let Some(name) = grey.map(|grey| &names[grey]).filter(|name| *name != "Y") {
            notes.push(format!("channel {name} is read as grey"));
        }
        Ok(Self { colors: [grey; 3], alpha, is_color: false, notes, rank })
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
        let selection = Selection::of(&ChannelList::new(list), None, None).map(Option::unwrap);
        selection.map_err(|failure| match failure {
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
            Selection::of(&channels, None, None).ok().flatten().unwrap().is_of_halves(&channels)
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
        assert_eq!((grey.colors, grey.is_color, grey.alpha), ([Some(1); 3], false, Some(0)));
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

    #[test]
    fn other_names_of_colours_are_known() {
        for names in [["b", "g", "r"], ["blue", "green", "red"], ["Blue", "Green", "Red"]] {
            let selection = select(&names).unwrap();
            assert_eq!((selection.colors, selection.is_color), ([Some(2), Some(1), Some(0)], true));
            assert_eq!(selection.notes, [""; 0]);
        }
        assert_eq!(select(&["alpha", "blue", "green", "red"]).unwrap().alpha, Some(0));
        // OpenEXR's names come first.
        let both = select(&["A", "B", "G", "R", "b", "g", "r"]).unwrap();
        assert_eq!(both.colors, [Some(3), Some(2), Some(1)]);
    }

    #[test]
    fn vectors_become_three_channels() {
        let vector = select(&["X", "Y", "Z"]).unwrap();
        assert_eq!((vector.colors, vector.is_color), ([Some(0), Some(1), Some(2)], false));
        assert_eq!(vector.notes, ["a vector is read as red, green and blue: X, Y, Z"]);
        let vector = select(&["A", "N.X", "N.Y", "N.Z"]).unwrap();
        assert_eq!((vector.colors, vector.alpha), ([Some(1), Some(2), Some(3)], None));
        assert_eq!(vector.notes[1], "channels are not read: A");
        assert_eq!(select(&["x", "y", "z"]).unwrap().colors, [Some(0), Some(1), Some(2)]);
        let plane = select(&["X", "Y"]).unwrap();
        assert_eq!(plane.colors, [Some(0), Some(1), None]);
        assert_eq!(plane.notes[0], "there is no channel Z; it is 0");
        // Luminance and depth are no vector, and colours come first.
        let grey = select(&["Y", "Z"]).unwrap();
        assert_eq!(
            (grey.colors, &grey.notes[..]),
            ([Some(0); 3], &["channels are not read: Z".to_owned()][..])
        );
        let colors = select(&["B", "G", "R", "X", "Y", "Z"]).unwrap();
        assert_eq!(colors.colors, [Some(2), Some(1), Some(0)]);
        assert_eq!(select(&["a.X", "a.Y", "a.Z", "b.B", "b.G", "b.R"]).unwrap().colors[0], Some(5));
    }

    #[test]
    fn the_layer_that_is_the_picture_is_preferred() {
        let layer = |layers: [&str; 3]| {
            let channels = layers.map(|layer| ["B", "G", "R"].map(|color| format!("{layer}{color}")));
            let names: Vec<&str> = channels.as_flattened().iter().map(String::as_str).collect();
            select(&names).unwrap().colors[0].unwrap() / 3
        };
        assert_eq!(layer(["View.AO.", "View.Combined.", "View.Combined2."]), 1);
        assert_eq!(layer(["a.", "b.", "beauty."]), 2);
        assert_eq!(layer(["a.", "RGBA.left.", "RGBA.right."]), 1);
        assert_eq!(layer(["a.", "b.", "c."]), 0);
        // Alone, channels without a layer are the picture.
        assert_eq!(layer(["beauty.", "", "c."]), 1);
        assert_eq!(select(&["beauty.Y", "c.B", "c.G", "c.R"]).unwrap().colors[0], Some(3));
    }
}
