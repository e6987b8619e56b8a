//! Dates of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).

use std::time::{SystemTime, UNIX_EPOCH};

/// Days of the week. 1 January 1970 was a Thursday.
const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The last second with a year of four digits.
const LAST: u64 = 253_402_300_799;

/// Returns the current time in seconds since 1970.
pub(super) fn now() -> u64 {
    seconds(SystemTime::now())
}

/// Returns a time in seconds since 1970; 0 for earlier times.
pub(super) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |duration| duration.as_secs())
}

/// Returns the date of a time in seconds since 1970, at most that of the year 9999.
pub(super) fn http_date(seconds: u64) -> String {
    let seconds = seconds.min(LAST);
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (weekday, month) = (WEEKDAYS[(days % 7) as usize], MONTHS[month]);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
}

/// Parses a date as [`http_date`] writes it. The two obsolete forms and impossible dates give `None`.
pub(super) fn parse_http_date(text: &str) -> Option<u64> {
    let words: Vec<&str> = text.split(' ').collect();
    let [_, day, month, year, time, "GMT"] = words[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)?;
    let (year, day): (u64, u64) = (year.parse().ok()?, day.parse().ok()?);
    let time: Vec<u64> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = time[..] else { return None };
    if !(1970..=9999).contains(&year) || day > 31 || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let january = days_before_year(year) + days_before_month(year, month);
    let seconds = 86_400 * (january + day.checked_sub(1)?) + 3600 * hour + 60 * minute + second;
    (http_date(seconds) == text).then_some(seconds)
}

/// Returns year, month from 0, and day of the month from 1 of a number of days since 1970.
fn civil(days: u64) -> (u64, usize, u64) {
    // No year is longer than 366 days, so the estimate is not too late.
    let mut year = 1970 + days / 366;
    while days_before_year(year + 1) <= days {
        year += 1;
    }
    let day = days - days_before_year(year);
    let month = (0..12).rev().find(|&month| days_before_month(year, month) <= day).unwrap_or(0);
    (year, month, day - days_before_month(year, month) + 1)
}

/// Returns the number of days from 1970 to the start of a year.
const fn days_before_year(year: u64) -> u64 {
    let before = year - 1;
    let leap_days = before / 4 - before / 100 + before / 400;
    // 477 leap days are before 1970.
    365 * (year - 1970) + leap_days - 477
}

/// Returns the number of days from the start of a year to that of a month, counted from 0.
const fn days_before_month(year: u64, month: usize) -> u64 {
    const DAYS: [u64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    DAYS[month] + (is_leap && month > 1) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with GNU date.
    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
            (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (LAST, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] {
            assert_eq!(http_date(seconds), text);
            assert_eq!(parse_http_date(text), Some(seconds), "{text}");
        }
        assert_eq!(http_date(u64::MAX), http_date(LAST));
    }

    #[test]
    fn every_day_of_four_centuries_is_read_as_it_is_written() {
        for day in 0..146_097 {
            let seconds = day * 86_400 + day % 86_400;
            assert_eq!(parse_http_date(&http_date(seconds)), Some(seconds), "{}", http_date(seconds));
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "Sun, 06 Nov 1994 08:49:37",
            "Mon, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Wed, 31 Feb 1994 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 18446744073709551615 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
        ] {
            assert_eq!(parse_http_date(text), None, "{text}");
        }
    }
}
