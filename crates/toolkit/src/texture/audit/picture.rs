//! Advice about a picture: its format, a trial, and the size that would be saved.

use super::{
    error::AuditError,
    file::{Context, Subject},
    keep::KeepReason,
    memory::{Uncompressed, texel_format},
    sample,
    trial::{self, Trial},
};
use crate::{
    batch::ByteStream,
    report::{AuditAdvice, AuditKind, AuditedFile},
    texture::{PictureFacts, TextureJobError, TextureOptions, TexturePlan, hint::Hinted, note},
};
use brickwork_base::Task;
use brickwork_texture::{
    BlockFormat, ColorSpace, TextureDesc,
    image_file::{ImageReadError, Picture, PictureUse},
};
use std::slice;

/// A picture, apart from its texels, and the circumstances of its audit.
pub(super) struct Case<'a> {
    subject: &'a Subject<'a>,
    context: &'a Context<'a>,
    task: &'a Task<'a>,
    /// Name for messages.
    names: [String; 1],
    hinted: Hinted,
    facts: PictureFacts,
    /// Shape and size today.
    today: Uncompressed,
}

/// A format and the texture in it.
struct Choice {
    hinted: Hinted,
    plan: TexturePlan,
    /// The texture with all images and mip levels.
    desc: TextureDesc,
    reason: String,
}

impl<'a> Case<'a> {
    /// Examines a picture that was read from `stream`.
    pub fn new(
        subject: &'a Subject<'a>,
        picture: &Picture,
        stream: &mut dyn ByteStream,
        context: &'a Context<'a>,
        task: &'a Task<'a>,
    ) -> Result<Self, AuditError> {
        let name = subject.name();
        let hinted = Hinted::new(&options_of(subject, context), &[subject.hint()]);
        let facts = PictureFacts::of(picture, &hinted.options, task)?;
        let failed = |error| TextureJobError::Read { input: name.clone(), error: ImageReadError::Io(error) };
        let today = Uncompressed::of_file(picture, stream).map_err(failed)?;
        Ok(Self { subject, context, task, names: [name], hinted, facts, today })
    }

    /// Returns the entry of the picture. Encodes it, unless there is a reason to leave it alone.
    ///
    /// # Errors
    /// [`AuditError`], which names the file.
    pub fn entry(self, mut picture: Picture) -> Result<AuditedFile, AuditError> {
        let choice = self.choice()?;
        let kind = kind_of(&choice.desc);
        let file_format = picture.format_name().to_owned();
        let (format, _) = texel_format(&picture);
        let entry = self.subject.entry(file_format, &choice.desc, format, self.today.bytes);
        let mut entry = AuditedFile { kind: Some(kind), ..entry };
        let bytes = [self.today.bytes, choice.desc.data_bytes()];
        if let Some(reason) = KeepReason::before_encoding(&self.facts, kind, &choice.desc, bytes) {
            entry.reason = reason.to_string();
            entry.notes = self.notes(&choice);
            return Ok(entry);
        }
        sample::check_memory(&self.facts, self.context.max_memory, &self.names[0])?;
        let is_sampled = sample::reduce(&mut picture);
        let (choice, Trial { psnr, report }) = self.tried(choice, &picture, is_sampled)?;
        let limit = self.context.options.min_psnr();
        entry.notes = self.notes(&choice);
        entry.trial = Some(report);
        if psnr < limit {
            let format = choice.desc.format.name();
            entry.reason = KeepReason::Loss { format, psnr, limit }.to_string();
        } else {
            entry.advice = AuditAdvice::Compress;
            entry.advised_bytes = choice.desc.data_bytes();
            entry.saved_bytes = self.today.bytes.saturating_sub(entry.advised_bytes);
            entry.reason = choice.reason;
        }
        Ok(entry)
    }

    /// Returns the format that `encode -f auto` would choose. BC1 replaces BC4 for grey pictures if materials
    /// read more than red.
    fn choice(&self) -> Result<Choice, AuditError> {
        let mut choice = self.planned(self.hinted)?;
        self.hinted.explain(&mut choice.plan);
        choice.reason = choice.plan.format_reason.take().unwrap_or_default();
        if choice.desc.format == BlockFormat::Bc4Unorm && self.subject.uses.read_more_than_red() {
            choice = self.planned(self.hinted.in_format(BlockFormat::Bc1))?;
            "grey, but materials read more than red".clone_into(&mut choice.reason);
        }
        Ok(choice)
    }

    fn planned(&self, hinted: Hinted) -> Result<Choice, AuditError> {
        let plan = TexturePlan::of(&hinted.options, slice::from_ref(&self.facts))
            .map_err(|error| AuditError::of_options(&self.names[0], error))?;
        let desc = self.today.in_format(&plan.desc);
        Ok(Choice { hinted, plan, desc, reason: String::new() })
    }

    /// Encodes the picture, or a sample of it. If BC1 loses too much, BC7 is tried, which takes twice as
    /// much. Returns the last choice and its trial.
    fn tried(
        &self,
        choice: Choice,
        picture: &Picture,
        is_sampled: bool,
    ) -> Result<(Choice, Trial), AuditError> {
        let (width, height) = (picture.width, picture.height);
        let texel_bytes = picture.texels.byte_count() as u64;
        let facts = PictureFacts { width, height, texel_bytes, ..self.facts.clone() };
        let run = |choice: &Choice| {
            trial::run(&choice.hinted, (picture, is_sampled), &facts, &self.names, self.context, self.task)
        };
        let trial = run(&choice)?;
        let limit = self.context.options.min_psnr();
        if trial.psnr >= limit || choice.desc.format != BlockFormat::Bc1 {
            return Ok((choice, trial));
        }
        let mut closer = self.planned(self.hinted.in_format(BlockFormat::Bc7))?;
        if closer.desc.data_bytes() >= self.today.bytes {
            return Ok((choice, trial));
        }
        closer.reason = format!("bc1 would have {:.2} dB, below {limit} dB", trial.psnr);
        let trial = run(&closer)?;
        Ok((closer, trial))
    }

    /// Returns the notes that `encode` would print, without the file's name.
    fn notes(&self, choice: &Choice) -> Vec<String> {
        let facts = slice::from_ref(&self.facts);
        let prefix = format!("{}: ", self.names[0]);
        let notes = note::notes_of(&choice.hinted.options, &choice.plan, facts, &self.names);
        let texts = notes.iter().map(ToString::to_string);
        texts.map(|text| text.strip_prefix(&prefix).map(str::to_owned).unwrap_or(text)).collect()
    }
}

/// Returns the options of `encode -f auto`, with the use that materials state.
pub(super) fn options_of(subject: &Subject<'_>, context: &Context<'_>) -> TextureOptions {
    let usage = subject.uses.usage();
    let color_space = match usage {
        PictureUse::Color => Some(ColorSpace::Srgb),
        PictureUse::Data => Some(ColorSpace::Linear),
        _ => None,
    };
    TextureOptions { usage, color_space, ..context.options.texture_options() }
}

/// Returns the kind of a texture that `encode -f auto` would make.
fn kind_of(desc: &TextureDesc) -> AuditKind {
    match desc.format.block() {
        Some(BlockFormat::Bc4Unorm | BlockFormat::Bc4Snorm) => AuditKind::OneChannel,
        Some(BlockFormat::Bc5Unorm | BlockFormat::Bc5Snorm) => AuditKind::Normal,
        Some(BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat) => AuditKind::Hdr,
        _ if desc.color_space == ColorSpace::Srgb => AuditKind::Color,
        _ => AuditKind::Data,
    }
}
