//! Options about the reading of the images that are encoded.

use crate::reading::ReadArgs;
use brickwork_toolkit::texture::TextureOptions;

/// Options about the reading of the images that are encoded.
#[derive(clap::Args)]
pub struct ReadingArgs {
    #[command(flatten)]
    read: ReadArgs,

    /// Encode all images of DDS and KTX2 textures: mip levels, layers, faces and slices
    ///
    /// The new texture has the same shape. Without this option, only the first image is encoded, and a note
    /// reports this. --mips adds levels below those of the file. All images are in memory together. Sizes
    /// cannot be changed if there are mip levels.
    #[arg(long, conflicts_with_all = ["level", "channel", "roughness_from"], help_heading = "Input")]
    all_images: bool,
}

impl ReadingArgs {
    /// Returns the requests for the reading of each image.
    pub fn options(&self) -> TextureOptions {
        TextureOptions::new()
            .with_dds_ten_bit_masks(self.read.dds_ten_bit_masks())
            .with_all_images(self.all_images)
    }

    /// True if all images of textures are encoded.
    pub fn all_images(&self) -> bool {
        self.all_images
    }
}
