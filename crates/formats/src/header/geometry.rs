//! Numbers of the geometry, read and checked in one place for all formats.
//!
//! A value that is present but unusable is an error that names its field. It never counts as absent. If a
//! format gives other values a meaning, such as NaN for an unknown spacing, the reader handles it.

use crate::{FormatError, GeometryFault, header::header_text::short};

/// Maximum difference between the length of a direction and 1: scanners round its parts to 3 to 6 digits.
const UNIT_TOLERANCE: f64 = 1e-3;

/// Maximum cosine of the angle between the rows and the columns of a slice.
#[cfg(any(feature = "dicom", test))]
const ANGLE_TOLERANCE: f64 = 5e-3;

/// Minimum determinant of three directions of length 1. Gantries are tilted by at most 30°, which gives 0.87.
const SMALLEST_DETERMINANT: f64 = 1e-3;

/// Field of a file: its name, and its value as text for errors.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

/// Returns the number that `text` contains between white space. It may be infinite or NaN.
pub fn number(text: &str) -> Option<f64> {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\0').parse().ok()
}

/// Checks directions of x, y and z, one after the other: each has length 1, and they are not all in one
/// plane.
///
/// # Errors
/// [`FormatError::Geometry`], which names `field`.
pub fn check_orientation(field: &str, orientation: &[f64; 9]) -> Result<(), FormatError> {
    let text = format!("{orientation:?}");
    Field { name: field, text: &text }.check_orientation(orientation)
}

impl Field<'_> {
    /// Returns the error that refuses the value.
    pub fn refused(self, fault: GeometryFault) -> FormatError {
        FormatError::Geometry { field: self.name.to_owned(), value: short(self.text), fault }
    }

    /// Reads numbers between separators, finite or not. For the separator `' '`, any amount of white space
    /// separates.
    pub fn any_numbers(self, separator: char) -> Result<Vec<f64>, FormatError> {
        let read = |part: &str| number(part).ok_or_else(|| self.refused(GeometryFault::NotANumber));
        if separator == ' ' {
            return self.text.trim_end_matches('\0').split_whitespace().map(read).collect();
        }
        self.text.split(separator).map(read).collect()
    }

    /// Reads `count` finite numbers between separators.
    pub fn finite_numbers(self, count: usize, separator: char) -> Result<Vec<f64>, FormatError> {
        let numbers = self.any_numbers(separator)?;
        if numbers.len() != count {
            return Err(self.refused(GeometryFault::Count(count)));
        }
        numbers.into_iter().map(|number| self.finite(number)).collect()
    }

    /// Returns `number` if it is finite.
    pub fn finite(self, number: f64) -> Result<f64, FormatError> {
        if number.is_finite() { Ok(number) } else { Err(self.refused(GeometryFault::NotFinite)) }
    }

    /// Returns `number` if it is a valid distance between voxels: finite, above zero, and not subnormal.
    pub fn length(self, number: f64) -> Result<f64, FormatError> {
        let number = self.finite(number)?;
        if number > 0.0 && number.is_normal() {
            Ok(number)
        } else {
            Err(self.refused(GeometryFault::NotPositive))
        }
    }

    /// Returns `number` if it is a valid time between frames; 0 means unknown.
    pub fn duration(self, number: f64) -> Result<f64, FormatError> {
        let number = self.finite(number)?;
        if number >= 0.0 { Ok(number) } else { Err(self.refused(GeometryFault::Negative)) }
    }

    /// Returns `number` if it is a valid slope, which can be undone: finite and not 0.
    pub fn slope(self, number: f64) -> Result<f64, FormatError> {
        let number = self.finite(number)?;
        if number == 0.0 { Err(self.refused(GeometryFault::Zero)) } else { Ok(number) }
    }

    /// Checks the directions of x, y and z: each has length 1, and they are not all in one plane.
    pub fn check_orientation(self, orientation: &[f64; 9]) -> Result<(), FormatError> {
        let [x, y, z] = *orientation.as_chunks::<3>().0 else { unreachable!("nine numbers") };
        for direction in [x, y, z] {
            self.check_unit(direction)?;
        }
        self.check_span([x, y, z])
    }

    /// Checks that three directions of length 1 span the space.
    pub fn check_span(self, [x, y, z]: [[f64; 3]; 3]) -> Result<(), FormatError> {
        let determinant = dot(cross(x, y), z).abs();
        if determinant >= SMALLEST_DETERMINANT { Ok(()) } else { Err(self.refused(GeometryFault::Singular)) }
    }

    /// Checks the directions of the rows and columns of a slice.
    #[cfg(any(feature = "dicom", test))]
    pub fn check_plane(self, [a, b, c, d, e, f]: [f64; 6]) -> Result<(), FormatError> {
        let (x, y) = ([a, b, c], [d, e, f]);
        self.check_unit(x)?;
        self.check_unit(y)?;
        if dot(x, y).abs() <= ANGLE_TOLERANCE { Ok(()) } else { Err(self.refused(GeometryFault::NotRight)) }
    }

    fn check_unit(self, direction: [f64; 3]) -> Result<(), FormatError> {
        let length = dot(direction, direction).sqrt();
        // This also refuses NaN.
        if (length - 1.0).abs() <= UNIT_TOLERANCE {
            Ok(())
        } else {
            Err(self.refused(GeometryFault::NotUnit))
        }
    }
}

