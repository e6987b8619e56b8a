//! Series of unknown days that may run over midnight.

use super::{
    acquired::{Acquired, DAY},
    marks::ACQUISITION_TIME,
    slice::Slice,
};

/// Makes the times comparable. If a day is unknown, times of day count; where they are at both ends of the
/// day, the smallest InstanceNumber tells which end is first. Returns true if the series then runs over
/// midnight.
pub fn compare(slices: &mut [Slice]) -> bool {
    let is_unknown = |slice: &Slice| slice.acquired.is_none() && slice.marks[ACQUISITION_TIME].is_some();
    if slices.iter().any(is_unknown) {
        slices.iter_mut().for_each(|slice| slice.acquired = None);
    }
    let mut times: Vec<Acquired> = slices.iter().filter_map(|slice| slice.acquired).collect();
    if times.iter().all(|time| time.day.is_some()) {
        return false;
    }
    times.sort_by_key(|time| time.time);
    let gap = times.windows(2).find(|pair| pair[1].time - pair[0].time > DAY / 2);
    let evening = gap.map(|pair| pair[1].time);
    let is_late = |time: Acquired| evening.is_some_and(|evening| time.time >= evening);
    let first_number = |late: bool| {
        let of_end = slices.iter().filter(|slice| slice.acquired.is_some_and(|time| is_late(time) == late));
        of_end.filter_map(|slice| slice.file.instance_number).min()
    };
    let is_over_midnight = evening.is_some()
        && match (first_number(true), first_number(false)) {
            (Some(late), Some(early)) => late <= early,
            _ => true,
        };
    for time in slices.iter_mut().filter_map(|slice| slice.acquired.as_mut()) {
        time.day = Some((is_over_midnight && !is_late(*time)).into());
    }
    is_over_midnight
}
