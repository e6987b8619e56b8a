//! Option `--channel` of images: a channel, or several in colours.

use crate::report::{VolumeChannelReport, printable};
use brickwork_toolkit::volume::{ChannelSet, ShownChannel};

/// Channels of an image.
#[derive(clap::Args)]
pub struct ChannelArgs {
    /// Channel by its index, counted from 0, or its name (without : and ,); or all, or channels whose colours
    /// are added up, at most 8, each with a colour and a window if needed: 0,2 or
    /// DAPI:#0000ff:100..4000,GFP:#00ff00 [default: the active channels of OME-Zarr's omero in its colours
    /// and windows, else 0]
    #[arg(long, value_name = "CHANNELS", help_heading = "Selection")]
    pub channel: Option<ChannelSet>,
}

/// Returns the report of channels.
pub fn reports(channels: &[ShownChannel]) -> Vec<VolumeChannelReport> {
    let report = |shown: &ShownChannel| {
        let [red, green, blue] = shown.color;
        VolumeChannelReport {
            channel: shown.index,
            name: shown.name.clone(),
            color: format!("#{red:02x}{green:02x}{blue:02x}"),
            window: shown.window,
            inverted: shown.is_inverted,
        }
    };
    channels.iter().map(report).collect()
}

/// Returns channels in words, such as `channels 0 DAPI #0000ff, 1 #00ff00 100 to 4000`.
pub fn text(channels: &[VolumeChannelReport]) -> String {
    let channel = |VolumeChannelReport { channel, name, color, window, inverted }: &VolumeChannelReport| {
        let name = if name.is_empty() { String::new() } else { format!(" {}", printable(name)) };
        let window = window.map(|[low, high]| format!(" {low} to {high}")).unwrap_or_default();
        let inverted = if *inverted { " inverted" } else { "" };
        format!("{channel}{name} {color}{window}{inverted}")
    };
    format!("channels {}", channels.iter().map(channel).collect::<Vec<_>>().join(", "))
}
