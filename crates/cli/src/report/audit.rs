//! Report of `audit`.

use super::FileEntry;
use serde::Serialize;
use std::cmp::Reverse;

/// Report of `audit`.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct AuditReport {
    /// The command: `audit`.
    pub command: &'static str,
    /// PSNR in dB below which an image is left alone.
    pub min_psnr: f64,
    /// Family of the block formats that were tried: `bc`, `astc` or `etc2`.
    pub family: &'static str,
    /// Images and textures: those with the largest saving first, then those with the most memory, then those
    /// that failed.
    pub files: Vec<FileEntry<AuditedFile>>,
    /// glTF files in the order of their paths.
    pub models: Vec<FileEntry<AuditedModel>>,
    /// Sums over all files.
    pub totals: AuditTotals,
}

/// An image or a texture.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct AuditedFile {
    /// The file's path: that of the glTF file for an image within it.
    pub file: String,
    /// The image within a glTF file; else `null`.
    pub embedded: Option<EmbeddedImage>,
    /// The file format, such as `PNG`.
    pub file_format: String,
    /// Kind of texture: that of the materials that use it, else the one that `encode -f auto` decides. `null`
    /// for a texture in a block format that states none.
    pub kind: Option<AuditKind>,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Layers × faces × slices.
    pub images: u64,
    /// Mip levels that the sizes in memory count: those of a DDS or KTX2 file; for an image, all down to 1×1.
    pub levels: u32,
    /// True if both sides are multiples of 4, which Direct3D requires of block formats.
    pub multiple_of_4: bool,
    /// Format in memory today: a block format, or the texels as decoded, such as `rgba8`.
    pub format: String,
    /// Size of the file, or of the image within a glTF file.
    pub file_bytes: u64,
    /// Size in GPU memory today. An image counts as uncompressed: 4 bytes per texel, 1 if it is grey, twice
    /// as many for 16 bits per channel.
    pub memory_bytes: u64,
    /// Size in GPU memory if the advice is followed.
    pub advised_bytes: u64,
    /// `memory_bytes` minus `advised_bytes`.
    pub saved_bytes: u64,
    /// The advice: `compress` or `keep`.
    pub advice: AuditAdvice,
    /// The reason for the block format or for keeping the file.
    pub reason: String,
    /// The encoding that was measured, also if it is not advised; `null` if none was.
    pub trial: Option<AuditTrial>,
    /// Materials' uses of the file, by glTF file.
    pub used_by: Vec<AuditUse>,
    /// Facts that the user may not expect.
    pub notes: Vec<String>,
    /// True for a lookup table of colours, which has no mip levels.
    #[serde(skip)]
    pub is_lookup_table: bool,
    /// Thumbnail as HTML; empty if none was requested.
    #[serde(skip)]
    pub thumbnail: String,
}

/// Image within a glTF file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EmbeddedImage {
    /// Index in the glTF file's array `images`.
    pub index: u64,
    /// The image's name, or `null`.
    pub name: Option<String>,
}

/// Kind of texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AuditKind {
    /// Colours, which are sRGB.
    Color,
    /// Linear numbers that are not colours, such as roughness.
    Data,
    /// Normals.
    Normal,
    /// One linear channel.
    OneChannel,
    /// Light in half floats.
    Hdr,
}

impl AuditKind {
    /// Returns the kind in words, such as `one channel`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Color => "colours",
            Self::Data => "data",
            Self::Normal => "normals",
            Self::OneChannel => "one channel",
            Self::Hdr => "HDR",
        }
    }
}

/// Advice about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AuditAdvice {
    /// The trial's block format saves memory.
    Compress,
    /// The file should be left alone.
    Keep,
}

/// An encoding of mip level 0 in memory.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct AuditTrial {
    /// The block format.
    pub format: &'static str,
    /// The quality. A higher one loses less.
    pub quality: &'static str,
    /// The measure of the loss: `psnr` of the stored channels, or of alpha if it is lower; `mpsnr` for half
    /// floats.
    pub measure: &'static str,
    /// The measure in dB; `null` if no texel changes.
    pub psnr: Option<f64>,
    /// Texels that were encoded and measured: all of mip level 0, or a sample of a large image.
    pub texel_count: u64,
    /// True if the texels are a sample.
    pub sampled: bool,
}

