//! Arguments about the channels of images: their order, and their use.

use crate::{failure::Failure, values};
use brickwork_image::image_file::PictureUse;
use brickwork_texture::Swizzle;
use brickwork_toolkit::texture::{
    ChannelFile, ChannelFiles, LevelFile, LevelFiles, NormalOptions, PictureChannel,
};
use std::path::{Path, PathBuf};

/// Arguments about the channels of images: their order, and their use.
#[derive(clap::Args)]
pub struct ChannelArgs {
    /// Channels of the image that become red, green, blue and alpha: four of r, g, b, a, 0 and 1, such as
    /// bgra [default: rgba]
    ///
    /// The swizzle applies to the image as read: upright, with straight alpha unless --data is given, in the
    /// primaries of sRGB, and after the swizzle of a KTX2 file. The choice of a format, new sizes, mip
    /// levels, --normal and --from-height use the new channels. 1 is the maximum of the texel type (1.0 for
    /// floats). 0 is black, which bc4s and bc5s store as -1. Grey is red, green and blue. A missing alpha is
    /// 1, and a note reports colours that are made of it. If alpha becomes a colour, file names no longer
    /// state the use. Numbers are moved unchanged: between sRGB colours and alpha, no transfer function is
    /// converted, and a note reports this. convert --swizzle is different: it writes a key that tells readers
    /// of a KTX2 file how to order the channels, and moves no channel.
    #[arg(long, value_name = "RGBA", value_parser = values::swizzle, help_heading = "Channels")]
    swizzle: Option<Swizzle>,

    /// Replace channel C of the image (r, g, b or a) by red of FILE, or by the channel after the colon. The
    /// option may be repeated
    ///
    /// Channels are packed as the image is read, before --swizzle. FILE has the size of the image. Numbers
    /// are moved unchanged, in the wider type of both. With r, g or b, the option implies --data, unless the
    /// use of the image is stated, such as by --srgb. With a alone, the image keeps its colours and its
    /// colour space. Files of several channels are stated for each. In rules, the key channel is a list, and
    /// files are paths from the folder of the image, such as g={base}_rough.png.
    #[arg(long, value_name = "C=FILE[:C]", value_parser = values::channel_file, help_heading = "Channels")]
    channel: Vec<ChannelFile>,

    /// The images are normal maps: bc5 with -f auto, else bc5, bc5s or bc7; mip levels have normals of length
    /// 1
    #[arg(long, conflicts_with_all = ["one_channel", "data"], help_heading = "Normal maps")]
    normal: bool,

    /// Invert green of normal maps, between the conventions of OpenGL (y up) and Direct3D
    #[arg(long, conflicts_with_all = ["one_channel", "data"], help_heading = "Normal maps")]
    normal_flip_y: bool,

