//! Diffusion weighting of a slice: b-value and direction of the gradient, from the fields of the standard
//! (PS3.3, C.8.13.5.9), else from private fields of vendors.
//!
//! The private fields are those that dcm2niix reads (its `README.md` and the vendors' conformance
//! statements).

use super::{
    fields::Fields,
    marks::{Mark, numbers_mark},
    mosaic::MR_HEADER,
};
use dicom_core::value::PrimitiveValue;
use dicom_dictionary_std::tags;
use dicom_object::{Tag, mem::InMemElement};

/// Siemens' private tag of a b-value, also without the name of its block.
const SIEMENS_B_VALUE: Tag = Tag(0x0019, 0x100C);

/// Type of the numbers of a private field, whose value representation may be unknown.
#[derive(Clone, Copy)]
enum Numbers {
    Text,
    Single,
    Double,
}

/// Private field: name of its block, group, element, type.
type Private = (&'static str, u16, u8, Numbers);

const B_VALUES: [Private; 4] = [
    (MR_HEADER, 0x0019, 0x0C, Numbers::Text),
    ("GEMS_PARM_01", 0x0043, 0x39, Numbers::Text),
    ("Philips Imaging DD 001", 0x2001, 0x03, Numbers::Single),
    ("Image Private Header", 0x0065, 0x09, Numbers::Double),
];

/// Directions along the patient's axes: three numbers, or three fields of one number.
const DIRECTIONS: [&[Private]; 3] = [
    &[(MR_HEADER, 0x0019, 0x0E, Numbers::Double)],
    &[
        ("Philips MR Imaging DD 001", 0x2005, 0xB0, Numbers::Single),
        ("Philips MR Imaging DD 001", 0x2005, 0xB1, Numbers::Single),
        ("Philips MR Imaging DD 001", 0x2005, 0xB2, Numbers::Single),
    ],
    &[("Image Private Header", 0x0065, 0x37, Numbers::Double)],
];

/// GE's direction, along the axes of the scan.
const GE_DIRECTION: [Private; 3] = [
    ("GEMS_ACQU_01", 0x0019, 0xBB, Numbers::Text),
    ("GEMS_ACQU_01", 0x0019, 0xBC, Numbers::Text),
    ("GEMS_ACQU_01", 0x0019, 0xBD, Numbers::Text),
];

/// GE adds multiples of this to b-values, as flags.
const GE_FLAGS: f64 = 1e5;

impl Fields<'_> {
    /// Returns the b-value in s/mm².
    pub fn b_value(&self) -> Option<Mark> {
        let group = Some(tags::MR_DIFFUSION_SEQUENCE);
        for (group, tag) in [(group, tags::DIFFUSION_B_VALUE), (None, SIEMENS_B_VALUE)] {
            if let Some(text) = self.text(group, tag, "DiffusionBValue") {
                return Some(Mark::of_text(&text.text));
            }
        }
        let stated = B_VALUES.iter().find_map(|field| self.private(field)?.first().copied())?;
        Some(numbers_mark(vec![stated % GE_FLAGS]))
    }

    /// Returns the direction of the gradient along the patient's axes.
    pub fn gradient(&self) -> Option<Mark> {
        let group = tags::MR_DIFFUSION_SEQUENCE;
        let within = (tags::DIFFUSION_GRADIENT_DIRECTION_SEQUENCE, tags::DIFFUSION_GRADIENT_ORIENTATION);
        let nested = self.get(Some(group), within.0).and_then(|directions| {
            let numbers = directions.items()?.first()?.get(within.1)?.to_multi_float64().ok()?;
            (!numbers.is_empty()).then(|| numbers_mark(numbers))
        });
        if nested.is_some() {
            return nested;
        }
        if let Some(text) = self.text(None, within.1, "DiffusionGradientOrientation") {
            return Some(Mark::of_text(&text.text));
        }
        DIRECTIONS.iter().find_map(|fields| self.privates(fields))
    }

    /// Returns GE's direction of the gradient along the axes of the scan.
    pub fn scan_gradient(&self) -> Option<Mark> {
        self.privates(&GE_DIRECTION)
    }

    fn privates(&self, fields: &[Private]) -> Option<Mark> {
        let numbers: Option<Vec<Vec<f64>>> = fields.iter().map(|field| self.private(field)).collect();
        Some(numbers?.concat()).filter(|numbers| numbers.len() == 3).map(numbers_mark)
    }

    /// Returns the numbers of a private field of a file of one frame.
    fn private(&self, &(creator, group, number, kind): &Private) -> Option<Vec<f64>> {
        if self.has_groups() || self.frame_count().is_ok_and(|count| count > 1) {
            return None;
        }
        numbers_of(self.object().private_element(group, creator, number).ok()?, kind)
    }
}

fn numbers_of(element: &InMemElement, kind: Numbers) -> Option<Vec<f64>> {
    let PrimitiveValue::U8(bytes) = element.value().primitive()? else {
        return element.to_multi_float64().ok();
    };
    Some(match kind {
        Numbers::Single => {
            bytes.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number).into()).collect()
        }
        Numbers::Double => bytes.as_chunks().0.iter().map(|number| f64::from_le_bytes(*number)).collect(),
        Numbers::Text => {
            let text = String::from_utf8_lossy(bytes);
            let parts = text.trim_end_matches(['\0', ' ']).split('\\');
            parts.map(|part| part.trim().parse().ok()).collect::<Option<_>>()?
        }
    })
}
