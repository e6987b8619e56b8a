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

/// Hint on names with characters that separate the parts of a choice.
const BY_INDEX: &str = "a channel whose name has : or , is chosen by its index";

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
    /// True if small values, of the kind of `window`, are bright.
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
        let wrong = |part: &str, error: String| format!("{part:?}: {error}; {BY_INDEX}");
        if text == "all" {
            return Ok(Self::All);
        }
        let choice = |text: &str| {
            let mut parts = text.split(':');
            let channel = parts.next().unwrap_or_default().trim().to_owned();
            let mut choice = ChannelChoice { channel, color: None, window: None };
            for part in parts {
                if part.contains("..") && choice.window.is_none() {
                    choice.window = Some(values::window(part).map_err(|error| wrong(part, error))?);
                } else if choice.color.is_none() {
                    let color = values::color(part).map_err(|error| wrong(part, error))?;
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

/// Returns the channels that an image of a volume shows in colours: the chosen ones, else the active ones of
/// the file, at most [`MAX_SHOWN_CHANNELS`], if it states looks of several channels, or a colour, a window or
/// the inversion of its only one. Returns none for an image of one channel in grey. `window` replaces windows
/// that the choice does not have. Windows are stored numbers if `are_stored` is true, else physical values.
///
/// A channel without a stated colour has [`ChannelLook::default_color`] by its index among all channels, or
/// the next one that no other channel has. It is white if it is alone.
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
        None if header.kind == VoxelKind::Labels => Vec::new(),
        None if header.channels == 1 && !looks.iter().any(has_statement) => Vec::new(),
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
    let indices = choices.iter().map(|choice| index_of(&choice.channel, header.channels, &names));
    let indices: Vec<usize> = indices.collect::<Result<_, _>>()?;
    let stated_color = |(choice, &index): (&ChannelChoice, &usize)| {
        choice.color.or_else(|| looks.get(index).and_then(|look| look.color))
    };
    let mut taken: Vec<[u8; 3]> = choices.iter().zip(&indices).filter_map(stated_color).collect();
    let mut shown: Vec<ShownChannel> = Vec::new();
    for (choice, &index) in choices.iter().zip(&indices) {
        if shown.iter().any(|shown| shown.index == index) {
            return Err(wrong(format!("channel {index} occurs twice")));
        }
        let look = looks.get(index).copied().unwrap_or_default();
        // (If slopes differ from slice to slice, stored numbers are no physical values.)
        let stated = look.window.zip(rescale).map(|(window, rescale)| {
            let [a, b] = window.map(|value| rescale.of(value));
            [a.min(b), a.max(b)]
        });
        let count = if choices.len() == 1 { 1 } else { header.channels };
        let color = stated_color((choice, &index)).unwrap_or_else(|| {
            let color = free_color(index, count, &taken);
            taken.push(color);
            color
        });
        let chosen = choice.window.or(window);
        // With a negative slope, the first of the file's two numbers is the larger physical value.
        let is_reversed = chosen.is_none() && stated.is_some() && rescale.is_some_and(|r| r.slope < 0.0);
        shown.push(ShownChannel {
            index,
            name: names.get(index).cloned().unwrap_or_default(),
            color,
            window: chosen.or(stated),
            is_inverted: look.is_inverted != is_reversed,
        });
    }
    Ok(shown)
}

/// Returns notes on channels that an image does not show as the file states. `shown` are the channels in
/// colours, which the file chose if `is_default` is true.
pub fn channel_notes(header: &Header, shown: &[ShownChannel], is_default: bool) -> Vec<String> {
    let looks = header.channel_looks();
    if header.kind == VoxelKind::Labels || looks.is_empty() {
        return Vec::new();
    }
    let mut notes = Vec::new();
    match active(&looks).count() {
        0 if is_default => notes.push("no channel is active; channel 0 is shown".to_owned()),
        count if is_default && count > shown.len() && !shown.is_empty() => {
            notes.push(format!("{count} channels are active; the first {} are shown", shown.len()));
        }
        _ => {}
    }
    let is_left_out = |shown: &ShownChannel| shown.window.is_none() && looks[shown.index].window.is_some();
    if shown.iter().any(is_left_out) {
        let reason = "slopes differ from slice to slice";
        notes.push(format!("the channels' windows are stored numbers, and {reason}; others are used"));
    }
    notes
}

/// Returns the note on a channel without a finite number, which is not shown.
#[cfg(feature = "files")]
pub(super) fn no_numbers(index: usize) -> String {
    format!("channel {index} has no finite number, and is not shown")
}

fn active(looks: &[ChannelLook]) -> impl Iterator<Item = usize> {
    (0..looks.len()).filter(|&index| looks[index].is_active)
}

/// True if the look states more than that the channel is shown.
fn has_statement(look: &ChannelLook) -> bool {
    look.color.is_some() || look.window.is_some() || look.is_inverted
}

/// Returns the default colour of a channel among `count`, or the next one that is not taken.
fn free_color(index: usize, count: usize, taken: &[[u8; 3]]) -> [u8; 3] {
    let of = |step: usize| ChannelLook::default_color(index + step, count);
    let is_free = |color: &[u8; 3]| !taken.contains(color);
    (0..MAX_SHOWN_CHANNELS).map(of).find(is_free).unwrap_or_else(|| of(0))
}

fn index_of(channel: &str, count: usize, names: &[String]) -> Result<usize, VolumeError> {
    let channel = channel.trim();
    let index: Option<usize> = channel.parse().ok();
    if let Some(found) = index.filter(|&index| index < count) {
        return Ok(found);
    }
    let named: Vec<usize> = (0..names.len()).filter(|&index| names[index].trim() == channel).collect();
    let reason = match (&named[..], index) {
        (&[found], _) => return Ok(found),
        ([], Some(index)) => return Err(ShapeError::Selected { what: "channel", index, count }.into()),
        ([], None) if channel.parse::<i128>().is_ok() => {
            format!("there is no channel {channel}; they are counted from 0 to {}", count - 1)
        }
        ([], None) if names.is_empty() => {
            format!("no channel is named {channel:?}; the channels have no names")
        }
        ([], None) => {
            let known = names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
            let known: String = known.chars().take(LISTED).collect();
            let is_split = names.iter().any(|name| name.contains([':', ',']));
            let hint = if is_split { format!("; {BY_INDEX}") } else { String::new() };
            format!("no channel is named {channel:?}; there are {known}{hint}")
        }
        (named, _) => {
            let indices = named.iter().map(usize::to_string).collect::<Vec<_>>().join(" and ");
            format!("channels {indices} are named {channel:?}; use an index")
        }
    };
    Err(VolumeError::Setting { option: "channel".to_owned(), reason })
}

#[cfg(all(test, feature = "files"))]
mod tests;
