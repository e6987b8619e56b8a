//! Fields of a frame: its own, those shared by all frames, and those of the file (PS3.3, C.7.6.16).

use crate::{
    FormatError,
    header::{geometry::Field, header_text::short},
};
use dicom_core::value::PrimitiveValue;
use dicom_dictionary_std::tags;
use dicom_object::{DefaultDicomObject, InMemDicomObject, Tag, mem::InMemElement};

/// Group of the frame's own numbers and times.
pub const CONTENT: Option<Tag> = Some(tags::FRAME_CONTENT_SEQUENCE);

/// Maximum count of a field's numbers that a slice keeps.
pub const MAX_NUMBERS: usize = 64;

/// Fields of one frame.
pub struct Fields<'a> {
    object: &'a DefaultDicomObject,
    groups: [Option<&'a InMemDicomObject>; 2],
    /// Index of the frame.
    pub frame: usize,
}

/// A field that is present: its name and its text. Backslashes separate several values.
pub struct Text {
    pub name: &'static str,
    pub text: String,
}

impl Text {
    pub fn field(&self) -> Field<'_> {
        Field { name: self.name, text: &self.text }
    }

    /// Returns the `N` finite numbers of the text.
    ///
    /// # Errors
    /// [`FormatError::Geometry`] if it does not contain them.
    pub fn numbers<const N: usize>(&self) -> Result<[f64; N], FormatError> {
        let mut numbers = [0.0; N];
        numbers.copy_from_slice(&self.field().finite_numbers(N, '\\')?);
        Ok(numbers)
    }
}

/// Returns the text of an element; `None` if it is empty.
pub fn text_of(element: &InMemElement, name: &'static str) -> Option<Text> {
    let text = match element.value().primitive() {
        None => "a sequence".to_owned(),
        Some(PrimitiveValue::Empty) => return None,
        // The value representation is unknown.
        Some(PrimitiveValue::U8(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        Some(value @ (PrimitiveValue::Str(_) | PrimitiveValue::Strs(_))) => value.to_str().into_owned(),
        Some(value) => match value.to_multi_float64() {
            Ok(numbers) => numbers.iter().map(f64::to_string).collect::<Vec<_>>().join("\\"),
            Err(_) => value.to_str().into_owned(),
        },
    };
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_owned();
    (!text.is_empty()).then_some(Text { name, text })
}

impl<'a> Fields<'a> {
    pub fn of(object: &'a DefaultDicomObject, frame: usize) -> Self {
        let item = |sequence: Tag, index: usize| object.get(sequence)?.items()?.get(index);
        let own = item(tags::PER_FRAME_FUNCTIONAL_GROUPS_SEQUENCE, frame);
        let shared = item(tags::SHARED_FUNCTIONAL_GROUPS_SEQUENCE, 0);
        Self { object, groups: [own, shared], frame }
    }

    /// Returns the fields of the whole file.
    pub fn object(&self) -> &'a DefaultDicomObject {
        self.object
    }

    /// True if the frame has its own groups of fields.
    pub fn has_groups(&self) -> bool {
        self.groups[0].is_some()
    }

    /// Returns a field from its group, else from the top level.
    pub fn get(&self, group: Option<Tag>, tag: Tag) -> Option<&'a InMemElement> {
        let grouped =
            |item: &Option<&'a InMemDicomObject>| item.as_ref()?.get(group?)?.items()?.first()?.get(tag);
        self.groups.iter().find_map(grouped).or_else(|| self.object.get(tag))
    }

    /// Returns the text of a field; `None` if it is absent or empty, which means unknown in DICOM.
    pub fn text(&self, group: Option<Tag>, tag: Tag, name: &'static str) -> Option<Text> {
        text_of(self.get(group, tag)?, name)
    }

    /// Returns the numbers of a field.
    ///
    /// # Errors
    /// [`FormatError::Geometry`] if the field is present but does not contain `N` finite numbers.
    pub fn numbers<const N: usize>(
        &self,
        group: Option<Tag>,
        tag: Tag,
        name: &'static str,
    ) -> Result<Option<(Text, [f64; N])>, FormatError> {
        let Some(text) = self.text(group, tag, name) else { return Ok(None) };
        let numbers = text.numbers()?;
        Ok(Some((text, numbers)))
    }

    /// Returns the integer of a field.
    pub fn int(&self, group: Option<Tag>, tag: Tag) -> Option<i64> {
        self.get(group, tag)?.to_int().ok()
    }

    /// Returns the number of frames in the file.
    pub fn frame_count(&self) -> Result<u32, FormatError> {
        let Some(text) = self.text(None, tags::NUMBER_OF_FRAMES, "NumberOfFrames") else { return Ok(1) };
        let [count] = text.numbers()?;
        if count.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&count) {
            return Ok(count as u32);
        }
        Err(FormatError::Number { field: text.name.to_owned(), value: short(&text.text) })
    }

    /// Returns a field's time, given in milliseconds, in seconds.
    pub fn milliseconds(&self, tag: Tag, name: &'static str) -> Result<Option<f64>, FormatError> {
        let Some((text, [step])) = self.numbers(None, tag, name)? else { return Ok(None) };
        text.field().duration(step / 1000.0).map(Some)
    }

    /// Returns the position of the frame in its stack, as the frame states it.
    pub fn in_stack_position(&self) -> Option<i64> {
        self.int(CONTENT, tags::IN_STACK_POSITION_NUMBER)
    }

    /// True if the frame states its own position.
    pub fn has_own_position(&self) -> bool {
        let has = |tag: Tag| self.groups[0].is_some_and(|own| own.get(tag).is_some());
        has(tags::PLANE_POSITION_SEQUENCE) || self.has_position_in_volume()
    }

    /// True if the frame states its own position in the frame of reference of the volume.
    pub fn has_position_in_volume(&self) -> bool {
        self.groups[0].is_some_and(|own| own.get(tags::PLANE_POSITION_VOLUME_SEQUENCE).is_some())
    }

    /// Returns the items of a sequence that is itself a group of fields, if the frame has its own.
    pub fn own_items(&self, sequence: Tag) -> Option<&'a [InMemDicomObject]> {
        self.groups[0]?.get(sequence)?.items()
    }

    /// Returns the items of a sequence that is itself a group of fields: those for all frames, else those of
    /// the file.
    pub fn shared_items(&self, sequence: Tag) -> &'a [InMemDicomObject] {
        let shared = self.groups[1].and_then(|shared| shared.get(sequence)?.items());
        shared.or_else(|| self.object.get(sequence)?.items()).unwrap_or_default()
    }
}
