//! Uses of images by the materials of glTF files.
//!
//! Source: Khronos, *glTF 2.0 Specification*, section 3.9, and the extensions `KHR_materials_…`.

use brickwork_image::image_file::PictureUse;
use serde_json::Value;

/// Properties of materials that refer to a texture, the kind of its numbers, and true if shaders read a
/// channel besides red.
const PROPERTIES: [(&str, PictureUse, bool); 23] = [
    ("baseColorTexture", PictureUse::Color, true),
    ("emissiveTexture", PictureUse::Color, true),
    ("diffuseTexture", PictureUse::Color, true),
    ("specularGlossinessTexture", PictureUse::Color, true),
    ("sheenColorTexture", PictureUse::Color, true),
    ("specularColorTexture", PictureUse::Color, true),
    ("diffuseTransmissionColorTexture", PictureUse::Color, true),
    ("multiscatterColorTexture", PictureUse::Color, true),
    ("normalTexture", PictureUse::Normals, true),
    ("clearcoatNormalTexture", PictureUse::Normals, true),
    ("metallicRoughnessTexture", PictureUse::Data, true),
    ("occlusionTexture", PictureUse::Data, false),
    ("clearcoatTexture", PictureUse::Data, false),
    ("clearcoatRoughnessTexture", PictureUse::Data, true),
    ("sheenRoughnessTexture", PictureUse::Data, true),
    ("specularTexture", PictureUse::Data, true),
    ("transmissionTexture", PictureUse::Data, false),
    ("thicknessTexture", PictureUse::Data, true),
    ("iridescenceTexture", PictureUse::Data, false),
    ("iridescenceThicknessTexture", PictureUse::Data, true),
    ("anisotropyTexture", PictureUse::Data, true),
    ("diffuseTransmissionTexture", PictureUse::Data, true),
    ("retroreflectionTexture", PictureUse::Data, false),
];

/// Maximum number of an image's properties that are not in [`PROPERTIES`]. A file may name any number.
const MAX_OTHERS: usize = 8;

/// Maximum length of a property's name in characters. The rest is cut off: each of many images may repeat it.
const MAX_NAME: usize = 64;

/// Uses of one image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Uses {
    /// Names of the properties of materials, sorted.
    pub properties: Vec<String>,
}

impl Uses {
    /// Adds the properties of other materials.
    pub fn add(&mut self, properties: &[String]) {
        properties.iter().for_each(|property| self.add_one(property));
    }

    fn add_one(&mut self, property: &str) {
        let property = property.char_indices().nth(MAX_NAME).map_or(property, |(end, _)| &property[..end]);
        let Err(index) = self.properties.binary_search_by(|other| other.as_str().cmp(property)) else {
            return;
        };
        let is_known = |name: &str| PROPERTIES.iter().any(|(known, ..)| *known == name);
        let others = self.properties.iter().filter(|name| !is_known(name)).count();
        if is_known(property) || others < MAX_OTHERS {
            self.properties.insert(index, property.to_owned());
        }
    }

    /// Returns the use that the properties state: [`PictureUse::Unknown`] if there are none, if none is
    /// known, or if they contradict each other.
    pub fn usage(&self) -> PictureUse {
        let mut known = self.known().map(|(_, usage, _)| usage);
        let first = known.next().unwrap_or_default();
        if known.all(|usage| usage == first) { first } else { PictureUse::Unknown }
    }

    /// True if the properties contradict each other.
    pub fn contradict(&self) -> bool {
        self.known().next().is_some() && self.usage() == PictureUse::Unknown
    }

    /// True if a shader reads a channel besides red.
    pub fn read_more_than_red(&self) -> bool {
        self.known().any(|(_, _, reads_more)| reads_more)
    }

    fn known(&self) -> impl Iterator<Item = (&'static str, PictureUse, bool)> {
        let is_used = move |(name, _, _): &(&str, PictureUse, bool)| {
            self.properties.iter().any(|property| property == name)
        };
        PROPERTIES.into_iter().filter(is_used)
    }
}

