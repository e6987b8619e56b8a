//! Channels that an image shows together: those that the user chooses, or that the file marks as active.

#[cfg(feature = "files")]
use super::values;
use super::{LookOptions, VolumeError};
use brickwork_volume::{ChannelLook, Header, Rescale, ShapeError, VoxelKind};
#[cfg(feature = "files")]
use std::str::FromStr;

/// Maximum number of channels of an image. OMERO and Viv have similar limits.
pub const MAX_SHOWN_CHANNELS: usize = 8;

/// Characters of a list of channels in an error.
const LISTED: usize = 200;

/// Chosen channels. The colours of several, and of one with a colour or a window, are added up in an image.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third")]
pub enum ChannelSet {
    /// All channels.
    All,
    /// These channels.
    Of(Vec<ChannelChoice>),
}

impl ChannelSet {
    /// Returns the channel if it is a single one without colour and window, which is shown in grey or by the
    /// other options.
    ///
    /// # Errors
    /// [`VolumeError`] if the volume lacks it.
    pub fn single(&self, header: &Header) -> Result<Option<usize>, VolumeError> {
        match self {
            Self::Of(choices) => match &choices[..] {
                [ChannelChoice { channel, color: None, window: None }] => {
                    index_of(channel, header.channels, &header.channel_names()).map(Some)
                }
                _ => Ok(None),
            },
            Self::All => Ok(None),
        }
    }
}

impl From<usize> for ChannelSet {
    fn from(index: usize) -> Self {
        Self::Of(vec![ChannelChoice { channel: index.to_string(), color: None, window: None }])
    }
}

/// A chosen channel. What is not set is that of the file.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "a channel and its look")]
pub struct ChannelChoice {
    /// Its index, or else its name.
    pub channel: String,
    /// Red, green and blue of bright values, in sRGB. Default: `None`, which means the file's colour, else
    /// [`ChannelLook::default_color`].
    pub color: Option<[u8; 3]>,
    /// Values that are black and bright. Default: `None`, which means the option for all channels, else the
    /// file's window, else values that suit the channel.
    pub window: Option<[f64; 2]>,
}

/// A channel of an image, and its look.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShownChannel {
    /// Index.
    pub index: usize,
    /// Name; empty if there is none.
    pub name: String,
    /// Red, green and blue of bright values, in sRGB.
    pub color: [u8; 3],
    /// Values that are black and bright; `None` means that they suit the channel.
    pub window: Option<[f64; 2]>,
    /// True if small values are bright.
    pub is_inverted: bool,
}

impl ShownChannel {
    /// Returns the look of the channel: `options` with its colour and window.
    #[must_use]
    pub fn look(&self, options: &LookOptions) -> LookOptions {
        options.clone().with(|o| {
            o.color = Some(self.color.map(|part| f32::from(part) / 255.0));
            (o.window, o.is_inverted) = (self.window, self.is_inverted);
        })
    }
}

#[cfg(feature = "files")]
impl FromStr for ChannelSet {
    type Err = String;

    /// Parses `all`, or channels such as `0,2:#00ff00,DAPI:#0000ff:100..4000`.
    fn from_str(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "expected all, or channels such as 1, 0,2 or 0:#ff00ff:100..4000,DAPI:#0000ff";
        if text == "all" {
            return Ok(Self::All);
        }
        let choice = |text: &str| {
            let mut parts = text.split(':');
            let channel = parts.next().unwrap_or_default().trim().to_owned();
            let mut choice = ChannelChoice { channel, color: None, window: None };
            for part in parts {
                if part.contains("..") && choice.window.is_none() {
                    choice.window = Some(values::window(part).map_err(|error| format!("{part:?}: {error}"))?);
                } else if choice.color.is_none() {
                    let color = values::color(part).map_err(|error| format!("{part:?}: {error}"))?;
                    let [red, green, blue, alpha] = color.map(|part| (part * 255.0).round() as u8);
                    if alpha < 255 {
                        return Err(format!("{part:?}: colours of channels have no alpha"));
                    }
                    choice.color = Some([red, green, blue]);
                } else {
                    return Err(EXPECTED.to_owned());
                }
            }
            if choice.channel.is_empty() { Err(EXPECTED.to_owned()) } else { Ok(choice) }
        };
        text.split(',').map(choice).collect::<Result<_, _>>().map(Self::Of)
    }
}

