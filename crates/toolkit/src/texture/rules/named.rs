//! Options by name, as programs that call a library set them.

use super::{
    error::nearest,
    setting::{Setting, exclusive, sort_for_use},
};
use crate::texture::{FormatChoice, Need, OptionRow, OptionsError, Stage, Syntax, TextureOptions};
use brickwork_base::ErrorKind;

/// Options of an encoder by name, with the names and values of rules and those that only bindings have. The
/// order in which they are set does not matter.
///
/// ```
/// use brickwork_toolkit::texture::NamedOptions;
///
/// let mut options = NamedOptions::new();
/// options.set("format", Some("bc7"))?;
/// options.set("mips", None)?;
/// let error = options.set("qualty", Some("fast")).unwrap_err().to_string();
/// assert_eq!(error, "there is no option \"qualty\"; did you mean \"quality\"?");
/// assert!(options.resolved().is_ok());
/// # Ok::<(), brickwork_toolkit::texture::NamedOptionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NamedOptions {
    settings: Vec<Setting>,
}

/// An option that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NamedOptionError {
    /// No option has this name.
    #[error("there is no option \"{name}\"; {}", advice(name))]
    Unknown {
        /// The name.
        name: String,
    },
    /// An option that has values got none.
    #[error("{name} needs a value")]
    NoValue {
        /// Name of the option.
        name: &'static str,
    },
    /// An option does not have this value.
    #[error("{name}: {reason}")]
    Value {
        /// Name of the option.
        name: &'static str,
        /// The value, and what is expected.
        reason: String,
    },
}

impl NamedOptionError {
    /// Returns the kind of the error.
    pub const fn kind(&self) -> ErrorKind {
        ErrorKind::Argument
    }
}

/// Returns the words of bindings for an option of the program, or the name that was probably meant.
fn advice(name: &str) -> String {
    let row = OptionRow::named(name);
    let flag = row.filter(|row| matches!(row.syntax, Syntax::Flag)).and_then(|row| row.means);
    if let Some((key, value)) = flag.filter(|(key, _)| of_bindings(key).is_some()) {
        return format!("set \"{key}\" to \"{value}\"");
    }
    if row.is_some_and(|row| row.stage == Stage::File) {
        return "it is an option of files, not of encoders".to_owned();
    }
    let known = || OptionRow::all().filter(|row| row.is_of_bindings()).map(|row| row.name);
    let longer = || known().find(|known| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('-')));
    match nearest(name, known()).or_else(longer) {
        Some(name) => format!("did you mean \"{name}\"?"),
        None => "`brickwork encode --help` lists the options".to_owned(),
    }
}

fn of_bindings(name: &str) -> Option<&'static OptionRow> {
    OptionRow::named(name).filter(|row| row.is_of_bindings())
}

impl NamedOptions {
    /// Returns no options: all have their defaults.
    pub const fn new() -> Self {
        Self { settings: Vec::new() }
    }

