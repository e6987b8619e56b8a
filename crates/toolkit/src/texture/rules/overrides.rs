//! Options that override those of all rules.

use super::{
    error::RuleFault,
    setting::{Setting, exclusive},
};
use crate::texture::TextureOptions;

/// Options that override those of all targets and rules, for every picture: those of a command line.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    origin: String,
    settings: Vec<Setting>,
}

impl Overrides {
    /// Returns no options. `origin` names their source in messages, such as `the command line`.
    pub fn new(origin: &str) -> Self {
        Self { origin: origin.to_owned(), settings: Vec::new() }
    }

    /// Adds an option, by a key of rules or a name that only bindings have. `value` is the text of its value;
    /// `true` and `false` are those of TOML.
    ///
    /// # Errors
    /// The expected value, or that there is no such key.
    pub fn add(&mut self, key: &str, value: &str) -> Result<(), String> {
        let setting = Setting::of_text(key, value).ok_or_else(|| format!("there is no key \"{key}\""))?;
        setting.apply(&mut TextureOptions::default())?;
        let index = if setting.is_first() { 0 } else { self.settings.len() };
        self.settings.insert(index, setting);
        Ok(())
    }

    /// Sets these options, whose values [`add`](Self::add) has checked.
    pub fn apply(&self, options: &mut TextureOptions) {
        for setting in &self.settings {
            let _ = setting.apply(options);
        }
    }

    /// Returns `base` with these options. The use of the pictures is that of the `kind`:
    /// [`TextureOptions::with_derived_use`] adds what follows from other options.
    ///
    /// # Errors
    /// [`RuleFault::Exclusive`] for two options that exclude each other.
    pub fn applied_to(&self, base: &TextureOptions) -> Result<TextureOptions, RuleFault> {
        let mut options = base.clone();
        if let Some(keys) = exclusive(&self.settings) {
            return Err(RuleFault::Exclusive { keys });
        }
        self.apply(&mut options);
        Ok(options)
    }

    /// Returns the name of the source, if there is an option.
    pub(super) fn origin(&self) -> Option<&str> {
        (!self.settings.is_empty()).then_some(&self.origin)
    }

    /// True if one of the options is the `kind`.
    pub(super) fn have_kind(&self) -> bool {
        self.settings.iter().any(Setting::is_first)
    }

    pub(super) fn settings(&self) -> &[Setting] {
        &self.settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_image::image_file::PictureUse;
    use brickwork_texture::Quality;

    #[test]
    fn options_are_applied_unless_they_exclude_each_other() {
        let applied = |list: &[(&str, &str)]| {
            let mut overrides = Overrides::new("a test");
            list.iter().for_each(|(key, value)| overrides.add(key, value).unwrap());
            overrides.applied_to(&TextureOptions::default())
        };
        // The kind comes first, because it sets the colour space.
        let options = applied(&[("quality", "fast"), ("color-space", "linear"), ("kind", "normal")]).unwrap();
        assert_eq!((options.encode.quality, options.usage), (Quality::Fast, PictureUse::Normals));
        assert!(options.color_space.is_some());
        let exclusive = |list| match applied(list).unwrap_err() {
            RuleFault::Exclusive { keys } => keys,
            fault => panic!("{fault}"),
        };
        assert_eq!(exclusive(&[("rdo", "2"), ("target-psnr", "40")]), ["rdo", "target-psnr"]);
        assert_eq!(exclusive(&[("kind", "data"), ("from-height", "2")]), ["kind", "from-height"]);
        assert!(applied(&[("real-time", "false"), ("modes", "1,6")]).is_ok());
    }
}
