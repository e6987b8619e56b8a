//! Arguments of clap from the table of options.

use brickwork_toolkit::texture::{OptionRow, Syntax, Values};
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches,
    builder::{PossibleValuesParser, StringValueParser, TypedValueParser as _},
    value_parser,
};
use std::path::PathBuf;

/// Arguments of the options under some headings of the table. They have no values: `encode` takes those of
/// all options together.
#[derive(Debug)]
pub struct Rows<const SECTION: u8>;

/// Options of the output file and the report.
pub const OUTPUT: u8 = 0;
/// Options of the texture.
pub const TEXTURE: u8 = 1;
/// Options of the reading of images.
pub const INPUT: u8 = 2;

fn section_of(row: &OptionRow) -> u8 {
    match row.heading {
        "Output" => OUTPUT,
        "Input" => INPUT,
        _ => TEXTURE,
    }
}

impl<const SECTION: u8> Args for Rows<SECTION> {
    fn augment_args(command: Command) -> Command {
        let rows = OptionRow::all().filter(|row| row.is_of_program() && section_of(row) == SECTION);
        command.args(rows.map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const SECTION: u8> FromArgMatches for Rows<SECTION> {
    fn from_arg_matches(_: &ArgMatches) -> Result<Self, Error> {
        Ok(Self)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), Error> {
        Ok(())
    }
}

/// Returns the argument of an option.
pub fn argument(row: &'static OptionRow) -> Arg {
    let argument = Arg::new(row.name).long(row.name).help(row.help).help_heading(row.heading);
    let argument = match row.more {
        "" => argument,
        more => argument.long_help(format!("{}\n\n{more}", row.help)),
    };
    let argument = match row.syntax {
        Syntax::Value(metavar, values) => with_values(argument.value_name(metavar), row, values),
        Syntax::Optional(metavar, values, bare) => with_values(argument.value_name(metavar), row, values)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(bare),
        Syntax::Repeated(metavar, values) => {
            with_values(argument.value_name(metavar), row, values).action(ArgAction::Append)
        }
        _ => argument.action(ArgAction::SetTrue),
    };
    let argument = row.required().into_iter().fold(argument, |argument, name| argument.requires(name));
    let argument = argument.conflicts_with_all(row.conflicts());
    let argument = row.short.into_iter().fold(argument, |argument, letter| argument.short(letter));
    row.default.into_iter().fold(argument, |argument, value| argument.default_value(value))
}

fn with_values(argument: Arg, row: &'static OptionRow, values: Values) -> Arg {
    // The row says what is expected.
    let checked = StringValueParser::new().try_map(move |text| row.check(&text).map(|()| text));
    match values {
        Values::Names(names) => argument.value_parser(PossibleValuesParser::new(names())),
        Values::Integer(least, most) => argument.value_parser(value_parser!(i64).range(least..=most)),
        Values::Signed => argument.value_parser(checked).allow_hyphen_values(true),
        Values::Path => argument.value_parser(value_parser!(PathBuf)),
        _ => argument.value_parser(checked),
    }
}