    /// Sets an option, in place of an earlier value. `value` is none for a flag, and for an option whose
    /// value is optional. `true` is that of TOML, and `false` restores the default.
    ///
    /// # Errors
    /// [`NamedOptionError`], and the earlier value stays.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), NamedOptionError> {
        let unknown = || NamedOptionError::Unknown { name: name.to_owned() };
        let row = of_bindings(name).ok_or_else(unknown)?;
        let name = row.name;
        if value == Some("false") {
            self.settings.retain(|other| other.name() != name);
            return Ok(());
        }
        if value.is_none() && matches!(row.syntax, Syntax::Value(..)) {
            return Err(NamedOptionError::NoValue { name });
        }
        let setting = Setting::of_text(name, value.unwrap_or("true")).ok_or_else(unknown)?;
        let of_value = |reason| NamedOptionError::Value { name, reason };
        setting.apply(&mut TextureOptions::default()).map_err(of_value)?;
        self.settings.retain(|other| other.name() != name);
        self.settings.push(setting);
        sort_for_use(&mut self.settings);
        Ok(())
    }

    /// Returns the options with the use of the pictures that follows from them
    /// ([`with_derived_use`](TextureOptions::with_derived_use)), after [`check`](TextureOptions::check) and
    /// [`check_filter`](TextureOptions::check_filter).
    ///
    /// # Errors
    /// [`OptionsError`] if two options exclude each other, one lacks another that it needs, or the format
    /// ignores one.
    pub fn resolved(&self) -> Result<TextureOptions, OptionsError> {
        if let Some(options) = exclusive(&self.settings) {
            return Err(OptionsError::Exclusive { options });
        }
        let mut options = TextureOptions::default();
        let has = |name: &str| self.settings.iter().any(|setting| setting.name() == name);
        if has("family") && !has("format") {
            options.format = FormatChoice::AUTO;
        }
        for setting in &self.settings {
            // `set` has checked the value.
            let _ = setting.apply(&mut options);
        }
        for setting in &self.settings {
            let missing = setting.row().needs.iter().find_map(|need| match need {
                Need::Option(name) => {
                    Some(*name).filter(|name| !options.used().any(|(row, _)| row.name == *name))
                }
                _ => None,
            });
            if let Some(needed) = missing {
                return Err(OptionsError::WithoutOption { options: [setting.name(), needed] });
            }
        }
        let options = options.with_derived_use();
        options.check()?;
        options.check_filter()?;
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::{FormatFamily, MipLevels, PictureChannel, TextureLayout};
    use brickwork_image::image_file::PictureUse;
    use brickwork_texture::{ColorSpace, Quality};

    fn named(list: &[(&str, Option<&str>)]) -> NamedOptions {
        let mut named = NamedOptions::new();
        list.iter().for_each(|(name, value)| named.set(name, *value).unwrap());
        named
    }

    fn error(list: &[(&str, Option<&str>)]) -> String {
        named(list).resolved().unwrap_err().to_string()
    }

    #[test]
    fn the_order_does_not_matter() {
        let list = [
            ("color-space", Some("linear")),
            ("mips", None),
            ("quality", Some("fast")),
            ("kind", Some("color")),
            ("format", Some("bc7")),
        ];
        let mut reversed = list;
        reversed.reverse();
        let options = named(&list).resolved().unwrap();
        assert_eq!(format!("{options:?}"), format!("{:?}", named(&reversed).resolved().unwrap()));
        assert_eq!((options.usage, options.color_space), (PictureUse::Color, Some(ColorSpace::Linear)));
        assert_eq!((options.mip_levels, options.encode.quality), (MipLevels::Full, Quality::Fast));
    }

    #[test]
    fn later_values_replace_earlier_ones() {
        let off = [("rdo", Some("2")), ("target-psnr", Some("40")), ("rdo", Some("false"))];
        assert!(named(&off).resolved().is_ok());
        let mut kept = named(&[("quality", Some("fast"))]);
        assert!(kept.set("quality", Some("fastest")).is_err());
        assert_eq!(kept.resolved().unwrap().encode.quality, Quality::Fast);
    }

    #[test]
    fn images_of_a_list_have_options() {
        let list = [("layout", Some("faces")), ("levels", Some("3")), ("mips", Some("all"))];
        let options = named(&list).resolved().unwrap();
        assert_eq!((options.layout, options.given_mip_levels), (TextureLayout::Faces, 3));
        let list = [("channels", Some("g,a:b")), ("format", Some("bc7")), ("mips", None)];
        let rough = [("roughness-from-normals", None), ("roughness-channel", Some("g"))];
        let options = named(&[&list[..], &rough].concat()).resolved().unwrap();
        let channels: Vec<_> = options.packing.channels().collect();
        let (red, green) = (PictureChannel::Red, PictureChannel::Green);
        assert_eq!(channels, [(green, red), (PictureChannel::Alpha, PictureChannel::Blue)]);
        assert!(options.roughness_from_normals && options.usage == PictureUse::Data);
        assert_eq!(options.roughness_channel, green);
    }

    #[test]
    fn a_family_chooses_the_format() {
        let options = named(&[("family", Some("etc2"))]).resolved().unwrap();
        assert_eq!((options.format, options.family), (FormatChoice::AUTO, Some(FormatFamily::Etc2)));
        assert!(named(&[("family", Some("etc2")), ("format", Some("eac-r11"))]).resolved().is_ok());
        let bc7 = [("family", Some("etc2")), ("format", Some("bc7"))];
        assert_eq!(error(&bc7), "bc7 is of the family bc, not etc2");
    }

    #[test]
    fn errors_name_options_and_values() {
        let mut options = NamedOptions::new();
        let mut fault = |name: &str, value: Option<&str>| options.set(name, value).unwrap_err().to_string();
        assert_eq!(fault("srgb", None), "there is no option \"srgb\"; set \"color-space\" to \"srgb\"");
        assert_eq!(fault("channel", None), "there is no option \"channel\"; did you mean \"channels\"?");
        assert!(fault("zstd", None).ends_with("it is an option of files, not of encoders"));
        assert!(fault("roughness-from", None).ends_with("did you mean \"roughness-from-normals\"?"));
        assert!(fault("mip", None).ends_with("did you mean \"mips\"?"));
        assert!(fault("all-images", None).ends_with("it is an option of files, not of encoders"));
        assert!(fault("x", None).ends_with("`brickwork encode --help` lists the options"));
        assert_eq!(fault("quality", None), "quality needs a value");
        assert!(fault("max-size", Some("0")).starts_with("max-size: \"0\": expected"));
        assert_eq!(fault("opaque", Some("yes")), "opaque: \"yes\": expected true or false");
        assert_eq!(fault("channels", Some("g,g")), "channels: \"g,g\": channel g is stated twice");
        assert!(fault("channels", Some("x")).contains("expected channels"));
        assert!(fault("levels", Some("33")).contains("from 1 to 32"));
        let bc7 = ("format", Some("bc7"));
        let both = [bc7, ("modes", Some("1,6")), ("real-time", Some("1"))];
        assert_eq!(error(&both), "modes and real-time exclude each other");
        assert_eq!(error(&[bc7, ("roughness-channel", Some("g"))]), "roughness-channel needs roughness-from");
        assert_eq!(
            error(&[bc7, ("levels", Some("2")), ("resize", Some("4x4"))]),
            "level and resize exclude each other"
        );
        let layer = named(&[("exr-layer", Some("diffuse"))]).resolved().unwrap().reading.exr_layer;
        assert_eq!(layer.as_deref(), Some("diffuse"));
        let filter = ("mip-filter", Some("box"));
        assert!(error(&[filter]).starts_with("mip-filter needs"));
        assert!(named(&[filter, ("mips", None)]).resolved().is_ok());
        assert!(error(&[("premultiplied", None)]).starts_with("premultiplied is for bc2, bc3, bc7"));
        let data = [bc7, ("kind", Some("data")), ("premultiplied", None)];
        assert_eq!(error(&data), "premultiplied is for colours, not data");
    }
}
