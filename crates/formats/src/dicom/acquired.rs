//! When a slice was acquired: a time of day, and the day if the file states it. Series run over midnight.

use super::{fields::Fields, marks::Mark};
use dicom_dictionary_std::tags;
use dicom_object::Tag;

/// Microseconds of a second.
const SECOND: i64 = 1_000_000;
/// Microseconds of a day.
pub const DAY: i64 = 86_400 * SECOND;

/// Dates and times near that of the acquisition, the nearest first. They give the day where AcquisitionDate
/// is absent.
const NEAR: [(Tag, Tag); 2] =
    [(tags::CONTENT_DATE, tags::CONTENT_TIME), (tags::SERIES_DATE, tags::SERIES_TIME)];

/// Time of an acquisition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acquired {
    /// Number of the day, from any first day on; `None` if unknown.
    pub day: Option<i64>,
    /// Microseconds of the day.
    pub time: i64,
}

impl Acquired {
    /// Microseconds from any first day on.
    pub fn moment(self) -> i64 {
        self.day.unwrap_or(0).saturating_mul(DAY).saturating_add(self.time)
    }

    /// Seconds from any first day on.
    pub fn seconds(self) -> f64 {
        self.moment() as f64 / SECOND as f64
    }

    /// Parses a date with a time (PS3.5, 6.2, DT).
    pub fn of_date_time(text: &str) -> Option<Self> {
        // Offsets from universal time are equal within a series.
        let text = text.split(['+', '-']).next().unwrap_or_default();
        Some(Self { day: Some(day(text.get(..8)?)?), time: time(text.get(8..)?)? })
    }

    /// The day is the one by which this is nearest to a time of a known day.
    fn near(time: i64, other: Self) -> Self {
        let day = other.day.map(|day| day + (other.time - time + DAY / 2).div_euclid(DAY));
        Self { day, time }
    }
}

/// Returns the number of a day (DA, also with dots).
fn day(text: &str) -> Option<i64> {
    let text = text.trim().replace('.', "");
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let [mut year, month, day] = [number(0..4)?, number(4..6)?, number(6..8)?];
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // The year begins in March, so that the leap day is its last.
    let month = (month + 9) % 12;
    year -= month / 10;
    Some(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day)
}

/// Returns the microseconds of a time of day (TM, also with colons; minutes and seconds may be absent).
fn time(text: &str) -> Option<i64> {
    let text = text.trim().replace(':', "");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    if !matches!(whole.len(), 2 | 4 | 6) || fraction.len() > 9 {
        return None;
    }
    if !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |at: usize| whole.get(at..at + 2).map_or(Some(0), |part| part.parse::<i64>().ok());
    let seconds = 3600 * part(0)? + 60 * part(2)? + part(4)?;
    let microseconds: i64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
    Some(seconds * SECOND + microseconds)
}

impl Fields<'_> {
    /// Returns the time of the acquisition, by AcquisitionTime.
    pub fn acquired(&self) -> Option<Acquired> {
        let text = |tag| self.text(None, tag, "").map(|text| text.text);
        let time_of = |tag| time(&text(tag)?);
        let own = time_of(tags::ACQUISITION_TIME)?;
        if let Some(day) = text(tags::ACQUISITION_DATE).and_then(|text| day(&text)) {
            return Some(Acquired { day: Some(day), time: own });
        }
        let near = text(tags::ACQUISITION_DATE_TIME).and_then(|text| Acquired::of_date_time(&text));
        let near = near.or_else(|| {
            NEAR.into_iter().find_map(|(date, time)| {
                Some(Acquired { day: Some(day(&text(date)?)?), time: time_of(time)? })
            })
        });
        Some(near.map_or(Acquired { day: None, time: own }, |near| Acquired::near(own, near)))
    }
}

/// Returns the seconds of a time from an event, in milliseconds, or of a date with a time.
pub fn seconds_of(mark: &Mark) -> Option<f64> {
    match mark {
        Mark::Numbers(numbers) => numbers.first().map(|number| number / 1000.0),
        Mark::Text(text) => Acquired::of_date_time(text).map(Acquired::seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_numbers() {
        let of = |text| Acquired::of_date_time(text).map(Acquired::seconds);
        let after = |a, b| Some(of(b)? - of(a)?);
        assert_eq!(after("20240131235955.5", "20240201000005.250000"), Some(9.75));
        assert_eq!(after("20240228235959", "20240301000000+0100"), Some(86401.0));
        assert_eq!(after("20230228235959", "20230301000000"), Some(1.0));
        assert_eq!(after("19991231120000", "20000101120000"), Some(86400.0));
        for text in ["", "20240131", "20241331000000", "2024013112a000", "20240131120"] {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!((time("12:30:05"), time("1230")), (Some(45_005 * SECOND), Some(45_000 * SECOND)));
        assert_eq!(day("2024.01.31"), day("20240131"));
    }

    #[test]
    fn a_near_time_gives_the_day() {
        let [evening, morning] = [23 * 3600 * SECOND, 3600 * SECOND];
        let near = |time, other| Acquired::near(time, Acquired { day: Some(5), time: other }).day;
        assert_eq!([near(evening, morning), near(morning, evening)], [Some(4), Some(6)]);
        assert_eq!([near(evening, evening), near(morning, morning)], [Some(5), Some(5)]);
    }
}
