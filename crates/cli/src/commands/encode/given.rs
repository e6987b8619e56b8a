//! Options of textures that the command line states.

use crate::failure::Failure;
use brickwork_toolkit::texture::{
    ChannelFiles, LevelFiles, OptionRow, OptionsError, Overrides, Syntax, TextureOptions, Value, values,
};
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, error::ErrorKind, parser::ValueSource};
use std::path::PathBuf;

/// Options of textures that the command line states, without those that have their default values. This adds
/// no arguments: it examines those of [`Rows`](crate::option_rows::Rows).
#[derive(Debug)]
pub struct Given {
    /// The options, in the order of the table, with the texts of their values.
    rows: Vec<(&'static OptionRow, Vec<String>)>,
    /// The options that override rules.
    overrides: Overrides,
    /// Path of the normal map whose spread is added to the roughness of mip levels.
    pub roughness_from: Option<PathBuf>,
}

impl Given {
    /// Returns the options that override rules.
    pub fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// True if the command line states this option.
    pub fn has(&self, name: &str) -> bool {
        self.rows.iter().any(|(row, _)| row.name == name)
    }

    /// Returns the first option of the command line that means a value of another, such as `data` for the
    /// `kind` data.
    pub fn stating(&self, name: &str, value: &str) -> Option<&'static str> {
        let rows = self.rows.iter().map(|(row, _)| row);
        rows.filter(|row| row.means == Some((name, value))).map(|row| row.name).next()
    }

    /// Returns `base` with the options of the command line.
    pub fn applied_to(&self, base: TextureOptions) -> TextureOptions {
        let mut options = self.outside_rules(base);
        self.overrides.apply(&mut options);
        options.with_derived_use()
    }

    /// Returns `base` with the options that rules do not have, which are flags.
    pub fn outside_rules(&self, mut base: TextureOptions) -> TextureOptions {
        let is_flag = |row: &OptionRow| matches!(row.syntax, Syntax::Flag) && !row.is_key();
        for (row, _) in self.rows.iter().filter(|(row, _)| is_flag(row)) {
            row.set(&mut base, &Value::Flag(true)).expect("a flag takes this value");
        }
        base
    }

    /// Returns the files whose channels are packed.
    ///
    /// # Errors
    /// [`Failure`] if a channel is stated twice.
    pub fn packed(&self) -> Result<ChannelFiles, Failure> {
        let files = self.values("channel").map(|text| values::channel_file(text)).collect::<Result<_, _>>();
        let failure = |reason| Failure::usage(format!("--channel: {reason}"));
        files.and_then(ChannelFiles::new).map_err(failure)
    }

    /// Returns the files of mip levels.
    ///
    /// # Errors
    /// [`Failure`] if a level is missing or stated twice.
    pub fn levels(&self) -> Result<LevelFiles, Failure> {
        let files = self.values("level").map(|text| values::level_file(text)).collect::<Result<_, _>>();
        let failure = |reason| Failure::usage(format!("--level: {reason}"));
        files.and_then(LevelFiles::new).map_err(failure)
    }

    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a String> {
        self.rows.iter().filter(move |(row, _)| row.name == name).flat_map(|(_, values)| values)
    }

    /// Refuses options that the chosen format ignores, also with their default values, unless the help states
    /// these.
    ///
    /// # Errors
    /// [`OptionsError::Ignored`] or [`OptionsError::AlphaOfName`].
    pub fn check(&self, options: &TextureOptions) -> Result<(), OptionsError> {
        let rows = || self.rows.iter().map(|(row, _)| *row).filter(|row| row.default.is_none());
        let choice = options.format;
        if choice.is_without_alpha() && rows().any(OptionRow::needs_alpha) {
            return Err(OptionsError::AlphaOfName);
        }
        let Some(format) = choice.format() else { return Ok(()) };
        match rows().find(|row| !row.is_for(format)) {
            Some(row) => Err(OptionsError::Ignored { option: row.name, format }),
            None => Ok(()),
        }
    }