/// Returns the uses of each of `image_count` images by the `materials`, through the `textures`.
pub(super) fn uses_of(materials: &[Value], textures: &[Value], image_count: usize) -> Vec<Uses> {
    let mut uses = vec![Uses::default(); image_count];
    let mut found = Vec::new();
    materials.iter().for_each(|material| collect(material, &mut found));
    let mut of_textures = vec![Uses::default(); textures.len()];
    for (property, texture) in found {
        if let Some(uses) = of_textures.get_mut(texture) {
            uses.add_one(property);
        }
    }
    for (texture, of_texture) in textures.iter().zip(of_textures) {
        for image in images_of(texture) {
            if let Some(uses) = uses.get_mut(image) {
                uses.add(&of_texture.properties);
            }
        }
    }
    uses
}

/// Adds the properties that refer to textures, and the textures' indices, from a material and its extensions.
/// The depth of the recursion is that of the JSON, which its parser limits.
fn collect<'a>(value: &'a Value, found: &mut Vec<(&'a str, usize)>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                let index = inner.get("index").and_then(Value::as_u64).filter(|_| key.ends_with("Texture"));
                match index.and_then(|index| usize::try_from(index).ok()) {
                    Some(index) => found.push((key.as_str(), index)),
                    None => collect(inner, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

/// Returns the indices of a texture's images: its `source`, and those of extensions such as
/// `KHR_texture_basisu` and `MSFT_texture_dds`.
fn images_of(texture: &Value) -> Vec<usize> {
    let extensions = texture.get("extensions").and_then(Value::as_object);
    let sources = extensions.into_iter().flat_map(|extensions| extensions.values()).chain([texture]);
    let index = |value: &Value| usize::try_from(value.get("source")?.as_u64()?).ok();
    sources.filter_map(index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn materials_and_their_extensions_state_the_use() {
        let materials = [
            json!({
                "pbrMetallicRoughness": {
                    "baseColorTexture": { "index": 0 },
                    "metallicRoughnessTexture": { "index": 1 }
                },
                "occlusionTexture": { "index": 1, "strength": 0.5 },
                "normalTexture": { "index": 2, "scale": 2 },
                "emissiveTexture": { "index": 3 }
            }),
            json!({ "extensions": { "KHR_materials_clearcoat": {
                "clearcoatTexture": { "index": 4 }, "clearcoatNormalTexture": { "index": 2 }
            } } }),
            json!({ "normalTexture": { "index": 3 }, "myTexture": { "index": 5 }, "alienTexture": 7 }),
            json!({ "normalTexture": { "index": 99 } }),
        ];
        let textures = [
            json!({ "source": 0, "extensions": { "KHR_texture_basisu": { "source": 6 } } }),
            json!({ "source": 1 }),
            json!({ "source": 2 }),
            json!({ "source": 3 }),
            json!({ "source": 4 }),
            json!({ "source": 5 }),
            json!({ "source": 77 }),
        ];
        let uses = uses_of(&materials, &textures, 8);
        let usage: Vec<_> = uses.iter().map(Uses::usage).collect();
        use PictureUse::{Color, Data, Normals, Unknown};
        assert_eq!(usage, [Color, Data, Normals, Unknown, Data, Unknown, Color, Unknown]);
        let properties = uses.iter().map(|uses| uses.properties.join(" ")).collect::<Vec<_>>();
        assert_eq!(properties[1], "metallicRoughnessTexture occlusionTexture");
        assert_eq!(properties[3], "emissiveTexture normalTexture");
        assert_eq!((properties[5].as_str(), properties[7].as_str()), ("myTexture", ""));
        let contradictory: Vec<_> = (0..8).filter(|&image| uses[image].contradict()).collect();
        assert_eq!(contradictory, [3]);
        assert!(uses[1].read_more_than_red() && !uses[4].read_more_than_red());
    }

    /// Each of many textures names many images, and each of many properties a texture.
    #[test]
    fn a_file_cannot_name_endless_uses() {
        let sources: serde_json::Map<_, _> =
            (0..3000).map(|i| (format!("X{i}"), json!({ "source": i % 3 }))).collect();
        let rest = "é".repeat(100);
        let names = (0..3000).map(|i| (format!("x{i}{rest}Texture"), json!({ "index": 0 })));
        let material: serde_json::Map<_, _> =
            names.chain([("normalTexture".to_owned(), json!({ "index": 0 }))]).collect();
        let uses = uses_of(&[Value::Object(material)], &[json!({ "extensions": sources })], 3);
        for image in uses {
            assert_eq!(image.properties.len(), MAX_OTHERS + 1);
            assert!(image.properties.iter().all(|name| name.chars().count() <= MAX_NAME));
            assert_eq!(image.usage(), PictureUse::Normals);
        }
    }
}
