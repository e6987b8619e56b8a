//! Channels of a picture that come from other pictures, and their files.

use super::{ChannelScale, ChannelTerm, channel::PictureChannel};
use brickwork_texture::TextureFormat;

/// Channels of a picture that come from other pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChannelPacking {
    /// For red, green, blue and alpha: the channel of the other picture.
    sources: [Option<PictureChannel>; 4],
    changes: [ChannelScale; 4],
}

impl ChannelPacking {
    /// Returns no channels: the picture stays as it is.
    pub const fn new() -> Self {
        Self { sources: [None; 4], changes: [ChannelScale::IDENTITY; 4] }
    }

    /// Packs `source` of another picture as `channel`.
    #[must_use]
    pub const fn with_channel(mut self, channel: PictureChannel, source: PictureChannel) -> Self {
        self.sources[channel.index()] = Some(source);
        self
    }

    /// Changes the numbers that become `channel`.
    #[must_use]
    pub const fn with_change(mut self, channel: PictureChannel, change: ChannelScale) -> Self {
        self.changes[channel.index()] = change;
        self
    }

    /// Returns the change of the numbers that become `channel`.
    pub const fn change(self, channel: PictureChannel) -> ChannelScale {
        self.changes[channel.index()]
    }

    /// Returns the channels that are packed, and for each the channel of its picture, in the order of the
    /// pictures: red, green, blue, alpha.
    pub fn channels(self) -> impl Iterator<Item = (PictureChannel, PictureChannel)> {
        let sources = PictureChannel::ALL.iter().zip(self.sources);
        sources.filter_map(|(&channel, source)| Some((channel, source?)))
    }

    /// Returns the number of other pictures: one for each channel.
    pub fn picture_count(self) -> usize {
        self.channels().count()
    }

    /// True if red, green or blue is packed.
    pub(in crate::texture) fn packs_colors(self) -> bool {
        self.sources[..3].iter().any(Option::is_some)
    }
}

/// A channel that is packed, and the file that contains it.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "front ends make them")]
pub struct ChannelFile {
    /// The channel that is packed.
    pub channel: PictureChannel,
    /// The channel of the file's picture.
    pub source: PictureChannel,
    /// Change of its numbers. Default: none.
    pub change: ChannelScale,
    /// Path of the file.
    pub path: String,
}

impl ChannelFile {
    /// Returns the channel `source` of the file at `path`, packed as `channel`.
    pub fn new(channel: PictureChannel, source: PictureChannel, path: &str) -> Self {
        Self { channel, source, change: ChannelScale::IDENTITY, path: path.to_owned() }
    }

    /// Returns the source and its change as `--channel` takes them: `r`, `1-a`.
    pub fn source_text(&self) -> String {
        ChannelTerm::of_channel(self.source, self.change).to_string()
    }
}

/// Files whose channels are packed, in the order of [`ChannelPacking::channels`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChannelFiles {
    packing: ChannelPacking,
    paths: Vec<String>,
}

impl ChannelFiles {
    /// Returns the files in their order.
    ///
    /// # Errors
    /// The channel that two of them state.
    pub fn new(mut files: Vec<ChannelFile>) -> Result<Self, String> {
        files.sort_by_key(|file| file.channel.index());
        if let Some(pair) = files.windows(2).find(|pair| pair[0].channel == pair[1].channel) {
            return Err(format!("channel {} is stated twice", pair[0].channel.name()));
        }
        let packing = ChannelPacking::new();
        let packing = files.iter().fold(packing, |all, file| {
            all.with_channel(file.channel, file.source).with_change(file.channel, file.change)
        });
        Ok(Self { packing, paths: files.into_iter().map(|file| file.path).collect() })
    }

    /// True if no channel is packed.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Returns the channels.
    pub const fn packing(&self) -> ChannelPacking {
        self.packing
    }

    /// Returns the paths of the files.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }
}

/// Channels that cannot be packed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackingError {
    /// Channels are packed into one picture, and each comes from one other.
    #[error("channels are packed into one image, each from one other, and its mip levels are made")]
    Inputs,
    /// A picture has another size than the one into which its channel is packed.
    #[error("has {width}×{height} texels, but {base} has {}×{}", base_size[0], base_size[1])]
    Size {
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
        /// Name of the input into which the channel is packed.
        base: String,
        /// Its width and height in texels.
        base_size: [u32; 2],
    },
    /// The format does not store a channel that is packed.
    #[error("channel {} is packed, which {format} does not store", channel.name())]
    Format {
        /// The channel.
        channel: PictureChannel,
        /// The format.
        format: TextureFormat,
    },
}
