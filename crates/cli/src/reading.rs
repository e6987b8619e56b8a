//! Options about the reading of images, for every command that reads them.

use crate::option_rows::argument;
use brickwork_image::image_file::ImageReadOptions;
use brickwork_toolkit::texture::{OptionRow, Syntax, TextureOptions, Value};
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, parser::ValueSource};

/// Options about the reading of images: rows of the table of options.
#[derive(Debug)]
pub struct ReadArgs(ImageReadOptions);

/// Names of the options.
const NAMES: [&str; 2] = ["stated-dds-masks", "exr-layer"];

fn rows() -> impl Iterator<Item = &'static OptionRow> {
    NAMES.into_iter().filter_map(OptionRow::named)
}

impl ReadArgs {
    /// Returns the options of the readers.
    pub fn options(&self) -> ImageReadOptions {
        self.0.clone()
    }
}

impl Args for ReadArgs {
    fn augment_args(command: Command) -> Command {
        command.args(rows().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ReadArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut options = TextureOptions::default();
        for row in rows().filter(|row| matches.value_source(row.name) == Some(ValueSource::CommandLine)) {
            let value = match row.syntax {
                Syntax::Flag => Value::Flag(true),
                _ => Value::Text(matches.get_one::<String>(row.name).cloned().unwrap_or_default()),
            };
            row.set(&mut options, &value).expect("clap has checked the value");
        }
        Ok(Self(options.reading))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