    /// Returns the option without a value for which `text` would be one: `--mips 5` and `--zstd 5` look
    /// natural, but need a `=`.
    pub fn without_value(&self, text: &str) -> Option<&'static str> {
        let is_bare = |(row, values): &&(&OptionRow, Vec<String>)| match row.syntax {
            Syntax::Optional(_, _, bare) => values.as_slice() == [bare] && row.check(text).is_ok(),
            _ => false,
        };
        self.rows.iter().find(is_bare).map(|(row, _)| row.name)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given =
            Self { rows: Vec::new(), overrides: Overrides::new("the command line"), roughness_from: None };
        let failed = |row: &OptionRow, reason| {
            Error::raw(ErrorKind::ValueValidation, format!("invalid value for '--{}': {reason}\n", row.name))
        };
        for row in OptionRow::all().filter(|row| row.is_of_program()) {
            let is_known = matches.ids().any(|known| known.as_str() == row.name);
            if !is_known || matches.value_source(row.name) != Some(ValueSource::CommandLine) {
                continue;
            }
            let values = matches.get_raw(row.name).into_iter().flatten();
            if row.name == "roughness-from" {
                given.roughness_from = values.clone().next().map(PathBuf::from);
            }
            let values: Vec<String> = values.map(|value| value.to_string_lossy().into_owned()).collect();
            // A flag has the value `true`.
            let key = row.means.or(values.first().filter(|_| row.is_key()).map(|value| (row.name, &**value)));
            if let Some((key, value)) = key {
                given.overrides.add(key, value).map_err(|reason| failed(row, reason))?;
            }
            given.rows.push((row, values));
        }
        Ok(given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::encode::EncodeArgs;
    use brickwork_toolkit::{
        batch::{Input, InputGroup},
        texture::{Assignment, FormatChoice, RuleBook},
    };
    use std::path::Path;

    fn parsed(words: &str) -> EncodeArgs {
        let command = EncodeArgs::augment_args(Command::new("encode"));
        EncodeArgs::from_arg_matches(&command.get_matches_from(words.split_whitespace())).unwrap()
    }

    /// Options that override none have the effect that they have without rules.
    #[test]
    fn overrides_are_the_options_of_the_command_line() {
        let options = |words: &str| {
            let arguments = parsed(words);
            let book = RuleBook::parse("rules", "").unwrap();
            let mut book = book.with_overrides(arguments.args.given.overrides().clone());
            let mut base = TextureOptions::default();
            base.format = FormatChoice::AUTO;
            let group = InputGroup::new(vec![Input::of(Path::new("a.png"))]);
            let mut assignment = Assignment::new();
            assignment.add_ruled(vec![Ok(group)], &base, &mut book, &[]).unwrap();
            [arguments.args.options(), assignment.choices[0].options.clone()]
                .map(|options| format!("{options:?}"))
        };
        for words in [
            "encode a.png --normal-flip-y --normal-flip-x --normalize=no --dilate=no --from-height=-2 --mips \
             --mip-filter box --mip-wrap repeat,clamp --keep-coverage --zstd --container ktx2 --quality fast \
             --weights luma --modes 1,6 --max-value 9 --resize 50% --max-size 64 --power-of-two up \
             --multiple-of-4 --flip-y --alpha-threshold 9 --method cluster-fit --no-three-color --metric log \
             --decoder nvidia --target-size 70% --dither --dx10 --format auto --linear --swizzle bgr1",
            "encode a.png --real-time 2 -f bc7 --srgb --opaque --legacy",
            "encode a.png -f bc1 --transparent-black",
            "encode a.png --data --swizzle 0rg1 -f bc7",
            "encode a.png --data --linear -f bc7",
            "encode a.png --one-channel -f auto",
            "encode a.png --premultiply -f bc7",
            "encode a.png --assign-oetf gamma:2.2 --convert-oetf linear -f bc7",
            "encode a.png --roughness-from n.png --roughness-channel g -f bc7 --mips",
            "encode a.png --roughness-from n.png --one-channel -f auto --mips",
        ] {
            let [of_arguments, by_overrides] = options(words);
            assert_eq!(of_arguments, by_overrides, "{words}");
        }
    }

    #[test]
    fn flags_take_the_place_of_other_options() {
        let given = parsed("encode a.png --roughness-from n.png --linear --mips --zstd=3").args.given;
        assert_eq!(given.stating("kind", "data"), Some("roughness-from"));
        assert_eq!(given.stating("color-space", "linear"), Some("linear"));
        assert_eq!(given.stating("color-space", "srgb"), None);
        assert!(given.has("mips") && !given.has("quality") && !given.has("rdo"));
        assert_eq!((given.without_value("5"), given.without_value("a.png")), (Some("mips"), None));
    }
}
