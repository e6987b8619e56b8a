//! Channels of a volume: their names, and the way in which their file shows them side by side.

use crate::Header;
use serde_json::{Map, Value, json};

/// Member of a format's object in the metadata: a name for each channel, such as that of a dye.
const NAMES: &str = "channel_names";

/// Member of a format's object in the metadata: a look for each channel.
const LOOKS: &str = "channel_looks";

/// Formats whose objects have these members.
const SOURCES: [&str; 2] = ["zarr", "tiff"];

/// Colours of two channels, of three, and of more, in turn: those of Viv and vizarr.
const TWO_COLORS: [[u8; 3]; 2] = [[255, 0, 255], [0, 255, 0]];
const THREE_COLORS: [[u8; 3]; 3] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]];
const COLORS: [[u8; 3]; 6] =
    [[0, 255, 255], [255, 0, 255], [255, 255, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]];

/// Look of a channel among others, as in `omero` of OME-Zarr.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChannelLook {
    /// Red, green and blue of the brightest values, in sRGB. Default: `None`, which means that the file
    /// states no colour.
    pub color: Option<[u8; 3]>,
    /// Stored numbers that are black and bright, the smaller one first. Default: `None`, which means that the
    /// file states no window.
    pub window: Option<[f64; 2]>,
    /// True if the channel is shown. Default: true.
    pub is_active: bool,
    /// True if small numbers are bright. Default: false.
    pub is_inverted: bool,
}

impl Default for ChannelLook {
    fn default() -> Self {
        Self { color: None, window: None, is_active: true, is_inverted: false }
    }
}

impl ChannelLook {
    /// Returns the look after `change`, for use in an expression.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Returns the colour of a channel without a stated one, by its place among `count` channels that are
    /// shown: white for one, magenta and green for two, red, green and blue for three, else cyan, magenta,
    /// yellow, red, green and blue in turn.
    pub const fn default_color(index: usize, count: usize) -> [u8; 3] {
        match count {
            0 | 1 => [255; 3],
            2 => TWO_COLORS[index % 2],
            3 => THREE_COLORS[index % 3],
            _ => COLORS[index % COLORS.len()],
        }
    }

    fn to_json(self) -> Value {
        let color = self.color.map(|[red, green, blue]| format!("{red:02X}{green:02X}{blue:02X}"));
        json!({
            "color": color, "window": self.window, "active": self.is_active, "inverted": self.is_inverted,
        })
    }

    fn of_json(value: &Value) -> Self {
        let color = value["color"].as_str().and_then(parse_color);
        let window = value["window"].as_array().and_then(|ends| match ends[..] {
            [ref low, ref high] => Some([low.as_f64()?, high.as_f64()?]),
            _ => None,
        });
        Self {
            color,
            window: window.filter(|[low, high]| low < high && (high - low).is_finite()),
            is_active: value["active"].as_bool().unwrap_or(true),
            is_inverted: value["inverted"].as_bool().unwrap_or(false),
        }
    }

    /// Parses a colour of OMERO: `RRGGBB`, also with `#` before it or with an alpha after it, which is left
    /// out.
    pub fn parse_color(text: &str) -> Option<[u8; 3]> {
        parse_color(text)
    }
}

fn parse_color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let is_hex = matches!(digits.len(), 6 | 8) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    if is_hex { Some([byte(0)?, byte(2)?, byte(4)?]) } else { None }
}

impl Header {
    /// Returns the names of the channels; none if the metadata has no name, or not one for each channel.
    pub fn channel_names(&self) -> Vec<String> {
        let names = |names: &[Value]| {
            names.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
        };
        let found = self.of_channels(NAMES, names).unwrap_or_default();
        if found.iter().all(String::is_empty) { Vec::new() } else { found }
    }

    /// Returns the looks of the channels; none if the metadata does not have one for each channel.
    pub fn channel_looks(&self) -> Vec<ChannelLook> {
        let looks = |looks: &[Value]| Some(looks.iter().map(ChannelLook::of_json).collect());
        self.of_channels(LOOKS, looks).unwrap_or_default()
    }

