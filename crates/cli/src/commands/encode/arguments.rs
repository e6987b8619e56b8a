//! Arguments of `brickwork encode`.

use super::given::Given;
use crate::{
    device::DeviceArgs,
    failure::Failure,
    jobs::BatchArgs,
    machine::MachineArgs,
    option_rows::{INPUT, OUTPUT, Rows, TEXTURE},
};
use brickwork_image::image_file::PictureUse;
use brickwork_toolkit::texture::{FormatChoice, MipLevels, TextureOptions};
use std::path::PathBuf;

/// Compress images to block formats, or store plain texels, as DDS, KTX2 or .astc files
///
/// Reads PNG, JPEG, TGA, BMP, TIFF, WebP, GIF, PNM, EXR, Radiance HDR, DDS, KTX2 and .astc. The extension of
/// -o decides the container: .dds, .ktx2 or .astc. Without -o, photo.png becomes photo.dds beside it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  brickwork encode photo.png                           photo.dds beside it, BC1, no mip levels
  brickwork encode photo.png -o photo.ktx2 --zstd      KTX2, compressed again with Zstandard
  brickwork encode art.png -f bc7 -o a.ktx2 --zstd --rdo 2   the same, smaller, for some error
  brickwork encode photo.png -f bc7 -o p.ktx2 --zstd --target-psnr 38   as small as 38 dB allow
  brickwork encode sky.png --dither -o sky.dds         a gradient without bands, with noise
  brickwork encode old.png --assign-oetf gamma:1.8 -o old.dds   numbers of an old Mac, as sRGB
  brickwork encode photo.png --convert-oetf linear -f bc6h   light instead of sRGB numbers
  brickwork encode rock.png -o out/rock.dds --mips     mip levels down to 1×1
  brickwork encode rock.png -o a.dds --mips --mip-wrap repeat   for a tiled texture
  brickwork encode rock.png --level 1=rock_mip1.png -o a.dds --mips   level 1 as drawn, others made
  brickwork encode leaves.png -f bc3 --mips --keep-coverage   leaves that stay visible far away
  brickwork encode textures/ -o small/ --max-size 1024 --multiple-of-4 --mips   for low settings
  brickwork encode textures/ -o out/ -f auto           every image of a folder, in what suits it
  brickwork encode textures/ -r -o out/ --update       subfolders too; only what has changed
  brickwork encode textures/ -r -o out/ --rules rules.toml   options by file name (docs/textures.md)
  brickwork encode textures/ -r -o out/ --cache cache/ --prune   only what changed; no stale outputs
  brickwork encode decal.png -f bc3 -o decal.dds       colours with alpha
  brickwork encode normals.png -f bc5 --normal --mips  normal map: red and green
  brickwork encode bumps.png -f bc5 --from-height 8 --mips   normal map from heights
  brickwork encode rough.png -f bc4 --mips --roughness-from normals.png   bumps rough from afar
  brickwork encode art.png -f bc7 -o art.ktx2          colours with alpha, as close as blocks can be
  brickwork encode art.png -f bc7 --premultiply --mips -o art.dds   for blending without fringes
  brickwork encode art.png -f bc4 --swizzle aaa1 -o alpha.dds   alpha alone, as one channel
  brickwork encode art.png -f bc7 --data --mips -o masks.dds   packed masks: linear
  brickwork encode ao.png --channel g=rough.png --channel b=metal.png -f bc7 -o orm.dds   packed
  brickwork encode art.png -f astc -o art.ktx2 --mips   for phones
  brickwork encode textures/ -o out/ --family etc2     for phones without ASTC
  brickwork encode textures/ -o out/ --target pc=bc --target phone=astc   out/pc/, out/phone/
  brickwork encode art.png -f rgba8 -o art.ktx2 --zstd --mips   plain texels, without loss
  brickwork encode sky.exr -f rgb9e5 -o sky.ktx2 --mips   floats with a shared exponent
  brickwork encode sky.png --adapter rtx               on the GPU with \"rtx\" in its name
  magick art.psd[0] png:- | brickwork encode - -o art.dds")]
pub struct Args {
    // The first field, because the others take their values out of clap's matches.
    #[command(flatten)]
    pub(in crate::commands) given: Given,

    /// Images, folders of images, or - for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(in crate::commands) inputs: Vec<PathBuf>,

    /// File to write, folder for several (existing, or ending in /), or - for standard output
    #[arg(short, long, value_name = "FILE|DIR/", help_heading = "Output")]
    pub(in crate::commands) output: Option<PathBuf>,

    #[command(flatten)]
    _file: Rows<OUTPUT>,

    #[command(flatten)]
    pub(in crate::commands) batch: BatchArgs,

    #[command(flatten)]
    _texture: Rows<TEXTURE>,

    #[command(flatten)]
    pub(in crate::commands) device: DeviceArgs,

    #[command(flatten)]
    _input: Rows<INPUT>,

    #[command(flatten)]
    pub(in crate::commands) machine: MachineArgs,
}

impl Args {
    /// Returns the option that states that the images are linear, if there is one.
    pub(super) fn linear_flag(&self) -> Option<&'static str> {
        let is_one_channel = self.given.has("one-channel");
        self.given
            .stating("color-space", "linear")
            .or_else(|| self.given.stating("kind", "data").filter(|name| *name == "data" || !is_one_channel))
    }

    /// Returns the option that states this use.
    pub(super) fn usage_flag(&self, usage: PictureUse) -> &'static str {
        let stating = |value| self.given.stating("kind", value);
        match usage {
            PictureUse::Normals => {
                let changes = ["normal-flip-y", "normal-flip-x", "normalize"];
                let change = changes.into_iter().find(|name| self.given.has(name));
                stating("normal").or(change).unwrap_or("from-height")
            }
            PictureUse::Data => stating("data").unwrap_or("channel"),
            _ => "one-channel",
        }
    }

    /// Adds a hint if a value was parsed as an image. `--mips 5` and `--zstd 5` look natural, but need a `=`.
    pub(super) fn hint_at_values_taken_for_files(&self) -> Result<(), Failure> {
        for path in self.inputs.iter().filter(|path| !path.exists()) {
            let text = path.to_string_lossy();
            if let Some(option) = self.given.without_value(&text) {
                return Err(Failure::usage(format!("there is no image \"{text}\""))
                    .hint(format!("for the value of --{option} write --{option}={text}")));
            }
        }
        Ok(())
    }

    /// Returns the requests that rules refine, without the options that override rules.
    pub(super) fn base_of_rules(&self) -> TextureOptions {
        let mut options = self.given.outside_rules(TextureOptions::default());
        options.format = FormatChoice::AUTO;
        options.metrics &= !self.batch.is_silent();
        options
    }

    /// Returns the requests of the command line that must fit each other with any rules, which may choose the
    /// format and the mip levels.
    pub(super) fn options_beside_rules(&self) -> TextureOptions {
        let mut base = self.base_of_rules();
        base.mip_levels = MipLevels::Full;
        self.given.applied_to(base)
    }

    /// Returns the requests for each texture.
    pub(super) fn options(&self) -> TextureOptions {
        let mut base = self.base_of_rules();
        if !self.given.has("family") {
            base.format = TextureOptions::default().format;
        }
        self.given.applied_to(base)
    }
}