/// Returns the channels that an image of a volume shows together: the chosen ones, else the active ones of
/// the file, at most [`MAX_SHOWN_CHANNELS`], if it states looks of several channels. Returns none for an
/// image of one channel. `window` replaces windows that the choice does not have. Windows are stored numbers
/// if `are_stored` is true, else physical values.
///
/// # Errors
/// [`VolumeError`] for channels that the volume lacks, too many, twice the same, and labels.
pub fn shown_channels(
    chosen: Option<&ChannelSet>,
    header: &Header,
    window: Option<[f64; 2]>,
    are_stored: bool,
) -> Result<Vec<ShownChannel>, VolumeError> {
    let wrong = |reason: String| VolumeError::Setting { option: "channel".to_owned(), reason };
    if let Some(chosen) = chosen
        && chosen.single(header)?.is_some()
    {
        return Ok(Vec::new());
    }
    let (looks, names) = (header.channel_looks(), header.channel_names());
    let plain = |index: usize| ChannelChoice { channel: index.to_string(), color: None, window: None };
    let choices: Vec<ChannelChoice> = match chosen {
        Some(_) if header.kind == VoxelKind::Labels => {
            return Err(wrong("labels are not added up; choose one channel".to_owned()));
        }
        Some(ChannelSet::All) => (0..header.channels).map(plain).collect(),
        Some(ChannelSet::Of(choices)) => choices.clone(),
        None if header.kind == VoxelKind::Labels || header.channels < 2 => Vec::new(),
        None => active(&looks).take(MAX_SHOWN_CHANNELS).map(plain).collect(),
    };
    if choices.len() > MAX_SHOWN_CHANNELS {
        let count = choices.len();
        return Err(wrong(format!("{count} channels; an image shows at most {MAX_SHOWN_CHANNELS}")));
    }
    let rescale = match header.rescaling().filter(|_| !are_stored) {
        None => Some(Rescale::IDENTITY),
        Some(rescaling) => rescaling.uniform(),
    };
    let mut shown: Vec<ShownChannel> = Vec::new();
    for (place, choice) in choices.iter().enumerate() {
        let index = index_of(&choice.channel, header.channels, &names)?;
        if shown.iter().any(|shown| shown.index == index) {
            return Err(wrong(format!("channel {index} occurs twice")));
        }
        let look = looks.get(index).copied().unwrap_or_default();
        // (If slopes differ from slice to slice, stored numbers are no physical values.)
        let stated = look.window.zip(rescale).map(|(window, rescale)| {
            let [a, b] = window.map(|value| rescale.of(value));
            [a.min(b), a.max(b)]
        });
        let color = choice.color.or(look.color);
        shown.push(ShownChannel {
            index,
            name: names.get(index).cloned().unwrap_or_default(),
            color: color.unwrap_or_else(|| ChannelLook::default_color(place, choices.len())),
            window: choice.window.or(window).or(stated),
            is_inverted: look.is_inverted,
        });
    }
    Ok(shown)
}

/// Returns a note if the file marks more channels as active than an image shows.
pub fn channels_note(header: &Header) -> Option<String> {
    let count = active(&header.channel_looks()).count();
    let is_note = header.kind != VoxelKind::Labels && count > MAX_SHOWN_CHANNELS;
    is_note.then(|| format!("{count} channels are active; the first {MAX_SHOWN_CHANNELS} are shown"))
}

fn active(looks: &[ChannelLook]) -> impl Iterator<Item = usize> {
    (0..looks.len()).filter(|&index| looks[index].is_active)
}