    /// Stores names and looks of the channels, unless there are none, in the object of a format in the
    /// metadata: `zarr` or `tiff`.
    #[must_use]
    pub fn with_channels(mut self, source: &str, names: &[String], looks: &[ChannelLook]) -> Self {
        let mut metadata = match serde_json::from_str(&self.metadata) {
            Ok(Value::Object(metadata)) => metadata,
            _ => Map::new(),
        };
        let fields = metadata.entry(source).or_insert_with(|| json!({}));
        if !fields.is_object() {
            *fields = json!({});
        }
        if names.iter().any(|name| !name.is_empty()) {
            fields[NAMES] = json!(names);
        }
        if !looks.is_empty() {
            fields[LOOKS] = looks.iter().map(|look| look.to_json()).collect();
        }
        self.set_metadata(Value::Object(metadata));
        self
    }

    /// Returns a member of the metadata with an item for each channel.
    fn of_channels<T>(&self, key: &str, read: impl Fn(&[Value]) -> Option<Vec<T>>) -> Option<Vec<T>> {
        // (The metadata of DICOM files may take long to parse.)
        if !self.metadata.contains(key) {
            return None;
        }
        let metadata: Value = serde_json::from_str(&self.metadata).ok()?;
        let found = SOURCES.iter().find_map(|source| read(metadata[source][key].as_array()?))?;
        (found.len() == self.channels).then_some(found)
    }

    /// Restricts the names and looks of channels to those of this channel.
    pub(crate) fn keep_channel(&mut self, channel: usize) {
        if ![NAMES, LOOKS].iter().any(|key| self.metadata.contains(key)) {
            return;
        }
        self.edit_metadata(|_, fields| {
            for key in [NAMES, LOOKS] {
                if let Some(Value::Array(items)) = fields.get_mut(key) {
                    *items = items.get(channel).cloned().into_iter().collect();
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, Region, Selection, VoxelType};

    #[test]
    fn names_and_looks_are_kept_and_follow_a_channel() {
        let header = Header::new(VoxelType::U8, Dims::new(1, 1, 1)).with(|header| header.channels = 3);
        let names = ["a", "", "c"].map(str::to_owned);
        let looks = [
            ChannelLook::default(),
            ChannelLook::default().with(|look| look.is_active = false),
            ChannelLook { color: Some([0, 171, 255]), window: Some([-1.5, 9.0]), ..ChannelLook::default() }
                .with(|look| look.is_inverted = true),
        ];
        let header = header.with(|header| header.metadata = r#"{"zarr":{"version":3}}"#.to_owned());
        let header = header.with_channels("zarr", &names, &looks);
        assert!(header.metadata.contains("\"version\":3") && header.metadata.contains("\"00ABFF\""));
        assert_eq!((header.channel_names(), header.channel_looks()), (names.to_vec(), looks.to_vec()));
        let selection = Selection { channel: Some(2), ..Selection::default() };
        let part = header.of_part(&selection, &Region::all(header.dims));
        assert_eq!((part.channel_names(), part.channel_looks()), (vec!["c".to_owned()], vec![looks[2]]));
        // Items for another number of channels belong to none.
        let other = header.with(|header| header.channels = 2);
        assert!(other.channel_names().is_empty() && other.channel_looks().is_empty());
    }

    #[test]
    fn colours_are_those_of_omero() {
        for (text, want) in [
            ("00FF7f", Some([0, 255, 127])),
            ("#010203", Some([1, 2, 3])),
            ("0102037f", Some([1, 2, 3])),
            ("12345", None),
            ("00gg00", None),
            ("é0000", None),
        ] {
            assert_eq!(ChannelLook::parse_color(text), want, "{text}");
        }
        let of = |count: usize| (0..count).map(move |index| ChannelLook::default_color(index, count));
        for count in 1..=6 {
            let mut colors: Vec<_> = of(count).collect();
            colors.sort_unstable();
            colors.dedup();
            assert_eq!(colors.len(), count);
        }
        assert_eq!(of(2).collect::<Vec<_>>(), [[255, 0, 255], [0, 255, 0]]);
    }
}
