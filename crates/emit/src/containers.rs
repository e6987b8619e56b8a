//! File of the containers: headers of DDS, formats and descriptors of KTX2.

use crate::{
    EmitError, Template,
    code::{Data, module},
    format::{template_data, web_name},
    template::Probe,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use brickwork_texture::{
    AlphaMode, BlockFormat, ColorSpace, Task, Texture, TextureDesc,
    container::{ContainerFormat, DdsHeader, TextureWriteOptions},
};

/// Positions in a KTX2 file.
const VK_FORMAT: usize = 12;
const DESCRIPTOR: usize = 48;
const KEY_VALUES: usize = 56;

/// Returns the module, with an entry for each format, colour space and alpha mode.
pub(crate) fn container_module() -> Result<String, EmitError> {
    let mut formats = Vec::new();
    for &format in BlockFormat::ALL.iter().filter(|format| format.has_encoder()) {
        let mut spaces = vec![("linear", ColorSpace::Linear)];
        if format.has_srgb() {
            spaces.push(("srgb", ColorSpace::Srgb));
        }
        let mut alpha_modes = vec![("opaque", AlphaMode::Opaque)];
        if format.has_alpha() {
            alpha_modes.push(("straight", AlphaMode::Straight));
            alpha_modes.push(("premultiplied", AlphaMode::Premultiplied));
        }
        let mut entries = Vec::new();
        for &(space_name, space) in &spaces {
            for &(alpha_name, alpha_mode) in &alpha_modes {
                let desc =
                    TextureDesc::new_2d(format, 4, 4).with_color_space(space).with_alpha_mode(alpha_mode);
                entries.push((format!("{space_name} {alpha_name}"), entry(format, &desc)?));
            }
        }
        formats.push((web_name(format).to_owned(), Data::Object(entries)));
    }
    let imports = [("type ContainerData".to_owned(), "../data.js".to_owned())];
    Ok(module(&imports, "ContainerData", &Data::Object(formats)))
}

fn entry(format: BlockFormat, desc: &TextureDesc) -> Result<Data, EmitError> {
    let ktx2 = written(*desc, ContainerFormat::Ktx2)?;
    let section = |at| {
        let start = word(&ktx2, at) as usize;
        let bytes = ktx2.get(start..start + word(&ktx2, at + 4) as usize).unwrap_or_default();
        Data::Text(BASE64_STANDARD.encode(bytes))
    };
    let mut fields = Vec::new();
    // DDS lacks the formats of phones.
    if !format.is_mobile() {
        fields.push(("dds", template_data(&dds_template(desc, [1, 1, 1])?)));
        fields.push(("ddsWithMips", template_data(&dds_template(desc, [2, 3, 4])?)));
    }
    fields.push(("vkFormat", word(&ktx2, VK_FORMAT).into()));
    fields.push(("descriptor", section(DESCRIPTOR)));
    fields.push(("keyValues", section(KEY_VALUES)));
    Ok(Data::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
}

/// Returns the header of DDS files whose numbers of mip levels are like these.
fn dds_template(desc: &TextureDesc, mip_levels: [u32; 3]) -> Result<Template, EmitError> {
    let mut probes = Vec::new();
    for ([width, height], mip_levels) in [[36, 20], [100, 52], [228, 12]].into_iter().zip(mip_levels) {
        let mut desc = *desc;
        (desc.width, desc.height, desc.mip_levels) = (width, height, mip_levels);
        let bytes = desc.data_bytes();
        let file = written(desc, ContainerFormat::Dds)?;
        let header = &file[..file.len() - bytes as usize];
        let fields = [
            ("width", width),
            ("height", height),
            ("levelBytes", desc.format.image_bytes(width, height) as u32),
            ("mipLevels", mip_levels),
        ];
        let words = (0..header.len() / 4).map(|i| word(header, 4 * i));
        probes.push(Probe { fields: fields.to_vec(), words: words.collect() });
    }
    Template::of_probes(&format!("DDS of {}", desc.format), &probes)
}

/// Returns a file with blocks of zeros.
fn written(desc: TextureDesc, container: ContainerFormat) -> Result<Vec<u8>, EmitError> {
    let data = vec![0; desc.data_bytes() as usize];
    let texture = Texture::new(desc, data)?;
    let mut file = Vec::new();
    let options = TextureWriteOptions::default().with(|o| o.dds_header = DdsHeader::Dx10);
    texture.write(&mut file, container, &options, &Task::new())?;
    Ok(file)
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |word| u32::from_le_bytes(*word))
}
