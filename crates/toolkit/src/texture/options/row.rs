//! A row of the table of options.

use super::{TextureOptions, Value};
use crate::texture::{ChannelFile, TexturePlan};
use brickwork_texture::{TextureFormat, container::ContainerFormat};

/// An option of textures: all that the program, rule files, reports and bindings know of it.
///
/// ```
/// use brickwork_toolkit::texture::{OptionRow, TextureOptions, Value};
///
/// let row = OptionRow::named("keep-coverage").ok_or("no such option")?;
/// let mut options = TextureOptions::default();
/// row.set(&mut options, &Value::Text("0.5".to_owned()))?;
/// assert!(row.get(&options).is_some() && row.is_for(brickwork_texture::BlockFormat::Bc7.into()));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct OptionRow {
    /// The name, such as `keep-coverage`: that of the program's option and of the key in rule files.
    pub name: &'static str,
    /// Letter of the program's short option.
    pub short: Option<char>,
    /// The form of its values.
    pub syntax: Syntax,
    /// The default, if the program states it after the help. Such a value may be given with any format.
    pub default: Option<&'static str>,
    /// Heading in the program's help.
    pub heading: &'static str,
    /// The help: what the option does, and its default.
    pub help: &'static str,
    /// Further paragraphs of the long help, or nothing.
    pub more: &'static str,
    /// The front ends that have the option.
    pub(in crate::texture) doors: Doors,
    /// The subject of its changes.
    pub(in crate::texture) stage: Stage,
    /// True if the option states that alpha is transparency, not data.
    pub is_transparency: bool,
    /// The container that has the option, if the other does not.
    pub container: Option<ContainerFormat>,
    /// The formats that use the option, if others ignore it.
    pub(super) formats: Option<fn(TextureFormat) -> bool>,
    /// Options with which it cannot be used.
    pub(in crate::texture) exclusions: &'static [Exclusion],
    /// Its requirements.
    pub(in crate::texture) needs: &'static [Need],
    /// Name and value of another option that has the same effect, and overrides rules in its place.
    pub means: Option<(&'static str, &'static str)>,
    pub(super) set: Option<Set>,
    pub(super) get: Get,
    /// The setting in JSON reports, if they have it.
    pub(super) json: Option<JsonSetting>,
    /// The setting in the program's report.
    pub(super) text: Option<SettingText>,
}

/// Sets the value, or returns the expected values.
type Set = fn(&mut TextureOptions, &Value) -> Result<(), String>;
/// Returns the value unless it is the default.
type Get = fn(&TextureOptions) -> Option<Value>;

/// Form of the values of an option.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Syntax {
    /// `--name`, without a value.
    Flag,
    /// `--name VALUE`; the name of the value in the help, and the values.
    Value(&'static str, Values),
    /// `--name` or `--name=VALUE`; the last text is the value of `--name` alone.
    Optional(&'static str, Values, &'static str),
    /// `--name VALUE`, any number of times.
    Repeated(&'static str, Values),
}

/// Values of an option.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Values {
    /// One of some names, which the program lists after the help.
    Names(fn() -> Vec<&'static str>),
    /// One of some names, which the help states.
    Known(&'static [&'static str]),
    /// One of some names, or two with a comma between them.
    Pair(&'static [&'static str]),
    /// A whole number in a range.
    Integer(i64, i64),
    /// A number.
    Number,
    /// A number, before which a hyphen is a sign.
    Signed,
    /// A number, or one of some names.
    NumberOr(&'static [&'static str]),
    /// A list of numbers with commas between them, or one of some names.
    ListOr(&'static [&'static str]),
    /// A number, or another text.
    NumberOrText,
    /// Width and height, such as `512x256`, or a percentage.
    Size,
    /// Another text.
    Text,
    /// Path of a file.
    Path,
}

/// The front ends that have an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::texture) enum Doors {
    /// The program, rule files and bindings.
    All,
    /// The program alone, in its own words or for its own reports.
    Program,
    /// Rule files and bindings: the program has other words for the values.
    Keys,
    /// Bindings alone, which do not examine texels in memory, and take all images in one list.
    Bindings,
}

