//! Failures of `encode`, in terms of its options.

use super::arguments::Args;
use crate::{exit::Exit, failure::Failure};
use brickwork_texture::TextureError;
use brickwork_toolkit::texture::{OptionsError, RdoTargetError, TextureJobError};

/// Returns the failure of options that do not fit.
pub fn of_options(args: &Args, error: &OptionsError) -> Failure {
    match error {
        OptionsError::Exclusive { options: [a, b] } => {
            Failure::usage(format!("--{a} and --{b} exclude each other")).hint("leave out one of them")
        }
        OptionsError::TransferOfData { .. } => Failure::usage(error).hint("leave out both"),
        OptionsError::OtherColorSpace { .. } => Failure::usage(format!("--{error}")),
        OptionsError::UseOfOption { option, .. } => {
            Failure::usage(format!("--{error}")).hint(format!("leave out --{option}"))
        }
        OptionsError::RoughnessChannel { .. } => Failure::usage(error).hint("use --roughness-channel"),
        OptionsError::WithoutFilter { .. } | OptionsError::WithoutMips { .. } => {
            Failure::usage(format!("--{error}")).hint("use --mips")
        }
        OptionsError::Target(error @ RdoTargetError::Psnr { .. }) => {
            Failure::new(Exit::Runtime, error).hint("use a higher --quality or another format")
        }
        OptionsError::Target(error) => Failure::new(Exit::Runtime, error),
        OptionsError::ColorSpaceOfName { format, .. } => {
            let named = if args.linear_flag().is_some() { "sRGB" } else { "linear texels" };
            let flag = args.linear_flag().unwrap_or("srgb");
            let name = format.map_or("auto", |format| format.name());
            Failure::usage(format!("the format's name states {named}, but --{flag} states the opposite"))
                .hint(format!("use --format {name}"))
        }
        OptionsError::AlphaOfName => Failure::usage(error).hint("use --format bc1"),
        OptionsError::SrgbUse { usage } => {
            Failure::usage(format!("--{} and --srgb contradict each other", args.usage_flag(*usage)))
        }
        OptionsError::UseOfFormat { usage, formats, format } => {
            let (flag, and) = (args.usage_flag(*usage), if formats.is_empty() { "" } else { " and " });
            Failure::usage(format!("--{flag} is for {formats}{and}--format auto, not {format}"))
                .hint("use -f auto")
        }
        OptionsError::Texture(TextureError::NoSrgb { .. }) if args.given.has("convert-oetf") => {
            Failure::usage(error).hint("use --convert-oetf linear")
        }
        OptionsError::Texture(TextureError::NoSrgb { .. }) => Failure::usage(error).hint("leave out --srgb"),
        OptionsError::NotLinear { .. } => {
            Failure::usage(error).hint("--convert-oetf linear converts it; --linear keeps its numbers")
        }
        OptionsError::Ignored { option, .. } | OptionsError::NeedsImages { option } => {
            Failure::usage(format!("--{error}")).hint(format!("leave out --{option}"))
        }
        OptionsError::OptionOfFamily { option, .. } => {
            Failure::usage(format!("--{error}")).hint(format!("leave out --{option}"))
        }
        OptionsError::FormatOfFamily { .. } => Failure::usage(error).hint("use -f auto"),
        OptionsError::WrapOfCube => Failure::usage(format!("--{error}")).hint("leave out --mip-wrap"),
        OptionsError::FlippedCube { .. } => Failure::usage(format!("--{error}")),
        OptionsError::Encode(error) => error.clone().into(),
        OptionsError::FormatOfContainer { .. }
        | OptionsError::FamilyOfContainer { .. }
        | OptionsError::HdrOfFamily { .. } => Failure::new(Exit::Unsupported, error),
        OptionsError::OfContainer { .. } => Failure::usage(format!("--{error}")),
        OptionsError::Extension { named, chosen } => Failure::usage(format!(
            "the extension means {}, but --container is {}",
            named.extension(),
            chosen.extension()
        )),
        OptionsError::NoContainer { extension } => {
            let folder = if extension.is_none() { "; to name a folder, end it with /" } else { "" };
            Failure::usage(error).hint(format!("use .dds, .ktx2 or .astc, or --container{folder}"))
        }
        OptionsError::NeedsTextures => Failure::usage(error).hint("encode --level takes images"),
        OptionsError::NoPanorama => Failure::usage(error).hint("leave out --face-size"),
        _ => Failure::usage(error),
    }
}

/// Returns the failure of a job.
pub fn of_job(args: &Args, error: TextureJobError) -> Failure {
    match error {
        TextureJobError::Options { file, error } => of_options(args, &error).of(file),
        error => error.into(),
    }
}