    /// Make normal maps of heights, which are red or grey; a height of 1 (white) is SCALE texels high
    ///
    /// Y points upward, as in OpenGL. --mip-wrap also states the texels past the edges of the heights.
    /// --swizzle aaa1 takes the heights from alpha.
    #[arg(long, value_name = "SCALE", value_parser = values::height_scale,
        conflicts_with_all = ["one_channel", "data"], allow_hyphen_values = true,
        help_heading = "Normal maps")]
    from_height: Option<f32>,

    /// With -f auto: only one channel of the images is used (bc4)
    #[arg(long, conflicts_with = "data", help_heading = "Channels")]
    one_channel: bool,

    /// The images are data, such as packed masks: linear, and alpha is a channel like the others
    ///
    /// Alpha then does not weight the other channels in mip levels and new sizes, and -f auto does not choose
    /// bc1 for images with alpha. -f bc1, the default, stores no colours where alpha is below the threshold,
    /// and a note reports this; bc7 and bc3 do. If a file's colours are multiplied by alpha, as in EXR, they
    /// are not divided by it.
    #[arg(long, help_heading = "Channels")]
    data: bool,

    /// Take mip level N, from 1, from FILE instead of making it; may be repeated, from 1 without gaps
    ///
    /// FILE has the size of the level: sides are halved and rounded down, but at least 1. It is read with the
    /// same options as the image, so that --swizzle and --data apply to each level. --mips makes the levels
    /// below; without it, the texture has the given levels only. The measured error is that of the image. In
    /// rules, the key level is a list, and files are paths from the folder of the image, such as
    /// 1={stem}_mip1.png.
    #[arg(long, value_name = "N=FILE", value_parser = values::level_file, help_heading = "Mip levels")]
    level: Vec<LevelFile>,

    /// The images are roughness maps: add the spread of the normals in FILE, a normal map, to the roughness
    /// of mip levels
    ///
    /// The mean of normals that differ is shorter than 1. The mip levels of a normal map lose this, and bumps
    /// become a smooth mirror in the distance. This option makes the roughness higher instead, by Toksvig's
    /// formula (docs/textures.md). FILE is the normal map of the same surface, of any size. The option
    /// implies --data, unless --one-channel is given, and needs mip levels, which the CPU makes. In rules,
    /// the key roughness-from is a path from the folder of the image, such as {base}_n.png.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["normal", "normal_flip_y", "from_height"],
        help_heading = "Mip levels")]
    roughness_from: Option<PathBuf>,

    /// Channel of the roughness for --roughness-from: r, g, b or a; grey images have one roughness
    /// [default: r]
    #[arg(long, value_name = "CHANNEL", value_parser = values::roughness_channel,
        requires = "roughness_from", help_heading = "Mip levels")]
    roughness_channel: Option<PictureChannel>,
}

impl ChannelArgs {
    /// Returns the sources of red, green, blue and alpha.
    pub fn swizzle(&self) -> Swizzle {
        self.swizzle.unwrap_or_default()
    }

    /// Returns the files whose channels are packed.
    ///
    /// # Errors
    /// [`Failure`] if a channel is stated twice.
    pub fn packed(&self) -> Result<ChannelFiles, Failure> {
        ChannelFiles::new(self.channel.clone())
            .map_err(|reason| Failure::usage(format!("--channel: {reason}")))
    }

    /// Returns the files of mip levels.
    ///
    /// # Errors
    /// [`Failure`] if a level is missing or stated twice.
    pub fn levels(&self) -> Result<LevelFiles, Failure> {
        LevelFiles::new(self.level.clone()).map_err(|reason| Failure::usage(format!("--level: {reason}")))
    }

    /// Returns the use of the images, if an option states it.
    pub fn usage(&self) -> Option<PictureUse> {
        let is_normal = self.normal || self.normal_flip_y || self.from_height.is_some();
        match (is_normal, self.one_channel) {
            (true, _) => Some(PictureUse::Normals),
            (_, true) => Some(PictureUse::OneChannel),
            _ if self.is_data() => Some(PictureUse::Data),
            _ => None,
        }
    }

    /// Returns the option that states this use.
    pub fn usage_flag(&self, usage: PictureUse) -> &'static str {
        match usage {
            PictureUse::Normals if self.normal => "--normal",
            PictureUse::Normals if self.normal_flip_y => "--normal-flip-y",
            PictureUse::Normals => "--from-height",
            PictureUse::Data if self.data => "--data",
            PictureUse::Data if self.roughness_from.is_some() => "--roughness-from",
            PictureUse::Data => "--channel",
            _ => "--one-channel",
        }
    }

    /// True if the images are data.
    pub fn is_data(&self) -> bool {
        self.data || self.roughness_from.is_some() && !self.one_channel
    }

    /// Returns the option that states that the images are data, if there is one.
    pub fn data_flag(&self) -> Option<&'static str> {
        self.is_data().then(|| self.usage_flag(PictureUse::Data))
    }

    /// Returns the normal map whose spread is added to the roughness of mip levels.
    pub fn roughness_from(&self) -> Option<&Path> {
        self.roughness_from.as_deref()
    }

    /// Returns the channel of the roughness.
    pub fn roughness_channel(&self) -> PictureChannel {
        self.roughness_channel.unwrap_or_default()
    }

    /// Returns the options of normal maps.
    pub fn normals(&self) -> NormalOptions {
        NormalOptions::new().with_flip_y(self.normal_flip_y).with_height_scale(self.from_height)
    }
}