/// Subject of the changes by an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::texture) enum Stage {
    /// The file or the report.
    File,
    /// Pictures, before they are encoded.
    Picture,
    /// Blocks and mip levels.
    Encoder,
}

/// An option with which another cannot be used.
#[derive(Clone, Copy, Debug)]
pub(in crate::texture) enum Exclusion {
    /// Both are not given together, and their values are not used together.
    Always(&'static str),
    /// Both are not given together by the program or in one rule.
    Given(&'static str),
    /// The same, except with some values of the other option.
    GivenUnless(&'static str, &'static [&'static str]),
    /// Their values are not used together. The program accepts defaults.
    Used(&'static str),
}

/// Requirement of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::texture) enum Need {
    /// Mip levels.
    MipLevels,
    /// Mip levels or a new size.
    Filter,
    /// Mip levels, a new size, or a change that reads past the edges.
    FilterOrEdges,
    /// Pictures that are colours.
    Colors,
    /// Pictures that are data.
    Data,
    /// A format whose name does not state that there is no alpha.
    Alpha,
    /// Another option.
    Option(&'static str),
}

/// Options after an encoding, with its decisions: what reports show.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a report fills in every field")]
pub struct UsedOptions<'a> {
    /// The requests.
    pub options: &'a TextureOptions,
    /// The decisions.
    pub plan: &'a TexturePlan,
    /// Names of the files of mip levels from 1 that were given for one image.
    pub level_files: &'a [String],
    /// Channels that come from other files.
    pub packed_channels: &'a [ChannelFile],
    /// Name of the normal map from which mip levels got their roughness.
    pub roughness_from: Option<&'a str>,
}

/// Key of an option in JSON reports.
#[derive(Clone, Copy, Debug)]
pub(in crate::texture) struct JsonSetting {
    /// The key.
    pub key: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// The JSON Schema of its value, without the description.
    pub schema: &'static str,
    /// Returns the value, as it was used.
    pub value: fn(&UsedOptions<'_>) -> serde_json::Value,
}

impl JsonSetting {
    pub(super) const fn new(
        key: &'static str,
        doc: &'static str,
        schema: &'static str,
        value: fn(&UsedOptions<'_>) -> serde_json::Value,
    ) -> Self {
        Self { key, doc, schema, value }
    }
}

/// Function that returns a setting in a few words, unless it is usual. Names of files are as given.
type InWords = fn(&UsedOptions<'_>) -> Option<String>;

/// A setting in the program's report.
#[derive(Clone, Copy, Debug)]
pub(in crate::texture) enum SettingText {
    /// Before the speed: about pictures and alpha.
    Picture(InWords),
    /// After the speed: about blocks.
    Blocks(InWords),
}

impl Values {
    /// True if the values are numbers, which TOML does not write as texts.
    pub const fn are_numbers(self) -> bool {
        matches!(self, Self::Integer(..) | Self::Number | Self::Signed | Self::NumberOr(_))
    }
}

impl Syntax {
    /// Returns the values; none for a flag.
    pub const fn values(self) -> Option<Values> {
        match self {
            Self::Flag => None,
            Self::Value(_, values) | Self::Optional(_, values, _) | Self::Repeated(_, values) => Some(values),
        }
    }
}

impl Exclusion {
    /// Returns the name of the other option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always(name) | Self::Given(name) | Self::GivenUnless(name, _) | Self::Used(name) => name,
        }
    }
}

impl OptionRow {
    /// A flag that does nothing.
    pub(super) const NONE: Self = Self {
        name: "",
        short: None,
        syntax: Syntax::Flag,
        default: None,
        heading: "",
        help: "",
        more: "",
        doors: Doors::All,
        stage: Stage::Encoder,
        is_transparency: false,
        container: None,
        formats: None,
        exclusions: &[],
        needs: &[],
        means: None,
        set: None,
        get: |_| None,
        json: None,
        text: None,
    };

    /// True if the program has the option.
    pub fn is_of_program(&self) -> bool {
        matches!(self.doors, Doors::All | Doors::Program)
    }

    /// True if rule files have the option as a key of targets and rules.
    pub fn is_key(&self) -> bool {
        self.set.is_some() && matches!(self.doors, Doors::All | Doors::Keys)
    }

    /// True if bindings have the option for their encoders.
    pub fn is_of_bindings(&self) -> bool {
        (self.is_key() || self.doors == Doors::Bindings) && self.stage != Stage::File
    }

    /// Sets the option.
    ///
    /// # Errors
    /// The expected values.
    pub fn set(&self, options: &mut TextureOptions, value: &Value) -> Result<(), String> {
        self.set.map_or(Ok(()), |set| set(options, value))
    }

    /// Checks a value as the program receives it.
    ///
    /// # Errors
    /// The expected values.
    pub fn check(&self, text: &str) -> Result<(), String> {
        self.set(&mut TextureOptions::default(), &Value::Text(text.to_owned()))
    }

    /// Returns the value, unless it is the default or follows from other options. [`set`](Self::set) accepts
    /// it.
    pub fn get(&self, options: &TextureOptions) -> Option<Value> {
        (self.get)(options)
    }

    /// True if `format` uses the option.
    pub fn is_for(&self, format: TextureFormat) -> bool {
        self.formats.is_none_or(|is_for| is_for(format))
    }

    /// True if the option needs alpha, which the name of a format may deny.
    pub fn needs_alpha(&self) -> bool {
        self.needs.contains(&Need::Alpha)
    }

    /// Returns the name of the option that must be given with this one, if there is one.
    pub fn required(&self) -> Option<&'static str> {
        self.needs.iter().find_map(|need| if let Need::Option(name) = need { Some(*name) } else { None })
    }

    /// Returns the names of the program's options that cannot be given together with this one. Flags take the
    /// place of an option that the program does not have.
    pub fn conflicts(&self) -> Vec<&'static str> {
        let of = |exclusion: &Exclusion| {
            let (name, allowed) = match *exclusion {
                Exclusion::Always(name) | Exclusion::Given(name) => (name, &[][..]),
                Exclusion::GivenUnless(name, allowed) => (name, allowed),
                Exclusion::Used(_) => return Vec::new(),
            };
            let is_excluded = |row: &&Self| {
                let means = row.means.filter(|_| matches!(row.syntax, Syntax::Flag));
                let is_flag = means.is_some_and(|(key, value)| key == name && !allowed.contains(&value));
                row.is_of_program() && (row.name == name || is_flag)
            };
            Self::all().filter(is_excluded).map(|row| row.name).collect()
        };
        self.exclusions.iter().flat_map(of).collect()
    }

    /// Returns the key and the value in JSON reports, if they have the option.
    pub fn json(&self, used: &UsedOptions<'_>) -> Option<(&'static str, serde_json::Value)> {
        self.json.map(|setting| (setting.key, (setting.value)(used)))
    }

    /// Returns the key in JSON reports and the JSON Schema of its value, if they have the option.
    ///
    /// # Panics
    /// If the row has another text in place of a schema; a test reads them all.
    pub fn json_schema(&self) -> Option<(&'static str, serde_json::Value)> {
        let setting = self.json?;
        let mut schema: serde_json::Value = serde_json::from_str(setting.schema).expect("a schema in JSON");
        schema["description"] = setting.doc.into();
        Some((setting.key, schema))
    }

    /// Returns the setting in a few words, unless it is usual: about pictures and alpha, or about blocks.
    /// Names of files are as given.
    pub fn in_words(&self, used: &UsedOptions<'_>) -> [Option<String>; 2] {
        match self.text {
            Some(SettingText::Picture(in_words)) => [in_words(used), None],
            Some(SettingText::Blocks(in_words)) => [None, in_words(used)],
            None => [None, None],
        }
    }

    /// Returns the formats that use the option.
    pub fn formats(&self) -> impl Iterator<Item = TextureFormat> {
        TextureFormat::all().filter(|&format| self.is_for(format))
    }
}