/// Returns the cross product.
pub fn cross([a, b, c]: [f64; 3], [d, e, f]: [f64; 3]) -> [f64; 3] {
    [b * f - c * e, c * d - a * f, a * e - b * d]
}

/// Returns the dot product.
pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FIELD: Field<'_> = Field { name: "Spacing", text: "as it is" };

    fn fault<T: std::fmt::Debug>(result: Result<T, FormatError>) -> GeometryFault {
        match result {
            Err(FormatError::Geometry { field, fault, .. }) if field == "Spacing" => fault,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn lengths_are_finite_and_above_zero() {
        for (number, want) in [
            (0.0, GeometryFault::NotPositive),
            (-0.0, GeometryFault::NotPositive),
            (-1.0, GeometryFault::NotPositive),
            (1e-310, GeometryFault::NotPositive),
            (f64::NAN, GeometryFault::NotFinite),
            (f64::INFINITY, GeometryFault::NotFinite),
        ] {
            assert_eq!(fault(FIELD.length(number)), want, "{number}");
        }
        assert_eq!(fault(FIELD.duration(-1.0)), GeometryFault::Negative);
        assert_eq!(fault(FIELD.slope(0.0)), GeometryFault::Zero);
        assert_eq!(FIELD.duration(0.0).expect("not known"), 0.0);
        assert_eq!(FIELD.slope(-2.0).expect("a line"), -2.0);
        assert_eq!(FIELD.length(4.6e-6).expect("micrometres"), 4.6e-6);
    }

    #[test]
    fn directions_have_length_1_within_the_digits_that_scanners_write() {
        let (sine, cosine) = (0.3826834, 0.9238795);
        let turned = [cosine, sine, 0.0, -sine, cosine, 0.0, 0.0, 0.0, 1.0];
        let rounded = |digits: f64| turned.map(|part: f64| (part * digits).round() / digits);
        for digits in [1e3, 1e4, 1e6] {
            let parts = rounded(digits);
            FIELD.check_orientation(&parts).expect("rounded");
            let [a, b, c, d, e, f, ..] = parts;
            FIELD.check_plane([a, b, c, d, e, f]).expect("rounded");
        }
        let mut long = turned;
        long[8] = 1.01;
        assert_eq!(fault(FIELD.check_orientation(&long)), GeometryFault::NotUnit);
        long[8] = f64::NAN;
        assert_eq!(fault(FIELD.check_orientation(&long)), GeometryFault::NotUnit);
        let flat = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
        assert_eq!(fault(FIELD.check_orientation(&flat)), GeometryFault::Singular);
        let skewed = [1.0, 0.0, 0.0, 0.6, 0.8, 0.0];
        assert_eq!(fault(FIELD.check_plane(skewed)), GeometryFault::NotRight);
        assert_eq!(fault(FIELD.check_plane([0.0; 6])), GeometryFault::NotUnit);
    }

    #[test]
    fn text_that_is_no_number_is_refused_by_its_field() {
        for text in ["0,5 0,5", "N/A", "0.5 mm", "1.0.0", "0x10", "1e", "--1", "½", "1_000"] {
            let field = Field { name: "Spacing", text };
            assert_eq!(fault(field.finite_numbers(2, ' ')), GeometryFault::NotANumber, "{text}");
        }
        let field = Field { name: "Spacing", text: "1 2" };
        assert_eq!(fault(field.finite_numbers(3, ' ')), GeometryFault::Count(3));
        let field = Field { name: "Spacing", text: " 1\t-2.5e-3 \0" };
        assert_eq!(field.finite_numbers(2, ' ').expect("two"), [1.0, -2.5e-3]);
        for text in ["0.5\\", "0.5\\\\0.5", "0,5\\0,5"] {
            let field = Field { name: "Spacing", text };
            assert_eq!(fault(field.finite_numbers(2, '\\')), GeometryFault::NotANumber, "{text}");
        }
        let field = Field { name: "Spacing", text: "1 1e999" };
        assert_eq!(fault(field.finite_numbers(2, ' ')), GeometryFault::NotFinite);
    }

    proptest! {
        /// Reads every spelling of a number as that number.
        #[test]
        fn numbers_are_read_as_they_were_written(value in any::<f64>(), blanks in "[ \t]{0,3}") {
            let texts = [value.to_string(), format!("{value:e}"), format!("{value:E}"), format!("{value:+}")];
            for text in texts {
                let read = number(&format!("{blanks}{text}{blanks}\0"));
                let is_same = |read: f64| read == value || read.is_nan() && value.is_nan();
                prop_assert!(read.is_some_and(is_same), "{text}");
            }
        }

        /// Never cuts a number off at a decimal comma or another character.
        #[test]
        fn no_number_is_read_in_part(before in "[0-9]{1,4}", odd in "[^0-9.eE+-]", after in "[0-9]{1,4}") {
            let text = format!("{before}{odd}{after}");
            prop_assert_eq!(number(&text), None);
        }

        /// Accepts any text that the standard library reads as a number; refuses all other text.
        #[test]
        fn any_text_is_a_number_or_refused(text in "\\PC{0,24}") {
            let field = Field { name: "Spacing", text: &text };
            match field.finite_numbers(1, ' ') {
                Ok(numbers) => prop_assert!(numbers[0].is_finite() && text.trim().parse() == Ok(numbers[0])),
                Err(FormatError::Geometry { field, value, .. }) => {
                    prop_assert_eq!((field.as_str(), value), ("Spacing", short(&text)));
                }
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }
}
