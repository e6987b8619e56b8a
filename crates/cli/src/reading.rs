//! Options about the reading of images, for every command that reads them.

use brickwork_image::image_file::DdsTenBitMasks;
use clap::Args;

/// Options about the reading of images.
#[derive(Args)]
#[command(next_help_heading = "Input")]
pub struct ReadArgs {
    /// Use 10-bit masks of legacy DDS files as stated
    ///
    /// By default, red and blue of such files are swapped, because D3DX and texconv write the masks that way.
    /// Files with a DX10 header have no masks.
    #[arg(long)]
    stated_dds_masks: bool,
}

impl ReadArgs {
    /// Returns the meaning of 10-bit masks in DDS files.
    pub fn dds_ten_bit_masks(&self) -> DdsTenBitMasks {
        if self.stated_dds_masks { DdsTenBitMasks::Stated } else { DdsTenBitMasks::Swapped }
    }
}