/// Use of a file by the materials of a glTF file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct AuditUse {
    /// The glTF file's path.
    pub model: String,
    /// Properties of materials, such as `baseColorTexture`; empty if no material uses the image. At most 8
    /// are outside of glTF's extensions. Names are cut to 64 characters.
    pub textures: Vec<String>,
}

/// A glTF file.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct AuditedModel {
    /// The file's path.
    pub file: String,
    /// Number of images.
    pub images: u64,
    /// Number of images within the file or its buffers.
    pub embedded: u64,
    /// Findings about the images.
    pub findings: Vec<AuditFinding>,
}

/// Finding about an image of a glTF file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct AuditFinding {
    /// The rule.
    pub rule: AuditRule,
    /// Index in the glTF file's array `images`.
    pub image: u64,
    /// The image and the reason, in one line.
    pub message: String,
}

/// Rule for the images of a glTF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AuditRule {
    /// The file does not exist.
    Missing,
    /// The path leads out of the folder that is audited. The file is not read.
    Outside,
    /// The URI is not a relative path. Nothing is read.
    NotAPath,
    /// The image has neither a URI nor a buffer view.
    Empty,
    /// Materials use the image as colours and as numbers, or as normals and as other numbers.
    Contradiction,
    /// No material uses the image.
    Unused,
}

/// Sums over all files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct AuditTotals {
    /// Images and textures that were read.
    pub files: u64,
    /// Those whose compression is advised.
    pub compress: u64,
    /// Those that should be left alone.
    pub keep: u64,
    /// Files that were refused: images, textures and models with an error.
    pub failed: u64,
    /// Findings about models.
    pub findings: u64,
    /// Sum of `file_bytes`.
    pub file_bytes: u64,
    /// Sum of `memory_bytes`.
    pub memory_bytes: u64,
    /// Sum of `advised_bytes`.
    pub advised_bytes: u64,
    /// Sum of `saved_bytes`.
    pub saved_bytes: u64,
}

impl AuditedFile {
    /// Returns the file's path; for an image within a glTF file, with its index and name.
    pub fn name(&self) -> String {
        match &self.embedded {
            None => self.file.clone(),
            Some(embedded) => embedded.name_in(&self.file),
        }
    }
}

impl EmbeddedImage {
    /// Returns `a.glb, image 3 (Wood)` for a file `a.glb`.
    pub fn name_in(&self, file: &str) -> String {
        let name = self.name.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
        format!("{file}, image {}{name}", self.index)
    }
}

impl AuditReport {
    /// Creates the report: sorts the files and adds them up.
    pub fn new(
        min_psnr: f64,
        family: &'static str,
        mut files: Vec<FileEntry<AuditedFile>>,
        models: Vec<FileEntry<AuditedModel>>,
    ) -> Self {
        let mut totals = AuditTotals::default();
        for entry in &files {
            match entry.done() {
                Some(file) => totals.add(file),
                None => totals.failed += 1,
            }
        }
        for entry in &models {
            match entry.done() {
                Some(model) => totals.findings += model.findings.len() as u64,
                None => totals.failed += 1,
            }
        }
        // The sort is stable, so that files with equal keys stay in the order of their paths.
        files.sort_by_key(|entry| Reverse(entry.done().map(|file| (file.saved_bytes, file.memory_bytes))));
        Self { command: "audit", min_psnr, family, files, models, totals }
    }
}

impl AuditTotals {
    fn add(&mut self, file: &AuditedFile) {
        self.files += 1;
        match file.advice {
            AuditAdvice::Compress => self.compress += 1,
            AuditAdvice::Keep => self.keep += 1,
        }
        // Headers of forged files state any size.
        let add = |sum: &mut u64, bytes: u64| *sum = sum.saturating_add(bytes);
        add(&mut self.file_bytes, file.file_bytes);
        add(&mut self.memory_bytes, file.memory_bytes);
        add(&mut self.advised_bytes, file.advised_bytes);
        add(&mut self.saved_bytes, file.saved_bytes);
    }
}
