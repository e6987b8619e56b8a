//! Arguments about the transfer function of images.

use crate::values;
use brickwork_image::image_file::TransferFunction;
use brickwork_texture::ColorSpace;

/// Arguments about the transfer function of images.
#[derive(clap::Args)]
#[command(next_help_heading = "Colour space")]
pub struct TransferArgs {
    /// Transfer function of the image's numbers, in place of the one that the file states: srgb, linear, or
    /// gamma:G, where light is the number raised to the power G, from 0.1 to 10
    ///
    /// With srgb and linear, the numbers stay unless --convert-oetf changes them. gamma:2.2 is converted to
    /// sRGB, or to linear light for floats and for formats without sRGB, such as bc4, bc6h and rgba16. --srgb
    /// and --linear state the colour space of the texture, and never change numbers.
    #[arg(long, value_name = "FUNCTION", value_parser = values::transfer_function,
        conflicts_with_all = ["srgb", "linear"])]
    assign_oetf: Option<TransferFunction>,

    /// Convert the image's numbers to this transfer function: srgb or linear
    ///
    /// The numbers have the function that the file states, or that of --assign-oetf. The texture gets the
    /// new one. Results have 16 bits. All block formats except bc6h, and plain formats of 8 bits, round them
    /// to 8. Eight bits are few for linear light: use bc6h, a plain format of 16 bits or floats, or --dither.
    /// Alpha does not change.
    #[arg(long, value_name = "FUNCTION", value_parser = values::color_space,
        conflicts_with_all = ["srgb", "linear"])]
    convert_oetf: Option<ColorSpace>,
}

impl TransferArgs {
    /// True if an option states a transfer function.
    pub fn is_given(&self) -> bool {
        self.assign_oetf.is_some() || self.convert_oetf.is_some()
    }

    /// Returns the transfer function of the images, if an option states it.
    pub fn assigned(&self) -> Option<TransferFunction> {
        self.assign_oetf
    }

    /// Returns the colour space to which the images are converted, if an option states it.
    pub fn converted(&self) -> Option<ColorSpace> {
        self.convert_oetf
    }
}
