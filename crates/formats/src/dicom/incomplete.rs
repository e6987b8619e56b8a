//! Series of several slices at each place, of which some are absent.

use super::{
    Slice,
    marks::{FIELDS, INSTANCE_NUMBER, Mark, order_of},
};
use crate::SlicesError;
use std::{cmp::Ordering, collections::BTreeMap};

/// Values of a slice's fields.
type Key<'a> = Vec<Option<&'a Mark>>;

/// Returns the error that one place has fewer or more slices than the others. `None` if that is not so, or if
/// no set of `fields` tells why a place has a single slice.
pub fn incomplete(slices: &[Slice], fields: &[Vec<usize>]) -> Option<SlicesError> {
    let mut places: BTreeMap<[i64; 3], Vec<&Slice>> = BTreeMap::new();
    for slice in slices {
        let place = slice.position?.map(|part| (part * 1e3).round() as i64);
        places.entry(place).or_default().push(slice);
    }
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for slices in places.values() {
        *counts.entry(slices.len()).or_default() += 1;
    }
    let (&usual, _) = counts.iter().max_by_key(|(length, count)| (**count, **length))?;
    let odd = places.values().find(|slices| slices.len() != usual)?;
    let whole: Vec<&[&Slice]> =
        places.values().map(Vec::as_slice).filter(|slices| slices.len() == usual).collect();
    let missing = fields.iter().filter(|fields| !fields.contains(&INSTANCE_NUMBER));
    let missing = missing.filter_map(|fields| missing_keys(odd, &whole, fields)).next();
    if usual < 2 || odd.len() < 2 && missing.is_none() {
        return None;
    }
    Some(SlicesError::Incomplete {
        position: odd[0].position?.map(|part| part + 0.0),
        slices: odd.iter().map(|slice| slice.name()).collect(),
        usual,
        missing: missing.unwrap_or_default(),
    })
}

fn order(a: &Key<'_>, b: &Key<'_>) -> Ordering {
    let orders = a.iter().zip(b).map(|(a, b)| order_of(*a, *b));
    orders.fold(Ordering::Equal, Ordering::then)
}

/// Returns the values of the slices' fields in their order; `None` if two slices have the same.
fn keys<'a>(slices: &[&'a Slice], fields: &[usize]) -> Option<Vec<Key<'a>>> {
    let key = |slice: &&'a Slice| fields.iter().map(|&place| slice.marks[place].as_ref()).collect();
    let mut keys: Vec<Key<'a>> = slices.iter().map(key).collect();
    keys.sort_by(order);
    keys.windows(2).all(|pair| order(&pair[0], &pair[1]).is_lt()).then_some(keys)
}

fn has(keys: &[Key<'_>], key: &Key<'_>) -> bool {
    keys.binary_search_by(|own| order(own, key)).is_ok()
}

/// Returns the values that all whole places have, but that are missing in the odd one; `None` if these fields
/// do not tell the slices apart.
fn missing_keys(odd: &[&Slice], whole: &[&[&Slice]], fields: &[usize]) -> Option<Vec<String>> {
    let all = keys(whole[0], fields)?;
    let is_same =
        |slices: &&[&Slice]| keys(slices, fields).is_some_and(|own| own.iter().all(|key| has(&all, key)));
    let present = keys(odd, fields)?;
    if !whole.iter().all(is_same) || !present.iter().all(|key| has(&all, key)) {
        return None;
    }
    let shown = |key: &Key<'_>| {
        let parts = fields.iter().zip(key);
        let parts = parts.filter_map(|(&place, mark)| Some(format!("{} {}", FIELDS[place].name, (*mark)?)));
        parts.collect::<Vec<_>>().join(", ")
    };
    Some(all.iter().filter(|key| !has(&present, key)).map(shown).collect())
}
