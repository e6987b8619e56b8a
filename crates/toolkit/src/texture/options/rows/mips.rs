//! Options of mip levels.

use super::{STRING_OR_NULL, names, of_text, optional};
use crate::texture::{
    MipLevels,
    options::{JsonSetting, Need, OptionRow, SettingText, Syntax, Value, Values},
    values,
};
use brickwork_texture::{MipExtreme, MipFilter, MipWrap, PlainFormat, TextureFormat};

const MIP_LEVELS: &str = "Mip levels";

/// Options of mip levels.
pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "mips",
        syntax: Syntax::Optional("N|all|none", Values::NumberOr(&["all", "none"]), "all"),
        heading: MIP_LEVELS,
        help: "Generate mip levels: at most N, including the image; all, down to 1×1; or none [default: \
               none]",
        set: Some(|options, value| {
            options.mip_levels = values::mip_levels(value.text_or("all")?.unwrap_or("none"))?;
            Ok(())
        }),
        get: |options| match options.mip_levels {
            MipLevels::Full => Some(Value::of_text("all")),
            MipLevels::AtMost(0 | 1) => None,
            MipLevels::AtMost(count) => Some(Value::of_number(count)),
        },
        ..OptionRow::NONE
    },
    OptionRow {
        name: "mip-filter",
        syntax: Syntax::Value("NAME", Values::Names(filters)),
        heading: MIP_LEVELS,
        help: "Filter of mip levels and of new sizes: box and triangle are soft, the others up to lanczos3 \
               are sharper [default: kaiser; box for new sizes of floats (HDR), and for mip levels with \
               ultrafast, fast, --real-time, formats of floats, cubes and 3D textures]; min and max take the \
               least or the greatest number of the covered texels, such as for heights",
        needs: &[Need::Filter],
        set: Some(|options, value| {
            let extreme = value.text().ok().and_then(|name| name.parse::<MipExtreme>().ok());
            options.encode.mip_extreme = extreme;
            options.encode.mip_filter = if extreme.is_some() { None } else { optional(value, of_text)? };
            Ok(())
        }),
        get: |options| {
            let extreme = options.encode.mip_extreme.map(MipExtreme::name);
            Some(Value::of_text(extreme.or(options.encode.mip_filter.map(MipFilter::name))?))
        },
        json: Some(JsonSetting::new(
            "mip_filter",
            "Filter of the mip levels that were made, such as `kaiser`; `null` if none was made.",
            STRING_OR_NULL,
            |file| file.plan.mips.map(|mips| mips.filter_name()).into(),
        )),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "mip-wrap",
        syntax: Syntax::Value("NAME", Values::Pair(&["clamp", "repeat", "mirror"])),
        default: Some("clamp"),
        heading: MIP_LEVELS,
        help: "Texels past the edges, for the filter: clamp, repeat (for tiles) or mirror; or X,Y for each \
               axis",
        needs: &[Need::FilterOrEdges],
        set: Some(|options, value| {
            options.encode.mip_wrap = values::mip_wrap(&value.joined()?)?;
            Ok(())
        }),
        get: |options| {
            let wrap = options.encode.mip_wrap;
            (wrap != [MipWrap::Clamp; 2]).then(|| Value::of_text(&wrap.map(MipWrap::name).join(",")))
        },
        json: Some(JsonSetting::new(
            "mip_wrap",
            "Texels past the edges along x and y, as the filter read them: `clamp`, `repeat` or `mirror`; \
             `null` if\nno mip level was made.",
            r#"{"type":["array","null"],"items":{"type":"string"},"minItems":2,"maxItems":2}"#,
            |file| file.plan.mips.map(|mips| mips.wrap.map(MipWrap::name).to_vec()).into(),
        )),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "keep-coverage",
        syntax: Syntax::Optional("X", Values::Number, "0.5"),
        heading: MIP_LEVELS,
        help: "Scale the alpha of mip levels so that an alpha test at X leaves the same share of texels; X \
               is above 0 and at most 1 [default X: 0.5]",
        more: "For leaves, hair and fences, which otherwise vanish or close in the distance. X is the \
               reference of the engine's alpha test. For BC1 it should be --alpha-threshold / 255. It needs \
               mip levels.",
        is_transparency: true,
        formats: Some(|format| match format {
            TextureFormat::Block(format) => format.has_alpha(),
            // Mip levels have alpha of 8 bits.
            TextureFormat::Plain(format) => {
                matches!(format, PlainFormat::Rgba8Unorm | PlainFormat::Bgra8Unorm)
            }
        }),
        needs: &[Need::Alpha, Need::MipLevels],
        set: Some(|options, value| {
            let reference = value.text_or("0.5")?;
            options.encode.keep_coverage = reference.map(values::alpha_reference).transpose()?;
            Ok(())
        }),
        get: |options| {
            let reference = f64::from(options.encode.keep_coverage?.get());
            // References between two numbers of texels mean the larger one.
            Some(Value::of_number((reference - 0.5) / 255.0))
        },
        json: Some(JsonSetting::new(
            "keep_coverage",
            "Minimum alpha, from 1 to 255, of the texels whose share the mip levels keep; `null` without\n\
             `--keep-coverage`.",
            r#"{"type":["integer","null"],"format":"uint8","minimum":1,"maximum":255}"#,
            |file| file.plan.mips.and(file.plan.options.keep_coverage).map(|alpha| alpha.get()).into(),
        )),
        text: Some(SettingText::Picture(|file| {
            let reference = file.plan.mips.and(file.plan.options.keep_coverage)?;
            Some(format!("coverage kept at alpha {reference}"))
        })),
        ..OptionRow::NONE
    },
];

/// Names of filters and of extremes.
fn filters() -> Vec<&'static str> {
    let filters = names(MipFilter::ALL, MipFilter::name);
    filters.into_iter().chain(names(MipExtreme::ALL, MipExtreme::name)).collect()
}
