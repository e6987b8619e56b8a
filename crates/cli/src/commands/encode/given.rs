//! Options that the command line states, which override rules.

use brickwork_toolkit::texture::Overrides;
use clap::{ArgMatches, Command, Error, FromArgMatches, error::ErrorKind, parser::ValueSource};

/// Options whose names are not those of keys, with the keys and values that mean the same.
const OTHER_NAMES: [(&str, &str, &str); 8] = [
    ("normal", "kind", "normal"),
    ("one-channel", "kind", "one-channel"),
    ("data", "kind", "data"),
    ("srgb", "color-space", "srgb"),
    ("linear", "color-space", "linear"),
    ("dx10", "dds-header", "dx10"),
    ("legacy", "dds-header", "legacy"),
    // After the other kinds, which override it. The path belongs to the jobs, not to their options.
    ("roughness-from", "kind", "data"),
];

/// Options that the command line states, without those that have their default values. This adds no
/// arguments: it examines those of the other fields.
pub struct Given(Overrides);

impl Given {
    pub fn overrides(&self) -> &Overrides {
        &self.0
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut overrides = Overrides::new("the command line");
        let is_given = |name: &str| {
            let id = name.replace('-', "_");
            let is_known = matches.ids().any(|known| known.as_str() == id);
            (is_known && matches.value_source(&id) == Some(ValueSource::CommandLine)).then_some(id)
        };
        let failed = |name: &str, reason| {
            Error::raw(ErrorKind::ValueValidation, format!("invalid value for '--{name}': {reason}\n"))
        };
        for key in Overrides::keys() {
            let Some(id) = is_given(key) else { continue };
            // A flag has the value `true`.
            let value = matches.get_raw(&id).and_then(|mut values| values.next()?.to_str());
            overrides.add(key, value.unwrap_or_default()).map_err(|reason| failed(key, reason))?;
        }
        // After options of normal maps, which override a colour space.
        for (name, key, value) in OTHER_NAMES {
            if is_given(name).is_some() {
                overrides.add(key, value).map_err(|reason| failed(name, reason))?;
            }
        }
        Ok(Self(overrides))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Given {
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
    use brickwork_toolkit::texture::{FormatChoice, RuleBook, TextureOptions};
    use clap::Args as _;

    /// Options of encoders have these headings. Other options do not change what an image becomes.
    const HEADINGS: [&str; 7] =
        ["Blocks", "Channels", "Normal maps", "Alpha", "Colour space", "Size", "Mip levels"];

    #[test]
    fn each_option_has_a_key_and_each_key_an_option() {
        let command = EncodeArgs::augment_args(Command::new("encode"));
        let keys: Vec<_> = Overrides::keys().collect();
        let names: Vec<_> = command.get_arguments().filter_map(|argument| argument.get_long()).collect();
        for key in keys.iter().filter(|key| !["kind", "color-space", "dds-header"].contains(key)) {
            assert!(names.contains(key), "{key}");
        }
        for argument in command.get_arguments() {
            let Some(name) = argument.get_long() else { continue };
            let is_other = OTHER_NAMES.iter().any(|(other, ..)| *other == name);
            // The jobs have the files of these, and the options that follow from them.
            let is_known = keys.contains(&name) || is_other || ["channel", "level"].contains(&name);
            let heading = argument.get_help_heading().unwrap_or_default();
            assert!(is_known || !HEADINGS.contains(&heading), "{name}");
            // Options are found by clap's identifiers.
            assert!(!is_known || argument.get_id().as_str() == name.replace('-', "_"), "{name}");
        }
    }

    /// Options that override none have the effect that they have without rules.
    #[test]
    fn overrides_are_the_options_of_the_command_line() {
        let words = "encode a.png --normal-flip-y --from-height=-2 --mips --mip-filter box \
            --mip-wrap repeat,clamp --keep-coverage --zstd --container ktx2 --quality fast --weights luma \
            --modes 1,6 --max-value 9 --resize 50% --max-size 64 --power-of-two up --multiple-of-4 \
            --alpha-threshold 9 --method lsdxt --no-three-color --metric log --decoder nvidia \
            --target-size 70% --dither --dx10 --format auto --linear --swizzle bgr1";
        let options = |words: &str| {
            let command = EncodeArgs::augment_args(Command::new("encode"));
            let matches = command.try_get_matches_from(words.split_whitespace()).unwrap();
            let arguments = EncodeArgs::from_arg_matches(&matches).unwrap();
            let book = RuleBook::parse("rules", "").unwrap();
            let mut book = book.with_overrides(arguments.given.overrides().clone());
            let base = TextureOptions::new().with_format(FormatChoice::AUTO);
            let mut assignment = brickwork_toolkit::texture::Assignment::new();
            let input = brickwork_toolkit::batch::Input::of(std::path::Path::new("a.png"));
            let group = brickwork_toolkit::batch::InputGroup::new(vec![input]);
            assignment.add_ruled(vec![Ok(group)], &base, &mut book, &[]).unwrap();
            [arguments.args.options(), assignment.choices[0].options].map(|options| format!("{options:?}"))
        };
        for words in [
            words,
            "encode a.png --real-time 2 -f bc7 --srgb --opaque --legacy --transparent-black",
            "encode a.png --data --swizzle 0rg1 -f bc7",
            "encode a.png --data --linear -f bc7",
            "encode a.png --premultiply -f bc7",
            "encode a.png --assign-oetf gamma:2.2 --convert-oetf linear -f bc7",
            "encode a.png --roughness-from n.png --roughness-channel g -f bc7 --mips",
        ] {
            let [of_arguments, by_overrides] = options(words);
            assert_eq!(of_arguments, by_overrides);
        }
    }
}
