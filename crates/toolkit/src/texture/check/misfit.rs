//! Options that do not fit a format or the inputs.

use crate::texture::{OptionRow, OptionsError, Stage, TextureOptions};
use brickwork_texture::TextureFormat;

impl TextureOptions {
    /// Returns the name of the first option that needs images and differs from its default.
    pub fn first_image_option(&self) -> Option<&'static str> {
        let mut used = self.used().filter(|(row, _)| row.stage != Stage::File);
        used.find_map(|(row, value)| row.name_of(&value))
    }

    /// Checks that `format` uses every option that differs from its default.
    pub(in crate::texture) fn check_format(&self, format: TextureFormat) -> Result<(), OptionsError> {
        match self.demanded().find(|(row, _)| !row.is_for(format)) {
            Some((OptionRow { name: option, .. }, _)) => Err(OptionsError::Ignored { option, format }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brickwork_texture::{AstcFootprint, BlockFormat};

    #[test]
    fn options_have_their_formats() {
        let eight_bits = "bc1 bc2 bc3 bc4 bc4s bc5 bc5s bc7";
        let astc: Vec<_> = AstcFootprint::ALL.iter().map(|&size| BlockFormat::Astc(size).name()).collect();
        let astc = astc.join(" ");
        let mobile = format!("etc2 etc2-a1 etc2-a8 eac-r11 eac-r11s eac-rg11 eac-rg11s {astc}");
        let with_plain: &str = &format!("{eight_bits} {mobile} r8 r8s rg8 rg8s rgba8 rgba8s bgra8");
        for (option, expected) in [
            ("weights", "bc1 bc2 bc3 bc7 etc2 etc2-a1 etc2-a8 astc-4x4"),
            ("metric", "bc6h bc6hs"),
            ("max-value", "bc6h bc6hs r16f rg16f rgba16f r32f rg32f rgba32f rgb9e5 rg11b10f"),
            ("rdo", "bc1 bc3 bc4 bc4s bc5 bc5s bc7"),
            ("keep-coverage", &format!("bc1 bc2 bc3 bc7 etc2-a1 etc2-a8 {astc} rgba8 bgra8")),
            ("premultiply", &format!("bc2 bc3 bc7 etc2-a8 {astc} rgba8 bgra8 rgba16 rgba16f rgba32f")),
            ("roughness-from", with_plain),
            ("dither", eight_bits),
        ] {
            let found: Vec<_> =
                OptionRow::named(option).unwrap().formats().map(TextureFormat::name).collect();
            assert_eq!(found.join(" "), expected, "{option}");
        }
    }
}
