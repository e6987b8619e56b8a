//! Options about the reading of images, for every command that reads them.

use crate::option_rows::argument;
use brickwork_image::image_file::DdsTenBitMasks;
use brickwork_toolkit::texture::OptionRow;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// Options about the reading of images: a row of the table of options.
#[derive(Debug)]
pub struct ReadArgs {
    has_stated_dds_masks: bool,
}

/// Name of the option.
const STATED_DDS_MASKS: &str = "stated-dds-masks";

impl ReadArgs {
    /// Returns the meaning of 10-bit masks in DDS files.
    pub fn dds_ten_bit_masks(&self) -> DdsTenBitMasks {
        if self.has_stated_dds_masks { DdsTenBitMasks::Stated } else { DdsTenBitMasks::Swapped }
    }
}

impl Args for ReadArgs {
    fn augment_args(command: Command) -> Command {
        command.args(OptionRow::named(STATED_DDS_MASKS).map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ReadArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Self { has_stated_dds_masks: matches.get_flag(STATED_DDS_MASKS) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