fn index_of(channel: &str, count: usize, names: &[String]) -> Result<usize, VolumeError> {
    let index: Option<usize> = channel.parse().ok();
    let named = || names.iter().position(|name| name == channel);
    if let Some(found) = index.filter(|&index| index < count).or_else(named) {
        return Ok(found);
    }
    if let Some(index) = index {
        return Err(ShapeError::Selected { what: "channel", index, count }.into());
    }
    let known = match names {
        [] => "the channels have no names".to_owned(),
        names => {
            let names = names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            format!("there are {}", names.chars().take(LISTED).collect::<String>())
        }
    };
    let reason = format!("no channel is named {channel:?}; {known}");
    Err(VolumeError::Setting { option: "channel".to_owned(), reason })
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;
    use brickwork_volume::{Dims, VoxelType};

    fn header(looks: &[ChannelLook], names: &[&str]) -> Header {
        let header = Header::new(VoxelType::U16, Dims::new(1, 1, 1));
        let header = header.with(|header| header.channels = looks.len().max(names.len()));
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        header.with_channels("zarr", &names, looks)
    }

    fn shown(text: &str, header: &Header) -> Result<Vec<ShownChannel>, String> {
        let set: ChannelSet = text.parse()?;
        shown_channels(Some(&set), header, None, false).map_err(|error| error.to_string())
    }

    #[test]
    fn chosen_channels_have_the_looks_of_the_choice_and_of_the_file() {
        let look = ChannelLook::default().with(|look| {
            (look.color, look.window) = (Some([9, 8, 7]), Some([10.0, 20.0]));
        });
        let looks = [ChannelLook::default(), look, look.with(|look| look.is_inverted = true)];
        let header = header(&looks, &["DAPI", "488", "c"]);
        let found = shown("2,DAPI:#0000ff:-5..7,488:1..2", &header).expect("channels");
        let of = |index, name: &str, color, window: [f64; 2], is_inverted| ShownChannel {
            index,
            name: name.to_owned(),
            color,
            window: Some(window),
            is_inverted,
        };
        let want = [
            of(2, "c", [9, 8, 7], [10.0, 20.0], true),
            of(0, "DAPI", [0, 0, 255], [-5.0, 7.0], false),
            of(1, "488", [9, 8, 7], [1.0, 2.0], false),
        ];
        assert_eq!(found, want);
        let set = Some(ChannelSet::All);
        let all = shown_channels(set.as_ref(), &header, Some([3.0, 4.0]), false).expect("channels");
        assert_eq!(all.iter().map(|shown| shown.window).collect::<Vec<_>>(), [Some([3.0, 4.0]); 3]);
        assert_eq!(all[0].color, [255, 0, 0]);
        for (text, word) in [
            ("0,0", "channel 0 occurs twice"),
            ("0,3", "channel 3"),
            ("3", "channel 3"),
            ("GFP", "no channel is named \"GFP\"; there are \"DAPI\", \"488\", \"c\""),
            ("0:#00ff0080", "no alpha"),
            ("0:red", "expected black"),
            ("0:5..1", "lower one first"),
            ("0:#000000:#ffffff", "expected all"),
            ("0,", "expected all"),
        ] {
            let said = shown(text, &header).expect_err(text);
            assert!(said.contains(word), "{text}: {said}");
        }
        assert_eq!(shown("488", &header).expect("one"), []);
        let many = header.clone().with(|header| header.channels = 9);
        assert!(shown("all", &many).expect_err("too many").contains("9 channels; an image shows at most 8"));
        let labels = header.with(|header| header.kind = VoxelKind::Labels);
        assert!(shown("0,1", &labels).expect_err("labels").contains("labels are not added up"));
    }

    #[test]
    fn active_channels_of_the_file_are_shown() {
        let indices = |header: &Header| -> Vec<usize> {
            let shown = shown_channels(None, header, None, false).expect("no choice");
            shown.iter().map(|shown| shown.index).collect()
        };
        let look = |is_active| ChannelLook::default().with(|look| look.is_active = is_active);
        assert_eq!(indices(&header(&[look(true), look(false), look(true)], &[])), [0, 2]);
        assert_eq!(indices(&header(&[look(false); 2], &[])), [0; 0]);
        // Names alone, and a single channel, are shown as before.
        assert_eq!(indices(&header(&[], &["a", "b"])), [0; 0]);
        assert_eq!(indices(&header(&[look(true)], &[])), [0; 0]);
        let many = header(&[look(true); 10], &[]);
        assert_eq!(indices(&many).len(), 8);
        assert!(channels_note(&many).expect("a note").starts_with("10 channels are active"));
        // Windows of OMERO are stored numbers.
        let windowed = header(&[look(true).with(|look| look.window = Some([10.0, 20.0])); 2], &[]);
        let rescaled = windowed.with(|header| {
            header.metadata = header.metadata.replacen('{', r#"{"nifti":{"scl_slope":2,"scl_inter":1},"#, 1);
        });
        assert!(rescaled.rescaling().is_some());
        let window =
            |are_stored| shown_channels(None, &rescaled, None, are_stored).expect("channels")[0].window;
        assert_eq!((window(false), window(true)), (Some([21.0, 41.0]), Some([10.0, 20.0])));
    }
}
