//! Units of length and time, by their names in headers.

/// Conversion of numbers from one unit to another. Submultiples are divided by an exact number, so that 0.3
/// µm becomes the float nearest to 0.0003 mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    Times(f64),
    Per(f64),
}

impl Scale {
    /// The identity.
    pub const ONE: Self = Self::Times(1.0);

    /// Returns the number in the other unit.
    pub fn of(self, number: f64) -> f64 {
        match self {
            Self::Times(factor) => number * factor,
            Self::Per(divisor) => number / divisor,
        }
    }
}

/// Unit, by its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Unit of this scale.
    Known(Scale),
    /// No unit, or a count of pixels, by the file.
    None,
    /// Unknown name.
    Unknown,
}

impl Unit {
    /// Returns the scale; numbers without a known unit stay as they are.
    pub fn scale(self) -> Scale {
        if let Self::Known(scale) = self { scale } else { Scale::ONE }
    }
}

/// Returns a length in millimetres; `None` for an unknown unit. Without a unit, the number stays as it is.
pub fn millimetres(number: f64, unit: &str) -> Option<f64> {
    converted(number, length(unit))
}

/// Returns a time in seconds; `None` for an unknown unit. Without a unit, the number stays as it is.
pub fn seconds(number: f64, unit: &str) -> Option<f64> {
    converted(number, time(unit))
}

fn converted(number: f64, unit: Unit) -> Option<f64> {
    (unit != Unit::Unknown).then(|| unit.scale().of(number))
}

/// Returns the scale from this unit of length to millimetres.
pub fn length(name: &str) -> Unit {
    let name = name.trim();
    Unit::Known(match name {
        "pm" => Scale::Per(1e9),
        // The letter, and the similar sign.
        "Å" | "\u{212b}" => Scale::Per(1e7),
        "nm" => Scale::Per(1e6),
        "um" | "\u{b5}m" | "\u{3bc}m" => Scale::Per(1e3),
        "mm" | "MM" => Scale::ONE,
        "cm" => Scale::Times(10.0),
        "dm" => Scale::Times(100.0),
        "m" => Scale::Times(1e3),
        "km" => Scale::Times(1e6),
        "in" | "\"" => Scale::Times(25.4),
        "ft" => Scale::Times(304.8),
        _ => return length_word(&lower_case(name)),
    })
}

/// Returns a name in lower case; of letters that are not ASCII's, those of units. `str::to_lowercase` would
/// bring tables for all alphabets into a module for browsers.
fn lower_case(name: &str) -> String {
    name.to_ascii_lowercase().replace(['Å', '\u{212b}'], "å").replace('Ö', "ö")
}

fn length_word(name: &str) -> Unit {
    let singular = name.strip_suffix('s').unwrap_or(name);
    Unit::Known(match singular {
        "picometer" | "picometre" => Scale::Per(1e9),
        "angstrom" | "ångström" | "ångstrom" => Scale::Per(1e7),
        "nanometer" | "nanometre" => Scale::Per(1e6),
        "micron" | "micrometer" | "micrometre" => Scale::Per(1e3),
        "millimeter" | "millimetre" => Scale::ONE,
        "centimeter" | "centimetre" => Scale::Times(10.0),
        "decimeter" | "decimetre" => Scale::Times(100.0),
        "meter" | "metre" => Scale::Times(1e3),
        "kilometer" | "kilometre" => Scale::Times(1e6),
        // The plurals are "inches", without its "s", and "feet".
        "inch" | "inche" => Scale::Times(25.4),
        "foot" | "feet" => Scale::Times(304.8),
        _ => return unknown(singular),
    })
}

/// Returns the scale from this unit of time to seconds.
pub fn time(name: &str) -> Unit {
    let name = name.trim();
    Unit::Known(match name {
        "ns" | "nsec" => Scale::Per(1e9),
        "us" | "usec" | "\u{b5}s" | "\u{3bc}s" => Scale::Per(1e6),
        "ms" | "msec" => Scale::Per(1e3),
        "s" | "sec" | "secs" => Scale::ONE,
        "min" | "mins" => Scale::Times(60.0),
        "h" | "hr" | "hrs" => Scale::Times(3600.0),
        "d" => Scale::Times(86400.0),
        _ => {
            let lower = lower_case(name);
            let singular = lower.strip_suffix('s').unwrap_or(&lower);
            match singular {
                "nanosecond" => Scale::Per(1e9),
                "microsecond" => Scale::Per(1e6),
                "millisecond" => Scale::Per(1e3),
                "second" => Scale::ONE,
                "minute" => Scale::Times(60.0),
                "hour" => Scale::Times(3600.0),
                "day" => Scale::Times(86400.0),
                _ => return unknown(singular),
            }
        }
    })
}

fn unknown(name: &str) -> Unit {
    match name {
        "" | "none" | "???" | "?" | "1" | "pixel" | "px" | "voxel" | "frame" => Unit::None,
        _ => Unit::Unknown,
    }
}

/// Replaces the escapes of Java's properties: they write `µm` as `\u00B5m`.
#[cfg(any(feature = "io", test))]
pub fn unescaped(text: &str) -> String {
    let mut text = text.to_owned();
    for (escape, letter) in [("\\u00b5", "µ"), ("\\u03bc", "µ"), ("\\u00c5", "Å"), ("\\u212b", "Å")] {
        text = text.replace(escape, letter).replace(&escape.to_uppercase().replace("\\U", "\\u"), letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_units_have_a_scale() {
        for (names, want) in [
            (&["um", "µm", "\u{3bc}m", "micron", "Microns", "micrometer", "micrometres"][..], 1e-3),
            (&["nm", "nanometers"], 1e-6),
            (&["mm", "MM", "Millimeter", " mm "], 1.0),
            (&["cm", "centimetre"], 10.0),
            (&["m", "meter", "Metres"], 1e3),
            (&["in", "inch", "inches", "\""], 25.4),
            (&["Å", "angstrom", "Ångström", "ÅNGSTRÖMS", "\u{212b}ngstrom"], 1e-7),
        ] {
            for name in names {
                assert_eq!(length(name).scale().of(1.0), want, "{name}");
                assert!(matches!(length(name), Unit::Known(_)), "{name}");
            }
        }
        for (names, want) in [
            (&["ms", "msec", "milliseconds"][..], 1e-3),
            (&["us", "µs"], 1e-6),
            (&["s", "sec", "seconds"], 1.0),
            (&["min", "minutes"], 60.0),
            (&["h", "hour"], 3600.0),
        ] {
            for name in names {
                assert_eq!(time(name).scale().of(1.0), want, "{name}");
            }
        }
        for name in ["", "pixel", "pixels", "none", "???"] {
            assert_eq!((length(name), time(name)), (Unit::None, Unit::None), "{name}");
        }
        // A capital letter is another prefix.
        for name in ["Mm", "parsec", "M", "furlongs", "reference frame"] {
            assert_eq!(length(name), Unit::Unknown, "{name}");
        }
        assert_eq!(unescaped("\\u00B5m \\u00b5m \\u00C5"), "µm µm Å");
    }

    #[test]
    fn decimals_stay_decimals() {
        assert_eq!(length("um").scale().of(0.3), 0.0003);
        assert_eq!(length("nm").scale().of(4.6), 0.0000046);
        assert_eq!((millimetres(0.3, "micrometer"), millimetres(2.0, "")), (Some(0.0003), Some(2.0)));
        assert_eq!((millimetres(1.0, "parsec"), seconds(5.0, "millisecond")), (None, Some(0.005)));
    }
}
