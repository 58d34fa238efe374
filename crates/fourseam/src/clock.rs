//! The time of day in words. RFC 3339 in UTC, to the millisecond.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now.
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    rfc3339(since.as_secs(), since.subsec_millis())
}

/// Now, in seconds since 1970.
pub(crate) fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// The date as `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    now().chars().take(10).collect()
}

/// Seconds since 1970 of a time that RFC 3339 writes in UTC; `None` for any other text.
pub(crate) fn seconds_of(time: &str) -> Option<u64> {
    let (date, rest) = time.strip_suffix('Z')?.split_once('T')?;
    let numbers = |text: &str, sign| text.split(sign).map(|part: &str| part.parse().ok()).collect::<Option<Vec<u64>>>();
    let clock = rest.split('.').next()?;
    let [year, month, day] = numbers(date, '-')?.try_into().ok()?;
    let [hour, minute, second] = numbers(clock, ':')?.try_into().ok()?;
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(1970..10_000).contains(&year) {
        return None;
    }
    Some(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
}

/// A moment, in seconds since 1970, to the second.
pub(crate) fn at(seconds: u64) -> String {
    rfc3339(seconds, 0).replace(".000", "")
}

/// Seconds and milliseconds since 1970 as `2026-11-30T11:20:00.123Z`.
fn rfc3339(seconds: u64, millis: u32) -> String {
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// Year, month and day of a number of days since 1970-01-01, in the Gregorian calendar. Years begin in March here,
/// so that the leap day is the last of its year.
fn civil(days: u64) -> (u64, u64, u64) {
    const ERA: u64 = 146_097;
    let days = days + 719_468;
    let (era, day_of_era) = (days / ERA, days % ERA);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / (ERA - 1)) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

/// The number of days since 1970-01-01 of a date: [`civil`] undone.
fn days(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let (era, year_of_era) = (year / 400, year % 400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::{rfc3339, seconds_of};

    #[test]
    fn days_of_the_calendar() {
        for (seconds, want) in [
            (0, "1970-01-01T00:00:00.007Z"),
            (951_782_399, "2000-02-28T23:59:59.007Z"),
            (951_868_799, "2000-02-29T23:59:59.007Z"),
            (1_709_251_200, "2024-03-01T00:00:00.007Z"),
            (1_798_761_600, "2027-01-01T00:00:00.007Z"),
            (4_107_542_400, "2100-03-01T00:00:00.007Z"),
        ] {
            assert_eq!(rfc3339(seconds, 7), want);
            assert_eq!(seconds_of(want), Some(seconds));
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in
            ["", "2026-11-30", "2026-11-30T08:00:00+01:00", "2026-00-30T08:00:00Z", "yesterdayTZ", "9-9-9T1:1:1Z"]
        {
            assert_eq!(seconds_of(text), None, "{text}");
        }
    }
}
