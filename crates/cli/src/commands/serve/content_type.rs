//! Media types of files, by their extensions.

use std::path::Path;

/// Returns the media type of a file. Unknown extensions give `application/octet-stream`, which browsers save.
pub fn content_type(name: &str) -> &'static str {
    let extension = Path::new(name).extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str().unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "txt" | "md" | "toml" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "bmp" => "image/bmp",
        "svg" => "image/svg+xml",
        "ico" => "image/vnd.microsoft.icon",
        "tif" | "tiff" => "image/tiff",
        "tga" => "image/x-tga",
        "exr" => "image/x-exr",
        "hdr" => "image/vnd.radiance",
        "dds" => "image/vnd-ms.dds",
        "ktx2" => "image/ktx2",
        "bwv" => "application/x-bwv",
        "dcm" => "application/dicom",
        "gltf" => "model/gltf+json",
        "glb" => "model/gltf-binary",
        "gz" => "application/gzip",
        "zst" => "application/zstd",
        "zip" => "application/zip",
        "pdf" => "application/pdf",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "woff2" => "font/woff2",
        "xml" | "vti" => "application/xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_files() {
        for (name, expected) in [
            ("a.wasm", "application/wasm"),
            ("a.mjs", "text/javascript; charset=utf-8"),
            ("A.PNG", "image/png"),
            ("scan.nii.gz", "application/gzip"),
            ("a.png.exe", "application/octet-stream"),
            ("png", "application/octet-stream"),
        ] {
            assert_eq!(content_type(name), expected, "{name}");
        }
    }
}
