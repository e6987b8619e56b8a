//! Options about the reading of images, for every command that reads them.

use crate::option_rows::argument;
use brickwork_image::image_file::{DdsTenBitMasks, ImageReadOptions};
use brickwork_toolkit::texture::OptionRow;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// Options about the reading of images: rows of the table of options.
#[derive(Debug)]
pub struct ReadArgs {
    has_stated_dds_masks: bool,
    exr_layer: Option<String>,
}

/// Names of the options.
const STATED_DDS_MASKS: &str = "stated-dds-masks";
const EXR_LAYER: &str = "exr-layer";

impl ReadArgs {
    /// Returns the options of the readers.
    pub fn options(&self) -> ImageReadOptions {
        ImageReadOptions::default().with(|o| {
            if self.has_stated_dds_masks {
                o.dds_ten_bit_masks = DdsTenBitMasks::Stated;
            }
            o.exr_layer.clone_from(&self.exr_layer);
        })
    }
}

impl Args for ReadArgs {
    fn augment_args(command: Command) -> Command {
        let rows = [STATED_DDS_MASKS, EXR_LAYER].into_iter().filter_map(OptionRow::named);
        command.args(rows.map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ReadArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Self {
            has_stated_dds_masks: matches.get_flag(STATED_DDS_MASKS),
            exr_layer: matches.get_one(EXR_LAYER).cloned(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
