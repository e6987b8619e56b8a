//! Options of the file and of the report.

use super::{flag_value, names, optional};
use crate::texture::{
    options::{Doors, Exclusion, OptionRow, Stage, Syntax, Value, Values},
    values,
};
use brickwork_texture::container::{ContainerFormat, DdsHeader};

const OUTPUT: &str = "Output";

/// Options of the file and of the report.
pub(super) const ROWS: &[OptionRow] = &[
    OptionRow {
        name: "container",
        syntax: Syntax::Value(
            "NAME",
            Values::Names(|| names(ContainerFormat::ALL, ContainerFormat::extension)),
        ),
        heading: OUTPUT,
        help: "Container if no file name decides it: in a folder, beside the input, on stdout [default: dds; \
               ktx2 for formats that dds lacks]",
        stage: Stage::File,
        set: Some(|options, value| {
            options.container = optional(value, values::container)?;
            Ok(())
        }),
        get: |options| Some(Value::of_text(options.container?.extension())),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "dds-header",
        syntax: Syntax::Value("NAME", Values::Names(|| names(HEADERS, header_name))),
        heading: OUTPUT,
        help: "DDS: the header: that of Direct3D 10, which can state sRGB, or that of Direct3D 9, for old \
               readers",
        doors: Doors::Keys,
        stage: Stage::File,
        container: Some(ContainerFormat::Dds),
        set: Some(|options, value| {
            let known = HEADERS.iter().copied().find(|&header| value.text() == Ok(header_name(header)));
            value.text()?;
            options.dds_header = known.ok_or("expected \"auto\", \"dx10\" or \"legacy\"")?;
            Ok(())
        }),
        get: |options| match options.dds_header {
            DdsHeader::Auto => None,
            header => Some(Value::of_text(header_name(header))),
        },
        ..OptionRow::NONE
    },
    OptionRow {
        name: "dx10",
        heading: OUTPUT,
        help: "DDS: write the Direct3D 10 header, which can state sRGB [default: only if needed]",
        doors: Doors::Program,
        stage: Stage::File,
        exclusions: &[Exclusion::Given("legacy")],
        means: Some(("dds-header", "dx10")),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "legacy",
        heading: OUTPUT,
        help: "DDS: write the Direct3D 9 header, for old readers",
        doors: Doors::Program,
        stage: Stage::File,
        means: Some(("dds-header", "legacy")),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "zstd",
        syntax: Syntax::Optional("LEVEL", Values::Integer(1, 22), "9"),
        heading: OUTPUT,
        help: "KTX2: compress with Zstandard, level 1 to 22 [default level: 9]",
        stage: Stage::File,
        container: Some(ContainerFormat::Ktx2),
        set: Some(|options, value| {
            let level = value.text_or("9")?.map(|level| {
                let level = level.parse().ok().filter(|level| (1..=22).contains(level));
                level.ok_or_else(|| "expected a level from 1 to 22, true or false".to_owned())
            });
            options.zstd = level.transpose()?;
            Ok(())
        }),
        get: |options| Some(Value::of_number(options.zstd?)),
        ..OptionRow::NONE
    },
    OptionRow {
        name: "no-metrics",
        heading: OUTPUT,
        help: "Do not measure the error (PSNR)",
        doors: Doors::Program,
        stage: Stage::File,
        set: Some(|options, value| {
            options.metrics = !value.flag()?;
            Ok(())
        }),
        get: |options| flag_value(!options.metrics),
        ..OptionRow::NONE
    },
];

const HEADERS: &[DdsHeader] = &[DdsHeader::Auto, DdsHeader::Dx10, DdsHeader::Legacy];

fn header_name(header: DdsHeader) -> &'static str {
    match header {
        DdsHeader::Dx10 => "dx10",
        DdsHeader::Legacy => "legacy",
        _ => "auto",
    }
}
