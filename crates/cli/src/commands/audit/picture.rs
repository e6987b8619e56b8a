//! Advice about a picture: its format, a trial, and the size that would be saved.

use super::{
    error::AuditError,
    keep::KeepReason,
    memory::{Uncompressed, texel_format},
    sample,
    subject::{Context, Subject, options_of},
    trial::{self, Trial},
};
use crate::{
    commands::report::html::{ThumbnailError, thumbnail},
    report::{AuditAdvice, AuditKind, AuditedFile},
};
use brickwork_base::Task;
use brickwork_image::image_file::{ImageReadError, Picture, Texels};
use brickwork_texture::{BlockFormat, ColorSpace, TextureDesc};
use brickwork_toolkit::{
    batch::ByteStream,
    texture::{FormatFamily, OptionsError, TextureJobError, TexturePlan, TextureTrial},
};

/// A picture, apart from its texels, and the circumstances of its audit.
pub(super) struct Case<'a> {
    subject: &'a Subject<'a>,
    context: &'a Context<'a>,
    task: &'a Task<'a>,
    /// Name for messages.
    name: String,
    trial: TextureTrial,
    /// Shape and size today.
    today: Uncompressed,
}

/// A format and the texture in it.
struct Choice {
    trial: TextureTrial,
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
        let options = options_of(subject, context);
        let trial = TextureTrial::new(&options, name.clone(), subject.hint(), picture, task)?;
        let failed = |error| TextureJobError::Read { input: name.clone(), error: ImageReadError::Io(error) };
        let today = Uncompressed::of_file(picture, stream).map_err(failed)?;
        Ok(Self { subject, context, task, name, trial, today })
    }

    /// Returns the entry of the picture. Encodes it, unless there is a reason to leave it alone.
    ///
    /// # Errors
    /// [`AuditError`], which names the file.
    pub fn entry(self, mut picture: Picture) -> Result<AuditedFile, AuditError> {
        let choice = match self.choice() {
            Err(AuditError::Texture(TextureJobError::Options {
                error: OptionsError::HdrOfFamily { family },
                ..
            })) => {
                let thumbnail = self.thumbnail(&picture, AuditKind::Hdr)?;
                return Ok(AuditedFile { thumbnail, ..self.without_format(&picture, family) });
            }
            choice => choice?,
        };
        let kind = kind_of(&choice);
        let mut entry = self.entry_today(&picture, &choice.desc, kind);
        entry.is_lookup_table = choice.plan.is_lookup_table();
        entry.thumbnail = self.thumbnail(&picture, kind)?;
        let bytes = [self.today.bytes, choice.desc.data_bytes()];
        if let Some(reason) = KeepReason::before_encoding(&picture, &self.trial, kind, &choice.desc, bytes) {
            entry.reason = reason.to_string();
            entry.notes = self.notes(&choice);
            return Ok(entry);
        }
        sample::check_memory(&picture, self.context.max_memory, &self.name)?;
        let is_sampled = sample::reduce(&mut picture);
        let (choice, Trial { psnr, report }) = self.tried(choice, &picture, is_sampled)?;
        let limit = self.context.options.min_psnr;
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

    /// Returns the thumbnail, if one is requested.
    fn thumbnail(&self, picture: &Picture, kind: AuditKind) -> Result<String, AuditError> {
        if !self.context.options.thumbnails {
            return Ok(String::new());
        }
        let is_grey = matches!(picture.texels, Texels::Grey8(_) | Texels::Grey16(_));
        let view = picture.view().map_err(ThumbnailError::from);
        let made = view.and_then(|view| thumbnail(&*view, kind, if is_grey { 1 } else { 4 }, self.task));
        made.map_err(|error| error.of(self.name.clone()).into())
    }

    /// Returns the entry of an HDR picture, for which the family has no format.
    fn without_format(&self, picture: &Picture, family: FormatFamily) -> AuditedFile {
        let desc = TextureDesc::new_2d(BlockFormat::Bc6hUfloat, picture.width, picture.height);
        let entry = self.entry_today(picture, &self.today.in_format(&desc), AuditKind::Hdr);
        AuditedFile { reason: KeepReason::NoHdr { family }.to_string(), ..entry }
    }

    /// Returns the entry of a picture that is left alone. `desc` has its shape.
    fn entry_today(&self, picture: &Picture, desc: &TextureDesc, kind: AuditKind) -> AuditedFile {
        let (file_format, (format, _)) = (picture.format_name().to_owned(), texel_format(picture));
        AuditedFile { kind: Some(kind), ..self.subject.entry(file_format, desc, format, self.today.bytes) }
    }

    /// Returns the format that `encode -f auto` would choose. BC1 replaces BC4 for grey pictures if materials
    /// read more than red, and ETC2 replaces EAC.
    fn choice(&self) -> Result<Choice, AuditError> {
        let mut choice = self.planned(self.trial.clone(), true)?;
        choice.reason = choice.plan.format_reason.take().unwrap_or_default();
        if choice.desc.format.channels() == "R"
            && self.subject.uses.read_more_than_red()
            && let Some(format) = self.context.options.family.counterpart(BlockFormat::Bc1, true)
        {
            choice = self.planned(self.trial.in_format(format), false)?;
            "grey, but materials read more than red".clone_into(&mut choice.reason);
        }
        Ok(choice)
    }

    fn planned(&self, trial: TextureTrial, explains: bool) -> Result<Choice, AuditError> {
        let plan = trial.plan(explains).map_err(|error| AuditError::of_options(&self.name, error))?;
        let desc = self.today.in_format(&plan.desc);
        Ok(Choice { trial, plan, desc, reason: String::new() })
    }

    /// Encodes the picture, or a sample of it. If BC1 loses too much, BC7 is tried, which takes twice as
    /// much. Returns the last choice and its trial.
    fn tried(
        &self,
        choice: Choice,
        picture: &Picture,
        is_sampled: bool,
    ) -> Result<(Choice, Trial), AuditError> {
        let run = |choice: &Choice| trial::run(&choice.trial, (picture, is_sampled), self.context, self.task);
        let trial = run(&choice)?;
        let limit = self.context.options.min_psnr;
        if trial.psnr >= limit || choice.desc.format != BlockFormat::Bc1 {
            return Ok((choice, trial));
        }
        let mut closer = self.planned(self.trial.in_format(BlockFormat::Bc7), false)?;
        if closer.desc.data_bytes() >= self.today.bytes {
            return Ok((choice, trial));
        }
        closer.reason = format!("bc1 would have {:.2} dB, below {limit} dB", trial.psnr);
        let trial = run(&closer)?;
        Ok((closer, trial))
    }

    /// Returns the notes that `encode` would print, without the file's name.
    fn notes(&self, choice: &Choice) -> Vec<String> {
        let prefix = format!("{}: ", self.name);
        let notes = choice.trial.notes(&choice.plan);
        let texts = notes.iter().map(ToString::to_string);
        texts.map(|text| text.strip_prefix(&prefix).map(str::to_owned).unwrap_or(text)).collect()
    }
}

/// Returns the kind of a texture that `encode -f auto` would make.
fn kind_of(choice: &Choice) -> AuditKind {
    let desc = &choice.desc;
    match desc.format.block() {
        Some(format) if format.channels() == "R" => AuditKind::OneChannel,
        Some(format) if format.channels() == "RG" => AuditKind::Normal,
        Some(BlockFormat::Bc6hUfloat | BlockFormat::Bc6hSfloat) => AuditKind::Hdr,
        Some(BlockFormat::Astc(_)) if choice.plan.options.normals => AuditKind::Normal,
        _ if desc.color_space == ColorSpace::Srgb => AuditKind::Color,
        _ => AuditKind::Data,
    }
}
